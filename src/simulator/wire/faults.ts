import { effectOf } from "../../catalogue/index.ts";
import type { Json } from "../text/json.ts";

/**
 * What goes wrong with a call. One-shot: the next call that fits uses it up. Members combine; left out, each means
 * that this part goes as usual.
 */
export interface Fault {
  /** Name of the method it waits for; any when left out. */
  readonly method?: string;
  /** It waits for a call that would change something. */
  readonly isChange?: true;
  /** For how many calls; 1 when left out. */
  readonly times?: number;
  /**
   * `skipped`: the method is not carried out. `overtaken`: the order it is about is filled by somebody else first, then
   * it is carried out. With `skipped`, a response can only be made for methods with an order_id: the order as it is.
   */
  readonly effect?: "applied" | "skipped" | "overtaken";
  /** Carried out only after so many ms; there is no response then unless `response` is an error. */
  readonly applyAfterMs?: number;
  /** `none`: no response is sent. An error is answered whatever the method did. */
  readonly response?: "sent" | "none" | FaultError;
  /** The response leaves so many ms later; events do not wait. */
  readonly holdMs?: number;
  /** The response is changed before it leaves. */
  readonly mutate?: Mutation;
  /** What happens to the link after the response, or in its place. */
  readonly link?: "keep" | "close" | "reset";
}

export interface FaultError {
  readonly code: number;
  /** The exchange's name of the code when left out. */
  readonly message?: string;
  readonly data?: Json;
}

/** How a response is changed. `member` is a member of the result. */
export type Mutation =
  /** Half of the text is missing. */
  | { readonly how: "truncate" }
  /** The member, or the whole result, becomes a value of another type. */
  | { readonly how: "wrongType"; readonly member?: string }
  | { readonly how: "drop"; readonly member: string }
  | { readonly how: "set"; readonly member: string; readonly value: Json }
  /** The whole result becomes this. */
  | { readonly how: "result"; readonly value: Json }
  /** The response carries another id, or none when `id` is left out. */
  | { readonly how: "id"; readonly id?: number | string }
  /** The response is sent two times. */
  | { readonly how: "twice" }
  /** This text is sent in its place. */
  | { readonly how: "text"; readonly text: string };

/** Faults that wait for their call. */
export interface Faults {
  add(fault: Fault): void;
  /** The first fault that fits, used up by this. */
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

/** The texts that are sent in place of a response. */
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

/** Only a result that is an object has members to change; any other response leaves as it is. */
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
