import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { askedFields } from "../../../../src/actions/changes/changes.ts";
import { areAs, differenceText, fieldsText, presentFields } from "../../../../src/actions/intent/fields.ts";
import { outcomeOf } from "../../../../src/actions/judge/responseOutcome.ts";
import { aResponse } from "../fakeSession.ts";

const KEY = {
  id: 4,
  client_id: "abc",
  name: "bot",
  enabled: true,
  max_scope: "trade:read wallet:none account:read",
  enabled_features: ["b", "a"],
  ip_whitelist: [],
  timestamp: 1,
};
const LIMITS = { index_name: "btc_usd", interval: 5, frozen_time: 0, quantity_limit: 3, mmp_group: "g" };

describe("what a change asks for", () => {
  const cases: readonly [string, object, object | undefined][] = [
    [
      "private/edit_api_key",
      { id: 4, max_scope: ["trade:read", "account:none"], enabled: false, enabled_features: ["b", "a"] },
      { max_scope: "trade:read", enabled: "false", enabled_features: "a b" },
    ],
    ["private/edit_api_key", { id: 4, name: "x" }, { max_scope: "", name: "x" }],
    [
      "private/change_scope_in_api_key",
      { id: 4, max_scope: "wallet:read trade:read wallet:read" },
      { max_scope: "trade:read wallet:read" },
    ],
    ["private/enable_api_key", { id: 4 }, { enabled: "true" }],
    ["private/disable_api_key", { id: 4 }, { enabled: "false" }],
    [
      "private/set_mmp_config",
      { index_name: "btc_usd", interval: 5, frozen_time: 0, max_quote_quantity: 2, delta_limit: 0.5 },
      {
        interval: "5",
        frozen_time: "0",
        max_quote_quantity: "2",
        quantity_limit: "",
        delta_limit: "0.5",
        vega_limit: "",
        trade_count_limit: "",
      },
    ],
    ["private/set_mmp_config", { index_name: "btc_usd", interval: 0, frozen_time: 5 }, { interval: "0" }],
    ["private/cancel", { order_id: "1" }, undefined],
  ];
  for (const [method, params, expected] of cases)
    test(`${method} ${JSON.stringify(params)}`, () =>
      assert.deepEqual(askedFields(method, params as Readonly<Record<string, unknown>>), expected));

  test("a scope is the same in any order, with what it does not name", () => {
    const asked = askedFields("private/change_scope_in_api_key", { max_scope: "account:read trade:read" }) ?? {};
    assert.ok(areAs(asked, presentFields(KEY, asked)));
    assert.equal(differenceText(asked, presentFields(KEY, asked)), "");
  });

  test("differences name both values, and nothing that the object does not carry", () => {
    const asked =
      askedFields("private/edit_api_key", {
        id: 4,
        max_scope: "trade:read_write",
        name: "bot",
        ip_whitelist: ["1.2.3.4"],
      }) ?? {};
    assert.equal(
      differenceText(asked, presentFields(KEY, asked)),
      "max_scope is account:read trade:read (requested: trade:read_write), ip_whitelist is none (requested: 1.2.3.4)",
    );
    assert.equal(differenceText(asked, presentFields({ max_scope: "trade:read_write" }, asked)), "");
    assert.equal(
      fieldsText(presentFields(KEY, asked)),
      "max_scope account:read trade:read, name bot, ip_whitelist none",
    );
  });

  test("without a field to compare nothing is as asked", () => assert.equal(areAs({ enabled: "true" }, {}), false));
});

const QUOTE_TERMS = { block_rfq_id: 3, direction: "buy", amount: 100, label: "a" };
const QUOTE = { ...QUOTE_TERMS, block_rfq_quote_id: 8, quote_state: "open" };

describe("what became of a change, by its response", () => {
  const outcome = (method: string, params: object, result: unknown): unknown => {
    const { kind, ...rest } = outcomeOf(method, "key", aResponse(method, 1, { result }), {
      orderId: undefined,
      params: params as Readonly<Record<string, unknown>>,
    });
    return "state" in rest ? [kind, rest.state] : "failure" in rest ? [kind, rest.failure.kind] : [kind];
  };
  const cases: readonly [string, string, object, unknown, readonly string[]][] = [
    [
      "as asked",
      "private/change_scope_in_api_key",
      { id: 4, max_scope: "account:read trade:read" },
      KEY,
      ["confirmed"],
    ],
    [
      "another scope",
      "private/change_scope_in_api_key",
      { id: 4, max_scope: "trade:read" },
      KEY,
      ["confirmedOther", "max_scope is account:read trade:read (requested: trade:read)"],
    ],
    [
      "another key",
      "private/change_scope_in_api_key",
      { id: 5, max_scope: "account:read trade:read" },
      KEY,
      ["unknown", "unreadableResult"],
    ],
    [
      "still enabled",
      "private/disable_api_key",
      { id: 4 },
      KEY,
      ["confirmedOther", "enabled is true (requested: false)"],
    ],
    ["an empty object", "private/disable_api_key", { id: 4 }, {}, ["unknown", "unreadableResult"]],
    [
      "limits as a list",
      "private/set_mmp_config",
      { index_name: "btc_usd", mmp_group: "g", interval: 5, quantity_limit: 3 },
      [LIMITS],
      ["confirmed"],
    ],
    [
      "limits as one object",
      "private/set_mmp_config",
      { index_name: "btc_usd", mmp_group: "g", interval: 5, quantity_limit: 3 },
      LIMITS,
      ["confirmed"],
    ],
    [
      "other limits",
      "private/set_mmp_config",
      { index_name: "btc_usd", mmp_group: "g", interval: 6, quantity_limit: 3 },
      LIMITS,
      ["confirmedOther", "interval is 5 (requested: 6)"],
    ],
    [
      "a limit that was left out and is still there",
      "private/set_mmp_config",
      { index_name: "btc_usd", mmp_group: "g", interval: 5 },
      LIMITS,
      ["confirmedOther", "quantity_limit is 3 (requested: none)"],
    ],
    [
      "limits of another group",
      "private/set_mmp_config",
      { index_name: "btc_usd", interval: 5 },
      LIMITS,
      ["unknown", "unreadableResult"],
    ],
    [
      "limits of another index",
      "private/set_mmp_config",
      { index_name: "eth_usd", mmp_group: "g", interval: 5, quantity_limit: 3 },
      LIMITS,
      ["unknown", "unreadableResult"],
    ],
    ["removed limits", "private/set_mmp_config", { index_name: "btc_usd", interval: 0 }, [], ["confirmed"]],
    [
      "limits that are still there",
      "private/set_mmp_config",
      { index_name: "btc_usd", mmp_group: "g", interval: 0 },
      [LIMITS],
      ["confirmedOther", "interval is 5 (requested: 0)"],
    ],
    ["a quote, as asked", "private/add_block_rfq_quote", QUOTE_TERMS, QUOTE, ["confirmed"]],
    [
      "a quote that was filled at once",
      "private/add_block_rfq_quote",
      QUOTE_TERMS,
      { ...QUOTE, quote_state: "filled" },
      ["confirmed"],
    ],
    [
      "a quote that is over, and is another one",
      "private/add_block_rfq_quote",
      { ...QUOTE_TERMS, label: "b" },
      { ...QUOTE, quote_state: "cancelled" },
      ["confirmedOther", "label is a (requested: b), quote_state is cancelled"],
    ],
    [
      "a quote of another RFQ",
      "private/add_block_rfq_quote",
      QUOTE_TERMS,
      { ...QUOTE, block_rfq_id: 7 },
      ["unknown", "unreadableResult"],
    ],
    [
      "a quote without an ID",
      "private/add_block_rfq_quote",
      QUOTE_TERMS,
      { ...QUOTE, block_rfq_quote_id: undefined },
      ["unknown", "unreadableResult"],
    ],
    [
      "a key whose result has a state of its own",
      "private/disable_api_key",
      { id: 4 },
      { ...KEY, enabled: false, quote_state: "cancelled" },
      ["confirmed"],
    ],
  ];
  for (const [name, method, params, result, expected] of cases)
    test(name, () => assert.deepEqual(outcome(method, params, result), expected));
});
