import type { ParamsOf } from "../../catalogue/index.ts";
import { opposite, type TradedInstrument } from "../../exchange/instrument.ts";
import { fixedOf } from "../../exchange/ledger/money.ts";
import { toSteps } from "../../exchange/units.ts";
import { invalidParam } from "../text/errors.ts";
import { refusalError } from "../text/refusals.ts";
import type { BookedLeg } from "./blockTradeMaker.ts";
import type { Market } from "./market.ts";
import { asBooked } from "./userTrades.ts";
import { MARKET_ACCOUNT, type Venue } from "./venue.ts";

/** The details of a block trade, on which both parties agree; directions are from the maker's point of view. */
export type AgreedTrade = ParamsOf<"private/verify_block_trade">;

/** The accounts of a block trade: IDs, or `MARKET_ACCOUNT`. */
interface BlockParties {
  readonly maker: string;
  readonly taker: string;
}

/** The legs of a block trade as each side sees them. */
interface BookedLegs {
  readonly maker: readonly BookedLeg[];
  readonly taker: readonly BookedLeg[];
}

/** A leg of a block trade in the whole numbers of the exchange. */
interface ReadLeg {
  readonly instrument: TradedInstrument;
  readonly price: number;
  readonly amount: number;
  /** The direction of the maker. */
  readonly direction: "buy" | "sell";
}

/**
 * Reads the legs of a block trade. Refuses with -32602 what the simulator cannot book: combos and spot, what has
 * expired, and prices and amounts between two steps.
 */
export function readBlockLegs(venue: Venue, trades: AgreedTrade["trades"]): ReadLeg[] {
  return trades.map(({ instrument_name: name = "", price = 0, amount = 0, direction }) => {
    const instrument = mustBeBookable(venue, name);
    const ticks = toSteps(price, instrument.tick) ?? 0;
    const lots = toSteps(amount, instrument.lot) ?? 0;
    if (ticks <= 0 || lots <= 0 || (direction !== "buy" && direction !== "sell")) throw invalidTrade();
    return { instrument, price: ticks, amount: lots, direction };
  });
}

/** Returns a future or an option that has not expired; undefined for all else, of which no block trade is booked. */
export function bookableInstrument(venue: Venue, name: string): TradedInstrument | undefined {
  const instrument = venue.instrument(name);
  if (instrument?.kind !== "future" && instrument?.kind !== "option") return undefined;
  return (instrument.expiresAtMs ?? Infinity) > venue.nowMs ? instrument : undefined;
}

function mustBeBookable(venue: Venue, name: string): TradedInstrument {
  const instrument = bookableInstrument(venue, name);
  if (instrument === undefined) throw invalidTrade();
  return instrument;
}

function invalidTrade(): Error {
  return invalidParam("trades", "invalid trade");
}

/**
 * Whether an account would have funds left after a block trade, at the mark prices of now; one that is being liquidated
 * has none. The directions of the legs are those of the maker. Refuses with -32602 as `readBlockLegs` does, but for the
 * prices, which decide nothing.
 */
export function canAfford(
  venue: Venue,
  account: string,
  { role, trades }: Pick<AgreedTrade, "role" | "trades">,
): boolean {
  if (account === MARKET_ACCOUNT) return true;
  const sizes = new Map<string, bigint>();
  const currencies = new Set<string>();
  for (const { instrument_name: name = "", amount = 0, direction } of trades) {
    const instrument = mustBeBookable(venue, name);
    if (venue.ledger.risk.refusesControl(account, name) !== undefined) return false;
    if (!(amount > 0) || (direction !== "buy" && direction !== "sell")) throw invalidTrade();
    const isBought = (direction === "buy") === (role === "maker");
    // Simulated sizes of futures are in the quote currency.
    const isLinear = instrument.kind === "future" && !instrument.isInverse;
    const size = isLinear ? amount * venue.market.marks.mark(instrument, venue.marketMs) : amount;
    sizes.set(name, (sizes.get(name) ?? 0n) + fixedOf(isBought ? size : -size));
    currencies.add(instrument.settlementCurrency);
  }
  return [...currencies].every(
    (currency) => venue.ledger.simulate(account, currency, { isAdded: true, sizes }).summary.availableFunds >= 0n,
  );
}

/**
 * Books the legs of a block trade for its two sides, as fills are booked, and shows each as a public trade. Refuses
 * with `not_enough_funds` where one of them could not carry it; nothing is booked then.
 */
export function bookBlockTrade(
  market: Market,
  sides: BlockParties,
  { trades }: Pick<AgreedTrade, "trades">,
  block: { readonly id: string; readonly rfqId?: number | undefined },
): BookedLegs {
  const { venue } = market;
  venue.catchUp([]);
  const legs = readBlockLegs(venue, trades);
  // One who trades with itself has the same positions after it.
  const parties = sides.maker === sides.taker ? [] : (["maker", "taker"] as const);
  for (const role of parties)
    if (!canAfford(venue, sides[role], { role, trades })) throw refusalError({ word: "not_enough_funds" }, undefined);
  const marks = {
    block_trade_id: block.id,
    block_trade_leg_count: legs.length,
    ...(block.rfqId === undefined ? {} : { block_rfq_id: block.rfqId }),
  };
  const booked = legs.map((leg) => bookLeg(market, sides, leg, marks));
  return { maker: booked.map(({ maker }) => maker), taker: booked.map(({ taker }) => taker) };
}

function bookLeg(
  market: Market,
  sides: BlockParties,
  { instrument, price, amount, direction }: ReadLeg,
  marks: Parameters<Market["markTrade"]>[1],
): { readonly maker: BookedLeg; readonly taker: BookedLeg } {
  const { venue } = market;
  const otherSide = opposite(direction);
  const party = (role: "maker" | "taker"): { orderId: string; account: string; remaining: number } => ({
    orderId: venue.nextOrderId({
      account: sides[role],
      instrument: instrument.name,
      direction: role === "maker" ? direction : otherSide,
    }),
    account: sides[role],
    remaining: 0,
  });
  const made = venue.report({
    ...{ instrument: instrument.name, price, amount, direction: otherSide, isBlock: true },
    ...{ maker: party("maker"), taker: party("taker") },
  });
  const shown = market.publicTrade(made);
  market.markTrade(made, marks);
  const side = (role: "maker" | "taker"): BookedLeg => {
    const own = venue.ledger.trades(sides[role]).findLast((each) => each.trade === made && each.role === role);
    if (own === undefined || shown === undefined) throw new RangeError(`${made.tradeId} was not booked.`);
    return {
      ...shown,
      direction: own.direction,
      order_id: own.orderId,
      ...asBooked(own),
    };
  };
  return { maker: side("maker"), taker: side("taker") };
}
