import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { provesRefusal } from "../../catalogue/errorCodes.ts";
import { effectOf } from "../../catalogue/index.ts";
import { indentJson } from "../../requests/text/indent.ts";
import type { Asker, RecordedCall } from "../../rpc/traffic.ts";
import { RESPONSE_LIMITS, commentLine, errorWords, timingText } from "../requests/responseText.ts";
import { failureText } from "../text/failureText.ts";
import { countText } from "../text/numbers.ts";
import { budgetLines } from "../connections/rateBudget.ts";
import { durationText, type Times } from "../text/times.ts";
import type { TrafficItem, TrafficList } from "./trafficList.ts";

/** The outcome of a request, as far as the wire shows it. */
export type ExchangeOutcome = "waiting" | "answered" | "odd" | "error" | "notSent" | "noResponse" | "unknown";

/**
 * Returns the outcome, which is never guessed. A change without a response that proves its effect is unknown, as it is
 * at the gate.
 */
export function exchangeOutcome({ method, wireId, end }: RecordedCall): ExchangeOutcome {
  if (end === undefined) return "waiting";
  const { failure } = end;
  const effect = effectOf(method);
  const isRead = effect === "read";
  if (failure === undefined) return end.isExpectedShape ? "answered" : isRead ? "odd" : "unknown";
  if (failure.kind === "exchange") return isRead || provesRefusal(failure, { method, effect }) ? "error" : "unknown";
  if (wireId === undefined) return "notSent";
  return isRead ? "noResponse" : "unknown";
}

/** Whether it went otherwise than it was meant to. */
export function hasFailed(exchange: RecordedCall): boolean {
  return !["waiting", "answered"].includes(exchangeOutcome(exchange));
}

/** The data of a traffic document. */
export interface TrafficSource {
  /** The environment and name of the connection: "TESTNET main". */
  readonly place: string;
  readonly state: "live" | "paused" | "notConnected" | "stopped";
  readonly list: Pick<TrafficList, "items" | "total" | "events">;
  /** The text that items must have in their line or their texts, in any case; empty for all. */
  readonly filter: string;
  readonly isFailedOnly: boolean;
  readonly areEventsListed: boolean;
  /** The number of exchanges of messages that began since a pause. */
  readonly sincePause: number;
  /** The rest of the exchange's limits; empty where ours are lifted or nothing is known. */
  readonly budgets: LiveConnection["budgets"];
  readonly times: Times;
}

export interface TrafficText {
  readonly text: string;
  /** The item of each line, counted from 0; lines of the head are not in it. */
  readonly items: ReadonlyMap<number, TrafficItem>;
}

/**
 * Returns the text of a traffic document: its head, then an exchange to a line. The newest comes first, in sight below
 * the head.
 */
export function trafficText(source: TrafficSource): TrafficText {
  const shown = shownItems(source);
  const head = [headText(source, shown), ...limitLines(source), ...eventLines(source), ""];
  const rows = shown.map((item) => cellsOf(item, source.times));
  const table = shown.length === 0 ? [] : aligned([TITLES(), ...rows]);
  const first = head.length + 1;
  return {
    text: [...head, ...table, ""].join("\n"),
    items: new Map(shown.map((item, index) => [first + index, item])),
  };
}

/** Returns the items that the filters let through, newest first. */
export function shownItems({
  list,
  filter,
  isFailedOnly,
  areEventsListed,
  times,
}: Pick<TrafficSource, "list" | "filter" | "isFailedOnly" | "areEventsListed" | "times">): readonly TrafficItem[] {
  const wanted = filter.toLowerCase();
  const fits = (item: TrafficItem): boolean =>
    wanted === "" ||
    [cellsOf(item, times).join(" "), item.sentText ?? "", item.receivedText ?? ""].some((text) =>
      text.toLowerCase().includes(wanted),
    );
  return list.items
    .filter(
      (item) =>
        (item.exchange === undefined ? areEventsListed && !isFailedOnly : !isFailedOnly || hasFailed(item.exchange)) &&
        fits(item),
    )
    .toReversed();
}

/** Returns an exchange in one line, for a list to choose from. */
export function trafficLabel(item: TrafficItem, times: Times): { readonly label: Plain; readonly description: Plain } {
  const [time = "", name = "", ...rest] = cellsOf(item, times);
  return { label: name, description: plain.join([time, ...rest.filter((cell) => cell !== "")], " · ") };
}

const MAX_FILTER = 100;

function headText(
  { place, state, list, filter, isFailedOnly, sincePause }: TrafficSource,
  shown: readonly TrafficItem[],
): string {
  const exchanges = list.items.flatMap(({ exchange }) => exchange ?? []);
  const failed = exchanges.filter(hasFailed).length;
  const unknown = exchanges.filter((each) => exchangeOutcome(each) === "unknown").length;
  const parts = [
    place,
    l10n.t("traffic"),
    stateWord(state),
    list.total === 1 ? l10n.t("1 request") : l10n.t("{0} requests", countText(list.total)),
  ];
  if (shown.length < list.total) parts.push(l10n.t("{0} shown", countText(shown.length)));
  if (failed > 0) parts.push(l10n.t("{0} failed", countText(failed)));
  if (unknown > 0) parts.push(l10n.t("{0} with unknown outcome", countText(unknown)));
  if (isFailedOnly) parts.push(l10n.t("failed only"));
  if (filter !== "") parts.push(l10n.t("with {0}", plain.text(JSON.stringify(plain.text(filter, MAX_FILTER)))));
  if (state === "paused") parts.push(l10n.t("{0} new since paused", countText(sincePause)));
  return parts.join(" · ");
}

function stateWord(state: TrafficSource["state"]): Plain {
  switch (state) {
    case "live":
      return l10n.t("live");
    case "paused":
      return l10n.t("paused");
    case "notConnected":
      return l10n.t("not connected, resumes automatically");
    case "stopped":
      return l10n.t("stopped");
  }
}

function limitLines({ budgets }: TrafficSource): Plain[] {
  const parts = budgetLines(budgets).map(({ name = "", value }) => l10n.t("{0} {1}", name, value));
  return parts.length === 0 ? [] : [l10n.t("Rate limits: {0}", plain.join(parts, " · "))];
}

/** Returns the lines of events. They come by the thousand: they are counted, and listed only on request. */
function eventLines({ list: { events }, areEventsListed }: TrafficSource): Plain[] {
  if (events.size === 0) return [];
  const total = [...events.values()].reduce((sum, each) => sum + each, 0);
  const busiest = [...events]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CHANNELS)
    .map(([channel, count]) => l10n.t("{0}: {1}", plain.name(channel), countText(count)));
  const rest = events.size - busiest.length;
  const names = plain.join([...busiest, ...(rest > 0 ? [l10n.t("and {0} more", rest)] : [])], ", ");
  return [
    areEventsListed
      ? l10n.t("Events: {0} ({1})", countText(total), names)
      : l10n.t("Events (counted only): {0} ({1})", countText(total), names),
  ];
}

const MAX_CHANNELS = 4;

const TITLES = (): Cells => [
  l10n.t("time"),
  l10n.t("method"),
  l10n.t("origin"),
  l10n.t("id"),
  l10n.t("sent"),
  l10n.t("received"),
  l10n.t("outcome"),
];

/** The cells of a line: time, method or channel, origin, ID, characters sent and received, outcome. */
type Cells = readonly Plain[];

function cellsOf(item: TrafficItem, times: Times): Cells {
  const time = times.precise(item.atMs);
  if (item.exchange === undefined)
    return [time, plain.name(item.channel), l10n.t("event"), "", "", countText(item.length), ""];
  const { method, asker, way, wireId, sentLength, end } = item.exchange;
  const id = wireId === undefined ? "" : way === "http" ? l10n.t("HTTP {0}", wireId) : l10n.t("request ID {0}", wireId);
  const received = end?.timing === undefined ? "" : countText(end.receivedLength);
  return [time, plain.name(method), askerWord(asker), id, countText(sentLength), received, outcomeText(item.exchange)];
}

/** Returns the outcome and its duration, split as in the head of a response. */
function outcomeText(exchange: RecordedCall): Plain {
  const { end } = exchange;
  const words = [outcomeWords(exchange)];
  if (end?.isLate === true) words.push(l10n.t("late, no longer awaited"));
  if (end !== undefined) words.push(end.timing === undefined ? durationText(end.totalMs) : timingText(end.timing));
  return plain.join(words, " · ");
}

function outcomeWords(exchange: RecordedCall): Plain {
  const failure = exchange.end?.failure;
  const error = failure?.kind === "exchange" ? errorWords(failure.code, failure.message) : undefined;
  const outcome = exchangeOutcome(exchange);
  if (outcome === "unknown")
    return error === undefined ? l10n.t("outcome unknown") : l10n.t("{0}, outcome unknown", error);
  return error ?? OUTCOME_WORDS[outcome]();
}

const OUTCOME_WORDS: Readonly<Record<Exclude<ExchangeOutcome, "unknown">, () => Plain>> = {
  waiting: () => l10n.t("pending"),
  answered: () => l10n.t("response received"),
  odd: () => l10n.t("response not as documented"),
  error: () => l10n.t("error"),
  notSent: () => l10n.t("not sent"),
  noResponse: () => l10n.t("no response"),
};

function askerWord(asker: Asker): Plain {
  switch (asker) {
    case "session":
      return l10n.t("session");
    case "view":
      return l10n.t("view");
    case "userRead":
      return l10n.t("reading");
    case "userWrite":
      return l10n.t("change");
    case "command":
      return l10n.t("command");
    case "chat":
      return l10n.t("language model");
    case "requestFile":
      return l10n.t("request file");
  }
}

/** Aligns numbers to the right, everything else to the left. The last column keeps its length. */
function aligned(rows: readonly Cells[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const isNumber = (column: number): boolean => column === SENT || column === SENT + 1;
  return rows.map((row) =>
    row
      .map((cell, column) =>
        isNumber(column)
          ? cell.padStart(widths[column] ?? 0)
          : column === row.length - 1
            ? cell
            : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

const SENT = 4;

/**
 * Returns the document of one entry: its line, the meaning where it failed, and both texts. Every literal stands as it
 * was sent and received.
 */
export function trafficEntryText(item: TrafficItem, { place, times }: Pick<TrafficSource, "place" | "times">): string {
  const [time = "", ...cells] = cellsOf(item, times);
  const head = [
    place,
    ...cells.filter((cell, index) => cell !== "" && index !== SENT - 1 && index !== SENT),
    time,
  ].join(" · ");
  const body = bodyText(item);
  const notes = [
    ...meaningLines(item),
    ...(isWhole(item)
      ? []
      : [
          l10n.t(
            "The request and response texts were not kept. They are kept only for a limited time, while the connection's traffic is shown.",
          ),
        ]),
  ];
  return [
    ...[head, ...notes].map(commentLine),
    ...(body === undefined ? [] : [indentJson(body, RESPONSE_LIMITS).text]),
    "",
  ].join("\n");
}

function isWhole({ exchange, sentText, receivedText }: TrafficItem): boolean {
  return exchange === undefined
    ? receivedText !== undefined
    : sentText !== undefined && (receivedText !== undefined || exchange.end?.timing === undefined);
}

/** Returns what happened, what it means and what to do, where the wire went otherwise than it was meant to. */
function meaningLines({ exchange }: TrafficItem): Plain[] {
  const failure = exchange?.end?.failure;
  if (exchange === undefined || failure === undefined) return [];
  const { happened, meaning, advice } = failureText(failure, effectOf(exchange.method));
  return [happened, meaning, advice].filter((line) => line !== "");
}

function bodyText({ exchange, sentText, receivedText }: TrafficItem): string | undefined {
  if (exchange === undefined) return receivedText;
  const received = exchange.end?.failure === undefined ? "result" : "error";
  const parts = [
    ...(sentText === undefined ? [] : [`"sent":{"method":${JSON.stringify(exchange.method)},"params":${sentText}}`]),
    ...(receivedText === undefined ? [] : [`"received":{"${received}":${receivedText}}`]),
  ];
  return parts.length === 0 ? undefined : `{${parts.join(",")}}`;
}
