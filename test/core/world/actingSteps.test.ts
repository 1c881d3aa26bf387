import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { runEdit } from "../../../src/ui/orders/edits.ts";
import { closeByHand, placeByHand, type PlacingPorts } from "../../../src/ui/placing/placing.ts";
import { protectByHand } from "../../../src/ui/placing/protecting.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import type { World } from "../../world.ts";
import { aHand } from "../ui/placing/hand.ts";
import type { ScriptedAnswer } from "../ui/scriptedDialogs.ts";

/*
 * How many steps it takes to act, and what is said in the end. A step is a box that is answered by Enter or a click, or
 * a dialog that is answered by a button. From the row of an order or a position, on the simulator.
 */

const NAME = "BTC-PERPETUAL";

type Command = (world: World) => (ports: PlacingPorts) => Promise<void>;

const place: Command = (world) => async (ports) =>
  await placeByHand({ connections: [world.live], start: { live: world.live, instrument: NAME } }, "view", ports);
const close: Command = (world) => async (ports) =>
  await closeByHand({ live: world.live, name: NAME }, { purpose: "close", origin: "view" }, ports);
const protect: Command = (world) => async (ports) =>
  await protectByHand({ live: world.live, name: NAME }, { origin: "view" }, ports);
const edit: Command = (world) => async (ports) => {
  const { order_id: id } = world.exchange.control.place({
    ...{ instrument_name: NAME, direction: "buy", amount: 40, price: 1000, post_only: true },
  });
  await world.clock.advance(1000);
  const { live, clock } = world;
  const order = live.orders.snapshot.items.get(id)?.order ?? assert.fail("no order");
  await runEdit(live, order, { origin: "view", nowMs: clock.now(), ...orderLookups(live.orders) }, ports);
};

interface Row {
  readonly name: string;
  readonly command: Command;
  /** What is typed, before the Enter or the click that takes it. */
  readonly answers: readonly ScriptedAnswer[];
  readonly steps: number;
  readonly question: RegExp;
  readonly said: RegExp;
}

const ROWS: readonly Row[] = [
  {
    name: "Place Order by keyboard: the whole order in one line",
    command: place,
    answers: ["type buy 40 @ 1000", "Buy 40"],
    steps: 2,
    question: /^Buy 40 BTC-PERPETUAL @ 1000 on SIMULATOR lab\?$/,
    said: /^Buy 40 BTC-PERPETUAL @ 1000 on SIMULATOR lab: placed as order \d+, which is open\. 0 of 40 filled\.$/,
  },
  {
    name: "Place Order by mouse: the side, the line that is filled in, the button",
    command: place,
    answers: ["Buy", "Buy 10"],
    steps: 3,
    question: /^Buy 10 BTC-PERPETUAL @ [\d.\u202F]+ on SIMULATOR lab\?$/,
    said: /^Buy 10 BTC-PERPETUAL @ [\d.\u202F]+ on SIMULATOR lab: placed as order \d+, which is open\. 0 of 10 filled\.$/,
  },
  {
    name: "Edit Order: the line, the button",
    command: edit,
    answers: ["type 40 @ 1001", "Edit price"],
    steps: 2,
    question: /^Edit BTC-PERPETUAL buy 40 @ 1000 on SIMULATOR lab\?$/,
    said: /^Edit BTC-PERPETUAL buy 40 @ 1000 on SIMULATOR lab: confirmed by the exchange\. 0 of 40 filled\.$/,
  },
  {
    name: "Close Position, by mouse or keyboard: the price, the button",
    command: close,
    answers: ["Limit at the Best Bid"],
    steps: 2,
    question: /^Sell 45\u202F000 BTC-PERPETUAL @ [\d.\u202F]+ to close the position on SIMULATOR lab\?$/,
    said: /^Sell 45\u202F000 BTC-PERPETUAL @ [\d.\u202F]+ to close the position on SIMULATOR lab: placed as order \d+, which is \w+\. [\d\u202F]+ of 45\u202F000 filled\.$/,
  },
  {
    name: "Take Profit: the line, the button",
    command: protect,
    answers: ["type tp 105000", "Sell 45000"],
    steps: 2,
    question: /^Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000 on SIMULATOR lab\?$/,
    said: /^Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000 on SIMULATOR lab: placed as order \d+, which is open\. 0 of 45\u202F000 filled\.$/,
  },
  {
    name: "Stop: the line, the button",
    command: protect,
    answers: ["type sl 80000", "Sell 45000"],
    steps: 2,
    question: /^Sell 45\u202F000 BTC-PERPETUAL: stop @ market at mark price 80\u202F000 on SIMULATOR lab\?$/,
    said: /^Sell 45\u202F000 BTC-PERPETUAL: stop @ market at mark price 80\u202F000 on SIMULATOR lab: placed as order BTC-SLMS-\d+, which is untriggered\.$/,
  },
  {
    name: "Take Profit and Stop together: the line, the button",
    command: protect,
    answers: ["type tp 105000 sl 80000", "Sell 45000"],
    steps: 2,
    question:
      /^Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000, stop @ market at mark price 80\u202F000 on SIMULATOR lab\?$/,
    said: /^Sell 45\u202F000 BTC-PERPETUAL: take profit @ 105\u202F000, stop @ market at mark price 80\u202F000 on SIMULATOR lab: placed as order \d+, which is open\. 0 of 45\u202F000 filled\.$/,
  },
];

describe("the steps of acting", () => {
  for (const { name, command, answers, steps, question, said: expected } of ROWS)
    test(`${name}: ${steps}`, async () => {
      const { world, said, run } = await aHand({ orders: 0 });
      const shown = await run(command(world), answers);
      const boxes = shown.filter((each) => !/^(?:refused|warning|passing|progress):/.test(each));
      assert.equal(boxes.length + world.questions.length, steps, shown.join("\n"));
      assert.match(world.questions[0]?.message ?? "", question);
      assert.equal(said.length, 1);
      assert.match(said[0] ?? "", expected);
      world.live.dispose();
    });
});
