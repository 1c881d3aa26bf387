import * as l10n from "@vscode/l10n";
import type { ActivityFilter } from "../present/activity/activityFilter.ts";
import type { BlockTradesViewFilter } from "../present/blockTrades/blockTradesFilter.ts";
import { mmpFilterProblem, type MmpViewFilter } from "../present/mmp/mmpFilter.ts";
import type { OrdersFilter } from "../present/orders/ordersFilter.ts";
import type { ViewFilter } from "../present/rows/viewFilter.ts";
import { blockTradesFilterChoices } from "./blockTrades/picks.ts";
import type { Handler } from "./editor/handler.ts";
import { pickFilter, type FilterChoice, type FilterSpec } from "./tree/filterPicks.ts";
import { mmpFilterChoices } from "./mmp/picks.ts";
import { orderFilterChoices } from "./orders/picks.ts";
import type { SavedFilters } from "./tree/savedFilters.ts";
import type { FilteredPane } from "./tree/viewFilters.ts";

/** Every view with its filter. */
export interface FilteredPanes {
  readonly connections: FilteredPane<ViewFilter>;
  readonly orders: FilteredPane<OrdersFilter>;
  readonly blockTrades: FilteredPane<BlockTradesViewFilter>;
  readonly mmp: FilteredPane<MmpViewFilter>;
  readonly quotes: FilteredPane<ViewFilter>;
  readonly apiKeys: FilteredPane<ViewFilter>;
  readonly activity: FilteredPane<ActivityFilter>;
}

/** The commands that choose what a view shows, and those that show all of it again. */
export function filterHandlers(panes: FilteredPanes, saved: SavedFilters): Readonly<Record<string, Handler>> {
  const ask =
    <F extends ViewFilter>(pane: FilteredPane<F>, spec: () => FilterSpec<F>): Handler =>
    async () =>
      await pickFilter({ pane, spec: spec(), saved });
  const clear =
    <F extends ViewFilter>({ filter }: FilteredPane<F>): Handler =>
    () =>
      filter.set(filter.rules.none);
  return {
    "tradingRpc.connections.filter": ask(panes.connections, () => ({
      view: "connections",
      title: l10n.t("Filter Connections"),
      placeholder: l10n.t("Words of names, addresses, scopes and all else that a connection tells"),
    })),
    "tradingRpc.connections.clearFilter": clear(panes.connections),
    "tradingRpc.orders.filter": ask(panes.orders, () => ({
      view: "orders",
      title: l10n.t("Filter Orders"),
      placeholder: l10n.t("Words of instrument, label or id; also of orders that are not shown yet"),
      choices: orderFilterChoices,
    })),
    "tradingRpc.orders.clearFilter": clear(panes.orders),
    "tradingRpc.blockTrades.filter": ask(panes.blockTrades, () => ({
      view: "blockTrades",
      title: l10n.t("Filter Block Trades"),
      placeholder: l10n.t("Words in the block trades that are listed; what stands below the exchange filters"),
      choices: blockTradesFilterChoices,
    })),
    "tradingRpc.blockTrades.clearFilter": clear(panes.blockTrades),
    "tradingRpc.mmp.filter": ask(panes.mmp, () => ({
      view: "mmp",
      title: l10n.t("Filter MMP"),
      placeholder: l10n.t("Words in the limits that are listed; what stands below the exchange filters"),
      choices: mmpFilterChoices,
      problemOf: ({ asked }) => mmpFilterProblem(asked),
    })),
    "tradingRpc.mmp.clearFilter": clear(panes.mmp),
    "tradingRpc.quotes.filter": ask(panes.quotes, () => ({
      view: "quotes",
      title: l10n.t("Filter Block RFQ Quotes"),
      placeholder: l10n.t("Words of Block RFQs, quotes, legs, labels or ids"),
    })),
    "tradingRpc.quotes.clearFilter": clear(panes.quotes),
    "tradingRpc.apiKeys.filter": ask(panes.apiKeys, () => ({
      view: "apiKeys",
      title: l10n.t("Filter API Keys"),
      placeholder: l10n.t("Words of names, ids, scopes or addresses"),
    })),
    "tradingRpc.apiKeys.clearFilter": clear(panes.apiKeys),
    "tradingRpc.activity.filter": ask(panes.activity, () => ({
      view: "activity",
      title: l10n.t("Filter Activity"),
      placeholder: l10n.t("Words of what was done, to what, where, and of its steps; also of older entries"),
      choices: activityChoices,
    })),
    "tradingRpc.activity.clearFilter": clear(panes.activity),
  };
}

function activityChoices({ isUnresolvedOnly }: ActivityFilter): readonly FilterChoice<ActivityFilter>[] {
  return [
    {
      group: l10n.t("Outcome"),
      label: l10n.t("Only Unknown Outcomes"),
      description: l10n.t("outcome"),
      isOn: isUnresolvedOnly,
      next: (filter) => ({ ...filter, isUnresolvedOnly: !filter.isUnresolvedOnly }),
    },
  ];
}
