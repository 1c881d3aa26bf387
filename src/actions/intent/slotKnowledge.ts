import type { Plain } from "../../base/plain.ts";
import type { Intent } from "./intent.ts";

/** How an order is margined: with the account, or in a slot, whose ID a record may lack. */
export type OrderMargin = "cross" | { readonly slot: number | undefined };

/** What is known of the slots of isolated margin at the gateway. */
export interface SlotKnowledge {
  /** Returns how an order is margined that was seen on this account; undefined where none with this ID was. */
  marginOf(orderId: string): OrderMargin | undefined;
  /**
   * Returns the isolated orders that a request for several orders doesn't reach, as far as they are known: none where
   * they aren't. Undefined where it reaches all.
   */
  leftBy(intent: Pick<Intent, "method" | "paramsText">): readonly Plain[] | undefined;
}
