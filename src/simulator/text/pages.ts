import { invalidParam } from "./errors.ts";

/** A part of a list, and where the next part begins; undefined at the end of the list. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: number | undefined;
}

/** Returns the items of a page whose continuation is the number of items before it. Refuses any other continuation. */
export function pageAfter<T>(all: readonly T[], count: number, continuation = "0"): Page<T> {
  const first = Number(continuation);
  if (!Number.isSafeInteger(first) || first < 0) throw invalidParam("continuation", "invalid continuation");
  const until = first + count;
  return { items: all.slice(first, until), next: until < all.length ? until : undefined };
}
