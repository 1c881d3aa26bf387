import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { isUnresolved, type RecordedIntent } from "../../actions/journal/recordedIntents.ts";
import type { Failure } from "../../base/failure.ts";
import { lineStart, type LogLine } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";
import { describeErrorCode } from "../../catalogue/errorCodes.ts";
import { createRedactor } from "../../recording/redact.ts";
import { isHttpAddress } from "../../rpc/address.ts";
import { describeExchange, type RecordedCall } from "../../rpc/traffic.ts";
import type { Connection } from "../../state/connections.ts";
import { presets, SIMULATOR_ID } from "../../state/records.ts";
import { hostOf, switchedSubject } from "../connections/connectionWords.ts";
import { HIDDEN_WORD, hideFigures, hideNames } from "../rows/presentation.ts";
import type { Times } from "../text/times.ts";
import { exchangeOutcome, hasFailed } from "./trafficDocument.ts";

/*
 * A file for whoever helps. It is read by people who know the program and is the same in every language of the editor.
 */

/** The data of a support file. */
export interface SupportSource {
  readonly atMs: number;
  /** The versions of the extension, VS Code and their platform. */
  readonly versions: Readonly<Record<string, string | boolean>>;
  /** The settings of the extension that differ from their defaults. */
  readonly settings: readonly ChangedSetting[];
  readonly connections: readonly SupportedConnection[];
  /** The changes that were made from here. */
  readonly intents: readonly RecordedIntent[];
  readonly log: readonly LogLine[];
  /** Removes from a text what the program knows to be secret. */
  readonly hide: (text: string) => string;
  /** The names of accounts, connections and keys, and IDs of clients and accounts. They are never in the file. */
  readonly names: readonly string[];
  /** Whether to show addresses of gateways that are not the exchange's own. */
  readonly areHostsShown: boolean;
  /** Whether to show amounts, prices and IDs in lines of the log. */
  readonly areFiguresShown: boolean;
  readonly times: Times;
}

export interface ChangedSetting {
  readonly name: string;
  readonly value: unknown;
  readonly from: "user" | "workspace" | "folder";
}

export interface SupportedConnection {
  readonly connection: Connection;
  /** The live connection; undefined while it is not open. */
  readonly live: Pick<LiveConnection, "budgets" | "traffic"> | undefined;
  /** The number of rows that each view has of it. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The most lines of each kind in the file. */
const MAX_LINES = 200;
const MAX_FAILURES = 20;

/** Returns the text of a support file: JSON, exactly as it is shown and saved. */
export function supportFileText(source: SupportSource): string {
  const { atMs, versions, settings, connections, intents, log, times } = source;
  const clean = cleaner(source);
  const file = {
    about:
      "Support file of Trading RPC. Secrets, tokens, client ids, names of accounts, connections and keys, parameters and responses are not in it; connections are numbered. Read it before you hand it on.",
    written: times.utc(atMs),
    versions,
    settings: settings.map(
      ({ name, value, from }) => `${name} = ${plain.text(JSON.stringify(value), MAX_SETTING)} (${from})`,
    ),
    connections: connections.map((each, index) => connectionPart(each, index + 1, source)),
    changes: changesPart(intents),
    lastFailures: failureLines(source),
    log: log.slice(-MAX_LINES).map((line) => `${times.utc(line.atMs)} ${line.level} ${clean(line.text)}`),
  };
  // Texts of a server may repeat what is personal, also of others.
  const redactor = createRedactor({ keepsHosts: source.areHostsShown });
  const shown = (text: string): string => redactor.redactWords(source.hide(text));
  return `${JSON.stringify(file, (_, value: unknown) => (typeof value === "string" ? shown(value) : value), 2)}\n`;
}

function connectionPart(
  { connection, live, counts }: SupportedConnection,
  number: number,
  source: SupportSource,
): object {
  const { record, state, environment, isActive, latencyMs, eventCount, lastFailure, httpState } = connection;
  return {
    number,
    environment,
    declared: record.declared,
    kind: kindOf(connection),
    host: hostPart(connection, source),
    way: isHttpAddress(record.url) ? "http" : "webSocket",
    signIn: record.grant,
    isActive,
    state: state.status,
    ...("failure" in state ? { failure: failureWords(state.failure) } : {}),
    ...(lastFailure === undefined
      ? {}
      : { lastFailure: `${source.times.utc(lastFailure.atMs)} ${failureWords(lastFailure.failure)}` }),
    ...(state.status === "ready" ? readyPart(state, source) : {}),
    ...(latencyMs === undefined ? {} : { latencyMs: Math.round(latencyMs) }),
    ...(httpState === undefined ? {} : { http: httpState.status }),
    events: eventCount,
    rows: counts,
    limits: (live?.budgets ?? []).map(
      ({ rate, lanes }) =>
        `${rate}: ${Object.entries(lanes)
          .map(
            ([lane, { leftCalls, sizeCalls, waitingCalls }]) =>
              `${lane} ${leftCalls} of ${sizeCalls} left, ${waitingCalls} waiting`,
          )
          .join("; ")}`,
    ),
    traffic: (live?.traffic.recent ?? []).map(
      (exchange) => `${source.times.utc(exchange.end?.atMs ?? 0)} ${exchangeWords(exchange)}`,
    ),
  };
}

function readyPart(state: Extract<Connection["state"], { status: "ready" }>, source: SupportSource): object {
  const { identity } = state;
  return {
    sessionAgeSeconds: Math.round((source.atMs - state.sinceMs) / 1000),
    // Only areas and levels: an entry `session:<name>` has a name.
    scope: identity.scope
      .split(/\s+/)
      .filter((entry) => /^[a-z_]+:(?:none|read|read_write)$/.test(entry))
      .join(" "),
    isSubaccount: switchedSubject(state) !== undefined,
    testnet: identity.testnet ?? "not said",
    server: plain.name(identity.serverVersion ?? "not said"),
    ...(identity.clockSkewMs === undefined ? {} : { clockSkewMs: Math.round(identity.clockSkewMs) }),
  };
}

const MAX_SETTING = 300;

function kindOf({ record }: Connection): string {
  if (record.id === SIMULATOR_ID) return "simulator";
  return presets().find(({ url }) => url !== "" && url === record.url)?.kind ?? "custom";
}

function hostPart(connection: Connection, { areHostsShown }: SupportSource): string {
  const host = hostOf(connection);
  if (host === undefined) return "none";
  return kindOf(connection) !== "custom" || areHostsShown ? host : HIDDEN_WORD;
}

/** Returns only counts, because the changes themselves are private. */
function changesPart(intents: readonly RecordedIntent[]): object {
  const byOutcome: Record<string, number> = {};
  for (const { outcome } of intents)
    byOutcome[outcome?.kind ?? "noOutcome"] = (byOutcome[outcome?.kind ?? "noOutcome"] ?? 0) + 1;
  return { recorded: intents.length, unresolved: intents.filter(isUnresolved).length, byOutcome };
}

/** Returns failures on the wire and changes that did not end well, newest first. */
function failureLines({ connections, intents, times }: SupportSource): string[] {
  const numberOf = new Map(connections.map(({ connection }, index) => [connection.record.id, index + 1]));
  const ofTraffic = connections.flatMap(({ live }, index) =>
    (live?.traffic.recent ?? []).filter(hasFailed).map((exchange) => ({
      atMs: exchange.end?.atMs ?? 0,
      words: `connection ${index + 1}: ${exchangeWords(exchange)}`,
    })),
  );
  const ofChanges = intents.flatMap(({ connectionId, method, outcome, verdicts }) => {
    if (outcome?.failure === undefined) return [];
    const verdict = verdicts.at(-1);
    const found = verdict === undefined ? "" : `, then ${verdict.kind}`;
    return [
      {
        atMs: outcome.atMs,
        words: `connection ${String(numberOf.get(connectionId) ?? "forgotten")}: change ${plain.name(method)} ${outcome.kind}${found} (${failureWords(outcome.failure)})`,
      },
    ];
  });
  return [...ofTraffic, ...ofChanges]
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, MAX_FAILURES)
    .map(({ atMs, words }) => `${times.utc(atMs)} ${words}`);
}

/** Returns an exchange of messages without its texts. */
function exchangeWords(exchange: RecordedCall): string {
  const { end } = exchange;
  return `${exchangeOutcome(exchange)}${end?.isLate === true ? " late" : ""}${end?.failure === undefined ? "" : ` (${failureWords(end.failure)})`}: ${describeExchange(exchange)}`;
}

/** Returns the kind and code of a failure. Its texts come from outside and may say anything. */
function failureWords(failure: Failure): string {
  if (failure.kind === "exchange")
    return `error ${failure.code} ${describeErrorCode(failure.code, failure.message)?.name ?? "not documented"}`;
  if (failure.kind === "connectionLost" || failure.kind === "cannotConnect")
    return `${failure.kind} ${failure.trouble}`;
  if (failure.kind === "timeout") return `timeout ${failure.timeoutMs} ms`;
  if (failure.kind === "stopped") return failure.wasSent ? "stopped after the send" : "stopped before the send";
  return failure.kind;
}

/** Makes a function that removes from a line of the log identities, places and traded amounts. */
function cleaner(source: SupportSource): (text: string) => string {
  const { connections, hide, names, areHostsShown, areFiguresShown } = source;
  const numbers = connections.map(
    ({ connection }, index) => [lineStart(connection.record.name), `[connection ${index + 1}] `] as const,
  );
  const hosts = connections.flatMap(({ connection }) =>
    kindOf(connection) === "custom" ? hostNames(hostOf(connection)) : [],
  );
  return (text) => {
    const [own, number] = numbers.find(([prefix]) => text.startsWith(prefix)) ?? [
      /^\[[^\]]*\] /.exec(text)?.[0] ?? "",
      "",
    ];
    const named = hideNames(hide(text.slice(own.length)), names).replace(HOME, `$1${HIDDEN_WORD}`);
    const placed = areHostsShown
      ? named
      : hideNames(
          named
            .replace(ADDRESS, (address, host: string) => (KNOWN_HOSTS.has(host.toLowerCase()) ? address : HIDDEN_WORD))
            .replace(LOOKED_UP, `$1${HIDDEN_WORD}`)
            .replace(IP_ADDRESS, (ip) => (ip.startsWith("127.") ? ip : HIDDEN_WORD)),
          hosts,
        );
    return (
      (own === "" ? "" : number === "" ? `[${HIDDEN_WORD}] ` : number) +
      (areFiguresShown ? placed : hideOtherFigures(placed))
    );
  };
}

const KNOWN_HOSTS: ReadonlySet<string> = new Set(
  presets().flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).host] : [])),
);
/** The pattern of home folders, which contain the user's name. */
const HOME = /((?:\/home\/|\/Users\/|\\Users\\))[^/\\\s"]+/g;
/** The pattern of URLs, even with their signs escaped. */
const ADDRESS = /\b(?:wss?|https?):\\*\/\\*\/([^\s"/\\,;)]+)[^\s",;)]*/gi;
/** The words before a host, in messages of Node. */
const LOOKED_UP =
  /\b((?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|Host:|DNS:|getaddrinfo|proxy) ?)(?!E[A-Z])[^\s",]+/g;
const IP_ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[?(?:[0-9a-f]{0,4}:){4,7}[0-9a-f]{0,4}\]?/gi;

function hostNames(host: string | undefined): readonly string[] {
  return host === undefined ? [] : [host, host.replace(/:\d+$/, "")];
}

/** Hides other figures. Codes, statuses, times and our own counters stay: they do not reveal traded amounts. */
function hideOtherFigures(text: string): string {
  return text
    .split(TELLING)
    .map((part, index) => (index % 2 === 1 ? part : hideFigures(part, [])))
    .join("");
}

const TELLING =
  /((?:\berror |\bcode":|"code": |\bHTTP |\bgeneration |\bintent )-?[\w-]+|\b\d+ (?:ms|s|min)\b|"timeoutMs":\d+)/;
