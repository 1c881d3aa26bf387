import * as l10n from "@vscode/l10n";
import { countText } from "../text/numbers.ts";
import type { Row, RowTree } from "./row.ts";
import { wordsOf, type ViewFilter } from "./viewFilter.ts";

/** The rows of a view that have all words of its filter. */
export interface FilteredTree extends RowTree {
  /** How many things there are in the rows, and in how many of them these words occur. */
  counts(filter: ViewFilter): FilterCounts;
  /** The counts of the present filter; nothing is counted while it has no words. */
  readonly present: FilterCounts;
}

export interface FilterCounts {
  readonly shown: number;
  readonly all: number;
}

/**
 * Leaves out what does not have the words. They are looked for in all that a row says, in the rows that it stands in,
 * and in those below it, opened or not: the editor's own search knows the labels of what is on the screen alone. A
 * thing stays whole: rows that are a part of it come and go with it.
 */
export function createFilteredTree(rows: RowTree, filter: () => ViewFilter): FilteredTree {
  const counts = (tried: ViewFilter): FilterCounts => {
    const words = wordsOf(tried);
    const things = rows.children(undefined).flatMap((row) => thingsIn(rows, row, ""));
    return { shown: things.filter((text) => words.every((word) => text.includes(word))).length, all: things.length };
  };
  return {
    row: (id) => rows.row(id),
    parentOf: (id) => rows.parentOf(id),
    tooltip: (id) => rows.tooltip(id),
    children(parentId) {
      const all = rows.children(parentId);
      const words = wordsOf(filter());
      if (words.length === 0 || all.length === 0) return all;
      const around = new Search(rows, words).around(parentId);
      if (around.hasAll) return all;
      const shown = all.filter((row) => isPart(row, around.parent) || around.search.hasHit(row, around.text));
      // What is kept of things says nothing where none of them is shown.
      return shown.every(isNote) ? [] : shown;
    },
    counts,
    get present() {
      return wordsOf(filter()).length === 0 ? { shown: 0, all: 0 } : counts(filter());
    },
  };
}

/** Says in a sentence that rows are hidden; empty where none are. */
export function hiddenText({ shown, all }: FilterCounts): string {
  return shown === all ? "" : l10n.t("The filter shows {0} of {1}.", countText(shown), countText(all));
}

/**
 * What stands above the rows of a view, with what the words hide. Where that is all there is, the welcome text says so,
 * with a button that clears them; `isBare`: no row is left, so that the editor shows it.
 */
export function filteredHeading<Content extends string>(
  { message, content, isBare }: { readonly message: string; readonly content: Content; readonly isBare: boolean },
  present: FilterCounts,
): { readonly message: string; readonly content: Content | "filtered" } {
  const isAllHidden = present.shown === 0 && present.all > 0;
  if (isAllHidden && isBare && message === "") return { message, content: "filtered" };
  return {
    message: [message, hiddenText(present)].filter((text) => text !== "").join(" "),
    content: isAllHidden ? "filtered" : content,
  };
}

class Search {
  readonly #rows: RowTree;
  readonly #words: readonly string[];

  constructor(rows: RowTree, words: readonly string[]) {
    this.#rows = rows;
    this.#words = words;
  }

  /** What rows stand in: whether that has all the words already, so that nothing below it is left out. */
  around(parentId: string | undefined): {
    readonly search: Search;
    readonly parent: Row | undefined;
    readonly text: string;
    readonly hasAll: boolean;
  } {
    const parents: Row[] = [];
    for (let id = parentId; id !== undefined; id = this.#rows.parentOf(id)) {
      const row = this.#rows.row(id);
      if (row !== undefined) parents.unshift(row);
    }
    const text = parents.map(ownText).join("\n");
    const parent = parents.at(-1);
    const whole = parent === undefined ? "" : `${text}\n${partsText(this.#rows, parent)}`;
    return { search: this, parent, text, hasAll: parent !== undefined && this.#has(whole) };
  }

  /** Whether the row, with its parts, or anything below it has all the words. `around`: what it stands in. */
  hasHit(row: Row, around: string): boolean {
    if (leadsOn(row)) return true;
    const text = `${around}\n${ownText(row)}`;
    if (this.#has(`${text}\n${partsText(this.#rows, row)}`)) return true;
    return this.#rows.children(row.id).some((child) => !isPart(child, row) && this.hasHit(child, text));
  }

  #has(text: string): boolean {
    return this.#words.every((word) => text.includes(word));
  }
}

/** The texts of the things in a row: its own, or those of the things that stand in it. */
function thingsIn(rows: RowTree, row: Row, around: string): readonly string[] {
  if (leadsOn(row)) return [];
  const text = `${around}\n${ownText(row)}`;
  const within = rows.children(row.id).filter((child) => !isPart(child, row));
  return within.length === 0 && !isConnection(row)
    ? [`${text}\n${partsText(rows, row)}`]
    : within.flatMap((child) => thingsIn(rows, child, text));
}

/** A row that shows more when it is pressed, or says what is kept, is no thing itself. */
function leadsOn({ contextValue }: Row): boolean {
  return /\.(?:more|kept)$/.test(contextValue);
}

function isNote({ contextValue }: Row): boolean {
  return /\.kept$/.test(contextValue);
}

/** The row of a connection above the things that are its own. */
function isConnection({ contextValue }: Row): boolean {
  return /\.connection(?:\.|$)/.test(contextValue);
}

/** Whether a row tells of the same thing as the one that it stands in. */
function isPart({ objectId }: Row, parent: Row | undefined): boolean {
  if (parent === undefined || isConnection(parent)) return false;
  return objectId === undefined || objectId === "" || objectId === parent.objectId;
}

function partsText(rows: RowTree, row: Row): string {
  return rows
    .children(row.id)
    .filter((child) => isPart(child, row))
    .map((child) => `${ownText(child)}\n${partsText(rows, child)}`)
    .join("\n");
}

function ownText({ label, description, spoken, copyText }: Row): string {
  return `${label}\n${description}\n${spoken}\n${copyText}`.toLowerCase();
}
