import type { AccountId } from "../instrument.ts";
import { accountMargin, orderCurrency } from "./accountMargin.ts";
import { feeOf, feeRates } from "./fees.ts";
import { fixedOfSteps, type Fixed } from "./money.ts";
import { mustFind, NOT_ENOUGH_FUNDS, type LedgerState, type OpenOrder, type Refusal } from "./state.ts";
import { marginBalance } from "./summary.ts";

/**
 * Returns why an account may not place an order: its funds would not cover the margin of all orders and positions and
 * the fee. An order that does not add to the margin is never refused, so that a position can always be reduced.
 * @param replaced the order that it takes the place of, one of the account's open orders
 */
export function refuseOrder(
  state: LedgerState,
  account: AccountId,
  draft: OpenOrder,
  replaced?: OpenOrder,
): Refusal | undefined {
  if (account === state.ports.marketAccount || account === state.ports.feeAccount) return undefined;
  const instrument = mustFind(state, draft.instrument);
  const currency = orderCurrency(instrument, draft);
  const open = [...state.ports.openOrders(account)];
  const others = replaced === undefined ? open : open.filter((order) => order !== replaced);
  const before = accountMargin(state, account, currency, open).initial;
  const after = accountMargin(state, account, currency, [...others, draft]).initial;
  if (after <= before) return undefined;
  const needed = after + (instrument.kind === "future" ? takerFee(state, draft) : 0n);
  return needed <= marginBalance(state, account, currency) ? undefined : NOT_ENOUGH_FUNDS;
}

function takerFee(state: LedgerState, order: OpenOrder): Fixed {
  const { prices } = state.ports;
  const instrument = mustFind(state, order.instrument);
  return feeOf(instrument, {
    amount: fixedOfSteps(order.amount, instrument.lot),
    price: order.price === undefined ? prices.mark(instrument) : fixedOfSteps(order.price, instrument.tick),
    indexPrice: prices.index(instrument),
    rate: feeRates(instrument).taker,
  });
}
