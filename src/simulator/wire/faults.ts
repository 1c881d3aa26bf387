import type { Random } from "../../base/clock.ts";
import { createEmitter, type Event } from "../../base/emitter.ts";
import { effectOf } from "../../catalogue/index.ts";
import type { Json } from "../text/json.ts";

/**
 * A fault of a call. One-shot unless it says otherwise: the next call that fits uses it up. Members combine. An
 * omitted member leaves its part as usual.
 */
export interface Fault {
  /** The word for it in the log. */
  readonly name?: string;
  /** The name of the method that it waits for; any when left out. */
  readonly method?: string;
  /** The names of several methods, any of which it waits for. */
  readonly methods?: readonly string[];
  /** Whether it waits for a call that would change something. */
  readonly isChange?: true;
  /** The number of calls that it is used for (default: 1). */
  readonly times?: number | "always";
  /** The number of the first call that fits which it can be used for (default: 1). */
  readonly from?: number;
  /** Whether it is used for every second, third, … call from there on: 2, 3, … (default: each). */
  readonly every?: number;
  /** The chance that it is used for a call, by the seed (default: 1). */
  readonly chance?: number;
  /**
   * The effect of the call. `skipped`: the method is not carried out. `overtaken`: another party first fills the order
   * that it is about, then it is carried out; `partlyOvertaken`: half of it. `selfMatched`: it is carried out, and what
   * rests of the new order is cancelled, as where it would have traded with another order of its account. With
   * `skipped`, a response can only be made for methods with an order_id: the order as it is; and for private/buy and
   * private/sell: an order that is not there.
   */
  readonly effect?: "applied" | "skipped" | "overtaken" | "partlyOvertaken" | "selfMatched";
  /** What happens at the exchange before the call is served. */
  readonly happens?: Happening;
  /** The delay before it is carried out, in ms; no response follows then unless `response` is an error. */
  readonly applyAfterMs?: number;
  /** The response. `none`: no response is sent. An error is sent whatever the method did. */
  readonly response?: "sent" | "none" | FaultError;
  /** The delay of the response, in ms; events do not wait. */
  readonly holdMs?: number;
  /** The delay of every response while it lasts, by chance between two times in ms. It adds to any other fault. */
  readonly latencyMs?: readonly [least: number, most: number];
  /** The number of later responses on the connection that overtake this one. Without them it never leaves. */
  readonly holdCalls?: number;
  /** Whether the events of the call leave before its response, and not after it by chance. */
  readonly areEventsFirst?: true;
  /** What becomes of the next event on a channel whose name begins so. */
  readonly event?: EventFault;
  /** The page that is sent instead of a response over HTTP; a WebSocket is cut off. */
  readonly page?: { readonly status: number; readonly html: string };
  /** The change of the response before it leaves. */
  readonly mutate?: Mutation;
  /** The fate of the link after the response, or instead of it. */
  readonly link?: "keep" | "close" | "reset";
}

/** Something that the exchange or another party does: a name of the control, with its members. */
export interface Happening {
  readonly control: string;
  readonly body: object;
  /** The control that ends it, and the number of calls that are served until then, the one of the fault included. */
  readonly end?: { readonly control: string; readonly body: object; readonly afterCalls: number };
}

/** A fault of the next event on a channel. `skip`: it is never sent. `twice`: it is sent two times. */
export interface EventFault {
  readonly channel: string;
  readonly how: "skip" | "twice";
}

/** A fault that was used for a call. */
export interface UsedFault {
  /** The number of the call, from 1: calls that were understood are counted, over all connections. */
  readonly call: number;
  readonly method: string;
  /** The name of the fault; `fault` where it has none. */
  readonly fault: string;
}

interface FaultError {
  readonly code: number;
  /** The message; the exchange's name of the code when left out. */
  readonly message?: string;
  readonly data?: Json;
}

/** A change of a response. `member` is a member of the result. */
export type Mutation =
  /** A change that cuts off half of the text. */
  | { readonly how: "truncate" }
  /** A change of the member, or the whole result, to a value of another type. */
  | { readonly how: "wrongType"; readonly member?: string }
  | { readonly how: "drop"; readonly member: string }
  | { readonly how: "set"; readonly member: string; readonly value: Json }
  /** A change of the whole result to this value. */
  | { readonly how: "result"; readonly value: Json }
  /** A change of the id, or its removal when `id` is left out. */
  | { readonly how: "id"; readonly id?: number | string }
  /** A repetition: the response is sent two times. */
  | { readonly how: "twice" }
  /** A replacement: this text is sent instead. */
  | { readonly how: "text"; readonly text: string };

/** The faults that wait for their call. */
export interface Faults {
  /** Adds a fault. `random`: its chances (default: those that the faults were made with). */
  add(fault: Fault, random?: Random): void;
  /**
   * Counts a call, and returns its fault: the first one that fits and is to be used now, with a latency added. It is
   * used up by this, and noted in the log.
   */
  take(method: string): Fault | undefined;
  /** Returns what is to be ended before the next call is served, each once. */
  due(): readonly Pick<Happening, "control" | "body">[];
  waiting(): readonly Fault[];
  /** Returns the faults that were used, oldest first. */
  log(): readonly UsedFault[];
  /** Takes back faults that wait. What has begun is due now. */
  clear(): void;
  /** Fires when a fault was used. */
  readonly onUse: Event<UsedFault>;
}

/** The most entries of the log that are kept. */
const MAX_LOG = 10_000;

interface WaitingFault {
  readonly fault: Fault;
  readonly random: Random;
  left: number;
  /** The number of calls that fitted. */
  seen: number;
}

/** Makes faults of which none waits. */
export function createFaults(chances: Random): Faults {
  let waiting: WaitingFault[] = [];
  let begun: { readonly end: NonNullable<Happening["end"]>; left: number }[] = [];
  let log: UsedFault[] = [];
  let calls = 0;
  const uses = createEmitter<UsedFault>();
  const use = (one: WaitingFault, method: string): void => {
    one.left--;
    const used = { call: calls, method, fault: one.fault.name ?? "fault" };
    log.push(used);
    if (log.length > MAX_LOG) log = log.slice(MAX_LOG / 10);
    const end = one.fault.happens?.end;
    if (end !== undefined) begun.push({ end, left: end.afterCalls });
    uses.fire(used);
  };
  return {
    onUse: uses.event,
    add(fault, random = chances) {
      const { times = 1 } = fault;
      waiting.push({ fault, random, left: times === "always" ? Infinity : times, seen: 0 });
    },
    take(method) {
      calls++;
      const ready = waiting.filter((each) => isReady(each, method));
      const found = ready.find(({ fault }) => fault.latencyMs === undefined);
      const latency = ready.find(({ fault }) => fault.latencyMs !== undefined);
      if (found !== undefined) use(found, method);
      const addedMs = latency === undefined ? 0 : latencyOf(latency);
      if (latency !== undefined) latency.left--;
      waiting = waiting.filter(({ left }) => left > 0);
      if (latency === undefined) return found?.fault;
      return { ...found?.fault, holdMs: (found?.fault.holdMs ?? 0) + addedMs };
    },
    due() {
      for (const each of begun) each.left--;
      const over = begun.filter(({ left }) => left <= 0);
      begun = begun.filter(({ left }) => left > 0);
      return over.map(({ end }) => end);
    },
    waiting: () => waiting.map(({ fault }) => fault),
    log: () => log,
    clear() {
      waiting = [];
      for (const each of begun) each.left = 0;
    },
  };
}

/** Counts a call, and returns whether a fault is to be used for it. */
function isReady(one: WaitingFault, method: string): boolean {
  const { method: wanted = method, methods, isChange, from = 1, every = 1, chance } = one.fault;
  const isMeant = wanted === method && (methods?.includes(method) ?? true);
  if (!isMeant || (isChange !== undefined && effectOf(method) === "read")) return false;
  one.seen++;
  const isTurn = one.seen >= from && (one.seen - from) % every === 0;
  return isTurn && (chance === undefined || one.random() < chance);
}

function latencyOf({ fault, random }: WaitingFault): number {
  const [least, most] = fault.latencyMs ?? [0, 0];
  return Math.round(least + random() * (most - least));
}

/** Returns the texts that are sent instead of a response. */
export function mutateResponse(text: string, mutation: Mutation): string[] {
  switch (mutation.how) {
    case "truncate":
      return [text.slice(0, Math.floor(text.length / 2))];
    case "twice":
      return [text, text];
    case "text":
      return [mutation.text];
    case "id":
      return [
        changed(text, (frame) => (mutation.id === undefined ? without(frame, "id") : { ...frame, id: mutation.id })),
      ];
    case "drop":
      return [changedResult(text, (result) => without(result, mutation.member))];
    case "set":
      return [changedResult(text, (result) => ({ ...result, [mutation.member]: mutation.value }))];
    case "result":
      return [changed(text, (frame) => ({ ...frame, result: mutation.value }))];
    case "wrongType": {
      const { member } = mutation;
      if (member === undefined) return [changed(text, (frame) => ({ ...frame, result: otherType(frame["result"]) }))];
      return [changedResult(text, (result) => ({ ...result, [member]: otherType(result[member]) }))];
    }
  }
}

type Members = Readonly<Record<string, unknown>>;

function changed(text: string, change: (frame: Members) => Members): string {
  return JSON.stringify(change(JSON.parse(text) as Members));
}

/**
 * Returns a text with the result changed. Only a result that is an object has members to change; any other response
 * leaves as it is.
 */
function changedResult(text: string, change: (result: Members) => Members): string {
  const { result } = JSON.parse(text) as Members;
  if (typeof result !== "object" || result === null || Array.isArray(result)) return text;
  return changed(text, (frame) => ({ ...frame, result: change(result as Members) }));
}

function without(members: Members, name: string): Members {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
}

function otherType(value: unknown): unknown {
  return typeof value === "string" ? 7 : "7";
}
