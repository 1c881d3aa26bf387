import { rowText, type Row, type RowTree, type TooltipLine } from "../../present/rows/row.ts";

/** The rows of a tree that VS Code has asked for: other rows need not be drawn again. */
export class ShownRows {
  readonly #rows: RowTree;
  /** The texts of rows on the screen. */
  readonly #texts = new Map<string, string>();
  /** The tooltips that VS Code has asked for. It keeps each one until its row is drawn again. */
  readonly #tooltips = new Map<string, string>();
  readonly #below = new Map<string | undefined, readonly string[]>();
  readonly #open = new Set<string>();
  /** The rows whose rows below VS Code was told to ask for again, and has not yet. */
  readonly #awaited = new Set<string>();
  /** The rows as VS Code last got them; next to them, those from before it was told to ask for everything again. */
  #given = new Map<string, Row>();
  #givenBefore: ReadonlyMap<string, Row> = new Map();
  #sweepAtSize = SWEEP_STEP;

  constructor(rows: RowTree) {
    this.#rows = rows;
  }

  /** The ids of the rows that were asked for. */
  get ids(): Iterable<string> {
    return this.#texts.keys();
  }

  /** The ids of expanded rows: the rows below them are on the screen, or would be after scrolling. */
  get open(): ReadonlySet<string> {
    return this.#open;
  }

  /** Returns the rows below a row, or on the first level, when VS Code last asked; undefined if it did not. */
  below(id: string | undefined): readonly string[] | undefined {
    return this.#below.get(id);
  }

  has(id: string): boolean {
    return this.#texts.has(id);
  }

  /**
   * Returns the row as it is, or its last state if it was removed. VS Code still asks for a removed row until the rows
   * around it are redrawn.
   */
  rowOf(id: string): Row | undefined {
    return this.#rows.row(id) ?? this.#given.get(id) ?? this.#givenBefore.get(id);
  }

  /** Whether a row or its tooltip differs on the screen from its present text. */
  isOutdated(id: string): boolean {
    const text = this.#texts.get(id);
    if (text === undefined) return false;
    const row = this.#rows.row(id);
    if (row === undefined) return false;
    const tooltip = this.#tooltips.get(id);
    return rowText(row) !== text || (tooltip !== undefined && linesText(this.#rows.tooltip(id)) !== tooltip);
  }

  /** Whether more than figures of a row differ from those on the screen: its label, its menu, or whether it opens. */
  isChanged(id: string): boolean {
    const [row, before] = [this.#rows.row(id), this.#given.get(id)];
    if (row === undefined || before === undefined) return false;
    return row.label !== before.label || row.contextValue !== before.contextValue || row.children !== before.children;
  }

  /** Whether rows below a row were added, removed or moved since VS Code asked for them. */
  isRearrangedBelow(id: string | undefined): boolean {
    const before = this.#below.get(id);
    if (before === undefined || (id !== undefined && this.#awaited.has(id))) return false;
    const now = this.#rows.children(id);
    return now.length !== before.length || now.some((row, index) => row.id !== before[index]);
  }

  /** The rows that are there and below which rows were added, removed or moved since VS Code asked for them. */
  get rearranged(): readonly string[] {
    return [...this.#below.keys()].filter(
      (id) => id !== undefined && this.#rows.row(id) !== undefined && this.isRearrangedBelow(id),
    ) as string[];
  }

  /** Called before VS Code is told to ask for the rows below these again: it asks when they are opened. */
  awaitBelow(ids: Iterable<string>): void {
    for (const id of ids) if (this.isRearrangedBelow(id)) this.#awaited.add(id);
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
    if (id !== undefined) this.#awaited.delete(id);
    for (const row of rows) this.#given.set(row.id, row);
    if (id !== undefined) this.#open.add(id);
  }

  setOpen(id: string, isOpen: boolean): void {
    if (isOpen) this.#open.add(id);
    else this.#open.delete(id);
  }

  /** Called before VS Code asks for everything again; expanded rows stay expanded. */
  clear(): void {
    this.#texts.clear();
    this.#tooltips.clear();
    this.#below.clear();
    this.#awaited.clear();
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
      this.#awaited.delete(id);
      this.#open.delete(id);
    }
    const placed = new Set([...this.#below.values()].flat());
    for (const id of this.#given.keys()) if (!placed.has(id)) this.#given.delete(id);
    this.#sweepAtSize = this.#texts.size + SWEEP_STEP;
  }
}

/** The number of rows that are remembered beyond those at the last cleanup. */
const SWEEP_STEP = 2000;

function linesText(lines: readonly TooltipLine[]): string {
  return lines.map(({ name = "", value }) => `${name}\t${value}`).join("\n");
}
