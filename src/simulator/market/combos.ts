import type { TradedInstrument } from "../../exchange/instrument.ts";
import type { Marks } from "../../exchange/market/marks.ts";
import { roundTo } from "../text/json.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import { describeTraded } from "./traded.ts";

/** One part of a combo: how much of an instrument its buyer buys, or sells where it is below 0. */
export interface ComboLeg {
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
export function comboLegs(instrument: SimulatedInstrument): readonly ComboLeg[] {
  const { name, kind } = instrument;
  if (!kind.endsWith("_combo")) return [];
  const [base = "", structure = "", ...rest] = name.split("-");
  const [first = "", second = "", third = ""] = rest.flatMap((part) => part.split("_"));
  const legKind = kind === "future_combo" ? "future" : "option";
  return (STRUCTURES[structure]?.(first, second, third) ?? []).map(([legName, amount]) => ({
    instrument: describeTraded({ ...instrument, name: `${base}-${legName}`, kind: legKind }),
    amount,
  }));
}

/** Returns what the legs of a combo are worth together, to a tenth of its tick. */
export function comboMark(marks: Marks, legs: readonly ComboLeg[], tickSize: number, atMs: number): number {
  const sum = legs.reduce((value, { instrument, amount }) => value + amount * marks.mark(instrument, atMs), 0);
  return roundTo(sum, tickSize / 10);
}
