import { plain, type Plain } from "../../base/plain.ts";

/** Returns the first of the texts, each of parts, that a row has room for; the last one if none. */
export function fitting(room: number, candidates: readonly (readonly Plain[])[]): Plain {
  const texts = candidates.map((parts) =>
    plain.join(
      parts.filter((part) => part !== ""),
      " · ",
    ),
  );
  return texts.find((text) => text.length < room) ?? texts.at(-1) ?? "";
}

/**
 * The characters of label and description that a sidebar of 300 px shows whole on the first level, and below it, with
 * an icon.
 */
export const ROOM = 37;
export const ROOM_BELOW = 33;
