import { CHAT_INPUTS, type ChatInput } from "../base/chatInputs.ts";

/** A tool that language models may call. Its parameters are in `CHAT_INPUTS`. */
interface ChatTool {
  /** The access that offers the tool. A tool that has none reads nothing of an account and is always offered. */
  readonly access?: Access;
  readonly icon: string;
  /** The name by which a prompt refers to the tool. */
  readonly reference: string;
  /** What it explains, reads, or cancels, in the words of the setting. */
  readonly what: string;
}

type Access = "read" | "readAndCancel";

const TOOLS: Readonly<Record<keyof typeof CHAT_INPUTS, ChatTool>> = {
  get_open_orders: { access: "read", icon: "list-unordered", reference: "tradingOpenOrders", what: "open orders" },
  get_positions: { access: "read", icon: "pulse", reference: "tradingPositions", what: "positions" },
  get_account_summaries: { access: "read", icon: "account", reference: "tradingAccount", what: "balances and margin" },
  get_block_trades: { access: "read", icon: "package", reference: "tradingBlockTrades", what: "block trades" },
  get_mmp_config: { access: "read", icon: "shield", reference: "tradingMmp", what: "MMP limits" },
  list_api_keys: { access: "read", icon: "key", reference: "tradingApiKeys", what: "API keys without their secrets" },
  get_last_trades: { access: "read", icon: "graph-line", reference: "tradingLastTrades", what: "last trades" },
  explain_error: { icon: "question", reference: "tradingError", what: "error codes" },
  explain_method: { icon: "book", reference: "tradingMethod", what: "methods" },
  cancel_order: { access: "readAndCancel", icon: "close", reference: "tradingCancelOrder", what: "an order" },
  cancel_all_block_rfq_quotes: {
    access: "readAndCancel",
    icon: "close-all",
    reference: "tradingCancelQuotes",
    what: "all Block RFQ quotes",
  },
};

/** The tools as `contributes.languageModelTools` has them. */
export function chatTools(): object[] {
  return Object.entries<ChatInput>(CHAT_INPUTS).map(([name, { params, required }]) => {
    const { access, icon, reference } = TOOLS[name as keyof typeof CHAT_INPUTS];
    return {
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
          Object.entries(params).map(([key, { text, ...schema }]) => [
            key,
            { ...schema, description: `%tool.${text}%` },
          ]),
        ),
        ...(required === undefined ? {} : { required }),
      },
    };
  });
}

const OFFERED = {
  read: "isWorkspaceTrusted && config.tradingRpc.chat.access != off",
  readAndCancel: "isWorkspaceTrusted && config.tradingRpc.chat.access == readAndCancel",
} as const;

/** Returns what each value of `tradingRpc.chat.access` lets a model do, as the setting has it. */
export function chatAccessTexts(): Readonly<Record<string, string>> {
  return {
    off: `Allow nothing but explanations of ${listed(undefined, "and")}.`,
    read: `Read ${listed("read", "and")}.`,
    readAndCancel: `Also request the cancel of ${listed("readAndCancel", "or of")}. Each cancel asks for confirmation, even on the simulator. On production and the Coinbase gateway it also needs **Allow Changes…**.`,
  };
}

/** Returns what the tools of an access are about. */
function listed(access: Access | undefined, before: "and" | "or of"): string {
  const named = Object.values(TOOLS).flatMap((tool) => (tool.access === access ? [tool.what] : []));
  const separator = named.length > 2 ? ", " : " ";
  return named.map((each, at) => (at > 0 && at === named.length - 1 ? `${before} ${each}` : each)).join(separator);
}
