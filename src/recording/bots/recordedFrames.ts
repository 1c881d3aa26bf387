import { isObject, parseJson } from "../../base/json.ts";
import type { Recording, RecordingEntry } from "../recording.ts";
import type { BotFrame, SentFrame } from "./frames.ts";
import { keptData, keptResult } from "./messages.ts";

/** The number of the connection of recorded calls that have none: those of our own. */
const OWN_CONNECTION = 1;

/** Returns the frames of a recording. The outcome of its calls at the exchange is not known. */
export function recordedFrames({ entries }: Recording): readonly BotFrame[] {
  const calls = new Map<number, SentFrame>();
  const tokens = new Map<string, number>();
  return entries.map((entry): BotFrame => {
    const { atMs } = entry;
    switch (entry.kind) {
      case "call": {
        const call = sentFrame(entry, tokens);
        calls.set(entry.id, call);
        return call;
      }
      case "response": {
        const call = calls.get(entry.id);
        const place = { atMs, connection: call?.connection ?? OWN_CONNECTION, link: "webSocket" } as const;
        const body = parseJson(entry.bodyText);
        const common = { kind: "received", ...place, id: call?.id } as const;
        if (entry.member === "result") return { ...common, result: keptResult(body) };
        const { code, message } = isObject(body) ? body : {};
        return { ...common, error: { code: Number(code), message: String(message) } };
      }
      case "event": {
        const place = { atMs, connection: entry.connection ?? OWN_CONNECTION, link: "webSocket" } as const;
        return { kind: "received", ...place, channel: entry.channel, data: keptData(parseJson(entry.dataText)) };
      }
      case "connection":
        return connectionFrame(entry);
    }
  });
}

type EntryOf<K extends RecordingEntry["kind"]> = Extract<RecordingEntry, { readonly kind: K }>;

function sentFrame(
  { atMs, id, connection = OWN_CONNECTION, wireId = id, method, paramsText }: EntryOf<"call">,
  tokens: Map<string, number>,
): SentFrame {
  const given = parseJson(paramsText);
  const { access_token: accessToken, ...params } = isObject(given) ? given : {};
  const call = { kind: "sent", atMs, connection, link: "webSocket", id: wireId, method, params } as const;
  if (typeof accessToken !== "string") return call;
  if (!tokens.has(accessToken)) tokens.set(accessToken, tokens.size + 1);
  return { ...call, token: tokens.get(accessToken) };
}

function connectionFrame({ atMs, connection, step }: EntryOf<"connection">): BotFrame {
  const place = { atMs, connection, link: "webSocket" } as const;
  switch (step) {
    case "opened":
      return { kind: "opened", ...place };
    case "asked":
      return { kind: "received", ...place, isTestRequest: true };
    case "closed":
      return { kind: "closed", ...place, by: "bot" };
    case "lost":
      return { kind: "closed", ...place, by: "exchange" };
  }
}
