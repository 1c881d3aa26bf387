import type { ActivityFilter } from "../present/activity/activityFilter.ts";
import { mmpFilterProblem } from "../present/mmp/mmpFilter.ts";
import type { ViewFilter } from "../present/rows/viewFilter.ts";
import { blockTradesFilterChoices } from "./blockTrades/picks.ts";
import type { CommandId } from "../manifest/contributes.ts";
import type { Dialogs } from "./editor/dialogs.ts";
import type { Handler, Handlers } from "./editor/handler.ts";
import { pickFilter, type FilterChoice, type FilterSpec, type SavedFilters } from "./tree/filterPicks.ts";
import { mmpFilterChoices } from "./mmp/picks.ts";
import { orderFilterChoices } from "./orders/picks.ts";
import type { FilteredPane } from "./tree/viewFilters.ts";
import * as l10n from "../base/l10n.ts";
import { VIEW_NAMES, type ViewName } from "../base/viewNames.ts";
import type { Panes } from "./views.ts";

/** Makes, for each view, the commands that filter it and that clear its filter. */
export function filterHandlers(panes: Panes, saved: SavedFilters, dialogs: Dialogs): Handlers {
  const handlers: Partial<Record<CommandId, Handler>> = {};
  for (const view of VIEW_NAMES) {
    // Of one view they are about the same filter, which a name that is not known before does not tell the compiler.
    const pane = panes[view] as unknown as FilteredPane<ViewFilter>;
    const choices = CHOICES[view] as Pick<FilterSpec<ViewFilter>, "choices" | "problemOf"> | undefined;
    handlers[`tradingRpc.${view}.filter`] = async () =>
      await pickFilter({ pane, spec: { view, ...pane.filter.words(), ...choices }, saved, dialogs });
    handlers[`tradingRpc.${view}.clearFilter`] = () => pane.filter.set(pane.filter.rules.none);
  }
  return handlers;
}

type FilterOf<Pane> = Pane extends FilteredPane<infer F extends ViewFilter> ? F : never;

/** What the filters offer beyond words, for the views whose filters do. */
const CHOICES: { readonly [Name in ViewName]?: Pick<FilterSpec<FilterOf<Panes[Name]>>, "choices" | "problemOf"> } = {
  orders: { choices: orderFilterChoices },
  blockTrades: { choices: blockTradesFilterChoices },
  mmp: { choices: mmpFilterChoices, problemOf: ({ asked }) => mmpFilterProblem(asked) },
  activity: { choices: activityChoices },
};

function activityChoices({ isUnresolvedOnly }: ActivityFilter): readonly FilterChoice<ActivityFilter>[] {
  return [
    {
      group: l10n.t("Outcome"),
      label: l10n.t("Unknown Outcomes Only"),
      description: l10n.t("outcome"),
      isOn: isUnresolvedOnly,
      next: (filter) => ({ ...filter, isUnresolvedOnly: !filter.isUnresolvedOnly }),
    },
  ];
}
