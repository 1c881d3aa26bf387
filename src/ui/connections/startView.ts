import type * as vscode from "vscode";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { createStartTree, startCommand } from "../../present/connections/startRows.ts";
import { createLiveTree, type TreeFrame } from "../tree/treeView.ts";
import type { Ui } from "../ui.ts";

/** The view that is shown until something is connected. */
interface StartPane extends Disposable {
  readonly provider: vscode.TreeDataProvider<string>;
}

/** Makes the view with a row for each thing that connects. Without a saved connection, its welcome text is shown. */
export function createStartPane({
  frame,
  connections,
  clock,
}: Pick<Ui, "connections" | "clock"> & { readonly frame: TreeFrame }): StartPane {
  const disposables = new DisposableList();
  const rows = createStartTree(() => connections.list);
  const tree = disposables.add(
    createLiveTree({
      frame,
      clock,
      rows,
      commandOf: (row) => ({ title: row.label, command: startCommand(row), arguments: [row.connectionId] }),
    }),
  );
  disposables.add(connections.onDidChange(() => tree.refresh()));
  return { provider: tree.provider, dispose: () => disposables.dispose() };
}
