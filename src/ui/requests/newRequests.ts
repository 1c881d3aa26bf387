import * as vscode from "vscode";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { methodReference } from "../../catalogue/reference/reference.ts";
import { keyTitle } from "../../present/apiKeys/apiKeyWords.ts";
import { recordedRequests } from "../../present/requests/recordedRequests.ts";
import {
  aboutOrderText,
  requestsAboutKey,
  requestsAboutOrder,
  type OfferedRequest,
} from "../../present/requests/newRequests.ts";
import { sectionAndSummary, type ListedMethod } from "../../present/requests/methodWords.ts";
import { groupedMethods, snippetOf } from "../../present/requests/requestSnippets.ts";
import { readRecording, unfinishedSentence } from "../../recording/read.ts";
import { fileRequestText } from "../../requests/values/requestText.ts";
import { appendRequest } from "../../requests/file/textEdits.ts";
import { API_KEY_OBJECTS, BLOCK_TRADE_OBJECTS } from "../kinds/collapsedObjects.ts";
import { rowsOrChoose } from "../kinds/objectHandlers.ts";
import type { Rows } from "../kinds/objects.ts";
import { ORDER_OBJECTS } from "../orders/picks.ts";
import type { OrdersPane } from "../orders/view.ts";
import { readChosenFile } from "../editor/chosenFile.ts";
import { chooseRecording } from "../editor/recordingFile.ts";
import { openUntitled } from "./files.ts";
import { editOf, isRequestDocument, toRange } from "./requestDocuments.ts";
import type { RequestUi } from "./requestUi.ts";
import type { Handlers } from "../editor/handler.ts";
import type { KnownKey } from "../../state/apiKeys.ts";
import { BLOCK_TRADE_METHOD, type BlockTrade } from "../../state/blockTrades.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { methodGroups, type MethodChoice } from "../../present/requests/methodChoices.ts";
import type { Choice, Heading } from "../editor/dialogSteps.ts";

type NewRequestUi = Pick<
  RequestUi,
  "dialogs" | "liveConnections" | "scans" | "targets" | "clock" | "times" | "recentMethods"
> & {
  readonly orders: OrdersPane;
  readonly blockTrades: Rows<BlockTrade>;
  readonly apiKeys: Rows<KnownKey>;
};

/** Makes the commands that write a request for the user, who decides whether to send it. */
export function createNewRequests(ui: NewRequestUi): Handlers {
  const { dialogs } = ui;
  return {
    "tradingRpc.request.new": async () => await newFile(ui),
    "tradingRpc.method.browse": async () =>
      await browseMethods({ dialogs, openRequest: openSnippet, openDocumentation }),
    "tradingRpc.request.newFromRecording": async (argument) => await newFromRecording(argument, dialogs),
    "tradingRpc.request.newFromOrder": async (...args) => {
      const title = l10n.t("New Request from Order");
      const [chosen] = await rowsOrChoose(args, ORDER_OBJECTS, title, { ...ui, pane: ui.orders });
      if (chosen === undefined) return;
      const { item: order, live } = chosen;
      const subject = { name: "order", connectionId: live.record.id };
      const about = aboutOrderText(order);
      await addChosen({ title, about, offered: requestsAboutOrder(order), ...subject }, ui);
    },
    "tradingRpc.request.newFromBlockTrade": async (...args) => {
      const title = l10n.t("New Request from Block Trade");
      const [found] = await rowsOrChoose(args, BLOCK_TRADE_OBJECTS, title, { ...ui, pane: ui.blockTrades });
      if (found === undefined) return;
      const subject = { name: "block-trade", connectionId: found.live.record.id };
      await add(subject, { method: BLOCK_TRADE_METHOD, params: { id: found.item.id } }, ui);
    },
    "tradingRpc.request.newFromApiKey": async (...args) => {
      const title = l10n.t("New Request from API Key");
      const [chosen] = await rowsOrChoose(args, API_KEY_OBJECTS, title, { ...ui, pane: ui.apiKeys });
      if (chosen === undefined) return;
      const { item: known, live } = chosen;
      const subject = { name: "api-key", connectionId: live.record.id };
      const about = l10n.t("Select a request for {0}", keyTitle(known));
      await addChosen({ title, about, offered: requestsAboutKey(known), ...subject }, ui);
    },
  };
}

/** The largest recording that is made into a request file, in bytes. */
const MAX_RECORDING_BYTES = 8 * 1024 * 1024;

/** Opens an unsaved request file with the requests of a recording, and what they got. */
async function newFromRecording(argument: unknown, dialogs: Dialogs): Promise<void> {
  const uri = await chooseRecording(argument, l10n.t("Create Request File from Recording"), dialogs);
  if (uri === undefined) return;
  const { name, text } = await readChosenFile(uri, MAX_RECORDING_BYTES);
  if (text === "")
    throw refused(l10n.t("{0} is empty, or larger than {1} MiB.", plain.name(name), MAX_RECORDING_BYTES / 1024 / 1024));
  const reading = readRecording(text);
  if (reading.kind === "wrong") throw refused(l10n.t("{0} can't be read. {1}", plain.name(name), reading.message));
  const requests = recordedRequests(reading.recording);
  if (requests.kind === "none") throw refused(requests.reason);
  await openUntitled(name.replace(/\.rpcrec\.jsonl$|\.[^.]*$/, ""), requests.text);
  dialogs.tell("information", requests.told);
  if (!reading.recording.isFinished) dialogs.tell("warning", unfinishedSentence());
}

/**
 * Opens the exchange's page about a method in the browser. Nothing but the catalogue says where: an unknown method has
 * no page.
 */
function openDocumentation(method: string): void {
  const address = methodReference(method)?.documentation;
  if (address !== undefined) void vscode.env.openExternal(vscode.Uri.parse(address, true));
}

/** Asks for a method, and opens an unsaved file with a request of it. */
async function newFile({ dialogs, recentMethods }: Pick<NewRequestUi, "dialogs" | "recentMethods">): Promise<void> {
  const { recent, common, others } = groupedMethods(recentMethods());
  const group = (heading: Plain, methods: readonly ListedMethod[]): readonly (Choice<string> | Heading)[] =>
    methods.length === 0 ? [] : [{ heading }, ...methods.map(methodChoice)];
  const choices = [
    ...group(l10n.t("Recent"), recent),
    ...group(l10n.t("Common"), common),
    ...group(l10n.t("All others"), others),
  ];
  const result = await dialogs.askChoice({
    title: l10n.t("New Request File"),
    placeholder: l10n.t("Select a method (nothing is sent until you select Send)"),
    choices,
  });
  if (result.kind !== "next") return;
  await openSnippet(snippetOf(result.value, 1));
}

function methodChoice({ facts: { name }, reference }: ListedMethod): Choice<string> {
  return { label: plain.text(name), description: sectionAndSummary(reference), value: name };
}

/** Opens an unsaved request file with a snippet, whose places the user visits. */
async function openSnippet(snippet: string): Promise<void> {
  const editor = await openUntitled("request", "");
  await editor.insertSnippet(new vscode.SnippetString(`${snippet}\n`));
}

/** The subject of a request. */
interface Subject {
  /** The name of a new file. */
  readonly name: string;
  /** The connection that knows the subject: the request has to be sent there. */
  readonly connectionId: string;
}

interface Offer extends Subject {
  readonly title: Plain;
  readonly about: Plain;
  readonly offered: readonly OfferedRequest[];
}

async function addChosen({ title, about, offered, ...subject }: Offer, ui: NewRequestUi): Promise<void> {
  const choices = offered.map((each) => ({ label: each.label, description: plain.name(each.method), value: each }));
  const result = await ui.dialogs.askChoice({ title, placeholder: about, choices, isPresent: () => false });
  if (result.kind === "next") await add(subject, result.value, ui);
}

/**
 * Adds a request to the active request file, at its end, if its requests go to the same connection; else opens a new
 * file.
 */
async function add(
  { name, connectionId }: Subject,
  { method, params }: Pick<OfferedRequest, "method" | "params">,
  { scans, targets, liveConnections }: NewRequestUi,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const isFitting =
    editor !== undefined &&
    isRequestDocument(editor.document) &&
    (liveConnections.all.length < 2 || targets.of(editor.document.uri)?.record.id === connectionId);
  const file = isFitting ? scans.of(editor.document) : undefined;
  const edits =
    file === undefined ? undefined : appendRequest(file, fileRequestText({ id: file.count + 1, method, params }));
  if (editor === undefined || edits === undefined) {
    const { document } = await openUntitled(name, `${fileRequestText({ id: 1, method, params })}\n`);
    if (liveConnections.all.length > 1) targets.set(document.uri, connectionId);
    return;
  }
  const { document } = editor;
  await vscode.workspace.applyEdit(editOf(document, edits));
  const written = scans.of(document);
  const last = written.request(written.count - 1);
  if (last === undefined) return;
  const shown = await vscode.window.showTextDocument(document, {
    viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active,
    preview: false,
  });
  const place = toRange(document, last.range);
  shown.selection = new vscode.Selection(place.start, place.start);
  shown.revealRange(place, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

interface MethodUi {
  readonly dialogs: Pick<Dialogs, "askList">;
  /** Opens an unsaved request file with a snippet. */
  readonly openRequest: (snippet: string) => Promise<void>;
  /** Opens the exchange's page about a method in the browser. */
  readonly openDocumentation: (method: string) => void;
}

/** The two things that can be done with a row. */
interface Picked {
  readonly choice: MethodChoice;
  readonly action: "open" | "read";
}

/**
 * Shows all methods and channels, to be found by words. The chosen one becomes a request in a new file; one that is
 * never sent from a file is only explained. Needs no connection.
 */
export async function browseMethods({ dialogs, openRequest, openDocumentation }: MethodUi): Promise<void> {
  const result = await dialogs.askList<Picked, MethodChoice>({
    title: () => l10n.t("Browse Methods"),
    placeholder: l10n.t("Search names and descriptions (nothing is sent)"),
    rows: (typed) => methodGroups(typed).flatMap(({ heading, choices }) => [{ heading }, ...choices.map(rowOf)]),
    accept({ selected: [picked] }) {
      if (picked === undefined) return undefined;
      const { choice, action } = picked;
      if (action === "open" && choice.snippet !== undefined) return choice;
      if (choice.method !== undefined) openDocumentation(choice.method);
      return undefined;
    },
  });
  const snippet = result.kind === "next" ? result.value.snippet : undefined;
  if (snippet !== undefined) await openRequest(snippet());
}

function rowOf(choice: MethodChoice): Choice<Picked> | Heading {
  const { label, description, detail, method } = choice;
  return {
    label,
    description,
    detail,
    // The words were compared already, in any order.
    alwaysShow: true,
    ...(method === undefined
      ? {}
      : {
          buttons: [
            {
              icon: "link-external",
              tooltip: l10n.t("Open Documentation"),
              value: { choice, action: "read" as const },
            },
          ],
        }),
    value: { choice, action: "open" },
  };
}
