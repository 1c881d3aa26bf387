import type { ParamsOf } from "../../catalogue/index.ts";
import { CallError } from "../../base/failure.ts";
import type { Side, TradedInstrument } from "../../exchange/instrument.ts";
import type { OrderDraft, OrderEdit, QuoteTag } from "../../exchange/orders/order.ts";
import { refuseUnprotected } from "../accounts/protectedOrders.ts";
import { blockTradeLegText } from "../market/blockTrades.ts";
import type { Placement } from "../market/accountOrders.ts";
import { indexOf, isOfKind, type SimulatedInstrument } from "../market/instruments.ts";
import type { WorldOrder } from "../market/orders.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { refusalError } from "../text/refusals.ts";
import { createCancelling, pairOf, type CancelSelection, type QuoteFreeze } from "./cancelMethods.ts";
import { handlersOf, type HandlerPorts } from "./handlers.ts";
import { instrumentOf } from "./marketMethods.ts";
import { kindNamed } from "./orderMethods.ts";
import { orderDraft, orderEdit } from "./orderTerms.ts";

/*
 * Quotes: limit orders of which an MMP group has one for each instrument and side; a new one takes its place.
 * https://docs.deribit.com/articles/mass-quotes-specifications
 */

type CancelParams = ParamsOf<"private/cancel_quotes">;

type QuoteParams = ParamsOf<"private/mass_quote">["quotes"][number];
type QuoteSide = "bid" | "ask";

/** What the quotes of a request have in common. */
interface Common {
  readonly tag: QuoteTag;
  readonly validUntilMs: number | undefined;
  /** The number of the connection that it comes over. */
  readonly connection: number;
}

/** One side of a quote, as it is asked for. */
interface Asked extends Common {
  readonly name: string;
  readonly side: QuoteSide;
  readonly terms: NonNullable<QuoteParams[QuoteSide]>;
}

/** What a quote of one side came to: an order that was placed, edited, or cancelled, or an error as text. */
type QuoteResult = Placement | { readonly error: string };

/** A quote of one side as the books take it: a new order, or an edit of the one that rests. */
type QuoteOrder = { readonly draft: OrderDraft } | { readonly id: string; readonly edit: OrderEdit };

const SIDES: Readonly<Record<QuoteSide, Side>> = { bid: "buy", ask: "sell" };

/** The error of an account or an instrument that has no mass quotes. */
const MASS_QUOTES_DISABLED = 13_902;

/** Makes the methods of mass quotes. */
export const quoteMethods = handlersOf((ports, freeze: QuoteFreeze) => {
  const { world } = ports;
  const cancel = createCancelling(ports);
  return {
    "private/mass_quote": ({ params, connection }) => {
      const { quotes, detailed, quote_id: id, mmp_group: mmpGroup, valid_until } = params;
      if (!ports.disconnects.isOn(connection, ports.id)) throw refusal(COD_NOT_ENABLED);
      if (freeze.isFrozen) throw refusal(QUOTES_FROZEN);
      refuseRequest(ports, mmpGroup, quotes);
      const results = quotes.flatMap((quote) =>
        quoteBoth(ports, quote, {
          tag: { mmpGroup, setId: quote.quote_set_id, id },
          validUntilMs: valid_until,
          connection: connection.number,
        }),
      );
      const errors = results.flatMap((result) => ("error" in result ? [result.error] : []));
      if (detailed !== true) return writeJson({ errors_count: errors.length, pending_requests_count: 0 });
      const placed = results.flatMap((result) => ("error" in result ? [] : [result]));
      const orders = placed.map(({ order }) => world.text(order));
      const trades = placed.flatMap((each) => each.trades.map((trade) => blockTradeLegText(trade, world.instruments)));
      return `{"orders":[${orders.join(",")}],"trades":[${trades.join(",")}],"errors":[${errors.join(",")}]}`;
    },
    "private/cancel_quotes": ({ params }) => {
      const selection = selectionOf(ports, params);
      const text = cancel(selection, params.detailed);
      freeze.follow(params.freeze_quotes);
      return text;
    },
  };
});

/** The error after a call that froze quotes. */
const QUOTES_FROZEN = 13_043;

/** The error of mass quotes over a connection without cancel-on-disconnect. https://docs.deribit.com/articles/errors */
const COD_NOT_ENABLED = 13_042;

/** How many quotes a request may have: each with a bid and an ask. */
const MOST_QUOTES = 100;

/** Refuses a request as a whole: its group has limits, and its quotes are of the index of the group. */
function refuseRequest({ mmp }: HandlerPorts, group: string, quotes: readonly QuoteParams[]): void {
  const config = mmp.configs({}).find(({ mmp_group: name }) => name === group);
  if (config === undefined) throw invalidParam("mmp_group", "the group has no limits");
  if (quotes.length > MOST_QUOTES) throw invalidParam("quotes", `at most ${MOST_QUOTES} quotes`);
  const isOther = ({ instrument_name: name = "" }: QuoteParams): boolean => indexOf(name) !== config.index_name;
  if (quotes.some(isOther)) throw invalidParam("quotes", `all quotes must be of ${config.index_name}`);
}

/**
 * Places both sides of a quote. Where one of them is refused, so is the other, and the quotes that rest stay.
 * https://support.deribit.com/hc/en-us/articles/31600682719645 (release of 25 November 2025)
 */
function quoteBoth(ports: HandlerPorts, quote: QuoteParams, common: Common): QuoteResult[] {
  const { instrument_name: name = "", bid, ask } = quote;
  const resting = restingQuote(ports, name, "sell", common.tag);
  // The side that makes room moves first, so that the two never cross.
  const isUp = ask?.price !== undefined && typeof resting?.price === "number" && ask.price > resting.price;
  const sides = isUp ? (["ask", "bid"] as const) : (["bid", "ask"] as const);
  const asked = sides.flatMap((side): Asked[] => {
    const terms = side === "bid" ? bid : ask;
    return terms === undefined ? [] : [{ name, side, terms, ...common }];
  });
  const refused = asked.map((each, index) => refusalOf(() => check(ports, each, { isSecond: index > 0 })));
  const isRefused = refused.some((refusal) => refusal !== undefined);
  if (!isRefused && !isCrossed(ports, asked)) return asked.flatMap((each) => carryOut(ports, each));
  const other = isRefused ? OTHER_SIDE : ({ word: "order_overlap" } as const);
  return asked.map((each, index) => errorOf(each, refused[index] ?? refusalError(other, undefined)));
}

/** The error of a side of which the other one was refused. The exchange's own words are not documented. */
const OTHER_SIDE = { word: "other_reject", detail: "other_side_rejected" } as const;

/** Returns the refusal that a piece of work throws; undefined where it is done. */
function refusalOf(work: () => unknown): CallError | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof CallError) || thrown.failure.kind !== "exchange") throw thrown;
    return thrown;
  }
}

function errorOf({ name, side }: Asked, refused: CallError): { readonly error: string } {
  const { failure } = refused;
  if (failure.kind !== "exchange") throw refused;
  const { code, message } = failure;
  return { error: writeJson({ instrument_name: name, side, error: { message, code } }) };
}

/** Places or cancels one side of a quote. It is checked again: the other side may have traded meanwhile. */
function carryOut(ports: HandlerPorts, asked: Asked): QuoteResult[] {
  const { world } = ports;
  const done: Placement[] = [];
  const refused = refusalOf(() => {
    const { resting, order } = check(ports, asked, { isSecond: false });
    if (order !== undefined) done.push("draft" in order ? world.place(order.draft) : world.edit(order.id, order.edit));
    else if (resting !== undefined) done.push({ order: world.cancel(resting.order_id), trades: [] });
  });
  return refused === undefined ? done : [errorOf(asked, refused)];
}

/**
 * Refuses a side of a quote that can't be placed; returns the quote in whose place it comes, and the order as which it
 * comes, undefined where an amount of 0 cancels it. The second side is checked before the first one moves: whether it
 * meets that one's quote of now is left open.
 */
function check(
  ports: HandlerPorts,
  asked: Asked,
  { isSecond }: { readonly isSecond: boolean },
): { readonly resting: WorldOrder | undefined; readonly order: QuoteOrder | undefined } {
  const { name, side, terms, tag } = asked;
  const instrument = quotableInstrument(ports, name);
  const direction = SIDES[side];
  const resting = restingQuote(ports, name, direction, tag);
  if (terms.amount === 0) return { resting, order: undefined };
  const amount = terms.amount ?? (resting && resting.amount - (resting.filled_amount ?? 0));
  const price = terms.price ?? (resting && Number(resting.price));
  if (amount === undefined) throw refusalError({ word: "order_not_found" }, undefined);
  if (price === undefined) throw invalidParam("price", "value required");
  refuseUnprotected(ports, {
    ...{ instrument, direction, group: tag.mmpGroup, amount, price },
    replaces: resting?.order_id,
  });
  const order = quoteOrder(ports, instrument, asked, resting);
  if (!isSecond || !meetsOther(ports, asked, price)) ports.world.check(order);
  return { resting, order };
}

function quoteOrder(
  { world }: HandlerPorts,
  instrument: TradedInstrument,
  { side, terms, tag, validUntilMs, connection }: Asked,
  resting: WorldOrder | undefined,
): QuoteOrder {
  const params = { ...terms, ...(validUntilMs === undefined ? {} : { valid_until: validUntilMs }) };
  if (resting === undefined) {
    const quoted = { instrument_name: instrument.name, ...params, mmp: true };
    return {
      draft: { ...orderDraft(instrument, SIDES[side], quoted, { account: world.account, connection }), quote: tag },
    };
  }
  // A quote's amount is what it offers now; an edit's amount counts what was filled.
  const total = terms.amount === undefined ? {} : { amount: terms.amount + (resting.filled_amount ?? 0) };
  return { id: resting.order_id, edit: { ...orderEdit(instrument, { ...params, ...total }), quote: tag } };
}

/** Whether a price meets the quote that the group has on the other side now. */
function meetsOther(ports: HandlerPorts, { name, side, tag }: Asked, price: number): boolean {
  const other = Number(restingQuote(ports, name, side === "bid" ? "sell" : "buy", tag)?.price);
  return side === "bid" ? price >= other : price <= other;
}

/** Whether the two sides of a quote would trade with each other. */
function isCrossed(ports: HandlerPorts, asked: readonly Asked[]): boolean {
  const priceOf = (side: QuoteSide): number => {
    const each = asked.find((one) => one.side === side && one.terms.amount !== 0);
    return Number(each?.terms.price ?? (each && restingQuote(ports, each.name, SIDES[side], each.tag)?.price));
  };
  return priceOf("bid") >= priceOf("ask");
}

/** Returns the quote that an MMP group has on one side of a book. */
function restingQuote(
  { world }: HandlerPorts,
  name: string,
  direction: Side,
  { mmpGroup }: QuoteTag,
): WorldOrder | undefined {
  for (const order of world.openOrders())
    if (
      order.instrument_name === name &&
      order.direction === direction &&
      order.quote === true &&
      order.mmp_group === mmpGroup
    )
      return order;
  return undefined;
}

/** Returns an instrument that has mass quotes: with the segregated standard margin neither options nor spot have. */
function quotableInstrument({ world, venue }: HandlerPorts, name: string): TradedInstrument {
  instrumentOf(world.instruments, name);
  const instrument = venue.instrument(name);
  if (instrument?.kind !== "future") throw refusal(MASS_QUOTES_DISABLED);
  return instrument;
}
/** Returns the quotes that a call cancels. Refuses one without what its cancel_type needs. */
function selectionOf(ports: HandlerPorts, params: CancelParams): CancelSelection {
  const isMeant = quoteFilter(ports, params);
  return { isMeant: (order, instrument) => order.quote === true && isMeant(order, instrument) };
}

function quoteFilter(
  { venue }: HandlerPorts,
  params: CancelParams,
): (order: WorldOrder, instrument: SimulatedInstrument) => boolean {
  switch (params.cancel_type) {
    case "all":
      return () => true;
    case "quote_set_id": {
      const wanted = required("quote_set_id", params.quote_set_id);
      return (order) => order.quote_set_id === wanted;
    }
    case "instrument": {
      const wanted = required("instrument_name", params.instrument_name);
      return (order) => order.instrument_name === wanted;
    }
    case "instrument_kind": {
      const { kind, currency } = params;
      const wanted = kindNamed(required("kind", kind));
      return (_, instrument) =>
        isOfKind(instrument, wanted) && (currency === undefined || instrument.currencies.includes(currency));
    }
    case "currency": {
      const wanted = required("currency", params.currency);
      return (_, { currencies }) => currencies.includes(wanted);
    }
    case "currency_pair": {
      const wanted = required("currency_pair", params.currency_pair).toLowerCase();
      return (order) => pairOf(order.instrument_name) === wanted;
    }
    case "delta": {
      const [least, most] = [required("min_delta", params.min_delta), required("max_delta", params.max_delta)];
      return (order) => {
        const instrument = venue.instrument(order.instrument_name);
        const delta = instrument && venue.market.marks.option(instrument, venue.marketMs)?.greeks.delta;
        return delta !== undefined && Math.abs(delta) >= least && Math.abs(delta) <= most;
      };
    }
    default:
      throw invalidParam("cancel_type", "invalid cancel_type");
  }
}

function required<T>(param: string, value: T | undefined): T {
  if (value === undefined) throw invalidParam(param, "value required");
  return value;
}
