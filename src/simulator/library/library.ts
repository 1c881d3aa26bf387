/**
 * The simulator of the npm package `trading-rpc`, for tests of bots. It runs in the process of the test, and accepts
 * connections from this computer only. This file is published as the types of the package, so that it imports nothing.
 */

/** The options of a start. Each is optional. */
export interface StartOptions {
  /** The port; 0 picks a free one (default: 0). */
  readonly port?: number;
  /** The seed of the market, of the client secret, and of faults (default: 1). */
  readonly seed?: number;
  /** Whether prices stand, and only you trade (default: false). */
  readonly still?: boolean;
  /** Whether the exchange's rate limits hold (default: true). */
  readonly limits?: boolean;
  /** The number of open orders of the demo bot at the start (default: 0). */
  readonly orders?: number;
  /** The account at the start, without the demo bot, as in the file of `--account` (default: the demo account). */
  readonly account?: AccountDescription;
  /** The faults that calls meet, as in the file of `--faults`. */
  readonly faults?: FaultsDescription;
  /** The clock: `real`, or `manual` for one that only `clock.advance` moves (default: `real`). */
  readonly clock?: "real" | "manual";
  /** The time at which a manual clock starts, in ms since the epoch (default: now). */
  readonly startMs?: number;
}

/** The balances and positions that an account begins with. */
export interface AccountDescription {
  readonly balances?: Readonly<Record<string, number>>;
  readonly positions?: readonly {
    readonly instrument_name: string;
    readonly size?: number;
    readonly size_currency?: number;
    readonly average_price: number;
  }[];
}

/** Faults, as a file describes them. */
export interface FaultsDescription {
  /** The seed of their chances (default: that of the simulator). */
  readonly seed?: number;
  readonly faults: readonly FaultDescription[];
}

/** A fault: its kind, the calls that meet it, and what belongs to its kind. */
export interface FaultDescription {
  readonly do:
    | "drop"
    | "delay"
    | "latency"
    | "duplicate"
    | "reorder"
    | "error"
    | "cut"
    | "deadToken"
    | "tooManyRequests"
    | "fillBeforeCancel"
    | "partialFillThenCancel"
    | "selfMatchCancel"
    | "freeze"
    | "settlement"
    | "maintenance"
    | "skipChangeId"
    | "tradeTwice"
    | "eventBeforeReply"
    | "badGateway"
    | "priceMove";
  readonly name?: string;
  readonly method?: string | readonly string[];
  readonly effect?: "write";
  readonly from?: number;
  readonly every?: number;
  readonly chance?: number;
  readonly times?: number | "always";
  readonly ms?: number | readonly [least: number, most: number];
  readonly calls?: number;
  readonly code?: number;
  readonly message?: string;
  readonly done?: boolean;
  readonly answered?: boolean;
  readonly keepRefreshTokens?: boolean;
  readonly state?: "locked" | "halted";
  readonly id?: boolean;
  readonly channel?: string;
  readonly currency?: string;
  readonly percent?: number;
}

/** A fault that was used for a call. Calls are counted from 1, over all connections. */
export interface FaultUse {
  readonly call: number;
  readonly method: string;
  readonly fault: string;
}

/** The faults of a running simulator. */
export interface FaultControl {
  /** Adds faults. Throws where the description is wrong, with the place. */
  add(description: FaultsDescription): void;
  /** Clears the faults that wait. What has begun ends with the next call. */
  clear(): void;
  /** Returns the faults that were used, oldest first. */
  log(): readonly FaultUse[];
}

/** An order of your account, with the members that the exchange documents. */
export interface AccountOrder {
  readonly order_id: string;
  readonly order_state: string;
  readonly instrument_name?: string | undefined;
  readonly direction?: string | undefined;
  readonly amount?: number | undefined;
  readonly filled_amount?: number | undefined;
  readonly price?: number | string | undefined;
  readonly label?: string | undefined;
  readonly cancel_reason?: string | undefined;
}

/** The terms of a new order of your account. */
export interface NewOrder {
  readonly instrument_name: string;
  readonly direction: "buy" | "sell";
  readonly amount: number;
  readonly type?: string;
  readonly price?: number;
  readonly label?: string;
}

/** An order of another participant. */
export interface ParticipantOrder {
  readonly order_id: string;
  readonly order_state: string;
  readonly filled_amount: number;
}

/** A call as the simulator received it. */
export interface ReceivedCall {
  readonly number: number;
  readonly atMs: number;
  readonly connection: number;
  readonly link: "webSocket" | "http";
  readonly text: string;
  readonly method: string | undefined;
  readonly isApplied: boolean;
  readonly response: "none" | "result" | "error";
  readonly errorCode: number | undefined;
}

/** What the exchange and other participants can do. What can't be done throws an error. */
export interface SimulatorControl {
  /** Places a limit order as another participant. */
  placeOther(order: {
    readonly instrument_name: string;
    readonly direction: "buy" | "sell";
    readonly amount: number;
    readonly price: number;
  }): ParticipantOrder;
  cancelOther(instrumentName: string, orderId: string): ParticipantOrder;
  /** Lets others fill your order at its price: all of it, or an amount. */
  fill(orderId: string, amount?: number): AccountOrder;
  /** Lets another participant take a little at the best price. */
  trade(instrumentName: string): void;
  /** Places an order of your account, as another session of it would. */
  place(order: NewOrder): AccountOrder;
  cancel(orderId: string, reason?: string): AccountOrder;
  amend(orderId: string, changes: { readonly price?: number; readonly amount?: number }): AccountOrder;
  /** Fires the trigger of an order. */
  fire(orderId: string): AccountOrder;
  /** Moves the index of a currency, and all prices that follow from it, by a percentage. */
  movePrice(currency: string, percent: number): void;
  openOrders(): AccountOrder[];
  closedOrders(): AccountOrder[];
  order(orderId: string): AccountOrder | undefined;
  /** Returns your position in an instrument, below 0 for a short one. */
  position(instrumentName: string): number;
  /** Returns the received calls, oldest first. */
  ledger(): ReceivedCall[];
  clearRecords(): void;
  /** Returns the number of calls that the rate limits of the exchange would refuse. */
  excessCalls(): number;
  setBookState(change: {
    readonly state: "open" | "locked" | "halted" | "settlement";
    readonly indexName?: string;
    readonly forMs?: number;
  }): void;
  setMaintenance(isInMaintenance: boolean): void;
  expireTokens(options?: { readonly keepRefreshTokens?: boolean }): void;
  disconnectAll(how?: "close" | "reset"): void;
  refuseConnections(isRefusing: boolean): void;
  deposit(currency: string, amount: number): void;
  setStill(isStill: boolean): void;
}

/** The time of a simulator. */
export interface SimulatorClock {
  /** Returns the time in ms since the epoch. */
  now(): number;
  /**
   * Moves a manual clock on, and resolves once what was due has happened. With the real clock, it waits. Rejects for a
   * time that is not a number from 0.
   */
  advance(ms: number): Promise<void>;
}

/** A running simulator. */
export interface Simulator {
  /** The addresses for WebSocket and HTTP. */
  readonly address: { readonly webSocket: string; readonly http: string };
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly control: SimulatorControl;
  readonly faults: FaultControl;
  readonly clock: SimulatorClock;
  /** Ends all connections and frees the ports. Nothing keeps the process alive then. Can be called again. */
  stop(): Promise<void>;
}

/** Starts a simulator. Rejects where an option is wrong, or the port can't be used. */
export type StartSimulator = (options?: StartOptions) => Promise<Simulator>;
