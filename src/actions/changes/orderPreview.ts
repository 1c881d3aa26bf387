import { compareNumbers, productOf, quotientOf, sumOf } from "../../base/decimal.ts";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { AnyReadMethod } from "../../catalogue/index.ts";
import { isInverse, type Instrument } from "../../state/instruments.ts";
import { decimalText, figureText } from "../intent/decimal.ts";
import { tickSizeAt } from "./orderSteps.ts";
import type { Members } from "../intent/fields.ts";
import type { BestPrices, PriceBand, TypedOrder } from "./placeOrder.ts";
import type { OrderSide } from "./placingNames.ts";

/*
 * What the server says about an order before it is placed. Each figure names the method that it comes from. Nothing is
 * estimated: where the server has no figure, there is none.
 */

/** Reads a result of the server; undefined where the server does not have the method, or refuses it. Never throws. */
export type ReadFigures = (method: AnyReadMethod, params: Members) => Promise<unknown>;

const MARGINS_METHOD = "private/get_margins";
const PORTFOLIO_METHOD = "private/simulate_portfolio";
const TICKER_METHOD = "public/ticker";
const BOOK_METHOD = "public/get_order_book";

/** What the server says about an order. */
interface OrderPreview {
  /** The lines of the confirmation. */
  readonly lines: readonly Plain[];
  /** Whether the price is beyond the band on the side where the exchange changes or refuses it. */
  readonly isOutOfBand: boolean;
}

/** Reads what an order needs and changes. */
export async function readOrderPreview(
  draft: TypedOrder,
  instrument: Instrument | undefined,
  read: ReadFigures,
): Promise<OrderPreview> {
  const [margins, portfolio] = await Promise.all([readMargins(draft, read), readPortfolio(draft, instrument, read)]);
  const currency = plain.text(instrument?.currencies.settlement ?? "");
  const band = bandOf(margins);
  const beyond = beyondBandText(band, draft.side, draft.line.price);
  const isOutOfBand = beyond !== undefined;
  return {
    isOutOfBand,
    lines: [
      ...marginLines(draft, margins, currency),
      ...(band === undefined
        ? []
        : [l10n.t("Price band: {0} to {1} ({2})", figureText(band.min), figureText(band.max), MARGINS_METHOD)]),
      ...(isOutOfBand ? [beyond] : []),
      ...portfolioLines(portfolio, currency),
    ],
  };
}

async function readMargins({ instrument, line }: TypedOrder, read: ReadFigures): Promise<unknown> {
  if (line.price === undefined) return undefined;
  return await read(MARGINS_METHOD, {
    instrument_name: instrument,
    amount: Number(line.amount),
    price: Number(line.price),
  });
}

/**
 * Reads the account with the whole amount of the order added to its positions. Spot has no positions. The method counts
 * futures in USD and options in coins: https://docs.deribit.com/api-reference/account-management/private-simulate_portfolio
 */
async function readPortfolio(
  { instrument: name, side, line, options }: TypedOrder,
  instrument: Instrument | undefined,
  read: ReadFigures,
): Promise<unknown> {
  const { kind = "spot", currencies } = instrument ?? {};
  if (kind === "spot" || kind.endsWith("combo") || currencies?.settlement === undefined) return undefined;
  if (options.trigger !== undefined) return undefined;
  const isLinear = instrument !== undefined && kind === "future" && !isInverse(instrument);
  const size = isLinear ? await readValue(line.amount, instrument, read) : Number(line.amount);
  if (size === undefined) return undefined;
  return await read(PORTFOLIO_METHOD, {
    currency: currencies.settlement,
    add_positions: true,
    simulated_positions: { [name]: side === "buy" ? size : -size },
  });
}

/**
 * Reads the value in USD of an amount of a linear future, at the mark price like the size of its position. A stablecoin
 * whose name begins with USD counts as USD; for any other currency there is no value.
 */
async function readValue(
  amount: string,
  { name, currencies: { quote } }: Instrument,
  read: ReadFigures,
): Promise<number | undefined> {
  if (quote?.startsWith("USD") !== true) return undefined;
  const mark = figure(await read(TICKER_METHOD, { instrument_name: name }), "mark_price");
  const value = mark === undefined ? undefined : productOf(amount, decimalText(mark));
  return value === undefined ? undefined : Number(value);
}

function marginLines({ side, line }: TypedOrder, margins: unknown, currency: Plain): readonly Plain[] {
  if (line.price === undefined)
    return [l10n.t("Order margin and fees: the exchange tells them only for orders with a price.")];
  const margin = figure(margins, side);
  if (margin === undefined) return [l10n.t("Order margin, fees, and price band: not available from this server.")];
  const taker = figure(margins, `${side}_taker_fee`);
  const maker = figure(margins, `${side}_maker_fee`);
  return [
    l10n.t("Order margin: {0} {1} ({2})", figureText(margin), currency, MARGINS_METHOD),
    ...(taker === undefined || maker === undefined
      ? []
      : [
          l10n.t(
            "Fee: {0} {2} as taker, {1} {2} as maker ({3})",
            figureText(taker),
            figureText(maker),
            currency,
            MARGINS_METHOD,
          ),
        ]),
  ];
}

/** The margin of an account after an order, in its settlement currency. */
export interface MarginAfter {
  readonly initial: number;
  readonly maintenance: number;
  readonly available: number;
  /** Whether each of them is that of all currencies, converted into this one: that is so with cross margin. */
  readonly isShared: boolean;
}

/** Reads the margin of the account after a whole order; undefined where the exchange doesn't tell. */
export async function readMarginAfter(
  draft: TypedOrder,
  instrument: Instrument,
  read: ReadFigures,
): Promise<MarginAfter | undefined> {
  return marginAfter(await readPortfolio(draft, instrument, read));
}

function marginAfter(portfolio: unknown): MarginAfter | undefined {
  const initial = figure(portfolio, "initial_margin");
  const maintenance = figure(portfolio, "maintenance_margin");
  const available = figure(portfolio, "available_funds");
  if (initial === undefined || maintenance === undefined || available === undefined) return undefined;
  const isShared = isObject(portfolio) && portfolio["cross_collateral_enabled"] === true;
  return { initial, maintenance, available, isShared };
}

function portfolioLines(portfolio: unknown, currency: Plain): readonly Plain[] {
  const margin = marginAfter(portfolio);
  if (margin === undefined) return [l10n.t("Account margin if filled completely: not available from this server.")];
  const figures = [margin.initial, margin.maintenance, margin.available].map((value) => figureText(value));
  if (margin.isShared)
    return [
      l10n.t(
        "If filled completely, for all currencies together: initial margin {0}, maintenance margin {1}, available funds {2} {3} ({4})",
        ...figures,
        currency,
        PORTFOLIO_METHOD,
      ),
    ];
  return [
    l10n.t(
      "If filled completely: initial margin {0}, maintenance margin {1}, available funds {2} {3} ({4})",
      ...figures,
      currency,
      PORTFOLIO_METHOD,
    ),
  ];
}

function bandOf(figures: unknown): PriceBand | undefined {
  const [min, max] = [figure(figures, "min_price"), figure(figures, "max_price")];
  return min === undefined || max === undefined ? undefined : { min, max };
}

/**
 * Returns what the exchange does with a price that is beyond the band; undefined where it takes the price as it is.
 * Orders that rest far away are taken: only a purchase above the maximum and a sale below the minimum are not.
 * https://docs.deribit.com/api-reference/market-data/public-ticker
 */
export function beyondBandText(
  band: PriceBand | undefined,
  side: OrderSide,
  price: string | undefined,
): Plain | undefined {
  if (price === undefined || band === undefined) return undefined;
  const { min, max } = band;
  if (side === "buy")
    return compareNumbers(price, decimalText(max)) > 0
      ? l10n.t(
          "The price is above the maximum for buy orders. The exchange lowers it to {0}, or refuses the order (10007).",
          figureText(max),
        )
      : undefined;
  return compareNumbers(price, decimalText(min)) < 0
    ? l10n.t(
        "The price is below the minimum for sell orders. The exchange raises it to {0}, or refuses the order (10005 or 10006).",
        figureText(min),
      )
    : undefined;
}

function figure(result: unknown, name: string): number | undefined {
  const value = isObject(result) ? result[name] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Reads the best prices and the mark of an instrument; undefined where the server does not tell them. */
export async function readBestPrices(
  instrument: string,
  read: ReadFigures,
  nowMs: () => number,
): Promise<BestPrices | undefined> {
  const ticker = await read(TICKER_METHOD, { instrument_name: instrument });
  if (!isObject(ticker)) return undefined;
  // The best price of an empty side is null, or 0 with an amount of 0.
  const best = (side: "bid" | "ask"): number | undefined =>
    figure(ticker, `best_${side}_amount`) === 0 ? undefined : figure(ticker, `best_${side}_price`);
  const band = bandOf(ticker);
  return {
    bid: best("bid"),
    ask: best("ask"),
    mark: figure(ticker, "mark_price"),
    ...(band === undefined ? {} : { band }),
    readAtMs: nowMs(),
  };
}

/** The price of a market order, by the book as it was read. All numbers are exact. */
export interface MarketCost {
  /** The average price, cut to 8 decimals. */
  readonly average: string;
  /** The price of the last part. */
  readonly worst: string;
  /** The amount that the book offers, where that is less than the order's. */
  readonly offered: string | undefined;
}

/** An order that would trade at once. */
interface TradedAtOnce {
  readonly instrument: string;
  readonly side: OrderSide;
  readonly amount: string;
  /** The worst price that it takes (default: no limit). */
  readonly limit?: string;
}

/**
 * Reads what an order would trade at now. Resolves to `empty` if the other side of the book has nothing for it, and to
 * undefined if the server does not report it.
 */
export async function readMarketCost(
  { instrument: name, side, amount, limit }: TradedAtOnce,
  isInverse: boolean,
  read: ReadFigures,
): Promise<MarketCost | "empty" | undefined> {
  const book = await read(BOOK_METHOD, { instrument_name: name, depth: BOOK_DEPTH });
  const all = levelsOf(isObject(book) ? book[side === "buy" ? "asks" : "bids"] : undefined);
  if (all === undefined) return undefined;
  const beyond = side === "buy" ? 1 : -1;
  const levels = limit === undefined ? all : all.filter(([price]) => compareNumbers(price, limit) !== beyond);
  return levels.length === 0 ? "empty" : costOf(levels, amount, isInverse);
}

/**
 * Returns what the book says about a market order of an amount, in lines of its confirmation. The average is cut to the
 * decimals of the tick size, where that is known.
 */
export function marketCostLines(
  cost: MarketCost | "empty" | undefined,
  amount: string,
  instrument: Pick<Instrument, "steps"> | undefined,
): readonly Plain[] {
  if (cost === undefined) return [l10n.t("The prices of a market order are not available from this server.")];
  if (cost === "empty") return [l10n.t("The other side of the book is empty, so a market order would not trade.")];
  const { average, worst, offered } = cost;
  const tick = instrument === undefined ? "" : decimalText(tickSizeAt(worst, instrument.steps));
  const shown = /^[\d.]+$/.test(tick) ? quotientOf(average, "1", tick.split(".")[1]?.length ?? 0)?.text : undefined;
  return [
    l10n.t("Average price {0}, worst price {1} ({2})", figureText(shown ?? average), figureText(worst), BOOK_METHOD),
    ...(offered === undefined
      ? []
      : [l10n.t("The book offers only {0} of {1} ({2}).", figureText(offered), figureText(amount), BOOK_METHOD)]),
  ];
}

const BOOK_DEPTH = 1000;

/** A price of the book and the amount that is offered at it, as JSON writes them. */
type Level = readonly [price: string, amount: string];

function levelsOf(rows: unknown): readonly Level[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const levels = (rows as readonly unknown[]).flatMap((row): Level[] => {
    const [price, amount] = Array.isArray(row) ? (row as readonly unknown[]) : [];
    return typeof price === "number" && typeof amount === "number" ? [[decimalText(price), decimalText(amount)]] : [];
  });
  return levels.length === rows.length ? levels.filter(([, amount]) => amount !== "0") : undefined;
}

/**
 * Returns the average and the worst price of an amount. The average of an inverse future weighs by the base currency,
 * which its amount in USD is divided into. Undefined where it cannot be calculated.
 */
function costOf(levels: readonly Level[], amount: string, isInverse: boolean): MarketCost | undefined {
  let left = amount;
  let value: string | undefined = "0";
  let worst = "";
  for (const [price, offered] of levels) {
    if (compareNumbers(left, "0") <= 0) break;
    const taken = compareNumbers(offered, left) < 0 ? offered : left;
    const part: string | undefined = isInverse
      ? quotientOf(taken, price, INVERSE_PLACES)?.text
      : productOf(taken, price);
    value = value === undefined || part === undefined ? undefined : sumOf(value, part);
    left = sumOf(left, taken, -1) ?? "0";
    worst = price;
  }
  const traded = sumOf(amount, left, -1);
  if (value === undefined || traded === undefined) return undefined;
  const average = isInverse ? quotientOf(traded, value, PRICE_PLACES) : quotientOf(value, traded, PRICE_PLACES);
  if (average === undefined) return undefined;
  return { average: average.text, worst, offered: compareNumbers(left, "0") > 0 ? traded : undefined };
}

const PRICE_PLACES = 8;
const INVERSE_PLACES = 30;
