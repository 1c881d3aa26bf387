import * as l10n from "@vscode/l10n";
import {
  editOpenOrder,
  editRefusal,
  triggeredReason,
  type EditContext,
  type EditWish,
} from "../../actions/changes/editOrders.ts";
import type { OrderContext } from "../../actions/changes/orders.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Outcome } from "../../actions/outcome.ts";
import { refused } from "../../base/failure.ts";
import { openOrder, successorOf, type Order } from "../../state/orders.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import { askEdit } from "./editSteps.ts";

export interface EditsPorts {
  readonly dialogs: Dialogs;
  readonly notices: Pick<Notices, "showOutcome">;
  readonly settings: Pick<Settings, "connection">;
}

/**
 * Asks for the new terms of an order, edits it, and shows the outcome. Where the order changes while the confirmation
 * is open, the same edit is confirmed again with the present values. Throws `CallError` where it can't be edited.
 */
export async function runEdit(
  live: LiveConnection,
  order: Order,
  context: OrderContext,
  ports: EditsPorts,
): Promise<void> {
  const refusal = editRefusal(order);
  if (refusal !== undefined) throw refused(refusal);
  const wish = await askEdit({ dialogs: ports.dialogs, place: live.place, order });
  if (wish === undefined) return;
  await submitEdit(live, { order: openNow(live, order), wish }, { ...context, asShown: order }, ports);
}

async function submitEdit(
  live: LiveConnection,
  { order, wish }: { readonly order: Order; readonly wish: EditWish },
  context: EditContext,
  ports: EditsPorts,
): Promise<void> {
  let read: Order | undefined;
  const intent = editOpenOrder(order, wish, { ...context, onRead: (each) => (read = each) });
  const outcome = await live.gate.submit(intent, { timeoutMs: ports.settings.connection().requestTimeoutMs });
  const now = read ?? openOrder(live.orders.snapshot, order.order_id);
  if (isOutdated(outcome) && now !== undefined) {
    await submitEdit(live, { order: now, wish }, { ...context, isAskedAgain: true }, ports);
    return;
  }
  ports.notices.showOutcome(live, intent, outcome);
}

/** Whether nothing was sent because the order was no longer as the confirmation showed it. */
function isOutdated(outcome: Outcome): boolean {
  return (
    outcome.kind === "notSent" && outcome.failure.kind === "situationChanged" && outcome.failure.changed === "order"
  );
}

/** Returns the order as it is after the steps, which take their time. Throws `CallError` where it is over. */
function openNow(live: LiveConnection, order: Order): Order {
  const { snapshot } = live.orders;
  const now = openOrder(snapshot, order.order_id);
  if (now !== undefined) return now;
  const successor = successorOf(snapshot, order.order_id);
  throw refused(successor === undefined ? l10n.t("That order is no longer open.") : triggeredReason(order, successor));
}
