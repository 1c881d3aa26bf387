import { describeAccount } from "../../../src/simulator/wire/accountFile.ts";
import assert from "node:assert/strict";
import { isEvent, isFrame, isResult, resultProblems } from "../../../src/catalogue/index.ts";
import { DEFAULT_ORDERS } from "../../../src/simulator/demo/demo.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import type { Outlet } from "../../../src/simulator/sessions/connection.ts";
import { createExchange, type Exchange, type ExchangeOptions } from "../../../src/simulator/wire/exchange.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";

/** A response, as far as tests look into it. */
export interface MaskedResponse {
  readonly id?: number | string;
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly param?: string; readonly reason?: string };
  };
  readonly usIn: number;
  readonly usOut: number;
  readonly usDiff: number;
  readonly testnet: boolean;
}

/** The client's end of a connection, without any intelligence: texts go out, texts come in. */
export interface Conversation {
  readonly exchange: Exchange;
  readonly clock: FakeClock;
  /** Every text that came, in order. */
  readonly received: string[];
  readonly isOpen: boolean;
  send(text: string): Promise<void>;
  /**
   * Sends a request and hands out its response; fails when there is none, or when it does not have its method's shape.
   */
  call(method: string, params?: Record<string, unknown>): Promise<MaskedResponse>;
  /** `call` for what must succeed. */
  result<T = unknown>(method: string, params?: Record<string, unknown>): Promise<T>;
  /** `call` for what must be refused: the code, and data where there is some. */
  refusal(method: string, params?: Record<string, unknown>): Promise<[number, ...unknown[]]>;
  /** Signs in with the key's credentials. */
  signIn(scope?: string): Promise<Token>;
  /** Payloads of the events of a channel that came so far. */
  events(channel: string): unknown[];
  close(): void;
}

export interface Token {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: string;
  readonly sid?: string;
}

export interface Situation {
  readonly exchange: Exchange;
  readonly clock: FakeClock;
  readonly connect: () => Conversation;
  /** One HTTP request with a frame as its body. */
  readonly post: (
    frame: Record<string, unknown>,
    bearer?: string,
  ) => Promise<MaskedResponse & { readonly status: number | undefined }>;
}

/** Money without positions. */
export const MONEY = describeAccount({ balances: { BTC: 12.5, ETH: 150, USDC: 250_000, USDT: 40_000 } });

/**
 * An exchange on a clock that stands still; its world does not move, and the account has no positions, unless the
 * options say so.
 */
export function createSituation(options: Partial<ExchangeOptions> = {}): Situation {
  const clock = (options.clock as FakeClock | undefined) ?? createFakeClock();
  const usual = { random: createFakeRandom(7), still: true, limits: false, account: MONEY, orders: DEFAULT_ORDERS };
  const exchange = createExchange({ ...usual, ...options, clock });
  return {
    exchange,
    clock,
    connect: () => converse(exchange, clock),
    async post(frame, bearer) {
      const sent: { text: string; code: number | undefined }[] = [];
      const outlet: Outlet = {
        send: (text, code) => {
          sent.push({ text, code });
        },
        close: () => undefined,
        terminate: () => undefined,
      };
      exchange.respondOverHttp(
        { text: JSON.stringify({ jsonrpc: "2.0", ...frame }), ...(bearer === undefined ? {} : { bearer }) },
        outlet,
      );
      await clock.settle();
      assert.equal(sent.length, 1);
      return { ...(JSON.parse(sent[0]?.text ?? "") as MaskedResponse), status: sent[0]?.code };
    },
  };
}

function converse(exchange: Exchange, clock: FakeClock): Conversation {
  const [client, server] = createLinkedPair();
  const received: string[] = [];
  let isOpen = true;
  let nextId = 1;
  client.onText((text) => {
    received.push(text);
    checkEvent(text);
  });
  client.onClose(() => {
    isOpen = false;
  });
  exchange.accept(server);
  const send = async (text: string): Promise<void> => {
    client.send(text);
    await clock.settle();
  };
  const call: Conversation["call"] = async (method, params = {}) => {
    const id = nextId++;
    await send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const text = received.find((each) => each.startsWith(`{"jsonrpc":"2.0","id":${String(id)},`));
    assert.ok(text !== undefined, `${method} was not answered`);
    const response = JSON.parse(text) as MaskedResponse;
    assert.equal(isFrame(response.error === undefined ? "successFrame" : "errorFrame", response), true, text);
    assert.ok(
      Number.isInteger(response.usIn) && response.usOut === response.usIn + response.usDiff && response.testnet,
    );
    if (response.error === undefined)
      assert.equal(isResult(method, response.result), true, JSON.stringify(resultProblems(method, response.result)));
    return response;
  };
  const result: Conversation["result"] = async (method, params) => {
    const response = await call(method, params);
    assert.equal(response.error, undefined, JSON.stringify(response.error));
    return response.result as never;
  };
  return {
    exchange,
    clock,
    received,
    get isOpen() {
      return isOpen;
    },
    send,
    call,
    result,
    async refusal(method, params) {
      const { error } = await call(method, params);
      assert.ok(error !== undefined, `${method} was not refused`);
      return [error.code, ...(error.data === undefined ? [] : [error.data.param, error.data.reason])];
    },
    signIn: async (scope) =>
      await result<Token>("public/auth", {
        grant_type: "client_credentials",
        client_id: exchange.clientId,
        client_secret: exchange.clientSecret,
        ...(scope === undefined ? {} : { scope }),
      }),
    events: (channel) =>
      received
        .map((text) => JSON.parse(text) as { params?: { channel?: string; data?: unknown } })
        .filter((frame) => frame.params?.channel === channel)
        .map((frame) => frame.params?.data),
    close: () => {
      client.close();
    },
  };
}

/** Every event that the simulator ever sends in a test has the shape of its channel. */
function checkEvent(text: string): void {
  if (!text.startsWith('{"jsonrpc":"2.0","method":"subscription"')) return;
  const frame = JSON.parse(text) as { params: { channel: string; data: unknown } };
  assert.equal(isFrame("subscriptionFrame", frame), true, text);
  assert.equal(isEvent(frame.params.channel, frame.params.data), true, text);
}
