import assert from "node:assert/strict";
import { test } from "vitest";
import { limitsIn } from "../../src/actions/changes/mmpLimits.ts";
import { outcomeOf } from "../../src/actions/judge/responseOutcome.ts";
import type { Outcome } from "../../src/actions/judge/outcome.ts";
import { effectOf } from "../../src/catalogue/index.ts";
import type { MaskedResponse } from "../../src/rpc/response.ts";
import { describeRecorded, fileText } from "./data.ts";

/* What the documentation's responses about quotes and limits mean to the request that stands beside them. */

function read(file: string): { readonly params?: Readonly<Record<string, unknown>>; readonly result?: unknown } {
  return JSON.parse(fileText(file)) as {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly result?: unknown;
  };
}

function documented(method: string, change: Readonly<Record<string, unknown>> = {}): Outcome {
  const name = method.replace("/", "_");
  const params = { ...read(`${name}.request.json`).params, ...change };
  const { result } = read(`${name}.response.json`);
  const response = { method, result, error: undefined } as MaskedResponse;
  return outcomeOf(method, effectOf(method), response, {
    orderId: undefined,
    isDetailed: params["detailed"] === true,
    params,
  });
}

describeRecorded("responses of the documentation", () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ["private/cancel_all_block_rfq_quotes", {}, "confirmed"],
    ["private/cancel_block_rfq_quote", {}, "confirmed"],
    ["private/cancel_block_rfq_quote", { block_rfq_quote_id: 8 }, "confirmed"],
    ["private/cancel_block_rfq_quote", { block_rfq_quote_id: 9 }, "unknown"],
    ["private/set_mmp_config", {}, "confirmed"],
    ["private/set_mmp_config", { mmp_group: "massquotebot7" }, "unknown"],
    ["private/set_mmp_config", { quantity_limit: 4 }, "confirmedOther"],
    ["private/reset_mmp", {}, "confirmed"],
  ];
  for (const [method, change, kind] of cases) {
    test(`${method} ${JSON.stringify(change)}: ${kind}`, () => assert.equal(documented(method, change).kind, kind));
  }

  test("limits, with digits that a number cannot hold beside them", () => {
    const group = { index_name: "btc_usd", mmp_group: "", block_rfq: false };
    assert.deepEqual(limitsIn(read("private_get_mmp_config.response.int64-id.json").result, group), {
      interval: "2",
      frozen_time: "5",
      max_quote_quantity: "5",
      quantity_limit: "5",
      delta_limit: "0.5",
      vega_limit: "0.2",
    });
    assert.deepEqual(
      limitsIn(read("private_get_mmp_config.response.json").result, { ...group, mmp_group: "MassQuoteBot7" }),
      {
        interval: "60",
        frozen_time: "0",
        max_quote_quantity: "0.4",
        quantity_limit: "0.5",
        delta_limit: "0.3",
        vega_limit: "0.1",
      },
    );
  });
});
