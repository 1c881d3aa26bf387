import { bareMethod, type MethodName } from "../../catalogue/index.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { fixedOf, fixedOfSteps, larger, magnitude, numberOf, type Fixed } from "../../exchange/ledger/money.ts";
import { fromSteps, roundToSteps } from "../../exchange/units.ts";
import type { GatewayBehaviour } from "../access/gatewayAccess.ts";
import type { AccountProfile } from "../accounts/accountRegister.ts";
import type { Slots } from "../accounts/slots.ts";
import type { Venue } from "../market/venue.ts";
import { DetailedRefusal, invalidParam, refusal } from "../text/errors.ts";
import type { Call, MethodHandlers } from "./handlers.ts";
import { orderLots } from "./orderTerms.ts";
import { includesIsolated } from "./subaccountMethods.ts";

/*
 * Isolated margin of the gateway: `isolated: true` leads a call about one order or one instrument to the slot, and
 * `include_isolated: true` adds the slots to a list or a mass cancel. Without them, calls are about the main account
 * alone, and no error says so.
 */

export type AnyHandler = (call: AnyCall) => string;
type Params = Readonly<Record<string, unknown>>;

/** A call of any method, as far as it decides about isolated margin. */
type AnyCall = Call<MethodName>;

/** Finds the handlers of calls that are about isolated margin. */
export interface IsolatedRouting {
  /** Returns what carries a call out; undefined where the main account does. Throws what the gateway refuses. */
  handlerOf(method: string, params: Params): AnyHandler | undefined;
}

interface RoutingPorts {
  readonly slots: Slots;
  readonly venue: Venue;
  readonly behaviour: GatewayBehaviour;
  readonly mainId: number;
  /** Returns the handlers of an account. */
  readonly handlersOf: (account: number) => MethodHandlers;
}

const ABOUT_ORDER: readonly string[] = [
  "private/edit",
  "private/cancel",
  "private/get_order_state",
  "private/get_user_trades_by_order",
];
const ABOUT_INSTRUMENT: readonly string[] = ["private/close_position", "private/edit_by_label", "private/get_margins"];
const PLACING: readonly string[] = ["private/buy", "private/sell"];
const LISTS: readonly string[] = [
  "private/get_positions",
  "private/get_open_orders",
  "private/get_order_state_by_label",
];
const MASS_CANCELS: readonly string[] = [
  "private/cancel_all",
  "private/cancel_all_by_instrument",
  "private/cancel_all_by_currency",
  "private/cancel_by_label",
];
/** The methods that refuse `subaccount_id`: a slot is named by `isolated` alone. */
const BY_FLAG_ONLY: readonly string[] = ["private/edit", "private/edit_by_label"];

/** Makes the routing of a played gateway. */
export function createIsolatedRouting(ports: RoutingPorts): IsolatedRouting {
  const { slots, behaviour, handlersOf, mainId } = ports;
  const of = (account: number, method: string): AnyHandler => {
    const handlers = handlersOf(account);
    return handlers[method as MethodName] as AnyHandler;
  };
  const included = (method: string): readonly AccountProfile[] =>
    slots
      .bound()
      .filter(
        ({ id }) =>
          !behaviour.omittedSlots.includes(id) || (MASS_CANCELS.includes(method) && behaviour.cancelsReachOmitted),
      );
  const all =
    (method: string): AnyHandler =>
    (call) =>
      joined([mainId, ...included(method).map(({ id }) => id)].map((account) => of(account, method)(call)));
  /** Returns what carries out a call about an order, which goes to the account that has it only with the right flag. */
  const aboutOrder = (method: string, params: Params, isIsolated: boolean): AnyHandler | undefined => {
    const slot = slots.ofOrder(String(params["order_id"]));
    if ((slot !== undefined) !== isIsolated) throw refusal(slot === undefined ? 10_004 : behaviour.wrongKindCode);
    if (slot === undefined) return undefined;
    const handler = of(slot.id, method);
    return method === "private/edit" ? funded(ports, slot, handler) : handler;
  };
  /** Returns what carries out a call with `isolated`. */
  const flagged = (method: string, params: Params): AnyHandler | undefined => {
    if (PLACING.includes(method)) return (call) => place(ports, of, { method, call });
    const slot = slots.serving(String(params["instrument_name"]));
    if (!ABOUT_INSTRUMENT.includes(method)) return undefined;
    if (slot === undefined && method === "private/edit_by_label") throw refusal(10_004);
    return slot && of(slot.id, method);
  };
  /** Returns what carries out a call with `include_isolated`. */
  const including = (method: string, params: Params): AnyHandler | undefined => {
    if (LISTS.includes(method) || MASS_CANCELS.includes(method)) return all(method);
    if (method === "private/get_account_summaries")
      return (call) => {
        const text = of(mainId, method)(call);
        const ofSlots = included(method).map(
          ({ id }) => `{"id":${id},${of(id, method)({ ...call, params: {} }).slice(1)}`,
        );
        return `${text.slice(0, -1)},"isolated_account_summaries":[${ofSlots.join(",")}]}`;
      };
    const slot = method === "private/get_position" ? slots.serving(String(params["instrument_name"])) : undefined;
    return slot && of(slot.id, method);
  };
  return {
    handlerOf(written, params) {
      const method = bareMethod(written);
      const isIsolated = params["isolated"] === true;
      if (params["subaccount_id"] !== undefined && BY_FLAG_ONLY.includes(method)) throw refusal(14_020);
      if (params["subaccount_id"] !== undefined) return undefined;
      if (ABOUT_ORDER.includes(method)) return aboutOrder(method, params, isIsolated);
      if (isIsolated) return flagged(method, params);
      return includesIsolated(params) ? including(method, params) : undefined;
    },
  };
}

/** Returns the results of several accounts as one: lists one after the other, numbers added. */
function joined(texts: readonly string[]): string {
  if (texts.every((text) => /^\d+$/.test(text))) return String(texts.reduce((sum, text) => sum + Number(text), 0));
  return `[${texts
    .map((text) => text.slice(1, -1))
    .filter((text) => text !== "")
    .join(",")}]`;
}

type Of = (account: number, method: string) => AnyHandler;

/** Places an isolated order: in a slot, with margin that comes from the main account. */
function place(
  ports: RoutingPorts,
  of: Of,
  { method, call }: { readonly method: string; readonly call: AnyCall },
): string {
  const params = call.params as Params;
  const instrument = ports.venue.instrument(String(params["instrument_name"]));
  if (instrument?.kind !== "future") throw invalidParam("isolated", "only for futures");
  const slot = ports.slots.take(instrument.name);
  return funded(ports, slot, of(slot.id, method))(call, method === "private/buy" ? "buy" : "sell");
}

/** Returns a handler that moves the margin of a call into the slot before it carries the call out. */
function funded(
  ports: RoutingPorts,
  slot: AccountProfile,
  handler: AnyHandler,
): (call: AnyCall, direction?: "buy" | "sell") => string {
  return (call, direction) => {
    const params = call.params as Params;
    const instrument = ports.venue.instrument(slot.isolatedInstrument ?? "");
    const given = params["allocated_margin"];
    const side = direction ?? ports.venue.books.find(String(params["order_id"]))?.direction;
    if (instrument !== undefined && side !== undefined) {
      const needed = neededMargin(ports.venue, { slot, instrument, side, params });
      allocate(ports, { slot, instrument, needed, given: typeof given === "number" ? fixedOf(given) : undefined });
    }
    return handler(call);
  };
}

interface Allocation {
  readonly slot: AccountProfile;
  readonly instrument: TradedInstrument;
  readonly needed: Fixed;
  readonly given: Fixed | undefined;
}

/** Moves margin to a slot: what is needed, or what was given, which may not be less. */
function allocate({ venue, mainId }: RoutingPorts, { slot, instrument, needed, given }: Allocation): void {
  const currency = instrument.settlementCurrency;
  if (given !== undefined && given < needed) throw tooLittleMargin(given, needed);
  const short = needed - venue.ledger.summary(String(slot.id), currency).availableFunds;
  const amount = given ?? larger(0n, short);
  if (amount <= 0n) return;
  const refused = venue.ledger.transfer(String(mainId), String(slot.id), { currency, amount }, venue.nowMs);
  if (refused !== undefined) throw refusal(14_034);
}

function tooLittleMargin(given: Fixed, needed: Fixed): DetailedRefusal {
  return new DetailedRefusal(14_033, {
    allocated_margin: numberOf(given),
    required_minimum: numberOf(needed),
    suggested_amount: numberOf(suggested(needed)),
    required_im_delta: numberOf(needed),
  });
}

/** Returns an amount with a twentieth on top. */
function suggested(needed: Fixed): Fixed {
  return needed + needed / 20n;
}

interface AskedMargin {
  readonly slot: AccountProfile;
  readonly instrument: TradedInstrument;
  readonly side: "buy" | "sell";
  readonly params: Params;
}

/** Returns what an order needs in a slot: nothing where it can only reduce the position. */
function neededMargin(venue: Venue, { slot, instrument, side, params }: AskedMargin): Fixed {
  const lots = orderLots(instrument, { amount: figure(params["amount"]), contracts: figure(params["contracts"]) }) ?? 0;
  const held =
    venue.ledger.positions(String(slot.id)).find((each) => each.instrument.name === instrument.name)?.size ?? 0n;
  const isOpposite = side === "buy" ? held < 0n : held > 0n;
  if (lots <= 0 || (isOpposite && fixedOfSteps(lots, instrument.lot) <= magnitude(held))) return 0n;
  const mark = venue.market.marks.mark(instrument, venue.marketMs);
  const price = roundToSteps(figure(params["price"]) ?? mark, instrument.tick, "nearest");
  const margins = venue.ledger.margins(instrument, lots, price);
  const loss = lossAtOnce(instrument, side, {
    amount: fromSteps(lots, instrument.lot),
    price: figure(params["price"]),
    mark,
  });
  return suggested(margins[side] + 2n * margins.takerFee + fixedOf(loss));
}

/** Returns what an order loses at once where its price is worse than the mark, in the settlement currency. */
function lossAtOnce(
  { isInverse }: TradedInstrument,
  side: "buy" | "sell",
  { amount, price, mark }: { readonly amount: number; readonly price: number | undefined; readonly mark: number },
): number {
  if (price === undefined) return 0;
  const gain = isInverse ? amount / price - amount / mark : amount * (mark - price);
  return Math.max(0, side === "buy" ? -gain : gain);
}

function figure(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
