import { roundTo } from "../text/json.ts";

export type Kind = "future" | "option" | "spot" | "future_combo" | "option_combo";

/** A traded instrument. Names are spelled as the exchange spells them. */
export interface SimulatedInstrument {
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
  /** The price of the underlying at the beginning. */
  readonly indexPrice: number;
  /** The price at the beginning. */
  readonly startPrice: number;
  /** The implied volatility at the beginning; options only. */
  readonly volatility: number | undefined;
}

/** The Fridays on which quarters expire, with the years from now that option prices are made of. */
const EXPIRIES: readonly (readonly [string, number])[] = [
  ["26MAR27", 0.35],
  ["25JUN27", 0.6],
  ["24SEP27", 0.85],
  ["31DEC27", 1.1],
];

/** The prices of coins in USD at the beginning. */
export const INDEX = { BTC: 92_418.5, ETH: 2104.15, SOL: 141.22, XRP: 2.1134 } as const;

function perpetuals(): SimulatedInstrument[] {
  const linear = (base: keyof typeof INDEX, tickSize: number, lot: number): SimulatedInstrument => ({
    ...future(`${base}_USDC-PERPETUAL`, INDEX[base]),
    currencies: ["USDC"],
    idPrefix: "USDC-",
    isDecimal: true,
    tickSize,
    lot,
    contractSize: lot,
    startPrice: roundTo(INDEX[base] * 1.0003, tickSize),
  });
  return [
    future("BTC-PERPETUAL", INDEX.BTC * 1.0002),
    future("ETH-PERPETUAL", INDEX.ETH * 1.0003),
    linear("BTC", 1, 0.0001),
    linear("ETH", 0.05, 0.001),
    linear("SOL", 0.01, 0.1),
    linear("XRP", 0.0001, 1),
  ];
}

/** Returns an inverse future: its amounts are USD. */
function future(name: string, price: number): SimulatedInstrument {
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
    indexPrice: price,
    startPrice: roundTo(price, isEther ? 0.05 : 0.5),
    volatility: undefined,
  };
}

function datedFutures(): SimulatedInstrument[] {
  return (["BTC", "ETH"] as const).flatMap((base) =>
    EXPIRIES.map(([expiry, years]) => ({
      ...future(`${base}-${expiry}`, INDEX[base] * (1 + 0.06 * years)),
      indexPrice: INDEX[base],
    })),
  );
}

function spotPairs(): SimulatedInstrument[] {
  const pair = (name: string, price: number, tickSize: number, lot: number): SimulatedInstrument => ({
    name,
    kind: "spot",
    currencies: name.split("_"),
    idPrefix: `${name}-`,
    isDecimal: true,
    tickSize,
    lot,
    contractSize: lot,
    indexPrice: price,
    startPrice: roundTo(price, tickSize),
    volatility: undefined,
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

function combos(): SimulatedInstrument[] {
  const spread = (name: string, price: number): SimulatedInstrument => ({
    ...future(name, price),
    kind: "future_combo",
    indexPrice: name.startsWith("ETH") ? INDEX.ETH : INDEX.BTC,
  });
  const strategy = (name: string, price: number): SimulatedInstrument => ({
    ...option(name, price, 0.4),
    kind: "option_combo",
    volatility: undefined,
  });
  return [
    spread("BTC-FS-26MAR27_PERP", 1920),
    spread("BTC-FS-25JUN27_26MAR27", 1380),
    spread("ETH-FS-26MAR27_PERP", 43.5),
    strategy("BTC-STRG-26MAR27-72000_112000", 0.0745),
    strategy("BTC-CS-25JUN27-100000_120000", 0.0385),
    strategy("ETH-PS-26MAR27-2000_1600", 0.049),
    strategy("ETH-STRD-26MAR27-2200", 0.168),
  ];
}

function option(name: string, price: number, volatility: number): SimulatedInstrument {
  const base = name.startsWith("ETH") ? "ETH" : "BTC";
  return {
    name,
    kind: "option",
    currencies: [base],
    idPrefix: base === "ETH" ? "ETH-" : "",
    isDecimal: false,
    tickSize: 0.0005,
    lot: base === "ETH" ? 1 : 0.1,
    contractSize: 1,
    indexPrice: INDEX[base],
    startPrice: Math.max(0.0005, roundTo(price, 0.0005)),
    volatility: roundTo(volatility * 100, 0.01),
  };
}

/** Returns strikes around the index, calls and puts, for every expiry. */
function options(base: "BTC" | "ETH"): SimulatedInstrument[] {
  const step = base === "BTC" ? 6000 : 150;
  const middle = roundTo(INDEX[base], step);
  const strikes = Array.from({ length: 14 }, (_, index) => middle + (index - 6) * step);
  return EXPIRIES.flatMap(([expiry, years]) =>
    strikes.flatMap((strike) =>
      (["C", "P"] as const).map((side) => {
        const volatility = 0.46 + 0.25 * Math.abs(Math.log(strike / INDEX[base]));
        return option(
          `${base}-${expiry}-${strike}-${side}`,
          optionPrice(strike / INDEX[base], years, side, volatility),
          volatility,
        );
      }),
    ),
  );
}

/** Returns the inner value plus a bell of time value: close enough to look right. */
function optionPrice(moneyness: number, years: number, side: "C" | "P", volatility: number): number {
  const inside = Math.max(0, side === "C" ? 1 - moneyness : moneyness - 1);
  const width = volatility * Math.sqrt(years);
  return inside + 0.4 * width * Math.exp(-((Math.log(moneyness) / width) ** 2));
}

/** Returns linear options; a `d` in the strike is its decimal point. */
function linearOptions(): SimulatedInstrument[] {
  const linear = (name: string, price: number, index: number): SimulatedInstrument => ({
    ...option(name, 1, 0.83),
    currencies: ["USDC"],
    idPrefix: "USDC-",
    isDecimal: true,
    tickSize: 0.0001,
    lot: 1000,
    contractSize: 1000,
    indexPrice: index,
    startPrice: price,
  });
  return [linear("XRP_USDC-26MAR27-2d25-C", 0.3121, INDEX.XRP), linear("XRP_USDC-26MAR27-1d875-P", 0.2264, INDEX.XRP)];
}

/** Whether an instrument is of a kind; `combo` is either sort of them. */
export function isOfKind(instrument: SimulatedInstrument, kind: Kind | "combo" | "any"): boolean {
  if (kind === "any") return true;
  return kind === "combo" ? instrument.kind.endsWith("_combo") : instrument.kind === kind;
}

/** The fee of a trade whose order rested, as a part of its size; `TAKER_COMMISSION` for an order that did not. */
export const MAKER_COMMISSION = 0;
export const TAKER_COMMISSION = 0.0005;

/** Returns the index of an instrument, e.g. `eth_usd` of `ETH-PERPETUAL`, `xrp_usdc` of `XRP_USDC-26MAR27-2d25-C`. */
export function indexOf(instrumentName: string): string {
  const [pair = ""] = instrumentName.split("-");
  return (pair.includes("_") ? pair : `${pair}_usd`).toLowerCase();
}

/** Returns the currency of the fees: of a spot pair the second one. */
export function feeCurrency({ currencies, name }: SimulatedInstrument): string {
  const [first = "BTC", second] = currencies;
  return name.includes("_") && second !== undefined ? second : first;
}

/** The instruments by name, the busiest first. */
export const INSTRUMENTS: ReadonlyMap<string, SimulatedInstrument> = new Map(
  [
    ...perpetuals(),
    ...datedFutures(),
    ...spotPairs(),
    ...combos(),
    ...options("BTC"),
    ...options("ETH"),
    ...linearOptions(),
  ].map((each) => [each.name, each]),
);
