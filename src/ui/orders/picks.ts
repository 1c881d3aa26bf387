import type { LiveConnection } from "../../actions/liveConnection.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { ORDER_KINDS, ORDER_TYPES, type OrdersFilter } from "../../present/orders/ordersFilter.ts";
import { orderLine, orderTraits } from "../../present/orders/orderWords.ts";
import type { Times } from "../../present/text/times.ts";
import { openOrders, type Order } from "../../state/orders.ts";
import { asOfMs } from "../../state/snapshot.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, Heading } from "../editor/dialogSteps.ts";
import { rowsOrPick } from "../tree/selectedRows.ts";
import type { OrdersPane } from "./view.ts";
import type { FilterChoice } from "../tree/filterPicks.ts";

/** A chosen order, with its connection. */
export interface ChosenOrder {
  readonly live: LiveConnection;
  readonly order: Order;
}

interface OrdersOrPickPorts {
  readonly pane: OrdersPane;
  readonly liveConnections: LiveConnections;
  readonly times: Times;
  readonly dialogs: Dialogs;
}

/** Returns the orders of rows, or asks. An ended order can still be looked at and copied. */
export async function ordersOrPick(
  args: readonly unknown[],
  title: Plain,
  { pane, liveConnections, ...ports }: OrdersOrPickPorts,
): Promise<readonly ChosenOrder[]> {
  const source = { find: (id: string) => pane.find(id), gone: l10n.t("That order isn't listed any more.") };
  return await rowsOrPick<ChosenOrder>(args, source, async () => {
    openAccounts(liveConnections);
    return await pickOrders(title, () => openAccounts(liveConnections), ports);
  });
}

/**
 * Lets the user choose from the open orders. The list is a snapshot, because moving rows would lead to wrong choices.
 * Its title says how old it is, and a button takes a new one.
 */
export async function pickOrders(
  title: Plain,
  connections: () => readonly LiveConnection[],
  { times, dialogs }: { readonly times: Times; readonly dialogs: Dialogs },
): Promise<readonly ChosenOrder[]> {
  let rows: readonly (Choice<ChosenOrder> | Heading)[] = [];
  let shownTitle = title;
  const take = (): void => {
    const taken = connections();
    rows = taken.flatMap((live) => rowsOf(live, taken.length > 1));
    const ages = taken.flatMap((live) => asOfMs(live.orders.snapshot) ?? []);
    const isLive = taken.every((live) => live.orders.snapshot.status === "live");
    shownTitle = isLive || ages.length === 0 ? title : l10n.t("{0} · as of {1}", title, times.clock(Math.min(...ages)));
  };
  take();
  const result = await dialogs.askList<ChosenOrder, readonly ChosenOrder[]>({
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
  const words = typed.trim().toLowerCase();
  const found = rows.flatMap((row) =>
    "value" in row && [row.label, row.description, row.detail].some((text = "") => text.toLowerCase().includes(words))
      ? [row.value]
      : [],
  );
  return found.length === 1 ? found : [];
}

function rowsOf(live: LiveConnection, isNamed: boolean): (Choice<ChosenOrder> | Heading)[] {
  const rows = openOrders(live.orders.snapshot).map((order): Choice<ChosenOrder> => {
    const { label, traits, id } = orderChoice(order);
    return { label, description: plain.join([live.place, ...traits], " · "), detail: id, value: { live, order } };
  });
  return isNamed && rows.length > 0 ? [{ heading: live.place }, ...rows] : rows;
}

/** Returns an order as an item of a list to choose from. */
export function orderChoice(order: Order): Readonly<Record<"label" | "id", Plain>> & { traits: readonly Plain[] } {
  return {
    label: l10n.t("{0} {1}", plain.name(order.instrument_name), orderLine(order)),
    traits: orderTraits(order),
    id: plain.name(order.order_id),
  };
}

/** Returns the filter choices for orders, besides words. */
export function orderFilterChoices({ kind, type }: OrdersFilter): readonly FilterChoice<OrdersFilter>[] {
  return [
    ...ORDER_KINDS.map((each): FilterChoice<OrdersFilter> => ({
      ...{ group: l10n.t("Instrument kind"), label: plain`${each}`, description: plain`kind`, isOn: kind === each },
      next: (filter) => ({ ...filter, kind: filter.kind === each ? undefined : each }),
    })),
    ...ORDER_TYPES.filter((each) => each !== "all").map((each): FilterChoice<OrdersFilter> => ({
      ...{ group: l10n.t("Order type"), label: plain`${each}`, description: plain`type`, isOn: type === each },
      next: (filter) => ({ ...filter, type: filter.type === each ? "all" : each }),
    })),
  ];
}
