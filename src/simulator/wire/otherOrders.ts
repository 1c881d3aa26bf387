import type { EngineOutcome } from "../../exchange/orders/engine.ts";
import type { OrderView } from "../../exchange/orders/order.ts";
import { fromSteps, roundToSteps } from "../../exchange/units.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import { MARKET_ACCOUNT, type Venue } from "../market/venue.ts";
import { invalidParam } from "../text/errors.ts";
import { refusalError } from "../text/refusals.ts";

/** A limit order of another participant, which rests until it is filled or cancelled. */
export interface OtherOrderSpec {
  readonly instrument_name: string;
  readonly direction: "buy" | "sell";
  /** In what amounts of orders count. */
  readonly amount: number;
  readonly price: number;
}

/** An order of another participant as a test sees it; others see it in the book alone. */
interface OtherOrder {
  readonly order_id: string;
  readonly order_state: string;
  readonly filled_amount: number;
}

/** The control of orders of other participants. */
export interface OtherOrdersControl {
  /** Places an order as another participant. Orders that it meets trade with it, also those of the main account. */
  placeOther(spec: OtherOrderSpec): OtherOrder;
  /** Cancels such an order. */
  cancelOther(instrumentName: string, orderId: string): OtherOrder;
}

/** Makes the control over a venue. `flush` sends the events of what it did. */
export function createOtherOrdersControl(
  venue: Pick<Venue, "instrument" | "operate">,
  flush: () => void,
): OtherOrdersControl {
  const find = (name: string): TradedInstrument => {
    const found = venue.instrument(name);
    if (found === undefined) throw invalidParam("instrument_name", "wrong format");
    return found;
  };
  const done = (instrument: TradedInstrument, outcome: EngineOutcome): OtherOrder => {
    flush();
    if (!outcome.isDone) throw refusalError(outcome.refusal, instrument);
    return describe(outcome.order, instrument);
  };
  return {
    placeOther({ instrument_name: name, direction, amount, price }) {
      const instrument = find(name);
      const draft = {
        ...{ account: MARKET_ACCOUNT, instrument: name, type: "limit" as const, direction },
        amount: roundToSteps(amount, instrument.lot, "nearest"),
        price: roundToSteps(price, instrument.tick, "nearest"),
      };
      return done(
        instrument,
        venue.operate(name, (engine, nowMs) => engine.place(draft, nowMs)),
      );
    },
    cancelOther(name, orderId) {
      return done(
        find(name),
        venue.operate(name, (engine, nowMs) => engine.cancel(MARKET_ACCOUNT, orderId, nowMs)),
      );
    },
  };
}

function describe({ id, state, filled }: OrderView, { lot }: TradedInstrument): OtherOrder {
  return { order_id: id, order_state: state, filled_amount: fromSteps(filled, lot) };
}
