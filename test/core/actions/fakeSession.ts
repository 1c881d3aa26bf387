import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError, type Failure } from "../../../src/base/failure.ts";
import type { AnyReadMethod, ParamsOf, ReadMethod, ResultOf } from "../../../src/catalogue/index.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";
import type { CallOptions, ChannelState, Identity, Session, SessionState } from "../../../src/session/session.ts";
import type { Order } from "../../../src/state/orders.ts";
import type { FakeClock } from "../../fakeClock.ts";
import { countAccounts } from "../state/accounts.ts";

/** One request that was handed to the link. */
export interface Frame {
  readonly method: string;
  readonly paramsText: string;
  readonly wireId: number;
  readonly orderId: string;
  readonly options: CallOptions;
}

/** How the exchange reacts to a frame; doing nothing leaves it without a response. */
export interface UnmaskedResponse {
  result(value: unknown): void;
  error(code: number, message?: string): void;
}

/** A session by the contract, with a world of orders behind it that a test moves. */
export interface FakeSession {
  readonly session: Session;
  /** What was sent through the caller: the ledger. */
  readonly frames: Frame[];
  /** Methods that the reader was asked for, oldest first. */
  readonly reads: string[];
  readonly orders: Map<string, Order>;
  /** What happens at the exchange when a frame arrives. At first: cancels are carried out and answered. */
  onFrame: (frame: Frame, response: UnmaskedResponse) => void;
  /** Keeps calls from being handed to the link. */
  sendFault: () => Failure | undefined;
  /** A failure for each read that shall fail. */
  readFault: (method: string) => Failure | undefined;
  /** What single reads and the list say, where that is not the state of `orders`. */
  reported: { single?: string; listed?: boolean };
  /** A new link is up and signed in. */
  becomeReady(identity?: Partial<Identity>): void;
  setState(state: SessionState): void;
  /** The link dies: everything pending is settled, then the state is `waiting`. */
  lose(): void;
  /** Sets the state of an order at the exchange. */
  put(orderId: string, orderState: string, more?: Partial<Order>): void;
}

export const DEFAULT_IDENTITY: Identity = {
  authentication: "key",
  clientId: "key-1",
  scope: "account:read trade:read_write connection",
  testnet: true,
  serverVersion: undefined,
};

export function anOrder(orderId: string, more: Partial<Order> = {}): Order {
  return {
    order_id: orderId,
    instrument_name: "ETH-PERPETUAL",
    order_state: "open",
    direction: "buy",
    amount: 40,
    filled_amount: 0,
    price: 2100,
    label: "mm-1",
    creation_timestamp: 1_700_000_000_000,
    last_update_timestamp: 1_700_000_000_000,
    ...more,
  };
}

/** Builds a response as the session hands it out. */
export function aResponse(
  method: string,
  wireId: number,
  body: { readonly result?: unknown; readonly error?: MaskedResponse["error"] },
): MaskedResponse {
  return {
    wireId,
    method,
    bodyText: JSON.stringify(body.error ?? body.result ?? null),
    result: body.result,
    error: body.error,
    hasMaskedSecrets: false,
    timing: { receivedAtMs: 0, totalMs: 0, queuedMs: 0, exchangeMs: undefined },
    testnet: true,
  };
}

export function exchangeFailure(code: number, message = "refused"): Extract<Failure, { kind: "exchange" }> {
  return { kind: "exchange", code, message };
}

interface Pending {
  readonly wireId: number;
  settle(outcome: { readonly response: MaskedResponse } | { readonly failure: Failure }): void;
}

export function createFakeSession(clock: FakeClock): FakeSession {
  const states = createEmitter<SessionState>();
  const accounts = countAccounts(states.event);
  const lateResponses = createEmitter<MaskedResponse>();
  const channelStates = createEmitter<ChannelState>();
  const pending = new Map<number, Pending>();
  let state: SessionState = { status: "off" };
  let generation = 0;
  let nextWireId = 1;
  const generationNow = (): number | undefined => (state.status === "ready" ? generation : undefined);

  const fake: FakeSession = {
    frames: [],
    reads: [],
    orders: new Map(),
    onFrame: (frame, response) => {
      fake.put(frame.orderId, "cancelled", { cancel_reason: "user_request" });
      response.result(fake.orders.get(frame.orderId));
    },
    sendFault: () => undefined,
    readFault: () => undefined,
    reported: {},
    becomeReady(identity = {}) {
      generation++;
      fake.setState({
        status: "ready",
        generation,
        isSuspect: false,
        identity: { ...DEFAULT_IDENTITY, ...identity },
        sinceMs: clock.now(),
      });
      channelStates.fire({ kind: "accepted", generation });
    },
    setState(next) {
      state = next;
      states.fire(state);
    },
    lose() {
      const failure: Failure = { kind: "connectionLost", trouble: "closedByServer", detail: "" };
      state = { status: "waiting", retryAtMs: clock.now() + 1000, failure };
      for (const each of [...pending.values()]) each.settle({ failure });
      states.fire(state);
      channelStates.fire({ kind: "lost" });
    },
    put(orderId, orderState, more = {}) {
      fake.orders.set(orderId, { ...anOrder(orderId), ...fake.orders.get(orderId), ...more, order_state: orderState });
    },
    session: {
      get state() {
        return state;
      },
      onDidChangeState: states.event,
      get epoch() {
        return accounts.epoch;
      },
      latencyMs: 38,
      eventCount: 0,
      budgets: [],
      timing: undefined,
      reader: { read, readResponse },
      caller: {
        get generation() {
          return generationNow();
        },
        call,
        onLateResponse: lateResponses.event,
      },
      subscribe: (_channel, _listener, onState) => channelStates.event(onState),
      connect: () => fake.becomeReady(),
      backToMain: () => undefined,
      signInAgain: () => undefined,
      disconnect: () => fake.setState({ status: "off" }),
      dispose: () => fake.setState({ status: "off" }),
    },
  };
  return fake;

  async function call(method: string, paramsText: string, options: CallOptions = {}): Promise<MaskedResponse> {
    await Promise.resolve();
    if (options.signal?.aborted === true) throw new CallError({ kind: "stopped", wasSent: false });
    if (generationNow() === undefined) throw new CallError({ kind: "notConnected" });
    if (options.generation !== undefined && options.generation !== generation)
      throw new CallError({ kind: "situationChanged", changed: "connection" });
    const fault = fake.sendFault();
    if (fault !== undefined) throw new CallError(fault);
    const wireId = nextWireId++;
    const { order_id: orderId = "" } = JSON.parse(paramsText) as { order_id?: string };
    const frame: Frame = { method, paramsText, wireId, orderId, options };
    options.onSend?.(wireId);
    fake.frames.push(frame);
    return await new Promise<MaskedResponse>((resolve, reject) => {
      const timer = clock.after(options.timeoutMs ?? 10_000, () => {
        pending.get(wireId)?.settle({ failure: { kind: "timeout", timeoutMs: options.timeoutMs ?? 10_000 } });
      });
      pending.set(wireId, {
        wireId,
        settle(outcome) {
          timer.dispose();
          pending.delete(wireId);
          if ("response" in outcome) resolve(outcome.response);
          else reject(new CallError(outcome.failure));
        },
      });
      const sentIn = generation;
      const deliver = (response: MaskedResponse): void => {
        const open = pending.get(wireId);
        if (open !== undefined) open.settle({ response });
        else if (sentIn === generation && generationNow() !== undefined) lateResponses.fire(response);
      };
      fake.onFrame(frame, {
        result: (value) => deliver(aResponse(method, wireId, { result: value })),
        error: (code, message) => deliver(aResponse(method, wireId, { error: exchangeFailure(code, message) })),
      });
    });
  }

  async function prepareRead(method: string): Promise<void> {
    await Promise.resolve();
    if (generationNow() === undefined) throw new CallError({ kind: "notConnected" });
    fake.reads.push(method);
    const fault = fake.readFault(method);
    if (fault !== undefined) throw new CallError(fault);
  }

  async function read<M extends ReadMethod>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    await prepareRead(method);
    const { order_id: orderId = "" } = params as { order_id?: string };
    const order = fake.orders.get(orderId);
    if (order === undefined) throw new CallError(exchangeFailure(10004, "order_not_found"));
    return { ...order, order_state: fake.reported.single ?? order.order_state } as ResultOf<M>;
  }

  async function readResponse(method: AnyReadMethod): Promise<MaskedResponse> {
    await prepareRead(method);
    const isListed = (order: Order): boolean =>
      fake.reported.listed ?? ["open", "untriggered"].includes(order.order_state ?? "open");
    const result = [...fake.orders.values()]
      .filter(isListed)
      .map((order) => (fake.reported.listed === true ? { ...order, order_state: "open" } : order));
    return aResponse(method, nextWireId++, { result });
  }
}
