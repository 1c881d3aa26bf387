import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { crossingText, editedRest, editLineText, readEditLine } from "../../actions/changes/editLine.ts";
import { changeLines, queueLine, type EditWish } from "../../actions/changes/editOrders.ts";
import { describeOrder } from "../../actions/changes/orders.ts";
import { marketText, notionalText, type BestPrices } from "../../actions/changes/placeOrder.ts";
import type { Instrument } from "../../state/instruments.ts";
import type { Order } from "../../state/orders.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { askLineStep, type LineMeaning } from "../editor/lineStep.ts";

/* The form of Edit Order…: the line of Place Order…, with the present terms in it. */

interface EditStepsPorts {
  readonly dialogs: Pick<Dialogs, "askList">;
  /** The environment and name of the connection. */
  readonly place: Plain;
  readonly order: Order;
  readonly instrument: Instrument | undefined;
  readonly prices: BestPrices | undefined;
  /** The terms that were entered before. */
  readonly entered: EditWish;
  /** Returns the time on the monotonic clock, in ms. */
  readonly monotonicMs: () => number;
}

/**
 * Asks for the terms of an order. Returns those that the user changed, exactly as they were entered; undefined when the
 * user left.
 */
export async function askEdit(ports: EditStepsPorts): Promise<EditWish | undefined> {
  const { dialogs, place, order, instrument, prices, entered, monotonicMs } = ports;
  const result = await askLineStep<never>(
    {
      frame: { title: l10n.t("Edit {0} on {1}", describeOrder(order), place) },
      placeholder: l10n.t("amount @ price [trigger price]"),
      typed: editLineText(order, entered),
      market: () => marketText(prices, instrument, monotonicMs()),
      meaningOf: (typed) => meaningOf(typed, ports),
      others: [],
    },
    dialogs,
  );
  if (result.kind !== "next") return undefined;
  const wish = readEditLine(order, result.value.typed, instrument);
  return typeof wish === "string" ? undefined : wish;
}

/** Returns what a line changes, or why it is not valid. A line that changes nothing is not taken. */
function meaningOf(typed: string, { order, instrument, prices }: EditStepsPorts): LineMeaning {
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
