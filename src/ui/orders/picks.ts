import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { DisposableList } from "../../base/emitter.ts";
import { plain } from "../../base/plain.ts";
import { ORDER_KINDS, ORDER_TYPES, type OrdersFilter } from "../../present/orders/ordersFilter.ts";
import { orderLabel, orderTraits } from "../../present/orders/orderWords.ts";
import type { Times } from "../../present/text/times.ts";
import type { Order } from "../../state/orders.ts";
import type { FilterChoice } from "../tree/filterPicks.ts";

/** An order that was chosen, with the connection on which it stands. */
export interface ChosenOrder {
  readonly live: LiveConnection;
  readonly order: Order;
}

interface OrderPickItem extends vscode.QuickPickItem, Partial<ChosenOrder> {}

/**
 * Lets a person choose from the open orders. The list is a snapshot: rows that move while somebody chooses would end
 * in the wrong choice. Its title says how old it is, and a button takes a new one.
 */
export async function pickOrders(
  title: string,
  connections: () => readonly LiveConnection[],
  times: Times,
): Promise<readonly ChosenOrder[]> {
  const pick = vscode.window.createQuickPick<OrderPickItem>();
  const disposables = new DisposableList();
  disposables.add(pick);
  const refresh: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("refresh"),
    tooltip: l10n.t("Take a New Snapshot"),
  };
  const fill = (): void => {
    const taken = connections();
    pick.items = taken.flatMap((live) => itemsOf(live, taken.length > 1));
    const ages = taken.flatMap((live) => live.orders.snapshot.readAtMs ?? []);
    const isLive = taken.every((live) => live.orders.snapshot.status === "live");
    pick.title = isLive || ages.length === 0 ? title : l10n.t("{0} · as of {1}", title, times.clock(Math.min(...ages)));
  };
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.placeholder = l10n.t("Search by instrument, label or id; tick one or several");
  pick.buttons = [refresh];
  fill();
  try {
    return await new Promise<readonly ChosenOrder[]>((resolve) => {
      disposables.add(pick.onDidTriggerButton(fill));
      disposables.add(pick.onDidHide(() => resolve([])));
      disposables.add(
        pick.onDidAccept(() => {
          const chosen = chosenItems(pick).flatMap(({ live, order }) =>
            live === undefined || order === undefined ? [] : [{ live, order }],
          );
          if (chosen.length > 0) resolve(chosen);
          else pick.title = l10n.t("{0} · tick orders, or move to one with the arrow keys", title);
        }),
      );
      pick.show();
    });
  } finally {
    disposables.dispose();
  }
}

/** What is ticked; else where the keyboard stands; else the only one that fits what was typed. */
function chosenItems({
  items,
  selectedItems,
  activeItems,
  value,
}: vscode.QuickPick<OrderPickItem>): readonly OrderPickItem[] {
  if (selectedItems.length > 0) return selectedItems;
  if (activeItems.length > 0) return activeItems;
  const typed = value.trim().toLowerCase();
  const fitting = items.filter(({ label, description = "", detail = "" }) =>
    [label, description, detail].some((text) => text.toLowerCase().includes(typed)),
  );
  return fitting.length === 1 ? fitting : [];
}

function itemsOf(live: LiveConnection, isNamed: boolean): OrderPickItem[] {
  const place = live.place;
  const orders = [...live.orders.snapshot.items.values()]
    .filter((item) => item.endedAtMs === undefined)
    .map((item) => item.order);
  const items = orders.map((order): OrderPickItem => ({
    label: l10n.t("{0} {1}", plain.name(order.instrument_name), orderLabel(order)),
    description: [place, ...orderTraits(order)].join(" · "),
    detail: plain.name(order.order_id),
    live,
    order,
  }));
  return isNamed && items.length > 0 ? [{ label: place, kind: vscode.QuickPickItemKind.Separator }, ...items] : items;
}

/** What orders can be filtered by besides words. */
export function orderFilterChoices({ kind, type }: OrdersFilter): readonly FilterChoice<OrdersFilter>[] {
  return [
    ...ORDER_KINDS.map((each): FilterChoice<OrdersFilter> => ({
      ...{ group: l10n.t("Kind of instrument"), label: each, description: "kind", isOn: kind === each },
      next: (filter) => ({ ...filter, kind: filter.kind === each ? undefined : each }),
    })),
    ...ORDER_TYPES.filter((each) => each !== "all").map((each): FilterChoice<OrdersFilter> => ({
      ...{ group: l10n.t("Type of order"), label: each, description: "type", isOn: type === each },
      next: (filter) => ({ ...filter, type: filter.type === each ? "all" : each }),
    })),
  ];
}
