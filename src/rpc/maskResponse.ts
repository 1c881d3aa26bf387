import type { Clock } from "../base/clock.ts";
import type { Failure } from "../base/failure.ts";
import type { MaskedResponse, ResponseContent } from "./response.ts";
import { decodeError, type ResponseBody, type ChannelEvent } from "./frame.ts";
import { HIDDEN, maskNamed, type SecretValues } from "./maskSecrets.ts";
import { OneTimeSecret, oneTimeSecretOf } from "./oneTimeSecret.ts";
import type { Span } from "./scanJson.ts";

/** A response as it came, including secrets. A peer passes it to its session; nothing else sees it. */
export interface UnmaskedResponse extends ResponseContent {
  /** The places of secrets in `bodyText`. */
  readonly secrets: readonly Span[];
  /** The longest text; see `SecretValues.hide`. */
  readonly longestText: number;
}

/** The call that a response belongs to; times on the monotonic clock. */
interface AnsweredCall {
  readonly wireId: number;
  readonly method: string;
  readonly sentAtMs: number;
  /** The time when it began to wait in our own queues. */
  readonly startedAtMs: number;
}

/**
 * Returns what a response says, together with the call it belongs to. Its error may be thrown and logged: it has no
 * known secrets from here on.
 */
export function unmaskedResponse(
  call: AnsweredCall,
  { text, result, list, error, exchangeMs, testnet, secrets, longestText }: ResponseBody,
  { clock, hide }: { readonly clock: Clock; readonly hide?: ((text: string) => string) | undefined },
): UnmaskedResponse {
  return {
    wireId: call.wireId,
    method: call.method,
    bodyText: text,
    result,
    list,
    error: error === undefined || hide === undefined ? error : maskFailure(error, hide),
    timing: {
      receivedAtMs: clock.now(),
      totalMs: clock.monotonicMs() - call.startedAtMs,
      queuedMs: call.sentAtMs - call.startedAtMs,
      exchangeMs,
    },
    testnet,
    secrets,
    longestText,
  };
}

/**
 * Returns the response that may leave the session: secrets hidden in the text, the parsed result made of that text. A
 * secret that exists in this response only goes along as a closed object.
 */
export function maskResponse(content: UnmaskedResponse, values: SecretValues): MaskedResponse {
  // Member by member: a copy of what is left of an object costs ten times as much, and every response passes here.
  const { secrets, longestText, wireId, method, timing, testnet } = content;
  const oneTime = content.error === undefined ? oneTimeSecretOf(content.method, content.result) : undefined;
  if (oneTime !== undefined) noteSecret(oneTime, values);
  const bodyText = values.hide(maskNamed(content.bodyText, secrets), longestText);
  if (bodyText === content.bodyText) {
    const { result, list, error } = content;
    return { wireId, method, bodyText, result, list, error, timing, testnet, hasMaskedSecrets: false };
  }
  const hidden = parseHidden(bodyText);
  const error =
    content.error === undefined
      ? undefined
      : (decodeError(hidden.value) ?? { kind: "exchange", code: content.error.code, message: HIDDEN });
  return {
    wireId,
    method,
    timing,
    testnet,
    bodyText: hidden.text,
    result: error === undefined ? hidden.value : undefined,
    error,
    hasMaskedSecrets: true,
    ...(oneTime === undefined ? {} : { oneTime }),
  };
}

/** Returns a failure with every text in it that came from outside masked by `hide`. */
export function maskFailure<F extends Failure>(failure: F, hide: (text: string) => string): F {
  return Object.fromEntries(
    Object.entries(failure).map(([name, value]: readonly [string, unknown]) => [
      name,
      typeof value === "string" && TEXTS_FROM_OUTSIDE.includes(name) ? hide(value) : value,
    ]),
  ) as unknown as F;
}

const TEXTS_FROM_OUTSIDE: readonly string[] = ["message", "param", "reason", "detail"];

/** Adds a one-time secret to those that are hidden by value, and returns its text; undefined where it was forgotten. */
export function noteSecret(secret: OneTimeSecret, values: SecretValues): string | undefined {
  const value = OneTimeSecret.open(secret);
  if (value !== undefined && secret.kind === "signature") values.add(value, "signature");
  else if (value !== undefined) values.keep(value);
  return value;
}

/** The payload of an event that may leave the session, and the whole frame that brought it, literal for literal. */
export interface MaskedEvent {
  readonly data: unknown;
  readonly frameText: string;
}

/** Returns an event without its secrets. */
export function maskEvent(event: ChannelEvent, values: SecretValues): MaskedEvent {
  const text = values.hide(maskNamed(event.text, event.secrets), event.longestText);
  if (text === event.text) return { data: event.data, frameText: text };
  const hidden = parseHidden(text) as {
    readonly text: string;
    readonly value: { readonly params?: { readonly data?: unknown } };
  };
  return { data: hidden.value.params?.data, frameText: hidden.text };
}

/**
 * Returns a text and its parsed value after hiding. Where hiding a secret that looks like JSON breaks the text, all of
 * it is hidden.
 */
function parseHidden(text: string): { readonly text: string; readonly value: unknown } {
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    return { text: JSON.stringify(HIDDEN), value: HIDDEN };
  }
}
