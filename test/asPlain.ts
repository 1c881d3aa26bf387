import type { Plain } from "../src/base/plain.ts";

/** Returns a text of a test as plain text, without making it harmless. */
export function asPlain(text: string): Plain {
  return text as Plain;
}
