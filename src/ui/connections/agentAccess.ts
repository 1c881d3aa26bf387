import { createEmitter, type Emitter, type Event } from "../../base/emitter.ts";
import { SIMULATOR_ID, type ConnectionRecord } from "../../state/records.ts";
import type { Ui } from "../ui.ts";

/** The connections that the user has named for agents, which VS Code offers them as MCP servers. */
export interface AgentAccess {
  /** Whether agents may use a connection: the user has named it as it is now, and the setting is on. */
  isShared(record: ConnectionRecord): boolean;
  /** Shares a connection, which turns the setting on, or ends that. */
  share(record: ConnectionRecord, isWanted: boolean): Promise<void>;
  /** Fires when a connection was shared, or is not any more. */
  readonly onDidChange: Event<void>;
}

interface AgentAccessPorts {
  readonly settings: Pick<Ui["settings"], "isServingAgents" | "serveAgents">;
  readonly state: {
    get(key: string): unknown;
    update(key: string, value: unknown): Thenable<void>;
  };
}

const KEY = "tradingRpc.agentConnections";

/** Keeps which connections are shared with agents. The dialog about it is `askAboutAgents`. */
export function createAgentAccess({ settings, state }: AgentAccessPorts): AgentAccess {
  const changes: Emitter<void> = createEmitter();
  // What was shared before the setting was turned off is named again.
  const named = (): readonly unknown[] => {
    const kept = settings.isServingAgents() ? state.get(KEY) : [];
    return Array.isArray(kept) ? kept : [];
  };
  return {
    isShared: (record) => named().includes(entryOf(record)),
    async share(record, isWanted) {
      const others = named().filter((entry) => entry !== entryOf(record));
      await state.update(KEY, isWanted ? [...others, entryOf(record)] : others);
      if (isWanted) await settings.serveAgents();
      changes.fire();
    },
    onDidChange: changes.event,
  };
}

/** A connection that is changed is another one: it is named again. */
function entryOf({ id, declared, url, clientId }: ConnectionRecord): string {
  return JSON.stringify(id === SIMULATOR_ID ? [id] : [id, declared, url, clientId]);
}
