import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readOrderLine } from "../../../../src/actions/changes/orderLine.ts";
import { draftProblem, type OrderOptions } from "../../../../src/actions/changes/placeOrder.ts";
import { spotProblem } from "../../../../src/actions/changes/spotRules.ts";
import type { Instrument } from "../../../../src/state/instruments.ts";

describe("what spot instruments take", () => {
  const spot = { kind: "spot" };
  const routed = { kind: "spot", isRouted: true };
  const rows: readonly (readonly [params: object, ofSpot: RegExp | undefined, ofRouted: RegExp | undefined])[] = [
    [{ type: "limit", price: 1 }, undefined, undefined],
    [{ price: 1, post_only: true, reject_post_only: true }, undefined, undefined],
    [{ type: "market" }, undefined, undefined],
    [{ type: "market", time_in_force: "immediate_or_cancel" }, undefined, undefined],
    [{ type: "stop_limit", trigger: "last_price", trigger_price: 2, price: 1 }, undefined, undefined],
    [{ price: 1, reduce_only: true }, /can't be reduce-only/, /can't be reduce-only/],
    [{ price: 1, time_in_force: "good_til_day" }, /can't be good_til_day/, /can't be good_til_day/],
    [{ price: 1, mmp: true }, /can't count toward market maker protection/, /market maker protection/],
    [{ type: "market", time_in_force: "good_til_cancelled" }, undefined, /no time_in_force but immediate_or_cancel/],
    [{ price: 1, post_only: true }, undefined, /only takes post_only together with reject_post_only \(error 11055\)/],
    [{ price: 1, display_amount: 1 }, undefined, /no display_amount \(error 11059\)/],
    [{ price: 1, linked_order_type: "one_cancels_other" }, undefined, /no linked orders \(error 13922\)/],
    [{ type: "stop_limit", trigger: "mark_price", price: 1 }, undefined, /only takes the trigger last_price/],
    [
      { type: "trailing_stop", trigger_offset: 1 },
      undefined,
      /no trailing_stop orders, only limit, market, and stop_limit/,
    ],
  ];
  for (const [params, ofSpot, ofRouted] of rows)
    test(JSON.stringify(params), () => {
      for (const [instrument, expected] of [
        [spot, ofSpot],
        [routed, ofRouted],
      ] as const) {
        const problem = spotProblem(params as Readonly<Record<string, unknown>>, instrument);
        if (expected === undefined) assert.equal(problem, undefined);
        else assert.match(problem ?? "", expected);
      }
      assert.equal(spotProblem(params as Readonly<Record<string, unknown>>, { kind: "future" }), undefined);
    });

  test("the form of Place Order… follows them while the line is typed", () => {
    const instrument: Instrument = {
      ...{ name: "SOL_USDC", id: 3, kind: "spot", isActive: true, expiresAtMs: undefined, isRouted: true },
      steps: { tickSize: 0.01, tickSizes: [], minAmount: 0.1, contractSize: 0.1 },
      currencies: { base: "SOL", quote: "USDC", settlement: undefined },
    };
    const problemOf = (typed: string, options: OrderOptions = {}): string | undefined => {
      const line = readOrderLine(typed);
      assert.ok(!("problem" in line));
      return draftProblem({ instrument: "SOL_USDC", side: "sell", line, options }, instrument);
    };
    assert.deepEqual(
      ["1 @ 150", "1 @ 150 ioc", "1 @ market"].map((line) => problemOf(line)),
      [undefined, undefined, undefined],
    );
    assert.match(problemOf("1 @ 150 reduce") ?? "", /can't be reduce-only/);
    assert.match(problemOf("1 @ 150", { time_in_force: "good_til_day" }) ?? "", /can't be good_til_day/);
    assert.match(problemOf("1 @ 150", { display_amount: "0.1" }) ?? "", /no display_amount/);
  });
});
