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
}

const POLLED = "Live updates aren't available for this connection. The list is refreshed every few seconds.";

export const RESOURCES = {
  account: row<AccountShown>({
    storeOf: ({ account }) => account,
    partOf: ({ account }) => account,
    words: ACCOUNT_WORDS,
    nodes: (account) => accountNodes(account, times),
    calls: [["private/get_account_summaries"]],
    onBareServer: (place) => `${place} doesn't support private/get_account_summaries, so the account can't be shown.`,
  }),
  positions: row<PositionsShown>({
    storeOf: ({ positions }) => positions,
    partOf: ({ positions }) => positions,
    words: POSITIONS_WORDS,
    nodes: (positions) => positionNodes(positions, { times, sorting: "instrument", places: new Map(), hasUsd: false }),
    calls: [["private/get_positions"]],
    onBareServer: (place) => `${place} doesn't support private/get_positions, so positions can't be listed.`,
  }),
  fills: row<FillsShown>({
    storeOf: ({ fills }) => fills,
    partOf: ({ fills }) => fills,
    words: FILLS_WORDS,
    remark: fillsRemark,
    nodes: (fills) => fillNodes(fills, times),
    calls: [["private/get_user_trades_by_currency"]],
    onBareServer: (place) => `${place} doesn't support private/get_user_trades_by_currency, so fills can't be listed.`,
  }),
  blockTrades: row<BlockTradesShown>({
    storeOf: ({ blockTrades }) => blockTrades,
    partOf: ({ blockTrades }) => blockTrades,
    words: blockTradesWords(() => ({})),
    remark: ({ snapshot, arrivals }) => blockTradesRemark({ snapshot, arrivals, filter: {} }, undefined),
    nodes: (blockTrades, nowMs) => blockTradeNodes(blockTrades, { times, nowMs }),
    calls: [["private/get_block_trades"]],
    onBareServer: () => POLLED,
  }),
  mmp: row<MmpShown>({
    storeOf: ({ mmp }) => mmp,
    partOf: ({ mmp }) => mmp,
    words: mmpWords(() => ({})),
    remark: ({ parts }) => mmpRemark(parts, {}),
    nodes: (mmp, nowMs) => mmpNodes(mmp, { times, nowMs }),
    calls: [["private/get_mmp_config"], ["private/get_mmp_config", { block_rfq: true }]],
    onBareServer: () =>
      `${POLLED} Frozen groups are unknown: the server supports neither private/get_mmp_status nor live updates here.`,
  }),
  quotes: row<QuotesShown>({
    storeOf: ({ quotes }) => quotes,
    partOf: ({ quotes }) => quotes,
    words: QUOTES_WORDS,
    remark: quotesRemark,
    nodes: (quotes, nowMs) => quoteNodes(quotes, { times, nowMs }),
    calls: [["private/get_block_rfq_quotes"]],
    onBareServer: (place) =>
      `${place} doesn't support private/get_block_rfq_quotes, so open quotes can't be listed. You can still cancel all of them with private/cancel_all_block_rfq_quotes in a request file.`,
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
  },
  orders: {
    tree: (all) => createOrdersTree(() => ordersView(all)),
    heading(all) {
      const view = ordersView(all);
      const heading = ordersHeading(view, createOrdersTree(() => view).counts, undefined);
      return { ...heading, message: heading.message ?? "" };
    },
    onBareServer: (push) => `Polling every 5 s: live updates were refused for this connection. ${push}`,
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
