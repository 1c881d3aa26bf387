import type { Clock } from "../../base/clock.ts";
import type { ParamsOf } from "../../catalogue/index.ts";
import { blockTradeLegText } from "../market/blockTrades.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { refusal } from "../text/errors.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { isOfKind } from "../market/instruments.ts";
import { follows, instrumentOf, isWithin, select } from "./marketMethods.ts";
import { isListed } from "../text/pages.ts";
import type { UserTrade } from "../market/userTrades.ts";

type UserTradeMethod =
  | `private/get_user_trades_by_${"currency" | "instrument"}${"" | "_and_time"}`
  | "private/get_user_trades_by_order";

/** The common parameters of the four methods. */
type Selection = Omit<ParamsOf<"private/get_user_trades_by_instrument">, "instrument_name"> &
  Pick<ParamsOf<"private/get_user_trades_by_currency">, "start_id" | "end_id">;

/**
 * The age beyond which trades are history alone, in ms.
 * https://docs.deribit.com/articles/accessing-historical-trades-orders
 */
const RECENT_MS = 24 * 3_600_000;

/** Makes the methods for trades of the account: of its orders, and within its block trades. */
export function userTradeHandlers({
  clock,
  world,
  blockTrades,
}: HandlerPorts): Required<Pick<MethodHandlers, UserTradeMethod>> {
  const all = (): UserTrade[] =>
    [...blockTrades.select({ count: Infinity }).flatMap(({ trades }) => trades), ...world.userTrades()].sort(follows);
  const respond = (trades: readonly UserTrade[], params: Selection): string => {
    const matching = between(trades, params).filter(
      (trade) => isWithin(trade, params) && isKept(trade, clock, params.historical),
    );
    const chosen = select(matching, params);
    return `{"trades":[${chosen.map((trade) => blockTradeLegText(trade, world.instruments)).join(",")}],"has_more":${String(matching.length > chosen.length)}}`;
  };
  const ofInstrument = (name: string): UserTrade[] => {
    instrumentOf(world.instruments, name);
    return all().filter((trade) => trade.instrument_name === name);
  };
  const ofCurrency = (
    currency: string,
    kind: ParamsOf<"private/get_user_trades_by_currency">["kind"] = "any",
  ): UserTrade[] => {
    refuseUnknownCurrency(currency);
    return all().filter((trade) => {
      const instrument = world.instruments.get(trade.instrument_name);
      return instrument?.currencies.includes(currency) === true && isOfKind(instrument, kind);
    });
  };
  return {
    "private/get_user_trades_by_currency": ({ params: { currency, kind, ...params } }) =>
      respond(ofCurrency(currency, kind), params),
    "private/get_user_trades_by_currency_and_time": ({ params: { currency, kind, ...params } }) =>
      respond(ofCurrency(currency, kind), params),
    "private/get_user_trades_by_instrument": ({ params: { instrument_name: name, ...params } }) =>
      respond(ofInstrument(name), params),
    "private/get_user_trades_by_instrument_and_time": ({ params: { instrument_name: name, ...params } }) =>
      respond(ofInstrument(name), params),
    "private/get_user_trades_by_order": ({ params: { order_id: id, sorting, historical } }) => {
      const trades = all().filter((trade) => trade.order_id === id && isKept(trade, clock, historical));
      if (trades.length === 0 && world.order(id) === undefined) throw refusal(10004);
      const sorted = sorting === "asc" ? trades : trades.reverse();
      return `[${sorted.map((trade) => blockTradeLegText(trade, world.instruments)).join(",")}]`;
    },
  };
}

function isKept({ timestamp }: UserTrade, clock: Clock, isHistorical: boolean | undefined): boolean {
  return isListed(clock.now() - timestamp, RECENT_MS, isHistorical);
}

/** Returns the trades from one to another, both included. The refusal of an unknown identifier is not documented. */
function between(
  trades: readonly UserTrade[],
  { start_id: startId, end_id: endId }: Pick<Selection, "start_id" | "end_id">,
): readonly UserTrade[] {
  const place = (id: string): number => {
    const index = trades.findIndex(({ trade_id }) => trade_id === id);
    if (index < 0) throw refusal(13020);
    return index;
  };
  return trades.slice(startId === undefined ? 0 : place(startId), endId === undefined ? undefined : place(endId) + 1);
}
