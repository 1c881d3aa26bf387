import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";

/** The tree as VS Code shows it. */
interface DrawnTree {
  readonly clock: Clock;
  /** Whether VS Code shows the row and its text differs from the present one. */
  isOutdated(id: string): boolean;
  /** Whether VS Code shows rows below this one. */
  isOpen(id: string): boolean;
  /** Returns the number of rows below a row that VS Code asks for again when it draws this one. */
  rowsBelow(id: string): number;
  /** Returns the parent of a row; undefined at the top. */
  parentOf(id: string): string | undefined;
  /** Whether nothing may be drawn at the moment: VS Code still draws, or a box opens. */
  isHeld(): boolean;
  /** Draws the root, or these rows and those below them. */
  fire(what: "root" | readonly string[]): void;
}

/**
 * The interval of redraws, in ms. VS Code drops redraws that follow each other faster than 200 ms; a timer is never
 * early.
 */
const TICK_MS = 250;
/**
 * The maximum number of rows per redraw, which cost VS Code about a tenth of a core; the rest comes first at the next
 * one.
 */
const MAX_ROWS_PER_TICK = 200;
/**
 * The most rows below a row that is drawn as soon as its text changes. VS Code forgets all rows below until it has them
 * again, and a command on one of them would meanwhile not be told which it is.
 */
const MAX_ROWS_BELOW = 100;
/**
 * The pause after the first change of a group, in ms. Changes after a quiet time are shown at once; with more changes,
 * pauses grow.
 */
const FIRST_GROUP_PAUSE_MS = 1000;
const LONGEST_GROUP_PAUSE_MS = 5000;
/** The time that rows keep their places after user activity, in ms: time to read a tooltip and to aim. */
const HAND_STAYS_MS = 5000;
/** The time that the row under the pointer keeps its buttons and its tooltip, in ms: an older text must not stay. */
const HAND_ON_ROW_MS = 2000;
/** The longest time that continuous user activity holds back changes, in ms. */
const LONGEST_WAIT_MS = 60_000;

interface Pace {
  readonly atMs: number;
  readonly pauseMs: number;
}

/**
 * Decides when a tree tells VS Code which rows to draw again. A redraw takes the buttons and the tooltip of a row from
 * under the pointer. That of a group or the root takes those of every row below. Therefore single rows are preferred,
 * everything has a pace, and rows keep their places while the user is active in the view.
 */
export class TreeSchedule implements Disposable {
  readonly #tree: DrawnTree;
  /** The rows in the order in which they changed, so that none waits forever. */
  readonly #rows = new Set<string>();
  /** The times since when rows wait of which only figures may differ. */
  readonly #figures = new Map<string, number>();
  /** The times since when groups wait, with undefined for the first level. */
  readonly #groups = new Map<string | undefined, number>();
  readonly #wanted = new Set<string>();
  #isRootChanged = false;
  #isPaused = false;
  #isDisposed = false;
  #timer: Disposable | undefined;
  #lastTickMs = -Infinity;
  #rootFiredMs = -Infinity;
  /** The times at which each row and each group were drawn again, for as long as that matters. */
  readonly #firedMs = new Map<string, number>();
  readonly #paces = new Map<string | undefined, Pace>();
  #handUntilMs = -Infinity;
  #heldRow: { readonly id: string; readonly untilMs: number } | undefined;

  constructor(tree: DrawnTree) {
    this.#tree = tree;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Reports that the content of a row may have changed. */
  changeRow(id: string): void {
    this.#figures.delete(id);
    this.#rows.add(id);
    this.#arm();
  }

  /** Reports that figures of a row may have changed because time has passed or the market has moved. */
  changeFigures(id: string): void {
    if (this.#rows.has(id) || this.#figures.has(id) || !this.#tree.isOutdated(id)) return;
    this.#figures.set(id, this.#tree.clock.monotonicMs());
    this.#arm();
  }

  /** Reports that rows below this one, or on the first level, were added, removed or moved. */
  changeGroup(id: string | undefined): void {
    if (!this.#groups.has(id)) this.#groups.set(id, this.#tree.clock.monotonicMs());
    this.#arm();
  }

  /** Shows these rows now because the user wants to see them, wherever the pointer is. */
  showGroup(id: string): void {
    this.#wanted.add(id);
    this.changeGroup(id);
  }

  /** Reports that everything is to be drawn again. */
  changeRoot(): void {
    this.#isRootChanged = true;
    this.#arm();
  }

  /** Reports that the user is active in the view, and on which row if that is known. */
  noticeHand(id?: string): void {
    const nowMs = this.#tree.clock.monotonicMs();
    this.#handUntilMs = nowMs + HAND_STAYS_MS;
    if (id !== undefined) this.#heldRow = { id, untilMs: nowMs + HAND_ON_ROW_MS };
  }

  /** Reports that the user has finished with a row. */
  releaseRow(id: string): void {
    if (this.#heldRow?.id === id) this.#heldRow = undefined;
  }

  /** Holds back all redraws; `resume` then draws everything again. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.changeRoot();
  }

  /** Whether a row was drawn again, alone or with its group or the root, within the last `withinMs`. */
  wasFired(id: string, withinMs: number): boolean {
    const sinceMs = this.#tree.clock.monotonicMs() - withinMs;
    if (this.#rootFiredMs > sinceMs) return true;
    for (let each: string | undefined = id; each !== undefined; each = this.#tree.parentOf(each)) {
      if ((this.#firedMs.get(each) ?? -Infinity) > sinceMs) return true;
    }
    return false;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#rows.clear();
    this.#figures.clear();
    this.#groups.clear();
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#isPaused || this.#isDisposed) return;
    const nowMs = this.#tree.clock.monotonicMs();
    const delayMs = Math.max(0, this.#lastTickMs + TICK_MS - nowMs, this.#tree.isHeld() ? TICK_MS : 0);
    this.#timer = this.#tree.clock.after(delayMs, () => {
      this.#timer = undefined;
      if (this.#tree.isHeld()) this.#arm();
      else if (!this.#isPaused) this.#tick();
    });
  }

  #tick(): void {
    const nowMs = this.#tree.clock.monotonicMs();
    this.#lastTickMs = nowMs;
    this.#forgetBefore(nowMs - 2 * LONGEST_GROUP_PAUSE_MS);
    if (this.#isRootChanged || this.#isDue(undefined, nowMs)) {
      this.#fireRoot(nowMs);
      return;
    }
    this.#takeFigures(nowMs);
    const groups = this.#takeGroups(nowMs);
    const rows = this.#takeRows(nowMs, groups);
    for (const id of groups) this.#firedMs.set(id, nowMs);
    for (const id of rows) this.#firedMs.set(id, nowMs);
    if (groups.size + rows.length > 0) this.#tree.fire([...groups, ...rows]);
    if (this.#rows.size + this.#figures.size + this.#groups.size > 0) this.#arm();
  }

  #fireRoot(nowMs: number): void {
    this.#isRootChanged = false;
    this.#rows.clear();
    this.#figures.clear();
    this.#groups.clear();
    this.#wanted.clear();
    this.#heldRow = undefined;
    this.#setPace(undefined, nowMs);
    this.#rootFiredMs = nowMs;
    this.#tree.fire("root");
  }

  /** Whether added or removed rows may be shown now. A collapsed group counts as a row. */
  #isDue(id: string | undefined, nowMs: number): boolean {
    const sinceMs = this.#groups.get(id);
    if (sinceMs === undefined) return false;
    if (id !== undefined && (this.#wanted.has(id) || !this.#tree.isOpen(id))) return true;
    const pace = this.#paces.get(id);
    if (pace !== undefined && pace.atMs + pace.pauseMs > nowMs) return false;
    return nowMs >= this.#handUntilMs || nowMs - sinceMs >= LONGEST_WAIT_MS;
  }

  #setPace(id: string | undefined, nowMs: number): void {
    const before = this.#paces.get(id);
    const isQuiet = before === undefined || nowMs - before.atMs > 2 * before.pauseMs;
    this.#paces.set(id, {
      atMs: nowMs,
      pauseMs: isQuiet ? FIRST_GROUP_PAUSE_MS : Math.min(2 * before.pauseMs, LONGEST_GROUP_PAUSE_MS),
    });
  }

  #takeGroups(nowMs: number): ReadonlySet<string> {
    const due = [...this.#groups.keys()].filter((id) => id !== undefined && this.#isDue(id, nowMs)) as string[];
    for (const id of due) {
      if (this.#tree.isOpen(id)) this.#setPace(id, nowMs);
      this.#groups.delete(id);
      this.#wanted.delete(id);
    }
    const all = new Set(due);
    // A group inside another one that is drawn comes with it.
    return new Set(due.filter((id) => !this.#standsIn(this.#tree.parentOf(id), all)));
  }

  /** Takes the rows with other figures among those that are drawn, unless the user is active. */
  #takeFigures(nowMs: number): void {
    for (const [id, sinceMs] of this.#figures) {
      if (nowMs < this.#handUntilMs && nowMs - sinceMs < LONGEST_WAIT_MS) continue;
      this.#figures.delete(id);
      this.#rows.add(id);
    }
  }

  #takeRows(nowMs: number, groups: ReadonlySet<string>): string[] {
    const held = this.#heldRow !== undefined && nowMs < this.#heldRow.untilMs ? this.#heldRow.id : undefined;
    const taken: string[] = [];
    for (const id of this.#rows) {
      if (taken.length >= MAX_ROWS_PER_TICK) break;
      if (id === held) continue;
      this.#rows.delete(id);
      if (this.#standsIn(id, groups) || !this.#tree.isOutdated(id)) continue;
      if (this.#tree.rowsBelow(id) > MAX_ROWS_BELOW) this.changeGroup(id);
      else taken.push(id);
    }
    return taken;
  }

  #standsIn(id: string | undefined, groups: ReadonlySet<string>): boolean {
    if (groups.size === 0) return false;
    for (let each = id; each !== undefined; each = this.#tree.parentOf(each)) {
      if (groups.has(each)) return true;
    }
    return false;
  }

  #forgetBefore(beforeMs: number): void {
    for (const [id, firedMs] of this.#firedMs) {
      if (firedMs <= beforeMs) this.#firedMs.delete(id);
    }
    for (const [id, { atMs }] of this.#paces) {
      if (atMs <= beforeMs) this.#paces.delete(id);
    }
  }
}
