import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { orderRow, orderTooltip, type OrderRowContext } from "../../../../src/present/orders/orderRow.ts";
import { plain } from "../../../../src/base/plain.ts";
import { markDistance } from "../../../../src/present/orders/orderWords.ts";
import { rowText } from "../../../../src/present/rows/row.ts";
import type { Order } from "../../../../src/state/orders.ts";
import { BERLIN, item, lineOf, NOON_MS, order, textOf } from "../samples.ts";

const CONTEXT: OrderRowContext = {
  connectionId: "main",
  pending: undefined,
  isStale: false,
  namesInstrument: false,
  hasOrdersBelow: false,
};
const STOP: Partial<Order> = {
  direction: "sell",
  order_type: "stop_market",
  order_state: "untriggered",
  price: "market_price",
  trigger: "mark_price",
  trigger_price: 1900,
  amount: 100,
};

describe("the row of an order", () => {
  const cases: readonly [string, Partial<Order>, Partial<OrderRowContext>, string][] = [
    ["a limit order", {}, {}, "[arrow-up charts.green] buy 40 @ 2100 |  | order.open.cancellable ▸"],
    [
      "with label, fill and condition",
      { label: "mm-1", filled_amount: 12, post_only: true },
      {},
      "[arrow-up charts.green] buy 40 @ 2100 | mm-1 · 12 filled | order.open.cancellable ▸",
    ],
    [
      "a sale that only reduces, for a moment",
      { direction: "sell", reduce_only: true, time_in_force: "immediate_or_cancel" },
      {},
      "[arrow-down charts.red] sell 40 @ 2100 | reduce-only · IOC | order.open.cancellable ▸",
    ],
    [
      "numbers without an exponent",
      { amount: 1e-8, price: 1.5e-7, filled_amount: 1e21 },
      {},
      "[arrow-up charts.green] buy 0.00000001 @ 0.00000015 | ≈1\u202F000\u202F000\u202F000\u202F000\u202F000\u202F000\u202F000 filled | order.open.cancellable ▸",
    ],
    [
      "flat with an unknown outcome, the instrument last",
      { label: "mm-1" },
      { namesInstrument: true, pending: "unknown" },
      "[question problemsWarningIcon.foreground] buy 40 @ 2100 | outcome unknown · ETH-PERP · mm-1 | order.open.cancellable.unknown ▸",
    ],
    [
      "flat, the instrument first",
      { label: "mm-1" },
      { namesInstrument: true },
      "[arrow-up charts.green] ETH-PERP buy 40 @ 2100 | mm-1 | order.open.cancellable ▸",
    ],
    ["a stop at market", STOP, {}, "[arrow-down charts.red] sell 100 @ market | SL 1900 | order.open.cancellable ▸"],
    [
      "a stop with a limit",
      { ...STOP, order_type: "stop_limit", price: 1890 },
      {},
      "[arrow-down charts.red] sell 100 @ 1890 | SL 1900 | order.open.cancellable ▸",
    ],
    [
      "a trailing stop",
      { ...STOP, order_type: "trailing_stop", trigger_offset: 50 },
      {},
      "[arrow-down charts.red] sell 100 @ market | trailing 50 | order.open.cancellable ▸",
    ],
    [
      "a trigger that names no source",
      { ...without(STOP, "trigger") },
      {},
      "[arrow-down charts.red] sell 100 @ market | SL 1900 | order.open.cancellable ▸",
    ],
    [
      "a stop that has fired",
      { ...STOP, triggered: true, order_state: "open" },
      {},
      "[arrow-down charts.red] sell 100 @ market | stop market | order.open.cancellable ▸",
    ],
    [
      "an odd type",
      { order_type: "market_limit" },
      {},
      "[arrow-up charts.green] buy 40 @ 2100 | market limit | order.open.cancellable ▸",
    ],
    [
      "an unknown state",
      { order_state: "hibernating" },
      {},
      "[arrow-up charts.green] buy 40 @ 2100 | hibernating | order.open.cancellable ▸",
    ],
    [
      "an unknown direction",
      { direction: "sideways" },
      {},
      "[circle-outline] sideways 40 @ 2100 |  | order.open.cancellable ▸",
    ],
    [
      "a price of words",
      { price: "best_bid" },
      {},
      "[arrow-up charts.green] buy 40 @ best_bid |  | order.open.cancellable ▸",
    ],
    [
      "stale",
      {},
      { isStale: true },
      "[arrow-up disabledForeground] buy 40 @ 2100 | stale | order.open.cancellable.stale ▸",
    ],
    ["being cancelled", {}, { pending: "sending" }, "[loading~spin] buy 40 @ 2100 | cancelling… | order.pending ▸"],
    [
      "being looked up",
      {},
      { pending: "verifying" },
      "[loading~spin] buy 40 @ 2100 | outcome unknown | order.pending ▸",
    ],
    [
      "with an unknown outcome",
      {},
      { pending: "unknown", isStale: true },
      "[question problemsWarningIcon.foreground] buy 40 @ 2100 | outcome unknown · stale | order.open.cancellable.unknown.stale ▸",
    ],
    [
      "text that would forge",
      { label: "x\u202E$(lock)\n[a](command:b)" },
      {},
      "[arrow-up charts.green] buy 40 @ 2100 | x\\u202E$ (lock)… | order.open.cancellable ▸",
    ],
  ];
  const withMarket: readonly [string, Partial<Order>, Partial<OrderRowContext>, string][] = [
    ["beside a short label, as far as a narrow row shows", { label: "mm-1" }, {}, "mm-1 · −2.8 %"],
    ["beside a long label, which is cut", { label: "a-very-long-label-of-a-bot" }, {}, "a-very-long-lab…"],
    ["beside a label that the program made up", { label: "rpc-0123456789abcdef" }, {}, "−2.8 % · 5 min"],
    ["with the instrument", { label: "mm-1" }, { namesInstrument: true }, "mm-1 · −2.8 % · 5 min"],
    ["above the mark price", {}, { distance: 12 }, "+12 % · 5 min"],
    ["at the mark price", {}, { distance: 0 }, "0 % · 5 min"],
    ["no mark price is known", {}, { distance: undefined }, "5 min"],
    ["under way, nothing but that matters", {}, { pending: "sending" }, "cancelling…"],
  ];
  for (const [name, members, context, expected] of withMarket) {
    test(`distance to the mark price and age: ${name}`, () => {
      const row = orderRow(item(order("1", members)), { ...CONTEXT, distance: -2.8, age: plain`5 min`, ...context });
      assert.equal(row.description, expected);
    });
  }

  test("distance and age are spoken in words", () => {
    const row = orderRow(item(order("1")), { ...CONTEXT, distance: -2.8, age: plain`5 min` });
    assert.equal(row.spoken, "ETH-PERPETUAL: buy 40 @ 2100, 2.8% below the mark price, placed 5 min ago, 1");
  });

  const distances: readonly [Partial<Order>, number | undefined, number | undefined][] = [
    [{ price: 97.2 }, 100, -2.8],
    [{ price: 112.4 }, 100, 12],
    [{ price: 99.999 }, 100, 0],
    [{ price: "market_price" }, 100, undefined],
    [{ price: 90 }, undefined, undefined],
    [{ price: 90 }, 0, undefined],
    [{ price: 0.5, advanced: "implv" }, 100, undefined],
    // What waits for its trigger is as far away as the trigger price.
    [{ price: 90, trigger_price: 95, order_state: "untriggered" }, 100, -5],
    [{ price: 90, trigger_price: 95, triggered: true }, 100, -10],
  ];
  for (const [members, mark, expected] of distances) {
    test(`the distance of ${JSON.stringify(members)} to ${String(mark)}`, () => {
      assert.equal(
        markDistance(order("1", members), () => mark),
        expected,
      );
    });
  }

  for (const [name, members, context, expected] of cases) {
    test(name, () => {
      assert.equal(lineOf(orderRow(item(order("1", members)), { ...CONTEXT, ...context })), expected);
    });
  }

  test("without amount and price", () => {
    const bare = without(without(order("1"), "amount"), "price") as Order;
    assert.equal(lineOf(orderRow(item(bare), CONTEXT)), "[arrow-up charts.green] buy |  | order.open.cancellable ▸");
  });

  const ends: readonly [Partial<Order>, string][] = [
    [{ order_state: "filled", filled_amount: 40 }, "[check disabledForeground] buy 40 @ 2100 | filled | order.ended ▸"],
    [
      { order_state: "cancelled", cancel_reason: "user_request" },
      "[circle-slash disabledForeground] buy 40 @ 2100 | cancelled | order.ended ▸",
    ],
    [{ order_state: "cancelled" }, "[circle-slash disabledForeground] buy 40 @ 2100 | cancelled | order.ended ▸"],
    [{ order_state: "rejected" }, "[circle-slash disabledForeground] buy 40 @ 2100 | rejected | order.ended ▸"],
    [{ order_state: "triggered" }, "[circle-slash disabledForeground] buy 40 @ 2100 | triggered | order.ended ▸"],
    [{ order_state: "archive" }, "[circle-slash disabledForeground] buy 40 @ 2100 | archived | order.ended ▸"],
    [{ order_state: "open" }, "[circle-slash disabledForeground] buy 40 @ 2100 | no longer open | order.ended ▸"],
  ];
  for (const [members, expected] of ends) {
    test(`ended: ${JSON.stringify(members)}`, () => {
      assert.equal(lineOf(orderRow(item(order("1", members), NOON_MS), { ...CONTEXT, pending: "sending" })), expected);
    });
  }

  test("what is copied and what is heard", () => {
    const row = orderRow(item(order("ETH/%2F1", { label: "mm-1", filled_amount: 12 })), CONTEXT);
    assert.equal(row.id, "main/orders/order/ETH%2F%252F1");
    assert.equal(row.copyText, "ETH/%2F1");
    assert.equal(row.objectId, "ETH/%2F1");
    assert.equal(row.spoken, "ETH-PERPETUAL: buy 40 @ 2100, label mm-1, 12 filled, ETH/%2F1");
  });

  test("a change that is not seen does not change the text of the row", () => {
    const before = rowText(orderRow(item(order("1")), CONTEXT));
    assert.equal(rowText(orderRow(item(order("1", { last_update_timestamp: NOON_MS + 1 })), CONTEXT)), before);
    assert.notEqual(rowText(orderRow(item(order("1", { filled_amount: 1 })), CONTEXT)), before);
  });
});

describe("the tooltip of an order", () => {
  test("words first, then every member, also unknown ones", () => {
    const lines = orderTooltip(
      item(order("1", { ...STOP, starbase_order_id: 144790485158858750, newcomer: { a: [1] } }), NOON_MS),
      { ...CONTEXT, isStale: true },
      BERLIN,
    );
    assert.deepEqual(textOf(lines), [
      "ETH-PERPETUAL: sell 100 @ market",
      "stop market, triggers at 1900 (mark price)",
      "no longer open, seen at 13:00:00",
      "not up to date: this is the last known state",
      "order_id = 1",
      "instrument_name = ETH-PERPETUAL",
      "order_state = untriggered",
      "direction = sell",
      "amount = 100",
      "filled_amount = 0",
      "price = market_price",
      "order_type = stop_market",
      "time_in_force = good_til_cancelled",
      "label = (empty)",
      "creation_timestamp = 2026-11-20 13:00:00.000 GMT+1 (2026-11-20 12:00:00.000 UTC)",
      "last_update_timestamp = 2026-11-20 13:00:00.000 GMT+1 (2026-11-20 12:00:00.000 UTC)",
      "trigger = mark_price",
      "trigger_price = 1900",
      "starbase_order_id = ≈144790485158858750",
      'newcomer = {"a":[1]}',
    ]);
  });

  test("what is under way", () => {
    assert.equal(
      textOf(orderTooltip(item(order("1")), { ...CONTEXT, pending: "unknown" }, BERLIN))[1],
      "outcome of a change unknown",
    );
  });
});

function without(members: Partial<Order>, name: keyof Order): Partial<Order> {
  return Object.fromEntries(Object.entries(members).filter(([each]) => each !== name));
}
