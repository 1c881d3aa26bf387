import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  readMarketCost,
  readBestPrices,
  readOrderPreview,
  type ReadFigures,
} from "../../../../src/actions/changes/orderPreview.ts";
import type { TypedOrder } from "../../../../src/actions/changes/placeOrder.ts";
import type { Instrument } from "../../../../src/state/instruments.ts";

const DRAFT: TypedOrder = {
  instrument: "BTC-PERPETUAL",
  side: "sell",
  line: { amount: "10", price: "60000.50", timing: undefined, isReduceOnly: false },
  options: {},
};
const FUTURE: Instrument = {
  ...{ name: "BTC-PERPETUAL", id: 1, kind: "future", isActive: true, expiresAtMs: undefined },
  steps: { tickSize: 0.5, tickSizes: [], minAmount: 10, contractSize: 10 },
  currencies: { base: "BTC", quote: "USD", settlement: "BTC" },
};
const MARGINS = {
  ...{ buy: 1, sell: 0.0000045, buy_taker_fee: 2, buy_maker_fee: 3, sell_taker_fee: 8e-8, sell_maker_fee: 0 },
  ...{ min_price: 59000, max_price: 60000.5 },
};
const PORTFOLIO = { initial_margin: 0.1, maintenance_margin: 0.05, available_funds: 9.85 };

function server(results: Readonly<Record<string, unknown>>): { readonly read: ReadFigures; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async read(method, params) {
      asked.push(`${method} ${JSON.stringify(params)}`);
      return await Promise.resolve(results[method]);
    },
  };
}

describe("what the server says about an order", () => {
  test("each figure names its source, those of its side alone", async () => {
    const { read, asked } = server({ "private/get_margins": MARGINS, "private/simulate_portfolio": PORTFOLIO });
    const { lines, isOutOfBand } = await readOrderPreview(DRAFT, FUTURE, read);
    assert.deepEqual(lines, [
      "Order margin: 0.0000045 BTC (private/get_margins)",
      "Fee: 0.00000008 BTC as taker, 0 BTC as maker (private/get_margins)",
      "Price band: 59000 to 60000.5 (private/get_margins)",
      "If filled completely: initial margin 0.1, maintenance margin 0.05, available funds 9.85 BTC (private/simulate_portfolio)",
    ]);
    assert.equal(isOutOfBand, false);
    assert.deepEqual(asked, [
      'private/get_margins {"instrument_name":"BTC-PERPETUAL","amount":10,"price":60000.5}',
      'private/simulate_portfolio {"currency":"BTC","add_positions":true,"simulated_positions":{"BTC-PERPETUAL":-10}}',
    ]);
  });

  test("a server without the methods is shown without a figure", async () => {
    const { lines, isOutOfBand } = await readOrderPreview(DRAFT, FUTURE, server({}).read);
    assert.equal(/\d/.test(lines.join("")), false);
    assert.equal(lines.length, 2);
    assert.equal(isOutOfBand, false);
  });

  test("a price out of the band", async () => {
    for (const [price, isOut] of [
      ["60000.50000001", true],
      ["58999.99", true],
      ["59000.0", false],
    ] as const) {
      const { read } = server({ "private/get_margins": MARGINS });
      const { isOutOfBand, lines } = await readOrderPreview({ ...DRAFT, line: { ...DRAFT.line, price } }, FUTURE, read);
      assert.deepEqual([isOutOfBand, lines.includes("The price is outside of this band.")], [isOut, isOut], price);
    }
  });

  test("nothing is asked that the server could only answer with a guess", async () => {
    const { read, asked } = server({ "private/get_margins": MARGINS, "private/simulate_portfolio": PORTFOLIO });
    const spot = { ...FUTURE, kind: "spot", currencies: { base: "BTC", quote: "USDC", settlement: undefined } };
    const { lines } = await readOrderPreview({ ...DRAFT, line: { ...DRAFT.line, price: undefined } }, spot, read);
    assert.deepEqual(asked, []);
    assert.equal(/\d/.test(lines.join("")), false);
  });
});

test("best prices: an empty side has none", async () => {
  const ticker = { best_bid_price: 0, best_bid_amount: 0, best_ask_price: null, mark_price: 5.5 };
  assert.deepEqual(await readBestPrices("X", server({ "public/ticker": ticker }).read, () => 7), {
    ...{ bid: undefined, ask: undefined, mark: 5.5, readAtMs: 7 },
  });
  assert.equal(await readBestPrices("X", server({}).read, () => 7), undefined);
});

describe("a market order by the book", () => {
  const cost = async (book: unknown, amount: string, isInverse = false): Promise<unknown> =>
    await readMarketCost(
      { instrument: "X", side: "buy", amount },
      isInverse,
      server({ "public/get_order_book": book }).read,
    );

  test("average and worst price are exact", async () => {
    const asks = [
      [0.1, 1],
      [0.2, 2],
      [0.4, 100],
    ];
    assert.deepEqual(await cost({ asks, bids: [] }, "3"), { average: "0.16666666", worst: "0.2", offered: undefined });
    assert.deepEqual(await cost({ asks, bids: [] }, "1"), { average: "0.1", worst: "0.1", offered: undefined });
  });

  test("an inverse future weighs by the base currency", async () => {
    const asks = [
      [50000, 50000],
      [100000, 100000],
    ];
    assert.deepEqual(await cost({ asks }, "150000", true), { average: "75000", worst: "100000", offered: undefined });
  });

  test("a book that offers less says how much, and an empty side or an odd book says nothing else", async () => {
    assert.deepEqual(await cost({ asks: [[2, 3]] }, "10"), { average: "2", worst: "2", offered: "3" });
    assert.equal(await cost({ asks: [], bids: [[1, 1]] }, "10"), "empty");
    assert.equal(await cost({ asks: [["2", 3]] }, "10"), undefined);
    assert.equal(await cost(undefined, "10"), undefined);
  });
});
