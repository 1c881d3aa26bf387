import * as vscode from "vscode";
import { methodReference } from "../../catalogue/reference/reference.ts";

/**
 * Opens the exchange's page about a method in the browser. Nothing but the catalogue says where: an unknown method has
 * no page.
 */
export function openDocumentation(method: string): void {
  const address = methodReference(method)?.documentation;
  if (address !== undefined) void vscode.env.openExternal(vscode.Uri.parse(address, true));
}
