import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { CallError, type Failure } from "../base/failure.ts";
import type { RateClass } from "../catalogue/index.ts";
import { RATE_BUDGETS, type RateBudget } from "../catalogue/rates.ts";
import type { BudgetReading, Lane, LaneReading, SessionPorts } from "./session.ts";

/**
 * A limiter that keeps our calls below the exchange's limits. The exchange responds to calls above them with 10028 and
 * ends the session.
 */
export interface Limiter {
  /**
   * Takes the price of a call. Undefined: it may go out now. Otherwise wait: it resolves when the turn comes. It
   * rejects with `stopped` when the signal fires, with `timeout` after `limitMs`, and with the failure given to
   * `rejectAll`.
   */
  acquire(rate: RateClass, lane: Lane, signal?: AbortSignal, limitMs?: number): Promise<void> | undefined;
  /** Takes the price of a call that cannot wait. */
  draw(rate: RateClass): void;
  /** Empties a budget after the exchange reported an excess: our estimate of the rest was wrong. */
  exhaust(rate: RateClass): void;
  /** Adjusts to an account with budgets of its own. */
  adjust(budgets: Partial<Readonly<Record<RateClass, RateBudget>>>): void;
  /** Makes calls of these lanes wait, whatever is left; undefined lets them go on. */
  holdBack(lanes: ReadonlySet<Lane> | undefined): void;
  /** Lets one of the held-back calls go; returns false when there are none. */
  admitOne(): boolean;
  /** The number of calls that wait for their turn. */
  readonly queuedCount: number;
  /** The remainder of each budget by our count; empty where the limits are lifted. */
  readonly budgets: readonly BudgetReading[];
  rejectAll(failure: Failure): void;
}

/**
 * The share of the bucket's size that a lane leaves in it. The tenth that stays untouched absorbs the jitter of the
 * network: calls that left evenly arrive in clumps. The tenth above it is for the user's changes, which so never wait
 * after reads, and the next one for the user's reads: views leave the most, because the user's bots draw from the same
 * budget.
 */
const RESERVES: Readonly<Record<Lane, number>> = { userWrite: 0.1, userRead: 0.2, view: 0.3 };
const LANES: readonly Lane[] = ["userWrite", "userRead", "view"];
const RATE_CLASSES: readonly RateClass[] = [
  "default",
  "matching",
  "subscribe",
  "instruments",
  "transactionLog",
  "movePositions",
];

/** A tolerance, because a share of a size is not always a whole number where it should be one. */
const ROUNDING = 1e-9;

/** The budget without limits: a call costs nothing; it can still be held back. */
const FREE: RateBudget = { size: 1, refillPerMs: 1, cost: 0 };

export function createLimiter(clock: Clock, limits: SessionPorts["limits"]): Limiter {
  const bucket = (rate: RateClass): Bucket => new Bucket(clock, limits === "off" ? FREE : RATE_BUDGETS[rate]);
  const buckets: Readonly<Record<RateClass, Bucket>> = {
    default: bucket("default"),
    subscribe: bucket("subscribe"),
    instruments: bucket("instruments"),
    transactionLog: bucket("transactionLog"),
    movePositions: bucket("movePositions"),
    matching: bucket("matching"),
  };
  const all = Object.values(buckets);
  return {
    acquire: (rate, lane, signal, limitMs): Promise<void> | undefined => buckets[rate].acquire(lane, signal, limitMs),
    draw: (rate) => buckets[rate].draw(),
    exhaust(rate) {
      if (limits === "exchange") buckets[rate].exhaust();
    },
    adjust(budgets) {
      if (limits === "off") return;
      for (const rate of RATE_CLASSES) buckets[rate].adjust(budgets[rate] ?? RATE_BUDGETS[rate]);
    },
    holdBack(lanes) {
      for (const each of all) each.holdBack(lanes);
    },
    admitOne: () => all.some((each) => each.admitOne()),
    get queuedCount() {
      return all.reduce((sum, each) => sum + each.queuedCount, 0);
    },
    get budgets() {
      return limits === "off" ? [] : RATE_CLASSES.map((rate) => ({ rate, lanes: buckets[rate].read() }));
    },
    rejectAll(failure) {
      for (const each of all) each.rejectAll(failure);
    },
  };
}

interface Ticket {
  admit(): void;
  reject(failure: Failure): void;
}

/** A pool of credits and the calls that wait for it, lane by lane in the order of their coming. */
class Bucket {
  readonly #clock: Clock;
  #rule: RateBudget;
  readonly #queues: Readonly<Record<Lane, Set<Ticket>>> = {
    userWrite: new Set(),
    userRead: new Set(),
    view: new Set(),
  };
  #level: number;
  #atMs: number;
  #timer: Disposable | undefined;
  #held: ReadonlySet<Lane> | undefined;

  constructor(clock: Clock, rule: RateBudget) {
    this.#clock = clock;
    this.#rule = rule;
    this.#level = rule.size;
    this.#atMs = clock.monotonicMs();
  }

  get queuedCount(): number {
    return LANES.reduce((sum, lane) => sum + this.#queues[lane].size, 0);
  }

  /** Takes the price of a call. Not async: what may go now must not wait for another turn of the loop. */
  acquire(lane: Lane, signal: AbortSignal | undefined, limitMs: number | undefined): Promise<void> | undefined {
    if (this.#held?.has(lane) !== true && !this.#isAhead(lane) && (this.#rule === FREE || this.#missing(lane) <= 0)) {
      this.#level -= this.#rule.cost;
      return undefined;
    }
    return this.#enqueue(lane, signal, limitMs);
  }

  draw(): void {
    this.#refill();
    this.#level -= this.#rule.cost;
  }

  exhaust(): void {
    this.#refill();
    this.#level = Math.min(this.#level, 0);
  }

  /**
   * Adjusts the budget. What was taken stays taken: the rest of a small budget would be far below the reserves of a
   * large one.
   */
  adjust(rule: RateBudget): void {
    this.#refill();
    const taken = this.#rule.size - this.#level;
    this.#rule = rule;
    if (this.#level > 0) this.#level = Math.max(0, rule.size - taken);
    this.#arm();
  }

  holdBack(lanes: ReadonlySet<Lane> | undefined): void {
    this.#held = lanes;
    this.#arm();
  }

  admitOne(): boolean {
    for (const lane of LANES) {
      const [ticket] = this.#held?.has(lane) === true ? this.#queues[lane] : [];
      if (ticket === undefined) continue;
      this.draw();
      ticket.admit();
      return true;
    }
    return false;
  }

  read(): BudgetReading["lanes"] {
    return {
      userWrite: this.#readLane("userWrite"),
      userRead: this.#readLane("userRead"),
      view: this.#readLane("view"),
    };
  }

  rejectAll(failure: Failure): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    for (const lane of LANES) for (const ticket of [...this.#queues[lane]]) ticket.reject(failure);
  }

  async #enqueue(lane: Lane, signal: AbortSignal | undefined, limitMs: number | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const queue = this.#queues[lane];
      const limit =
        limitMs === undefined
          ? undefined
          : this.#clock.after(limitMs, () => ticket.reject({ kind: "timeout", timeoutMs: limitMs, wasSent: false }));
      const leave = (): void => {
        queue.delete(ticket);
        limit?.dispose();
        signal?.removeEventListener("abort", stop);
      };
      const ticket: Ticket = {
        admit() {
          leave();
          resolve();
        },
        reject(failure) {
          leave();
          reject(new CallError(failure));
        },
      };
      const stop = (): void => ticket.reject({ kind: "stopped", wasSent: false });
      queue.add(ticket);
      signal?.addEventListener("abort", stop);
      this.#arm();
    });
  }

  /** Lets calls go for which there is enough, the more urgent lanes first. */
  #serve(): void {
    this.#timer = undefined;
    for (const lane of this.#openLanes()) {
      for (const ticket of [...this.#queues[lane]]) {
        if (this.#missing(lane) > 0) {
          this.#arm();
          return;
        }
        this.draw();
        ticket.admit();
      }
    }
  }

  /** Arms the timer until there is enough for the first call in the queue. */
  #arm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const lane = this.#openLanes().find((each) => this.#queues[each].size > 0);
    if (lane === undefined) return;
    this.#timer = this.#clock.after(Math.max(1, this.#missing(lane) / this.#rule.refillPerMs), () => this.#serve());
  }

  /** Whether a waiting call comes before a newcomer of this lane. */
  #isAhead(lane: Lane): boolean {
    for (const each of LANES) {
      if (this.#queues[each].size > 0) return true;
      if (each === lane) return false;
    }
    return false;
  }

  #openLanes(): readonly Lane[] {
    const held = this.#held;
    return held === undefined ? LANES : LANES.filter((lane) => !held.has(lane));
  }

  /**
   * Returns the reading of a lane. Not rounded up: a call that is not wholly paid for waits. A negative rest, overdrawn
   * by calls that could not wait, counts as none.
   */
  #readLane(lane: Lane): LaneReading {
    this.#refill();
    const { size, cost } = this.#rule;
    const reserve = this.#reserve(lane);
    const callsIn = (level: number): number => Math.max(0, Math.floor((level - reserve) / cost + ROUNDING));
    return { sizeCalls: callsIn(size), leftCalls: callsIn(this.#level), waitingCalls: this.#queues[lane].size };
  }

  #missing(lane: Lane): number {
    this.#refill();
    return this.#rule.cost + this.#reserve(lane) - this.#level;
  }

  /** Returns what a lane leaves in the bucket: never so much that a full bucket would not be enough for one call. */
  #reserve(lane: Lane): number {
    const { size, cost } = this.#rule;
    return Math.min(RESERVES[lane] * size, size - cost);
  }

  #refill(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#level = Math.min(this.#rule.size, this.#level + (nowMs - this.#atMs) * this.#rule.refillPerMs);
    this.#atMs = nowMs;
  }
}
