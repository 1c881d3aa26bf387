import type { RowName, RowOf } from "../../catalogue/index.ts";

/** The values that the simulator writes: JSON values, and integers wider than a JavaScript number holds exactly. */
export type Json =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/**
 * Writes JSON the way the exchange does. Members named in `decimals` keep a decimal point when they are whole (`2.0`),
 * and wide integers keep their digits. Exponents have a mantissa with a point (`1.0e-8`). Members that are undefined
 * are left out. Names are the exchange's and need no escaping.
 */
export function writeJson(value: Json, decimals: ReadonlySet<string> = NO_DECIMALS): string {
  return write(value, decimals, false);
}

const NO_DECIMALS: ReadonlySet<string> = new Set();

function write(value: Json, decimals: ReadonlySet<string>, isDecimal: boolean): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return numberText(value, isDecimal);
  return typeof value === "object" && value !== null ? writeComposite(value, decimals) : String(value);
}

function writeComposite(
  value: readonly Json[] | { readonly [name: string]: Json | undefined },
  decimals: ReadonlySet<string>,
): string {
  if (Array.isArray(value))
    return `[${(value as readonly Json[]).map((item) => write(item, decimals, false)).join(",")}]`;
  const members = value as { readonly [name: string]: Json | undefined };
  // Joined at the end: a string that is added to piece by piece keeps all its pieces in memory for as long as it lives.
  const pieces: string[] = [];
  for (const name in members) {
    const member = members[name];
    if (member !== undefined)
      pieces.push(`"${name}":${write(member, decimals, typeof member === "number" && decimals.has(name))}`);
  }
  return `{${pieces.join(",")}}`;
}

function numberText(value: number, isDecimal: boolean): string {
  const text = String(value);
  if (text.includes("e")) return text.includes(".") ? text : text.replace("e", ".0e");
  return isDecimal && Number.isInteger(value) ? `${text}.0` : text;
}

/** Rounds to a whole multiple of a step such as 0.05, without the dust of binary fractions. */
export function roundTo(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(decimalsOf(step)));
}

/** Returns the digits after the point of a step whose first digit is its last, such as 0.05 or 10. */
function decimalsOf(step: number): number {
  return Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
}

/** The members of a row that the catalogue knows. */
type Known<Row> = { [Name in keyof Row as string extends Name ? never : Name]-?: Exclude<Row[Name], undefined> };

/**
 * A row of the catalogue as the simulator writes it. `Sure`: the members that it always has. `Own`: those of which the
 * simulator knows more than the catalogue.
 */
export type WrittenRow<N extends RowName, Sure extends keyof Known<RowOf<N>>, Own = unknown> = Readonly<
  { [Name in Exclude<keyof Known<RowOf<N>>, Sure | keyof Own>]?: Known<RowOf<N>>[Name] | undefined } & Pick<
    Known<RowOf<N>>,
    Sure
  > &
    Own
>;
