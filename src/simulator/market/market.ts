import type { Random } from "../../base/clock.ts";
import { INSTRUMENTS, type SimulatedInstrument } from "./instruments.ts";
import { roundTo, writeJson } from "../text/json.ts";
import { DECIMAL_MEMBERS } from "./orders.ts";
import { createSeededRandom, namedSeed, randomInteger } from "../text/seededRandom.ts";

/** The prices of every instrument, and the public trades that made them. */
export interface Market {
  markPrice(instrument: SimulatedInstrument): number;
  /** Returns the trades of an instrument, oldest first. */
  trades(instrument: SimulatedInstrument): readonly SimulatedTrade[];
  /** Makes a trade: at the given price, or near the mark. Never further back in time than the last trade. */
  trade(instrument: SimulatedInstrument, nowMs: number, terms?: TradeTerms): SimulatedTrade;
}

export interface TradeTerms {
  readonly direction: "buy" | "sell";
  readonly price: number;
  readonly amount: number;
  /** The number of the trade at the venue; one of the instrument's own when left out. */
  readonly tradeId?: number;
  /** The members that mark what the trade is part of, and the prices of its moment where they are known better. */
  readonly marks?: Partial<Pick<SimulatedTrade, "mark_price" | "index_price">> &
    Pick<SimulatedTrade, "block_trade_id" | "block_trade_leg_count" | "block_rfq_id" | "combo_id">;
}

/** A public trade with the exchange's names. */
export type SimulatedTrade = {
  readonly trade_seq: number;
  readonly trade_id: string;
  readonly timestamp: number;
  readonly tick_direction: number;
  readonly price: number;
  readonly mark_price: number;
  readonly iv?: number;
  readonly instrument_name: string;
  readonly index_price: number;
  readonly direction: "buy" | "sell";
  readonly amount: number;
  readonly contracts: number;
  readonly liquidation?: string;
  readonly block_trade_id?: string;
  readonly block_trade_leg_count?: number;
  readonly block_rfq_id?: number;
  readonly combo_id?: string;
  readonly combo_trade_id?: number;
};

/** Returns the trade as it goes over the wire. */
export function tradeText(trade: SimulatedTrade, instrument: SimulatedInstrument): string {
  return writeJson(trade, instrument.isDecimal ? DECIMAL_MEMBERS : undefined);
}

/** The number of trades kept for an instrument; a year of load must not fill the memory. */
const MAX_TRADES = 6000;

/** Returns the length of an instrument's history before the beginning, in trades. */
function historyLength(instrument: SimulatedInstrument): number {
  if (instrument.name.endsWith("-PERPETUAL")) return 1500;
  switch (instrument.kind) {
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

/** A walk of prices, and the trades on its way. */
interface Walk {
  readonly random: Random;
  readonly trades: SimulatedTrade[];
  mark: number;
  lastTick: "plus" | "minus";
  /** The number of the next trade; unique within the instrument, and after `idBase` within the currency. */
  sequence: number;
  readonly idBase: number;
}

interface Book {
  readonly live: Walk;
  /** The trades from before the beginning; made on request. */
  past: readonly SimulatedTrade[] | undefined;
}

/** The id bases. Trades of one currency share a sequence of numbers; each instrument has a stretch of its own. */
const ID_BASES: ReadonlyMap<string, number> = new Map(
  [...INSTRUMENTS.keys()].map((name, index) => [name, 100_000_000 * (index + 1)]),
);

/** Makes a market that is the same for a seed, whenever one of its instruments is first used. */
export function createMarket(seed: number, startMs: number): Market {
  const books = new Map<string, Book>();
  const startWalk = (instrument: SimulatedInstrument, part: "past" | "live"): Walk => {
    const first = 100 + (namedSeed(seed, `${instrument.name} first`) % 90_000);
    return {
      random: createSeededRandom(namedSeed(seed, `${instrument.name} ${part}`)),
      trades: [],
      mark: instrument.startPrice,
      lastTick: "plus",
      sequence: part === "past" ? first : first + historyLength(instrument),
      idBase: ID_BASES.get(instrument.name) ?? 0,
    };
  };
  const bookOf = (instrument: SimulatedInstrument): Book => {
    const book = books.get(instrument.name) ?? { live: startWalk(instrument, "live"), past: undefined };
    books.set(instrument.name, book);
    return book;
  };
  return {
    markPrice: (instrument) => bookOf(instrument).live.mark,
    trades(instrument) {
      const book = bookOf(instrument);
      book.past ??= walkThePast(startWalk(instrument, "past"), instrument, startMs);
      return [...book.past, ...book.live.trades];
    },
    trade(instrument, nowMs, terms) {
      const book = bookOf(instrument);
      const { live } = book;
      const trade = makeTrade(live, instrument, {
        timestamp: Math.max(nowMs, live.trades.at(-1)?.timestamp ?? 0),
        terms,
      });
      live.trades.push(trade);
      if (live.trades.length > MAX_TRADES) {
        book.past = [];
        live.trades.splice(0, MAX_TRADES / 6);
      }
      return trade;
    },
  };
}

function walkThePast(walk: Walk, instrument: SimulatedInstrument, startMs: number): readonly SimulatedTrade[] {
  const count = historyLength(instrument);
  const longestGapMs = Math.ceil((12 * 3_600_000) / count);
  const gaps = Array.from({ length: count }, () => randomInteger(walk.random, 20, longestGapMs));
  let timestamp = startMs - gaps.reduce((sum, gap) => sum + gap, 0);
  for (const gap of gaps) {
    walk.trades.push(makeTrade(walk, instrument, { timestamp, terms: undefined }));
    timestamp += gap;
  }
  return walk.trades;
}

interface TradeMoment {
  readonly timestamp: number;
  readonly terms: TradeTerms | undefined;
}

function makeTrade(walk: Walk, instrument: SimulatedInstrument, { timestamp, terms }: TradeMoment): SimulatedTrade {
  const { random } = walk;
  move(walk, instrument);
  const previous = walk.trades.at(-1)?.price ?? instrument.startPrice;
  const price =
    terms?.price ?? roundTo(walk.mark + randomInteger(random, -2, 2) * instrument.tickSize, instrument.tickSize);
  const amount = terms?.amount ?? roundTo(instrument.lot * randomInteger(random, 1, 40), instrument.lot);
  const sequence = walk.sequence++;
  return {
    trade_seq: sequence,
    trade_id: `${instrument.idPrefix}${terms?.tradeId ?? walk.idBase + sequence}`,
    timestamp,
    tick_direction: tickDirection(walk, price - previous),
    price: Math.max(price, instrument.kind === "future_combo" ? -Infinity : instrument.tickSize),
    mark_price: roundTo(walk.mark, instrument.tickSize / 10),
    ...(instrument.volatility === undefined ? {} : { iv: roundTo(instrument.volatility + random() - 0.5, 0.01) }),
    instrument_name: instrument.name,
    index_price: roundTo(
      instrument.indexPrice * (1 + (random() - 0.5) / 500),
      instrument.indexPrice > 100 ? 0.01 : 0.00001,
    ),
    direction: terms?.direction ?? (random() < 0.5 ? "buy" : "sell"),
    amount,
    contracts: Number((amount / instrument.contractSize).toPrecision(12)),
    ...(terms === undefined ? rarities(instrument, sequence) : terms.marks),
  };
}

/** Returns the tick direction: 0 plus, 1 zero-plus, 2 minus, 3 zero-minus. */
function tickDirection(walk: Walk, difference: number): number {
  if (difference === 0) return walk.lastTick === "plus" ? 1 : 3;
  walk.lastTick = difference > 0 ? "plus" : "minus";
  return difference > 0 ? 0 : 2;
}

/** Moves the mark. It is drawn back to its beginning so that a long run stays in sight. */
function move(walk: Walk, instrument: SimulatedInstrument): void {
  const step = Math.max(instrument.tickSize, Math.abs(instrument.startPrice) * 0.0004);
  const pull = (instrument.startPrice - walk.mark) * 0.01;
  const mark = roundTo(walk.mark + pull + (walk.random() - 0.5) * 2 * step, instrument.tickSize);
  walk.mark = instrument.kind === "future_combo" ? mark : Math.max(mark, instrument.tickSize);
}

/** Returns the members that only some trades carry. */
function rarities(instrument: SimulatedInstrument, sequence: number): Partial<SimulatedTrade> {
  if (instrument.kind === "future" && sequence % 211 === 0) return { liquidation: sequence % 2 === 0 ? "T" : "M" };
  if (instrument.kind !== "option") return {};
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
        combo_id: `${instrument.currencies[0] ?? ""}-STRG-26MAR27-72000_112000`,
        combo_trade_id: 7_100_000 + sequence,
      };
    default:
      return {};
  }
}
