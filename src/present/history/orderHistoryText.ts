import { isUnresolved, type RecordedIntent } from "../../actions/journal/recordedIntents.ts";
import { parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { NOT_KNOWN, plain, type Plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";
import type { OrderHistory } from "../../state/orderHistory.ts";
import { exportedIntent } from "../activity/activity.ts";
import { intentState, intentTime, intentTitle } from "../activity/activityWords.ts";
import { orderLine, orderTraits } from "../orders/orderWords.ts";
import { fieldLines, memberText } from "../rows/objectFields.ts";
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

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the document about an order: what the exchange keeps of it, and what was done from here. It is for reading;
 * copies and request files have every digit as it was received.
 */
export function orderHistoryText(
  history: OrderHistory,
  intents: readonly RecordedIntent[],
  subject: OrderHistorySubject,
): string {
  const { orderId, place, connectionId, nowMs, times } = subject;
  const own = intents.filter((intent) => intent.connectionId === connectionId && isAbout(intent, orderId, times));
  const open = own.filter(isUnresolved).length;
  const order = readRow("order", parseObject(history.order ?? ""));
  const lines = [
    l10n.t("{0} on {1}, as of {2}", plain.name(orderId), place, times.local(nowMs)),
    ...(order === undefined
      ? [l10n.t("The exchange returned no such order.")]
      : [
          l10n.t("{0} {1}", plain.name(order.instrument_name), orderLine(order)),
          plain.join([plain.name(order.order_state), ...orderTraits(order)], " · "),
        ]),
    ...(open > 0 ? [l10n.t("Actions with an unknown outcome: {0}", countText(open))] : []),
    ...history.failures.map(({ part, failure }) => l10n.t("{0}: {1}", PART_NAMES[part](), linkFailureText(failure))),
  ];
  const actions = own.toSorted((one, other) => intentTime(one) - intentTime(other));
  return [
    ...lines,
    ...section(l10n.t("Trades"), tableOf(history.trades.map(membersOf), TRADE_COLUMNS, times)),
    ...section(l10n.t("Transaction log"), tableOf(history.log.map(membersOf), LOG_COLUMNS, times)),
    ...section(
      l10n.t("Actions from here"),
      aligned(actions.map((each) => [times.local(intentTime(each)), intentTitle(each), intentState(each)])),
    ),
    ...(order === undefined
      ? []
      : section(
          l10n.t("All fields of the order"),
          aligned(fieldLines(order, times).map(({ name = "", value }) => [name, value])),
        )),
    "",
  ].join("\n");
}

const PART_NAMES: Readonly<Record<OrderHistory["failures"][number]["part"], () => Plain>> = {
  order: () => l10n.t("Order"),
  trades: () => l10n.t("Trades"),
  log: () => l10n.t("Transaction log"),
};

/** A column of a table: the member of the exchange that it shows, or several that are shown together. */
interface Column {
  readonly title: () => Plain;
  readonly members: readonly string[];
}

const TIME: Column = { title: () => l10n.t("Time"), members: ["timestamp"] };

const TRADE_COLUMNS: readonly Column[] = [
  TIME,
  { title: () => l10n.t("Side"), members: ["direction"] },
  { title: () => l10n.t("Amount"), members: ["amount"] },
  { title: () => l10n.t("Price"), members: ["price"] },
  { title: () => l10n.t("Fee"), members: ["fee", "fee_currency"] },
  { title: () => l10n.t("Role"), members: ["liquidity"] },
  { title: () => l10n.t("Profit"), members: ["profit_loss"] },
  { title: () => l10n.t("Trade ID"), members: ["trade_id"] },
];

const LOG_COLUMNS: readonly Column[] = [
  TIME,
  { title: () => l10n.t("Type"), members: ["type"] },
  { title: () => l10n.t("Change"), members: ["change", "currency"] },
  { title: () => l10n.t("Fee"), members: ["commission"] },
  { title: () => l10n.t("Balance"), members: ["balance"] },
];

/** Returns a heading, and below it the lines, or that there are none. */
function section(title: Plain, lines: readonly Plain[]): readonly Plain[] {
  return ["", title, ...(lines.length === 0 ? [l10n.t("None.")] : lines).map((line) => plain`  ${line}`)];
}

/** Returns rows below the titles of the columns that have something. */
function tableOf(rows: readonly Members[], columns: readonly Column[], times: Times): readonly Plain[] {
  const used = columns.filter(({ members: [name = ""] }) => rows.some((row) => (row[name] ?? null) !== null));
  return rows.length === 0
    ? []
    : aligned([
        used.map(({ title }) => title()),
        ...rows.map((row) => used.map(({ members }) => cellText(row, members, times))),
      ]);
}

function cellText(row: Members, [first = "", ...more]: readonly string[], times: Times): Plain {
  const value = row[first];
  if (value === undefined || value === null) return NOT_KNOWN;
  return plain.join(
    [first, ...more].flatMap((name) => valueText(name, row[name], times)),
    " ",
  );
}

function valueText(name: string, value: unknown, times: Times): readonly Plain[] {
  if (value === undefined || value === null) return [];
  if (name === "timestamp" && typeof value === "number") return [times.local(value)];
  if (name === "liquidity" && (value === "M" || value === "T"))
    return [value === "M" ? l10n.t("maker") : l10n.t("taker")];
  if (typeof value === "number") return [memberText(name, value)];
  return [plain.text(typeof value === "string" ? value : JSON.stringify(value), MAX_CELL)];
}

/** Returns lines whose columns begin below each other. */
function aligned(rows: readonly (readonly Plain[])[]): readonly Plain[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    plain.join(
      row.map((cell, column) =>
        column === row.length - 1 ? cell : plain`${cell}${blanks((widths[column] ?? 0) - cell.length)}`,
      ),
      "  ",
    ),
  );
}

function blanks(count: number): Plain {
  return plain.text(" ".repeat(count));
}

function membersOf(text: string): Members {
  return parseObject(text) ?? {};
}

/** Whether a change was about an order: it names the order, or its outcome does. */
function isAbout(intent: RecordedIntent, orderId: string, times: Times): boolean {
  return JSON.stringify(exportedIntent(intent, times)).includes(JSON.stringify(orderId));
}

const MAX_CELL = 100;
