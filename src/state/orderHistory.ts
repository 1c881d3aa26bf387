import { toFailure, type Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import type { AnyReadMethod } from "../catalogue/index.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { scopeProblem } from "../session/scope.ts";
import { rowTexts } from "../rpc/elementTexts.ts";
import { ORDER_STATE_METHOD } from "./orderRows.ts";
import type { ResourcePorts } from "./resource.ts";

/** What the exchange keeps of one order, as JSON texts with the digits that were received. */
export interface OrderHistory {
  /** The order; undefined where the exchange does not have it any more. */
  readonly order: string | undefined;
  /** The trades, oldest first. */
  readonly trades: readonly string[];
  /** The entries of the transaction log about the order. */
  readonly log: readonly string[];
  /** The reasons why parts are missing. */
  readonly failures: readonly { readonly part: "order" | "trades" | "log"; readonly failure: Failure }[];
}

/** The time around the trades in which the log is searched, in ms. */
const LOG_MARGIN_MS = 60_000;
/** The most entries that a call to the log returns. */
const MAX_LOG = 250;
/** The most further pages of the log of a currency. */
const MAX_LOG_PAGES = 10;

/**
 * Reads what the exchange keeps of an order: up to three calls, and one to the log for each currency of its fees.
 * `slot`: the subaccount of an isolated order, which alone has it.
 */
export async function readOrderHistory(orderId: string, ports: ResourcePorts, slot?: number): Promise<OrderHistory> {
  const flag = slot === undefined ? {} : { isolated: true };
  const account = slot === undefined ? {} : { subaccount_id: slot };
  const { session } = ports;
  const failures: { part: "order" | "trades" | "log"; failure: Failure }[] = [];
  const read = async (
    part: "order" | "trades" | "log",
    method: AnyReadMethod,
    params: Readonly<Record<string, unknown>>,
  ): Promise<MaskedResponse | undefined> => {
    const problem = scopeProblem(method, session.state, params);
    try {
      if (problem === undefined) return await session.reader.readResponse(method, params, { lane: "userRead" });
      failures.push({ part, failure: problem });
    } catch (thrown) {
      failures.push({ part, failure: toFailure(thrown) });
    }
    return undefined;
  };
  const order = await read("order", ORDER_STATE_METHOD, { order_id: orderId, ...flag });
  const trades = new Set<string>();
  // Older trades are kept apart: https://docs.deribit.com/articles/accessing-historical-trades-orders
  for (const historical of [true, false]) {
    const params = { order_id: orderId, sorting: "asc", historical, ...flag };
    const response = await read("trades", "private/get_user_trades_by_order", params);
    for (const text of rowTexts(response, "trades")) trades.add(text);
  }
  const log: string[] = [];
  for (const [currency, { fromMs, toMs }] of feeTimes([...trades])) {
    const range = { start_timestamp: fromMs - LOG_MARGIN_MS, end_timestamp: toMs + LOG_MARGIN_MS };
    let continuation: unknown;
    for (let pages = 0; ; pages++) {
      const more = continuation === undefined ? {} : { continuation };
      const response = await read("log", "private/get_transaction_log", {
        currency,
        ...range,
        count: MAX_LOG,
        ...account,
        ...more,
      });
      log.push(...rowTexts(response, "logs").filter((text) => valueOf(text)["order_id"] === orderId));
      const before = continuation;
      ({ continuation } = isObject(response?.result) ? response.result : { continuation: undefined });
      if (typeof continuation !== "number" || continuation === before) break;
      if (pages < MAX_LOG_PAGES) continue;
      failures.push({
        part: "log",
        failure: { kind: "refused", reason: l10n.t("The log has more entries in that time.") },
      });
      break;
    }
  }
  return { order: order?.bodyText, trades: [...trades], log, failures };
}

/** Returns the first and last time of trades by the currency of their fees, in ms since the Unix epoch. */
function feeTimes(trades: readonly string[]): ReadonlyMap<string, { readonly fromMs: number; readonly toMs: number }> {
  const times = new Map<string, { readonly fromMs: number; readonly toMs: number }>();
  for (const { fee_currency: currency, timestamp: atMs } of trades.map(valueOf)) {
    if (typeof currency !== "string" || typeof atMs !== "number") continue;
    const { fromMs, toMs } = times.get(currency) ?? { fromMs: atMs, toMs: atMs };
    times.set(currency, { fromMs: Math.min(fromMs, atMs), toMs: Math.max(toMs, atMs) });
  }
  return times;
}

function valueOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}
