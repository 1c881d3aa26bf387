import { order as sampleOrder } from "../present/samples.ts";
import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError, type Failure } from "../../../src/base/failure.ts";
import { listOrders } from "../../../src/rpc/orderList.ts";
import type { MaskedResponse, ResponseTiming } from "../../../src/rpc/response.ts";
import type { CallOptions, ChannelState, Identity, SessionState } from "../../../src/session/session.ts";
import type { Order } from "../../../src/state/orders.ts";
import type { ResourcePorts } from "../../../src/state/resource.ts";
import { countAccounts } from "./accounts.ts";

/** A session as a store sees it, moved by hand. */
export interface FakeStoreSession {
  readonly session: ResourcePorts["session"];
  /** Channels wanted at the moment. */
  readonly channels: string[];
  /** What happened, in order: `subscribe <channel>`, `read <generation>`. */
  readonly calls: string[];
  /** Calls of get_open_orders that wait for a response. */
  readonly reads: FakeRead[];
  setState(state: SessionState): void;
  /** Ready in this generation, the channel accepted. */
  open(generation: number): void;
  setChannel(state: ChannelState): void;
  push(data: unknown): void;
}

export interface FakeRead {
  readonly options: CallOptions | undefined;
  respond(result: unknown, receivedAtMs?: number, totalMs?: number): void;
  fail(failure: Failure): void;
}

export const IDENTITY: Identity = {
  authentication: "key",
  clientId: "abc",
  scope: "account:read trade:read_write",
  testnet: true,
  serverVersion: "1.2.26",
};

export function ready(generation: number, identity: Identity = IDENTITY): SessionState {
  return { status: "ready", generation, isSuspect: false, identity, sinceMs: 0 };
}

export function createFakeStoreSession(): FakeStoreSession {
  const states = createEmitter<SessionState>();
  const accounts = countAccounts(states.event);
  let state: SessionState = { status: "off" };
  let listener: (data: unknown) => void = () => undefined;
  let onState: (state: ChannelState) => void = () => undefined;
  const channels: string[] = [];
  const calls: string[] = [];
  const reads: FakeRead[] = [];
  const readResponse = async (method: string, _params: unknown, options?: CallOptions): Promise<MaskedResponse> => {
    calls.push(`read ${method} ${String(options?.generation)}`);
    return await new Promise<MaskedResponse>((resolve, reject) => {
      reads.push({
        options,
        respond: (result, receivedAtMs = 0, totalMs = 0) =>
          resolve(openOrdersResponse(result, options, { receivedAtMs, totalMs })),
        fail: (failure) => reject(new CallError(failure)),
      });
    });
  };
  const fake: FakeStoreSession = {
    channels,
    calls,
    reads,
    session: {
      get state() {
        return state;
      },
      onDidChangeState: states.event,
      get epoch() {
        return accounts.epoch;
      },
      reader: { readResponse, read: async () => await Promise.reject(new Error("not used")) },
      subscribe(channel, onEvent, onChannelState) {
        calls.push(`subscribe ${channel}`);
        channels.push(channel);
        listener = (data) => onEvent(data, "");
        onState = onChannelState;
        return {
          dispose: () => {
            channels.splice(channels.indexOf(channel), 1);
          },
        };
      },
    },
    setState(next) {
      state = next;
      states.fire(next);
    },
    open(generation) {
      fake.setState(ready(generation));
      fake.setChannel({ kind: "accepted", generation });
    },
    setChannel: (channelState) => {
      onState(channelState);
    },
    push: (data) => {
      listener(data);
    },
  };
  return fake;
}

/** As a session does: where the orders are wanted one by one and can be listed, they are not parsed. */
function openOrdersResponse(
  result: unknown,
  options: CallOptions | undefined,
  { receivedAtMs, totalMs }: Pick<ResponseTiming, "receivedAtMs" | "totalMs">,
): MaskedResponse {
  const bodyText = JSON.stringify(result);
  const list = options?.wantsOrders === true ? listOrders(bodyText) : undefined;
  return {
    wireId: 1,
    method: "private/get_open_orders",
    bodyText,
    result: list === undefined ? result : undefined,
    list,
    error: undefined,
    hasMaskedSecrets: false,
    timing: { receivedAtMs, totalMs, queuedMs: 0, exchangeMs: undefined },
    testnet: true,
  };
}

/** An order with what every order has, and what the test wants. */
export function order(order_id: string, members: Partial<Order> = {}): Order {
  return sampleOrder(order_id, { creation_timestamp: 100, last_update_timestamp: 100, ...members });
}
