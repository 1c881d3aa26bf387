import * as vscode from "vscode";
import type { ContextName } from "../../manifest/clauses.ts";

/** Sets a context key of the extension, for `when` clauses. */
export type SetContext = (name: ContextName, value: unknown) => void;

/** Returns a function that sets a context key of the extension, for `when` clauses, when its value changes. */
export function createContextKeys(): SetContext {
  const present = new Map<ContextName, unknown>();
  return (name, value) => {
    if (present.get(name) === value) return;
    present.set(name, value);
    void vscode.commands.executeCommand("setContext", `tradingRpc.${name}`, value);
  };
}
