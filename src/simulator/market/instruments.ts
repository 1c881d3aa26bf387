import { expirationName, expirationsIn } from "../../exchange/market/calendar.ts";

export type Kind = "future" | "option" | "spot" | "future_combo" | "option_combo";

/** An instrument. Names are spelled as the exchange spells them. */
export interface SimulatedInstrument extends InstrumentTerms {
  /** The number that the exchange gives it: instruments are counted in the order of their listing. */
  readonly id: number;
  /** When it was listed, in ms since the epoch. */
  readonly createdAtMs: number;
}

/** What is the same of an instrument whenever it is listed. */
export interface InstrumentTerms {
  readonly name: string;
  readonly kind: Kind;
  /** The currencies by which channels select it; a spot pair has two. */
  readonly currencies: readonly string[];
  /** The beginning of its orders' identifiers; empty where they are digits only. */
  readonly idPrefix: string;
  /** Whether the exchange writes its numbers with a decimal point: linear and spot. */
  readonly isDecimal: boolean;
  readonly tickSize: number;
  /** The smallest step of an amount. */
  readonly lot: number;
  readonly contractSize: number;
  /** The price of the underlying when it was listed. */
  readonly indexPrice: number;
  /** When it expires, in ms since the epoch; undefined: never. A combo ends with the first of its legs. */
  readonly expiresAtMs: number | undefined;
}

/** The prices of coins in USD at the beginning. */
export const INDEX = { BTC: 92_418.5, ETH: 2104.15, SOL: 141.22, XRP: 2.1134 } as const;

/** A coin with a price of its own. */
export type CoinName = keyof typeof INDEX;

/** Returns the perpetuals, the busiest first. */
export function perpetuals(): InstrumentTerms[] {
  const linear = (base: CoinName, tickSize: number, lot: number): InstrumentTerms => ({
    ...future(`${base}_USDC-PERPETUAL`, INDEX[base], undefined),
    currencies: ["USDC"],
    idPrefix: "USDC-",
    isDecimal: true,
    tickSize,
    lot,
    contractSize: lot,
  });
  return [
    future("BTC-PERPETUAL", INDEX.BTC, undefined),
    future("ETH-PERPETUAL", INDEX.ETH, undefined),
    linear("BTC", 1, 0.0001),
    linear("ETH", 0.05, 0.001),
    linear("SOL", 0.01, 0.1),
    linear("XRP", 0.0001, 1),
  ];
}

/** Returns an inverse future: its amounts are USD. */
function future(name: string, indexPrice: number, expiresAtMs: number | undefined): InstrumentTerms {
  const isEther = name.startsWith("ETH");
  return {
    name,
    kind: "future",
    currencies: [isEther ? "ETH" : "BTC"],
    idPrefix: isEther ? "ETH-" : "",
    isDecimal: false,
    tickSize: isEther ? 0.05 : 0.5,
    lot: isEther ? 1 : 10,
    contractSize: isEther ? 1 : 10,
    indexPrice,
    expiresAtMs,
  };
}

/** The coins that dated futures, combos, and options paid in the coin itself are listed for. */
export type InverseCoin = "BTC" | "ETH";

/** Returns the future of an expiration. */
export function datedFuture(coin: InverseCoin, expiresAtMs: number, indexPrice: number): InstrumentTerms {
  return future(`${coin}-${expirationName(expiresAtMs)}`, indexPrice, expiresAtMs);
}

/** Returns the spot pairs. */
export function spotPairs(): InstrumentTerms[] {
  const pair = (name: string, price: number, tickSize: number, lot: number): InstrumentTerms => ({
    name,
    kind: "spot",
    currencies: name.split("_"),
    idPrefix: `${name}-`,
    isDecimal: true,
    tickSize,
    lot,
    contractSize: lot,
    indexPrice: price,
    expiresAtMs: undefined,
  });
  return [
    pair("BTC_USDC", INDEX.BTC, 1, 0.0001),
    pair("ETH_USDC", INDEX.ETH, 0.1, 0.0001),
    pair("XRP_USDC", INDEX.XRP, 0.0001, 0.1),
    pair("BTC_USDT", INDEX.BTC * 0.9996, 0.01, 0.0001),
    pair("ETH_BTC", INDEX.ETH / INDEX.BTC, 0.0001, 0.0001),
    pair("BTC_EURR", INDEX.BTC * 0.86, 1, 0.0001),
  ];
}

/** Returns a combo of the futures or options of a coin. */
export function combo(coin: InverseCoin, name: string, indexPrice: number): InstrumentTerms {
  const expiresAtMs = expiryOf(name);
  return name.includes("-FS-")
    ? { ...future(name, indexPrice, expiresAtMs), kind: "future_combo" }
    : { ...option(coin, { name, indexPrice, expiresAtMs }), kind: "option_combo" };
}

/** The coins that options are listed for: those of BTC and ETH are paid in the coin itself, the others in USDC. */
export type OptionCoin = InverseCoin | "SOL" | "XRP";

/** What all options on a coin have in common. */
const OPTIONS: Readonly<Record<OptionCoin, Omit<InstrumentTerms, "name" | "kind" | "indexPrice" | "expiresAtMs">>> = {
  BTC: { currencies: ["BTC"], idPrefix: "", isDecimal: false, tickSize: 0.0005, lot: 0.1, contractSize: 1 },
  ETH: { currencies: ["ETH"], idPrefix: "ETH-", isDecimal: false, tickSize: 0.0005, lot: 1, contractSize: 1 },
  SOL: { currencies: ["USDC"], idPrefix: "USDC-", isDecimal: true, tickSize: 0.01, lot: 10, contractSize: 10 },
  XRP: { currencies: ["USDC"], idPrefix: "USDC-", isDecimal: true, tickSize: 0.0001, lot: 1000, contractSize: 1000 },
};

/** Returns an option. */
export function option(
  coin: OptionCoin,
  terms: Pick<InstrumentTerms, "name" | "indexPrice" | "expiresAtMs">,
): InstrumentTerms {
  return { kind: "option", ...OPTIONS[coin], ...terms };
}

/** Returns the beginning of the names of options, e.g. `BTC-26MAR27` or `XRP_USDC-26MAR27`. */
export function optionPrefix(coin: OptionCoin, expiresAtMs: number): string {
  return `${coin}${OPTIONS[coin].isDecimal ? "_USDC" : ""}-${expirationName(expiresAtMs)}`;
}

/** Returns a strike as names have it: a `d` is its decimal point. */
export function strikeText(strike: number): string {
  return String(strike).replace(".", "d");
}

/** Returns when an instrument of a name expires. */
export function expiryOf(name: string): number | undefined {
  const expiries = expirationsIn(name);
  return expiries.length === 0 ? undefined : Math.min(...expiries);
}

/** Whether an instrument is of a kind; `combo` is either sort of them. */
export function isOfKind(instrument: InstrumentTerms, kind: Kind | "combo" | "any"): boolean {
  if (kind === "any") return true;
  return kind === "combo" ? instrument.kind.endsWith("_combo") : instrument.kind === kind;
}

/** Returns the index of an instrument, e.g. `eth_usd` of `ETH-PERPETUAL`, `xrp_usdc` of `XRP_USDC-26MAR27-2d25-C`. */
export function indexOf(instrumentName: string): string {
  const [pair = ""] = instrumentName.split("-");
  return (pair.includes("_") ? pair : `${pair}_usd`).toLowerCase();
}
