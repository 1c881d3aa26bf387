import type { ParamsOf } from "../../catalogue/index.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";
import { tradeText, type SimulatedTrade } from "../market/market.ts";

const DEFAULT_COUNT = 10;

/** Makes the methods for public trades. */
export function marketHandlers({
  world,
}: HandlerPorts): Pick<MethodHandlers, `public/get_last_trades_by_instrument${"" | "_and_time"}`> {
  const respond = (params: TradeParams): string => {
    const instrument = instrumentOf(world.instruments, params.instrument_name);
    const matching = world.market.trades(instrument).filter((trade) => isWithin(trade, params));
    const trades = select(matching, params);
    return `{"trades":[${trades.map((trade) => tradeText(trade, instrument)).join(",")}],"has_more":${String(matching.length > trades.length)}}`;
  };
  return {
    "public/get_last_trades_by_instrument": ({ params }) => respond(params),
    "public/get_last_trades_by_instrument_and_time": ({ params }) => respond(params),
  };
}

/** Returns an instrument. An impossible name is a bad parameter; a possible one that does not exist is not found. */
export function instrumentOf(instruments: ReadonlyMap<string, SimulatedInstrument>, name: string): SimulatedInstrument {
  const instrument = instruments.get(name);
  if (instrument !== undefined) return instrument;
  throw /^[A-Z0-9]+(_[A-Z0-9]+)?(-[A-Z0-9_]+(d\d+)?)*$/.test(name)
    ? refusal(13020)
    : invalidParam("instrument_name", "wrong format");
}

type TradeParams = ParamsOf<"public/get_last_trades_by_instrument">;

/** The selected trades, and their order; of the account's trades too. */
type Selection = Omit<TradeParams, "instrument_name">;

/** Whether a trade is within the bounds, which are included. */
export function isWithin(trade: Pick<SimulatedTrade, "trade_seq" | "timestamp">, params: Selection): boolean {
  const { start_seq = -Infinity, end_seq = Infinity, start_timestamp = -Infinity, end_timestamp = Infinity } = params;
  return (
    trade.trade_seq >= start_seq &&
    trade.trade_seq <= end_seq &&
    trade.timestamp >= start_timestamp &&
    trade.timestamp <= end_timestamp
  );
}

/**
 * Returns the selected trades. With a start these are the trades from there on, the earliest first; without a start the
 * latest, the newest first. `sorting` reverses the list; `desc` with a start begins at the end of the range.
 */
export function select<T>(matching: readonly T[], params: Selection): readonly T[] {
  const count = params.count ?? DEFAULT_COUNT;
  const hasStart = params.start_seq !== undefined || params.start_timestamp !== undefined;
  const sorting =
    params.sorting === undefined || params.sorting === "default" ? (hasStart ? "asc" : "desc") : params.sorting;
  const chosen = hasStart && sorting === "asc" ? matching.slice(0, count) : matching.slice(-count);
  return sorting === "asc" ? chosen : chosen.reverse();
}
