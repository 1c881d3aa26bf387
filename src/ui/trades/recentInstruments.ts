import type * as vscode from "vscode";
import { isObject } from "../../base/json.ts";
import type { Connections } from "../../state/connections.ts";

const KEY = "tradingRpc.recentInstruments";
const MAX_KEPT = 10;

/** The names of instruments that were chosen before, by connection. */
export interface RecentInstruments {
  /** Returns the names, the last one first. */
  of(connectionId: string): readonly string[];
  add(connectionId: string, name: string): Promise<void>;
}

export function createRecentInstruments(
  state: vscode.Memento,
  connections: Pick<Connections, "find">,
): RecentInstruments {
  const kept = (): Readonly<Record<string, unknown>> => {
    const value = state.get(KEY);
    return isObject(value) ? value : {};
  };
  const of = (connectionId: string): readonly string[] => {
    const names = kept()[connectionId];
    return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [];
  };
  return {
    of,
    async add(connectionId, name) {
      const names = [name, ...of(connectionId).filter((each) => each !== name)].slice(0, MAX_KEPT);
      // What belongs to connections that were forgotten goes with the next change.
      const others = Object.entries(kept()).filter(
        ([other]) => other !== connectionId && connections.find(other) !== undefined,
      );
      await state.update(KEY, { ...Object.fromEntries(others), [connectionId]: names });
    },
  };
}
