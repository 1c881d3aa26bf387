import {
  cycleOf,
  DAY_MS,
  expirationName,
  expirations,
  MINUTE_MS,
  nextSettlement,
  quarterEnds,
  type Cycle,
  type Cycles,
  remainingCycle,
  strikesAround,
  type StrikeLadder,
} from "../../exchange/market/calendar.ts";
import { comboLegs, combosOf, type ListedCombo } from "./combos.ts";
import {
  datedFuture,
  INDEX,
  option,
  optionPrefix,
  perpetuals,
  spotPairs,
  strikeText,
  type CoinName,
  type InstrumentTerms,
  type InverseCoin,
  type OptionCoin,
  type SimulatedInstrument,
} from "./instruments.ts";

/** The instruments of one exchange. What expires is replaced, and strikes follow the index. */
export interface Listing {
  /**
   * The instruments by name, the busiest first: those that are listed, and those that have expired since the beginning.
   * It grows.
   */
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  /** Returns those that have not expired, the busiest first. */
  open(): readonly SimulatedInstrument[];
  /**
   * Lists what is due until a moment: at 08:00 UTC what comes after that which expires, with strikes around the index;
   * more strikes for an expiration that has come near; and at any minute more where the index has left them.
   * @param priceAt returns the price of a coin in USD at a moment
   */
  advance(untilMs: number, priceAt: (coin: CoinName, atMs: number) => number): void;
  /**
   * Returns an expiration in the form of `26MAR27` for positions and orders that are to live for a while: the first,
   * second, or third of the quarterly ones that are at least 60 days away.
   */
  readonly quarterly: (place: 0 | 1 | 2) => string;
}

/** The number of the first instrument; those that are listed after it follow. */
export const FIRST_INSTRUMENT_ID = 210_000;

/** How far away a quarterly expiration is at least that lasts for a while. */
const QUARTER_LASTS_MS = 60 * DAY_MS;

/**
 * The expirations that are listed. Those of options on SOL and XRP are two quarters here, where the exchange lists one,
 * so that one is always far away.
 * https://support.deribit.com/hc/en-us/articles/25944688876957-Contract-Introduction-Policy
 */
const FUTURE_CYCLES: Cycles = { days: 0, weeks: 2, months: 3, quarters: 4 };
const INVERSE_CYCLES: Cycles = { days: 3, weeks: 3, months: 3, quarters: 4 };
const LINEAR_CYCLES: Cycles = { days: 2, weeks: 2, months: 1, quarters: 2 };

const INVERSE_COINS: readonly InverseCoin[] = ["BTC", "ETH"];

interface OptionSeries {
  readonly coin: OptionCoin;
  readonly cycles: Cycles;
  readonly ladder: StrikeLadder;
}

/** The options by what they are on. The steps of strikes are not documented. */
const OPTIONS: readonly OptionSeries[] = [
  { coin: "BTC", cycles: INVERSE_CYCLES, ladder: ladder([500, 1000], [1000, 2000], [2000, 5000], [2000, 10_000]) },
  { coin: "ETH", cycles: INVERSE_CYCLES, ladder: ladder([10, 25], [25, 50], [50, 100], [50, 200]) },
  { coin: "SOL", cycles: LINEAR_CYCLES, ladder: ladder([1, 2], [2, 5], [5, 10], [5, 20]) },
  { coin: "XRP", cycles: LINEAR_CYCLES, ladder: ladder([0.025, 0.05], [0.05, 0.1], [0.05, 0.25], [0.125, 0.5]) },
];

type Steps = readonly [near: number, far: number];

/** Makes a ladder of the steps between strikes near the index and far from it, for each cycle. */
function ladder(...cycles: readonly [day: Steps, week: Steps, month: Steps, quarter: Steps]): StrikeLadder {
  const [day, week, month, quarter] = cycles.map(([near, far]) => ({ near, far })) as [Rung, Rung, Rung, Rung];
  return { day, week, month, quarter };
}

type Rung = StrikeLadder[Cycle];

/** How long before its end an expiration is listed, about. What does not expire was listed before the beginning. */
const LIVES_MS: Readonly<Record<Cycle, number>> = {
  day: 3 * DAY_MS,
  week: 21 * DAY_MS,
  month: 91 * DAY_MS,
  quarter: 364 * DAY_MS,
};
const LISTED_BEFORE_MS = 90 * DAY_MS;

/** When something is listed, and the prices of coins in USD at that moment. */
interface ListingMoment {
  readonly atMs: number;
  readonly priceOf: (coin: CoinName) => number;
}

/** An expiration of options, with its lowest and its highest strike. */
interface Expiration {
  readonly series: OptionSeries;
  readonly expiresAtMs: number;
  /** The cycle within which it expired when strikes were added last: there are more of them the nearer it is. */
  cycle: Cycle | undefined;
  lowest: number;
  highest: number;
}

/** Makes the listing of an exchange that begins at a moment, at the first prices of its coins. */
export function createListing(startMs: number): Listing {
  const instruments = new Map<string, SimulatedInstrument>();
  const listed = new Map<string, Expiration>();
  /** The combos that were listed, by what they are made of: strikes that are listed once do not move. */
  const combos = new Set<string>();
  let nowMs = startMs;
  let quarters: readonly string[] = [];
  let open: readonly SimulatedInstrument[] | undefined;

  const add = (terms: InstrumentTerms, createdAtMs: number): void => {
    if (instruments.has(terms.name)) return;
    instruments.set(terms.name, { ...terms, id: FIRST_INSTRUMENT_ID + instruments.size, createdAtMs });
    open = undefined;
  };
  /** Returns when something is listed: what there is at the beginning has been there for a while. */
  const listedAt = (expiresAtMs: number | undefined, { atMs }: ListingMoment): number => {
    if (atMs !== startMs) return atMs;
    const lifeMs = expiresAtMs === undefined ? Infinity : LIVES_MS[cycleOf(expiresAtMs)];
    return Math.min(startMs, Math.max(startMs - LISTED_BEFORE_MS, (expiresAtMs ?? startMs) - lifeMs));
  };
  const addStrikes = (coin: OptionCoin, expiresAtMs: number, strikes: readonly number[], at: ListingMoment): void => {
    const [prefix, createdAtMs, indexPrice] = [
      optionPrefix(coin, expiresAtMs),
      listedAt(expiresAtMs, at),
      at.priceOf(coin),
    ];
    for (const strike of strikes) {
      for (const side of ["C", "P"]) {
        const name = `${prefix}-${strikeText(strike)}-${side}`;
        add(option(coin, { name, indexPrice, expiresAtMs }), createdAtMs);
      }
    }
  };
  const extend = (expiration: Expiration, moment: ListingMoment): void => {
    const { series, expiresAtMs } = expiration;
    const cycle = remainingCycle(expiresAtMs - moment.atMs);
    const strikes = strikesAround(moment.priceOf(series.coin), cycle, series.ladder);
    expiration.cycle = cycle;
    addStrikes(series.coin, expiresAtMs, strikes, moment);
    expiration.lowest = Math.min(expiration.lowest, ...strikes);
    expiration.highest = Math.max(expiration.highest, ...strikes);
  };
  const expirationOf = (series: OptionSeries, expiresAtMs: number): Expiration => {
    const key = `${series.coin} ${expiresAtMs}`;
    const expiration = listed.get(key) ?? { series, expiresAtMs, cycle: undefined, lowest: Infinity, highest: 0 };
    listed.set(key, expiration);
    return expiration;
  };
  const addCombo = ({ key, terms }: ListedCombo, moment: ListingMoment): void => {
    if (combos.has(key)) return;
    combos.add(key);
    add(terms, listedAt(terms.expiresAtMs, moment));
    for (const { instrument: leg } of comboLegs(terms))
      if (leg.option !== undefined && leg.expiresAtMs !== undefined)
        addStrikes(leg.baseCurrency as InverseCoin, leg.expiresAtMs, [leg.option.strike], moment);
  };
  const listAll = (moment: ListingMoment): void => {
    const { atMs, priceOf } = moment;
    for (const coin of INVERSE_COINS)
      for (const expiresAtMs of expirations(atMs, FUTURE_CYCLES))
        add(datedFuture(coin, expiresAtMs, priceOf(coin)), listedAt(expiresAtMs, moment));
    for (const terms of spotPairs()) add(terms, listedAt(undefined, moment));
    const [near = "", middle = "", far = ""] = quarterEnds(atMs).map(expirationName);
    for (const pair of [
      [near, middle],
      [middle, far],
    ] as const)
      for (const combo of combosOf(pair, priceOf)) addCombo(combo, moment);
    quarters = lastingQuarters(atMs);
    for (const series of OPTIONS) {
      for (const expiresAtMs of expirations(atMs, series.cycles)) {
        const expiration = expirationOf(series, expiresAtMs);
        if (expiration.cycle !== remainingCycle(expiresAtMs - atMs)) extend(expiration, moment);
      }
    }
  };
  /** Lists what comes after that which has expired. */
  const roll = (moment: ListingMoment): void => {
    nowMs = moment.atMs;
    open = undefined;
    for (const [key, { expiresAtMs }] of listed) if (expiresAtMs <= nowMs) listed.delete(key);
    listAll(moment);
  };
  const followPrices = (moment: ListingMoment): void => {
    for (const series of OPTIONS) {
      const price = moment.priceOf(series.coin);
      for (const expiration of listed.values())
        if (expiration.series === series && isOutside(expiration, price)) extend(expiration, moment);
    }
  };
  const first: ListingMoment = { atMs: startMs, priceOf: (coin) => INDEX[coin] };
  for (const terms of perpetuals()) add(terms, listedAt(undefined, first));
  listAll(first);

  return {
    instruments,
    open: () => (open ??= [...instruments.values()].filter(({ expiresAtMs = Infinity }) => expiresAtMs > nowMs)),
    advance(untilMs, priceAt) {
      let settlementMs = nextSettlement(nowMs);
      for (let at = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS; at <= untilMs; at += MINUTE_MS) {
        const moment: ListingMoment = { atMs: at, priceOf: (coin) => priceAt(coin, at) };
        if (at < settlementMs) followPrices(moment);
        else roll(moment);
        settlementMs = nextSettlement(at);
      }
      nowMs = Math.max(nowMs, untilMs);
    },
    quarterly: (place) => quarters[place] ?? "",
  };
}

/** Returns the quarterly expirations that are far away, the next one first. */
function lastingQuarters(atMs: number): string[] {
  return quarterEnds(atMs)
    .filter((end) => end >= atMs + QUARTER_LASTS_MS)
    .map(expirationName);
}

function isOutside({ lowest, highest }: Expiration, price: number): boolean {
  return price < lowest || price > highest;
}
