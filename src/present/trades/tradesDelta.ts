import type { TradeRow, TradeSeries, TradesHead, TradesModel } from "./lastTrades.ts";

/*
 * How a list that grows goes to the page of Last Trades in parts. Without words, so that the page can have it too.
 */

/** The difference from one model to the next: only what is new. */
export type TradesDelta =
  | { readonly kind: "reset"; readonly model: TradesModel }
  | {
      readonly kind: "change";
      readonly head: TradesHead;
      /** The number of rows that leave at the old end, before any are added. */
      readonly droppedOldest: number;
      /** The rows that come at the old end. */
      readonly older: TradesPart;
      /** The rows that come at the new end. */
      readonly newer: TradesPart;
    };

/** A series of trades: rows newest first, their columns ascending. */
interface TradesPart {
  readonly rows: readonly TradeRow[];
  readonly series: TradeSeries;
}

/**
 * Returns the delta from one model to the other. A reset where they have no row in common, or rows came or went in the
 * middle.
 */
export function tradesDelta(before: TradesModel, after: TradesModel): TradesDelta {
  const kept = keptRange(before.rows, after.rows);
  if (kept === undefined) return { kind: "reset", model: after };
  const { length } = after.rows;
  return {
    kind: "change",
    head: headOf(after),
    droppedOldest: before.rows.length - kept.count,
    older: partOf(after, kept.newer + kept.count, length),
    newer: partOf(after, 0, kept.newer),
  };
}

/** Returns the model that a delta leads to. */
export function applyTradesDelta(before: TradesModel, delta: TradesDelta): TradesModel {
  if (delta.kind === "reset") return delta.model;
  const { head, droppedOldest, older, newer } = delta;
  const joined = <Value>(column: (series: TradeSeries) => readonly Value[]): readonly Value[] => [
    ...column(older.series),
    ...column(before.series).slice(droppedOldest),
    ...column(newer.series),
  ];
  return {
    ...head,
    series: {
      timesMs: joined((series) => series.timesMs),
      prices: joined((series) => series.prices),
      amounts: joined((series) => series.amounts),
      ivs: joined((series) => series.ivs),
      isBuy: joined((series) => series.isBuy),
    },
    rows: [...newer.rows, ...before.rows.slice(0, before.rows.length - droppedOldest), ...older.rows],
  };
}

/** Returns the range of the kept rows in the new list; undefined where the lists do not overlap in one piece. */
function keptRange(
  before: readonly TradeRow[],
  after: readonly TradeRow[],
): { readonly newer: number; readonly count: number } | undefined {
  const first = before[0];
  if (first === undefined) return after.length === 0 ? { newer: 0, count: 0 } : undefined;
  const newer = after.findIndex((row) => row.seq <= first.seq);
  if (newer < 0) return undefined;
  let count = 0;
  while (count < before.length && newer + count < after.length && isSame(before[count], after[newer + count])) count++;
  // Rows that left at the old end are gone for good: others in their place do not follow on those that stayed.
  const isInOnePiece = count > 0 && (count === before.length || newer + count === after.length);
  return isInOnePiece ? { newer, count } : undefined;
}

function isSame(one: TradeRow | undefined, other: TradeRow | undefined): boolean {
  return one === other || (one?.seq === other?.seq && one?.id === other?.id);
}

function headOf(model: TradesModel): TradesHead {
  const { heading, status, isLive, isPaused, canPause, canLoadMore, isLoading, loadMoreLabel, emptyText, hasIv } =
    model;
  return { heading, status, isLive, isPaused, canPause, canLoadMore, isLoading, loadMoreLabel, emptyText, hasIv };
}

/** Returns the rows from one place to the other, with their columns, which run the other way. */
function partOf({ rows, series }: TradesModel, from: number, to: number): TradesPart {
  const columns = <Value>(column: readonly Value[]): readonly Value[] =>
    column.slice(rows.length - to, rows.length - from);
  return {
    rows: rows.slice(from, to),
    series: {
      timesMs: columns(series.timesMs),
      prices: columns(series.prices),
      amounts: columns(series.amounts),
      ivs: columns(series.ivs),
      isBuy: columns(series.isBuy),
    },
  };
}
