import type { Fact } from "../facts.ts";
import type { AccountId, ExchangeTrade, TradedInstrument, Side } from "../instrument.ts";
import { remainingOf, type OrderView } from "../orders/order.ts";
import type { Refusal } from "../refusal.ts";
import type { Risk, RiskRequest } from "../risk.ts";
import type { Lots, Ticks } from "../units.ts";
import {
  costOf,
  initialMarginBeside,
  instrumentMargin,
  orderCurrency,
  orderMargin,
  takerFee,
} from "./accountMargin.ts";
import { feeOf, feeRates } from "./fees.ts";
import { refuseControl } from "./maintenance.ts";
import { fixedOfSteps, payable, smaller, type Fixed } from "./money.ts";
import { withOrderAdded, withOrderRemoved, type OpenOrder } from "./openOrders.ts";
import { isOfUser, mustFind, positionOf, signed, sizeOf, type LedgerState } from "./state.ts";
import { marginBalance } from "./summary.ts";
import { bookTrade } from "./trading.ts";
import { gainOf, valueOf } from "./valuation.ts";

/** Makes the matching half's view of the ledger. */
export function createRisk(state: LedgerState): Risk {
  return {
    accepts: (account, order) => refuseOrder(state, account, order),
    refusesControl: (account, name) => refuseControl(state, account, name),
    position(account, name) {
      const lot = fixedOfSteps(1, mustFind(state, name).lot);
      return Number(sizeOf(state, account, name) / lot);
    },
    take: (fact) => takeFact(state, fact),
  };
}

/** A combo would be booked leg by leg, and the ledger does not know its legs. */
const UNSUPPORTED: Refusal = { word: "invalid_or_unsupported_instrument" };

/**
 * Returns why an account may not place an order: its funds would not cover the margin of all orders and positions, the
 * fee, and what its price is worse than the mark. An order that does not add to the margin is not refused for that, so
 * that a position can be reduced unless the account is being liquidated.
 */
export function refuseOrder(state: LedgerState, account: AccountId, request: RiskRequest): Refusal | undefined {
  if (!isOfUser(state, account)) return undefined;
  const instrument = mustFind(state, request.instrument);
  if (instrument.kind === "future_combo" || instrument.kind === "option_combo") return UNSUPPORTED;
  const locked = refuseControl(state, account, request.instrument);
  if (locked !== undefined) return locked;
  if (isCovered(instrument, request)) return undefined;
  const draft = openOrderOf(state, { account, id: "" }, request);
  const currency = orderCurrency(instrument, draft);
  const totals = state.orders.totals(account, instrument.name);
  const replaced = request.replaces === undefined ? undefined : state.orders.find(request.replaces);
  const others = replaced === undefined ? totals : withOrderRemoved(totals, replaced);
  const before = instrumentMargin(state, account, instrument, { currency }).initial;
  const after = instrumentMargin(state, account, instrument, {
    currency,
    orders: withOrderAdded(others, draft),
  }).initial;
  if (after <= before) return undefined;
  const atOnce = instrument.kind === "future" ? feeAndLoss(state, instrument, draft, priceOf(state, request)) : 0n;
  const needed = initialMarginBeside(state, account, currency, instrument.name) + after + atOnce;
  if (needed <= marginBalance(state, account, currency)) return undefined;
  return { word: "not_enough_funds" };
}

/** Returns the fee of a future that is traded at a price, and what that is worse than the mark. */
function feeAndLoss(
  { ports: { prices } }: LedgerState,
  instrument: TradedInstrument,
  { amount, direction }: Pick<OpenOrder, "amount" | "direction">,
  price: Fixed,
): Fixed {
  const size = signed(amount, direction);
  const [paid, worth] = [valueOf(instrument, size, price), valueOf(instrument, size, prices.mark(instrument))];
  return takerFee(instrument, amount, price, prices) - smaller(0n, payable(gainOf(instrument, paid, worth)));
}

/** Whether the margin of an order is kept already: a protected one of a future bypasses the checks of funds. */
function isCovered({ kind }: TradedInstrument, { mmp = false }: Pick<RiskRequest, "mmp">): boolean {
  return mmp && kind === "future";
}

/** What an order needs, in the settlement currency; of spot each side in what it pays. */
export interface OrderMargins {
  readonly buy: Fixed;
  readonly sell: Fixed;
  readonly makerFee: Fixed;
  readonly takerFee: Fixed;
}

/** Returns what an order needs on either side where there is no position and no other order. */
export function marginsOf(state: LedgerState, instrument: TradedInstrument, amount: Lots, price: Ticks): OrderMargins {
  const { prices } = state.ports;
  const side = (direction: Side): Fixed => {
    const order = openOrderOf(
      state,
      { account: "", id: "" },
      { instrument: instrument.name, direction, amount, price },
    );
    return orderMargin(order, instrument, prices);
  };
  const fee = (rate: Fixed): Fixed =>
    feeOf(instrument, {
      amount: fixedOfSteps(amount, instrument.lot),
      price: fixedOfSteps(price, instrument.tick),
      indexPrice: prices.index(instrument),
      rate,
    });
  const { maker, taker } = feeRates(instrument);
  return { buy: side("buy"), sell: side("sell"), makerFee: fee(maker), takerFee: fee(taker) };
}

/** Books a trade, and follows the orders that rest. */
function takeFact(state: LedgerState, fact: Fact): void {
  switch (fact.kind) {
    case "placed":
    case "edited":
    case "reduced":
    case "triggered":
    case "rejected":
    case "filled":
    case "cancelled":
      follow(state, fact.order);
      break;
    case "trade":
      bookTrade(state, fact.trade);
      followTrade(state, fact.trade);
      break;
    case "book":
      break;
  }
}

function follow(state: LedgerState, order: OrderView): void {
  const { id, account, instrument, direction, price } = order;
  if (order.state !== "open") {
    state.orders.delete(id);
    return;
  }
  if (!isCovered(mustFind(state, instrument), order))
    state.orders.set(openOrderOf(state, order, { instrument, direction, price, amount: remainingOf(order) }));
  // What rests has a position, if only one of size 0, with the margin that it needs; the market keeps none.
  if (account !== state.ports.marketAccount && mustFind(state, instrument).kind !== "spot")
    positionOf(state, account, instrument);
}

/** Makes the two orders of a trade smaller at once: the facts about them come later. */
function followTrade(state: LedgerState, trade: ExchangeTrade): void {
  for (const { orderId, remaining } of [trade.maker, trade.taker]) {
    const order = state.orders.find(orderId);
    if (order === undefined) continue;
    const amount = fixedOfSteps(remaining, mustFind(state, order.instrument).lot);
    const cost = order.amount === 0n ? 0n : (order.cost * amount) / order.amount;
    if (remaining === 0) state.orders.delete(orderId);
    else state.orders.set({ ...order, amount, cost });
  }
}

type Placed = Pick<RiskRequest, "instrument" | "direction" | "amount" | "price">;

function openOrderOf(
  state: LedgerState,
  { account, id }: Pick<OpenOrder, "account" | "id">,
  placed: Placed,
): OpenOrder {
  const { instrument: name, direction } = placed;
  const instrument = mustFind(state, name);
  const amount = fixedOfSteps(placed.amount, instrument.lot);
  const cost = direction === "buy" ? costOf(instrument, amount, priceOf(state, placed), state.ports.prices) : 0n;
  return { id, account, instrument: name, direction, amount, cost };
}

/** Returns the price of an order; a market order counts at the mark. */
function priceOf(state: LedgerState, { instrument: name, price }: Pick<Placed, "instrument" | "price">): Fixed {
  const instrument = mustFind(state, name);
  return price === undefined ? state.ports.prices.mark(instrument) : fixedOfSteps(price, instrument.tick);
}
