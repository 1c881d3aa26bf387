import { currenciesText, isCurrency } from "../market/currencies.ts";
import { expiryOf } from "../market/expiries.ts";
import { invalidParam } from "../text/errors.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { MAKER_COMMISSION, TAKER_COMMISSION, type SimulatedInstrument } from "../market/instruments.ts";
import { writeJson } from "../text/json.ts";

/** Makes the methods for instruments, their currencies, and the indexes that prices come from. */
export function instrumentMethods({
  clock,
  world,
}: HandlerPorts): Pick<
  MethodHandlers,
  | "public/get_instruments"
  | "public/get_currencies"
  | "public/get_index_price_names"
  | "public/get_supported_index_names"
> {
  return {
    "public/get_instruments": ({ params }) => {
      const { currency = "any", kind: wanted } = params;
      if (currency !== "any" && !isCurrency(currency)) throw invalidParam("currency", "invalid currency");
      const chosen = [...world.instruments.values()].filter(
        ({ kind, currencies }) =>
          (wanted === undefined || kind === wanted) && (currency === "any" || currencies.includes(currency)),
      );
      return params.expired === true
        ? "[]"
        : `[${chosen.map((instrument) => instrumentText(instrument, clock.now())).join(",")}]`;
    },
    "public/get_currencies": currenciesText,
    "public/get_index_price_names": ({ params }) => {
      if (params.extended !== true) return writeJson(INDEX_NAMES);
      return writeJson(
        INDEX_NAMES.map((name) => ({
          name,
          future_combo_enabled: name.endsWith("_usd"),
          option_combo_enabled: name.endsWith("_usd"),
        })),
      );
    },
    "public/get_supported_index_names": () => writeJson(INDEX_NAMES),
  };
}

const INDEX_NAMES = [
  "btc_usd",
  "eth_usd",
  "btc_usdc",
  "eth_usdc",
  "sol_usdc",
  "xrp_usdc",
  "btc_usdt",
  "btc_eurr",
  "eth_btc",
];

const PERPETUAL_EXPIRY_MS = 32_503_708_800_000;

function instrumentText(instrument: SimulatedInstrument, nowMs: number): string {
  const { name, kind, isDecimal, tickSize, lot, contractSize } = instrument;
  const [base = "", quote = "USD"] = (name.split("-")[0] ?? "").split("_");
  const optionSide = kind === "option" ? (name.endsWith("-C") ? "call" : "put") : undefined;
  const isPerpetual = name.endsWith("-PERPETUAL");
  return writeJson({
    instrument_name: name,
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
    is_active: true,
    state: "open",
    creation_timestamp: nowMs - 90 * 86_400_000,
    ...(kind === "spot" ? {} : { expiration_timestamp: expiryOf(name) ?? PERPETUAL_EXPIRY_MS }),
  });
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
