import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cancelOrder, type OrderContext } from "../../../src/actions/changes/orders.ts";
import { editOpenOrder } from "../../../src/actions/changes/editOrders.ts";
import { readOrderLine } from "../../../src/actions/changes/orderLine.ts";
import { placeTypedOrder } from "../../../src/actions/changes/placeOrder.ts";
import type { Intent } from "../../../src/actions/intent.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { OrderSpec } from "../../../src/simulator/market/orders.ts";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import { openOrders, successorOf, type Order } from "../../../src/state/orders.ts";
import { createWorld, type World } from "../../world.ts";

/*
 * The market is faster than the user: what is read when an order fills, is triggered, or loses the other side of its
 * book between the confirmation and the response. The exchange's own orders are the truth.
 */

const times = createTimes("UTC");

const LIMIT: OrderSpec = { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 40, price: 1000, label: "mine" };
const STOP: OrderSpec = { ...LIMIT, order_type: "stop_limit", trigger: "mark_price", trigger_price: 900 };

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
  const intent = intentOf(world, openOrders(world.live.orders.snapshot).find(({ order_id }) => order_id === id));
  if (fault !== undefined) world.exchange.control.setFault({ method: intent.method, ...fault });
  const done = world.live.gate.submit(intent);
  await world.clock.advance(2000);
  await happen("sent");
  await world.clock.advance(60_000);
  const outcome = await done;
  const entry = world.live.gate.activity.find((each) => each.intent.method === intent.method);
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
    current: (id) => openOrders(orders.snapshot).find(({ order_id }) => order_id === id),
    successorOf: (id) => successorOf(orders.snapshot, id),
  };
}

const edit = (world: World, order?: Order): Intent =>
  editOpenOrder(order ?? assert.fail(), { price: "1001" }, contextOf(world));
const cancel = (world: World, order?: Order): Intent => cancelOrder(order ?? assert.fail(), contextOf(world));
const buyAtMarket = (world: World): Intent => {
  const line = readOrderLine("1 @ market");
  assert.ok(!("problem" in line));
  return placeTypedOrder(
    { instrument: "ETH-PERPETUAL", side: "buy", line, options: {} },
    {
      ...{ origin: "palette", label: "rpc-1", knownIds: [], preview: [], isOutOfBand: false },
      exchangeNowMs: () => world.clock.now(),
    },
  );
};

describe("x", () => {
  for (const moment of ["asked", "confirmed", "sent"] as const)
    for (const fault of [undefined, { holdMs: 5000 }, { applyAfterMs: 5000 }, { response: "none" }, { effect: "overtaken" }] as const)
      for (const [name, spec, intentOf] of [["fill edit", LIMIT, edit], ["fill cancel", LIMIT, cancel], ["trigger edit", STOP, edit], ["trigger cancel", STOP, cancel]] as const)
        test(`${moment} ${JSON.stringify(fault)} ${name}`, async () => {
          const { world, said, frames } = await race(spec, intentOf, { moment, ...(fault === undefined ? {} : { fault: fault as Fault }), happens: (w, id) => { const o = w.exchange.control.order(id); if (o?.order_state === "open" || o?.order_state === "untriggered") void (spec === STOP ? w.exchange.control.fire(id) : w.exchange.control.fill(id, 10)); } });
          require("node:fs").appendFileSync("/tmp/races.txt", [name, moment, JSON.stringify(fault), frames, ...said].join("\n   ") + "\n");
          world.live.dispose();
        });
  test("market", async () => {
          const { world, said, frames } = await race(undefined, buyAtMarket, { moment: "confirmed", happens: async (w) => { 
      const o = await w.live.gate.submit({ method: "private/buy", paramsText: '{"instrument_name":"ETH-PERPETUAL","amount":1458,"type":"market"}', origin: "requestFile", words: {action: "a", target: "t", detail: [], keep: "k"}});
 } });
          require("node:fs").appendFileSync("/tmp/races.txt", ["market", frames, ...said].join("\n   ") + "\n");
});
});
