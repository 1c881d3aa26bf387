import type { PublicTrade, TradeEntries, TradeEntry } from "./tradePages.ts";

/** The number of trades that are held; beyond it the oldest are dropped. */
export const MAX_TRADES = 20_000;

/** The trades of one instrument in the order of their numbers, each once. */
export class TradeItems {
  /** The trades. Replaced when they change, never altered. */
  trades: readonly PublicTrade[] = [];
  /** The number of oldest trades that were dropped. */
  dropped = 0;
  /** The numbers of all rows held. */
  #known = new Set<number>();
  /** The number of rows that could not be read. */
  unreadable = 0;
  /** The number of the oldest row held; undefined while there is none. */
  first: number | undefined;
  /** The number of the newest row that was ever added. */
  last: number | undefined;

  /** Adds what is not there yet. Returns whether anything changed. */
  add({ entries, unnumbered }: TradeEntries): boolean {
    const added = this.#addedTrades(entries);
    const hasChanged = added.length > 0 || unnumbered > 0;
    this.unreadable += unnumbered;
    if (added.length > 0) this.trades = this.#joined(added);
    if (this.trades.length > MAX_TRADES) this.#dropOldest();
    return hasChanged;
  }

  clear(): void {
    this.trades = [];
    this.dropped = 0;
    this.#known = new Set();
    this.unreadable = 0;
    this.first = undefined;
    this.last = undefined;
  }

  /** Returns the trades that were not known. */
  #addedTrades(entries: readonly TradeEntry[]): PublicTrade[] {
    const added: PublicTrade[] = [];
    for (const { seq, trade } of entries) {
      if (this.#known.has(seq)) continue;
      this.#known.add(seq);
      this.first = Math.min(this.first ?? seq, seq);
      this.last = Math.max(this.last ?? seq, seq);
      added.push(trade);
    }
    return added;
  }

  /**
   * Returns the trades with those added. Pages come from one end or the other, events in order: sorting what is nearly
   * sorted is cheap.
   */
  #joined(added: readonly PublicTrade[]): readonly PublicTrade[] {
    return [...this.trades, ...added].sort((one, other) => one.trade_seq - other.trade_seq);
  }

  #dropOldest(): void {
    const dropped = this.trades.slice(0, -MAX_TRADES);
    this.trades = this.trades.slice(-MAX_TRADES);
    this.dropped += dropped.length;
    for (const { trade_seq: seq } of dropped) this.#known.delete(seq);
    this.first = this.trades[0]?.trade_seq ?? 0;
  }
}
