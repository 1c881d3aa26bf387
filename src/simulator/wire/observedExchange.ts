import type { Clock } from "../../base/clock.ts";
import { createEmitter } from "../../base/emitter.ts";
import { isObject, numberIn, parseJson } from "../../base/json.ts";
import { methodFacts } from "../../catalogue/index.ts";
import type { AccountAtEnd, BotFrame, InstrumentMark, ReceivedFrame, SentFrame } from "../../recording/bots/frames.ts";
import { isWrite } from "../../recording/bots/conversation.ts";
import { keptData, keptResult } from "../../recording/bots/messages.ts";
import type { Transport, TransportClose } from "../../rpc/transport.ts";
import type { Exchange } from "./exchange.ts";
import { readCall, type IncomingFrame } from "./requests.ts";
import type { ServedExchange } from "./server.ts";

/** An exchange that notes what goes over the wire, and the outcome of each call. */
export interface ObservedExchange {
  /** What a server serves. */
  readonly served: ServedExchange;
  /** Whether a private call was carried out, or a sign-in. */
  isSignedIn(): boolean;
  /** Returns what was noted, and the account now. Faults that wait are cleared, and maintenance ends. */
  observation(): ObservedConversation;
}

/** What was noted of a conversation. */
export interface ObservedConversation {
  readonly frames: readonly BotFrame[];
  readonly account: AccountAtEnd;
  /** The time since the beginning, in ms. */
  readonly atMs: number;
}

/**
 * How long a call is on its way to the exchange, in ms: so that calls that leave together come before the response to
 * the first of them, as over a network, and can be told from those that follow it.
 */
const WAY_MS = 5;

/** The most frames that are noted: a bot that floods must not fill the memory. */
const MOST_FRAMES = 200_000;

type Noted<F> = { -readonly [M in keyof F]: F[M] };

/** Observes an exchange. `clock`: that of the exchange. */
export function observeExchange(exchange: Exchange, clock: Clock): ObservedExchange {
  const startMs = clock.monotonicMs();
  const frames: BotFrame[] = [];
  const sent: Noted<SentFrame>[] = [];
  const faults = new Map<SentFrame, string>();
  const traded = new Set<string>();
  const tokens = new Map<string, number>();
  let current: SentFrame | undefined;
  let connections = 0;
  const { control } = exchange;
  exchange.onFault(({ fault }) => {
    if (current !== undefined) faults.set(current, fault);
  });
  const now = (): number => Math.round((clock.monotonicMs() - startMs) * 10) / 10;
  const note = (frame: BotFrame): void => {
    if (frames.length < MOST_FRAMES) frames.push(frame);
  };
  const positions = (): Record<string, number> =>
    Object.fromEntries([...traded].map((instrument) => [instrument, positionIn(exchange, instrument)]));
  const serve = (place: Place, frame: IncomingFrame, { run, isOver }: Arrival): void => {
    const call: Noted<SentFrame> = { kind: "sent", ...place, atMs: now(), ...callIn(frame, tokens) };
    note(call);
    clock.after(WAY_MS, () => {
      if (isOver()) call.truth = { isCarriedOut: false };
      else carryOut(call, run);
    });
  };
  const carryOut = (call: Noted<SentFrame>, run: () => void): void => {
    sent.push(call);
    current = call;
    run();
    current = undefined;
    const fault = faults.get(call);
    const isChange = isWrite(call);
    if (isChange && typeof call.params["instrument_name"] === "string") traded.add(call.params["instrument_name"]);
    call.truth = {
      isCarriedOut: false,
      ...(fault === undefined ? {} : { fault }),
      ...(isChange ? { openOrders: control.openOrders().length, positions: positions() } : {}),
    };
  };
  const told = (place: Place, text: string): void => note({ ...place, atMs: now(), ...messageIn(text) });

  /** Adds which calls were carried out: the ledger has an entry for each, in the same order. */
  const complete = (): void => {
    for (const { number, isApplied } of control.ledger()) {
      const call = sent[number - 1];
      if (call?.truth !== undefined && isApplied) call.truth = { ...call.truth, isCarriedOut: true };
    }
  };

  return {
    served: {
      accept(transport) {
        const place: Place = { connection: ++connections, link: "webSocket" };
        note({ kind: "opened", ...place, atMs: now() });
        exchange.accept(
          observedTransport(transport, {
            serve: (text, arrival) => serve(place, { text }, arrival),
            told: (text) => told(place, text),
            closed: (by) => note({ kind: "closed", ...place, atMs: now(), by }),
            later: (run) => void clock.after(WAY_MS, run),
          }),
        );
      },
      respondOverHttp(frame, outlet) {
        const place: Place = { connection: ++connections, link: "http" };
        const run = (): void =>
          exchange.respondOverHttp(frame, {
            ...outlet,
            send(text, errorCode) {
              told(place, text);
              outlet.send(text, errorCode);
            },
            terminate() {
              note({ kind: "closed", ...place, atMs: now(), by: "exchange" });
              outlet.terminate();
            },
            ...(outlet.fail === undefined
              ? {}
              : {
                  fail(status: number, html: string) {
                    told(place, html);
                    outlet.fail?.(status, html);
                  },
                }),
          });
        serve(place, { ...frame, isIdOptional: true }, { run, isOver: () => false });
      },
      get isRefusing() {
        return exchange.isRefusing;
      },
      dispose: () => exchange.dispose(),
      clientId: exchange.clientId,
      clientSecret: exchange.clientSecret,
      control,
    },
    isSignedIn() {
      complete();
      return sent.some(({ method, truth }) => truth?.isCarriedOut === true && /^private\/|^public\/auth$/.test(method));
    },
    observation() {
      const atMs = now();
      control.clearFaults();
      control.setMaintenance(false);
      complete();
      const marks = Object.fromEntries(
        [...traded].flatMap((name) => {
          const mark = markOf(exchange, name);
          return mark === undefined ? [] : [[name, mark] as const];
        }),
      );
      return { frames, account: { openOrders: control.openOrders().length, positions: positions(), marks }, atMs };
    },
  };
}

type Place = Pick<SentFrame, "connection" | "link">;

/** What happens when a call arrives. */
interface Arrival {
  readonly run: () => void;
  /** Whether its connection has ended by then, so that the exchange doesn't take it. */
  readonly isOver: () => boolean;
}

interface TransportWatch {
  readonly serve: (text: string, arrival: Arrival) => void;
  readonly told: (text: string) => void;
  readonly closed: (by: "bot" | "exchange") => void;
  /** Runs what comes after the calls that are on their way. */
  readonly later: (run: () => void) => void;
}

function observedTransport(transport: Transport, watch: TransportWatch): Transport {
  const texts = createEmitter<string>();
  const closes = createEmitter<TransportClose>();
  let by: "bot" | "exchange" = "bot";
  let isClosed = false;
  const isOver = (): boolean => isClosed || by === "exchange";
  transport.onText((text) => watch.serve(text, { run: () => texts.fire(text), isOver }));
  transport.onClose((close) => {
    watch.closed(by);
    watch.later(() => {
      isClosed = true;
      closes.fire(close);
    });
  });
  return {
    ...transport,
    onText: texts.event,
    onClose: closes.event,
    send(text) {
      watch.told(text);
      transport.send(text);
    },
    close() {
      by = "exchange";
      transport.close();
    },
    terminate() {
      by = "exchange";
      transport.terminate();
    },
  };
}

/** Returns the position in an instrument; 0 for one that is not listed. */
function positionIn({ control }: Exchange, instrument: string): number {
  try {
    return control.position(instrument);
  } catch {
    return 0;
  }
}

/** Reads a call, without its secrets. Its token becomes a number. */
function callIn(
  frame: IncomingFrame,
  tokens: Map<string, number>,
): Pick<SentFrame, "id" | "method" | "params" | "token"> {
  const { id, method = "", params, accessToken } = readCall(frame);
  const secrets = new Set([...(methodFacts(method)?.paramSecrets ?? []), "access_token", "signature", "data"]);
  const shown = Object.fromEntries(Object.entries(params).filter(([name]) => !secrets.has(name)));
  if (accessToken !== undefined && !tokens.has(accessToken)) tokens.set(accessToken, tokens.size + 1);
  return { id, method, params: shown, ...(accessToken === undefined ? {} : { token: tokens.get(accessToken) }) };
}

/** Reads a message of the exchange: of a result the order that it is about, of a book its numbers. */
function messageIn(text: string): Omit<ReceivedFrame, keyof Place | "atMs"> {
  const message = parseJson(text);
  if (!isObject(message)) return { kind: "received", isUnreadable: true };
  const { id, error, result, params } = message;
  const isKnownId = typeof id === "number" || typeof id === "string";
  const common = { kind: "received", ...(isKnownId ? { id } : {}) } as const;
  if (isObject(error))
    return { ...common, error: { code: numberIn(error["code"]) ?? 0, message: String(error["message"]) } };
  if (message["method"] === "heartbeat")
    return { ...common, isTestRequest: isObject(params) && params["type"] === "test_request" };
  if (isObject(params) && typeof params["channel"] === "string")
    return { ...common, channel: params["channel"], data: keptData(params["data"]) };
  return { ...common, result: keptResult(result) };
}

/** Returns what an amount of an instrument is worth at its mark price; undefined where that is not in USD. */
function markOf(exchange: Exchange, name: string): InstrumentMark | undefined {
  const instrument = publicResult(exchange, "public/get_instrument", name);
  const ticker = publicResult(exchange, "public/ticker", name);
  const mark = numberIn(ticker?.["mark_price"]);
  const index = numberIn(ticker?.["index_price"]);
  if (instrument === undefined || mark === undefined || index === undefined) return undefined;
  const isReversed = instrument["instrument_type"] === "reversed";
  if (instrument["kind"] === "option") return { usdPerUnit: isReversed ? mark * index : mark };
  if (isReversed) return { usdPerUnit: 1 };
  return /^USD/.test(String(instrument["quote_currency"])) ? { usdPerUnit: mark } : undefined;
}

function publicResult(
  exchange: Exchange,
  method: string,
  instrument: string,
): Readonly<Record<string, unknown>> | undefined {
  let response: unknown;
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { instrument_name: instrument } });
  const take = (sent: string): void => {
    response = parseJson(sent);
  };
  const ignore = (): void => undefined;
  exchange.respondOverHttp({ text }, { send: take, close: ignore, terminate: ignore });
  const result = isObject(response) ? response["result"] : undefined;
  return isObject(result) ? result : undefined;
}
