import { keepLatest } from "../../exchange/keepLatest.ts";
import { liquidatedSide } from "../../exchange/instrument.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import type { AccountTrade } from "../../exchange/ledger/state.ts";
import type { SimulatedLeg } from "./blockTrades.ts";
import type { SimulatedTrade } from "./publicTrades.ts";
import type { WorldOrder } from "./orders.ts";
import type { IsolatedMarks } from "./positions.ts";

/** A trade of the account, with the exchange's names: of an order that was filled, or within a block trade. */
export type UserTrade = SimulatedLeg;

/** The trades of an account that came from its orders. */
interface UserTrades {
  /** Returns the trades, the oldest first. */
  all(): readonly UserTrade[];
  /** Notes that a trade filled an order, by the order's state after it. Returns the account's side of it. */
  add(trade: SimulatedTrade, order: WorldOrder, booked: MarkedTrade): UserTrade;
}

/** A booked trade, with the members that tell whether it is isolated. */
type MarkedTrade = AccountTrade & { readonly marks: IsolatedMarks };

/** How many trades are kept at most, and up to twice as many. */
const KEPT_TRADES = 10_000;

export function createUserTrades(): UserTrades {
  const trades: UserTrade[] = [];
  return {
    all: () => trades,
    add(trade, order, booked) {
      const made = userTrade(trade, order, asBooked(booked));
      // Only slots have marks: to put a trade together from two objects takes longer.
      if (booked.marks.isolated === true) Object.assign(made, { user_id: order.user_id, ...booked.marks });
      keepLatest(trades, made, KEPT_TRADES, ({ timestamp }) => timestamp);
      return made;
    },
  };
}

/**
 * Returns the account's side of a public trade.
 * https://docs.deribit.com/api-reference/trading/private-get_user_trades_by_instrument
 */
function userTrade(trade: SimulatedTrade, order: WorldOrder, booked: BookedMembers): UserTrade {
  const { iv, index_price } = trade;
  // Members that are undefined are not written. One literal for all of them: thousands of trades are made in a second.
  return {
    trade_id: trade.trade_id,
    trade_seq: trade.trade_seq,
    instrument_name: trade.instrument_name,
    timestamp: trade.timestamp,
    order_id: order.order_id,
    matching_id: null,
    direction: order.direction,
    tick_direction: trade.tick_direction,
    index_price,
    mark_price: trade.mark_price,
    price: trade.price,
    amount: trade.amount,
    contracts: trade.contracts,
    order_type: order.is_liquidation === true ? "liquidation" : order.order_type === "market" ? "market" : "limit",
    iv,
    self_trade: false,
    ...marksOf(order),
    ...booked,
  };
}

type BookedMembers = Pick<
  UserTrade,
  "fee" | "fee_currency" | "liquidity" | "state" | "profit_loss" | "liquidation" | "underlying_price"
>;

/** Returns what the ledger knows of a trade. */
export function asBooked({
  trade,
  role,
  fee,
  feeCurrency: currency,
  profitLoss,
  underlyingPrice,
}: AccountTrade): BookedMembers {
  const liquidation = liquidatedSide(trade);
  return {
    fee: numberOf(fee),
    fee_currency: currency,
    liquidity: role === "maker" ? "M" : "T",
    // What is left of it decides, not what became of the order later.
    state: trade[role].remaining === 0 ? "filled" : "open",
    profit_loss: profitLoss === undefined ? null : numberOf(profitLoss),
    ...(liquidation === undefined ? {} : { liquidation }),
    underlying_price: underlyingPrice === undefined ? undefined : numberOf(underlyingPrice),
  };
}

/** Returns the members that a trade takes unchanged from its order. */
function marksOf({
  label = "",
  reduce_only,
  post_only = false,
  mmp = false,
  risk_reducing = false,
  api = true,
  quote_set_id,
  quote_id,
}: WorldOrder): Partial<UserTrade> {
  return {
    label: label === "" ? undefined : label,
    reduce_only,
    post_only,
    mmp,
    risk_reducing,
    api,
    quote_set_id,
    quote_id,
  };
}
