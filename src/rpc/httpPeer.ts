import { createEmitter, type Disposable, type Emitter } from "../base/emitter.ts";
import { bugText, CallError, type Failure } from "../base/failure.ts";
import { isJson } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import { TOO_MANY_REQUESTS } from "../catalogue/codes.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import { effectOf } from "../catalogue/index.ts";
import { readFrame } from "./frame.ts";
import { createHttpExchange } from "./httpExchange.ts";
import { writeHttpRequest, type HttpForm } from "./httpRequest.ts";
import { checkRequestSize, MAX_PENDING, wireText, type Peer, type PeerCallOptions, type PeerPorts } from "./peer.ts";
import { unmaskedResponse, type UnmaskedResponse } from "./maskResponse.ts";
import type { OpenExchange } from "./traffic.ts";
import { maskSpans, scanWireText } from "./maskSecrets.ts";
import type { HttpResponse, HttpExchange, HttpServer, TransportClose } from "./transport.ts";

/** The ports of an HTTP conversation; there are only single requests, and no transport that could be lost. */
interface HttpPeerPorts extends Omit<PeerPorts, "transport"> {
  readonly server: HttpServer;
}

/**
 * The time that the response to a change is still listened for after it was given up, in ms: it settles what happened.
 */
const LATE_MS = 60_000;
/** The length of what is reported of a page that is not a response. */
const MAX_LINE = 200;
/** The statuses by which a server refuses POST. */
const NO_POST: ReadonlySet<number> = new Set([404, 405, 501]);
/** The status for too many requests, of the server or of a proxy in front of it. */
const TOO_MANY = 429;

/** Makes a conversation of single HTTP requests. It has no events, and ends only when it is closed. */
export function createHttpPeer(ports: HttpPeerPorts): Peer {
  return new HttpPeer(ports);
}

/** A request between its call and its response. */
interface Sending {
  readonly wireId: number;
  readonly method: string;
  readonly paramsText: string;
  readonly options: PeerCallOptions;
  /** The open exchange, for observers of the traffic. */
  readonly exchange?: OpenExchange | undefined;
}

class HttpPeer implements Peer {
  readonly #ports: HttpPeerPorts;
  readonly #exchange: HttpExchange;
  readonly #silent = createEmitter<never>();
  readonly #texts: Emitter<void> = createEmitter((error) => this.#reportListener(error));
  readonly #lateResponses = createEmitter<UnmaskedResponse>((error) => this.#reportListener(error));
  readonly #closes = createEmitter<TransportClose>((error) => this.#reportListener(error));
  readonly #over = new AbortController();
  #pendingCount = 0;
  /** Whether the server takes POST; learned from a call that changes nothing, never from a failed change. */
  #takesPost: Promise<boolean> | undefined;

  constructor(ports: HttpPeerPorts) {
    this.#ports = ports;
    this.#exchange = ports.server.openExchange?.() ?? createHttpExchange(ports.server.origin, ports.clock);
  }

  get onEvent(): Peer["onEvent"] {
    return this.#silent.event;
  }

  get onHeartbeat(): Peer["onHeartbeat"] {
    return this.#silent.event;
  }

  get onLateResponse(): Peer["onLateResponse"] {
    return this.#lateResponses.event;
  }

  get onText(): Peer["onText"] {
    return this.#texts.event;
  }

  get onClose(): Peer["onClose"] {
    return this.#closes.event;
  }

  get pendingCount(): number {
    return this.#pendingCount;
  }

  async call(method: string, paramsText: string, options: PeerCallOptions): Promise<UnmaskedResponse> {
    if (this.#over.signal.aborted) throw new CallError({ kind: "notConnected" });
    if (options.signal?.aborted === true) throw new CallError({ kind: "stopped", wasSent: false });
    if (this.#pendingCount >= MAX_PENDING && effectOf(method) === "read")
      throw new CallError({ kind: "tooManyPending", limit: MAX_PENDING });
    const sending: Sending = {
      wireId: this.#ports.nextWireId(),
      method,
      paramsText,
      options,
      exchange: this.#ports.traffic?.begin(method, paramsText, options),
    };
    this.#pendingCount++;
    try {
      const response = await this.#send(sending, options.httpForm ?? (await this.#chooseForm(method, options)));
      if (sending.exchange !== undefined) this.#ports.traffic?.end(sending.exchange, response);
      return response;
    } catch (thrown) {
      if (sending.exchange !== undefined) this.#ports.traffic?.fail(sending.exchange, thrown);
      throw thrown;
    } finally {
      this.#pendingCount--;
    }
  }

  close(): void {
    this.fail({ trouble: "closedByUs", detail: "closed" });
  }

  fail(close: TransportClose): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    this.#exchange.dispose();
    this.#closes.fire(close);
    for (const emitter of [this.#silent, this.#texts, this.#lateResponses, this.#closes]) emitter.dispose();
  }

  dispose(): void {
    this.close();
  }

  /**
   * Returns the form of a call. What carries a token or changes something travels in a body, so that no log of
   * addresses holds it. POST is the form for that; where a server refuses it, the documented GET with a body is.
   */
  async #chooseForm(method: string, { accessToken }: PeerCallOptions): Promise<HttpForm> {
    if (accessToken === undefined && effectOf(method) === "read") return "body";
    this.#takesPost ??= this.#learnPost();
    return (await this.#takesPost) ? "post" : "body";
  }

  async #learnPost(): Promise<boolean> {
    const sending = {
      wireId: this.#ports.nextWireId(),
      method: SESSION_CALLS.probe,
      paramsText: "{}",
      options: { timeoutMs: 5000 },
    };
    const ending = new AbortController();
    const deadline = this.#ports.clock.after(sending.options.timeoutMs, () => ending.abort());
    try {
      const { status, text } = await this.#exchangeText(sending, {
        form: "post",
        onSend: () => undefined,
        signal: ending.signal,
      });
      if (status === TOO_MANY) throw new CallError({ kind: "unreadableResult", detail: String(status) });
      return !NO_POST.has(status) || readFrame(text, sending.wireId).kind === "response";
    } catch {
      // Nothing was learnt: asked again before the next call.
      this.#takesPost = undefined;
      return true;
    } finally {
      deadline.dispose();
    }
  }

  /**
   * Sends a request and returns the response that came in time. The response to a change is listened for a while
   * longer, because it shows what happened.
   */
  async #send(sending: Sending, form: HttpForm): Promise<UnmaskedResponse> {
    const { clock } = this.#ports;
    const { wireId, method, options } = sending;
    const startedAtMs = options.startedAtMs ?? clock.monotonicMs();
    const ending = new AbortController();
    let sentAtMs: number | undefined;
    let late: Disposable | undefined;
    const onSend = (): void => {
      options.onSend?.(wireId);
      if (sending.exchange !== undefined) sending.exchange.wireId = wireId;
      sentAtMs = clock.monotonicMs();
    };
    return await new Promise<UnmaskedResponse>((resolve, reject) => {
      const giveUp = (failure: Failure): void => {
        settle();
        reject(new CallError(failure));
        if (sentAtMs === undefined || effectOf(method) === "read") ending.abort();
        else late = clock.after(LATE_MS, () => ending.abort());
      };
      const stop = (): void => giveUp({ kind: "stopped", wasSent: sentAtMs !== undefined });
      const deadline = clock.after(options.timeoutMs, () =>
        giveUp(
          sentAtMs === undefined
            ? {
                kind: "cannotConnect",
                trouble: "connectTimeout",
                detail: l10n.t("the request couldn't be sent in time"),
              }
            : { kind: "timeout", timeoutMs: options.timeoutMs },
        ),
      );
      const settle = (): void => {
        deadline.dispose();
        options.signal?.removeEventListener("abort", stop);
      };
      options.signal?.addEventListener("abort", stop);
      // It may have been stopped while the form was chosen: nothing would report that any more.
      if (options.signal?.aborted === true) stop();
      this.#exchangeText(sending, { form, onSend, signal: ending.signal })
        .then((received) => this.#read(sending, received, { startedAtMs, sentAtMs: sentAtMs ?? startedAtMs }))
        .then(
          (response) => {
            settle();
            if (late === undefined) resolve(response);
            else this.#tellLate(response);
          },
          (error: unknown) => {
            settle();
            reject(error instanceof Error ? error : new CallError({ kind: "bug", detail: String(error) }));
          },
        )
        .finally(() => late?.dispose());
    });
  }

  async #exchangeText(
    { wireId, method, paramsText, options }: Sending,
    { form, onSend, signal }: { readonly form: HttpForm; readonly onSend: () => void; readonly signal: AbortSignal },
  ): Promise<HttpResponse> {
    const { server, trace } = this.#ports;
    const text = wireText(wireId, method, paramsText);
    checkRequestSize(text);
    const request = writeHttpRequest(server.basePath, form, { method, paramsText, text });
    const send = (): void => {
      onSend();
      trace?.("sent", text);
    };
    return await this.#exchange.send(request, {
      accessToken: options.accessToken,
      onSend: send,
      signal: AbortSignal.any([signal, this.#over.signal]),
      isRead: effectOf(method) === "read",
    });
  }

  /**
   * Reads a response. The body counts, whatever the status; a response belongs to its request, whatever its id says.
   */
  #read(
    { wireId, method }: Sending,
    { status, location, retryAfter, text }: HttpResponse,
    times: { readonly startedAtMs: number; readonly sentAtMs: number },
  ): UnmaskedResponse {
    this.#ports.trace?.("received", text);
    this.#texts.fire();
    const frame = readFrame(text, wireId);
    if (frame.kind === "response") return unmaskedResponse({ wireId, method, ...times }, frame.body, this.#ports);
    // Hidden before it is cut, which would leave a part of a secret.
    const line = plain.text(this.#hide(firstLineOf(text)).slice(0, MAX_LINE));
    const detail =
      location === undefined
        ? l10n.t("HTTP {0}: {1}", status, line)
        : l10n.t("HTTP {0}, redirect to {1}: {2}", status, plain.text(this.#hide(location).slice(0, MAX_LINE)), line);
    // Nothing proves that a change was not made, but a read has its time to come back.
    if (status === TOO_MANY)
      throw new CallError({
        kind: "exchange",
        code: TOO_MANY_REQUESTS,
        message: detail,
        ...(retryAfter === undefined ? {} : { waitSeconds: retryAfter }),
      });
    throw new CallError({ kind: "unreadableResult", detail });
  }

  #tellLate(response: UnmaskedResponse): void {
    this.#ports.traffic?.late(response);
    this.#lateResponses.fire(response);
  }

  #hide(text: string): string {
    return this.#ports.hide?.(text) ?? text;
  }

  #reportListener(error: unknown): void {
    this.#ports.log.error(plain`A listener of the connection failed: ${bugText(error)}`);
  }
}

/**
 * Returns the first line of a body that is not a response. Where JSON cannot be read whole, the places of its secrets
 * are unknown.
 */
function firstLineOf(text: string): string {
  const body = text.trim();
  if (body === "") return l10n.t("an empty body");
  const isPage = body.startsWith("<") || !/[{[]/.test(body);
  if (!isPage && (scanWireText(body).problem !== undefined || !isJson(body)))
    return l10n.t("{0} characters that are not valid JSON", body.length);
  const shown = isPage ? body : maskSpans(body, scanWireText(body).secrets);
  return shown.split(/\r?\n/, 1)[0] ?? "";
}
