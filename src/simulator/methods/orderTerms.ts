import type { ParamsOf } from "../../catalogue/index.ts";
import type { Side, TradedInstrument } from "../../exchange/instrument.ts";
import type {
  FillCondition,
  LinkedDraft,
  LinkType,
  OrderDraft,
  OrderEdit,
  OrderType,
  PriceSource,
  QuoteTag,
  TimeInForce,
} from "../../exchange/orders/order.ts";
import type { RefusalWord } from "../../exchange/refusal.ts";
import { fromSteps, roundToSteps, toSteps, type Lots, type Ticks } from "../../exchange/units.ts";
import type { World } from "../market/world.ts";
import { invalidParam, refusal } from "../text/errors.ts";
import { refusalError } from "../text/refusals.ts";

/* The parameters of an order become the whole numbers of the exchange. */

type OrderParams = ParamsOf<"private/buy">;
type EditParams = Omit<ParamsOf<"private/edit">, "order_id">;
type LegParams = NonNullable<OrderParams["otoco_config"]>[number];

const TYPES: readonly OrderType[] = [
  "limit",
  "market",
  "market_limit",
  "stop_limit",
  "stop_market",
  "take_limit",
  "take_market",
  "trailing_stop",
];
const TIMES: readonly TimeInForce[] = ["good_til_cancelled", "good_til_day", "fill_or_kill", "immediate_or_cancel"];
const SOURCES: readonly PriceSource[] = ["last_price", "mark_price", "index_price"];
const LINKS: readonly LinkType[] = ["one_triggers_other", "one_cancels_other", "one_triggers_one_cancels_other"];
const CONDITIONS: readonly FillCondition[] = ["first_hit", "complete_fill", "incremental"];
const SIDES: readonly Side[] = ["buy", "sell"];

/** Who places an order, and the number of the connection that it comes over. */
type OrderSource = Required<Pick<OrderDraft, "account" | "connection">>;

/** Returns an account's order as the exchange takes it. Throws a refusal for what can't be said in whole numbers. */
export function orderDraft(
  instrument: TradedInstrument,
  direction: Side,
  params: OrderParams,
  { account, connection }: OrderSource,
): OrderDraft {
  refuseAdvanced(instrument, params.advanced);
  const { valid_until: validUntilMs, label, mmp } = params;
  const linked = linkedDraft(instrument, params);
  const leg = legDraft(instrument, params);
  // Listed one by one: spreading the leg takes a tenth of the time of placing an order.
  return {
    type: leg.type,
    price: leg.price,
    timeInForce: leg.timeInForce,
    postOnly: leg.postOnly,
    rejectPostOnly: leg.rejectPostOnly,
    reduceOnly: leg.reduceOnly,
    trigger: leg.trigger,
    triggerPrice: leg.triggerPrice,
    triggerOffset: leg.triggerOffset,
    displayAmount: lots(instrument, shownAmount(params), "invalid_max_show_amount"),
    label,
    mmp,
    validUntilMs,
    linked,
    account,
    connection,
    instrument: instrument.name,
    direction,
    amount: orderLots(instrument, params) ?? missingAmount(),
  };
}

/**
 * An order as `private/buy` and `private/sell` take it, with the side that their names say. `quote` makes a quote of
 * it, as `private/mass_quote` does.
 */
export type OrderSpec = OrderParams & { readonly direction: Side; readonly quote?: QuoteTag };

/** Returns an order of an account as the exchange takes it, as `orderDraft` does. */
export function specDraft({ instruments, market, account }: World, spec: OrderSpec): OrderDraft {
  const instrument = instruments.get(spec.instrument_name);
  if (instrument === undefined) throw refusal(13020);
  return {
    ...orderDraft(market.terms(instrument), spec.direction, spec, { account, connection: undefined }),
    quote: spec.quote,
  };
}

/** Returns what an edit changes. Throws a refusal for what can't be said in whole numbers. */
export function orderEdit(instrument: TradedInstrument, params: EditParams): OrderEdit {
  refuseAdvanced(instrument, params.advanced);
  return {
    ...given("amount", orderLots(instrument, params)),
    ...given("price", ticks(instrument, params.price, "price_wrong_tick")),
    ...given("postOnly", params.post_only),
    ...given("rejectPostOnly", params.reject_post_only),
    ...given("reduceOnly", params.reduce_only),
    ...given("displayAmount", lots(instrument, shownAmount(params), "invalid_max_show_amount")),
    ...given("triggerPrice", ticks(instrument, params.trigger_price, "trigger_price_wrong_tick")),
    ...given("triggerOffset", offsetTicks(instrument, params.trigger_offset)),
    ...given("validUntilMs", params.valid_until),
  };
}

/** Returns an amount in lots, from `amount` or `contracts`; undefined without either. */
export function orderLots(
  instrument: TradedInstrument,
  { amount, contracts }: { readonly amount?: number | undefined; readonly contracts?: number | undefined },
): Lots | undefined {
  if (contracts === undefined) return lots(instrument, amount, wrongAmount(instrument));
  const meant = Number((contracts * fromSteps(instrument.contractSize, instrument.lot)).toPrecision(12));
  if (amount !== undefined && amount !== meant) throw invalidParam("contracts", "contracts and amount don't agree");
  return lots(instrument, meant, wrongAmount(instrument));
}

/** Returns a price in ticks; undefined without one. `word`: why one between two ticks is refused. */
export function ticks(instrument: TradedInstrument, price: number | undefined, word: RefusalWord): Ticks | undefined {
  if (price === undefined) return undefined;
  const exact = toSteps(price, instrument.tick);
  if (exact !== undefined) return exact;
  const isSafe = Math.abs(price) < MAX_PRICE;
  throw isSafe
    ? refusalError({ word, limit: roundToSteps(price, instrument.tick, "nearest") }, instrument)
    : refusalError({ word: "invalid_price" }, instrument);
}

/** A price beyond this is none, whatever its tick. */
const MAX_PRICE = 1e9;

function wrongAmount({ kind }: TradedInstrument): RefusalWord {
  return kind === "future" ? "non_integer_contract_amount" : "invalid_amount";
}

function lots(instrument: TradedInstrument, amount: number | undefined, word: RefusalWord): Lots | undefined {
  if (amount === undefined) return undefined;
  const exact = toSteps(amount, instrument.lot);
  if (exact !== undefined) return exact;
  const { minAmount, lot } = instrument;
  throw amount < fromSteps(minAmount, lot) && word !== "invalid_max_show_amount"
    ? refusalError({ word: "qty_too_low", limit: minAmount }, instrument)
    : refusalError({ word }, instrument);
}

function offsetTicks(instrument: TradedInstrument, offset: number | undefined): Ticks | undefined {
  const exact = offset === undefined ? undefined : toSteps(offset, instrument.tick);
  if (offset === undefined || exact !== undefined) return exact;
  throw refusalError({ word: "bad_argument", param: "trigger_offset" }, instrument);
}

/**
 * Returns what an order has in common with one that is linked to it. What is absent is a member nevertheless: to put an
 * object together from what there is takes several times as long.
 */
function legDraft(instrument: TradedInstrument, params: LegParams): LinkedDraft {
  return {
    type: oneOf("type", params.type, TYPES),
    price: ticks(instrument, params.price, "price_wrong_tick"),
    timeInForce: oneOf("time_in_force", params.time_in_force, TIMES),
    postOnly: params.post_only,
    rejectPostOnly: params.reject_post_only,
    reduceOnly: params.reduce_only,
    trigger: oneOf("trigger", params.trigger, SOURCES),
    triggerPrice: ticks(instrument, params.trigger_price, "trigger_price_wrong_tick"),
    triggerOffset: offsetTicks(instrument, params.trigger_offset),
  };
}

function linkedDraft(instrument: TradedInstrument, params: OrderParams): OrderDraft["linked"] {
  const { linked_order_type: link, otoco_config: config } = params;
  const type = oneOf("linked_order_type", link, LINKS);
  if (type === undefined && config === undefined) return undefined;
  if (type === undefined) throw invalidParam("linked_order_type", "value required");
  if (config === undefined) throw invalidParam("otoco_config", "value required");
  return {
    type,
    fillCondition: oneOf("trigger_fill_condition", params.trigger_fill_condition, CONDITIONS),
    legs: config.map((leg) => ({
      ...legDraft(instrument, leg),
      direction: oneOf("direction", leg.direction, SIDES),
      amount: lots(instrument, leg.amount, wrongAmount(instrument)),
      label: leg.label,
    })),
  };
}

/**
 * Refuses prices in USD or in volatility: an order in the book would have to follow the market.
 * https://docs.deribit.com/articles/errors
 */
function refuseAdvanced({ kind }: TradedInstrument, advanced: string | undefined): void {
  if (advanced === undefined) return;
  throw kind === "option"
    ? refusalError({ word: "not_implemented" }, undefined, "the simulator has no orders in USD or implied volatility")
    : refusalError({ word: "no_adv_for_futures" }, undefined);
}

/** Returns the amount to show. `max_show` is its name in earlier versions of the API, which clients still send. */
function shownAmount(
  params: Pick<OrderParams, "display_amount"> & { readonly max_show?: unknown },
): number | undefined {
  return params.display_amount ?? (typeof params.max_show === "number" ? params.max_show : undefined);
}

/** Refuses an order or an edit that has no size. */
export function missingAmount(): never {
  throw invalidParam("amount", "amount or contracts required");
}

/** Returns a value that a parameter may have. */
function oneOf<T extends string>(param: string, value: string | undefined, known: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = known.find((each) => each === value);
  if (found === undefined) throw invalidParam(param, `invalid ${param}`);
  return found;
}

/** Returns a member with a value, and nothing without one. */
function given<Name extends string, T>(name: Name, value: T | undefined): { readonly [N in Name]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: T };
}
