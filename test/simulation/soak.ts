import * as v8 from "node:v8";
import * as vm from "node:vm";
import type { Outcome } from "../../src/actions/judge/outcome.ts";
import { cancelOrder } from "../../src/actions/changes/orders.ts";
import { openOrders, orderLookups } from "../../src/state/orders.ts";
import { createFakeRandom } from "../fakeClock.ts";
import type { Replacement } from "../planted/planting.ts";
import { wishesOfQuotes, wishOfKey, wishOfLimits, type Wished } from "./commands.ts";
import { createStage, type Stage } from "./stage.ts";
import { createQuotesStore } from "../../src/state/quotes.ts";
import { createMmpStore } from "../../src/state/mmp.ts";

/*
 * Days of one window on the fake clock: updates flow, the link is lost every quarter of an hour, the computer is
 * suspended once a day, and the user changes something about once a minute. What is held must not grow.
 */

export interface SoakOptions {
  readonly hours: number;
  readonly seed: number;
}

export interface SoakReport {
  readonly intents: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly generations: number;
  readonly events: number;
  /** At each full hour, while nothing is under way: bytes of the heap after a collection, timers, listeners, links. */
  readonly samples: readonly SoakSample[];
  /** When everything was disposed of. */
  readonly left: Omit<SoakSample, "heapBytes">;
}

export interface SoakSample {
  readonly heapBytes: number;
  readonly timers: number;
  readonly listeners: number;
  readonly openWires: number;
}

/** Emitters that count: the listeners of all of them together are held in one number of the thread. */
export const COUNTING_EMITTERS: readonly Replacement[] = [
  {
    file: "src/base/emitter.ts",
    search: "      listeners = [...listeners, entry];\n",
    replacement:
      "      listeners = [...listeners, entry];\n      globalThis.listenersHeld = (globalThis.listenersHeld ?? 0) + 1;\n",
  },
  {
    file: "src/base/emitter.ts",
    search: "          listeners = listeners.filter((each) => each !== entry);\n",
    replacement:
      "          const before = listeners.length;\n          listeners = listeners.filter((each) => each !== entry);\n          globalThis.listenersHeld -= before - listeners.length;\n",
  },
  {
    file: "src/base/emitter.ts",
    search: "    dispose() {\n      listeners = [];",
    replacement:
      "    dispose() {\n      globalThis.listenersHeld = (globalThis.listenersHeld ?? 0) - listeners.length;\n      listeners = [];",
  },
];

const UPDATES = 5;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const INTENT_EVERY_MS = 40_000;
const DISCONNECT_EVERY_MS = 15 * MINUTE_MS;
/**
 * What the simulator remembers of orders and quotes that have ended: filled before the first hour, so that only the
 * client can grow.
 */
const REMEMBERED = { orders: 10_000, quotes: 1000 };

export async function runSoak({ hours, seed }: SoakOptions): Promise<SoakReport> {
  const outcomes: Record<string, number> = {};
  const stage = createStage(
    {
      seed,
      environment: "simulator",
      orders: 20,
      network: "usual",
      server: "whole",
      way: "webSocket",
    },
    {
      onTurn: () => undefined,
      onDial: () => undefined,
      onSent: () => undefined,
      onServed: () => undefined,
      onArrival: (_wire, _text, deliver) => {
        deliver();
      },
      ask: async () => await Promise.resolve(true),
      askCode: async () => await Promise.resolve(undefined),
      journal: { append: async () => await Promise.resolve() },
    },
  );
  const { time, live, exchange } = stage;
  const random = createFakeRandom(seed + 1);
  for (let count = 0; count < REMEMBERED.orders; count++) exchange.control.cancel(place(stage, random()));
  for (let count = 0; count < REMEMBERED.quotes; count++) exchange.control.cancelBlockRfqQuote(placeQuote(stage));
  for (const view of [live.apiKeys, live.storeOf(createQuotesStore), live.storeOf(createMmpStore)])
    view.setVisible(true);
  live.connect();
  let intents = 0;
  let attempts = 0;
  let events = 0;
  const samples: SoakSample[] = [];
  const submit = async (): Promise<void> => {
    const wished = await nextWish(stage, attempts++);
    if (wished === undefined) return;
    intents++;
    const outcome: Outcome = await live.gate.submit(wished.intent);
    outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
  };
  for (let hour = 0; hour < hours; hour++) {
    const endMs = (hour + 1) * HOUR_MS;
    if (hour % 24 === 12) {
      await time.sleep(20 * MINUTE_MS);
      stage.client.lose(20 * MINUTE_MS);
    }
    while (time.elapsedMs < endMs - 3 * MINUTE_MS) {
      const untilCutMs = DISCONNECT_EVERY_MS - (time.elapsedMs % DISCONNECT_EVERY_MS);
      if (untilCutMs <= INTENT_EVERY_MS) {
        await time.advance(untilCutMs);
        stage.wire?.cut();
      }
      update(stage, attempts);
      void submit();
      await time.advance(INTENT_EVERY_MS / 2);
      exchange.control.freezeMmp({ index_name: "btc_usd", mmp_group: "" });
      await time.advance(INTENT_EVERY_MS / 2);
    }
    // The last minutes are quiet, so that what is held is not what is under way.
    await time.advance(endMs - time.elapsedMs);
    events += live.eventCount;
    forget(stage);
    samples.push(sampleOf(stage));
  }
  live.dispose();
  await time.advance(2100);
  const { timers, listeners, openWires } = sampleOf(stage);
  exchange.dispose();
  return {
    intents,
    outcomes,
    generations: stage.dials.length,
    events,
    samples,
    left: { timers, listeners, openWires },
  };
}

function place({ exchange }: Stage, chance: number): string {
  const isBought = chance < 0.5;
  // Both rest: the market stands still at about 2100.
  return exchange.control.place({
    instrument_name: "ETH-PERPETUAL",
    direction: isBought ? "buy" : "sell",
    amount: 10,
    price: (isBought ? 2000 : 2200) + Math.floor(chance * 50),
    label: "soak",
  }).order_id;
}

function placeQuote({ exchange }: Stage): number {
  return Number(
    exchange.control.placeBlockRfqQuote({ block_rfq_id: 722, direction: "buy", price: 0.02, amount: 25 })[
      "block_rfq_quote_id"
    ],
  );
}

/** Orders change without ending or being traded: the simulator keeps every trade, which would be taken for ours. */
function update({ exchange }: Stage, count: number): void {
  // A quote is changed by another quote alone; other instruments have other steps.
  const orders = exchange.control
    .openOrders()
    .filter(({ instrument_name: name, quote }) => name === "ETH-PERPETUAL" && quote !== true);
  for (const order of orders.slice(0, UPDATES))
    exchange.control.amend(order.order_id, { amount: 10 * (1 + (count % 9)) });
}

/** In turn: an order, an order, a quote, a key, limits. */
async function nextWish(stage: Stage, count: number): Promise<Wished | undefined> {
  const { live, client } = stage;
  if (live.state.status !== "ready") return undefined;
  switch (count % 5) {
    case 2: {
      placeQuote(stage);
      const [wished] = wishesOfQuotes(live, { do: "cancelQuote", pick: count, count: 1 }, client.clock.now());
      return wished;
    }
    case 3:
      return await wishOfKey(live, { do: "editKey", pick: 1 + (count % 2), change: "name" }).catch(() => undefined);
    case 4:
      return await wishOfLimits(live, {
        do: "setLimits",
        pick: count,
        limits: count % 2 === 0 ? "tighter" : "wider",
      }).catch(() => undefined);
    default: {
      place(stage, (count % 10) / 10);
      const [order] = openOrders(live.orders.snapshot);
      if (order === undefined) return undefined;
      return {
        intent: cancelOrder(order, {
          origin: "view",
          nowMs: client.clock.now(),
          ...orderLookups(live.orders),
        }),
        expected: {},
      };
    }
  }
}

/** What the stage and the simulator have kept for a test that looks at it. */
function forget({ exchange, logged, wires }: Stage): void {
  exchange.control.clearRecords();
  logged.length = 0;
  wires.splice(0, wires.length - 1);
}

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as () => void;

function sampleOf({ client, wires }: Stage): SoakSample {
  collect();
  const { listenersHeld = 0 } = globalThis as { readonly listenersHeld?: number };
  return {
    heapBytes: v8.getHeapStatistics().used_heap_size,
    timers: client.pendingTimers,
    listeners: listenersHeld,
    openWires: wires.filter((wire) => wire.isOpen).length,
  };
}

/**
 * How many bytes a day the heap grows by, from the samples behind the warm-up: the straight line that fits them best.
 */
export function slopePerDay(samples: readonly SoakSample[], warmUpHours: number): number {
  const points = samples.slice(warmUpHours).map(({ heapBytes }, hour) => ({ hour, heapBytes }));
  const mean = (of: (point: { readonly hour: number; readonly heapBytes: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [hours, bytes] = [mean(({ hour }) => hour), mean(({ heapBytes }) => heapBytes)];
  const spread = points.reduce((sum, { hour }) => sum + (hour - hours) ** 2, 0);
  return (24 * points.reduce((sum, { hour, heapBytes }) => sum + (hour - hours) * (heapBytes - bytes), 0)) / spread;
}
