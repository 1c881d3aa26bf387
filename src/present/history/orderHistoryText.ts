import { isUnresolved, type RecordedIntent } from "../../actions/journal/recordedIntents.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { indentJson } from "../../requests/text/indent.ts";
import type { OrderHistory } from "../../state/orderHistory.ts";
import { exportedIntent } from "../activity/activity.ts";
import { linkFailureText } from "../text/failureText.ts";
import { countText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";

/** What an order's document is about. */
interface OrderHistorySubject {
  readonly orderId: string;
  /** The environment and name of the connection. */
  readonly place: Plain;
  readonly connectionId: string;
  readonly nowMs: number;
  readonly times: Times;
}

/** Returns the document about an order: what the exchange keeps of it, and what was done from here. */
export function orderHistoryText(
  { order, trades, log, failures }: OrderHistory,
  intents: readonly RecordedIntent[],
  { orderId, place, connectionId, nowMs, times }: OrderHistorySubject,
): string {
  const own = intents.filter((intent) => intent.connectionId === connectionId && isAbout(intent, orderId, times));
  const open = own.filter(isUnresolved).length;
  const head = [
    l10n.t("{0} on {1}, as of {2}", plain.name(orderId), place, times.local(nowMs)),
    l10n.t(
      "Trades: {0}, log entries: {1}, actions from here: {2}",
      ...[trades, log, own].map(({ length }) => countText(length)),
    ),
    ...(open > 0 ? [l10n.t("Actions with an unknown outcome: {0}", countText(open))] : []),
    ...failures.map(({ part, failure }) => l10n.t("{0}: {1}", PART_NAMES[part](), linkFailureText(failure))),
  ];
  const body = [
    `"order": ${order ?? "null"}`,
    `"trades": [${trades.join(",")}]`,
    `"log": [${log.join(",")}]`,
    `"activity": ${JSON.stringify(own.map((intent) => exportedIntent(intent, times)))}`,
  ];
  return `${head.map((line) => `// ${line}`).join("\n")}\n${indentJson(`{${body.join(",")}}`).text}\n`;
}

const PART_NAMES: Readonly<Record<OrderHistory["failures"][number]["part"], () => Plain>> = {
  order: () => l10n.t("Order"),
  trades: () => l10n.t("Trades"),
  log: () => l10n.t("Transaction log"),
};

/** Whether a change was about an order: it names the order, or its outcome does. */
function isAbout(intent: RecordedIntent, orderId: string, times: Times): boolean {
  return JSON.stringify(exportedIntent(intent, times)).includes(JSON.stringify(orderId));
}
