import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";

/** The calls of tools that are taken in a minute. */
export const CALLS_A_MINUTE = 60;

const MINUTE_MS = 60_000;

/** Counts the calls of tools. */
export interface CallLimit {
  /** Takes a call. Returns a sentence where there were too many of them. */
  take(): Plain | undefined;
}

/** Makes a limit for all tools together: an agent in a loop must not use up what the account may read. */
export function createCallLimit(clock: Pick<Clock, "monotonicMs">): CallLimit {
  let taken: readonly number[] = [];
  return {
    take() {
      const nowMs = clock.monotonicMs();
      taken = taken.filter((atMs) => nowMs - atMs < MINUTE_MS);
      const [first] = taken;
      if (first !== undefined && taken.length >= CALLS_A_MINUTE)
        return l10n.t(
          "Too many calls: {0} a minute are taken. Nothing was sent. Try again in {1} s.",
          CALLS_A_MINUTE,
          Math.ceil((first + MINUTE_MS - nowMs) / 1000),
        );
      taken = [...taken, nowMs];
      return undefined;
    },
  };
}
