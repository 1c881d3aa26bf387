import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { boundOf, costAgainst, marginStop } from "../../../../src/actions/changes/flattenPositions.ts";
import { CallError } from "../../../../src/base/failure.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import type { Dialogs } from "../../../../src/ui/editor/dialogs.ts";
import { flattenByHand, type FlattenPorts } from "../../../../src/ui/placing/flatten.ts";
import { createWorld, type World, type WorldOptions } from "../../../world.ts";
import { LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

/* Flatten Positions from the first list to the result, against the simulator with an options book among it. */

interface Run {
  readonly shown: readonly string[];
  /** What stands beside and below each choice of the lists. */
  readonly details: readonly string[];
  /** Each order with what became of it. */
  readonly each: readonly string[];
}

async function aWorld(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  return world;
}

async function flatten(world: World, answers: readonly ScriptedAnswer[]): Promise<Run> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  const details: string[] = [];
  const each: string[] = [];
  const heard: Dialogs = {
    ...dialogs,
    async askSeveral(step) {
      details.push(...step.choices.map((choice) => `${choice.description ?? ""} | ${choice.detail ?? ""}`));
      return await dialogs.askSeveral(step);
    },
    async askChoice({ choices }) {
      each.push(...choices.flatMap((choice) => ("value" in choice ? [`${choice.label}: ${choice.detail ?? ""}`] : [])));
      return await Promise.resolve({ kind: "left" });
    },
    tell(level, text, actions = []) {
      dialogs.tell(level, text);
      for (const action of actions) void action.run();
    },
  };
  const running = flattenByHand(world.live, "view", {
    dialogs: heard,
    clock: world.clock,
    times: createTimes(0),
    settings: { connection: () => ({ requestTimeoutMs: 15_000 }) } as FlattenPorts["settings"],
  });
  running.catch(() => undefined);
  await world.clock.advance(60_000);
  await running;
  done();
  return { shown: shown.filter((line) => !line.startsWith("progress: ")), details, each };
}

const FUTURES = ["Sell 45000 BTC-P", "Buy 20000 BTC-25JUN27", "Buy 30000 ETH-P", "Sell 120 SOL"];
const OPTIONS = ["Sell 2.5 BTC-26MAR27-96000-C", "Buy 4000 XRP"];

const paramsOf = (frame: string): Readonly<Record<string, unknown>> =>
  (JSON.parse(frame) as { readonly params: Readonly<Record<string, unknown>> }).params;

const sent = (world: World): readonly Readonly<Record<string, unknown>>[] =>
  world.exchange.control
    .ledger()
    .filter(({ method }) => method === "private/buy" || method === "private/sell")
    .map(({ text }) => paramsOf(text));

function detailOf({ questions }: World): string {
  const question = questions.at(-1);
  return question?.kind === "modal" ? question.detail : "";
}

const refusedWith =
  (reason: RegExp) =>
  (error: unknown): boolean =>
    error instanceof CallError && error.failure.kind === "refused" && reason.test(error.failure.reason);

describe("Flatten Positions", () => {
  test("checks futures and not options, and each line has its order, its prices, its cost, and the margin after it", async () => {
    const world = await aWorld();
    const { shown, details } = await flatten(world, [LEAVE]);
    const futures =
      "Sell 45\u202F000 BTC-PERPETUAL @ 91\u202F988 | Buy 20\u202F000 BTC-25JUN27 @ 95\u202F789 | Buy 30\u202F000 ETH-PERPETUAL @ 2115.15 | Sell 120 SOL_USDC-PERPETUAL @ 140.5";
    const options = "Sell 2.5 BTC-26MAR27-96000-C @ 0.0865 | Buy 4000 XRP_USDC-26MAR27-2d25-C @ 0.4021";
    assert.deepEqual(shown, [
      `Flatten Positions on SIMULATOR lab: Select the positions to close <${futures} | ${options}> ticked <${futures}>`,
    ]);
    assert.deepEqual(details, [
      "BTC-PERPETUAL long 45\u202F000 USD · Average price 92\u202F449, worst price 92\u202F449 (public/get_order_book) | Cost against the mark price: 0.00000594 BTC · Margin after it: initial 0.93955454, maintenance 0.00210056, available 11.58797332 BTC · 4 open orders in the instrument",
      "BTC-25JUN27 short 20\u202F000 USD · Average price 95\u202F322.5, worst price 95\u202F322.5 (public/get_order_book) | Cost against the mark price: 0.00002152 BTC · Margin after it: initial 0.94185129, maintenance 0.00487934, available 11.58567657 BTC · 1 open order in the instrument",
      "ETH-PERPETUAL short 30\u202F000 USD · Average price 2104.7, worst price 2104.7 (public/get_order_book) | Cost against the mark price: 0.00047408 ETH · Margin after it: initial 12.00057017, maintenance 0, available 138.24386321 ETH · 7 open orders in the instrument",
      "SOL_USDC-PERPETUAL long 120 SOL · Average price 141.19, worst price 141.19 (public/get_order_book) | Cost against the mark price: 1.2 USDC · Margin after it: initial 12\u202F519.05017306, maintenance 2179.89112, available 238\u202F054.54982694 USDC · 3 open orders in the instrument",
      "BTC-26MAR27-96000-C long 2.5 BTC · Average price 0.09, worst price 0.09 (public/get_order_book) | Cost against the mark price: 0.00175 BTC · Margin after it: initial 0.94605681, maintenance 0.0069799, available 11.80822105 BTC · 2 open orders in the instrument",
      "XRP_USDC-26MAR27-2d25-C short 4000 XRP · Average price 0.385, worst price 0.385 (public/get_order_book) | Cost against the mark price: 8 USDC · Margin after it: initial 10\u202F744.88233306, maintenance 349.0464, available 238\u202F296.71766694 USDC · 2 open orders in the instrument",
    ]);
    assert.deepEqual([world.questions, sent(world)], [[], []]);
    world.live.dispose();
  });

  test("sends reduce-only limit orders that trade at once, at the bound, in the order of the list, and says what is left", async () => {
    const world = await aWorld({ declared: "test", largestOrderUsd: 10, totalUsd: 10 });
    const { shown, each } = await flatten(world, [FUTURES, []]);
    const ioc = ["limit", "immediate_or_cancel", true];
    assert.deepEqual(
      sent(world).map(({ instrument_name, amount, price, type, time_in_force, reduce_only }) => [
        ...[instrument_name, amount, price, type, time_in_force, reduce_only],
      ]),
      [
        ["BTC-PERPETUAL", 45_000, 91_988, ...ioc],
        ["BTC-25JUN27", 20_000, 95_789, ...ioc],
        ["ETH-PERPETUAL", 30_000, 2115.15, ...ioc],
        ["SOL_USDC-PERPETUAL", 120, 140.5, ...ioc],
      ],
    );
    assert.deepEqual(world.questions, [
      {
        kind: "modal",
        message: "Flatten 4 positions on TESTNET lab?",
        detail: [
          "Reduce-only limit orders that trade at once or are cancelled, up to 0.5 % from the mark price (options: 5 %). Each position is read again before its order.",
          "Sell 45\u202F000 BTC-PERPETUAL @ 91\u202F988 to close the position",
          "Buy 20\u202F000 BTC-25JUN27 @ 95\u202F789 to close the position",
          "Buy 30\u202F000 ETH-PERPETUAL @ 2115.15 to close the position",
          "Sell 120 SOL_USDC-PERPETUAL @ 140.5 to close the position",
          "Reduce-only up to the position: the limits of trading don't apply.",
        ].join("\n"),
        confirm: "Flatten Positions",
        keep: "Keep Positions",
        show: "Show Positions",
        about: "positions",
      },
    ]);
    assert.deepEqual(shown.slice(2), [
      "warning: Flatten Positions on TESTNET lab: 4 of 4 closed. Left as of 12:00:01: BTC-26MAR27-96000-C long 2.5 BTC, XRP_USDC-26MAR27-2d25-C short 4000 XRP.",
    ]);
    assert.deepEqual(each, [
      "Sell 45\u202F000 BTC-PERPETUAL @ 91\u202F988 to close the position: filled",
      "Buy 20\u202F000 BTC-25JUN27 @ 95\u202F789 to close the position: filled",
      "Buy 30\u202F000 ETH-PERPETUAL @ 2115.15 to close the position: filled",
      "Sell 120 SOL_USDC-PERPETUAL @ 140.5 to close the position: filled",
    ]);
    world.live.dispose();
  });

  test("names the open orders of the instruments, those that could open a position again first and checked, and cancels them before", async () => {
    const world = await aWorld();
    const { shown, each } = await flatten(world, [
      ["Sell 120 SOL"],
      ["SOL_USDC-PERPETUAL buy", "SOL_USDC-PERPETUAL sell 25 @ 145"],
    ]);
    assert.deepEqual(shown.slice(1), [
      "Flatten Positions on SIMULATOR lab: Select the open orders to cancel before. Orders that are not selected stay open. <SOL_USDC-PERPETUAL buy 25 @ 136.96 | SOL_USDC-PERPETUAL sell 25 @ 145.44 | SOL_USDC-PERPETUAL sell 25 @ 162.38, trigger 162.24> ticked <SOL_USDC-PERPETUAL buy 25 @ 136.96>",
      "warning: Flatten Positions on SIMULATOR lab: 1 of 1 closed. Orders cancelled before: 2 of 2. Left as of 12:00:01: BTC-PERPETUAL long 45\u202F000 USD, BTC-25JUN27 short 20\u202F000 USD, BTC-26MAR27-96000-C long 2.5 BTC, ETH-PERPETUAL short 30\u202F000 USD, XRP_USDC-26MAR27-2d25-C short 4000 XRP.",
    ]);
    assert.equal(world.questions.at(-1)?.message, "Cancel 2 orders and flatten 1 position on SIMULATOR lab?");
    const order = world.exchange.control
      .ledger()
      .flatMap(({ method }) => (/cancel$|sell$/.test(method ?? "") ? [method] : []));
    assert.deepEqual(order, ["private/cancel", "private/cancel", "private/sell"]);
    assert.deepEqual(each, [
      "Cancel SOL_USDC-PERPETUAL buy 25 @ 136.96: Cancelled on SIMULATOR lab: SOL_USDC-PERPETUAL buy 25 @ 136.96.",
      "Cancel SOL_USDC-PERPETUAL sell 25 @ 145.44: Cancelled on SIMULATOR lab: SOL_USDC-PERPETUAL sell 25 @ 145.44.",
      "Sell 120 SOL_USDC-PERPETUAL @ 140.5 to close the position: filled",
    ]);
    world.live.dispose();
  });

  test("one order that is refused and one whose outcome is unknown are told, and the rest goes on", async () => {
    const answer = (): boolean => {
      world.exchange.control.setFault({ method: "private/sell", effect: "skipped", response: { code: 10_009 } });
      world.exchange.control.setFault({ method: "private/buy", response: "none" });
      return true;
    };
    const world: World = await aWorld({ answer });
    const { shown, each } = await flatten(world, [[...FUTURES, ...OPTIONS], []]);
    assert.deepEqual(shown.slice(2), [
      "warning: Flatten Positions on SIMULATOR lab: 4 of 6 closed. Outcome unknown, being checked: BTC-25JUN27. Refused: BTC-PERPETUAL. Left as of 12:00:16: BTC-PERPETUAL long 45\u202F000 USD.",
    ]);
    assert.deepEqual(each, [
      "Sell 45\u202F000 BTC-PERPETUAL @ 91\u202F988 to close the position: refused by the exchange. The exchange returned error 10009: not_enough_funds. Available balance or margin does not cover the operation. Reduce the size, or free up margin by cancelling orders or adding funds.",
      "Buy 20\u202F000 BTC-25JUN27 @ 95\u202F789 to close the position: outcome unknown, checking… No response from SIMULATOR lab within 15 s.",
      "Buy 30\u202F000 ETH-PERPETUAL @ 2115.15 to close the position: filled",
      "Sell 120 SOL_USDC-PERPETUAL @ 140.5 to close the position: filled",
      "Sell 2.5 BTC-26MAR27-96000-C @ 0.0865 to close the position: filled",
      "Buy 4000 XRP_USDC-26MAR27-2d25-C @ 0.4021 to close the position: filled",
    ]);
    world.live.dispose();
  });

  test("a position that changed after the yes is left out and named", async () => {
    const answer = (): boolean => {
      world.exchange.control.place({ instrument_name: "ETH-PERPETUAL", direction: "buy", amount: 10, type: "market" });
      return true;
    };
    const world: World = await aWorld({ answer });
    const { shown, each } = await flatten(world, [FUTURES, []]);
    assert.deepEqual(shown.slice(2), [
      "warning: Flatten Positions on SIMULATOR lab: 3 of 4 closed. Changed meanwhile, not sent: ETH-PERPETUAL. Left as of 12:00:01: BTC-26MAR27-96000-C long 2.5 BTC, ETH-PERPETUAL short 29\u202F990 USD, XRP_USDC-26MAR27-2d25-C short 4000 XRP.",
    ]);
    assert.deepEqual(each, [
      "Sell 45\u202F000 BTC-PERPETUAL @ 91\u202F988 to close the position: filled",
      "Buy 20\u202F000 BTC-25JUN27 @ 95\u202F789 to close the position: filled",
      "Buy 30\u202F000 ETH-PERPETUAL @ 2115.15 to close the position: not sent: the position changed meanwhile",
      "Sell 120 SOL_USDC-PERPETUAL @ 140.5 to close the position: filled",
    ]);
    world.live.dispose();
  });

  test("stops when the margin use rises above the bound, and says so", async () => {
    const answer = (): boolean => {
      const value = { summaries: [{ currency: "BTC", initial_margin: 8.5, margin_balance: 10 }] };
      world.exchange.control.setFault({
        method: "private/get_account_summaries",
        mutate: { how: "result", value },
      });
      return true;
    };
    const world: World = await aWorld({ answer });
    const { shown, each } = await flatten(world, [FUTURES, []]);
    assert.equal(sent(world).length, 1);
    assert.deepEqual(shown.slice(2), [
      "warning: Flatten Positions on SIMULATOR lab: 1 of 4 closed. Margin use of BTC rose from 8 % to 85 %. Not sent: BTC-25JUN27, ETH-PERPETUAL, SOL_USDC-PERPETUAL. Left as of 12:00:01: BTC-25JUN27 short 20\u202F000 USD, BTC-26MAR27-96000-C long 2.5 BTC, ETH-PERPETUAL short 30\u202F000 USD, SOL_USDC-PERPETUAL long 120 SOL, XRP_USDC-26MAR27-2d25-C short 4000 XRP.",
    ]);
    assert.deepEqual(each, [
      "Sell 45\u202F000 BTC-PERPETUAL @ 91\u202F988 to close the position: filled",
      "Buy 20\u202F000 BTC-25JUN27 @ 95\u202F789 to close the position: not sent. Margin use of BTC rose from 8 % to 85 %.",
      "Buy 30\u202F000 ETH-PERPETUAL @ 2115.15 to close the position: not sent. Margin use of BTC rose from 8 % to 85 %.",
      "Sell 120 SOL_USDC-PERPETUAL @ 140.5 to close the position: not sent. Margin use of BTC rose from 8 % to 85 %.",
    ]);
    world.live.dispose();
  });

  test("a linear position without its size in coins is left out with the reason", async () => {
    const world = await aWorld();
    const linear = { instrument_name: "SOL_USDC-PERPETUAL", kind: "future", direction: "buy", size: 1420.3 };
    const own = {
      instrument_name: "BTC-PERPETUAL",
      kind: "future",
      direction: "buy",
      size: 45_000,
      size_currency: 0.48,
    };
    const both = { how: "result", value: [linear, own] } as const;
    world.exchange.control.setFault({ method: "private/get_positions", mutate: both });
    const { shown } = await flatten(world, [["Sell 45000"], []]);
    assert.match(
      shown.at(-1) ?? "",
      /: 1 of 1 closed\. SOL_USDC-PERPETUAL is omitted: The exchange reports no size in SOL, so it can't be closed or reduced from here\. Left as of /,
    );
    assert.match(detailOf(world), /SOL_USDC-PERPETUAL is omitted: The exchange reports no size in SOL/);
    const alone = { how: "result", value: [linear] } as const;
    world.exchange.control.setFault({ method: "private/get_positions", mutate: alone });
    await assert.rejects(
      flatten(world, []),
      refusedWith(
        /^No position on SIMULATOR lab can be closed from here\. SOL_USDC-PERPETUAL is omitted: The exchange reports no size in SOL, so it can't be closed or reduced from here\.$/,
      ),
    );
    world.live.dispose();
  });

  test("on production the count is typed, and read-only production asks for both permissions first", async () => {
    const world = await aWorld({ declared: "production" });
    const { shown } = await flatten(world, [FUTURES, []]);
    assert.deepEqual(
      world.questions.map((question) => [question.kind, question.message]),
      [
        ["modal", "Allow changes on PRODUCTION lab for 30 minutes?"],
        [
          "typed",
          "Type 4 (the count) to confirm: Flatten 4 positions on PRODUCTION lab. Reduce-only limit orders that trade at once or are cancelled, up to 0.5 % from the mark price (options: 5 %). Each position is read again before its order.",
        ],
      ],
    );
    assert.match(shown.at(-1) ?? "", /^warning: Flatten Positions on PRODUCTION lab: 4 of 4 closed\. Left as of /);
    world.live.dispose();
  });

  test("declined, nothing is sent and nothing is said", async () => {
    const world = await aWorld({ answer: () => false });
    const { shown } = await flatten(world, [FUTURES, []]);
    assert.deepEqual([sent(world), shown.length], [[], 2]);
    world.live.dispose();
  });
});

describe("the bound of an order", () => {
  const steps = {
    tickSize: 0.0001,
    tickSizes: [{ abovePrice: 0.005, tickSize: 0.0005 }],
    minAmount: 1,
    contractSize: 1,
  };

  test("is the last tick inside 0.5 % of the mark, or 5 % for options", () => {
    const future = { kind: "future", steps: { ...steps, tickSize: 0.5, tickSizes: [] } };
    assert.equal(boundOf("92450.13", "sell", future), "91988");
    assert.equal(boundOf("92450.13", "buy", future), "92912");
    assert.equal(boundOf("1000", "sell", future), "995");
    const option = { kind: "option", steps };
    assert.equal(boundOf("0.0907", "sell", option), "0.0865");
    assert.equal(boundOf("0.0907", "buy", option), "0.095");
    assert.equal(boundOf("0.001", "buy", option), "0.001");
  });

  test("is unknown where no tick is inside, or the tick size is", () => {
    assert.equal(boundOf("0.00005", "buy", { kind: "option", steps }), undefined);
    assert.equal(
      boundOf("100", "buy", { kind: "future", steps: { ...steps, tickSize: undefined, tickSizes: [] } }),
      undefined,
    );
  });
});

describe("the cost against the mark", () => {
  test("is what the amount is worth at both prices, in the settlement currency", () => {
    // Linear: amount × the difference. Inverse: the amount divided by both prices.
    assert.equal(costAgainst({ side: "sell", traded: "120", average: "141.19", mark: "141.2" }, false), "1.2");
    assert.equal(costAgainst({ side: "buy", traded: "4000", average: "0.385", mark: "0.383" }, false), "8");
    assert.equal(costAgainst({ side: "buy", traded: "10", average: "99", mark: "100" }, false), "-10");
    assert.equal(costAgainst({ side: "sell", traded: "1000", average: "40000", mark: "50000" }, true), "0.005");
    assert.equal(costAgainst({ side: "buy", traded: "1000", average: "50000", mark: "40000" }, true), "0.005");
  });
});

describe("the margin use", () => {
  const of = (btc: number): ReadonlyMap<string, number> => new Map([["BTC", btc]]);

  test("stops only where it rose and is above the bound", () => {
    assert.equal(marginStop(of(45), of(85)), "Margin use of BTC rose from 45 % to 85 %.");
    assert.equal(marginStop(of(45), of(80)), undefined);
    assert.equal(marginStop(of(95), of(90)), undefined);
    assert.equal(marginStop(of(95), new Map()), undefined);
  });
});
