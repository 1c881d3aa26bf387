import {
  changeLines,
  editOpenOrder,
  editRefusal,
  queueLine,
  triggeredReason,
  type EditContext,
  type EditWish,
} from "../../actions/changes/editOrders.ts";
import { describeOrder, type OrderContext } from "../../actions/changes/orders.ts";
import { readBestPrices, readOrderPreview } from "../../actions/changes/orderPreview.ts";
import { crossingText, editedRest, editLineText, readEditLine } from "../../actions/changes/editLine.ts";
import { marketText, notionalText, type BestPrices } from "../../actions/changes/placeOrder.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Outcome } from "../../actions/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Instrument } from "../../state/instruments.ts";
import { openOrder, successorOf, type Order } from "../../state/orders.ts";
import { askLineStep, type LineMeaning } from "../editor/lineStep.ts";
import { figuresOf, knownInstrument } from "../editor/marketReads.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import { submitAndShow, type SubmitAndShowPorts } from "../editor/submitAndShow.ts";
import type { Ui } from "../ui.ts";

type EditsPorts = Pick<Ui, "dialogs"> & {
  readonly notices: Pick<Notices, "showOutcome" | "showError">;
  readonly settings: Pick<Settings, "connection">;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Terms that were entered before. */
  readonly entered?: EditWish;
};

/** An edit as it is asked for, and what is known of its market. */
interface Edit {
  readonly order: Order;
  readonly wish: EditWish;
  readonly instrument: Instrument | undefined;
  readonly prices: BestPrices | undefined;
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
  const refusal = editRefusal(order);
  if (refusal !== undefined) throw refused(refusal);
  const { clock, notices, entered = {} } = ports;
  const { instrument_name: name } = order;
  const [instrument, prices] =
    name === undefined
      ? []
      : await Promise.all([
          knownInstrument(live, name),
          readBestPrices(name, figuresOf(live), () => clock.monotonicMs()),
        ]);
  const wish = await askEdit(live.place, { order, wish: entered, instrument, prices }, ports);
  if (wish === undefined) return;
  const again = async (): Promise<void> =>
    await runEdit(live, openNow(live, order), context, { ...ports, entered: wish });
  await submitEdit(
    live,
    { order: openNow(live, order), wish, instrument, prices },
    { ...context, asShown: order },
    { ...ports, again: () => void again().catch((error: unknown) => notices.showError(error)) },
  );
}

/**
 * Asks for the terms of an order in the line of Place Order…, with the present terms in it. Returns those that the user
 * changed, exactly as they were entered; undefined when the user left.
 */
async function askEdit(place: Plain, edit: Edit, { dialogs, clock }: EditsPorts): Promise<EditWish | undefined> {
  const { order, wish: entered, instrument, prices } = edit;
  const result = await askLineStep<never>(
    {
      frame: { title: l10n.t("Edit {0} on {1}", describeOrder(order), place) },
      placeholder: l10n.t("amount @ price [trigger price]"),
      typed: editLineText(order, entered),
      market: () => marketText(prices, instrument, clock.monotonicMs()),
      meaningOf: (typed) => meaningOf(typed, edit),
      others: [],
    },
    dialogs,
  );
  if (result.kind !== "next") return undefined;
  const wish = readEditLine(order, result.value.typed, instrument);
  return typeof wish === "string" ? undefined : wish;
}

/** Returns what a line changes, or why it is not valid. A line that changes nothing is not taken. */
function meaningOf(typed: string, { order, instrument, prices }: Edit): LineMeaning {
  const wish = readEditLine(order, typed, instrument);
  if (typeof wish === "string") return { problem: wish };
  const changes = changeLines(order, wish);
  if (changes.length === 0)
    return { problem: l10n.t("Nothing is changed yet. The amount is the total, including what is filled.") };
  const rest = editedRest(order, wish)?.line;
  const crossing = crossingText(order, wish, prices);
  return {
    label: l10n.t("Edit {0}", plain.join(changes, " · ")),
    description: (rest === undefined || instrument === undefined ? undefined : notionalText(rest, instrument)) ?? "",
    detail: plain.join(
      [...(crossing === undefined ? [] : [l10n.t("$(warning) {0}", crossing)]), ...queueLine(order, wish)],
      " · ",
    ),
  };
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
