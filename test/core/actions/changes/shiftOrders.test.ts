import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { shiftedPrice, type Shift } from "../../../../src/actions/changes/editOrders.ts";
import type { PriceSteps } from "../../../../src/actions/changes/orderSteps.ts";
import type { Order } from "../../../../src/state/orders.ts";

const STEPS: PriceSteps = { tickSize: 0.0001, tickSizes: [{ abovePrice: 0.005, tickSize: 0.0005 }] };

function order(direction: "buy" | "sell", price: number | string, more: Partial<Order> = {}): Order {
  return { order_id: "1", direction, price, ...more };
}

const ticks = (text: string): Shift => ({ by: "ticks", text });
const percent = (text: string): Shift => ({ by: "percent", text });

describe("a shifted price", () => {
  const rows: readonly (readonly [name: string, order: Order, shift: Shift, expected: string | undefined])[] = [
    ["ticks up", order("buy", 0.001), ticks("3"), "0.0013"],
    ["ticks down", order("sell", 0.001), ticks("-3"), "0.0007"],
    ["the tick of a higher price", order("buy", 0.01), ticks("1"), "0.0105"],
    ["into the range of another tick, a buy is rounded down", order("buy", 0.0048), ticks("4"), "0.005"],
    ["into the range of another tick, a sell is rounded up", order("sell", 0.0048), ticks("4"), "0.0055"],
    ["a percentage of a buy is rounded down", order("buy", 0.0013), percent("10"), "0.0014"],
    ["a percentage of a sell is rounded up", order("sell", 0.0013), percent("10"), "0.0015"],
    ["a percentage down of a buy is rounded down", order("buy", 0.0013), percent("-10"), "0.0011"],
    ["a percentage down of a sell is rounded up", order("sell", 0.0013), percent("-10"), "0.0012"],
    ["no error of binary numbers: 0.1 % of 0.003 is exact", order("sell", 0.003), percent("100"), "0.006"],
    ["a negative price moves up as well", order("buy", -0.003), percent("10"), "-0.0027"],
    ["a market order has no price", order("buy", "market_price"), ticks("1"), undefined],
    ["a price in volatility has no ticks", order("buy", 0.01, { advanced: "implv", implv: 60 }), ticks("1"), undefined],
  ];
  for (const [name, each, shift, expected] of rows)
    test(name, () => assert.equal(shiftedPrice(each, shift, STEPS), expected));

  test("without a known tick there is none", () => {
    assert.equal(shiftedPrice(order("buy", 1), percent("1"), { tickSize: undefined, tickSizes: [] }), undefined);
  });
});
