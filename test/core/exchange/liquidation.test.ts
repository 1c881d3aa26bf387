import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { TradedInstrument } from "../../../src/exchange/instrument.ts";
import { numberOf, type Fixed } from "../../../src/exchange/ledger/money.ts";
import {
  CALL,
  contractOf,
  createLiquidationDesk,
  DATED,
  exact,
  LINEAR,
  OTHER_LINEAR,
  PERPETUAL,
  type LiquidationDesk,
} from "./liquidationDesk.ts";
import { units } from "./secondLedger.ts";

/* Liquidation of an account, from the round in which it begins to the one in which it ends. */

/** Returns by how much the maintenance margin of the user is above the balance. */
function shortage({ ledger }: LiquidationDesk, currency = "BTC"): Fixed {
  const { marginBalance, maintenanceMargin } = ledger.marginLevel({ account: "user", currency });
  return maintenanceMargin - marginBalance;
}

/** Checks what has to be true at any time: all cash adds up to 0, and a second ledger says the same. */
function checkBooks({ ledger, second }: LiquidationDesk, instruments: readonly TradedInstrument[]): void {
  for (const currency of ["BTC", "USDC"]) {
    const accounts = ["user", "market", "fees"];
    const all = accounts.reduce((sum, account) => sum + ledger.balance(account, currency), 0n);
    assert.equal(all, 0n, `all ${currency}`);
    for (const account of accounts) {
      assert.equal(ledger.balance(account, currency), units(second.balance(account, currency)), `cash of ${account}`);
      assert.equal(ledger.summary(account, currency).equity, units(second.equity(account, currency)));
    }
  }
  for (const instrument of instruments) {
    const own = ledger.positions("user").find((each) => each.instrument === instrument);
    const shown = second.position("user", contractOf(instrument));
    assert.deepEqual([own?.size ?? 0n, own?.maintenanceMargin ?? 0n], [shown.size, shown.maintenance].map(units));
  }
}

/** 1 BTC under a position of 2,000,000 USD, bought at 100,000: at 96,200 the maintenance margin is above the balance. */
function leveragedDesk(): LiquidationDesk {
  const desk = createLiquidationDesk();
  for (const instrument of [PERPETUAL, DATED]) desk.price(instrument, 100_000);
  desk.price(LINEAR, 100);
  desk.price(CALL, 0.05);
  desk.deposit("BTC", 1);
  desk.open(PERPETUAL, 2_000_000, 100_000);
  return desk;
}

describe("an account that is short of margin", () => {
  test("is closed an eighth a second until its maintenance margin is below its balance", () => {
    const desk = leveragedDesk();
    desk.pass(1);
    assert.deepEqual([shortage(desk) < 0n, desk.told], [true, []]);
    desk.price(PERPETUAL, 96_200);
    assert.ok(shortage(desk) > 0n);
    const shortages: Fixed[] = [shortage(desk)];
    while (shortage(desk) >= 0n) {
      desk.pass(1);
      checkBooks(desk, [PERPETUAL]);
      shortages.push(shortage(desk));
    }
    assert.ok(
      shortages.every((each, round) => round === 0 || each < (shortages[round - 1] ?? 0n)),
      `each round is of use: ${shortages.map(numberOf).join(" ")}`,
    );
    assert.deepEqual(desk.trades, ["sell 250000 BTC-PERPETUAL", "sell 250000 BTC-PERPETUAL"]);
    assert.deepEqual([desk.told.at(0), desk.told.at(-1)], ["user BTC started", "user BTC completed"]);
    assert.equal(desk.liquidations.isUnderWay, false);
    desk.pass(60);
    assert.equal(desk.trades.length, 2);
  });

  test("pays 0.75 % of what is closed, instead of the usual fee", () => {
    const desk = leveragedDesk();
    desk.price(PERPETUAL, 96_200);
    desk.pass(1);
    const [entry] = desk.ledger.log("user").slice(-1);
    assert.deepEqual(
      [entry?.type, entry?.isLiquidation, numberOf(entry?.commission ?? 0n)],
      // 250,000 USD at the best bid, 96,199.5: 2.59876611 BTC.
      ["trade", true, 0.01949075],
    );
    assert.equal(desk.ledger.balance("fees", "BTC"), entry?.commission);
  });

  test("is caught up with at the prices of now when much time has passed", () => {
    const desk = leveragedDesk();
    desk.price(PERPETUAL, 96_200);
    desk.pass(3600);
    assert.equal(desk.trades.length, 2);
    assert.ok(shortage(desk) < 0n);
    checkBooks(desk, [PERPETUAL]);
  });

  test("is so when the maintenance margin is exactly the balance, and not a hundred-millionth before", () => {
    for (const [missing, isUnderWay] of [
      [0n, true],
      [-1n, false],
    ] as const) {
      const desk = leveragedDesk();
      desk.price(PERPETUAL, 96_200, 0);
      desk.deposit("BTC", numberOf(shortage(desk) - missing));
      desk.pass(1);
      assert.deepEqual([shortage(desk), desk.liquidations.isUnderWay], [missing, isUnderWay]);
    }
  });

  test("is so in a currency of which it never had any", () => {
    const desk = createLiquidationDesk();
    for (const instrument of [PERPETUAL, LINEAR]) desk.price(instrument, 100);
    desk.deposit("BTC", 1);
    desk.open(LINEAR, 80, 100);
    desk.pass(1);
    assert.deepEqual(desk.trades, ["sell 10 SOL_USDC-PERPETUAL"]);
    checkBooks(desk, [LINEAR]);
  });

  test("trades with the orders of its owner's other accounts too", () => {
    const desk = leveragedDesk();
    desk.ledger.deposit("sub", { currency: "BTC", amount: 10n ** 9n }, 0);
    desk.price(PERPETUAL, 96_200, 0);
    const bid = {
      account: "sub",
      instrument: PERPETUAL.name,
      direction: "buy",
      amount: 30_000,
      price: 192_400,
    } as const;
    assert.ok(desk.engine.place(bid, 1_800_000_000_000).isDone);
    desk.pass(1);
    assert.deepEqual(desk.trades, ["sell 250000 BTC-PERPETUAL"]);
  });

  test("is closed once in each round, though who hears of its trades lets the time pass", () => {
    const desk = leveragedDesk();
    desk.price(PERPETUAL, 96_200);
    desk.onTrade = () => desk.pass(1);
    desk.pass(1);
    desk.pass(1);
    assert.equal(desk.trades.length, 2);
    assert.deepEqual(
      desk.told.filter((line) => line.startsWith("user")),
      ["user BTC started", "user BTC completed"],
    );
  });

  test("is left alone once its balance has risen above it by other means", () => {
    const desk = leveragedDesk();
    desk.price(PERPETUAL, 96_200, 0);
    desk.pass(1);
    assert.deepEqual([desk.trades, desk.liquidations.isUnderWay], [[], true]);
    desk.deposit("BTC", 1);
    desk.pass(1);
    assert.deepEqual([desk.trades, desk.told.at(-1)], [[], "user BTC completed"]);
  });

  test("loses its other positions where nothing can be traded of the one that needs most", () => {
    const desk = leveragedDesk();
    desk.open(DATED, 500_000, 100_000);
    desk.price(PERPETUAL, 96_200, 0);
    desk.price(DATED, 96_200);
    desk.pass(1);
    desk.pass(1);
    assert.deepEqual(desk.trades, ["sell 62500 BTC-26MAR27", "sell 62500 BTC-26MAR27"]);
    desk.price(PERPETUAL, 96_200);
    desk.pass(1);
    assert.deepEqual(desk.trades.slice(2), ["sell 250000 BTC-PERPETUAL"]);
    checkBooks(desk, [PERPETUAL, DATED]);
  });

  test("keeps what it has in another currency", () => {
    const desk = leveragedDesk();
    desk.deposit("USDC", 1000);
    desk.open(LINEAR, -100, 100);
    desk.price(PERPETUAL, 96_200);
    desk.pass(10);
    assert.equal(numberOf(desk.ledger.positions("user").find((each) => each.instrument === LINEAR)?.size ?? 0n), -100);
    const isMeant = (line: string): boolean => line.includes(LINEAR.name) || line.includes("USDC");
    assert.deepEqual([...desk.trades, ...desk.told].filter(isMeant), []);
  });
});

describe("an account that has nothing left to close", () => {
  test("is paid what it lacks by the insurance fund, and begins again at 0", () => {
    const desk = leveragedDesk();
    desk.price(PERPETUAL, 90_000);
    const payment = (): Fixed => desk.ledger.log("user").find(({ type }) => type === "correction")?.change ?? 0n;
    for (let second = 1; second <= 9; second++) {
      assert.deepEqual([desk.liquidations.isUnderWay, payment()], [second > 1, 0n], `second ${second}`);
      desk.pass(1);
      if (payment() === 0n) checkBooks(desk, [PERPETUAL]);
    }
    assert.equal(desk.trades.length, 8);
    const { marginBalance, maintenanceMargin, balance } = desk.ledger.summary("user", "BTC");
    assert.deepEqual([marginBalance, maintenanceMargin, desk.liquidations.isUnderWay], [0n, 0n, false]);
    // The loss of the session is paid at the settlement: its cash covers it exactly.
    assert.ok(payment() > 0n && balance > 1n);
    desk.second.transfer("fees", "user", "BTC", exact(payment()));
    checkBooks(desk, [PERPETUAL]);
    desk.ledger.settle(1_800_000_100_000);
    desk.second.settle();
    assert.equal(desk.ledger.balance("user", "BTC"), 0n);
    checkBooks(desk, [PERPETUAL]);
  });

  test("is paid so after a delivery that took more than it had", () => {
    const desk = leveragedDesk();
    desk.price(PERPETUAL, 100_000);
    desk.ledger.settle(1_800_000_000_000);
    for (const instrument of [PERPETUAL, DATED]) desk.ledger.deliver(instrument, 9_000_000_000_000n, 1_800_000_000_000);
    assert.ok(desk.ledger.balance("user", "BTC") < 0n && desk.ledger.positions("user").length === 0);
    desk.pass(1);
    assert.deepEqual([desk.ledger.balance("user", "BTC"), desk.liquidations.isUnderWay], [0n, false]);
  });

  test("sells options that it bought before it is paid; one without a bid is left", () => {
    for (const lots of [100, 0]) {
      const desk = leveragedDesk();
      desk.open(CALL, 0.8, 0.05);
      desk.price(CALL, 0.02, lots);
      desk.price(PERPETUAL, 90_000);
      desk.pass(100);
      const sold = desk.trades.filter((line) => line.endsWith(CALL.name));
      assert.deepEqual(
        sold,
        Array.from({ length: lots === 0 ? 0 : 8 }, () => `sell 0.1 ${CALL.name}`),
      );
      assert.deepEqual([shortage(desk), desk.told.at(-1)], [0n, "user BTC completed"]);
    }
  });
});

describe("orders during a liquidation", () => {
  test("those that rest are cancelled, and none can be placed, edited, or cancelled", () => {
    const desk = leveragedDesk();
    desk.deposit("USDC", 1000);
    const nowMs = 1_800_000_000_000;
    const order = { account: "user", instrument: PERPETUAL.name, direction: "buy", amount: 1, price: 100_000 } as const;
    desk.engine.place(order, nowMs);
    const stop = { ...order, price: undefined, type: "stop_market", trigger: "mark_price" } as const;
    const waiting = desk.engine.place({ ...stop, triggerPrice: 220_000 }, nowMs);
    const other = { ...order, instrument: LINEAR.name, price: 9000 } as const;
    const kept = desk.engine.place(other, nowMs);
    assert.ok(waiting.isDone && kept.isDone);
    desk.price(PERPETUAL, 96_200, 0);
    desk.pass(1);
    assert.deepEqual(
      desk.told.filter((line) => line.endsWith("autoliquidation")).map((line) => line.split(" ").slice(2).join(" ")),
      ["buy 1 limit autoliquidation"],
    );
    const refusals = [
      desk.engine.place(order, nowMs + 2000),
      desk.engine.place({ ...stop, triggerPrice: 230_000 }, nowMs + 2000),
      desk.engine.edit("user", waiting.order.id, { triggerPrice: 230_000 }, nowMs + 2000),
      desk.engine.cancel("user", waiting.order.id, nowMs + 2000),
      desk.engine.closePosition("user", PERPETUAL.name, {}, nowMs + 2000),
    ].map((outcome) => (outcome.isDone ? "done" : outcome.refusal.word));
    assert.deepEqual(
      refusals,
      Array.from({ length: 5 }, () => "account_locked"),
    );
    assert.ok(desk.engine.cancel("user", kept.order.id, nowMs + 2000).isDone);
    // The account has its orders back when its liquidation is over.
    desk.deposit("BTC", 1);
    desk.pass(3);
    assert.ok(desk.engine.cancel("user", waiting.order.id, nowMs + 9000).isDone);
  });

  test("one that is triggered is rejected, and positions can't be moved away", () => {
    const desk = leveragedDesk();
    const stop = { account: "user", instrument: PERPETUAL.name, direction: "sell", amount: 1 } as const;
    const waits = { type: "stop_market", trigger: "mark_price", triggerPrice: 180_000 } as const;
    assert.ok(desk.engine.place({ ...stop, ...waits }, 1_800_000_000_000).isDone);
    desk.price(PERPETUAL, 96_200, 0);
    desk.pass(1);
    desk.price(PERPETUAL, 89_000, 0);
    assert.deepEqual(
      desk.told.filter((line) => line.startsWith("rejected")).map((line) => line.split(" ").slice(2).join(" ")),
      ["sell 1 market account_locked"],
    );
    const move = [{ instrument: PERPETUAL.name, amount: 1, price: undefined }];
    assert.deepEqual(desk.ledger.move("user", "market", move, 0), { word: "account_locked" });
  });
});

describe("the ratio to the price of a liquidation", () => {
  /** Multiplies all prices of futures, and returns by how much the balance is above the maintenance margin. */
  const excessAt = (desk: LiquidationDesk, marks: ReadonlyMap<TradedInstrument, number>, ratio: number): number => {
    for (const [instrument, mark] of marks) desk.price(instrument, mark * ratio);
    return -numberOf(shortage(desk, "BTC"));
  };

  test("leads to the price at which the maintenance margin is the balance, within a tick", () => {
    for (const [size, side] of [
      [2_000_000, 1],
      [-2_000_000, -1],
    ] as const) {
      const desk = createLiquidationDesk();
      desk.price(PERPETUAL, 100_000);
      desk.deposit("BTC", 1);
      desk.open(PERPETUAL, size, 100_000);
      const { all, byIndex } = desk.ledger.liquidationRatios("user", "BTC");
      assert.ok(all !== undefined && byIndex.get("btc_usd") === all && all < 1 === side > 0);
      const price = 100_000 * all;
      const marks = new Map([[PERPETUAL, 1]]);
      const [better, worse] = [price + side * 0.5, price - side * 0.5];
      assert.ok(excessAt(desk, marks, better) > 0 && excessAt(desk, marks, worse) < 0);
      assert.ok(Math.abs(excessAt(desk, marks, price)) <= 2e-8);
    }
  });

  test("moves all futures on the index together, and nothing else", () => {
    const desk = leveragedDesk();
    desk.open(DATED, -400_000, 101_000);
    desk.open(CALL, -0.5, 0.05);
    const { byIndex } = desk.ledger.liquidationRatios("user", "BTC");
    const ratio = byIndex.get("btc_usd") ?? 0;
    const before = desk.ledger.positions("user").find((each) => each.instrument === CALL);
    const futures = new Map([
      [PERPETUAL, 100_000],
      [DATED, 100_000],
    ]);
    excessAt(desk, futures, ratio);
    const after = desk.ledger.positions("user").find((each) => each.instrument === CALL);
    // The margin of the option is the one of before, as its price is.
    const changed = numberOf((after?.maintenanceMargin ?? 0n) - (before?.maintenanceMargin ?? 0n));
    assert.ok(Math.abs(changed - numberOf(shortage(desk))) <= 2e-8);
  });

  test("there is one for each index, and none where no price gets there", () => {
    const desk = createLiquidationDesk();
    for (const instrument of [PERPETUAL, LINEAR]) desk.price(instrument, 100);
    assert.deepEqual(desk.ledger.liquidationRatios("user", "BTC"), { all: undefined, byIndex: new Map() });
    desk.deposit("BTC", 1000);
    desk.deposit("USDC", 1000);
    // A short position of less than what the account has in coins is covered at any price.
    desk.open(PERPETUAL, -1000, 100);
    desk.open(LINEAR, 50, 100);
    assert.equal(desk.ledger.liquidationRatios("user", "BTC").byIndex.get("btc_usd"), undefined);
    const { all, byIndex } = desk.ledger.liquidationRatios("user", "USDC");
    assert.deepEqual([[...byIndex.keys()], byIndex.get("sol_usdc")], [["sol_usdc"], all]);
    desk.price(LINEAR, 100 * (all ?? 0));
    assert.ok(Math.abs(numberOf(shortage(desk, "USDC"))) < 1e-4);
    // With positions on two indexes there is one for each alone, and one for both together.
    const marks = new Map([
      [LINEAR, 100],
      [OTHER_LINEAR, 90_000],
    ]);
    for (const [instrument, mark] of marks) desk.price(instrument, mark);
    desk.deposit("USDC", 5000);
    desk.open(OTHER_LINEAR, 0.1, 90_000);
    const both = desk.ledger.liquidationRatios("user", "USDC");
    const alone = [...both.byIndex.values()];
    assert.ok(alone.length === 1 && alone[0] !== undefined && both.all !== undefined && both.all > alone[0]);
    for (const [instrument, mark] of marks) desk.price(instrument, mark * both.all);
    assert.ok(Math.abs(numberOf(shortage(desk, "USDC"))) < 1e-2);
  });
});
