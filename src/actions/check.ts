import * as l10n from "@vscode/l10n";
import type { Failure } from "../base/failure.ts";
import { checkParams, type Effect, effectOf, isPrivate } from "../catalogue/index.ts";
import { scanWireText } from "../rpc/maskSecrets.ts";
import { hasRepeatedNames } from "../rpc/scanJson.ts";
import { scopeProblem } from "../session/scope.ts";
import type { SessionState } from "../session/session.ts";
import type { Intent } from "./intent.ts";
import { isSwitch, switchObstacle } from "./subaccounts.ts";

/** An intent whose parameters have been read and fit its method. */
export interface CheckedIntent {
  readonly intent: Intent;
  readonly effect: Effect;
  readonly params: Readonly<Record<string, unknown>>;
  /** The order it names; undefined when it names none. */
  readonly targetId: string | undefined;
  /** It asks for a list where a number is usual. */
  readonly isDetailed: boolean;
  /** The same for all writes on one object. */
  readonly targetKey: string;
  /** The same for two submits of the same write, a double click for example. */
  readonly writeKey: string;
}

/**
 * What can be said against an intent without asking anybody: parameters, an unready session, missing rights. The
 * intent is copied first, so that what is asked about is what is sent.
 */
export function checkIntent(wish: Intent, state: SessionState, sendAnyway: boolean): CheckedIntent | Failure {
  const intent = { ...wish };
  const effect = effectOf(intent.method);
  const scan = scanWireText(intent.paramsText);
  const params = scan.problem === undefined ? parseObject(intent.paramsText) : undefined;
  if (params === undefined) return invalid(l10n.t("the parameters are not a JSON object that can be sent"));
  // The question shows one of the two values; nobody knows which one the exchange would take.
  if (effect !== "read" && hasRepeatedNames(scan, params)) return invalid(l10n.t("a name stands twice"));
  // A name that the method does not have narrows nothing: what was meant for one side of the book would take both.
  const problems = checkParams(intent.method, params).filter(
    (problem) => problem.severity === "error" || effect === "mass",
  );
  if (problems.length > 0 && !(effect === "read" && sendAnyway)) return { kind: "invalidParams", problems };
  const refusal =
    effect === "read"
      ? scopeProblem(intent.method, state, params)
      : (readinessProblem(intent.method, state) ?? scopeProblem(intent.method, state, params));
  return refusal ?? { intent, effect, ...keysOf(intent, params) };
}

/** An intent that was checked and sent before, by an earlier run or connection. */
export function checkedBefore(intent: Intent): CheckedIntent {
  return { intent, effect: effectOf(intent.method), ...keysOf(intent, parseObject(intent.paramsText) ?? {}) };
}

function invalid(message: string): Failure {
  return { kind: "invalidParams", problems: [{ path: [], message, severity: "error" }] };
}

function readinessProblem(method: string, state: SessionState): Failure | undefined {
  if (state.status !== "ready") return { kind: "notConnected" };
  const obstacle = isSwitch(method) ? switchObstacle(state) : undefined;
  if (obstacle !== undefined) return { kind: "refused", reason: obstacle };
  // What changes something goes out as whoever is signed in, never with a token that a file brings.
  return isPrivate(method) && state.identity.authentication === "none" ? { kind: "noKey" } : undefined;
}

/** What a change that was checked before is about, as `CheckedIntent.targetKey` has it. */
export function targetKeyOf(intent: Pick<Intent, "method" | "paramsText">): string {
  return keysOf(intent, parseObject(intent.paramsText) ?? {}).targetKey;
}

function keysOf(
  intent: Pick<Intent, "method" | "paramsText">,
  params: Readonly<Record<string, unknown>>,
): Omit<CheckedIntent, "intent" | "effect"> {
  const orderId = params["order_id"];
  const request = `${intent.method} ${intent.paramsText}`;
  const isDetailed = params["detailed"] === true;
  if (typeof orderId !== "string")
    return {
      params,
      targetId: undefined,
      isDetailed,
      targetKey: objectKey(intent.method, params) ?? request,
      writeKey: request,
    };
  const isSameWhateverElse = intent.method === "private/cancel";
  return {
    params,
    targetId: orderId,
    isDetailed,
    targetKey: `order ${orderId}`,
    writeKey: isSameWhateverElse ? `${intent.method} ${orderId}` : request,
  };
}

/**
 * What a change is about where that is no order: a key, a quote, the limits of a group, the account that is signed in.
 */
function objectKey(method: string, params: Readonly<Record<string, unknown>>): string | undefined {
  const {
    id,
    block_rfq_quote_id: quoteId,
    index_name: index,
    mmp_group: group = "",
    block_rfq: isRfq = false,
  } = params;
  if (effectOf(method) === "key" && (typeof id === "number" || typeof id === "string")) return `key ${String(id)}`;
  if (isSwitch(method)) return "subject";
  if (quoteId !== undefined) return `quote ${JSON.stringify(quoteId)}`;
  return /_mmp/.test(method) ? `mmp ${JSON.stringify([index, group, isRfq])}` : undefined;
}

/** A JSON text as the object that it is; undefined for every other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
