import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { pendingQuotes } from "../../present/outcomes/pendingChanges.ts";
import { nextEnd, quoteNodes, quotesRemark, QUOTES_WORDS, RFQ_OBJECT } from "../../present/quotes/quotes.ts";
import type { BlockRfq, BlockRfqQuote } from "../../state/quotes.ts";
import { TEXT_FILTER, type ViewFilter } from "../../present/rows/viewFilter.ts";
import { createResourcePane, type ResourcePane, type ResourcePanePorts } from "../tree/resourceView.ts";
import { createPaneFilter, type FilteredPane } from "../tree/viewFilters.ts";

/** The Block RFQ Quotes view. */
export interface QuotesPane extends ResourcePane, FilteredPane<ViewFilter> {
  /**
   * Returns the quote that a row stands for or is a part of, or the Block RFQ; undefined when it is no longer known.
   */
  find(rowId: string): FoundQuote | undefined;
  /** The selected rows: VS Code still counts those that a filter has hidden since. */
  readonly selection: readonly string[];
}

export type FoundQuote = { readonly live: LiveConnection } & (
  | { readonly kind: "quote"; readonly quote: BlockRfqQuote }
  | {
      readonly kind: "rfq";
      readonly rfqId: number;
      readonly rfq: BlockRfq | undefined;
      readonly quotes: readonly BlockRfqQuote[];
    }
);

export function createQuotesPane(ports: ResourcePanePorts): QuotesPane {
  const { liveConnections, clock, times, frame, setContext } = ports;
  const filter = createPaneFilter("quotes", TEXT_FILTER, setContext, () => ({
    title: l10n.t("Filter Block RFQ Quotes"),
    placeholder: l10n.t("Filter by Block RFQ, quote, leg, label, or ID"),
  }));
  const pane = createResourcePane<BlockRfqQuote>(
    {
      name: "quotes",
      filter,
      words: {
        ...QUOTES_WORDS,
        remark: ({ connectionId }) =>
          quotesRemark({ rfqFailure: liveConnections.find(connectionId)?.quotes.rfqFailure }),
      },
      resourceOf: (each) => each.quotes,
      nodesOf: (_source, each) =>
        quoteNodes(each.quotes, {
          times,
          nowMs: clock.now(),
          pending: pendingQuotes(each.gate.activity, each.record.id),
        }),
      alsoOn: (each) => [each.gate.onDidChangeActivity],
    },
    ports,
  );
  const ticks = startTicks({
    clock,
    nextEndMs: () => {
      const ends = frame.view.visible
        ? liveConnections.all.flatMap((each) => nextEnd(each.quotes, clock.now()) ?? [])
        : [];
      return ends.length === 0 ? undefined : Math.min(...ends);
    },
    onTick: () => pane.redraw(),
  });
  return {
    ...pane,
    filter,
    counts: (tried) => pane.countWords(tried),
    get selection() {
      return frame.view.selection.filter((id) => pane.shows(id));
    },
    find(rowId) {
      const row = pane.row(rowId);
      const connection = row === undefined ? undefined : liveConnections.find(row.connectionId);
      const objectId = row?.objectId;
      if (connection === undefined || objectId === undefined) return undefined;
      const { snapshot, rfqs } = connection.quotes;
      const quote = snapshot.items.get(objectId);
      if (quote !== undefined) return { live: connection, kind: "quote", quote };
      if (!objectId.startsWith(RFQ_OBJECT)) return undefined;
      const rfqId = Number(objectId.slice(RFQ_OBJECT.length));
      return {
        live: connection,
        kind: "rfq",
        rfqId,
        rfq: rfqs.get(rfqId),
        quotes: [...snapshot.items.values()].filter(({ block_rfq_id: id }) => id === rfqId),
      };
    },
    dispose() {
      ticks.dispose();
      pane.dispose();
    },
  };
}

interface Ticks {
  readonly clock: ResourcePanePorts["clock"];
  /** Returns when the next quote in sight ends; undefined if none does. */
  readonly nextEndMs: () => number | undefined;
  readonly onTick: () => void;
}

/** Updates the rows, which show how long a quote still runs: every second in the last minute, less often before. */
function startTicks({ clock, nextEndMs, onTick }: Ticks): Disposable {
  let last: number | undefined;
  const arm = (): Disposable => {
    const end = nextEndMs();
    const isSoon = end !== undefined && end - clock.now() <= MINUTE_MS + SLOW_MS;
    return clock.after(isSoon ? FAST_MS : SLOW_MS, () => {
      const next = nextEndMs();
      // When the last one has ended its row has to say so.
      if (next !== undefined || last !== undefined) onTick();
      last = next;
      timer = arm();
    });
  };
  let timer = arm();
  return { dispose: () => timer.dispose() };
}

const MINUTE_MS = 60_000;
const FAST_MS = 1000;
const SLOW_MS = 10_000;
