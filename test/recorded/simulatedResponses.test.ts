import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { test } from "vitest";
import { allMethodFacts } from "../../src/catalogue/describe.ts";
import { refusedReason } from "../../src/simulator/methods/methodTable.ts";
import { addBlockTrades } from "../blockTradeSpecs.ts";
import { createSituation, type Conversation, type Situation } from "../core/simulator/conversation.ts";
import { isRecordLike } from "../core/simulator/market/shapeNames.ts";
import { DATA, dataFiles, describeRecorded, fileText } from "./data.ts";

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
      ...{ ...common, price: price(near), linked_order_type: "one_triggers_one_cancels_other" },
      ...{ trigger_fill_condition: "first_hit", otoco_config: [secondary, { ...secondary, price: price(far * far) }] },
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
    const placed = (await placeOrders(world, "buy")) as { order: { order_id: string; order_state: string } }[];
    const open = placed.filter(({ order }) => order.order_state !== "filled");
    return await call(method, ...open.map(({ order: { order_id } }) => ({ order_id })))(world);
  };

const HEDGE = { instrument_name: PERPETUAL, direction: "sell", amount: 1000, price: 90_000 };

/** Quotes for the first open Block RFQ. */
const quote = async ({ result }: World): Promise<Params> => {
  const read = "private/get_block_rfqs";
  const { block_rfqs: rfqs } = await result<{ block_rfqs: { block_rfq_id: number }[] }>(read, { state: "open" });
  const block_rfq_id = rfqs[0]?.block_rfq_id;
  const terms = { block_rfq_id, amount: 5, direction: "buy", price: 0.02, legs: [], label: "recorded", hedge: HEDGE };
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
    const changes = { block_rfq_quote_id, amount: 7, price: 0.0205, legs: [], hedge: HEDGE };
    return [await world.result("private/edit_block_rfq_quote", changes)];
  },
  "private/enable_api_key": call("private/enable_api_key", KEY),
  "private/enable_cancel_on_disconnect": call("private/enable_cancel_on_disconnect"),
  "private/get_access_log": async (world) => {
    await call("private/create_api_key", { max_scope: "trade:read" })(world);
    return await call("private/get_access_log")(world);
  },
  "private/get_account_summaries": call("private/get_account_summaries", { extended: true }),
  "private/get_account_summary": call("private/get_account_summary", { currency: "BTC", extended: true }),
  "private/get_block_rfq_quotes": call("private/get_block_rfq_quotes"),
  "private/get_block_rfqs": call("private/get_block_rfqs"),
  "private/get_block_trade": async (world) => {
    addBlockTrades(world.situation.exchange.control);
    const trades = await world.result<{ id: string }[]>("private/get_block_trades", { count: 20 });
    return await call("private/get_block_trade", ...trades.map(({ id }) => ({ id })))(world);
  },
  "private/get_block_trades": async (world) => {
    addBlockTrades(world.situation.exchange.control);
    return await call("private/get_block_trades", { count: 100 })(world);
  },
  "private/get_cancel_on_disconnect": call("private/get_cancel_on_disconnect"),
  "private/get_mmp_config": call("private/get_mmp_config"),
  "private/get_mmp_status": async ({ situation, result }) => {
    situation.exchange.control.freezeMmp({ index_name: "eth_usd", mmp_group: "g2" });
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
    await world.result("private/buy", { instrument_name: OPTION, amount: 1, type: "market" });
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
    { instrument_name: OPTION },
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

const AT_THE_MARKET = "The price of an order at the market is the word market_price, as recorded for private/sell.";
const LIST = "The example is one object; the documented result, which clients have received, is a list of them.";
const OLD_ORDERS = "The newest recorded orders are without it.";
const EXAMPLE_ALONE = "The example has it; the documented result does not.";
const NEWER = "Recorded by others in 2026, after the responses that are kept here.";
const LIMITS = "One budget holds for all requests to the matching engine, and mass quotes are refused.";
const LOCKS = "No account is ever locked.";

/** Where the simulator differs: the difference, for all methods or those named, and its reason. */
const DIFFERENCES: readonly (readonly [difference: RegExp, reason: string, method?: string])[] = [
  [/^(string .*\.price, not number|number \.order\.price, not string)$/, AT_THE_MARKET],
  [/^list , not object$/, LIST],
  [/^lacks (\[\])?(\.result\[\])?\.(max_show|is_rebalance)$/, OLD_ORDERS],
  [/^lacks \[\]\.(records_total|result)$/, EXAMPLE_ALONE, "private/get_access_log"],
  [/^(string \[\]\.data, not list|lacks \[\]\.data\[\])$/, EXAMPLE_ALONE, "private/get_access_log"],
  [/^lacks .*\.matching_engine\.(spot|quotes|max_quotes|guaranteed_quotes|cancel_all)$/, LIMITS],
  [
    /^lacks .*\.fees\.\*\.(option|perpetual|future)\.block_trade$/,
    "Block trades are kept and told, but not booked: nothing charges their fees.",
  ],
  [/^lacks \[\]\.message$/, LOCKS, "private/get_user_locks"],
  [/^lacks \.locked_currencies$/, EXAMPLE_ALONE, "public/status"],
  [/^string \.locked, not boolean$/, "The example has a boolean; the documented result is a text.", "public/status"],
  [/^lacks \[\]\.withdrawal_priorities\[\]$/, "Nothing can be withdrawn.", "public/get_currencies"],
  [/^lacks \.tick_size_steps\[\]$/, "Instruments have one tick size for all prices.", "public/get_instrument"],
  [/^adds \.(mandatory_tfa|change_margin_model_api_limit)$/, NEWER],
  [/^adds .*\.matching_engine\.(block_rfq_maker|maximum_quotes|maximum_mass_quotes|guaranteed_mass_quotes)$/, NEWER],
  [/^adds \[\]\.(disabled_trading_products|trading_products_details|referrals_count)$/, NEWER],
  [/^adds .*\.locked_balance$/, NEWER],
];

/** The members whose members have names of their own: currencies, instruments, and the like. */
const IS_MAP = /_map$|^portfolio$|^fees$/;

/** Adds the types of everything in a value, by where it stands: `trades.price` → `number`. */
function collect(value: unknown, place: string, types: Map<string, Set<string>>): void {
  if (value === null || value === undefined) return;
  types.set(place, (types.get(place) ?? new Set()).add(Array.isArray(value) ? "list" : typeof value));
  for (const [part, member] of partsOf(value)) collect(member, `${place}${part}`, types);
}

/** Returns the elements of a list and the members of an object, with what their place is called. */
function partsOf(value: unknown): (readonly [part: string, value: unknown])[] {
  if (Array.isArray(value)) return value.map((each) => ["[]", each]);
  if (!isRecordLike(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    IS_MAP.test(name) && isRecordLike(member)
      ? Object.values(member).map((each) => [`.${name}.*`, each] as const)
      : [[`.${name}`, member] as const],
  );
}

function typesOf(results: readonly unknown[]): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>();
  for (const result of results) collect(result, "", types);
  return types;
}

/** The members of orders, trades, and the like, wherever they stand in a result. */
const SHAPES = (): Readonly<Record<string, { readonly fields?: object }>> =>
  JSON.parse(fileText("shapes.json")) as never;

/** Returns the names of the members that a method's result is documented to have, those of members' members too. */
function documentedNames(method: string): ReadonlySet<string> {
  const results = JSON.parse(fs.readFileSync(path.join(DATA, "../api/results.json"), "utf8")) as Params;
  const names = new Set<string>();
  const visit = (shape: unknown): void => {
    if (!isRecordLike(shape)) return;
    const { fields } = shape;
    if (isRecordLike(fields)) for (const name of Object.keys(fields)) names.add(name);
    for (const each of [...Object.values(shape), ...(isRecordLike(fields) ? Object.values(fields) : [])]) visit(each);
  };
  visit(results[method]);
  for (const { fields } of Object.values(SHAPES())) for (const name of Object.keys(fields ?? {})) names.add(name);
  return names;
}

/**
 * Returns how the simulator's results differ from the exchange's: what they lack, what has a type of its own, and what
 * is neither recorded nor documented. Of a member that is lacking or added, nothing is said about its own members.
 */
function differences(method: string, recorded: readonly unknown[], simulated: readonly unknown[]): string[] {
  const isList = Array.isArray(simulated[0]);
  const isOneOfList = isList && isRecordLike(recorded[0]);
  const [theirs, ours] = [typesOf(isOneOfList ? recorded.map((each) => [each]) : recorded), typesOf(simulated)];
  const documented = documentedNames(method);
  const isNew = (place: string, among: ReadonlyMap<string, unknown>): boolean =>
    !among.has(place) && (place === "[]" || among.has(place.replace(/(\[\]|\.[^.[]+)$/, "")));
  const isKnown = (place: string): boolean => /(\*|\[\])$/.test(place) || documented.has(place.split(".").at(-1) ?? "");
  return [
    ...(isOneOfList ? ["list , not object"] : []),
    ...[...theirs.keys()].filter((place) => isNew(place, ours)).map((place) => `lacks ${place}`),
    ...[...theirs].flatMap(([place, types]) =>
      [...(ours.get(place) ?? [])]
        .filter((type) => !types.has(type))
        .map((type) => `${type} ${place}, not ${[...types].join(" or ")}`),
    ),
    ...[...ours.keys()].filter((place) => isNew(place, theirs) && !isKnown(place)).map((place) => `adds ${place}`),
  ];
}

/** `private_cancel.response.recorded-ws-2026-01.json` is about `private/cancel`. */
function methodOf(file: string): string {
  return (file.split(".")[0] ?? "").replace("_", "/");
}

const METHODS: ReadonlySet<string> = new Set(allMethodFacts().map(({ name }) => name));

describeRecorded("the simulator's own responses beside those of the exchange", () => {
  const files = dataFiles().filter((file) => file.includes(".response.") && METHODS.has(methodOf(file)));
  const methods = [...new Set(files.map(methodOf))].filter((name) => refusedReason(name) === undefined);
  const used = new Set<RegExp>();
  const hasReason = (method: string, difference: string): boolean => {
    const entry = DIFFERENCES.find(([text, , only = method]) => only === method && text.test(difference));
    if (entry !== undefined) used.add(entry[0]);
    return entry !== undefined;
  };
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
      const simulated = await calls({
        situation,
        client,
        result: async (name, params) => await client.result(name, params),
      });
      const found = differences(method, recorded, simulated).filter((each) => !hasReason(method, each));
      assert.deepEqual(found, []);
      situation.exchange.dispose();
    });

  test("every listed difference is there", () => {
    const gone = DIFFERENCES.filter(([text]) => !used.has(text)).map(([text]) => text.source);
    assert.deepEqual(gone, []);
  });
});
