import type { Exchange } from "../../src/simulator/wire/exchange.ts";

/* What the exchange knew of the main account's keys, limits and quotes, and since when. */

type Members = Readonly<Record<string, unknown>>;

/** How everything was from a moment on. Texts, so that they can be compared and shown. */
export interface AccountState {
  readonly fromMs: number;
  /** By id; each field as a text. */
  readonly keys: ReadonlyMap<string, Fields>;
  /** By index, group and sort. */
  readonly limits: ReadonlyMap<string, Fields>;
  /** Until when a group is frozen, ms of the exchange's time; 0 until it is reset. */
  readonly frozen: ReadonlyMap<string, number>;
  /** Those that are open, by id. */
  readonly quotes: ReadonlyMap<string, Members>;
}

export type Fields = Readonly<Record<string, string>>;

/** What a request that changes keys, limits or quotes asks for. */
export interface Asked {
  readonly method: string;
  readonly params: Members;
  /** Quotes that were open when it was sent: those that came later are no concern of it. */
  readonly quotes?: ReadonlySet<string>;
}

export interface Truth {
  readonly now: AccountState;
  /** Looks whether anything has changed. */
  note(): void;
  /** Whether it was so at any moment from one on. */
  some(fromMs: number, holds: (state: AccountState, atMs: number) => boolean): boolean;
  /** How a quote ended that was open once. */
  quoteEnd(id: string): "cancelled" | "filled" | "expired" | undefined;
  endQuote(id: string, how: "cancelled" | "filled" | "expired"): void;
}

export function createTruth(exchange: Exchange, elapsedMs: () => number): Truth {
  const states: AccountState[] = [];
  const ends = new Map<string, "cancelled" | "filled" | "expired">();
  let last = "";
  const read = (): void => {
    const { control } = exchange;
    const parts = [
      control.apiKeys(),
      [...control.mmpConfigs({}), ...control.mmpConfigs({ block_rfq: true })],
      [...control.frozen({}), ...control.frozen({ block_rfq: true })],
      control.blockRfqQuotes(),
    ] as const;
    const text = JSON.stringify(parts);
    if (text === last) return;
    last = text;
    const [keys, limits, frozen, quotes] = parts;
    states.push({
      fromMs: elapsedMs(),
      keys: new Map(keys.map((key) => [String(key["id"]), fieldsOf(key, KEY_FIELDS)])),
      limits: new Map(limits.map((config) => [groupName(config), fieldsOf(config, LIMIT_FIELDS)])),
      frozen: new Map(frozen.map((freeze) => [groupName(freeze), Number(freeze["frozen_until"])])),
      quotes: new Map(quotes.map((quote) => [String(quote["block_rfq_quote_id"]), quote])),
    });
  };
  read();
  const now = (): AccountState => states.at(-1)!;
  return {
    get now() {
      return now();
    },
    note: read,
    some(fromMs, holds) {
      // What began last before the moment was so at the moment.
      const first = Math.max(
        0,
        states.findLastIndex((state) => state.fromMs <= fromMs),
      );
      return states.slice(first).some((state) => holds(state, Math.max(state.fromMs, fromMs)));
    },
    quoteEnd: (id) =>
      now().quotes.has(id)
        ? undefined
        : states.some((state) => state.quotes.has(id))
          ? (ends.get(id) ?? "cancelled")
          : undefined,
    endQuote: (id, how) => {
      ends.set(id, how);
    },
  };
}

const KEY_FIELDS = ["max_scope", "name", "enabled", "enabled_features", "ip_whitelist"];
const LIMIT_FIELDS = [
  "interval",
  "frozen_time",
  "max_quote_quantity",
  "quantity_limit",
  "delta_limit",
  "vega_limit",
  "trade_count_limit",
];

export function groupName(of: Members): string {
  const { index_name: index, mmp_group: group = "", block_rfq: isRfq } = of;
  return `${fieldText("", index)} ${fieldText("", group)} ${isRfq === true}`;
}

function fieldsOf(members: Members, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fieldText(name, members[name])]));
}

/** Order means nothing in a list or a scope, and what a scope does not name is none. */
export function fieldText(name: string, given: unknown): string {
  const value = given as string | readonly string[] | undefined;
  if (name === "max_scope")
    return [
      ...new Set(
        String(value)
          .split(/\s+/)
          .filter((entry) => entry !== "" && !entry.endsWith(":none")),
      ),
    ]
      .sort()
      .join(" ");
  if (Array.isArray(value)) return [...(value as readonly string[])].sort().join(" ");
  return value === undefined ? "" : String(value);
}

/** Whether everything is as a request asks; undefined for requests of which nothing here can tell. */
export function isAsAsked(
  state: AccountState,
  { method, params, quotes }: Asked,
  serverNowMs: number,
): boolean | undefined {
  switch (method) {
    case "private/edit_api_key":
    case "private/change_scope_in_api_key":
      return hasFields(state.keys.get(String(params["id"])), KEY_FIELDS, { max_scope: "", ...params });
    case "private/enable_api_key":
    case "private/disable_api_key":
      return state.keys.get(String(params["id"]))?.["enabled"] === String(method === "private/enable_api_key");
    case "private/set_mmp_config": {
      const config = state.limits.get(groupName(params));
      if (params["interval"] === 0) return config === undefined;
      return config !== undefined && LIMIT_FIELDS.every((name) => config[name] === fieldText(name, params[name]));
    }
    case "private/reset_mmp": {
      const until = state.frozen.get(groupName(params));
      return until === undefined || (until !== 0 && until <= serverNowMs);
    }
    case "private/cancel_block_rfq_quote":
      return !state.quotes.has(String(params["block_rfq_quote_id"]));
    case "private/cancel_all_block_rfq_quotes":
      return ![...state.quotes].some(
        ([id, quote]) =>
          quotes?.has(id) === true &&
          (params["block_rfq_id"] === undefined || quote["block_rfq_id"] === params["block_rfq_id"]),
      );
    default:
      return undefined;
  }
}

function hasFields(fields: Fields | undefined, names: readonly string[], asked: Members): boolean {
  return (
    fields !== undefined &&
    names.every((name) => asked[name] === undefined || fields[name] === fieldText(name, asked[name]))
  );
}
