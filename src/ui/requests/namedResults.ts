import * as vscode from "vscode";
import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import { createResults, type Results } from "../../requests/values/results.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";

/**
 * The named responses of this window, by connection and folder. They are only in memory and end with their connection.
 */
export interface NamedResults extends Disposable {
  /** Returns the responses for the folder of a request file over a connection; all files of the folder share them. */
  of(connectionId: string, fileUri: vscode.Uri): Results;
  readonly onDidChange: Event<void>;
}

export function createNamedResults(liveConnections: LiveConnections): NamedResults {
  const disposables = new DisposableList();
  const changes: Emitter<void> = disposables.add(createEmitter());
  const byConnection = new Map<string, Map<string, Results>>();
  const forget = (connectionId: string): void => {
    for (const results of byConnection.get(connectionId)?.values() ?? []) results.clear();
  };
  const watch = (connection: LiveConnections["all"][number]): void => {
    const { id } = connection.record;
    let account = accountOf(connection.state);
    connection.onDidChangeState((state) => {
      const next = accountOf(state);
      // While a link is being made again, its account is not known yet.
      if (state.status === "off" || (next !== undefined && account !== undefined && next !== account)) forget(id);
      account = state.status === "off" ? undefined : (next ?? account);
    });
  };
  liveConnections.all.forEach(watch);
  disposables.add(liveConnections.onDidOpen(watch));
  disposables.add(liveConnections.onDidClose(({ record }) => forget(record.id)));
  return {
    of(connectionId, fileUri) {
      const folders = byConnection.get(connectionId) ?? new Map<string, Results>();
      byConnection.set(connectionId, folders);
      const folder = fileUri.scheme === "untitled" ? "untitled:" : vscode.Uri.joinPath(fileUri, "..").toString();
      const results = folders.get(folder) ?? createResults();
      if (!folders.has(folder)) results.onDidChange(() => changes.fire());
      folders.set(folder, results);
      return results;
    },
    onDidChange: changes.event,
    dispose: () => disposables.dispose(),
  };
}

/** Returns the account that we are signed in as; undefined while it is not known. */
function accountOf(state: LiveConnections["all"][number]["state"]): string | undefined {
  if (state.status !== "ready") return undefined;
  const { clientId, userId, subject } = state.identity;
  return JSON.stringify([clientId, userId, subject?.id]);
}
