import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { responseOf } from "../../present/requests/responseText.ts";
import { HELP_PAGE } from "../../requests/file/problemHelp.ts";
import type { KnownKey } from "../../state/apiKeys.ts";
import type { BlockTrade } from "../../state/blockTrades.ts";
import { chosenDocument, type DocumentTexts } from "../editor/documents.ts";
import type { Handlers } from "../editor/handler.ts";
import type { MaskingLog } from "../editor/log.ts";
import type { OneTimeSecrets } from "../editor/oneTimeSecrets.ts";
import type { Rows } from "../kinds/objects.ts";
import type { OrdersPane } from "../orders/view.ts";
import { createChannelDocuments } from "../responses/channelDocuments.ts";
import { notKept, saveResponse, type KeptResponse } from "../responses/responseDocuments.ts";
import type { Ui } from "../ui.ts";
import { createAuthoring } from "./authoring.ts";
import { createRequestChecks } from "./checks.ts";
import { createEnvironmentFiles } from "./environmentFiles.ts";
import { openUntitled } from "./files.ts";
import { historyEntryText, historyHandlers } from "./historyCommands.ts";
import { recentMethods } from "../../requests/running/history.ts";
import { createHistoryStore } from "./historyStore.ts";
import { createRequestLenses } from "./lenses.ts";
import { createNamedResults } from "./namedResults.ts";
import { createNewRequests } from "./newRequests.ts";
import { createRequestOutcomes } from "./outcomes.ts";
import { createPins } from "./pins.ts";
import type { RunUi } from "./preparedRun.ts";
import { createRequestScans, isRequestDocument, REQUEST_FILES } from "./requestDocuments.ts";
import { requestHandlers } from "./requestEditor.ts";
import { createRequestRuns } from "./requestRuns.ts";
import { createResponseObjects } from "./responseObjects.ts";
import { createRequestTargets } from "./targets.ts";
import { createRequestTests } from "./tests.ts";
import { plain } from "../../base/plain.ts";
import { pasteRequest } from "../../requests/writing/paste.ts";
import { requestPlaceAt } from "../../requests/file/cursor.ts";
import type { RequestUi } from "./requestUi.ts";

/* Chat tools explain methods with what is loaded here anyway. */
export { explainedMethods } from "../../present/requests/methodExplained.ts";

/** The parts that run request files, show responses, and keep them. */
export interface Requests extends Disposable {
  /** The commands about request files and responses. */
  readonly handlers: Handlers;
  readonly texts: Pick<DocumentTexts, "channel" | "history">;
  /** Opens an unsaved request file with this text, which goes to a connection. */
  openRequest(live: LiveConnection, text: string): Promise<void>;
}

/** The window, and what only request files and responses need of other parts. */
type RequestsUi = Ui & {
  readonly orders: OrdersPane;
  readonly blockTrades: Rows<BlockTrade>;
  readonly apiKeys: Rows<KnownKey>;
  /** Tells VS Code to read a document again. */
  readonly changes: vscode.EventEmitter<vscode.Uri>;
  readonly connect: RunUi["connect"];
  readonly revealOrder: (rowId: string) => Thenable<void>;
  /** Returns the way of a one-time secret to the clipboard. */
  readonly oneTimeSecrets: () => Promise<OneTimeSecrets>;
  readonly log: MaskingLog;
  /** The folder of the extension's own files. */
  readonly storage: vscode.Uri;
};

export function createRequests(window: RequestsUi): Requests {
  const { liveConnections } = window;
  const disposables = new DisposableList();
  const targets = createRequestTargets(window, disposables);
  const file = vscode.Uri.joinPath(window.storage, "history.json").fsPath;
  const history = disposables.add(createHistoryStore({ ...window, file, hide: (text) => window.log.hide(text) }));
  const ui = {
    ...window,
    recentMethods: () => recentMethods(history.entries),
    scans: createRequestScans(),
    targets,
    results: createNamedResults(liveConnections, targets, disposables),
    environments: createEnvironmentFiles(disposables),
    problemPage: vscode.Uri.joinPath(window.extensionUri, HELP_PAGE),
  };
  createAuthoring(ui, disposables);
  const channels = createChannelDocuments(ui, disposables);
  const outcomes = createRequestOutcomes(ui, disposables);
  const runUi = { ...ui, channels, history, outcomes };
  const runs = createRequestRuns(runUi, disposables);
  createRequestLenses({ ...ui, runs }, disposables);
  createRequestChecks(ui, disposables);
  createRequestTests(runUi, disposables);
  return {
    handlers: {
      ...createNewRequests(ui),
      ...requestHandlers(ui, runs),
      ...responseHandlers(window),
      ...createPins(runUi, disposables),
      ...createPasteRequests(ui, disposables),
      ...createResponseObjects(ui, disposables),
      ...channels.handlers,
      ...historyHandlers(runUi),
    },
    texts: {
      channel: (uri) => channels.text(uri),
      history: async (_uri, parts) => await historyEntryText(parts, runUi),
    },
    async openRequest({ record }, text) {
      const { document } = await openUntitled("order", text);
      if (liveConnections.all.length > 1) targets.set(document.uri, record.id);
    },
    dispose: () => disposables.dispose(),
  };
}

function responseHandlers({ responses, dialogs, oneTimeSecrets }: RequestsUi): Handlers {
  const addressOf = (argument: unknown): vscode.Uri =>
    chosenDocument(argument) ?? vscode.Uri.from({ scheme: "untitled" });
  const kept = (argument: unknown): KeptResponse => {
    const response = responses.find(addressOf(argument));
    if (response === undefined) throw notKept();
    return response;
  };
  return {
    "tradingRpc.response.save": async (response) => {
      const saved = responses.saved(addressOf(response));
      // What is kept and has nothing to save is told so.
      if (saved === undefined) kept(response);
      await saveResponse(saved, dialogs);
    },
    "tradingRpc.response.sendAnyway": async (response) => await kept(response).sendAnyway?.(),
    "tradingRpc.response.copySignature": async (response) =>
      await copySignature(kept(response).source.result.outcome, { dialogs, oneTimeSecrets }),
    "tradingRpc.response.checkAgain": async (response) => await kept(response).checkAgain?.(),
    "tradingRpc.response.comparePrevious": async (response) => await responses.comparePrevious(addressOf(response)),
    "tradingRpc.response.compareSaved": async (response) => await responses.compareSaved(addressOf(response)),
  };
}

/** Copies the signature of a verified block trade after a confirmation: whoever has it can execute the trade. */
async function copySignature(
  outcome: Outcome,
  { dialogs, oneTimeSecrets }: Pick<RequestsUi, "dialogs" | "oneTimeSecrets">,
): Promise<void> {
  const oneTime = responseOf(outcome)?.oneTime;
  if (oneTime?.kind !== "signature") throw refused(l10n.t("This response has no signature to copy."));
  const isCopied = await (
    await oneTimeSecrets()
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

/** The maximum length of a text that is converted on pasting; longer texts are pasted as they are. */
const MAX_LENGTH = 200_000;

/**
 * Turns a documentation example, a curl command and the like into requests when they are pasted. Makes the command that
 * inserts the request from the clipboard into the active request file, or into a new one.
 */
function createPasteRequests(
  { scans, dialogs }: Pick<RequestUi, "scans" | "dialogs">,
  disposables: DisposableList,
): Handlers {
  const kind = vscode.DocumentDropOrPasteEditKind.Text.append("tradingRpc", "request");
  disposables.add(
    vscode.languages.registerDocumentPasteEditProvider(
      REQUEST_FILES,
      {
        async provideDocumentPasteEdits(document, ranges, data) {
          const text = await data.get("text/plain")?.asString();
          const [range] = ranges;
          if (text === undefined || range === undefined || ranges.length !== 1 || text.length > MAX_LENGTH)
            return undefined;
          // JSON is pasted as it is. Text that holds more than a request is too, so that nothing of it is lost.
          const pasted = /^\s*[[{]/.test(text) ? undefined : pasteRequest(text);
          const placed = pasted?.isWhole === true ? placedText(document, range, pasted.text, scans) : undefined;
          return placed === undefined
            ? undefined
            : [new vscode.DocumentPasteEdit(placed, l10n.t("Paste as Request"), kind)];
        },
      },
      { providedPasteEditKinds: [kind], pasteMimeTypes: ["text/plain"] },
    ),
  );
  return {
    "tradingRpc.request.paste": async () => {
      const pasted = pasteRequest(await vscode.env.clipboard.readText());
      if (pasted === undefined)
        throw refused(
          l10n.t(
            "The clipboard doesn't contain a request. Copy a documentation example, a command, a log line, or a request from a .http file or Postman collection.",
          ),
        );
      if (pasted.notes.length > 0) dialogs.tell("information", plain.join(pasted.notes, " "));
      if (pasted.text === "") return;
      const editor = vscode.window.activeTextEditor;
      const isRequestFile = editor !== undefined && isRequestDocument(editor.document);
      const placed = isRequestFile ? placedText(editor.document, editor.selection, pasted.text, scans) : undefined;
      if (isRequestFile && placed !== undefined) await editor.edit((edit) => edit.replace(editor.selection, placed));
      else await openUntitled("pasted", `${pasted.text}\n`);
    },
  };
}

/** Returns the request with the commas that its place needs; undefined inside another request. */
function placedText(
  document: vscode.TextDocument,
  range: vscode.Range,
  text: string,
  scans: RequestUi["scans"],
): string | undefined {
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const whole = document.getText();
  if (whole.slice(0, start).trim() === "" && whole.slice(end).trim() === "") return text;
  const place = start === end ? requestPlaceAt(scans.of(document), start) : undefined;
  if (place === undefined) return undefined;
  // Several of them come into the list that is there.
  const requests = text.startsWith("[") ? text.slice(1, -1).trim() : text;
  return `${place.needsCommaBefore ? ",\n" : ""}${requests}${place.needsCommaAfter ? "," : ""}`;
}
