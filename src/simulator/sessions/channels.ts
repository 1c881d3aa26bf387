import { isScopeGranted } from "../../catalogue/index.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";

/** The subject of a channel. */
export type Topic =
  | "orders"
  | "userTrades"
  | "changes"
  | "mmpTriggers"
  | "accessLog"
  | "portfolio"
  | "lock"
  | "liquidation"
  | "rfqMaker"
  | "rfqTaker"
  | "rfqQuotes"
  | "rfqTrades"
  | "confirmations";

/** The subject of an event: an instrument, or whatever else has a name or currencies. */
export interface ChannelTopic {
  readonly name: string;
  readonly kind?: SimulatedInstrument["kind"];
  readonly currencies: readonly string[];
}

/** Returns the payloads of the next events: all there is at first, then what is new. */
export type ChannelReader = () => readonly string[];

/** A channel that can be subscribed to. Facts: names and payloads are the exchange's. */
export interface Channel {
  readonly name: string;
  /** The subject of its events; undefined for a channel of the market, which is read. */
  readonly carries: Topic | undefined;
  /** Begins to read a channel of the market; undefined for all others. */
  readonly open?: () => ChannelReader;
  /** The time that events are collected, in ms; 0 sends each at once. */
  readonly intervalMs: number;
  /** Whether a single event comes as a list nevertheless. */
  readonly isList: boolean;
  /** Whether events that were collected leave one after the other all the same: each is about one instrument. */
  readonly isOneByOne: boolean;
  /** Whether its events are those of the hidden subaccounts of isolated margin, instead of those of the subscriber. */
  readonly isOfSlots: boolean;
  matches(about: ChannelTopic): boolean;
}

interface Source {
  /** The channel's name, or its beginning. */
  readonly prefix: string;
  readonly carries: Topic;
  readonly scopes: readonly string[];
  /** The rest of the name: instrument or kind and currency with an interval, one currency, one name, or nothing. */
  readonly rest: "instruments" | "currency" | "name" | "nothing";
  readonly isList?: true;
  readonly isOneByOne?: true;
}

/** The sources of channels; the longer name first, where one begins as another does. */
const SOURCES: readonly Source[] = [
  { prefix: "user.orders.", carries: "orders", scopes: ["trade:read"], rest: "instruments" },
  { prefix: "user.trades.", carries: "userTrades", scopes: ["trade:read"], rest: "instruments", isList: true },
  { prefix: "user.changes.", carries: "changes", scopes: ["trade:read"], rest: "instruments", isOneByOne: true },
  { prefix: "user.mmp_trigger.", carries: "mmpTriggers", scopes: ["trade:read"], rest: "name" },
  { prefix: "user.portfolio.", carries: "portfolio", scopes: ["account:read", "trade:read"], rest: "currency" },
  // A liquidation has its own channel. No account is ever locked for anything else, so that nothing comes on this one.
  { prefix: "user.lock", carries: "lock", scopes: ["account:read"], rest: "nothing" },
  { prefix: "user.liquidation", carries: "liquidation", scopes: ["account:read"], rest: "nothing" },
  { prefix: "user.access_log", carries: "accessLog", scopes: ["account:read"], rest: "nothing" },
  {
    prefix: "block_rfq.maker.quotes.",
    carries: "rfqQuotes",
    scopes: ["block_rfq:read"],
    rest: "currency",
    isList: true,
  },
  { prefix: "block_rfq.maker.", carries: "rfqMaker", scopes: ["block_rfq:read"], rest: "currency" },
  { prefix: "block_rfq.taker.", carries: "rfqTaker", scopes: ["block_rfq:read"], rest: "currency" },
  { prefix: "block_rfq.trades.", carries: "rfqTrades", scopes: [], rest: "currency" },
  { prefix: "block_trade_confirmations.", carries: "confirmations", scopes: ["block_trade:read"], rest: "currency" },
  { prefix: "block_trade_confirmations", carries: "confirmations", scopes: ["block_trade:read"], rest: "nothing" },
];

/** The intervals, in ms. No figure is documented for `agg2`; a second is near what was observed. */
export const INTERVALS: ReadonlyMap<string, number> = new Map([
  ["raw", 0],
  ["100ms", 100],
  ["agg2", 1000],
]);

/**
 * Returns the channel of a name such as `user.orders.ETH-PERPETUAL.raw`, but for those of the market. Undefined when
 * there is none, or the granted scope does not open it: the exchange silently leaves both out of its response.
 */
export function findChannel(
  name: string,
  instruments: ReadonlyMap<string, SimulatedInstrument>,
  grantedScope: string | undefined,
): Channel | undefined {
  const isOfSlots = name.startsWith(ISOLATED);
  const base = isOfSlots ? `user.${name.slice(ISOLATED.length)}` : name;
  const source = SOURCES.find(({ prefix, rest }) => (rest === "nothing" ? base === prefix : base.startsWith(prefix)));
  if (source === undefined || (source.scopes.length > 0 && !isScopeGranted(grantedScope ?? "", source.scopes)))
    return undefined;
  const parts = base === source.prefix ? [] : base.slice(source.prefix.length).split(".");
  const intervalMs = source.rest === "instruments" ? INTERVALS.get(parts.pop() ?? "") : 0;
  const matches = matcherOf(source, parts, instruments);
  if (intervalMs === undefined || matches === undefined) return undefined;
  const { carries, isList = false, isOneByOne = false } = source;
  return { name, carries, intervalMs, isList, isOneByOne, isOfSlots, matches };
}

/** The beginning of the channels of isolated margin, each of which is like one of the account. */
const ISOLATED = "user.isolated.";

function matcherOf(
  { rest }: Source,
  parts: readonly string[],
  instruments: ReadonlyMap<string, SimulatedInstrument>,
): Channel["matches"] | undefined {
  const [first = ""] = parts;
  switch (rest) {
    case "instruments":
      return parts.length === 1 ? matchInstrument(first, instruments) : matchKind(parts);
    case "currency":
      return parts.length === 1 && first !== "" ? ({ currencies }) => currencies.includes(first) : undefined;
    case "name":
      return parts.length === 1 && first !== "" ? ({ name }) => first === "any" || name === first : undefined;
    case "nothing":
      return parts.length === 0 ? () => true : undefined;
  }
}

/** Returns what matches one instrument; undefined where there is none of the name. */
export function matchInstrument(
  name: string,
  instruments: ReadonlyMap<string, SimulatedInstrument>,
): Channel["matches"] | undefined {
  return instruments.has(name) ? (about) => about.name === name : undefined;
}

const KINDS = ["any", "future", "option", "spot", "future_combo", "option_combo", "combo"];

/** Returns what matches instruments of a kind and a currency; undefined where a kind is unknown. */
export function matchKind([kind = "", currency = "", ...rest]: readonly string[]): Channel["matches"] | undefined {
  if (!KINDS.includes(kind) || currency === "" || rest.length > 0) return undefined;
  return (about) =>
    (kind === "any" || about.kind === kind || (kind === "combo" && about.kind?.endsWith("_combo") === true)) &&
    (currency === "any" || about.currencies.includes(currency));
}
