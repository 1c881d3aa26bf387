import type { Random } from "../../base/clock.ts";
import type { ExchangeTrade, TradedInstrument } from "../../exchange/instrument.ts";
import { HOUR_MS } from "../../exchange/market/calendar.ts";
import { bestAround, takenAmount } from "../../exchange/market/quotes.ts";
import type { Print } from "../../exchange/market/candles.ts";
import { beatMs, type Tape } from "../../exchange/market/tape.ts";
import { fromSteps } from "../../exchange/units.ts";
import { writeJson, type WrittenRow } from "../text/json.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import { FIRST_INSTRUMENT_ID } from "./listing.ts";
import { DECIMAL_MEMBERS } from "./orders.ts";
import {
  findTrades,
  tickDirection,
  withDirections,
  type TradePage,
  type TradePlace,
  type TradeRange,
} from "./tradeSearch.ts";
import type { Venue } from "./venue.ts";

/** The public trades of every instrument: those of others, and those that are made here. */
export interface PublicTrades {
  /** Returns the trades that are within a range, oldest first. */
  trades(instrument: SimulatedInstrument, range: TradeRange): TradePage<SimulatedTrade>;
  /** Returns the trade with an id. */
  findTrade(tradeId: string): SimulatedTrade | undefined;
  /** Returns the public trade of one that was made at the venue; undefined where it is not on the tape any more. */
  publicTrade(trade: ExchangeTrade): SimulatedTrade | undefined;
  /**
   * Returns the ID of one that was made at the venue: the same in public, among the trades of its accounts, and in
   * their transaction logs.
   */
  tradeId(trade: ExchangeTrade): string | undefined;
  /** Marks the public trade of one that was made at the venue as a part of something. */
  markTrade(trade: ExchangeTrade, marks: TradeMarks): void;
  /** Returns the number of the last trade of an instrument. */
  lastSeq(instrument: SimulatedInstrument): number;
  /** Lets one of the others take a little of an instrument at the best price; of a combo such a trade is shown. */
  trade(instrument: SimulatedInstrument): void;
}

type TradeMarks = Pick<SimulatedTrade, "block_trade_id" | "block_trade_leg_count" | "block_rfq_id">;

/** A public trade with the exchange's names. */
export type SimulatedTrade = WrittenRow<
  "publicTrade",
  | ("trade_id" | "trade_seq" | "instrument_name" | "timestamp" | "tick_direction" | "index_price" | "mark_price")
  | ("price" | "amount" | "contracts"),
  { direction: "buy" | "sell" }
>;

/** Returns the trade as it goes over the wire. */
export function tradeText(trade: SimulatedTrade, instrument: SimulatedInstrument): string {
  return writeJson(trade, instrument.isDecimal ? DECIMAL_MEMBERS : undefined);
}

/** Returns the number of an instrument's trades before the beginning that can be read. */
function historyLength({ name, kind }: SimulatedInstrument): number {
  if (name.endsWith("-PERPETUAL")) return 1500;
  switch (kind) {
    case "future":
      return 300;
    case "spot":
      return 120;
    case "option":
      return 40;
    case "future_combo":
    case "option_combo":
      return 12;
  }
}

/** How many trade ids there are for one instrument: each has a stretch of numbers of its own. */
const IDS_OF_AN_INSTRUMENT = 1_000_000_000;

/** One instrument, and where its trades are. */
export interface TradedEntry {
  readonly terms: TradedInstrument;
  readonly tape: Tape;
  readonly isCombo: boolean;
  /** Returns the mark price of a moment. */
  readonly mark: (atMs: number) => number;
  /** The chance that decides about trades of others that are asked for. */
  readonly random: Random;
  /** The last trade that was made here and whose tick direction is known. */
  latest: (Pick<Print, "seq" | "price"> & { readonly direction: number }) | undefined;
}

/** What public trades are made of. */
interface PublicTradePorts {
  readonly venue: Venue;
  /** Returns an instrument with its trades. */
  readonly entryOf: (instrument: SimulatedInstrument) => TradedEntry;
}

/** Makes the public trades of a venue, as it begins. */
export function createPublicTrades({ venue, entryOf }: PublicTradePorts): PublicTrades {
  const { marks, indexes, pauses } = venue.market;
  const { instruments } = venue.listing;
  const startMs = venue.nowMs;
  /** What is known of the trades that were made here, beside what the tape knows. */
  const made = new WeakMap<Print, { readonly marks: TradeMarks | undefined; readonly direction: number }>();
  const nowMs = (): number => {
    venue.catchUp([]);
    return venue.nowMs;
  };
  const describe = (instrument: SimulatedInstrument, print: Print, direction: number): SimulatedTrade => {
    const { terms, mark } = entryOf(instrument);
    const { price, amount, seq, atMs } = print;
    const heldMs = pauses.heldAt(atMs);
    const decimalPrice = fromSteps(price, terms.tick);
    const decimalAmount = fromSteps(amount, terms.lot);
    const iv = marks.volatilityAt(terms, decimalPrice, heldMs);
    return {
      trade_seq: seq,
      trade_id: `${instrument.idPrefix}${IDS_OF_AN_INSTRUMENT * (instrument.id - FIRST_INSTRUMENT_ID + 1) + seq}`,
      timestamp: atMs,
      tick_direction: direction,
      price: decimalPrice,
      mark_price: mark(heldMs),
      ...(iv === undefined ? {} : { iv }),
      instrument_name: instrument.name,
      index_price: indexes.price(terms.indexName, heldMs),
      direction: print.direction,
      amount: decimalAmount,
      contracts: Number((decimalAmount / instrument.contractSize).toPrecision(12)),
      ...(print.isRecorded ? made.get(print)?.marks : rarities(instrument, seq)),
      ...liquidationOf(instrument, print, venue.nowMs),
    };
  };
  const placeOf = (instrument: SimulatedInstrument): TradePlace => {
    const { terms, tape: own } = entryOf(instrument);
    const everyMs = beatMs(terms);
    return {
      everyMs,
      firstMs: Math.max(startMs - historyLength(instrument) * everyMs + 1, instrument.createdAtMs),
      lastMs: nowMs(),
      prints: (afterMs, untilMs) => own.prints(terms, afterMs, untilMs),
      count: (atMs) => own.count(terms, atMs),
      toldDirection: (print) => made.get(print)?.direction,
    };
  };
  const trades = (instrument: SimulatedInstrument, range: TradeRange): TradePage<SimulatedTrade> => {
    const { found, hasMore } = findTrades(placeOf(instrument), range);
    return { found: found.map(({ print, direction }) => describe(instrument, print, direction)), hasMore };
  };
  /** Describes a trade that was made here. Mostly it follows the last such one, from which its direction follows. */
  const tell = (instrument: SimulatedInstrument, print: Print): SimulatedTrade => {
    const entry = entryOf(instrument);
    const { seq, price } = print;
    const { latest } = entry;
    const direction =
      latest?.seq === seq - 1
        ? tickDirection(price - latest.price, latest.direction)
        : (withDirections(placeOf(instrument), [print])[0]?.direction ?? 0);
    entry.latest = { seq, price, direction };
    made.set(print, { marks: undefined, direction });
    return describe(instrument, print, direction);
  };
  /** The IDs of trades that were told: they stay when their instrument is no longer listed. */
  const ids = new WeakMap<ExchangeTrade, string>();
  const publicTrade: PublicTrades["publicTrade"] = (trade) => {
    const instrument = instruments.get(trade.instrument);
    const print = venue.print(trade);
    if (instrument === undefined || print === undefined) return undefined;
    const known = made.get(print);
    const told = known === undefined ? tell(instrument, print) : describe(instrument, print, known.direction);
    ids.set(trade, told.trade_id);
    return told;
  };
  return {
    trades,
    findTrade(tradeId) {
      const number = Number(tradeId.slice(tradeId.lastIndexOf("-") + 1));
      const instrument = [...instruments.values()][Math.floor(number / IDS_OF_AN_INSTRUMENT) - 1];
      if (instrument === undefined) return undefined;
      const seq = number % IDS_OF_AN_INSTRUMENT;
      const [found] = trades(instrument, { fromSeq: seq, toSeq: seq, order: "newest", count: 1 }).found;
      return found?.trade_id === tradeId ? found : undefined;
    },
    publicTrade,
    tradeId: (trade) => ids.get(trade) ?? publicTrade(trade)?.trade_id,
    markTrade(trade, tradeMarks) {
      const print = venue.print(trade);
      const direction = publicTrade(trade)?.tick_direction;
      if (print !== undefined && direction !== undefined) made.set(print, { marks: tradeMarks, direction });
    },
    lastSeq(instrument) {
      const { terms, tape: own } = entryOf(instrument);
      return own.count(terms, nowMs());
    },
    trade(instrument) {
      const { terms, tape: own, random, mark, isCombo } = entryOf(instrument);
      const markPrice = mark(pauses.heldAt(nowMs()));
      const direction = random() < 0.5 ? "buy" : "sell";
      const amount = takenAmount(terms, markPrice, random());
      if (!isCombo) venue.arrive(instrument.name, { direction, amount });
      else {
        const { bid, ask } = bestAround(terms, markPrice);
        own.record(terms, { atMs: nowMs(), direction, amount, price: direction === "buy" ? ask : bid });
      }
    },
  };
}

/** How long the public does not learn that a trade liquidated someone. */
const LIQUIDATION_DELAY_MS = HOUR_MS;

/**
 * Returns which side of a trade was liquidated, once the public may know: an hour after it, since October 2023.
 * https://docs.deribit.com/changelogs/jsonrpc
 */
function liquidationOf(
  { kind }: SimulatedInstrument,
  { atMs, seq, isRecorded, liquidation }: Print,
  nowMs: number,
): Partial<SimulatedTrade> {
  if (nowMs - atMs < LIQUIDATION_DELAY_MS) return {};
  if (isRecorded) return liquidation === undefined ? {} : { liquidation };
  return kind === "future" && seq % 211 === 0 ? { liquidation: seq % 2 === 0 ? "T" : "M" } : {};
}

/** Returns the members that only some trades of others carry. */
function rarities({ kind, name }: SimulatedInstrument, sequence: number): Partial<SimulatedTrade> {
  if (kind !== "option") return {};
  switch (sequence % 13) {
    case 0:
      return { block_trade_id: `BLOCK-${280_000 + (sequence % 4000)}`, block_trade_leg_count: 2 };
    case 5:
      return {
        block_trade_id: `BLOCK-${284_000 + (sequence % 4000)}`,
        block_trade_leg_count: 2,
        block_rfq_id: 1000 + (sequence % 900),
      };
    case 9:
      return {
        combo_id: straddleOf(name),
        combo_trade_id: 7_100_000 + sequence,
      };
    default:
      return {};
  }
}

/** Returns the straddle that an option is a leg of: `BTC-STRD-26MAR27-96000` of `BTC-26MAR27-96000-C`. */
function straddleOf(optionName: string): string {
  const [pair = "", expiry = "", strike = ""] = optionName.split("-");
  return `${pair}-STRD-${expiry}-${strike}`;
}
