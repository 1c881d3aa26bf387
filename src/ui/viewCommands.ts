import * as crypto from "node:crypto";
import * as vscode from "vscode";
import type { Journals } from "../actions/journals.ts";
import type { LiveConnection } from "../actions/liveConnection.ts";
import type { Ask, AskLimit } from "../actions/question.ts";
import type { Clock } from "../base/clock.ts";
import type { CommandId } from "../manifest/contributes.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import type { DocumentParts } from "../present/text/documentAddress.ts";
import type { Times } from "../present/text/times.ts";
import { createActivityCommands } from "./activity/commands.ts";
import { entryText } from "./activity/entryText.ts";
import { createAccountCommands } from "./connections/account.ts";
import type { ResponseDocuments } from "./responses/responseDocuments.ts";
import { createApiKeyChanges } from "./apiKeys/changes.ts";
import { createApiKeysCommands } from "./apiKeys/commands.ts";
import { createKeyCreation } from "./apiKeys/creating.ts";
import { createKeyPairCreation } from "./apiKeys/keyPairs.ts";
import { createBlockTradesCommands } from "./blockTrades/commands.ts";
import type { BuiltInSimulator } from "./connections/builtInSimulator.ts";
import type { SecretStore } from "./connections/credentials.ts";
import { connectTo, createConnectionCommands } from "./connections/commands.ts";
import { createAskLimit } from "./connections/askLimit.ts";
import { askConnection } from "./connections/form.ts";
import { createNewSecrets, type NewSecrets } from "./connections/newSecrets.ts";
import type { ConnectionSignIn } from "./connections/signIn.ts";
import type { TakeTurns } from "./editor/ask.ts";
import { createSecretDoor, type SecretDoor } from "./editor/secretDoor.ts";
import type { Connections } from "../state/connections.ts";
import { privateKeySteps, type PrivateKeySteps } from "./connections/privateKeySteps.ts";
import type { Dialogs } from "./editor/dialogs.ts";
import type { Handler, Handlers, RunCommand } from "./editor/handler.ts";
import { filterHandlers } from "./filterCommands.ts";
import { createLastTradesCommands } from "./trades/commands.ts";
import type { LiveConnections } from "../actions/liveConnections.ts";
import { createMmpCommands, resetGroup } from "./mmp/commands.ts";
import type { MmpGroup } from "../state/mmpGroups.ts";
import type { Found } from "./tree/resourceView.ts";
import type { Notices } from "./editor/notices.ts";
import { runCancelEverything } from "./orders/cancelEverything.ts";
import { createOrderCommands } from "./orders/commands.ts";
import { createPlacingCommands } from "./placing/commands.ts";
import { placeByHand } from "./placing/placing.ts";
import { objectHandlers } from "./kinds/objectHandlers.ts";
import { ACCOUNT_OBJECTS, pickPositionSorting, POSITION_OBJECTS } from "./kinds/openObjects.ts";
import { createQuoteCancels } from "./quotes/cancels.ts";
import type { RecentInstruments } from "./trades/recentInstruments.ts";
import { createSavedFilters } from "./tree/savedFilters.ts";
import type { Screen } from "./tree/screen.ts";
import type { Settings } from "./editor/settings.ts";
import { simulatorHandlers } from "./connections/simulatorCommands.ts";
import { VIEW_NAMES } from "../base/viewNames.ts";
import { lazily } from "./lazily.ts";
import { findRow, type Panes } from "./views.ts";
import type { SetContext } from "./editor/contextKeys.ts";

/** The commands about connections and about rows of the views, loaded on the first use. */
export interface ViewCommands extends Disposable {
  readonly handlers: Handlers;
  /** Resets a group that has just been frozen, as the notice about it offers. */
  resetGroup(found: Found<MmpGroup>): Promise<void>;
  /** The places of client secrets that requests make. */
  readonly newSecrets: NewSecrets;
  readonly door: SecretDoor;
  readonly privateKeySteps: PrivateKeySteps;
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

export interface ViewCommandsPorts {
  readonly dialogs: Dialogs;
  readonly panes: Panes;
  readonly journals: Journals;
  /** The storage of saved filters. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
  readonly liveConnections: LiveConnections;
  readonly responses: ResponseDocuments;
  readonly notices: Notices;
  readonly settings: Settings;
  readonly recent: RecentInstruments;
  readonly screen: Screen;
  readonly extensionUri: vscode.Uri;
  /** Puts one confirmation at a time. */
  readonly ask: Ask;
  readonly clock: Clock;
  readonly times: Times;
  readonly run: RunCommand;
  /** Opens an unsaved request file with this text, for a connection. */
  readonly openRequest: (live: LiveConnection, text: string) => Promise<void>;
  readonly setContext: SetContext;
  readonly simulator: Pick<BuiltInSimulator, "control" | "isReplay">;
  readonly connections: Connections;
  readonly secrets: SecretStore;
  readonly signIn: ConnectionSignIn;
  readonly takeTurns: TakeTurns;
  readonly mask: (secret: string) => void;
}

export function createViewCommands(ports: ViewCommandsPorts): ViewCommands {
  const { panes } = ports;
  const disposables = new DisposableList();
  const mmp = { ...ports, pane: panes.mmp };
  const door = createSecretDoor({ ...ports, isPresenting: () => ports.settings.isPresenting() });
  const newSecrets = {
    ...ports,
    door,
    connect: (id: string) => void ports.signIn.open(id).catch((error: unknown) => ports.notices.showError(error)),
    newId: () => crypto.randomUUID(),
  };
  const trades = disposables.add(
    createLastTradesCommands({
      ...ports,
      orders: panes.orders,
      placeOrder: async (live, { instrument_name: instrument, price }) =>
        await placeByHand({ connections: [live], start: { live, instrument, price } }, "view", ports),
    }),
  );
  const history = lazily(async () =>
    disposables.add(
      (await import("./history/commands.ts")).createAccountHistoryCommands({ ...ports, orders: panes.orders }),
    ),
  );
  return {
    handlers: {
      "tradingRpc.accountHistory.show": async (row) => await (await history()).show(row),
      "tradingRpc.order.showHistory": async (row) => await (await history()).showOrder(row),
      ...createConnectionCommands(ports),
      ...createAccountCommands(ports),
      ...objectHandlers(ACCOUNT_OBJECTS, { ...ports, pane: panes.account }),
      ...objectHandlers(POSITION_OBJECTS, { ...ports, pane: panes.positions }),
      "tradingRpc.positions.sortBy": async () => await pickPositionSorting(ports),
      ...createOrderCommands({ ...ports, pane: panes.orders }),
      "tradingRpc.order.cancelEverything": async () => await runCancelEverything(ports),
      ...filterHandlers(panes, createSavedFilters(ports.state), ports.dialogs),
      ...refreshHandlers(ports),
      "tradingRpc.row.copyValue": async (rowId) => {
        const text = typeof rowId === "string" ? findRow(panes, rowId)?.copyText : undefined;
        if (text !== undefined && text !== "") await vscode.env.clipboard.writeText(text);
      },
      ...createActivityCommands({ ...ports, pane: panes.activity }),
      ...collapsedHandlers(ports),
      ...createBlockTradesCommands({ ...ports, pane: panes.blockTrades }),
      ...createApiKeysCommands({ ...ports, pane: panes.apiKeys }),
      ...createApiKeyChanges({ ...ports, pane: panes.apiKeys }),
      ...createKeyCreation(ports),
      ...createKeyPairCreation(newSecrets),
      ...trades.handlers,
      ...createMmpCommands(mmp),
      ...createPlacingCommands({ ...ports, orders: panes.orders, positions: panes.positions }),
      ...createQuoteCancels({ ...ports, pane: panes.quotes }),
      ...simulatorHandlers(ports),
    },
    resetGroup: async (found) => await resetGroup(found, "view", mmp),
    activityText: (parts) => entryText(parts, ports),
    orderHistoryText: async (parts) => await (await history()).orderText(parts),
    door,
    newSecrets: createNewSecrets(newSecrets),
    privateKeySteps,
    askConnection,
    askLimit: createAskLimit(ports.dialogs, ports.takeTurns),
    connectTo: async (id) => await connectTo(id, ports),
    dispose: () => disposables.dispose(),
  };
}

/** Makes the commands that all kinds have, for the views that are loaded later than this part. */
function collapsedHandlers({ panes, ...ports }: ViewCommandsPorts): Handlers {
  return Object.values(panes).reduce<Handlers>(
    (all, pane) =>
      "handlers" in pane
        ? { ...all, ...pane.handlers((objects, rows) => objectHandlers(objects, { ...ports, pane: rows })) }
        : all,
    {},
  );
}

/** Makes, for each view with data to read, the command that reads it again. */
function refreshHandlers({ panes, dialogs }: ViewCommandsPorts): Handlers {
  const handlers: Partial<Record<CommandId, Handler>> = {};
  for (const name of VIEW_NAMES) {
    if (name === "connections") continue;
    handlers[`tradingRpc.${name}.refresh`] = async () =>
      await dialogs.progress({ where: { viewId: `tradingRpc.${name}` } }, async () => await panes[name].refresh());
  }
  return handlers;
}
