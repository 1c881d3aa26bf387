import { toFailure, refused } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { ORDER_NOT_FOUND } from "../catalogue/codes.ts";
import { isOpenState } from "../catalogue/orderStates.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import type { Reader } from "../session/session.ts";
import { ORDER_STATE_METHOD } from "../state/orderRows.ts";
import { areAs, differenceText, fieldsText, presentFields, type Fields, type Members } from "./changes/fields.ts";
import { missingTerm, requestedTerms } from "./changes/orderTerms.ts";
import { fillOf } from "./fill.ts";
import type { GatePorts } from "./gatePorts.ts";
import type { Intent } from "./intent.ts";
import type { CheckedIntent } from "./check.ts";
import type { Shown } from "./readBack.ts";
import type { ReconcileTask } from "./reconcile.ts";

/* What writes of orders have beyond other changes: deadlines in the exchange's time, and the read after an edit. */

/**
 * Adds to a change what it carries from the moment in which it is let in. `spentMs`: the time on the monotonic clock
 * since its confirmation that counts toward it (default: none).
 */
export type Stamp = (checked: CheckedIntent, spentMs?: number) => CheckedIntent;

const TIMEOUT_MS = 5000;

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
    timeoutMs: TIMEOUT_MS,
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

/**
 * Reads whether an order has the terms that an edit requested, and what it was filled by then. `isOver`: whether an
 * edit that an order does not show can't come any more. Throws `CallError` where it can't be read.
 */
export async function readEditedOrder(
  reader: Reader,
  { intent, orderIds }: ReconcileTask,
  isOver: (order: Members) => boolean,
): Promise<Shown> {
  const orderId = orderIds[0] ?? "";
  const params = JSON.parse(intent.paramsText) as Members;
  try {
    const order = await reader.read(ORDER_STATE_METHOD, { order_id: orderId }, { timeoutMs: TIMEOUT_MS });
    const shown = shownTerms(orderId, params, order, intent.before);
    return shown.kind === "asBefore" && intent.before !== undefined && isOver(order)
      ? { kind: "never", state: shown.state }
      : shown;
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (failure.kind === "exchange" && failure.code === ORDER_NOT_FOUND)
      return {
        kind: "barred",
        reason: l10n.t(
          "The exchange doesn't find the order. It may have ended, or belong to a quote or another account.",
        ),
      };
    throw thrown;
  }
}

/**
 * Returns what an order, read after an edit without a response, says of it. `before`: its terms when the edit was
 * confirmed. An order that has ended with its earlier terms was not edited and never will be.
 */
function shownTerms(orderId: string, params: Members, order: Members, before: Fields | undefined): Shown {
  const missing = missingTerm(params, order);
  if (order["order_id"] !== orderId || missing !== undefined)
    return { kind: "barred", reason: l10n.t("The exchange returned an order that doesn't show the outcome.") };
  const asked = requestedTerms(params);
  const present = presentFields(order, asked);
  const state = plain.join([stateText(order), fieldsText(changedOnly(present, asked, before))], ", ");
  if (areAs(asked, present)) return { kind: "asAsked", state };
  const isOpen = isOpenState(order["order_state"]);
  if (before !== undefined && areAs(before, present)) return { kind: isOpen ? "asBefore" : "other", state };
  const difference = plain`${stateText(order)}, ${differenceText(asked, present)}`;
  return { kind: before === undefined && isOpen ? "asBefore" : "other", state: difference };
}

function stateText(order: Members): Plain {
  const state = plain.name(String(order["order_state"]));
  const { filled = 0, amount } = fillOf(order) ?? {};
  if (filled === 0) return state;
  return amount === undefined
    ? l10n.t("{0}, {1} filled", state, filled)
    : l10n.t("{0}, {1} of {2} filled", state, filled, amount);
}

function changedOnly(present: Fields, asked: Fields, before: Fields | undefined): Fields {
  return Object.fromEntries(Object.entries(present).filter(([name]) => before?.[name] !== asked[name]));
}
