import type { ActivityEntry } from "../../src/actions/journal/activity.ts";
import type { LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import { apiKeyNodes } from "../../src/present/apiKeys/apiKeys.ts";
import { mmpNodes } from "../../src/present/mmp/mmp.ts";
import type { RowNode } from "../../src/present/rows/nodes.ts";
import { createOrdersTree, type OrdersView } from "../../src/present/orders/orders.ts";
import { NO_FILTER } from "../../src/present/orders/ordersFilter.ts";
import { ordersHeading } from "../../src/present/orders/ordersHeading.ts";
import { outcomeText, verdictText, type OutcomeContext } from "../../src/present/outcomes/outcomeText.ts";
import { pendingOrders } from "../../src/present/outcomes/pendingChanges.ts";
import { quoteNodes } from "../../src/present/quotes/quotes.ts";
import type { Row } from "../../src/present/rows/row.ts";
import { createTimes } from "../../src/present/text/times.ts";
import { createQuotesStore } from "../../src/state/quotes.ts";
import { createMmpStore } from "../../src/state/mmp.ts";

/**
 * What the user sees: the rows of Open Orders with their heading, and the sentences that tell what became of intents.
 */
export interface Screen {
  rows(): readonly Row[];
  /** Heading beside and above the rows, or in their place. */
  heading(): string;
  /** Whether the heading says that the rows are up to date and stay so. */
  readonly isLive: boolean;
  /** Everything that the views of keys, quotes and limits show. */
  otherRows(): readonly string[];
  /** Sentences, oldest first. */
  readonly sentences: readonly Sentence[];
}

/** One sentence about an intent. */
export interface Sentence {
  readonly text: string;
  readonly entryId: string;
  readonly orderId: string | undefined;
  /** Of the client's wall clock. */
  readonly atMs: number;
}

const times = createTimes(0);

export function createScreen(
  live: LiveConnection,
  nowMs: () => number,
  onSentence: (sentence: Sentence) => void,
): Screen {
  const sentences: Sentence[] = [];
  const told = new Map<string, Pick<ActivityEntry, "outcome" | "verdicts">>();
  const contextOf = (entry: ActivityEntry): OutcomeContext => ({ intent: entry.intent, place: live.place, times });
  const tell = (entry: ActivityEntry, text: string): void => {
    const sentence = { text, entryId: entry.id, orderId: entry.targetId, atMs: nowMs() };
    sentences.push(sentence);
    onSentence(sentence);
  };
  live.gate.onDidChangeActivity((entry) => {
    const before = told.get(entry.id) ?? { outcome: undefined, verdicts: [] };
    if (entry.outcome !== undefined && entry.outcome !== before.outcome)
      tell(entry, outcomeText(entry.outcome, contextOf(entry)));
    for (const verdict of entry.verdicts)
      if (!before.verdicts.includes(verdict)) tell(entry, verdictText(verdict, contextOf(entry)));
    told.set(entry.id, { outcome: entry.outcome, verdicts: entry.verdicts });
  });
  const view = (): OrdersView => ({
    sources: [
      {
        connectionId: live.record.id,
        connectionName: live.name,
        environment: live.environment,
        snapshot: live.orders.snapshot,
        pending: pendingOrders(live.gate.activity, live.record.id),
      },
    ],
    groupBy: "none",
    filter: NO_FILTER,
    pageSize: 1000,
    shownRows: new Map(),
    times,
  });
  const tree = createOrdersTree(view);
  let rows: readonly Row[] | undefined;
  const forget = (): void => {
    rows = undefined;
  };
  live.orders.onDidChange((change) => {
    tree.take(live.record.id, change);
    forget();
  });
  live.gate.onDidChangeActivity(forget);
  const heading = (): string => {
    const { description, message, content } = ordersHeading(view(), tree.counts, undefined);
    return [description, message ?? "", content === "rows" ? "" : content].join(" | ");
  };
  return {
    otherRows() {
      const moment = { times, nowMs: nowMs() };
      const nodes = [
        ...apiKeyNodes(live.apiKeys.snapshot, { ...moment, inUseClientId: undefined, grantedScope: undefined }),
        ...quoteNodes(live.storeOf(createQuotesStore), moment),
        ...mmpNodes(live.storeOf(createMmpStore), moment),
      ];
      const lines = (node: RowNode): readonly string[] => [
        JSON.stringify(node),
        ...(node.below?.() ?? []).flatMap(lines),
      ];
      return nodes.flatMap(lines);
    },
    rows: () => (rows ??= tree.children(undefined).filter((row) => row.contextValue.startsWith("order."))),
    heading,
    get isLive() {
      return heading().includes("· live |");
    },
    sentences,
  };
}
