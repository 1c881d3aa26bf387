import type { Failure } from "../base/failure.ts";

/** An answer of the exchange: a result or an error object, with the text as it was received. */
export interface Answer {
  /** The id on the wire, or the number we gave the call where the transport needs none. */
  readonly wireId: number;
  readonly method: string;
  /** The text of the `result` or `error` member, every literal as received; secrets masked once past the session. */
  readonly bodyText: string;
  /** The parsed result; undefined when `error` is there. Secrets masked once past the session. */
  readonly result: unknown;
  /** The error object, decoded. */
  readonly error: Extract<Failure, { kind: "exchange" }> | undefined;
  /** Whether secrets were masked in `bodyText`. */
  readonly hasMaskedSecrets: boolean;
  readonly timing: AnswerTiming;
  /** What the server says of itself; undefined where it does not say. */
  readonly testnet: boolean | undefined;
}

/** Where the time of a call went. All in milliseconds. */
export interface AnswerTiming {
  /** When the answer was there, ms since the Unix epoch. */
  readonly receivedAtMs: number;
  /** From the call to the answer, waiting in our own queue included. */
  readonly totalMs: number;
  /** Waiting in our own queue (rate limit, token refresh). */
  readonly queuedMs: number;
  /** What the exchange says it took (`usDiff`); undefined where it does not say. */
  readonly exchangeMs: number | undefined;
}

/**
 * What is left of the time of a call without our queue and the exchange: the way there and back, and what else nobody
 * accounts for.
 */
export function networkMs({ totalMs, queuedMs, exchangeMs = 0 }: AnswerTiming): number {
  return Math.max(0, totalMs - queuedMs - exchangeMs);
}
