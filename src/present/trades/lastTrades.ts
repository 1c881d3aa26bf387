import { environmentWords } from "../../actions/intent/connectionNames.ts";
import { withoutDigitSpaces } from "../../base/decimal.ts";
import { percentText } from "../../actions/intent/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { receivedOf } from "../../catalogue/reading.ts";
import type { PublicTrade, TradesQuery, TradesSnapshot } from "../../state/lastTrades.ts";
import type { Environment } from "../../state/records.ts";
import { MAX_TRADES } from "../../state/tradeItems.ts";
import { meaningOf } from "../blockTrades/blockTradeWords.ts";
import { memberText } from "../rows/objectFields.ts";
import { failureSentences, failureText } from "../text/failureText.ts";
import { countText, numberText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";
import { joined } from "../text/joined.ts";

/** The data of one panel. */
export interface TradesSource {
  readonly connectionName: string;
  readonly environment: Environment;
  readonly query: TradesQuery;
  readonly snapshot: TradesSnapshot;
}

/** Everything the page of Last Trades shows. All texts are ready to be drawn: in the user's language, made harmless. */
export interface TradesModel extends TradesHead {
  readonly series: TradeSeries;
  /** The rows, newest first. */
  readonly rows: readonly TradeRow[];
}

/** The texts around the chart and the table. */
export interface TradesHead {
  /** The instrument and connection, e.g. `BTC-PERPETUAL · TESTNET main`. */
  readonly heading: string;
  /** The freshness and amount, e.g. `live · 1,000 trades · newest 12:04:07`, or the failure, in sentences. */
  readonly status: string;
  /** Whether new trades come automatically now. */
  readonly isLive: boolean;
  /** Whether the user holds them back; false where nothing would come anyway. */
  readonly isPaused: boolean;
  /** Whether pausing and resuming mean anything: the range asked for has no end. */
  readonly canPause: boolean;
  readonly canLoadMore: boolean;
  readonly isLoading: boolean;
  /** The label `Load Older` or `Load Newer`. */
  readonly loadMoreLabel: string;
  /** The text instead of trades where there are none: they are being read, were not read, or do not exist. */
  readonly emptyText: string;
  /** Whether any trade has an implied volatility: options do. */
  readonly hasIv: boolean;
}

/** The columns of a chart, ascending by sequence number and so by time; all of the same length. */
export interface TradeSeries {
  /** The times in ms since the Unix epoch. */
  readonly timesMs: readonly number[];
  /**
   * The prices. A price, and likewise a value of the columns below, is null where a trade has none, and where its time
   * or side is unknown: nothing is drawn then.
   */
  readonly prices: readonly (number | null)[];
  readonly amounts: readonly (number | null)[];
  /** The implied volatilities in percent. */
  readonly ivs: readonly (number | null)[];
  readonly isBuy: readonly boolean[];
}

export interface TradeRow {
  /** The trade's number within the instrument; no two rows have the same. */
  readonly seq: number;
  /** The trade's id. */
  readonly id: string;
  /** The local time of day with milliseconds; the date is among the details. */
  readonly time: Plain;
  readonly isBuy: boolean;
  /** The exchange's word for the side of the taker. */
  readonly direction: Plain;
  readonly price: Plain;
  readonly amount: Plain;
  /** The implied volatility with its percent sign; empty without one. */
  readonly iv: Plain;
  /**
   * The tick: 0 plus, 1 zero-plus, 2 minus, 3 zero-minus; undefined where the trade does not say, or says something
   * else.
   */
  readonly tick: 0 | 1 | 2 | 3 | undefined;
  /** The tick in words; empty where the trade does not say. */
  readonly tickText: Plain;
  /** The special traits: part of a block trade, of a combo, a liquidation. */
  readonly marks: readonly Plain[];
  /** The other members of the trade, a line for each, e.g. `Mark price: 92418.5`. */
  readonly details: readonly Plain[];
  /** The trade as one sentence, for screen readers. */
  readonly spoken: Plain;
}

/**
 * Makes the models of one panel. A trade is put into words once: its row is the same object in every model of the same
 * maker for as long as the store holds the trade. `tradesDelta` (tradesDelta.ts) tells what is new between two models.
 */
export function createTradesModels(times: Times): (source: TradesSource) => TradesModel {
  const rows = new WeakMap<PublicTrade, TradeRow>();
  const rowOf = (trade: PublicTrade): TradeRow => {
    const row = rows.get(trade) ?? tradeRow(trade, times);
    rows.set(trade, row);
    return row;
  };
  return (source) => ({
    ...headOf(source, times),
    series: seriesOf(source.snapshot.trades),
    rows: source.snapshot.trades.map(rowOf).reverse(),
  });
}

function headOf(source: TradesSource, times: Times): TradesHead {
  const { status, trades, more, isLoadingMore, isPaused, isOpenEnded } = source.snapshot;
  return {
    heading: l10n.t("{0} · {1}", plain.name(source.query.instrument_name), placeOf(source)),
    status: statusText(source, times),
    isLive: status === "live" && !isPaused,
    isPaused,
    canPause: isPaused || (isOpenEnded && status === "live"),
    canLoadMore:
      more !== undefined && !isFull(source.snapshot) && !isLoadingMore && (status === "live" || status === "asOf"),
    isLoading: status === "loading" || isLoadingMore,
    loadMoreLabel: more === "newer" ? l10n.t("Load Newer") : l10n.t("Load Older"),
    emptyText: emptyText(source.snapshot),
    hasIv: trades.some(({ iv }) => iv !== undefined),
  };
}

function placeOf({ environment, connectionName }: TradesSource): Plain {
  return environmentWords(environment, connectionName);
}

/** Whether the list is full: older trades would be dropped as soon as they had come. */
function isFull({ more, trades }: TradesSnapshot): boolean {
  return more === "older" && trades.length >= MAX_TRADES;
}

/** Returns the text of an empty list. A list that was not read does not prove that there are no trades. */
function emptyText({ status, readAtMs }: TradesSnapshot): Plain {
  if (status === "loading") return l10n.t("Loading…");
  return status === "failed" || readAtMs === undefined
    ? l10n.t("The trades were not read.")
    : l10n.t("No trades to show.");
}

/** Returns the status: first its reliability, then the amount, then further remarks. */
function statusText(source: TradesSource, times: Times): string {
  const { snapshot } = source;
  const { failure, trades, readAtMs } = snapshot;
  if (snapshot.status === "loading") return l10n.t("loading…");
  if (snapshot.status === "failed" || readAtMs === undefined)
    return failure === undefined ? l10n.t("not read") : failureSentences(failure, "read", placeOf(source));
  const newest = trades.at(-1);
  const facts = [
    freshnessText(snapshot, times.clock(readAtMs)),
    amountText(trades.length),
    newest === undefined ? "" : l10n.t("newest {0}", times.clock(newest.timestamp)),
  ];
  return joined([joined(facts, " · "), ...remarks(source)], ". ");
}

function freshnessText({ status, isPaused, waiting }: TradesSnapshot, readAt: Plain): Plain {
  if (status === "stale") return l10n.t("not up to date since {0}", readAt);
  if (status !== "live") return l10n.t("as of {0}", readAt);
  if (!isPaused) return l10n.t("live");
  return waiting === 0 ? l10n.t("paused") : l10n.t("paused, {0} newer not shown", countText(waiting));
}

function amountText(count: number): Plain {
  if (count === 0) return l10n.t("no trades");
  return count === 1 ? l10n.t("1 trade") : l10n.t("{0} trades", countText(count));
}

function remarks(source: TradesSource): Plain[] {
  const { status, failure, dropped, unreadable, moreFailure } = source.snapshot;
  const place = placeOf(source);
  return [
    status === "stale" && failure !== undefined ? failureText(failure, "read", place).happened : "",
    status === "asOf" && failure !== undefined
      ? l10n.t("Live updates aren't available for this connection. Use Refresh to load new trades.")
      : "",
    dropped > 0 || isFull(source.snapshot)
      ? l10n.t("Up to {0} trades are kept. Older trades are omitted.", countText(MAX_TRADES))
      : "",
    unreadable > 0 ? l10n.t("Items that are not valid trades, omitted: {0}.", countText(unreadable)) : "",
    moreFailure === undefined
      ? ""
      : l10n.t("Couldn't load the next page: {0}", failureText(moreFailure, "read", place).happened),
  ]
    .filter((sentence) => sentence !== "")
    .map((sentence) => plain.text(sentence.replace(/\.$/, "")));
}

/** Returns the columns of trades. A trade of unknown time keeps its place between the others, and is not drawn. */
function seriesOf(trades: readonly PublicTrade[]): TradeSeries {
  let lastMs = trades.find(({ timestamp }) => timestamp !== undefined)?.timestamp ?? 0;
  const drawn = (trade: PublicTrade, value: number | undefined): number | null =>
    trade.timestamp === undefined || trade.direction === undefined ? null : (value ?? null);
  return {
    timesMs: trades.map(({ timestamp = lastMs }) => (lastMs = timestamp)),
    prices: trades.map((trade) => drawn(trade, trade.price)),
    amounts: trades.map((trade) => drawn(trade, trade.amount)),
    ivs: trades.map((trade) => drawn(trade, trade.iv)),
    isBuy: trades.map(isBuy),
  };
}

function isBuy({ direction }: PublicTrade): boolean {
  return direction === "buy";
}

const TICKS = [0, 1, 2, 3] as const;

function tradeRow(trade: PublicTrade, times: Times): TradeRow {
  const moment = times.local(trade.timestamp);
  const shown = {
    // A number that is no moment has no time of day.
    time: plain.name(moment.split(" ")[1] ?? moment),
    direction: plain.name(trade.direction),
    price: numberText(trade.price),
    amount: numberText(trade.amount),
    iv: trade.iv === undefined ? "" : percentText(numberText(trade.iv)),
    tickText: tickText(trade.tick_direction),
    marks: marksOf(trade),
  };
  return {
    ...shown,
    seq: trade.trade_seq,
    id: plain.name(trade.trade_id ?? ""),
    isBuy: isBuy(trade),
    tick: TICKS.find((tick) => tick === trade.tick_direction),
    details: detailsOf(trade, moment),
    // A number is spoken as one.
    spoken: plain.text(withoutDigitSpaces(spokenText(trade, shown))),
  };
}

/** Returns the words of the core specification, §2.1; a number that has none is shown as it is. */
function tickText(tick: number | undefined): Plain {
  if (tick === undefined) return "";
  return meaningOf("tick_direction", tick) ?? l10n.t("tick {0}", numberText(tick));
}

function marksOf(trade: PublicTrade): Plain[] {
  const { block_trade_id: block, block_trade_leg_count: legs, block_rfq_id: rfq, combo_id: combo, liquidation } = trade;
  return [
    block === undefined && legs === undefined ? "" : blockText(legs),
    rfq === undefined ? "" : l10n.t("Block RFQ"),
    combo === undefined && trade.combo_trade_id === undefined ? "" : l10n.t("combo"),
    liquidation === undefined ? "" : liquidationText(liquidation),
  ].filter((mark) => mark !== "");
}

function blockText(legs: number | undefined): Plain {
  if (legs === undefined) return l10n.t("block trade");
  return legs === 1 ? l10n.t("block trade, 1 leg") : l10n.t("block trade, {0} legs", numberText(legs));
}

function liquidationText(liquidation: string): Plain {
  return l10n.t("liquidation {0}", meaningOf("liquidation", liquidation) ?? plain.name(liquidation));
}

/** The members that have a column; all others have a line. */
const IN_COLUMNS: ReadonlySet<string> = new Set(["direction", "price", "amount", "iv", "tick_direction"]);

/** Returns a line for each member that has no column of its own, undescribed ones under the exchange's own names. */
function detailsOf(trade: PublicTrade, moment: Plain): Plain[] {
  const received = receivedOf(trade) as Readonly<Record<string, unknown>>;
  const names = new Set([...Object.keys(LABELS), ...Object.keys(received)]);
  return [...names].flatMap((name) => {
    const value = received[name];
    // A column shows what could be read.
    if (value === undefined || value === null || (IN_COLUMNS.has(name) && trade[name] !== undefined)) return [];
    const label = Object.hasOwn(LABELS, name) ? LABELS[name]?.() : undefined;
    return l10n.t(
      "{0}: {1}",
      label ?? plain.name(name),
      name === "timestamp" && trade[name] !== undefined ? moment : valueText(name, value),
    );
  });
}

/** The labels of members, in the order in which they are shown. */
const LABELS: Readonly<Record<string, () => Plain>> = {
  timestamp: () => l10n.t("Time"),
  trade_id: () => l10n.t("Trade ID"),
  trade_seq: () => l10n.t("Sequence number"),
  instrument_name: () => l10n.t("Instrument"),
  mark_price: () => l10n.t("Mark price"),
  index_price: () => l10n.t("Index price"),
  contracts: () => l10n.t("Contracts"),
  liquidation: () => l10n.t("Liquidation"),
  block_trade_id: () => l10n.t("Block trade ID"),
  block_trade_leg_count: () => l10n.t("Block trade legs"),
  block_rfq_id: () => l10n.t("Block RFQ ID"),
  combo_id: () => l10n.t("Combo"),
  combo_trade_id: () => l10n.t("Combo trade ID"),
};

function valueText(name: string, value: unknown): Plain {
  if (typeof value === "number") return memberText(name, value);
  const meaning = meaningOf(name, value);
  const text = plain.text(typeof value === "string" ? value : JSON.stringify(value), MAX_VALUE);
  return meaning === undefined ? text : l10n.t("{0} ({1})", text, meaning);
}

/**
 * Returns only what a listener needs to tell one trade from another; the details are read out where they are opened.
 */
function spokenText(
  trade: PublicTrade,
  {
    time,
    direction,
    price,
    amount,
    iv,
    tickText: tick,
    marks,
  }: Pick<TradeRow, "time" | "direction" | "price" | "amount" | "iv" | "tickText" | "marks">,
): Plain {
  const instrument = plain.name(trade.instrument_name);
  const happened = l10n.t("{0} {1} {2} at {3}, {4}", direction, amount, instrument, price, time);
  return l10n.t(
    "{0}.",
    joined([happened, tick, iv === "" ? "" : l10n.t("implied volatility {0}", iv), ...marks], ", "),
  );
}

const MAX_VALUE = 500;
