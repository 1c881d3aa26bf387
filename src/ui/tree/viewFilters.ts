import { createEmitter, type Event } from "../../base/emitter.ts";
import type { Plain } from "../../base/plain.ts";
import type { FilterCounts } from "../../present/rows/rowFilter.ts";
import { filterNote, type FilterRules, type ViewFilter } from "../../present/rows/viewFilter.ts";
import type { ViewName } from "../../base/viewNames.ts";
import type { SetContext } from "../editor/contextKeys.ts";
import type { Dialogs } from "../editor/dialogs.ts";

/** The words of the list in which the user enters a filter. */
export interface FilterWords {
  readonly title: Plain;
  /** The hint about what the words are searched in. */
  readonly placeholder: Plain;
}

/** The rules and words of the filter of a view, and what it offers beyond words and saved filters. */
export interface FilterSpec<F extends ViewFilter> {
  readonly rules: FilterRules<F>;
  readonly words: () => FilterWords;
  readonly choices?: (filter: F) => readonly FilterChoice<F>[];
  /** Returns a sentence about why a filter cannot be applied; undefined if it can. */
  readonly problemOf?: (filter: F) => Plain | undefined;
}

/** A choice in the list of a filter. */
export interface FilterChoice<F extends ViewFilter> {
  /** The heading above the choice. */
  readonly group: Plain;
  readonly label: Plain;
  readonly description: Plain;
  /** Whether the choice is on, if it can be on or off. */
  readonly isOn?: boolean;
  /** Returns the filter with the choice; if it has to ask for a value, the list closes in the meantime. */
  readonly next: ((filter: F) => F) | { readonly ask: (filter: F, dialogs: Dialogs) => Promise<F> };
}

/** The filter of a view, for as long as the window lives. */
export interface PaneFilter<F extends ViewFilter> extends FilterSpec<F> {
  readonly value: F;
  /** The text about the filter beside the title of the view; empty while it hides nothing. */
  readonly note: Plain;
  set(filter: F): void;
  readonly onDidChange: Event<F>;
}

/** A view whose rows the user can filter. */
export interface FilteredPane<F extends ViewFilter> {
  readonly filter: PaneFilter<F>;
  /** Counts the listed items that a filter would show; undefined if another list would have to be read for it. */
  counts(filter: F): FilterCounts | undefined;
}

/** Makes the filter of a view and keeps the context key `<name>.isFiltered`. */
export function createPaneFilter<F extends ViewFilter>(
  name: ViewName,
  spec: FilterSpec<F>,
  setContext: SetContext,
): PaneFilter<F> {
  const { rules } = spec;
  const changes = createEmitter<F>();
  let value = rules.none;
  setContext(`${name}.isFiltered`, false);
  return {
    ...spec,
    get value() {
      return value;
    },
    get note() {
      return filterNote(rules.parts(value));
    },
    set(next) {
      value = next;
      setContext(`${name}.isFiltered`, rules.parts(next).length > 0);
      changes.fire(next);
    },
    onDidChange: changes.event,
  };
}
