import * as vscode from "vscode";

/** Returns a function that sets a context key of the extension, for `when` clauses, when its value changes. */
export function createContextKeys(): (name: string, value: unknown) => void {
  const present = new Map<string, unknown>();
  return (name, value) => {
    if (present.get(name) === value) return;
    present.set(name, value);
    void vscode.commands.executeCommand("setContext", `tradingRpc.${name}`, value);
  };
}
