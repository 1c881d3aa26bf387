import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError } from "../../../../src/base/failure.ts";
import type { Side } from "../../../../src/exchange/instrument.ts";
import { createExchangeLedger } from "../../../../src/exchange/ledger/ledger.ts";
import { fixedOf } from "../../../../src/exchange/ledger/money.ts";
import { CURRENCY_NAMES } from "../../../../src/simulator/market/currencies.ts";
import { createSeededRandom } from "../../../../src/simulator/text/seededRandom.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { pluck } from "../../../pluck.ts";
import { createAccountDesk, EMPTY, MAIN, SUB, type AccountDesk } from "./desk.ts";

/* What a client reads of an account follows from what was done. */

type Wire = Record<string, unknown>;
interface Page {
  readonly data: readonly Wire[];
  readonly count: number;
}
interface Log {
  readonly logs: readonly (Wire & { readonly change: number; readonly balance: number; readonly id: number })[];
  readonly continuation: number | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ALL_TIME = { start_timestamp: 0, end_timestamp: 4e12 };

const logOf = (desk: AccountDesk, currency: string, id = MAIN, params: Wire = {}): Log =>
  desk.read<Log>("private/get_transaction_log", { currency, ...ALL_TIME, ...params }, { id });

/** A desk where everything has the given prices, and where the main account can be given positions. */
function createPricedDesk(prices: { readonly mark: number; readonly index: number; readonly settlement: number }): {
  readonly read: AccountDesk["read"];
  /** Gives the account a position, whose session begins at the settlement price. */
  hold(name: string, amount: number, averagePrice: number): void;
} {
  const clock = createFakeClock();
  let { mark } = prices;
  const desk = createAccountDesk(clock, (whole) => ({
    ...whole,
    marketMs: clock.now(),
    ledger: createExchangeLedger({
      instrument: (name) => whole.instrument(name),
      prices: {
        mark: () => fixedOf(mark),
        index: () => fixedOf(prices.index),
        underlying: () => fixedOf(prices.index),
        settlement: () => fixedOf(prices.settlement),
        deltaLeft: () => 1,
        greeks: () => undefined,
      },
      onTrade: () => undefined,
      marketAccount: "market",
      feeAccount: "fees",
      keptEntries: () => 10,
    }),
  }));
  const { venue } = desk;
  return {
    read: (method, params) => desk.read(method, params),
    hold(name, amount, averagePrice) {
      const instrument = venue.instrument(name);
      assert.ok(instrument !== undefined);
      venue.ledger.open(String(MAIN), { instrument, amount: fixedOf(amount), price: fixedOf(averagePrice) });
      mark = prices.settlement;
      venue.ledger.settle(clock.now());
      ({ mark } = prices);
    },
  };
}

/** All entries in a currency, over as many pages as it takes. */
function wholeLog(desk: AccountDesk, currency: string, id = MAIN): Log["logs"] {
  const first = logOf(desk, currency, id, { count: 7 });
  const all = [...first.logs];
  for (let { continuation } = first; continuation !== null;) {
    const next = logOf(desk, currency, id, { count: 7, continuation });
    all.push(...next.logs);
    ({ continuation } = next);
  }
  return all;
}

/** A change, and the reads that it must alter, of the main account unless another is named. */
interface Pair {
  readonly change: string;
  readonly make: (desk: AccountDesk, clock: ReturnType<typeof createFakeClock>) => unknown;
  readonly alters: readonly (readonly [method: string, params: Wire, id?: number])[];
  /** What must stay as it is. */
  readonly keeps?: readonly (readonly [method: string, params: Wire, id?: number])[];
}

const TRADE = (desk: AccountDesk): void => {
  desk.trade("BTC-PERPETUAL", "buy", 500);
};
const SUMMARY = ["private/get_account_summary", { currency: "BTC" }] as const;
const LOG = ["private/get_transaction_log", { currency: "BTC", ...ALL_TIME }] as const;

const PAIRS: readonly Pair[] = [
  {
    change: "a trade",
    make: TRADE,
    alters: [
      ["private/get_position", { instrument_name: "BTC-PERPETUAL" }],
      ["private/get_positions", {}],
      ["private/get_positions", { currency: "BTC", kind: "future" }],
      SUMMARY,
      ["private/get_account_summaries", {}],
      ["private/get_subaccounts", { with_portfolio: true }],
      ["private/get_subaccounts_details", { currency: "BTC" }],
      LOG,
      ["private/simulate_portfolio", { currency: "BTC" }],
      ["private/change_margin_model", { margin_model: "segregated_sm", dry_run: true }],
    ],
    keeps: [
      ["private/get_account_summary", { currency: "ETH" }],
      ["private/get_account_summary", { currency: "BTC" }, SUB],
      ["private/get_positions", { kind: "option" }],
    ],
  },
  {
    change: "an order that rests",
    make: ({ venue }) =>
      venue.operate("BTC-PERPETUAL", (engine, nowMs) => {
        const order = { account: String(MAIN), instrument: "BTC-PERPETUAL", direction: "buy", amount: 500 } as const;
        const { low = 0 } = engine.prices("BTC-PERPETUAL");
        return engine.place({ ...order, price: low + 10 }, nowMs);
      }),
    alters: [SUMMARY, ["private/get_positions", {}]],
    keeps: [LOG],
  },
  {
    change: "an option that is bought",
    make: (desk) => {
      desk.trade("BTC-26MAR27-96000-C", "buy", 10);
    },
    alters: [["private/get_positions", { kind: "option" }], SUMMARY, LOG],
    keeps: [["private/get_positions", { kind: "future" }]],
  },
  {
    change: "a deposit",
    make: ({ venue }) => venue.ledger.deposit(String(MAIN), { currency: "BTC", amount: fixedOf(1.5) }, 1),
    alters: [SUMMARY, LOG, ["private/get_deposits", { currency: "BTC" }]],
    keeps: [
      ["private/get_deposits", { currency: "ETH" }],
      ["private/get_transfers", { currency: "BTC" }],
    ],
  },
  {
    change: "a transfer",
    make: (desk) =>
      desk.read("private/submit_transfer_to_subaccount", { currency: "BTC", amount: 0.5, destination: EMPTY }),
    alters: [
      SUMMARY,
      LOG,
      ["private/get_transfers", { currency: "BTC" }],
      ["private/get_account_summary", { currency: "BTC" }, EMPTY],
      ["private/get_transaction_log", { currency: "BTC", ...ALL_TIME }, EMPTY],
      ["private/get_transfers", { currency: "BTC" }, EMPTY],
    ],
    keeps: [
      ["private/get_account_summary", { currency: "BTC" }, SUB],
      ["private/get_deposits", { currency: "BTC" }],
    ],
  },
  {
    change: "a settlement",
    make: async (desk, clock) => {
      desk.trade("BTC-PERPETUAL", "buy", 500);
      await clock.advance(DAY_MS);
    },
    alters: [
      ["private/get_settlement_history_by_currency", { currency: "BTC" }],
      ["private/get_settlement_history_by_instrument", { instrument_name: "BTC-PERPETUAL" }],
      LOG,
      SUMMARY,
    ],
    keeps: [
      ["private/get_settlement_history_by_currency", { currency: "ETH" }],
      ["private/get_settlement_history_by_currency", { currency: "BTC" }, SUB],
    ],
  },
  {
    change: "a subaccount that is opened",
    make: (desk) => desk.read("private/create_subaccount"),
    alters: [
      ["private/get_subaccounts", {}],
      ["private/get_subaccounts_details", { currency: "BTC" }],
    ],
  },
  {
    change: "a subaccount that is renamed",
    make: (desk) => desk.read("private/change_subaccount_name", { sid: SUB, name: "other" }),
    alters: [["private/get_subaccounts", {}]],
    keeps: [SUMMARY],
  },
  {
    change: "a subaccount without login",
    make: (desk) => desk.read("private/toggle_subaccount_login", { sid: SUB, state: "disable" }),
    alters: [
      ["private/get_subaccounts", {}],
      ["private/get_access_log", {}],
    ],
  },
  {
    change: "a subaccount's e-mail address and notifications",
    make: (desk) => {
      desk.read("private/set_email_for_subaccount", { sid: SUB, email: "a@b.example" });
      desk.read("private/toggle_notifications_from_subaccount", { sid: EMPTY, state: true });
    },
    alters: [["private/get_subaccounts", {}]],
  },
  {
    change: "settings",
    make: (desk) => {
      desk.read("private/set_email_language", { language: "ko" });
      desk.read("private/set_self_trading_config", { mode: "cancel_maker", extended_to_subaccounts: false });
    },
    alters: [
      ["private/get_email_language", {}],
      ["private/get_account_summary", { currency: "BTC", extended: true }],
    ],
    keeps: [["private/get_account_summary", { currency: "BTC", extended: true }, SUB]],
  },
];

describe("each read changes with what must alter it", () => {
  for (const { change, make, alters, keeps = [] } of PAIRS) {
    test(change, async () => {
      // Both worlds see the same moments; in one of them the change is made.
      const [changed, control] = [createFakeClock(), createFakeClock()];
      const [desk, other] = [createAccountDesk(changed), createAccountDesk(control)];
      await make(desk, changed);
      await control.advance(changed.now() - control.now());
      for (const [method, params, id = MAIN] of alters)
        assert.notDeepEqual(desk.read(method, params, { id }), other.read(method, params, { id }), method);
      for (const [method, params, id = MAIN] of keeps)
        assert.deepEqual(desk.read(method, params, { id }), other.read(method, params, { id }), method);
    });
  }
});

describe("positions", () => {
  test("have the figures of a recorded one", () => {
    const desk = createPricedDesk({ mark: 17_391, index: 17_501.88, settlement: 17_002.5 });
    desk.hold("BTC-PERPETUAL", 185_160, 15_000);
    const position = desk.read("private/get_position", { instrument_name: "BTC-PERPETUAL" });
    assert.deepEqual(
      pluck([position], "total_profit_loss", "size", "average_price", "mark_price", "direction", "kind"),
      [[1.69711368, 185_160, 15_000, 17_391, "buy", "future"]],
    );
    assert.equal(position["size_currency"], 10.64688632);
    assert.equal(position["settlement_price"], 17_002.5);
    assert.deepEqual(desk.read("private/get_positions"), [position]);
  });

  // A position of production, February 2026, whose money has one decimal more.
  test("have the figures of a recorded small one", () => {
    const desk = createPricedDesk({ mark: 1963.31, index: 1963.1, settlement: 2090.99 });
    desk.hold("ETH-PERPETUAL", 1, 2074.25);
    const position = desk.read("private/get_position", { instrument_name: "ETH-PERPETUAL" });
    assert.deepEqual(pluck([position], "size", "settlement_price", "leverage")[0], [1, 2090.99, 50]);
    assert.deepEqual(
      pluck([position], "floating_profit_loss", "total_profit_loss", "initial_margin", "maintenance_margin")[0],
      [-0.0000311, -0.00002724, 0.00001019, 0.00000509],
    );
    assert.deepEqual(pluck([position], "size_currency", "delta")[0], [0.00050934, 0.00050934]);
  });

  test("of coins with half the leverage of BTC and ETH have 25", () => {
    const desk = createAccountDesk(createFakeClock());
    desk.trade("SOL_USDC-PERPETUAL", "buy", 10);
    desk.trade("XRP_USDC-PERPETUAL", "sell", 10);
    assert.deepEqual(pluck(desk.read<Wire[]>("private/get_positions"), "leverage"), [25, 25]);
  });

  test("have the mark of the last 08:00 UTC as their settlement price, whether there is one or not", async () => {
    const clock = createFakeClock();
    const desk = createAccountDesk(clock);
    const { marks } = desk.venue.market;
    const settled = (): unknown[] =>
      ["BTC-PERPETUAL", "BTC-26MAR27-96000-C"].flatMap((name) => {
        const { settlement_price: told } = desk.read("private/get_position", { instrument_name: name });
        const instrument = desk.venue.instrument(name);
        assert.ok(instrument !== undefined);
        const eightMs = Math.floor((clock.now() - 8 * HOUR_MS) / DAY_MS) * DAY_MS + 8 * HOUR_MS;
        assert.equal(told, marks.mark(instrument, eightMs));
        return [told];
      });
    const before = settled();
    desk.trade("BTC-PERPETUAL", "buy", 100);
    desk.trade("BTC-26MAR27-96000-C", "buy", 1);
    assert.deepEqual(settled(), before);
    await clock.advance(DAY_MS);
    assert.notDeepEqual(settled(), before);
  });

  test("are described where there are none, and refused where there can't be any", () => {
    const desk = createAccountDesk(createFakeClock());
    const { size, direction } = desk.read("private/get_position", { instrument_name: "ETH-PERPETUAL" });
    assert.deepEqual([size, direction], [0, "zero"]);
    assert.equal(desk.refusal("private/get_position", { instrument_name: "BTC_USDC" })[0], -32_602);
    assert.equal(desk.refusal("private/get_positions", { currency: "XYZ" })[0], -32_602);
  });

  test("of size 0 are listed until the next settlement", async () => {
    const clock = createFakeClock();
    const desk = createAccountDesk(clock);
    desk.trade("ETH-PERPETUAL", "sell", 100);
    desk.trade("ETH-PERPETUAL", "buy", 100);
    const sizes = (): unknown[] => pluck(desk.read<Wire[]>("private/get_positions"), "size", "direction");
    assert.deepEqual(sizes(), [[0, "zero"]]);
    await clock.advance(DAY_MS);
    assert.deepEqual(sizes(), []);
  });

  test("move between accounts, all of them or none", () => {
    const desk = createAccountDesk(createFakeClock());
    desk.trade("BTC-PERPETUAL", "buy", 300);
    const move = (trades: object[]) => ({ source_uid: MAIN, target_uid: SUB, trades });
    const one = { instrument_name: "BTC-PERPETUAL", amount: 1000 };
    const { trades } = desk.read<{ trades: Wire[] }>("private/move_positions", move([{ ...one, price: 90_000 }]));
    assert.deepEqual(trades, [{ ...one, direction: "sell", price: 90_000, source_uid: MAIN, target_uid: SUB }]);
    const sizeOf = (id: number): unknown => desk.read("private/get_position", one, { id })["size"];
    assert.deepEqual([sizeOf(MAIN), sizeOf(SUB)], [2000, 1000]);
    assert.deepEqual(desk.refusal("private/move_positions", move([one, { ...one, amount: 2000 }])), [
      11_030,
      "other_reject position_too_small",
    ]);
    assert.deepEqual(desk.refusal("private/move_positions", move([{ ...one, amount: 5 }])), [
      -32_602,
      "invalid amount",
    ]);
    assert.equal(desk.refusal("private/move_positions", move([one]), { id: SUB, caller: SUB })[0], 13_012);
    // An account without the money for it is not listed with a position that it never had.
    const tooMuch = { ...move([one]), target_uid: EMPTY };
    assert.equal(desk.refusal("private/move_positions", tooMuch)[0], 10_009);
    assert.deepEqual(desk.read("private/get_positions", {}, { id: EMPTY }), []);
    assert.deepEqual([sizeOf(MAIN), sizeOf(SUB)], [2000, 1000]);
  });
});

describe("money", () => {
  test("keeps its identities after random changes, and its log adds up exactly", async () => {
    const clock = createFakeClock();
    const desk = createAccountDesk(clock);
    const random = createSeededRandom(7);
    const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
    for (let step = 0; step < 60; step++) {
      const account = pick([MAIN, SUB]);
      switch (pick(["trade", "trade", "trade", "transfer", "move", "time"])) {
        case "trade": {
          const instrument = pick(["BTC-PERPETUAL", "ETH-PERPETUAL", "BTC-26MAR27-96000-C", "BTC_USDC"]);
          const amount = 1 + Math.floor(random() * 20);
          const direction = pick<Side>(["buy", "sell"]);
          desk.venue.operate(instrument, (engine, nowMs) =>
            engine.place({ account: String(account), instrument, direction, amount, type: "market" }, nowMs),
          );
          break;
        }
        case "transfer":
          unlessRefused(() =>
            desk.read("private/submit_transfer_between_subaccounts", {
              ...{ currency: "BTC", amount: 0.01 + random() / 10, source: account },
              destination: account === MAIN ? SUB : MAIN,
            }),
          );
          break;
        case "move":
          moveFutures(desk);
          break;
        default:
          await clock.advance(Math.floor(random() * 3 * 3_600_000));
      }
      for (const id of [MAIN, SUB]) for (const currency of CURRENCY_NAMES) checkIdentities(desk, currency, id);
    }
    for (const id of [MAIN, SUB]) for (const currency of CURRENCY_NAMES) checkLog(desk, currency, id);
  });

  test("moves between accounts of the owner, and only as much as there is", () => {
    const desk = createAccountDesk(createFakeClock());
    const asked = { currency: "BTC", amount: 2.5, destination: EMPTY };
    const balance = (id: number): unknown =>
      desk.read("private/get_account_summary", { currency: "BTC" }, { id })["balance"];
    const made = desk.read("private/submit_transfer_between_subaccounts", asked);
    assert.deepEqual(pluck([made], "amount", "direction", "other_side", "state", "type"), [
      [2.5, "payment", "simulator_empty", "confirmed", "subaccount"],
    ]);
    assert.deepEqual([balance(MAIN), balance(EMPTY)], [10, 2.5]);
    const [sent] = desk.read<Page>("private/get_transfers", { currency: "BTC" }).data;
    const [received] = desk.read<Page>("private/get_transfers", { currency: "BTC" }, { id: EMPTY }).data;
    assert.deepEqual(sent, made);
    assert.deepEqual(received, { ...made, direction: "income", other_side: "simulator" });
    assert.deepEqual(desk.refusal("private/submit_transfer_to_subaccount", { ...asked, amount: 10.1 })[0], 10_009);
    assert.equal(desk.refusal("private/submit_transfer_to_subaccount", { ...asked, amount: 0 })[0], -32_602);
    assert.equal(desk.refusal("private/submit_transfer_to_subaccount", { ...asked, destination: 5 })[0], -32_602);
    assert.equal(desk.refusal("private/submit_transfer_to_subaccount", asked, { id: SUB, caller: SUB })[0], 13_012);
    const other = { ...asked, source: MAIN };
    assert.equal(
      desk.refusal("private/submit_transfer_between_subaccounts", other, { id: SUB, caller: SUB })[0],
      13_012,
    );
    assert.deepEqual([balance(MAIN), balance(EMPTY)], [10, 2.5]);
  });

  test("is told newest first, by type, and by page", () => {
    const desk = createAccountDesk(createFakeClock());
    desk.trade("BTC-PERPETUAL", "buy", 10);
    desk.read("private/submit_transfer_to_subaccount", { currency: "BTC", amount: 1, destination: SUB });
    const { logs } = logOf(desk, "BTC");
    assert.deepEqual(pluck(logs, "type"), ["transfer", "trade", "deposit"]);
    assert.deepEqual(
      pluck(logs, "user_seq"),
      [...pluck(logs, "user_seq")].sort((a, b) => Number(b) - Number(a)),
    );
    assert.deepEqual(pluck(logs.slice(0, 1), "change", "cashflow", "trade_id", "info"), [
      [-1, -1, null, { transfer_type: "subaccount", other_user_id: SUB, other_user: "simulator_options" }],
    ]);
    assert.deepEqual(
      pluck(logs.slice(1, 2), "side", "position", "amount", "contracts", "user_role", "instrument_name"),
      [["open buy", 100, 100, 10, "taker", "BTC-PERPETUAL"]],
    );
    assert.deepEqual(pluck(logOf(desk, "BTC", MAIN, { query: "trade" }).logs, "type"), ["trade"]);
    assert.deepEqual(pluck(logOf(desk, "BTC", MAIN, { query: "BTC-PERPETUAL buy" }).logs, "type"), ["trade"]);
    assert.deepEqual(logOf(desk, "BTC", MAIN, { query: "delivery" }).logs, []);
    assert.deepEqual(logOf(desk, "BTC", MAIN, { start_timestamp: 4e12 }).logs, []);
    const first = logOf(desk, "BTC", MAIN, { count: 2 });
    assert.deepEqual(pluck(first.logs, "type"), ["transfer", "trade"]);
    const rest = logOf(desk, "BTC", MAIN, { count: 2, continuation: first.continuation });
    assert.deepEqual([pluck(rest.logs, "type"), rest.continuation], [["deposit"], null]);
  });
});

/** Moves every future of the main account to a subaccount, one after the other. */
function moveFutures(desk: AccountDesk): void {
  type Row = { readonly instrument_name: string; readonly size: number };
  const rows = desk.read<Row[]>("private/get_positions", { kind: "future" });
  for (const { instrument_name, size } of rows.filter((row) => row.size !== 0))
    unlessRefused(() =>
      desk.read("private/move_positions", {
        ...{ source_uid: MAIN, target_uid: SUB },
        trades: [{ instrument_name, amount: Math.abs(size) }],
      }),
    );
}

/** Tries what an account may not have the funds for. */
function unlessRefused(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof CallError && error.failure.kind === "exchange", String(error));
    assert.equal(error.failure.code, 10_009);
  }
}

function checkIdentities(desk: AccountDesk, currency: string, id: number): void {
  const summary = desk.read<Record<string, number>>("private/get_account_summary", { currency }, { id });
  const money = (name: string): bigint => fixedOf(summary[name] ?? NaN);
  const place = `${id} ${currency}`;
  const session = money("futures_session_upl") + money("futures_session_rpl");
  assert.equal(money("equity"), money("balance") + session + money("options_value"), place);
  assert.equal(money("margin_balance"), money("balance") + session, place);
  assert.equal(money("margin_balance") - money("initial_margin"), money("available_funds"), place);
  assert.equal(money("total_pl"), money("futures_pl") + money("options_pl"), place);
  if (currency === "USDC") return;
  // The documented example: 31.594357699 + 0.0086 = 31.602957699.
  const deltas = Object.values(summary["delta_total_map"] as unknown as Record<string, number>);
  const total = deltas.reduce((sum, delta) => sum + delta, -(summary["options_value"] ?? NaN));
  assert.ok(Math.abs((summary["delta_total"] ?? NaN) - total) < 1e-7, place);
}

function checkLog(desk: AccountDesk, currency: string, id: number): void {
  const logs = wholeLog(desk, currency, id);
  const { balance } = desk.read<{ balance: number }>("private/get_account_summary", { currency }, { id });
  const changes = logs.reduce((sum, { change }) => sum + fixedOf(change), 0n);
  assert.equal(changes, fixedOf(balance), `${id} ${currency}`);
  let left = fixedOf(balance);
  for (const entry of logs) {
    assert.equal(fixedOf(entry.balance), left, `${id} ${currency} ${entry.id}`);
    left -= fixedOf(entry.change);
  }
}

describe("funding", () => {
  test("is paid by a position for the time in which it is there, within a minute too", async () => {
    const clock = createFakeClock();
    const desk = createAccountDesk(clock);
    const name = "SOL_USDC-PERPETUAL";
    const instrument = desk.venue.instrument(name);
    assert.ok(instrument !== undefined);
    const { funding, indexes } = desk.venue.market;
    const funded = (): number =>
      Number(desk.read("private/get_position", { instrument_name: name })["realized_funding"]);
    do await clock.advance(60_000 - (clock.now() % 60_000));
    while (funding.current(instrument, clock.now()) === 0);
    await clock.advance(10_000);
    desk.trade(name, "buy", 400);
    assert.equal(funded(), 0);
    const paidBefore = desk.venue.ledger.interestValue(name);
    await clock.advance(20_000);
    const due = (seconds: number): number => {
      const rate = funding.current(instrument, clock.now());
      return -40 * indexes.price("sol_usdc", clock.now()) * rate * (seconds / (8 * 3600));
    };
    // The index moved a little meanwhile.
    const near = (value: number, expected: number): void =>
      assert.ok(expected !== 0 && Math.abs(value / expected - 1) < 0.01, `${value} ${expected}`);
    near(funded(), due(20));
    const { interest_value: paid } = desk.read("private/get_position", { instrument_name: name });
    assert.equal(Number((-40 * (Number(paid) - paidBefore)).toFixed(8)), funded());
    const closed = funded();
    desk.trade(name, "sell", 400);
    await clock.advance(25_000);
    assert.equal(funded(), closed);
  });
});

describe("a position in a linear future", () => {
  test("has its value as its size, and its coins beside; one that is not there has neither", () => {
    const desk = createAccountDesk(createFakeClock());
    const name = "SOL_USDC-PERPETUAL";
    const read = (): Record<string, number> => desk.read("private/get_position", { instrument_name: name });
    const none = read();
    assert.deepEqual([none["size"], none["size_currency"], none["direction"]], [0, 0, "zero"]);
    desk.trade(name, "sell", 73);
    const held = read();
    assert.deepEqual([held["size_currency"], held["direction"]], [-7.3, "sell"]);
    assert.equal(held["size"], Number((-7.3 * (held["mark_price"] ?? NaN)).toFixed(8)));
    assert.ok((held["size"] ?? 0) < -500);
    const [listed] = desk.read<Record<string, number>[]>("private/get_positions", { kind: "future" });
    assert.deepEqual([listed?.["size"], listed?.["size_currency"]], [held["size"], -7.3]);
  });

  test("is simulated by its value in USD: the other side of it leaves nothing", () => {
    const desk = createAccountDesk(createFakeClock());
    const name = "SOL_USDC-PERPETUAL";
    desk.trade(name, "buy", 400);
    const { size = 0 } = desk.read<Record<string, number>>("private/get_position", { instrument_name: name });
    const simulate = (value: number): Record<string, number> =>
      desk.read("private/simulate_portfolio", { currency: "USDC", simulated_positions: { [name]: value } });
    assert.deepEqual([simulate(-size)["initial_margin"], simulate(-size)["delta_total"]], [0, 0]);
    const doubled = simulate(size);
    assert.ok(Math.abs(Number((doubled["delta_total_map"] as unknown as Wire)["sol_usdc"]) - 80) < 1e-6);
    assert.ok(Math.abs(Number(doubled["delta_total"]) - 2 * size) < 1e-6);
  });
});

describe("simulate_portfolio", () => {
  test("counts positions on top of those of the account, or alone, and changes nothing", () => {
    const desk = createAccountDesk(createFakeClock());
    desk.trade("BTC-PERPETUAL", "buy", 1000);
    const summary = desk.read<Record<string, number>>("private/get_account_summary", { currency: "BTC" });
    const simulate = (params: Wire): Record<string, number> =>
      desk.read("private/simulate_portfolio", { currency: "BTC", ...params });
    // How far the prices are from a liquidation is told of what there is, not of what could be.
    const { estimated_liquidation_ratio, estimated_liquidation_ratio_map, ...told } = summary;
    assert.ok(estimated_liquidation_ratio !== undefined && estimated_liquidation_ratio_map !== undefined);
    // What may go to a subaccount is documented of a simulation alone.
    const transferable = { available_subaccount_transfer_funds: summary["available_withdrawal_funds"] };
    assert.deepEqual(simulate({}), { ...told, ...transferable });
    const flat = simulate({ simulated_positions: { "BTC-PERPETUAL": -10_000 } });
    assert.deepEqual([flat["initial_margin"], flat["delta_total"], flat["equity"]], [0, 0, summary["equity"]]);
    const alone = simulate({ add_positions: false, simulated_positions: '{"BTC-PERPETUAL": 20000}' });
    assert.ok(Number(alone["initial_margin"]) > Number(summary["initial_margin"]));
    assert.equal(alone["futures_session_upl"], 0);
    const optional = simulate({ simulated_positions: { "BTC-26MAR27-96000-C": 1 } });
    assert.equal(optional["equity"], summary["equity"]);
    assert.ok(Number(optional["options_value"]) > 0);
    assert.deepEqual(desk.read("private/get_account_summary", { currency: "BTC" }), summary);
    assert.equal(desk.refusal("private/simulate_portfolio", { currency: "BTC", simulated_positions: "{" })[0], -32_602);
    const unknown = { currency: "BTC", simulated_positions: { BTC_USDC: 1 } };
    assert.equal(desk.refusal("private/simulate_portfolio", unknown)[0], -32_602);
  });

  test("the margin model stays", () => {
    const desk = createAccountDesk(createFakeClock());
    assert.deepEqual(desk.refusal("private/change_margin_model", { margin_model: "cross_pm", dry_run: true }), [
      11_030,
      "other_reject margin_model_not_supported",
    ]);
    const states = desk.read<{ old_state: object; new_state: object; currency: string }[]>(
      "private/change_margin_model",
      {
        margin_model: "segregated_sm",
      },
    );
    assert.deepEqual(pluck(states, "currency"), ["BTC", "ETH", "USDC", "USDT"]);
    for (const state of states) assert.deepEqual(state.old_state, state.new_state);
  });
});

describe("subaccounts", () => {
  test("are opened, changed, and removed when they are empty, by the main account alone", () => {
    const desk = createAccountDesk(createFakeClock());
    const opened = desk.read<{ id: number; username: string }>("private/create_subaccount");
    assert.ok(opened.id > EMPTY);
    desk.read("private/submit_transfer_to_subaccount", { currency: "ETH", amount: 1, destination: opened.id });
    const remove = { subaccount_id: opened.id };
    assert.deepEqual(desk.refusal("private/remove_subaccount", remove), [11_030, "subaccount_not_empty"]);
    const back = { currency: "ETH", amount: 1, source: opened.id, destination: MAIN };
    desk.read("private/submit_transfer_between_subaccounts", back);
    assert.equal(desk.read("private/remove_subaccount", remove), "ok");
    assert.equal(desk.read<unknown[]>("private/get_subaccounts").length, 3);
    assert.equal(desk.refusal("private/create_subaccount", {}, { id: SUB, caller: SUB })[0], 13_012);
    assert.equal(desk.refusal("private/change_subaccount_name", { sid: SUB, name: "simulator" })[0], 12_002);
    assert.equal(desk.refusal("private/change_subaccount_name", { sid: MAIN, name: "x" })[0], -32_602);
    for (let count = 0; count < 18; count++) desk.read("private/create_subaccount");
    assert.equal(desk.refusal("private/create_subaccount")[0], 12_001);
  });

  test("trade with each other, or not, as the owner says", () => {
    const place = (mode: string, isExtended: boolean): unknown[] => {
      const desk = createAccountDesk(createFakeClock());
      desk.read("private/set_self_trading_config", { mode, extended_to_subaccounts: isExtended });
      const instrument = "BTC-PERPETUAL";
      const { venue } = desk;
      const order = { instrument, amount: 10 } as const;
      // Within the spread, where the market has no order.
      venue.catchUp([instrument]);
      const price = (venue.books.depth(instrument, 1).asks[0]?.price ?? 0) - 1;
      const resting = venue.operate(instrument, (engine, nowMs) =>
        engine.place({ ...order, account: String(MAIN), direction: "sell", price }, nowMs),
      );
      const taking = venue.operate(instrument, (engine, nowMs) =>
        engine.place(
          { ...order, account: String(SUB), direction: "buy", price, timeInForce: "immediate_or_cancel" },
          nowMs,
        ),
      );
      assert.ok(resting.isDone);
      return [venue.books.find(resting.order.id)?.state, taking.isDone ? taking.order.state : taking.refusal.word];
    };
    assert.deepEqual(place("reject_taker", false), ["filled", "filled"]);
    assert.deepEqual(place("reject_taker", true)[0], "open");
    assert.deepEqual(place("cancel_maker", true)[0], "cancelled");
  });
});
