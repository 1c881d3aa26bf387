import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";

/**
 * Decides when a tree tells the editor to draw what again. A group or the root drawn anew takes every row below from
 * under the pointer, so single rows are preferred, and everything has a pace.
 */
export interface TreeSchedule extends Disposable {
  /** The content of a row may have changed. */
  changeRow(id: string): void;
  /** Rows below this one, or on the first level, came, went or changed places. */
  changeGroup(id: string | undefined): void;
  /** Everything is to be drawn anew. */
  changeRoot(): void;
  /** While paused nothing is fired; `resume` then draws everything anew. */
  pause(): void;
  resume(): void;
  readonly isPaused: boolean;
  /** Whether a row was drawn anew, alone or with what it stands in, within the last `withinMs`. */
  wasFired(id: string, withinMs: number): boolean;
}

export interface TreeSchedulePorts {
  readonly clock: Clock;
  /** Whether the editor shows the row and its text differs from what it would read now. */
  isOutdated(id: string): boolean;
  /** The row that a row stands in; undefined at the top. */
  parentOf(id: string): string | undefined;
  /** Draws the root, or these rows and what stands below them. */
  fire(what: "root" | readonly string[]): void;
}

/** The editor drops fires that follow each other faster than 200 ms for as long as they do. */
const TICK_MS = 250;
const MAX_ROWS_PER_TICK = 200;
const ROW_PAUSE_MS = 1000;
const GROUP_PAUSE_MS = 1000;

export function createTreeSchedule(ports: TreeSchedulePorts): TreeSchedule {
  return new Schedule(ports);
}

class Schedule implements TreeSchedule {
  readonly #ports: TreeSchedulePorts;
  /** In the order in which they changed, so that none waits forever. */
  readonly #rows = new Set<string>();
  readonly #groups = new Set<string>();
  #isRootChanged = false;
  #isTopChanged = false;
  #isPaused = false;
  #isDisposed = false;
  #timer: Disposable | undefined;
  #lastTickMs = -Infinity;
  #rootFiredMs = -Infinity;
  /** When each row and each group was fired, for as long as that matters. */
  readonly #firedMs = new Map<string, number>();

  constructor(ports: TreeSchedulePorts) {
    this.#ports = ports;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  changeRow(id: string): void {
    this.#rows.add(id);
    this.#arm();
  }

  changeGroup(id: string | undefined): void {
    if (id === undefined) this.#isTopChanged = true;
    else this.#groups.add(id);
    this.#arm();
  }

  changeRoot(): void {
    this.#isRootChanged = true;
    this.#arm();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.changeRoot();
  }

  wasFired(id: string, withinMs: number): boolean {
    const sinceMs = this.#ports.clock.monotonicMs() - withinMs;
    if (this.#rootFiredMs > sinceMs) return true;
    for (let each: string | undefined = id; each !== undefined; each = this.#ports.parentOf(each)) {
      if ((this.#firedMs.get(each) ?? -Infinity) > sinceMs) return true;
    }
    return false;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#rows.clear();
    this.#groups.clear();
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#isPaused || this.#isDisposed) return;
    const delayMs = Math.max(0, this.#lastTickMs + TICK_MS - this.#ports.clock.monotonicMs());
    this.#timer = this.#ports.clock.after(delayMs, () => {
      this.#timer = undefined;
      if (!this.#isPaused) this.#tick();
    });
  }

  #tick(): void {
    const nowMs = this.#ports.clock.monotonicMs();
    this.#lastTickMs = nowMs;
    this.#forgetBefore(nowMs - Math.max(ROW_PAUSE_MS, GROUP_PAUSE_MS));
    if (this.#isRootChanged || (this.#isTopChanged && this.#rootFiredMs + GROUP_PAUSE_MS <= nowMs)) {
      this.#isRootChanged = false;
      this.#isTopChanged = false;
      this.#rows.clear();
      this.#groups.clear();
      this.#rootFiredMs = nowMs;
      this.#ports.fire("root");
      return;
    }
    const groups = this.#takeGroups(nowMs);
    const rows = this.#takeRows(nowMs, groups);
    for (const id of groups) this.#firedMs.set(id, nowMs);
    for (const id of rows) this.#firedMs.set(id, nowMs);
    if (groups.size + rows.length > 0) this.#ports.fire([...groups, ...rows]);
    if (this.#isTopChanged || this.#rows.size + this.#groups.size > 0) this.#arm();
  }

  #takeGroups(nowMs: number): ReadonlySet<string> {
    const due = [...this.#groups].filter((id) => (this.#firedMs.get(id) ?? -Infinity) + GROUP_PAUSE_MS <= nowMs);
    for (const id of due) this.#groups.delete(id);
    const all = new Set(due);
    // A group inside another one that is drawn comes with it.
    return new Set(due.filter((id) => !this.#standsIn(this.#ports.parentOf(id), all)));
  }

  #takeRows(nowMs: number, groups: ReadonlySet<string>): string[] {
    const taken: string[] = [];
    for (const id of this.#rows) {
      if (taken.length >= MAX_ROWS_PER_TICK) break;
      if ((this.#firedMs.get(id) ?? -Infinity) + ROW_PAUSE_MS > nowMs) continue;
      this.#rows.delete(id);
      if (!this.#standsIn(id, groups) && this.#ports.isOutdated(id)) taken.push(id);
    }
    return taken;
  }

  #standsIn(id: string | undefined, groups: ReadonlySet<string>): boolean {
    if (groups.size === 0) return false;
    for (let each = id; each !== undefined; each = this.#ports.parentOf(each)) {
      if (groups.has(each)) return true;
    }
    return false;
  }

  #forgetBefore(beforeMs: number): void {
    for (const [id, firedMs] of this.#firedMs) {
      if (firedMs <= beforeMs) this.#firedMs.delete(id);
    }
  }
}
