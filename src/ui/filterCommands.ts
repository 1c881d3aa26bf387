import * as l10n from "@vscode/l10n";
import type { ActivityFilter } from "../present/activity/activityFilter.ts";
import { mmpFilterProblem } from "../present/mmp/mmpFilter.ts";
import type { ViewFilter } from "../present/rows/viewFilter.ts";
import { blockTradesFilterChoices } from "./blockTrades/picks.ts";
import type { CommandId } from "../manifest/contributes.ts";
import type { Dialogs } from "./editor/dialogs.ts";
import type { Handler, Handlers } from "./editor/handler.ts";
import { pickFilter, type FilterChoice, type FilterSpec } from "./tree/filterPicks.ts";
import { mmpFilterChoices } from "./mmp/picks.ts";
import { orderFilterChoices } from "./orders/picks.ts";
import type { SavedFilters } from "./tree/savedFilters.ts";
import type { FilteredPane } from "./tree/viewFilters.ts";
import { VIEW_NAMES, type ViewName } from "../base/viewNames.ts";
import type { Panes } from "./views.ts";

/** Makes, for each view, the commands that filter it and that clear its filter. */
export function filterHandlers(panes: Panes, saved: SavedFilters, dialogs: Dialogs): Handlers {
  const handlers: Partial<Record<CommandId, Handler>> = {};
  for (const view of VIEW_NAMES) {
    // Of one view they are about the same filter, which a name that is not known before does not tell the compiler.
    const pane = panes[view] as unknown as FilteredPane<ViewFilter>;
    const spec = (): FilterSpec<ViewFilter> => ({ ...specs()[view], view }) as unknown as FilterSpec<ViewFilter>;
    handlers[`tradingRpc.${view}.filter`] = async () => await pickFilter({ pane, spec: spec(), saved, dialogs });
    handlers[`tradingRpc.${view}.clearFilter`] = () => pane.filter.set(pane.filter.rules.none);
  }
  return handlers;
}

type FilterOf<Pane> = Pane extends FilteredPane<infer F extends ViewFilter> ? F : never;

/** The texts and choices of the filter of each view. */
type FilterSpecs = { readonly [Name in ViewName]: Omit<FilterSpec<FilterOf<Panes[Name]>>, "view"> };

function specs(): FilterSpecs {
  return {
    connections: {
      title: l10n.t("Filter Connections"),
      placeholder: l10n.t("Filter by name, address, scope, or any other text of a connection"),
    },
    orders: {
      title: l10n.t("Filter Orders"),
      placeholder: l10n.t("Filter by instrument, label, or ID, including orders that are not shown yet"),
      choices: orderFilterChoices,
    },
    blockTrades: {
      title: l10n.t("Filter Block Trades"),
      placeholder: l10n.t("Filter the listed block trades by text (exchange filters are below)"),
      choices: blockTradesFilterChoices,
    },
    mmp: {
      title: l10n.t("Filter MMP"),
      placeholder: l10n.t("Filter the listed limits by text (exchange filters are below)"),
      choices: mmpFilterChoices,
      problemOf: ({ asked }) => mmpFilterProblem(asked),
    },
    quotes: {
      title: l10n.t("Filter Block RFQ Quotes"),
      placeholder: l10n.t("Filter by Block RFQ, quote, leg, label, or ID"),
    },
    apiKeys: {
      title: l10n.t("Filter API Keys"),
      placeholder: l10n.t("Filter by name, ID, scope, or address"),
    },
    activity: {
      title: l10n.t("Filter Activity"),
      placeholder: l10n.t("Filter by action, object, connection, or step, including older items"),
      choices: activityChoices,
    },
  };
}

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
