import * as vscode from "vscode";
import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import { createResults, type Results } from "../../requests/values/results.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";

/**
 * The named responses of this window, by connection and folder. They are in memory alone and end with what they are
 * about.
 */
export interface NamedResults extends Disposable {
  /** Those of the folder of a request file over a connection; the same for all its files. */
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
      // While a link is being made anew nobody knows yet who it will be.
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

/** Who the exchange takes us for; undefined while that is not known. */
function accountOf(state: LiveConnections["all"][number]["state"]): string | undefined {
  if (state.status !== "ready") return undefined;
  const { clientId, userId, subject } = state.identity;
  return JSON.stringify([clientId, userId, subject?.id]);
}
