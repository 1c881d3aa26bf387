import type { Clock } from "../../base/clock.ts";

/**
 * Keeps rows from being drawn again while a box or a list opens. When VS Code has drawn rows of a tree that has the
 * focus, it gives the tree the focus once more, even where a box has just taken it. A list that needs the focus would
 * be gone before it can be read.
 */
export interface Calm {
  /** When trees may tell VS Code of changes again, in ms of the monotonic clock. */
  readonly untilMs: number;
  /** Reports that VS Code was told of changes. */
  noticeDrawing(): void;
  /** Begins a calm. Resolves when VS Code has drawn what it was told of before. */
  begin(): Promise<void>;
}

/** The time in which VS Code draws what it was told of, in ms. */
const DRAWING_MS = 100;
/** The time in which a box opens and has the focus, in ms. */
const OPENING_MS = 300;

/** Makes the calm of a window: none has begun. */
export function createCalm(clock: Clock): Calm {
  let drawnMs = -Infinity;
  let untilMs = -Infinity;
  return {
    get untilMs() {
      return untilMs;
    },
    noticeDrawing() {
      drawnMs = clock.monotonicMs() + DRAWING_MS;
    },
    async begin() {
      const nowMs = clock.monotonicMs();
      const waitMs = Math.max(0, drawnMs - nowMs);
      untilMs = nowMs + waitMs + OPENING_MS;
      if (waitMs > 0) await new Promise<void>((resolve) => void clock.after(waitMs, resolve));
    },
  };
}
