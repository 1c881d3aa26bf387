import type { Random } from "../../base/clock.ts";
import { chanceOrder } from "../market/chance.ts";
import { roundTo } from "../text/json.ts";
import type { OrderSpec } from "../market/orders.ts";
import type { World } from "../market/world.ts";

/** The default number of open orders at the beginning: one of every sort. */
export const DEFAULT_ORDERS = 24;

/**
 * Fills an empty world with its first orders: one of every sort as far as `orders` reaches, then random orders. A few
 * more have ended already, each with members that only ended orders have.
 */
export function plantOrders(
  world: World,
  random: Random,
  options: { readonly orders: number; readonly nowMs: number },
): void {
  plantEnded(world);
  const minute = 60_000;
  let ageMs = 26 * 60 * minute;
  for (const spec of variety(world)) {
    if (world.openCount >= options.orders) return;
    world.place(spec, { atMs: options.nowMs - ageMs });
    ageMs = Math.max(minute, Math.round(ageMs * 0.78));
  }
  if (world.openCount + 3 <= options.orders) plantLinked(world);
  if (world.openCount < options.orders) plantFired(world);
  while (world.openCount < options.orders) {
    world.place(chanceOrder(world, random), { atMs: options.nowMs - Math.floor(random() * 48 * 60) * minute });
  }
}

/** Returns a price near the mark: `factor` 0.99 is one percent below. */
function near(world: World, name: string, factor: number): number {
  const instrument = world.instruments.get(name);
  if (instrument === undefined) throw new RangeError(`There is no instrument ${name}.`);
  return Math.max(instrument.tickSize, roundTo(world.market.markPrice(instrument) * factor, instrument.tickSize));
}

/** Returns orders that together carry nearly every member that an open order can have. */
function variety(world: World): OrderSpec[] {
  const at = (name: string, factor: number): { readonly instrument_name: string; readonly price: number } => ({
    instrument_name: name,
    price: near(world, name, factor),
  });
  return [...perpetualOrders(at), ...triggerOrders(world, at), ...optionOrders(at), ...otherOrders(at)];
}

type Place = (name: string, factor: number) => { readonly instrument_name: string; readonly price: number };

function perpetualOrders(at: Place): OrderSpec[] {
  return [
    {
      ...at("ETH-PERPETUAL", 0.998),
      direction: "buy",
      amount: 40,
      filled_amount: 12,
      average_price: at("ETH-PERPETUAL", 0.998).price,
      label: "mm-1",
      post_only: true,
      mmp: true,
    },
    {
      ...at("ETH-PERPETUAL", 1.002),
      direction: "sell",
      amount: 40,
      label: "mm-1",
      post_only: true,
      reject_post_only: true,
      mmp: true,
    },
    { ...at("BTC-PERPETUAL", 0.985), direction: "buy", amount: 5000, max_show: 5000, label: "dip" },
    {
      ...at("BTC-PERPETUAL", 1.01),
      direction: "sell",
      amount: 20_000,
      filled_amount: 3000,
      average_price: at("BTC-PERPETUAL", 1.01).price,
      display_amount: 2000,
      refresh_amount: 2000,
      max_show: 2000,
      label: "iceberg",
    },
    {
      ...at("SOL_USDC-PERPETUAL", 0.97),
      direction: "buy",
      amount: 25,
      time_in_force: "good_til_day",
      starbase_order_id: 9_007_199_254_741_993n,
    },
    {
      ...at("BTC_USDC-PERPETUAL", 1.03),
      direction: "sell",
      amount: 0.25,
      reduce_only: true,
      risk_reducing: true,
      label: "018af0fd-9ad8-4dec-94ce-90ce41306ce1",
    },
  ];
}

function triggerOrders(world: World, at: Place): OrderSpec[] {
  return [
    {
      instrument_name: "ETH-PERPETUAL",
      direction: "sell",
      amount: 40,
      order_type: "stop_market",
      trigger: "index_price",
      trigger_price: near(world, "ETH-PERPETUAL", 0.93),
      reduce_only: true,
    },
    {
      ...at("BTC-PERPETUAL", 1.061),
      direction: "buy",
      amount: 8000,
      order_type: "stop_limit",
      trigger: "mark_price",
      trigger_price: near(world, "BTC-PERPETUAL", 1.06),
      label: "breakout",
    },
    {
      instrument_name: "BTC-PERPETUAL",
      direction: "sell",
      amount: 5000,
      order_type: "trailing_stop",
      price: "market_price",
      trigger: "last_price",
      trigger_price: near(world, "BTC-PERPETUAL", 0.98),
      trigger_offset: 1850,
      trigger_reference_price: near(world, "BTC-PERPETUAL", 1),
    },
    {
      instrument_name: "ETH-26MAR27",
      direction: "sell",
      amount: 120,
      order_type: "take_market",
      trigger: "last_price",
      trigger_price: near(world, "ETH-26MAR27", 1.12),
      web: true,
      api: false,
    },
    {
      ...at("SOL_USDC-PERPETUAL", 1.15),
      direction: "sell",
      amount: 25,
      order_type: "take_limit",
      trigger: "mark_price",
      trigger_price: near(world, "SOL_USDC-PERPETUAL", 1.149),
      reduce_only: true,
    },
  ];
}

function optionOrders(at: Place): OrderSpec[] {
  return [
    {
      ...at("BTC-26MAR27-96000-C", 0.9),
      direction: "buy",
      amount: 2.5,
      advanced: "implv",
      implv: 44.5,
      auto_replaced: true,
      label: "vol",
    },
    { ...at("BTC-26MAR27-84000-P", 1.1), direction: "sell", amount: 1, advanced: "usd", usd: 6250 },
    {
      ...at("ETH-25JUN27-2250-C", 0.95),
      direction: "buy",
      amount: 30,
      mmp: true,
      quote: true,
      mmp_group: "g1",
      quote_set_id: "1",
      quote_id: "b1",
      label: "quotes",
    },
    { ...at("XRP_USDC-26MAR27-2d25-C", 0.9), direction: "buy", amount: 4000, app_name: "options-desk" },
  ];
}

function otherOrders(at: Place): OrderSpec[] {
  return [
    { ...at("BTC_USDC", 0.95), direction: "buy", amount: 0.05, label: "fooBar" },
    { ...at("XRP_USDC", 1.2), direction: "sell", amount: 1500, mobile: true, api: false },
    { ...at("BTC-FS-26MAR27_PERP", 0.94), direction: "buy", amount: 10_000, label: "carry" },
    { ...at("BTC-STRG-26MAR27-72000_112000", 0.92), direction: "buy", amount: 5 },
    { ...at("BTC-25JUN27", 1.04), direction: "sell", amount: 30_000, original_order_type: "market", label: "roll" },
  ];
}

/** Places a limit order whose complete fill starts two others, of which one cancels the other. */
function plantLinked(world: World): void {
  const instrument_name = "ETH-PERPETUAL";
  const second = {
    instrument_name,
    direction: "sell",
    amount: 60,
    is_secondary_oto: true,
    oco_ref: "OCO-1838714",
    reduce_only: true,
  } as const;
  const ids = [world.nextId(second), world.nextId(second)] as const;
  const primary = world.place({
    instrument_name,
    direction: "buy",
    amount: 60,
    price: near(world, instrument_name, 0.96),
    is_primary_otoco: true,
    trigger_fill_condition: "complete_fill",
    oto_order_ids: ids,
  });
  const primary_order_id = primary.order_id;
  world.place({ ...second, price: near(world, instrument_name, 1.04), primary_order_id }, { id: ids[0] });
  const stop = {
    order_type: "stop_market",
    trigger: "mark_price",
    trigger_price: near(world, instrument_name, 0.92),
  } as const;
  world.place({ ...second, ...stop, primary_order_id }, { id: ids[1] });
}

/** Places a stop that has fired: it ended, and the order that replaces it is open. */
function plantFired(world: World): void {
  const instrument_name = "BTC-PERPETUAL";
  const price = near(world, instrument_name, 0.96);
  const stop = world.place({
    instrument_name,
    direction: "buy",
    amount: 1000,
    order_type: "stop_limit",
    trigger: "index_price",
    trigger_price: price,
    price,
  });
  world.fire(stop.order_id);
}

/** Places orders that ended before the start: private/get_order_state knows them. */
function plantEnded(world: World): void {
  const option = "BTC-24SEP27-96000-C";
  const block = { instrument_name: option, direction: "buy", amount: 25, block_trade: true } as const;
  world.place({ ...block, price: near(world, option, 1) }, { isFilledBefore: true });
  const quote = world.place({
    instrument_name: option,
    direction: "sell",
    amount: 3,
    price: near(world, option, 1.2),
    mmp: true,
    quote: true,
    mmp_group: "g1",
    quote_set_id: "1",
    quote_id: "a1",
  });
  world.cancel(quote.order_id, "mmp_trigger");
  const perpetual = "BTC-PERPETUAL";
  const liquidation = { instrument_name: perpetual, direction: "sell", amount: 10, is_liquidation: true } as const;
  world.place({ ...liquidation, price: near(world, perpetual, 0.998) }, { isFilledBefore: true });
}
