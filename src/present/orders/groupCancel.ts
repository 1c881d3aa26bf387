import { reachesIsolated, type CancelScope } from "../../actions/changes/cancelMany.ts";
import * as l10n from "../../base/l10n.ts";
import { NOT_KNOWN, plain, type Plain } from "../../base/plain.ts";
import { isIsolated } from "../../state/isolated.ts";
import type { Order } from "../../state/orders.ts";
import { instrumentKindOf } from "./instrumentKind.ts";
import { currencyOf, groupName, type OrderGrouping } from "./ordersGrouping.ts";

/* How the orders of a group are cancelled. Apart from the groups, because commands alone ask for it. */

/** The way to cancel the orders of a group: one call that cancels exactly the group, or one by one. */
type GroupCancel =
  | { readonly kind: "oneCall"; readonly scope: CancelScope }
  /** No single call cancels exactly the group; `reason` is a sentence. */
  | { readonly kind: "oneByOne"; readonly reason: Plain };

/**
 * Returns the way to cancel a group at the gateway, where not every call reaches isolated orders. What `members` and
 * `all` are: see `groupCancel`.
 */
export function groupCancelWithSlots(...given: Parameters<typeof groupCancel>): GroupCancel {
  const how = groupCancel(...given);
  const [, members] = given;
  return how.kind === "oneCall" && !reachesIsolated(how.scope) && members.some(isIsolated)
    ? oneByOne(l10n.t("No single call cancels the isolated orders of this group."))
    : how;
}

/**
 * Returns the way to cancel a group. `members` are the orders that the group shows, `all` all open orders of the
 * connection, hidden ones too.
 */
export function groupCancel(grouping: OrderGrouping, members: readonly Order[], all: readonly Order[]): GroupCancel {
  const [first] = members;
  if (first === undefined) return oneByOne(l10n.t("The group is empty."));
  const key = groupName(grouping, first);
  const hidden = all.filter((order) => groupName(grouping, order) === key).length - members.length;
  if (hidden > 0)
    return oneByOne(
      l10n.t("The filter hides orders of this group ({0}). A single call would cancel them too.", hidden),
    );
  switch (grouping) {
    case "instrument":
      return isUnnamed(all) ? oneByOne(unnamedText()) : oneCall({ kind: "instrument", instrumentName: key });
    case "currency":
      return isUnnamed(all) ? oneByOne(unnamedText()) : currencyCancel(key, all);
    case "kind":
      return kindCancel(first, all);
    case "type":
      return typeCancel(first.order_type, all);
    case "label":
      return first.label === undefined || first.label === ""
        ? oneByOne(l10n.t("No single call cancels only the orders without a label."))
        : oneCall({ kind: "label", label: first.label });
    case "none":
      return oneByOne(l10n.t("The orders are not grouped."));
  }
}

/** Whether there are orders of an unknown instrument, so that a call might cancel them too. */
function isUnnamed(all: readonly Order[]): boolean {
  return all.some((order) => order.instrument_name === undefined);
}

function unnamedText(): Plain {
  return l10n.t("The instrument of some orders is unknown.");
}

function oneCall(scope: CancelScope): GroupCancel {
  return { kind: "oneCall", scope };
}

function oneByOne(reason: Plain): GroupCancel {
  return { kind: "oneByOne", reason };
}

/**
 * Returns the way to cancel a currency. Whether it stands for its pairs too is not documented: where there are such
 * orders, one call is not tried.
 */
function currencyCancel(key: string, all: readonly Order[]): GroupCancel {
  if (key.includes("_")) return oneCall({ kind: "currencyPair", currencyPair: key });
  const other = all
    .map((order) => currencyOf(order.instrument_name ?? NOT_KNOWN))
    .find((each) => each !== key && each.split("_").includes(key));
  return other === undefined
    ? oneCall({ kind: "currency", currency: key })
    : oneByOne(l10n.t("Cancelling by currency could also cancel the orders in {0}.", plain.name(other)));
}

/**
 * Returns the way to cancel a kind. The kind is read from the name: one unclear name makes the effect of a call by kind
 * uncertain.
 */
function kindCancel(first: Order, all: readonly Order[]): GroupCancel {
  const instrumentKind = instrumentKindOf(first.instrument_name);
  const isSure = all.every((order) => instrumentKindOf(order.instrument_name) !== undefined);
  return instrumentKind === undefined || !isSure
    ? oneByOne(l10n.t("The kind of some orders is not certain."))
    : oneCall({ kind: "instrumentKind", instrumentKind });
}

/**
 * Returns the way to cancel a type. The exchange knows fewer types for cancelling than orders have: `stop` stands for
 * two of them.
 */
function typeCancel(type: string | undefined, all: readonly Order[]): GroupCancel {
  if (all.some((order) => order.order_type === undefined))
    return oneByOne(l10n.t("The type of some orders is unknown."));
  if (type === "limit" || type === "trailing_stop") return oneCall({ kind: "orderType", orderType: type });
  return oneByOne(l10n.t("No single call cancels only the orders of this type."));
}
