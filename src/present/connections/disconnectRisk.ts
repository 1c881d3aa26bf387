import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { CancelOnDisconnect } from "../../state/cancelOnDisconnect.ts";

/* Words on orders that the exchange cancels when the connection that placed them ends. */

/** The orders of one connection that end with its link. */
interface TiedOrders {
  /** The environment and name of the connection. */
  readonly place: Plain;
  readonly count: number;
}

/** Returns the number of orders that end with the link; 0 where the exchange lets them stand, or has not said. */
export function tiedCount(known: CancelOnDisconnect | undefined): number {
  return known?.isOn === true ? known.placedOrders : 0;
}

/** Returns what is tied to the link and what ends it, as sentences. */
export function tiedText({ place, count }: TiedOrders): Plain {
  const what =
    count === 1
      ? l10n.t(
          "Cancel-on-disconnect (COD) is on for {0}. When its connection ends, the exchange cancels 1 order placed from this window.",
          place,
        )
      : l10n.t(
          "Cancel-on-disconnect (COD) is on for {0}. When its connection ends, the exchange cancels {1} orders placed from this window.",
          place,
          count,
        );
  return l10n.t(
    "{0} The connection ends on Disconnect, when this window is reloaded or closed, and when the network fails.",
    what,
  );
}

/** Returns what Disconnect does to the orders, as a confirmation. */
export function tiedQuestion({ place, count }: TiedOrders): { readonly message: Plain; readonly detail: Plain } {
  return {
    message:
      count === 1
        ? l10n.t("Disconnect {0} and cancel 1 order?", place)
        : l10n.t("Disconnect {0} and cancel {1} orders?", place, count),
    detail: l10n.t(
      "Cancel-on-disconnect (COD) is on. When this connection ends, the exchange cancels the orders placed over it. Orders placed elsewhere stay open.",
    ),
  };
}

/** Returns the setting of a connection in a word or two, and in sentences. */
export function disconnectWords(known: CancelOnDisconnect): { readonly value: Plain; readonly long: Plain } {
  const count = known.placedOrders;
  switch (known.isOn) {
    case true:
      return {
        value: count === 0 ? l10n.t("on") : count === 1 ? l10n.t("on · 1 order") : l10n.t("on · {0} orders", count),
        long: l10n.t(
          "On: when this connection ends, the exchange cancels the open orders placed over it (currently {0}). It ends on Disconnect, when this window is reloaded or closed, and when the network fails.",
          count,
        ),
      };
    case false:
      return {
        value: l10n.t("off"),
        long: l10n.t("Off: orders placed over this connection stay open when it ends."),
      };
    case undefined:
      return {
        value: l10n.t("unknown"),
        long: l10n.t("Not known: the API key doesn't have the scope account:read, or the server doesn't report it."),
      };
  }
}
