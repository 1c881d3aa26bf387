import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { outcomeOf, type Expectations } from "../../../../src/actions/judge/responseOutcome.ts";
import { plain } from "../../../../src/base/plain.ts";
import { outcomeText } from "../../../../src/present/outcomes/outcomeText.ts";
import { isAsWanted } from "../../../../src/requests/expectations/wanted.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { aResponse } from "../fakeSession.ts";

type Members = Readonly<Record<string, unknown>>;

/* What came back of an order: messages in the exchange's form, with the terms that a server dropped or adjusted. */

/** A limit order in a linear perpetual, with the members that the exchange sends for each order. */
const LIMIT_ORDER: Members = {
  label: "grid-7",
  price: 41.25,
  user_id: 7105,
  amount: 12,
  direction: "buy",
  time_in_force: "good_til_day",
  instrument_name: "SOL_USDC-PERPETUAL",
  web: false,
  api: true,
  order_id: "USDC-90871",
  creation_timestamp: 1790000000000,
  replaced: false,
  filled_amount: 0.0,
  last_update_timestamp: 1790000000000,
  post_only: true,
  reduce_only: true,
  average_price: 0.0,
  mmp: true,
  contracts: 120.0,
  reject_post_only: true,
  order_state: "open",
  order_type: "limit",
  is_liquidation: false,
  risk_reducing: false,
  refresh_amount: 2,
  display_amount: 2,
};

const LIMIT_PARAMS: Members = {
  instrument_name: "SOL_USDC-PERPETUAL",
  amount: 12,
  contracts: 120,
  type: "limit",
  price: 41.25,
  time_in_force: "good_til_day",
  post_only: true,
  reject_post_only: true,
  reduce_only: true,
  mmp: true,
  display_amount: 2,
  label: "grid-7",
  valid_until: 1790000008000,
};

/** A stop order as it waits, without what is filled. */
const { filled_amount: _filled, average_price: _average, ...WAITING } = LIMIT_ORDER;
const STOP_ORDER: Members = {
  ...WAITING,
  order_id: "USDC-SLMS-31",
  direction: "sell",
  order_state: "untriggered",
  order_type: "stop_limit",
  trigger: "mark_price",
  trigger_price: 90,
  post_only: false,
  reject_post_only: false,
  refresh_amount: undefined,
  display_amount: undefined,
};

const STOP_PARAMS: Members = {
  instrument_name: "SOL_USDC-PERPETUAL",
  amount: 12,
  type: "stop_limit",
  price: 41.25,
  trigger: "mark_price",
  trigger_price: 90,
};

function toldOf(method: string, params: Members, order: Members, more: Expectations = {}): string {
  const response = aResponse(method, 1, { result: { order, trades: [] } });
  const outcome = outcomeOf(method, "write", response, { params, ...more });
  const intent = {
    method,
    paramsText: JSON.stringify(params),
    words: { action: plain`Send`, target: plain`it`, detail: [], keep: plain`Keep` },
  };
  const text = outcomeText(outcome, { intent, place: plain`X`, times: createTimes(0) });
  return `${outcome.kind}: ${text.replace("Send: it on X: ", "")}`;
}

const DIFFERENT = "confirmedOther: the exchange returned a different result than requested: ";

function placedAs({ order_id: id, order_state: state }: Members): string {
  return ` It was placed as order ${String(id)}, which is ${String(state)}.`;
}

describe("what came back of a placed order", () => {
  test("as asked: no more than that it was placed", () => {
    assert.equal(
      toldOf("private/buy", LIMIT_PARAMS, LIMIT_ORDER),
      "confirmed: placed as order USDC-90871, which is open. 0 of 12 filled.",
    );
    assert.equal(
      toldOf("private/sell", STOP_PARAMS, STOP_ORDER),
      "confirmed: placed as order USDC-SLMS-31, which is untriggered.",
    );
  });

  const dropped: readonly (readonly [term: string, change: Members, words: string])[] = [
    ["reduce_only", { reduce_only: false }, "reduce_only is false (requested: true)"],
    ["a missing reduce_only", { reduce_only: undefined }, "the response doesn't show reduce_only (requested: true)"],
    ["post_only", { post_only: false }, "post_only is false (requested: true)"],
    ["reject_post_only", { reject_post_only: false }, "reject_post_only is false (requested: true)"],
    ["mmp", { mmp: false }, "mmp is false (requested: true)"],
    [
      "time_in_force",
      { time_in_force: "good_til_cancelled" },
      "time_in_force is good_til_cancelled (requested: good_til_day)",
    ],
    ["type", { order_type: "market" }, "type is market (requested: limit)"],
    ["display_amount", { refresh_amount: 12, display_amount: 12 }, "display_amount is 12 (requested: 2)"],
    [
      "a missing display_amount",
      { refresh_amount: undefined, display_amount: undefined },
      "the response doesn't show display_amount (requested: 2)",
    ],
    ["a larger amount", { amount: 14 }, "amount is 14 (requested: 12)"],
    ["contracts", { contracts: 1200 }, "contracts is 1200 (requested: 120)"],
    ["a price that costs more", { price: 41.5 }, "price is 41.5 (requested: 41.25)"],
  ];
  for (const [term, change, words] of dropped)
    test(`not as asked: ${term}`, () =>
      assert.equal(
        toldOf("private/buy", LIMIT_PARAMS, { ...LIMIT_ORDER, ...change }),
        `${DIFFERENT}${words}.${placedAs(LIMIT_ORDER)}`,
      ));

  const droppedOfStop: typeof dropped = [
    ["trigger", { trigger: "last_price" }, "trigger is last_price (requested: mark_price)"],
    ["trigger_price", { trigger_price: 9000 }, "trigger_price is 9000 (requested: 90)"],
    ["a missing trigger", { trigger: undefined }, "the response doesn't show trigger (requested: mark_price)"],
    ["its type", { order_type: "limit", original_order_type: undefined }, "type is limit (requested: stop_limit)"],
  ];
  for (const [term, change, words] of droppedOfStop)
    test(`not as asked, of a stop order: ${term}`, () =>
      assert.equal(
        toldOf("private/sell", STOP_PARAMS, { ...STOP_ORDER, ...change }),
        `${DIFFERENT}${words}.${placedAs(STOP_ORDER)}`,
      ));

  test("not as asked: the offset of a trailing stop, an option's unit of price, and linked orders", () => {
    const trailing = { ...STOP_ORDER, order_type: "trailing_stop", price: "market_price", trigger_offset: 3 };
    const ask = {
      ...STOP_PARAMS,
      type: "trailing_stop",
      price: undefined,
      trigger_price: undefined,
      trigger_offset: 2,
    };
    assert.equal(
      toldOf("private/sell", ask, trailing),
      `${DIFFERENT}trigger_offset is 3 (requested: 2).${placedAs(STOP_ORDER)}`,
    );
    const option = { ...LIMIT_ORDER, instrument_name: "ETH-25DEC26-2600-C", advanced: undefined, price: 0.04 };
    const inUsd = { ...LIMIT_PARAMS, instrument_name: "ETH-25DEC26-2600-C", price: 105, advanced: "usd" };
    assert.match(toldOf("private/buy", inUsd, option), /doesn't show advanced \(requested: usd\)/);
    const linked = { ...LIMIT_PARAMS, linked_order_type: "one_triggers_other", trigger_fill_condition: "first_hit" };
    assert.equal(
      toldOf("private/buy", linked, LIMIT_ORDER),
      `${DIFFERENT}the response doesn't show trigger_fill_condition (requested: first_hit), the response doesn't show linked_order_type (requested: one_triggers_other).${placedAs(LIMIT_ORDER)}`,
    );
    assert.match(
      toldOf("private/buy", linked, { ...LIMIT_ORDER, trigger_fill_condition: "first_hit", oto_order_ids: ["OTO-3"] }),
      /^confirmed:/,
    );
  });

  test("all that differs is told at once", () => {
    const other = { reduce_only: false, mmp: false, display_amount: 1, refresh_amount: 1 };
    assert.equal(
      toldOf("private/buy", LIMIT_PARAMS, { ...LIMIT_ORDER, ...other }),
      `${DIFFERENT}reduce_only is false (requested: true), mmp is false (requested: true), display_amount is 1 (requested: 2).${placedAs(LIMIT_ORDER)}`,
    );
  });

  test("adjusted by the exchange: a post-only price, a price at the band, and a smaller reduce-only size, each with its rule", () => {
    const repriced = { ...LIMIT_ORDER, price: 41, reject_post_only: false };
    assert.equal(
      toldOf("private/buy", { ...LIMIT_PARAMS, reject_post_only: false }, repriced),
      `${DIFFERENT}price is 41 (requested: 41.25), because a post-only order is repriced instead of trading at once. It was placed as order USDC-90871, which is open.`,
    );
    const taking = { ...LIMIT_ORDER, post_only: false, reject_post_only: false };
    const take = { ...LIMIT_PARAMS, post_only: undefined, reject_post_only: undefined };
    const band =
      ", because the exchange moves a price beyond its price band to the limit of the band. It was placed as order USDC-90871, which is open.";
    assert.equal(
      toldOf("private/buy", { ...take, price: 99 }, { ...taking, price: 60 }),
      `${DIFFERENT}price is 60 (requested: 99)${band}`,
    );
    assert.equal(
      toldOf("private/sell", { ...take, price: 1 }, { ...taking, direction: "sell", price: 30 }),
      `${DIFFERENT}price is 30 (requested: 1)${band}`,
    );
    assert.match(
      toldOf("private/buy", { ...LIMIT_PARAMS, contracts: undefined }, { ...LIMIT_ORDER, amount: 5 }),
      /the size is 5 \(requested: 12\), because a reduce-only order can't be larger than the position\./,
    );
  });

  test("what a rule of the exchange explains passes in a run; what none explains fails", () => {
    const isPassed = (params: Members, order: Members): boolean => {
      const response = aResponse("private/buy", 1, { result: { order, trades: [] } });
      return isAsWanted(
        { expect: undefined, until: undefined },
        outcomeOf("private/buy", "write", response, { params }),
        [],
      );
    };
    const repriced = { ...LIMIT_ORDER, price: 41, reject_post_only: false };
    const params = { ...LIMIT_PARAMS, reject_post_only: false };
    assert.deepEqual(
      [
        isPassed(params, repriced),
        isPassed(params, { ...repriced, price: 42 }),
        isPassed(params, { ...repriced, mmp: false }),
        isPassed(params, { ...repriced, order_state: "cancelled" }),
      ],
      [true, false, false, false],
    );
  });

  test("as asked, but shown otherwise: a market order as a limit order", () => {
    const taking = { ...LIMIT_ORDER, post_only: false, reject_post_only: false };
    const market = { instrument_name: "SOL_USDC-PERPETUAL", amount: 12, type: "market", label: "grid-7" };
    const shown = { ...taking, original_order_type: "market", order_state: "filled", filled_amount: 12 };
    assert.equal(
      toldOf("private/buy", market, shown),
      "confirmed: placed as order USDC-90871, which is filled. 12 of 12 filled. The exchange shows the market order as a limit order.",
    );
  });

  test("as asked, but shown otherwise: the order as which a trigger order goes on", () => {
    const child = {
      ...LIMIT_ORDER,
      ...{ direction: "sell", post_only: false, reject_post_only: false, triggered: true },
      ...{ trigger_order_id: "USDC-SLMS-31", order_id: "USDC-90901" },
    };
    assert.match(
      toldOf("private/sell", STOP_PARAMS, child),
      /^confirmed: .*The trigger of order USDC-SLMS-31 fired, and the order goes on as USDC-90901\.$/,
    );
  });

  test("what the exchange itself has ended is not said to rest", () => {
    const overlap = { order_state: "cancelled", cancel_reason: "order_overlap", filled_amount: 3 };
    assert.equal(
      toldOf("private/buy", LIMIT_PARAMS, { ...LIMIT_ORDER, ...overlap }),
      `${DIFFERENT}order USDC-90871 is cancelled (order_overlap).`,
    );
  });

  test("closing a position is compared as well: it names no side, and no amount", () => {
    const order = { ...LIMIT_ORDER, direction: "sell" };
    const close = { instrument_name: "SOL_USDC-PERPETUAL", type: "limit", price: 41.25 };
    assert.match(toldOf("private/close_position", close, order), /^confirmed: placed as order/);
    assert.match(
      toldOf("private/close_position", { ...close, type: "market", price: undefined }, order),
      /type is limit \(requested: market\)/,
    );
    assert.match(
      toldOf("private/close_position", close, { ...order, instrument_name: "ETH_USDC-PERPETUAL" }),
      /^unknown: .*the response is for a different order/,
    );
  });
});

describe("what came back of an edit", () => {
  const params = {
    order_id: "USDC-90871",
    amount: 12,
    price: 41.25,
    post_only: true,
    reject_post_only: true,
    reduce_only: true,
    mmp: true,
    display_amount: 2,
  };
  const told = (change: Members, more: Expectations = {}): string =>
    toldOf("private/edit", params, { ...LIMIT_ORDER, ...change }, { orderId: "USDC-90871", ...more });

  test("each term that the request carries is compared", () => {
    assert.match(told({}), /^confirmed: /);
    assert.match(told({ reduce_only: false }), /reduce_only is false \(requested: true\)/);
    assert.match(told({ refresh_amount: 12, display_amount: 3 }), /display_amount is 12 \(requested: 2\)/);
    assert.match(told({ mmp: false }), /mmp is false \(requested: true\)/);
    assert.match(
      told({ price: 41, reject_post_only: false }),
      /^confirmedOther: .*price is 41 .*is repriced instead .*reject_post_only is false/,
    );
  });

  test("a response about another order or instrument proves nothing", () => {
    assert.match(told({ order_id: "USDC-1" }), /^unknown: .*order_id is USDC-1/);
    const before = { instrument_name: "SOL_USDC-PERPETUAL", direction: "buy" };
    assert.match(told({ instrument_name: "ETH_USDC-PERPETUAL" }, { before }), /^unknown: .*different order/);
    assert.match(told({ direction: "sell" }, { before }), /^unknown: .*different order/);
    assert.match(told({}, { before }), /^confirmed: /);
  });

  test("the order as which a triggered order goes on is named", () => {
    assert.match(
      told({ order_id: "USDC-90901", trigger_order_id: "USDC-90871" }),
      /^confirmed: .*The trigger of order USDC-90871 fired, and the order goes on as USDC-90901\./,
    );
  });

  test("an edit by label has to come back with that label, in that instrument", () => {
    const byLabel = { label: "grid-7", instrument_name: "SOL_USDC-PERPETUAL", amount: 12, price: 41.25 };
    const edited = (change: Members): string => toldOf("private/edit_by_label", byLabel, { ...LIMIT_ORDER, ...change });
    assert.match(edited({}), /^confirmed: /);
    assert.match(edited({ label: "grid-8" }), /^unknown: .*different order/);
    assert.match(edited({ instrument_name: "ETH_USDC-PERPETUAL" }), /^unknown: .*different order/);
    assert.match(edited({ amount: 20 }), /amount is 20 \(requested: 12\)/);
  });
});
