import { effectOf } from "../../catalogue/index.ts";
import type { Json } from "../text/json.ts";

/**
 * A fault of a call. One-shot: the next call that fits uses it up. Members combine; left out, each means that this part
 * goes as usual.
 */
export interface Fault {
  /** The name of the method that it waits for; any when left out. */
  readonly method?: string;
  /** Whether it waits for a call that would change something. */
  readonly isChange?: true;
  /** The number of calls; 1 when left out. */
  readonly times?: number;
  /**
   * The effect of the call. `skipped`: the method is not carried out. `overtaken`: another party first fills the order
   * that it is about, then it is carried out. With `skipped`, a response can only be made for methods with an order_id:
   * the order as it is; and for private/buy and private/sell: an order that is not there.
   */
  readonly effect?: "applied" | "skipped" | "overtaken";
  /** The delay before it is carried out, in ms; no response follows then unless `response` is an error. */
  readonly applyAfterMs?: number;
  /** The response. `none`: no response is sent. An error is sent whatever the method did. */
  readonly response?: "sent" | "none" | FaultError;
  /** The delay of the response, in ms; events do not wait. */
  readonly holdMs?: number;
  /** The change of the response before it leaves. */
  readonly mutate?: Mutation;
  /** The fate of the link after the response, or instead of it. */
  readonly link?: "keep" | "close" | "reset";
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
  add(fault: Fault): void;
  /** Returns the first fault that fits, used up by this. */
  take(method: string): Fault | undefined;
  waiting(): readonly Fault[];
  clear(): void;
}

export function createFaults(): Faults {
  let waiting: { readonly fault: Fault; left: number }[] = [];
  return {
    add(fault) {
      waiting.push({ fault, left: fault.times ?? 1 });
    },
    take(method) {
      const found = waiting.find(
        ({ fault }) =>
          (fault.method ?? method) === method && (fault.isChange === undefined || effectOf(method) !== "read"),
      );
      if (found === undefined) return undefined;
      found.left--;
      waiting = waiting.filter(({ left }) => left > 0);
      return found.fault;
    },
    waiting: () => waiting.map(({ fault }) => fault),
    clear() {
      waiting = [];
    },
  };
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
