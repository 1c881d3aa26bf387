import type { TradedInstrument } from "../../exchange/instrument.ts";
import type { Marks } from "../../exchange/market/marks.ts";
import { roundTo } from "../text/json.ts";
import { combo, expiryOf, type CoinName, type InstrumentTerms, type InverseCoin } from "./instruments.ts";
import { describeTraded } from "./traded.ts";

/** One part of a combo: how much of an instrument its buyer buys, or sells where it is below 0. */
interface ComboLeg {
  readonly instrument: TradedInstrument;
  readonly amount: 1 | -1;
}

/** Returns the names of the legs behind `BTC-FS-` and the like, each with its amount. */
type LegNames = (first: string, second: string, third: string) => readonly (readonly [name: string, amount: 1 | -1])[];

/** The structures by the second part of a combo's name; `first` to `third` are what comes after it. */
const STRUCTURES: Readonly<Record<string, LegNames>> = {
  FS: (far, near) => [
    [far, 1],
    [near === "PERP" ? "PERPETUAL" : near, -1],
  ],
  STRG: (expiry, put, call) => [
    [`${expiry}-${put}-P`, 1],
    [`${expiry}-${call}-C`, 1],
  ],
  STRD: (expiry, strike) => [
    [`${expiry}-${strike}-C`, 1],
    [`${expiry}-${strike}-P`, 1],
  ],
  CS: (expiry, bought, sold) => [
    [`${expiry}-${bought}-C`, 1],
    [`${expiry}-${sold}-C`, -1],
  ],
  PS: (expiry, bought, sold) => [
    [`${expiry}-${bought}-P`, 1],
    [`${expiry}-${sold}-P`, -1],
  ],
};

/** Returns the legs of a combo; none for an instrument that is no combo. A leg need not be listed to have a price. */
export function comboLegs(instrument: InstrumentTerms): readonly ComboLeg[] {
  const { name, kind } = instrument;
  if (!kind.endsWith("_combo")) return [];
  const [base = "", structure = "", ...rest] = name.split("-");
  const [first = "", second = "", third = ""] = rest.flatMap((part) => part.split("_"));
  const legKind = kind === "future_combo" ? "future" : "option";
  return (STRUCTURES[structure]?.(first, second, third) ?? []).map(([legName, amount]) => ({
    instrument: describeTraded({
      ...instrument,
      name: `${base}-${legName}`,
      kind: legKind,
      expiresAtMs: expiryOf(legName),
    }),
    amount,
  }));
}

/** A combo that is to be listed. */
export interface ListedCombo {
  /** Names the structure and its expirations, and not its strikes. */
  readonly key: string;
  readonly terms: InstrumentTerms;
}

/** Two expirations that follow each other, such as `26MAR27` and `25JUN27`. */
type Pair = readonly [near: string, far: string];

/** A combo that is listed for each pair of quarters: the rest of its name. */
interface ComboRule {
  readonly coin: InverseCoin;
  readonly rest: (quarters: Pair, strike: (moneyness: number) => number) => string;
}

const COMBOS: readonly ComboRule[] = [
  { coin: "BTC", rest: ([near]) => `FS-${near}_PERP` },
  { coin: "BTC", rest: ([near, far]) => `FS-${far}_${near}` },
  { coin: "ETH", rest: ([near]) => `FS-${near}_PERP` },
  { coin: "BTC", rest: ([near], strike) => `STRG-${near}-${strike(0.78)}_${strike(1.21)}` },
  { coin: "BTC", rest: ([, far], strike) => `CS-${far}-${strike(1.08)}_${strike(1.3)}` },
  { coin: "ETH", rest: ([near], strike) => `PS-${near}-${strike(0.95)}_${strike(0.76)}` },
  { coin: "ETH", rest: ([near], strike) => `STRD-${near}-${strike(1.045)}` },
];

/** The steps of the strikes of combos. */
const STRIKE_STEPS: Readonly<Record<InverseCoin, number>> = { BTC: 2000, ETH: 50 };

/** Returns the public combos on two quarterly expirations. */
export function combosOf(quarters: Pair, priceOf: (coin: CoinName) => number): ListedCombo[] {
  return COMBOS.map(({ coin, rest }) => {
    const index = priceOf(coin);
    const name = `${coin}-${rest(quarters, (moneyness) => roundTo(index * moneyness, STRIKE_STEPS[coin]))}`;
    return { key: `${coin}-${rest(quarters, (moneyness) => moneyness)}`, terms: combo(coin, name, index) };
  });
}

/** Returns what the legs of a combo are worth together, to a tenth of its tick. */
export function comboMark(marks: Marks, legs: readonly ComboLeg[], tickSize: number, atMs: number): number {
  const sum = legs.reduce((value, { instrument, amount }) => value + amount * marks.mark(instrument, atMs), 0);
  return roundTo(sum, tickSize / 10);
}
