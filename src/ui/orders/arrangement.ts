import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { OrderGrouping } from "../../present/orders/ordersGrouping.ts";
import type { OrderSorting } from "../../present/orders/ordersSorting.ts";
import type { Settings } from "../editor/settings.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice } from "../editor/dialogSteps.ts";

/** Asks how open orders are grouped, and keeps it as the setting. */
export async function pickGrouping(settings: Pick<Settings, "orders" | "setGroupBy">, dialogs: Dialogs): Promise<void> {
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
  const chosen = await askOne(dialogs, {
    title: l10n.t("Group Orders By"),
    placeholder: "",
    choices,
    present: settings.orders().groupBy,
  });
  if (chosen !== undefined) await settings.setGroupBy(chosen);
}

/** Asks how open orders are sorted, and keeps it as the setting. */
export async function pickSorting(settings: Pick<Settings, "orders" | "setSortBy">, dialogs: Dialogs): Promise<void> {
  const choices: readonly Choice<OrderSorting>[] = [
    { label: l10n.t("As Received"), description: l10n.t("in the order the exchange returns them"), value: "received" },
    { label: l10n.t("Newest First"), description: l10n.t("by creation time"), value: "newest" },
    { label: l10n.t("Oldest First"), description: l10n.t("by creation time"), value: "oldest" },
    { label: l10n.t("Instrument"), description: l10n.t("by instrument name"), value: "instrument" },
    { label: l10n.t("Price"), description: l10n.t("highest first, as in an order book"), value: "price" },
    { label: l10n.t("Amount"), description: l10n.t("largest first"), value: "amount" },
  ];
  const placeholder = l10n.t("Sorting is applied now and on refresh, not on every update");
  const chosen = await askOne(dialogs, {
    title: l10n.t("Sort Orders By"),
    placeholder,
    choices,
    present: settings.orders().sortBy,
  });
  if (chosen !== undefined) await settings.setSortBy(chosen);
}

/** Asks for one value; undefined when the user left. */
async function askOne<Value>(
  dialogs: Dialogs,
  {
    present,
    ...asked
  }: {
    readonly title: Plain;
    readonly placeholder: Plain;
    readonly choices: readonly Choice<Value>[];
    readonly present: Value;
  },
): Promise<Value | undefined> {
  const result = await dialogs.askChoice({ ...asked, isPresent: (value) => value === present });
  return result.kind === "next" ? result.value : undefined;
}
