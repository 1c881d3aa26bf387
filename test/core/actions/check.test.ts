import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  checkedBefore,
  checkIntent,
  effectOfCall,
  targetKeyOf,
  type CheckedIntent,
  type KnownMarket,
} from "../../../src/actions/judge/check.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Failure } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import { checkAnyParams } from "../../../src/catalogue/reference/reference.ts";
import type { SessionState } from "../../../src/session/session.ts";
import { DEFAULT_IDENTITY } from "./fakeSession.ts";

const READY: SessionState = {
  status: "ready",
  generation: 1,
  isSuspect: false,
  identity: { ...DEFAULT_IDENTITY, scope: "connection" },
  sinceMs: 0,
};

function wish(method: string, params: unknown): Intent {
  return {
    method,
    paramsText: typeof params === "string" ? params : JSON.stringify(params),
    origin: "view",
    words: { action: plain`Do`, target: plain`it`, detail: [], keep: plain`Leave` },
  };
}

function check(method: string, params: unknown, state = READY, sendAnyway = false): CheckedIntent | Failure {
  return checkIntent(wish(method, params), state, { checkParams: checkAnyParams, sendAnyway });
}

function checked(method: string, params: unknown): CheckedIntent {
  const result = check(method, params);
  return "kind" in result ? assert.fail(JSON.stringify(result)) : result;
}

describe("a number in quotes", () => {
  test("is read as that number and sent as written", () => {
    const bid = { instrument_name: "BTC-PERPETUAL", quote_set_id: "1", bid: { price: "100", amount: "10" } };
    const asked = { quote_id: "7", mmp_group: "g", quotes: [bid] };
    const { intent, params, isUnsized } = checked("private/mass_quote", asked);
    assert.deepEqual(params, { ...asked, quotes: [{ ...bid, bid: { price: 100, amount: 10 } }] });
    assert.deepEqual([intent.paramsText, isUnsized], [JSON.stringify(asked), false]);
    assert.equal(checked("private/disable_api_key", { id: "4" }).targetKey, "key 4");
  });

  test("does not select what is cancelled", () => {
    for (const [method, params] of [
      ["private/cancel_all_block_rfq_quotes", { block_rfq_id: "7" }],
      ["private/cancel_quotes", { cancel_type: "delta", min_delta: "0.1", max_delta: "1" }],
    ] as const)
      assert.ok("kind" in check(method, params), method);
  });
});

describe("what a write is about", () => {
  const keys: readonly (readonly [string, object, string])[] = [
    ["private/cancel", { order_id: "O1" }, "order O1"],
    ["private/edit", { order_id: "O1", amount: 10 }, "order O1"],
    ["private/disable_api_key", { id: 4 }, "key 4"],
    ["private/change_scope_in_api_key", { id: 4, max_scope: "account:read" }, "key 4"],
    ["private/cancel_block_rfq_quote", { block_rfq_quote_id: 7 }, "quote 7"],
    [
      "private/set_mmp_config",
      { index_name: "btc_usd", interval: 0, frozen_time: 0, max_quote_quantity: 0 },
      'mmp ["btc_usd","",false]',
    ],
    ["private/reset_mmp", { index_name: "btc_usd", mmp_group: "g" }, 'mmp ["btc_usd","g",false]'],
    ["private/reset_mmp", { index_name: "btc_usd", block_rfq: true }, 'mmp ["btc_usd","",true]'],
    ["private/someday", { a: 1 }, 'private/someday {"a":1}'],
  ];
  for (const [method, params, expected] of keys) {
    test(`${method} ${JSON.stringify(params)}`, () =>
      assert.equal(checkedBefore(wish(method, params)).targetKey, expected));
  }

  test("a switch is about whoever is signed in", () => {
    assert.equal(
      checkedBefore(wish("public/exchange_token", { refresh_token: "x", subject_id: 1 })).targetKey,
      "subject",
    );
  });

  test("a cancel of one order is the same whatever else stands in it; any other write only with the same parameters", () => {
    const writeKey = (method: string, params: object): string => checkedBefore(wish(method, params)).writeKey;
    assert.equal(writeKey("private/cancel", { order_id: "O1", x: 1 }), writeKey("private/cancel", { order_id: "O1" }));
    assert.notEqual(writeKey("private/cancel", { order_id: "O2" }), writeKey("private/cancel", { order_id: "O1" }));
    assert.notEqual(
      writeKey("private/edit", { order_id: "O1", amount: 1 }),
      writeKey("private/edit", { order_id: "O1", amount: 2 }),
    );
  });

  test("a list is asked for by true alone", () => {
    const isDetailed = (detailed: unknown): boolean =>
      checkedBefore(wish("private/cancel_all", { detailed })).isDetailed;
    assert.deepEqual(
      [isDetailed(true), isDetailed(false), isDetailed("true"), isDetailed(undefined)],
      [true, false, false, false],
    );
  });
});

describe("what is added to a wish", () => {
  const MAY_TRADE: SessionState = { ...READY, identity: { ...DEFAULT_IDENTITY, scope: "trade:read_write" } };

  test("a warning for each of the first three parameters that are not known", () => {
    const result = check("private/buy", { instrument_name: "A", amount: 1, a: 1, b: 2, c: 3, d: 4 }, MAY_TRADE);
    assert.ok(!("kind" in result), JSON.stringify(result));
    assert.deepEqual(
      result.warnings,
      ["a", "b", "c"].map(
        (name) => `${name} is not a documented parameter of this method. It narrows nothing and is sent as written.`,
      ),
    );
    assert.deepEqual(checked("private/cancel", { order_id: "1" }).warnings, []);
    const quotes = check(
      "private/mass_quote",
      { quote_id: "q", mmp_group: "g", quotes: [{ bid: { scale: 1 } }] },
      MAY_TRADE,
    );
    assert.match(
      "kind" in quotes ? JSON.stringify(quotes) : quotes.warnings.join("\n"),
      /^quotes\.0\.bid\.scale is not a documented parameter/,
    );
    const wrong = check("private/get_open_orders", { kind: 5 }, { ...READY, identity: DEFAULT_IDENTITY }, true);
    assert.deepEqual(!("kind" in wrong) && wrong.warnings, [], "a broken rule of a read is no unknown name");
  });

  test("that nothing tells how large it is: of what is not known and does more than cancel", () => {
    const key: SessionState = { ...READY, identity: { ...DEFAULT_IDENTITY, scope: "account:read_write" } };
    const wallet: SessionState = { ...READY, identity: { ...DEFAULT_IDENTITY, scope: "wallet:read_write" } };
    const isUnsized = (method: string, params: object, state = MAY_TRADE): boolean => {
      const result = check(method, params, state);
      return "kind" in result ? assert.fail(JSON.stringify(result)) : result.isUnsized;
    };
    assert.deepEqual(
      [
        isUnsized("private/buy", { instrument_name: "A", amount: 1 }),
        isUnsized("private/buy", { instrument_name: "A", amount: 1, colour: "red" }),
        isUnsized("private/invented", {}),
        isUnsized("private/cancel", { order_id: "1", colour: "red" }),
        isUnsized("private/cancel_all", { colour: "red" }),
        isUnsized("private/enable_api_key", { id: 1, colour: "red" }, key),
        isUnsized("private/mass_quote", { quote_id: "q", mmp_group: "g", quotes: [], colour: "red" }),
        isUnsized("private/withdraw", { currency: "BTC", address: "a", amount: 1, colour: "red" }, wallet),
      ],
      [false, true, true, false, false, false, true, true],
    );
    assert.equal(checkedBefore(wish("private/invented", {})).isUnsized, false);
    assert.deepEqual(checkedBefore(wish("private/invented", {})).warnings, []);
  });

  const ORDER = { instrument_name: "SOL_USDC", direction: "buy", amount: 5, price: 140 };
  const market: KnownMarket = {
    orderOf: (id) => (id === "O1" ? ORDER : undefined),
    isRouted: (instrument) => instrument === "SOL_USDC",
    readIsRouted: async () => await Promise.resolve(false),
  };
  const withMarket = (method: string, params: object, more: Partial<Intent> = {}, known = market): unknown => {
    const options = { checkParams: () => [], sendAnyway: false, market: known };
    const result = checkIntent({ ...wish(method, params), ...more }, MAY_TRADE, options);
    if ("kind" in result) return assert.fail(JSON.stringify(result));
    const { before, isRouted } = result.intent;
    return { ...(before === undefined ? {} : { before }), ...(isRouted === undefined ? {} : { isRouted }) };
  };

  test("that an order is passed on to another venue", () => {
    const routed = { instrument_name: "SOL_USDC" };
    assert.deepEqual(withMarket("private/buy", routed), { isRouted: true });
    assert.deepEqual(withMarket("private/buy", { instrument_name: "ETH-PERPETUAL" }), {});
    assert.deepEqual(withMarket("private/buy", { instrument_name: ["SOL_USDC"] }), {});
    assert.deepEqual(withMarket("private/cancel", { ...routed, order_id: "O1" }), {});
    const everywhere: KnownMarket = { ...market, isRouted: () => true };
    assert.deepEqual(withMarket("private/buy", { instrument_name: 5 }, {}, everywhere), {});
    const options = { checkParams: () => [], sendAnyway: false };
    for (const method of ["private/buy", "private/edit"]) {
      const result = checkIntent(wish(method, { ...routed, order_id: "O1" }), MAY_TRADE, options);
      assert.ok(!("kind" in result) && result.intent.isRouted === undefined && result.intent.before === undefined);
    }
  });

  test("what an order has before an edit, unless the edit says so itself", () => {
    const before = { price: "140", instrument_name: "SOL_USDC", direction: "buy" };
    const edit = { order_id: "O1", price: 150 };
    assert.deepEqual(withMarket("private/edit", edit), { before, isRouted: true });
    assert.deepEqual(withMarket("private/edit", edit, { before: { price: "1" } }), {
      before: { price: "1" },
      isRouted: true,
    });
    assert.deepEqual(withMarket("private/edit", { ...edit, order_id: "O2" }), {});
    const always: KnownMarket = { ...market, orderOf: () => ORDER };
    assert.deepEqual(withMarket("private/edit", { ...edit, order_id: 5 }, {}, always), {});
  });

  test("the effect of a dry run is that of a read, unless it may be read as another call", () => {
    const effectOf = (paramsText: string, method = "private/change_margin_model"): string =>
      effectOfCall({ method, paramsText });
    assert.deepEqual(
      [
        ...['{"dry_run":true}', '{"dry_run":false}', '{"dry_run":"true"}', "{}", "{", "null"],
        ...['{"dry_run":true,"dry_run":true}', '{"dry_run":true,"__proto__":1}'],
      ].map((text) => effectOf(text)),
      ["read", "write", "write", "write", "write", "write", "write", "write"],
    );
    for (const text of ['{"dry_run":true}', '{"undefined":true}'])
      assert.equal(effectOf(text, "private/buy"), "write", text);
  });

  test("the object of a change, also of parameters that can't be read", () => {
    const keyOf = (paramsText: string): string => targetKeyOf({ method: "private/cancel", paramsText });
    assert.deepEqual([keyOf('{"order_id":"O1"}'), keyOf("{")], ["order O1", "private/cancel {"]);
    assert.equal(checkedBefore(wish("private/cancel", { order_id: 5 })).targetId, undefined);
  });
});

describe("what can be said against a wish without asking", () => {
  const kindOf = (result: CheckedIntent | Failure): string => ("kind" in result ? result.kind : "fits");

  test("parameters that are no object", () => {
    for (const text of ["", "{", "null", "7", "[]", '"a"', '{"__proto__":1}'])
      assert.equal(kindOf(check("private/cancel", text)), "invalidParams", text);
    assert.deepEqual(checkedBefore(wish("private/cancel", "[")).params, {});
    assert.deepEqual(checkedBefore(wish("private/cancel", "[1]")).params, {});
    assert.deepEqual(checkedBefore(wish("private/cancel", "null")).params, {});
    assert.deepEqual(checkedBefore(wish("private/cancel", "7")).params, {});
  });

  test("a name that stands twice, of a write", () => {
    assert.equal(kindOf(check("private/cancel", '{"order_id":"1","order_id":"2"}')), "invalidParams");
    assert.equal(kindOf(check("public/test", '{"a":1,"a":2}')), "fits");
  });

  test("a wrong type refuses; a read that is sent anyway goes", () => {
    assert.equal(kindOf(check("private/cancel", { order_id: 5 }, READY, true)), "invalidParams");
    assert.equal(
      kindOf(check("private/get_open_orders", { kind: 5 }, { ...READY, identity: { ...DEFAULT_IDENTITY } })),
      "invalidParams",
    );
    assert.equal(
      kindOf(check("private/get_open_orders", { kind: 5 }, { ...READY, identity: { ...DEFAULT_IDENTITY } }, true)),
      "fits",
    );
  });

  test("an unknown name warns, and refuses only where the core specification closes the list", () => {
    assert.equal(kindOf(check("private/cancel", { order_id: "1", side: "buy" })), "fits");
    assert.equal(kindOf(check("private/cancel_all", { side: "buy" })), "fits");
    assert.equal(kindOf(check("private/cancel_all_block_rfq_quotes", { label: "a" })), "invalidParams");
  });

  test("a value that is not documented refuses a change of several objects", () =>
    assert.equal(
      kindOf(check("private/cancel_all_by_instrument", { instrument_name: "A", type: "al" })),
      "invalidParams",
    ));

  test("no session, no key, no right", () => {
    const open: SessionState = {
      ...READY,
      identity: { ...DEFAULT_IDENTITY, authentication: "none", clientId: undefined, scope: "" },
    };
    const reader: SessionState = { ...READY, identity: { ...DEFAULT_IDENTITY, scope: "trade:read" } };
    assert.equal(kindOf(check("private/cancel", { order_id: "1" }, { status: "off" })), "notConnected");
    assert.equal(kindOf(check("private/cancel", { order_id: "1" }, open)), "noKey");
    assert.equal(kindOf(check("private/get_open_orders", {}, open)), "noKey");
    assert.equal(
      kindOf(check("private/get_open_orders", { access_token: "t" }, open)),
      "fits",
      "it brings a token of its own",
    );
    assert.equal(
      kindOf(check("private/cancel", { order_id: "1", access_token: "t" }, open)),
      "noKey",
      "but changes nothing with it",
    );
    assert.equal(kindOf(check("public/someday", {}, open)), "fits");
    assert.equal(kindOf(check("private/cancel", { order_id: "1" }, reader)), "missingScope");
    assert.equal(
      kindOf(
        check("private/get_open_orders", {}, { ...READY, identity: { ...DEFAULT_IDENTITY, scope: "wallet:read" } }),
      ),
      "missingScope",
    );
    assert.equal(
      kindOf(check("private/get_open_orders", {}, { status: "off" })),
      "fits",
      "a read waits for the session's own word",
    );
  });

  test("a switch without a key of its own", () => {
    const pasted: SessionState = {
      ...READY,
      identity: { ...DEFAULT_IDENTITY, authentication: "token", clientId: undefined, scope: "" },
    };
    assert.equal(kindOf(check("public/exchange_token", { refresh_token: "x", subject_id: 1 }, pasted)), "refused");
    assert.equal(kindOf(check("public/exchange_token", { refresh_token: "x", subject_id: 1 })), "fits");
  });

  test("what fits is a copy of the wish", () => {
    const given = wish("private/cancel", { order_id: "1" });
    const { intent, effect, targetId } = checked("private/cancel", { order_id: "1" });
    assert.notEqual(intent, given);
    assert.deepEqual([intent, effect, targetId], [given, "reduce", "1"]);
  });
});
