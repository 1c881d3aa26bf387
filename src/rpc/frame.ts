import type { Failure } from "../base/failure.ts";
import { isObject, parseJson } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import type { Plain } from "../base/plain.ts";
import { findMembers, type QuickScanResult } from "./quickScan.ts";
import { quickScanWireText, scanWireText } from "./maskSecrets.ts";
import { listOrders, LONGEST_LISTED_TEXT, type OrderList } from "./orderList.ts";
import { hasRepeatedNames, MAX_DEPTH, type JsonScan, type Span } from "./scanJson.ts";

/** The error object of a response, as a failure. */
export type ExchangeFailure = Extract<Failure, { kind: "exchange" }>;

/** A parsed text of the wire. https://docs.deribit.com/articles/json-rpc-overview */
export type Frame =
  | { readonly kind: "response"; readonly id: number; readonly body: ResponseBody }
  /** An error that belongs to the connection, not to a call. */
  | { readonly kind: "notice"; readonly error: ExchangeFailure }
  | { readonly kind: "event"; readonly event: ChannelEvent }
  | { readonly kind: "heartbeat"; readonly isTestRequest: boolean }
  /** Another frame with a method: a notification of a later version, or a request, which we never answer. */
  | { readonly kind: "other"; readonly method: string }
  /** A frame that breaks the protocol. `id` is the call that it belongs to, where that can still be found. */
  | { readonly kind: "odd"; readonly id: number | undefined; readonly problem: string };

/** The content of a response, including secrets. `longestText`: see `SecretValues.hide`. */
export interface ResponseBody {
  /** The text of the `result` or `error` member. */
  readonly text: string;
  /** The places of secrets in `text`. */
  readonly secrets: readonly Span[];
  readonly longestText: number;
  /** The result; undefined when `error` or `list` is there. */
  readonly result: unknown;
  /** The result of a call that wanted its orders one by one, unless it is unusual. */
  readonly list: OrderList | undefined;
  readonly error: ExchangeFailure | undefined;
  /** The exchange's own time: `usDiff` in ms. */
  readonly exchangeMs: number | undefined;
  readonly testnet: boolean | undefined;
}

/** An event of a channel, including secrets. `longestText`: see `SecretValues.hide`. */
export interface ChannelEvent {
  readonly channel: string;
  readonly data: unknown;
  /** The whole frame, and the places of secrets in it. */
  readonly text: string;
  readonly secrets: readonly Span[];
  readonly longestText: number;
}

/** The length up to which texts are searched for repeated names; beyond it only the outermost object is. */
const MAX_LENGTH_FOR_NAMES = 256 * 1024;

/** The start of a text that takes long to parse, for nothing. */
const TOO_DEEP = "[".repeat(MAX_DEPTH + 1);

/** The members whose places are wanted. */
const MEMBERS: ReadonlySet<string> = new Set(["id", "result", "error"]);

const NO_PLACES: ReadonlyMap<string, Span> = new Map();
const NONE: ReadonlySet<string> = new Set();
const NO_SECRETS: readonly Span[] = [];

/** Whether the call with this id wants the orders of its response one by one, not parsed. */
type WantsOrders = (id: number) => boolean;

/**
 * Reads a text of the wire. Never throws. `belongsTo`: the call that it responds to, where that is known without its
 * id.
 */
export function readFrame(text: string, belongsTo?: number, wantsOrders?: WantsOrders): Frame {
  const isDeep = isVeryDeep(text);
  const plain = isDeep || belongsTo !== undefined ? undefined : readPlainFrame(text, wantsOrders);
  return plain ?? readWhole(text, isDeep ? undefined : parseJson(text), belongsTo);
}

function readWhole(text: string, parsed: unknown, belongsTo: number | undefined): Frame {
  const quick = quickScanWireText(text, parsed);
  const members = quick === undefined ? undefined : placesOf(text, parsed);
  const scan: JsonScan =
    members === undefined
      ? scanWireText(text)
      : { problem: undefined, members, repeated: NONE, memberCount: 0, secrets: NO_SECRETS };
  if (scan.problem !== undefined) return odd(scan.problem, idOf(text, scan));
  const value = parsed ?? parseJson(text);
  const problem = members === undefined ? problemOf(text, scan, value) : undefined;
  if (problem !== undefined || !isObject(value)) return odd(problem ?? noObject(), idOf(text, scan));
  if (value["jsonrpc"] !== "2.0") return odd(l10n.t("not a JSON-RPC 2.0 message"), idOf(text, scan));
  const longestText = longestTextOf(text, quick);
  if (scan.members.has("result") || scan.members.has("error"))
    return readResponse(text, scan, { value, belongsTo, longestText });
  const method = value["method"];
  return typeof method === "string"
    ? readNotification(method, value["params"], { text, secrets: scan.secrets, longestText })
    : odd(l10n.t("neither a response nor a notification"), idOf(text, scan));
}

/* The form of nearly every response of the exchange: all but the result is literal. Longer numbers are read whole. */
const PLAIN_HEAD = /^\{"jsonrpc":"2\.0","id":([1-9]\d{0,14}),"result":(?=[[{])/;
const RESULT_DEPTH = 2;
const PLAIN_TAIL_START = ',"usIn":';
const PLAIN_TAIL =
  /(?<=[\]}]),"usIn":(?:0|[1-9]\d*),"usOut":(?:0|[1-9]\d*),"usDiff":(0|[1-9]\d{0,14}),"testnet":(true|false)\}$/y;

/* The form of nearly every event. */
const EVENT_HEAD = /^\{"jsonrpc":"2\.0","method":"subscription","params":\{"channel":"([\w.-]*)","data":(?=[[{])/;
const EVENT_TAIL = "}}";
const DATA_DEPTH = 3;

/**
 * Reads a response or an event in the exchange's own form; undefined for a text that is in any way unusual, which
 * `readFrame` then judges as a whole. Parses and looks at the result or the data alone. Head and tail are JSON, with
 * each of their names once: with a result that is JSON the whole is, and where a quick scan finds the result plain,
 * nothing is secret or there twice.
 */
export function readPlainFrame(text: string, wantsOrders?: WantsOrders): Frame | undefined {
  return readPlainResponse(text, wantsOrders) ?? readPlainEvent(text);
}

function readPlainResponse(text: string, wantsOrders: WantsOrders | undefined): Frame | undefined {
  const head = PLAIN_HEAD.exec(text);
  if (head === null) return undefined;
  const end = text.lastIndexOf(PLAIN_TAIL_START);
  PLAIN_TAIL.lastIndex = end;
  const tail = PLAIN_TAIL.exec(text);
  if (tail === null) return undefined;
  const body = text.slice(head[0].length, end);
  const id = Number(head[1]);
  const read = (wantsOrders?.(id) === true ? listedIn(body) : undefined) ?? resultIn(body);
  if (read === undefined) return undefined;
  return {
    kind: "response",
    id,
    body: {
      text: body,
      secrets: NO_SECRETS,
      longestText: read.longestText,
      result: read.result,
      list: read.list,
      error: undefined,
      exchangeMs: Number(tail[1]) / 1000,
      testnet: tail[2] === "true",
    },
  };
}

function readPlainEvent(text: string): Frame | undefined {
  const head = EVENT_HEAD.exec(text);
  const channel = head?.[1];
  if (head === null || channel === undefined || !text.endsWith(EVENT_TAIL)) return undefined;
  const data = valueIn(text.slice(head[0].length, -EVENT_TAIL.length), DATA_DEPTH);
  if (data === undefined) return undefined;
  const longestText = Math.max(data.longestText, channel.length, "subscription".length);
  return { kind: "event", event: { channel, data: data.value, text, secrets: NO_SECRETS, longestText } };
}

type PlainResult = Pick<ResponseBody, "result" | "list" | "longestText">;

function resultIn(body: string): PlainResult | undefined {
  const read = valueIn(body, RESULT_DEPTH);
  return read === undefined ? undefined : { result: read.value, list: undefined, longestText: read.longestText };
}

function listedIn(body: string): PlainResult | undefined {
  const list = listOrders(body);
  return list === undefined ? undefined : { result: undefined, list, longestText: LONGEST_LISTED_TEXT };
}

/** Returns the value of a part of a message, where a quick scan finds it plain. */
function valueIn(part: string, depth: number): (QuickScanResult & { readonly value: unknown }) | undefined {
  const value = parseJson(part);
  const quick = part.includes("\\") ? undefined : quickScanWireText(part, value, depth);
  return quick === undefined ? undefined : { value, longestText: quick.longestText };
}

const noObject = (): Plain => l10n.t("the message is not a JSON object");

function odd(problem: string, id: number | undefined): Frame {
  return { kind: "odd", id, problem };
}

/** Returns the length of the longest text. With escapes a literal is longer than its value. */
function longestTextOf(text: string, quick: QuickScanResult | undefined): number {
  return quick === undefined || text.includes("\\") ? Infinity : quick.longestText;
}

function isVeryDeep(text: string): boolean {
  return text.length > MAX_LENGTH_FOR_NAMES && text.includes(TOO_DEEP);
}

/** Returns the places of the members of a response; a notification needs none. */
function placesOf(text: string, parsed: unknown): ReadonlyMap<string, Span> | undefined {
  if (!isObject(parsed)) return undefined;
  // Parsed JSON holds nothing undefined; a lookup costs less than asking whether the name is there.
  const isNotification =
    parsed["method"] !== undefined &&
    parsed["id"] === undefined &&
    parsed["result"] === undefined &&
    parsed["error"] === undefined;
  return isNotification ? NO_PLACES : findMembers(text, parsed, MEMBERS);
}

/** Returns the reason why a text that had to be scanned is not a message. */
function problemOf(text: string, scan: JsonScan, value: unknown): Plain | undefined {
  if (value === undefined) return l10n.t("the message is not valid JSON");
  if (!isObject(value)) return noObject();
  const isRepeated = text.length <= MAX_LENGTH_FOR_NAMES ? hasRepeatedNames(scan, value) : scan.repeated.size > 0;
  return isRepeated ? l10n.t("duplicate key in an object") : undefined;
}

/** Returns the error object of a response; undefined when it is not one. */
export function decodeError(value: unknown): ExchangeFailure | undefined {
  if (!isObject(value)) return undefined;
  const { code, message, data } = value as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly data?: unknown;
  };
  if (typeof code !== "number" || !Number.isInteger(code) || typeof message !== "string") return undefined;
  const { param, reason, wait } = (isObject(data) ? data : {}) as {
    readonly param?: unknown;
    readonly reason?: unknown;
    readonly wait?: unknown;
  };
  return {
    kind: "exchange",
    code,
    message,
    ...(typeof param === "string" ? { param } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(typeof wait === "number" && wait >= 0 && Number.isFinite(wait) ? { waitSeconds: wait } : {}),
  };
}

interface ResponseParts extends Pick<ResponseBody, "longestText"> {
  readonly value: Readonly<Record<string, unknown>>;
  readonly belongsTo: number | undefined;
}

function readResponse(text: string, scan: JsonScan, { value, belongsTo, longestText }: ResponseParts): Frame {
  const id = belongsTo ?? idOf(text, scan);
  const errorSpan = scan.members.get("error");
  const span = errorSpan ?? scan.members.get("result");
  if (span === undefined || (errorSpan !== undefined && scan.members.has("result")))
    return odd(l10n.t("both a result and an error"), id);
  const error = errorSpan === undefined ? undefined : decodeError(value["error"]);
  if (errorSpan !== undefined && error === undefined)
    return odd(l10n.t("the error object is missing its code or message"), id);
  if (id === undefined)
    return error !== undefined && (value["id"] ?? null) === null
      ? { kind: "notice", error }
      : odd(l10n.t("unknown request ID"), id);
  const { usDiff, testnet } = value as { readonly usDiff?: unknown; readonly testnet?: unknown };
  // Nearly every response of the exchange has these two, and none has to.
  return {
    kind: "response",
    id,
    body: {
      text: text.slice(span.start, span.end),
      secrets: within(scan.secrets, span),
      longestText,
      result: value["result"],
      list: undefined,
      error,
      exchangeMs: exchangeMsOf(usDiff),
      testnet: typeof testnet === "boolean" ? testnet : undefined,
    },
  };
}

function exchangeMsOf(usDiff: unknown): number | undefined {
  return typeof usDiff === "number" && usDiff >= 0 && Number.isFinite(usDiff) ? usDiff / 1000 : undefined;
}

function readNotification(
  method: string,
  params: unknown,
  { text, secrets, longestText }: Pick<ChannelEvent, "text" | "secrets" | "longestText">,
): Frame {
  const members = isObject(params) ? params : {};
  if (method === "subscription") {
    const channel = members["channel"];
    if (typeof channel !== "string" || !("data" in members))
      return { kind: "odd", id: undefined, problem: l10n.t("an event without a channel or data") };
    return { kind: "event", event: { channel, data: members["data"], text, secrets, longestText } };
  }
  if (method === "heartbeat") return { kind: "heartbeat", isTestRequest: members["type"] === "test_request" };
  return { kind: "other", method };
}

function idOf(text: string, scan: JsonScan): number | undefined {
  const span = scan.members.get("id");
  // At the end of the text the number may be cut short, and then be the number of another call.
  return span === undefined || scan.repeated.has("id") || span.end >= text.length ? undefined : ownId(text, span);
}

/**
 * Returns an id of ours. Our ids are numbers without sign, point and exponent; `1e0` and `"1"` are other ids than `1`.
 */
function ownId(text: string, { start, end }: Span): number | undefined {
  let id = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - DIGIT_ZERO;
    if (digit < 0 || digit > 9) return undefined;
    id = id * 10 + digit;
  }
  const isCanonical = end - start === 1 || (end > start && text.charCodeAt(start) !== DIGIT_ZERO);
  return isCanonical && Number.isSafeInteger(id) ? id : undefined;
}

const DIGIT_ZERO = 0x30;

function within(spans: readonly Span[], { start, end }: Span): readonly Span[] {
  if (spans.length === 0) return spans;
  return spans
    .filter((span) => span.start >= start && span.end <= end)
    .map((span) => ({ start: span.start - start, end: span.end - start }));
}
