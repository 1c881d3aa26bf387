import { DAY_MS, dayName, HOUR_MS, MINUTE_MS } from "../../exchange/market/calendar.ts";
import { deliveryPrices, historicalVolatility } from "../../exchange/market/indexPath.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { INDEX_NAMES, indexPrices, volatilityCandles, VOLATILITY_RESOLUTIONS } from "../market/indexFigures.ts";
import { invalidParam } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { handlersOf } from "./handlers.ts";

/** The ranges of index charts: how far they go back, and the time between two points. */
const RANGES: ReadonlyMap<string, { readonly lengthMs: number; readonly stepMs: number }> = new Map([
  ["1h", { lengthMs: HOUR_MS, stepMs: MINUTE_MS }],
  ["1d", { lengthMs: DAY_MS, stepMs: 5 * MINUTE_MS }],
  ["2d", { lengthMs: 2 * DAY_MS, stepMs: 10 * MINUTE_MS }],
  ["1m", { lengthMs: 30 * DAY_MS, stepMs: 2 * HOUR_MS }],
  ["1y", { lengthMs: 365 * DAY_MS, stepMs: DAY_MS }],
  ["all", { lengthMs: 365 * DAY_MS, stepMs: DAY_MS }],
]);

/** How many days of delivery prices there are. */
const DELIVERY_DAYS = 90;
const DEFAULT_COUNT = 10;

/** Makes the methods for the prices of indexes, and what follows from them alone. */
export const indexMethods = handlersOf(({ world }) => {
  const { market } = world;
  const { venue } = market;
  /** Returns the market of the venue and its moment, after what is due. */
  const now = (): { readonly atMs: number; readonly own: typeof venue.market } => {
    venue.catchUp([]);
    return { atMs: venue.marketMs, own: venue.market };
  };
  return {
    "public/get_index_price": ({ params }) => {
      const index = indexOf(params.index_name);
      const { atMs, own } = now();
      return writeJson({
        index_price: own.indexes.price(index, atMs),
        estimated_delivery_price: own.indexes.estimatedDeliveryPrice(index, atMs),
      });
    },
    "public/get_index_price_names": ({ params }) => {
      if (params.extended !== true) return writeJson(INDEX_NAMES);
      return writeJson(
        INDEX_NAMES.map((name) => ({
          name,
          future_combo_creation_enabled: name.endsWith("_usd"),
          option_combo_creation_enabled: name.endsWith("_usd"),
        })),
      );
    },
    "public/get_supported_index_names": ({ params }) => writeJson(supportedNames(params.type)),
    "public/get_index_chart_data": ({ params }) => {
      const index = indexOf(params.index_name);
      const range = RANGES.get(params.range);
      if (range === undefined) throw invalidParam("range", "wrong range");
      const { atMs } = now();
      return writeJson(
        indexPrices(market, index, { fromMs: atMs - range.lengthMs, untilMs: atMs, stepMs: range.stepMs }),
      );
    },
    "public/get_delivery_prices": ({ params: { index_name, offset = 0, count = DEFAULT_COUNT } }) => {
      const index = indexOf(index_name);
      const { atMs, own } = now();
      const page = { offset, count: Math.max(0, Math.min(count, DELIVERY_DAYS - offset)) };
      return writeJson({
        records_total: DELIVERY_DAYS,
        data: deliveryPrices(own.indexes, index, atMs, page).map(([settlementMs, price]) => ({
          date: dayName(settlementMs),
          delivery_price: price,
        })),
      });
    },
    "public/get_historical_volatility": ({ params }) => {
      const { atMs, own } = now();
      return writeJson(historicalVolatility(own.indexes, indexOfCurrency(params.currency), atMs));
    },
    "public/get_volatility_index_data": ({ params }) => {
      const stepMs = VOLATILITY_RESOLUTIONS.get(params.resolution);
      if (stepMs === undefined) throw invalidParam("resolution", "wrong resolution");
      const range = { fromMs: params.start_timestamp, untilMs: Math.min(params.end_timestamp, now().atMs), stepMs };
      return writeJson(volatilityCandles(market, indexOfCurrency(params.currency), range));
    },
  };
});

function indexOf(name: string): string {
  if (!INDEX_NAMES.includes(name)) throw invalidParam("index_name", "unknown index");
  return name;
}

/** Returns the index of a coin in USD, or in the stablecoin that it is traded for here. */
function indexOfCurrency(currency: string): string {
  refuseUnknownCurrency(currency);
  const coin = currency.toLowerCase();
  const index = INDEX_NAMES.find((name) => name === `${coin}_usd` || name === `${coin}_usdc`);
  if (index === undefined) throw invalidParam("currency", "no index of this currency");
  return index;
}

/** Returns the indexes of spot pairs, those of all else, or all. */
function supportedNames(type = "all"): readonly string[] {
  const isDerivative = (name: string): boolean => name.endsWith("_usd") || name.endsWith("_usdc");
  const isSpot = (name: string): boolean => !name.endsWith("_usd") && name !== "sol_usdc";
  switch (type) {
    case "all":
      return INDEX_NAMES;
    case "spot":
      return INDEX_NAMES.filter(isSpot);
    case "derivative":
      return INDEX_NAMES.filter(isDerivative);
    default:
      throw invalidParam("type", "wrong type");
  }
}
