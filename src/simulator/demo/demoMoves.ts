import type { Random } from "../../base/clock.ts";
import { CallError } from "../../base/failure.ts";
import { fromSteps } from "../../exchange/units.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";
import { isCancellable, isWaiting, type WorldOrder } from "../market/orders.ts";
import type { World } from "../market/world.ts";
import { specDraft, type OrderSpec } from "../methods/orderTerms.ts";
import { roundTo } from "../text/json.ts";
import { randomInteger, randomOf } from "../text/seededRandom.ts";
import { DEMO_LABEL, demoPositions, listedInstrument } from "./demoOrders.ts";

/** What the demo does with its orders: all of it by the exchange's rules, with its own funds. */
interface DemoMoves {
  /** Places an order, if the exchange takes it. */
  readonly place: (order: OrderSpec) => void;
  /** Places a random order away from the best prices. */
  readonly placeAway: () => void;
  /** Makes one visible change: an order trades, is re-priced, comes, or goes. */
  readonly move: () => void;
  /** Makes one update under load: the number of open orders stays what it was. */
  readonly update: () => void;
}

interface DemoMovePorts {
  readonly world: World;
  readonly random: Random;
  /** The number of open orders that the demo keeps, about. */
  readonly orders: number;
}

/** The share of updates under load that re-price an order. The others cancel it: at 10,000 orders it lasts minutes. */
const REPRICED = 0.99;
/** Beyond this number of orders each is as small as can be, and far from the best prices. */
const MANY = 100;

export function createDemoMoves({ world, random, orders }: DemoMovePorts): DemoMoves {
  const { market, instruments } = world;
  const { venue } = market;
  /** The IDs of the orders that were placed, of which some may have ended. */
  const own: string[] = [];
  // Many orders are small ones of futures: the funds would not suffice for options.
  const isMany = orders > MANY;
  /** Returns what is traded now, with the most that is held of each: expirations roll. */
  const tradable = (): ReadonlyMap<string, number> => demoPositions(venue.listing);

  const place = (spec: OrderSpec): void => {
    attempt(() => {
      const { order } = world.place(specDraft(world, { ...spec, label: DEMO_LABEL }));
      if (isCancellable(order)) own.push(order.order_id);
      for (const id of order.oto_order_ids ?? []) own.push(id);
    });
  };
  /** Returns a random open order of the demo. */
  const pick = (): WorldOrder | undefined => {
    while (own.length > 0) {
      const at = randomInteger(random, 0, own.length - 1);
      const order = world.order(own[at] ?? "");
      if (order !== undefined && isCancellable(order)) return order;
      own[at] = own.at(-1) ?? "";
      own.pop();
    }
    return undefined;
  };
  const chanceInstrument = (): SimulatedInstrument => {
    const all = [...tradable().keys()];
    const names = isMany ? all.filter((name) => instruments.get(name)?.kind === "future") : all;
    return listedInstrument(instruments, randomOf(random, names as [string, ...string[]]));
  };
  /** Returns the side on which the demo may add to its position: the other one, where it has enough. */
  const chanceSide = ({ name }: SimulatedInstrument): "buy" | "sell" => {
    const position = world.position(name);
    if (Math.abs(position) >= (tradable().get(name) ?? 0)) return position > 0 ? "sell" : "buy";
    return random() < 0.5 ? "buy" : "sell";
  };
  const smallAmount = (instrument: SimulatedInstrument): number => {
    const most = isMany ? 1 : instrument.kind === "option" ? 5 : 40;
    return roundTo(instrument.lot * randomInteger(random, 1, most), instrument.lot);
  };
  /** Returns the best price of others on a side. */
  const best = ({ name }: SimulatedInstrument, side: "bids" | "asks"): number | undefined => {
    venue.catchUp([name]);
    const [level] = venue.books.depth(name, 1)[side];
    return level && fromSteps(level.price, termsOf(world, name).tick);
  };
  /** Places a small order: one that takes at the best price, or waits at its own side's. */
  const placeClose = (isTaker: boolean): void => {
    const instrument = chanceInstrument();
    const direction = chanceSide(instrument);
    const price = best(instrument, (direction === "buy") === isTaker ? "asks" : "bids");
    if (price === undefined) return;
    const time_in_force = isTaker ? "immediate_or_cancel" : "good_til_cancelled";
    const common = { instrument_name: instrument.name, direction };
    place({ ...common, amount: smallAmount(instrument), price, time_in_force });
  };
  /** Places an order that waits for a price some percent away. */
  const placeTrigger = (instrument: SimulatedInstrument, direction: "buy" | "sell"): void => {
    const type = randomOf(random, ["stop_market", "stop_limit", "take_market", "take_limit"]);
    const isRise = type.startsWith("take") === (direction === "sell");
    const factor = 1 + (0.02 + random() * 0.08) * (isRise ? 1 : -1);
    const triggerPrice = roundTo(market.markPrice(instrument) * factor, instrument.tickSize);
    place({
      ...{ instrument_name: instrument.name, direction, amount: smallAmount(instrument), type },
      ...{ trigger: randomOf(random, ["index_price", "mark_price", "last_price"]), trigger_price: triggerPrice },
      ...(type.endsWith("_limit") ? { price: triggerPrice } : {}),
    });
  };
  const placeAway = (): void => {
    const instrument = chanceInstrument();
    const direction = chanceSide(instrument);
    if (instrument.kind === "future" && random() < 0.12) {
      placeTrigger(instrument, direction);
      return;
    }
    const touch = best(instrument, direction === "buy" ? "bids" : "asks");
    if (touch === undefined) return;
    const ticks = isMany ? randomInteger(random, 100, 1000) : randomInteger(random, 1, 60);
    const away = instrument.tickSize * ticks * (direction === "buy" ? -1 : 1);
    const price = Math.max(instrument.tickSize, roundTo(touch + away, instrument.tickSize));
    const common = { instrument_name: instrument.name, direction };
    place({ ...common, amount: smallAmount(instrument), price, post_only: random() < 0.4 });
  };
  const reprice = (order: WorldOrder): void => {
    const instrument = listedInstrument(instruments, order.instrument_name);
    const step = instrument.tickSize * randomInteger(random, 1, 6) * (random() < 0.5 ? -1 : 1);
    const moved = (price: number): number => Math.max(instrument.tickSize, roundTo(price + step, instrument.tickSize));
    attempt(() => {
      if (isWaiting(order)) {
        if (order.trigger_price !== undefined && typeof order.trigger_offset !== "number")
          world.amend(order.order_id, { trigger_price: moved(order.trigger_price) });
      } else if (typeof order.price === "number") {
        const touch = best(instrument, order.direction === "buy" ? "bids" : "asks") ?? order.price;
        const price = moved(order.price);
        const isBetter = order.direction === "buy" ? price > touch : price < touch;
        world.amend(order.order_id, { price: isBetter ? touch : price });
      }
    });
  };
  const cancel = (order: WorldOrder): void => {
    attempt(() => world.cancel(order.order_id));
  };
  return {
    place,
    placeAway,
    move() {
      const order = pick();
      if (order === undefined || world.openCount < orders * 0.75) {
        placeAway();
        return;
      }
      const chance = random();
      if (world.openCount > orders * 1.25 + 2) cancel(order);
      else if (chance < 0.3) placeClose(true);
      else if (chance < 0.5) placeClose(false);
      else if (chance < 0.8) reprice(order);
      else if (chance < 0.92) placeAway();
      else cancel(order);
    },
    update() {
      const order = world.openCount < Math.max(1, orders) ? undefined : pick();
      if (order === undefined) placeAway();
      else if (random() < REPRICED) reprice(order);
      else cancel(order);
    },
  };
}

/** Does what the exchange may refuse: the demo's funds may not suffice, or its order may have traded meanwhile. */
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}

function termsOf({ market, instruments }: World, name: string): ReturnType<World["market"]["terms"]> {
  return market.terms(listedInstrument(instruments, name));
}
