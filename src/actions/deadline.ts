import * as l10n from "@vscode/l10n";
import type { Clock } from "../base/clock.ts";
import { CallError } from "../base/failure.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import type { Intent } from "./intent.ts";
import type { Routes } from "./route.ts";

/* Changes that the exchange must not carry out late carry a deadline in the exchange's time. */

/** Returns the exchange's time at this moment, in ms since the Unix epoch. Never ahead of it: at most a way back late. */
export type ExchangeTime = () => number;

export interface ExchangeTimePorts {
  readonly routes: Pick<Routes, "call">;
  readonly clock: Clock;
}

const TIMEOUT_MS = 5000;

/**
 * Reads the exchange's time. The clock of this computer is never taken for it: it may be set. Throws `CallError` where
 * it can't be read.
 */
export async function readExchangeTime(
  { routes, clock }: ExchangeTimePorts,
  options: { readonly generation: number | undefined; readonly signal: AbortSignal },
): Promise<ExchangeTime> {
  const { generation, signal } = options;
  const { result } = await routes.call(TIME_INTENT, {
    timeoutMs: TIMEOUT_MS,
    lane: "userRead",
    signal,
    ...(generation === undefined ? {} : { generation }),
  });
  if (typeof result !== "number" || !Number.isSafeInteger(result))
    throw new CallError({ kind: "refused", reason: l10n.t("The exchange's time couldn't be read. Try again.") });
  const readAtMs = clock.monotonicMs();
  return () => result + clock.monotonicMs() - readAtMs;
}

/** Returns the intent with its deadline as the last parameter; the same where it has none. */
export function withDeadline(intent: Intent, now: ExchangeTime | undefined): Intent {
  const { validForMs, paramsText } = intent;
  if (validForMs === undefined) return intent;
  if (now === undefined) throw new CallError({ kind: "bug", detail: "a deadline without the exchange's time" });
  const untilMs = Math.floor(now() + validForMs);
  return { ...intent, paramsText: `${paramsText.slice(0, -1)},"valid_until":${String(untilMs)}}` };
}

const TIME_INTENT: Intent = {
  method: SESSION_CALLS.tellTime,
  paramsText: "{}",
  origin: "view",
  words: { action: "", target: "", detail: [], keep: "" },
};
