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
const LINEAR: Instrument = {
  ...FUTURE,
  name: "XRP_USDC-PERPETUAL",
  currencies: { base: "XRP", quote: "USDC", settlement: "USDC" },
};
const OPTION: Instrument = {
  ...{ ...FUTURE, name: "ETH-25SEP26-3000-C", kind: "option" },
  currencies: { base: "ETH", quote: "ETH", settlement: "ETH" },
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
      "Price band: 59\u202F000 to 60\u202F000.5 (private/get_margins)",
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

  const beyond: readonly (readonly [side: "buy" | "sell", price: string, line: string | undefined])[] = [
    ["buy", "60000.50000001", "above the maximum for buy orders. The exchange lowers it to 60\u202F000.5, or refuses"],
    ["buy", "60000.50", undefined],
    ["buy", "9000", undefined],
    ["sell", "58999.99", "below the minimum for sell orders. The exchange raises it to 59\u202F000, or refuses"],
    ["sell", "59000.0", undefined],
    ["sell", "900000", undefined],
  ];
  for (const [side, price, line] of beyond)
    test(`a ${side} order at ${price} ${line === undefined ? "rests, or trades within the band" : `is ${line}`}`, async () => {
      const { read } = server({ "private/get_margins": MARGINS });
      const draft = { ...DRAFT, side, line: { ...DRAFT.line, price } };
      const { isOutOfBand, lines } = await readOrderPreview(draft, FUTURE, read);
      const told = lines.filter((each) => /maximum|minimum/.test(each));
      assert.deepEqual([isOutOfBand, told.length], [line !== undefined, line === undefined ? 0 : 1]);
      assert.ok(told.every((each) => each.includes(line ?? "")));
    });

  /** The exchange counts simulated positions of futures in USD, and of options in coins. */
  const portfolios: readonly (readonly [what: string, instrument: Instrument, mark: unknown, position: unknown])[] = [
    ["an inverse future in its amount", FUTURE, 2.5, -12.5],
    ["a linear future in its value at the mark", LINEAR, 0.24816, -3.102],
    ["an option in its amount", OPTION, 0.05, -12.5],
    ["a linear option in its amount", { ...OPTION, currencies: LINEAR.currencies }, 120.5, -12.5],
  ];
  for (const [what, instrument, mark, position] of portfolios)
    test(`simulates ${what}`, async () => {
      const { read, asked } = server({
        "private/simulate_portfolio": PORTFOLIO,
        "public/ticker": { mark_price: mark, index_price: 7 },
      });
      const draft = { ...DRAFT, instrument: instrument.name, line: { ...DRAFT.line, amount: "12.5" } };
      const { lines } = await readOrderPreview(draft, instrument, read);
      const [simulation] = asked.filter((each) => each.startsWith("private/simulate_portfolio"));
      assert.equal(
        simulation,
        `private/simulate_portfolio ${JSON.stringify({ currency: instrument.currencies.settlement, add_positions: true, simulated_positions: { [instrument.name]: position } })}`,
      );
      assert.match(lines.at(-1) ?? "", /^If filled completely: initial margin 0\.1, /);
    });

  test("simulates no linear future without its mark price, or without a price in USD", async () => {
    const priced = { ...LINEAR, currencies: { base: "XRP", quote: "EURR", settlement: "EURR" } };
    for (const [instrument, ticker] of [
      [LINEAR, { mark_price: null }],
      [LINEAR, undefined],
      [priced, { mark_price: 0.25 }],
    ] as const) {
      const { read, asked } = server({ "private/simulate_portfolio": PORTFOLIO, "public/ticker": ticker });
      const { lines } = await readOrderPreview(DRAFT, instrument, read);
      assert.ok(!asked.some((each) => each.startsWith("private/simulate_portfolio")));
      assert.equal(lines.at(-1), "Account margin if filled completely: not available from this server.");
    }
  });

  test("with cross margin, the account's figures are said to be those of all currencies", async () => {
    const { read } = server({ "private/simulate_portfolio": { ...PORTFOLIO, cross_collateral_enabled: true } });
    const { lines } = await readOrderPreview(DRAFT, FUTURE, read);
    assert.equal(
      lines.at(-1),
      "If filled completely, for all currencies together: initial margin 0.1, maintenance margin 0.05, available funds 9.85 BTC (private/simulate_portfolio)",
    );
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
