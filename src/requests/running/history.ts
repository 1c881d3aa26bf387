import { isObject, parseJson } from "../../base/json.ts";
import { maskParams, secretTexts } from "../../actions/journal/journal.ts";
import { isFailureKind, isOutcomeKind, type Outcome } from "../../actions/judge/outcome.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import { createEmitter, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { ResponseTiming } from "../../rpc/response.ts";
import { createSecretValues } from "../../rpc/maskSecrets.ts";
import type { Environment } from "../../state/records.ts";
import { indentJson } from "../text/indent.ts";
import { ENVIRONMENTS_BY_NAME } from "../file/readRequest.ts";
import type { RunResult } from "./run.ts";

/** A request of a file that was sent, and its response. Carries no secret. */
export interface HistoryEntry {
  /** A number unlike that of every other entry of the same history. */
  readonly id: number;
  /** The time when the request ended, in ms since the Unix epoch. */
  readonly atMs: number;
  readonly environment: Environment;
  readonly connectionId: string;
  /** The name of the connection at that time. */
  readonly connectionName: string;
  readonly fileUri: string;
  /** The name of the request, by `$run.name`. */
  readonly name?: string;
  /** The ID of the request in the file. */
  readonly requestId?: number | string;
  readonly method: string;
  /** The params as they were sent, placeholders filled in. */
  readonly paramsText: string;
  /** Whether something of the request is hidden here, so that it cannot be sent again from here. */
  readonly isMasked: boolean;
  readonly outcome: Outcome["kind"];
  readonly failure?: Failure["kind"];
  /** The code of a response that is an error object. */
  readonly errorCode?: number;
  readonly timing?: ResponseTiming;
  /** The result or the error object, every literal as received; undefined where nothing came. */
  readonly responseText?: string;
  /** Whether `responseText` is only the beginning. */
  readonly isResponseCut: boolean;
}

/** The methods that are offered as recent ones at most. */
const MOST_RECENT = 5;

/** Returns the methods of entries, each once. */
export function recentMethods(entries: readonly Pick<HistoryEntry, "method">[]): readonly string[] {
  return [...new Set(entries.map(({ method }) => method))].slice(0, MOST_RECENT);
}

/** The facts of a request that has been sent. */
export interface SentRequest {
  readonly result: RunResult;
  readonly endedAtMs: number;
  readonly environment: Environment;
  readonly connectionId: string;
  readonly connectionName: string;
  readonly fileUri: string;
  readonly name: string | undefined;
}

/** The requests that were sent from request files, newest first. */
export interface History extends Disposable {
  readonly entries: readonly HistoryEntry[];
  readonly onDidChange: Event<void>;
  /** Keeps a request that was sent; returns undefined for one that was not, and while the history is off. */
  record(sent: SentRequest): HistoryEntry | undefined;
  clear(): void;
}

interface HistoryPorts {
  /** Whether the history is on. Read at each record. */
  readonly isOn: () => boolean;
  /** Removes from a text what the program knows to be secret, beyond what a name or a form tells. */
  readonly hide?: (text: string) => string;
  /** The entries that an earlier run kept, newest first. */
  readonly kept?: readonly HistoryEntry[];
}

/** The most entries that are kept. */
export const MAX_HISTORY_ENTRIES = 200;
/** The most UTF-16 units of each response that are kept. */
export const MAX_HISTORY_RESPONSE = 20_000;

/** Makes a history in memory; `writeHistory` gives the text to keep. */
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

/**
 * Returns the request and its response as a text to read or to compare. It has no times, because they always differ.
 */
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

/** The version of the form in which entries are kept. A program that does not know a later one must not drop it. */
const HISTORY_SCHEMA = 1;

/** Returns the entries as a text to keep. */
export function writeHistory(entries: readonly HistoryEntry[]): string {
  return JSON.stringify({ schema: HISTORY_SCHEMA, entries });
}

/**
 * The kept history: entries that can be understood, newest first, or the text of a later version, which is left alone.
 */
type KeptHistory = { readonly kind: "read"; readonly entries: readonly HistoryEntry[] } | { readonly kind: "later" };

/** Reads what `writeHistory` wrote. Never throws: entries that cannot be understood are skipped. */
export function readHistory(text: string): KeptHistory {
  const value = parseJson(text);
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
    isMasked: paramsText !== intent.paramsText || intent.fills !== undefined || clean(method) !== method,
    outcome: outcome.kind,
    ...(failure === undefined ? {} : { failure: failure.kind }),
    ...(response?.error === undefined ? {} : { errorCode: response.error.code }),
    ...(response === undefined
      ? { isResponseCut: false }
      : { timing: response.timing, ...cutResponse(response.bodyText, clean) }),
  };
}

/** The margin of a cut in UTF-16 units. No token, object of them or name is longer than this in any place. */
const MARGIN = 8192;

/**
 * Cuts a response. It is cleaned first, or half of a secret could be left. Anything that the first cut may have halved
 * goes too.
 */
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

/** Returns a function that removes from a text the secrets of the request, and known secrets. */
function cleaner(secrets: readonly string[], hide: (text: string) => string): (text: string) => string {
  const values = createSecretValues();
  for (const secret of secrets) values.keep(secret);
  return (text) => hide(values.hide(text));
}

function whyNoResponse({ outcome, failure }: HistoryEntry): Plain {
  if (outcome === "notSent") return l10n.t("It was not sent.");
  if (failure === "timeout") return l10n.t("No response was received in time.");
  if (failure === "stopped") return l10n.t("You stopped waiting for the response.");
  if (failure === "unreadableResult") return l10n.t("The response couldn't be parsed.");
  return l10n.t("No response was received: the connection was lost, or the program ended.");
}

const ENVIRONMENTS: readonly unknown[] = [...ENVIRONMENTS_BY_NAME.values()];

function isEntry(value: unknown): value is HistoryEntry {
  if (!isObject(value)) return false;
  const areTexts = ["connectionId", "connectionName", "fileUri", "method", "paramsText"].every(
    (name) => typeof value[name] === "string",
  );
  const areNumbers = ["id", "atMs"].every((name) => Number.isFinite(value[name]));
  const areFlags = ["isMasked", "isResponseCut"].every((name) => typeof value[name] === "boolean");
  const isKind = ENVIRONMENTS.includes(value["environment"]) && isOutcomeKind(String(value["outcome"]));
  return areTexts && areNumbers && areFlags && isKind && hasFittingDetails(value);
}

function hasFittingDetails(entry: Readonly<Record<string, unknown>>): boolean {
  const { name, requestId, failure, errorCode, timing, responseText } = entry;
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
