import type { Print } from "../../exchange/market/candles.ts";

/** The trades that are looked for: within bounds, which are included, the oldest ones or the newest ones. */
export interface TradeRange {
  readonly fromSeq?: number | undefined;
  readonly toSeq?: number | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly order: "oldest" | "newest";
  readonly count: number;
}

/** Trades that were found, oldest first, and whether there are more within the bounds. */
export interface TradePage<T> {
  readonly found: readonly T[];
  readonly hasMore: boolean;
}

/** The trades of one instrument, of which any stretch of time can be worked out. */
export interface TradePlace {
  /** The time between two trades of others, in ms. */
  readonly everyMs: number;
  /** The moments of the first and the last trade that can be found. */
  readonly firstMs: number;
  readonly lastMs: number;
  prints(afterMs: number, untilMs: number): readonly Print[];
  /** Returns the number of the last trade at a moment. */
  count(atMs: number): number;
  /** Returns the tick direction of a trade that was told already. */
  toldDirection(print: Print): number | undefined;
}

/**
 * A trade with its tick direction: 0 plus, 1 zero-plus, 2 minus, 3 zero-minus.
 * https://docs.deribit.com/api-reference/market-data/public-get_last_trades_by_instrument
 */
interface DirectedPrint {
  readonly print: Print;
  readonly direction: number;
}

/** How many trades before one are looked at for the last other price. */
const LOOKED_BACK = 20;

/** Finds trades of a range. Only the part of the tape that is asked for is worked out. */
export function findTrades(place: TradePlace, range: TradeRange): TradePage<DirectedPrint> {
  const { fromSeq = -Infinity, toSeq = Infinity, fromMs = -Infinity, toMs = Infinity, order, count } = range;
  const first = Math.max(place.firstMs, fromMs, momentOf(place, fromSeq));
  const last = Math.min(place.lastMs, toMs, momentOf(place, toSeq));
  const isWithin = ({ seq }: Print): boolean => seq >= fromSeq && seq <= toSeq;
  const lengthMs = Math.ceil((count + 1) / 16) * place.everyMs;
  const found = reach(place, { first, last, order, count: count + 1, isWithin, lengthMs });
  const hasMore = found.length > count;
  const chosen = hasMore ? (order === "oldest" ? found.slice(0, count) : found.slice(-count)) : found;
  return { found: withDirections(place, chosen), hasMore };
}

interface Reach {
  readonly first: number;
  readonly last: number;
  readonly order: "oldest" | "newest";
  readonly count: number;
  readonly isWithin: (print: Print) => boolean;
  /** The length of the part that is looked at first. */
  readonly lengthMs: number;
}

/**
 * Returns at least `count` prints from one end of a stretch of time, if there are as many, oldest first. It begins with
 * a short part of it: trades that were made at the venue may be many in a moment.
 */
function reach(place: TradePlace, { first, last, order, count, isWithin, ...begin }: Reach): readonly Print[] {
  for (let { lengthMs } = begin; ; lengthMs *= 4) {
    const from = order === "newest" ? Math.max(first, last - lengthMs) : first;
    const until = order === "newest" ? last : Math.min(last, first + lengthMs);
    if (from > until) return [];
    const found = place.prints(from - 1, until).filter(isWithin);
    if (found.length >= count || (from === first && until === last)) return found;
  }
}

/** Returns the moment of the trade with a number, or a later one where it is not there yet. */
function momentOf(place: TradePlace, seq: number): number {
  if (seq === -Infinity || seq <= place.count(place.firstMs - 1)) return -Infinity;
  if (seq > place.count(place.lastMs)) return Infinity;
  let [before, at] = [place.firstMs - 1, place.lastMs];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (place.count(middle) >= seq) at = middle;
    else before = middle;
  }
  return at;
}

/** Adds to trades that follow each other the direction of each one's price from the last other price. */
export function withDirections(place: TradePlace, chosen: readonly Print[]): DirectedPrint[] {
  const [first] = chosen;
  if (first === undefined) return [];
  const earlier = reach(place, {
    first: -Infinity,
    last: first.atMs,
    order: "newest",
    count: LOOKED_BACK,
    isWithin: ({ seq }) => seq < first.seq,
    // Under load the trades before it are of the same moment.
    lengthMs: place.everyMs / 128,
  }).slice(-LOOKED_BACK);
  let [previous, direction] = [earlier[0]?.price ?? first.price, 0];
  const direct = (print: Print): number => {
    direction = place.toldDirection(print) ?? tickDirection(print.price - previous, direction);
    previous = print.price;
    return direction;
  };
  for (const print of earlier) direct(print);
  return chosen.map((print) => ({ print, direction: direct(print) }));
}

/** Returns the direction of a price by its difference to that of the trade before, and the direction of that one. */
export function tickDirection(difference: number, before: number): number {
  if (difference === 0) return before < 2 ? 1 : 3;
  return difference > 0 ? 0 : 2;
}
