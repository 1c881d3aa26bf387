import type { Clock, Random } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import { chanceInstrument, chanceOrder } from "./chance.ts";
import { roundTo } from "../text/json.ts";
import { isWaiting, type WorldOrder } from "./orders.ts";
import { randomInteger } from "../text/seededRandom.ts";
import type { World } from "./world.ts";

export interface MotionPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly world: World;
  /** The approximate number of open orders that the world keeps. */
  readonly orders: number;
  /** The order updates in a second; a human pace when undefined. */
  readonly updatesPerSecond: number | undefined;
  /** Called when a moment's changes are done. */
  readonly onMoved: () => void;
  /** Called with the error of a failed move, which is a defect; the next one is made all the same. */
  readonly onDefect: (error: unknown) => void;
}

/** Makes the world move on its own until disposed: at a human pace, or at a given rate. */
export function startMotion(ports: MotionPorts): Disposable {
  let timer: Disposable;
  const { updatesPerSecond } = ports;
  const change = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      ports.onDefect(error);
    }
    ports.onMoved();
  };
  const stroll = (): void => {
    timer = ports.clock.after(randomInteger(ports.random, 1000, 3000), () => {
      change(() => {
        moveOnce(ports);
      });
      stroll();
    });
  };
  const run = (rate: number, startMs: number, done = 0, tookMs = 0): void => {
    // What a batch took is a part of its tick: the pauses alone would keep a high rate from being reached.
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.max(TICK_MS, 1000 / rate) - tookMs);
    timer = ports.clock.after(pauseMs, () => {
      const nowMs = ports.clock.monotonicMs();
      const due = Math.floor(((nowMs - startMs) * rate) / 1000);
      // After a long stop (a laptop asleep) the missed updates are not made up for.
      const first = Math.max(done, due - rate);
      // What is made up for comes in pieces, so that answers and events leave in between.
      const until = Math.min(due, first + Math.ceil((rate * LONGEST_BATCH_MS) / 1000));
      change(() => {
        for (let count = first; count < until; count++) updateOnce(ports);
      });
      run(rate, startMs, until, ports.clock.monotonicMs() - nowMs);
    });
  };
  if (updatesPerSecond === undefined) stroll();
  else run(updatesPerSecond, ports.clock.monotonicMs());
  return {
    dispose: () => {
      timer.dispose();
    },
  };
}

/** How often changes are made under load, in ms. */
const TICK_MS = 10;
/** The pause after a batch that took longer than that, in ms. */
const SHORTEST_PAUSE_MS = 1;
/** The longest time whose updates are made at once, in ms; longer than a tick, so that a late one is caught up with. */
const LONGEST_BATCH_MS = 50;

/** Makes one visible change: an order fills a little, is re-priced, comes, goes, or its trigger fires. */
export function moveOnce(ports: Omit<MotionPorts, "clock" | "updatesPerSecond" | "onMoved" | "onDefect">): void {
  const { world, random } = ports;
  world.trade(chanceInstrument(random));
  const few = world.openCount < Math.floor(ports.orders * 0.75);
  const many = world.openCount > Math.ceil(ports.orders * 1.25) + 2;
  const order = world.pick(random);
  if (order === undefined || few) {
    world.place(chanceOrder(world, random));
    return;
  }
  const chance = many ? 0.85 + random() * 0.15 : random();
  if (chance < 0.35) nudge(world, order, random);
  else if (chance < 0.68) reprice(world, order, random);
  else if (chance < 0.8) world.place(chanceOrder(world, random));
  else if (chance < 0.87 && order.trigger !== undefined && order.is_secondary_oto !== true) world.fire(order.order_id);
  else if (chance < 0.93 && !isWaiting(order)) world.fill(order.order_id);
  else world.cancel(order.order_id);
}

/** Makes one update under load: the number of open orders stays what it was. */
function updateOnce({ world, random, orders }: MotionPorts): void {
  const order = world.openCount < Math.max(1, orders) ? undefined : world.pick(random);
  if (order === undefined) world.place(chanceOrder(world, random));
  else if (random() < 0.7) reprice(world, order, random);
  else nudge(world, order, random);
}

/** Fills a little of an order; one that waits for its trigger is re-priced instead. */
function nudge(world: World, order: WorldOrder, random: Random): void {
  const instrument = world.instruments.get(order.instrument_name);
  if (instrument === undefined || isWaiting(order)) {
    reprice(world, order, random);
    return;
  }
  const rest = order.amount - (order.filled_amount ?? 0);
  world.fill(order.order_id, roundTo(rest * (0.1 + random() * 0.3), instrument.lot));
}

function reprice(world: World, order: WorldOrder, random: Random): void {
  const instrument = world.instruments.get(order.instrument_name);
  if (instrument === undefined) return;
  const step = instrument.tickSize * randomInteger(random, 1, 6) * (random() < 0.5 ? -1 : 1);
  const moved = (price: number): number => {
    const next = roundTo(price + step, instrument.tickSize);
    return instrument.kind === "future_combo" ? next : Math.max(instrument.tickSize, next);
  };
  if (order.trigger_reference_price !== undefined && order.trigger_price !== undefined) {
    world.amend(order.order_id, {
      trigger_price: moved(order.trigger_price),
      trigger_reference_price: moved(order.trigger_reference_price),
    });
  } else if (order.trigger_price !== undefined && isWaiting(order)) {
    world.amend(order.order_id, { trigger_price: moved(order.trigger_price) });
  } else if (typeof order.price === "number") {
    world.amend(order.order_id, {
      price: moved(order.price),
      ...(order.advanced === undefined ? {} : { auto_replaced: true }),
    });
  }
}
