import { createEmitter, type Event } from "../../base/emitter.ts";
import type { FilterCounts } from "../../present/rows/rowFilter.ts";
import { filterNote, type FilterRules, type ViewFilter } from "../../present/rows/viewFilter.ts";
import type { ViewName } from "../../base/viewNames.ts";
import type { SetContext } from "../editor/contextKeys.ts";

/** The filter of a view, for as long as the window lives. */
export interface PaneFilter<F extends ViewFilter> {
  readonly rules: FilterRules<F>;
  readonly value: F;
  /** What stands of it beside the title of the view; empty while it hides nothing. */
  readonly note: string;
  set(filter: F): void;
  readonly onDidChange: Event<F>;
}

/** A view whose rows a person can filter. */
export interface FilteredPane<F extends ViewFilter> {
  readonly filter: PaneFilter<F>;
  /**
   * How many of the things that are listed it would show; undefined where another list would have to be read for it.
   */
  counts(filter: F): FilterCounts | undefined;
}

/** Keeps the context key `<name>.isFiltered`. */
export function createPaneFilter<F extends ViewFilter>(
  name: ViewName,
  rules: FilterRules<F>,
  setContext: SetContext,
): PaneFilter<F> {
  const changes = createEmitter<F>();
  let value = rules.none;
  setContext(`${name}.isFiltered`, false);
  return {
    rules,
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
