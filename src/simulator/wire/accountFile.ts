import { foreignEncoding } from "../../base/encoding.ts";
import { messageOf } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { toSteps } from "../../exchange/units.ts";
import { CURRENCY_NAMES } from "../market/currencies.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";
import { tradedInstrument } from "../market/traded.ts";

/** What an account begins with. */
export interface DescribedAccount {
  /** Above 0, by currency. */
  readonly balances: ReadonlyMap<string, number>;
  readonly positions: readonly DescribedPosition[];
}

interface DescribedPosition {
  readonly instrument: TradedInstrument;
  /** In what amounts of orders count; below 0 for a position that was sold. */
  readonly amount: number;
  readonly averagePrice: number;
}

/** The instruments that positions may be in. */
type Instruments = ReadonlyMap<string, SimulatedInstrument>;

/**
 * Reads the file that describes an account: `{ "balances": { "BTC": 1 }, "positions": [{ "instrument_name": …, "size":
 * …, "average_price": … }] }`. A linear future has `size_currency` instead of `size`, which would be its value. Returns
 * a sentence that names the place where it is something else.
 */
export function readAccountFile(text: string, instruments: Instruments): DescribedAccount | string {
  try {
    return describeAccount(parsed(text), instruments);
  } catch (error) {
    if (error instanceof Misdescribed) return error.message;
    throw error;
  }
}

/** Something in the file is not as it has to be; the message is a sentence. */
class Misdescribed extends Error {}

type Members = Readonly<Record<string, unknown>>;

/** Reads a description in the form of the file. Without instruments it has no positions. Throws where it is wrong. */
export function describeAccount(description: unknown, instruments: Instruments = new Map()): DescribedAccount {
  const { balances = {}, positions = [] } = membersOf(description, l10n.t("the file"), ["balances", "positions"]);
  const amounts = Object.entries(membersOf(balances, plain`balances`, CURRENCY_NAMES));
  if (!Array.isArray(positions)) throw new Misdescribed(l10n.t("{0} must be a list.", "positions"));
  const described = positions.map((position: unknown, index) =>
    positionIn(position, plain`positions[${index}]`, instruments),
  );
  const repeated = described.findIndex(
    ({ instrument }, index) => described.findIndex((each) => each.instrument.name === instrument.name) < index,
  );
  if (repeated >= 0)
    throw new Misdescribed(
      l10n.t("{0} is in an instrument that has a position already.", plain`positions[${repeated}]`),
    );
  return {
    balances: new Map(
      amounts.map(
        ([currency, amount]) => [currency, numberAbove0(amount, plain`balances.${plain.name(currency)}`)] as const,
      ),
    ),
    positions: described,
  };
}

function parsed(text: string): unknown {
  const encoding = foreignEncoding(text);
  if (encoding !== undefined) throw new Misdescribed(l10n.t("The file is encoded in {0}. Save it as UTF-8.", encoding));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Misdescribed(l10n.t("The file is not JSON: {0}", messageOf(error)));
  }
}

/** Returns the members of an object that may have these alone. */
function membersOf(value: unknown, place: Plain, known: readonly string[]): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Misdescribed(l10n.t("{0} must be an object.", place));
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new Misdescribed(
      l10n.t("{0} can't have {1}, only {2}.", place, plain.name(stranger), plain.text(known.join(", "))),
    );
  return value as Members;
}

function positionIn(value: unknown, place: Plain, instruments: Instruments): DescribedPosition {
  const { instrument_name: name } = membersOf(value, place, [...POSITION_MEMBERS, "size", "size_currency"]);
  const known = instruments.get(String(name));
  const instrument = known && tradedInstrument(known);
  if (instrument === undefined || instrument.kind === "spot")
    throw new Misdescribed(
      l10n.t(
        "{0} must be a future or an option of the simulator, not {1}.",
        plain`${place}.instrument_name`,
        shown(name),
      ),
    );
  const sizeName = instrument.kind === "future" && !instrument.isInverse ? "size_currency" : "size";
  const { [sizeName]: size, average_price: price } = membersOf(value, place, [...POSITION_MEMBERS, sizeName]);
  const lots = typeof size === "number" ? toSteps(size, instrument.lot) : undefined;
  if (typeof size !== "number" || lots === undefined || lots === 0)
    throw new Misdescribed(
      l10n.t("{0} must be a multiple of {1}, not {2}.", plain`${place}.${sizeName}`, known?.lot ?? "", shown(size)),
    );
  return { instrument, amount: size, averagePrice: numberAbove0(price, plain`${place}.average_price`) };
}

const POSITION_MEMBERS = ["instrument_name", "average_price"];

function numberAbove0(value: unknown, place: Plain): number {
  if (typeof value === "number" && value >= 1e-8 && value <= 1e12) return value;
  throw new Misdescribed(l10n.t("{0} must be a number above 0, not {1}.", place, shown(value)));
}

function shown(value: unknown): Plain {
  return value === undefined ? l10n.t("nothing") : plain.text(JSON.stringify(value));
}
