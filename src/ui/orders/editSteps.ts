import * as l10n from "@vscode/l10n";
import {
  describeTerm,
  EDIT_FIELDS,
  presentTerm,
  restText,
  termProblem,
  type EditField,
  type EditWish,
} from "../../actions/changes/editOrders.ts";
import { describeOrder } from "../../actions/changes/orders.ts";
import { isSameDecimal } from "../../base/decimal.ts";
import type { Order } from "../../state/orders.ts";
import type { Dialogs } from "../editor/dialogs.ts";

/* The questions of Edit Order…, one after another and with a way back. */

export interface EditStepsPorts {
  readonly dialogs: Dialogs;
  /** The environment and name of the connection. */
  readonly place: string;
  readonly order: Order;
}

/**
 * Asks for the terms of an order, each with its present value. Returns the texts that the user changed, exactly as they
 * were entered; undefined when the user left.
 */
export async function askEdit({ dialogs, place, order }: EditStepsPorts): Promise<EditWish | undefined> {
  const fields = EDIT_FIELDS.filter((field) => presentTerm(order, field) !== undefined);
  let wish: EditWish = {};
  let at = 0;
  for (let field = fields[at]; field !== undefined; field = fields[at]) {
    const asked: EditField = field;
    const result = await dialogs.askText({
      title: l10n.t("Edit {0} on {1}", describeOrder(order), place),
      step: at + 1,
      totalSteps: fields.length,
      prompt: promptOf(order, asked),
      value: wish[asked] ?? presentTerm(order, asked) ?? "",
      problemOf: (text) => termProblem(order, asked, text),
    });
    if (result.kind === "left") return undefined;
    if (result.kind === "next") wish = withTerm(order, wish, asked, result.value);
    at += result.kind === "next" ? 1 : -1;
  }
  return wish;
}

/** Returns the typed terms with one more. A term that was left as it is shown is not typed: it may change meanwhile. */
function withTerm(order: Order, wish: EditWish, field: EditField, text: string): EditWish {
  const { [field]: _earlier, ...others } = wish;
  return isSameDecimal(text, presentTerm(order, field) ?? "") ? others : { ...others, [field]: text };
}

function promptOf(order: Order, field: EditField): string {
  const present = presentTerm(order, field) ?? "";
  const name = describeTerm(order, field);
  return field === "amount"
    ? l10n.t("{0}. Current value: {1} ({2})", name, present, restText(order, present))
    : l10n.t("{0}. Current value: {1}", name, present);
}
