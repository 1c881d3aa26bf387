import { isObject } from "../base/json.ts";
import { readRow, type ParamsOf, type RowOf } from "../catalogue/index.ts";
import type { CallOptions, Reader } from "../session/session.ts";
import { Resource, type ResourcePorts, type ResourceReading } from "./resource.ts";
import { readRows, rowsIn } from "./snapshot.ts";
import { ALL_TRADES_CHANNEL } from "./tradePages.ts";

/** The channel of block trades of every currency, from waiting for approval to executed. */
const BLOCK_TRADE_CONFIRMATIONS_CHANNEL = "block_trade_confirmations";

/** A block trade, as private/get_block_trade describes it. */
export type BlockTrade = RowOf<"blockTrade">;

/**
 * The filter of listed block trades: the parameters of private/get_block_trades as the user gave them. `count` is the
 * size of a page; the first page is older than `start_id`.
 */
export type BlockTradesFilter = ParamsOf<typeof BLOCK_TRADES_METHOD>;

/**
 * The block trades of one connection, the newest first, as many pages as were requested. The pages are always those of
 * one reading. Each begins where the previous one ended, so that nothing is missing or repeated between them.
 */
export interface BlockTradesStore extends Resource<BlockTrade>, Readonly<Listing> {
  /** Forgets the list, and reads the one that is wanted now. */
  setFilter(filter: BlockTradesFilter): void;
  /** Reads the list with one page more. Failures go into the snapshot. */
  loadMore(): Promise<void>;
}

interface Listing {
  filter: BlockTradesFilter;
  /** Whether there are older trades than the last one. */
  hasMore: boolean;
  isLoadingMore: boolean;
  /**
   * The trades that came to the top of the list since the user had it read. Each has the time when it was first seen,
   * in ms since the Unix epoch.
   */
  arrivals: ReadonlyMap<string, number>;
}

export const BLOCK_TRADES_METHOD = "private/get_block_trades";
export const BLOCK_TRADE_METHOD = "private/get_block_trade";
export const PAGE_SIZE = 50;
/** The maximum that one call may ask for. Core specification §4.6. */
const MAX_COUNT = 101;

/** Makes the store; nothing is read before it is shown. */
export function createBlockTradesStore(ports: ResourcePorts): BlockTradesStore {
  /** The number of trades that are wanted. */
  let wanted = PAGE_SIZE;
  const resource = new Resource<BlockTrade>(
    {
      name: "block trades",
      method: BLOCK_TRADES_METHOD,
      async read(reader, options, before) {
        const { filter } = store;
        const { hasMore, ...reading } = await readPages({ reader, options, filter, wanted });
        // Meanwhile another list may be wanted: this one is not shown then.
        if (filter === store.filter) {
          const nowMs = ports.clock.now();
          const arrived = arrivedIds(reading.items, before).map((id) => [id, nowMs] as const);
          Object.assign(store, { hasMore, arrivals: new Map([...store.arrivals, ...arrived]) });
        }
        return reading;
      },
      // Confirmations tell of those that had to be approved; all others show among the account's trades alone.
      channels: [BLOCK_TRADE_CONFIRMATIONS_CHANNEL, ALL_TRADES_CHANNEL],
      concerns: tellsOfBlockTrade,
      forget: () => begin(store.filter),
    },
    ports,
  );
  const begin = (filter: BlockTradesFilter): void => {
    wanted = pageSize(filter);
    Object.assign(store, { filter, hasMore: false, isLoadingMore: false, arrivals: new Map() });
  };
  const readAgain = resource.refresh.bind(resource);
  const store: Resource<BlockTrade> & Listing & Pick<BlockTradesStore, "setFilter" | "loadMore"> = Object.assign(
    resource,
    {
      filter: {},
      hasMore: false,
      isLoadingMore: false,
      arrivals: new Map<string, number>(),
      setFilter(filter: BlockTradesFilter) {
        begin(filter);
        resource.restart();
      },
      async loadMore() {
        if (store.isLoadingMore || !store.hasMore) return;
        wanted += pageSize(store.filter);
        store.isLoadingMore = true;
        try {
          await readAgain();
        } finally {
          store.isLoadingMore = false;
        }
      },
      async refresh() {
        store.arrivals = new Map();
        await readAgain();
      },
    },
  );
  return store;
}

function pageSize(filter: BlockTradesFilter): number {
  return filter.count ?? PAGE_SIZE;
}

interface Pages extends ResourceReading<BlockTrade> {
  readonly hasMore: boolean;
}

interface PagesWanted {
  readonly reader: Reader;
  readonly options: CallOptions;
  readonly filter: BlockTradesFilter;
  /** The maximum number of rows. */
  readonly wanted: number;
}

/** Reads pages. Asks for one trade more than is wanted, to know whether there are more. */
async function readPages({ reader, options, filter, wanted }: PagesWanted): Promise<Pages> {
  const found = new Map<string, BlockTrade>();
  const unreadable: unknown[] = [];
  let lastId = filter.start_id;
  let goesOn = true;
  while (goesOn && found.size <= wanted) {
    const count = Math.min(MAX_COUNT, wanted + 1 - found.size);
    const known = found.size;
    const { result } = await reader.readResponse(
      BLOCK_TRADES_METHOD,
      { ...filter, count, ...(lastId === undefined ? {} : { start_id: lastId }) },
      options,
    );
    const rows = rowsIn(result);
    const page = readRows(rows, (row) => readRow("blockTrade", row));
    for (const trade of page.list) found.set(trade.id, trade);
    unreadable.push(...page.unreadable);
    lastId = page.list.at(-1)?.id;
    // A server that knows no start_id responds with the same page for ever.
    goesOn = rows.length >= count && found.size > known && lastId !== undefined && lastId !== filter.end_id;
  }
  const newestFirst = [...found.values()]
    .slice(0, wanted)
    .sort((one, other) => (other.timestamp ?? 0) - (one.timestamp ?? 0));
  return { items: new Map(newestFirst.map((trade) => [trade.id, trade])), unreadable, hasMore: found.size > wanted };
}

/** Returns the ids above the first one that was there before; none when the list was empty. */
function arrivedIds(
  items: ReadonlyMap<string, BlockTrade>,
  before: ReadonlyMap<string, BlockTrade>,
): readonly string[] {
  if (before.size === 0) return [];
  const ids = [...items.keys()];
  const first = ids.findIndex((id) => before.has(id));
  return first < 0 ? ids : ids.slice(0, first);
}

/** Whether an event is a confirmation with both sides done, or a trade of the account that is part of a block trade. */
function tellsOfBlockTrade(data: unknown): boolean {
  const parts: readonly unknown[] = Array.isArray(data) ? data : [data];
  return parts.some((part) => {
    const { state, block_trade_id: id = null } = isObject(part) ? part : {};
    return isObject(state) && "value" in state ? state["value"] === "executed" : id !== null;
  });
}
