import type { TradesDelta } from "../present/trades/tradesDelta.ts";

/*
 * What the extension and the page of Last Trades say to each other. The page can ask to read, to show and to copy, and
 * for the steps of Place Order…, which the user answers; nothing that it can say writes anything.
 */

/** A message from the extension to the page. */
export type ToPage =
  /** The page's fixed texts; sent first of all, and whenever the page was made again. */
  | { readonly kind: "setup"; readonly words: PageWords; readonly timeZone: string }
  /** The content, or its changes. */
  | {
      readonly kind: "trades";
      readonly parameters: string;
      readonly isConnected: boolean;
      /** Whether a trade offers Place Order…. */
      readonly canPlace: boolean;
      readonly delta: TradesDelta;
    };

/** A message from the page to the extension. */
export type FromPage =
  /** Sent when the page is ready and has no content yet. */
  | { readonly kind: "ready" }
  | { readonly kind: "loadMore" | "pause" | "resume" | "reload" | "changeParameters" }
  /** A request about one trade, by its number within the instrument. */
  | { readonly kind: TradeAction; readonly seq: number };

/** An action on one trade that the page can request. */
export type TradeAction = "copy" | "open" | "place";

/** The page's own sentences, in the user's language. */
export interface PageWords {
  readonly loading: string;
  readonly pause: string;
  readonly resume: string;
  readonly reload: string;
  readonly change: string;
  readonly resetZoom: string;
  readonly copy: string;
  readonly open: string;
  readonly place: string;
  readonly actions: string;
  readonly chart: string;
  readonly chartHelp: string;
  readonly table: string;
  readonly tableHelp: string;
  /** The text in the description of a trade while there is none. */
  readonly hint: string;
  /** The titles of the plots. */
  readonly price: string;
  readonly sizeHelp: string;
  readonly volatilityHelp: string;
  /** The headings of the columns. */
  readonly time: string;
  readonly direction: string;
  readonly priceColumn: string;
  readonly size: string;
  readonly volatility: string;
  readonly tick: string;
  readonly marks: string;
  readonly copied: string;
  /** The text about a zoom; `{0}` stands for the number of trades in sight. */
  readonly zoomed: string;
  readonly unzoomed: string;
}

const ASKED: ReadonlySet<unknown> = new Set([
  "ready",
  "loadMore",
  "pause",
  "resume",
  "reload",
  "changeParameters",
] satisfies readonly FromPage["kind"][]);
const ASKED_OF_TRADE: ReadonlySet<unknown> = new Set(["copy", "open", "place"] satisfies readonly TradeAction[]);

/** Reads a message of the page; undefined for anything else. */
export function readFromPage(message: unknown): FromPage | undefined {
  if (!isRecord(message)) return undefined;
  const { kind, seq } = message;
  if (ASKED.has(kind)) return { kind } as FromPage;
  return ASKED_OF_TRADE.has(kind) && Number.isSafeInteger(seq) ? ({ kind, seq } as FromPage) : undefined;
}

/** Reads a message of the extension; undefined for what others post into the page. */
export function readToPage(message: unknown): ToPage | undefined {
  if (!isRecord(message)) return undefined;
  const { kind, words, timeZone, parameters, isConnected, canPlace, delta } = message;
  if (kind === "setup") return isRecord(words) && typeof timeZone === "string" ? (message as ToPage) : undefined;
  const isState = typeof isConnected === "boolean" && typeof canPlace === "boolean";
  const isTrades = kind === "trades" && typeof parameters === "string" && isState && isDelta(delta);
  return isTrades ? (message as ToPage) : undefined;
}

function isDelta(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { kind, model, head, older, newer, droppedOldest } = value;
  if (kind === "reset") return isRecord(model) && isPart(model);
  return kind === "change" && isRecord(head) && Number.isSafeInteger(droppedOldest) && isPart(older) && isPart(newer);
}

/** Whether the value has rows, and columns of their length: the chart and the table must not show different trades. */
function isPart(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { rows, series } = value;
  if (!Array.isArray(rows) || !isRecord(series)) return false;
  const { timesMs, prices, amounts, ivs, isBuy } = series;
  return [timesMs, prices, amounts, ivs, isBuy].every(
    (column) => Array.isArray(column) && column.length === rows.length,
  );
}

/** The names of the members of messages. */
type Member =
  | "kind"
  | "seq"
  | "words"
  | "timeZone"
  | "parameters"
  | "isConnected"
  | "canPlace"
  | "delta"
  | "model"
  | "head"
  | "older"
  | "newer"
  | "droppedOldest"
  | "rows"
  | "series"
  | "timesMs"
  | "prices"
  | "amounts"
  | "ivs"
  | "isBuy";

function isRecord(value: unknown): value is Readonly<Partial<Record<Member, unknown>>> {
  return typeof value === "object" && value !== null;
}
