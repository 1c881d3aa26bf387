import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { cancelOneByOne } from "../../actions/changes/cancelMany.ts";
import type { OrderContext } from "../../actions/changes/orders.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { goneNames } from "../../present/text/goneWords.ts";
import { openOrder, orderLookups, type Order } from "../../state/orders.ts";
import { ensureTradingAllowed } from "../../actions/gate/tradingPermission.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { objectHandlers } from "../kinds/objectHandlers.ts";
import type { ChoicePorts } from "../kinds/objects.ts";
import { chooseOrders, ORDER_OBJECTS, type ChosenOrder } from "./picks.ts";
import type { FoundOrder, OrdersPane } from "./view.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Ui } from "../ui.ts";
import { rowsOf, selectedRows } from "../tree/selectedRows.ts";
import { runEdit, runShift } from "./edits.ts";
import { createSeveralCancels } from "./severalCancels.ts";
import type { OrderGrouping } from "../../present/orders/ordersGrouping.ts";
import type { OrderSorting } from "../../present/orders/ordersSorting.ts";
import type { Choice } from "../editor/dialogSteps.ts";

type OrdersUi = Pick<
  Ui,
  "dialogs" | "liveConnections" | "notices" | "responses" | "settings" | "clock" | "times" | "setContext"
> & { readonly pane: OrdersPane };

/** Makes the commands about orders. VS Code hands them row ids, or nothing from the Command Palette. */
export function createOrderCommands(ports: OrdersUi): Handlers {
  const { pane, clock, dialogs } = ports;
  const contextOf = (connection: LiveConnection, origin: Intent["origin"]): OrderContext => ({
    origin,
    nowMs: clock.now(),
    ...orderLookups(connection.orders),
  });

  const several = createSeveralCancels({ ...ports, contextOf: (connection) => contextOf(connection, "view") });
  const cancelChosen = async (
    chosen: readonly ChosenOrder[],
    origin: Intent["origin"],
    isRecentlyMoved = false,
  ): Promise<void> => {
    // No connection waits for the responses of another one; their confirmations take turns.
    const open = [...stillOpen(chosen, dialogs)];
    await Promise.all(
      open.map(async ([connection, orders]) => {
        const context = { ...contextOf(connection, origin), isRecentlyMoved };
        await several.run(connection, cancelOneByOne(orders, context, undefined), open.length);
      }),
    );
  };

  return {
    ...objectHandlers(ORDER_OBJECTS, ports),
    /**
     * Cancels orders. From a row: that one, or all selected ones if it is selected. From the Command Palette: asks
     * which ones.
     */
    "tradingRpc.order.cancel": async (...args) => {
      if (args.length > 0) {
        await cancelChosen(chosenRows(args, pane), "view");
        return;
      }
      await cancelChosen(await chooseOrders(l10n.t("Cancel Order"), ports), "palette");
    },
    /** Cancels the selected orders. Called on a row, that row has to be one of them. */
    "tradingRpc.order.cancelSelected": async (...args) => {
      await cancelChosen(chosenRows(selectedRows(args, pane.selection), pane), args.length === 0 ? "palette" : "view");
    },
    /** Cancels the order of the row whose button was pressed, whatever is selected. */
    "tradingRpc.order.cancelRow": async (rowId) =>
      await cancelChosen(chosenRows([rowId], pane), "view", typeof rowId === "string" && pane.wasJustDrawn(rowId)),
    /**
     * Edits an order: that of a row, or one that the user chooses when called from the Command Palette. The prices of
     * several orders are moved together, on one connection after another.
     */
    "tradingRpc.order.edit": async (...args) => {
      const origin = args.length === 0 ? "palette" : "view";
      const isRecentlyMoved = typeof args[0] === "string" && pane.wasJustDrawn(args[0]);
      const chosen = await openOrdersOrPick(args, l10n.t("Edit Order"), ports);
      for (const [live, orders] of stillOpen(chosen, dialogs)) {
        if (!(await ensureTradingAllowed(live))) continue;
        const context = { ...contextOf(live, origin), isRecentlyMoved };
        const [only, ...others] = orders;
        if (others.length > 0) await runShift(live, orders, context, ports);
        else if (only !== undefined) await runEdit(live, only, context, ports);
      }
    },
    ...several.handlers,
    "tradingRpc.orders.groupBy": async () => await pickGrouping(ports),
    "tradingRpc.orders.sortBy": async () => await pickSorting(ports),
    "tradingRpc.orders.pause": () => pane.pause(),
    "tradingRpc.orders.resume": () => pane.resume(),
    "tradingRpc.orders.loadMore": (rowId) => {
      if (typeof rowId === "string") pane.showMore(rowId);
    },
  };
}

function chosenRows(args: readonly unknown[], pane: OrdersPane): readonly ChosenOrder[] {
  const find = (id: string): FoundOrder | [] => {
    const found = pane.find(id);
    return found?.isEnded === false ? found : [];
  };
  return rowsOf(args, { find, gone: l10n.t("That order is no longer open.") });
}

/** Returns the open orders of rows, or asks. Throws `CallError` where those of the rows are over. */
async function openOrdersOrPick(
  args: readonly unknown[],
  title: Plain,
  { pane, ...ui }: ChoicePorts & Pick<OrdersUi, "pane">,
): Promise<readonly ChosenOrder[]> {
  if (args.length > 0) return chosenRows(args, pane);
  return await chooseOrders(title, ui);
}

/** Returns the chosen orders that are still open. Tells which are not, and goes on with the others. */
function stillOpen(chosen: readonly ChosenOrder[], dialogs: Dialogs): ReadonlyMap<LiveConnection, readonly Order[]> {
  const gone = chosen.filter(({ live, item }) => openOrder(live.orders.snapshot, item.order_id) === undefined);
  if (gone.length > 0 && chosen.length === 1) throw refused(l10n.t("That order is no longer open."));
  if (gone.length > 0) {
    const names = goneNames(gone.map(({ live, item }) => ({ place: live.place, name: plain.name(item.order_id) })));
    dialogs.tell(
      "warning",
      l10n.t("{0} of {1} selected orders are no longer open: {2}", gone.length, chosen.length, names),
    );
  }
  const open = new Map<LiveConnection, Order[]>();
  for (const { live, item } of chosen) {
    const now = openOrder(live.orders.snapshot, item.order_id);
    if (now !== undefined) open.set(live, [...(open.get(live) ?? []), now]);
  }
  return open;
}

/** Asks how open orders are grouped, and keeps it as the setting. */
async function pickGrouping({ settings, dialogs }: Pick<Ui, "settings" | "dialogs">): Promise<void> {
  const choices: readonly Choice<OrderGrouping>[] = [
    { label: l10n.t("Instrument"), description: l10n.t("one group per instrument"), value: "instrument" },
    {
      label: l10n.t("Currency"),
      description: l10n.t("or currency pair, for example BTC or BTC_USDC"),
      value: "currency",
    },
    { label: l10n.t("Kind"), description: l10n.t("future, option, spot, combos"), value: "kind" },
    { label: l10n.t("Order Type"), description: l10n.t("limit, stop, take profit, trailing"), value: "type" },
    { label: l10n.t("Label"), description: l10n.t("your order labels"), value: "label" },
    { label: l10n.t("None"), description: l10n.t("a flat list"), value: "none" },
  ];
  const result = await dialogs.askChoice({
    title: l10n.t("Group Orders By"),
    placeholder: "",
    choices,
    isPresent: (value) => value === settings.orders().groupBy,
  });
  if (result.kind === "next") await settings.setGroupBy(result.value);
}

/** Asks how open orders are sorted, and keeps it as the setting. */
async function pickSorting({ settings, dialogs }: Pick<Ui, "settings" | "dialogs">): Promise<void> {
  const choices: readonly Choice<OrderSorting>[] = [
    { label: l10n.t("As Received"), description: l10n.t("in the order the exchange returns them"), value: "received" },
    { label: l10n.t("Newest First"), description: l10n.t("by creation time"), value: "newest" },
    { label: l10n.t("Oldest First"), description: l10n.t("by creation time"), value: "oldest" },
    { label: l10n.t("Instrument"), description: l10n.t("by instrument name"), value: "instrument" },
    { label: l10n.t("Price"), description: l10n.t("highest first, as in an order book"), value: "price" },
    { label: l10n.t("Amount"), description: l10n.t("largest first"), value: "amount" },
  ];
  const result = await dialogs.askChoice({
    title: l10n.t("Sort Orders By"),
    placeholder: l10n.t("Sorting is applied now and on refresh, not on every update"),
    choices,
    isPresent: (value) => value === settings.orders().sortBy,
  });
  if (result.kind === "next") await settings.setSortBy(result.value);
}
