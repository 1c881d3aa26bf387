import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { effectOf, isResult, methodFacts, neededScopes, resultProblems } from "../../../src/catalogue/index.ts";
import { checkParams } from "../../../src/catalogue/params.ts";
import { requestFileSchema } from "../../../src/catalogue/describe.ts";
import { CONTRACT_FIELDS, CONTRACT_PARAMS } from "../../contract.ts";

type Node = Readonly<Record<string, unknown>>;

/** What an editor is told of the parameters of a method. */
const editors = requestFileSchema() as {
  readonly definitions: {
    readonly request: { readonly allOf: readonly { if: Node; then: Node }[]; readonly properties: Node };
  };
};

function paramsOf(method: string): {
  readonly properties: Readonly<Record<string, Node>>;
  readonly required: readonly string[];
} {
  const rule = editors.definitions.request.allOf.find((each) => {
    const { method: named } = each.if["properties"] as { readonly method: { readonly pattern: string } };
    return new RegExp(named.pattern).test(method);
  });
  const { properties = {}, required = [] } =
    (rule?.then["properties"] as { params?: { properties?: Record<string, Node>; required?: string[] } } | undefined)
      ?.params ?? {};
  return { properties, required };
}

/** A value of a type, and one that is not. */
const EXAMPLES: Readonly<Record<string, readonly [right: unknown, wrong: unknown, word: string]>> = {
  text: ["abc", 5, "a string"],
  integer: [7, "seven", "a whole number"],
  flag: [true, "yes", "true or false"],
  list: [[], "abc", "an array"],
  "text or list": ["account:read", 5, "a string"],
};

/** The least that a method wants. */
function least(method: string): Record<string, unknown> {
  const wanted = Object.entries(CONTRACT_PARAMS[method] ?? {}).filter(([, param]) => param.isRequired === true);
  return Object.fromEntries(wanted.map(([name, { type }]) => [name, EXAMPLES[type]?.[0]]));
}

function sentences(method: string, params: unknown): string[] {
  return checkParams(method, params).map(
    (problem) => `${problem.severity} ${problem.path.join(".")}: ${problem.message}`,
  );
}

describe("every parameter of the core specification", () => {
  for (const [method, params] of Object.entries(CONTRACT_PARAMS)) {
    test(`${method} has what it names`, () => {
      assert.equal(methodFacts(method)?.isContract, true);
      assert.deepEqual(sentences(method, least(method)), []);
      for (const [name, { isRequired }] of Object.entries(params)) {
        assert.match(
          String(paramsOf(method).properties[name]?.["description"]),
          /\.$/,
          `${method} ${name} is described to editors`,
        );
        assert.equal(paramsOf(method).required.includes(name), isRequired === true, `${method} ${name}`);
      }
    });
    for (const [name, { type, isRequired, values }] of Object.entries(params)) {
      const [right, wrong, word] = EXAMPLES[type] ?? [];
      const company = {
        ...least(method),
        ...(name === "end_id" ? { start_id: "BLOCK-1" } : {}),
        ...(name === "mmp_group" ? { index_name: "btc_usd" } : {}),
      };
      test(`${method} ${name} is ${String(word)}`, () => {
        if (values === undefined) assert.deepEqual(sentences(method, { ...company, [name]: right }), []);
        assert.match(
          sentences(method, { ...company, [name]: wrong }).join("\n"),
          new RegExp(`^error ${name}: expected (${String(word)}|one of .*), got ${JSON.stringify(wrong)}$`),
        );
      });
      if (isRequired === true) {
        test(`${method} ${name} is needed`, () => {
          assert.match(
            sentences(method, { ...company, [name]: undefined }).join("\n"),
            new RegExp(`^error : ${name} is missing`),
          );
        });
      }
      if (values !== undefined) {
        test(`${method} ${name} takes ${String(values.length)} documented values`, () => {
          const asList = (value: string): unknown => (type === "list" ? [value] : value);
          for (const value of values)
            assert.deepEqual(sentences(method, { ...company, [name]: asList(value) }), [], value);
          assert.match(
            sentences(method, { ...company, [name]: asList("none_such") }).join("\n"),
            /expected one of|not one of the documented values/,
          );
        });
      }
    }
  }

  test("they are the only ten", () => {
    assert.equal(Object.keys(CONTRACT_PARAMS).length, 10);
  });
});

describe("each rule, broken", () => {
  const block = "private/get_block_trades";
  const trades = "public/get_last_trades_by_instrument";
  const key = { id: 3, max_scope: "account:read" };
  const cases: readonly [string, Record<string, unknown>, string[]][] = [
    // §8
    [trades, { instrument_name: "BTC-PERPETUAL", count: 1 }, []],
    [trades, { instrument_name: "BTC-PERPETUAL", count: 1000 }, []],
    [trades, { instrument_name: "BTC-PERPETUAL", count: 0 }, ["error count: must be from 1 to 1000, got 0"]],
    [trades, { instrument_name: "BTC-PERPETUAL", count: 1001 }, ["error count: must be from 1 to 1000, got 1001"]],
    [block, { count: 101 }, []],
    [block, { count: 0 }, ["error count: must be from 1 to 101, got 0"]],
    [block, { count: 102 }, ["error count: must be from 1 to 101, got 102"]],
    ["private/edit_api_key", { ...key, name: "abcdefghij_12345" }, []],
    ["private/edit_api_key", { ...key, name: "abcdefghij_123456" }, ["error name: allows at most 16, has 17"]],
    [
      "private/edit_api_key",
      { ...key, name: "my key" },
      ['error name: must contain only letters, digits, and underscores, got "my key"'],
    ],
    [
      "private/edit_api_key",
      { ...key, name: "schlüssel" },
      ['error name: must contain only letters, digits, and underscores, got "schlüssel"'],
    ],
    // §4
    ["private/edit_api_key", { id: 3 }, ["error : max_scope is missing (if omitted, it is set to none)"]],
    ["private/change_scope_in_api_key", { id: 3 }, ["error : max_scope is missing (if omitted, it is set to none)"]],
    ["private/change_scope_in_api_key", { id: 3, max_scope: ["account:read", "trade:read"] }, []],
    ["private/change_scope_in_api_key", { id: 3, max_scope: [1] }, ["error max_scope.0: expected a string, got 1"]],
    ["private/change_scope_in_api_key", { id: 3.5, max_scope: "" }, ["error id: expected a whole number, got 3.5"]],
    ["private/edit_api_key", { ...key, ip_whitelist: [5] }, ["error ip_whitelist.0: expected a string, got 5"]],
    [
      "private/edit_api_key",
      { ...key, enabled_features: ["fast"] },
      [
        'warning enabled_features.0: "fast" is not one of the documented values: restricted_block_trades, block_trade_approval',
      ],
    ],
    [
      trades,
      { instrument_name: "", sorting: "up" },
      ["error instrument_name: must not be empty", 'error sorting: expected one of asc, desc, default, got "up"'],
    ],
    [
      block,
      { currency: "SOL" },
      ['warning currency: "SOL" is not one of the documented values: BTC, ETH, USDC, USDT, EURR'],
    ],
    [block, { end_id: "BLOCK-1" }, ["error end_id: end_id needs start_id"]],
    [block, { start_id: "BLOCK-2", end_id: "BLOCK-1" }, []],
    [block, { broker_code: "any" }, []],
    ["private/get_block_trade", { id: "" }, ["error id: must not be empty"]],
    ["private/get_mmp_config", { mmp_group: "g1" }, ["error mmp_group: mmp_group needs index_name"]],
    ["private/get_mmp_config", { mmp_group: "", index_name: "btc_usd" }, []],
    [
      "private/get_mmp_config",
      { index_name: "btc_usd", mmp_group: "x".repeat(65) },
      ["error mmp_group: allows at most 64, has 65"],
    ],
    [
      "private/get_open_orders",
      { type: "stop" },
      [
        'error type: expected one of all, limit, trigger_all, stop_all, stop_limit, stop_market, take_all, take_limit, take_market, trailing_all, trailing_stop, got "stop"',
      ],
    ],
    [
      "private/cancel_all_block_rfq_quotes",
      { block_rfq_id: 2 ** 53 },
      ["error block_rfq_id: 9007199254740992 is too large for an exact integer"],
    ],
    ["private/cancel_all_block_rfq_quotes", { label: "x" }, ["warning label: label is not a parameter of this method"]],
    [
      "public/exchange_token",
      { refresh_token: "x", subject_id: null },
      ["error subject_id: expected a whole number, got null"],
    ],
    // Beyond the core specification.
    ["private/cancel_block_rfq_quote", {}, ["error : one of block_rfq_quote_id, label is required"]],
    ["private/cancel_block_rfq_quote", { label: "x" }, ["error label: label needs block_rfq_id"]],
    [
      "private/set_mmp_config",
      { index_name: "btc_usd", interval: 3601, frozen_time: -1, max_quote_quantity: 1 },
      ["error interval: must be from 0 to 3600, got 3601", "error frozen_time: must be from 0 to 3600, got -1"],
    ],
  ];
  for (const [method, params, expected] of cases) {
    test(`${method} ${JSON.stringify(params).slice(0, 80)}`, () => {
      assert.deepEqual(sentences(method, params), expected);
    });
  }
});

describe("scopes and effects", () => {
  const cases: readonly [string, Record<string, unknown>, readonly string[], string][] = [
    ["private/cancel_all_block_rfq_quotes", {}, ["block_rfq:read_write"], "mass"],
    ["public/exchange_token", {}, [], "session"],
    ["private/edit_api_key", {}, ["account:read_write"], "key"],
    ["private/change_scope_in_api_key", {}, ["account:read_write"], "key"],
    ["public/get_last_trades_by_instrument", {}, [], "read"],
    ["private/get_block_trades", {}, ["block_trade:read"], "read"],
    ["private/get_block_trade", {}, ["block_trade:read"], "read"],
    ["private/get_mmp_config", {}, ["trade:read"], "read"],
    ["private/get_mmp_config", { block_rfq: false }, ["trade:read"], "read"],
    ["private/get_mmp_config", { block_rfq: true }, ["block_rfq:read"], "read"],
    ["private/reset_mmp", { block_rfq: true }, ["block_rfq:read_write"], "write"],
    ["private/get_open_orders", {}, ["trade:read"], "read"],
    ["private/cancel", {}, ["trade:read_write"], "reduce"],
    ["private/cancel_block_rfq_quote", {}, ["block_rfq:read_write"], "reduce"],
    ["private/not_known", {}, [], "write"],
  ];
  for (const [method, params, scopes, effect] of cases) {
    test(`${method} ${JSON.stringify(params)}`, () => {
      assert.deepEqual([neededScopes(method, params), effectOf(method)], [scopes, effect]);
    });
  }
});

/** An object with a member of each name, right by its type. */
const RIGHT: Readonly<Record<string, unknown>> = {
  text: "x",
  integer: 1,
  number: 1.5,
  flag: true,
  list: [],
  object: {},
  null: null,
};
const WRONG: Readonly<Record<string, unknown>> = {
  text: {},
  integer: {},
  number: {},
  flag: {},
  list: {},
  object: [],
  null: {},
};

describe("every member of a result has its type, and unknown members are accepted", () => {
  type Shape = keyof typeof CONTRACT_FIELDS;
  const full = (shape: Shape): Record<string, unknown> =>
    Object.fromEntries(Object.entries(CONTRACT_FIELDS[shape]).map(([name, type]) => [name, RIGHT[type]]));
  const within: readonly [Shape, string, (value: unknown) => unknown][] = [
    ["trade", "private/get_block_trade", (trade) => ({ ...full("blockTrade"), trades: [trade] })],
    [
      "trade",
      "private/get_block_trade",
      (leg) => ({ ...full("blockTrade"), trades: [{ ...full("trade"), legs: [leg] }] }),
    ],
    [
      "allocation",
      "private/get_block_trades",
      (each) => [{ ...full("blockTrade"), trades: [{ ...full("trade"), allocations: [each] }] }],
    ],
    [
      "allocation",
      "private/get_block_trades",
      (each) => [{ ...full("blockTrade"), trades: [{ ...full("trade"), trade_allocations: [each] }] }],
    ],
    [
      "client_info",
      "private/get_block_trade",
      (info) => ({
        ...full("blockTrade"),
        trades: [{ ...full("trade"), allocations: [{ amount: 1, fee: 0, client_info: info }] }],
      }),
    ],
    ["blockTrade", "private/get_block_trade", (trade) => trade],
    ["publicTrade", "public/get_last_trades_by_instrument", (trade) => ({ trades: [trade], has_more: true })],
    ["order", "private/cancel", (order) => order],
    ["order", "private/get_open_orders", (order) => [order]],
    ["apiKey", "private/edit_api_key", (key) => key],
    ["apiKey", "private/change_scope_in_api_key", (key) => key],
    ["apiKey", "private/list_api_keys", (key) => [key]],
    ["token", "public/exchange_token", (token) => token],
    ["mmpConfig", "private/get_mmp_config", (config) => [config]],
  ];
  for (const [shape, method, wrap] of within) {
    test(`${shape} in ${method}`, () => {
      const right = full(shape);
      assert.deepEqual(resultProblems(method, wrap(right)), []);
      assert.equal(
        isResult(
          method,
          wrap({ ...right, brand_new: { of: ["things"] }, ...("direction" in right ? { direction: "sideways" } : {}) }),
        ),
        true,
      );
      for (const [name, type] of Object.entries(CONTRACT_FIELDS[shape])) {
        // Legs have no legs of their own.
        if (name === "legs") continue;
        assert.notDeepEqual(
          resultProblems(method, wrap({ ...right, [name]: WRONG[type] })),
          [],
          `${shape}.${name} as ${JSON.stringify(WRONG[type])}`,
        );
        // Null is a member that is not there: wrong where one is needed, and right elsewhere.
        const without = Object.fromEntries(Object.entries(right).filter(([other]) => other !== name));
        assert.equal(
          isResult(method, wrap({ ...right, [name]: null })),
          isResult(method, wrap(without)),
          `${shape}.${name} as null`,
        );
        assert.equal(
          resultProblems(method, wrap({ ...right, [name]: null })).length,
          resultProblems(method, wrap(without)).length,
          `${shape}.${name} as null`,
        );
      }
    });
  }

  test("legs are trades", () => {
    assert.equal(
      resultProblems("private/get_block_trade", { ...full("blockTrade"), trades: [{ ...full("trade"), legs: {} }] })
        .length,
      1,
    );
    assert.equal(
      resultProblems("private/get_block_trade", {
        ...full("blockTrade"),
        trades: [{ ...full("trade"), legs: [{ price: 1 }] }],
      }).length,
      1,
    );
  });

  test("both spellings where the core specification and the exchange differ", () => {
    const trade = { ...full("trade"), matching_id: "1" };
    assert.equal(
      isResult("private/get_block_trade", {
        ...full("blockTrade"),
        trades: [trade, { ...trade, profit_loss: null, combo_trade_id: "7", reduce_only: "false" }],
      }),
      true,
    );
    assert.equal(
      isResult("private/edit_api_key", { ...full("apiKey"), max_scope: ["account:read", "trade:read"] }),
      true,
    );
    assert.equal(
      isResult("private/cancel", { ...full("order"), price: "market_price", order_state: "triggered" }),
      true,
    );
    assert.equal(isResult("private/cancel", { ...full("order"), order_state: "somewhere_else" }), true);
  });

  test("every response to cancelling all quotes that is known of", () => {
    const quote = { block_rfq_quote_id: 8, block_rfq_id: 3, quote_state: "cancelled", direction: "buy" };
    const right: readonly unknown[] = [
      0,
      7,
      [],
      [quote],
      [{ currency: "BTC", type: "limit", result: [full("order")] }],
      [{ result: [quote] }, { error: { code: 10041, message: "settlement_in_progress" } }],
      [full("order")],
    ];
    for (const result of right)
      assert.deepEqual(resultProblems("private/cancel_all_block_rfq_quotes", result), [], JSON.stringify(result));
    for (const result of ["ok", null, {}, [5], [{ anything: 1 }]])
      assert.equal(isResult("private/cancel_all_block_rfq_quotes", result), false, JSON.stringify(result));
  });
});

describe("secrets of the ten methods", () => {
  test("in results", () => {
    assert.deepEqual(methodFacts("private/edit_api_key")?.resultSecrets, [["client_secret"]]);
    assert.deepEqual(methodFacts("private/list_api_keys")?.resultSecrets, [["*", "client_secret"]]);
    assert.deepEqual(methodFacts("public/exchange_token")?.resultSecrets, [["access_token"], ["refresh_token"]]);
  });
  test("in parameters", () => {
    assert.deepEqual(methodFacts("public/exchange_token")?.paramSecrets, ["refresh_token"]);
    assert.deepEqual(methodFacts("private/edit_api_key")?.paramSecrets, ["authorization_data"]);
  });
});
