import type { Failure } from "../base/failure.ts";
import type { OneTimeSecret } from "./oneTimeSecret.ts";
import type { OrderList } from "./orderList.ts";

/** The content of a response of the exchange: a result or an error object, with the text as it was received. */
export interface ResponseContent {
  /** The id on the wire, or the number we gave the call where the transport needs none. */
  readonly wireId: number;
  readonly method: string;
  /** The text of the `result` or `error` member, every literal as received. */
  readonly bodyText: string;
  /** The parsed result; undefined when `error` or `list` is there. */
  readonly result: unknown;
  /** The result of a call that wanted its orders one by one, unless it is unusual: proven, and not parsed. */
  readonly list?: OrderList | undefined;
  /** The error object, decoded. */
  readonly error: Extract<Failure, { kind: "exchange" }> | undefined;
  readonly timing: ResponseTiming;
  /** Whether the server says that it is the testnet; undefined where it does not say. */
  readonly testnet: boolean | undefined;
}

/** A response that may leave the session: its secrets are masked, in the text and in what was parsed from it. */
export interface MaskedResponse extends ResponseContent {
  /** Whether there were secrets to mask in `bodyText`. */
  readonly hasMaskedSecrets: boolean;
  /** The secret that exists in this response only, closed; undefined where there is none. */
  readonly oneTime?: OneTimeSecret;
}

/** The timing of a call, all in milliseconds. */
export interface ResponseTiming {
  /** The time when the response was there, in ms since the Unix epoch. */
  readonly receivedAtMs: number;
  /** The time from the call to the response, waiting in our own queue included. */
  readonly totalMs: number;
  /** The time spent in our own queue (rate limit, token refresh). */
  readonly queuedMs: number;
  /** The time that the exchange reports (`usDiff`); undefined where it does not. */
  readonly exchangeMs: number | undefined;
}

/**
 * Returns the time of a call without our queue and the exchange: the way there and back, and everything else outside of
 * them.
 */
export function networkMs({ totalMs, queuedMs, exchangeMs = 0 }: ResponseTiming): number {
  return Math.max(0, totalMs - queuedMs - exchangeMs);
}
