import type { Clock } from "../../base/clock.ts";
import type { Failure } from "../../base/failure.ts";
import type { Json } from "../text/json.ts";

/** The time of a request's arrival. */
export interface Arrival {
  /** The time, in µs since the Unix epoch. */
  readonly atUs: number;
  readonly monotonicMs: number;
}

/** An error object as it goes over the wire. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/**
 * Returns the present time. The exchange stamps in µs; the clock's fraction of a millisecond makes up the last three
 * digits.
 */
export function stampArrival(clock: Clock): Arrival {
  const monotonicMs = clock.monotonicMs();
  return { atUs: clock.now() * 1000 + (Math.floor(monotonicMs * 1000) % 1000), monotonicMs };
}

/** Returns a success response. */
export function successText(id: number | string | undefined, resultText: string, timing: string): string {
  return `{"jsonrpc":"2.0",${idText(id)}"result":${resultText},${timing}}`;
}

/** Returns an error response. */
export function errorText(id: number | string | undefined, error: WireError, timing: string): string {
  return errorBodyText(id, JSON.stringify(error), timing);
}

/** Returns an error response with an error object that is written already. */
export function errorBodyText(id: number | string | undefined, bodyText: string, timing: string): string {
  return `{"jsonrpc":"2.0",${idText(id)}"error":${bodyText},${timing}}`;
}

/** Returns the members with which every response of the exchange ends. */
export function timingMembers(clock: Clock, arrival: Arrival): string {
  const tookUs = Math.max(1, Math.round((clock.monotonicMs() - arrival.monotonicMs) * 1000));
  return `"usIn":${arrival.atUs},"usOut":${arrival.atUs + tookUs},"usDiff":${tookUs},"testnet":true`;
}

/** Returns a refusal as it goes over the wire. */
export function toWireError(failure: Extract<Failure, { kind: "exchange" }>): WireError {
  const { code, message, param, reason, waitSeconds } = failure;
  if (param === undefined && reason === undefined && waitSeconds === undefined) return { code, message };
  return { code, message, data: { reason, param, wait: waitSeconds } };
}

function idText(id: number | string | undefined): string {
  return id === undefined ? "" : `"id":${JSON.stringify(id)},`;
}
