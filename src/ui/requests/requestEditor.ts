import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { codeNotes } from "../../present/requests/placeholderWords.ts";
import type { Times } from "../../present/text/times.ts";
import { curlText, carriesToken, pythonText, typeScriptText } from "../../requests/writing/exportCode.ts";
import { lastBefore } from "../../requests/file/cursor.ts";
import type { FileRequest, RequestFile } from "../../requests/file/file.ts";
import type { Wanted } from "../../requests/running/plan.ts";
import type { Filled } from "../../requests/values/resolve.ts";
import { httpServerOf } from "../../rpc/address.ts";
import type { HttpServer } from "../../rpc/transport.ts";
import { REQUEST_FILES } from "./authoringPlaces.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";
import { openFile } from "./files.ts";
import type { RequestRuns } from "./requestRuns.ts";
import type { RequestScans } from "./scans.ts";
import type { RequestTargets } from "./targets.ts";
import type { RequestVariables } from "./variables.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice } from "../editor/dialogSteps.ts";

/**
 * The actions on request files. `uri`: the file, or the active one if left out. `index`: the request, or the one at the
 * cursor if left out.
 */
export interface RequestEditor {
  send(uri: vscode.Uri | undefined, index: number | undefined): Promise<void>;
  sendAll(uri: vscode.Uri | undefined): Promise<void>;
  /** Sends that request and all after it. */
  sendFromHere(uri: vscode.Uri | undefined, index: number | undefined): Promise<void>;
  runReads(uri: vscode.Uri | undefined): Promise<void>;
  stop(uri: vscode.Uri | undefined): Promise<void>;
  /** Sends the last request of this window's runs of the file once more, as it is now. */
  resend(uri: vscode.Uri | undefined): Promise<void>;
  /** Switches the connection that a file is sent to. */
  chooseTarget(uri: vscode.Uri | undefined): Promise<void>;
  /** Copies the request at the cursor to the clipboard, as a command line for its connection's server. */
  copyAsCurl(uri: vscode.Uri | undefined): Promise<void>;
  /** Copies the request at the cursor as a program, in a language that the user chooses. */
  copyAsCode(uri: vscode.Uri | undefined): Promise<void>;
  /** Lists everything that the placeholders of a file can name. */
  showVariables(uri: vscode.Uri | undefined): Promise<void>;
}

export interface RequestEditorPorts {
  readonly dialogs: Dialogs;
  readonly scans: RequestScans;
  readonly targets: RequestTargets;
  readonly liveConnections: LiveConnections;
  readonly runs: RequestRuns;
  readonly variables: RequestVariables;
  readonly clock: Clock;
  readonly times: Times;
}

export function createRequestEditor({
  dialogs,
  scans,
  targets,
  liveConnections,
  runs,
  variables,
  clock,
  times,
}: RequestEditorPorts): RequestEditor {
  /** The index of the request that was sent last, by address of the document. */
  const latest = new Map<string, number>();
  const run = async (
    uri: vscode.Uri | undefined,
    wantedOf: (document: vscode.TextDocument, file: RequestFile) => Wanted,
  ): Promise<void> => {
    if (!vscode.workspace.isTrusted) {
      explainRestrictedMode(dialogs);
      return;
    }
    const document = await documentOf(uri);
    const wanted = wantedOf(document, scans.of(document));
    if (wanted.kind === "one") latest.set(document.uri.toString(), wanted.index);
    await runs.run(document, wanted);
  };
  const requestNow = async (
    uri: vscode.Uri | undefined,
  ): Promise<{
    readonly server: HttpServer;
    readonly request: FileRequest;
    readonly method: string;
    readonly filled: Filled;
  }> => {
    const document = await documentOf(uri);
    const request = requestOf(document, scans.of(document), undefined);
    if (request.method === undefined) throw refused(l10n.t("This request has no method yet."));
    return {
      server: serverOf(document.uri, targets, liveConnections),
      request,
      method: request.method,
      filled: variables.fill(document, request),
    };
  };
  return {
    send: async (uri, index) =>
      await run(uri, (document, file) => ({ kind: "one", index: requestOf(document, file, index).index })),
    sendAll: async (uri) => await run(uri, () => ({ kind: "all" })),
    sendFromHere: async (uri, index) =>
      await run(uri, (document, file) => ({ kind: "from", index: requestOf(document, file, index).index })),
    runReads: async (uri) => await run(uri, () => ({ kind: "reads" })),
    async stop(uri) {
      const document = await documentOf(uri);
      if (runs.stateOf(document.uri) === undefined) throw refused(l10n.t("No requests from this file are being sent."));
      runs.stop(document.uri);
    },
    resend: async (uri) =>
      await run(uri, (document, file) => {
        const index = latest.get(document.uri.toString());
        return {
          kind: "one",
          index: requestOf(document, file, index !== undefined && index < file.count ? index : undefined).index,
        };
      }),
    chooseTarget: async (uri) => await targets.choose((await documentOf(uri)).uri, clock.now()),
    showVariables: async (uri) => await variables.show(await documentOf(uri)),
    async copyAsCurl(uri) {
      const {
        server,
        request: {
          run: { transport },
        },
        method,
        filled: { text: paramsText, problems },
      } = await requestNow(uri);
      const form =
        transport === undefined || transport === "webSocket" || transport === "http" ? {} : { form: transport };
      const told = carriesToken(method)
        ? l10n.t("Copied as curl. The access token is read from the shell variable $TOKEN.")
        : l10n.t("Copied as curl.");
      await copy(
        curlText(server, { method, paramsText, ...form }),
        problems.length === 0 ? told : plain`${told} ${leftText(problems)}`,
        dialogs,
      );
    },
    async copyAsCode(uri) {
      const { server, method, filled } = await requestNow(uri);
      const language = await askLanguage(dialogs);
      if (language === undefined) return;
      const text = language.write(server, { method, paramsText: filled.text, notes: codeNotes(filled, { times }) });
      const told = carriesToken(method)
        ? l10n.t("Copied as {0}. Credentials are read from environment variables.", plain.text(language.name))
        : l10n.t("Copied as {0}.", plain.text(language.name));
      await copy(text, filled.problems.length === 0 ? told : plain`${told} ${leftText(filled.problems)}`, dialogs);
    },
  };
}

const TOLD_MS = 5000;

async function copy(text: string, told: Plain, dialogs: Dialogs): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  dialogs.tellInPassing(told, TOLD_MS);
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

/**
 * Returns a sentence about the placeholders without a value: a program cannot fill them in, so that they stay as they
 * are.
 */
function leftText(problems: Filled["problems"]): Plain {
  return l10n.t(
    "Values still to fill in: {0}.",
    plain.join([...new Set(problems.map(({ placeholder: { path } }) => plain.name(path)))], ", "),
  );
}

/** Returns the server of the connection that the file is sent to, open or not. */
function serverOf(uri: vscode.Uri, targets: RequestTargets, liveConnections: LiveConnections): HttpServer {
  const target = targets.of(uri);
  const server =
    target === undefined
      ? undefined
      : (liveConnections.find(target.record.id)?.httpServer ??
        (target.record.url === "" ? undefined : httpServerOf(target.record.url)));
  if (server === undefined) throw refused(l10n.t("Select a connection first. The copied request includes its server."));
  return server;
}

/** Returns the request file at an address; else that of the active editor. */
export async function documentOf(uri: vscode.Uri | undefined): Promise<vscode.TextDocument> {
  if (uri !== undefined) return await openFile(uri);
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && vscode.languages.match(REQUEST_FILES, document) > 0) return document;
  throw refused(l10n.t("Open a request file (*.rpc.json) and place the cursor in a request."));
}

/** Returns the request with this index; else the one at the cursor, or the last one before it. */
export function requestOf(document: vscode.TextDocument, file: RequestFile, index: number | undefined): FileRequest {
  const editor = vscode.window.activeTextEditor;
  const cursor = editor?.document === document ? document.offsetAt(editor.selection.active) : 0;
  const request = index === undefined ? (lastBefore(file, cursor + 1) ?? file.request(0)) : file.request(index);
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
