/** A tool that language models may call, with its parameters. */
interface ChatTool {
  readonly name: string;
  /** The name by which a prompt refers to the tool. */
  readonly reference: string;
  readonly icon: string;
  /** The access that offers the tool. A tool that has none reads nothing of an account and is always offered. */
  readonly access?: "read" | "readAndCancel";
  readonly params: Readonly<Record<string, Param>>;
  readonly required?: readonly string[];
}

/** A parameter of a tool: its JSON Schema, and the key of its description without `tool.`. */
interface Param {
  readonly text: string;
  readonly schema: object;
}

const TOOLS: readonly ChatTool[] = [
  {
    name: "get_open_orders",
    reference: "tradingOpenOrders",
    icon: "list-unordered",
    access: "read",
    params: {
      connection: { text: "connection", schema: { type: "string" } },
      instrument_name: { text: "instrument", schema: { type: "string" } },
      kind: {
        text: "kind",
        schema: { type: "string", enum: ["future", "option", "spot", "future_combo", "option_combo"] },
      },
      type: { text: "orderType", schema: { type: "string" } },
    },
  },
  {
    name: "get_positions",
    reference: "tradingPositions",
    icon: "pulse",
    access: "read",
    params: {
      connection: { text: "connection", schema: { type: "string" } },
      instrument_name: { text: "instrument", schema: { type: "string" } },
      currency: { text: "settlementCurrency", schema: { type: "string" } },
      kind: { text: "kind", schema: { type: "string", enum: ["future", "option", "future_combo", "option_combo"] } },
    },
  },
  {
    name: "get_account_summaries",
    reference: "tradingAccount",
    icon: "account",
    access: "read",
    params: {
      connection: { text: "connection", schema: { type: "string" } },
      currency: { text: "currency", schema: { type: "string" } },
    },
  },
  {
    name: "get_block_trades",
    reference: "tradingBlockTrades",
    icon: "package",
    access: "read",
    params: {
      connection: { text: "connection", schema: { type: "string" } },
      id: { text: "blockTradeId", schema: { type: "string" } },
      currency: { text: "currency", schema: { type: "string" } },
      count: { text: "count", schema: { type: "integer", minimum: 1, maximum: 101 } },
      start_id: { text: "startId", schema: { type: "string" } },
    },
  },
  {
    name: "get_mmp_config",
    reference: "tradingMmp",
    icon: "shield",
    access: "read",
    params: {
      connection: { text: "connection", schema: { type: "string" } },
      index_name: { text: "index", schema: { type: "string" } },
      mmp_group: { text: "mmpGroup", schema: { type: "string" } },
      block_rfq: { text: "blockRfq", schema: { type: "boolean" } },
    },
  },
  {
    name: "list_api_keys",
    reference: "tradingApiKeys",
    icon: "key",
    access: "read",
    params: {
      connection: { text: "connection", schema: { type: "string" } },
    },
  },
  {
    name: "get_last_trades",
    reference: "tradingLastTrades",
    icon: "graph-line",
    access: "read",
    params: {
      connection: { text: "connection", schema: { type: "string" } },
      instrument_name: { text: "instrument", schema: { type: "string" } },
      count: { text: "count", schema: { type: "integer", minimum: 1, maximum: 1000 } },
      start_timestamp: { text: "start", schema: { type: "integer" } },
      end_timestamp: { text: "end", schema: { type: "integer" } },
      sorting: { text: "sorting", schema: { type: "string", enum: ["asc", "desc", "default"] } },
    },
    required: ["instrument_name"],
  },
  {
    name: "explain_error",
    reference: "tradingError",
    icon: "question",
    params: {
      code: { text: "code", schema: { type: "integer" } },
      message: { text: "message", schema: { type: "string" } },
    },
    required: ["code"],
  },
  {
    name: "explain_method",
    reference: "tradingMethod",
    icon: "book",
    params: {
      method: { text: "method", schema: { type: "string" } },
    },
    required: ["method"],
  },
  {
    name: "cancel_order",
    reference: "tradingCancelOrder",
    icon: "close",
    access: "readAndCancel",
    params: {
      connection: { text: "connection", schema: { type: "string" } },
      order_id: { text: "orderId", schema: { type: "string" } },
      instrument_name: { text: "orderInstrument", schema: { type: "string" } },
    },
    required: ["connection", "order_id", "instrument_name"],
  },
  {
    name: "cancel_all_block_rfq_quotes",
    reference: "tradingCancelQuotes",
    icon: "close-all",
    access: "readAndCancel",
    params: {
      connection: { text: "connection", schema: { type: "string" } },
      block_rfq_id: { text: "rfqId", schema: { type: "integer" } },
    },
    required: ["connection"],
  },
];

/** The tools as `contributes.languageModelTools` has them. */
export function chatTools(): object[] {
  return TOOLS.map(({ name, reference, icon, access, params, required }) => ({
    name: `tradingRpc_${name}`,
    toolReferenceName: reference,
    displayName: `%tool.${name}%`,
    userDescription: `%tool.${name}.user%`,
    modelDescription: `%tool.${name}.model%`,
    icon: `$(${icon})`,
    canBeReferencedInPrompt: true,
    ...(access === undefined ? {} : { when: OFFERED[access] }),
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(params).map(([key, { text, schema }]) => [key, { ...schema, description: `%tool.${text}%` }]),
      ),
      ...(required === undefined ? {} : { required }),
    },
  }));
}

const OFFERED = {
  read: "isWorkspaceTrusted && config.tradingRpc.chat.access != off",
  readAndCancel: "isWorkspaceTrusted && config.tradingRpc.chat.access == readAndCancel",
} as const;
