import type { Random } from "../../base/clock.ts";
import { INSTRUMENTS, type SimulatedInstrument } from "./instruments.ts";
import { roundTo } from "../text/json.ts";
import type { OrderSpec } from "./orders.ts";
import { randomInteger, randomOf } from "../text/seededRandom.ts";
import type { World } from "./world.ts";

const LABELS = ["", "", "mm-1", "mm-2", "hedge", "grid-7", "fooBar", "018af0fd-9ad8-4dec-94ce-90ce41306ce1"] as const;

/** Returns a random order: mostly a limit order near the mark, one in ten with a trigger. */
export function chanceOrder(world: World, random: Random): OrderSpec {
  const instrument = chanceInstrument(random);
  const direction = random() < 0.5 ? "buy" : "sell";
  const amount = roundTo(instrument.lot * randomInteger(random, 1, 60), instrument.lot);
  const common = { instrument_name: instrument.name, direction, amount, label: randomOf(random, LABELS) } as const;
  if (instrument.kind === "future" && random() < 0.12)
    return { ...common, ...chanceTrigger(world, instrument, random) };
  const away = instrument.tickSize * randomInteger(random, 1, 60) * (direction === "buy" ? -1 : 1);
  const price = roundTo(world.market.markPrice(instrument) + away, instrument.tickSize);
  return {
    ...common,
    price: instrument.kind === "future_combo" ? price : Math.max(instrument.tickSize, price),
    post_only: random() < 0.4,
    ...(instrument.kind === "spot" ? {} : { reduce_only: random() < 0.1 }),
    mmp: instrument.kind === "option" && random() < 0.3,
  };
}

const TRIGGERS = ["index_price", "mark_price", "last_price"] as const;
const TRIGGER_TYPES = ["stop_market", "stop_limit", "take_market", "take_limit"] as const;

function chanceTrigger(world: World, instrument: SimulatedInstrument, random: Random): Partial<OrderSpec> {
  const mark = world.market.markPrice(instrument);
  const triggerPrice = roundTo(mark * (0.9 + random() * 0.2), instrument.tickSize);
  const trigger = randomOf(random, TRIGGERS);
  const order_type = randomOf(random, TRIGGER_TYPES);
  const price = order_type.endsWith("_limit") ? { price: roundTo(triggerPrice * 0.999, instrument.tickSize) } : {};
  return { order_type, trigger, trigger_price: triggerPrice, reduce_only: random() < 0.5, ...price };
}

const ALL = [...INSTRUMENTS.values()] as [SimulatedInstrument, ...SimulatedInstrument[]];
const BUSY = ALL.slice(0, 8) as [SimulatedInstrument, ...SimulatedInstrument[]];

/** Returns a random instrument, busy ones more often: half of everything happens on the first eight. */
export function chanceInstrument(random: Random): SimulatedInstrument {
  return random() < 0.5 ? randomOf(random, BUSY) : randomOf(random, ALL);
}
