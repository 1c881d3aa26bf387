import * as vscode from "vscode";
import type { Outcome } from "../../actions/outcome.ts";
import type { Ask } from "../../actions/question.ts";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Log } from "../../base/log.ts";
import type { Times } from "../../present/text/times.ts";
import type { Connections } from "../../state/connections.ts";
import {
  responseColumn,
  notKept,
  saveResponse,
  type ResponseDocuments,
  type KeptResponse,
} from "../responses/responseDocuments.ts";
import { HELP_PAGE } from "../../requests/file/problemHelp.ts";
import { createResponseObjects } from "./responseObjects.ts";
import { createChannelDocuments } from "../responses/channelDocuments.ts";
import { createAuthoring } from "./authoring.ts";
import { createEnvironmentFiles } from "./environmentFiles.ts";
import { createHistoryCommands } from "./historyCommands.ts";
import { createHistoryStore } from "./historyStore.ts";
import type { KnownKey } from "../../state/apiKeys.ts";
import type { BlockTrade } from "../../state/blockTrades.ts";
import type { Rows } from "../kinds/objects.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";
import { createNamedResults } from "./namedResults.ts";
import { openUntitled } from "./files.ts";
import { createNewRequests } from "./newRequests.ts";
import type { Notices } from "../editor/notices.ts";
import type { OrdersPane } from "../orders/view.ts";
import { createPasteRequests } from "./pasteRequests.ts";
import { createPins, type Pins } from "./pins.ts";
import { createKnownNames } from "./knownNames.ts";
import { createRequestChecks } from "./checks.ts";
import { createRequestEditor, type RequestEditor } from "./requestEditor.ts";
import { createRequestLenses } from "./lenses.ts";
import { createRequestOutcomes } from "./outcomes.ts";
import { createRequestRuns, type RequestRunsPorts } from "./requestRuns.ts";
import { createRequestScans } from "./scans.ts";
import { createRequestTargets } from "./targets.ts";
import { createRequestTests } from "./tests.ts";
import { createRequestVariables } from "./variables.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { DocumentTexts } from "../editor/documents.ts";
import type { SecretDoor } from "../editor/secretDoor.ts";
import type { Settings } from "../editor/settings.ts";
import type { SetContext } from "../editor/contextKeys.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Screen } from "../tree/screen.ts";

/* Chat tools explain methods with what is loaded here anyway. */
export { explainedMethods } from "../../present/requests/methodExplained.ts";

/* Parts that the benchmark measures by themselves, in the file that ships. */
export { inSlices } from "../../base/slices.ts";
export { NOTHING_KNOWN } from "../../present/requests/knownObjects.ts";
export { objectSuggestions } from "../../present/requests/objectSuggestions.ts";
export { methodNameSuggestions, requestSnippets } from "../../present/requests/requestSnippets.ts";
export { responseDocument } from "../../present/requests/responseText.ts";
export { checkInSteps } from "../../requests/checking/check.ts";
export { planRun } from "../../requests/running/plan.ts";
export { createResults } from "../../requests/values/results.ts";
export { cursorAt } from "../../requests/file/cursor.ts";
export { rescanRequests, scanRequests } from "../../requests/file/scan.ts";
export { runPlan } from "../../requests/running/sequence.ts";

/** The parts that run request files, show responses, and keep them. */
export interface Requests extends Disposable {
  /** The commands about request files and responses. */
  readonly handlers: Handlers;
  readonly texts: Pick<DocumentTexts, "channel" | "history">;
  /** Opens an unsaved request file with this text, which goes to a connection. */
  openRequest(live: LiveConnection, text: string): Promise<void>;
}

export interface RequestsPorts {
  readonly dialogs: Dialogs;
  readonly liveConnections: LiveConnections;
  readonly connections: Connections;
  readonly orders: OrdersPane;
  readonly blockTrades: Rows<BlockTrade>;
  readonly apiKeys: Rows<KnownKey>;
  readonly responses: ResponseDocuments;
  readonly documentChanges: vscode.EventEmitter<vscode.Uri>;
  readonly notices: Notices;
  readonly settings: Settings;
  readonly ask: Ask;
  readonly screen: Pick<Screen, "hide">;
  readonly clock: Clock;
  readonly times: Times;
  readonly log: Log;
  /** Removes known secrets from a text. */
  readonly hide: (text: string) => string;
  /** The folder of the extension's own files. */
  readonly storage: vscode.Uri;
  /** The folder that the extension is installed in. */
  readonly extensionUri: vscode.Uri;
  readonly connect: (connectionId: string | undefined) => Promise<boolean>;
  readonly revealOrder: (rowId: string) => Thenable<void>;
  /** Returns the way of a one-time secret to the clipboard. */
  readonly door: () => Promise<SecretDoor>;
  readonly setContext: SetContext;
}

export function createRequests(ports: RequestsPorts): Requests {
  const { liveConnections, responses, settings, ask, dialogs, clock, times, log } = ports;
  const disposables = new DisposableList();
  const targets = disposables.add(createRequestTargets(ports.connections, dialogs));
  const results = disposables.add(createNamedResults(liveConnections));
  const environments = disposables.add(createEnvironmentFiles());
  const scans = createRequestScans();
  const problemPage = vscode.Uri.joinPath(ports.extensionUri, HELP_PAGE);
  disposables.add(createAuthoring({ ...ports, scans, targets, results, environments, problemPage }));
  const channels = disposables.add(
    createChannelDocuments({
      dialogs,
      changes: ports.documentChanges,
      clock,
      times,
      columnFor: (uri) => responseColumn(uri, settings),
    }),
  );
  const history = disposables.add(
    createHistoryStore({
      settings,
      file: vscode.Uri.joinPath(ports.storage, "history.json").fsPath,
      hide: ports.hide,
      clock,
      log,
    }),
  );
  const outcomes = disposables.add(createRequestOutcomes({ scans, clock, setContext: ports.setContext, problemPage }));
  const runPorts: RequestRunsPorts = {
    dialogs,
    outcomes,
    liveConnections,
    targets,
    results,
    environmentFiles: environments,
    channels,
    settings,
    clock,
    scans,
    connect: ports.connect,
    responses,
    history,
    times,
    ask,
  };
  const runs = disposables.add(createRequestRuns(runPorts));
  disposables.add(createRequestLenses({ scans, targets, results, runs, settings, clock }));
  disposables.add(
    createRequestChecks(
      clock,
      scans,
      disposables.add(createKnownNames({ scans, targets, results, environments })),
      problemPage,
    ),
  );
  disposables.add(createRequestTests(runPorts));
  const objects = disposables.add(createResponseObjects({ ...ports, liveConnections, responses }));
  const pastes = disposables.add(createPasteRequests(scans, dialogs));
  const historyCommands = createHistoryCommands({
    dialogs,
    history,
    liveConnections,
    responses,
    environmentFiles: environments,
    settings,
    ask,
    clock,
    times,
  });
  return {
    handlers: {
      ...createNewRequests({ ...ports, scans, targets }),
      ...editorHandlers(
        createRequestEditor({
          dialogs,
          scans,
          targets,
          liveConnections,
          runs,
          variables: createRequestVariables({ ...ports, scans, targets, results, environments, problemPage }),
          clock,
          times,
        }),
      ),
      ...responseHandlers(responses, ports),
      ...pinHandlers(disposables.add(createPins({ dialogs, scans, outcomes })), responses),
      "tradingRpc.request.paste": async () => await pastes.paste(),
      "tradingRpc.response.act": async (...args) => await objects.act(args),
      ...channels.handlers,
      "tradingRpc.history.show": async () => await historyCommands.show(),
      "tradingRpc.history.clear": async () => await historyCommands.clear(),
    },
    texts: {
      channel: (uri) => channels.text(uri),
      history: async (_uri, parts) => await historyCommands.text(parts),
    },
    async openRequest({ record }, text) {
      const { document } = await openUntitled("order", text);
      if (liveConnections.all.length > 1) targets.set(document.uri, record.id);
    },
    dispose: () => disposables.dispose(),
  };
}

function editorHandlers(editor: RequestEditor): Handlers {
  const indexOf = (index: unknown): number | undefined => (typeof index === "number" ? index : undefined);
  return {
    "tradingRpc.request.send": async (file, index) => await editor.send(uriOf(file), indexOf(index)),
    "tradingRpc.request.sendAll": async (file) => await editor.sendAll(uriOf(file)),
    "tradingRpc.request.sendFromHere": async (file, index) => await editor.sendFromHere(uriOf(file), indexOf(index)),
    "tradingRpc.request.sendReads": async (file) => await editor.runReads(uriOf(file)),
    "tradingRpc.request.stop": async (file) => await editor.stop(uriOf(file)),
    "tradingRpc.request.resend": async (file) => await editor.resend(uriOf(file)),
    "tradingRpc.request.chooseTarget": async (file) => await editor.chooseTarget(uriOf(file)),
    "tradingRpc.request.copyAsCurl": async (file) => await editor.copyAsCurl(uriOf(file)),
    "tradingRpc.request.showVariables": async (file) => await editor.showVariables(uriOf(file)),
    "tradingRpc.request.copyAsCode": async (file) => await editor.copyAsCode(uriOf(file)),
  };
}

function responseHandlers(
  responses: ResponseDocuments,
  { dialogs, door }: Pick<RequestsPorts, "dialogs" | "door">,
): Handlers {
  const addressOf = (argument: unknown): vscode.Uri =>
    uriOf(argument) ?? vscode.window.activeTextEditor?.document.uri ?? vscode.Uri.from({ scheme: "untitled" });
  const kept = (argument: unknown): KeptResponse => {
    const response = responses.find(addressOf(argument));
    if (response === undefined) throw notKept();
    return response;
  };
  return {
    "tradingRpc.response.save": async (response) =>
      await saveResponse(savedOf(addressOf(response), responses), dialogs),
    "tradingRpc.response.sendAnyway": async (response) => await kept(response).sendAnyway?.(),
    "tradingRpc.response.copySignature": async (response) =>
      await copySignature(kept(response).source.result.outcome, { dialogs, door }),
    "tradingRpc.response.checkAgain": async (response) => await kept(response).checkAgain?.(),
    "tradingRpc.response.comparePrevious": async (response) => await responses.comparePrevious(addressOf(response)),
    "tradingRpc.response.compareSaved": async (response) => await responses.compareSaved(addressOf(response)),
  };
}

/** Copies the signature of a verified block trade after a confirmation: whoever has it can execute the trade. */
async function copySignature(
  outcome: Outcome,
  { dialogs, door }: Pick<RequestsPorts, "dialogs" | "door">,
): Promise<void> {
  const oneTime = outcome.kind === "notSent" ? undefined : outcome.response?.oneTime;
  if (oneTime?.kind !== "signature") throw refused(l10n.t("This response has no signature to copy."));
  const isCopied = await (
    await door()
  ).copy(oneTime, {
    kind: "modal",
    message: l10n.t("Copy the signature of this block trade?"),
    detail: l10n.t(
      "Anyone who has it can execute the block trade with you until it expires. Programs on this computer can read the clipboard.",
    ),
    confirm: l10n.t("Copy Signature"),
    keep: l10n.t("Don't Copy"),
  });
  if (isCopied) dialogs.tellInPassing(l10n.t("$(check) Signature copied."), TOLD_MS);
}

const TOLD_MS = 8000;

function pinHandlers(pins: Pins, responses: ResponseDocuments): Handlers {
  return {
    "tradingRpc.request.pin": async (file, index) =>
      await pins.pin(uriOf(file), typeof index === "number" ? index : undefined),
    "tradingRpc.response.pin": async (response) => {
      const uri = uriOf(response) ?? vscode.window.activeTextEditor?.document.uri;
      const kept = uri === undefined ? undefined : responses.find(uri);
      if (uri === undefined || kept === undefined) throw notKept();
      await pins.pinResponse(uri, kept.source.result);
    },
  };
}

/** Returns the text to save; undefined for a response that did not come. Throws if the document is no longer kept. */
function savedOf(uri: vscode.Uri, responses: ResponseDocuments): ReturnType<ResponseDocuments["saved"]> {
  if (responses.saved(uri) === undefined && responses.find(uri) === undefined) throw notKept();
  return responses.saved(uri);
}

/** Returns the address in an argument: lenses hand out text, the menus of VS Code an address. */
function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  return typeof argument === "string" ? vscode.Uri.parse(argument) : undefined;
}
