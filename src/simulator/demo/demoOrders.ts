import { roundTo } from "../text/json.ts";
import type { OrderSpec } from "../methods/orderTerms.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";
import type { Listing } from "../market/listing.ts";
import type { World } from "../market/world.ts";

/** What the orders and trades of the demo carry, so that users tell them from their own. */
export const DEMO_LABEL = "demo";

/**
 * Returns the instruments in which the demo may come to a position, with the most that it holds, as its orders count
 * it. Those that are not listed at the prices of now are left out.
 */
export function demoPositions({ instruments, quarterly }: Listing): ReadonlyMap<string, number> {
  const [near, far] = [quarterly(0), quarterly(1)];
  const all: readonly (readonly [string, number])[] = [
    ["BTC-PERPETUAL", 60_000],
    [`BTC-${far}`, 30_000],
    [`BTC-${near}-96000-C`, 4],
    [`BTC-${near}-108000-C`, 3],
    [`BTC-${near}-84000-P`, 2],
    ["BTC_USDC-PERPETUAL", 0.4],
    ["ETH-PERPETUAL", 45_000],
    [`ETH-${near}`, 20_000],
    [`ETH-${far}-2250-C`, 40],
    [`ETH-${far}-2250-P`, 40],
    ["SOL_USDC-PERPETUAL", 200],
    [`XRP_USDC-${near}-2d25-C`, 8000],
  ];
  return new Map(all.filter(([name]) => instruments.has(name)));
}

/** Returns the first orders: together they carry nearly every member that an open order can have. */
export function firstOrders(world: World): OrderSpec[] {
  const near = (name: string, factor: number): number => priceNear(world, name, factor);
  const { listing } = world.market.venue;
  return [
    ...perpetualOrders(near),
    ...triggerOrders(near, listing),
    ...optionOrders(near, listing),
    ...otherOrders(near, listing),
    quote(near),
    linkedOrders(near),
  ];
}

/** Returns an instrument. Throws a RangeError for a name that is not listed: the demo asks for what is. */
export function listedInstrument(instruments: World["instruments"], name: string): SimulatedInstrument {
  const instrument = instruments.get(name);
  if (instrument === undefined) throw new RangeError(`${name} is not listed.`);
  return instrument;
}

/** Returns a price near the mark: `factor` 0.99 is one percent below. */
function priceNear({ instruments, market }: World, name: string, factor: number): number {
  const instrument = listedInstrument(instruments, name);
  return Math.max(instrument.tickSize, roundTo(market.markPrice(instrument) * factor, instrument.tickSize));
}

type Near = (name: string, factor: number) => number;

function perpetualOrders(near: Near): OrderSpec[] {
  const at = (instrument_name: string, factor: number): Pick<OrderSpec, "instrument_name" | "price"> => ({
    instrument_name,
    price: near(instrument_name, factor),
  });
  return [
    { ...at("ETH-PERPETUAL", 0.999), direction: "buy", amount: 40, post_only: true, mmp: true },
    {
      ...at("ETH-PERPETUAL", 1.002),
      direction: "sell",
      amount: 40,
      post_only: true,
      reject_post_only: true,
      mmp: true,
    },
    { ...at("BTC-PERPETUAL", 0.985), direction: "buy", amount: 5000 },
    { ...at("BTC-PERPETUAL", 1.01), direction: "sell", amount: 20_000, display_amount: 2000 },
    { ...at("SOL_USDC-PERPETUAL", 0.97), direction: "buy", amount: 25, time_in_force: "good_til_day" },
    { ...at("SOL_USDC-PERPETUAL", 1.03), direction: "sell", amount: 25, reduce_only: true },
    { ...at("BTC_USDC-PERPETUAL", 1.03), direction: "sell", amount: 0.25 },
  ];
}

function triggerOrders(near: Near, { quarterly }: Listing): OrderSpec[] {
  const order = (instrument_name: string, direction: "buy" | "sell", amount: number, rest: Trigger): OrderSpec => ({
    ...{ instrument_name, direction, amount, ...rest.terms, trigger: rest.trigger },
    ...(rest.at === undefined ? {} : { trigger_price: near(instrument_name, rest.at) }),
  });
  const [btc, eth, sol] = ["BTC-PERPETUAL", "ETH-PERPETUAL", "SOL_USDC-PERPETUAL"] as const;
  const stopLimit = { type: "stop_limit", price: near(btc, 1.061) };
  const takeLimit = { type: "take_limit", price: near(sol, 1.15), reduce_only: true };
  return [
    order(eth, "buy", 40, { terms: { type: "stop_market", reduce_only: true }, trigger: "index_price", at: 1.07 }),
    order(btc, "buy", 8000, { terms: stopLimit, trigger: "mark_price", at: 1.06 }),
    order(btc, "sell", 5000, { terms: { type: "trailing_stop", trigger_offset: 1850 }, trigger: "last_price" }),
    order(`ETH-${quarterly(0)}`, "sell", 120, { terms: { type: "take_market" }, trigger: "last_price", at: 1.12 }),
    order(sol, "sell", 25, { terms: takeLimit, trigger: "mark_price", at: 1.149 }),
  ];
}

/** The terms of a trigger order. `at`: how near the mark it fires; none for one with an offset. */
interface Trigger {
  readonly terms: Partial<OrderSpec>;
  readonly trigger: string;
  readonly at?: number;
}

function optionOrders(near: Near, { quarterly }: Listing): OrderSpec[] {
  const order = (instrument_name: string, direction: "buy" | "sell", factor: number, amount: number): OrderSpec => ({
    instrument_name,
    direction,
    amount,
    price: near(instrument_name, factor),
  });
  return [
    order(`BTC-${quarterly(0)}-96000-C`, "buy", 0.9, 2.5),
    order(`BTC-${quarterly(0)}-84000-P`, "sell", 1.1, 1),
    order(`XRP_USDC-${quarterly(0)}-2d25-C`, "buy", 0.9, 4000),
  ];
}

function otherOrders(near: Near, { quarterly }: Listing): OrderSpec[] {
  const dated = `BTC-${quarterly(1)}`;
  return [
    { instrument_name: "BTC_USDC", direction: "buy", amount: 0.05, price: near("BTC_USDC", 0.95) },
    { instrument_name: "ETH_USDC", direction: "sell", amount: 1.5, price: near("ETH_USDC", 1.04) },
    { instrument_name: dated, direction: "sell", amount: 30_000, price: near(dated, 1.04) },
  ];
}

function quote(near: Near): OrderSpec {
  const name = "ETH-PERPETUAL";
  const tag = { mmpGroup: "g2", setId: "1", id: "b1" };
  return { instrument_name: name, direction: "buy", amount: 30, price: near(name, 0.995), mmp: true, quote: tag };
}

/** Returns a limit order whose complete fill starts two others, of which one cancels the other. */
function linkedOrders(near: Near): OrderSpec {
  const name = "ETH-PERPETUAL";
  return {
    instrument_name: name,
    direction: "buy",
    amount: 60,
    price: near(name, 0.96),
    linked_order_type: "one_triggers_one_cancels_other",
    trigger_fill_condition: "complete_fill",
    otoco_config: [
      { type: "limit", direction: "sell", amount: 60, price: near(name, 1.04), label: DEMO_LABEL },
      {
        ...{ type: "stop_market", direction: "sell", amount: 60, label: DEMO_LABEL },
        ...{ trigger: "mark_price", trigger_price: near(name, 0.92) },
      },
    ],
  };
}
