import type { ReceivedRequest, Reply, ScriptedServer } from "../../scriptedServer.ts";

/** An object as the exchange's documentation shows it. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * What is so at the scripted server, whatever the client was told. The reads return it. Its rules are those of the
 * exchange's documentation and come from no module of the product.
 */
export interface Truth {
  readonly orders: Map<string, Members>;
  readonly trades: Members[];
  keys: readonly Members[];
  quotes: readonly Members[];
  limits: readonly Members[];
  frozen: readonly Members[];
  blockTrades: readonly Members[];
  /** Whether reads are left without a reply. */
  areReadsLost: boolean;
  /** The code with which all reads, or those of a method, are refused; undefined where none are. */
  refusedReads: { readonly code: number; readonly method: string | undefined } | undefined;
}

/** A subaccount, and the token that acts for it. */
export const SUBACCOUNT = { id: 7002, token: "subaccount-access-token" } as const;

/** When everything that is there at first was made: an hour before the tests begin. */
const EARLIER_MS = Date.UTC(2026, 10, 20, 11, 0, 0);

/** https://docs.deribit.com/api-reference/trading/private-get_open_orders */
export function anOpenOrder(orderId: string, more: Members): Members {
  return {
    order_id: orderId,
    order_type: "limit",
    order_state: "open",
    time_in_force: "good_til_cancelled",
    direction: "buy",
    label: "",
    filled_amount: 0,
    average_price: 0,
    creation_timestamp: EARLIER_MS,
    last_update_timestamp: EARLIER_MS,
    post_only: false,
    reduce_only: false,
    is_liquidation: false,
    is_rebalance: false,
    api: true,
    ...more,
  };
}

/** Returns two orders, two API keys, two quotes, and the limits of a group that is frozen. */
export function firstTruth(): Truth {
  return {
    orders: new Map(
      [
        anOpenOrder("ETH-331562", { instrument_name: "ETH-PERPETUAL", amount: 37, price: 118.94, label: "fooBar" }),
        anOpenOrder("BTC-146062", { instrument_name: "BTC-PERPETUAL", amount: 10, price: 61000.5 }),
      ].map((order) => [String(order["order_id"]), order]),
    ),
    trades: [],
    // https://docs.deribit.com/api-reference/account-management/private-list_api_keys
    keys: [
      {
        ...{ id: 1, client_id: "TiA4AyLPq3", client_secret: "canary-key-secret-1", name: "", enabled: false },
        ...{ default: false, max_scope: "account:read trade:read_write", enabled_features: [], timestamp: EARLIER_MS },
      },
      {
        ...{ id: 2, client_id: "aD-KFx-H", client_secret: "canary-key-secret-2", name: "reporter", enabled: true },
        ...{ default: true, max_scope: "account:read wallet:read", enabled_features: [], timestamp: EARLIER_MS },
      },
    ],
    // https://docs.deribit.com/api-reference/block-rfq/private-get_block_rfq_quotes
    quotes: [8, 9].map((id) => ({
      ...{ block_rfq_quote_id: id, block_rfq_id: 3, label: `quote-${String(id)}`, amount: 20_000, direction: "buy" },
      ...{
        price: 74_600,
        quote_state: "open",
        filled_amount: 0,
        replaced: false,
        execution_instruction: "any_part_of",
      },
      legs: [{ instrument_name: "BTC-15NOV24", direction: "buy", price: 74_600, ratio: 1 }],
      ...{ creation_timestamp: EARLIER_MS, last_update_timestamp: EARLIER_MS },
    })),
    // https://docs.deribit.com/api-reference/trading/private-get_mmp_config
    limits: [
      {
        index_name: "btc_usd",
        mmp_group: "MassQuoteBot7",
        interval: 60,
        frozen_time: 0,
        quantity_limit: 0.5,
        max_quote_quantity: 0.4,
      },
    ],
    frozen: [{ index_name: "btc_usd", mmp_group: "MassQuoteBot7", frozen_until: EARLIER_MS + 7_200_000 }],
    blockTrades: [],
    areReadsLost: false,
    refusedReads: undefined,
  };
}

/** Has a server return what is so. */
export function serveReads(server: ScriptedServer, truth: Truth): void {
  const open = (): readonly Members[] => [...truth.orders.values()].filter(isOpen);
  const reads: Readonly<Record<string, (params: Members) => Reply>> = {
    "private/get_open_orders": () => ({ result: open() }),
    "private/get_open_orders_by_instrument": ({ instrument_name: name }) => ({
      result: open().filter((order) => order["instrument_name"] === name),
    }),
    "private/get_order_state": ({ order_id: id }) => {
      const order = truth.orders.get(String(id));
      return order === undefined ? { error: { code: 10004, message: "order_not_found" } } : { result: order };
    },
    "private/get_order_history_by_instrument": ({ instrument_name: name }) => ({
      result: {
        orders: [...truth.orders.values()].filter((order) => !isOpen(order) && order["instrument_name"] === name),
        continuation: null,
      },
    }),
    "private/get_user_trades_by_instrument": ({ instrument_name: name }) => ({
      result: { trades: truth.trades.filter((trade) => trade["instrument_name"] === name), has_more: false },
    }),
    "private/list_api_keys": () => ({ result: truth.keys }),
    "private/get_block_rfq_quotes": () => ({
      result: truth.quotes.filter((quote) => quote["quote_state"] === "open"),
    }),
    "private/get_mmp_config": () => ({ result: truth.limits }),
    "private/get_mmp_status": () => ({ result: truth.frozen }),
    "private/get_block_trades": ({ start_id: startId }) => ({ result: startId === undefined ? truth.blockTrades : [] }),
    "private/get_account_summaries": ({ access_token: token }) => ({
      result: { id: token === SUBACCOUNT.token ? SUBACCOUNT.id : server.userId, username: "desk", summaries: [] },
    }),
    "private/get_cancel_on_disconnect": () => ({ result: { scope: "account", enabled: false } }),
  };
  for (const [method, read] of Object.entries(reads))
    server.on(method, (request) => {
      const { areReadsLost, refusedReads } = truth;
      if (areReadsLost) return "silence";
      if (refusedReads !== undefined && (refusedReads.method ?? method) === method)
        return { error: { code: refusedReads.code, message: "refused" } };
      return isSignedIn(request) ? read(request.params) : server.behave(request);
    });
  server.on("public/unsubscribe_all", () => ({ result: "ok" }));
}

/** Tells everyone who is connected which orders are not as they were before, as the exchange does. */
export function reportOrders(server: ScriptedServer, { orders }: Truth, before: Truth["orders"]): void {
  const changed = [...orders].filter(([id, order]) => before.get(id) !== order);
  for (const connection of server.connections.filter(({ isOver }) => !isOver))
    for (const [, order] of changed) connection.event("user.orders.any.any.raw", JSON.stringify(order));
}

/** Whether a request has a token that the server gave to its connection. */
export function isSignedIn({ params, connection }: ReceivedRequest): boolean {
  return connection.tokens.has(String(params["access_token"]));
}

function isOpen(order: Members): boolean {
  return order["order_state"] === "open";
}
