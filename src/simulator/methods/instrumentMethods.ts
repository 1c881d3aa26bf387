import { currenciesText, isCurrency } from "../market/currencies.ts";
import { expiryOf } from "../market/expiries.ts";
import { invalidParam } from "../text/errors.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import {
  CREATED_MS_BEFORE,
  instrumentId,
  INSTRUMENTS,
  MAKER_COMMISSION,
  TAKER_COMMISSION,
  type SimulatedInstrument,
} from "../market/instruments.ts";
import { DAY_MS, expirationName } from "../../exchange/market/calendar.ts";
import { roundDecimals } from "../../exchange/market/indexPath.ts";
import { isExpired, volumesOf, type Figures } from "../market/figures.ts";
import type { Market } from "../market/market.ts";
import { instrumentOf, instrumentsOf } from "./marketMethods.ts";
import { writeJson } from "../text/json.ts";

type InstrumentMethod =
  | `public/get_instrument${"" | "s"}`
  | "public/get_currencies"
  | "public/get_contract_size"
  | "public/get_expirations"
  | "public/get_trade_volumes";

/** Makes the methods for instruments and their currencies. */
export function instrumentMethods({ world }: HandlerPorts): Required<Pick<MethodHandlers, InstrumentMethod>> {
  const { instruments, market } = world;
  return {
    "public/get_instruments": ({ params }) => {
      const { currency = "any", kind, expired = false } = params;
      market.venue.catchUp([]);
      return writeJson(
        instrumentsOf(instruments, { currency, kind })
          .filter((each) => isExpired(market, each) === expired)
          .map((each) => describeInstrument(market, each)),
      );
    },
    "public/get_instrument": ({ params }) => {
      market.venue.catchUp([]);
      return writeJson(describeInstrument(market, instrumentOf(instruments, params.instrument_name)));
    },
    "public/get_contract_size": ({ params }) =>
      writeJson({ contract_size: instrumentOf(instruments, params.instrument_name).contractSize }),
    "public/get_currencies": currenciesText,
    "public/get_expirations": ({ params: { currency, kind, currency_pair } }) => {
      const listed = [...instruments.values()].filter(
        (each) =>
          !isExpired(market, each) && (currency_pair === undefined || market.terms(each).indexName === currency_pair),
      );
      const ofCurrency = (name: string): Figures | string[] =>
        expirationsOf(
          listed.filter(({ currencies }) => name === "any" || currencies.includes(name)),
          kind,
        );
      if (currency !== "grouped") {
        if (currency !== "any" && !isCurrency(currency)) throw invalidParam("currency", "invalid currency");
        return writeJson(ofCurrency(currency));
      }
      const names = new Set(listed.filter(isExpiring).flatMap(({ currencies }) => currencies));
      return writeJson(Object.fromEntries([...names].map((name) => [name.toLowerCase(), ofCurrency(name)])));
    },
    "public/get_trade_volumes": ({ params }) =>
      writeJson(
        ["BTC", "ETH", "USDC"].map((currency) => tradeVolumes(world.market, currency, params.extended === true)),
      ),
  };
}

function isExpiring({ kind }: SimulatedInstrument): boolean {
  return kind === "future" || kind === "option";
}

/** Returns the names of the expirations of one kind, or of both by kind. */
function expirationsOf(listed: readonly SimulatedInstrument[], kind: string): Figures | string[] {
  const ofKind = (wanted: "future" | "option"): string[] => {
    const chosen = listed.filter((each) => each.kind === wanted);
    const dates = new Set(chosen.map(({ name }) => expiryOf(name)).filter((expiry) => expiry !== undefined));
    const names = [...dates].sort((one, other) => one - other).map(expirationName);
    return chosen.some(({ name }) => name.endsWith("-PERPETUAL")) ? [...names, "PERPETUAL"] : names;
  };
  switch (kind) {
    case "any":
      return { future: ofKind("future"), option: ofKind("option") };
    case "future":
    case "option":
      return ofKind(kind);
    default:
      throw invalidParam("kind", "wrong kind");
  }
}

/**
 * Returns what was traded in the last 24 hours in a currency, in units of the base currency. Of the longer times that
 * `extended` asks for the market remembers no more than it has charts of.
 */
function tradeVolumes(market: Market, currency: string, isExtended: boolean): Figures {
  const { venue } = market;
  venue.catchUp([]);
  const over = (days: number, kind: "future" | "option" | "spot", side = ""): number => {
    const chosen = instrumentsOf(INSTRUMENTS, { currency, kind }).filter(({ name }) => name.endsWith(side));
    const volumes = chosen.map((each) => {
      if (days === 1) return volumesOf(market, each, market.day(each)).volume;
      const candles = market.candles(each, DAY_MS, venue.marketMs - days * DAY_MS, venue.nowMs);
      return candles.reduce((sum, candle) => sum + volumesOf(market, each, candle).volume, 0);
    });
    return roundDecimals(
      volumes.reduce((sum, volume) => sum + volume, 0),
      8,
    );
  };
  const members = (days: number, suffix: string): Figures => ({
    [`calls_volume${suffix}`]: over(days, "option", "-C"),
    [`puts_volume${suffix}`]: over(days, "option", "-P"),
    [`futures_volume${suffix}`]: over(days, "future"),
    [`spot_volume${suffix}`]: over(days, "spot"),
  });
  return {
    currency,
    ...members(1, ""),
    ...(isExtended ? { ...members(7, "_7d"), ...members(30, "_30d") } : {}),
  };
}

const PERPETUAL_EXPIRY_MS = 32_503_708_800_000;

function describeInstrument(market: Market, instrument: SimulatedInstrument): Figures {
  const { name, kind, isDecimal, tickSize, lot, contractSize } = instrument;
  const [base = "", quote = "USD"] = (name.split("-")[0] ?? "").split("_");
  const optionSide = kind === "option" ? (name.endsWith("-C") ? "call" : "put") : undefined;
  const isPerpetual = name.endsWith("-PERPETUAL");
  const isOver = isExpired(market, instrument);
  return {
    instrument_name: instrument.name,
    instrument_id: instrumentId(instrument),
    instrument_type: isDecimal ? "linear" : "reversed",
    kind,
    ...currenciesOf(instrument, base, quote),
    ...(kind === "spot" ? {} : { settlement_period: isPerpetual ? "perpetual" : "month" }),
    ...(optionSide === undefined
      ? {}
      : { option_type: optionSide, strike: Number((name.split("-")[2] ?? "0").replace("d", ".")) }),
    price_index: `${base}_${quote}`.toLowerCase(),
    tick_size: tickSize,
    tick_size_steps: [],
    min_trade_amount: lot,
    contract_size: contractSize,
    block_trade_min_trade_amount: lot * 1000,
    block_trade_tick_size: tickSize,
    block_trade_commission: 0.00025,
    maker_commission: MAKER_COMMISSION,
    taker_commission: TAKER_COMMISSION,
    is_active: !isOver,
    state: isOver ? "delivered" : "open",
    creation_timestamp: market.startMs - CREATED_MS_BEFORE,
    ...(kind === "spot" ? {} : { expiration_timestamp: expiryOf(name) ?? PERPETUAL_EXPIRY_MS }),
  };
}

/**
 * Returns the currencies of an instrument. An inverse option is priced in its settlement currency, as in the
 * documentation's example.
 */
function currenciesOf(
  { kind, isDecimal }: SimulatedInstrument,
  base: string,
  quote: string,
): { readonly [name: string]: string } {
  return {
    base_currency: base,
    quote_currency: kind.startsWith("option") && !isDecimal ? base : quote,
    counter_currency: quote,
    ...(kind === "spot" ? {} : { settlement_currency: isDecimal ? quote : base }),
  };
}
