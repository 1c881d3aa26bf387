import type { OpenOrdersQuery } from "../../state/orderRows.ts";

/** The kinds of instruments in private/get_open_orders. */
export type InstrumentKind = NonNullable<OpenOrdersQuery["kind"]>;

/**
 * Returns the kind of an instrument, read from its name; undefined for a name of no known form. An order does not say
 * its kind, and only the exchange's list of instruments is certain: this is a guess by the grammar of the names.
 */
export function instrumentKindOf(instrumentName: string | undefined): InstrumentKind | undefined {
  return instrumentName === undefined ? undefined : FORMS.find(([form]) => form.test(instrumentName))?.[1];
}

/** Returns the name of an instrument in a row, where a narrow sidebar has little room: `BTC-PERP`. */
export function shortInstrumentName<Name extends string | undefined>(instrumentName: Name): Name | string {
  return instrumentName?.replace(/-PERPETUAL$/, "-PERP") ?? instrumentName;
}

/**
 * The forms of names, of which the first hit counts. A combo's name begins like that of its family and carries a code
 * of letters.
 */
const FORMS: readonly (readonly [RegExp, InstrumentKind])[] = [
  [/^[A-Z0-9]+_[A-Z0-9]+$/, "spot"],
  [/^[A-Z0-9]+(_[A-Z0-9]+)?-(PERPETUAL|\d{1,2}[A-Z]{3}\d{2})$/, "future"],
  [/^[A-Z0-9]+(_[A-Z0-9]+)?-\d{1,2}[A-Z]{3}\d{2}-\d+(d\d+)?-[CP]$/, "option"],
  [/^[A-Z0-9]+(_[A-Z0-9]+)?-FS-/, "future_combo"],
  [/^[A-Z0-9]+(_[A-Z0-9]+)?-[A-Z]{2,}-\d/, "option_combo"],
];
