import type { ResultOf } from "../../catalogue/index.ts";
import type { AccountControl } from "../accounts/accountControl.ts";
import type { Fault } from "./faults.ts";
import type { LedgerEntry } from "./ledger.ts";
import type { OrderSpec, WorldOrder } from "../market/orders.ts";
import type { PublishedEvent } from "../sessions/publisher.ts";
import type { OrderChanges, World } from "../market/world.ts";

/** An order as private/get_order_state describes it. */
export type DescribedOrder = ResultOf<"private/get_order_state">;

/**
 * The way behind the counter, for tests and for "Misbehave…": the true state, what went over the wire, and everything
 * that an exchange or somebody else might do. Nothing in here can be reached through the exchange's own protocol.
 * What cannot be done throws a `CallError` with the exchange's code.
 */
export interface Control extends AccountControl {
  /** Open and untriggered orders, in the order of their placing. */
  openOrders(): DescribedOrder[];
  /** Orders that have ended, oldest first. */
  closedOrders(): DescribedOrder[];
  order(id: string): DescribedOrder | undefined;
  /** Request frames as they were received. */
  ledger(): LedgerEntry[];
  /** Events as they left. */
  published(): readonly PublishedEvent[];
  /** Forgets ledger and events. */
  clearRecords(): void;
  connections(): ConnectionInfo[];

  setFault(fault: Fault): void;
  /** Faults that still wait for their call. */
  faults(): readonly Fault[];
  clearFaults(): void;

  /** Another actor places an order. */
  place(spec: OrderSpec): DescribedOrder;
  /** The market fills an order, wholly unless an amount is given. */
  fill(id: string, amount?: number): DescribedOrder;
  /** Another actor, or the exchange, cancels; `user_request` unless another reason is given. */
  cancel(id: string, reason?: string): DescribedOrder;
  amend(id: string, changes: OrderChanges): DescribedOrder;
  /** The trigger of an order fires; hands out the order that takes its place. */
  fire(id: string): DescribedOrder;
  /** Somebody trades an instrument. */
  trade(instrumentName: string): void;
  /** The world takes the steps that it would have taken by itself. */
  move(steps?: number): void;
  /** The world stops moving by itself, or goes on at its pace. */
  setStill(isStill: boolean): void;

  /** Which methods the server has from now on; the others are answered with -32601. */
  setMethods(methods: MethodRange): void;

  /** No token is valid any more. */
  expireTokens(options?: { readonly keepRefreshTokens?: boolean }): void;
  /** Ends all WebSocket connections: in order, or cut off. */
  disconnectAll(how?: "close" | "reset"): void;
  /** Sends connections away as soon as they come, until told otherwise. */
  refuseConnections(isRefusing: boolean): void;
  /** Sends a text to all WebSocket connections, whatever it is. */
  sendText(text: string): void;
}

/** Which methods a server has: `contract` are those of the core specification, and public/auth. */
export type MethodRange = "all" | "contract";

/** A WebSocket connection as the server sees it. */
export interface ConnectionInfo {
  readonly number: number;
  /** Granted scope; undefined while nobody has signed in. */
  readonly scope: string | undefined;
  /** Name and version from public/hello. */
  readonly client: string | undefined;
  readonly channels: readonly string[];
  /** How many events have left on each channel since it was subscribed. */
  readonly events: Readonly<Record<string, number>>;
}

/** What acts on orders; the other members come from whoever keeps connections. */
export type OrderControl = Pick<
  Control,
  "openOrders" | "closedOrders" | "order" | "place" | "fill" | "cancel" | "amend" | "fire" | "trade" | "move"
>;

/** Acts on the world and lets everybody hear of it. */
export function createOrderControl(
  world: World,
  ports: { readonly move: () => void; readonly flush: () => void },
): OrderControl {
  const describe = (order: WorldOrder): DescribedOrder => JSON.parse(world.text(order)) as DescribedOrder;
  const act = (change: () => WorldOrder): DescribedOrder => {
    const order = change();
    ports.flush();
    return describe(order);
  };
  return {
    openOrders: () => [...world.openOrders()].map(describe),
    closedOrders: () => [...world.closedOrders()].map(describe),
    order(id) {
      const order = world.order(id);
      return order === undefined ? undefined : describe(order);
    },
    place: (spec) => act(() => world.place(spec)),
    fill: (id, amount) => act(() => world.fill(id, amount)),
    cancel: (id, reason) => act(() => world.cancel(id, reason)),
    amend: (id, changes) => act(() => world.amend(id, changes)),
    fire: (id) => act(() => world.fire(id)),
    trade(instrumentName) {
      const instrument = world.instruments.get(instrumentName);
      if (instrument !== undefined) world.trade(instrument);
      ports.flush();
    },
    move(steps = 1) {
      for (let step = 0; step < steps; step++) ports.move();
      ports.flush();
    },
  };
}
