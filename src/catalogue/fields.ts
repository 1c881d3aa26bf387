import * as z from "zod";

/**
 * Makes the schema of a text whose known values are suggested and whose unknown values are accepted. The exchange adds
 * currencies, indexes and states without notice (facts: `every enum open on input, a suggestion on output`).
 */
export function suggested<const V extends readonly [string, ...string[]]>(
  values: V,
  descriptions?: Partial<Record<V[number], string>>,
): z.ZodType<string> {
  return z
    .string()
    .meta({ suggestedValues: values, ...(descriptions === undefined ? {} : { suggestedDescriptions: descriptions }) });
}

/** Makes the schema of a text that must never be shown, logged or kept. The session masks it in every response. */
export function secret(description: string): z.ZodType<string> {
  return z.string().meta({ description, isSecret: true });
}

/** Makes the schema of milliseconds since the Unix epoch. */
export function timestampMs(description: string): z.ZodType<number> {
  return z.int().meta({ description, unit: "ms since the Unix epoch" });
}

/**
 * Makes the schema of an identifier that may be larger than a JavaScript number holds exactly. The text keeps the
 * digits.
 */
export function wideInteger(description: string): z.ZodType<number> {
  return z.number().meta({ description });
}

/**
 * Makes the schema of a text that tells an object from others where it is there. A value of another type is refused:
 * the object would pass for one that has none.
 */
export function optionalIdentity(description: string): z.ZodOptional<z.ZodType<string>> {
  return z.string().meta({ description, isIdentity: true }).optional();
}

export const direction = choice(["buy", "sell"], "Buy or sell.");

export const KINDS = ["future", "option", "spot", "future_combo", "option_combo"] as const;

/** Makes the schema of an optional true or false. */
export function flag(description: string): z.ZodOptional<z.ZodType<boolean>> {
  return z.boolean().meta({ description }).optional();
}

/** Makes the schema of an optional number. */
export function number(description: string): z.ZodOptional<z.ZodType<number>> {
  return z.number().meta({ description }).optional();
}

/** Makes the schema of an optional whole number. */
export function integer(description: string): z.ZodOptional<z.ZodType<number>> {
  return z.int().meta({ description }).optional();
}

/** Makes the schema of a text that is not empty. */
export function filledText(description: string): z.ZodType<string> {
  return z.string().min(1).meta({ description });
}

/** Makes the schema of an optional text. */
export function text(description: string): z.ZodOptional<z.ZodType<string>> {
  return z.string().meta({ description }).optional();
}

/** Makes the schema of an optional text with known values. */
export function choice(values: readonly [string, ...string[]], description: string): z.ZodOptional<z.ZodType<string>> {
  return suggested(values).meta({ description }).optional();
}

/** Makes the schema of an optional list of texts. */
export function textList(description: string): z.ZodOptional<z.ZodArray<z.ZodString>> {
  return z.array(z.string()).meta({ description }).optional();
}
