import type { TradedInstrument } from "../../exchange/instrument.ts";
import { fixedOf, numberOf } from "../../exchange/ledger/money.ts";
import type { Settlement } from "../../exchange/ledger/state.ts";
import { payoutOf } from "../../exchange/ledger/valuation.ts";
import { DAY_MS, settlementsBetween } from "../../exchange/market/calendar.ts";
import { roundDecimals } from "../../exchange/market/indexPath.ts";
import { isPerpetual, othersInterest, type Figures } from "../market/figures.ts";
import type { Market } from "../market/market.ts";
import type { ParamsOf } from "../../catalogue/index.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";
import { writeJson } from "../text/json.ts";
import { handlersOf } from "./handlers.ts";
import { instrumentOf, instrumentsOf } from "./marketMethods.ts";

type Params = Omit<ParamsOf<"public/get_last_settlements_by_instrument">, "instrument_name">;

const DEFAULT_COUNT = 20;

/** Makes the methods for public settlements. */
export const settlementMethods = handlersOf(({ world }) => {
  const { instruments, market } = world;
  const respond = (chosen: readonly SimulatedInstrument[], params: Params): string => {
    const all = publicSettlements(market, chosen).filter(
      ({ type, atMs }) => (params.type ?? type) === type && atMs <= (params.search_start_timestamp ?? Infinity),
    );
    const rest = after(all, params.continuation);
    const items = rest.slice(0, params.count ?? DEFAULT_COUNT);
    const last = items.at(-1);
    return writeJson({
      settlements: items.map((each) => settlementFigures(market, each)),
      continuation: last === undefined || items.length === rest.length ? "none" : tokenOf(last),
    });
  };
  return {
    "public/get_last_settlements_by_currency": ({ params }) =>
      respond(instrumentsOf(instruments, { currency: params.currency }), params),
    "public/get_last_settlements_by_instrument": ({ params }) =>
      respond([instrumentOf(instruments, params.instrument_name)], params),
  };
});

/*
 * The settlements that everybody sees: of all who hold an instrument together. What others hold stays, and prices are a
 * function of the time, so that those before the beginning can be told as well. Nothing of it is about one account.
 */

/** How far back settlements are told, as far as the charts go. */
const TOLD_MS = 7 * DAY_MS;

/** A settlement of a future, or the delivery of an instrument. */
interface PublicSettlement {
  readonly instrument: SimulatedInstrument;
  readonly type: Settlement["type"];
  readonly atMs: number;
}

/** Returns the settlements and deliveries of instruments by now, newest first. */
function publicSettlements({ venue, terms }: Market, instruments: readonly SimulatedInstrument[]): PublicSettlement[] {
  venue.catchUp([]);
  const untilMs = venue.marketMs;
  const times = settlementsBetween(untilMs - TOLD_MS, untilMs).reverse();
  return times.flatMap((atMs) =>
    instruments.flatMap((instrument): PublicSettlement[] => {
      const { kind, expiresAtMs = Infinity } = terms(instrument);
      if (kind !== "future" && kind !== "option") return [];
      if (expiresAtMs === atMs) return [{ instrument, type: "delivery", atMs }];
      return kind === "future" && expiresAtMs > atMs ? [{ instrument, type: "settlement", atMs }] : [];
    }),
  );
}

/** Returns the token that continues after a settlement: a later one does not move it. */
function tokenOf({ atMs, instrument }: PublicSettlement): string {
  return `${atMs}/${instrument.name}`;
}

/** Returns what comes after a token; after one that is told no more, what is older. */
function after(all: readonly PublicSettlement[], token: string | undefined): readonly PublicSettlement[] {
  if (token === undefined || token === "none") return all;
  const at = all.findIndex((each) => tokenOf(each) === token);
  return at < 0 ? all.filter(({ atMs }) => atMs < Number(token.split("/")[0])) : all.slice(at + 1);
}

/**
 * Returns a settlement with the exchange's names: what all who were long held, and what all who gained received.
 * https://docs.deribit.com/api-reference/market-data/public-get_last_settlements_by_currency
 */
function settlementFigures(market: Market, { instrument, type, atMs }: PublicSettlement): Figures {
  const { indexes } = market.venue.market;
  const terms = market.terms(instrument);
  const isEnd = type === "delivery";
  const index = isEnd ? indexes.deliveryPrice(terms.indexName, atMs) : indexes.price(terms.indexName, atMs);
  const mark = isEnd ? worthAt(terms, index) : market.markPrice(instrument, atMs);
  const others = othersInterest(market, instrument);
  const session = Math.abs(profitOf(terms, others, market.markPrice(instrument, atMs - DAY_MS), mark));
  const own = market.venue.ledger
    .settlements()
    .filter((each) => each.instrument === instrument.name && each.atMs === atMs && each.type === type);
  const gained = (of: (each: Settlement) => bigint): number =>
    numberOf(own.reduce((sum, each) => (of(each) > 0n ? sum + of(each) : sum), 0n));
  return {
    type,
    timestamp: atMs,
    instrument_name: instrument.name,
    index_price: index,
    mark_price: mark,
    position: roundDecimals(others + gained(({ position }) => position), 8),
    session_profit_loss: roundDecimals(session + gained(({ sessionProfitLoss }) => sessionProfitLoss), 8),
    profit_loss: roundDecimals(session + gained(({ profitLoss }) => profitLoss), 8),
    funding: roundDecimals(fundingOf(market, terms, others, atMs) + gained(({ funding }) => funding), 8),
  };
}

/** Returns what an instrument is worth at its end: a future its delivery price, an option what it pays. */
function worthAt(terms: TradedInstrument, deliveryPrice: number): number {
  if (terms.option === undefined) return deliveryPrice;
  return numberOf(payoutOf(terms, fixedOf(terms.option.strike), fixedOf(deliveryPrice)));
}

function profitOf({ isInverse }: TradedInstrument, amount: number, before: number, after: number): number {
  return isInverse ? amount * (1 / before - 1 / after) : amount * (after - before);
}

/** Returns the funding of a day that those received who did not pay it. */
function fundingOf({ venue }: Market, terms: TradedInstrument, amount: number, atMs: number): number {
  if (!isPerpetual(terms)) return 0;
  const index = venue.market.indexes.price(terms.indexName, atMs);
  const worth = terms.isInverse ? amount / index : amount * index;
  return Math.abs(worth * venue.market.funding.between(terms, atMs - DAY_MS, atMs));
}
