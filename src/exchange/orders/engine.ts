import type { BookDepth, VisibleLevel } from "../book/book.ts";
import type { Fact } from "../facts.ts";
import type { AccountId, ExchangeTrade } from "../instrument.ts";
import type { Refusal } from "../refusal.ts";
import type { Lots, Ticks } from "../units.ts";
import { refuseInState, type BookState } from "./bookState.ts";
import { createEngineCore, type EngineCore, type EnginePorts, type TradedMarket } from "./engineCore.ts";
import { editOrder, refuseAccess, refuseEditing } from "./editing.ts";
import { createMatching, type Matching, trimReducing } from "./matching.ts";
import {
  remainingOf,
  type CancelCause,
  type BookOrder,
  type OrderDraft,
  type OrderEdit,
  type OrderView,
  type PriceSource,
  isTriggerType,
  isWaitingOrder,
} from "./order.ts";
import { completeLegs, refuseLinks, refusePassedTrigger, refuseTerms, termsOf } from "./checks.ts";
import { createBookOrder, type CompleteDraft } from "./make.ts";

/**
 * The order books of an exchange. Each operation takes the time at which it happens, in ms since the epoch and never
 * earlier than the one before it, and returns the facts of all that it did, in their order. The ledger has been told
 * each of them by then.
 */
export interface Engine {
  /** Places an order with those that are linked to it; what it triggers is done too. */
  place(draft: OrderDraft, nowMs: number): EngineOutcome;
  edit(account: AccountId, orderId: string, edit: OrderEdit, nowMs: number): EngineOutcome;
  /** Returns why an order would not be placed, or not be edited to what is asked, now. No order changes by it. */
  refuses(asked: OrderAttempt, nowMs: number): Refusal | undefined;
  cancel(account: AccountId, orderId: string, nowMs: number): EngineOutcome;
  /**
   * Cancels the orders that match, oldest first; those of liquidations are skipped unless `reason` is `settlement`. The
   * cancelled ones are in the facts, with those that are linked to them.
   */
  cancelAll(selection: OrderSelection, nowMs: number): readonly Fact[];
  /** Places an order that closes the position of an account. */
  closePosition(account: AccountId, instrument: string, terms: ClosingTerms, nowMs: number): EngineOutcome;
  /**
   * Takes in a trade that was made outside of the book: the ledger books it, and the triggers that watch the last price
   * see it, but for a block trade's. No order in the book changes by it.
   */
  report(trade: OutsideTrade, nowMs: number): readonly Fact[];
  /** Takes in prices from outside, each absent one staying as it is; what they trigger is done. */
  setPrices(instrument: string, prices: MarketPrices, nowMs: number): readonly Fact[];
  /** Ends the good-til-day orders whose time has come. Every other operation does so first. */
  advance(nowMs: number): readonly Fact[];
  /** Lets a routed order that is on its way trade; nothing happens to one that has ended or rests meanwhile. */
  arrive(orderId: string, nowMs: number): readonly Fact[];
  /**
   * Puts a book into a state. Good-til-day orders end where it is `settlement`, all orders where it is `closed`.
   */
  setBookState(instrument: string, state: BookState, nowMs: number): readonly Fact[];
  bookState(instrument: string): BookState;
  /** Forgets the book of an instrument that has expired, once it is closed. */
  forget(instrument: string): void;
  /** To be called after a position changed other than by a trade: what may only reduce it becomes no larger than it. */
  positionChanged(account: AccountId, instrument: string, nowMs: number): readonly Fact[];
  /** Returns an order by its ID; of the closed ones of each account the latest 10,000 are known. */
  find(orderId: string): OrderView | undefined;
  /** Returns what an order that rests still wants; undefined of any other. */
  remaining(orderId: string): Lots | undefined;
  /** Returns the one open order of an account with a label. */
  findByLabel(account: AccountId, instrument: string, label: string): OrderView | Refusal;
  /** Goes through the orders that are open or wait, of one account or of all, oldest first. */
  open(account?: AccountId): Iterable<OrderView>;
  /** Goes through the latest closed orders of an account, in the order of their closing. */
  closed(account: AccountId): Iterable<OrderView>;
  /** Returns what others see of a book, best price first. */
  depth(instrument: string, levels: number): BookDepth;
  /** Returns the best price that others see on each side. */
  best(instrument: string): { readonly bid: VisibleLevel | undefined; readonly ask: VisibleLevel | undefined };
  /** Returns the prices that triggers watch, and the band. */
  prices(instrument: string): MarketPrices;
}

/** An order that may be placed, or an edit of an open one. */
type OrderAttempt =
  | { readonly draft: OrderDraft }
  | { readonly account: AccountId; readonly orderId: string; readonly edit: OrderEdit };

/** What an operation came to. The facts of a refused one are about other orders, whose time had come. */
export type EngineOutcome =
  | { readonly isDone: true; readonly order: OrderView; readonly facts: readonly Fact[] }
  | { readonly isDone: false; readonly refusal: Refusal; readonly facts: readonly Fact[] };

/** How a position is closed. `price`: undefined for a market order. */
export type ClosingTerms = Pick<OrderDraft, "price" | "connection">;

/** A trade that was made outside of the book. */
export type OutsideTrade = Pick<ExchangeTrade, "instrument" | "price" | "amount" | "direction" | "maker" | "taker"> & {
  /** Whether its price was agreed beside the market: the triggers that watch the last price do not see it then. */
  readonly isBlock?: boolean;
};

/** Prices of an instrument; `low` and `high` are the band in which orders may trade. */
interface MarketPrices {
  readonly last?: Ticks;
  readonly mark?: Ticks;
  readonly index?: Ticks;
  readonly low?: Ticks;
  readonly high?: Ticks;
}

interface OrderSelection {
  /** Absent: the orders of all accounts. */
  readonly account?: AccountId;
  /** Absent: all. */
  readonly where?: (order: OrderView) => boolean;
  readonly reason: CancelCause;
}

export function createEngine(ports: EnginePorts): Engine {
  const core = createEngineCore(ports);
  const matching = createMatching(core);

  /** Runs an operation, after what becomes due at its time. */
  const operate = (nowMs: number, work: () => void): readonly Fact[] => {
    core.begin(nowMs);
    for (const order of core.orders.endedBy(nowMs)) core.cancel(order, "end_of_day");
    work();
    matching.settleDue();
    return core.finish();
  };
  const attempt = (nowMs: number, work: () => BookOrder | Refusal): EngineOutcome => {
    const made: { result?: BookOrder | Refusal } = {};
    const facts = operate(nowMs, () => {
      made.result = work();
    });
    const { result } = made;
    if (result !== undefined && "id" in result) return { isDone: true, order: { ...result }, facts };
    return { isDone: false, refusal: result ?? { word: "other_reject" }, facts };
  };
  const place = (draft: OrderDraft, nowMs: number): EngineOutcome =>
    attempt(nowMs, () => placeOrder(core, matching, draft));
  const refuseControl = (order: BookOrder | undefined): Refusal | undefined =>
    order && ports.risk.refusesControl(order.account, order.instrument);
  const bookOf = (instrument: string): TradedMarket => {
    const market = core.market(instrument);
    if (market === undefined) throw new Error(`${instrument} is not traded.`);
    return market;
  };
  const cancelEach = ({ account, where = () => true, reason }: OrderSelection): void => {
    for (const order of [...core.orders.open(account)])
      if ((!order.isLiquidation || reason === "settlement") && where(order)) core.cancel(order, reason);
  };
  return {
    place,
    edit: (account, orderId, edit, nowMs) =>
      attempt(nowMs, () => {
        const order = core.orders.find(orderId);
        const refused = refuseAccess(core, order, account, "edit") ?? refuseControl(order);
        if (order === undefined || refused !== undefined) return refused ?? { word: "order_not_found" };
        return editOrder(core, matching, order, edit) ?? order;
      }),
    refuses(asked, nowMs) {
      core.begin(nowMs);
      if ("draft" in asked) return refusePlacing(core, matching, asked.draft);
      const order = core.orders.find(asked.orderId);
      const refused = refuseAccess(core, order, asked.account, "edit") ?? refuseControl(order);
      if (order === undefined || refused !== undefined) return refused ?? { word: "order_not_found" };
      return refuseEditing(core, matching, order, asked.edit);
    },
    cancel: (account, orderId, nowMs) =>
      attempt(nowMs, () => {
        const order = core.orders.find(orderId);
        const refused = refuseAccess(core, order, account, "cancel") ?? refuseControl(order);
        if (order === undefined || refused !== undefined) return refused ?? { word: "order_not_found" };
        core.cancel(order, "user_request");
        return order;
      }),
    cancelAll: (selection, nowMs) => operate(nowMs, () => cancelEach(selection)),
    closePosition(account, instrument, { price, connection }, nowMs) {
      const position = ports.risk.position(account, instrument);
      const direction = position > 0 ? "sell" : "buy";
      const kind = price === undefined ? { type: "market" as const } : { type: "limit" as const, price };
      // Without a position there is nothing to reduce, and the order is refused as such.
      const amount = Math.abs(position) || (core.market(instrument)?.instrument.minAmount ?? 0);
      return place({ account, instrument, direction, amount, reduceOnly: true, connection, ...kind }, nowMs);
    },
    report: ({ isBlock = false, ...trade }, nowMs) =>
      operate(nowMs, () => {
        const market = bookOf(trade.instrument);
        market.tradeSeq += 1;
        const tradeId = ports.ids.trade(trade.instrument);
        core.tell({ kind: "trade", trade: { ...trade, tradeId, tradeSeq: market.tradeSeq, atMs: nowMs } });
        for (const { account } of [trade.maker, trade.taker]) trimReducing(core, account, trade.instrument);
        if (!isBlock) applyPrices(core, market, { last: trade.price });
      }),
    setPrices: (instrument, prices, nowMs) => operate(nowMs, () => applyPrices(core, bookOf(instrument), prices)),
    advance: (nowMs) => operate(nowMs, () => undefined),
    arrive: (orderId, nowMs) =>
      operate(nowMs, () => {
        const order = core.orders.find(orderId);
        if (order?.state !== "open" || !order.isOnItsWay) return;
        const refusal = refuseInState(core.marketOf(order).state, "place");
        if (refusal === undefined) matching.arrive(order);
        else core.reject(order, refusal);
      }),
    setBookState: (instrument, state, nowMs) =>
      operate(nowMs, () => {
        bookOf(instrument).state = state;
        const isOwn = (order: OrderView): boolean => order.instrument === instrument;
        if (state === "closed") cancelEach({ where: isOwn, reason: "settlement" });
        if (state === "settlement")
          cancelEach({
            where: (order) => isOwn(order) && order.timeInForce === "good_til_day",
            reason: "end_of_day",
          });
      }),
    bookState: (instrument) => bookOf(instrument).state,
    forget: (instrument) => core.forget(instrument),
    positionChanged: (account, instrument, nowMs) => operate(nowMs, () => trimReducing(core, account, instrument)),
    find(orderId) {
      const order = core.orders.find(orderId);
      return order === undefined ? undefined : { ...order };
    },
    remaining(orderId) {
      const order = core.orders.findOpen(orderId);
      return order?.state === "open" ? remainingOf(order) : undefined;
    },
    findByLabel(account, instrument, label) {
      const [order, ...others] = [...core.orders.open(account)].filter(
        (each) => each.label === label && each.instrument === instrument,
      );
      if (order === undefined) return { word: "order_not_found" };
      return others.length === 0 ? { ...order } : { word: "non_unique_order_label" };
    },
    *open(account) {
      for (const order of core.orders.open(account)) yield { ...order };
    },
    closed: (account) => core.orders.closed(account),
    depth: (instrument, levels) => bookOf(instrument).book.depth(levels),
    best(instrument) {
      const { bids, asks } = bookOf(instrument).book.depth(1);
      return { bid: bids[0], ask: asks[0] };
    },
    prices: (instrument) => describePrices(bookOf(instrument)),
  };
}

/** Takes in prices: the band first, then last, mark, and index price, with what each triggers. */
function applyPrices(core: EngineCore, market: TradedMarket, { last, mark, index, low, high }: MarketPrices): void {
  market.band = { low: low ?? market.band.low, high: high ?? market.band.high };
  const given: readonly (readonly [PriceSource, Ticks | undefined])[] = [
    ["last_price", last],
    ["mark_price", mark],
    ["index_price", index],
  ];
  for (const [source, price] of given) {
    if (price === undefined) continue;
    market.prices[source] = price;
    for (const order of market.triggers.reach(source, price)) core.fire(order);
  }
}

function describePrices({ prices, band }: TradedMarket): MarketPrices {
  const { last_price: last, mark_price: mark, index_price: index } = prices;
  const described = { last, mark, index, ...band };
  return Object.fromEntries(Object.entries(described).filter(([, price]) => price !== undefined));
}

/** Places an order with those that are linked to it. Nothing has happened where it is refused. */
function placeOrder(core: EngineCore, matching: Matching, draft: OrderDraft): BookOrder | Refusal {
  const market = core.market(draft.instrument);
  if (market === undefined) return { word: "invalid_or_unsupported_instrument" };
  const legs = completeLegs(draft);
  const refusal = refuseDraft(core, market, draft, legs);
  if (refusal !== undefined) return refusal;
  const { order, linked } = createOrders(core, draft, legs);
  if (!isWaitingOrder(order)) {
    const refused = matching.admit(order, undefined);
    if (refused !== undefined) return refused;
  }
  tie(core, market, draft, [order, ...linked]);
  core.file(order);
  for (const each of linked) core.open(each);
  if (order.state === "open") matching.enter(order);
  matching.settleDue();
  return order;
}

/** Returns why an order would be refused now; nothing changes by it. */
function refusePlacing(core: EngineCore, matching: Matching, draft: OrderDraft): Refusal | undefined {
  const market = core.market(draft.instrument);
  if (market === undefined) return { word: "invalid_or_unsupported_instrument" };
  const refusal = refuseDraft(core, market, draft, completeLegs(draft));
  if (refusal !== undefined) return refusal;
  const order = createBookOrder(draft, {}, { order: () => "" }, core.nowMs);
  return isWaitingOrder(order) ? undefined : matching.admit(order, undefined);
}

function refuseDraft(
  core: EngineCore,
  market: TradedMarket,
  draft: OrderDraft,
  legs: readonly CompleteDraft[],
): Refusal | undefined {
  const closed = refuseInState(market.state, "place");
  if (closed !== undefined) return closed;
  const locked =
    draft.isLiquidation === true ? undefined : core.ports.risk.refusesControl(draft.account, draft.instrument);
  if (locked !== undefined) return locked;
  if (draft.validUntilMs !== undefined && draft.validUntilMs < core.nowMs) return { word: "timed_out" };
  const terms = [draft, ...legs].map((each) => termsOf(each));
  for (const each of terms) {
    const refusal = refuseTerms(each, market.instrument);
    if (refusal !== undefined) return refusal;
  }
  // The price at which a linked order will begin to wait is not known yet.
  const waiting = draft.linked?.type === "one_cancels_other" ? terms : terms.slice(0, 1);
  for (const each of waiting) {
    const refusal = refusePassedTrigger(each, market);
    if (refusal !== undefined) return refusal;
  }
  return refuseLinks(draft) ?? refuseMore(core, draft, legs);
}

/** Refuses more orders that wait than an account may have. */
function refuseMore(
  { ports, orders }: EngineCore,
  draft: OrderDraft,
  legs: readonly CompleteDraft[],
): Refusal | undefined {
  const { triggers = Infinity, linked = Infinity } = ports.limits ?? {};
  const count = orders.waiting(draft.account);
  const isCouple = draft.linked?.type === "one_cancels_other";
  const own = [draft, ...(isCouple ? legs : [])].filter(({ type = "limit" }) => isTriggerType(type)).length;
  if (count.triggers + own > triggers) return { word: "no_more_triggers", limit: triggers };
  if (!isCouple && count.linked + legs.length > linked) return { word: "no_more_oto_orders", limit: linked };
  return undefined;
}

function createOrders(
  { ports: { ids }, nowMs }: EngineCore,
  draft: OrderDraft,
  legs: readonly CompleteDraft[],
): { readonly order: BookOrder; readonly linked: readonly BookOrder[] } {
  if (draft.linked === undefined) return { order: createBookOrder(draft, {}, ids, nowMs), linked: [] };
  const { type, fillCondition = "first_hit" } = draft.linked;
  const ref = type === "one_triggers_other" ? {} : { ocoRef: ids.link() };
  if (type === "one_cancels_other") {
    const ties = { fillCondition, ...ref };
    return {
      order: createBookOrder(draft, ties, ids, nowMs),
      linked: legs.map((leg) => createBookOrder(leg, ties, ids, nowMs)),
    };
  }
  const isPrimaryOtoco = type === "one_triggers_one_cancels_other";
  const order = createBookOrder(draft, { fillCondition, isPrimaryOtoco }, ids, nowMs);
  const ties = { ...ref, fillCondition, isSecondaryOto: true, primaryOrderId: order.id };
  const linked = legs.map((leg) => createBookOrder(leg, ties, ids, nowMs));
  order.otoOrderIds = linked.map(({ id }) => id);
  return { order, linked };
}

/** Lets the orders of a draft know of each other. */
function tie(
  { links }: EngineCore,
  { instrument }: TradedMarket,
  draft: OrderDraft,
  orders: readonly BookOrder[],
): void {
  const [order, ...linked] = orders;
  if (draft.linked === undefined || order === undefined) return;
  const { type, fillCondition = "first_hit" } = draft.linked;
  const coupled = type === "one_cancels_other" ? orders : linked;
  const ref = coupled[0]?.ocoRef;
  if (ref !== undefined) links.couple(ref, fillCondition, coupled);
  if (type !== "one_cancels_other") links.follow(order, fillCondition, linked, instrument.minAmount);
}
