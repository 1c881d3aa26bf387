import type { Clock, Random } from "../../src/base/clock.ts";

/**
 * One time line for a client, the network and an exchange. What is due at the same moment runs in an order that follows
 * from the seed, so that no code may rely on the order in which timers were armed.
 */
export interface Time {
  /** Ms since the beginning. */
  readonly elapsedMs: number;
  /** A part of the world with timers of its own. `sleeps`: it stands still while the computer sleeps. */
  createSide(options: { readonly sleeps: boolean }): Side;
  /** Moves the time; `onTurn` is called after each timer, when all that follows from it has happened. */
  advance(ms: number): Promise<void>;
  /** The same, but what sleeps runs late, when the computer wakes up. */
  sleep(ms: number): Promise<void>;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
}

export interface Side {
  readonly clock: Clock;
  /** Timers that are armed. */
  readonly pendingTimers: number;
  /** Sets the wall clock forward, or back. */
  jump(ms: number): void;
  /** Time during which this side's monotonic clock stood still does not count for its timers. */
  lose(ms: number): void;
}

interface Timer {
  dueMs: number;
  readonly tie: number;
  /** Let go of when it is over, with all that it holds. */
  run: () => void;
  isOver: boolean;
}

export const START_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

/**
 * A timer of Node waits at least as long. Here it is needed as well: a smaller part of a millisecond can be less than
 * what two numbers of this size differ by, and what is set again until a time has come would then be set for ever.
 */
const LEAST_DELAY_MS = 1;

/** `onTurn` may throw; that ends the advancing. */
export function createTime(random: Random, onTurn: () => void): Time {
  let elapsedMs = 0;
  const sides: { readonly timers: Heap; readonly sleeps: boolean }[] = [];
  const next = (untilMs: number, isAsleep: boolean): Timer | undefined => {
    let first: Heap | undefined;
    for (const { timers, sleeps } of sides) {
      if (isAsleep && sleeps) continue;
      if (timers.first !== undefined && (first?.first === undefined || isBefore(timers.first, first.first)))
        first = timers;
    }
    return first?.first === undefined || first.first.dueMs > untilMs ? undefined : first.take();
  };
  const settle = async (): Promise<void> => {
    // An immediate runs when no promise is left that could settle.
    await new Promise((resolve) => setImmediate(resolve));
    onTurn();
  };
  const advance = async (ms: number, isAsleep: boolean): Promise<void> => {
    const untilMs = elapsedMs + ms;
    await settle();
    for (let timer = next(untilMs, isAsleep); timer !== undefined; timer = next(untilMs, isAsleep)) {
      elapsedMs = Math.max(elapsedMs, timer.dueMs);
      timer.isOver = true;
      timer.run();
      await settle();
    }
    elapsedMs = untilMs;
    onTurn();
  };
  return {
    get elapsedMs() {
      return elapsedMs;
    },
    createSide({ sleeps }) {
      const timers = new Heap();
      sides.push({ timers, sleeps });
      let jumpedMs = 0;
      let lostMs = 0;
      return {
        clock: {
          now: () => Math.floor(START_MS + elapsedMs + jumpedMs),
          monotonicMs: () => elapsedMs - lostMs,
          after(delayMs, run) {
            if (!Number.isFinite(delayMs)) throw new RangeError("A timer needs a finite delay.");
            const timer: Timer = {
              dueMs: elapsedMs + Math.max(LEAST_DELAY_MS, delayMs),
              ...{ tie: random(), run, isOver: false },
            };
            timers.add(timer);
            return {
              dispose: () => {
                timers.end(timer);
              },
            };
          },
        },
        get pendingTimers() {
          return timers.count;
        },
        jump: (ms) => {
          jumpedMs += ms;
        },
        lose(ms) {
          lostMs += ms;
          timers.delay(ms);
        },
      };
    },
    advance: async (ms) => {
      await advance(ms, false);
    },
    sleep: async (ms) => {
      await advance(ms, true);
    },
    settle,
  };
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.tie < other.tie);
}

/** Timers, the first due one on top. What was disposed of stays inside until it comes up. */
class Heap {
  readonly #items: Timer[] = [];
  count = 0;

  get first(): Timer | undefined {
    while (this.#items[0]?.isOver === true) this.#pop();
    return this.#items[0];
  }

  add(timer: Timer): void {
    this.count++;
    this.#items.push(timer);
    this.#rise(this.#items.length - 1);
  }

  take(): Timer | undefined {
    const timer = this.first;
    if (timer === undefined) return undefined;
    this.#pop();
    this.count--;
    return timer;
  }

  end(timer: Timer): void {
    if (timer.isOver) return;
    timer.isOver = true;
    timer.run = () => undefined;
    this.count--;
  }

  /** All alike, so that the order stays. */
  delay(ms: number): void {
    for (const timer of this.#items) timer.dueMs += ms;
  }

  #pop(): void {
    const items = this.#items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return;
    items[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    const items = this.#items;
    for (let index = from; index > 0;) {
      const parent = (index - 1) >> 1;
      if (!isBefore(items[index]!, items[parent]!)) return;
      [items[index], items[parent]] = [items[parent]!, items[index]!];
      index = parent;
    }
  }

  #sink(): void {
    const items = this.#items;
    for (let index = 0; ;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < items.length && isBefore(items[child]!, items[least]!)) least = child;
      if (least === index) return;
      [items[index], items[least]] = [items[least]!, items[index]!];
      index = least;
    }
  }
}
