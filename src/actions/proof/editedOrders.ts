import { toFailure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { ORDER_NOT_FOUND } from "../../catalogue/codes.ts";
import { isOpenState } from "../../catalogue/orderStates.ts";
import type { Reader } from "../../session/session.ts";
import { ORDER_STATE_METHOD } from "../../state/orderRows.ts";
import { areAs, differenceText, fieldsText, presentFields, type Fields, type Members } from "../intent/fields.ts";
import { missingTerm, requestedTerms } from "../changes/orderTerms.ts";
import { fillOf } from "../intent/fill.ts";
import type { Shown } from "./readBack.ts";
import type { ReconcileTask } from "./reconcile.ts";

/* The read that shows whether an order was edited. */

const TIMEOUT_MS = 5000;

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
    // An isolated order is found with the flag of its edit alone.
    const asked = { order_id: orderId, ...(params["isolated"] === true ? { isolated: true } : {}) };
    const order = await reader.read(ORDER_STATE_METHOD, asked, { timeoutMs: TIMEOUT_MS });
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
