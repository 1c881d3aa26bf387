import type { ParamsOf } from "../../catalogue/index.ts";
import { HISTORY_MS } from "../../exchange/keepLatest.ts";
import { refusal } from "../text/errors.ts";
import { indexOf, type SimulatedInstrument } from "./instruments.ts";
import { roundTo, writeJson, type WrittenRow } from "../text/json.ts";
import { DECIMAL_MEMBERS } from "./orders.ts";
import type { WireMembers } from "./positions.ts";

/** A trade of the account within a block trade, with the exchange's names. */
export type SimulatedLeg = WrittenRow<
  "userTrade",
  | ("trade_id" | "trade_seq" | "instrument_name" | "timestamp" | "order_id" | "tick_direction" | "index_price")
  | ("mark_price" | "price" | "amount" | "fee" | "fee_currency" | "state" | "order_type"),
  {
    direction: "buy" | "sell";
    matching_id: null;
    advanced?: "usd" | "implv" | undefined;
    liquidity: "M" | "T";
    reduce_only?: boolean | undefined;
    post_only?: boolean;
    legs?: readonly SimulatedLeg[];
    allocations?: readonly SimulatedAllocation[];
    trade_allocations?: readonly SimulatedAllocation[];
    starbase_match_id?: bigint;
    starbase_timestamp?: bigint;
  }
>;

/** The part of a trade that one user gets. */
type SimulatedAllocation = {
  /** The number of the user; hidden for brokers, who name a client instead. */
  readonly user_id?: number;
  readonly amount: number;
  readonly fee: number;
  readonly client_info?: { readonly client_id: number; readonly client_link_id: number; readonly name: string };
};

export type SimulatedBlockTrade = {
  readonly id: string;
  readonly timestamp: number;
  readonly trades: readonly SimulatedLeg[];
  /** The key that it was made with; the exchange does not disclose it. */
  readonly keyId?: number;
  readonly app_name?: string;
  readonly broker_code?: string;
  readonly broker_name?: string;
};

/** The block trades of an account. */
export interface BlockTrades {
  /** Returns the selected block trades, the newest first. */
  select(
    selection: ParamsOf<"private/get_block_trades">,
    isReadable?: (trade: SimulatedBlockTrade) => boolean,
  ): SimulatedBlockTrade[];
  /** Returns a block trade. Refuses with 13020. */
  find(id: string): SimulatedBlockTrade;
  /** Adds a block trade that was booked, newer than all before. */
  add(trade: SimulatedBlockTrade): void;
}

/** The default number of block trades in a response: the contract names a range and no default. */
const DEFAULT_COUNT = 20;

/** Makes the block trades of an account: none yet. */
export function createBlockTrades(ports: {
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  readonly onExecuted: (trade: SimulatedBlockTrade) => void;
}): BlockTrades {
  const trades: SimulatedBlockTrade[] = [];
  const place = (id: string | undefined): number | undefined => {
    if (id === undefined) return undefined;
    const index = trades.findIndex((each) => each.id === id);
    if (index < 0) throw refusal(13020);
    return index;
  };
  return {
    select(selection, isReadable = () => true) {
      const { currency, count = DEFAULT_COUNT, block_rfq_id: rfqId, broker_code: broker } = selection;
      const start = (place(selection.start_id) ?? -1) + 1;
      const end = place(selection.end_id) ?? trades.length - 1;
      return trades
        .slice(start, end + 1)
        .filter(
          (each) =>
            isReadable(each) && (currency === undefined || currenciesOf(each, ports.instruments).includes(currency)),
        )
        .filter((each) => rfqId === undefined || each.trades.some((leg) => leg.block_rfq_id === rfqId))
        .filter(
          (each) =>
            broker === undefined || (broker === "any" ? each.broker_code !== undefined : each.broker_code === broker),
        )
        .slice(0, count);
    },
    find: (id) => trades[place(id) ?? 0] ?? neverMissing(),
    add(trade) {
      trades.unshift(trade);
      const { timestamp: oldestMs } = trades.at(-1) ?? trade;
      if (trades.length > KEPT_TRADES && oldestMs < trade.timestamp - HISTORY_MS) trades.pop();
      ports.onExecuted(trade);
    },
  };
}

/** As many are kept however old they are; those of the last two days are kept too. */
const KEPT_TRADES = 100;

function neverMissing(): never {
  throw refusal(13020);
}

/** Returns the currencies by which a block trade is found: those of its instruments. */
export function currenciesOf(
  trade: SimulatedBlockTrade,
  instruments: ReadonlyMap<string, SimulatedInstrument>,
): readonly string[] {
  return trade.trades.flatMap((leg) => instruments.get(leg.instrument_name)?.currencies ?? []);
}

/** Returns the block trade as it goes over the wire. */
export function blockTradeText(
  trade: SimulatedBlockTrade,
  instruments: ReadonlyMap<string, SimulatedInstrument>,
): string {
  const texts = trade.trades.map((leg) => blockTradeLegText(leg, instruments));
  return `{"trades":[${texts.join(",")}],${writeJson({ ...trade, trades: undefined, keyId: undefined }).slice(1)}`;
}

/** Returns one of its trades as it goes over the wire. */
export function blockTradeLegText(leg: SimulatedLeg, instruments: ReadonlyMap<string, SimulatedInstrument>): string {
  return writeJson(leg, instruments.get(leg.instrument_name)?.isDecimal === true ? DECIMAL_MEMBERS : undefined);
}

/**
 * Returns what everybody learns of a block trade that a Block RFQ led to; undefined for all others. Its legs are those
 * of the structure, which is bought or sold as a whole: their prices add up to its own.
 * https://docs.deribit.com/subscriptions/block-rfq/block_rfqtradescurrency
 */
export function rfqTradeMembers({ timestamp, trades: made }: SimulatedBlockTrade): WireMembers | undefined {
  const [first] = made;
  if (first?.block_rfq_id === undefined) return undefined;
  const { block_rfq_id: id, direction, amount, combo_id = null } = first;
  const legs = made.map((leg) => ({
    instrument_name: leg.instrument_name,
    direction: leg.direction === direction ? "buy" : "sell",
    price: leg.price,
    ratio: leg.amount / amount,
  }));
  const whole = (of: (leg: SimulatedLeg) => number): number =>
    roundTo(
      made.reduce((sum, leg) => sum + ((leg.direction === direction ? 1 : -1) * of(leg) * leg.amount) / amount, 0),
      1e-8,
    );
  const [price, markPrice] = [whole((leg) => leg.price), whole((leg) => leg.mark_price)];
  return {
    id,
    timestamp,
    direction,
    amount,
    legs,
    combo_id,
    mark_price: markPrice,
    trades: [{ direction, price, amount }],
  };
}

/** Returns the same with the prices of the indexes, as the method has it beside. */
export function listedRfqTrade(trade: SimulatedBlockTrade): WireMembers | undefined {
  const members = rfqTradeMembers(trade);
  const prices = trade.trades.map(({ instrument_name: name, index_price: price }) => [indexOf(name), price] as const);
  return members && { ...members, index_prices: Object.fromEntries(prices) };
}
