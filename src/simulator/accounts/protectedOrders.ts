import type { Side, TradedInstrument } from "../../exchange/instrument.ts";
import { fixedOf } from "../../exchange/ledger/money.ts";
import type { Refusal } from "../../exchange/refusal.ts";
import { indexOf } from "../market/instruments.ts";
import type { WorldOrder } from "../market/orders.ts";
import type { Venue } from "../market/venue.ts";
import type { World } from "../market/world.ts";
import { refusalError } from "../text/refusals.ts";
import type { Mmp, SimulatedMmpConfig } from "./mmp.ts";

/** The group of an index; without a name that of regular orders. */
type GroupName = Pick<SimulatedMmpConfig, "index_name" | "mmp_group">;

/**
 * Returns the size of an amount as limits count it, in coins: `amount / price` of an inverse future.
 * https://docs.deribit.com/articles/market-maker-protection
 */
export function sizeInCoins(instrument: TradedInstrument | undefined, amount: number, price: number): number {
  return instrument?.isInverse === true && instrument.kind === "future" ? amount / price : amount;
}

/** Returns what an order still offers, in coins. */
function openCoins({ instrument }: Pick<Venue, "instrument">, order: WorldOrder): number {
  return sizeInCoins(instrument(order.instrument_name), order.amount - (order.filled_amount ?? 0), Number(order.price));
}

/** Returns the open orders that a group protects, oldest first. */
function protectedOrders(world: World, { index_name: index, mmp_group: group }: GroupName): WorldOrder[] {
  return [...world.openOrders()].filter(
    (order) =>
      order.mmp === true &&
      order.order_state === "open" &&
      order.mmp_group === group &&
      indexOf(order.instrument_name) === index,
  );
}

/** Cancels the orders that a frozen group protects. */
export function cancelProtected(world: World, group: GroupName): void {
  for (const order of protectedOrders(world, group)) world.cancel(order.order_id, "mmp_trigger");
}

/**
 * Cancels the orders that are more than the limits of their group allow now, on each side of each book the latest ones;
 * all of them where the limits were removed.
 * https://docs.deribit.com/articles/mass-quotes-specifications
 */
export function curtail(world: World, venue: Pick<Venue, "instrument">, config: SimulatedMmpConfig): void {
  const most = config.interval === 0 ? 0 : (config.max_quote_quantity ?? 0);
  const kept = new Map<string, number>();
  for (const order of protectedOrders(world, config)) {
    const key = `${order.instrument_name} ${order.direction}`;
    const sum = (kept.get(key) ?? 0) + openCoins(venue, order);
    if (sum <= most) kept.set(key, sum);
    else world.cancel(order.order_id, "mmp_config_curtailment");
  }
}

/**
 * Keeps the margin of a group: that of the larger of what it may trade and what it may quote, as long as it has limits.
 * Those of Block RFQ quotes need none. Returns why not.
 * https://support.deribit.com/hc/en-us/articles/31600682719645 (release of 25 November 2025)
 */
export function reserveMargin(
  venue: Pick<Venue, "ledger" | "listing" | "instrument">,
  account: number,
  config: SimulatedMmpConfig,
): Refusal | undefined {
  const {
    index_name: index,
    mmp_group: group = "",
    quantity_limit: quantity = 0,
    max_quote_quantity: most = 0,
  } = config;
  const future = futureOf(venue, index);
  if (config.block_rfq === true || future === undefined) return undefined;
  const reserve = { future, size: fixedOf(Math.max(quantity, most)) };
  return venue.ledger.reserve(String(account), `${index} ${group}`, config.interval === 0 ? undefined : reserve);
}

/** Returns a future of an index; undefined where none is traded. */
export function futureOf(
  { listing, instrument }: Pick<Venue, "listing" | "instrument">,
  index: string,
): TradedInstrument | undefined {
  const future = listing.open().find(({ kind, name }) => kind === "future" && indexOf(name) === index);
  return future && instrument(future.name);
}

/** An order that market maker protection is to cover, as it will be. */
interface ProtectedOrder {
  readonly instrument: TradedInstrument;
  readonly direction: Side;
  /** The group of a quote; undefined of a regular order. */
  readonly group?: string | undefined;
  /** What it offers, and at which price; undefined where that is refused for another reason. */
  readonly amount: number | undefined;
  readonly price: number | undefined;
  /** The ID of the order in whose place it comes. */
  readonly replaces?: string | undefined;
}

/** What adding decimal fractions may add to a sum. */
const ROUNDING = 1e-9;

/**
 * Refuses an order that its MMP group does not allow: without limits, while they have stopped it, and where the open
 * orders of the group on one side of a book would be more than the largest quote quantity.
 * https://docs.deribit.com/api-reference/trading/private-set_mmp_config
 */
export function refuseUnprotected(
  { mmp, world, venue }: { readonly mmp: Mmp; readonly world: World; readonly venue: Venue },
  { instrument, direction, group, amount, price, replaces }: ProtectedOrder,
): void {
  const selection = { index_name: indexOf(instrument.name), mmp_group: group ?? "" };
  const [config] = mmp.configs(selection);
  if (config === undefined) throw refusalError({ word: "mmp_required" }, undefined, "no MMP limits for the index");
  if (mmp.frozen(selection).length > 0) throw refusalError({ word: "mmp_trigger" }, undefined);
  if (amount === undefined || price === undefined) return;
  const { max_quote_quantity: most = 0 } = config;
  let sum = sizeInCoins(instrument, amount, price);
  for (const order of world.openOrders()) {
    const isOfGroup = order.mmp === true && order.mmp_group === group && order.order_id !== replaces;
    if (isOfGroup && order.instrument_name === instrument.name && order.direction === direction)
      sum += openCoins(venue, order);
  }
  if (sum > most + ROUNDING)
    throw refusalError({ word: "invalid_amount" }, undefined, `more than max_quote_quantity ${most}`);
}
