import { effectOf, isCancel } from "../../catalogue/index.ts";
import type { BotEnd, BotFrame, DeclaredBounds, ReceivedFrame, SentFrame } from "./frames.ts";

/** A call, and what the bot was told about it. */
export interface BotCall {
  /** The index of its frame. */
  readonly at: number;
  readonly frame: SentFrame;
  /** The first response; undefined where none arrived. */
  readonly reply: { readonly at: number; readonly frame: ReceivedFrame } | undefined;
}

/** Everything that checks are about. */
export interface Conversation {
  readonly frames: readonly BotFrame[];
  readonly calls: readonly BotCall[];
  /** How the bot ended; undefined where only its frames are known. */
  readonly end: BotEnd | undefined;
  readonly bounds: DeclaredBounds;
}

/** Puts calls and responses together. */
export function conversationOf(
  frames: readonly BotFrame[],
  { end, bounds = {} }: { readonly end?: BotEnd | undefined; readonly bounds?: DeclaredBounds } = {},
): Conversation {
  const replies = new Map<number, BotCall["reply"]>();
  const waiting = new Map<string, number[]>();
  for (const [at, frame] of frames.entries()) {
    if (frame.kind === "sent") {
      const place = placeOf(frame);
      waiting.set(place, [...(waiting.get(place) ?? []), at]);
    } else if (frame.kind === "received" && frame.channel === undefined && frame.isTestRequest !== true) {
      const call = waiting.get(placeOf(frame))?.shift();
      if (call !== undefined) replies.set(call, { at, frame });
    }
  }
  const calls = frames.flatMap((frame, at) => (frame.kind === "sent" ? [{ at, frame, reply: replies.get(at) }] : []));
  return { frames, calls, end, bounds };
}

/** Returns what a response finds its call by: HTTP has one call on each connection. */
function placeOf({ link, connection, id }: SentFrame | ReceivedFrame): string {
  return link === "http" ? `${connection}` : `${connection} ${typeof id} ${String(id)}`;
}

/** Whether a call asks for a change of orders, quotes, or money; sign-ins and subscriptions are none. */
export function isWrite({ method }: Pick<SentFrame, "method">): boolean {
  return method.startsWith("private/") && ["reduce", "write", "mass", "money"].includes(effectOf(method));
}

/** Whether a call only keeps its connection: a library sends it, whatever the bot does. */
export function isKeepAlive({ method }: Pick<SentFrame, "method">): boolean {
  return method === "public/test";
}

/** Whether a call asks for a change that is not a cancel. */
export function isPlacing(frame: Pick<SentFrame, "method">): boolean {
  return isWrite(frame) && !isCancel(frame.method) && effectOf(frame.method) !== "reduce";
}

/** Whether a call places an order, or moves one. */
export function isOrder({ method }: Pick<SentFrame, "method">): boolean {
  return ORDERS.has(method);
}

const ORDERS: ReadonlySet<string> = new Set(["private/buy", "private/sell", "private/edit", "private/edit_by_label"]);

/** The members that differ although the call is the same. */
const VOLATILE: ReadonlySet<string> = new Set(["nonce", "timestamp", "valid_until"]);

/** Returns a text that is the same for calls that ask for the same. */
export function callMeaning({ method, params }: Pick<SentFrame, "method" | "params">): string {
  const members = Object.entries(params).filter(([name]) => !VOLATILE.has(name));
  return `${method} ${JSON.stringify(members.toSorted(([one], [other]) => (one < other ? -1 : 1)))}`;
}

/** Returns the instrument that a call or a channel is about. */
export function callInstrument({ params }: Pick<SentFrame, "params">): string | undefined {
  const name = params["instrument_name"];
  return typeof name === "string" ? name : undefined;
}

/** Returns a number of the parameters, also where it is written as a text. */
export function callNumber({ params }: Pick<SentFrame, "params">, name: string): number | undefined {
  const value = params[name];
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Whether a call was answered with a result. */
export function isDone({ reply }: BotCall): boolean {
  return reply !== undefined && reply.frame.error === undefined && reply.frame.isUnreadable !== true;
}

/** Returns the code of the error that a call was answered with. */
export function errorCodeOf({ reply }: BotCall): number | undefined {
  return reply?.frame.error?.code;
}

/** Returns the channels that a call subscribes to. */
export function subscribedChannels({ params }: Pick<SentFrame, "params">): readonly string[] {
  const { channels } = params;
  return Array.isArray(channels) ? channels.filter((each): each is string => typeof each === "string") : [];
}
