import { isAscii } from "node:buffer";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import WebSocket, { type ClientOptions } from "ws";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { CallError, type LinkTrouble } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { checkAddress, isHttpAddress } from "./address.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { troubleOfClose, troubleOfError, troubleOfRefusal, type HttpRefusal } from "./linkTrouble.ts";
import type { Transport, TransportClose } from "./transport.ts";

interface WebSocketOptions {
  readonly clock: Clock;
}

/**
 * The timeout from the first packet to the finished upgrade, in ms. The library's own limit starts again with every
 * byte that comes.
 */
export const CONNECT_TIMEOUT_MS = 10_000;
/** The timeout of the closing, in ms. A peer that does not answer it is cut off; the library would wait for 30 s. */
const CLOSE_TIMEOUT_MS = 2000;
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;
/**
 * The maximum of waiting bytes, so that a server that takes nothing from the socket does not make us keep more and
 * more. What is refused was not sent.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** The minimum length at which it pays to look whether a text is plain ASCII, which is decoded three times as fast. */
const MIN_LENGTH_FOR_ASCII = 16 * 1024;

/**
 * The options that keep the link safe, set explicitly on the request itself. VS Code replaces agents and
 * `createConnection` to go through its proxy, and `NODE_TLS_REJECT_UNAUTHORIZED` in the environment overrides defaults.
 */
const CONNECTION_OPTIONS: ClientOptions = {
  perMessageDeflate: false,
  autoPong: false,
  followRedirects: false,
  maxPayload: MAX_PAYLOAD_BYTES,
  rejectUnauthorized: true,
  minVersion: "TLSv1.2",
};

/**
 * Opens a WebSocket. Throws `CallError` with `cannotConnect`, whose trouble says why. Gives up after 10 s of the clock
 * or when the signal fires.
 */
export async function dialWebSocket(url: string, { clock }: WebSocketOptions, signal: AbortSignal): Promise<Transport> {
  const address = checkAddress(url);
  if (address.kind === "unusable") throw cannotConnect("address", address.reason);
  if (isHttpAddress(address.url)) throw cannotConnect("address", l10n.t("not a WebSocket address"));
  if (signal.aborted) throw cannotConnect("closedByUs", l10n.t("stopped"));
  return await new Promise<Transport>((resolve, reject) => {
    const socket = new WebSocket(address.url, CONNECTION_OPTIONS);
    let connection: Socket | undefined;
    let isSettled = false;
    const settle = (): boolean => {
      const isFirst = !isSettled;
      isSettled = true;
      deadline.dispose();
      signal.removeEventListener("abort", giveUp);
      return isFirst;
    };
    const fail = (trouble: LinkTrouble, detail: string): void => {
      if (!settle()) return;
      socket.terminate();
      reject(cannotConnect(trouble, detail));
    };
    const giveUp = (): void => fail("closedByUs", l10n.t("stopped"));
    // First of all: an error without a listener would end the process, also long after the opening.
    socket.on("error", (error) => {
      const { trouble, detail } = troubleOfError(error);
      fail(trouble, detail);
    });
    socket.on("unexpected-response", (request: ClientRequest, response: IncomingMessage) => {
      const { trouble, detail } = troubleOfRefusal(refusalOf(response, address.url));
      fail(trouble, detail);
      request.destroy();
    });
    socket.on("upgrade", (response) => {
      connection = response.socket;
      if (!isTrusted(connection, address.url)) fail("tls", l10n.t("the certificate was not verified"));
    });
    socket.on("close", () => fail("closedByServer", l10n.t("closed before the handshake was finished")));
    socket.on("open", () => {
      if (settle()) resolve(new WebSocketTransport({ socket, connection, clock, description: address.origin }));
    });
    const deadline = clock.after(CONNECT_TIMEOUT_MS, () =>
      fail("connectTimeout", l10n.t("no connection within {0} s", CONNECT_TIMEOUT_MS / 1000)),
    );
    signal.addEventListener("abort", giveUp);
  });
}

interface OpenSocket {
  readonly socket: WebSocket;
  /** The stream below; from the upgrade, so that it is VS Code's own where a proxy is used. */
  readonly connection: Socket | undefined;
  readonly clock: Clock;
  readonly description: string;
}

class WebSocketTransport implements Transport {
  readonly description: string;
  readonly #socket: WebSocket;
  readonly #connection: Socket | undefined;
  readonly #clock: Clock;
  readonly #inbox: Inbox = createInbox();
  #isCorked = false;
  /** The data of a ping that waits for its response. */
  #ping: Buffer | undefined;
  #isClosing = false;
  #closing: Disposable | undefined;

  constructor({ socket, connection, clock, description }: OpenSocket) {
    this.description = description;
    this.#socket = socket;
    this.#connection = connection;
    this.#clock = clock;
    socket.on("error", (error) => this.#breakOff(troubleOfError(error)));
    socket.on("ping", (data: Buffer) => this.#answerPing(data));
    socket.on("message", (data, isBinary) => this.#receive(data as Buffer, isBinary));
    socket.on("close", (code, reason) => this.#finish(code, reason));
  }

  get onText(): Transport["onText"] {
    return this.#inbox.onText;
  }

  get onClose(): Transport["onClose"] {
    return this.#inbox.onClose;
  }

  send(text: string): void {
    if (this.#socket.bufferedAmount > MAX_WAITING_BYTES)
      throw new CallError({ kind: "notConnected", detail: l10n.t("the server isn't reading the sent data") });
    if (this.#socket.readyState !== WebSocket.OPEN)
      throw new CallError({ kind: "notConnected", detail: l10n.t("the connection is closed") });
    this.#cork();
    this.#socket.send(text);
  }

  close(): void {
    if (this.#isClosing || this.#inbox.isClosed) return;
    this.#isClosing = true;
    this.#closing = this.#clock.after(CLOSE_TIMEOUT_MS, () => this.#socket.terminate());
    this.#socket.close(1000);
  }

  terminate(): void {
    this.#isClosing = true;
    this.#closing?.dispose();
    this.#socket.terminate();
    this.#inbox.finish({ trouble: "closedByUs", detail: l10n.t("cut off") });
  }

  dispose(): void {
    this.terminate();
  }

  /**
   * Holds the sends of one tick, so that they leave in one packet: half again as many requests a second, and no later
   * than before.
   */
  #cork(): void {
    const connection = this.#connection;
    if (this.#isCorked || connection === undefined) return;
    this.#isCorked = true;
    connection.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      connection.uncork();
    });
  }

  /**
   * Answers only the latest ping of a tick: https://www.rfc-editor.org/rfc/rfc6455#section-5.5.3 allows it, and a flood
   * costs nothing.
   */
  #answerPing(data: Buffer): void {
    const isFirst = this.#ping === undefined;
    this.#ping = data;
    if (!isFirst) return;
    process.nextTick(() => {
      const ping = this.#ping;
      this.#ping = undefined;
      if (this.#socket.readyState === WebSocket.OPEN && this.#socket.bufferedAmount <= MAX_WAITING_BYTES)
        this.#socket.pong(ping);
    });
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#inbox.isClosed) return;
    if (!isBinary) {
      this.#inbox.receive(
        data.length > MIN_LENGTH_FOR_ASCII && isAscii(data) ? data.toString("latin1") : data.toString(),
      );
      return;
    }
    // Said first: whoever hears of the end cuts the link off.
    this.#socket.close(1003);
    this.#breakOff({ trouble: "protocol", detail: l10n.t("a binary frame") });
  }

  /**
   * Breaks the link off. Nothing of it counts any more; a peer that does not take part in ending it gets two seconds.
   */
  #breakOff(close: TransportClose): void {
    this.#inbox.finish(close);
    this.#closing ??= this.#clock.after(CLOSE_TIMEOUT_MS, () => this.#socket.terminate());
  }

  #finish(code: number, reason: Buffer): void {
    this.#closing?.dispose();
    this.#inbox.finish(
      this.#isClosing ? { trouble: "closedByUs", detail: "closed" } : troubleOfClose(code, reason.toString()),
    );
  }
}

function refusalOf({ statusCode = 0, headers, socket }: IncomingMessage, url: string): HttpRefusal {
  return {
    status: statusCode,
    location: headers.location,
    contentType: headers["content-type"],
    isFromProxy: isSecure(url) && !("encrypted" in socket),
  };
}

/**
 * Whether a connection is as the request asked. An editor that changes requests on their way could have removed that.
 */
function isTrusted(connection: Socket, url: string): boolean {
  return !isSecure(url) || ("authorized" in connection && connection.authorized === true);
}

function isSecure(url: string): boolean {
  return url.startsWith("wss:");
}

function cannotConnect(trouble: LinkTrouble, detail: string): CallError {
  return new CallError({ kind: "cannotConnect", trouble, detail });
}
