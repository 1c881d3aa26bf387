import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { LiveConnection } from "../actions/liveConnection.ts";
import { DisposableList } from "../base/emitter.ts";
import { plain } from "../base/plain.ts";
import type { InstrumentKind } from "../present/instrumentKind.ts";
import { compileFilter, NO_FILTER, type OrdersFilter, type OrderTypeFilter } from "../present/ordersFilter.ts";
import { orderLabel, orderTraits } from "../present/orderWords.ts";
import type { Times } from "../present/times.ts";
import type { Order } from "../state/orders.ts";

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
export async function pickOrders(title: string, connections: () => readonly LiveConnection[], times: Times): Promise<readonly ChosenOrder[]> {
  const pick = vscode.window.createQuickPick<OrderPickItem>();
  const disposables = new DisposableList();
  disposables.add(pick);
  const refresh: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("refresh"), tooltip: l10n.t("Take a New Snapshot") };
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
          const chosen = chosenItems(pick).flatMap(({ live, order }) => (live === undefined || order === undefined ? [] : [{ live, order }]));
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
function chosenItems({ items, selectedItems, activeItems, value }: vscode.QuickPick<OrderPickItem>): readonly OrderPickItem[] {
  if (selectedItems.length > 0) return selectedItems;
  if (activeItems.length > 0) return activeItems;
  const typed = value.trim().toLowerCase();
  const fitting = items.filter(({ label, description = "", detail = "" }) => [label, description, detail].some((text) => text.toLowerCase().includes(typed)));
  return fitting.length === 1 ? fitting : [];
}

function itemsOf(live: LiveConnection, isNamed: boolean): OrderPickItem[] {
  const place = live.place;
  const orders = [...live.orders.snapshot.items.values()].filter((item) => item.endedAtMs === undefined).map((item) => item.order);
  const items = orders.map((order): OrderPickItem => ({
    label: l10n.t("{0} {1}", plain(order.instrument_name, MAX_TEXT), orderLabel(order)),
    description: [place, ...orderTraits(order)].join(" · "),
    detail: plain(order.order_id, MAX_TEXT),
    live,
    order,
  }));
  return isNamed && items.length > 0 ? [{ label: place, kind: vscode.QuickPickItemKind.Separator }, ...items] : items;
}

const MAX_TEXT = 64;

/** The values of `kind` and `type` that private/get_open_orders knows. */
const KINDS: readonly InstrumentKind[] = ["future", "option", "spot", "future_combo", "option_combo"];
const TYPES: readonly OrderTypeFilter[] = ["limit", "trigger_all", "stop_all", "stop_limit", "stop_market", "take_all", "take_limit", "take_market", "trailing_all", "trailing_stop"];

interface FilterItem extends vscode.QuickPickItem {
  readonly filter?: (typed: string, present: OrdersFilter) => OrdersFilter;
  /** Chooses without closing. */
  readonly isToggle?: boolean;
}

/** Asks which orders to show: by words, by kind of instrument, by type. Undefined when the person left. */
export async function pickFilter(present: OrdersFilter, orders: readonly Order[]): Promise<OrdersFilter | undefined> {
  const pick = vscode.window.createQuickPick<FilterItem>();
  const disposables = new DisposableList();
  disposables.add(pick);
  let chosen = present;
  pick.title = l10n.t("Filter Orders");
  pick.placeholder = l10n.t("Words of instrument, label or id; also of orders that are not shown yet");
  pick.value = present.text;
  const fill = (): void => { pick.items = filterItems({ ...chosen, text: pick.value }, orders); };
  fill();
  try {
    return await new Promise<OrdersFilter | undefined>((resolve) => {
      disposables.add(pick.onDidHide(() => resolve(undefined)));
      disposables.add(pick.onDidChangeValue(fill));
      disposables.add(
        pick.onDidAccept(() => {
          const [item] = pick.activeItems;
          if (item?.filter === undefined) return;
          chosen = item.filter(pick.value, chosen);
          if (item.isToggle !== true) {
            resolve(chosen);
            return;
          }
          const index = pick.items.indexOf(item);
          fill();
          // New items take the focus back to the first one.
          pick.activeItems = pick.items.slice(index, index + 1);
        }),
      );
      pick.show();
    });
  } finally {
    disposables.dispose();
  }
}

/** All of them stay in sight whatever is typed: the text belongs to the orders, not to this list. */
function filterItems(present: OrdersFilter, orders: readonly Order[]): FilterItem[] {
  const count = orders.filter(compileFilter(present)).length;
  const words = present.text.trim();
  const show: FilterItem = {
    label: words === "" ? l10n.t("$(filter) Show These Orders") : l10n.t("$(filter) Show Orders with “{0}”", plain(words, MAX_TEXT)),
    description: l10n.t("{0} of {1}", count, orders.length),
    alwaysShow: true,
    filter: (typed, chosen) => ({ ...chosen, text: typed.trim() }),
  };
  const all: FilterItem = { label: l10n.t("$(clear-all) Show All Orders"), alwaysShow: true, filter: () => NO_FILTER };
  const separator = (label: string): FilterItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const toggle = (label: string, description: string, isOn: boolean, filter: (chosen: OrdersFilter) => OrdersFilter): FilterItem => ({
    label: isOn ? l10n.t("$(check) {0}", label) : l10n.t("$(blank) {0}", label),
    // The headings of the list go as soon as something is typed.
    description,
    alwaysShow: true,
    isToggle: true,
    filter: (_typed, chosen) => filter(chosen),
  });
  return [
    show,
    all,
    separator(l10n.t("Kind of instrument")),
    ...KINDS.map((kind) => toggle(kind, "kind", present.kind === kind, (chosen) => ({ ...chosen, kind: chosen.kind === kind ? undefined : kind }))),
    separator(l10n.t("Type of order")),
    ...TYPES.map((type) => toggle(type, "type", present.type === type, (chosen) => ({ ...chosen, type: chosen.type === type ? "all" : type }))),
  ];
}
