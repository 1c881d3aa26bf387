import { test } from "vitest";
import { isFull, rounds } from "./rounds.mjs";

/* What a short run does less of: see rounds.mjs. */

/** A number of random cases: a short run tries a tenth of them, a long one twenty times as many. */
export function runs(count: number): number {
  return rounds({ short: Math.ceil(count / 10), full: count, long: 20 * count });
}

/** A test of a full run. What it costs is out of proportion to what a short run would learn from it. */
export function testInFull(title: string, run: () => void | Promise<void>): void {
  if (isFull)
    test(title, async () => {
      await run();
    });
}
