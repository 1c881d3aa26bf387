import { createEmitter, type Event } from "../../base/emitter.ts";
import type { Plain } from "../../base/plain.ts";
import type { FilterCounts } from "../../present/rows/rowFilter.ts";
import { filterNote, type FilterRules, type ViewFilter } from "../../present/rows/viewFilter.ts";
import type { ViewName } from "../../base/viewNames.ts";
import type { SetContext } from "../editor/contextKeys.ts";

/** The words of the list in which the user enters a filter. */
export interface FilterWords {
  readonly title: Plain;
  /** The hint about what the words are searched in. */
  readonly placeholder: Plain;
}

/** The filter of a view, for as long as the window lives. */
export interface PaneFilter<F extends ViewFilter> {
  readonly rules: FilterRules<F>;
  readonly words: () => FilterWords;
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
  rules: FilterRules<F>,
  setContext: SetContext,
  words: () => FilterWords,
): PaneFilter<F> {
  const changes = createEmitter<F>();
  let value = rules.none;
  setContext(`${name}.isFiltered`, false);
  return {
    rules,
    words,
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
