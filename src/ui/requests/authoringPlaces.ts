import * as crypto from "node:crypto";
import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import { NOTHING_KNOWN, type KnownObjects } from "../../present/requests/knownObjects.ts";
import type { NeededList } from "../../present/requests/neededLists.ts";
import type { PlaceholderNames } from "../../present/requests/placeholderSuggestions.ts";
import type { Times } from "../../present/text/times.ts";
import { bareMethod } from "../../catalogue/index.ts";
import { environmentVariables } from "../../requests/values/environmentFile.ts";
import type { FileRequest, RequestFile, RequestOutline, TextRange } from "../../requests/file/file.ts";
import { namedRequests, outlineRequests } from "../../requests/file/outline.ts";
import { helpLine, type DiagnosticCode } from "../../requests/file/problemHelp.ts";
import { createLookup, type Lookup } from "../../requests/values/variables.ts";
import type { Connection } from "../../state/connections.ts";
import type { EnvironmentFiles } from "./environmentFiles.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";
import type { NamedResults } from "./namedResults.ts";
import { REQUEST_FILE_PATTERN } from "./files.ts";
import type { RequestScans } from "./scans.ts";
import type { RequestTargets } from "./targets.ts";
import type { Screen } from "../tree/screen.ts";

/**
 * The ports for help with writing request files. All help comes from what is known: nothing here calls the exchange but
 * the lists of `neededLists`, which are read at most once an hour.
 */
export interface AuthoringPorts {
  readonly scans: RequestScans;
  readonly targets: Pick<RequestTargets, "of" | "onDidChange">;
  readonly liveConnections: LiveConnections;
  readonly results: NamedResults;
  readonly environments: EnvironmentFiles;
  readonly screen: Pick<Screen, "hide">;
  readonly clock: Clock;
  readonly times: Times;
  /** The page that explains hints. */
  readonly problemPage: vscode.Uri;
}

/** The ports, and the outlines of requests. */
export interface OutlinedPorts extends AuthoringPorts {
  readonly outlinesOf: ReturnType<typeof createOutlines>;
}

export const REQUEST_FILES: vscode.DocumentSelector = { pattern: REQUEST_FILE_PATTERN };

/** Returns a function that reads names, methods and ids of a file's requests, once for each version. */
export function createOutlines(): (file: RequestFile) => readonly RequestOutline[] {
  const outlines = new WeakMap<RequestFile, readonly RequestOutline[]>();
  return (file) => {
    const made = outlines.get(file) ?? outlineRequests(file);
    outlines.set(file, made);
    return made;
  };
}

/** Returns the connection that a document is sent to, if it is open. */
export function liveTarget(
  uri: vscode.Uri,
  { targets, liveConnections }: Pick<AuthoringPorts, "targets" | "liveConnections">,
): LiveConnection | undefined {
  const target = targets.of(uri);
  return target === undefined ? undefined : liveConnections.find(target.record.id);
}

/** Returns what the stores of a connection know now; without one, nothing. */
export function knownObjects(live: LiveConnection | undefined): KnownObjects {
  if (live === undefined) return NOTHING_KNOWN;
  const { place, account, positions, orders, blockTrades, apiKeys, quotes, mmp, instruments, lists, lastTrades } = live;
  return {
    place,
    summaries: account.snapshot,
    positions,
    orders: orders.snapshot,
    blockTrades: blockTrades.snapshot,
    apiKeys: apiKeys.snapshot,
    quotes: quotes.snapshot,
    rfqs: quotes.rfqs,
    mmp: mmp.snapshot,
    instruments: instruments.snapshot,
    currencies: lists.currencies.snapshot,
    indexNames: lists.indexNames.snapshot,
    accounts: lists.accounts.snapshot,
    lastTrades: [...lastTrades].map(({ snapshot }) => snapshot),
  };
}

/**
 * Asks a connection for lists that are needed, and does not wait for them. In Restricted Mode nothing is asked for.
 * Whether one of them is not known yet.
 */
export function askForLists(needed: readonly NeededList[], live: LiveConnection | undefined): boolean {
  if (live === undefined || !vscode.workspace.isTrusted) return false;
  const stores = needed.map((each) => (each === "instruments" ? live.instruments : live.lists[each]));
  for (const each of stores) void each.load();
  return stores.some(({ snapshot }) => snapshot.readAtMs === undefined && snapshot.failure === undefined);
}

/** Returns everything that placeholders of a request can name, with its values. */
export function placeholderNames(
  uri: vscode.Uri,
  scanned: { readonly file: RequestFile; readonly request: FileRequest; readonly outlines: readonly RequestOutline[] },
  ports: AuthoringPorts,
): PlaceholderNames {
  const { file, request, outlines } = scanned;
  const { results, environments, clock, targets } = ports;
  const target = targets.of(uri);
  const responses = target === undefined ? undefined : results.of(target.record.id, uri);
  const environmentVars = environmentsOf(uri, target, environments);
  const inFile = [...request.run.vars, ...file.vars].map(({ name }) => name);
  const lookup = createLookup({
    resultOf: (name) => responses?.get(name),
    runVars: request.run.vars,
    fileVars: file.vars,
    environmentVars,
    environment: target?.environment ?? "simulator",
    clock,
    uuid: () => crypto.randomUUID(),
  });
  return {
    variables: [...new Set([...inFile, ...environmentVars.flatMap(({ values }) => [...values.keys()])])],
    results: responses?.all ?? [],
    waiting: [...namedRequests(outlines)]
      .filter(([name]) => responses?.get(name) === undefined)
      .map(([name, { method }]) => ({ name, method: method && bareMethod(method.value) })),
    lookup: target === undefined ? withoutEnvironment(lookup) : lookup,
  };
}

/** Returns the variables of environment files; without a connection, only those for all environments. */
export function environmentsOf(
  uri: vscode.Uri,
  target: Connection | undefined,
  environments: EnvironmentFiles,
): ReturnType<typeof environmentVariables> {
  const files = environments.known(uri);
  if (target !== undefined) return environmentVariables(files, target.environment);
  return environmentVariables(files, "simulator").filter(({ source }) => source.section === "*");
}

function withoutEnvironment(lookup: Lookup): Lookup {
  return (path) => (path === "$env" ? undefined : lookup(path));
}

export function toRange(document: vscode.TextDocument, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Returns a diagnostic of ours: its code leads to the line of `page` that explains it. */
export function diagnosticOf(
  range: vscode.Range,
  {
    code,
    message,
    severity,
  }: { readonly code: DiagnosticCode; readonly message: string; readonly severity: "error" | "warning" | "hint" },
  page: vscode.Uri,
): vscode.Diagnostic {
  const made = new vscode.Diagnostic(range, message, SEVERITIES[severity]);
  made.source = "Trading RPC";
  made.code = { value: code, target: page.with({ fragment: `L${String(helpLine(code))}` }) };
  return made;
}

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Information,
} as const;

/** Returns lines of plain text for a hover or beside a choice: nothing in them is markup. */
export function plainLines(lines: readonly string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  for (const [index, line] of lines.entries()) text.appendText(index === 0 ? line : `\n${line}`);
  return text;
}
