import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { createEmitter } from "../../src/base/emitter.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import type { Transport, TransportClose } from "../../src/rpc/transport.ts";
import type { LinkWire, WirePorts } from "../simulation/wire.ts";
import { createBook, withMembers } from "./bookWire.ts";

/*
 * The wire of the simulation with a real WebSocket in it: the core holds our own transport, which is connected over
 * loopback to a server of the `ws` library. Latency, faults and chance stay those of the wire in memory, which keeps
 * the books; each text and each end that it hands over has to have come through the socket.
 *
 * Over TCP a text that left in the very moment in which its link was cut off is lost, and nothing reaches a link that
 * was cut off from here: the wire in memory may hand over both, and those are handed over by the book.
 */

/** A connected pair: what the core gets, and the server's end. */
interface Hop {
  readonly near: Transport;
  readonly far: WebSocket;
  /** Texts that have left and not arrived: from the core, to the core. */
  leaving: number;
  coming: number;
  /** Texts of the core that came through and wait for their time. */
  readonly arrived: string[];
  /** One of the ends was told to end it. */
  isEnding: boolean;
  isNearClosed: boolean;
  isFarClosed: boolean;
}

/** What went through sockets so far. */
export interface Carried {
  texts: number;
  ends: number;
  /** Handed over without having come through a socket. */
  byTheBook: number;
}

export const carried: Carried = { texts: 0, ends: 0, byTheBook: 0 };

/** A run needs at most one link at a time; between two turns of the loop it may lose one and dial again. */
const SPARE = 2;
/** So many turns of the loop without an end mean that something was lost. */
const MAX_TURNS = 200_000;

const spare: Hop[] = [];
let used: Hop[] = [];
let server: Promise<Dialler> | undefined;

type Dialler = () => Promise<Hop>;

/** Resolves when everything that left has arrived, in both directions, and all ends were heard of. */
export async function quiet(): Promise<void> {
  while (spare.length < SPARE) spare.push(await (await (server ??= startServer()))());
  for (let turn = 0; used.some(isBusy); turn++) {
    if (turn === MAX_TURNS)
      throw new Error(
        `something was lost on loopback: ${JSON.stringify(used.filter(isBusy).map(({ near, far, ...rest }) => ({ ...rest, near: near.description, far: far.readyState })))}`,
      );
    await nextTurn();
    // What arrived in this turn is answered before the next look.
    if (!used.some(isBusy)) await nextTurn();
  }
  used = used.filter((hop) => !hop.isNearClosed);
}

function isBusy({ leaving, coming, isEnding, isNearClosed, isFarClosed }: Hop): boolean {
  if (isEnding || isNearClosed || isFarClosed) return !isNearClosed || !isFarClosed;
  return leaving > 0 || coming > 0;
}

async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

async function startServer(): Promise<Dialler> {
  const webServer = http.createServer();
  const webSockets = new WebSocketServer({ server: webServer, perMessageDeflate: false });
  await new Promise<void>((resolve) => {
    webServer.listen(0, "127.0.0.1", resolve);
  });
  const url = `ws://127.0.0.1:${(webServer.address() as AddressInfo).port}/`;
  // The deadlines of dialling and closing are not part of a run.
  const clock = { now: () => 0, monotonicMs: () => 0, after: () => ({ dispose: () => undefined }) };
  return async () => {
    const accepted = new Promise<WebSocket>((resolve) => {
      webSockets.once("connection", resolve);
    });
    const [near, far] = await Promise.all([dialWebSocket(url, { clock }, new AbortController().signal), accepted]);
    return createHop(near, far);
  };
}

function createHop(near: Transport, far: WebSocket): Hop {
  const hop: Hop = {
    near,
    far,
    leaving: 0,
    coming: 0,
    arrived: [],
    isEnding: false,
    isNearClosed: false,
    isFarClosed: false,
  };
  far.on("message", (data: Buffer) => {
    hop.leaving--;
    hop.arrived.push(data.toString());
  });
  far.on("error", () => undefined);
  far.on("close", () => {
    hop.isFarClosed = true;
  });
  return hop;
}

/** In the place of the wire in memory. */
export function createWire(ports: WirePorts): LinkWire {
  const hop = spare.shift();
  if (hop === undefined) throw new Error("no socket is left");
  used.push(hop);
  const { near, far } = hop;
  const texts = createEmitter<string>();
  const closes = createEmitter<TransportClose>();
  const server = createEmitter<string>();
  let isCutOff = false;
  /** How the wire in memory ended; the socket has to tell the same. */
  let ended: TransportClose | undefined;

  const onArrival = (text: string): void => {
    if (hop.isEnding || hop.isNearClosed) {
      carried.byTheBook++;
      ports.onArrival(text, () => undefined);
      arrived();
      return;
    }
    hop.coming++;
    far.send(text);
  };
  const { wire, arrived } = createBook({ ...ports, onArrival }, true, () => {
    hop.isEnding = true;
  });
  wire.server.onText((text) => {
    const place = hop.arrived.indexOf(text);
    if (place < 0) carried.byTheBook++;
    // What stands before it was lost on the way by the wire.
    else hop.arrived.splice(0, place + 1);
    server.fire(text);
  });
  wire.client.onClose((close) => {
    ended = close;
    hop.isEnding = true;
    if (close.trouble === "closedByUs") return;
    const [, code] = /^close code (\d+)/.exec(close.detail) ?? [];
    const reason = /^close code \d+: (.*)$/s.exec(close.detail)?.[1] ?? "";
    if (code === "1006" || code === undefined) far.terminate();
    else far.close(Number(code), reason);
  });
  near.onText((text) => {
    hop.coming--;
    carried.texts++;
    ports.onArrival(text, () => {
      texts.fire(text);
    });
    arrived();
  });
  near.onClose((close) => {
    hop.isNearClosed = true;
    carried.ends++;
    if (!isCutOff && ended !== undefined && ended.trouble !== close.trouble)
      throw new Error(`the wire ended with ${ended.trouble}, the socket with ${close.trouble} (${close.detail})`);
    closes.fire(close);
  });

  const cutOff = (how: "terminate" | "dispose"): void => {
    isCutOff = true;
    hop.isEnding = true;
    wire.client[how]();
    near[how]();
  };
  const client: Transport = {
    description: wire.client.description,
    send(text) {
      wire.client.send(text);
      near.send(text);
      hop.leaving++;
      carried.texts++;
    },
    onText: texts.event,
    onClose: closes.event,
    close() {
      hop.isEnding = true;
      wire.client.close();
      near.close();
    },
    terminate: () => {
      cutOff("terminate");
    },
    dispose: () => {
      cutOff("dispose");
    },
  };
  return withMembers(wire, { client, server: { ...wire.server, onText: server.event } });
}
