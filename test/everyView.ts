import type { Clock } from "../src/base/clock.ts";
import { recordedIntents, type RecordedIntent } from "../src/actions/journal/recordedIntents.ts";
import { missingForCommand } from "../src/actions/changes/commandScopes.ts";
import type { LiveConnection } from "../src/actions/connection/liveConnection.ts";
import { plain, type Plain } from "../src/base/plain.ts";
import { ACCOUNT_WORDS, accountNodes, type AccountShown } from "../src/present/account/account.ts";
import { activityHeading, activityNodes } from "../src/present/activity/activity.ts";
import { API_KEYS_WORDS, apiKeyNodes } from "../src/present/apiKeys/apiKeys.ts";
import {
  blockTradeNodes,
  blockTradesRemark,
  blockTradesWords,
  type BlockTradesShown,
} from "../src/present/blockTrades/blockTrades.ts";
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

/* Every view of a connection at once, drawn without an editor by the functions that draw them in one. */

export const VIEWS = [
  "connections",
  "account",
  "positions",
  "orders",
  "blockTrades",
  "mmp",
  "quotes",
  "apiKeys",
  "activity",
] as const;
export type ViewName = (typeof VIEWS)[number];

/** What the views of one connection are made from; a test may put something else in the place of a part. */
export interface Shown {
  readonly connectionId: string;
  readonly connectionName: string;
  readonly environment: Environment;
  readonly connection: Connection;
  readonly account: AccountShown;
  readonly positions: PositionsShown;
  readonly orders: Pick<OrdersSource, "snapshot" | "pending" | "missingToCancel">;
  readonly blockTrades: BlockTradesShown;
  readonly mmp: MmpShown;
  readonly quotes: QuotesShown;
  readonly apiKeys: {
    readonly snapshot: Snapshot<KnownKey>;
    readonly inUseClientId: string | undefined;
    readonly grantedScope: string | undefined;
  };
  readonly intents: readonly RecordedIntent[];
  /** How many rows a level of orders shows at first, and how many changes. */
  readonly firstRows: number;
  readonly nowMs: number;
}

const times = createTimes(0);

/** Looks at every view, and lets them be read. */
export async function lookAtAll({ live, clock }: Pick<World, "live" | "clock">): Promise<void> {
  for (const store of [live.account, live.positions, live.blockTrades, live.mmp, live.quotes, live.apiKeys])
    store.setVisible(true);
  await clock.advance(1000);
}

export function shownOf({
  live,
  clock,
  journal,
}: Pick<World, "live" | "journal"> & { readonly clock: Pick<Clock, "now"> }): Shown {
  const { record, environment, state } = live;
  return {
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
    account: live.account,
    positions: live.positions,
    orders: {
      snapshot: live.orders.snapshot,
      pending: pendingOrders(live.gate.activity, record.id),
      missingToCancel: missingToCancel(live),
    },
    blockTrades: live.blockTrades,
    mmp: live.mmp,
    quotes: live.quotes,
    apiKeys: {
      snapshot: live.apiKeys.snapshot,
      inUseClientId: clientIdOf(live),
      grantedScope: state.status === "ready" ? state.identity.scope : undefined,
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

/** The rows of every view; with several connections they stand below these. */
export function viewsOf(all: readonly Shown[]): Readonly<Record<ViewName, RowTree>> {
  const nowMs = all[0]?.nowMs ?? 0;
  const tree = (view: ResourceName, nodesOf: (shown: Shown) => readonly RowNode[]): RowTree =>
    createNodeTree(view, () =>
      all.map((shown) => ({ ...branchOf(sourceOf(view, shown), wordsOf(view, all), times), nodes: nodesOf(shown) })),
    );
  return {
    connections: createConnectionsTree(() => ({
      connections: all.map(({ connection }) => connection),
      changesAllowedUntilMs: new Map(),
      nowMs,
      times,
    })),
    account: tree("account", ({ account }) => accountNodes(account, times)),
    positions: tree("positions", ({ positions }) =>
      positionNodes(positions, { times, sorting: "instrument", places: new Map(), hasUsd: false }),
    ),
    orders: createOrdersTree(() => ordersView(all)),
    blockTrades: tree("blockTrades", ({ blockTrades }) => blockTradeNodes(blockTrades, { times, nowMs })),
    mmp: tree("mmp", ({ mmp }) => mmpNodes(mmp, { times, nowMs })),
    quotes: tree("quotes", ({ quotes }) => quoteNodes(quotes, { times, nowMs })),
    apiKeys: tree("apiKeys", ({ apiKeys }) =>
      apiKeyNodes(apiKeys.snapshot, {
        times,
        nowMs,
        inUseClientId: apiKeys.inUseClientId,
        grantedScope: apiKeys.grantedScope,
      }),
    ),
    activity: createNodeTree("activity", () => [
      { connectionId: "activity", label: "", nodes: all.flatMap((shown) => activityNodes(activityOf(shown))) },
    ]),
  };
}

/** Views of a resource that every connection has. */
type ResourceName = "account" | "positions" | "blockTrades" | "mmp" | "quotes" | "apiKeys";

function sourceOf(view: ResourceName, shown: Shown): ResourceSource<unknown> {
  const { connectionId, connectionName, environment } = shown;
  return { connectionId, connectionName, environment, snapshot: shown[view].snapshot };
}

const WORDS: Readonly<Record<ResourceName, ResourceWords>> = {
  account: ACCOUNT_WORDS,
  positions: POSITIONS_WORDS,
  blockTrades: blockTradesWords(() => ({})),
  mmp: mmpWords(() => ({})),
  quotes: QUOTES_WORDS,
  apiKeys: API_KEYS_WORDS,
};
const REMARKS: Readonly<Record<ResourceName, (shown: Shown) => Plain>> = {
  account: () => "",
  positions: () => "",
  blockTrades: ({ blockTrades }) =>
    blockTradesRemark(
      { ...blockTrades, snapshot: blockTrades.snapshot, arrivals: blockTrades.arrivals, filter: {} },
      undefined,
    ),
  mmp: ({ mmp }) => mmpRemark(mmp.parts, {}),
  quotes: ({ quotes }) => quotesRemark(quotes),
  apiKeys: () => "",
};

function wordsOf(view: ResourceName, all: readonly Shown[]): ResourceWords {
  const remark = ({ connectionId }: ResourceSource<unknown>): Plain =>
    plain.join(all.filter((shown) => shown.connectionId === connectionId).map(REMARKS[view]), "");
  return { ...WORDS[view], remark };
}

export interface Heading {
  /** Beside the title of the view. */
  readonly description: string;
  /** Above its rows, or in their place; empty where nothing has to be said. */
  readonly message: string;
  /** By which its welcome text is found. */
  readonly content: string;
}

/** What stands around the rows of each view. */
export function headingsOf(all: readonly Shown[]): Readonly<Record<"orders" | ResourceName, Heading>> {
  const view = ordersView(all);
  const orders = ordersHeading(view, createOrdersTree(() => view).counts, undefined);
  const headingOf = (name: ResourceName): Heading => {
    const heading = resourceHeading(
      all.map((shown) => sourceOf(name, shown)),
      wordsOf(name, all),
      { times, note: "" },
    );
    return { ...heading, message: heading.message ?? "" };
  };
  return {
    orders: { ...orders, message: orders.message ?? "" },
    account: headingOf("account"),
    positions: headingOf("positions"),
    blockTrades: headingOf("blockTrades"),
    mmp: headingOf("mmp"),
    quotes: headingOf("quotes"),
    apiKeys: headingOf("apiKeys"),
  };
}

/** What stands above the rows of each view of a connection, or in their place; empty where nothing has to be said. */
export function messagesOf(shown: Shown): Readonly<Record<Exclude<ViewName, "connections">, string>> {
  const { account, positions, orders, blockTrades, mmp, quotes, apiKeys } = headingsOf([shown]);
  return {
    account: account.message,
    positions: positions.message,
    orders: orders.message,
    blockTrades: blockTrades.message,
    mmp: mmp.message,
    quotes: quotes.message,
    apiKeys: apiKeys.message,
    activity: activityHeading(activityOf(shown), undefined).message ?? "",
  };
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
