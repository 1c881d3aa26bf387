import { plain, type Plain } from "../../base/plain.ts";

/** Returns texts as one, without those that say nothing. */
export function joined(texts: readonly (Plain | undefined)[], separator: " " | ", " | "; " | " · " | ". "): Plain {
  return plain.join(
    texts.map((text) => text ?? "").filter((text) => text !== ""),
    separator,
  );
}
