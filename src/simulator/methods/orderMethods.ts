import type { ParamsOf } from "../../catalogue/index.ts";
import { refuseUnknownCurrency } from "../market/currencies.ts";
import { refusal } from "../text/errors.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";
import { instrumentOf } from "./marketMethods.ts";
import type { WorldOrder } from "../market/orders.ts";

type TypeFilter = NonNullable<ParamsOf<"private/get_open_orders">["type"]>;

type OrderMethod =
  | `private/get_open_orders${"" | "_by_currency" | "_by_instrument"}`
  | "private/get_order_state"
  | "private/cancel";

/** Makes the methods that read and cancel orders. */
export function orderHandlers({ world }: HandlerPorts): Pick<MethodHandlers, OrderMethod> {
  const list = (
    isMeant: (instrument: SimulatedInstrument | undefined) => boolean,
    type: TypeFilter = "all",
  ): string => {
    const texts: string[] = [];
    for (const order of world.openOrders()) {
      if (isMeant(world.instruments.get(order.instrument_name)) && isOfType(order, type)) texts.push(world.text(order));
    }
    return `[${texts.join(",")}]`;
  };
  return {
    "private/get_open_orders": ({ params: { kind, type } }) =>
      list((instrument) => kind === undefined || instrument?.kind === kind, type),
    "private/get_open_orders_by_currency": ({ params: { currency, kind, type } }) => {
      refuseUnknownCurrency(currency);
      return list(
        (instrument) =>
          instrument?.currencies.includes(currency) === true && (kind === undefined || instrument.kind === kind),
        type,
      );
    },
    "private/get_open_orders_by_instrument": ({ params: { instrument_name: name, type } }) => {
      const wanted = instrumentOf(world.instruments, name);
      return list((instrument) => instrument === wanted, type);
    },
    "private/get_order_state": ({ params }) => {
      const order = world.order(params.order_id);
      if (order === undefined) throw refusal(10004);
      return world.text(order);
    },
    "private/cancel": ({ params }) => world.text(world.cancel(params.order_id)),
  };
}

const STOPS = ["stop_limit", "stop_market"];
const TAKES = ["take_limit", "take_market"];
const TRAILINGS = ["trailing_stop"];

function isOfType(order: WorldOrder, type: TypeFilter): boolean {
  switch (type) {
    case "all":
      return true;
    case "trigger_all":
      return [...STOPS, ...TAKES, ...TRAILINGS].includes(order.order_type);
    case "stop_all":
      return STOPS.includes(order.order_type);
    case "take_all":
      return TAKES.includes(order.order_type);
    case "trailing_all":
      return TRAILINGS.includes(order.order_type);
    case "limit":
    case "stop_limit":
    case "stop_market":
    case "take_limit":
    case "take_market":
    case "trailing_stop":
      return order.order_type === type;
  }
}
