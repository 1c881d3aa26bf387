import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Fact } from "../../../src/exchange/facts.ts";
import type { RiskRequest } from "../../../src/exchange/risk.ts";
import { play } from "./script.ts";
import { testTranscript } from "./transcript.ts";
import { createWorld, INSTRUMENT } from "./world.ts";

/* What the engine asks the ledger and tells it, and what it is asked itself. */

/** Plays a script, and returns what the ledger was asked. */
function questions(script: string): string[] {
  const asked: string[] = [];
  play(script, {
    accepts(account, { direction, amount, price, reduceOnly, replaces }: RiskRequest) {
      const price_ = price === undefined ? "any price" : String(price);
      const words = [account, direction, String(amount), "@", price_];
      asked.push(
        [...words, ...(reduceOnly ? ["reduce"] : []), ...(replaces === undefined ? [] : ["for", replaces])].join(" "),
      );
      return undefined;
    },
  });
  return asked;
}

describe("the ledger is asked", () => {
  test("before an order rests or trades, with the worst price that it can get", () => {
    assert.deepEqual(
      questions(`
        band 90 110
        A sell 5 @ 100
        B buy 5 market
        B sell 7 market
        A buy 3 market_limit
        A sell 5 @ 95 post
        B close @ 101`),
      [
        "A sell 5 @ 100",
        "B buy 5 @ 100",
        "B sell 7 @ 90",
        "A buy 3 @ any price",
        "A sell 5 @ 95",
        "B sell 5 @ 101 reduce",
      ],
    );
  });

  test("about an order that waits when it is triggered, as what it is filed under by then", () => {
    assert.deepEqual(
      questions(`
        last 100
        A buy 5 @ 106 stop_limit last=105
        B buy 5 @ 90 oto | sell @ 107
        C sell 2 @ 90
        last 105`),
      ["B buy 5 @ 90", "C sell 2 @ 90", "B sell 5 @ 107 for 5", "A buy 5 @ 106 for 6"],
    );
  });

  test("about an edit with what is left of the order, which is free again; not about a smaller one", () => {
    assert.deepEqual(
      questions(`
        A sell 10 @ 100
        B buy 4 @ 100
        A edit 1 amount=12
        A edit 1 amount=11
        A edit 1 price=101`),
      ["A sell 10 @ 100", "B buy 4 @ 100", "A sell 8 @ 100 for 1", "A sell 7 @ 101 for 1"],
    );
  });

  test("not about what it closes itself", () => {
    assert.deepEqual(questions("A buy 10 @ 100 liquidation"), []);
  });

  const poor = {
    accepts: (account: string) => (account === "P" ? ({ word: "not_enough_funds" } as const) : undefined),
  };
  testTranscript(
    "and its refusal is final",
    `
last 100
P sell 5 @ 100
  refused: not_enough_funds
P sell 5 stop_market last=95
  placed 2 sell 5 stop_market at last 95
last 95
  triggered 2 sell 5 stop_market: goes on as 3
  placed 3 sell 5 market from 2
  rejected 3 sell 5 market from 2: not_enough_funds
= nothing | nothing
`,
    poor,
  );
});

describe("the ledger is told", () => {
  test("each fact as it happens, and the same that the operation returns", () => {
    const told: Fact[] = [];
    const { engine } = createWorld({ take: (fact) => told.push(fact) });
    const order = { instrument: INSTRUMENT.name, amount: 5, price: 100 } as const;
    const first = engine.place({ ...order, account: "A", direction: "buy" }, 1);
    const second = engine.place({ ...order, account: "B", direction: "sell" }, 2);
    assert.deepEqual(told, [...first.facts, ...second.facts]);
    assert.deepEqual(
      told.map(({ kind }) => kind),
      ["placed", "book", "placed", "trade", "filled", "filled", "book"],
    );
  });

  test("a trade in full", () => {
    const { engine } = createWorld();
    const order = { instrument: INSTRUMENT.name, price: 100 } as const;
    engine.place({ ...order, account: "A", direction: "buy", amount: 5 }, 1);
    const { facts } = engine.place({ ...order, account: "B", direction: "sell", amount: 2 }, 7);
    assert.deepEqual(
      facts.flatMap((fact) => (fact.kind === "trade" ? [fact.trade] : [])),
      [
        {
          tradeId: 1,
          tradeSeq: 1,
          instrument: "X",
          price: 100,
          amount: 2,
          atMs: 7,
          direction: "sell",
          maker: { orderId: "1", account: "A", remaining: 3 },
          taker: { orderId: "2", account: "B", remaining: 0 },
        },
      ],
    );
  });
});

describe("a trade outside of the book", () => {
  const instrument = INSTRUMENT.name;
  const trade = {
    instrument,
    price: 95,
    amount: 4,
    direction: "sell",
    maker: { orderId: "a", account: "A", remaining: 0 },
    taker: { orderId: "m", account: "M", remaining: 0 },
  } as const;

  test("is booked and numbered like those of the book, and is the last price", () => {
    const { engine, positions } = createWorld();
    engine.place({ account: "B", instrument, direction: "buy", amount: 1, price: 96 }, 1);
    engine.place({ account: "C", instrument, direction: "sell", amount: 1, price: 96 }, 2);
    const [fact] = engine.report(trade, 3);
    assert.deepEqual(fact, { kind: "trade", trade: { ...trade, tradeId: 2, tradeSeq: 2, atMs: 3 } });
    assert.deepEqual([positions.get("A"), positions.get("M")], [4, -4]);
    assert.equal(engine.prices(instrument).last, 95);
  });

  test("lets a trigger go on that watches the last price", () => {
    const { engine } = createWorld();
    const stop = { type: "stop_limit", trigger: "last_price", triggerPrice: 95, price: 90 } as const;
    engine.report({ ...trade, price: 100 }, 1);
    engine.place({ account: "B", instrument, direction: "sell", amount: 1, ...stop }, 2);
    assert.deepEqual(
      engine.report(trade, 3).map(({ kind }) => kind),
      ["trade", "triggered", "placed", "book"],
    );
  });

  test("is booked, and seen by no trigger, where it is a block trade", () => {
    const { engine, positions } = createWorld();
    const stop = { type: "stop_limit", trigger: "last_price", triggerPrice: 95, price: 90 } as const;
    engine.report({ ...trade, price: 100 }, 1);
    engine.place({ account: "B", instrument, direction: "sell", amount: 1, ...stop }, 2);
    const facts = engine.report({ ...trade, isBlock: true }, 3);
    assert.deepEqual(facts, [{ kind: "trade", trade: { ...trade, tradeId: 2, tradeSeq: 2, atMs: 3 } }]);
    assert.deepEqual([positions.get("A"), engine.prices(instrument).last], [8, 100]);
  });

  test("makes an order smaller that may only reduce a position", () => {
    const { engine } = createWorld();
    engine.report({ ...trade, direction: "sell" }, 1);
    const placed = engine.place(
      { account: "A", instrument, direction: "sell", amount: 4, price: 99, reduceOnly: true },
      2,
    );
    assert.ok(placed.isDone);
    engine.report({ ...trade, direction: "buy", amount: 3 }, 3);
    assert.equal(engine.find(placed.order.id)?.amount, 1);
  });
});

describe("the engine is asked", () => {
  const order = { account: "A", instrument: INSTRUMENT.name, direction: "buy", amount: 5, label: "mine" } as const;

  test("for a book: its depth, its best prices, its latest change", () => {
    const { engine } = createWorld();
    for (const price of [90, 91, 92]) engine.place({ ...order, price }, 0);
    engine.place({ ...order, direction: "sell", price: 95, displayAmount: 0 }, 0);
    engine.place({ ...order, direction: "sell", price: 96, amount: 500, displayAmount: 200 }, 0);
    assert.deepEqual(engine.depth("X", 2), {
      changeId: 5,
      bids: [
        { price: 92, amount: 5 },
        { price: 91, amount: 5 },
      ],
      asks: [
        { price: 95, amount: 5 },
        { price: 96, amount: 200 },
      ],
    });
    assert.deepEqual(engine.depth("X", 0).bids, []);
    assert.deepEqual(engine.best("X"), { bid: { price: 92, amount: 5 }, ask: { price: 95, amount: 5 } });
    assert.deepEqual(createWorld().engine.best("X"), { bid: undefined, ask: undefined });
  });

  test("for its prices, of which the last one comes from trades", () => {
    const { engine } = createWorld();
    assert.deepEqual(engine.prices("X"), {});
    engine.setPrices("X", { last: 100, mark: 101, index: 102, low: 90, high: 110 }, 0);
    engine.setPrices("X", { mark: 103 }, 0);
    engine.place({ ...order, price: 99 }, 0);
    engine.place({ ...order, account: "B", direction: "sell", price: 99 }, 0);
    assert.deepEqual(engine.prices("X"), { last: 99, mark: 103, index: 102, low: 90, high: 110 });
  });

  test("for the one order with a label", () => {
    const { engine } = createWorld();
    engine.place({ ...order, price: 90 }, 0);
    const found = engine.findByLabel("A", "X", "mine");
    assert.equal("id" in found && found.id, "1");
    assert.deepEqual(engine.findByLabel("B", "X", "mine"), { word: "order_not_found" });
    assert.deepEqual(engine.findByLabel("A", "X", "yours"), { word: "order_not_found" });
    engine.place({ ...order, price: 90 }, 0);
    assert.deepEqual(engine.findByLabel("A", "X", "mine"), { word: "non_unique_order_label" });
  });

  test("for orders: all, those of an account, and closed ones", () => {
    const { engine } = createWorld();
    engine.place({ ...order, price: 90 }, 0);
    engine.place({ ...order, account: "B", price: 91 }, 0);
    engine.cancel("A", "1", 5);
    const ids = (account?: string): string[] => [...engine.open(account)].map(({ id }) => id);
    assert.deepEqual([ids(), ids("A"), ids("B"), ids("C")], [["2"], [], ["2"], []]);
    const { state, cancelReason, updatedAtMs } = engine.find("1") ?? {};
    assert.deepEqual([state, cancelReason, updatedAtMs], ["cancelled", "user_request", 5]);
    assert.equal(engine.find("3"), undefined);
  });

  test("what it hands out does not change afterwards", () => {
    const { engine } = createWorld();
    const placed = engine.place({ ...order, price: 90 }, 0);
    const [open] = engine.open();
    const found = engine.find("1");
    engine.edit("A", "1", { amount: 3 }, 1);
    assert.deepEqual([placed.isDone && placed.order.amount, open?.amount, found?.amount], [5, 5, 5]);
  });

  test("to cancel a selection", () => {
    const { engine } = createWorld();
    engine.place({ ...order, price: 90, mmp: true }, 0);
    engine.place({ ...order, price: 91 }, 0);
    engine.place({ ...order, account: "B", price: 92, mmp: true }, 0);
    const facts = engine.cancelAll({ account: "A", where: ({ mmp }) => mmp, reason: "mmp_trigger" }, 0);
    const cancelled = facts.flatMap((fact) => (fact.kind === "cancelled" ? [`${fact.order.id} ${fact.reason}`] : []));
    assert.deepEqual(cancelled, ["1 mmp_trigger"]);
  });

  test("about a position that changed other than by a trade", () => {
    const { engine, positions } = createWorld();
    engine.place({ ...order, price: 90 }, 0);
    engine.place({ ...order, account: "B", direction: "sell", price: 90 }, 0);
    engine.place({ ...order, direction: "sell", price: 95, reduceOnly: true }, 0);
    (positions as Map<string, number>).set("A", 2);
    const facts = engine.positionChanged("A", "X", 0);
    assert.deepEqual(
      facts.map((fact) => (fact.kind === "reduced" ? `${fact.order.id} by ${String(fact.by)}` : fact.kind)),
      ["3 by 3", "book"],
    );
  });

  test("about an instrument that is not traded", () => {
    const { engine } = createWorld();
    const outcome = engine.place({ ...order, instrument: "Y", price: 90 }, 0);
    assert.deepEqual(outcome, { isDone: false, refusal: { word: "invalid_or_unsupported_instrument" }, facts: [] });
    assert.throws(() => engine.depth("Y", 1), /Y is not traded/);
  });

  test("not to know more than the latest closed orders", () => {
    const { engine } = createWorld();
    for (let count = 0; count < 10_001; count += 1)
      engine.place({ ...order, price: 90, timeInForce: "immediate_or_cancel" }, 0);
    assert.deepEqual([engine.find("1"), engine.find("2")?.state], [undefined, "cancelled"]);
  });
});
