import { rowText, type Row, type RowTree, type TooltipLine } from "../../present/rows/row.ts";

/** What the editor has asked for of a tree: rows that it never asked for need not be drawn again. */
export interface ShownRows {
  /** Rows that were asked for. */
  readonly ids: Iterable<string>;
  /** Rows that are open: what stands below them is on the screen, or would be after scrolling. */
  readonly open: ReadonlySet<string>;
  /** Which rows stood below a row, or on the first level, when they were asked for; undefined when they were not. */
  below(id: string | undefined): readonly string[] | undefined;
  has(id: string): boolean;
  /**
   * Returns the row as it is, or as it was last when it has left. VS Code still asks for a row that has left until the
   * rows around it are redrawn.
   */
  rowOf(id: string): Row | undefined;
  /** Whether a row or its tooltip, as they are on the screen, read otherwise than they would now. */
  isOutdated(id: string): boolean;
  /** Whether rows below a row came, went or changed places since they were asked for. */
  isRearrangedBelow(id: string | undefined): boolean;
  /** The same anywhere on the screen. */
  isRearranged(): boolean;
  takeRow(row: Row): void;
  takeTooltip(id: string, lines: readonly TooltipLine[]): void;
  takeBelow(id: string | undefined, rows: readonly Row[]): void;
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
  /** Rows as VS Code was last given them, and those of before it was told to ask for everything again. */
  #given = new Map<string, Row>();
  #givenBefore: ReadonlyMap<string, Row> = new Map();
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

  rowOf(id: string): Row | undefined {
    return this.#rows.row(id) ?? this.#given.get(id) ?? this.#givenBefore.get(id);
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

  takeRow(row: Row): void {
    this.#texts.set(row.id, rowText(row));
    this.#tooltips.delete(row.id);
    this.#given.set(row.id, row);
  }

  takeTooltip(id: string, lines: readonly TooltipLine[]): void {
    this.#tooltips.set(id, linesText(lines));
  }

  takeBelow(id: string | undefined, rows: readonly Row[]): void {
    this.#below.set(
      id,
      rows.map((row) => row.id),
    );
    for (const row of rows) this.#given.set(row.id, row);
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
    this.#givenBefore = this.#given;
    this.#given = new Map();
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
    const placed = new Set([...this.#below.values()].flat());
    for (const id of this.#given.keys()) if (!placed.has(id)) this.#given.delete(id);
    this.#sweepAtSize = this.#texts.size + SWEEP_STEP;
  }
}

/** How many rows may be remembered beyond those that were there at the last look. */
const SWEEP_STEP = 2000;

function linesText(lines: readonly TooltipLine[]): string {
  return lines.map(({ name = "", value }) => `${name}\t${value}`).join("\n");
}
