import { createHmac, verify, type KeyObject } from "node:crypto";
import type { Clock } from "../src/base/clock.ts";
import { CallError, type Failure } from "../src/base/failure.ts";
import type { Disposable, Event } from "../src/base/emitter.ts";
import { createLinkedPair } from "./linkedPair.ts";
import type { Dial, Transport } from "../src/rpc/transport.ts";

/** A request as the server got it. */
export interface ReceivedRequest {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The whole text as it came. */
  readonly text: string;
  readonly connection: ServerConnection;
}

/**
 * What comes back for a request: a value, a text for its literals, an error, a text that need not be JSON, the same
 * reply twice, a reply after a while, no reply, or the end of the connection.
 */
export type Reply =
  | { readonly result: unknown }
  | { readonly resultText: string }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly frame: string }
  | { readonly twice: Reply }
  | { readonly late: Reply; readonly afterMs: number }
  | "silence"
  | "close";

/** The script of a method: returns what comes back for each request of it. */
export type Responder = (request: ReceivedRequest) => Reply;

/** A connection of a client to the server. */
export interface ServerConnection {
  /** The server's end. */
  readonly transport: Transport;
  readonly number: number;
  /** Sends a text as it is. */
  send(text: string): void;
  event(channel: string, dataText: string): void;
  respond(request: ReceivedRequest, response: Reply): void;
  /** Access tokens that are worth something here. */
  readonly tokens: Set<string>;
  readonly isOver: boolean;
}

/**
 * A server in this process that does what a test's script says, and otherwise what the core specification says. It
 * keeps each request. `accept` serves any transport, a socket's too.
 */
export interface ScriptedServer {
  readonly dial: Dial;
  /** Talks over a link that was made elsewhere. */
  accept(end: Transport): ServerConnection;
  readonly requests: ReceivedRequest[];
  readonly connections: ServerConnection[];
  readonly last: ServerConnection;
  /** Listeners that are attached to the client's ends of all links. */
  readonly listenerCount: number;
  /** Replaces what a method does. */
  on(method: string, handler: Responder): void;
  /** What a method does unless it was replaced. */
  behave: Responder;
  /** The next dials end so; after them dials succeed. */
  failDials(...failures: readonly (Failure | "never")[]): void;
  /** Methods of all requests so far, in order. */
  methods(): string[];
  /** How far the server's clock is ahead. */
  skewMs: number;
  /** What the next grants say. */
  scope: string;
  expiresIn: number;
  /** Number of the account that signs in. */
  userId: number;
  /** The public key that verifies signatures; undefined: the secret does. */
  publicKey: KeyObject | undefined;
}

export const CLIENT_ID = "canary-client-id";
export const CLIENT_SECRET = "canary-client-secret-55f0";

/** Makes a server on a clock, without any script. */
export function createScriptedServer(clock: Clock): ScriptedServer {
  const handlers = new Map<string, Responder>();
  const requests: ReceivedRequest[] = [];
  const connections: ServerConnection[] = [];
  const dialFailures: (Failure | "never")[] = [];
  let listenerCount = 0;
  let tokenNumber = 0;

  const counted =
    <T>(event: Event<T>): Event<T> =>
    (listener) => {
      const subscription = event(listener);
      listenerCount++;
      let isThere = true;
      return {
        dispose() {
          if (isThere) listenerCount--;
          isThere = false;
          subscription.dispose();
        },
      } satisfies Disposable;
    };

  const server: ScriptedServer = {
    requests,
    connections,
    skewMs: 0,
    scope: "account:read connection mainaccount name:bot trade:read_write",
    expiresIn: 31_536_000,
    userId: 7001,
    publicKey: undefined,
    get last() {
      return connections.at(-1)!;
    },
    get listenerCount() {
      return listenerCount;
    },
    on(method, handler) {
      handlers.set(method, handler);
    },
    failDials(...failures) {
      dialFailures.push(...failures);
    },
    methods: () => requests.map((request) => request.method),
    async dial(signal) {
      const failure = dialFailures.shift();
      if (failure === "never") {
        return await new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            reject(new CallError({ kind: "cannotConnect", trouble: "closedByUs", detail: "stopped" }));
          });
        });
      }
      if (failure !== undefined) throw new CallError(failure);
      const [client, end] = createLinkedPair();
      server.accept(end);
      return { ...client, onText: counted(client.onText), onClose: counted(client.onClose) };
    },
    accept: (end) => accept(end),
    behave: (request) => behave(request),
  };

  const accept = (transport: Transport): ServerConnection => {
    let isOver = false;
    const connection: ServerConnection = {
      transport,
      number: connections.length + 1,
      tokens: new Set(),
      get isOver() {
        return isOver;
      },
      send: (text) => {
        transport.send(text);
      },
      event: (channel, dataText) => {
        transport.send(
          `{"jsonrpc":"2.0","method":"subscription","params":{"channel":${JSON.stringify(channel)},"data":${dataText}}}`,
        );
      },
      respond: (request, reply) => {
        if (isOver) return;
        if (reply === "close") transport.terminate();
        else if (typeof reply === "object" && "late" in reply)
          clock.after(reply.afterMs, () => connection.respond(request, reply.late));
        else if (typeof reply === "object" && "twice" in reply)
          for (const each of [reply.twice, reply.twice]) connection.respond(request, each);
        else {
          const text = frameOf(request.id, reply);
          if (text !== undefined) transport.send(text);
        }
      },
    };
    connections.push(connection);
    transport.onClose(() => {
      isOver = true;
    });
    transport.onText((text) => {
      const { id, method, params } = JSON.parse(text) as Pick<ReceivedRequest, "id" | "method" | "params">;
      const request: ReceivedRequest = { id, method, params, text, connection };
      requests.push(request);
      connection.respond(request, (handlers.get(method) ?? behave)(request));
    });
    return connection;
  };

  const grant = ({ connection }: ReceivedRequest): Reply => {
    tokenNumber++;
    const accessToken = `canary-access-token-${String(tokenNumber)}`;
    connection.tokens.clear();
    connection.tokens.add(accessToken);
    return {
      result: {
        access_token: accessToken,
        refresh_token: `canary-refresh-token-${String(tokenNumber)}`,
        expires_in: server.expiresIn,
        scope: server.scope,
        token_type: "bearer",
      },
    };
  };

  const authenticate = (request: ReceivedRequest): Reply => {
    const { grant_type: type, client_secret: secret, timestamp, nonce, data, signature } = request.params;
    const text = [timestamp, nonce, data].map(String).join("\n");
    const isSigned =
      server.publicKey === undefined
        ? signature === createHmac("sha256", CLIENT_SECRET).update(text).digest("hex")
        : isSignedBy(server.publicKey, text, String(signature));
    const isTimely = Math.abs(Number(timestamp) - (clock.now() + server.skewMs)) < 60_000;
    if (type === "client_signature" && isSigned && isTimely) return grant(request);
    if (type === "client_credentials" && secret === CLIENT_SECRET) return grant(request);
    if (type === "refresh_token") return grant(request);
    return { error: { code: 13004, message: "invalid_credentials" } };
  };

  const behave: Responder = (request) => {
    const { method, params, connection } = request;
    if (method.startsWith("private/") && !connection.tokens.has(String(params["access_token"])))
      return { error: { code: 13009, message: "unauthorized" } };
    switch (method) {
      case "public/auth":
        return authenticate(request);
      case "public/hello":
      case "public/test":
        return { result: { version: "1.2.26" } };
      case "public/get_time":
        return { result: clock.now() + server.skewMs };
      case "public/set_heartbeat":
        return { result: "ok" };
      case "public/subscribe":
      case "private/subscribe":
      case "public/unsubscribe":
      case "private/unsubscribe":
        return { result: params["channels"] };
      case "private/get_account_summaries":
        return { result: { id: server.userId, summaries: [] } };
      case "private/get_open_orders":
        return { result: [] };
      default:
        return { error: { code: -32601, message: "Method not found" } };
    }
  };

  return server;
}

function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  const digest = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  return verify(digest, Buffer.from(text), key, Buffer.from(signature, "base64url"));
}

/** Returns the text of a reply that is one text; undefined for the others. */
export function frameOf(id: number, response: Reply): string | undefined {
  if (typeof response === "string" || "late" in response || "twice" in response) return undefined;
  if ("frame" in response) return response.frame;
  const body =
    "error" in response
      ? `"error":${JSON.stringify(response.error)}`
      : `"result":${"resultText" in response ? response.resultText : JSON.stringify(response.result)}`;
  return `{"jsonrpc":"2.0","id":${String(id)},${body},"usIn":1700000000000000,"usOut":1700000000002000,"usDiff":2000,"testnet":true}`;
}
