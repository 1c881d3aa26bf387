import * as crypto from "node:crypto";
import * as vscode from "vscode";
import type { LiveConnection } from "../actions/connection/liveConnection.ts";
import type { AskLimit } from "../actions/intent/question.ts";
import type { CommandId } from "../manifest/contributes.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import type { DocumentParts } from "../present/text/documentAddress.ts";
import { createActivityCommands, entryText } from "./activity/commands.ts";
import { createAccountCommands } from "./connections/account.ts";
import { createApiKeyChanges } from "./apiKeys/changes.ts";
import { createApiKeysCommands } from "./apiKeys/commands.ts";
import { createKeyCreation, createKeyPairCreation } from "./apiKeys/creating.ts";
import { createBlockTradesCommands } from "./blockTrades/commands.ts";
import type { AgentAccess } from "./connections/agentAccess.ts";
import type { BuiltInSimulator } from "./connections/builtInSimulator.ts";
import type { SecretStore } from "./connections/credentials.ts";
import { connectTo, createConnectionCommands } from "./connections/commands.ts";
import { createAskLimit } from "./connections/askLimit.ts";
import { askConnection } from "./connections/form.ts";
import { createNewSecrets, type NewSecrets } from "./connections/newSecrets.ts";
import type { ConnectionSignIn } from "./connections/signIn.ts";
import { createOneTimeSecrets, type OneTimeSecrets } from "./editor/oneTimeSecrets.ts";
import type { Handler, Handlers } from "./editor/handler.ts";
import { filterHandlers } from "./filterCommands.ts";
import { createLastTradesCommands } from "./trades/commands.ts";
import { createMmpCommands, resetGroup } from "./mmp/commands.ts";
import type { MmpGroup } from "../state/mmpGroups.ts";
import type { Found } from "./tree/resourceView.ts";
import { runCancelEverything } from "./orders/cancelEverything.ts";
import { createOrderCommands } from "./orders/commands.ts";
import { createPlacingCommands, placeByHand } from "./placing/placing.ts";
import { objectHandlers } from "./kinds/objectHandlers.ts";
import { ACCOUNT_OBJECTS, pickPositionSorting, POSITION_OBJECTS } from "./kinds/openObjects.ts";
import { createQuoteCancels } from "./quotes/cancels.ts";
import type { RecentInstruments } from "./trades/recentInstruments.ts";
import { createSavedFilters } from "./tree/filterPicks.ts";
import { simulatorHandlers } from "./connections/simulatorCommands.ts";
import { VIEW_NAMES } from "../base/viewNames.ts";
import { lazily } from "./lazily.ts";
import type { Ui } from "./ui.ts";
import { findRow, type Panes } from "./views.ts";

/** The commands about connections and about rows of the views, loaded on the first use. */
export interface ViewCommands extends Disposable {
  readonly handlers: Handlers;
  /** Resets a group that has just been frozen, as the notice about it offers. */
  resetGroup(found: Found<MmpGroup>): Promise<void>;
  /** The places of client secrets that requests make. */
  readonly newSecrets: NewSecrets;
  readonly oneTimeSecrets: OneTimeSecrets;
  readonly askConnection: typeof askConnection;
  /** Asks the user to allow trading. */
  readonly askLimit: AskLimit;
  /** Returns the text of the document about an Activity item. */
  activityText(parts: DocumentParts): string;
  /** Returns the text of the document about an order. */
  orderHistoryText(parts: DocumentParts): Promise<string>;
  /** Opens a connection, or asks for one. Resolves to whether there is one that can be used. */
  connectTo(id: string | undefined): Promise<boolean>;
}

/** The window, and what commands about connections and rows need beside it. */
type ViewCommandUi = Ui & {
  readonly panes: Panes;
  /** The storage of saved filters. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
  readonly recent: RecentInstruments;
  /** Opens an unsaved request file with this text, for a connection. */
  readonly openRequest: (live: LiveConnection, text: string) => Promise<void>;
  readonly simulator: Pick<BuiltInSimulator, "control" | "isReplay">;
  readonly secrets: SecretStore;
  readonly signIn: ConnectionSignIn;
  readonly agentAccess: AgentAccess;
};

export function createViewCommands(ui: ViewCommandUi): ViewCommands {
  const { panes } = ui;
  const disposables = new DisposableList();
  const mmp = { ...ui, pane: panes.mmp };
  const oneTimeSecrets = createOneTimeSecrets({ ...ui, isPresenting: () => ui.settings.isPresenting() });
  const newSecrets = {
    ...ui,
    oneTimeSecrets,
    connect: (id: string) => void ui.signIn.open(id).catch((error: unknown) => ui.notices.showError(error)),
    newId: () => crypto.randomUUID(),
  };
  const trades = disposables.add(
    createLastTradesCommands({
      ...ui,
      orders: panes.orders,
      placeOrder: async (live, { instrument_name: instrument, price }) =>
        await placeByHand({ connections: [live], start: { live, instrument, price } }, "view", ui),
    }),
  );
  const history = lazily(async () =>
    (await import("./history/commands.ts")).createAccountHistoryCommands({ ...ui, orders: panes.orders }, disposables),
  );
  return {
    handlers: {
      "tradingRpc.accountHistory.show": async (row) => await (await history()).show(row),
      "tradingRpc.order.showHistory": async (row) => await (await history()).showOrder(row),
      ...createConnectionCommands(ui),
      ...createAccountCommands(ui),
      ...objectHandlers(ACCOUNT_OBJECTS, { ...ui, pane: panes.account }),
      ...objectHandlers(POSITION_OBJECTS, { ...ui, pane: panes.positions }),
      "tradingRpc.positions.sortBy": async () => await pickPositionSorting(ui),
      ...createOrderCommands({ ...ui, pane: panes.orders }),
      "tradingRpc.order.cancelEverything": async () => await runCancelEverything(ui),
      ...filterHandlers(panes, createSavedFilters(ui.state), ui.dialogs),
      ...refreshHandlers(ui),
      "tradingRpc.row.copyValue": async (rowId) => {
        const text = typeof rowId === "string" ? findRow(panes, rowId)?.copyText : undefined;
        if (text !== undefined && text !== "") await vscode.env.clipboard.writeText(text);
      },
      ...createActivityCommands({ ...ui, pane: panes.activity }),
      ...collapsedHandlers(ui),
      ...createBlockTradesCommands({ ...ui, pane: panes.blockTrades }),
      ...createApiKeysCommands({ ...ui, pane: panes.apiKeys }),
      ...createApiKeyChanges({ ...ui, pane: panes.apiKeys }),
      ...createKeyCreation(ui),
      ...createKeyPairCreation(newSecrets),
      ...trades.handlers,
      ...createMmpCommands(mmp),
      ...createPlacingCommands({ ...ui, orders: panes.orders, positions: panes.positions }),
      ...createQuoteCancels({ ...ui, pane: panes.quotes }),
      ...simulatorHandlers(ui),
    },
    resetGroup: async (found) => await resetGroup(found, "view", mmp),
    activityText: (parts) => entryText(parts, ui),
    orderHistoryText: async (parts) => await (await history()).orderText(parts),
    oneTimeSecrets,
    newSecrets: createNewSecrets(newSecrets),
    askConnection,
    askLimit: createAskLimit(ui.dialogs, ui.takeTurns),
    connectTo: async (id) => await connectTo(id, ui),
    dispose: () => disposables.dispose(),
  };
}

/** Makes the commands that all kinds have, for the views that are loaded later than this part. */
function collapsedHandlers({ panes, ...ui }: ViewCommandUi): Handlers {
  return Object.values(panes).reduce<Handlers>(
    (all, pane) =>
      "handlers" in pane
        ? { ...all, ...pane.handlers((objects, rows) => objectHandlers(objects, { ...ui, pane: rows })) }
        : all,
    {},
  );
}

/** Makes, for each view with data to read, the command that reads it again. */
function refreshHandlers({ panes, dialogs }: ViewCommandUi): Handlers {
  const handlers: Partial<Record<CommandId, Handler>> = {};
  for (const name of VIEW_NAMES) {
    if (name === "connections") continue;
    handlers[`tradingRpc.${name}.refresh`] = async () =>
      await dialogs.progress({ where: { viewId: `tradingRpc.${name}` } }, async () => await panes[name].refresh());
  }
  return handlers;
}
