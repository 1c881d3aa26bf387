import type { Refusal } from "../refusal.ts";

/**
 * What a book is in: `open` takes everything; `settlement`, some seconds a day, takes nothing; `locked` and `halted`
 * take cancels alone; `closed` takes nothing any more. https://docs.deribit.com/api-reference/market-data/public-get_instrument
 * (member `state`, where a closed book is `delivered`) and https://docs.deribit.com/starbase/market-model
 */
export type BookState = "open" | "settlement" | "locked" | "halted" | "closed";

/**
 * Returns why an account can't place, edit, or cancel an order in a book that is in a state; undefined where it can.
 * Only 10041 of a settlement is documented. The operator locks books, so that 10019 says so.
 */
export function refuseInState(state: BookState, verb: "place" | "edit" | "cancel"): Refusal | undefined {
  switch (state) {
    case "open":
      return undefined;
    case "settlement":
      return { word: "settlement_in_progress" };
    case "locked":
      return verb === "cancel" ? undefined : { word: "locked_by_admin" };
    case "halted":
      return verb === "cancel" ? undefined : { word: "book_closed" };
    case "closed":
      return { word: "orderbook_closed" };
  }
}
