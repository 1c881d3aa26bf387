import {
  HISTORY_LISTS,
  historyCost,
  type HistoryList,
  type HistoryQuery,
  type HistorySlots,
} from "../../state/history.ts";
import type { KnownHistory } from "../../state/historyPages.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { ORDER_KINDS } from "../orders/ordersFilter.ts";
import { isolatedRemark } from "../rows/resourceHeading.ts";
import { linkFailureText } from "../text/failureText.ts";
import { joined } from "../text/joined.ts";
import { countText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";
import type { TypedMoments } from "../trades/tradesQuery.ts";
import { historyColumns, historyListName } from "./historyColumns.ts";
import { dayLines, type createHistoryCells, type DayLine } from "./historyRows.ts";

/** The content of the page of History. */
export interface HistoryModel {
  readonly heading: Plain;
  readonly status: Plain;
  /** The price of the next page. */
  readonly cost: Plain;
  /** The reason why the last page is missing, or why a filter is not valid; empty where all is well. */
  readonly problem: Plain;
  readonly filter: HistoryFilterTexts;
  readonly lists: readonly HistoryChoice[];
  readonly currencies: readonly HistoryChoice[];
  readonly kinds: readonly HistoryChoice[];
  readonly hasInstruments: boolean;
  readonly hasOld: boolean;
  readonly columns: readonly { readonly title: Plain; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly Plain[])[];
  /** The lines between rows of different days. */
  readonly days: readonly DayLine[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
}

export interface HistoryChoice {
  readonly value: string;
  readonly label: Plain;
}

/** The filter as it stands in the fields of the page. */
export interface HistoryFilterTexts {
  readonly list: string;
  readonly currency: string;
  readonly instrument: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly isOld: boolean;
}

/** What is known of a history, and a sentence about a typed filter that is not valid. */
export interface ShownHistory extends KnownHistory {
  readonly filterProblem?: Plain | undefined;
}

interface HistoryPlace {
  /** The environment and name of the connection. */
  readonly place: Plain;
  readonly currencies: readonly string[];
  readonly times: Times;
  readonly cellsOf: ReturnType<typeof createHistoryCells>;
  readonly moments: TypedMoments;
  /** Whether isolated margin is in use on a native connection, which leaves it out. */
  readonly isIsolatedLeftOut?: boolean;
  /** Returns a text as it may be shown at the moment. */
  readonly hide: (text: Plain) => Plain;
}

/** The lists of which the exchange keeps older entries apart. */
const WITH_OLD: ReadonlySet<HistoryList> = new Set(["orders", "trades"]);
/** The lists whose rows are about no instrument. */
const OF_MONEY: ReadonlySet<HistoryList> = new Set(["deposits", "withdrawals"]);

/** Returns the content of the page. In presentation mode, every figure is hidden on the way. */
export function historyModel(
  known: ShownHistory,
  { place, currencies, times, cellsOf, moments, hide, isIsolatedLeftOut }: HistoryPlace,
): HistoryModel {
  const { query, rows, hasMore, isLoading } = known;
  const { list, currency, kind } = query;
  const { slots } = known;
  const slotCount = typeof slots === "object" ? slots.count : 0;
  const columns = historyColumns(list, slotCount > 0);
  const { credits, budget } = historyCost(query, slotCount);
  return {
    heading: l10n.t("{0} · {1}", historyListName(list), hide(place)),
    status: joined(
      [statusText(known, times), isIsolatedLeftOut === true ? isolatedRemark(true) : slotsText(slots)],
      " ",
    ),
    cost: l10n.t("A page costs {0} of {1} rate-limit credits.", countText(credits), countText(budget)),
    problem: known.filterProblem ?? (known.failure === undefined ? "" : hide(linkFailureText(known.failure))),
    filter: {
      list,
      currency: currency ?? "",
      instrument: query.instrument ?? "",
      kind: kind ?? "",
      from: momentText(query.fromMs, moments),
      to: momentText(query.toMs, moments),
      isOld: query.isOld,
    },
    lists: HISTORY_LISTS.map((value) => ({ value, label: historyListName(value) })),
    currencies: [
      { value: "", label: l10n.t("All currencies") },
      ...[...new Set([...(currency === undefined ? [] : [currency]), ...currencies])]
        .sort()
        .map((value) => ({ value, label: plain.name(value) })),
    ],
    kinds: WITH_OLD.has(list) && query.instrument === undefined ? kindChoices() : [],
    hasInstruments: !OF_MONEY.has(list),
    hasOld: WITH_OLD.has(list),
    columns: columns.map(({ title, isNumber = false }) => ({ title, isNumber })),
    rows: rows.map((row) => cellsOf(row, columns).map(hide)),
    days: dayLines(rows, columns, times),
    hasMore,
    isLoading,
  };
}

function kindChoices(): readonly HistoryChoice[] {
  return [
    { value: "", label: l10n.t("All kinds") },
    ...ORDER_KINDS.map((value) => ({ value, label: plain`${value}` })),
  ];
}

function momentText(atMs: number | undefined, moments: TypedMoments): Plain {
  return atMs === undefined ? "" : moments.write(atMs);
}

function statusText(known: ShownHistory, times: Times): Plain {
  const { rows, hasMore, isIncomplete, isFull, isLoading, readAtMs, failure } = known;
  if (isLoading) return l10n.t("Loading…");
  if (readAtMs === undefined) return failure === undefined ? l10n.t("Nothing was read yet.") : "";
  const clock = times.clock(readAtMs);
  const count = countText(rows.length);
  if (isIncomplete)
    return l10n.t(
      "Entries: {0}, as of {1}. Incomplete: the exchange has more, but returns no further page.",
      count,
      clock,
    );
  if (rows.length === 0)
    return hasMore
      ? l10n.t("No entries match on the pages read so far, as of {0}.", clock)
      : l10n.t("No entries match, as of {0}.", clock);
  if (isFull) return l10n.t("Entries: {0}, as of {1}. Select a shorter time to see others.", count, clock);
  return hasMore
    ? l10n.t("Entries: {0}, as of {1}. There are more.", count, clock)
    : l10n.t("Entries: {0}, as of {1}. These are all.", count, clock);
}

/** Returns what a list has of isolated margin, as a sentence; empty where there is nothing to say. */
function slotsText(slots: HistorySlots | undefined): Plain {
  if (slots === undefined) return "";
  if (slots === "unreachable")
    return l10n.t("Isolated margin isn't covered here: the exchange has no request that reads this list for it.");
  if (!slots.isWhole)
    return l10n.t("Entries of isolated margin may be missing: not all of its subaccounts could be read.");
  return slots.count === 0 ? "" : l10n.t("Isolated margin is included. Subaccounts: {0}.", countText(slots.count));
}

/**
 * Returns the query of a filter that was typed; a sentence where it is not valid. `moments` reads local times.
 */
export function readHistoryFilter(filter: HistoryFilterTexts, moments: TypedMoments): HistoryQuery | Plain {
  const list = HISTORY_LISTS.find((each) => each === filter.list);
  const currency = filter.currency.trim().toUpperCase();
  if (list === undefined || !/^[A-Z0-9]{0,12}$/.test(currency)) return l10n.t("Select a list and a currency.");
  const instrument = filter.instrument.trim().toUpperCase();
  const [fromMs, toMs] = [filter.from, filter.to].map((text) => (text.trim() === "" ? undefined : moments.read(text)));
  for (const [text, atMs] of [
    [filter.from, fromMs],
    [filter.to, toMs],
  ] as const)
    if (text.trim() !== "" && atMs === undefined)
      return l10n.t("Enter a time as in 2026-11-20 13:04:07, or leave it empty.");
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) return l10n.t("The start is after the end.");
  return {
    list,
    currency: currency === "" ? undefined : currency,
    instrument: instrument === "" || OF_MONEY.has(list) ? undefined : instrument,
    kind: WITH_OLD.has(list) ? ORDER_KINDS.find((kind) => kind === filter.kind) : undefined,
    fromMs,
    toMs,
    isOld: filter.isOld && WITH_OLD.has(list),
  };
}
