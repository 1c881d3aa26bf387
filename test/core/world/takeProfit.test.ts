import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError } from "../../../src/base/failure.ts";
import { protectByHand } from "../../../src/ui/placing/protecting.ts";
import type { World, WorldOptions } from "../../world.ts";
import { aHand, type Hand } from "../ui/placing/hand.ts";
import { BACK, LEAVE, type ScriptedAnswer } from "../ui/scriptedDialogs.ts";

/* Add Take Profit or Stop…, from its line to what the exchange has in its book. */

/** Long 45000 USD in the simulator as it is seeded. */
const NAME = "BTC-PERPETUAL";

async function aLongHand(options: WorldOptions = {}, tries = 0): Promise<Hand> {
  const hand = await aHand({ orders: 0, ...options }, tries);
  assert.equal(hand.world.exchange.control.position(NAME), 45_000);
  return hand;
}

async function protect({ world, run }: Hand, ...answers: readonly ScriptedAnswer[]): Promise<readonly string[]> {
  return await run(
    async (ports) => await protectByHand({ live: world.live, name: NAME }, { origin: "view" }, ports),
    answers,
  );
}

/** The open orders in the instrument, in short. */
function open({ exchange }: World): readonly string[] {
  return exchange.control
    .openOrders()
    .filter(({ instrument_name: name }) => name === NAME)
    .map(
      ({ direction, amount, price, order_type: type, trigger_price: at, reduce_only: isReduceOnly }) =>
        `${direction} ${amount} ${type} ${String(price)}${at === undefined ? "" : ` at ${at}`}${isReduceOnly === true ? " reduce" : ""}`,
    );
}

const BOTH = ["sell 45000 limit 105000 reduce", "sell 45000 stop_market market_price at 80000 reduce"];

/** Places an order of the account as another program would. */
function present({ exchange }: World, spec: Readonly<Record<string, unknown>>): string {
  const order = { instrument_name: NAME, direction: "sell", amount: 45_000, reduce_only: true, ...spec };
  return exchange.control.place(order as never).order_id;
}

/** The order of a response that says nothing of a link. */
const UNLINKED = {
  ...{ order_id: "1", order_state: "open", instrument_name: NAME, direction: "sell", amount: 45_000, price: 105_000 },
  ...{ order_type: "limit", post_only: true, reject_post_only: true, reduce_only: true, filled_amount: 0 },
};

const STOP = { type: "stop_market", trigger: "mark_price", trigger_price: 80_000, label: "bot" };

describe("Add Take Profit or Stop", () => {
  test("both: one line, one question, one request, two orders that cancel each other", async () => {
    const hand = await aLongHand();
    const { world, said } = hand;
    const shown = await protect(hand, "type tp 105000 sl 80000", "Sell 45000");
    assert.match(
      shown[0] ?? "",
      /^Take Profit or Stop for BTC-PERPETUAL long 45\u202F000 USD on SIMULATOR lab · bid [\d.\u202F]+ · ask [\d.\u202F]+ · mark [\d.\u202F]+ · tick 0\.5 · minimum 10 · \d+ s ago: tp price sl trigger price \[@ limit\] \[mark\|last\|index\], with an amount first for a part <\$\(warning\) Enter tp and a price, sl and a trigger price, or both, for example tp 105000 sl 90000\. \|/,
    );
    assert.match(
      shown[1] ?? "",
      /^refused: <Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000, stop @ market at mark price 80\u202F000 \|/,
    );
    assert.equal(shown.length, 2);
    const [question, ...others] = world.questions;
    assert.deepEqual(others, []);
    assert.ok(question?.kind === "modal");
    const { message, detail, confirm, keep } = question;
    assert.deepEqual(
      [message, confirm, keep],
      [
        "Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000, stop @ market at mark price 80\u202F000 on SIMULATOR lab?",
        "Place Take Profit and Stop",
        "Don't Place",
      ],
    );
    const lines = detail.split("\n");
    assert.deepEqual(lines.slice(0, 5), [
      "Take profit: limit · good_til_cancelled · post-only, rejected if it would trade at once · reduce-only",
      "It rests in the book and has no trigger.",
      "Stop: stop_market · trigger mark_price · trigger price 80\u202F000 · reduce-only",
      "Its price isn't limited: once triggered, it trades at whatever the book offers.",
      "One request places both. What one fills is taken off the other (one_cancels_other, incremental). If the exchange refuses linked orders, nothing is placed.",
    ]);
    assert.equal(lines.filter((line) => /\(private\/(?:get_margins|simulate_portfolio)\)$/.test(line)).length, 4);
    assert.match(lines.at(-3) ?? "", /^Label: rpc-[0-9a-f]{16}$/);
    assert.match(lines.at(-2) ?? "", /^Label of the stop: rpc-[0-9a-f]{16}$/);
    const [frame = "", ...more] = world.frames("private/sell");
    assert.deepEqual(more, []);
    assert.match(
      frame,
      /"linked_order_type":"one_cancels_other","trigger_fill_condition":"incremental","otoco_config":\[\{/,
    );
    assert.match(frame, /\}\],"valid_until":\d{13}\}/);
    assert.deepEqual(open(world), BOTH);
    assert.match(
      said[0] ?? "",
      /^Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000, stop @ market at mark price 80\u202F000 on SIMULATOR lab: placed as order \d+, which is open\. 0 of 45\u202F000 filled\.$/,
    );
    world.live.dispose();
  });

  test("a partial fill of the take profit leaves a stop of the rest, and a fill of the whole none", async () => {
    const hand = await aLongHand();
    await protect(hand, "type tp 105000 sl 80000", "Sell 45000");
    const { control } = hand.world.exchange;
    const [takeProfit] = control.openOrders();
    control.fill(takeProfit?.order_id ?? "", 15_000);
    assert.equal(control.position(NAME), 30_000);
    assert.deepEqual(open(hand.world), [
      "sell 45000 limit 105000 reduce",
      "sell 30000 stop_market market_price at 80000 reduce",
    ]);
    control.fill(takeProfit?.order_id ?? "");
    assert.deepEqual([control.position(NAME), open(hand.world)], [0, []]);
    hand.world.live.dispose();
  });

  test("the stop that fires closes what the take profit has left, and ends it", async () => {
    const hand = await aLongHand();
    await protect(hand, "type tp 105000 sl 80000", "Sell 45000");
    const { control } = hand.world.exchange;
    const [takeProfit, stop] = control.openOrders();
    control.fill(takeProfit?.order_id ?? "", 15_000);
    control.fire(stop?.order_id ?? "");
    assert.deepEqual([control.position(NAME), open(hand.world)], [0, []]);
    hand.world.live.dispose();
  });

  test("one alone, of a part, with a limit and another trigger, is a plain reduce-only order", async () => {
    const hand = await aLongHand();
    await protect(hand, "type 10000 sl 80000 @ 79900 last", "Sell 10000");
    assert.deepEqual(open(hand.world), ["sell 10000 stop_limit 79900 at 80000 reduce"]);
    assert.ok(!(hand.world.frames("private/sell")[0] ?? "").includes("linked_order_type"));
    assert.match(
      hand.said[0] ?? "",
      /^Sell 10\u202F000 BTC-PERPETUAL: stop @ 79\u202F900 at last price 80\u202F000 on SIMULATOR lab: placed as order BTC-SLTS-\d+, which is untriggered\.$/,
    );
    hand.world.live.dispose();
  });

  test("a server that refuses linked orders has placed nothing, and Try Again… has what was typed", async () => {
    const hand = await aLongHand({}, 1);
    hand.world.exchange.control.setFault({ method: "private/sell", effect: "skipped", response: { code: 13922 } });
    const shown = await protect(hand, "type tp 105000 sl 80000", "Sell 45000", LEAVE);
    assert.deepEqual(open(hand.world), []);
    assert.match(hand.said[0] ?? "", /13922/);
    assert.match(
      shown[2] ?? "",
      /<Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000, stop @ market at mark price 80\u202F000 \|/,
    );
    hand.world.live.dispose();
  });

  test("a response that shows no link is not said to be as requested", async () => {
    const hand = await aLongHand();
    hand.world.exchange.control.setFault({
      method: "private/sell",
      mutate: { how: "set", member: "order", value: UNLINKED },
    });
    await protect(hand, "type tp 105000 sl 80000", "Sell 45000");
    assert.match(hand.said[0] ?? "", /the response doesn't show linked_order_type \(requested: one_cancels_other\)/);
    hand.world.live.dispose();
  });

  test("where the position has a stop, the take profit can't be linked: it is placed alone, or the stop is replaced", async () => {
    const hand = await aLongHand();
    present(hand.world, STOP);
    const shown = await protect(hand, "type tp 105000", "Sell 45000", "Keep Them");
    assert.match(
      shown[2] ?? "",
      /: The position already has these orders\. The exchange can't link a new order to them\. <-- BTC-PERPETUAL sell 45\u202F000 @ market, trigger 80\u202F000 \| Keep Them and Place the New One \| Cancel Them and Place Both>$/,
    );
    assert.deepEqual(open(hand.world), [BOTH[1], BOTH[0]]);
    assert.ok(!(hand.world.frames("private/sell")[0] ?? "").includes("linked_order_type"));
    hand.world.live.dispose();
  });

  test("the stop is cancelled and both are placed, with one question that names the moment without protection", async () => {
    const hand = await aLongHand();
    const { world, said } = hand;
    const id = present(world, STOP);
    await world.clock.advance(1000);
    await protect(hand, "type tp 105000", "Sell 45000", "Cancel Them");
    const [question, ...others] = world.questions;
    assert.deepEqual(others, []);
    assert.ok(question?.kind === "modal");
    assert.equal(
      question.message,
      "Cancel 1 order and place: Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000, stop @ market at mark price 80\u202F000 on SIMULATOR lab?",
    );
    const lines = question.detail.split("\n");
    assert.deepEqual(lines.slice(0, 2), [
      "From the cancel until the new orders are placed, nothing protects the position.",
      "Cancel BTC-PERPETUAL sell 45\u202F000 @ market, trigger 80\u202F000",
    ]);
    assert.deepEqual(
      [question.confirm, question.show, question.keep],
      ["Cancel and Place", "Show Orders", "Keep Orders"],
    );
    assert.deepEqual(open(world), BOTH);
    assert.equal(world.exchange.control.order(id)?.["order_state"], "cancelled");
    assert.equal(said[0], "Cancelled on SIMULATOR lab: BTC-PERPETUAL sell 45\u202F000 @ market, trigger 80\u202F000.");
    assert.match(said[1] ?? "", /placed as order \d+, which is open\./);
    assert.equal(said.length, 2);
    world.live.dispose();
  });

  test("where the cancel is unknown nothing is placed; where the new orders are refused, it says what is left", async () => {
    const lost = await aLongHand();
    present(lost.world, STOP);
    await lost.world.clock.advance(1000);
    lost.world.exchange.control.setFault({ method: "private/cancel", effect: "skipped", response: "none" });
    await protect(lost, "type tp 105000", "Sell 45000", "Cancel Them");
    assert.deepEqual([lost.world.frames("private/sell"), open(lost.world)], [[], [BOTH[1]]]);
    lost.world.live.dispose();

    const refused = await aLongHand();
    present(refused.world, STOP);
    await refused.world.clock.advance(1000);
    refused.world.exchange.control.setFault({ method: "private/sell", effect: "skipped", response: { code: 10009 } });
    const shown = await protect(refused, "type tp 105000", "Sell 45000", "Cancel Them");
    assert.deepEqual(open(refused.world), []);
    assert.equal(
      shown.at(-1),
      "warning: Nothing protects the position on SIMULATOR lab: the old orders were cancelled, and the new ones were not placed.",
    );
    refused.world.live.dispose();
  });

  test("an order that is still open in the last moment keeps the new ones back", async () => {
    const hand = await aLongHand();
    const id = present(hand.world, STOP);
    await hand.world.clock.advance(1000);
    hand.world.exchange.control.setFault({
      ...{ method: "private/cancel", effect: "skipped" },
      mutate: { how: "result", value: { order_id: id, order_state: "cancelled", instrument_name: NAME } },
    });
    await protect(hand, "type tp 105000", "Sell 45000", "Cancel Them");
    assert.deepEqual([hand.world.frames("private/sell"), open(hand.world)], [[], [BOTH[1]]]);
    assert.match(
      hand.said.at(-1) ?? "",
      /BTC-PERPETUAL sell 45\u202F000 @ market, trigger 80\u202F000 is still open\./,
    );
    hand.world.live.dispose();
  });

  test("a pair that is linked already is replaced by the cancel of one of them", async () => {
    const hand = await aLongHand();
    await protect(hand, "type tp 105000 sl 80000", "Sell 45000");
    await hand.world.clock.advance(1000);
    await protect(hand, "type tp 106000 sl 81000", "Sell 45000", BACK, "Sell 45000", "Cancel Them");
    assert.equal(hand.world.frames("private/cancel").length, 1);
    assert.deepEqual(open(hand.world), [
      "sell 45000 limit 106000 reduce",
      "sell 45000 stop_market market_price at 81000 reduce",
    ]);
    hand.world.live.dispose();
  });

  test("is within the limits of trading whatever is left of them, still confirmed, and asks for both permissions first", async () => {
    const hand = await aLongHand({
      ...{ declared: "production", largestOrderUsd: "notAllowed" },
      askLimit: async () => await Promise.resolve({ largestOrderUsd: 10, totalUsd: 10 }),
    });
    const shown = await protect(hand, "type tp 105000 sl 80000", "Sell 45000");
    assert.match(shown[0] ?? "", /^Take Profit or Stop/);
    const [allowed, question] = hand.world.questions;
    assert.equal(allowed?.message, "Allow changes on PRODUCTION lab for 30 minutes?");
    assert.ok(question?.kind === "modal");
    assert.match(question.detail, /\nReduce-only up to the position: the limits of trading don't apply\.$/);
    assert.equal(question.show, "Show Orders");
    assert.deepEqual(open(hand.world), BOTH);
    hand.world.live.dispose();
  });

  test("Open as Request writes both into one request, with the digits that were typed, and sends nothing", async () => {
    const hand = await aLongHand();
    await protect(hand, "type tp 105000.50 sl 80000.0", "$(go-to-file)");
    assert.match(
      hand.opened[0] ?? "",
      /"method": "private\/sell",[^]*"price": 105000\.50,[^]*"trigger_fill_condition": "incremental",\n {4}"otoco_config": \[\{.*"trigger_price":80000\.0,.*\}\]\n/,
    );
    assert.deepEqual([hand.world.questions, hand.world.frames("private/sell")], [[], []]);
    hand.world.live.dispose();
  });

  test("without a position nothing is asked; where open orders can't be read, the question says so", async () => {
    const hand = await aLongHand();
    hand.world.exchange.control.setFault({
      method: "private/get_open_orders_by_instrument",
      response: { code: -32601 },
    });
    await protect(hand, "type tp 105000", "Sell 45000");
    const [question] = hand.world.questions;
    assert.ok(question?.kind === "modal");
    assert.match(
      question.detail,
      /\nThe open orders couldn't be read\. The position may already have a take profit or a stop\.\n/,
    );
    hand.world.exchange.control.setFault({
      method: "private/get_position",
      mutate: { how: "set", member: "size", value: 0 },
    });
    await assert.rejects(
      protect(hand),
      (error) =>
        error instanceof CallError &&
        error.failure.kind === "refused" &&
        /There is no position/.test(error.failure.reason),
    );
    hand.world.live.dispose();
  });
});
