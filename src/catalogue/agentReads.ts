import type { AnyReadMethod } from "./index.ts";

/* What agents may read by the tools of `trading-rpc mcp`: the methods, and the parameters of each. */

/** A call of a tool. The first one of the tool whose `needs` is given is used. */
export interface AgentCall {
  readonly method: AnyReadMethod;
  readonly needs?: string;
  /** The parameters that can be given, by the exchange's names. */
  readonly params: readonly string[];
  /** The parameters that are sent where they are not given (default: none). */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

const PAGE = ["start_timestamp", "end_timestamp", "count", "sorting"] as const;
const HISTORY = ["count", "offset", "include_old", "include_unfilled"] as const;

/** The calls of each tool by its name. */
export const AGENT_READS = {
  get_open_orders: [
    { method: "private/get_open_orders_by_instrument", needs: "instrument_name", params: ["instrument_name", "type"] },
    { method: "private/get_open_orders", params: ["kind", "type"] },
  ],
  get_order: [{ method: "private/get_order_state", params: ["order_id"] }],
  get_order_history: [
    {
      ...{ method: "private/get_order_history_by_instrument", needs: "instrument_name" },
      ...{ params: ["instrument_name", ...HISTORY] },
    },
    { method: "private/get_order_history_by_currency", params: ["currency", "kind", ...HISTORY] },
  ],
  get_positions: [
    { method: "private/get_position", needs: "instrument_name", params: ["instrument_name"] },
    { method: "private/get_positions", params: ["currency", "kind"], defaults: { currency: "any" } },
  ],
  // Without `extended`: with it, the response also has the user's name and email address.
  get_account: [
    { method: "private/get_account_summary", needs: "currency", params: ["currency"] },
    { method: "private/get_account_summaries", params: [] },
  ],
  get_user_trades: [
    { method: "private/get_user_trades_by_order", needs: "order_id", params: ["order_id", "sorting"] },
    {
      ...{ method: "private/get_user_trades_by_instrument", needs: "instrument_name" },
      ...{ params: ["instrument_name", ...PAGE] },
    },
    { method: "private/get_user_trades_by_currency", params: ["currency", "kind", ...PAGE] },
  ],
  get_last_trades: [{ method: "public/get_last_trades_by_instrument", params: ["instrument_name", ...PAGE] }],
  get_order_book: [{ method: "public/get_order_book", params: ["instrument_name", "depth"] }],
  get_ticker: [{ method: "public/ticker", params: ["instrument_name"] }],
  get_instruments: [
    { method: "public/get_instrument", needs: "instrument_name", params: ["instrument_name"] },
    { method: "public/get_instruments", params: ["currency", "kind", "expired"] },
  ],
} as const satisfies Readonly<Record<string, readonly AgentCall[]>>;
