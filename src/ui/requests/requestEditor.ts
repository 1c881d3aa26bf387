import * as vscode from "vscode";
import { nothingToDo, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { codeNotes } from "../../present/requests/placeholderWords.ts";
import { curlText, carriesToken, pythonText, typeScriptText } from "../../requests/writing/exportCode.ts";
import { lastBefore } from "../../requests/file/cursor.ts";
import type { FileRequest, RequestFile } from "../../requests/file/file.ts";
import type { Wanted } from "../../requests/running/plan.ts";
import { type Filled, resolveKnown } from "../../requests/values/resolve.ts";
import { httpServerOf } from "../../rpc/address.ts";
import type { HttpServer } from "../../rpc/transport.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import { uriOf } from "../editor/documents.ts";
import type { Handler, Handlers } from "../editor/handler.ts";
import { openFile } from "./files.ts";
import { isRequestDocument, toRange } from "./requestDocuments.ts";
import type { RequestRuns } from "./requestRuns.ts";
import { type RequestUi, environmentsOf, placeholderNames } from "./requestUi.ts";
import { connectionPlace } from "../../present/connections/connectionWords.ts";
import { variableRows, type VariableDefinition, type VariableRow } from "../../present/requests/variableList.ts";
import { definitionsOf } from "./authoringNames.ts";

/**
 * Makes the commands on request files. Their arguments: the file, or the active one if left out; the number of the
 * request, or the one at the cursor if left out.
 */
export function requestHandlers(ui: RequestUi, runs: RequestRuns): Handlers {
  const { dialogs, scans, targets } = ui;
  /** The index of the request that was sent last, by address of the document. */
  const latest = new Map<string, number>();
  const sending =
    (wantedOf: (document: vscode.TextDocument, index: unknown) => Wanted): Handler =>
    async (argument, index) => {
      if (!vscode.workspace.isTrusted) {
        explainRestrictedMode(dialogs);
        return;
      }
      const document = await documentOf(uriOf(argument));
      const wanted = wantedOf(document, index);
      if (wanted.kind === "one") latest.set(document.uri.toString(), wanted.index);
      await runs.run(document, wanted);
    };
  const indexIn = (document: vscode.TextDocument, index: unknown): number =>
    requestOf(document, scans.of(document), index).index;
  return {
    "tradingRpc.request.send": sending((document, index) => ({ kind: "one", index: indexIn(document, index) })),
    "tradingRpc.request.sendAll": sending(() => ({ kind: "all" })),
    "tradingRpc.request.sendFromHere": sending((document, index) => ({
      kind: "from",
      index: indexIn(document, index),
    })),
    "tradingRpc.request.sendReads": sending(() => ({ kind: "reads" })),
    // The last request of this window's runs of the file, as it is now.
    "tradingRpc.request.resend": sending((document) => {
      const index = latest.get(document.uri.toString());
      const isThere = index !== undefined && index < scans.of(document).count;
      return { kind: "one", index: indexIn(document, isThere ? index : undefined) };
    }),
    "tradingRpc.request.stop": async (argument) => {
      const { uri } = await documentOf(uriOf(argument));
      if (runs.stateOf(uri) === undefined) throw nothingToDo(l10n.t("No requests from this file are being sent."));
      runs.stop(uri);
    },
    "tradingRpc.request.chooseTarget": async (argument) =>
      await targets.choose((await documentOf(uriOf(argument))).uri),
    "tradingRpc.request.showVariables": async (argument) => await showVariables(await documentOf(uriOf(argument)), ui),
    "tradingRpc.request.copyAsCurl": async (argument) => {
      const { server, request, method, filled } = await copiedRequest(argument, ui);
      const { transport } = request.run;
      const form =
        transport === undefined || transport === "webSocket" || transport === "http" ? {} : { form: transport };
      const told = carriesToken(method)
        ? l10n.t("Copied as curl. The access token is read from the shell variable $TOKEN.")
        : l10n.t("Copied as curl.");
      await copy(curlText(server, { method, paramsText: filled.text, ...form }), told, filled, dialogs);
    },
    "tradingRpc.request.copyAsCode": async (argument) => {
      const { server, method, filled } = await copiedRequest(argument, ui);
      const language = await askLanguage(dialogs);
      if (language === undefined) return;
      const text = language.write(server, { method, paramsText: filled.text, notes: codeNotes(filled, ui) });
      const told = carriesToken(method)
        ? l10n.t("Copied as {0}. Credentials are read from environment variables.", plain.text(language.name))
        : l10n.t("Copied as {0}.", plain.text(language.name));
      await copy(text, told, filled, dialogs);
    },
  };
}

/** Returns the request at the cursor, with what is needed to write it in another form. */
async function copiedRequest(
  argument: unknown,
  ui: RequestUi,
): Promise<{
  readonly server: HttpServer;
  readonly request: FileRequest;
  readonly method: string;
  readonly filled: Filled;
}> {
  const document = await documentOf(uriOf(argument));
  const request = requestOf(document, ui.scans.of(document), undefined);
  const { method } = request;
  if (method === undefined) throw refused(l10n.t("This request has no method yet."));
  return { server: serverOf(document.uri, ui), request, method, filled: fillRequest(document, request, ui) };
}

const TOLD_MS = 5000;

/** Copies a text, and says so. Placeholders without a value stay in it: a program cannot fill them in. */
async function copy(text: string, told: Plain, { problems }: Filled, dialogs: Dialogs): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  const left = [...new Set(problems.map(({ placeholder: { path } }) => plain.name(path)))];
  dialogs.tellInPassing(
    left.length === 0 ? told : plain`${told} ${l10n.t("Values still to fill in: {0}.", plain.join(left, ", "))}`,
    TOLD_MS,
  );
}

interface Language {
  readonly name: string;
  readonly write: typeof typeScriptText;
}

async function askLanguage(dialogs: Dialogs): Promise<Language | undefined> {
  const choices: Choice<Language>[] = [
    {
      label: plain`TypeScript`,
      description: l10n.t("Node.js 20 or later, no packages"),
      value: { name: "TypeScript", write: typeScriptText },
    },
    {
      label: plain`Python`,
      description: l10n.t("Python 3, standard library only"),
      value: { name: "Python", write: pythonText },
    },
  ];
  const result = await dialogs.askChoice({
    title: l10n.t("Copy Request as Code"),
    placeholder: l10n.t("Select a language"),
    choices,
    isPresent: () => false,
  });
  return result.kind === "next" ? result.value : undefined;
}

/** Returns the server of the connection that the file is sent to, open or not. */
function serverOf(uri: vscode.Uri, { targets }: RequestUi): HttpServer {
  const target = targets.of(uri);
  const server =
    targets.liveOf(uri)?.httpServer ??
    (target === undefined || target.record.url === "" ? undefined : httpServerOf(target.record.url));
  if (server === undefined) throw refused(l10n.t("Select a connection first. The copied request includes its server."));
  return server;
}

/** Returns the request file at an address; else that of the active editor. */
export async function documentOf(uri: vscode.Uri | undefined): Promise<vscode.TextDocument> {
  if (uri !== undefined) return await openFile(uri);
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && isRequestDocument(document)) return document;
  throw refused(l10n.t("Open a request file (*.rpc.json) and place the cursor in a request."));
}

/** Returns the request with this index; else the one at the cursor, or the last one before it. */
export function requestOf(document: vscode.TextDocument, file: RequestFile, index: unknown): FileRequest {
  const editor = vscode.window.activeTextEditor;
  const cursor = editor?.document === document ? document.offsetAt(editor.selection.active) : 0;
  const request = typeof index === "number" ? file.request(index) : (lastBefore(file, cursor + 1) ?? file.request(0));
  if (request !== undefined) return request;
  throw refused(file.problems[0]?.message ?? l10n.t("This file has no requests."));
}

function explainRestrictedMode(dialogs: Dialogs): void {
  const manage = (): Thenable<unknown> => vscode.commands.executeCommand("workbench.trust.manage");
  dialogs.tell(
    "warning",
    l10n.t(
      "Requests can't be sent in Restricted Mode, because untrusted files must not act on your account. Views and their commands still work.",
    ),
    [{ title: l10n.t("Manage Workspace Trust"), run: manage }],
  );
}

/**
 * Shows everything that the placeholders of a request file can name, with its values; choosing a name goes to its
 * definition.
 */
async function showVariables(document: vscode.TextDocument, ui: RequestUi): Promise<void> {
  const rows = rowsOf(document, ui);
  if (rows.length === 0)
    throw refused(
      l10n.t(
        "This file has no variables or named requests. Define them with $file.vars, $run.vars, $run.name, or rpc.env.json.",
      ),
    );
  const choices = rows.map((row) => ({ label: row.name, description: row.value, detail: row.source, value: row }));
  // Values depend on where requests are sent.
  const target = ui.targets.of(document.uri);
  const result = await ui.dialogs.askChoice({
    title: target === undefined ? l10n.t("File Variables") : l10n.t("File Variables for {0}", connectionPlace(target)),
    isFleeting: true,
    placeholder: l10n.t("Select an item to go to its definition"),
    choices,
  });
  if (result.kind !== "next") return;
  const place = await placeOf(document, result.value.definition, ui);
  if (place === undefined) throw refused(l10n.t("The definition doesn't exist any more."));
  await vscode.window.showTextDocument(place.uri, { selection: place.range });
}

/** Returns the parameters of a request, with placeholders filled in that have a value now. */
function fillRequest(document: vscode.TextDocument, request: FileRequest, ui: RequestUi): Filled {
  return request.run.isRaw
    ? { text: request.paramsText, used: [], problems: [] }
    : resolveKnown(request.paramsText, placeholderNames(document, request, ui).lookup);
}

function rowsOf(document: vscode.TextDocument, ui: RequestUi): readonly VariableRow[] {
  const { scans, targets, clock, times } = ui;
  const { uri } = document;
  const results = ui.results.of(uri);
  // No row is about what is built in: neither a time nor an id is made here.
  return variableRows(
    {
      file: scans.of(document),
      environmentVars: environmentsOf(uri, ui),
      results: results.all,
      waiting: [...scans.named(document).keys()].filter((name) => results.get(name) === undefined),
      environment: targets.of(uri)?.environment ?? "simulator",
      clock,
      uuid: () => "",
    },
    { nowMs: clock.now(), times },
  );
}

async function placeOf(
  document: vscode.TextDocument,
  definition: VariableDefinition,
  ui: RequestUi,
): Promise<vscode.Location | undefined> {
  switch (definition.kind) {
    case "here":
      return new vscode.Location(document.uri, toRange(document, definition.range));
    case "result":
      return (await definitionsOf(document, { ...definition, ownerIndex: undefined }, ui))[0];
    case "environment": {
      const files = await ui.environments.load(document.uri);
      const variable = files
        .find(({ uri }) => uri === definition.uri)
        ?.sections.get(definition.section)
        ?.find(({ name }) => name === definition.name);
      if (variable === undefined) return undefined;
      const opened = await openFile(vscode.Uri.parse(definition.uri, true));
      return new vscode.Location(opened.uri, toRange(opened, variable.range));
    }
  }
}
