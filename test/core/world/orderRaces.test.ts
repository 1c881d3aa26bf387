import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { cancelOrder, type OrderContext } from "../../../src/actions/changes/orders.ts";
import { editOpenOrder } from "../../../src/actions/changes/editOrders.ts";
import { readOrderLine } from "../../../src/actions/changes/orderLine.ts";
import { placeTypedOrder } from "../../../src/actions/changes/placeOrder.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { OrderSpec } from "../../../src/simulator/methods/orderTerms.ts";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import { openOrder, openOrders, orderLookups, type Order } from "../../../src/state/orders.ts";
import { createWorld, type World } from "../../world.ts";

/*
 * The market is faster than the user: what is read when an order fills, is triggered, or loses the other side of its
 * book between the confirmation and the response. The exchange's own orders are the truth.
 */

const times = createTimes(0);

const LIMIT: OrderSpec = { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 40, price: 1000, label: "mine" };
const TAKE: OrderSpec = { ...LIMIT, type: "take_limit", trigger: "mark_price", trigger_price: 900 };

/** The moment of a race. `confirmed`: after the confirmation, before the send. `sent`: before the response. */
type Moment = "asked" | "confirmed" | "sent";

interface Race {
  readonly world: World;
  readonly id: string;
  /** What is said at once, and what reading adds; without times. */
  readonly said: readonly string[];
  readonly frames: number;
}

interface Racing {
  readonly moment: Moment;
  /** What happens at the exchange in this moment. */
  readonly happens?: (world: World, id: string) => Promise<void> | void;
  readonly fault?: Fault;
}

async function race(
  spec: OrderSpec | undefined,
  intentOf: (world: World, order: Order | undefined) => Intent,
  { moment, happens, fault }: Racing,
): Promise<Race> {
  let id = "";
  let isOver = false;
  const happen = async (when: Moment): Promise<void> => {
    if (when !== moment || isOver) return;
    isOver = true;
    await happens?.(world, id);
  };
  const world: World = createWorld({
    declared: "test",
    orders: 0,
    onAppend: async ({ event }) => {
      if (event === "intent") await happen("confirmed");
    },
    answer: async () => {
      await happen("asked");
      await world.clock.advance(500);
      return true;
    },
  });
  if (spec !== undefined) id = world.exchange.control.place(spec).order_id;
  await world.connect();
  const intent = intentOf(world, openOrder(world.live.orders.snapshot, id));
  if (fault !== undefined) world.exchange.control.setFault({ method: intent.method, ...fault });
  const done = world.live.gate.submit(intent);
  await world.clock.advance(2000);
  await happen("sent");
  await world.clock.advance(60_000);
  const outcome = await done;
  const entry = world.live.gate.activity.find((each) => each.intent.words === intent.words);
  const about = { intent: entry?.intent ?? intent, place: world.live.place, times };
  const verdicts = (entry?.verdicts ?? []).map((verdict) => verdictText(verdict, about));
  const said = [outcomeText(outcome, about), ...verdicts].map((text) => text.replaceAll(/\d\d:\d\d:\d\d/g, "T"));
  return { world, id, said, frames: world.frames(intent.method).length };
}

function contextOf(world: World): OrderContext {
  const { orders } = world.live;
  return {
    origin: "view",
    nowMs: world.clock.now(),
    ...orderLookups(orders),
  };
}

const edit = (world: World, order?: Order): Intent =>
  editOpenOrder(order ?? assert.fail(), { price: "1001" }, contextOf(world));
const cancel = (world: World, order?: Order): Intent => cancelOrder(order ?? assert.fail(), contextOf(world));
const buyAtMarket = (): Intent => {
  const line = readOrderLine("1 @ market");
  assert.ok(!("problem" in line));
  return placeTypedOrder(
    { instrument: "ETH-PERPETUAL", side: "buy", line, options: {} },
    { origin: "palette", label: "rpc-1", knownIds: [], preview: [], isOutOfBand: false },
  );
};

const UNKNOWN = "outcome unknown, checking… No response from TESTNET lab within 15 s.";
const CLOSED =
  "refused by the exchange. The exchange returned error 10010: already_closed. The target order is already in a final state. The order was already filled or cancelled. Refresh the open orders.";
const NOT_OPEN =
  "refused by the exchange. The exchange returned error 11044: not_open_order. Operation needs an open order, but the order is not open. The order was already filled, triggered, or cancelled. Refresh the open orders.";
const GOES_ON = "A new order with another ID took its place and may already be filled. Check Open Orders.";
const ORDER = "BTC-PERPETUAL buy 40 @ 1000 on TESTNET lab";
const TAKE_ORDER = "BTC-PERPETUAL buy 40 @ 1000, trigger 900 on TESTNET lab";

const fill =
  (amount: number) =>
  (world: World, id: string): void =>
    void world.exchange.control.fill(id, amount);
const fire = (world: World, id: string): void => void world.exchange.control.fire(id);

/** Buys all that is offered. The one who offers it does not offer more: the market stands still. */
async function emptyAsks(world: World): Promise<void> {
  const submit = async (method: string, params: object): Promise<unknown> => {
    const words = { action: plain`Buy`, target: plain`all`, detail: [], keep: plain`Don't Buy` };
    const paramsText = JSON.stringify({ instrument_name: "ETH-PERPETUAL", ...params });
    const outcome = await world.live.gate.submit({ method, paramsText, words, origin: "requestFile" });
    assert.ok(outcome.kind === "confirmed");
    return outcome.response.result;
  };
  const { asks } = (await submit("public/get_order_book", { depth: 1000 })) as { readonly asks: [number, number][] };
  await submit("private/buy", { amount: asks.reduce((sum, [, amount]) => sum + amount, 0), type: "market" });
}

describe("a fill races an edit", () => {
  const rows: readonly (Racing & {
    readonly name: string;
    readonly frames: number;
    readonly said: readonly string[];
  })[] = [
    {
      name: "all of it, before the send: nothing is sent",
      ...{ moment: "confirmed", happens: fill(40), frames: 0 },
      said: ["Not sent to TESTNET lab, so nothing was changed: That order is no longer open."],
    },
    {
      name: "a part of it, before the send: nothing is sent on what was shown",
      ...{ moment: "confirmed", happens: fill(10), frames: 0 },
      said: [
        "Not sent to TESTNET lab, so nothing was changed: The order was changed after the confirmation was shown. Check the order in Open Orders, then try again.",
      ],
    },
    {
      name: "all of it, before the edit arrives",
      ...{ moment: "sent", fault: { effect: "overtaken" }, frames: 1 },
      said: [
        `Edit ${ORDER}: ${CLOSED}`,
        `${ORDER}: not as requested at T: filled. It was changed by another client or not applied.`,
      ],
    },
    {
      name: "all of it, before the edit arrives, and no response",
      ...{ moment: "sent", happens: fill(40), fault: { applyAfterMs: 5000 }, frames: 1 },
      said: [
        `Edit ${ORDER}: ${UNKNOWN}`,
        `${ORDER}: not as requested at T: filled, 40 of 40 filled, price 1000. It was changed by another client or not applied.`,
      ],
    },
    {
      name: "a part of it, before the edit arrives, and no response",
      ...{ moment: "sent", happens: fill(10), fault: { applyAfterMs: 5000 }, frames: 1 },
      said: [`Edit ${ORDER}: ${UNKNOWN}`, `Edit ${ORDER}: checked at T: open, 10 of 40 filled, price 1001.`],
    },
    {
      name: "all of it at the new price, and the response is lost",
      ...{ moment: "sent", happens: fill(40), fault: { response: "none" }, frames: 1 },
      said: [`Edit ${ORDER}: ${UNKNOWN}`, `Edit ${ORDER}: checked at T: filled, 40 of 40 filled, price 1001.`],
    },
  ];
  for (const { name, frames, said, ...racing } of rows)
    test(name, async () => {
      const told = await race(LIMIT, edit, racing);
      assert.deepEqual([told.said, told.frames], [said, frames]);
      told.world.live.dispose();
    });

  test("between the edit and its response, which is late: the response tells its time, and the order what is true", async () => {
    const { world, id, said, frames } = await race(LIMIT, edit, {
      ...{ moment: "sent", happens: fill(10), fault: { holdMs: 5000 } },
    });
    assert.deepEqual([said, frames], [[`Edit ${ORDER}: confirmed by the exchange. 0 of 40 filled.`], 1]);
    const { price, filled_amount } = contextOf(world).current(id) ?? assert.fail();
    assert.deepEqual([price, filled_amount], [1001, 10]);
    world.live.dispose();
  });
});

describe("a trigger races a change", () => {
  for (const moment of ["asked", "confirmed"] as const)
    for (const [what, intentOf, instead] of [
      ["a cancel", cancel, "Cancel"],
      ["an edit", edit, "Edit"],
    ] as const)
      test(`${what}, ${moment}: nothing is sent, and the new order is named`, async () => {
        const { world, id, said, frames } = await race(TAKE, intentOf, { moment, happens: fire });
        const [successor] = openOrders(world.live.orders.snapshot);
        assert.equal(successor?.trigger_order_id, id);
        assert.deepEqual(
          [said, frames],
          [
            [
              `Not sent to TESTNET lab, so nothing was changed: Order ${id} was triggered and goes on as ${successor.order_id}. ${instead} the new order instead.`,
            ],
            0,
          ],
        );
        world.live.dispose();
      });

  test("a cancel that is sent before the news of it: refused, and the order that goes on is told", async () => {
    const unaware = (world: World, order?: Order): Intent =>
      cancelOrder(order ?? assert.fail(), { origin: "view", nowMs: world.clock.now(), current: () => order });
    const { world, said, frames } = await race(TAKE, unaware, { moment: "confirmed", happens: fire });
    assert.deepEqual(
      [said, frames],
      [
        [
          `Cancel ${TAKE_ORDER}: ${NOT_OPEN}`,
          `${TAKE_ORDER}: verified as triggered at T, but not because of this cancel. ${GOES_ON}`,
        ],
        1,
      ],
    );
    assert.equal(world.exchange.control.openOrders().length, 1);
    world.live.dispose();
  });

  test("a cancel that is under way and never answered: the order that goes on is told", async () => {
    const { world, said, frames } = await race(TAKE, cancel, {
      ...{ moment: "sent", happens: fire, fault: { applyAfterMs: 5000 } },
    });
    assert.deepEqual(
      [said, frames],
      [
        [
          `Cancel ${TAKE_ORDER}: ${UNKNOWN}`,
          `${TAKE_ORDER}: verified as triggered at T, but not because of this cancel. ${GOES_ON}`,
        ],
        1,
      ],
    );
    assert.equal(world.exchange.control.openOrders().length, 1);
    world.live.dispose();
  });

  for (const [name, fault, found] of [
    [
      "before it takes effect",
      { applyAfterMs: 5000 },
      `${TAKE_ORDER}: not as requested at T: triggered, price 1000. It was changed by another client or not applied.`,
    ],
    ["after it took effect", { response: "none" }, `Edit ${TAKE_ORDER}: checked at T: triggered, price 1001.`],
  ] as const)
    test(`an edit that is under way, ${name}`, async () => {
      const { world, said, frames } = await race(TAKE, edit, { moment: "sent", happens: fire, fault });
      assert.deepEqual([said, frames], [[`Edit ${TAKE_ORDER}: ${UNKNOWN}`, `${found} ${GOES_ON}`], 1]);
      world.live.dispose();
    });
});

describe("a market order meets an empty book", () => {
  test("that was not empty when it was confirmed: the order is cancelled, and nothing was filled", async () => {
    const { world, said, frames } = await race(undefined, buyAtMarket, { moment: "confirmed", happens: emptyAsks });
    const [ended] = world.exchange.control.closedOrders().filter(({ label }) => label === "rpc-1");
    assert.deepEqual([ended?.order_state, ended?.["filled_amount"]], ["cancelled", 0]);
    assert.deepEqual(
      [said, frames],
      [
        [
          `Buy 1 ETH-PERPETUAL @ market on TESTNET lab: the exchange returned a different result than requested: order ${String(ended?.order_id)} is cancelled, nothing was filled.`,
        ],
        2,
      ],
    );
    world.live.dispose();
  });
});
