import * as vscode from "vscode";
import { CallError } from "../base/failure.ts";
import type { AccountCommands } from "./accountCommands.ts";
import type { ActivityCommands } from "./activityCommands.ts";
import type { ActivityPane } from "./activityView.ts";
import { NO_FILTER } from "../present/ordersFilter.ts";
import type { Row } from "../present/row.ts";
import { SIMULATOR_ID } from "../state/records.ts";
import type { ApiKeyChanges } from "./apiKeyChanges.ts";
import type { ApiKeysCommands } from "./apiKeysCommands.ts";
import type { BlockTradesCommands } from "./blockTradesCommands.ts";
import type { CommandScopes } from "./commandScopes.ts";
import type { ConnectionCommands } from "./connectionCommands.ts";
import type { MmpCommands } from "./mmpCommands.ts";
import type { LastTradesCommands } from "./lastTradesCommands.ts";
import type { Notices } from "./notices.ts";
import type { OrderCommands } from "./orderCommands.ts";
import type { OrdersPane } from "./ordersView.ts";
import type { QuotesCommands } from "./quotesCommands.ts";
import type { Requests } from "./requests.ts";
import type { NewRequests } from "./newRequests.ts";
import { openExamples } from "./requestFiles.ts";

/** What the commands of the manifest act on. */
export interface CommandPorts {
  readonly activity: ActivityCommands;
  readonly activityPane: ActivityPane;
  readonly connections: ConnectionCommands;
  readonly account: AccountCommands;
  readonly orders: OrderCommands;
  readonly blockTrades: BlockTradesCommands;
  readonly mmp: MmpCommands;
  readonly quotes: QuotesCommands;
  readonly apiKeys: ApiKeysCommands;
  readonly apiKeyChanges: ApiKeyChanges;
  readonly trades: LastTradesCommands;
  readonly pane: OrdersPane;
  readonly requests: Pick<Requests, "handlers">;
  readonly newRequests: NewRequests;
  readonly notices: Notices;
  readonly extensionUri: vscode.Uri;
  readonly showLog: () => void;
  /** A row of any of our views. */
  readonly row: (id: string) => Row | undefined;
}

/** What the editor hands out: nothing from the palette; a row, perhaps with the selection, from a view. */
type Handler = (...args: readonly unknown[]) => unknown;

/** Every command of the manifest with what it does. Nothing is handed back to whoever runs it. */
export function createCommands(ports: CommandPorts): Readonly<Record<string, Handler>> {
  const { activity, activityPane, connections, orders, blockTrades, pane } = ports;
  return {
    "tradingRpc.connect": async (target) => await connections.connect(target),
    "tradingRpc.useConnection": async (target) => await connections.connect(target),
    "tradingRpc.startSimulator": async () => await connections.connect(SIMULATOR_ID),
    "tradingRpc.disconnect": async (target) => await connections.disconnect(target),
    "tradingRpc.addConnection": async () => await connections.add(),
    "tradingRpc.editConnection": async (target) => await connections.edit(target),
    "tradingRpc.forgetConnection": async (target) => await connections.forget(target),
    "tradingRpc.allowChanges": async (target) => await connections.allowChanges(target),
    "tradingRpc.readOnly": async (target) => await connections.makeReadOnly(target),
    ...accountHandlers(ports.account),
    "tradingRpc.showActions": async () => await connections.showActions(),
    "tradingRpc.orders.cancel": async (...args) => await orders.cancel(args),
    "tradingRpc.orders.cancelRow": async (row) => await orders.cancelRow(row),
    "tradingRpc.orders.cancelAll": async (...args) => await orders.cancelAll(args),
    "tradingRpc.orders.cancelGroup": async (...args) => await orders.cancelGroup(args),
    ...titleHandlers(),
    "tradingRpc.orders.stopCancelling": () => orders.stopCancelling(),
    "tradingRpc.orders.refresh": async () => await orders.refresh(),
    "tradingRpc.orders.groupBy": async () => await orders.groupBy(),
    "tradingRpc.orders.filter": async () => await orders.filter(),
    "tradingRpc.orders.clearFilter": () => pane.setFilter(NO_FILTER),
    "tradingRpc.orders.pause": () => pane.pause(),
    "tradingRpc.orders.resume": () => pane.resume(),
    "tradingRpc.orders.loadMore": (row) => { if (typeof row === "string") pane.showMore(row); },
    "tradingRpc.orders.open": async (...args) => await orders.open(args),
    "tradingRpc.orders.copyId": async (...args) => await orders.copyId(args),
    "tradingRpc.orders.copyJson": async (...args) => await orders.copyJson(args),
    "tradingRpc.blockTrades.refresh": async () => await blockTrades.refresh(),
    "tradingRpc.blockTrades.filter": async () => await blockTrades.filter(),
    "tradingRpc.blockTrades.clearFilter": () => blockTrades.clearFilter(),
    "tradingRpc.blockTrades.loadMore": async (row) => await blockTrades.loadMore(row),
    "tradingRpc.blockTrades.fetch": async () => await blockTrades.fetchById(),
    "tradingRpc.blockTrades.open": async (...args) => await blockTrades.open(args),
    "tradingRpc.blockTrades.copyId": async (...args) => await blockTrades.copyId(args),
    "tradingRpc.blockTrades.copyJson": async (...args) => await blockTrades.copyJson(args),
    ...apiKeyHandlers(ports.apiKeys, ports.apiKeyChanges),
    ...tradesHandlers(ports.trades),
    "tradingRpc.activity.open": async (...args) => await activity.open(args),
    "tradingRpc.activity.checkAgain": async (...args) => await activity.checkAgain(args),
    "tradingRpc.activity.copy": async (...args) => await activity.copy(args),
    "tradingRpc.activity.export": async () => await activity.exportAll(),
    "tradingRpc.activity.setAside": async (...args) => await activity.setAside(args),
    "tradingRpc.activity.refresh": async () => await activity.refresh(),
    "tradingRpc.activity.showUnresolved": () => activityPane.showUnresolvedOnly(true),
    "tradingRpc.activity.showAll": () => activityPane.showUnresolvedOnly(false),
    "tradingRpc.activity.showMore": () => activityPane.showMore(),
    ...mmpHandlers(ports.mmp),
    ...quotesHandlers(ports.quotes),
    "tradingRpc.copyValue": async (row) => await copyValue(row, ports),
    ...ports.requests.handlers,
    ...newRequestHandlers(ports.newRequests),
    "tradingRpc.openExamples": async () => await openExamples(ports.extensionUri),
    "tradingRpc.showLog": () => ports.showLog(),
  };
}

/**
 * To an action in the title of a view the editor hands out the row that has the focus, which nobody meant there: the
 * same words stand in the palette, and do the same there.
 */
function titleHandlers(): Readonly<Record<string, Handler>> {
  const asFromPalette = (command: string): Handler => async () => await vscode.commands.executeCommand(command);
  return {
    "tradingRpc.account.switchFromTitle": asFromPalette("tradingRpc.account.switch"),
    "tradingRpc.account.backFromTitle": asFromPalette("tradingRpc.account.back"),
    "tradingRpc.orders.cancelFromTitle": asFromPalette("tradingRpc.orders.cancel"),
    "tradingRpc.orders.cancelGroupFromTitle": asFromPalette("tradingRpc.orders.cancelGroup"),
    "tradingRpc.orders.cancelAllFromTitle": asFromPalette("tradingRpc.orders.cancelAll"),
    "tradingRpc.mmp.resetFromTitle": asFromPalette("tradingRpc.mmp.reset"),
    "tradingRpc.mmp.setLimitsFromTitle": asFromPalette("tradingRpc.mmp.setLimits"),
    "tradingRpc.quotes.cancelFromTitle": asFromPalette("tradingRpc.quotes.cancel"),
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

function newRequestHandlers(newRequests: NewRequests): Readonly<Record<string, Handler>> {
  return {
    "tradingRpc.request.new": async () => await newRequests.newFile(),
    "tradingRpc.request.newFromOrder": async (...args) => await newRequests.fromOrder(args),
    "tradingRpc.request.newFromBlockTrade": async (...args) => await newRequests.fromBlockTrade(args),
    "tradingRpc.request.newFromKey": async (...args) => await newRequests.fromKey(args),
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
    "tradingRpc.mmp.filter": async () => await mmp.filter(),
    "tradingRpc.mmp.clearFilter": () => mmp.clearFilter(),
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
    "tradingRpc.quotes.cancelRow": async (row) => await quotes.cancelRow(row),
    "tradingRpc.quotes.cancelAll": async () => await quotes.cancelAll(),
    "tradingRpc.quotes.cancelRfq": async (...args) => await quotes.cancelRfq(args),
  };
}

/** Runs a command. The one place where what a command throws becomes a message. */
export async function runCommand(commands: Readonly<Record<string, Handler>>, id: string, args: readonly unknown[], { notices, scopes }: { readonly notices: Notices; readonly scopes: CommandScopes }): Promise<void> {
  try {
    const handler = commands[id];
    scopes.require(id);
    if (handler === undefined) throw new CallError({ kind: "bug", detail: `no handler for ${id}` });
    await handler(...args);
  } catch (error) {
    notices.showError(error);
  }
}

async function copyValue(id: unknown, { row }: CommandPorts): Promise<void> {
  const text = typeof id === "string" ? row(id)?.copyText : undefined;
  if (text !== undefined && text !== "") await vscode.env.clipboard.writeText(text);
}
