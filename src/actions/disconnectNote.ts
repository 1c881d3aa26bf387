import * as l10n from "@vscode/l10n";

/**
 * What a request about cancel-on-disconnect changes, as a sentence for its question; undefined for all other requests.
 * `isAccount`: it names the account as its scope.
 */
export function disconnectNote(method: string, isAccount: boolean): string | undefined {
  switch (method) {
    case "private/enable_cancel_on_disconnect":
      return isAccount
        ? l10n.t(
            "Each connection that is opened from then on begins with it: when one ends, the exchange cancels every order that was placed over it.",
          )
        : l10n.t(
            "When this connection ends, the exchange then cancels every order that was placed over it: by Disconnect, when this window is reloaded or closed, and when the network fails.",
          );
    case "private/disable_cancel_on_disconnect":
      return isAccount
        ? l10n.t(
            "Each connection that is opened from then on begins without it: when one is lost, nothing cancels its orders.",
          )
        : l10n.t("When this connection is lost, nothing then cancels the orders that were placed over it.");
    default:
      return undefined;
  }
}
