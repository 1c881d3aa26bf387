import * as vscode from "vscode";
import type { Disposable } from "../../base/emitter.ts";

/** Calls when the last tab of a document was closed, with its address as text. */
export function whenClosed(closed: (key: string) => void): Disposable {
  return vscode.window.tabGroups.onDidChangeTabs((change) => {
    for (const { input } of change.closed) {
      const key = input instanceof vscode.TabInputText ? input.uri.toString() : "";
      if (key !== "" && !isOpen(key)) closed(key);
    }
  });
}

function isOpen(key: string): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key),
  );
}
