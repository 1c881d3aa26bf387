import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { bugText, toFailure, type Failure } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { plain, type Plain } from "../base/plain.ts";
import { isResult } from "../catalogue/index.ts";
import type { ResponseTiming } from "./response.ts";
import type { ChannelEvent } from "./frame.ts";
import { maskWireText, type SecretValues } from "./maskSecrets.ts";
import { maskResponse, type UnmaskedResponse } from "./maskResponse.ts";

/**
 * The origin of a call: the session itself, a view's content, another reading or change of ours, a command, a request
 * file, a language model.
 */
export type Asker = "session" | "view" | "userRead" | "userWrite" | "command" | "requestFile" | "chat";

/** A request and its response, joined, as far as known by now. Carries no text of either. */
export interface RecordedCall {
  readonly method: string;
  readonly asker: Asker;
  readonly way: "webSocket" | "http";
  /** The UTF-16 units of the parameters, the token of the session included where it travels in them. */
  readonly sentLength: number;
  /** The id on the wire; undefined as long as it was not sent. */
  readonly wireId: number | undefined;
  /** The end of the exchange; undefined while the response is waited for. */
  readonly end: ExchangeEnd | undefined;
}

/** The end of an exchange: with a response, an error object included, or without one. */
export interface ExchangeEnd {
  /** The time of the end, in ms since the Unix epoch. */
  readonly atMs: number;
  /** The time from the call to the end, waiting in our own queues included, in ms. */
  readonly totalMs: number;
  /** The timing; undefined without a response. */
  readonly timing: ResponseTiming | undefined;
  /** The UTF-16 units of the result or error; 0 without a response. */
  readonly receivedLength: number;
  /** The error object, or the reason for a missing response; undefined with a result. Free of secrets. */
  readonly failure: Failure | undefined;
  /** Whether the result has the shape that the catalogue knows. */
  readonly isExpectedShape: boolean;
  /** Whether the response came after it had been given up. */
  readonly isLate: boolean;
}

/** The observer of exchanges and events as they happen, their texts with secrets hidden. */
export interface TrafficWatcher {
  onBegin(exchange: RecordedCall, sentText: string): void;
  /**
   * Called when it has ended, or a response came after its end. `receivedText`: the result or the error; undefined
   * without a response.
   */
  onEnd(exchange: RecordedCall, receivedText: string | undefined): void;
  /** Called for an event. `text`: returns the whole frame, made on request. */
  onEvent(channel: string, length: number, text: () => string): void;
}

/** The traffic on the links of one connection, for who looks at it. */
export type Traffic = Pick<TrafficRecorder, "recent" | "watch">;

/** The number of exchanges that are kept without a watcher: the recent past for a later look. */
export const RECENT_EXCHANGES = 50;

/** The maximum number of given-up calls that may still get a response. */
const MAX_GIVEN_UP = 100;

interface TrafficPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a line for each exchange is to be written to the log, at level debug; left out, it is not. */
  readonly isDebugging?: (() => boolean) | undefined;
}

/** Returns an exchange in one line, for logs and support: what it was, and its timing. */
export function describeExchange({ method, asker, way, wireId, sentLength, end }: RecordedCall): Plain {
  const timing = end?.timing;
  const parts =
    timing === undefined
      ? ""
      : plain` (exchange ${timing.exchangeMs === undefined ? "not said" : Math.round(timing.exchangeMs)}, queue ${Math.round(timing.queuedMs)})`;
  return plain.join(
    [
      plain`${plain.name(method)} by ${asker} over ${way}`,
      wireId === undefined ? plain`no id` : plain`wire ${wireId}`,
      plain`${Math.round(end?.totalMs ?? 0)} ms${parts}`,
      plain`sent ${sentLength}, received ${end?.receivedLength ?? 0}`,
    ],
    " · ",
  );
}

/** The reports of a peer about its calls. They never wait, throw or parse a text without a watcher. */
export interface TrafficTap {
  /** Notes that a call is about to be sent; the peer adds its id to the result. */
  begin(
    method: string,
    paramsText: string,
    options: { readonly asker?: Asker | undefined; readonly startedAtMs?: number | undefined },
  ): OpenExchange;
  end(exchange: OpenExchange, response: UnmaskedResponse): void;
  fail(exchange: OpenExchange, thrown: unknown): void;
  /** Notes a response to a call that had failed. */
  late(response: UnmaskedResponse): void;
  heard(event: ChannelEvent): void;
}

/**
 * A recorded call that can still change. `startMs`: the time on the monotonic clock when it began to wait in our own
 * queues.
 */
export type OpenExchange = { -readonly [Name in keyof RecordedCall]: RecordedCall[Name] } & {
  readonly startMs: number;
};

/** The traffic on the links of one connection, which feed it. */
export class TrafficRecorder {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #isDebugging: () => boolean;
  /** The ring of recent exchanges. */
  readonly #recent: RecordedCall[] = [];
  #ended = 0;
  #watchers: readonly TrafficWatcher[] = [];

  constructor({ clock, log, isDebugging = () => false }: TrafficPorts) {
    this.#clock = clock;
    this.#log = log;
    this.#isDebugging = isDebugging;
  }

  /** The newest exchanges that have ended, oldest first. No text of them is kept. */
  get recent(): readonly RecordedCall[] {
    const oldest = this.#ended % RECENT_EXCHANGES;
    return [...this.#recent.slice(oldest), ...this.#recent.slice(0, oldest)];
  }

  /** Watches until the result is disposed. Nothing is masked, and no text is read, without a watcher. */
  watch(watcher: TrafficWatcher): Disposable {
    this.#watchers = [...this.#watchers, watcher];
    return {
      dispose: () => {
        this.#watchers = this.#watchers.filter((each) => each !== watcher);
      },
    };
  }

  /** Returns the tap for a link with these secrets. */
  tap(way: RecordedCall["way"], values: SecretValues): TrafficTap {
    const givenUp = new Map<number, OpenExchange>();
    return {
      begin: (method, paramsText, { asker = "session", startedAtMs = this.#clock.monotonicMs() }) => {
        const exchange: OpenExchange = {
          method,
          asker,
          way,
          sentLength: paramsText.length,
          wireId: undefined,
          end: undefined,
          startMs: startedAtMs,
        };
        if (this.#watchers.length > 0)
          this.#tell((watcher, text) => watcher.onBegin(exchange, text), maskWireText(paramsText, values));
        return exchange;
      },
      end: (exchange, response) => {
        this.#respond(exchange, response, values);
        this.#keep(exchange);
      },
      fail: (exchange, thrown) => {
        const totalMs = this.#clock.monotonicMs() - exchange.startMs;
        exchange.end = {
          atMs: this.#clock.now(),
          totalMs,
          timing: undefined,
          receivedLength: 0,
          failure: toFailure(thrown),
          isExpectedShape: true,
          isLate: false,
        };
        if (exchange.wireId !== undefined && givenUp.size < MAX_GIVEN_UP) givenUp.set(exchange.wireId, exchange);
        if (this.#watchers.length > 0) this.#tell((watcher) => watcher.onEnd(exchange, undefined));
        this.#keep(exchange);
      },
      late: (response) => {
        const exchange = givenUp.get(response.wireId);
        if (exchange === undefined) return;
        givenUp.delete(response.wireId);
        this.#respond(exchange, response, values);
      },
      heard: ({ channel, text }) => {
        if (this.#watchers.length > 0)
          this.#tell((watcher) => watcher.onEvent(channel, text.length, () => maskWireText(text, values)));
      },
    };
  }

  #respond(exchange: OpenExchange, response: UnmaskedResponse, values: SecretValues): void {
    // The text of an error is kept: as it leaves the session, without secrets.
    const { timing, bodyText, error } = response.error === undefined ? response : maskResponse(response, values);
    exchange.end = {
      atMs: timing.receivedAtMs,
      totalMs: timing.totalMs,
      timing,
      receivedLength: bodyText.length,
      failure: error,
      isExpectedShape: error !== undefined || isResult(exchange.method, response.list?.samples ?? response.result),
      isLate: exchange.end !== undefined,
    };
    if (this.#watchers.length > 0)
      this.#tell((watcher, text) => watcher.onEnd(exchange, text), maskWireText(response.bodyText, values));
  }

  #tell(run: (watcher: TrafficWatcher, text: string) => void, text = ""): void {
    for (const watcher of this.#watchers) {
      try {
        run(watcher, text);
      } catch (error) {
        this.#log.error(plain`A view of the traffic failed: ${bugText(error)}`);
      }
    }
  }

  #keep(exchange: RecordedCall): void {
    this.#recent[this.#ended++ % RECENT_EXCHANGES] = exchange;
    if (!this.#isDebugging()) return;
    const failure = exchange.end?.failure;
    this.#log.debug(
      plain`${describeExchange(exchange)} · ${failure === undefined ? "answered" : failure.kind === "exchange" ? plain`error ${failure.code}` : failure.kind}`,
    );
  }
}
