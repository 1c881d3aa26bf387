import { compareNumbers, nearestMultiples } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { InstrumentSteps } from "../../state/instruments.ts";
import { decimalText, figureText } from "../intent/decimal.ts";

/*
 * Prices and amounts that an instrument does not have. Only what is known of it is compared; the exchange decides.
 * https://docs.deribit.com/api-reference/market-data/public-get_instrument
 */

/** The tick sizes of an instrument. */
export type PriceSteps = Pick<InstrumentSteps, "tickSize" | "tickSizes">;

/** A number that does not fit the steps of an instrument. */
interface StepProblem {
  readonly code: "tickSize" | "amountStep";
  /** A sentence. */
  readonly message: Plain;
  /** The nearest numbers that fit, as JSON writes them. */
  readonly nearest: readonly string[];
}

/** Returns why a price, as JSON writes it, is none of the instrument; undefined if it is, or nothing is known. */
export function priceProblem(
  literal: string,
  steps: InstrumentSteps,
  kind: "price" | "triggerPrice",
): StepProblem | undefined {
  const tick = decimalText(tickSizeAt(literal, steps));
  const nearest = positive(literal, nearestMultiples(literal, tick));
  if (nearest === undefined) return undefined;
  const words = [shown(literal), figureText(tick), listText(nearest)] as const;
  const message =
    kind === "price"
      ? l10n.t("Price {0} isn't a multiple of the tick size {1}. Nearest: {2}.", ...words)
      : l10n.t("Trigger price {0} isn't a multiple of the tick size {1}. Nearest: {2}.", ...words);
  return { code: "tickSize", message, nearest };
}

/** Returns the tick size of a price: that of the highest step below the price, else the instrument's own. */
export function tickSizeAt(literal: string, { tickSize, tickSizes }: PriceSteps): number | undefined {
  const step = tickSizes.findLast(({ abovePrice }) => compareNumbers(literal, decimalText(abovePrice)) > 0);
  return step?.tickSize ?? tickSize;
}

/** Returns why an amount, as JSON writes it, is none of the instrument; undefined if it is, or nothing is known. */
export function amountProblem(literal: string, { minAmount, contractSize }: InstrumentSteps): StepProblem | undefined {
  const least = decimalText(minAmount);
  if (minAmount !== undefined && compareNumbers(literal, least) < 0) {
    const message = l10n.t("Amount {0} is below the minimum {1}.", shown(literal), figureText(least));
    return { code: "amountStep", message, nearest: [least] };
  }
  // An option has amounts below the size of its contract, and a linear future has contracts below the smallest amount.
  const steps = [minAmount, contractSize].filter((each) => each !== undefined && each > 0) as readonly number[];
  const step = decimalText(steps.length === 0 ? undefined : Math.min(...steps));
  const nearest = positive(literal, nearestMultiples(literal, step));
  if (nearest === undefined) return undefined;
  const allowed = minAmount === undefined ? nearest : nearest.filter((each) => compareNumbers(each, least) >= 0);
  const message = l10n.t(
    "Amount {0} isn't a multiple of {1}. Nearest: {2}.",
    shown(literal),
    figureText(step),
    listText(allowed),
  );
  return { code: "amountStep", message, nearest: allowed };
}

/** Returns the nearest values; of a number above zero, those above zero. */
function positive(literal: string, nearest: readonly [string, string] | undefined): readonly string[] | undefined {
  return compareNumbers(literal, "0") > 0 ? nearest?.filter((each) => compareNumbers(each, "0") > 0) : nearest;
}

function listText(values: readonly string[]): Plain {
  return values.map((value) => figureText(value)).reduce((one, other) => l10n.t("{0} and {1}", one, other));
}

function shown(literal: string): Plain {
  return figureText(literal);
}
