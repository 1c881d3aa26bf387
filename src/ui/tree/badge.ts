import type * as vscode from "vscode";

/** Shows a number on a view's icon, or none; what is shown already is not set again. */
export function setBadge(view: Pick<vscode.TreeView<string>, "badge">, badge: vscode.ViewBadge | undefined): void {
  if (view.badge?.value !== badge?.value || view.badge?.tooltip !== badge?.tooltip) view.badge = badge;
}
