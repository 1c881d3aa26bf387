import { isObject, parseJson } from "../../base/json.ts";
import { noteSent, type SecretValues } from "../../rpc/maskSecrets.ts";
import { frameMember, type Recorder } from "../record.ts";

/** Notes the conversations of another program, as texts pass. Each connection has a number. */
export interface BotRecording {
  opened(connection: number): void;
  closed(connection: number, by: "bot" | "exchange"): void;
  /** Notes what the program sent. */
  sent(connection: number, text: string): void;
  /** Notes what the program was sent. */
  received(connection: number, text: string): void;
}

/** A call that has no response yet. */
interface OpenCall {
  readonly number: number;
  readonly method: string;
}

/** The ways to write a method that the exchange takes, before its name. */
const BEFORE_METHOD = /^\/?(?:api\/v2\/)?/;

/**
 * Makes the notes of a recorder. It adds the secrets of the program to `secrets`, which the recorder hides wherever
 * they come again.
 */
export function createBotRecording(recorder: Recorder, secrets: SecretValues): BotRecording {
  const open = new Map<string, OpenCall[]>();
  const placeOf = (connection: number, id: unknown): string => `${connection} ${typeof id} ${String(id)}`;
  const noteCall = (connection: number, text: string, { id, method }: Readonly<Record<string, unknown>>): void => {
    const paramsText = frameMember(text, "params") ?? "{}";
    keepClientSecret(paramsText, secrets);
    noteSent(paramsText, secrets);
    const name = String(method).replace(BEFORE_METHOD, "");
    const wireId = typeof id === "number" || typeof id === "string" ? id : undefined;
    const number = recorder.noteCall({
      ...{ method: name, paramsText, isOfProgram: false, connection, wireId },
    });
    if (number === undefined) return;
    const place = placeOf(connection, id);
    open.set(place, [...(open.get(place) ?? []), { number, method: name }]);
  };
  const noteResponse = (connection: number, text: string, message: Readonly<Record<string, unknown>>): void => {
    const member = "error" in message ? "error" : "result";
    const place = placeOf(connection, message["id"]);
    const call = open.get(place)?.shift();
    const bodyText = frameMember(text, member);
    if (open.get(place)?.length === 0) open.delete(place);
    // One that comes twice, or belongs to no call, has no place in a recording.
    if (call === undefined || bodyText === undefined) {
      recorder.isIncomplete = true;
      return;
    }
    noteSent(bodyText, secrets);
    recorder.noteResponse({ id: call.number, member, bodyText }, call.method);
  };
  const noteEvent = (connection: number, text: string, channel: string): void => {
    const dataText = frameMember(frameMember(text, "params") ?? "", "data");
    if (dataText === undefined) recorder.isIncomplete = true;
    else recorder.noteEvent({ channel, dataText, connection });
  };
  return {
    opened: (connection) => recorder.noteConnection(connection, "opened"),
    closed: (connection, by) => recorder.noteConnection(connection, by === "bot" ? "closed" : "lost"),
    sent(connection, text) {
      const message = parseJson(text);
      if (isObject(message) && typeof message["method"] === "string") noteCall(connection, text, message);
      else recorder.isIncomplete = true;
    },
    received(connection, text) {
      const message = parseJson(text);
      const params = isObject(message) ? message["params"] : undefined;
      if (!isObject(message)) recorder.isIncomplete = true;
      else if ("result" in message || "error" in message) noteResponse(connection, text, message);
      else if (isObject(params) && typeof params["channel"] === "string")
        noteEvent(connection, text, params["channel"]);
      else if (isObject(params) && params["type"] === "test_request") recorder.noteConnection(connection, "asked");
    },
  };
}

/** A client secret stays what it is for as long as its key, so that it is hidden for all of the recording. */
function keepClientSecret(paramsText: string, secrets: SecretValues): void {
  const params = parseJson(paramsText);
  const secret = isObject(params) ? params["client_secret"] : undefined;
  if (typeof secret === "string") secrets.keep(secret);
}
