import { once } from "node:events";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { matches, parseScript, textOfSource, type Messages, type Step } from "./script.ts";

/**
 * Plays one script to one client over loopback and knows nothing of the client: no code of `src/` is in here. Whatever
 * the client does that the script does not say at that moment ends the play; so does what the script says and the
 * client does not do.
 */
export interface ReplayServer {
  readonly webSocketUrl: string;
  readonly httpUrl: string;
  /** Waits until the script has come to its next `-- words`, checks that these are the words, and lets it go on. */
  meet(words: string): Promise<void>;
  /** Waits for the end of the script, and looks whether the client stays quiet then. Throws when the play failed. */
  end(): Promise<void>;
  /** What a word of the script stood for. */
  captured(word: string): string;
  /** Requests that came, as their texts. */
  readonly received: readonly string[];
  /** Ends the server, whatever the state of the play. */
  dispose(): Promise<void>;
}

/** A client that answered so many pings in a row has had the time to send what it had to send. */
const ROUND_TRIPS = 10;
/** Only a play that hangs is ended by the time. */
const HANGING_MS = 8000;

export async function startReplay(script: string, messages: Messages): Promise<ReplayServer> {
  const play = new Play(parseScript(script), messages);
  await play.listen();
  return play;
}

class Play implements ReplayServer {
  readonly received: string[] = [];
  readonly #steps: readonly Step[];
  readonly #messages: Messages;
  readonly #names = new Map<string, string>();
  readonly #server = http.createServer((request, response) => {
    void this.#onRequest(request, response);
  });
  readonly #upgrades = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #sockets = new Set<Duplex>();
  #at = 0;
  #socket: WebSocket | undefined;
  #response: http.ServerResponse | undefined;
  #failure: Error | undefined;
  #moved: (() => void) | undefined;

  constructor(steps: readonly Step[], messages: Messages) {
    this.#steps = steps;
    this.#messages = messages;
    this.#server.on("upgrade", (request: http.IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#onUpgrade(request, socket, head),
    );
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      // A client that goes without a word is no fault of the play.
      socket.on("error", () => undefined);
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get webSocketUrl(): string {
    return `ws://127.0.0.1:${String(this.#port)}/ws/api/v2`;
  }

  get httpUrl(): string {
    return `http://127.0.0.1:${String(this.#port)}/api/v2`;
  }

  captured(word: string): string {
    const value = this.#names.get(word);
    if (value === undefined) throw new Error(`nothing was called ${word}`);
    return value;
  }

  async meet(words: string): Promise<void> {
    await this.#until(() => this.#step?.kind === "mark", `-- ${words}`);
    if (this.#step?.kind !== "mark" || this.#step.words !== words)
      throw new Error(`the test waits for "-- ${words}", the script is at ${this.#place()}`);
    await this.#quiet();
    this.#at++;
    this.#run();
    this.#check();
  }

  async end(): Promise<void> {
    await this.#until(() => this.#step === undefined, "the end of the script");
    await this.#quiet();
    this.#check();
  }

  async dispose(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get #step(): Step | undefined {
    return this.#steps[this.#at];
  }

  #place(): string {
    const step = this.#step;
    return step === undefined ? "its end" : `line ${String(step.line)}: ${step.text}`;
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #fail(message: string): void {
    this.#failure ??= new Error(message);
    this.#socket?.terminate();
    this.#moved?.();
  }

  /** Waits for the play to come so far. A client that answers pings and sends nothing will not send it any more. */
  async #until(isThere: () => boolean, what: string): Promise<void> {
    const hanging = setTimeout(
      () => this.#fail(`${what} was not reached: the script waits at ${this.#place()}`),
      HANGING_MS,
    );
    let idle = 0;
    let at = this.#at;
    try {
      while (!isThere()) {
        this.#check();
        if (this.#socket === undefined || this.#isForNewcomer())
          await new Promise<void>((resolve) => {
            this.#moved = resolve;
          });
        else await this.#ping();
        idle = at === this.#at ? idle + 1 : 0;
        at = this.#at;
        if (idle >= ROUND_TRIPS) this.#fail(`never came: ${this.#place()}`);
      }
      this.#check();
    } finally {
      clearTimeout(hanging);
    }
  }

  /** Whether the script waits for a connection, which comes in its own time. */
  #isForNewcomer(): boolean {
    return ["connect", "refuse", "stall"].includes(this.#step?.kind ?? "");
  }

  /** After two round trips the client has read everything and has sent what it sends at once. */
  async #quiet(): Promise<void> {
    await this.#ping();
    await this.#ping();
    this.#check();
  }

  async #ping(): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return;
    }
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off("pong", done);
        socket.off("close", done);
        setImmediate(resolve);
      };
      socket.on("pong", done);
      socket.on("close", done);
      if (socket.readyState === socket.OPEN) socket.ping();
    });
  }

  /** Performs the steps of the server up to the next one that needs the client. */
  #run(): void {
    for (let step = this.#step; step !== undefined; step = this.#step) {
      if (this.#failure !== undefined) return;
      if (!this.#perform(step)) break;
      this.#at++;
    }
    this.#moved?.();
  }

  /** False: the step waits for the client or for the test. */
  #perform(step: Step): boolean {
    switch (step.kind) {
      case "connect":
      case "refuse":
      case "stall":
      case "expect":
      case "httpExpect":
      case "mark":
        return false;
      case "send":
        this.#socket?.send(textOfSource(this.#messages, step.source, this.#names, step.name));
        return true;
      case "close":
      case "cut":
        this.#endSocket(step);
        return true;
      case "httpSend":
        this.#response
          ?.writeHead(step.status, { "content-type": "application/json" })
          .end(textOfSource(this.#messages, step.source, this.#names));
        return true;
    }
  }

  #endSocket(step: Step): void {
    if (step.kind === "close") this.#socket?.close(step.code, step.reason);
    else this.#socket?.terminate();
    this.#socket = undefined;
  }

  #onUpgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    const step = this.#step;
    if (step?.kind === "stall") {
      this.#at++;
      this.#run();
      return;
    }
    if (step?.kind === "refuse") {
      const body = textOfSource(this.#messages, step.source, this.#names);
      socket.end(
        `HTTP/1.1 ${String(step.status)} Refused\r\ncontent-type: application/json\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\nconnection: close\r\n\r\n${body}`,
      );
      this.#at++;
      this.#run();
      return;
    }
    if (step?.kind !== "connect" || request.url !== "/ws/api/v2") {
      socket.destroy();
      this.#fail(`unexpected connection to ${String(request.url)}; the script is at ${this.#place()}`);
      return;
    }
    this.#upgrades.handleUpgrade(request, socket, head, (webSocket) => {
      this.#socket = webSocket;
      webSocket.on("message", (data: Buffer) => this.#onFrame(webSocket, data.toString("utf8")));
      webSocket.on("error", (error) => this.#fail(`the client broke the protocol: ${error.message}`));
      webSocket.on("close", () => {
        if (this.#socket === webSocket) this.#socket = undefined;
      });
      this.#at++;
      this.#run();
    });
  }

  #onFrame(socket: WebSocket, text: string): void {
    this.received.push(text);
    const step = this.#step;
    if (step?.kind !== "expect" || socket !== this.#socket) {
      this.#fail(`unexpected frame\n  ${text}\nwhile the script is at ${this.#place()}`);
      return;
    }
    const pattern = `{"jsonrpc":"2.0","id":<${step.name}>,"method":"${step.method}","params":${step.params}}`;
    this.#names.delete(step.name);
    if (matches(pattern, text, this.#names) && /^[1-9]\d*$/.test(this.captured(step.name))) {
      this.#at++;
      this.#run();
    } else
      this.#fail(
        `another frame than the script says in line ${String(step.line)}\n  expected ${pattern}\n  received ${text}`,
      );
  }

  async #onRequest(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let body = "";
    for await (const piece of request as AsyncIterable<Buffer>) body += piece.toString("utf8");
    const text = `${String(request.method)} ${String(request.url)}${body === "" ? "" : ` ${body}`}`;
    this.received.push(text);
    const step = this.#step;
    if (
      step?.kind !== "httpExpect" ||
      !matches(`${step.method} ${step.target}${step.body === "" ? "" : ` ${step.body}`}`, text, this.#names)
    ) {
      response.destroy();
      this.#fail(`unexpected request\n  ${text}\nwhile the script is at ${this.#place()}`);
      return;
    }
    this.#response = response;
    this.#at++;
    this.#run();
  }
}
