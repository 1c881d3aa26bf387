import type { ResultOf } from "../../catalogue/index.ts";
import type { AccountControl } from "../accounts/accountControl.ts";
import type { Fault, UsedFault } from "./faults.ts";
import type { LedgerEntry } from "./ledger.ts";
import type { IsolatedControl } from "./isolatedControl.ts";
import type { OtherOrdersControl } from "./otherOrders.ts";
import type { BookStateChange } from "../../exchange/market/platform.ts";
import type { OrderChanges } from "../market/accountOrders.ts";
import type { WorldOrder } from "../market/orders.ts";
import { specDraft, type OrderSpec } from "../methods/orderTerms.ts";
import type { PublishedEvent } from "../sessions/publisher.ts";
import type { World } from "../market/world.ts";

/** An order as private/get_order_state describes it. */
export type DescribedOrder = ResultOf<"private/get_order_state">;

/**
 * The control for tests and for "Misbehave…". It reaches the true state, what went over the wire, and everything that
 * an exchange or another party might do. Nothing in here can be reached through the exchange's own protocol. What
 * cannot be done throws a `CallError` with the exchange's code.
 */
export interface Control extends AccountControl, OrderControl, OtherOrdersControl, IsolatedControl {
  /** Returns request frames as they were received. */
  ledger(): LedgerEntry[];
  /** Returns events as they left. */
  published(): readonly PublishedEvent[];
  /** Forgets ledger and events. */
  clearRecords(): void;
  connections(): ConnectionInfo[];
  /** Returns the number of calls that the exchange answers with 10028, also where its rate limits are off. */
  excessCalls(): number;

  setFault(fault: Fault): void;
  /** Adds the faults of a description: see `readFaults`. Throws `refused` where it is wrong. */
  addFaults(description: object): void;
  /** Returns the faults that were used for calls, oldest first. */
  faultLog(): readonly UsedFault[];
  /** Returns the faults that still wait for their call. */
  faults(): readonly Fault[];
  clearFaults(): void;

  /** Stops everything that happens on its own, or lets it go on at its pace. */
  setStill(isStill: boolean): void;
  /**
   * Lets the demo trade on its own, or stops it (default: the other one). Its open orders stay. Returns whether it
   * trades now.
   */
  setDemo(demo: { readonly isOn?: boolean }): boolean;

  /** Puts books into a state, as the operator or an error does. */
  setBookState(change: BookStateChange): void;
  /**
   * Moves the index of a currency, and all that follows from it, by a percentage from now on. Refuses with -32602 a
   * currency whose price does not move, and a change of -99 % or less.
   */
  movePrice(currency: string, percent: number): void;
  /**
   * Begins maintenance, or ends it. All connections are told and closed, and calls that come meanwhile are refused with
   * 11051, which closes their connection.
   */
  setMaintenance(isInMaintenance: boolean): void;

  /** Sets the methods that the server has from now on; the others get -32601. */
  setMethods(methods: MethodRange): void;

  /** Ends the validity of all tokens. */
  expireTokens(options?: { readonly keepRefreshTokens?: boolean }): void;
  /** Ends all WebSocket connections: in order, or cut off. */
  disconnectAll(how?: "close" | "reset"): void;
  /** Sends connections away as soon as they come, until called again. */
  refuseConnections(isRefusing: boolean): void;
  /** Sends a text to all WebSocket connections, whatever it is. */
  sendText(text: string): void;
}

/** The methods that a server has: `contract` are those of the core specification, and public/auth. */
export type MethodRange = "all" | "contract";

/** A WebSocket connection as the server sees it. */
interface ConnectionInfo {
  readonly number: number;
  /** The granted scope; undefined without a sign-in. */
  readonly scope: string | undefined;
  /** The name and version from public/hello. */
  readonly client: string | undefined;
  readonly channels: readonly string[];
  /** The number of events that have left on each channel since it was subscribed. */
  readonly events: Readonly<Record<string, number>>;
}

/** The members that act on orders of the main account; those with an ID act on isolated ones too. */
interface OrderControl {
  /** Returns open and untriggered orders, in the order of their placing. */
  openOrders(): DescribedOrder[];
  /** Returns orders that have ended, oldest first. */
  closedOrders(): DescribedOrder[];
  order(id: string): DescribedOrder | undefined;
  /** Returns the position of the account in an instrument, signed; 0 without one. */
  position(instrumentName: string): number;

  /** Places an order of the main account, as another session of it would. */
  place(spec: OrderSpec): DescribedOrder;
  /** Lets others take an order at its price, wholly unless an amount is given. What rests before it trades first. */
  fill(id: string, amount?: number): DescribedOrder;
  /** Cancels an order as another party or the exchange; `user_request` unless another reason is given. */
  cancel(id: string, reason?: string): DescribedOrder;
  amend(id: string, changes: OrderChanges): DescribedOrder;
  /** Fires the trigger of an order; returns the order that replaces it. */
  fire(id: string): DescribedOrder;
  /** Lets one of the others take a little of an instrument at the best price. */
  trade(instrumentName: string): void;
  /** Makes the demo take the steps that it would have taken on its own. */
  move(steps?: number): void;
}

/**
 * Makes a control that acts on the world and sends the events of that. `worldOf`: the world of the slot that has an
 * order.
 */
export function createOrderControl(
  world: World,
  ports: {
    readonly move: () => void;
    readonly flush: () => void;
    readonly worldOf: (orderId: string) => World | undefined;
  },
): OrderControl {
  const of = (id: string): World => ports.worldOf(id) ?? world;
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
      const order = of(id).order(id);
      return order === undefined ? undefined : describe(order);
    },
    position: (name) => world.position(name),
    place: (spec) => act(() => world.place(specDraft(world, spec)).order),
    fill: (id, amount) => act(() => of(id).fill(id, amount)),
    cancel: (id, reason) => act(() => of(id).cancel(id, reason)),
    amend: (id, changes) => act(() => of(id).amend(id, changes)),
    fire: (id) => act(() => of(id).fire(id)),
    trade(instrumentName) {
      const instrument = world.instruments.get(instrumentName);
      if (instrument !== undefined) world.market.trade(instrument);
      ports.flush();
    },
    move(steps = 1) {
      for (let step = 0; step < steps; step++) ports.move();
      ports.flush();
    },
  };
}
