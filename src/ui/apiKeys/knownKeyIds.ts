import type * as vscode from "vscode";
import type { KnownKeyIds } from "../../state/apiKeys.ts";
import type { Connections } from "../../state/connections.ts";
import type { ConnectionRecord } from "../../state/records.ts";

const KEY = "tradingRpc.knownKeyIds";

/** Ids by connection, and by the key that it signs in with: ids of one account mean nothing in another. */
type Kept = Readonly<Record<string, { readonly clientId: string; readonly ids: readonly number[] }>>;

/** Makes the store of the API key ids that the user typed, for each connection. */
export function createKnownKeyIds(
  state: vscode.Memento,
  connections: Pick<Connections, "find">,
): (record: ConnectionRecord) => KnownKeyIds {
  return ({ id: connectionId, clientId }) => ({
    load() {
      const kept = keptIn(state)[connectionId];
      const ids: unknown = kept?.clientId === clientId ? kept.ids : [];
      return Array.isArray(ids) ? ids.filter((id): id is number => Number.isSafeInteger(id)) : [];
    },
    async save(ids) {
      // What belongs to connections that were forgotten goes with the next change.
      const others = Object.entries(keptIn(state)).filter(
        ([other]) => other !== connectionId && connections.find(other) !== undefined,
      );
      await state.update(KEY, {
        ...Object.fromEntries(others),
        ...(ids.length === 0 ? {} : { [connectionId]: { clientId, ids } }),
      } satisfies Kept);
    },
  });
}

function keptIn(state: vscode.Memento): Kept {
  const kept = state.get(KEY);
  return typeof kept === "object" && kept !== null ? (kept as Kept) : {};
}
