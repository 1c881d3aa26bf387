import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { outcomeOf, perhapsRouted } from "../../../src/actions/judge/responseOutcome.ts";
import {
  areSettling,
  cancelledCount,
  endAfterUnknown,
  isBeforeSend,
  isFailureKind,
  isolatedLeftText,
  isSettling,
  isWatched,
  partlyFilledCount,
  verdictKey,
  withNote,
  type Outcome,
  type OrderVerdict,
  type Verdict,
} from "../../../src/actions/judge/outcome.ts";
import type { Failure } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import type { Effect } from "../../../src/catalogue/index.ts";
import { aResponse, anOrder, exchangeFailure } from "./fakeSession.ts";

const EFFECTS: readonly Effect[] = ["read", "reduce", "write", "mass", "key", "money", "session"];
const WRITES = EFFECTS.filter((effect) => effect !== "read");

/** Each kind of failure: what becomes of a read, and of everything else. */
const FAILURES: {
  readonly [K in Failure["kind"]]: readonly (readonly [
    Extract<Failure, { kind: K }>,
    Outcome["kind"],
    Outcome["kind"],
  ])[];
} = {
  invalidParams: [[{ kind: "invalidParams", problems: [] }, "notSent", "notSent"]],
  tooLarge: [[{ kind: "tooLarge", bytes: 2, limitBytes: 1 }, "notSent", "notSent"]],
  refused: [[{ kind: "refused", reason: "no" }, "notSent", "notSent"]],
  declined: [[{ kind: "declined" }, "notSent", "notSent"]],
  notConnected: [[{ kind: "notConnected" }, "notSent", "notSent"]],
  situationChanged: [[{ kind: "situationChanged", changed: "order" }, "notSent", "notSent"]],
  missingScope: [[{ kind: "missingScope", scope: "x" }, "notSent", "notSent"]],
  noKey: [[{ kind: "noKey" }, "notSent", "notSent"]],
  notOffered: [[{ kind: "notOffered", method: "private/mass_quote" }, "notSent", "notSent"]],
  tooManyPending: [[{ kind: "tooManyPending", limit: 1 }, "notSent", "notSent"]],
  stopped: [
    [{ kind: "stopped", wasSent: false }, "notSent", "notSent"],
    [{ kind: "stopped", wasSent: true }, "failed", "unknown"],
  ],
  timeout: [[{ kind: "timeout", timeoutMs: 1 }, "failed", "unknown"]],
  connectionLost: [[{ kind: "connectionLost", trouble: "silent", detail: "" }, "failed", "unknown"]],
  programEnded: [[{ kind: "programEnded" }, "failed", "unknown"]],
  cannotConnect: [[{ kind: "cannotConnect", trouble: "dns", detail: "" }, "notSent", "notSent"]],
  notSubscribed: [[{ kind: "notSubscribed", channel: "x" }, "failed", "unknown"]],
  unreadableResult: [[{ kind: "unreadableResult", detail: "" }, "failed", "unknown"]],
  exchange: [[exchangeFailure(10004), "failed", "unknown"]],
  bug: [[{ kind: "bug", detail: "" }, "failed", "unknown"]],
};

describe("what becomes of a call that threw", () => {
  for (const [failure, read, write] of Object.values(FAILURES).flat()) {
    for (const effect of EFFECTS) {
      const expected = effect === "read" ? read : write;
      test(`${JSON.stringify(failure)} of a ${effect}: ${expected}`, () => {
        const outcome = outcomeOf("private/cancel", effect, failure, { orderId: "O1" });
        assert.equal(outcome.kind, expected);
        assert.equal("failure" in outcome && outcome.failure, failure);
      });
    }
  }
});

describe("what becomes of an error response", () => {
  const definitive = [-32601, -32602, 13009, 13021, 10000, 10047, 13004, 13020, 13403];
  const ofCancel = [10004, 10010, 10011, 10029, 11008, 11044];
  const never = [13888, 11094, 13028, 13008, 10001, -32603, 77_777];
  const check = (method: string, effect: Effect, code: number): string =>
    outcomeOf(method, effect, aResponse(method, 1, { error: exchangeFailure(code) }), { orderId: "O1" }).kind;
  test("a read is rejected by any code", () => {
    for (const code of [...definitive, ...ofCancel, ...never])
      assert.equal(check("private/get_open_orders", "read", code), "rejected");
  });
  test("a code that means one parameter proves something where that was sent", () => {
    const refused = aResponse("private/buy", 1, { error: exchangeFailure(13888) });
    assert.deepEqual(
      [{ params: { valid_until: 5 } }, { params: {} }, {}].map(
        (each) => outcomeOf("private/buy", "write", refused, each).kind,
      ),
      ["rejected", "unknown", "unknown"],
    );
  });
  test("a cancel is rejected by its definitive codes and unknown after any other", () => {
    for (const code of [...definitive, ...ofCancel])
      assert.equal(check("private/cancel", "reduce", code), "rejected", String(code));
    for (const code of never) assert.equal(check("private/cancel", "reduce", code), "unknown", String(code));
  });
  for (const effect of WRITES) {
    test(`an undescribed method, as ${effect}`, () => {
      // Part of what a request for several objects is about may have been made, unless the server lacks the method.
      for (const code of definitive) {
        const refused = effect === "mass" && code !== -32601 ? "unknown" : "rejected";
        assert.equal(check("private/invented", effect, code), refused, String(code));
      }
      for (const code of [...ofCancel, ...never])
        assert.equal(check("private/invented", effect, code), "unknown", String(code));
    });
  }
  test("the error stays with the outcome", () => {
    const outcome = outcomeOf(
      "private/cancel",
      "reduce",
      aResponse("private/cancel", 1, { error: exchangeFailure(13888, "timed_out") }),
      { orderId: "O1" },
    );
    assert.deepEqual(outcome.kind === "unknown" && outcome.failure, exchangeFailure(13888, "timed_out"));
    assert.equal(outcome.kind === "unknown" && outcome.response?.wireId, 1);
  });
});

describe("what becomes of a result", () => {
  const withoutId = { ...anOrder("O1", { order_state: "cancelled" }), order_id: undefined };
  const cases: readonly (readonly [string, string, Effect, unknown, string])[] = [
    ["a cancelled order", "private/cancel", "reduce", anOrder("O1", { order_state: "cancelled" }), "confirmed"],
    [
      "an order that is open",
      "private/cancel",
      "reduce",
      anOrder("O1", { order_state: "open" }),
      "confirmedOther open",
    ],
    [
      "an order that is filled",
      "private/cancel",
      "reduce",
      anOrder("O1", { order_state: "filled" }),
      "confirmedOther filled",
    ],
    [
      "an order that is archived",
      "private/cancel",
      "reduce",
      anOrder("O1", { order_state: "archive" }),
      "confirmedOther archive",
    ],
    [
      "an order in a state of the future",
      "private/cancel",
      "reduce",
      anOrder("O1", { order_state: "zzz" }),
      "confirmedOther zzz",
    ],
    ["another order", "private/cancel", "reduce", anOrder("O2", { order_state: "cancelled" }), "unknown"],
    ["an order without id", "private/cancel", "reduce", withoutId, "unknown"],
    [
      "an order with a state of the wrong type",
      "private/cancel",
      "reduce",
      { ...anOrder("O1"), order_state: 7 },
      "unknown",
    ],
    ["a string", "private/cancel", "reduce", "ok", "unknown"],
    ["null", "private/cancel", "reduce", null, "unknown"],
    ["nothing", "private/cancel", "reduce", undefined, "unknown"],
    ["a list of orders", "private/get_open_orders", "read", [anOrder("O1")], "confirmed"],
    ["an odd list", "private/get_open_orders", "read", [{ order_id: 7 }], "failed"],
    ["anything, of an undescribed method", "private/invented", "write", { anything: 1 }, "confirmed"],
    [
      "a challenge, of a key change",
      "private/edit_api_key",
      "key",
      { security_key_authorization_required: true, challenge: "x" },
      "challenge",
    ],
    ...(
      [
        ["private/cancel", "reduce"],
        ["private/cancel_all", "mass"],
        ["private/cancel_block_rfq_quote", "reduce"],
        ["private/edit", "write"],
        ["private/buy", "write"],
        ["private/close_position", "write"],
      ] as const
    ).map(([method, effect]): readonly [string, string, Effect, unknown, string] => [
      `a challenge, of ${method}, which never asks for a code`,
      ...([method, effect, { security_key_authorization_required: true, challenge: "x" }, "unknown"] as const),
    ]),
    [
      "a challenge, of a withdrawal",
      "private/withdraw",
      "money",
      { security_key_authorization_required: true },
      "challenge",
    ],
    [
      "a challenge, of a read",
      "private/list_api_keys",
      "read",
      { security_key_authorization_required: true },
      "challenge",
    ],
    [
      "a challenge spelled oddly",
      "private/edit_api_key",
      "key",
      { security_key_authorization_required: "true" },
      "challenge",
    ],
    [
      "no challenge",
      "private/edit_api_key",
      "key",
      { id: 3, client_id: "c", max_scope: "", timestamp: 1, security_key_authorization_required: false },
      "confirmed",
    ],
  ];
  for (const [name, method, effect, result, expected] of cases) {
    test(`${name}: ${expected}`, () => {
      const outcome = outcomeOf(method, effect, aResponse(method, 1, { result }), { orderId: "O1" });
      assert.equal(outcome.kind === "confirmedOther" ? `confirmedOther ${outcome.state}` : outcome.kind, expected);
    });
  }
  test("a detailed response with odd members: null is no error, an unreadable error proves nothing", () => {
    const ALL = "private/cancel_all";
    const kindOf = (result: unknown): string =>
      outcomeOf(ALL, "mass", aResponse(ALL, 1, { result }), { isDetailed: true }).kind;
    const part = { currency: "BTC", result: [anOrder("O1", { order_state: "cancelled" })] };
    assert.equal(kindOf([{ ...part, error: null, type: 7 }]), "confirmed");
    for (const error of ["busy", { code: "x", message: "y" }, { code: 1 }, []])
      assert.equal(
        oddDetail(outcomeOf(ALL, "mass", aResponse(ALL, 1, { result: [part, { error }] }), { isDetailed: true })),
        "an unreadable error",
        JSON.stringify(error),
      );
    assert.equal(cancelledCount(aResponse(ALL, 1, { result: [{ result: [null, 7, ...part.result] }] })), 1);
  });

  test("a change of a key or of limits is proved by the fields that were asked for alone", () => {
    const key = { id: 4, client_id: "x", max_scope: "trade:read", enabled: true, name: null, timestamp: "yesterday" };
    const kindOf = (method: string, params: object, result: unknown): string =>
      outcomeOf(method, "key", aResponse(method, 1, { result }), { params: { ...params } }).kind;
    assert.equal(kindOf("private/change_scope_in_api_key", { id: 4, max_scope: "trade:read" }, key), "confirmed");
    assert.equal(kindOf("private/enable_api_key", { id: 4 }, { ...key, max_scope: undefined }), "confirmed");
    for (const max_scope of [undefined, null, 5])
      assert.equal(
        kindOf("private/change_scope_in_api_key", { id: 4, max_scope: "trade:read" }, { ...key, max_scope }),
        "unknown",
      );
    for (const enabled of [undefined, null, "yes"])
      assert.equal(kindOf("private/enable_api_key", { id: 4 }, { ...key, enabled }), "unknown");
    const limits = { index_name: "btc_usd", interval: 60, frozen_time: 0, quantity_limit: 5 };
    assert.equal(
      kindOf("private/set_mmp_config", limits, [{ ...limits, delta_limit: null, brand_new: [] }]),
      "confirmed",
    );
    for (const interval of [undefined, null, "60"])
      assert.equal(kindOf("private/set_mmp_config", limits, [{ ...limits, interval }]), "unknown");
  });

  test("an odd result says what is odd", () => {
    const outcome = outcomeOf("private/cancel", "reduce", aResponse("private/cancel", 1, { result: withoutId }), {
      orderId: "O1",
    });
    assert.deepEqual(outcome.kind === "unknown" && outcome.failure, {
      kind: "unreadableResult",
      detail: "order_id is missing",
    });
    const ofList = outcomeOf(
      "private/get_open_orders",
      "read",
      aResponse("private/get_open_orders", 1, { result: [{ ...anOrder("O1"), order_id: 7 }] }),
    );
    assert.equal(oddDetail(ofList), "0 order_id expected a string, got 7");
    const others: readonly (readonly [string, object, unknown, string])[] = [
      ["private/cancel", {}, anOrder("O2", { order_state: "cancelled" }), "order_id is O2"],
      ["private/edit", {}, { order: anOrder("O2"), trades: [] }, "order_id is O2"],
      [
        "private/enable_api_key",
        { id: 4 },
        { id: 5, client_id: "c", timestamp: 1, enabled: true },
        "the response is for a different object",
      ],
      ["private/enable_api_key", { id: 4 }, { id: 4, client_id: "c", timestamp: 1 }, "enabled is missing"],
    ];
    for (const [method, params, result, expected] of others)
      assert.equal(
        oddDetail(
          outcomeOf(method, "write", aResponse(method, 1, { result }), { orderId: "O1", params: { ...params } }),
        ),
        expected,
      );
  });

  test("the key that was made is the one in the response, whatever the request had beside its parameters", () => {
    const METHOD = "private/create_api_key";
    const key = { id: 7, client_id: "c", client_secret: "s", max_scope: "trade:read", timestamp: 1 };
    const outcome = outcomeOf(METHOD, "key", aResponse(METHOD, 1, { result: key }), {
      params: { max_scope: "trade:read", id: 1 },
    });
    assert.equal(outcome.kind, "confirmed");
  });

  test("an order as asked has nothing more; notes are added to what is known of an outcome", () => {
    const METHOD = "private/buy";
    const params = { instrument_name: "ETH-PERPETUAL", amount: 40, price: 2100, label: "mm-1" };
    const placed = (order: object): Outcome =>
      outcomeOf(METHOD, "write", aResponse(METHOD, 1, { result: { order, trades: [] } }), { params });
    const plainly = placed(anOrder("O1"));
    assert.deepEqual(Object.keys(plainly), ["kind", "response"]);
    const passedOn = placed({ ...anOrder("O1"), is_csr: true });
    assert.equal(passedOn.kind === "confirmed" && passedOn.isAcknowledged, true);
    const other = placed(anOrder("O1", { price: 2200 }));
    assert.deepEqual(Object.keys(other), ["kind", "response", "state"]);
    assert.deepEqual(withNote(withNote(plainly, plain`One.`), plain`Two.`), { ...plainly, notes: ["One.", "Two."] });
    assert.deepEqual(withNote(other, plain`One.`), { ...other, state: "price is 2200 (requested: 2100). One." });
    const declined: Outcome = { kind: "notSent", failure: { kind: "declined" } };
    assert.equal(withNote(declined, plain`One.`), declined);
  });

  test("a spot order that is open without a trade may be at another venue, unless that is known", () => {
    const order = { ...anOrder("O1"), instrument_name: "ETH_USDC" };
    const spot: Outcome = {
      kind: "confirmed",
      response: aResponse("private/buy", 1, { result: { order, trades: [] } }),
    };
    const ofRead: Outcome = { ...spot, response: { ...spot.response, method: "private/get_order_state" } };
    assert.deepEqual(
      [spot, { ...spot, isAcknowledged: true } as const, { ...spot, kind: "challenge" } as const, ofRead].map(
        perhapsRouted,
      ),
      ["ETH_USDC", undefined, undefined, undefined],
    );
  });
});

/** Returns why a response proves nothing. */
function oddDetail(outcome: Outcome): string | undefined {
  return "failure" in outcome && outcome.failure.kind === "unreadableResult" ? outcome.failure.detail : undefined;
}

describe("what becomes of a result that names no order", () => {
  const MASS = "private/cancel_all_block_rfq_quotes";
  const failed = { error: { code: 10009, message: "not_enough_funds" } };
  const ofMass = (result: unknown, isDetailed: boolean): Outcome =>
    outcomeOf(MASS, "mass", aResponse(MASS, 1, { result }), { orderId: undefined, isDetailed });

  test("a number is success, a list only where it was asked for", () => {
    assert.deepEqual(
      [ofMass(3, false).kind, ofMass(3, true).kind, ofMass([], true).kind],
      ["confirmed", "confirmed", "confirmed"],
    );
    const odd = ofMass([], false);
    assert.deepEqual(odd.kind === "unknown" && odd.failure, {
      kind: "unreadableResult",
      detail: "an array instead of a number",
    });
    assert.equal(outcomeOf(MASS, "mass", aResponse(MASS, 1, { result: [] }), { orderId: undefined }).kind, "unknown");
  });

  test("a list with a part that failed leaves the outcome open, with that part's error", () => {
    assert.equal(ofMass([{ result: [] }], true).kind, "confirmed");
    const outcome = ofMass([{ result: [] }, failed], true);
    assert.deepEqual(outcome.kind === "unknown" && outcome.failure, { kind: "exchange", ...failed.error });
    assert.equal(outcome.kind === "unknown" && outcome.response?.wireId, 1);
  });

  test("mass quotes of which some failed are not simply confirmed", () => {
    const QUOTES = "private/mass_quote";
    const stateOf = (result: unknown): unknown => {
      const outcome = outcomeOf(QUOTES, "mass", aResponse(QUOTES, 1, { result }), { orderId: undefined });
      return outcome.kind === "confirmedOther" ? outcome.state : outcome.kind;
    };
    const rows: readonly (readonly [unknown, string])[] = [
      [{ orders: [], errors_count: 0, errors: [] }, "confirmed"],
      [{ orders: [] }, "confirmed"],
      [{ errors_count: "2", errors: null }, "confirmed"],
      [{ errors_count: 2 }, "failed bids and asks: 2"],
      [{ errors: [{ side: "bid", code: 10009 }] }, "failed bids and asks: 1"],
      ["ok", "confirmed"],
      [null, "confirmed"],
    ];
    assert.deepEqual(
      rows.map(([result]) => stateOf(result)),
      rows.map(([, expected]) => expected),
    );
  });

  const counts: readonly (readonly [string, unknown, number | undefined])[] = [
    ["a number", 7, 7],
    ["none", 0, 0],
    ["something else", "ok", undefined],
    [
      "orders in batches",
      [
        { result: [anOrder("1", { order_state: "cancelled" }), anOrder("2", { order_state: "filled" })] },
        { result: [anOrder("3", { order_state: "cancelled" })] },
      ],
      2,
    ],
    [
      "orders with their trades",
      [
        { order: anOrder("1", { order_state: "cancelled" }), trades: [] },
        { order: anOrder("2"), trades: [] },
      ],
      1,
    ],
    ["orders", [anOrder("1", { order_state: "cancelled" }), anOrder("2", { order_state: "rejected" })], 1],
    [
      "quotes",
      [
        { block_rfq_quote_id: 1, quote_state: "cancelled" },
        { block_rfq_quote_id: 2, quote_state: "filled" },
      ],
      1,
    ],
    ["parts that say no state", [{ order_id: "1" }, { block_rfq_quote_id: 2 }, { else: 3 }], 2],
    ["a part that failed", [failed, anOrder("1", { order_state: "cancelled" })], 1],
  ];
  test("how many were partly filled before", () => {
    const part = [
      anOrder("1", { order_state: "cancelled", filled_amount: 5 }),
      anOrder("2", { order_state: "cancelled" }),
    ];
    assert.deepEqual(
      [part, 2].map((result) => partlyFilledCount(aResponse(MASS, 1, { result }))),
      [1, 0],
    );
  });

  for (const [name, result, expected] of counts) {
    test(`how many were cancelled: ${name}`, () =>
      assert.equal(cancelledCount(aResponse(MASS, 1, { result })), expected));
  }
});

describe("what becomes of the result of one quote", () => {
  const METHOD = "private/cancel_block_rfq_quote";
  const ofQuote = (state: string, params?: Readonly<Record<string, unknown>>): Outcome =>
    outcomeOf(METHOD, "reduce", aResponse(METHOD, 1, { result: { block_rfq_quote_id: 5, quote_state: state } }), {
      orderId: undefined,
      ...(params === undefined ? {} : { params }),
    });

  test("the quote that was named, in the state of a cancelled one", () => {
    assert.equal(ofQuote("cancelled", { block_rfq_quote_id: 5 }).kind, "confirmed");
    assert.equal(ofQuote("cancelled").kind, "confirmed", "named by its label alone");
    const filled = ofQuote("filled", { block_rfq_quote_id: 5 });
    assert.deepEqual([filled.kind, "state" in filled && filled.state], ["confirmedOther", "filled"]);
  });

  test("another quote proves nothing", () => {
    const other = ofQuote("cancelled", { block_rfq_quote_id: 6 });
    assert.deepEqual(other.kind === "unknown" && other.failure, {
      kind: "unreadableResult",
      detail: "block_rfq_quote_id is 5",
    });
  });
});

describe("what becomes of a quote that is placed or edited", () => {
  const ADD = "private/add_block_rfq_quote";
  const EDIT = "private/edit_block_rfq_quote";
  const asked = { block_rfq_id: 3, amount: 50, price: 0.02, direction: "buy", label: "mine" };
  const quote = { ...asked, block_rfq_quote_id: 5, quote_state: "open" };
  const outcome = (method: string, params: object, result: object): Outcome =>
    outcomeOf(method, "write", aResponse(method, 1, { result }), { params: { ...params } });

  test("as requested, with whatever else it has", () => {
    assert.equal(outcome(ADD, asked, { ...quote, hedge: {}, filled_amount: 0 }).kind, "confirmed");
    assert.equal(outcome(EDIT, { block_rfq_quote_id: 5, amount: 50 }, quote).kind, "confirmed");
  });

  for (const [name, change, said] of [
    ["another amount", { amount: 25 }, "amount is 25 (requested: 50)"],
    ["another price", { price: 0.03 }, "price is 0.03 (requested: 0.02)"],
    [
      "another side and label",
      { direction: "sell", label: "" },
      "direction is sell (requested: buy), label is none (requested: mine)",
    ],
    ["an end", { quote_state: "cancelled" }, "quote_state is cancelled"],
  ] as const)
    test(`with ${name}, which is told`, () => {
      const found = outcome(ADD, asked, { ...quote, ...change });
      assert.deepEqual([found.kind, "state" in found && found.state], ["confirmedOther", said]);
    });

  test("another quote, and one without its size or price, prove nothing", () => {
    for (const [params, result] of [
      [{ block_rfq_quote_id: 6, amount: 50 }, quote],
      [{ ...asked, block_rfq_id: 4 }, quote],
      [asked, { ...quote, amount: undefined }],
      [asked, { ...quote, price: null }],
      [asked, { quote_state: "open" }],
    ] as const)
      assert.equal(outcome(EDIT, params, result).kind, "unknown", JSON.stringify(result));
  });
});

describe("words about outcomes", () => {
  test("a verdict settles unless it says that nothing was found out, for one order and for each of several", () => {
    const settled: OrderVerdict = { kind: "gone", atMs: 0 };
    const open: OrderVerdict = { kind: "unverified", atMs: 0, reason: "" };
    const several = (...verdicts: readonly OrderVerdict[]): boolean =>
      isSettling({
        kind: "several",
        atMs: 0,
        isLate: false,
        orders: verdicts.map((verdict) => ({ orderId: "1", verdict })),
      });
    assert.deepEqual(
      [isSettling(settled), isSettling(open), several(settled, settled), several(settled, open), several(open)],
      [true, false, true, false, false],
    );
  });

  test("looks together settle what each of them has proved; what does not show yet is watched", () => {
    const gone: OrderVerdict = { kind: "gone", atMs: 0 };
    const open: OrderVerdict = { kind: "unverified", atMs: 0, reason: "" };
    const waiting: OrderVerdict = { kind: "notApplied", atMs: 0, state: "open" };
    const over: OrderVerdict = { ...waiting, isFinal: true };
    const several = (...verdicts: readonly OrderVerdict[]): Verdict => ({
      ...{ kind: "several", atMs: 0, isLate: false },
      orders: verdicts.map((verdict, at) => ({ orderId: String(at), verdict })),
    });
    const looks: readonly (readonly [readonly Verdict[], boolean])[] = [
      [[], false],
      [[several()], false],
      [[open, gone], true],
      [[waiting], false],
      [[over], true],
      [[several(gone, open)], false],
      [[several(gone, open), several(open, gone)], true],
      [[several(open, gone), several(open, open)], false],
    ];
    for (const [verdicts, expected] of looks) assert.equal(areSettling(verdicts), expected, JSON.stringify(verdicts));
    assert.deepEqual([gone, open, waiting, over, several(gone, waiting), several(gone)].map(isWatched), [
      ...[false, false, true, false],
      ...[true, false],
    ]);
    assert.equal(verdictKey(several(gone)), verdictKey({ ...several({ ...gone, atMs: 5 }), atMs: 6 }));
    assert.notEqual(verdictKey(several(gone)), verdictKey(several(open)));
  });

  test("isolated orders that stay", () => {
    assert.equal(isolatedLeftText([]), "Isolated orders aren't covered and stay open. Check them on the exchange.");
    const named = ["A", "B", "C", "D", "E", "F"].map((name) => plain.text(name));
    assert.equal(
      isolatedLeftText(named.slice(0, 2)),
      "Isolated orders aren't covered and stay open: A, B. Cancel them one by one in Orders.",
    );
    assert.equal(
      isolatedLeftText(named),
      "Isolated orders aren't covered and stay open: A, B, C, D, E, and 1 more. Cancel them one by one in Orders.",
    );
  });

  test("names of failures, and no other text or member", () => {
    assert.deepEqual(["timeout", "zzz", "toString", 5, undefined, ["timeout"]].map(isFailureKind), [
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test("before the send is what says so, and a stop that came in time", () => {
    const failures: readonly Failure[] = [
      { kind: "declined" },
      { kind: "timeout", timeoutMs: 1 },
      { kind: "stopped", wasSent: false },
      { kind: "stopped", wasSent: true },
    ];
    assert.deepEqual(failures.map(isBeforeSend), [true, false, true, false]);
  });
});

test("a method that is called like something every object has is a method like any other", () => {
  for (const method of ["constructor", "toString", "hasOwnProperty", "__proto__"]) {
    assert.equal(
      outcomeOf(method, "write", aResponse(method, 1, { result: { order_id: "O1" } })).kind,
      "confirmed",
      method,
    );
    assert.equal(
      outcomeOf(method, "write", aResponse(method, 1, { error: exchangeFailure(10004) })).kind,
      "unknown",
      method,
    );
  }
});

test("an unknown outcome alone ends the rest of several, and says so", () => {
  const failure: Failure = { kind: "timeout", timeoutMs: 1 };
  assert.equal(
    endAfterUnknown({ kind: "unknown", failure, response: undefined }),
    "The outcome of an earlier request is unknown.",
  );
  assert.equal(endAfterUnknown({ kind: "notSent", failure: { kind: "declined" } }), undefined);
});
