import type { ParamsOf } from "../catalogue/index.ts";
import { refusal } from "./errors.ts";
import type { HandlerPorts, Handlers } from "./handlers.ts";
import type { WorldOrder } from "./orders.ts";

type TypeFilter = NonNullable<ParamsOf<"private/get_open_orders">["type"]>;

/** Reading and cancelling orders. */
export function orderMethods({ world }: HandlerPorts): Pick<Handlers, "private/get_open_orders" | "private/get_order_state" | "private/cancel"> {
  return {
    "private/get_open_orders": ({ params }) => {
      const { kind, type = "all" } = params;
      const texts: string[] = [];
      for (const order of world.openOrders()) {
        const isOfKind = kind === undefined || world.instruments.get(order.instrument_name)?.kind === kind;
        if (isOfKind && isOfType(order, type)) texts.push(world.text(order));
      }
      return `[${texts.join(",")}]`;
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
