/** Whether a value is an object with members: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a text is JSON by the standard. */
export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** Returns a JSON text as the object that it is; undefined for every other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Returns the value of a JSON text; undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a number, also one that is written as a string: digits as JSON has them, or with leading zeros. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
