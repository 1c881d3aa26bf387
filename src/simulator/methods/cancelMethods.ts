import type { ParamsOf } from "../../catalogue/index.ts";
import { CallError, type Failure } from "../../base/failure.ts";
import { refusal } from "../text/errors.ts";
import { handlersOf, type HandlerPorts } from "./handlers.ts";
import { isOfKind, type SimulatedInstrument } from "../market/instruments.ts";
import { isCancellable, type WorldOrder } from "../market/orders.ts";

type KindFilter = ParamsOf<"private/cancel_all_by_currency">["kind"];
type TypeFilter = ParamsOf<"private/cancel_all_by_currency">["type"];

/** The orders that a call is about. */
export interface CancelSelection {
  readonly kind?: KindFilter;
  readonly type?: TypeFilter;
  readonly isMeant?: (order: WorldOrder, instrument: SimulatedInstrument) => boolean;
}

/** Returns what cancels the orders of a selection, and returns their number or, where it is asked for, the orders. */
export function createCancelling({
  world,
  venue,
}: Pick<HandlerPorts, "world" | "venue">): (selection: CancelSelection, isDetailed: boolean | undefined) => string {
  return (selection, isDetailed) => {
    venue.catchUp([]);
    const ended: CancelAttempt[] = [];
    const meant = [...world.openOrders()].filter((order) =>
      isSelected(order, world.instruments.get(order.instrument_name), selection),
    );
    for (const { order_id: id } of meant) {
      // An order that is linked to an earlier one of them may have ended with it.
      const order = world.order(id);
      if (order !== undefined && isCancellable(order)) ended.push(attempt(order, () => world.cancel(id)));
    }
    if (isDetailed === true) return batchesText(ended, (order) => world.text(order));
    const refused = ended.find(({ error }) => error !== undefined);
    const count = ended.filter(({ error }) => error === undefined).length;
    // A number of 0 would say that there was nothing to cancel.
    if (count === 0 && refused?.error !== undefined) throw new CallError(refused.error);
    return String(count);
  };
}

/** An order as it is after its cancel, or with the reason why it stays. */
interface CancelAttempt {
  readonly order: WorldOrder;
  readonly error?: Extract<Failure, { readonly kind: "exchange" }>;
}

function attempt(order: WorldOrder, cancel: () => WorldOrder): CancelAttempt {
  try {
    return { order: cancel() };
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.failure.kind === "exchange") return { order, error: thrown.failure };
    throw thrown;
  }
}

/** The time in which an account's mass quotes are refused. */
export interface QuoteFreeze {
  readonly isFrozen: boolean;
  /** Begins it, where a call that has cancelled asks for it. */
  follow(freezesQuotes: boolean | undefined): void;
}

/** How long mass quotes are refused after a call that freezes them. */
const FREEZE_MS = 1000;

/** Makes the freeze of the mass quotes of an account. */
export function createQuoteFreeze(clock: Pick<HandlerPorts["clock"], "now">): QuoteFreeze {
  let untilMs = 0;
  return {
    get isFrozen() {
      return clock.now() < untilMs;
    },
    follow(freezesQuotes) {
      if (freezesQuotes === true) untilMs = clock.now() + FREEZE_MS;
    },
  };
}

/** What all methods that cancel several orders have. */
type CancelOptions = ParamsOf<"private/cancel_all">;

/**
 * Makes the methods that cancel several orders with one call: each ends with an event of its own, as if it had been
 * cancelled alone.
 */
export const cancelMethods = handlersOf(({ world, venue }, freeze: QuoteFreeze) => {
  const cancelSelected = createCancelling({ world, venue });
  const cancel = (selection: CancelSelection, { detailed, freeze_quotes: freezesQuotes }: CancelOptions): string => {
    const text = cancelSelected(selection, detailed);
    freeze.follow(freezesQuotes);
    return text;
  };
  return {
    "private/cancel_all": ({ params }) => cancel({}, params),
    "private/cancel_all_by_instrument": ({ params }) => {
      if (!world.instruments.has(params.instrument_name)) throw refusal(13020);
      return cancel(
        { type: params.type, isMeant: (order) => order.instrument_name === params.instrument_name },
        params,
      );
    },
    "private/cancel_all_by_currency": ({ params }) =>
      cancel({ ...params, isMeant: (_order, { currencies }) => currencies.includes(params.currency) }, params),
    "private/cancel_all_by_currency_pair": ({ params }) => {
      const pair = params.currency_pair.toLowerCase();
      return cancel({ ...params, isMeant: (order) => pairOf(order.instrument_name) === pair }, params);
    },
    "private/cancel_all_by_kind_or_type": ({ params }) => {
      const wanted = [params.currency].flat();
      const isAny = wanted.includes("any");
      return cancel(
        { ...params, isMeant: (_order, { currencies }) => isAny || currencies.some((each) => wanted.includes(each)) },
        params,
      );
    },
    "private/cancel_by_label": ({ params }) =>
      cancel(
        {
          isMeant: (order, { currencies }) =>
            order.label === params.label && (params.currency === undefined || currencies.includes(params.currency)),
        },
        {},
      ),
  };
});

function isSelected(
  order: WorldOrder,
  instrument: SimulatedInstrument | undefined,
  { kind = "any", type = "all", isMeant = () => true }: CancelSelection,
): boolean {
  return instrument !== undefined && isOfKind(instrument, kind) && isOfType(order, type) && isMeant(order, instrument);
}

function isOfType({ order_type: type }: WorldOrder, wanted: NonNullable<TypeFilter>): boolean {
  switch (wanted) {
    case "all":
      return true;
    case "trigger_all":
      return /^(stop|take|trailing)_/.test(type);
    case "stop":
    case "take":
      return type.startsWith(`${wanted}_`);
    case "limit":
    case "trailing_stop":
      return type === wanted;
  }
}

/** Returns the pair of an instrument: `btc_usdc` of `BTC_USDC-PERPETUAL`, `btc_usd` of `BTC-PERPETUAL`. */
export function pairOf(instrumentName: string): string {
  const [first = ""] = instrumentName.toLowerCase().split("-");
  return first.includes("_") ? first : `${first}_usd`;
}

/** Returns one part for each instrument and sort of order, as recorded: the orders, or why they stay. */
function batchesText(attempts: readonly CancelAttempt[], textOf: (order: WorldOrder) => string): string {
  const batches = new Map<string, { readonly head: string; readonly texts: string[] }>();
  for (const { order, error } of attempts) {
    const type = order.trigger === undefined ? "limit" : "trigger";
    const key = `${order.instrument_name} ${type} ${error?.code ?? ""}`;
    const head = {
      instrument_name: order.instrument_name,
      currency: order.instrument_name.split("-")[0],
      type,
      ...(error === undefined ? {} : { error: { message: error.message, code: error.code } }),
    };
    const batch = batches.get(key) ?? { head: JSON.stringify(head), texts: [] };
    batch.texts.push(error === undefined ? textOf(order) : "");
    batches.set(key, batch);
  }
  const parts = [...batches.values()].map(({ head, texts }) =>
    texts.includes("") ? head : `${head.slice(0, -1)},"result":[${texts.join(",")}]}`,
  );
  return `[${parts.join(",")}]`;
}
