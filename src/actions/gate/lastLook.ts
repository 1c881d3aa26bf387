import { refused, toFailure, type Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { targetKeyOf, type CheckedIntent, type KnownMarket } from "../judge/check.ts";
import type { GatePorts } from "./gatePorts.ts";
import type { Intent } from "../intent/intent.ts";
import { isBarred } from "../proof/orderReads.ts";
import { effectOf } from "../../catalogue/index.ts";
import { SESSION_CALLS } from "../../catalogue/sessionCalls.ts";

/*
 * What is read around the send of a change: what other windows have under way, the exchange's time for its deadline,
 * its object right before, and what tells how far an order has come.
 */

/**
 * Reads an object in the last moment before it is changed. Returns why the change is not sent: the object is no longer
 * as it was confirmed, or the read failed. Where the server or the API key does not offer the read, what the views know
 * has to do.
 */
export async function lookLast(
  { routes }: Pick<GatePorts, "routes">,
  { lastLook, transport }: Intent,
  { generation, signal }: { readonly generation: number | undefined; readonly signal: AbortSignal },
): Promise<Failure | undefined> {
  if (lastLook === undefined) return undefined;
  const look: Intent = {
    ...{ method: lastLook.method, paramsText: lastLook.paramsText, origin: "view" },
    words: { action: "", target: "", detail: [], keep: "" },
    ...(transport === undefined ? {} : { transport }),
  };
  const response = await routes
    .call(look, {
      ...{ signal, timeoutMs: LAST_LOOK_TIMEOUT_MS, lane: "userRead" },
      ...(generation === undefined ? {} : { generation }),
    })
    .catch(toFailure);
  if ("kind" in response) return isBarred(response) ? undefined : response;
  if (response.error !== undefined) return isBarred(response.error) ? undefined : response.error;
  const changed = lastLook.changedBy(response.result);
  return changed === undefined ? undefined : { kind: "situationChanged", changed };
}

const LAST_LOOK_TIMEOUT_MS = 5000;

/** Whether the orders of an instrument are passed on to another venue. One that no view has loaded is read. */
export async function isRoutedNow(market: KnownMarket | undefined, instrument: string): Promise<boolean> {
  return market?.isRouted(instrument) ?? (await market?.readIsRouted(instrument)) ?? false;
}

/**
 * The longest wait of a confirmation for the disk, in ms. The journal is waited for anyway, and reports its troubles.
 */
const PATIENCE_MS = 500;

/**
 * Returns the objects on which another window has a change whose outcome is unknown, as in `CheckedIntent.targetKey`.
 * Not looked for before a cancel of one order or quote: a second cancel does no harm, and must not wait for a disk.
 */
export async function targetsOpenInOtherWindows(
  { clock, connectionId, openInOtherWindows }: Pick<GatePorts, "clock" | "connectionId" | "openInOtherWindows">,
  intents: readonly Intent[],
): Promise<ReadonlySet<string>> {
  if (openInOtherWindows === undefined || intents.every(({ method }) => effectOf(method) === "reduce")) return NONE;
  return await new Promise((resolve) => {
    const timer = clock.after(PATIENCE_MS, () => resolve(NONE));
    void openInOtherWindows(connectionId).then((open) => {
      timer.dispose();
      resolve(new Set(open.map(targetKeyOf)));
    });
  });
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Adds to a change what it carries from the moment in which it is let in. `spentMs`: the time on the monotonic clock
 * since its confirmation that counts toward it (default: none).
 */
export type Stamp = (checked: CheckedIntent, spentMs?: number) => CheckedIntent;

/**
 * Reads the exchange's time, and returns the function that gives an intent its deadline. The clock of this computer is
 * never taken for the exchange's: it may be set. The deadline is early by at most the way of the response. Throws
 * `CallError` where the time can't be read.
 */
export async function readDeadlines(
  { routes, clock }: Pick<GatePorts, "routes" | "clock">,
  options: { readonly generation: number | undefined; readonly signal: AbortSignal },
): Promise<Stamp> {
  const { generation, signal } = options;
  const { result } = await routes.call(TIME_INTENT, {
    timeoutMs: LAST_LOOK_TIMEOUT_MS,
    lane: "userRead",
    signal,
    ...(generation === undefined ? {} : { generation }),
  });
  if (typeof result !== "number" || !Number.isSafeInteger(result))
    throw refused(l10n.t("The exchange's time couldn't be read. Try again."));
  const readAtMs = clock.monotonicMs();
  return (checked, spentMs = 0) => withDeadline(checked, result + clock.monotonicMs() - readAtMs - spentMs);
}

function withDeadline(checked: CheckedIntent, nowMs: number): CheckedIntent {
  const { intent, params } = checked;
  if (intent.validForMs === undefined) return checked;
  const untilMs = Math.floor(nowMs + intent.validForMs);
  const paramsText = intent.paramsText.replace(/\}\s*$/, `,"valid_until":${String(untilMs)}}`);
  return { ...checked, intent: { ...intent, paramsText }, params: { ...params, valid_until: untilMs } };
}

const TIME_INTENT: Intent = {
  method: SESSION_CALLS.tellTime,
  paramsText: "{}",
  origin: "view",
  words: { action: "", target: "", detail: [], keep: "" },
};
