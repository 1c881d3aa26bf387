import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { LiveConnection } from "../actions/liveConnection.ts";
import { isSwitch } from "../actions/subaccounts.ts";
import type { Clock } from "../base/clock.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import { CallError } from "../base/failure.ts";
import { connectionPlace, environmentWord } from "../present/connectionWords.ts";
import type { Times } from "../present/times.ts";
import { checkFile, isShownByEditor } from "../requests/check.ts";
import type { FileProblem, FileRequest, RequestFile } from "../requests/file.ts";
import { curlText } from "../requests/curl.ts";
import { runRequest } from "../requests/run.ts";
import { httpServerOf } from "../rpc/address.ts";
import type { HttpServer } from "../rpc/transport.ts";
import { scanRequests } from "../requests/scan.ts";
import type { Connections } from "../state/connections.ts";
import type { AnswerDocuments } from "./answerDocuments.ts";
import type { LiveConnections } from "./liveConnections.ts";
import type { Settings } from "./settings.ts";

/** Lenses, checks and sending for `*.rpc.json` files, whatever they are stored in. */
export interface RequestEditor extends Disposable {
  /** Sends the request with this number, or the one at the cursor of the active editor. */
  send(uri: vscode.Uri | undefined, index: number | undefined): Promise<void>;
  /** Puts the request at the cursor into the clipboard, as a command line for the active connection's server. */
  copyAsCurl(uri: vscode.Uri | undefined): Promise<void>;
}

export interface RequestEditorPorts {
  readonly connections: Connections;
  readonly live: LiveConnections;
  readonly answers: AnswerDocuments;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly times: Times;
  /** Lets a person connect when there is no connection to send to. Resolves to whether there is one now. */
  readonly connect: () => Promise<boolean>;
}

const SELECTOR: vscode.DocumentSelector = { pattern: "**/*.rpc.json" };
/** A pause in typing after which a file is looked at. */
const CHECK_PAUSE_MS = 300;

export function createRequestEditor(ports: RequestEditorPorts): RequestEditor {
  const { connections, settings } = ports;
  const scans = new WeakMap<vscode.TextDocument, { readonly version: number; readonly file: RequestFile }>();
  const scan = (document: vscode.TextDocument): RequestFile => {
    const before = scans.get(document);
    if (before?.version === document.version) return before.file;
    const file = scanRequests(document.getText());
    scans.set(document, { version: document.version, file });
    return file;
  };
  const disposables = new DisposableList();
  const lensChanges = disposables.add(new vscode.EventEmitter<void>());
  disposables.add(connections.onDidChange(() => lensChanges.fire()));
  disposables.add(settings.onDidChange(() => lensChanges.fire()));
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => lensChanges.fire()));
  disposables.add(
    vscode.languages.registerCodeLensProvider(SELECTOR, {
      onDidChangeCodeLenses: lensChanges.event,
      provideCodeLenses(document) {
        if (!settings.requests(document.uri).hasSendLens) return [];
        const file = scan(document);
        return file.requests.map((request) => new vscode.CodeLens(startOf(document, request), lensCommand(document, file, request, ports)));
      },
    }),
  );
  disposables.add(createChecks(ports.clock, scan));
  return {
    async send(uri, index) {
      if (!vscode.workspace.isTrusted) {
        await explainRestrictedMode();
        return;
      }
      const document = await documentOf(uri);
      const file = scan(document);
      const request = requestOf(document, file, index);
      const live = await targetOf(ports);
      if (live !== undefined) await sendTo(live, { document, file, request, sendAnyway: false }, ports);
    },
    async copyAsCurl(uri) {
      const document = await documentOf(uri);
      const { method, paramsText, run: { transport } } = requestOf(document, scan(document), undefined);
      if (method === undefined) throw new CallError({ kind: "refused", reason: l10n.t("This request has no method yet.") });
      const form = transport === undefined || transport === "webSocket" || transport === "http" ? {} : { form: transport };
      await vscode.env.clipboard.writeText(curlText(serverOf(ports), { method, paramsText, ...form }));
      vscode.window.setStatusBarMessage(l10n.t("Copied as curl; the token is the shell's variable $TOKEN."), COPIED_MS);
    },
    dispose: () => disposables.dispose(),
  };
}

const COPIED_MS = 5000;

/** Of the active connection, live or not. */
function serverOf({ connections, live }: RequestEditorPorts): HttpServer {
  const { active } = connections;
  const server = active === undefined ? undefined : (live.find(active.record.id)?.httpServer ?? (active.record.url === "" ? undefined : httpServerOf(active.record.url)));
  if (server === undefined) throw new CallError({ kind: "refused", reason: l10n.t("Choose a connection first: the command line names its server.") });
  return server;
}

interface Sending {
  readonly document: vscode.TextDocument;
  readonly file: RequestFile;
  readonly request: FileRequest;
  readonly sendAnyway: boolean;
}

async function sendTo(live: LiveConnection, sending: Sending, ports: RequestEditorPorts): Promise<void> {
  const { document, file, request, sendAnyway } = sending;
  // As it is called now: the request may be what switches it to another account.
  const { gate, environment, record, name, place } = live;
  const result = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: l10n.t("Request to {0}…", place) }, async () =>
    await runRequest(file, request, { gate, environment, fileName: vscode.workspace.asRelativePath(document.uri), timeoutMs: ports.settings.connection().requestTimeoutMs, sendAnyway }),
  );
  // The person said no and knows it.
  if (result.outcome.kind === "notSent" && result.outcome.failure.kind === "declined") return;
  const { activityId } = result;
  const verdictsNow = (): AnswerVerdicts => gate.activity.find((entry) => entry.id === activityId)?.verdicts ?? [];
  const uri = await ports.answers.show({
    fileUri: document.uri.toString(),
    folder: document.isUntitled ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.joinPath(document.uri, ".."),
    source: { result, environment, connectionName: name, ...(isSwitch(result.intent.method) ? { placeAfter: live.place } : {}), endedAtMs: ports.clock.now(), verdicts: verdictsNow(), times: ports.times },
    sendAnyway: async () => await sendTo(ports.live.find(record.id) ?? live, { ...sending, sendAnyway: true }, ports),
    ...(activityId === undefined ? {} : { checkAgain: async () => await gate.checkAgain(activityId) }),
  });
  if (result.outcome.kind === "unknown" && activityId !== undefined) followVerdicts(live, activityId, () => ports.answers.update(uri, (source) => (source.result === result ? { ...source, verdicts: verdictsNow() } : source)));
}

type AnswerVerdicts = LiveConnection["gate"]["activity"][number]["verdicts"];

/** What reading finds out stands in the answer too, until the connection is closed. */
function followVerdicts(live: LiveConnection, activityId: string, show: () => void): void {
  const listeners = new DisposableList();
  listeners.add(live.gate.onDidChangeActivity((entry) => {
    if (entry.id === activityId) show();
  }));
  listeners.add(live.onDidChangeState((state) => {
    if (state.status === "off") listeners.dispose();
  }));
  show();
}

/** The active connection, once it can be sent to. */
async function targetOf(ports: RequestEditorPorts): Promise<LiveConnection | undefined> {
  const activeLive = (): LiveConnection | undefined => {
    const { active } = ports.connections;
    return active === undefined ? undefined : ports.live.find(active.record.id);
  };
  const present = activeLive();
  if (present?.state.status === "ready") return present;
  return (await ports.connect()) ? activeLive() : undefined;
}

async function documentOf(uri: vscode.Uri | undefined): Promise<vscode.TextDocument> {
  if (uri !== undefined) return await vscode.workspace.openTextDocument(uri);
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.path.endsWith(".rpc.json") === true) return document;
  throw new CallError({ kind: "refused", reason: l10n.t("Open a request file (*.rpc.json) and place the cursor in a request.") });
}

/** The request with this number; else the one at the cursor, or the last one before it. */
function requestOf(document: vscode.TextDocument, file: RequestFile, index: number | undefined): FileRequest {
  const editor = vscode.window.activeTextEditor;
  const cursor = editor?.document === document ? document.offsetAt(editor.selection.active) : 0;
  const atCursor = file.requests.findLast((request) => request.range.start <= cursor) ?? file.requests[0];
  const request = index === undefined ? atCursor : file.requests[index];
  if (request !== undefined) return request;
  throw new CallError({ kind: "refused", reason: file.problems[0]?.message ?? l10n.t("There is no request in this file.") });
}

function startOf(document: vscode.TextDocument, request: FileRequest): vscode.Range {
  const start = document.positionAt(request.range.start);
  return new vscode.Range(start, start);
}

/** Names where the request would go, or why it would not. */
function lensCommand(document: vscode.TextDocument, { pin }: RequestFile, request: FileRequest, { connections }: RequestEditorPorts): vscode.Command {
  const { active } = connections;
  if (!vscode.workspace.isTrusted) return { title: l10n.t("▷ Send · not in Restricted Mode"), command: "workbench.trust.manage" };
  const send = { command: "tradingRpc.request.send", arguments: [document.uri.toString(), request.index] };
  if (active === undefined || active.state.status === "off") return { ...send, title: l10n.t("▷ Send · not connected") };
  const place = connectionPlace(active);
  if (pin.kind === "only" && !pin.environments.includes(active.environment)) {
    return { ...send, title: l10n.t("⊘ Not for {0} · this file is for {1} only", place, pin.environments.map(environmentWord).join(", ")) };
  }
  return { ...send, title: active.state.status === "ready" ? l10n.t("▷ Send · {0}", place) : l10n.t("▷ Send · {0}, connecting…", place) };
}

async function explainRestrictedMode(): Promise<void> {
  const manage = l10n.t("Manage Workspace Trust");
  const chosen = await vscode.window.showWarningMessage(l10n.t("Requests are not sent in Restricted Mode: a file of a folder that you do not trust must not act on your account. Views and their commands work."), manage);
  if (chosen === manage) await vscode.commands.executeCommand("workbench.trust.manage");
}

/** Keeps the problems of open request files in the Problems view. */
function createChecks(clock: Clock, scan: (document: vscode.TextDocument) => RequestFile): Disposable {
  const disposables = new DisposableList();
  const found = disposables.add(vscode.languages.createDiagnosticCollection("trading-rpc"));
  const waiting = new Map<vscode.TextDocument, Disposable>();
  const forget = (document: vscode.TextDocument): void => {
    waiting.get(document)?.dispose();
    waiting.delete(document);
  };
  const check = (document: vscode.TextDocument, pauseMs: number): void => {
    if (vscode.languages.match(SELECTOR, document) === 0) return;
    forget(document);
    const run = (): void => {
      waiting.delete(document);
      if (!document.isClosed) found.set(document.uri, checkFile(scan(document)).filter((problem) => !isShownByEditor(problem)).map((problem) => diagnostic(document, problem)));
    };
    waiting.set(document, clock.after(pauseMs, run));
  };
  disposables.add(vscode.workspace.onDidOpenTextDocument((document) => check(document, 0)));
  disposables.add(vscode.workspace.onDidChangeTextDocument(({ document }) => check(document, CHECK_PAUSE_MS)));
  disposables.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      forget(document);
      found.delete(document.uri);
    }),
  );
  disposables.add({ dispose: () => { for (const timer of waiting.values()) timer.dispose(); } });
  for (const document of vscode.workspace.textDocuments) check(document, 0);
  return disposables;
}

function diagnostic(document: vscode.TextDocument, problem: FileProblem): vscode.Diagnostic {
  const range = new vscode.Range(document.positionAt(problem.range.start), document.positionAt(problem.range.end));
  const severity = problem.severity === "error" ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const made = new vscode.Diagnostic(range, problem.message, severity);
  made.source = "Trading RPC";
  made.code = problem.code;
  return made;
}
