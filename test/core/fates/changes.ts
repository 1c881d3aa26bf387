import fs from "node:fs";
import { aboutOf } from "../../../src/actions/changes/changes.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { allMethods } from "../../../src/catalogue/index.ts";
import { isOfferedAt } from "../../../src/catalogue/offer.ts";
import { resultSchemaOf } from "../../../src/catalogue/reference/reference.ts";
import { SESSION_REFRESH_TOKEN } from "../../../src/catalogue/values.ts";
import { sampleOf } from "../../sampleResults.ts";
import type { ConnectedWorld } from "../../world.ts";
import type { ServerConnection } from "../../scriptedServer.ts";
import { anOpenOrder, SUBACCOUNT, type Members, type Truth } from "./truth.ts";

/*
 * The changes that the program can prove, with requests and results as the exchange documents them.
 * https://docs.deribit.com/api-reference
 */

/** A change: its request, and what it does at the server when it is carried out. */
export interface Change {
  readonly method: string;
  /** What distinguishes it from another request of the same method. */
  readonly variant?: string;
  readonly params: Members;
  /** Returns what a command submits (default: a request file sends it). */
  readonly intent?: (world: ConnectedWorld, truth: Truth) => Intent;
  /**
   * Carries it out and returns the documented result. `params`: as they were received, without the token; `nowMs`: the time at the server.
   */
  readonly make: (truth: Truth, params: Members, nowMs: number, connection: ServerConnection) => unknown;
}

/** The changes of one golden file. */
export type Area = "orders" | "quotes" | "apiKeys" | "limits" | "blockTrades" | "session" | "others";

function cancelOf(truth: Truth, isMeant: (order: Members) => boolean, nowMs: number): number {
  const meant = [...truth.orders.values()].filter((order) => order["order_state"] === "open" && isMeant(order));
  for (const order of meant) cancelled(truth, order, nowMs);
  return meant.length;
}

function cancelled(truth: Truth, order: Members, nowMs: number): Members {
  const changed = {
    ...order,
    order_state: "cancelled",
    cancel_reason: "user_request",
    last_update_timestamp: nowMs,
  };
  truth.orders.set(String(order["order_id"]), changed);
  return changed;
}

function placed(truth: Truth, params: Members, direction: string, nowMs: number): unknown {
  const { valid_until: _, ...terms } = params;
  const order = anOpenOrder("ETH-584849853", {
    ...{ ...terms, direction },
    ...{ creation_timestamp: nowMs, last_update_timestamp: nowMs },
  });
  truth.orders.set(String(order["order_id"]), order);
  return { order, trades: [] };
}

function edited(truth: Truth, order: Members | undefined, terms: Members, nowMs: number): unknown {
  const changed = { ...order, ...terms, replaced: true, last_update_timestamp: nowMs };
  truth.orders.set(String(order?.["order_id"]), changed);
  return { order: changed, trades: [] };
}

const LIMIT = { instrument_name: "ETH-PERPETUAL", amount: 40, type: "limit", price: 118.5 };
const LABELLED = { ...LIMIT, label: "market0000234" };

const ORDERS: readonly Change[] = [
  {
    method: "private/cancel",
    params: { order_id: "ETH-331562" },
    make: (truth, { order_id: id }, nowMs) => cancelled(truth, truth.orders.get(String(id)) ?? {}, nowMs),
  },
  {
    method: "private/edit",
    params: { order_id: "ETH-331562", amount: 4, price: 222.22 },
    make: (truth, { order_id: id, amount, price }, nowMs) =>
      edited(truth, truth.orders.get(String(id)), { amount, price }, nowMs),
  },
  {
    method: "private/edit_by_label",
    params: { label: "fooBar", instrument_name: "ETH-PERPETUAL", amount: 4, price: 222.22 },
    make: (truth, { amount, price }, nowMs) => edited(truth, truth.orders.get("ETH-331562"), { amount, price }, nowMs),
  },
  { method: "private/cancel_all", params: {}, make: (truth, _, nowMs) => cancelOf(truth, () => true, nowMs) },
  {
    method: "private/cancel_all_by_instrument",
    params: { instrument_name: "ETH-PERPETUAL" },
    make: (truth, params, nowMs) =>
      cancelOf(truth, (order) => order["instrument_name"] === params["instrument_name"], nowMs),
  },
  ...(
    [
      ["private/cancel_all_by_currency", { currency: "ETH" }],
      ["private/cancel_all_by_currency_pair", { currency_pair: "eth_usd" }],
      ["private/cancel_all_by_kind_or_type", { currency: "ETH", kind: "future" }],
    ] as const
  ).map(([method, params]) => ({
    method,
    params,
    make: (truth: Truth, _: Members, nowMs: number) =>
      cancelOf(truth, (order) => String(order["instrument_name"]).startsWith("ETH"), nowMs),
  })),
  {
    method: "private/cancel_by_label",
    params: { label: "fooBar" },
    make: (truth, { label }, nowMs) => cancelOf(truth, (order) => order["label"] === label, nowMs),
  },
  { method: "private/buy", params: LABELLED, make: (truth, params, nowMs) => placed(truth, params, "buy", nowMs) },
  {
    method: "private/buy",
    variant: "with a deadline",
    params: { ...LABELLED, valid_until: Date.UTC(2026, 10, 20, 12, 0, 10) },
    make: (truth, params, nowMs) => placed(truth, params, "buy", nowMs),
  },
  {
    method: "private/buy",
    variant: "without a label",
    params: LIMIT,
    make: (truth, params, nowMs) => placed(truth, params, "buy", nowMs),
  },
  { method: "private/sell", params: LABELLED, make: (truth, params, nowMs) => placed(truth, params, "sell", nowMs) },
  {
    method: "private/close_position",
    params: { instrument_name: "ETH-PERPETUAL", type: "limit", price: 145.17 },
    make: (truth, params, nowMs) => placed(truth, { ...params, amount: 25, reduce_only: true }, "sell", nowMs),
  },
];

const QUOTES: readonly Change[] = [
  {
    method: "private/add_block_rfq_quote",
    params: {
      ...{ block_rfq_id: 3, amount: 10_000, direction: "buy", label: "example_quote" },
      legs: [{ instrument_name: "BTC-15NOV24", price: 69_600, ratio: 1, direction: "buy" }],
      execution_instruction: "any_part_of",
    },
    make: (truth, params, nowMs) => {
      const quote = {
        ...{ ...params, block_rfq_quote_id: 11, price: 69_600, quote_state: "open", filled_amount: 0, replaced: false },
        ...{ creation_timestamp: nowMs, last_update_timestamp: nowMs },
      };
      truth.quotes = [...truth.quotes, quote];
      return quote;
    },
  },
  {
    method: "private/edit_block_rfq_quote",
    params: {
      ...{ block_rfq_quote_id: 8, amount: 30_000 },
      legs: [{ instrument_name: "BTC-15NOV24", price: 75_000, ratio: 1, direction: "buy" }],
    },
    make: (truth, { legs, amount }, nowMs) => {
      const quote = { ...truth.quotes[0], legs, amount, price: 75_000, replaced: true, last_update_timestamp: nowMs };
      truth.quotes = [quote, ...truth.quotes.slice(1)];
      return quote;
    },
  },
  {
    method: "private/cancel_block_rfq_quote",
    params: { block_rfq_quote_id: 8 },
    make: (truth, _, nowMs) => {
      const quote = { ...truth.quotes[0], quote_state: "cancelled", last_update_timestamp: nowMs };
      truth.quotes = [quote, ...truth.quotes.slice(1)];
      return quote;
    },
  },
  {
    method: "private/cancel_all_block_rfq_quotes",
    params: {},
    make: (truth) => {
      const { length } = truth.quotes;
      truth.quotes = truth.quotes.map((quote) => ({ ...quote, quote_state: "cancelled" }));
      return length;
    },
  },
];

function changedKey(truth: Truth, changes: Members): Members {
  const [first, ...others] = truth.keys;
  const key = { ...first, ...changes };
  truth.keys = [key, ...others];
  return key;
}

const KEYS: readonly Change[] = [
  {
    method: "private/edit_api_key",
    params: { id: 1, max_scope: "account:read trade:read", name: "NewKeyName", enabled: true },
    make: (truth, params) => changedKey(truth, params),
  },
  {
    method: "private/change_scope_in_api_key",
    params: { id: 1, max_scope: "account:read" },
    make: (truth, params) => changedKey(truth, params),
  },
  {
    method: "private/enable_api_key",
    params: { id: 1 },
    make: (truth) => changedKey(truth, { enabled: true }),
  },
  {
    method: "private/disable_api_key",
    params: { id: 2 },
    make: (truth) => {
      const key = { ...truth.keys[1], enabled: false };
      truth.keys = [...truth.keys.slice(0, 1), key];
      return key;
    },
  },
  {
    method: "private/create_api_key",
    params: { max_scope: "account:read trade:read_write", name: "new_key" },
    make: (truth, params, nowMs) => {
      const key = {
        ...{ id: 3, client_id: "1sXMQBhM", client_secret: "canary-key-secret-3", enabled: true, default: false },
        ...{ enabled_features: [], timestamp: nowMs, ...params },
      };
      truth.keys = [...truth.keys, key];
      return key;
    },
  },
  {
    method: "private/reset_api_key",
    params: { id: 1 },
    make: (truth) => changedKey(truth, { client_secret: "canary-key-secret-4" }),
  },
  {
    method: "private/remove_api_key",
    params: { id: 1 },
    make: (truth) => {
      truth.keys = truth.keys.slice(1);
      return "ok";
    },
  },
];

const GROUP = { index_name: "btc_usd", mmp_group: "MassQuoteBot7" };

const LIMITS: readonly Change[] = [
  {
    method: "private/set_mmp_config",
    params: { ...GROUP, interval: 60, frozen_time: 0, quantity_limit: 3, max_quote_quantity: 2.5 },
    make: (truth, params) => {
      truth.limits = [params];
      return params;
    },
  },
  {
    method: "private/reset_mmp",
    params: GROUP,
    make: (truth) => {
      truth.frozen = [];
      return "ok";
    },
  },
];

const LEGS = [{ instrument_name: "BTC-PERPETUAL", price: 61_000, amount: 200_000, direction: "buy" }];
const TERMS = { timestamp: Date.UTC(2026, 10, 20, 11, 59, 58), nonce: "bszyprbq", role: "maker", trades: LEGS };

const BLOCK_TRADES: readonly Change[] = [
  {
    method: "private/verify_block_trade",
    params: TERMS,
    make: () => ({ signature: "1565172710935.1ESE83qh.g2fe0d" }),
  },
  {
    method: "private/execute_block_trade",
    params: { ...TERMS, role: "taker", counterparty_signature: "1565172710935.1ESE83qh.g2fe0d" },
    make: (truth, _, nowMs) => {
      const trade = {
        ...{ id: "BLOCK-6165", timestamp: nowMs },
        trades: LEGS.map((leg) => ({
          ...{ ...leg, direction: "sell", trade_id: "92437", trade_seq: 37, timestamp: nowMs, state: "filled" },
          ...{
            order_id: "343062",
            order_type: "limit",
            liquidity: "T",
            fee: 0,
            fee_currency: "BTC",
            index_price: 61_000,
          },
          ...{ mark_price: 61_000, tick_direction: 0, block_trade_id: "BLOCK-6165" },
        })),
      };
      truth.blockTrades = [trade];
      return trade;
    },
  },
  {
    method: "private/invalidate_block_trade_signature",
    params: { signature: "1565172710935.1ESE83qh.g2fe0d" },
    make: () => "ok",
  },
];

const SESSION: readonly Change[] = [
  ...["enable", "disable"].map((verb) => ({
    method: `private/${verb}_cancel_on_disconnect`,
    params: { scope: "connection" },
    make: () => "ok",
  })),
  {
    method: "public/exchange_token",
    params: { refresh_token: SESSION_REFRESH_TOKEN, subject_id: SUBACCOUNT.id },
    make: (_, __, ___, { tokens }) => {
      tokens.clear();
      tokens.add(SUBACCOUNT.token);
      return {
        ...{ access_token: SUBACCOUNT.token, refresh_token: "subaccount-refresh-token" },
        ...{ expires_in: 31_536_000, scope: "account:read_write trade:read_write connection", token_type: "bearer" },
      };
    },
  },
];

/** The requests that everyConfirmation.txt has, the first of each method. */
const REQUESTS: ReadonlyMap<string, Members> = new Map(
  [...fs.readFileSync("test/core/world/everyConfirmation.txt", "utf8").matchAll(/^(\S+) (\{.*\})$/gm)]
    .toReversed()
    .map(([, method = "", params = ""]) => [method, JSON.parse(params) as Members]),
);

/** What a mass quote returns that placed everything. https://docs.deribit.com/api-reference/trading/private-mass_quote */
const RESULTS: Readonly<Record<string, unknown>> = {
  "private/mass_quote": { orders: [], trades: [], errors: [], errors_count: 0 },
};

/** The changes that the program knows by their parameters alone: no request shows their outcome. */
const OTHERS: readonly Change[] = allMethods()
  .filter(({ name }) => isOfferedAt(name, "native"))
  .filter(({ name, effect }) => effect !== "read" && effect !== "session" && aboutOf(name) === undefined)
  .map(({ name }) => ({
    method: name,
    params: REQUESTS.get(name) ?? {},
    make: () => RESULTS[name] ?? sampleOf(resultSchemaOf(name) ?? {}),
  }));

/** The changes, by the golden file that tells their fates. */
export const CHANGES: Readonly<Record<Area, readonly Change[]>> = {
  orders: ORDERS,
  quotes: QUOTES,
  apiKeys: KEYS,
  limits: LIMITS,
  blockTrades: BLOCK_TRADES,
  session: SESSION,
  others: OTHERS,
};
