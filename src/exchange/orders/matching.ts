import { opposite, tickAt, type ExchangeTrade, type TradeParty, type AccountId, type Side } from "../instrument.ts";
import type { Refusal } from "../refusal.ts";
import type { Lots, Ticks } from "../units.ts";
import { refuseInState } from "./bookState.ts";
import type { EngineCore, TradedMarket } from "./engineCore.ts";
import { remainingOf, type CancelCause, type BookOrder } from "./order.ts";
import type { PriceLevel, Resting } from "../book/book.ts";
import { membersOf } from "../book/queue.ts";

/** Lets orders trade and rest. */
export interface Matching {
  /**
   * Decides whether an order may trade or rest now, and gives it the price and the amount with which it does. A refused
   * order may have been changed.
   * `replaces`: the order whose reserve of margin is its own, after an edit or a trigger.
   */
  admit(order: BookOrder, replaces: string | undefined): Refusal | undefined;
  /**
   * Lets an admitted order trade; the rest of it rests, or is cancelled. A routed one that would do more than rest is
   * sent on its way first.
   */
  enter(order: BookOrder): void;
  /** Lets an order that was on its way trade. */
  arrive(order: BookOrder): void;
  /** Lets the orders trade that were triggered meanwhile, and those that these trigger. */
  settleDue(): void;
}

export function createMatching(core: EngineCore): Matching {
  const { ports } = core;

  const close = (order: BookOrder): void => {
    order.state = "filled";
    core.marketOf(order).book.remove(order);
    core.orders.close(order);
    core.tell({ kind: "filled", order: { ...order } });
  };
  const fill = (order: BookOrder, amount: Lots, price: Ticks): void => {
    order.filled += amount;
    order.cost += amount * price;
    order.updatedAtMs = core.nowMs;
  };
  /** Lets two orders trade, and tells all who have to know: the ledger, the orders linked to them, the triggers. */
  const trade = (market: TradedMarket, maker: BookOrder, taker: BookOrder, amount: Lots): void => {
    const price = maker.price ?? 0;
    fill(maker, amount, price);
    fill(taker, amount, price);
    market.book.consume(maker, amount);
    market.tradeSeq += 1;
    core.tell({ kind: "trade", trade: describeTrade(market, maker, taker, { price, amount }) });
    for (const order of [maker, taker]) if (remainingOf(order) === 0) close(order);
    for (const order of [maker, taker]) core.links.filled(order);
    for (const order of [maker, taker]) trimReducing(core, order.account, order.instrument);
    market.prices.last_price = price;
    for (const order of market.triggers.reach("last_price", price)) core.fire(order);
  };
  const describeTrade = (
    { instrument, tradeSeq }: TradedMarket,
    maker: BookOrder,
    taker: BookOrder,
    { price, amount }: { readonly price: Ticks; readonly amount: Lots },
  ): ExchangeTrade => ({
    tradeId: ports.ids.trade(instrument.name),
    tradeSeq,
    instrument: instrument.name,
    price,
    amount,
    atMs: core.nowMs,
    direction: taker.direction,
    maker: partyOf(maker),
    taker: partyOf(taker),
  });

  /** Lets an order trade as far as it can, and returns why its rest may not rest. */
  const take = (market: TradedMarket, taker: BookOrder): CancelCause | undefined => {
    const limit = worstPrice(market, taker);
    const side = opposite(taker.direction);
    while (taker.state === "open" && remainingOf(taker) > 0) {
      const next = market.book.next(side);
      if (next === undefined || !isNoWorse(taker.direction, next.order.price ?? 0, limit)) break;
      const overlap = overlapOf(core, taker, next.order);
      if (overlap === undefined) trade(market, next.order, taker, Math.min(next.tip, remainingOf(taker)));
      else if (ports.selfTrading(taker.account).mode === "cancel_maker") core.cancel(next.order, overlap);
      else return overlap;
    }
    return taker.price === undefined || isImmediate(taker) ? "time_in_force" : undefined;
  };

  const matching: Matching = {
    admit(order, replaces) {
      const market = core.marketOf(order);
      if (order.reduceOnly) {
        const reducible = reducibleBy(core, order);
        if (reducible === 0) return { word: "other_reject", detail: "reduce_only" };
        order.amount = Math.min(order.amount, order.filled + reducible);
      }
      if (order.type === "market_limit") order.price ??= market.book.next(opposite(order.direction))?.order.price;
      const refusal = refuseBand(market, order) ?? placePostOnly(market, order);
      if (refusal !== undefined) return refusal;
      const limit = worstPrice(market, order);
      const { overlaps, worst } = surveyBook(core, order, limit);
      if (overlaps) return { word: "order_overlap" };
      if (order.isLiquidation) return undefined;
      const { instrument, direction, reduceOnly, mmp } = order;
      const amount = remainingOf(order);
      const price = worst ?? limit;
      return ports.risk.accepts(order.account, { instrument, direction, amount, price, reduceOnly, mmp, replaces });
    },
    enter(order) {
      order.isOnItsWay = order.isRouted && !restsAtOnce(core.marketOf(order), order);
      if (order.isOnItsWay) ports.onSent?.(order.id);
      else matching.arrive(order);
    },
    arrive(order) {
      order.isOnItsWay = false;
      const market = core.marketOf(order);
      const isKilled =
        order.timeInForce === "fill_or_kill" &&
        surveyBook(core, order, worstPrice(market, order)).available < remainingOf(order);
      const reason = isKilled ? "time_in_force" : take(market, order);
      if (order.state !== "open") return;
      if (reason === undefined) market.book.rest(order);
      else core.cancel(order, reason);
    },
    settleDue() {
      for (let order = core.nextDue(); order !== undefined; order = core.nextDue()) {
        if (order.state !== "open") continue;
        const refusal = refuseInState(core.marketOf(order).state, "place") ?? matching.admit(order, order.id);
        if (refusal === undefined) matching.enter(order);
        else core.reject(order, refusal);
      }
    },
  };
  return matching;
}

function partyOf(order: BookOrder): TradeParty {
  const party = { orderId: order.id, account: order.account, remaining: remainingOf(order) };
  return order.isLiquidation ? { ...party, isLiquidation: true } : party;
}

/** Returns the worst price at which an order may trade; undefined for any. */
function worstPrice({ band }: TradedMarket, { direction, price, type }: BookOrder): Ticks | undefined {
  if (price !== undefined || type === "market_limit") return price;
  return direction === "buy" ? band.high : band.low;
}

/** Whether an order would find nothing to trade with now, and may rest. */
function restsAtOnce({ book }: TradedMarket, order: BookOrder): boolean {
  if (order.price === undefined || isImmediate(order)) return false;
  const best = book.next(opposite(order.direction))?.order.price;
  return best === undefined || !isNoWorse(order.direction, best, order.price);
}

function isImmediate({ timeInForce }: BookOrder): boolean {
  return timeInForce === "fill_or_kill" || timeInForce === "immediate_or_cancel";
}

/** Refuses a price that is beyond the band on the side where it hurts. */
function refuseBand({ band }: TradedMarket, { direction, price }: BookOrder): Refusal | undefined {
  if (price === undefined) return undefined;
  if (direction === "buy" && !isNoWorse("buy", price, band.high))
    return { word: "price_too_high", ...(band.high === undefined ? {} : { limit: band.high }) };
  if (direction === "sell" && !isNoWorse("sell", price, band.low))
    return { word: "price_too_low", ...(band.low === undefined ? {} : { limit: band.low }) };
  return undefined;
}

/** Gives a post-only order that would take the next price that does not, or refuses it. */
function placePostOnly({ book, instrument }: TradedMarket, order: BookOrder): Refusal | undefined {
  if (!order.postOnly || order.price === undefined) return undefined;
  const best = book.next(opposite(order.direction))?.order.price;
  if (best === undefined || !isNoWorse(order.direction, best, order.price)) return undefined;
  if (order.rejectPostOnly) return { word: "post_only_reject" };
  // Below the start of coarser ticks the finer ones apply.
  const price = order.direction === "buy" ? best - tickAt(instrument, best - 1) : best + tickAt(instrument, best);
  if (price <= 0 && best > 0) return { word: "post_only_reject" };
  order.price = price;
  return undefined;
}

/** What an order would meet. */
interface Survey {
  /** What it is sure to get, up to what it wants: nothing that may vanish while it trades is counted. */
  readonly available: Lots;
  /** The worst price of those, where they are all that it wants. */
  readonly worst: Ticks | undefined;
  /** Whether it would reach an order that it may not trade with, and is refused for that. */
  readonly overlaps: boolean;
}

/**
 * Looks at the orders that an order would trade with, without a change. Of two orders that cancel each other one is
 * counted, and only what it shows; of orders that may only reduce a position no more than the position allows.
 */
function surveyBook(core: EngineCore, order: BookOrder, limit: Ticks | undefined): Survey {
  const wanted = remainingOf(order);
  const isRefused = core.ports.selfTrading(order.account).mode === "reject_taker";
  const count = createCount(core);
  let available = 0;
  for (const level of core.marketOf(order).book.levels(opposite(order.direction))) {
    if (!isNoWorse(order.direction, level.price, limit)) break;
    for (const { maker, amount } of inTurn(level)) {
      if (available >= wanted) break;
      // Meeting it would end the order itself.
      if (order.ocoRef !== undefined && maker.ocoRef === order.ocoRef)
        return { available, worst: undefined, overlaps: false };
      if (overlapOf(core, order, maker) === undefined) available += count(maker, amount);
      else if (isRefused) return { available, worst: undefined, overlaps: true };
    }
    if (available >= wanted) return { available: wanted, worst: level.price, overlaps: false };
  }
  return { available, worst: undefined, overlaps: false };
}

/** Goes through a level in the order in which it trades: what is shown, then what icebergs keep back. */
function* inTurn(level: PriceLevel): Iterable<{ readonly maker: BookOrder; readonly amount: Lots }> {
  for (const { order, tip } of membersOf<Resting>(level.queue)) yield { maker: order, amount: tip };
  for (const { order, reserve } of membersOf<Resting>(level.queue))
    if (reserve > 0) yield { maker: order, amount: reserve };
}

/** Counts what is sure to be there when its turn comes. */
function createCount(core: EngineCore): (maker: BookOrder, amount: Lots) => Lots {
  const seen = new Set<string>();
  const byAccount = new Map<AccountId, Lots>();
  return (maker, amount) => {
    const before = byAccount.get(maker.account) ?? 0;
    const isGone = maker.ocoRef !== undefined && seen.has(maker.ocoRef);
    if (maker.ocoRef !== undefined) seen.add(maker.ocoRef);
    const most = maker.reduceOnly ? Math.max(0, reducibleBy(core, maker) - before) : amount;
    byAccount.set(maker.account, before + amount);
    return isGone ? 0 : Math.min(amount, most);
  };
}

/** Why two orders may not trade with each other; undefined where they may. A liquidation takes what there is. */
function overlapOf(
  { ports }: Pick<EngineCore, "ports">,
  taker: BookOrder,
  maker: BookOrder,
): "order_overlap" | "order_overlap_another_sub" | undefined {
  const { mode, extendsToSubaccounts, mainAccount } = ports.selfTrading(taker.account);
  if (mode === "allow" || taker.isLiquidation) return undefined;
  if (maker.account === taker.account) return "order_overlap";
  const isOfSame = extendsToSubaccounts && ports.selfTrading(maker.account).mainAccount === mainAccount;
  return isOfSame ? "order_overlap_another_sub" : undefined;
}

/** Whether a price is at least as good as a limit for an order of a side. */
function isNoWorse(side: Side, price: Ticks, limit: Ticks | undefined): boolean {
  if (limit === undefined) return true;
  return side === "buy" ? price <= limit : price >= limit;
}

/** Returns by how much an order may reduce the position of its account. */
function reducibleBy({ ports }: EngineCore, { account, instrument, direction }: BookOrder): Lots {
  const position = ports.risk.position(account, instrument);
  return Math.max(0, direction === "sell" ? position : -position);
}

/** Makes the orders of an account that may only reduce its position no larger than that. */
export function trimReducing(core: EngineCore, account: AccountId, instrument: string): void {
  for (const order of core.orders.reducing(account, instrument)) {
    const excess = remainingOf(order) - reducibleBy(core, order);
    if (excess > 0) core.reduce(order, excess, "reduce_only");
  }
}
