import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import { CONTRACT_FIELDS, CONTRACT_PARAMS, CONTRACT_VALUES } from "../../contract.ts";
import { createSituation, type Conversation } from "./conversation.ts";

type Thing = Readonly<Record<string, unknown>>;

/** Everything that the first world responses, by the shape that the core specification gives it. */
async function collect(): Promise<Record<keyof typeof CONTRACT_FIELDS, Thing[]>> {
  const situation = createSituation({ account: undefined });
  addBlockTrades(situation.exchange.control, 20);
  const client = situation.connect();
  const token = await client.signIn();
  const read = async (method: string, params?: Record<string, unknown>): Promise<Thing[]> =>
    await client.result<Thing[]>(method, params);
  const blockTrade = await read("private/get_block_trades", { count: 101 });
  const outer = blockTrade.flatMap((each) => each["trades"] as Thing[]);
  const trade = [...outer, ...outer.flatMap((each) => (each["legs"] ?? []) as Thing[])];
  const allocation = trade.flatMap((each) => (each["allocations"] ?? each["trade_allocations"] ?? []) as Thing[]);
  const publicTrade: Thing[] = [];
  for (const instrument_name of [
    "BTC-PERPETUAL",
    "BTC-26MAR27-96000-C",
    "BTC-26MAR27-90000-P",
    "BTC_USDC",
    "BTC-FS-26MAR27_PERP",
  ]) {
    publicTrade.push(
      ...(
        await client.result<{ trades: Thing[] }>("public/get_last_trades_by_instrument", {
          instrument_name,
          count: 1000,
        })
      ).trades,
    );
  }
  const exchanged = await client.result<Thing>("public/exchange_token", {
    refresh_token: token.refresh_token,
    subject_id: 48_602,
    scope: "session:other",
  });
  return {
    trade,
    allocation,
    client_info: allocation.flatMap((each) =>
      each["client_info"] === undefined ? [] : [each["client_info"] as Thing],
    ),
    blockTrade,
    publicTrade,
    order: await read("private/get_open_orders"),
    apiKey: await read("private/list_api_keys"),
    token: [exchanged],
    mmpConfig: [
      ...(await read("private/get_mmp_config")),
      ...(await read("private/get_mmp_config", { block_rfq: true })),
    ],
  };
}

/**
 * What this world does not have, by shape, or by shape and member: an earlier name of `display_amount`, and the states
 * of trades of earlier years.
 */
const NOT_SIMULATED: Readonly<Record<string, readonly unknown[]>> = {
  order: ["max_show"],
  "trade.state": ["cancelled", "archive"],
};

const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === "number",
  flag: (value) => typeof value === "boolean",
  list: Array.isArray,
  object: (value) => typeof value === "object" && value !== null,
  null: (value) => value === null,
};

describe("the first world, with block trades, has every attribute of the core specification", () => {
  const world = collect();
  for (const [shape, fields] of Object.entries(CONTRACT_FIELDS)) {
    test(shape, async () => {
      const things = (await world)[shape as keyof typeof CONTRACT_FIELDS];
      const lacking = Object.entries(fields).filter(
        ([name, type]) => !things.some((each) => FITS[type]?.(each[name]) === true),
      );
      const found = lacking.map(([name]) => name);
      assert.deepEqual(found, NOT_SIMULATED[shape] ?? []);
    });
  }
  for (const [shape, members] of Object.entries(CONTRACT_VALUES)) {
    test(`values of ${shape}`, async () => {
      const things = (await world)[shape as keyof typeof CONTRACT_VALUES];
      for (const [name, values] of Object.entries(members)) {
        const found = new Set(things.map((each) => each[name]));
        assert.deepEqual(
          (values as readonly unknown[]).filter((value) => !found.has(value)),
          NOT_SIMULATED[`${shape}.${name}`] ?? [],
          `${shape}.${name}`,
        );
      }
    });
  }
});

describe("a server that knows only the ten methods and public/auth", () => {
  const situation = createSituation({ methods: "contract" });
  addBlockTrades(situation.exchange.control, 20);
  const client: Conversation = situation.connect();

  test("knows those", async () => {
    const token = await client.signIn();
    const params: Readonly<Record<string, Record<string, unknown>>> = {
      "private/cancel": { order_id: situation.exchange.control.openOrders()[0]?.order_id },
      "private/get_block_trade": { id: "66" },
      "private/edit_api_key": { id: 2, max_scope: "account:read" },
      "private/change_scope_in_api_key": { id: 3, max_scope: "trade:read" },
      "public/get_last_trades_by_instrument": { instrument_name: "BTC-PERPETUAL" },
      "public/exchange_token": { refresh_token: token.refresh_token, subject_id: 48_602, scope: "session:x" },
    };
    assert.equal(Object.keys(CONTRACT_PARAMS).length, 10);
    for (const method of Object.keys(CONTRACT_PARAMS)) await client.result(method, params[method] ?? {});
  });

  test("and nothing else, whoever asks", async () => {
    for (const method of [
      "public/test",
      "public/get_time",
      "public/set_heartbeat",
      "private/subscribe",
      "private/list_api_keys",
      "private/get_subaccounts",
      "private/get_block_rfq_quotes",
      "private/get_order_state",
    ]) {
      assert.deepEqual(await client.refusal(method), [-32601], method);
    }
  });

  test("until it is told otherwise", async () => {
    situation.exchange.control.setMethods("all");
    await client.result("private/list_api_keys");
    situation.exchange.control.setMethods("contract");
    assert.deepEqual(await client.refusal("private/list_api_keys"), [-32601]);
  });
});

describe("scopes", () => {
  const cases: readonly [string, Record<string, unknown>, string][] = [
    ["private/cancel_all_block_rfq_quotes", {}, "block_rfq:read_write"],
    ["private/edit_api_key", { id: 1, max_scope: "" }, "account:read_write"],
    ["private/change_scope_in_api_key", { id: 1, max_scope: "" }, "account:read_write"],
    ["private/get_block_trades", {}, "block_trade:read"],
    ["private/get_block_trade", { id: "66" }, "block_trade:read"],
    ["private/get_mmp_config", {}, "trade:read"],
    ["private/get_mmp_config", { block_rfq: true }, "block_rfq:read"],
    ["private/get_open_orders", {}, "trade:read"],
    ["private/cancel", { order_id: "1" }, "trade:read_write"],
    ["private/get_subaccounts", {}, "account:read"],
  ];
  for (const [method, params, scope] of cases) {
    test(`${method} ${JSON.stringify(params)} wants ${scope}`, async () => {
      const client = createSituation().connect();
      await client.signIn("wallet:read");
      assert.deepEqual(await client.refusal(method, params), [13021, undefined, `missing scope ${scope}`]);
    });
  }

  test("asking for more than the key allows gives what it allows, without a word", async () => {
    const client = createSituation({ maxScope: "block_rfq:read trade:read" }).connect();
    const { scope } = await client.signIn("block_rfq:read_write trade:read_write account:read");
    assert.equal(scope, "block_rfq:read connection mainaccount name:simulator trade:read");
    assert.deepEqual(await client.refusal("private/cancel_all_block_rfq_quotes"), [
      13021,
      undefined,
      "missing scope block_rfq:read_write",
    ]);
  });
});
