/*
 * The parameters of the tools that language models call. The manifest declares them to VS Code. VS Code passes on
 * whatever a model writes, so the tools compare it with the same table.
 */

/** A parameter of a tool: its JSON Schema, and the key of its description without `tool.`. */
export interface ChatParam {
  readonly text: string;
  readonly type: "string" | "integer" | "boolean";
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a tool can be given. */
export interface ChatInput {
  readonly params: Readonly<Record<string, ChatParam>>;
  /** The names of the parameters that have to be there. */
  readonly required?: readonly string[];
}

const CONNECTION: ChatParam = { text: "connection", type: "string" };

/** The parameters of every tool, by its name without `tradingRpc_`. */
export const CHAT_INPUTS = {
  get_open_orders: {
    params: {
      connection: CONNECTION,
      instrument_name: { text: "instrument", type: "string" },
      kind: { text: "kind", type: "string", enum: ["future", "option", "spot", "future_combo", "option_combo"] },
      type: { text: "orderType", type: "string" },
    },
  },
  get_positions: {
    params: {
      connection: CONNECTION,
      instrument_name: { text: "instrument", type: "string" },
      currency: { text: "settlementCurrency", type: "string" },
      kind: { text: "kind", type: "string", enum: ["future", "option", "future_combo", "option_combo"] },
    },
  },
  get_account_summaries: {
    params: {
      connection: CONNECTION,
      currency: { text: "currency", type: "string" },
    },
  },
  get_block_trades: {
    params: {
      connection: CONNECTION,
      id: { text: "blockTradeId", type: "string" },
      currency: { text: "currency", type: "string" },
      count: { text: "count", type: "integer", minimum: 1, maximum: 101 },
      start_id: { text: "startId", type: "string" },
    },
  },
  get_mmp_config: {
    params: {
      connection: CONNECTION,
      index_name: { text: "index", type: "string" },
      mmp_group: { text: "mmpGroup", type: "string" },
      block_rfq: { text: "blockRfq", type: "boolean" },
    },
  },
  list_api_keys: {
    params: {
      connection: CONNECTION,
    },
  },
  get_last_trades: {
    params: {
      connection: CONNECTION,
      instrument_name: { text: "instrument", type: "string" },
      count: { text: "count", type: "integer", minimum: 1, maximum: 1000 },
      start_timestamp: { text: "start", type: "integer" },
      end_timestamp: { text: "end", type: "integer" },
      sorting: { text: "sorting", type: "string", enum: ["asc", "desc", "default"] },
    },
    required: ["instrument_name"],
  },
  explain_error: {
    params: {
      code: { text: "code", type: "integer" },
      message: { text: "message", type: "string" },
    },
    required: ["code"],
  },
  explain_method: {
    params: {
      method: { text: "method", type: "string" },
    },
    required: ["method"],
  },
  cancel_order: {
    params: {
      connection: CONNECTION,
      order_id: { text: "orderId", type: "string" },
      instrument_name: { text: "orderInstrument", type: "string" },
    },
    required: ["connection", "order_id", "instrument_name"],
  },
  cancel_all_block_rfq_quotes: {
    params: {
      connection: CONNECTION,
      block_rfq_id: { text: "rfqId", type: "integer" },
    },
    required: ["connection"],
  },
} as const satisfies Readonly<Record<string, ChatInput>>;
