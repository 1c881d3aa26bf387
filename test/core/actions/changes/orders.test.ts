import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Changed } from "../../../../src/base/failure.ts";
import { cancelOrder, cancelOrders, describeOrder, type OrderContext } from "../../../../src/actions/changes/orders.ts";
import type { Order } from "../../../../src/state/orders.ts";
import { pluck } from "../../../pluck.ts";
import { anOrder } from "../fakeSession.ts";

const context: OrderContext = { origin: "palette", nowMs: 1_700_000_000_000 + 3 * 60_000, current: () => undefined };

describe("an order in one line", () => {
  const cases: readonly (readonly [string, Partial<Order>, string])[] = [
    ["limit", {}, "ETH-PERPETUAL buy 40 @ 2100"],
    [
      "tiny numbers without an exponent",
      { amount: 1e-8, price: 0.0000001 },
      "ETH-PERPETUAL buy 0.00000001 @ 0.0000001",
    ],
    ["market", { price: "market_price" }, "ETH-PERPETUAL buy 40 @ market"],
    ["no price", { price: undefined }, "ETH-PERPETUAL buy 40 @ market"],
    [
      "trigger",
      { price: 2000, trigger_price: 1990.5, order_state: "untriggered" },
      "ETH-PERPETUAL buy 40 @ 2000, trigger 1990.5",
    ],
    ["no amount", { amount: undefined }, "ETH-PERPETUAL buy ? @ 2100"],
    ["names that deceive", { instrument_name: "ETH\u202E$(x)" }, "ETH\\u202E$ (x) buy 40 @ 2100"],
  ];
  for (const [name, more, expected] of cases)
    test(name, () => assert.equal(describeOrder(anOrder("ETH-1", more)), expected));
});

describe("the wish to cancel an order", () => {
  test("is the request with its words", () => {
    const intent = cancelOrder(anOrder("ETH-349280", { filled_amount: 12 }), context);
    assert.deepEqual(JSON.parse(JSON.stringify(intent)), {
      method: "private/cancel",
      paramsText: `{"order_id":"ETH-349280"}`,
      origin: "palette",
      isRecentlyMoved: false,
      filledAsShown: 12,
      words: {
        action: "Cancel Order",
        target: "ETH-PERPETUAL buy 40 @ 2100",
        sentence: "Cancel ETH-PERPETUAL buy 40 @ 2100",
        detail: ["ID ETH-349280", "label mm-1", "12 of 40 filled", "placed 3 min ago"],
        keep: "Keep Order",
      },
    });
  });

  const ages: readonly (readonly [number, string])[] = [
    [-5, "placed 0 s ago"],
    [59, "placed 59 s ago"],
    [60, "placed 1 min ago"],
    [3599, "placed 59 min ago"],
    [3600, "placed 1 h ago"],
    [86_400, "placed 1 d ago"],
  ];
  for (const [seconds, expected] of ages) {
    test(`${String(seconds)} s: ${expected}`, () => {
      const { words } = cancelOrder(anOrder("O1", { creation_timestamp: context.nowMs - seconds * 1000 }), context);
      assert.equal(words.detail.at(-1), expected);
    });
  }

  test("leaves out what there is not", () => {
    const { words } = cancelOrder(anOrder("O1", { label: "", filled_amount: undefined }), context);
    assert.deepEqual(words.detail, ["ID O1", "placed 3 min ago"]);
  });

  test("holds as long as the order reads the same", () => {
    let now: Order | undefined = anOrder("O1");
    const intent = cancelOrder(anOrder("O1"), { ...context, current: () => now });
    const changed = (): Changed | undefined => intent.changedObject?.();
    assert.equal(changed(), undefined);
    now = anOrder("O1", { filled_amount: 12, order_state: "filled" });
    assert.equal(changed(), undefined);
    now = undefined;
    assert.equal(changed(), undefined);
    for (const more of [{ price: 2101 }, { amount: 41 }, { direction: "sell" }, { trigger_price: 1 }]) {
      now = anOrder("O1", more);
      assert.equal(changed(), "order", JSON.stringify(more));
    }
  });

  test("an id keeps its characters on the wire", () => {
    const id = `a"b\\c\u202E`;
    assert.deepEqual(JSON.parse(cancelOrder(anOrder(id), context).paramsText), { order_id: id });
  });
});

describe("the wish to cancel several orders", () => {
  test("is one request each, and words for those that are left", () => {
    const { intents, describe: words } = cancelOrders([anOrder("O1"), anOrder("O2"), anOrder("O3")], context);
    assert.deepEqual(pluck(intents, "paramsText"), [`{"order_id":"O1"}`, `{"order_id":"O2"}`, `{"order_id":"O3"}`]);
    assert.deepEqual(words(intents.slice(1)), {
      action: "Cancel 2 Orders",
      target: "2 orders",
      sentence: "Cancel 2 orders",
      detail: ["ETH-PERPETUAL buy 40 @ 2100 · ID O2", "ETH-PERPETUAL buy 40 @ 2100 · ID O3"],
      keep: "Keep Orders",
      show: "Show Orders",
    });
  });
});
