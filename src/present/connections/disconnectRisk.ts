import * as l10n from "@vscode/l10n";
import type { CancelOnDisconnect } from "../../state/cancelOnDisconnect.ts";

/* Words on orders that the exchange cancels when the connection that placed them ends. */

/** The orders of one connection that end with its link. */
export interface TiedOrders {
  /** The environment and name of the connection. */
  readonly place: string;
  readonly count: number;
}

/** Returns the number of orders that end with the link; 0 where the exchange lets them stand, or has not said. */
export function tiedCount(known: CancelOnDisconnect | undefined): number {
  return known?.isOn === true ? known.placedOrders : 0;
}

/** Returns what is tied to the link and what ends it, as sentences. */
export function tiedText({ place, count }: TiedOrders): string {
  const what =
    count === 1
      ? l10n.t(
          "Cancel-on-disconnect is on for {0}: the exchange cancels 1 order that was placed from this window when its connection ends.",
          place,
        )
      : l10n.t(
          "Cancel-on-disconnect is on for {0}: the exchange cancels {1} orders that were placed from this window when its connection ends.",
          place,
          count,
        );
  return l10n.t("{0} It ends by Disconnect, when this window is reloaded or closed, and when the network fails.", what);
}

/** Returns what Disconnect does to the orders, as a confirmation. */
export function tiedQuestion({ place, count }: TiedOrders): { readonly message: string; readonly detail: string } {
  return {
    message:
      count === 1
        ? l10n.t("Disconnect {0}, which cancels 1 order?", place)
        : l10n.t("Disconnect {0}, which cancels {1} orders?", place, count),
    detail: l10n.t(
      "Cancel-on-disconnect is on: when this connection ends, the exchange cancels the orders that were placed over it. Orders that were placed elsewhere stay.",
    ),
  };
}

/** Returns the setting of a connection in a word or two, and in sentences. */
export function disconnectWords(known: CancelOnDisconnect): { readonly value: string; readonly long: string } {
  const count = known.placedOrders;
  switch (known.isOn) {
    case true:
      return {
        value: count === 0 ? l10n.t("on") : count === 1 ? l10n.t("on · 1 order") : l10n.t("on · {0} orders", count),
        long: l10n.t(
          "On: when this connection ends, the exchange cancels the open orders that were placed over it ({0} now). It ends by Disconnect, when this window is reloaded or closed, and when the network fails.",
          count,
        ),
      };
    case false:
      return {
        value: l10n.t("off"),
        long: l10n.t("Off: orders that were placed over this connection stay open when it ends."),
      };
    case undefined:
      return {
        value: l10n.t("not known"),
        long: l10n.t("Not known: the key may not read it (account:read), or the server does not tell."),
      };
  }
}
