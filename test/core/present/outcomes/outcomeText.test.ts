import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ActivityEntry } from "../../../../src/actions/gate/gate.ts";
import type { Outcome, Verdict } from "../../../../src/actions/judge/outcome.ts";
import { plain } from "../../../../src/base/plain.ts";
import {
  isFilledOtherwise,
  outcomeText,
  verdictText,
  type OutcomeContext,
} from "../../../../src/present/outcomes/outcomeText.ts";
import { pendingOrders } from "../../../../src/present/outcomes/pendingChanges.ts";
import type { MaskedResponse } from "../../../../src/rpc/response.ts";
import { BERLIN, NOON_MS, order } from "../samples.ts";
import { asPlain } from "../../../asPlain.ts";

const WORDS = {
  action: plain`Cancel Order`,
  target: plain`ETH-PERPETUAL buy 40 @ 2100`,
  sentence: plain`Cancel ETH-PERPETUAL buy 40 @ 2100`,
  detail: [],
  keep: plain`Keep Order`,
};
const CANCEL: OutcomeContext = {
  intent: { method: "private/cancel", paramsText: "{}", words: WORDS },
  place: plain`TESTNET main`,
  times: BERLIN,
};
const READ: OutcomeContext = {
  ...CANCEL,
  intent: {
    method: "private/get_open_orders",
    paramsText: "{}",
    words: { action: plain`Send Request`, target: plain`private/get_open_orders`, detail: [], keep: plain`Back` },
  },
};
const WRITE: OutcomeContext = {
  ...CANCEL,
  intent: {
    method: "private/set_mmp_config",
    paramsText: "{}",
    words: { action: plain`Set Limits`, target: plain`btc_usd`, detail: [], keep: plain`Keep` },
  },
};

function respond(result: unknown): MaskedResponse {
  return {
    wireId: 1,
    method: "private/cancel",
    bodyText: "",
    result,
    error: undefined,
    hasMaskedSecrets: false,
    timing: { receivedAtMs: 0, totalMs: 0, queuedMs: 0, exchangeMs: undefined },
    testnet: true,
  };
}

describe("what became of it", () => {
  const cancelled = respond(order("1", { order_state: "cancelled" }));
  const timeout = { kind: "timeout", timeoutMs: 15_000 } as const;
  const refused = { kind: "exchange", code: 10004, message: "order_not_found" } as const;
  const cases: readonly [string, Outcome, OutcomeContext, string | RegExp][] = [
    [
      "cancelled",
      { kind: "confirmed", response: cancelled },
      CANCEL,
      "Cancelled on TESTNET main: ETH-PERPETUAL buy 40 @ 2100.",
    ],
    [
      "cancelled, filled in part meanwhile",
      { kind: "confirmed", response: respond(order("1", { order_state: "cancelled", filled_amount: 30 })) },
      { ...CANCEL, intent: { ...CANCEL.intent, filledAsShown: 12 } },
      "Filled 30 of 40, then cancelled on TESTNET main: ETH-PERPETUAL buy 40 @ 2100. You saw 12 filled.",
    ],
    [
      "cancelled, filled in part for the first time",
      { kind: "confirmed", response: respond(order("1", { order_state: "cancelled", filled_amount: 30 })) },
      { ...CANCEL, intent: { ...CANCEL.intent, filledAsShown: 0 } },
      "Filled 30 of 40, then cancelled on TESTNET main: ETH-PERPETUAL buy 40 @ 2100. You saw 0 filled.",
    ],
    [
      "cancelled, filled as it was shown",
      { kind: "confirmed", response: respond(order("1", { order_state: "cancelled", filled_amount: 12 })) },
      { ...CANCEL, intent: { ...CANCEL.intent, filledAsShown: 12 } },
      "Cancelled on TESTNET main: ETH-PERPETUAL buy 40 @ 2100. 12 of 40 filled.",
    ],
    [
      "cancelled from a file, filled in part",
      {
        kind: "confirmed",
        response: respond(order("1", { order_state: "cancelled", filled_amount: 0.3, amount: undefined })),
      },
      CANCEL,
      "Cancelled on TESTNET main: ETH-PERPETUAL buy 40 @ 2100. 0.3 filled.",
    ],
    [
      "filled instead, and how much",
      {
        kind: "confirmedOther",
        response: respond(order("1", { order_state: "filled", filled_amount: 40 })),
        state: "filled",
      },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: the exchange reports filled. 40 of 40 filled.",
    ],
    [
      "an order that was placed",
      { kind: "confirmed", response: respond({ order: order("1", { filled_amount: 4 }), trades: [] }) },
      {
        ...CANCEL,
        intent: { method: "private/buy", paramsText: "{}", words: { ...WORDS, sentence: plain`Send private/buy` } },
      },
      "Send private/buy on TESTNET main: placed as order 1, which is open. 4 of 40 filled.",
    ],
    [
      "several cancelled, some filled in part",
      {
        kind: "confirmed",
        response: respond([
          order("1", { order_state: "cancelled", filled_amount: 4 }),
          order("2", { order_state: "cancelled" }),
        ]),
      },
      {
        ...CANCEL,
        intent: { method: "private/cancel_all", paramsText: "{}", words: { ...WORDS, sentence: plain`Cancel all` } },
      },
      "Cancel all on TESTNET main: the exchange reports 2 cancelled. Partially filled before the cancel: 1.",
    ],
    [
      "confirmed without the word of the exchange",
      { kind: "confirmed", response: respond(order("1")) },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: the exchange reports open.",
    ],
    [
      "confirmed without a state",
      { kind: "confirmed", response: respond("ok") },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: the exchange reports no state.",
    ],
    [
      "a reading",
      { kind: "confirmed", response: respond([]) },
      READ,
      "Send Request: private/get_open_orders on TESTNET main: response received.",
    ],
    [
      "another change",
      { kind: "confirmed", response: respond("ok") },
      WRITE,
      "Set Limits: btc_usd on TESTNET main: confirmed by the exchange.",
    ],
    [
      "filled instead",
      { kind: "confirmedOther", response: respond(order("1", { order_state: "filled" })), state: "filled" },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: the exchange reports filled.",
    ],
    [
      "declined",
      { kind: "notSent", failure: { kind: "declined" } },
      CANCEL,
      "Not sent to TESTNET main, so nothing was changed: You chose not to send it.",
    ],
    [
      "no connection, for a reading",
      { kind: "notSent", failure: { kind: "notConnected" } },
      READ,
      "Not sent to TESTNET main: Not connected. Connect, then try again.",
    ],
    [
      "refused",
      { kind: "rejected", response: cancelled, failure: refused },
      CANCEL,
      /^Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: refused by the exchange\. The exchange returned error 10004: order_not_found\. /,
    ],
    [
      "a second factor",
      { kind: "challenge", response: cancelled },
      WRITE,
      "Set Limits: btc_usd on TESTNET main: 2FA is required. Nothing has been changed yet.",
    ],
    [
      "a second factor without codes",
      {
        kind: "challenge",
        response: respond({ challenge: "c", security_keys: [{ type: "webauthn", name: "stick" }] }),
      },
      WRITE,
      "Set Limits: btc_usd on TESTNET main: 2FA is required. Nothing has been changed yet. This account confirms with webauthn, which is only possible on the exchange's website. Make the change there.",
    ],
    [
      "something else than asked",
      { kind: "confirmedOther", response: respond({}), state: "interval is 7 (requested: 5)" },
      WRITE,
      "Set Limits: btc_usd on TESTNET main: the exchange returned a different result than requested: interval is 7 (requested: 5).",
    ],
    [
      "a reading without a result",
      { kind: "failed", failure: timeout, response: undefined },
      READ,
      "Send Request: private/get_open_orders on TESTNET main: no result. No response from TESTNET main within 15 s. The request was read-only, so nothing was changed. Try again. If it keeps happening, check the network or increase the timeout in Settings.",
    ],
    [
      "unknown",
      { kind: "unknown", failure: timeout, response: undefined },
      CANCEL,
      "Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: outcome unknown, checking… No response from TESTNET main within 15 s.",
    ],
  ];
  for (const [name, outcome, context, expected] of cases) {
    test(name, () => {
      const text = outcomeText(outcome, context);
      if (typeof expected === "string") assert.equal(text, expected);
      else assert.match(text, expected);
      assert.ok(text.includes("TESTNET main"));
    });
  }

  test("a fill that is not the one that was shown is no good news", () => {
    const outcome = (filled: number): Outcome => ({
      kind: "confirmed",
      response: respond(order("1", { order_state: "cancelled", filled_amount: filled })),
    });
    assert.deepEqual(
      [
        isFilledOtherwise(outcome(30), { filledAsShown: 12 }),
        isFilledOtherwise(outcome(12), { filledAsShown: 12 }),
        isFilledOtherwise(outcome(30), {}),
      ],
      [true, false, false],
    );
  });

  test("`cancelled` is said only where the exchange says so", () => {
    const states = ["open", "filled", "untriggered", "rejected", "triggered", "hibernating"];
    for (const state of states)
      assert.doesNotMatch(
        outcomeText({ kind: "confirmed", response: respond(order("1", { order_state: state })) }, CANCEL),
        /cancelled/i,
      );
    for (const outcome of [
      { kind: "unknown", failure: timeout, response: cancelled },
      { kind: "notSent", failure: { kind: "situationChanged", changed: "order" } },
    ] satisfies Outcome[])
      assert.doesNotMatch(outcomeText(outcome, CANCEL), /cancelled/i);
  });
});

describe("what reading found out", () => {
  const atMs = NOON_MS;
  const cases: readonly [Verdict, OutcomeContext, string][] = [
    [
      { kind: "applied", atMs, cause: undefined, isLate: false },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: verified cancelled at 13:00:00 (the outcome was unknown, cause: not stated).",
    ],
    [
      { kind: "applied", atMs, cause: "user_request", isLate: false, fill: { filled: 30, amount: 40 } },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: verified cancelled at 13:00:00 (the outcome was unknown, cause: on request). 30 of 40 filled.",
    ],
    [
      { kind: "applied", atMs, cause: "user_request", isLate: true },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: cancelled after all, verified at 13:00:00 (cause: on request).",
    ],
    [
      { kind: "applied", atMs, cause: undefined, isLate: false },
      WRITE,
      "Set Limits: btc_usd on TESTNET main: verified at 13:00:00 that it took effect (the outcome was unknown).",
    ],
    [
      { kind: "notApplied", atMs, state: "open" },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: still open as of 13:00:00, not cancelled. A late cancel is still possible. Watching for 60 s.",
    ],
    [
      { kind: "applied", atMs, cause: undefined, isLate: false, state: "not frozen" },
      WRITE,
      "Set Limits: btc_usd on TESTNET main: checked at 13:00:00: not frozen.",
    ],
    [
      { kind: "notApplied", atMs, state: "interval 5" },
      WRITE,
      "btc_usd on TESTNET main: no effect yet at 13:00:00 (interval 5). It may still take effect. Watching for 60 s.",
    ],
    [
      { kind: "other", atMs, state: "filled" },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: verified as filled at 13:00:00, but not because of this cancel.",
    ],
    [
      { kind: "other", atMs, state: "interval is 7 (requested: 5)" },
      WRITE,
      "btc_usd on TESTNET main: not as requested at 13:00:00: interval is 7 (requested: 5). It was changed by another client or not applied.",
    ],
    [
      { kind: "gone", atMs },
      WRITE,
      "btc_usd on TESTNET main: no longer listed as of 13:00:00. The outcome is unknown.",
    ],
    [
      { kind: "gone", atMs },
      CANCEL,
      "ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: no longer open as of 13:00:00. It may have been cancelled or filled. Check the trade history.",
    ],
    [
      { kind: "unverified", atMs, reason: "the key may not read orders" },
      CANCEL,
      "Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: outcome still unknown at 13:00:00: the key may not read orders. Check on the exchange, or use Check Again.",
    ],
    [
      { kind: "unverified", atMs, reason: "No request can check this outcome." },
      { ...WRITE, intent: { method: "private/cancel_all", paramsText: "{}", words: WORDS } },
      "Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: the outcome is unknown. No request can check this outcome. Check on the exchange.",
    ],
  ];
  for (const [verdict, context, expected] of cases) {
    test(`${verdict.kind}${"state" in verdict ? ` ${verdict.state ?? ""}` : ""}, ${context.intent.method}`, () => {
      assert.equal(verdictText(verdict, context), expected);
    });
  }
});

describe("text from outside", () => {
  test("is plain in every sentence about an outcome", () => {
    const hostile = "[Fix](command:x) $(check) a\u202Eb";
    const words = { ...WORDS, target: asPlain(hostile), sentence: asPlain(hostile) };
    const context: OutcomeContext = { ...CANCEL, intent: { method: "private/cancel", paramsText: "{}", words } };
    const outcomes: readonly Outcome[] = [
      { kind: "confirmed", response: respond(order("1", { order_state: "cancelled" })) },
      { kind: "confirmedOther", response: respond({}), state: hostile },
      { kind: "rejected", response: respond(undefined), failure: { kind: "exchange", code: 10004, message: hostile } },
      { kind: "challenge", response: respond({ challenge: "c", security_keys: [{ type: hostile, name: "stick" }] }) },
      { kind: "unknown", failure: { kind: "exchange", code: 1, message: hostile }, response: undefined },
    ];
    const verdicts: readonly Verdict[] = [
      { kind: "applied", atMs: NOON_MS, cause: hostile, isLate: false },
      { kind: "notApplied", atMs: NOON_MS, state: hostile },
      { kind: "other", atMs: NOON_MS, state: hostile },
      { kind: "gone", atMs: NOON_MS },
      { kind: "unverified", atMs: NOON_MS, reason: hostile },
    ];
    const sentences = [
      ...outcomes.map((each) => outcomeText(each, context)),
      ...verdicts.map((each) => verdictText(each, context)),
    ];
    for (const sentence of sentences) assert.doesNotMatch(sentence, /\]\(|\$\(|\u202E/);
    assert.equal(sentences[0], "Cancelled on TESTNET main: [Fix] (command:x) $ (check) a\\u202Eb.");
  });
});

describe("what is under way on orders", () => {
  const unknown: Outcome = { kind: "unknown", failure: { kind: "timeout", timeoutMs: 1 }, response: undefined };
  const entry = (
    targetId: string | undefined,
    phase: ActivityEntry["phase"],
    members: Partial<ActivityEntry> = {},
  ): ActivityEntry => ({
    id: `${String(targetId)} ${phase}`,
    intent: { method: "private/cancel", paramsText: "{}", words: WORDS, origin: "view" },
    connectionId: "main",
    targetId,
    phase,
    startedAtMs: 0,
    outcome: undefined,
    verdicts: [],
    ...members,
  });
  const cases: readonly [string, readonly ActivityEntry[], Record<string, string>][] = [
    ["nothing", [], {}],
    [
      "each phase",
      [
        entry("a", "asking"),
        entry("b", "sending"),
        entry("c", "verifying", { outcome: unknown }),
        entry("d", "done", { outcome: { kind: "confirmed", response: respond("ok") } }),
      ],
      { b: "sending", c: "verifying" },
    ],
    [
      "unknown for good",
      [entry("a", "done", { outcome: unknown, verdicts: [{ kind: "unverified", atMs: 0, reason: "" }] })],
      { a: "unknown" },
    ],
    [
      "unknown and found out",
      [
        entry("a", "done", {
          outcome: unknown,
          verdicts: [
            { kind: "unverified", atMs: 0, reason: "" },
            { kind: "gone", atMs: 0 },
          ],
        }),
      ],
      {},
    ],
    [
      "of another connection, or about no order",
      [entry("a", "sending", { connectionId: "desk" }), entry(undefined, "sending")],
      {},
    ],
    [
      "the newer one counts",
      [
        entry("a", "done", { outcome: { kind: "confirmed", response: respond("ok") } }),
        entry("a", "done", { outcome: unknown }),
      ],
      {},
    ],
    [
      "what was not sent says nothing",
      [
        entry("a", "done", { outcome: { kind: "notSent", failure: { kind: "declined" } } }),
        entry("a", "done", { outcome: unknown }),
      ],
      { a: "unknown" },
    ],
    ["nor does what is only asked", [entry("a", "asking"), entry("a", "done", { outcome: unknown })], { a: "unknown" }],
  ];
  for (const [name, activity, expected] of cases) {
    test(name, () => {
      assert.deepEqual(Object.fromEntries(pendingOrders(activity, "main")), expected);
    });
  }
});
