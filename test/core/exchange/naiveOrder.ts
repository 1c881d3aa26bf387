/* The orders of the naive book, and what follows from one or two of them alone. It imports nothing. */

export type Source = "last_price" | "mark_price" | "index_price";

export interface NaiveDraft {
  label: string;
  account: string;
  side: "buy" | "sell";
  type: string;
  amount: number;
  price?: number | undefined;
  timeInForce?: string;
  post?: "reprice" | "reject" | undefined;
  isReduceOnly?: boolean;
  /** How much is shown at a time; 0: nothing. */
  show?: number | undefined;
  source?: Source | undefined;
  stop?: number | undefined;
  offset?: number | undefined;
}

/** How the legs hang on the first order. */
export type NaiveLink = { readonly type: "oto" | "oco" | "otoco"; readonly condition: string };

/** `total` is the amount without what links took of it (`taken`); `since` and `turn` are places in line. */
export type NaiveOrder = NaiveDraft &
  Record<"filled" | "tip" | "turn" | "since" | "total" | "taken", number> & {
    state: "new" | "rests" | "waits" | "parked" | "done";
    reference?: number | undefined;
    group?: string | undefined;
    isCoupled: boolean;
    condition: string;
    primary?: NaiveOrder | undefined;
  };
export type Mode = "reject_taker" | "cancel_maker" | "allow";

export const left = (o: NaiveOrder): number => o.amount - o.filled;
export const other = (o: NaiveOrder): string => (o.side === "buy" ? "sell" : "buy");
export const crosses = (o: NaiveOrder, m: NaiveOrder): boolean =>
  o.price === undefined || (o.side === "buy" ? m.price! <= o.price : m.price! >= o.price);
export const byPrice = (a: NaiveOrder, b: NaiveOrder): number => (a.price! - b.price!) * (a.side === "sell" ? 1 : -1);
export const byPriority = (a: NaiveOrder, b: NaiveOrder): number =>
  byPrice(a, b) || Number(a.show === 0) - Number(b.show === 0) || a.turn - b.turn;
export const rises = (o: NaiveOrder): boolean => o.type.startsWith("take") === (o.side === "sell");
export const isMet = (o: NaiveOrder, price: number | undefined): boolean =>
  o.stop !== undefined && price !== undefined && (rises(o) ? price >= o.stop : price <= o.stop);
export const share = (total: number, filled: number, amount: number): number =>
  Math.min(total, Math.floor((total * filled) / amount));
export function follow(o: NaiveOrder, price: number | undefined): void {
  if (price === undefined || o.offset === undefined) return;
  Object.assign(o, { reference: price, stop: o.side === "sell" ? price - o.offset : price + o.offset });
}
/** Whether a price is further from a trailing stop than all before it. */
export const isBetter = (
  { side, offset, reference = side === "sell" ? -Infinity : Infinity }: NaiveOrder,
  price: number,
) => offset !== undefined && (side === "sell" ? price > reference : price < reference);
