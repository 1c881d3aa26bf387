import type * as vscode from "vscode";
import { isObject } from "../../base/json.ts";
import type { FilterRules, ViewFilter } from "../../present/rows/viewFilter.ts";
import type { ViewName } from "../../base/viewNames.ts";

const KEY = "tradingRpc.savedFilters";
/** The maximum number of saved filters; the oldest is removed. */
const MAX_KEPT = 50;

export interface SavedFilter<F extends ViewFilter> {
  readonly name: string;
  readonly filter: F;
}

/**
 * The filters that the user has named, by view. They hold what was typed and chosen there, and nothing of an account.
 */
export interface SavedFilters {
  /** Returns the filters in the order in which they were saved, without those that this version does not understand. */
  of<F extends ViewFilter>(view: ViewName, rules: Pick<FilterRules<F>, "parse">): readonly SavedFilter<F>[];
  /** Saves a filter and replaces one of that name. */
  save<F extends ViewFilter>(view: ViewName, saved: SavedFilter<F>): Promise<void>;
  forget(view: ViewName, name: string): Promise<void>;
}

export function createSavedFilters(state: Pick<vscode.Memento, "get" | "update">): SavedFilters {
  const kept = (): Readonly<Record<string, unknown>> => {
    const value = state.get(KEY);
    return isObject(value) ? value : {};
  };
  const entries = (view: ViewName): readonly Entry[] => {
    const list = kept()[view];
    return Array.isArray(list) ? list.filter(isEntry) : [];
  };
  const put = async (view: ViewName, list: readonly Entry[]): Promise<void> =>
    await state.update(KEY, { ...kept(), [view]: list.slice(-MAX_KEPT) });
  const others = (view: ViewName, name: string): readonly Entry[] => entries(view).filter((each) => each.name !== name);
  return {
    of: (view, rules) =>
      entries(view).flatMap(({ name, filter }) => {
        const parsed = rules.parse(filter);
        return parsed === undefined ? [] : [{ name, filter: parsed }];
      }),
    save: async (view, saved) => await put(view, [...others(view, saved.name), saved]),
    forget: async (view, name) => await put(view, others(view, name)),
  };
}

interface Entry {
  readonly name: string;
  readonly filter: unknown;
}

function isEntry(value: unknown): value is Entry {
  return isObject(value) && typeof value["name"] === "string" && "filter" in value;
}
