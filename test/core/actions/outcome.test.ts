import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { outcomeOf, type Outcome } from "../../../src/actions/outcome.ts";
import type { Failure } from "../../../src/base/failure.ts";
import type { Effect } from "../../../src/catalogue/index.ts";
import { anAnswer, anOrder, exchangeFailure } from "./fakeSession.ts";

const EFFECTS: readonly Effect[] = ["read", "reduce", "write", "mass", "key", "money", "session"];
const WRITES = EFFECTS.filter((effect) => effect !== "read");

/** Each kind of failure: what becomes of a read, and of everything else. */
const FAILURES: { readonly [K in Failure["kind"]]: readonly (readonly [Extract<Failure, { kind: K }>, Outcome["kind"], Outcome["kind"]])[] } = {
  invalidParams: [[{ kind: "invalidParams", problems: [] }, "notSent", "notSent"]],
  tooLarge: [[{ kind: "tooLarge", bytes: 2, limitBytes: 1 }, "notSent", "notSent"]],
  refused: [[{ kind: "refused", reason: "no" }, "notSent", "notSent"]],
  declined: [[{ kind: "declined" }, "notSent", "notSent"]],
  notConnected: [[{ kind: "notConnected" }, "notSent", "notSent"]],
  situationChanged: [[{ kind: "situationChanged" }, "notSent", "notSent"]],
  missingScope: [[{ kind: "missingScope", scope: "x" }, "notSent", "notSent"]],
  tooManyPending: [[{ kind: "tooManyPending", limit: 1 }, "notSent", "notSent"]],
  stopped: [
    [{ kind: "stopped", wasSent: false }, "notSent", "notSent"],
    [{ kind: "stopped", wasSent: true }, "failed", "unknown"],
  ],
  timeout: [[{ kind: "timeout", timeoutMs: 1 }, "failed", "unknown"]],
  connectionLost: [[{ kind: "connectionLost", trouble: "silent", detail: "" }, "failed", "unknown"]],
  programEnded: [[{ kind: "programEnded" }, "failed", "unknown"]],
  cannotConnect: [[{ kind: "cannotConnect", trouble: "dns", detail: "" }, "notSent", "notSent"]],
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

describe("what becomes of an error answer", () => {
  const definitive = [-32601, -32602, 13009, 13021];
  const ofCancel = [10004, 10010, 10011, 11044];
  const never = [13888, 11094, 13028, 10047, 10028, -32603, 77_777, 11008, 10000, 13403, -32600];
  const check = (method: string, effect: Effect, code: number): string =>
    outcomeOf(method, effect, anAnswer(method, 1, { error: exchangeFailure(code) }), { orderId: "O1" }).kind;
  test("a read is rejected by any code", () => {
    for (const code of [...definitive, ...ofCancel, ...never]) assert.equal(check("private/get_open_orders", "read", code), "rejected");
  });
  test("a cancel is rejected by its definitive codes and unknown after any other", () => {
    for (const code of [...definitive, ...ofCancel]) assert.equal(check("private/cancel", "reduce", code), "rejected", String(code));
    for (const code of never) assert.equal(check("private/cancel", "reduce", code), "unknown", String(code));
  });
  for (const effect of WRITES) {
    test(`a method that nobody described, as ${effect}`, () => {
      for (const code of definitive) assert.equal(check("private/invented", effect, code), "rejected", String(code));
      for (const code of [...ofCancel, ...never]) assert.equal(check("private/invented", effect, code), "unknown", String(code));
    });
  }
  test("the error stays with the outcome", () => {
    const outcome = outcomeOf("private/cancel", "reduce", anAnswer("private/cancel", 1, { error: exchangeFailure(13888, "timed_out") }), { orderId: "O1" });
    assert.deepEqual(outcome.kind === "unknown" && outcome.failure, exchangeFailure(13888, "timed_out"));
    assert.equal(outcome.kind === "unknown" && outcome.answer?.wireId, 1);
  });
});

describe("what becomes of a result", () => {
  const withoutId = { ...anOrder("O1", { order_state: "cancelled" }), order_id: undefined };
  const cases: readonly (readonly [string, string, Effect, unknown, string])[] = [
    ["a cancelled order", "private/cancel", "reduce", anOrder("O1", { order_state: "cancelled" }), "confirmed"],
    ["an order that is open", "private/cancel", "reduce", anOrder("O1", { order_state: "open" }), "confirmedOther open"],
    ["an order that is filled", "private/cancel", "reduce", anOrder("O1", { order_state: "filled" }), "confirmedOther filled"],
    ["an order that is archived", "private/cancel", "reduce", anOrder("O1", { order_state: "archive" }), "confirmedOther archive"],
    ["an order in a state of the future", "private/cancel", "reduce", anOrder("O1", { order_state: "zzz" }), "confirmedOther zzz"],
    ["another order", "private/cancel", "reduce", anOrder("O2", { order_state: "cancelled" }), "unknown"],
    ["an order without id", "private/cancel", "reduce", withoutId, "unknown"],
    ["an order with a state of the wrong type", "private/cancel", "reduce", { ...anOrder("O1"), order_state: 7 }, "unknown"],
    ["a text", "private/cancel", "reduce", "ok", "unknown"],
    ["null", "private/cancel", "reduce", null, "unknown"],
    ["nothing", "private/cancel", "reduce", undefined, "unknown"],
    ["a list of orders", "private/get_open_orders", "read", [anOrder("O1")], "confirmed"],
    ["an odd list", "private/get_open_orders", "read", [{ order_id: 7 }], "failed"],
    ["anything, of a method that nobody described", "private/invented", "write", { anything: 1 }, "confirmed"],
    ["a challenge, of a key change", "private/edit_api_key", "key", { security_key_authorization_required: true, challenge: "x" }, "challenge"],
    ["a challenge, of a cancel", "private/cancel", "reduce", { security_key_authorization_required: true }, "challenge"],
    ["a challenge, of a read", "private/list_api_keys", "read", { security_key_authorization_required: true }, "challenge"],
    ["a challenge spelled oddly", "private/edit_api_key", "key", { security_key_authorization_required: "true" }, "challenge"],
    ["no challenge", "private/edit_api_key", "key", { id: 3, client_id: "c", max_scope: "", timestamp: 1, security_key_authorization_required: false }, "confirmed"],
  ];
  for (const [name, method, effect, result, expected] of cases) {
    test(`${name}: ${expected}`, () => {
      const outcome = outcomeOf(method, effect, anAnswer(method, 1, { result }), { orderId: "O1" });
      assert.equal(outcome.kind === "confirmedOther" ? `confirmedOther ${outcome.state}` : outcome.kind, expected);
    });
  }
  test("an odd result says what is odd", () => {
    const outcome = outcomeOf("private/cancel", "reduce", anAnswer("private/cancel", 1, { result: withoutId }), { orderId: "O1" });
    assert.deepEqual(outcome.kind === "unknown" && outcome.failure, { kind: "unreadableResult", detail: "order_id is missing" });
  });
});
