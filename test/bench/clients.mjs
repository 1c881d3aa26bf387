// @ts-check
/** The clients that are compared: the limit, a peer, and the session that ships. All ask the mock the same. */
import { once } from "node:events";
import { loadParts, loadPeer, loadWs } from "./shipped.mjs";

/**
 * @typedef {{ name: string, call: (method: string, params: object) => Promise<unknown>, onEvent: (listener: (data: any)
 * => void) => void, close: () => void }} Client
 */

const CHANNEL = "user.orders.any.any.raw";
/** What the session adds to private calls: the others say it themselves, so that all send the same bytes. */
const TOKEN = `1795.${"a".repeat(80)}`;

/**
 * As little as a client can do: the library, `JSON.parse`, and a Map of promises.
 * @param {string} name
 * @param {string} url
 * @returns {Promise<Client>}
 */
export async function connectRaw(name, url) {
  const socket = new (loadWs().WebSocket)(url, { perMessageDeflate: false });
  /** @type {Map<number, { resolve: (value: unknown) => void, reject: (error: unknown) => void }>} */
  const pending = new Map();
  /** @type {(data: any) => void} */
  let listener = () => undefined;
  let lastId = 0;
  socket.on("message", (/** @type {Buffer} */ data) => {
    const message = JSON.parse(data.toString());
    if (message.method === "subscription") {
      listener(message.params.data);
      return;
    }
    const call = pending.get(message.id);
    if (call === undefined) return;
    pending.delete(message.id);
    if (message.error === undefined) call.resolve(message.result);
    else call.reject(message.error);
  });
  await once(socket, "open");
  return {
    name,
    call: (method, params) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        pending.set(id, { resolve, reject });
        socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params: { access_token: TOKEN, ...params } }));
      }),
    onEvent: (next) => (listener = next),
    close: () => socket.terminate(),
  };
}

/** @param {string} url @returns {Promise<Client>} */
export async function connectRpcWebsockets(url) {
  const client = new (await loadPeer("rpc-websockets")).Client(url, { reconnect: false, perMessageDeflate: false });
  await once(client, "open");
  return {
    name: "rpc-websockets",
    call: (method, params) => client.call(method, { access_token: TOKEN, ...params }),
    onEvent: (listener) => client.on("subscription", (/** @type {any} */ { data }) => listener(data)),
    close: () => client.close(),
  };
}

/**
 * It has no transport of its own: what it sends goes to the library, what comes is parsed for it.
 * @param {string} url
 * @returns {Promise<Client>}
 */
export async function connectJsonRpc20(url) {
  const { JSONRPCClient } = await loadPeer("json-rpc-2.0");
  const socket = new (loadWs().WebSocket)(url, { perMessageDeflate: false });
  const client = new JSONRPCClient((/** @type {object} */ payload) => socket.send(JSON.stringify(payload)));
  /** @type {(data: any) => void} */
  let listener = () => undefined;
  socket.on("message", (/** @type {Buffer} */ data) => {
    const message = JSON.parse(data.toString());
    if (message.method === "subscription") listener(message.params.data);
    else client.receive(message);
  });
  await once(socket, "open");
  return {
    name: "json-rpc-2.0",
    call: (method, params) => client.request(method, { access_token: TOKEN, ...params }),
    onEvent: (next) => (listener = next),
    close: () => socket.terminate(),
  };
}

/** @param {string} url @returns {Promise<Client>} */
export async function connectVscodeWsJsonrpc(url) {
  const { createWebSocketConnection } = await loadPeer("vscode-ws-jsonrpc");
  const socket = new (loadWs().WebSocket)(url, { perMessageDeflate: false });
  await once(socket, "open");
  const silent = () => undefined;
  const connection = createWebSocketConnection(
    {
      send: (/** @type {string} */ text) => socket.send(text),
      onMessage: (/** @type {(text: string) => void} */ listener) =>
        socket.on("message", (/** @type {Buffer} */ data) => listener(data.toString())),
      onError: (/** @type {(error: Error) => void} */ listener) => socket.on("error", listener),
      onClose: silent,
      dispose: silent,
    },
    { error: console.error, warn: silent, info: silent, log: silent },
  );
  connection.listen();
  return {
    name: "vscode-ws-jsonrpc",
    call: (method, params) => connection.sendRequest(method, { access_token: TOKEN, ...params }),
    onEvent: (listener) => connection.onNotification("subscription", (/** @type {any} */ { data }) => listener(data)),
    close: () => (connection.dispose(), socket.terminate()),
  };
}

/** The clients of JSON-RPC that others have made. */
export const PEERS = {
  "rpc-websockets": connectRpcWebsockets,
  "json-rpc-2.0": connectJsonRpc20,
  "vscode-ws-jsonrpc": connectVscodeWsJsonrpc,
};

const BENCH_KEY = {
  kind: "client_credentials",
  clientId: "bench",
  clientSecret: "bench-secret-of-no-account",
};

/**
 * A session as the extension makes it, its traffic recorded; only its limits are off, which is what they can be switched
 * off for.
 * @param {string} url
 * @param {any} [main] the shipped file
 * @param {object} [credentials]
 */
export async function openSession(url, main = loadParts(), credentials = BENCH_KEY) {
  const clock = main.createSystemClock();
  const silent = () => undefined;
  const log = {
    trace: silent,
    debug: silent,
    info: silent,
    warn: (/** @type {string} */ text) => console.error(text),
    error: (/** @type {string} */ text) => console.error(text),
  };
  let wireId = 1_000_000;
  const session = main.createSession({
    dial: (/** @type {AbortSignal} */ signal) => main.dialWebSocket(url, { clock }, signal),
    credentials: async () => credentials,
    client: { name: "bench", version: "0" },
    clock,
    random: Math.random,
    log,
    nextWireId: () => ++wireId,
    nextGeneration: () => 1,
    limits: "off",
    isTracing: () => false,
    traffic: new main.TrafficRecorder({ clock, log, isDebugging: () => false }),
  });
  const ready = new Promise((resolve, reject) => {
    session.onDidChangeState((/** @type {any} */ state) => {
      if (state.status === "ready") resolve(undefined);
      if (state.status === "locked" || state.status === "waiting") reject(new Error(JSON.stringify(state)));
    });
  });
  session.connect();
  await ready;
  return { session, clock, log, main };
}

/**
 * @param {string} url
 * @returns {Promise<Client>}
 */
export async function connectSession(url) {
  const { session } = await openSession(url);
  return {
    name: "session",
    call: (method, params) => session.caller.call(method, JSON.stringify(params)),
    onEvent: (listener) => session.subscribe(CHANNEL, listener, () => undefined),
    close: () => session.dispose(),
  };
}
