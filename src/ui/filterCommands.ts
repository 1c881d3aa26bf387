import { VIEW_NAMES } from "../base/viewNames.ts";
import type { CommandId } from "../manifest/contributes.ts";
import type { ViewFilter } from "../present/rows/viewFilter.ts";
import type { Dialogs } from "./editor/dialogs.ts";
import type { Handler, Handlers } from "./editor/handler.ts";
import { pickFilter, type SavedFilters } from "./tree/filterPicks.ts";
import type { FilteredPane } from "./tree/viewFilters.ts";
import type { Panes } from "./views.ts";

/** Makes, for each view, the commands that filter it and that clear its filter. */
export function filterHandlers(panes: Panes, saved: SavedFilters, dialogs: Dialogs): Handlers {
  const handlers: Partial<Record<CommandId, Handler>> = {};
  for (const view of VIEW_NAMES) {
    // Of one view they are about the same filter, which a name that is not known before does not tell the compiler.
    const pane = panes[view] as unknown as FilteredPane<ViewFilter>;
    handlers[`tradingRpc.${view}.filter`] = async () => await pickFilter(view, pane, { saved, dialogs });
    handlers[`tradingRpc.${view}.clearFilter`] = () => pane.filter.set(pane.filter.rules.none);
  }
  return handlers;
}
