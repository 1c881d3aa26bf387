import type { Clock } from "../src/base/clock.ts";
import { recordedIntents, type RecordedIntent } from "../src/actions/journal/recordedIntents.ts";
import { missingForCommand } from "../src/actions/changes/commandScopes.ts";
import type { LiveConnection } from "../src/actions/connection/liveConnection.ts";
import { plain, type Plain } from "../src/base/plain.ts";
import { VIEW_NAMES, type ViewName } from "../src/base/viewNames.ts";
import { ACCOUNT_WORDS, accountNodes, type AccountShown } from "../src/present/account/account.ts";
import { activityHeading, activityNodes } from "../src/present/activity/activity.ts";
import { API_KEYS_WORDS, apiKeyNodes } from "../src/present/apiKeys/apiKeys.ts";
import {
  blockTradeNodes,
  blockTradesRemark,
  blockTradesWords,
  type BlockTradesShown,
} from "../src/present/blockTrades/blockTrades.ts";
import { fillNodes, fillsRemark, FILLS_WORDS, type FillsShown } from "../src/present/fills/fills.ts";
import { createConnectionsTree } from "../src/present/connections/connections.ts";
import { mmpNodes, mmpRemark, mmpWords, type MmpShown } from "../src/present/mmp/mmp.ts";
import { createNodeTree, type RowNode } from "../src/present/rows/nodes.ts";
import { createOrdersTree, type OrdersSource } from "../src/present/orders/orders.ts";
import { NO_FILTER } from "../src/present/orders/ordersFilter.ts";
import { ordersHeading } from "../src/present/orders/ordersHeading.ts";
import { pendingOrders } from "../src/present/outcomes/pendingChanges.ts";
import { positionNodes, POSITIONS_WORDS, type PositionsShown } from "../src/present/positions/positions.ts";
import { quoteNodes, quotesRemark, QUOTES_WORDS, type QuotesShown } from "../src/present/quotes/quotes.ts";
import {
  branchOf,
  resourceHeading,
  type ResourceSource,
  type ResourceWords,
} from "../src/present/rows/resourceHeading.ts";
import { rowIdParts, type Row, type RowTree, type TooltipLine } from "../src/present/rows/row.ts";
import { createTimes } from "../src/present/text/times.ts";
import type { KnownKey } from "../src/state/apiKeys.ts";
import type { Connection } from "../src/state/connections.ts";
import type { Environment } from "../src/state/records.ts";
import type { Snapshot } from "../src/state/snapshot.ts";
import type { World } from "./world.ts";
import { asPlain } from "./asPlain.ts";
import { createAccountStore } from "../src/state/account.ts";
import { createFillsStore } from "../src/state/fills.ts";
import { createBlockTradesStore } from "../src/state/blockTrades.ts";
import { createMmpStore } from "../src/state/mmp.ts";
import { createQuotesStore } from "../src/state/quotes.ts";

/*
 * Every view of a connection at once, drawn without an editor by the functions that draw them in one. A new view is a
 * row of `RESOURCES`, which the compiler asks for.
 */

const times = createTimes(0);

/** A view of a resource that every connection has. */
interface ResourceRow<Part extends { readonly snapshot: Snapshot<unknown> }> {
  readonly storeOf: (live: LiveConnection) => { setVisible(isVisible: boolean): void };
  /** What the view is made from; a test may put something else in its place. */
  readonly partOf: (live: LiveConnection) => Part;
  readonly words: ResourceWords;
  readonly remark?: (part: Part) => Plain;
  readonly nodes: (part: Part, nowMs: number) => readonly RowNode[];
  /** The calls that read it; they need the scope that its words name. */
  readonly calls: readonly (readonly [method: string, params?: Readonly<Record<string, unknown>>])[];
  /** What it says of a server that knows only the ten methods of the core specification and public/auth. */
  readonly onBareServer: (place: string) => string;
  readonly spoken: Spoken;
}

/** What is said of the first row of each kind that `test/core/world/everyRow.test.ts` finds, by its context value. */
type Spoken = Readonly<Record<string, string>>;

const POLLED = "Live updates aren't available for this connection. The list is refreshed every few seconds.";

export const RESOURCES = {
  account: row<AccountShown>({
    storeOf: (live) => live.storeOf(createAccountStore),
    partOf: (live) => live.storeOf(createAccountStore),
    words: ACCOUNT_WORDS,
    nodes: (account) => accountNodes(account, times),
    calls: [["private/get_account_summaries"]],
    onBareServer: (place) => `${place} doesn't support private/get_account_summaries, so the account can't be shown.`,
    spoken: {
      "account.connection": "Connection SIMULATOR lab: 7 listed",
      "account.connection.noKey": "Connection SIMULATOR public: no API key",
      "account.currency":
        "BTC 12.5: equity 12.5, available 12, initial margin 4.0%, maintenance margin 0%, margin model segregated_sm",
      "account.empty": "Currencies without a balance: EURR, SOL",
      "account.owned": "Main account and subaccounts: 2, as of 12:00:01",
      "account.ownedAccount": "simulator: account 48595, btc 12.5, main",
      "account.part": "btc 12.5: equity 12.5, available 12, initial margin 4.0%, maintenance margin 0%",
      "account.profile": "simulator: the account itself, main, ID 48595",
      "account.total": "Total ≈ 54.92 USD: equity about 54.924283065 USD",
      "account.unreadable": "This response item names no currency or account. It is shown as received.",
      field: "total_equity_usd: 54.924283065",
      fields: "All fields: 7",
    },
  }),
  positions: row<PositionsShown>({
    storeOf: ({ positions }) => positions,
    partOf: ({ positions }) => positions,
    words: POSITIONS_WORDS,
    nodes: (positions) =>
      positionNodes(positions, { times, sorting: "instrument", places: new Map(), hasUsd: false, nowMs: 0 }),
    calls: [["private/get_positions"]],
    onBareServer: (place) => `${place} doesn't support private/get_positions, so positions can't be listed.`,
    spoken: {
      field: "total_profit_loss: -0.5",
      fields: "All fields: 5",
      position: "BTC-PERPETUAL long 10 USD: loss 0.5 BTC, average price 15 000, mark price ?",
      "positions.connection": "Connection SIMULATOR lab: 17 listed",
      "positions.connection.noKey": "Connection SIMULATOR public: no API key",
      "positions.group": "BTC: loss 0.5 BTC, 1 position",
      "positions.kept": "ETH: 0 positions, closed, not listed: BTC-PERPETUAL-CLOSED",
      "positions.unreadable": "This response item has no instrument name. It is shown as received.",
    },
  }),
  fills: row<FillsShown>({
    storeOf: (live) => live.storeOf(createFillsStore),
    partOf: (live) => live.storeOf(createFillsStore),
    words: FILLS_WORDS,
    remark: fillsRemark,
    nodes: (fills) => fillNodes(fills, times),
    calls: [["private/get_user_trades_by_currency"]],
    onBareServer: (place) => `${place} doesn't support private/get_user_trades_by_currency, so fills can't be listed.`,
    spoken: {
      field: "price: 92\u202F443",
      fields: "All fields: 24",
      "fill.order": "Fill BTC-PERPETUAL buy 100 @ 92\u202F000: 12:02:04, maker, 2 trades, fee 0 BTC, order 81230002248",
      "fill.part": "Trade 1359035230: buy 60 @ 92\u202F000, 12:02:04, maker, fee 0 BTC",
      "fill.trade":
        "Fill BTC_USDC-PERPETUAL sell 0.16 @ 92\u202F443: 12:00:00, maker, block trade BLOCK-282434, fee 0 USDC",
      "fills.connection": "Connection SIMULATOR lab: 126 listed",
      "fills.connection.noKey": "Connection SIMULATOR public: no API key",
      "fills.day": "Since 08:00 UTC in BTC: realized by trades 0.0232257 BTC, fees 0.04479 BTC, funding booked 0 BTC",
      "fills.unreadDay": "Today: not read yet. Refresh Fills reads the transaction log.",
      "fills.unreadable": "This response item is not a valid trade. It is shown as received.",
    },
  }),
  blockTrades: row<BlockTradesShown>({
    storeOf: (live) => live.storeOf(createBlockTradesStore),
    partOf: (live) => live.storeOf(createBlockTradesStore),
    words: blockTradesWords(() => ({})),
    remark: ({ snapshot, arrivals }) => blockTradesRemark({ snapshot, arrivals, filter: {} }, undefined),
    nodes: (blockTrades, nowMs) => blockTradeNodes(blockTrades, { times, nowMs }),
    calls: [["private/get_block_trades"]],
    onBareServer: () => POLLED,
    spoken: {
      blockTrade:
        "Block trade BLOCK-282464: 2 trades, XRP_USDC +1, 2026-11-20 12:00:00.001 GMT+0, buy 40\u202F000 XRP_USDC-26MAR27-2d25-C @ 0.383, sell 20 SOL_USDC-PERPETUAL @ 141.2",
      "blockTrade.allocation": "Allocated to Ann Example: 30, fee 0.009 BTC",
      "blockTrade.leg":
        "Trade: buy 40\u202F000 XRP_USDC-26MAR27-2d25-C @ 0.383, fee 8.4536 USDC, implied volatility 83.45%",
      "blockTrades.connection": "Connection SIMULATOR lab: 2 listed",
      "blockTrades.connection.noKey": "Connection SIMULATOR public: no API key",
      "blockTrades.more": "Load older block trades.",
      "blockTrades.unreadable": "An item of the response that is not a valid block trade, shown as received.",
      field: "order_type: limit",
      fields: "All Fields: 26",
    },
  }),
  mmp: row<MmpShown>({
    storeOf: (live) => live.storeOf(createMmpStore),
    partOf: (live) => live.storeOf(createMmpStore),
    words: mmpWords(() => ({})),
    remark: ({ parts }) => mmpRemark(parts, {}),
    nodes: (mmp, nowMs) => mmpNodes(mmp, { times, nowMs }),
    calls: [["private/get_mmp_config"], ["private/get_mmp_config", { block_rfq: true }]],
    onBareServer: () =>
      `${POLLED} Frozen groups are unknown: the server supports neither private/get_mmp_status nor live updates here.`,
    spoken: {
      field: "Interval: 2 s. All fills within 2 s count together toward the limits.",
      fields: "All fields: 8",
      "mmp.connection": "Connection SIMULATOR lab: 8 listed",
      "mmp.connection.noKey": "Connection SIMULATOR public: no API key",
      "mmp.group": "MMP for regular orders of btc_usd: delta 0.5, quantity 5, vega 0.2 within 2 s",
      "mmp.group.frozen": "MMP for group g1 of btc_usd: frozen until 13:00:01, quantity 3 within 60 s",
      "mmp.index": "Index btc_usd: 4 groups, group g1 frozen until 13:00:01",
      "mmp.part":
        "Block RFQ quotes: couldn't read MMP. The API key doesn't have the required scope block_rfq:read. Use an API key with this scope, or change the scope of this one on the exchange.",
      "mmp.unreadable": "This response item is not a valid MMP configuration. It is shown as received.",
    },
  }),
  quotes: row<QuotesShown>({
    storeOf: (live) => live.storeOf(createQuotesStore),
    partOf: (live) => live.storeOf(createQuotesStore),
    words: QUOTES_WORDS,
    remark: quotesRemark,
    nodes: (quotes, nowMs) => quoteNodes(quotes, { times, nowMs }),
    calls: [["private/get_block_rfq_quotes"]],
    onBareServer: (place) =>
      `${place} doesn't support private/get_block_rfq_quotes, so open quotes can't be listed. You can still cancel all of them with private/cancel_all_block_rfq_quotes in a request file.`,
    spoken: {
      field: "instrument_name: BTC-26MAR27-96000-C",
      fields: "All fields: 12",
      "quotes.connection": "Connection SIMULATOR lab: 4 listed",
      "quotes.connection.noKey": "Connection SIMULATOR public: no API key",
      "quotes.facts":
        "Block RFQ: open, amount 25, expires in 48 min, at 12:48:00, Leg BTC-26MAR27-96000-C: buy, ratio 1, Leg BTC-26MAR27-108000-C: sell, ratio 1, Hedge BTC-PERPETUAL: sell, amount 100\u202F000, price 92\u202F400",
      "quotes.leg": "Leg BTC-26MAR27-96000-C: buy, price 0.0205, ratio 1",
      "quotes.quote":
        "Quote 1302: buy 25 @ 0.0205, expires in 48 min, at 12:48:00, can be filled partially, label cs-bid, Leg BTC-26MAR27-96000-C: buy, price 0.0205, ratio 1, Leg BTC-26MAR27-108000-C: sell, price 0.0205, ratio 1, Hedge BTC-PERPETUAL: sell, amount 100\u202F000, price 92\u202F400",
      "quotes.rfq": "Block RFQ 722: BTC, 2 quotes, expires in 48 min, at 12:48:00, buy 25 @ 0.0205, sell 25 @ 0.0235",
      "quotes.unreadable": "This response item is not a valid quote. It is shown as received.",
    },
  }),
  apiKeys: row<ApiKeysShown>({
    storeOf: ({ apiKeys }) => apiKeys,
    partOf: (live) => ({
      snapshot: live.apiKeys.snapshot,
      inUseClientId: clientIdOf(live),
      grantedScope: live.state.status === "ready" ? live.state.identity.scope : undefined,
    }),
    words: API_KEYS_WORDS,
    nodes: ({ snapshot, inUseClientId, grantedScope }, nowMs) =>
      apiKeyNodes(snapshot, { times, nowMs, inUseClientId, grantedScope }),
    calls: [["private/list_api_keys"]],
    onBareServer: (place) =>
      `${place} doesn't support private/list_api_keys, so API keys can't be listed. Shown instead: the API key in use, those from Add API Key by ID…, and API keys seen in results.`,
    spoken: {
      "apiKey.listed.known.disabled":
        "API key 4: disabled, maximum scope: account read and write, trade read and write, wallet read and write, created or last changed 230 d ago",
      "apiKey.listed.known.enabled":
        "API key simulator: ID 1, enabled, in use by this connection, maximum scope: account read and write, trade read and write, block_trade read and write, block_rfq read and write, wallet read and write, custody read and write, created or last changed 410 d ago",
      "apiKey.secret": "client_secret: never shown",
      "apiKey.seen.known.enabled":
        "API key reporting: ID 2, enabled, maximum scope: trade read, created or last changed 1 s ago",
      "apiKey.session":
        "API key with the client ID simulator: in use by this connection, its ID and name are unknown, granted to this connection: account read and write, trade read and write, block_trade read and write, block_rfq read and write, wallet read and write, custody read and write",
      "apiKey.typed.removable": "API key 77: details unknown",
      "apiKeys.connection": "Connection SIMULATOR lab: 6 listed",
      "apiKeys.connection.noKey": "Connection SIMULATOR public: no API key",
      "apiKeys.unreadable": "An item of the response that is not a valid API key, shown as received.",
      field:
        "max_scope, the maximum scope for access tokens created with this API key: account: read and write, trade: read and write, block_trade: read and write, block_rfq: read and write, wallet: read and write, custody: read and write",
    },
  }),
} satisfies Readonly<Record<Exclude<ViewName, OtherName>, unknown>>;

type ResourceName = keyof typeof RESOURCES;
type Parts = { readonly [Name in ResourceName]: ReturnType<(typeof RESOURCES)[Name]["partOf"]> };

interface ApiKeysShown {
  readonly snapshot: Snapshot<KnownKey>;
  readonly inUseClientId: string | undefined;
  readonly grantedScope: string | undefined;
}

/** A view of something else, drawn over all connections. */
interface OtherRow {
  readonly tree: (all: readonly Shown[]) => RowTree;
  /** What stands around its rows (default: nothing). */
  readonly heading?: (all: readonly Shown[]) => Heading;
  /** What it says of a bare server, and why nothing is pushed there (default: nothing). */
  readonly onBareServer?: (push: string) => string;
  readonly spoken: Spoken;
}

type OtherName = "connections" | "orders" | "activity";

const OTHERS: Readonly<Record<OtherName, OtherRow>> = {
  connections: {
    tree: (all) =>
      createConnectionsTree(() => ({
        connections: all.map(({ connection }) => connection),
        changesAllowedUntilMs: new Map(),
        nowMs: all[0]?.nowMs ?? 0,
        times,
      })),
    spoken: {
      "connection.authenticating": "lab, active connection: SIMULATOR, signing in…",
      "connection.connecting": "lab, active connection: SIMULATOR, connecting…",
      "connection.fact": "account: read and write.",
      "connection.locked": "lab, active connection: SIMULATOR, needs your input",
      "connection.off": "lab, active connection: SIMULATOR, not connected",
      "connection.ready": "lab, active connection: SIMULATOR, ready, 0 ms",
      "connection.waiting": "lab, active connection: SIMULATOR, next attempt in 8 s",
    },
  },
  orders: {
    tree: (all) => createOrdersTree(() => ordersView(all)),
    heading(all) {
      const view = ordersView(all);
      const heading = ordersHeading(view, createOrdersTree(() => view).counts, undefined);
      return { ...heading, message: heading.message ?? "" };
    },
    onBareServer: (push) => `Polling every 5 s: live updates were refused for this connection. ${push}`,
    spoken: {
      field: "price: 91\u202F063.5",
      fields: "All fields of order 81230000078",
      "order.ended": "BTC-PERPETUAL: buy 5000 @ 91\u202F063.5, label demo, cancelled, 81230000078",
      "order.open.cancellable": "BTC-PERPETUAL: buy 5000 @ 91\u202F063.5, label demo, 81230000078",
      "order.open.cancellable.unknown":
        "BTC-PERPETUAL: sell 20\u202F000 @ 93\u202F374.5, label demo, outcome of a change unknown, 3000 filled, 81230000096",
      "order.pending":
        "BTC-PERPETUAL: sell 20\u202F000 @ 93\u202F374.5, label demo, cancelling…, 3000 filled, 81230000096",
      "order.unreadable": "This response item has no order ID. It is shown as received.",
      "orders.connection": "SIMULATOR lab: open orders: 7",
      "orders.connection.noKey": "Connection SIMULATOR public: no API key",
      "orders.group": "BTC-PERPETUAL: open orders: 2",
      "orders.more": "Show 1 more of 4 orders.",
    },
  },
  activity: {
    tree: (all) =>
      createNodeTree("activity", () => [
        { connectionId: "activity", label: "", nodes: all.flatMap((shown) => activityNodes(activityOf(shown))) },
      ]),
    heading: ([shown]) => {
      const heading = shown === undefined ? undefined : activityHeading(activityOf(shown), undefined);
      return { description: "", content: "", ...heading, message: heading?.message ?? "" };
    },
    spoken: {
      "activity.connection": "SIMULATOR desk: 1 item",
      "activity.detail": "asked at 12:00:02.",
      "activity.kept":
        "Kept on this computer without secrets: the newest 2000 steps of each connection and all unknown outcomes.",
      "activity.more": "Show 1 older item.",
      "activity.settled": "Change: key 2 on SIMULATOR lab: confirmed, 2026-11-20 12:00:02.000 GMT+0.",
      "activity.unresolved":
        "Cancel BTC-PERPETUAL sell 20\u202F000 @ 93\u202F374.5 on SIMULATOR lab: outcome unknown, 2026-11-20 12:00:18.000 GMT+0. No response from SIMULATOR lab within 15 s. The request may or may not have taken effect: its outcome is unknown. Checked at 12:01:18: No response proved the outcome within 60 seconds. The request was sent, but its outcome is unknown. It is checked while SIMULATOR lab is connected with the API key simulator, and never sent again.",
    },
  },
};

function row<Part extends { readonly snapshot: Snapshot<unknown> }>(each: ResourceRow<Part>): ResourceRow<Part> {
  return each;
}

function isOther(view: ViewName): view is OtherName {
  return view in OTHERS;
}

/** The views of resources, and those that say something above their rows. */
const RESOURCE_NAMES = VIEW_NAMES.filter((view): view is ResourceName => !isOther(view));
const HEADED = VIEW_NAMES.filter((view) => view !== "connections");

/** What is said of the rows of every view, by the view and the kind of row. */
export const SPOKEN: Spoken = {
  "start start": "Start Simulator, no account or network needed",
  "start start.saved": "Connect to public, SIMULATOR",
  ...Object.fromEntries(
    VIEW_NAMES.flatMap((view) => {
      const { spoken } = isOther(view) ? OTHERS[view] : RESOURCES[view];
      return Object.entries<string>(spoken).map(([kind, sentence]) => [`${view} ${kind}`, sentence]);
    }),
  ),
};

/** Makes something for each of some views. */
function each<Name extends ViewName, Made>(
  names: readonly Name[],
  make: (name: Name) => Made,
): Readonly<Record<Name, Made>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Made>;
}

/** What the views of one connection are made from; a test may put something else in the place of a part. */
export interface Shown extends Parts {
  readonly connectionId: string;
  readonly connectionName: string;
  readonly environment: Environment;
  readonly connection: Connection;
  readonly orders: Pick<OrdersSource, "snapshot" | "pending" | "missingToCancel">;
  readonly intents: readonly RecordedIntent[];
  /** How many rows a level of orders shows at first, and how many changes. */
  readonly firstRows: number;
  readonly nowMs: number;
}

/** Looks at every view, and lets them be read. */
export async function lookAtAll({ live, clock }: Pick<World, "live" | "clock">): Promise<void> {
  for (const name of RESOURCE_NAMES) RESOURCES[name].storeOf(live).setVisible(true);
  await clock.advance(1000);
}

export function shownOf({
  live,
  clock,
  journal,
}: Pick<World, "live" | "journal"> & { readonly clock: Pick<Clock, "now"> }): Shown {
  const { record, environment, state } = live;
  return {
    ...(each(RESOURCE_NAMES, (name) => RESOURCES[name].partOf(live)) as Parts),
    connectionId: record.id,
    connectionName: live.name,
    environment,
    nowMs: clock.now(),
    connection: {
      record,
      isActive: true,
      state,
      environment,
      contradiction: undefined,
      latencyMs: live.latencyMs,
      eventCount: live.eventCount,
      httpState: live.httpState,
      lastFailure: undefined,
    },
    orders: {
      snapshot: live.orders.snapshot,
      pending: pendingOrders(live.gate.activity, record.id),
      missingToCancel: missingToCancel(live),
    },
    intents: recordedIntents(journal.records.map((each) => ({ record: each, holder: "here", isKept: true }))),
    firstRows: 200,
  };
}

function missingToCancel({ state }: LiveConnection): Plain | undefined {
  const missing = missingForCommand("order.cancel", [state]);
  return missing?.kind === "missingScope" ? asPlain(missing.scope) : undefined;
}

function clientIdOf({ state, record }: LiveConnection): string | undefined {
  return state.status === "ready" ? state.identity.clientId : record.clientId;
}

/** The same connection with other snapshots of all that is read of it. */
export function withSnapshots(shown: Shown, change: (snapshot: Snapshot<never>) => Snapshot<never>): Shown {
  const changed = <Part extends { readonly snapshot: Snapshot<unknown> }>(part: Part): Part => {
    const snapshot = change(part.snapshot as Snapshot<never>);
    // A store has its members from its class, which a copy would not have.
    return new Proxy(part, {
      get: (store, name): unknown => (name === "snapshot" ? snapshot : Reflect.get(store, name)),
    });
  };
  return {
    ...shown,
    ...(each(RESOURCE_NAMES, (name) => changed<{ readonly snapshot: Snapshot<unknown> }>(shown[name])) as Parts),
    orders: changed(shown.orders),
  };
}

/** The rows of every view; with several connections they stand below these. */
export function viewsOf(all: readonly Shown[]): Readonly<Record<ViewName, RowTree>> {
  const resourceTree = (view: ResourceName): RowTree => {
    const { nodes }: Pick<ResourceRow<never>, "nodes"> = RESOURCES[view];
    return createNodeTree(view, () =>
      all.map((shown) => ({
        ...branchOf(sourceOf(view, shown), wordsOf(view, all), times),
        nodes: nodes(shown[view] as never, all[0]?.nowMs ?? 0),
      })),
    );
  };
  return each(VIEW_NAMES, (view) => (isOther(view) ? OTHERS[view].tree(all) : resourceTree(view)));
}

function sourceOf(view: ResourceName, shown: Shown): ResourceSource<unknown> {
  const { connectionId, connectionName, environment } = shown;
  return { connectionId, connectionName, environment, snapshot: shown[view].snapshot };
}

function wordsOf(view: ResourceName, all: readonly Shown[]): ResourceWords {
  const { words, remark: remarkOf }: Pick<ResourceRow<never>, "words" | "remark"> = RESOURCES[view];
  const remark = ({ connectionId }: ResourceSource<unknown>): Plain =>
    plain.join(
      all.flatMap((shown) => (shown.connectionId === connectionId ? (remarkOf?.(shown[view] as never) ?? "") : [])),
      "",
    );
  return { ...words, remark };
}

interface Heading {
  /** Beside the title of the view. */
  readonly description: string;
  /** Above its rows, or in their place; empty where nothing has to be said. */
  readonly message: string;
  /** By which its welcome text is found. */
  readonly content: string;
}

/** What stands around the rows of each view. */
export function headingsOf(all: readonly Shown[]): Readonly<Record<(typeof HEADED)[number], Heading>> {
  const headingOf = (view: ResourceName): Heading => {
    const heading = resourceHeading(
      all.map((shown) => sourceOf(view, shown)),
      wordsOf(view, all),
      { times, note: "" },
    );
    return { ...heading, message: heading.message ?? "" };
  };
  return each(HEADED, (view) =>
    isOther(view) ? (OTHERS[view].heading?.(all) ?? { description: "", message: "", content: "" }) : headingOf(view),
  );
}

/** What stands above the rows of each view of a connection, or in their place; empty where nothing has to be said. */
export function messagesOf(shown: Shown): Readonly<Record<(typeof HEADED)[number], string>> {
  const headings = headingsOf([shown]);
  return each(HEADED, (view) => headings[view].message);
}

/** The same of a server that knows only the methods of the core specification; `push`: why orders are not pushed. */
export function messagesOfBareServer(place: string, push: string): ReturnType<typeof messagesOf> {
  return each(HEADED, (view) =>
    isOther(view) ? (OTHERS[view].onBareServer?.(push) ?? "") : RESOURCES[view].onBareServer(place),
  );
}

type ActivitySource = Parameters<typeof activityNodes>[0];

function activityOf({ intents, firstRows, nowMs }: Shown): ActivitySource {
  return { intents, isUnresolvedOnly: false, limit: firstRows, nowMs, times };
}

function ordersView(all: readonly Shown[]): Parameters<typeof ordersHeading>[0] {
  const sources = all.map(({ connectionId, connectionName, environment, orders }) => ({
    connectionId,
    connectionName,
    environment,
    ...orders,
  }));
  return {
    sources,
    groupBy: "instrument",
    filter: NO_FILTER,
    pageSize: all[0]?.firstRows ?? 200,
    shownRows: new Map(),
    times,
  };
}

/** A row of a view with everything that is below it. */
export interface DrawnRow {
  readonly row: Row;
  /** Tells it from its siblings. */
  readonly key: string;
  readonly tooltip: readonly TooltipLine[];
  readonly below: readonly DrawnRow[];
}

export function draw(tree: RowTree, parentId?: string): readonly DrawnRow[] {
  return tree.children(parentId).map((row) => ({
    row,
    key: rowIdParts(row.id).at(-1) ?? "",
    tooltip: tree.tooltip(row.id),
    below: draw(tree, row.id),
  }));
}

/** Rows and all that stand below them. */
export function flat(rows: readonly DrawnRow[]): readonly DrawnRow[] {
  return rows.flatMap((each) => [each, ...flat(each.below)]);
}
