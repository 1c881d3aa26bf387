import type { Failure } from "../base/failure.ts";

/** What a response of the exchange says: a result or an error object, with the text as it was received. */
export interface ResponseContent {
  /** The id on the wire, or the number we gave the call where the transport needs none. */
  readonly wireId: number;
  readonly method: string;
  /** The text of the `result` or `error` member, every literal as received. */
  readonly bodyText: string;
  /** The parsed result; undefined when `error` is there. */
  readonly result: unknown;
  /** The error object, decoded. */
  readonly error: Extract<Failure, { kind: "exchange" }> | undefined;
  readonly timing: ResponseTiming;
  /** What the server says of itself; undefined where it does not say. */
  readonly testnet: boolean | undefined;
}

/** A response that may leave the session: its secrets are masked, in the text and in what was parsed from it. */
export interface MaskedResponse extends ResponseContent {
  /** Whether there were secrets to mask in `bodyText`. */
  readonly hasMaskedSecrets: boolean;
}

/** Where the time of a call went. All in milliseconds. */
export interface ResponseTiming {
  /** When the response was there, ms since the Unix epoch. */
  readonly receivedAtMs: number;
  /** From the call to the response, waiting in our own queue included. */
  readonly totalMs: number;
  /** Waiting in our own queue (rate limit, token refresh). */
  readonly queuedMs: number;
  /** What the exchange says it took (`usDiff`); undefined where it does not say. */
  readonly exchangeMs: number | undefined;
}

/**
 * Returns what is left of the time of a call without our queue and the exchange: the way there and back, and whatever
 * else accounts for none of it.
 */
export function networkMs({ totalMs, queuedMs, exchangeMs = 0 }: ResponseTiming): number {
  return Math.max(0, totalMs - queuedMs - exchangeMs);
}
