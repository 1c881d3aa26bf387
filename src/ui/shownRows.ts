import { rowText, type RowTree, type TooltipLine } from "../present/row.ts";

/** What the editor has asked for of a tree: rows that it never asked for need not be drawn again. */
export interface ShownRows {
  /** Rows that were asked for. */
  readonly ids: Iterable<string>;
  /** Rows that are open: what stands below them is on the screen, or would be after scrolling. */
  readonly open: ReadonlySet<string>;
  /** Which rows stood below a row, or on the first level, when they were asked for; undefined when they were not. */
  below(id: string | undefined): readonly string[] | undefined;
  has(id: string): boolean;
  /** Whether a row or its tooltip, as they are on the screen, read otherwise than they would now. */
  isOutdated(id: string): boolean;
  /** Whether rows below a row came, went or changed places since they were asked for. */
  isRearrangedBelow(id: string | undefined): boolean;
  /** The same anywhere on the screen. */
  isRearranged(): boolean;
  takeRow(id: string, text: string): void;
  takeTooltip(id: string, lines: readonly TooltipLine[]): void;
  takeBelow(id: string | undefined, ids: readonly string[]): void;
  setOpen(id: string, isOpen: boolean): void;
  /** The editor is about to ask for everything anew; what is open stays open. */
  clear(): void;
  forgetGone(): void;
}

export function createShownRows(rows: RowTree): ShownRows {
  return new Shown(rows);
}

class Shown implements ShownRows {
  readonly #rows: RowTree;
  /** How each row reads on the screen. */
  readonly #texts = new Map<string, string>();
  /** A tooltip is asked for once, and kept by the editor until its row is drawn anew. */
  readonly #tooltips = new Map<string, string>();
  readonly #below = new Map<string | undefined, readonly string[]>();
  readonly #open = new Set<string>();
  #sweepAtSize = SWEEP_STEP;

  constructor(rows: RowTree) {
    this.#rows = rows;
  }

  get ids(): Iterable<string> {
    return this.#texts.keys();
  }

  get open(): ReadonlySet<string> {
    return this.#open;
  }

  below(id: string | undefined): readonly string[] | undefined {
    return this.#below.get(id);
  }

  has(id: string): boolean {
    return this.#texts.has(id);
  }

  isOutdated(id: string): boolean {
    const text = this.#texts.get(id);
    if (text === undefined) return false;
    const row = this.#rows.row(id);
    if (row === undefined) return false;
    const tooltip = this.#tooltips.get(id);
    return rowText(row) !== text || (tooltip !== undefined && linesText(this.#rows.tooltip(id)) !== tooltip);
  }

  isRearrangedBelow(id: string | undefined): boolean {
    const before = this.#below.get(id);
    if (before === undefined) return false;
    const now = this.#rows.children(id);
    return now.length !== before.length || now.some((row, index) => row.id !== before[index]);
  }

  isRearranged(): boolean {
    return [...this.#below.keys()].some((id) => this.isRearrangedBelow(id));
  }

  takeRow(id: string, text: string): void {
    this.#texts.set(id, text);
    this.#tooltips.delete(id);
  }

  takeTooltip(id: string, lines: readonly TooltipLine[]): void {
    this.#tooltips.set(id, linesText(lines));
  }

  takeBelow(id: string | undefined, ids: readonly string[]): void {
    this.#below.set(id, ids);
    if (id !== undefined) this.#open.add(id);
  }

  setOpen(id: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(id);
    else this.#open.delete(id);
  }

  clear(): void {
    this.#texts.clear();
    this.#tooltips.clear();
    this.#below.clear();
  }

  forgetGone(): void {
    if (this.#texts.size < this.#sweepAtSize) return;
    for (const id of this.#texts.keys()) {
      if (this.#rows.row(id) !== undefined) continue;
      this.#texts.delete(id);
      this.#tooltips.delete(id);
      this.#below.delete(id);
      this.#open.delete(id);
    }
    this.#sweepAtSize = this.#texts.size + SWEEP_STEP;
  }
}

/** How many rows may be remembered beyond those that were there at the last look. */
const SWEEP_STEP = 2000;

function linesText(lines: readonly TooltipLine[]): string {
  return lines.map(({ name = "", value }) => `${name}\t${value}`).join("\n");
}
