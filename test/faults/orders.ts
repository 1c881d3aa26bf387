import { cancelOrder } from "../../src/actions/changes/orders.ts";
import type { Outcome } from "../../src/actions/judge/outcome.ts";
import { orderLookups, type Order } from "../../src/state/orders.ts";
import { anOrder } from "../core/actions/fakeSession.ts";
import type { ReceivedRequest } from "../scriptedServer.ts";
import { watch, type Watched } from "../core/session/world.ts";
import type { Stage } from "./stage.ts";

/** The orders that the server of a stage has, and what it does with them. */
export interface Orders {
  readonly byId: Map<string, Order>;
  /** What the server does with a cancel; at first it cancels and responds with the order. */
  onCancel: (request: ReceivedRequest) => ReturnType<Parameters<Stage["server"]["on"]>[1]>;
  /** Presses Cancel on an order, as it was when it was put there. */
  cancel(orderId: string): Watched<Outcome>;
  /** Cancels that the server got. */
  readonly cancels: number;
}

/** Puts orders into the server and waits until the store shows them. */
export async function withOrders(stage: Stage, ...ids: readonly string[]): Promise<Orders> {
  const orders = plantOrders(stage, ...ids);
  const { orders: store } = stage.live();
  await stage.ready();
  await stage.until(() => store.snapshot.status === "live", "the orders are read");
  return orders;
}

/** The same without connecting. */
export function plantOrders(stage: Stage, ...ids: readonly string[]): Orders {
  const byId = new Map(ids.map((id) => [id, anOrder(id)]));
  const { server } = stage;
  const shown = new Map(byId);
  const orders: Orders = {
    byId,
    onCancel(request) {
      const id = String(request.params["order_id"]);
      const order = {
        ...byId.get(id)!,
        order_state: "cancelled",
        cancel_reason: "user_request",
        last_update_timestamp: stage.clock.now(),
      };
      byId.set(id, order);
      return { result: order };
    },
    cancel(orderId) {
      const { gate, orders } = stage.live();
      const context = { origin: "palette" as const, nowMs: stage.clock.now(), ...orderLookups(orders) };
      return watch(gate.submit(cancelOrder(shown.get(orderId)!, context)));
    },
    get cancels() {
      return server.methods().filter((method) => method === "private/cancel").length;
    },
  };
  server.on("private/get_open_orders", () => ({
    result: [...byId.values()].filter((order) => order.order_state === "open"),
  }));
  server.on("private/get_order_state", ({ params }) => {
    const order = byId.get(String(params["order_id"]));
    return order === undefined ? { error: { code: 10004, message: "order_not_found" } } : { result: order };
  });
  server.on("private/cancel", (request) => orders.onCancel(request));
  return orders;
}

/** A grant as the exchange writes it; the token counts on the connection that asked. */
export function grantFrame(
  { id, connection }: ReceivedRequest,
  token: string,
  life = 31_536_000,
  scope = "account:read connection mainaccount name:bot trade:read_write",
): string {
  connection.tokens.add(token);
  const result = {
    access_token: token,
    refresh_token: `${token}-refresh`,
    expires_in: life,
    scope,
    token_type: "bearer",
  };
  return JSON.stringify({ jsonrpc: "2.0", id, result, testnet: true });
}

export function countOf(stage: Stage, method: string): number {
  return stage.server.methods().filter((each) => each === method).length;
}
