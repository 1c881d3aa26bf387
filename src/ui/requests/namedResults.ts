import type * as vscode from "vscode";
import { createEmitter, type Disposable, type DisposableList, type Emitter, type Event } from "../../base/emitter.ts";
import { createResults, type Results } from "../../requests/values/results.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";
import { whileOpen } from "../editor/whileOpen.ts";
import { folderKey } from "./requestDocuments.ts";
import type { RequestTargets } from "./targets.ts";

/**
 * The named responses of this window, by connection and folder. They are only in memory and end with their connection.
 */
export interface NamedResults {
  /**
   * Returns the responses for the folder of a request file; all files of the folder share them. `connectionId`: of the
   * connection that the file is sent to, unless another is named; without one, there are none.
   */
  of(fileUri: vscode.Uri, connectionId?: string): Results;
  readonly onDidChange: Event<void>;
}

export function createNamedResults(
  liveConnections: LiveConnections,
  targets: Pick<RequestTargets, "of">,
  disposables: DisposableList,
): NamedResults {
  const changes: Emitter<void> = disposables.add(createEmitter());
  const byConnection = new Map<string, Map<string, Results>>();
  const none = createResults();
  const forget = (connectionId: string): void => {
    for (const results of byConnection.get(connectionId)?.values() ?? []) results.clear();
  };
  const watch = (connection: LiveConnection): Disposable => {
    const { id } = connection.record;
    let account = accountOf(connection.state);
    return connection.onDidChangeState((state) => {
      const next = accountOf(state);
      // While a link is being made again, its account is not known yet.
      if (state.status === "off" || (next !== undefined && account !== undefined && next !== account)) forget(id);
      account = state.status === "off" ? undefined : (next ?? account);
    });
  };
  disposables.add(whileOpen(liveConnections, watch));
  disposables.add(liveConnections.onDidClose(({ record }) => forget(record.id)));
  return {
    of(fileUri, connectionId = targets.of(fileUri)?.record.id) {
      if (connectionId === undefined) return none;
      const folders = byConnection.get(connectionId) ?? new Map<string, Results>();
      byConnection.set(connectionId, folders);
      const folder = folderKey(fileUri);
      const results = folders.get(folder) ?? createResults();
      if (!folders.has(folder)) results.onDidChange(() => changes.fire());
      folders.set(folder, results);
      return results;
    },
    onDidChange: changes.event,
  };
}

/** Returns the account that we are signed in as; undefined while it is not known. */
function accountOf(state: LiveConnection["state"]): string | undefined {
  if (state.status !== "ready") return undefined;
  const { clientId, userId, subject } = state.identity;
  return JSON.stringify([clientId, userId, subject?.id]);
}
