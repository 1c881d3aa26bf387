import type { Clock } from "../base/clock.ts";
import type { Answer } from "./answer.ts";
import { decodeError, type AnswerBody, type ChannelEvent } from "./frame.ts";
import { HIDDEN, maskSpans, type SecretValues } from "./maskSecrets.ts";
import type { Span } from "./scanJson.ts";

/** An answer as it came, secrets and all: what a peer hands to its session and nobody else sees. */
export interface Reply {
  readonly answer: Answer;
  /** Where secrets stand in the answer's `bodyText`. */
  readonly secrets: readonly Span[];
  /** See `SecretValues.hide`. */
  readonly longestText: number;
}

/** The call that an answer belongs to; times on the monotonic clock. */
export interface AnsweredCall {
  readonly wireId: number;
  readonly method: string;
  readonly sentAtMs: number;
  /** When it began to wait in our own queues. */
  readonly startedAtMs: number;
}

/** What an answer says, together with the call it belongs to. */
export function toReply(
  call: AnsweredCall,
  { text, result, error, exchangeMs, testnet, secrets, longestText }: AnswerBody,
  clock: Clock,
): Reply {
  const answer = {
    wireId: call.wireId,
    method: call.method,
    bodyText: text,
    result,
    error,
    hasMaskedSecrets: false,
    timing: {
      receivedAtMs: clock.now(),
      totalMs: clock.monotonicMs() - call.startedAtMs,
      queuedMs: call.sentAtMs - call.startedAtMs,
      exchangeMs,
    },
    testnet,
  };
  return { answer, secrets, longestText };
}

/** The answer that may leave the session: secrets hidden in the text, the parsed result made of that text. */
export function maskReply({ answer, secrets, longestText }: Reply, values: SecretValues): Answer {
  const bodyText = values.hide(maskSpans(answer.bodyText, secrets), longestText);
  if (bodyText === answer.bodyText) return answer;
  const hidden = parseHidden(bodyText);
  const error =
    answer.error === undefined
      ? undefined
      : (decodeError(hidden.value) ?? { kind: "exchange", code: answer.error.code, message: HIDDEN });
  return {
    ...answer,
    bodyText: hidden.text,
    result: error === undefined ? hidden.value : undefined,
    error,
    hasMaskedSecrets: true,
  };
}

/** The payload of an event that may leave the session, and the whole frame that brought it, literal for literal. */
export interface MaskedEvent {
  readonly data: unknown;
  readonly frameText: string;
}

/** An event without its secrets. */
export function maskEvent(event: ChannelEvent, values: SecretValues): MaskedEvent {
  const text = values.hide(maskSpans(event.text, event.secrets), event.longestText);
  if (text === event.text) return { data: event.data, frameText: text };
  const hidden = parseHidden(text) as {
    readonly text: string;
    readonly value: { readonly params?: { readonly data?: unknown } };
  };
  return { data: hidden.value.params?.data, frameText: hidden.text };
}

/** A secret that looks like JSON itself may break the text when it is hidden: then all of it is hidden. */
function parseHidden(text: string): { readonly text: string; readonly value: unknown } {
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return { text: JSON.stringify(HIDDEN), value: HIDDEN };
  }
}
