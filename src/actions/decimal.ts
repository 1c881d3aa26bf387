/** A number as a person reads it: all its digits, no exponent, no grouping. */
export function decimalText(value: number): string {
  return Number.isFinite(value) ? value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 20 }) : String(value);
}
