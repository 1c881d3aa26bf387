import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import {
  blockTradeNodes,
  blockTradesRemark,
  blockTradesWords,
  MORE_CONTEXT,
} from "../../present/blockTrades/blockTrades.ts";
import {
  BLOCK_TRADES_FILTER,
  isFilteringTrades,
  type BlockTradesViewFilter,
} from "../../present/blockTrades/blockTradesFilter.ts";
import type { BlockTrade } from "../../state/blockTrades.ts";
import { createResourcePane, type ResourcePane, type ResourcePanePorts } from "../tree/resourceView.ts";
import { createPaneFilter, type FilteredPane } from "../tree/viewFilters.ts";

/** The Block Trades view. */
export interface BlockTradesPane extends ResourcePane, FilteredPane<BlockTradesViewFilter> {
  /** Returns the block trade that a row stands for, or is a part of; undefined when it is no longer known. */
  find(rowId: string): FoundBlockTrade | undefined;
  /** Reads one more page of the list that contains the row. */
  loadMore(rowId: string): Promise<void>;
}

export interface FoundBlockTrade {
  readonly live: LiveConnection;
  readonly trade: BlockTrade;
}

/** The interval at which the view checks for a new day, in ms: rows of today show a time, all others their day. */
const DAY_CHECK_MS = 60_000;

export function createBlockTradesPane(ports: ResourcePanePorts): BlockTradesPane {
  const { liveConnections, clock, times, setContext } = ports;
  const filter = createPaneFilter("blockTrades", BLOCK_TRADES_FILTER, setContext, () => ({
    title: l10n.t("Filter Block Trades"),
    placeholder: l10n.t("Filter the listed block trades by text (exchange filters are below)"),
  }));
  // Before the pane looks at a connection, which then is read with the filter.
  const opening = liveConnections.onDidOpen((each) => {
    if (isFilteringTrades(filter.value.asked)) each.blockTrades.setFilter(filter.value.asked);
  });
  let { asked } = filter.value;
  const asking = filter.onDidChange((next) => {
    // Other words need no other list.
    if (next.asked === asked) return;
    asked = next.asked;
    for (const each of liveConnections.all) each.blockTrades.setFilter(asked);
  });
  const pane = createResourcePane<BlockTrade>(
    {
      name: "blockTrades",
      words: {
        ...blockTradesWords(() => filter.value.asked),
        remark: ({ connectionId }) => remarkOf(liveConnections.find(connectionId)),
      },
      resourceOf: (each) => each.blockTrades,
      nodesOf: (_source, each) => blockTradeNodes(each.blockTrades, { times, nowMs: clock.now() }),
      filter,
      commandOf: (row) =>
        row.contextValue === MORE_CONTEXT
          ? { command: "tradingRpc.blockTrades.loadMore", title: row.label, arguments: [row.id] }
          : undefined,
    },
    ports,
  );
  const days = followDays(
    clock,
    (atMs) => times.local(atMs).split(" ")[0] ?? "",
    () => pane.redraw(),
  );
  return {
    ...pane,
    filter,
    counts: (tried) => (tried.asked === filter.value.asked ? pane.countWords(tried) : undefined),
    find(rowId) {
      const row = pane.row(rowId);
      const connection = row === undefined ? undefined : liveConnections.find(row.connectionId);
      const trade = row?.objectId === undefined ? undefined : connection?.blockTrades.snapshot.items.get(row.objectId);
      return connection === undefined || trade === undefined ? undefined : { live: connection, trade };
    },
    async loadMore(rowId) {
      const connectionId = pane.row(rowId)?.connectionId;
      const store = connectionId === undefined ? undefined : liveConnections.find(connectionId)?.blockTrades;
      const reading = store?.loadMore();
      pane.redraw();
      await reading;
      pane.redraw();
    },
    dispose() {
      opening.dispose();
      asking.dispose();
      days.dispose();
      pane.dispose();
    },
  };
}

function remarkOf(live: LiveConnection | undefined): Plain {
  return live === undefined
    ? ""
    : blockTradesRemark(live.blockTrades, live.state.status === "ready" ? live.state.identity.keyFeatures : undefined);
}

function followDays(clock: Clock, dayOf: (atMs: number) => string, onNewDay: () => void): Disposable {
  let day = dayOf(clock.now());
  const arm = (): Disposable =>
    clock.after(DAY_CHECK_MS, () => {
      const today = dayOf(clock.now());
      if (today !== day) onNewDay();
      day = today;
      timer = arm();
    });
  let timer = arm();
  return { dispose: () => timer.dispose() };
}
