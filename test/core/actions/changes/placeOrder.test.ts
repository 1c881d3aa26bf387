import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { readOrderLine, type OrderLine } from "../../../../src/actions/changes/orderLine.ts";
import {
  draftProblem,
  marketText,
  notionalText,
  orderRequestText,
  placeTypedOrder,
  type TypedOrder,
  type OrderOptions,
} from "../../../../src/actions/changes/placeOrder.ts";
import type { Instrument } from "../../../../src/state/instruments.ts";

function typed(line: string): OrderLine {
  const read = readOrderLine(line);
  assert.ok(!("problem" in read), line);
  return read;
}

function draft(line: string, options: OrderOptions = {}): TypedOrder {
  return { instrument: "BTC-PERPETUAL", side: "buy", line: typed(line), options };
}

const CONTEXT = {
  origin: "palette",
  label: "rpc-1",
  knownIds: ["7", "8"],
  preview: [plain`Order margin: 1 BTC`],
  isOutOfBand: false,
} as const;

function instrument(kind: string, [base, quote, settlement]: readonly string[]): Instrument {
  return {
    ...{ name: "X", id: 1, kind, isActive: true, expiresAtMs: undefined },
    steps: { tickSize: 0.5, tickSizes: [], minAmount: 10, contractSize: 10 },
    currencies: { base, quote, settlement },
  };
}

describe("an order from a command", () => {
  test("has a label, is post-only unless it says otherwise, and keeps its digits", () => {
    const params = (line: string, options?: OrderOptions): string =>
      placeTypedOrder(draft(line, options), CONTEXT).paramsText;
    const limit = '"type":"limit","price":60000.50,"time_in_force":"good_til_cancelled"';
    const posted = '"post_only":true,"reject_post_only":true';
    const start = '{"instrument_name":"BTC-PERPETUAL","amount":9007199254740993';
    assert.equal(params("9007199254740993 @ 60000.50"), `${start},${limit},${posted},"label":"rpc-1"}`);
    assert.equal(
      params("9007199254740993 @ 60000.50 reduce", { isTaking: true }),
      `${start},${limit},"reduce_only":true,"label":"rpc-1"}`,
    );
    assert.match(
      params("1e-8 @ 0.30000000000000004 ioc"),
      /"amount":1e-8,.*"price":0\.30000000000000004,"time_in_force":"immediate_or_cancel","label"/,
    );
    assert.equal(
      params("10 @ market"),
      '{"instrument_name":"BTC-PERPETUAL","amount":10,"type":"market","label":"rpc-1"}',
    );
    const stop = { type: "stop_limit", trigger: "mark_price", trigger_price: "59000.0", display_amount: "1.0" };
    assert.match(
      params("10 @ 60000", stop),
      /"type":"stop_limit","price":60000,"trigger":"mark_price","trigger_price":59000\.0,"time_in_force":"good_til_cancelled","display_amount":1\.0,"label"/,
    );
  });

  test("says amount and price first, then terms, what the server says, the label, and the deadline", () => {
    const intent = placeTypedOrder({ ...draft("10 @ 60000"), side: "sell" }, CONTEXT);
    assert.equal(intent.method, "private/sell");
    assert.equal(intent.words.sentence, "Sell 10 BTC-PERPETUAL @ 60\u202F000");
    assert.deepEqual(intent.words.detail, [
      "limit · good_til_cancelled · post-only, rejected if it would trade at once",
      "Order margin: 1 BTC",
      "Label: rpc-1",
      "The exchange refuses the order if it arrives more than 8 s after you confirm.",
    ]);
    assert.equal(intent.validForMs, 8000);
    assert.deepEqual(intent.before, { order_ids: "7 8" });
  });

  test("asks to type a price out of the exchange's band", () => {
    const intent = placeTypedOrder(draft("10 @ 60000.50"), { ...CONTEXT, isOutOfBand: true });
    assert.deepEqual([intent.isBlind, intent.typed], [true, "60000.50"]);
    assert.equal(placeTypedOrder(draft("10 @ 60000.50"), CONTEXT).isBlind, undefined);
  });

  test("as a request has the same parameters, one in a line", () => {
    const text = orderRequestText(draft("10.0 @ 60000.50 ioc"), undefined);
    assert.match(
      text,
      /"method": "private\/buy",\n {2}"params": \{\n {4}"instrument_name": "BTC-PERPETUAL",\n {4}"amount": 10\.0,/,
    );
    assert.ok(!text.includes("label"));
    assert.doesNotThrow(() => JSON.parse(text) as unknown);
  });
});

describe("what the exchange would not take", () => {
  const future = instrument("future", ["BTC", "USD", "BTC"]);
  const problem = (line: string, options?: OrderOptions): string | undefined =>
    draftProblem(draft(line, options), future);

  test("steps and minimum", () => {
    assert.equal(problem("10 @ 60000.5"), undefined);
    assert.match(problem("10 @ 60000.3") ?? "", /tick size 0\.5.*60\u202F000\.0 and 60\u202F000\.5/);
    assert.match(problem("5 @ 60000") ?? "", /below the minimum 10/);
    assert.match(problem("15 @ 60000") ?? "", /isn't a multiple of 10/);
    assert.equal(draftProblem(draft("15 @ 60000.3"), undefined), undefined);
  });

  test("terms that contradict each other", () => {
    assert.match(problem("10 @ market", { type: "stop_limit" }) ?? "", /needs a price/);
    assert.match(problem("10 @ 60000", { type: "stop_market" }) ?? "", /has no price/);
    assert.match(problem("10 @ market", { type: "stop_market" }) ?? "", /needs a trigger and a trigger price/);
    assert.match(problem("10 @ market", { type: "trailing_stop", trigger: "mark_price" }) ?? "", /trigger offset/);
    assert.match(problem("10 @ 60000 post", { isTaking: true }) ?? "", /Remove post/);
  });
});

test("the notional in both units, from the amount and the price alone", () => {
  const text = (line: string, kind: string, currencies: readonly string[]): string | undefined =>
    notionalText(typed(line), instrument(kind, currencies));
  assert.equal(text("100 @ 50000", "future", ["BTC", "USD", "BTC"]), "100 USD = 0.002 BTC");
  assert.equal(text("10 @ 30000", "future", ["BTC", "USD", "BTC"]), "10 USD ≈ 0.00033333 BTC");
  assert.equal(text("0.1 @ 0.2", "future", ["SOL", "USDC", "USDC"]), "0.1 SOL = 0.02 USDC");
  assert.equal(text("2 @ 0.0505", "option", ["BTC", "BTC", "BTC"]), "2 BTC = 0.101 BTC");
  assert.equal(text("2 @ market", "option", ["BTC", "BTC", "BTC"]), undefined);
  assert.equal(text("2 @ 3", "future_combo", ["BTC", "USD", "BTC"]), undefined);
});

test("prices with their age, and only what the server says", () => {
  const future = instrument("future", ["BTC", "USD", "BTC"]);
  const prices = { bid: 59999.5, ask: undefined, mark: 60000.12, readAtMs: 1000 };
  assert.equal(
    marketText(prices, future, 4200),
    "bid 59\u202F999.5 · no asks · mark 60\u202F000.12 · tick 0.5 · minimum 10 · 3 s ago",
  );
  assert.equal(marketText(undefined, future, 4200), "no prices from this server · tick 0.5 · minimum 10");
});
