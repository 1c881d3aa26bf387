import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { describeOrder } from "../../actions/changes/orders.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import { withoutDigitSpaces } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { orderLine, orderTraits } from "../../present/orders/orderWords.ts";
import { ORDER_STATE_METHOD } from "../../state/orderRows.ts";
import { openOrders, type Order } from "../../state/orders.ts";
import { asOfMs } from "../../state/snapshot.ts";
import type { Choice, Heading } from "../editor/dialogSteps.ts";
import { choiceOf, type ChoicePorts, readIntent, type ObjectKind, type ObjectList } from "../kinds/objects.ts";
import type { Found } from "../tree/resourceView.ts";
import type { Ui } from "../ui.ts";

/** A chosen order, with its connection. */
export type ChosenOrder = Found<Order>;

/** The open orders, to choose from. They are known from the start. */
export const ORDER_LIST: Pick<ObjectList<Order>, "listed" | "choice"> = {
  listed: ({ orders }) => openOrders(orders.snapshot),
  choice: ({ item }) => ({
    label: l10n.t("{0} {1}", plain.name(item.instrument_name), orderLine(item)),
    traits: orderTraits(item),
    detail: plain.name(item.order_id),
  }),
};

/** The orders of the rows of a view; an ended one can still be looked at and copied. */
export const ORDER_OBJECTS: ObjectKind<Order> = {
  keyOf: ({ order_id: id }) => id,
  gone: () => l10n.t("That order isn't listed any more."),
  readingOf: ({ item }) => ({
    name: `order/${item.order_id}`,
    intent: readIntent(ORDER_STATE_METHOD, { order_id: item.order_id }, l10n.t("Read Order"), describeOrder(item)),
  }),
  knownOf: (item) => item,
  choose: chooseOrders,
  handlers: ({ open, copyText, copyJson }) => ({
    "tradingRpc.order.open": open(l10n.t("Open Order")),
    "tradingRpc.order.copyId": copyText(l10n.t("Copy Order ID"), ({ order_id: id }) => id),
    "tradingRpc.order.copyJson": copyJson(l10n.t("Copy Order as JSON")),
  }),
};

/**
 * Lets the user choose from the open orders. The list is a snapshot, because moving rows would lead to wrong choices.
 * Its title says how old it is, and a button takes a new one.
 */
export async function chooseOrders(title: Plain, ui: ChoicePorts): Promise<readonly ChosenOrder[]> {
  let rows: readonly (Choice<ChosenOrder> | Heading)[] = [];
  let shownTitle = title;
  const take = (): void => {
    const taken = openAccounts(ui.liveConnections);
    rows = taken.flatMap((live) => rowsOf(live, taken.length > 1, ui));
    const ages = taken.flatMap((live) => asOfMs(live.orders.snapshot) ?? []);
    const isLive = taken.every((live) => live.orders.snapshot.status === "live");
    shownTitle =
      isLive || ages.length === 0 ? title : l10n.t("{0} · as of {1}", title, ui.times.clock(Math.min(...ages)));
  };
  take();
  const result = await ui.dialogs.askList<ChosenOrder, readonly ChosenOrder[]>({
    title: () => shownTitle,
    placeholder: l10n.t("Search by instrument, label, or ID, then select one or more"),
    isMany: true,
    isFleeting: true,
    rows: () => rows,
    button: { icon: "refresh", tooltip: l10n.t("Refresh List"), press: take },
    accept({ selected, active, typed }) {
      const chosen = [selected, active, fitting(rows, typed)].find((each) => each.length > 0);
      if (chosen === undefined) shownTitle = l10n.t("{0} · select orders, or move to one with the arrow keys", title);
      return chosen;
    },
  });
  return result.kind === "next" ? result.value : [];
}

/** Returns the only order that matches the typed text; empty if none or several do. */
function fitting(rows: readonly (Choice<ChosenOrder> | Heading)[], typed: string): readonly ChosenOrder[] {
  const words = withoutDigitSpaces(typed.trim().toLowerCase());
  const found = rows.flatMap((row) =>
    "value" in row &&
    [row.label, row.description, row.detail].some((text = "") => withoutDigitSpaces(text.toLowerCase()).includes(words))
      ? [row.value]
      : [],
  );
  return found.length === 1 ? found : [];
}

function rowsOf(
  live: LiveConnection,
  isNamed: boolean,
  ui: Pick<Ui, "times" | "clock">,
): (Choice<ChosenOrder> | Heading)[] {
  const rows = ORDER_LIST.listed(live).map((item) => choiceOf(ORDER_LIST, { live, item }, ui));
  return isNamed && rows.length > 0 ? [{ heading: live.place }, ...rows] : rows;
}
