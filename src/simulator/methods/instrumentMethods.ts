import { currenciesText, refuseUnknownCurrency } from "../market/currencies.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { handlersOf, type Call } from "./handlers.ts";
import { indexOf, type SimulatedInstrument } from "../market/instruments.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { feeRates } from "../../exchange/ledger/fees.ts";
import { maxLeverage } from "../../exchange/ledger/margin.ts";
import { numberOf } from "../../exchange/ledger/money.ts";
import { cycleOf, expirationName } from "../../exchange/market/calendar.ts";
import { roundDecimals } from "../../exchange/market/indexPath.ts";
import { bookState, isExpired, volumesOf, type Figures } from "../market/figures.ts";
import { INDEX_NAMES } from "../market/indexFigures.ts";
import type { Market } from "../market/market.ts";
import { instrumentOf, instrumentsOf } from "./marketMethods.ts";
import { writeJson, roundTo } from "../text/json.ts";
import { comboLegs } from "../market/combos.ts";
import type { Venue } from "../market/venue.ts";

/**
 * Makes the methods for instruments and their currencies, and for combos: those that are listed, and what legs cost.
 * Others cannot be made.
 */
export const instrumentMethods = handlersOf(({ world, venue }) => {
  const { instruments, market } = world;
  const stateOf = (combo: SimulatedInstrument): "active" | "inactive" =>
    isExpired(market, combo) ? "inactive" : "active";
  const describe = (combo: SimulatedInstrument): Figures => ({
    id: combo.name,
    instrument_id: combo.id,
    state: stateOf(combo),
    state_timestamp: isExpired(market, combo) ? combo.expiresAtMs : combo.createdAtMs,
    creation_timestamp: combo.createdAtMs,
    legs: comboLegs(combo).map(({ instrument, amount }) => ({ instrument_name: instrument.name, amount })),
  });
  const combosOf = (currency: string): SimulatedInstrument[] => instrumentsOf(instruments, { currency, kind: "combo" });
  return {
    "public/get_combos": ({ params }) => writeJson(combosOf(params.currency).map(describe)),
    "public/get_combo_ids": ({ params }) =>
      writeJson(
        combosOf(params.currency)
          .filter((combo) => params.state === undefined || params.state === stateOf(combo))
          .map(({ name }) => name),
      ),
    "public/get_combo_details": ({ params }) => {
      const combo = combosOf("any").find(({ name }) => name === params.combo_id);
      if (combo === undefined) throw refusal(13020);
      return writeJson(describe(combo));
    },
    "private/get_leg_prices": ({ params: { legs, price } }) => {
      venue.catchUp([]);
      return writeJson(legPrices(venue, legs, price));
    },
    "public/get_instruments": ({ params }) => {
      const { currency = "any", kind, expired = false } = params;
      return writeJson(
        instrumentsOf(instruments, { currency, kind })
          .filter((each) => isExpired(market, each) === expired)
          .map((each) => describeInstrument(market, each)),
      );
    },
    "public/get_instrument": ({ params }) => {
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
        if (currency !== "any") refuseUnknownCurrency(currency);
        return writeJson(ofCurrency(currency));
      }
      const names = new Set(listed.filter(isExpiring).flatMap(({ currencies }) => currencies));
      return writeJson(Object.fromEntries([...names].map((name) => [name.toLowerCase(), ofCurrency(name)])));
    },
    "public/get_trade_volumes": () =>
      writeJson(["BTC", "ETH", "USDC"].map((currency) => tradeVolumes(market, currency))),
  };
});

function isExpiring({ kind }: SimulatedInstrument): boolean {
  return kind === "future" || kind === "option";
}

/** Returns the names of the expirations of one kind, or of both by kind. */
function expirationsOf(listed: readonly SimulatedInstrument[], kind: string): Figures | string[] {
  const ofKind = (wanted: "future" | "option"): string[] => {
    const chosen = listed.filter((each) => each.kind === wanted);
    const dates = new Set(chosen.map(({ expiresAtMs }) => expiresAtMs).filter((expiry) => expiry !== undefined));
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
 * Returns what was traded in the last 24 hours in a currency, in units of the base currency. The volumes of a week and
 * of a month, which the exchange adds on request, are not remembered.
 */
function tradeVolumes(market: Market, currency: string): Figures {
  const over = (kind: "future" | "option" | "spot", end = ""): number => {
    const chosen = market.venue.listing
      .open()
      .filter((each) => each.kind === kind && each.currencies.includes(currency) && each.name.endsWith(end));
    const volumes = chosen.map((each) => volumesOf(market, each, market.day(each)).volume);
    const sum = volumes.reduce((all, volume) => all + volume, 0);
    return roundDecimals(sum, 8);
  };
  return {
    currency,
    calls_volume: over("option", "-C"),
    puts_volume: over("option", "-P"),
    futures_volume: over("future"),
    ...(market.venue.isRouted({ kind: "spot" }) ? {} : { spot_volume: over("spot") }),
  };
}

const PERPETUAL_EXPIRY_MS = 32_503_708_800_000;

/** Returns an instrument with the exchange's names. */
export function describeInstrument(market: Market, instrument: SimulatedInstrument): Figures {
  const { name, kind, isDecimal, tickSize, lot, contractSize } = instrument;
  const [base = "", quote = "USD"] = (name.split("-")[0] ?? "").split("_");
  const optionSide = kind === "option" ? (name.endsWith("-C") ? "call" : "put") : undefined;
  return {
    instrument_name: instrument.name,
    instrument_id: instrument.id,
    instrument_type: isDecimal ? "linear" : "reversed",
    kind,
    ...currenciesOf(instrument, base, quote),
    ...(kind === "spot" ? {} : { settlement_period: settlementPeriod(instrument) }),
    ...(optionSide === undefined
      ? {}
      : { option_type: optionSide, strike: Number((name.split("-")[2] ?? "0").replace("d", ".")) }),
    price_index: `${base}_${quote}`.toLowerCase(),
    tick_size: tickSize,
    tick_size_steps: [],
    min_trade_amount: lot,
    contract_size: contractSize,
    ...(market.venue.isRouted(instrument)
      ? { is_cbe_routed: true, is_csr: true }
      : {
          block_trade_min_trade_amount: lot * 1000,
          block_trade_tick_size: tickSize,
          block_trade_commission: blockTradeCommission(kind),
        }),
    ...commissionsOf(market.terms(instrument)),
    ...futureMembers(market.terms(instrument)),
    ...groupMembers(name, base),
    is_active: !isExpired(market, instrument),
    state: bookState(market, instrument),
    creation_timestamp: instrument.createdAtMs,
    ...(kind === "spot" ? {} : { expiration_timestamp: instrument.expiresAtMs ?? PERPETUAL_EXPIRY_MS }),
  };
}

/** Returns the word for the life of an instrument. There is none for days: they count as a week. */
function settlementPeriod({ expiresAtMs }: SimulatedInstrument): string {
  if (expiresAtMs === undefined) return "perpetual";
  return ["day", "week"].includes(cycleOf(expiresAtMs)) ? "week" : "month";
}

/** The coins that are groups of products of their own; that the others are of the second tier is an assumption. */
const OWN_GROUPS: ReadonlySet<string> = new Set(["BTC", "ETH"]);

/** The number of the first index; those of others follow in the order of their names' list. */
const FIRST_INDEX_ID = 1;

/** Returns what an instrument is grouped by. */
function groupMembers(name: string, base: string): Figures {
  return {
    index_id: FIRST_INDEX_ID + INDEX_NAMES.indexOf(indexOf(name)),
    product_group: OWN_GROUPS.has(base) ? base : "TIER_2",
    underlying_type: "crypto",
  };
}

/** The part of a block trade that is its fee, by kind, from the documented examples; of spot there is none. */
const BLOCK_TRADE_COMMISSIONS = { future: 0.00025, option: 0.00015, spot: 0 } as const;

function blockTradeCommission(kind: SimulatedInstrument["kind"]): number {
  return BLOCK_TRADE_COMMISSIONS[kind === "future_combo" ? "future" : kind === "option_combo" ? "option" : kind];
}

/** Returns the fees of an instrument as parts of what is traded: those that the ledger takes. */
function commissionsOf(terms: TradedInstrument): Figures {
  const { maker, taker } = feeRates(terms);
  return {
    maker_commission: numberOf(maker),
    taker_commission: numberOf(taker),
  };
}

/**
 * Returns what only futures have; nothing of all others.
 */
function futureMembers(terms: TradedInstrument): Figures {
  if (terms.kind !== "future") return {};
  return {
    future_type: terms.isInverse ? "reversed" : "linear",
    max_leverage: maxLeverage(terms),
    max_liquidation_commission: numberOf(feeRates(terms).liquidation),
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

/**
 * Returns prices of legs that add up to the price of the structure: the mark prices, and for the first leg what is
 * left. How the exchange spreads it is not documented.
 */
function legPrices(venue: Venue, asked: Call<"private/get_leg_prices">["params"]["legs"], price: number): Figures {
  const { marks } = venue.market;
  const legs = asked.map(({ instrument_name: name = "", amount = 0, direction }) => {
    const instrument = venue.instrument(name);
    if (instrument === undefined) throw invalidParam("legs", "invalid instrument_name");
    if (!(amount > 0)) throw invalidParam("legs", "invalid amount");
    if (direction !== "buy" && direction !== "sell") throw invalidParam("legs", "invalid direction");
    return {
      name,
      amount,
      direction,
      sign: direction === "buy" ? 1 : -1,
      price: marks.mark(instrument, venue.marketMs),
    };
  });
  const [first] = legs;
  if (first === undefined) throw invalidParam("legs", "value must not be empty");
  const amount = Math.min(...legs.map((leg) => leg.amount));
  const value = legs.reduce((sum, leg) => sum + (leg.sign * leg.price * leg.amount) / amount, 0);
  const rest = ((price - value) * amount) / (first.sign * first.amount);
  return {
    amount,
    legs: legs.map((leg) => ({
      instrument_name: leg.name,
      direction: leg.direction,
      ratio: Math.round(leg.amount / amount),
      price: roundTo(leg === first ? leg.price + rest : leg.price, 1e-8),
    })),
  };
}
