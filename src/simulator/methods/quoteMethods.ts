import type { ParamsOf } from "../../catalogue/index.ts";
import { CallError } from "../../base/failure.ts";
import type { Side, TradedInstrument } from "../../exchange/instrument.ts";
import type { QuoteTag } from "../../exchange/orders/order.ts";
import { blockTradeLegText } from "../market/blockTrades.ts";
import type { Placement } from "../market/accountOrders.ts";
import { indexOf, isOfKind, type SimulatedInstrument } from "../market/instruments.ts";
import type { WorldOrder } from "../market/orders.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { refusalError } from "../text/refusals.ts";
import { createCancelling, pairOf, type CancelSelection, type QuoteFreeze } from "./cancelMethods.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { instrumentOf } from "./marketMethods.ts";
import { kindNamed } from "./orderHistoryMethods.ts";
import { orderDraft, orderEdit } from "./orderTerms.ts";

/*
 * Quotes: limit orders of which an MMP group has one for each instrument and side; a new one takes its place.
 * https://docs.deribit.com/articles/mass-quotes-specifications
 */

type QuoteMethod = "private/mass_quote" | "private/cancel_quotes";
type QuoteParams = ParamsOf<"private/mass_quote">["quotes"][number];
type CancelParams = ParamsOf<"private/cancel_quotes">;
type QuoteSide = "bid" | "ask";

/** One side of a quote that is placed. */
interface Quoted {
  readonly instrument: TradedInstrument;
  readonly side: QuoteSide;
  readonly terms: NonNullable<QuoteParams[QuoteSide]>;
  readonly tag: QuoteTag;
  readonly validUntilMs: number | undefined;
  /** The number of the connection that it comes over. */
  readonly connection: number;
}

/** What a quote of one side came to. */
type QuoteResult = Placement | { readonly error: string };

const SIDES: Readonly<Record<QuoteSide, Side>> = { bid: "buy", ask: "sell" };

/** Makes the methods of mass quotes. */
export function quoteMethods(ports: HandlerPorts, freeze: QuoteFreeze): Required<Pick<MethodHandlers, QuoteMethod>> {
  const { world } = ports;
  const cancel = createCancelling(ports);
  return {
    "private/mass_quote": ({ params, connection }) => {
      const { quotes, detailed, quote_id: id, mmp_group: mmpGroup, valid_until } = params;
      if (!ports.disconnects.isOn(connection, ports.id)) throw refusal(COD_NOT_ENABLED);
      if (freeze.isFrozen) throw refusal(MASS_QUOTES_DISABLED, { reason: "quotes are frozen" });
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
}

/** The error of an account or an instrument that has no mass quotes. */
const MASS_QUOTES_DISABLED = 13_902;

/** The error of mass quotes over a connection without cancel-on-disconnect. https://docs.deribit.com/articles/errors */
const COD_NOT_ENABLED = 13_042;

/** Places both sides of a quote, each by itself: one may be refused while the other one is placed. */
function quoteBoth(
  ports: HandlerPorts,
  quote: QuoteParams,
  common: Pick<Quoted, "tag" | "validUntilMs" | "connection">,
): QuoteResult[] {
  const { instrument_name: name = "", bid, ask } = quote;
  const resting = restingQuote(ports, name, "sell", common.tag);
  // The side that makes room moves first, so that the two never cross.
  const isUp = ask?.price !== undefined && typeof resting?.price === "number" && ask.price > resting.price;
  const sides = isUp ? (["ask", "bid"] as const) : (["bid", "ask"] as const);
  return sides.flatMap((side) => {
    const terms = side === "bid" ? bid : ask;
    return terms === undefined ? [] : [quoteOne(ports, name, { side, terms, ...common })];
  });
}

/** Places one side of a quote. Where that is refused, the quote that rests there is cancelled. */
function quoteOne(ports: HandlerPorts, name: string, given: Omit<Quoted, "instrument">): QuoteResult {
  const { world } = ports;
  const resting = restingQuote(ports, name, SIDES[given.side], given.tag);
  try {
    const quoted = { ...given, instrument: quotableInstrument(ports, name) };
    refuseQuote(ports, quoted, resting);
    return place(ports, quoted, resting);
  } catch (thrown) {
    if (!(thrown instanceof CallError) || thrown.failure.kind !== "exchange") throw thrown;
    if (resting !== undefined && world.order(resting.order_id)?.order_state === "open") world.cancel(resting.order_id);
    const { code, message } = thrown.failure;
    return { error: writeJson({ instrument_name: name, side: given.side, error: { message, code } }) };
  }
}

function place(
  ports: HandlerPorts,
  { instrument, side, terms, tag, validUntilMs, connection }: Quoted,
  resting?: WorldOrder,
): Placement {
  const { world } = ports;
  const params = { ...terms, ...(validUntilMs === undefined ? {} : { valid_until: validUntilMs }) };
  if (resting !== undefined) {
    const filled = resting.filled_amount ?? 0;
    // A quote's amount is what it offers now; an edit's amount counts what was filled.
    const total = terms.amount === undefined ? {} : { amount: terms.amount + filled };
    return world.edit(resting.order_id, { ...orderEdit(instrument, { ...params, ...total }), quote: tag });
  }
  const quoted = { instrument_name: instrument.name, ...params, mmp: true };
  const draft = orderDraft(instrument, SIDES[side], quoted, { account: world.account, connection });
  return world.place({ ...draft, quote: tag });
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

/** Refuses a quote that its MMP group does not allow. */
function refuseQuote({ mmp }: HandlerPorts, { instrument, terms, tag }: Quoted, resting: WorldOrder | undefined): void {
  const selection = { index_name: indexOf(instrument.name), mmp_group: tag.mmpGroup };
  const [config] = mmp.configs(selection);
  if (config === undefined) throw invalidParam("mmp_group", "the group has no limits for the index");
  if (mmp.frozen(selection).length > 0) throw refusalError({ word: "mmp_trigger" }, undefined);
  if (resting === undefined && terms.amount === undefined) throw refusalError({ word: "order_not_found" }, undefined);
  if (resting === undefined && terms.price === undefined) throw invalidParam("price", "value required");
  const { max_quote_quantity: largest = Infinity } = config;
  const amount = terms.amount ?? 0;
  const price = terms.price ?? Number(resting?.price);
  if ((instrument.isInverse ? amount / price : amount) > largest)
    throw refusalError({ word: "invalid_amount" }, undefined, `more than max_quote_quantity ${largest}`);
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
