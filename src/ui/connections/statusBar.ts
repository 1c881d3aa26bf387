import * as vscode from "vscode";
import type { Disposable } from "../../base/emitter.ts";
import type { Plain } from "../../base/plain.ts";
import { STATUS_BAR_COMMANDS, type StatusBarItem, type StatusBarLink } from "../../present/connections/statusBar.ts";
import type { CommandId } from "../../manifest/contributes.ts";
import type { OwnCommand } from "../editor/handler.ts";
import { tooltipMarkdown } from "../tree/treeView.ts";

/** The item in the status bar that is always there. */
interface StatusBar extends Disposable {
  show(item: StatusBarItem): void;
}

/**
 * Makes the status bar item. `command` opens the actions of the connection; `hide` returns a text without what must not
 * be shown.
 */
export function createStatusBar(name: string, command: CommandId, hide: (text: Plain) => string): StatusBar {
  const item = vscode.window.createStatusBarItem("tradingRpc.status", vscode.StatusBarAlignment.Left, 0);
  item.name = name;
  item.command = command;
  return {
    show({ text, tooltip, links, background, spoken }) {
      item.text = hide(text);
      item.tooltip = withLinks(tooltipMarkdown(tooltip.map((line) => ({ ...line, value: hide(line.value) }))), links);
      item.accessibilityInformation = { label: hide(spoken), role: "button" };
      item.backgroundColor =
        background === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${background}Background`);
      item.show();
    },
    dispose: () => item.dispose(),
  };
}

/**
 * Adds command links below text that was appended as plain text and can hold no link. Only these few commands of ours
 * run, without an argument that a text from outside could get into.
 */
function withLinks(markdown: vscode.MarkdownString, links: readonly StatusBarLink[]): vscode.MarkdownString {
  markdown.isTrusted = { enabledCommands: STATUS_BAR_COMMANDS satisfies readonly OwnCommand[] };
  markdown.appendMarkdown("\n\n");
  for (const [index, { title, command }] of links.entries()) {
    markdown.appendMarkdown(index === 0 ? "[" : " · [");
    markdown.appendText(title);
    markdown.appendMarkdown(`](command:${command})`);
  }
  return markdown;
}
