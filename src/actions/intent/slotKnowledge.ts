import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { slotOf } from "../../state/isolated.ts";
import type { Order } from "../../state/orders.ts";

/** How an order is margined: with the account, or in a slot, whose ID a record may lack. */
export type OrderMargin = "cross" | { readonly slot: number | undefined };

/** What is known of the slots of isolated margin at the gateway. */
export interface SlotKnowledge {
  /** Returns how an order is margined that was seen on this account; undefined where none with this ID was. */
  marginOf(orderId: string): OrderMargin | undefined;
  /** Returns the isolated orders that are open; undefined where not all of them are known. */
  open(): readonly Order[] | undefined;
}

/** Returns that a record is isolated, with the subaccount that has it. */
export function slotText(record: object): Plain {
  const slot = slotOf(record);
  return slot === undefined
    ? l10n.t("isolated margin")
    : l10n.t("isolated margin, subaccount {0}", plain.name(String(slot)));
}
