import {
  editOpenOrder,
  editRefusal,
  triggeredReason,
  type EditContext,
  type EditWish,
} from "../../actions/changes/editOrders.ts";
import type { OrderContext } from "../../actions/changes/orders.ts";
import { readBestPrices, readOrderPreview } from "../../actions/changes/orderPreview.ts";
import { crossingText, editedRest } from "../../actions/changes/editLine.ts";
import type { BestPrices } from "../../actions/changes/placeOrder.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Outcome } from "../../actions/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Instrument } from "../../state/instruments.ts";
import { openOrder, successorOf, type Order } from "../../state/orders.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { figuresOf, knownInstrument } from "../editor/marketReads.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import { submitAndShow, type SubmitAndShowPorts } from "../editor/submitAndShow.ts";
import { askEdit } from "./editSteps.ts";

interface EditsPorts {
  readonly dialogs: Dialogs;
  readonly notices: Pick<Notices, "showOutcome" | "showError">;
  readonly settings: Pick<Settings, "connection">;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/**
 * Asks for the new terms of an order, edits it, and shows the outcome. Where the order changes while the confirmation
 * is open, the same edit is confirmed again with the present values. Where it was not sent or was refused, the form can
 * be opened again with what was typed. Throws `CallError` where it can't be edited.
 */
export async function runEdit(
  live: LiveConnection,
  order: Order,
  context: OrderContext,
  ports: EditsPorts,
): Promise<void> {
  await editFrom(live, { order, entered: {} }, context, ports);
}

/** Opens the form with terms that were entered before. */
async function editFrom(
  live: LiveConnection,
  { order, entered }: { readonly order: Order; readonly entered: EditWish },
  context: OrderContext,
  ports: EditsPorts,
): Promise<void> {
  const refusal = editRefusal(order);
  if (refusal !== undefined) throw refused(refusal);
  const { dialogs, clock, notices } = ports;
  const { instrument_name: name } = order;
  const monotonicMs = (): number => clock.monotonicMs();
  const [instrument, prices] =
    name === undefined
      ? []
      : await Promise.all([knownInstrument(live, name), readBestPrices(name, figuresOf(live), monotonicMs)]);
  const wish = await askEdit({ ...{ dialogs, place: live.place, order, entered }, instrument, prices, monotonicMs });
  if (wish === undefined) return;
  const again = async (): Promise<void> =>
    await editFrom(live, { order: openNow(live, order), entered: wish }, context, ports);
  await submitEdit(
    live,
    { order: openNow(live, order), wish, instrument, prices },
    { ...context, asShown: order },
    { ...ports, again: () => void again().catch((error: unknown) => notices.showError(error)) },
  );
}

/** An edit as it was asked for, and what is known of its market. */
interface Edit {
  readonly order: Order;
  readonly wish: EditWish;
  readonly instrument: Instrument | undefined;
  readonly prices: BestPrices | undefined;
}

async function submitEdit(
  live: LiveConnection,
  edit: Edit,
  context: EditContext,
  ports: EditsPorts & SubmitAndShowPorts,
): Promise<void> {
  const { order, wish, instrument, prices } = edit;
  let read: Order | undefined;
  const rest = editedRest(order, wish);
  const server = rest === undefined ? undefined : await readOrderPreview(rest, instrument, figuresOf(live));
  const crossing = crossingText(order, wish, prices);
  const intent = editOpenOrder(order, wish, {
    ...context,
    preview: [...(crossing === undefined ? [] : [crossing]), ...(server?.lines ?? [])],
    isOutOfBand: server?.isOutOfBand ?? false,
    onRead: (each) => (read = each),
  });
  const present = (): Order | undefined => read ?? openOrder(live.orders.snapshot, order.order_id);
  const isShown = (each: Outcome): boolean => !isOutdated(each) || present() === undefined;
  const outcome = await submitAndShow(live, intent, ports, isShown);
  const now = present();
  if (!isShown(outcome) && now !== undefined)
    await submitEdit(live, { ...edit, order: now }, { ...context, isAskedAgain: true }, ports);
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
