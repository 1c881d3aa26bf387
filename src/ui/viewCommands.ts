import * as vscode from "vscode";
import type { Ask } from "../actions/question.ts";
import type { Clock } from "../base/clock.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import type { Times } from "../present/text/times.ts";
import { createAccountCommands, type AccountCommands } from "./connections/account.ts";
import type { AnswerDocuments } from "./responses/answerDocuments.ts";
import { createApiKeyChanges, type ApiKeyChanges } from "./apiKeys/changes.ts";
import { createApiKeysCommands, type ApiKeysCommands } from "./apiKeys/commands.ts";
import type { ApiKeysPane } from "./apiKeys/view.ts";
import { createBlockTradesCommands, type BlockTradesCommands } from "./blockTrades/commands.ts";
import type { BlockTradesPane } from "./blockTrades/view.ts";
import type { BuiltInSimulator } from "./connections/builtInSimulator.ts";
import type { Handler } from "./editor/handler.ts";
import { filterHandlers, type FilteredPanes } from "./filterCommands.ts";
import { createLastTradesCommands, type LastTradesCommands } from "./trades/commands.ts";
import type { LiveConnections } from "../actions/liveConnections.ts";
import { createMmpCommands, type MmpCommands } from "./mmp/commands.ts";
import type { MmpPane } from "./mmp/view.ts";
import type { Notices } from "./editor/notices.ts";
import { createOrderCommands, type OrderCommands } from "./orders/commands.ts";
import type { OrdersPane } from "./orders/view.ts";
import { createQuotesCommands, type QuotesCommands } from "./quotes/commands.ts";
import type { QuotesPane } from "./quotes/view.ts";
import type { RecentInstruments } from "./trades/recentInstruments.ts";
import { createSavedFilters } from "./tree/savedFilters.ts";
import type { Screen } from "./tree/screen.ts";
import type { Settings } from "./editor/settings.ts";
import { simulatorHandlers } from "./connections/simulatorCommands.ts";

/** What is done with the rows of the views, loaded when it is done for the first time. */
export interface ViewCommands extends Disposable {
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly resetGroup: MmpCommands["resetGroup"];
}

export interface ViewCommandsPorts {
  readonly panes: {
    readonly orders: OrdersPane;
    readonly blockTrades: BlockTradesPane;
    readonly mmp: MmpPane;
    readonly quotes: QuotesPane;
    readonly apiKeys: ApiKeysPane;
  } & FilteredPanes;
  /** Where filters are saved. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
  readonly live: LiveConnections;
  readonly answers: AnswerDocuments;
  readonly notices: Notices;
  readonly settings: Settings;
  readonly recent: RecentInstruments;
  readonly screen: Screen;
  readonly extensionUri: vscode.Uri;
  /** Puts one question at a time. */
  readonly ask: Ask;
  readonly clock: Clock;
  readonly times: Times;
  /** Runs a command. */
  readonly run: (command: string) => void;
  /** Sets a context key of ours, for `when` clauses. */
  readonly setContext: (name: string, value: unknown) => void;
  readonly simulator: Pick<BuiltInSimulator, "control">;
}

export function createViewCommands(ports: ViewCommandsPorts): ViewCommands {
  const { panes } = ports;
  const disposables = new DisposableList();
  const mmp = createMmpCommands({ ...ports, pane: panes.mmp });
  const trades = disposables.add(createLastTradesCommands({ ...ports, orders: panes.orders }));
  return {
    handlers: {
      ...accountHandlers(createAccountCommands(ports)),
      ...orderHandlers(createOrderCommands({ ...ports, pane: panes.orders }), panes.orders),
      ...titleHandlers(),
      ...filterHandlers(panes, createSavedFilters(ports.state)),
      ...blockTradesHandlers(createBlockTradesCommands({ ...ports, pane: panes.blockTrades })),
      ...apiKeyHandlers(
        createApiKeysCommands({ ...ports, pane: panes.apiKeys }),
        createApiKeyChanges({ ...ports, pane: panes.apiKeys }),
      ),
      ...tradesHandlers(trades),
      ...mmpHandlers(mmp),
      ...quotesHandlers(createQuotesCommands({ ...ports, pane: panes.quotes })),
      ...simulatorHandlers(ports.simulator),
    },
    resetGroup: async (...args) => await mmp.resetGroup(...args),
    dispose: () => disposables.dispose(),
  };
}

function orderHandlers(orders: OrderCommands, pane: OrdersPane): Readonly<Record<string, Handler>> {
  return {
    "tradingRpc.orders.cancel": async (...args) => await orders.cancel(args),
    "tradingRpc.orders.cancelSelected": async (...args) => await orders.cancelSelected(args),
    "tradingRpc.orders.cancelRow": async (row) => await orders.cancelRow(row),
    "tradingRpc.orders.cancelAll": async (...args) => await orders.cancelAll(args),
    "tradingRpc.orders.cancelGroup": async (...args) => await orders.cancelGroup(args),
    "tradingRpc.orders.stopCancelling": () => orders.stopCancelling(),
    "tradingRpc.orders.refresh": async () => await orders.refresh(),
    "tradingRpc.orders.groupBy": async () => await orders.groupBy(),
    "tradingRpc.orders.sortBy": async () => await orders.sortBy(),
    "tradingRpc.orders.pause": () => pane.pause(),
    "tradingRpc.orders.resume": () => pane.resume(),
    "tradingRpc.orders.loadMore": (row) => {
      if (typeof row === "string") pane.showMore(row);
    },
    "tradingRpc.orders.open": async (...args) => await orders.open(args),
    "tradingRpc.orders.copyId": async (...args) => await orders.copyId(args),
    "tradingRpc.orders.copyJson": async (...args) => await orders.copyJson(args),
  };
}

function blockTradesHandlers(blockTrades: BlockTradesCommands): Readonly<Record<string, Handler>> {
  return {
    "tradingRpc.blockTrades.refresh": async () => await blockTrades.refresh(),
    "tradingRpc.blockTrades.loadMore": async (row) => await blockTrades.loadMore(row),
    "tradingRpc.blockTrades.fetch": async () => await blockTrades.fetchById(),
    "tradingRpc.blockTrades.open": async (...args) => await blockTrades.open(args),
    "tradingRpc.blockTrades.copyId": async (...args) => await blockTrades.copyId(args),
    "tradingRpc.blockTrades.copyJson": async (...args) => await blockTrades.copyJson(args),
  };
}

/**
 * To an action in the title of a view the editor hands out the row that has the focus, which nobody meant there: the
 * same words stand in the palette, and do the same there.
 */
function titleHandlers(): Readonly<Record<string, Handler>> {
  const asFromPalette =
    (command: string): Handler =>
    async () =>
      await vscode.commands.executeCommand(command);
  return {
    "tradingRpc.account.switchFromTitle": asFromPalette("tradingRpc.account.switch"),
    "tradingRpc.account.backFromTitle": asFromPalette("tradingRpc.account.back"),
    "tradingRpc.orders.cancelFromTitle": asFromPalette("tradingRpc.orders.cancel"),
    "tradingRpc.orders.cancelSelectedFromTitle": asFromPalette("tradingRpc.orders.cancelSelected"),
    "tradingRpc.orders.cancelGroupFromTitle": asFromPalette("tradingRpc.orders.cancelGroup"),
    "tradingRpc.orders.cancelAllFromTitle": asFromPalette("tradingRpc.orders.cancelAll"),
    "tradingRpc.mmp.resetFromTitle": asFromPalette("tradingRpc.mmp.reset"),
    "tradingRpc.mmp.setLimitsFromTitle": asFromPalette("tradingRpc.mmp.setLimits"),
    "tradingRpc.quotes.cancelFromTitle": asFromPalette("tradingRpc.quotes.cancel"),
    "tradingRpc.quotes.cancelAllFromTitle": asFromPalette("tradingRpc.quotes.cancelAll"),
  };
}

function accountHandlers(account: AccountCommands): Readonly<Record<string, Handler>> {
  return {
    "tradingRpc.account.switch": async (...args) => await account.switchAccount(args),
    "tradingRpc.account.back": async (...args) => await account.back(args),
  };
}

function apiKeyHandlers(apiKeys: ApiKeysCommands, changes: ApiKeyChanges): Readonly<Record<string, Handler>> {
  return {
    "tradingRpc.apiKeys.refresh": async () => await apiKeys.refresh(),
    "tradingRpc.apiKeys.open": async (...args) => await apiKeys.open(args),
    "tradingRpc.apiKeys.copyClientId": async (...args) => await apiKeys.copyClientId(args),
    "tradingRpc.apiKeys.copyJson": async (...args) => await apiKeys.copyJson(args),
    "tradingRpc.apiKeys.addKnownId": async () => await apiKeys.addKnownId(),
    "tradingRpc.apiKeys.removeKnownId": async (...args) => await apiKeys.removeKnownId(args),
    "tradingRpc.apiKeys.edit": async (...args) => await changes.edit(args),
    "tradingRpc.apiKeys.editRow": async (row) => await changes.edit([row]),
    "tradingRpc.apiKeys.changeScope": async (...args) => await changes.changeScope(args),
    "tradingRpc.apiKeys.enable": async (...args) => await changes.enable(args),
    "tradingRpc.apiKeys.disable": async (...args) => await changes.disable(args),
  };
}

function tradesHandlers(trades: LastTradesCommands): Readonly<Record<string, Handler>> {
  return {
    "tradingRpc.trades.show": async (...args) => await trades.show(args),
    "tradingRpc.trades.showWithParameters": async (...args) => await trades.showWithParameters(args),
  };
}

function mmpHandlers(mmp: MmpCommands): Readonly<Record<string, Handler>> {
  return {
    "tradingRpc.mmp.refresh": async () => await mmp.refresh(),
    "tradingRpc.mmp.reset": async (...args) => await mmp.reset(args),
    "tradingRpc.mmp.setLimits": async (...args) => await mmp.setLimits(args),
    "tradingRpc.mmp.open": async (...args) => await mmp.open(args),
    "tradingRpc.mmp.copyJson": async (...args) => await mmp.copyJson(args),
  };
}

function quotesHandlers(quotes: QuotesCommands): Readonly<Record<string, Handler>> {
  return {
    "tradingRpc.quotes.refresh": async () => await quotes.refresh(),
    "tradingRpc.quotes.open": async (...args) => await quotes.open(args),
    "tradingRpc.quotes.copyId": async (...args) => await quotes.copyId(args),
    "tradingRpc.quotes.copyJson": async (...args) => await quotes.copyJson(args),
    "tradingRpc.quotes.cancel": async (...args) => await quotes.cancel(args),
    "tradingRpc.quotes.cancelSelected": async (...args) => await quotes.cancelSelected(args),
    "tradingRpc.quotes.cancelRow": async (row) => await quotes.cancelRow(row),
    "tradingRpc.quotes.cancelAll": async (...args) => await quotes.cancelAll(args),
    "tradingRpc.quotes.cancelRfq": async (...args) => await quotes.cancelRfq(args),
  };
}
