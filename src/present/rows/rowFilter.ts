import { withoutDigitSpaces } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { countText } from "../text/numbers.ts";
import type { Row, RowTree } from "./row.ts";
import { wordsOf, type ViewFilter } from "./viewFilter.ts";
import { joined } from "../text/joined.ts";

/** The rows of a view that have all words of its filter. */
export interface FilteredTree extends RowTree {
  /** Returns the number of objects in the rows, and of those that have these words. */
  counts(filter: ViewFilter): FilterCounts;
  /** The counts of the present filter; nothing is counted while it has no words. */
  readonly present: FilterCounts;
}

export interface FilterCounts {
  readonly shown: number;
  readonly all: number;
}

/**
 * Makes a tree without the rows that lack the words. They are searched in all that a row says, in the rows around it,
 * and in those below it, opened or not. VS Code's own search knows only the labels on the screen. An object stays
 * whole: rows that are a part of it come and go with it.
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
      return shown.every(({ contextValue }) => contextValue.endsWith(".kept")) ? [] : shown;
    },
    counts,
    get present() {
      return wordsOf(filter()).length === 0 ? { shown: 0, all: 0 } : counts(filter());
    },
  };
}

/** Returns a sentence that some rows are hidden; empty where none are. */
function hiddenText({ shown, all }: FilterCounts): Plain {
  return shown === all ? "" : l10n.t("The filter shows {0} of {1}.", countText(shown), countText(all));
}

/**
 * Returns the texts above the rows of a view, with what the words hide. If there is nothing else to say, the welcome
 * text says so, with a button that clears them. `isBare`: no row is left, so that VS Code shows it.
 */
export function filteredHeading<Content extends string>(
  { message, content, isBare }: { readonly message: Plain; readonly content: Content; readonly isBare: boolean },
  present: FilterCounts,
): { readonly message: Plain; readonly content: Content | "filtered" } {
  const isAllHidden = present.shown === 0 && present.all > 0;
  if (isAllHidden && isBare && message === "") return { message, content: "filtered" };
  return {
    message: joined([message, hiddenText(present)], " "),
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

  /** Returns the text around rows, and whether it has all the words already, so that nothing below it is left out. */
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

  /** Whether the row, with its parts, or anything below it has all the words. `around`: the text around it. */
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

/** Returns the texts of the objects in a row: its own, or those of the objects below it. */
function thingsIn(rows: RowTree, row: Row, around: string): readonly string[] {
  if (leadsOn(row)) return [];
  const text = `${around}\n${ownText(row)}`;
  const within = rows.children(row.id).filter((child) => !isPart(child, row));
  return within.length === 0 && !isConnection(row)
    ? [`${text}\n${partsText(rows, row)}`]
    : within.flatMap((child) => thingsIn(rows, child, text));
}

/** Whether a row shows more when it is pressed, or says what is kept, and is not an object itself. */
function leadsOn({ contextValue }: Row): boolean {
  return /\.(?:more|kept)$/.test(contextValue);
}

/** Whether a row is that of a connection, above its own objects. */
function isConnection({ contextValue }: Row): boolean {
  return /\.connection(?:\.|$)/.test(contextValue);
}

/** Whether a row describes the same object as the one that it stands in. */
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
  return withoutDigitSpaces(`${label}\n${description}\n${spoken}\n${copyText}`.toLowerCase());
}
