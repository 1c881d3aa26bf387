import { expiryOf } from "./expiries.ts";
import type { SimulatedInstrument } from "./instruments.ts";

/** One instrument of a combo, bought `amount` times; below 0 it is sold. */
export interface ComboLeg {
  readonly instrument_name: string;
  readonly amount: number;
}

/**
 * Returns the legs of a combo, which its name tells: BTC-FS-26MAR27_PERP buys the future and sells the perpetual,
 * BTC-CS-25JUN27-100000_120000 buys the first call and sells the second.
 * https://support.deribit.com/hc/en-us/articles/25944756862877-Combos
 */
export function comboLegs(name: string): readonly ComboLeg[] {
  const [base = "", sort = "", term = "", strikes = ""] = name.split("-");
  const [first = "", second = first] = (sort === "FS" ? term : strikes).split("_");
  const option = (strike: string, right: "C" | "P"): string => `${base}-${term}-${strike}-${right}`;
  switch (sort) {
    case "FS":
      return legs(futureName(base, first), futureName(base, second), -1);
    case "CS":
      return legs(option(first, "C"), option(second, "C"), -1);
    case "PS":
      return legs(option(first, "P"), option(second, "P"), -1);
    case "STRG":
      return legs(option(first, "P"), option(second, "C"), 1);
    case "STRD":
      return legs(option(first, "C"), option(first, "P"), 1);
    default:
      throw new RangeError(`${name} is not a combo.`);
  }
}

function legs(first: string, second: string, secondAmount: number): readonly ComboLeg[] {
  return [
    { instrument_name: first, amount: 1 },
    { instrument_name: second, amount: secondAmount },
  ];
}

function futureName(base: string, term: string): string {
  return `${base}-${term === "PERP" ? "PERPETUAL" : term}`;
}

/** Whether an instrument is a combo that has not expired. */
export function isActiveCombo({ name, kind }: SimulatedInstrument, nowMs: number): boolean {
  return kind.endsWith("_combo") && (expiryOf(name) ?? Infinity) > nowMs;
}
