import { tickAt, type TradedInstrument } from "../instrument.ts";
import { fromSteps, type Lots, type Ticks } from "../units.ts";
import { hashed, partSeed } from "./noise.ts";
import { tickSize } from "./marks.ts";

/** One price that the simulated market maker offers. */
interface Quote {
  readonly price: Ticks;
  readonly amount: Lots;
}

/** What the simulated market maker offers, best first. */
export interface Ladder {
  readonly bids: readonly Quote[];
  readonly asks: readonly Quote[];
}

/** The levels on each side. */
const LEVELS = 12;

/**
 * What one level of a book shows, at the least and at the most, in the quote currency; of options in contracts. Twelve
 * of them make a book of a perpetual that shows about a million USD on each side.
 */
const SHOWN = {
  perpetual: { least: 40_000, most: 160_000 },
  future: { least: 30_000, most: 80_000 },
  spot: { least: 15_000, most: 60_000 },
  option: { least: 5, most: 25 },
} as const;

/** The most that one of the others takes: less than any level shows. */
const TAKEN = { perpetual: 4000, future: 4000, spot: 2000, option: 4 } as const;
/** How long an amount stays, in ms; each price has its own moments of change. */
const AMOUNT_MS = 20_000;

/** Returns the ladder around a mark: the same for the same mark, and amounts that stay for a while. */
export function ladderAround(seed: number, instrument: TradedInstrument, mark: number, atMs: number): Ladder {
  const own = partSeed(seed, `${instrument.name} ladder`);
  const best = bestAround(instrument, mark);
  const amountAt = (price: Ticks): Lots => {
    const chance = hashed(own ^ price, Math.floor((atMs + hashed(own, price) * AMOUNT_MS) / AMOUNT_MS));
    const { least, most } = SHOWN[sortOf(instrument)];
    return lotsWorth(instrument, least + (most - least) * chance ** 2, fromSteps(price, instrument.tick));
  };
  const side = (first: Ticks, direction: 1 | -1): Quote[] => {
    const quotes: Quote[] = [];
    for (let price = first; quotes.length < LEVELS && price > 0;) {
      quotes.push({ price, amount: amountAt(price) });
      price += direction * tickAt(instrument, price) * (1 + Math.floor(3 * hashed(own, price)));
      price = onGrid(instrument, price, direction);
    }
    return quotes;
  };
  return { bids: side(best.bid, -1), asks: side(best.ask, 1) };
}

/** Returns what one of the others takes, by a chance from 0 to 1. */
export function takenAmount(instrument: TradedInstrument, mark: number, chance: number): Lots {
  return lotsWorth(instrument, TAKEN[sortOf(instrument)] * chance ** 3, mark);
}

function sortOf({ kind, expiresAtMs }: TradedInstrument): keyof typeof SHOWN {
  if (kind === "option" || kind === "option_combo") return "option";
  if (kind === "spot") return "spot";
  return kind === "future" && expiresAtMs === undefined ? "perpetual" : "future";
}

/** Returns whole contracts that are worth about as much in the quote currency; of options as many contracts. */
function lotsWorth(instrument: TradedInstrument, value: number, price: number): Lots {
  const { isInverse, kind, lot, minAmount, contractSize, maxAmount } = instrument;
  const isOption = sortOf(instrument) === "option";
  const step = Math.max(minAmount, contractSize);
  const isCounted = isInverse || isOption || kind === "future_combo";
  const perLot = isOption ? 1 / contractSize : fromSteps(1, lot);
  const lots = value / (isCounted ? perLot : perLot * price);
  return Math.min(maxAmount, step * Math.max(1, Math.round(lots / step)));
}

/** Returns the best prices of the ladder around a mark; a bid of 0 is none. */
export function bestAround(instrument: TradedInstrument, mark: number): { readonly bid: Ticks; readonly ask: Ticks } {
  const tick = tickSize(instrument);
  const half = Math.max(0.5, halfSpread(instrument, mark) / tick);
  return {
    bid: Math.max(0, onGrid(instrument, Math.floor(mark / tick - half), -1)),
    ask: onGrid(instrument, Math.max(1, Math.ceil(mark / tick + half)), 1),
  };
}

/** Returns half the distance between the best prices, as a decimal price. */
function halfSpread({ kind, expiresAtMs }: TradedInstrument, mark: number): number {
  if (kind === "option") return mark * 0.005;
  return mark * (expiresAtMs === undefined ? 0.000_01 : 0.000_1);
}

/** Returns the next price in a direction that is a multiple of its tick. */
function onGrid(instrument: TradedInstrument, price: Ticks, direction: 1 | -1): Ticks {
  const tick = tickAt(instrument, price);
  return (direction > 0 ? Math.ceil(price / tick) : Math.floor(price / tick)) * tick;
}

/** The lowest and the highest price that is accepted. */
export interface Band {
  readonly min: Ticks;
  readonly max: Ticks;
}

/** Returns the band around a mark: 1.5 % of it for futures, 5 % for spot, and 5 % of the underlying for options. */
export function bandAround(instrument: TradedInstrument, mark: number, underlying: number): Band {
  const tick = tickSize(instrument);
  const isCoin = instrument.settlementCurrency === instrument.baseCurrency;
  const reach = instrument.kind === "option" ? 0.05 * (isCoin ? 1 : underlying) : mark * reachOf(instrument);
  return {
    min: Math.max(1, onGrid(instrument, Math.floor((mark - reach) / tick), -1)),
    max: onGrid(instrument, Math.ceil((mark + reach) / tick), 1),
  };
}

function reachOf({ kind }: TradedInstrument): number {
  return kind === "spot" ? 0.05 : 0.015;
}
