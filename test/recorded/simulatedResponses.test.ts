import assert from "node:assert/strict";
import { test } from "node:test";
import { METHOD_ROLES, refusedReason } from "../../src/simulator/methods/methodTable.ts";
import { createSituation, type Conversation, type Situation } from "../core/simulator/conversation.ts";
import { isRecordLike, shapeNames } from "../core/simulator/market/shapeNames.ts";
import { dataFiles, describeRecorded, fileText } from "./data.ts";

/*
 * The simulator's own responses beside the exchange's, recorded and documented, member by member: names and types. Null
 * is absent. A member that the simulator has on its own must be a documented one.
 */

type Params = Record<string, unknown>;

/** Calls whose responses together have what the simulator has of a method. */
type Calls = (world: World) => Promise<unknown[]>;

interface World {
  readonly situation: Situation;
  readonly client: Conversation;
  readonly result: <T = never>(method: string, params?: Params) => Promise<T>;
}

const PERPETUAL = "BTC-PERPETUAL";
const OPTION = "BTC-26MAR27-96000-C";
const PRICE_CHANNEL = { channels: ["deribit_price_index.btc_usd"] };
const GROUP = { index_name: "btc_usd", mmp_group: "TestBtc" };
const KEY = { id: 2 };

const call =
  (method: string, ...params: readonly Params[]): Calls =>
  async ({ result }) => {
    const results: unknown[] = [];
    for (const each of params.length === 0 ? [{}] : params) results.push(await result<unknown>(method, each));
    return results;
  };

/** Orders of the sorts that were recorded: one that rests, one that waits for its trigger, one in the spot market. */
const placeOrders = async ({ result }: World, side: "buy" | "sell"): Promise<unknown[]> => {
  const { mark_price: mark } = await result<{ mark_price: number }>("public/ticker", { instrument_name: PERPETUAL });
  const [near, far] = side === "buy" ? [0.99, 1.02] : [1.01, 0.98];
  const price = (share: number): number => Math.round(mark * share);
  const common = { instrument_name: PERPETUAL, amount: 100, label: "recorded" };
  const stop = { type: "stop_market", trigger: "mark_price", trigger_price: price(far) };
  const secondary = { amount: 100, direction: side === "buy" ? "sell" : "buy", type: "limit", price: price(far) };
  return [
    await result(`private/${side}`, { ...common, price: price(near) }),
    await result(`private/${side}`, { ...common, ...stop }),
    await result(`private/${side}`, { ...common, type: "market" }),
    await result(`private/${side}`, { instrument_name: "BTC_USDC", amount: 0.01, price: price(near) }),
    await result(`private/${side}`, {
      ...{ ...common, price: price(near), linked_order_type: "one_triggers_other" },
      ...{ trigger_fill_condition: "first_hit", otoco_config: [secondary] },
    }),
  ];
};

const withOrders =
  (read: Calls): Calls =>
  async (world) => {
    await placeOrders(world, "buy");
    return await read(world);
  };

const eachOrder =
  (method: string): Calls =>
  async (world) => {
    await placeOrders(world, "buy");
    const orders = await world.result<{ order_id: string }[]>("private/get_open_orders");
    return await call(method, ...orders.map(({ order_id }) => ({ order_id })))(world);
  };

/** Quotes for the first open Block RFQ. */
const quote = async ({ result }: World): Promise<Params> => {
  const read = "private/get_block_rfqs";
  const { block_rfqs: rfqs } = await result<{ block_rfqs: { block_rfq_id: number }[] }>(read, { state: "open" });
  const block_rfq_id = rfqs[0]?.block_rfq_id;
  const terms = { block_rfq_id, amount: 5, direction: "buy", price: 0.02, legs: [], label: "recorded" };
  return await result("private/add_block_rfq_quote", terms);
};

/** Calls of methods whose responses have members. */
const CALLS: Readonly<Record<string, Calls>> = {
  "private/add_block_rfq_quote": async (world) => [await quote(world)],
  "private/buy": async (world) => await placeOrders(world, "buy"),
  "private/cancel": eachOrder("private/cancel"),
  "private/cancel_all": withOrders(call("private/cancel_all", { detailed: true })),
  "private/cancel_all_block_rfq_quotes": call("private/cancel_all_block_rfq_quotes"),
  "private/cancel_all_by_currency": call("private/cancel_all_by_currency", { currency: "BTC" }),
  "private/cancel_all_by_currency_pair": call("private/cancel_all_by_currency_pair", { currency_pair: "btc_usd" }),
  "private/cancel_all_by_instrument": call("private/cancel_all_by_instrument", { instrument_name: PERPETUAL }),
  "private/cancel_all_by_kind_or_type": call("private/cancel_all_by_kind_or_type", { currency: "BTC" }),
  "private/cancel_block_rfq_quote": async (world) => {
    const { block_rfq_quote_id } = await quote(world);
    return [await world.result("private/cancel_block_rfq_quote", { block_rfq_quote_id })];
  },
  "private/cancel_by_label": call("private/cancel_by_label", { label: "none" }),
  "private/change_api_key_name": call("private/change_api_key_name", { ...KEY, name: "other" }),
  "private/change_scope_in_api_key": call("private/change_scope_in_api_key", { ...KEY, max_scope: "trade:read" }),
  "private/create_api_key": call("private/create_api_key", { max_scope: "trade:read", name: "other" }),
  "private/disable_api_key": call("private/disable_api_key", KEY),
  "private/disable_cancel_on_disconnect": call("private/disable_cancel_on_disconnect"),
  "private/edit_api_key": call("private/edit_api_key", { ...KEY, max_scope: "trade:read" }),
  "private/edit_block_rfq_quote": async (world) => {
    const { block_rfq_quote_id } = await quote(world);
    const changes = { block_rfq_quote_id, amount: 7, price: 0.0205, legs: [] };
    return [await world.result("private/edit_block_rfq_quote", changes)];
  },
  "private/enable_api_key": call("private/enable_api_key", KEY),
  "private/enable_cancel_on_disconnect": call("private/enable_cancel_on_disconnect"),
  "private/get_access_log": call("private/get_access_log"),
  "private/get_account_summaries": call("private/get_account_summaries", { extended: true }),
  "private/get_account_summary": call("private/get_account_summary", { currency: "BTC", extended: true }),
  "private/get_block_rfq_quotes": call("private/get_block_rfq_quotes"),
  "private/get_block_rfqs": call("private/get_block_rfqs"),
  "private/get_block_trade": async (world) => {
    const trades = await world.result<{ id: string }[]>("private/get_block_trades", { count: 20 });
    return await call("private/get_block_trade", ...trades.map(({ id }) => ({ id })))(world);
  },
  "private/get_block_trades": call("private/get_block_trades", { count: 100 }),
  "private/get_cancel_on_disconnect": call("private/get_cancel_on_disconnect"),
  "private/get_mmp_config": call("private/get_mmp_config"),
  "private/get_mmp_status": async ({ situation, result }) => {
    situation.exchange.control.freezeMmp({ index_name: "eth_usd", mmp_group: "g1" });
    return [await result("private/get_mmp_status")];
  },
  "private/get_open_orders": withOrders(call("private/get_open_orders")),
  "private/get_open_orders_by_currency": withOrders(call("private/get_open_orders_by_currency", { currency: "BTC" })),
  "private/get_open_orders_by_instrument": withOrders(
    call("private/get_open_orders_by_instrument", { instrument_name: PERPETUAL }, { instrument_name: "BTC_USDC" }),
  ),
  "private/get_open_orders_by_label": withOrders(
    call("private/get_open_orders_by_label", { currency: "BTC", label: "recorded" }),
  ),
  "private/get_order_state": eachOrder("private/get_order_state"),
  "private/get_subaccounts": call("private/get_subaccounts", { with_portfolio: true }),
  "private/get_user_locks": call("private/get_user_locks"),
  "private/get_user_trades_by_currency": async (world) => {
    await world.result("private/buy", { instrument_name: OPTION, amount: 1, price: 0.5, type: "market" });
    return await call("private/get_user_trades_by_currency", { currency: "BTC", count: 100 })(world);
  },
  "private/list_api_keys": call("private/list_api_keys"),
  "private/remove_api_key": call("private/remove_api_key", KEY),
  "private/reset_api_key": call("private/reset_api_key", KEY),
  "private/reset_mmp": call("private/reset_mmp", GROUP),
  "private/sell": async (world) => await placeOrders(world, "sell"),
  "private/set_mmp_config": call("private/set_mmp_config", {
    ...GROUP,
    ...{ interval: 60, frozen_time: 0, quantity_limit: 3, max_quote_quantity: 2.5 },
  }),
  "private/subscribe": call("private/subscribe", PRICE_CHANNEL),
  "private/unsubscribe": async (world) => {
    await world.result("private/subscribe", PRICE_CHANNEL);
    return await call("private/unsubscribe", PRICE_CHANNEL)(world);
  },
  "private/unsubscribe_all": call("private/unsubscribe_all"),
  "public/auth": async ({ client }) => [await client.signIn(), await client.signIn("session:recorded")],
  "public/disable_heartbeat": call("public/disable_heartbeat"),
  "public/exchange_token": async ({ client, result }) => {
    const { refresh_token } = await client.signIn();
    const [, sub] = await result<{ id: number }[]>("private/get_subaccounts");
    return [await result("public/exchange_token", { refresh_token, subject_id: sub?.id })];
  },
  "public/fork_token": async ({ client, result }) => {
    const { refresh_token } = await client.signIn("session:recorded");
    return [await result("public/fork_token", { refresh_token, session_name: "forked" })];
  },
  "public/get_currencies": call("public/get_currencies"),
  "public/get_index_price_names": call("public/get_index_price_names"),
  "public/get_instrument": call("public/get_instrument", { instrument_name: OPTION }),
  "public/get_instruments": call("public/get_instruments", { currency: "BTC" }),
  "public/get_last_trades_by_instrument": call(
    "public/get_last_trades_by_instrument",
    { instrument_name: PERPETUAL },
    { instrument_name: "BTC_USDC" },
  ),
  "public/get_supported_index_names": call("public/get_supported_index_names"),
  "public/get_time": call("public/get_time"),
  "public/hello": call("public/hello", { client_name: "recorded", client_version: "1" }),
  "public/set_heartbeat": call("public/set_heartbeat", { interval: 30 }),
  "public/status": call("public/status"),
  "public/subscribe": call("public/subscribe", PRICE_CHANNEL),
  "public/test": call("public/test"),
  "public/ticker": call("public/ticker", { instrument_name: PERPETUAL }),
  "public/unsubscribe": async (world) => {
    await world.result("public/subscribe", PRICE_CHANNEL);
    return await call("public/unsubscribe", PRICE_CHANNEL)(world);
  },
  "public/unsubscribe_all": call("public/unsubscribe_all"),
};

/** Where the simulator differs, and why. */
const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

/** The members whose members have names of their own: currencies, instruments, and the like. */
const IS_MAP = /_map$|^portfolio$/;

/** Adds the types of everything in a value, by where it stands: `trades.price` → `number`. */
function collect(value: unknown, place: string, types: Map<string, Set<string>>): void {
  if (value === null || value === undefined) return;
  const type = Array.isArray(value) ? "list" : typeof value;
  // The place of the whole is not a member.
  types.set(place, (types.get(place) ?? new Set()).add(type));
  if (Array.isArray(value)) for (const each of value) collect(each, `${place}[]`, types);
  else if (isRecordLike(value))
    for (const [name, member] of Object.entries(value)) {
      const own = `${place}.${name}`;
      if (!IS_MAP.test(name) || !isRecordLike(member)) collect(member, own, types);
      else for (const each of Object.values(member)) collect(each, `${own}.*`, types);
    }
}

function typesOf(results: readonly unknown[]): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>();
  for (const result of results) collect(result, "", types);
  return types;
}

/** Returns how the simulator's results differ from the exchange's: `lacks`, `is of another type`, `is not documented`. */
function differences(method: string, recorded: readonly unknown[], simulated: readonly unknown[]): string[] {
  const [theirs, ours] = [typesOf(recorded), typesOf(simulated)];
  const documented = shapeNames(method);
  const found: string[] = [];
  for (const [place, types] of theirs) {
    const own = ours.get(place);
    if (own === undefined) found.push(`lacks ${place}`);
    else for (const type of own) if (!types.has(type)) found.push(`${type} ${place}, not ${[...types].join("|")}`);
  }
  for (const place of ours.keys()) {
    const name = place.split(".").at(-1)?.replaceAll("[]", "") ?? "";
    if (!theirs.has(place) && name !== "" && name !== "*" && !documented.includes(name)) found.push(`adds ${place}`);
  }
  return found;
}

/** `private_cancel.response.recorded-ws-2026-01.json` is about `private/cancel`. */
function methodOf(file: string): string {
  return (file.split(".")[0] ?? "").replace("_", "/");
}

describeRecorded("the simulator's own responses beside those of the exchange", () => {
  const files = dataFiles().filter((file) => file.includes(".response.") && methodOf(file) in METHOD_ROLES);
  const methods = [...new Set(files.map(methodOf))].filter((name) => refusedReason(name) === undefined);
  for (const method of methods)
    test(method, async () => {
      const calls = CALLS[method];
      assert.ok(calls !== undefined, "There is no call of this method.");
      const recorded = files
        .filter((file) => methodOf(file) === method)
        .map((file) => (JSON.parse(fileText(file)) as { result: unknown }).result);
      const situation = createSituation({ account: undefined });
      const client = situation.connect();
      await client.signIn();
      const simulated = await calls({ situation, client, result: client.result });
      const found = differences(method, recorded, simulated);
      assert.deepEqual(found, Object.keys(DIFFERENCES[method] ?? {}));
    });
});
