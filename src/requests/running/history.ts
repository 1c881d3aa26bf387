import * as l10n from "@vscode/l10n";
import { maskParams, secretTexts } from "../../actions/journal.ts";
import { isFailureKind, type Outcome } from "../../actions/outcome.ts";
import { environmentWords } from "../../actions/policy.ts";
import { createEmitter, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import type { Failure } from "../../base/failure.ts";
import type { ResponseTiming } from "../../rpc/response.ts";
import { HIDDEN } from "../../rpc/maskSecrets.ts";
import type { Environment } from "../../state/records.ts";
import { indentJson } from "../text/indent.ts";
import { ENVIRONMENTS_BY_NAME } from "../file/readRequest.ts";
import type { RunResult } from "./run.ts";
import { hideTokens } from "../text/secrets.ts";

/** A request of a file that was sent, and what came back. Carries no secret. */
export interface HistoryEntry {
  /** Unlike that of every other entry of the same history. */
  readonly id: number;
  /** When it ended, ms since the Unix epoch. */
  readonly atMs: number;
  readonly environment: Environment;
  readonly connectionId: string;
  /** As the connection was called then. */
  readonly connectionName: string;
  readonly fileUri: string;
  /** By `$run.name`. */
  readonly name?: string;
  /** The id that the file gives it. */
  readonly requestId?: number | string;
  readonly method: string;
  /** As they were sent, placeholders filled in. */
  readonly paramsText: string;
  /** Whether something of the request is hidden here, so that it cannot be sent again from here. */
  readonly isMasked: boolean;
  readonly outcome: Outcome["kind"];
  readonly failure?: Failure["kind"];
  /** Of a response that is an error object. */
  readonly errorCode?: number;
  readonly timing?: ResponseTiming;
  /** The result or the error object, every literal as received; undefined where nothing came. */
  readonly responseText?: string;
  /** Whether `responseText` is only the beginning. */
  readonly isResponseCut: boolean;
}

/** What is known of a request that has been sent. */
export interface SentRequest {
  readonly result: RunResult;
  readonly endedAtMs: number;
  readonly environment: Environment;
  readonly connectionId: string;
  readonly connectionName: string;
  readonly fileUri: string;
  readonly name: string | undefined;
}

/** What was sent from request files, newest first. */
export interface History extends Disposable {
  readonly entries: readonly HistoryEntry[];
  readonly onDidChange: Event<void>;
  /** Keeps a request that was sent; returns undefined for one that was not, and while the history is switched off. */
  record(sent: SentRequest): HistoryEntry | undefined;
  clear(): void;
}

export interface HistoryPorts {
  /** The switch. Read at each record. */
  readonly isOn: () => boolean;
  /** Takes out of a text what the program knows to be secret, beyond what a name or a form tells. */
  readonly hide?: (text: string) => string;
  /** What an earlier run kept, newest first. */
  readonly kept?: readonly HistoryEntry[];
}

/** As many entries are kept. */
export const MAX_HISTORY_ENTRIES = 200;
/** Of each response, in UTF-16 units. */
export const MAX_HISTORY_RESPONSE = 20_000;

/** Makes a history in memory; who wants to keep it takes `writeHistory`. */
export function createHistory({ isOn, hide = (text) => text, kept = [] }: HistoryPorts): History {
  const changes: Emitter<void> = createEmitter();
  let entries = kept.slice(0, MAX_HISTORY_ENTRIES);
  let lastId = Math.max(0, ...entries.map(({ id }) => id));
  return {
    get entries() {
      return entries;
    },
    onDidChange: changes.event,
    record(sent) {
      if (!isOn() || sent.result.outcome.kind === "notSent") return undefined;
      const entry = entryOf(sent, ++lastId, hide);
      entries = [entry, ...entries].slice(0, MAX_HISTORY_ENTRIES);
      changes.fire();
      return entry;
    },
    clear() {
      entries = [];
      changes.fire();
    },
    dispose: () => changes.dispose(),
  };
}

/** The request and its response as a text to read or to compare: no times in it, which differ always. */
export function historyText(entry: HistoryEntry): string {
  const { method, paramsText, responseText, isResponseCut } = entry;
  const request = indentJson(`{"method":${JSON.stringify(method)},"params":${paramsText}}`).text;
  const place = environmentWords(entry.environment, entry.connectionName);
  if (responseText === undefined) return [`// ${place}`, request, "", `// ${whyNoResponse(entry)}`, ""].join("\n");
  const cut = isResponseCut
    ? [`// ${l10n.t("The history keeps the first {0} characters of a response.", MAX_HISTORY_RESPONSE)}`]
    : [];
  return [`// ${place}`, request, "", `// ${l10n.t("Response")}`, indentJson(responseText).text, ...cut, ""].join("\n");
}

/** The form in which entries are kept. A later one must not be dropped by a program that does not know it. */
const HISTORY_SCHEMA = 1;

/** The entries as a text to keep. */
export function writeHistory(entries: readonly HistoryEntry[]): string {
  return JSON.stringify({ schema: HISTORY_SCHEMA, entries });
}

/**
 * What is kept: entries that can be understood, newest first, or the work of a later version, which is left as it is.
 */
export type KeptHistory =
  { readonly kind: "read"; readonly entries: readonly HistoryEntry[] } | { readonly kind: "later" };

/** Reads what `writeHistory` wrote. Never throws: what cannot be understood is passed over. */
export function readHistory(text: string): KeptHistory {
  const value = parsed(text);
  if (!isObject(value) || typeof value["schema"] !== "number") return { kind: "read", entries: [] };
  if (value["schema"] > HISTORY_SCHEMA) return { kind: "later" };
  const { entries } = value;
  return {
    kind: "read",
    entries: (Array.isArray(entries) ? entries : []).filter(isEntry).slice(0, MAX_HISTORY_ENTRIES),
  };
}

function entryOf({ result, ...sent }: SentRequest, id: number, hide: (text: string) => string): HistoryEntry {
  const { intent, outcome } = result;
  const { method } = intent;
  const clean = cleaner(secretTexts(method, intent.paramsText), hide);
  const paramsText = clean(maskParams(method, intent.paramsText));
  const response = "response" in outcome ? outcome.response : undefined;
  const failure = "failure" in outcome ? outcome.failure : undefined;
  return {
    id,
    atMs: sent.endedAtMs,
    environment: sent.environment,
    connectionId: clean(sent.connectionId),
    connectionName: clean(sent.connectionName),
    fileUri: clean(sent.fileUri),
    ...(sent.name === undefined ? {} : { name: clean(sent.name) }),
    ...(result.id === undefined ? {} : { requestId: typeof result.id === "string" ? clean(result.id) : result.id }),
    method: clean(method),
    paramsText,
    isMasked: paramsText !== intent.paramsText || clean(method) !== method,
    outcome: outcome.kind,
    ...(failure === undefined ? {} : { failure: failure.kind }),
    ...(response?.error === undefined ? {} : { errorCode: response.error.code }),
    ...(response === undefined
      ? { isResponseCut: false }
      : { timing: response.timing, ...cutResponse(response.bodyText, clean) }),
  };
}

/** A token, an object of them or a name is in no place longer than this. */
const MARGIN = 8192;

/** Cleaned before it is cut, or half of a secret could be left; what the first cut may have halved goes with it. */
function cutResponse(
  text: string,
  clean: (text: string) => string,
): Pick<HistoryEntry, "responseText" | "isResponseCut"> {
  if (text.length <= MAX_HISTORY_RESPONSE) return { responseText: clean(text), isResponseCut: false };
  const start = clean(text.slice(0, MAX_HISTORY_RESPONSE + MARGIN));
  return {
    responseText: start.slice(0, Math.max(0, Math.min(MAX_HISTORY_RESPONSE, start.length - MARGIN))),
    isResponseCut: true,
  };
}

/** Takes out of a text what the request held as a secret, what is known to be one, and what looks like one. */
function cleaner(secrets: readonly string[], hide: (text: string) => string): (text: string) => string {
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return (text) => hideTokens(hide(forms.reduce((left, form) => left.replaceAll(form, HIDDEN), text)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function whyNoResponse({ outcome, failure }: HistoryEntry): string {
  if (outcome === "notSent") return l10n.t("It was not sent.");
  if (failure === "timeout") return l10n.t("No response came in time.");
  if (failure === "stopped") return l10n.t("Nobody waited for the response.");
  if (failure === "unreadableResult") return l10n.t("The response could not be understood.");
  return l10n.t("There is no response: the connection was lost, or the program ended.");
}

const OUTCOMES: Readonly<Record<Outcome["kind"], true>> = {
  notSent: true,
  confirmed: true,
  confirmedOther: true,
  rejected: true,
  challenge: true,
  failed: true,
  unknown: true,
};
const ENVIRONMENTS: readonly unknown[] = [...ENVIRONMENTS_BY_NAME.values()];

function isEntry(value: unknown): value is HistoryEntry {
  if (!isObject(value)) return false;
  const areTexts = ["connectionId", "connectionName", "fileUri", "method", "paramsText"].every(
    (name) => typeof value[name] === "string",
  );
  const areNumbers = ["id", "atMs"].every((name) => Number.isFinite(value[name]));
  const areFlags = ["isMasked", "isResponseCut"].every((name) => typeof value[name] === "boolean");
  const isKind = ENVIRONMENTS.includes(value["environment"]) && Object.hasOwn(OUTCOMES, String(value["outcome"]));
  return areTexts && areNumbers && areFlags && isKind && hasFittingDetails(value);
}

function hasFittingDetails({
  name,
  requestId,
  failure,
  errorCode,
  timing,
  responseText,
}: Readonly<Record<string, unknown>>): boolean {
  const isOptional = (value: unknown, ...types: readonly string[]): boolean =>
    value === undefined || types.includes(typeof value);
  const fits =
    isOptional(name, "string") &&
    isOptional(requestId, "string", "number") &&
    isOptional(errorCode, "number") &&
    isOptional(responseText, "string");
  return fits && (failure === undefined || isFailureKind(failure)) && (timing === undefined || isTiming(timing));
}

function isTiming(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { exchangeMs } = value;
  return (
    ["receivedAtMs", "totalMs", "queuedMs"].every((name) => Number.isFinite(value[name])) &&
    (exchangeMs === undefined || Number.isFinite(exchangeMs))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
