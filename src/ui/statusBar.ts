import * as vscode from "vscode";
import type { Disposable } from "../base/emitter.ts";
import type { StatusBarItem } from "../present/statusBar.ts";
import { tooltipMarkdown } from "./treeView.ts";

/** The one item in the status bar. */
export interface StatusBar extends Disposable {
  show(item: StatusBarItem): void;
}

/** `command` opens what can be done about the connection. */
export function createStatusBar(name: string, command: string): StatusBar {
  const item = vscode.window.createStatusBarItem("tradingRpc.status", vscode.StatusBarAlignment.Left, 0);
  item.name = name;
  item.command = command;
  return {
    show({ text, tooltip, background, spoken }) {
      item.text = text;
      item.tooltip = tooltipMarkdown(tooltip);
      item.accessibilityInformation = { label: spoken, role: "button" };
      item.backgroundColor = background === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${background}Background`);
      item.show();
    },
    dispose: () => item.dispose(),
  };
}
