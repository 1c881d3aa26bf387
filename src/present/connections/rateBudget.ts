import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { countText } from "../text/numbers.ts";
import type { TooltipLine } from "../rows/row.ts";

type Budgets = LiveConnection["budgets"];
type Lanes = Budgets[number]["lanes"];

/**
 * Returns the rest of the exchange's limits, for each lane of each budget: "cancels and changes · 17 of 18 left".
 * Unused budgets have no line, except for the one that every read draws from.
 */
export function budgetLines(budgets: Budgets): TooltipLine[] {
  return budgets.flatMap(({ rate, lanes }) => (rate === "default" || isTouched(lanes) ? laneLines(rate, lanes) : []));
}

function isTouched({ userWrite, view }: Lanes): boolean {
  return userWrite.leftCalls < userWrite.sizeCalls || view.waitingCalls > 0;
}

function laneLines(rate: Budgets[number]["rate"], { userWrite, userRead, view }: Lanes): TooltipLine[] {
  const line = (name: Plain, { leftCalls, sizeCalls, waitingCalls }: Lanes["view"]): TooltipLine => ({
    name,
    value:
      waitingCalls === 0
        ? l10n.t("{0} of {1} left", countText(leftCalls), countText(sizeCalls))
        : l10n.t("{0} of {1} left, {2} waiting", countText(leftCalls), countText(sizeCalls), countText(waitingCalls)),
  });
  switch (rate) {
    case "default":
      return [
        line(l10n.t("calls: changes"), userWrite),
        line(l10n.t("calls: requests"), userRead),
        line(l10n.t("calls: views"), view),
      ];
    case "matching":
      return [line(l10n.t("orders and cancels"), userWrite)];
    case "subscribe":
      return [line(l10n.t("subscriptions"), view)];
    case "instruments":
      return [line(l10n.t("instrument lists"), view)];
    case "transactionLog":
      return [line(l10n.t("transaction log"), userRead)];
    case "movePositions":
      return [line(l10n.t("moved positions"), userWrite)];
  }
}
