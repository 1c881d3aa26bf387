/**
 * The stretches of time in which the market stood still: prices stayed what they were, and others did not trade. They
 * come in the order of their time.
 */
export interface MarketPauses {
  /** Begins a pause after a moment. One that lasts already goes on. */
  begin(atMs: number): void;
  /** Ends the pause that lasts, if there is one: at this moment the market moves again. */
  end(atMs: number): void;
  /** Returns the moment whose prices hold at a time: the time itself, or the beginning of the pause that it is in. */
  heldAt(atMs: number): number;
  /** Returns how many multiples of a length there are from the epoch to a moment, without those in pauses. */
  countBeats(everyMs: number, untilMs: number): number;
}

/** Makes a market's pauses: none yet. */
export function createMarketPauses(): MarketPauses {
  const pauses: { readonly fromMs: number; untilMs: number }[] = [];
  return {
    begin(atMs) {
      if (pauses.at(-1)?.untilMs !== Infinity) pauses.push({ fromMs: atMs, untilMs: Infinity });
    },
    end(atMs) {
      const last = pauses.at(-1);
      if (last?.untilMs === Infinity) last.untilMs = atMs;
    },
    heldAt: (atMs) => pauses.find(({ fromMs, untilMs }) => fromMs < atMs && atMs < untilMs)?.fromMs ?? atMs,
    countBeats(everyMs, atMs) {
      const until = (ms: number): number => Math.floor(ms / everyMs);
      let count = until(atMs);
      for (const { fromMs, untilMs } of pauses)
        count -= Math.max(0, until(Math.min(atMs, untilMs - 1)) - until(fromMs));
      return count;
    },
  };
}
