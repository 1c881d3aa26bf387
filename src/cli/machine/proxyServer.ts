import * as http from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import { isFromThisComputer } from "../../rpc/address.ts";
import type { Transport } from "../../rpc/transport.ts";
import type { BotRecording } from "../../recording/bots/botRecording.ts";

/** What a proxy needs. */
export interface ProxyOptions {
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** Opens a connection to the one server behind it. */
  readonly dial: (signal: AbortSignal) => Promise<Transport>;
  readonly notes: BotRecording;
  /** Called when the server behind it can't be reached. */
  readonly onFailure: (error: unknown) => void;
}

/** A proxy that accepts connections. */
export interface RunningProxy {
  /** The address of its WebSocket, on loopback. */
  readonly webSocket: string;
  /** Ends all connections, and frees the port. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const PATH = "/ws/api/v2";
const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;
/** The most bytes that wait for a program that does not read, until it is cut off. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Starts a proxy on loopback: each connection to it is one to the server behind it, and texts pass unchanged in both
 * directions. Rejects with the system's error, e.g. `EADDRINUSE`.
 */
export async function startProxy({ port, ...options }: ProxyOptions): Promise<RunningProxy> {
  const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_PAYLOAD_BYTES });
  // There is nothing but the WebSocket.
  const server = http.createServer((_request, response) => response.writeHead(426, { connection: "close" }).end());
  let connections = 0;
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    if (!isFromThisComputer(request.headers)) refuse(request, 403);
    else if (request.url !== PATH) refuse(request, 404);
    else
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        connections++;
        connect(webSocket, connections, options);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, resolve);
  });
  const address = server.address();
  const ownPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    webSocket: `ws://${HOST}:${ownPort}${PATH}`,
    async close() {
      for (const webSocket of webSockets.clients) webSocket.terminate();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Refuses the upgrade of a connection, and ends it. */
function refuse(request: http.IncomingMessage, status: number): void {
  const response = new http.ServerResponse(request);
  response.assignSocket(request.socket);
  response.on("finish", () => request.socket.destroySoon());
  response.writeHead(status, { connection: "close" }).end();
}

/** Joins a connection of the program with one to the server. */
function connect(
  webSocket: WebSocket,
  connection: number,
  { dial, notes, onFailure }: Omit<ProxyOptions, "port">,
): void {
  const giveUp = new AbortController();
  let upstream: Transport | undefined;
  let isOver = false;
  const end = (by: "bot" | "exchange"): void => {
    if (isOver) return;
    isOver = true;
    notes.closed(connection, by);
    giveUp.abort();
    upstream?.close();
    webSocket.resume();
    webSocket.close();
  };
  const pass = (transport: Transport, text: string): void => {
    try {
      transport.send(text);
    } catch {
      end("exchange");
    }
  };
  notes.opened(connection);
  // What comes before the server is reached waits in the socket.
  webSocket.pause();
  webSocket.on("message", (data, isBinary) => {
    if (isOver) return;
    if (isBinary) {
      webSocket.close(1003);
      return;
    }
    const text = (data as Buffer).toString("utf8");
    notes.sent(connection, text);
    if (upstream !== undefined) pass(upstream, text);
  });
  // What the program does wrong is followed by the close event.
  webSocket.on("error", () => undefined);
  webSocket.on("close", () => end("bot"));
  dial(giveUp.signal).then(
    (transport) => {
      if (isOver) {
        transport.close();
        return;
      }
      upstream = transport;
      transport.onText((text) => {
        notes.received(connection, text);
        webSocket.send(text);
        if (webSocket.bufferedAmount > MAX_WAITING_BYTES) webSocket.terminate();
      });
      transport.onClose(() => end("exchange"));
      webSocket.resume();
    },
    (error: unknown) => {
      if (!isOver) onFailure(error);
      end("exchange");
    },
  );
}
