import * as vscode from "vscode";

/**
 * The document that a command is about: a lens hands over its address as a text, a menu as it is; else the one that is
 * looked at.
 */
export function documentOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  return typeof argument === "string" ? vscode.Uri.parse(argument) : vscode.window.activeTextEditor?.document.uri;
}
