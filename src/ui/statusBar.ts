import * as vscode from "vscode";
import type { Disposable } from "../base/emitter.ts";
import type { StatusBarItem } from "../present/statusBar.ts";
import { tooltipMarkdown } from "./treeView.ts";

/** The one item in the status bar. */
export interface StatusBar extends Disposable {
  show(item: StatusBarItem): void;
}

/** `command` opens what can be done about the connection; `hide` makes of a text one that may be shown. */
export function createStatusBar(name: string, command: string, hide: (text: string) => string): StatusBar {
  const item = vscode.window.createStatusBarItem("tradingRpc.status", vscode.StatusBarAlignment.Left, 0);
  item.name = name;
  item.command = command;
  return {
    show({ text, tooltip, background, spoken }) {
      item.text = hide(text);
      item.tooltip = tooltipMarkdown(tooltip.map((line) => ({ ...line, value: hide(line.value) })));
      item.accessibilityInformation = { label: hide(spoken), role: "button" };
      item.backgroundColor = background === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${background}Background`);
      item.show();
    },
    dispose: () => item.dispose(),
  };
}
