import type { Clock } from "../base/clock.ts";
import { createEmitter, type Disposable, type Emitter, type Event } from "../base/emitter.ts";
import { bugText, CallError, type LinkTrouble } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import { REQUEST_ENTITY_TOO_LARGE, SYSTEM_MAINTENANCE, TOO_MANY_REQUESTS } from "../catalogue/codes.ts";
import { effectOf, methodFacts } from "../catalogue/index.ts";
import { readFrame, type ResponseBody, type ChannelEvent, type ExchangeFailure, type Frame } from "./frame.ts";
import type { HttpForm } from "./httpRequest.ts";
import { createPendingCalls } from "./pendingCalls.ts";
import { maskFailure, unmaskedResponse, type UnmaskedResponse } from "./maskResponse.ts";
import type { Asker, TrafficTap } from "./traffic.ts";
import type { Transport, TransportClose } from "./transport.ts";

/** A JSON-RPC conversation over one transport, from its opening to its end. Secrets pass through it unmasked. */
export interface Peer extends Disposable {
  /**
   * Sends one request and resolves to its response, an error object included. `paramsText` is a JSON object that goes
   * out literal for literal. Throws `CallError`: `notConnected`, `tooLarge`, `tooManyPending` and `stopped` before the
   * send, `timeout`, `stopped`, `connectionLost` and `unreadableResult` after it.
   */
  call(method: string, paramsText: string, options: PeerCallOptions): Promise<UnmaskedResponse>;
  readonly onEvent: Event<ChannelEvent>;
  /** Fires for heartbeats; `true` asks for public/test. */
  readonly onHeartbeat: Event<boolean>;
  /** Fires for responses to calls that were given up: timed out or stopped. */
  readonly onLateResponse: Event<UnmaskedResponse>;
  /** Fires for any text, whatever it says: the other side lives. */
  readonly onText: Event<void>;
  /** Fires once, after everything that was pending has been settled. */
  readonly onClose: Event<TransportClose>;
  /** The number of calls that wait for their response. */
  readonly pendingCount: number;
  /** Ends the conversation in order. */
  close(): void;
  /** Cuts the conversation off, for a reason that only we know. */
  fail(close: TransportClose): void;
}

export interface PeerCallOptions {
  /** The timeout from the send to the response, in ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * The time when the call began to wait in our own queues, on the monotonic clock; the moment of the send when left
   * out.
   */
  readonly startedAtMs?: number | undefined;
  /** Called right before the text is handed to the transport. What it throws prevents the send. */
  readonly onSend?: ((wireId: number) => void) | undefined;
  /** The token for the header over HTTP, the only transport that needs it, and the form of the request. */
  readonly accessToken?: string | undefined;
  readonly httpForm?: HttpForm | undefined;
  /** The origin of the call for observers of the traffic; `session` when left out. */
  readonly asker?: Asker | undefined;
  /** Whether the orders of the response are wanted one by one, not parsed: see `ResponseContent.list`. */
  readonly wantsOrders?: boolean | undefined;
}

export interface PeerPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the next id from a counter of the whole process: an id is never used again, on no other link either. */
  readonly nextWireId: () => number;
  /** Takes known secrets out of the server's texts beside results: these end in failures and in the log. */
  readonly hide?: (text: string) => string;
  /** Sees every text before it is sent and before it is read. */
  readonly trace?: (direction: "sent" | "received", text: string) => void;
  /** The tap that gets calls, their outcomes, and events. */
  readonly traffic?: TrafficTap | undefined;
}

/**
 * The maximum size of a request, in bytes; the exchange closes the socket above 32 kB.
 * https://docs.deribit.com/articles/connection-management-best-practices
 */
const MAX_REQUEST_BYTES = 32_000;
const MAX_BYTES_PER_UNIT = 3;
/**
 * The maximum number of pending calls. A full table holds back reads; what changes something, and what keeps the link
 * alive, goes out.
 */
export const MAX_PENDING = 256;
/** The number of stray frames within a minute which means that the other side does not use our protocol. */
const MAX_STRAYS = 10;
const STRAYS_WINDOW_MS = 60_000;

/** The errors that are followed by the end of the link, and the meaning of that end. */
const TROUBLES: Readonly<Record<number, LinkTrouble>> = {
  [REQUEST_ENTITY_TOO_LARGE]: "protocol",
  [TOO_MANY_REQUESTS]: "rateLimit",
  [SYSTEM_MAINTENANCE]: "maintenance",
};

/** The time within which the end has to follow the error that announced it, in ms. */
const EXPECTED_FOR_MS = 10_000;

/** Returns a request as it goes out; `paramsText` stands in it literal for literal. */
export function wireText(wireId: number, method: string, paramsText: string): string {
  // Names that the catalogue knows are as plain in JSON as they are.
  const name = methodFacts(method) === undefined ? JSON.stringify(method) : `"${method}"`;
  return `{"jsonrpc":"2.0","id":${wireId},"method":${name},"params":${paramsText}}`;
}

/** Throws `CallError` with `tooLarge` for a request that the exchange would not take. */
export function checkRequestSize(text: string): void {
  // No text is longer than three bytes for each of its units; counting them costs more, and happens for each request.
  if (text.length * MAX_BYTES_PER_UNIT <= MAX_REQUEST_BYTES) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_REQUEST_BYTES) throw new CallError({ kind: "tooLarge", bytes, limitBytes: MAX_REQUEST_BYTES });
}

export function createPeer(ports: PeerPorts): Peer {
  return new ConnectedPeer(ports);
}

class ConnectedPeer implements Peer {
  readonly #ports: PeerPorts;
  readonly #pending;
  readonly #events = createEmitter<ChannelEvent>((error) => this.#reportListener(error));
  readonly #heartbeats = createEmitter<boolean>((error) => this.#reportListener(error));
  readonly #lateResponses = createEmitter<UnmaskedResponse>((error) => this.#reportListener(error));
  readonly #texts: Emitter<void> = createEmitter((error) => this.#reportListener(error));
  readonly #closes = createEmitter<TransportClose>((error) => this.#reportListener(error));
  readonly #listeners: readonly Disposable[];
  #isOver = false;
  /** The content of an error about the link; explains the end of the link when that comes. */
  #expected: (TransportClose & { readonly atMs: number }) | undefined;
  #strays: number[] = [];
  #unknownNotifications = 0;
  readonly #wantsOrders = (id: number): boolean => this.#pending.wantsOrders(id);

  constructor(ports: PeerPorts) {
    this.#ports = ports;
    this.#pending = createPendingCalls(ports.clock);
    const { transport } = ports;
    this.#listeners = [
      transport.onText((text) => this.#receive(text)),
      transport.onClose((close) => this.#finish(this.#explain(close))),
    ];
  }

  get onEvent(): Event<ChannelEvent> {
    return this.#events.event;
  }

  get onHeartbeat(): Event<boolean> {
    return this.#heartbeats.event;
  }

  get onLateResponse(): Event<UnmaskedResponse> {
    return this.#lateResponses.event;
  }

  get onText(): Event<void> {
    return this.#texts.event;
  }

  get onClose(): Event<TransportClose> {
    return this.#closes.event;
  }

  get pendingCount(): number {
    return this.#pending.count;
  }

  async call(method: string, paramsText: string, options: PeerCallOptions): Promise<UnmaskedResponse> {
    const { transport, clock, trace, traffic } = this.#ports;
    const exchange = traffic?.begin(method, paramsText, options);
    try {
      this.#checkCall(method, options);
      const wireId = this.#ports.nextWireId();
      const text = wireText(wireId, method, paramsText);
      checkRequestSize(text);
      options.onSend?.(wireId);
      if (exchange !== undefined) exchange.wireId = wireId;
      trace?.("sent", text);
      transport.send(text);
      const sentAtMs = clock.monotonicMs();
      const { timeoutMs, signal, startedAtMs = sentAtMs, wantsOrders } = options;
      const response = await new Promise<UnmaskedResponse>((resolve, reject) =>
        this.#pending.add({ wireId, method, sentAtMs, startedAtMs, timeoutMs, signal, wantsOrders, resolve, reject }),
      );
      if (exchange !== undefined) traffic?.end(exchange, response);
      return response;
    } catch (thrown) {
      if (exchange !== undefined) traffic?.fail(exchange, thrown);
      throw thrown;
    }
  }

  #checkCall(method: string, { signal }: PeerCallOptions): void {
    if (this.#isOver) throw new CallError({ kind: "notConnected" });
    if (signal?.aborted === true) throw new CallError({ kind: "stopped", wasSent: false });
    if (this.#pending.count >= MAX_PENDING && effectOf(method) === "read")
      throw new CallError({ kind: "tooManyPending", limit: MAX_PENDING });
  }

  close(): void {
    const { transport } = this.#ports;
    this.#finish({ trouble: "closedByUs", detail: "closed" });
    transport.close();
  }

  fail(close: TransportClose): void {
    const { transport } = this.#ports;
    this.#finish(close);
    transport.terminate();
  }

  dispose(): void {
    this.fail({ trouble: "closedByUs", detail: "closed" });
  }

  /** Settles everything. What the transport still brings afterwards has no effect. */
  #finish({ trouble, detail }: TransportClose): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const close = { trouble, detail: this.#hide(detail) };
    for (const listener of this.#listeners) listener.dispose();
    this.#pending.failAll({ kind: "connectionLost", ...close });
    this.#closes.fire(close);
    for (const emitter of [this.#events, this.#heartbeats, this.#lateResponses, this.#texts, this.#closes])
      emitter.dispose();
  }

  #explain(close: TransportClose): TransportClose {
    const expected = this.#expected;
    if (
      close.trouble !== "closedByServer" ||
      expected === undefined ||
      this.#ports.clock.monotonicMs() - expected.atMs > EXPECTED_FOR_MS
    )
      return close;
    return { trouble: expected.trouble, detail: expected.detail };
  }

  #receive(text: string): void {
    this.#ports.trace?.("received", text);
    this.#texts.fire();
    const frame = readFrame(text, undefined, this.#wantsOrders);
    switch (frame.kind) {
      case "response":
        this.#takeResponse(frame.id, frame.body);
        return;
      case "event":
        this.#ports.traffic?.heard(frame.event);
        this.#events.fire(frame.event);
        return;
      case "heartbeat":
        this.#heartbeats.fire(frame.isTestRequest);
        return;
      case "notice":
        this.#takeNotice(maskFailure(frame.error, (text) => this.#hide(text)));
        return;
      case "other":
        this.#takeUnknown(frame.method);
        return;
      case "odd":
        this.#takeOdd(frame);
    }
  }

  #takeResponse(id: number, body: ResponseBody): void {
    if (body.error?.code === TOO_MANY_REQUESTS || body.error?.code === SYSTEM_MAINTENANCE)
      this.#expect(maskFailure(body.error, (text) => this.#hide(text)));
    const call = this.#pending.take(id);
    if (call !== undefined) {
      call.resolve(unmaskedResponse(call, body, this.#ports));
      return;
    }
    const late = this.#pending.takeGivenUp(id);
    if (late === undefined) this.#takeStray(l10n.t("an unexpected response to request ID {0}", id));
    else this.#tellLate(unmaskedResponse(late, body, this.#ports));
  }

  #tellLate(response: UnmaskedResponse): void {
    this.#ports.traffic?.late(response);
    this.#lateResponses.fire(response);
  }

  /** Takes an error that belongs to no call but to the link; the link itself stays until it is closed. */
  #takeNotice(error: ExchangeFailure): void {
    this.#ports.log.warn(
      plain`The server sent an error that belongs to no request: ${error.code} ${plain.text(error.message, 200)}`,
    );
    if (error.code in TROUBLES) this.#expect(error);
    else this.#takeStray(l10n.t("error {0} without a request ID", error.code));
  }

  #expect(error: ExchangeFailure): void {
    this.#expected = {
      trouble: TROUBLES[error.code] ?? "closedByServer",
      detail: `${error.code} ${error.message}`.slice(0, 200),
      atMs: this.#ports.clock.monotonicMs(),
    };
  }

  #takeUnknown(method: string): void {
    this.#unknownNotifications++;
    if (this.#unknownNotifications <= MAX_STRAYS)
      this.#ports.log.debug(
        plain`Ignored a message that is neither a response nor an event: ${plain.text(this.#hide(method), 100)}`,
      );
  }

  #takeOdd({ id, problem }: Extract<Frame, { kind: "odd" }>): void {
    const call = id === undefined ? undefined : this.#pending.take(id);
    if (call === undefined) {
      this.#takeStray(problem);
      return;
    }
    this.#ports.log.warn(
      plain`The response to ${plain.text(call.method)} (${call.wireId}) cannot be read: ${plain.text(problem)}`,
    );
    call.reject(new CallError({ kind: "unreadableResult", detail: problem }));
  }

  /** Takes a stray frame. A single one is a curiosity; many mean that nothing can be attributed any more. */
  #takeStray(problem: string): void {
    const nowMs = this.#ports.clock.monotonicMs();
    this.#strays = [...this.#strays.filter((atMs) => nowMs - atMs < STRAYS_WINDOW_MS), nowMs];
    this.#ports.log.warn(plain`A message of the server belongs to nothing: ${plain.text(problem)}`);
    if (this.#strays.length > MAX_STRAYS) this.fail({ trouble: "protocol", detail: problem });
  }

  #hide(text: string): string {
    return this.#ports.hide?.(text) ?? text;
  }

  #reportListener(error: unknown): void {
    this.#ports.log.error(plain`A listener of the connection failed: ${bugText(error)}`);
  }
}
