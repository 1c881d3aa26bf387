import { isScopeGranted } from "../catalogue/index.ts";
import type { Instrument } from "./instruments.ts";

/** A channel that somebody may subscribe to. facts: names and payloads are the exchange's. */
export interface Channel {
  readonly name: string;
  readonly carries: "orders" | "trades";
  /** How long events are collected; 0 sends each at once. */
  readonly intervalMs: number;
  matches(instrument: Instrument): boolean;
}

const SOURCES: readonly { readonly prefix: string; readonly carries: Channel["carries"]; readonly scopes: readonly string[] }[] = [
  { prefix: "user.orders.", carries: "orders", scopes: ["trade:read"] },
  { prefix: "trades.", carries: "trades", scopes: [] },
];

/** `agg2` is promised nowhere in figures; a second is near what was observed. */
const INTERVALS: ReadonlyMap<string, number> = new Map([["raw", 0], ["100ms", 100], ["agg2", 1000]]);

/**
 * The channel of a name such as `user.orders.ETH-PERPETUAL.raw` or `trades.any.BTC.100ms`; undefined when there is none,
 * or the granted scope does not open it: the exchange leaves both out of its answer in silence.
 */
export function findChannel(name: string, instruments: ReadonlyMap<string, Instrument>, grantedScope: string | undefined): Channel | undefined {
  const source = SOURCES.find(({ prefix }) => name.startsWith(prefix));
  if (source === undefined || (source.scopes.length > 0 && !isScopeGranted(grantedScope ?? "", source.scopes))) return undefined;
  const parts = name.slice(source.prefix.length).split(".");
  const intervalMs = INTERVALS.get(parts.pop() ?? "");
  const matches = parts.length === 1 ? matchName(parts[0] ?? "", instruments) : matchKind(parts);
  return intervalMs === undefined || matches === undefined ? undefined : { name, carries: source.carries, intervalMs, matches };
}

function matchName(name: string, instruments: ReadonlyMap<string, Instrument>): Channel["matches"] | undefined {
  return instruments.has(name) ? (instrument) => instrument.name === name : undefined;
}

const KINDS = ["any", "future", "option", "spot", "future_combo", "option_combo", "combo"];

function matchKind([kind = "", currency = "", ...rest]: readonly string[]): Channel["matches"] | undefined {
  if (!KINDS.includes(kind) || currency === "" || rest.length > 0) return undefined;
  return (instrument) =>
    (kind === "any" || instrument.kind === kind || (kind === "combo" && instrument.kind.endsWith("_combo"))) &&
    (currency === "any" || instrument.currencies.includes(currency));
}
