import { isObject } from "../base/json.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import { isSecretName } from "../rpc/maskSecrets.ts";
import { isPersonalParam } from "./personal.ts";
import { channelChange, type Recording } from "./recording.ts";

/** What a recording has for a call: a response, or that there is none. */
type Replayed =
  | { readonly kind: "recorded"; readonly steps: readonly ReplayStep[] }
  /** No call with this method and these parameters is in the recording. */
  | { readonly kind: "notRecorded" }
  /** Such calls are in the recording, but not as many. */
  | { readonly kind: "exhausted" };

/** A text to send, `afterMs` after the call at the speed of the recording. */
export type ReplayStep =
  | {
      readonly kind: "response";
      readonly afterMs: number;
      readonly member: "result" | "error";
      readonly bodyText: string;
      readonly code: number | undefined;
      /** The times of the call and of its response, in ms since the Unix epoch. */
      readonly sentAtMs: number;
      readonly receivedAtMs: number;
    }
  | { readonly kind: "event"; readonly afterMs: number; readonly channel: string; readonly dataText: string };

export interface Replay {
  /** Returns what follows from a call: its response, and the events of the channels that it begins, by their times. */
  call(method: string, params: Readonly<Record<string, unknown>>): Replayed;
}

type Params = Readonly<Record<string, unknown>>;

interface RecordedExchange {
  readonly method: string;
  readonly params: Params;
  readonly atMs: number;
  isUsed: boolean;
  response: Extract<ReplayStep, { kind: "response" }> | undefined;
}

/** The parameters that are different whenever a call is made. */
export const FLEETING_PARAMS: readonly string[] = ["nonce", "timestamp", "valid_until"];

/** The scope of a sign-in that was not recorded. A call that is not in the recording is refused all the same. */
const EVERY_SCOPE = ["account", "trade", "wallet", "block_trade", "block_rfq"]
  .map((area) => `${area}:read_write`)
  .join(" ");

/**
 * The calls that keep a session up, as often as it needs them: the last response is given again and again. Each with
 * its result where none was recorded, because the session was there before the recording.
 */
const UPKEEP: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [
    SESSION_CALLS.signIn,
    {
      access_token: "secret-1",
      refresh_token: "secret-1",
      expires_in: 31_536_000,
      scope: EVERY_SCOPE,
      token_type: "bearer",
    },
  ],
  [SESSION_CALLS.introduce, { version: "replay" }],
  [SESSION_CALLS.probe, { version: "replay" }],
  [SESSION_CALLS.setHeartbeat, "ok"],
  // The time of the recording is its result.
  [SESSION_CALLS.tellTime, undefined],
  [SESSION_CALLS.unsubscribeAll, "ok"],
]);

/** Whether a call only keeps a session up. */
export function isUpkeep(method: string): boolean {
  return UPKEEP.has(method);
}

/**
 * Makes the responses of a recording. The nth call of a method with the same parameters gets the response that the nth
 * such call got, in whatever order different calls come. Where the recording has a replacement for a personal value,
 * the caller's own one belongs to it from its first use on.
 */
export function createReplay(recording: Recording): Replay {
  const calls = new RecordedCalls(exchangesOf(recording));
  const ownValues = new OwnValues();
  const channels = new ChannelEvents(recording);
  return {
    call(method, params) {
      const found = calls.find(method, params, ownValues);
      if (typeof found !== "string") {
        found.isUsed = true;
        ownValues.bind(found, params);
        return { kind: "recorded", steps: channels.stepsOf(found, params) };
      }
      const derived = UPKEEP.has(method)
        ? [derivedResponse(recording, UPKEEP.get(method) ?? recording.startedAtMs)]
        : channels.derivedSteps(method, params);
      return derived === undefined ? { kind: found } : { kind: "recorded", steps: derived };
    },
  };
}

function exchangesOf({ entries, startedAtMs }: Recording): readonly RecordedExchange[] {
  const byId = new Map<number, RecordedExchange>();
  for (const entry of entries) {
    if (entry.kind === "call")
      byId.set(entry.id, {
        method: entry.method,
        params: JSON.parse(entry.paramsText) as Params,
        atMs: entry.atMs,
        isUsed: false,
        response: undefined,
      });
    const exchange = entry.kind === "response" ? byId.get(entry.id) : undefined;
    if (entry.kind !== "response" || exchange === undefined) continue;
    const { member, bodyText, atMs } = entry;
    exchange.response = {
      kind: "response",
      afterMs: atMs - exchange.atMs,
      member,
      bodyText,
      code: member === "error" ? (JSON.parse(bodyText) as { readonly code: number }).code : undefined,
      sentAtMs: startedAtMs + exchange.atMs,
      receivedAtMs: startedAtMs + atMs,
    };
  }
  return [...byId.values()];
}

/** Returns a response that is not in the recording itself. */
function derivedResponse({ startedAtMs }: Pick<Recording, "startedAtMs">, result: unknown): ReplayStep {
  return {
    kind: "response",
    afterMs: 0,
    member: "result",
    bodyText: JSON.stringify(result),
    code: undefined,
    sentAtMs: startedAtMs,
    receivedAtMs: startedAtMs,
  };
}

/** Recorded calls by what they have in common. There may be tens of thousands of equal ones. */
class RecordedCalls {
  /** The calls that are the same apart from personal values. */
  readonly #alike = new Map<string, CallQueue>();
  /** The calls that have the same personal values too. */
  readonly #same = new Map<string, CallQueue>();

  constructor(exchanges: readonly RecordedExchange[]) {
    for (const exchange of exchanges) {
      const { method, params } = exchange;
      const key = keyOf(method, params);
      queueIn(this.#alike, key).add(exchange);
      queueIn(this.#same, key + valuesKey(soughtValues(method, params))).add(exchange);
    }
  }

  /** Returns the first unused one of such calls. */
  find(method: string, params: Params, ownValues: OwnValues): RecordedExchange | "notRecorded" | "exhausted" {
    const key = keyOf(method, params);
    const alike = this.#alike.get(key);
    if (alike === undefined) return "notRecorded";
    if (UPKEEP.has(method)) return alike.firstUnused() ?? alike.all.at(-1) ?? "notRecorded";
    const values = soughtValues(method, params);
    // A call may have the recording's own replacements, which its caller has from earlier responses.
    const same = this.#same.get(key + valuesKey(values)) ?? this.#same.get(key + valuesKey(ownValues.recorded(values)));
    if (same !== undefined) return same.firstUnused() ?? "exhausted";
    const fits = (each: RecordedExchange): boolean => ownValues.fit(soughtValues(method, each.params), values);
    return alike.firstUnused(fits) ?? (alike.all.some(fits) ? "exhausted" : "notRecorded");
  }
}

/** Recorded calls in their order, of which those at the beginning are used. */
class CallQueue {
  readonly all: RecordedExchange[] = [];
  #used = 0;

  add(exchange: RecordedExchange): void {
    this.all.push(exchange);
  }

  firstUnused(fits: (exchange: RecordedExchange) => boolean = () => true): RecordedExchange | undefined {
    while (this.all[this.#used]?.isUsed === true) this.#used++;
    for (let at = this.#used; at < this.all.length; at++) {
      const exchange = this.all[at];
      if (exchange?.isUsed === false && fits(exchange)) return exchange;
    }
    return undefined;
  }
}

function queueIn(queues: Map<string, CallQueue>, key: string): CallQueue {
  const queue = queues.get(key) ?? new CallQueue();
  queues.set(key, queue);
  return queue;
}

/** Returns what two calls have in common if they are the same one, apart from personal values. */
function keyOf(method: string, params: Params): string {
  return UPKEEP.has(method) ? method : `${method} ${canonical(params, method)}`;
}

/** Returns a value as JSON with its members in order, without what is fleeting, secret, or personal. */
function canonical(value: unknown, method: string): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, method)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined && !FLEETING_PARAMS.includes(name) && !isSecretName(name))
    // A personal value can be any, but it has to be there. A label may be one that was made for this call alone.
    .filter((name) => name !== "label" || isByLabel(method))
    .sort()
    .map((name) => `${JSON.stringify(name)}:${isPersonalParam(name, method) ? "?" : canonical(value[name], method)}`);
  return `{${members.join(",")}}`;
}

/** The caller's own personal values, and the replacements of the recording that they belong to. */
class OwnValues {
  readonly #replacements = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** Returns values with what the recording has for those that are known. */
  recorded(own: Values): Values {
    return new Map([...own].map(([name, value]) => [name, this.#replacements.get(value) ?? value]));
  }

  /** Whether the values of a call can be those of a recorded one. */
  fit(recorded: Values, own: Values): boolean {
    return [...recorded].every(([name, replacement]) => {
      const value = own.get(name) ?? replacement;
      const known = this.#replacements.get(value);
      return replacement === value || (known === undefined ? !this.#taken.has(replacement) : known === replacement);
    });
  }

  bind({ method, params }: RecordedExchange, ownParams: Params): void {
    const own = valuesOf(method, ownParams);
    for (const [name, replacement] of valuesOf(method, params)) {
      const value = own.get(name) ?? replacement;
      if (replacement === value) continue;
      this.#replacements.set(value, replacement);
      this.#taken.add(replacement);
    }
  }
}

/** The personal values of a call, by their names. Each has its name in it: elsewhere, its text may be another thing. */
type Values = ReadonlyMap<string, string>;

function valuesOf(method: string, params: Params): Values {
  const names = Object.keys(params).filter((name) => params[name] !== undefined && isPersonalParam(name, method));
  return new Map(names.sort().map((name) => [name, `${name} ${JSON.stringify(params[name])}`]));
}

/** Returns the values by which a call looks for something: no secret, and no label of something new. */
function soughtValues(method: string, params: Params): Values {
  const isSought = (name: string): boolean =>
    !FLEETING_PARAMS.includes(name) && !isSecretName(name) && (name !== "label" || isByLabel(method));
  return new Map([...valuesOf(method, params)].filter(([name]) => isSought(name)));
}

function valuesKey(values: Values): string {
  return [...values.values()].join();
}

function isByLabel(method: string): boolean {
  return method.endsWith("_by_label");
}

interface Period {
  readonly atMs: number;
  readonly events: Extract<ReplayStep, { kind: "event" }>[];
}

/** The events of channels, by the subscriptions that asked for them. */
class ChannelEvents {
  readonly #periods = new Map<string, Period[]>();
  readonly #begun = new Map<string, number>();
  readonly #accepted = new Set<string>();
  readonly #startedAtMs: number;

  constructor({ entries, startedAtMs }: Recording) {
    this.#startedAtMs = startedAtMs;
    const subscriptions = new Set<number>();
    for (const entry of entries) {
      if (entry.kind === "event") {
        const { atMs, channel, dataText } = entry;
        const period = this.#periods.get(channel)?.at(-1);
        period?.events.push({ kind: "event", afterMs: atMs - period.atMs, channel, dataText });
      } else if (entry.kind === "call" && channelChange(entry.method) === "begin") {
        subscriptions.add(entry.id);
        for (const channel of channelsIn(JSON.parse(entry.paramsText))) this.#open(channel, entry.atMs);
      } else if (entry.kind === "response" && entry.member === "result" && subscriptions.has(entry.id))
        for (const channel of textsIn(JSON.parse(entry.bodyText))) this.#accepted.add(channel);
    }
  }

  #open(channel: string, atMs: number): void {
    const periods = this.#periods.get(channel) ?? [];
    periods.push({ atMs, events: [] });
    this.#periods.set(channel, periods);
  }

  /** Returns what follows from a recorded call; nothing where it was not answered. */
  stepsOf({ method, response }: RecordedExchange, params: Params): readonly ReplayStep[] {
    if (response === undefined) return [];
    return channelChange(method) === "begin" && response.member === "result"
      ? this.#withEvents(response, channelsIn(params))
      : [response];
  }

  /**
   * Returns what follows from a call about channels that were recorded in other groups; undefined where one of them was
   * not.
   */
  derivedSteps(method: string, params: Params): readonly ReplayStep[] | undefined {
    const change = channelChange(method);
    const channels = channelsIn(params);
    if (change === undefined || channels.length === 0 || !channels.every((each) => this.#accepted.has(each)))
      return undefined;
    const response = derivedResponse({ startedAtMs: this.#startedAtMs }, channels);
    return change === "begin" ? this.#withEvents(response, channels) : [response];
  }

  /** The nth subscription to a channel gets the events of the nth recorded one, further ones those of the last. */
  #withEvents(response: ReplayStep, channels: readonly string[]): readonly ReplayStep[] {
    const events = [...new Set(channels)].flatMap((channel) => {
      const number = this.#begun.get(channel) ?? 0;
      this.#begun.set(channel, number + 1);
      const periods = this.#periods.get(channel) ?? [];
      return (periods[number] ?? periods.at(-1))?.events ?? [];
    });
    return [response, ...events].sort((a, b) => a.afterMs - b.afterMs);
  }
}

function channelsIn(params: unknown): readonly string[] {
  return isObject(params) ? textsIn(params["channels"]) : [];
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}
