import * as http from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import { createEmitter } from "../../base/emitter.ts";
import { toFailure } from "../../base/failure.ts";
import type { Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";
import { isFromThisComputer } from "../../rpc/address.ts";
import type { Transport, TransportClose } from "../../rpc/transport.ts";
import type { GatewayDoor, Outlet } from "../sessions/connection.ts";
import type { Control } from "./control.ts";
import { runControl } from "./controlRoutes.ts";
import { errorName } from "../text/errors.ts";
import type { Exchange } from "./exchange.ts";
import { httpStatus, readHttpRequest } from "./httpRequests.ts";

/** The addresses of a running simulator, and its credentials. */
export interface SimulatorAddresses {
  readonly webSocket: string;
  readonly http: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The address of the socket for market channels, and the key, of a simulator that plays the gateway. */
  readonly streams?: string;
  readonly key?: { readonly name: string; readonly privateKey: string };
  /** The path for tests: `POST {url}/<name>` with `Authorization: Bearer {token}`. On a port of its own. */
  readonly control: { readonly url: string; readonly token: string };
}

export interface SimulatorServer {
  readonly addresses: SimulatorAddresses;
  /** Ends all connections and frees the ports; the exchange is disposed with it. */
  close(): Promise<void>;
}

/** What a server serves: an exchange, with credentials and a control where it has them. */
export type ServedExchange = Pick<Exchange, "accept" | "respondOverHttp" | "isRefusing" | "dispose"> &
  Partial<Pick<Exchange, "clientId" | "clientSecret" | "gatewayKey">> & { readonly control?: Partial<Control> };

interface ServerOptions {
  readonly exchange: ServedExchange;
  /** The port; 0 picks a free one. */
  readonly port: number;
  readonly controlToken: string;
  /** Whether the 33rd connection of an address is sent away. */
  readonly limits: boolean;
  readonly log: Log;
}

type Socket = http.IncomingMessage["socket"];

const HOST = "127.0.0.1";
const WEB_SOCKET_PATH = "/ws/api/v2";
/**
 * The size at which a frame is cut off, in bytes; the exchange itself responds to frames beyond its own, smaller
 * maximum.
 */
const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;
const MAX_CONNECTIONS = 32;

/**
 * Serves an exchange on loopback: WebSocket and HTTP on one port, the control path on another. Resolves once it accepts
 * connections; rejects with the system's error, e.g. `EADDRINUSE`.
 */
export async function startServer(options: ServerOptions): Promise<SimulatorServer> {
  const { exchange, log } = options;
  const sockets = new Set<Socket>();
  const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_PAYLOAD_BYTES });
  const isFull = (): boolean => options.limits && sockets.size > MAX_CONNECTIONS;
  const main = http.createServer((request, response) => {
    if (!isFromThisComputer(request.headers)) refuseForeign(response);
    else if (isFull()) response.writeHead(429, { connection: "close" }).end();
    else void collectBody(request).then((body) => respondToCall(exchange, request, { response, body }));
  });
  const serveSockets = (server: http.Server, door: GatewayDoor): void => {
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    server.on("upgrade", (request, socket, head) => {
      socket.on("error", (error) => log.debug(plain`A connection failed: ${plain.text(error.message)}`));
      if (exchange.isRefusing) socket.destroy();
      else if (!isFromThisComputer(request.headers))
        socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
      else if (isFull()) socket.end("HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
      else if (request.url?.split("?")[0] !== WEB_SOCKET_PATH)
        socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
      else
        webSockets.handleUpgrade(request, socket, head, (webSocket) =>
          exchange.accept(createServerTransport(webSocket, request.socket), door),
        );
    });
  };
  serveSockets(main, "trading");
  // Nothing but the socket for market channels.
  const streams =
    exchange.gatewayKey === undefined
      ? undefined
      : http.createServer((_request, response) => response.writeHead(404, { connection: "close" }).end());
  if (streams !== undefined) serveSockets(streams, "streams");
  const control = http.createServer((request, response) => {
    if (!isFromThisComputer(request.headers)) {
      refuseForeign(response);
      return;
    }
    void collectBody(request).then((body) => respondToControl(options, request, { response, body }));
  });

  const port =
    streams === undefined ? await listen(main, options.port) : await listenTwice(main, streams, options.port);
  const controlPort = await listen(control, 0);
  return {
    addresses: {
      webSocket: `ws://${HOST}:${port}${WEB_SOCKET_PATH}`,
      http: `http://${HOST}:${port}/api/v2`,
      clientId: exchange.clientId ?? "",
      clientSecret: exchange.clientSecret ?? "",
      ...(exchange.gatewayKey === undefined
        ? {}
        : {
            streams: `ws://${HOST}:${port + 1}${WEB_SOCKET_PATH}`,
            key: { name: exchange.gatewayKey.name, privateKey: exchange.gatewayKey.privateKey },
          }),
      control: { url: `http://${HOST}:${controlPort}/control`, token: options.controlToken },
    },
    async close() {
      for (const webSocket of webSockets.clients) webSocket.close(1001);
      exchange.dispose();
      for (const socket of sockets) socket.destroySoon();
      await Promise.all([main, control, ...(streams === undefined ? [] : [streams])].map(closeServer));
    },
  };
}

function refuseForeign(response: http.ServerResponse): void {
  response.writeHead(403, { connection: "close" }).end();
}

/** The most free ports that are tried until the next one is free too. */
const MAX_PAIRS = 50;

/** Lets two servers listen at two ports in a row, which is how clients find the second one. Returns the first. */
async function listenTwice(first: http.Server, second: http.Server, wanted: number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await listen(first, wanted);
    try {
      await listen(second, port + 1);
      return port;
    } catch (error) {
      await closeServer(first);
      if (wanted !== 0 || attempt === MAX_PAIRS) throw error;
    }
  }
}

async function listen(server: http.Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function closeServer(server: http.Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Resolves to a body; to undefined for one that is not read to its end, or that broke off. */
async function collectBody(request: http.IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MAX_PAYLOAD_BYTES) return undefined;
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString("utf8");
  } catch {
    return undefined;
  }
}

interface Exchanging {
  readonly response: http.ServerResponse;
  readonly body: string | undefined;
}

function respondToCall(exchange: ServedExchange, request: http.IncomingMessage, { response, body }: Exchanging): void {
  if (exchange.isRefusing || body === undefined) {
    response.destroy();
    return;
  }
  const { "content-type": contentType, authorization } = request.headers;
  const reading = readHttpRequest({
    method: request.method ?? "",
    url: request.url ?? "/",
    contentType,
    authorization,
    body,
  });
  switch (reading.kind) {
    case "frame":
      exchange.respondOverHttp(reading.frame, createHttpOutlet(response));
      return;
    case "contentType":
      sendJson(
        response,
        400,
        JSON.stringify({ jsonrpc: "2.0", error: { code: 13018, message: errorName(13018) }, testnet: true }),
      );
      return;
    case "notFound":
      response.writeHead(404).end();
  }
}

/** Makes the outlet of one HTTP request. It has one response: what comes after it is dropped. */
function createHttpOutlet(response: http.ServerResponse): Outlet {
  return {
    send(text, errorCode) {
      if (!response.headersSent) sendJson(response, httpStatus(errorCode), text);
    },
    fail(status, html) {
      if (!response.headersSent) response.writeHead(status, { "content-type": "text/html" }).end(html);
    },
    close() {
      if (!response.headersSent) response.destroy();
    },
    terminate() {
      response.socket?.resetAndDestroy();
    },
  };
}

function sendJson(response: http.ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}

function respondToControl(
  { exchange, controlToken }: ServerOptions,
  request: http.IncomingMessage,
  { response, body = "" }: Exchanging,
): void {
  if (request.headers.authorization !== `Bearer ${controlToken}`) {
    sendJson(response, 401, '{"error":"the control token is missing or wrong"}');
    return;
  }
  try {
    const name = /^\/control\/(\w+)$/.exec(request.url ?? "")?.[1] ?? "";
    const text = exchange.control === undefined ? undefined : runControl(exchange.control, name, body);
    sendJson(response, text === undefined ? 404 : 200, text ?? '{"error":"there is no such control"}');
  } catch (thrown) {
    sendJson(response, 400, JSON.stringify({ error: toFailure(thrown) }));
  }
}

/**
 * Returns a WebSocket as the exchange's transport. Frames of one turn leave together; binary frames end the connection.
 */
function createServerTransport(webSocket: WebSocket, socket: Socket): Transport {
  const texts = createEmitter<string>();
  const closes = createEmitter<TransportClose>();
  let isCorked = false;
  webSocket.on("message", (data, isBinary) => {
    if (isBinary) webSocket.close(1003);
    else texts.fire((data as Buffer).toString("utf8"));
  });
  // What the other side does wrong is followed by the close event.
  webSocket.on("error", () => undefined);
  webSocket.on("close", (code) => closes.fire({ trouble: "closedByServer", detail: String(code) }));
  return {
    description: `client ${socket.remoteAddress ?? ""}:${socket.remotePort ?? 0}`,
    send(text) {
      if (webSocket.readyState !== webSocket.OPEN) return;
      if (!isCorked) {
        isCorked = true;
        socket.cork();
        process.nextTick(() => {
          isCorked = false;
          socket.uncork();
        });
      }
      // The frame stands between those that the library writes itself: pongs, and the closing.
      socket.write(textFrame(text));
    },
    onText: texts.event,
    onClose: closes.event,
    close: (code = 1000) => webSocket.close(code),
    terminate() {
      if (!socket.destroyed) socket.resetAndDestroy();
    },
    dispose: () => webSocket.terminate(),
  };
}

const FINAL_TEXT = 0x81;
/** Lengths up to this stand in the second byte of a frame; two marks say in how many bytes longer ones follow. */
const LONGEST_SHORT = 125;
const IN_TWO_BYTES = 126;
const IN_EIGHT_BYTES = 127;

/**
 * Returns a text as one whole WebSocket frame of a server, without a mask and without compression. Header and payload
 * are one buffer, so that thousands of frames a second are not copied on their way to the socket.
 * https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = length <= LONGEST_SHORT ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FINAL_TEXT;
  if (start === 2) frame[1] = length;
  else if (start === 4) {
    frame[1] = IN_TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = IN_EIGHT_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  // Nearly all texts are ASCII, which has the same bytes in both encodings and is written faster in this one.
  frame.write(text, start, length === text.length ? "latin1" : "utf8");
  return frame;
}
