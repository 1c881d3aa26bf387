import {
  cancelMatching,
  cancelOneByOne,
  type CancelScope,
  type KnownOrders,
} from "../../actions/changes/cancelMany.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { OrderContext, SeveralIntents } from "../../actions/changes/orders.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import { nothingToDo, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { METHOD_NOT_FOUND } from "../../catalogue/codes.ts";
import { countText } from "../../present/text/numbers.ts";
import { groupCancel, groupCancelWithSlots } from "../../present/orders/groupCancel.ts";
import { compileFilter } from "../../present/orders/ordersFilter.ts";
import { openOrders, type Order } from "../../state/orders.ts";
import { isCountable } from "../../state/snapshot.ts";
import { connectionOfRow, pickConnection } from "../connections/picks.ts";
import { createProgress } from "./progress.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import type { Handlers } from "../editor/handler.ts";
import { requireRowId } from "../tree/selectedRows.ts";
import type { OrdersPane } from "./view.ts";
import { answerOf } from "../editor/walkSteps.ts";
import type { Ui } from "../ui.ts";

/** Cancels several orders: one by one, or with a call of the exchange that cancels all that match. */
interface SeveralCancels {
  readonly handlers: Handlers;
  /** Confirms once, sends one by one, and shows the outcomes. `connections`: how many are cancelled on (default: 1). */
  run(connection: LiveConnection, several: SeveralIntents, connections?: number): Promise<void>;
}

type SeveralCancelsPorts = Pick<Ui, "dialogs" | "liveConnections" | "notices" | "settings" | "clock" | "setContext"> & {
  readonly pane: OrdersPane;
  readonly contextOf: (connection: LiveConnection) => OrderContext;
};

/** The number of cancels up to which no progress is shown: they go out at once. */
const AT_ONCE = 20;

export function createSeveralCancels(ports: SeveralCancelsPorts): SeveralCancels {
  const { pane, liveConnections, dialogs } = ports;
  const running = new Set<AbortController>();

  const run: SeveralCancels["run"] = async (connection, { intents, describe }, connections = 1) => {
    const stopping = new AbortController();
    const progress = createProgress(
      {
        title: l10n.t("Cancelling orders one by one on {0}", plain.text(connection.place)),
        textOf: (done, all) =>
          l10n.t(
            "{0} of {1} responses received. Cancel stops further requests, but can't take back requests already sent.",
            countText(done),
            countText(all),
          ),
        isGradual: true,
      },
      stopping,
      ports.dialogs,
    );
    running.add(stopping);
    try {
      const outcomes = await connection.gate.submitAll(intents, describe, {
        timeoutMs: ports.settings.connection().requestTimeoutMs,
        stop: stopping.signal,
        onProgress(done, all) {
          if (all <= AT_ONCE) return;
          progress.show(done, all);
          ports.setContext("orders.isCancelling", true);
        },
      });
      ports.notices.showOutcomes(connection, { intents, connections }, outcomes);
    } finally {
      progress.end();
      running.delete(stopping);
      if (running.size === 0) ports.setContext("orders.isCancelling", false);
    }
  };
  const runOneByOne = async (
    connection: LiveConnection,
    orders: readonly Order[],
    reason: Plain | undefined,
  ): Promise<void> => await run(connection, cancelOneByOne(orders, ports.contextOf(connection), reason));

  const runOneCall = async (connection: LiveConnection, scope: CancelScope, known: KnownOrders): Promise<void> => {
    if (known.isCounted && known.orders.length === 0) throw nothingToDo(l10n.t("There are no open orders to cancel."));
    const intent = cancelMatching(scope, known, "view");
    const isNotOffered = (outcome: Outcome): boolean =>
      outcome.kind === "rejected" && outcome.failure.code === METHOD_NOT_FOUND;
    const outcome = await submitAndShow(connection, intent, ports, (each) => !isNotOffered(each));
    if (isNotOffered(outcome)) offerOneByOne(connection, plain.text(intent.method), known.orders);
  };
  /**
   * Offers to cancel one by one instead. That is another intent: it is confirmed again with the orders that are open
   * then.
   */
  const offerOneByOne = (connection: LiveConnection, method: Plain, orders: readonly Order[]): void => {
    const text = l10n.t(
      "{0} doesn't support {1}. Nothing was cancelled. You can cancel the orders one by one instead.",
      connection.place,
      method,
    );
    const oneByOne = async (): Promise<void> => {
      const open = new Map(openOrders(connection.orders.snapshot).map((order) => [order.order_id, order]));
      const left = orders.flatMap((order) => open.get(order.order_id) ?? []);
      if (left.length > 0) await runOneByOne(connection, left, l10n.t("{0} isn't supported here.", method));
      else dialogs.tell("information", l10n.t("These orders are no longer open."));
    };
    dialogs.tell("warning", text, [{ title: l10n.t("Cancel One by One"), run: oneByOne }]);
  };
  const known = (connection: LiveConnection, orders: readonly Order[], hiddenCount: number): KnownOrders => ({
    orders,
    hiddenCount,
    isCounted: isCountable(connection.orders.snapshot, ports.clock),
    flagsIsolated: connection.orders.hasSlots,
  });

  return {
    run,
    handlers: {
      /** Sends nothing more of the cancels that are sent one by one. */
      "tradingRpc.order.stopCancelling": () => {
        for (const each of running) each.abort();
      },
      /**
       * Cancels all orders of a connection: that of the row, or one that the user chooses when called from the Command
       * Palette.
       */
      "tradingRpc.order.cancelAll": async (...args) => {
        const connection = await connectionOf(args, ports);
        if (connection === undefined) return;
        const orders = openOrders(connection.orders.snapshot);
        const hidden = orders.length - orders.filter(compileFilter(pane.filter.value)).length;
        await runOneCall(connection, { kind: "all" }, known(connection, orders, hidden));
      },
      /**
       * Cancels the orders of a group: that of the row, or one that the user chooses when called from the Command
       * Palette.
       */
      "tradingRpc.order.cancelGroup": async (...args) => {
        openAccounts(liveConnections);
        const rowId = args.length > 0 ? requireRowId(args[0]) : await pickGroup(ports);
        if (rowId === undefined) return;
        const group = pane.findGroup(rowId);
        if (group === undefined || group.orders.length === 0)
          throw refused(l10n.t("That group no longer has open orders."));
        const { live, orders } = group;
        const ways = live.orders.hasSlots ? groupCancelWithSlots : groupCancel;
        const how = ways(group.groupBy, orders, openOrders(live.orders.snapshot));
        if (how.kind === "oneCall") await runOneCall(live, how.scope, known(live, orders, 0));
        else await runOneByOne(live, orders, how.reason);
      },
    },
  };
}

/** Returns the connection of the row, or asks for one, because one call reaches one account. */
async function connectionOf(args: readonly unknown[], ports: SeveralCancelsPorts): Promise<LiveConnection | undefined> {
  if (args.length > 0) return connectionOfRow(args[0], ports);
  const traits = ({ orders }: LiveConnection): Plain =>
    l10n.t("{0} open", countText(openOrders(orders.snapshot).length));
  return await pickConnection(ports, {
    title: l10n.t("Cancel All Orders"),
    connections: openAccounts(ports.liveConnections),
    traits,
  });
}

async function pickGroup({ pane, liveConnections, dialogs }: SeveralCancelsPorts): Promise<string | undefined> {
  const rows = pane.groups;
  if (rows.length === 0)
    throw refused(l10n.t("There are no groups. Use Orders: Cancel All…, or use Group Orders By… first."));
  const choices = rows.map((row) => {
    const connection = liveConnections.find(row.connectionId);
    const place = connection === undefined ? "" : connection.place;
    return {
      label: row.label,
      description: l10n.t("{0} open · {1}", countText(pane.findGroup(row.id)?.orders.length ?? 0), place),
      value: row.id,
    };
  });
  return answerOf(
    await dialogs.askChoice({
      title: l10n.t("Cancel Orders in Group"),
      placeholder: l10n.t("Select a group"),
      choices,
      isPresent: () => false,
    }),
  );
}
