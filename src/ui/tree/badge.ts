import type * as vscode from "vscode";

/** Shows a number on a view's icon, or none; does not set a number that is already shown. */
export function setBadge(view: Pick<vscode.TreeView<string>, "badge">, badge: vscode.ViewBadge | undefined): void {
  if (view.badge?.value !== badge?.value || view.badge?.tooltip !== badge?.tooltip) view.badge = badge;
}
