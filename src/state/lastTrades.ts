import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../base/emitter.ts";
import { bugText, toFailure, type Failure } from "../base/failure.ts";
import { plain } from "../base/plain.ts";
import { isOfOtherSubject, type ChannelState, type Lane, type SessionState } from "../session/session.ts";
import { retryPauseMs } from "./readRetry.ts";
import type { ResourcePorts } from "./resource.ts";
import { TradeItems, MAX_TRADES } from "./tradeItems.ts";
import {
  firstPage,
  isAsked,
  isOpenEnded,
  MAX_PAGE,
  nextPage,
  readEntries,
  readPage,
  sideOfFirstPage,
  TRADES_METHOD,
  type PublicTrade,
  type TradeEntry,
  type TradesPage,
  type TradesQuery,
  type TradesSide,
} from "./tradePages.ts";

export type { PublicTrade, TradesQuery };

/** The known facts about the requested trades, and their certainty. Replaced whenever something in it changes. */
export interface TradesSnapshot {
  /**
   * The certainty. `loading`: nothing is known yet. `live`: new trades come automatically, unless they are held back
   * (`isPaused`). `asOf`: true at `readAtMs`, nothing comes automatically. `stale`: was true at `readAtMs`; `failure`
   * says why it may not be any longer. `failed`: nothing is known; `failure` says why.
   */
  readonly status: "loading" | "live" | "asOf" | "stale" | "failed";
  /** The trades, ascending by `trade_seq`, each number once. The same object for the same trade over all snapshots. */
  readonly trades: readonly PublicTrade[];
  /** The time when something last came, in ms since the Unix epoch; undefined before the first time. */
  readonly readAtMs: number | undefined;
  /**
   * The reason why it is stale or failed. With `asOf`: why new trades are not pushed; undefined where none have to be
   * followed.
   */
  readonly failure: Failure | undefined;
  /** The side on which the exchange has more than is held. */
  readonly more: TradesSide | undefined;
  readonly isLoadingMore: boolean;
  /**
   * The reason why the last requested page did not come; undefined where it came. What is held is as true as before.
   */
  readonly moreFailure: Failure | undefined;
  readonly isPaused: boolean;
  /** Whether the range has no end, so that new trades belong to it. */
  readonly isOpenEnded: boolean;
  /** The number of newer trades that are known to be held back by the pause. */
  readonly waiting: number;
  /** The number of oldest trades that were dropped because no more than `MAX_TRADES` are held. */
  readonly dropped: number;
  /** The number of rows that did not have the shape of a trade; they are not among `trades`. */
  readonly unreadable: number;
}

/** The number of gap pages beyond which a gap is not read: the list starts again at its new end. */
const MAX_GAP_PAGES = MAX_TRADES / MAX_PAGE;

/** The kind of a read: the beginning, one page more, or all that is newer. */
type Reading = "first" | "more" | "newer";

/** Whether the reason for a reading still holds. */
type IsWanted = () => boolean;

/**
 * The public trades of one instrument. They are read in pages, each begun where the previous one ended, and followed
 * live where the range has no end. What is held is always one piece: a number between two others is missing only where
 * the exchange had nothing for it. It only reads.
 *
 * Subscribe first, then read, then join what was pushed meanwhile: events carry numbers without a gap within an
 * instrument, so that a missing one shows and can be read.
 */
export class LastTradesStore implements Disposable {
  readonly query: TradesQuery;
  readonly #ports: ResourcePorts;
  readonly #items = new TradeItems();
  readonly #changes: Emitter<void>;
  readonly #disposables = new DisposableList();
  #snapshot: TradesSnapshot;
  #channel: ChannelState = { kind: "lost" };
  /** The generation in which a reading was begun. */
  #readGeneration: number | undefined;
  #reading: Promise<void> | undefined;
  /** A counter that grows when readings under way become obsolete. */
  #turn = 0;
  #isAskedAgain = false;
  #failedReadings = 0;
  #next: Disposable | undefined;
  /** The pushed trades that are not yet joined to the list. */
  #held: TradeEntry[] = [];
  #newestSeen: number | undefined;

  /** Makes the store; it reads at once, or as soon as the session is ready. It is in `readNow` until it is disposed. */
  constructor(ports: ResourcePorts, query: TradesQuery, readNow?: Set<Pick<LastTradesStore, "snapshot">>) {
    this.#ports = ports;
    this.query = query;
    readNow?.add(this);
    this.#disposables.add({ dispose: () => void readNow?.delete(this) });
    this.#changes = createEmitter((bug) => ports.log.error(plain`A view of the last trades failed: ${bugText(bug)}`));
    this.#snapshot = {
      ...{
        status: "loading",
        trades: [],
        readAtMs: undefined,
        failure: undefined,
        more: undefined,
        isLoadingMore: false,
        moreFailure: undefined,
      },
      ...{ isPaused: false, isOpenEnded: isOpenEnded(query), waiting: 0, dropped: 0, unreadable: 0 },
    };
    this.#disposables.add(ports.session.onDidChangeState((state) => this.#onSession(state)));
    if (this.#snapshot.isOpenEnded)
      this.#disposables.add(
        ports.session.subscribe(
          `trades.${query.instrument_name}.100ms`,
          (data) => this.#onEvent(data),
          (state) => this.#onChannel(state),
        ),
      );
    this.#onSession(ports.session.state);
  }

  get snapshot(): TradesSnapshot {
    return this.#snapshot;
  }

  get onDidChange(): Event<void> {
    return this.#changes.event;
  }

  /** Reads what is newer than what is held; the first page where nothing is held. Failures go into the snapshot. */
  async refresh(): Promise<void> {
    if (this.#ports.session.state.status !== "ready") return;
    if (this.#snapshot.more === "newer") await this.loadMore();
    else if (this.#reading === undefined) await this.#read(this.#startingPoint());
    else {
      this.#isAskedAgain = true;
      await this.#reading;
    }
  }

  /**
   * Reads one page more on the side where there is more. Does nothing where nothing more exists, or where older trades
   * have no room.
   */
  async loadMore(): Promise<void> {
    const { more, isLoadingMore, trades } = this.#snapshot;
    const isFull = more === "older" && trades.length >= MAX_TRADES;
    if (more === undefined || isFull || isLoadingMore || this.#ports.session.state.status !== "ready") return;
    this.#update({ isLoadingMore: true, moreFailure: undefined });
    const turn = this.#turn;
    // What is under way may be the very page, or move the edge from which it is asked for.
    while (this.#reading !== undefined && turn === this.#turn) await this.#reading;
    if (turn === this.#turn) await this.#read("more");
  }

  /** Holds new trades back. */
  pause(): void {
    if (this.#snapshot.isOpenEnded) this.#update({ isPaused: true });
  }

  /** Takes in what was held back, and follows again. */
  resume(): void {
    if (!this.#snapshot.isPaused) return;
    this.#update({ isPaused: false, waiting: 0 });
    if (this.#snapshot.more !== "newer") void this.refresh();
  }

  dispose(): void {
    this.#forgetLink();
    this.#disposables.dispose();
    this.#changes.dispose();
  }

  #onSession(state: SessionState): void {
    if (state.status === "ready") {
      this.#start(state.generation);
      return;
    }
    this.#forgetLink();
    // Nothing of one account, and so of one exchange, is shown under the name of another.
    if (isOfOtherSubject(state)) this.#forgetTrades();
    const failure: Failure = "failure" in state ? state.failure : { kind: "notConnected" };
    const isComing = state.status === "connecting" || state.status === "authenticating";
    const { status, isPaused, readAtMs } = this.#snapshot;
    const trueAtMs = status === "live" && !isPaused ? (state.aliveAt?.atMs ?? readAtMs) : readAtMs;
    if (this.#isKnown) this.#update({ status: "stale", failure, isLoadingMore: false, readAtMs: trueAtMs });
    else this.#update(isComing ? { status: "loading", failure: undefined } : { status: "failed", failure });
  }

  #onChannel(state: ChannelState): void {
    this.#channel = state;
    const { session } = this.#ports;
    if (state.kind === "lost" || session.state.status !== "ready") return;
    if (this.#readGeneration !== session.state.generation) this.#start(session.state.generation);
    // Accepted later than at first: what happened in between was not pushed.
    else if (state.kind === "accepted" && !this.#snapshot.isPaused) void this.refresh();
    else this.#settle();
  }

  /**
   * Starts the first reading of a generation, as soon as both the session and the response to the subscription are
   * there.
   */
  #start(generation: number): void {
    const { more, isPaused } = this.#snapshot;
    const isDecided =
      !this.#snapshot.isOpenEnded ||
      this.#channel.kind === "refused" ||
      (this.#channel.kind === "accepted" && this.#channel.generation === generation);
    if (this.#readGeneration === generation || !isDecided) return;
    this.#readGeneration = generation;
    // A range with an end is what it was, and so is a list that goes on elsewhere.
    if (this.#isKnown && (!this.#snapshot.isOpenEnded || more === "newer" || isPaused)) this.#settle();
    else void this.#read(this.#startingPoint());
  }

  get #isKnown(): boolean {
    return this.#snapshot.readAtMs !== undefined;
  }

  #startingPoint(): Reading {
    return this.#isKnown && this.#items.last !== undefined ? "newer" : "first";
  }

  /** Forgets the link: nothing that was begun on it has an effect once it is gone. */
  #forgetLink(): void {
    this.#turn++;
    this.#channel = { kind: "lost" };
    this.#readGeneration = undefined;
    this.#reading = undefined;
    this.#isAskedAgain = false;
    this.#failedReadings = 0;
    this.#held = [];
    this.#next?.dispose();
    this.#next = undefined;
  }

  #forgetTrades(): void {
    this.#items.clear();
    this.#newestSeen = undefined;
    this.#snapshot = {
      ...this.#snapshot,
      ...this.#shown(),
      ...{ readAtMs: undefined, more: undefined, moreFailure: undefined },
    };
  }

  async #read(first: Reading): Promise<void> {
    const { state } = this.#ports.session;
    if (state.status !== "ready") return;
    const turn = this.#turn;
    const isWanted = (): boolean => turn === this.#turn;
    this.#next?.dispose();
    if (this.#snapshot.status === "failed") this.#update({ status: "loading", failure: undefined });
    this.#reading = this.#readAll(first, state.generation, isWanted);
    await this.#reading;
  }

  /** Reads until nothing is missing any more between the list and what was pushed meanwhile. */
  async #readAll(first: Reading, generation: number, isWanted: IsWanted): Promise<void> {
    let reading = first;
    try {
      for (;;) {
        const provenTo = await this.#readOnce(reading, generation, isWanted);
        if (!isWanted()) return;
        const isWhole = this.#join(provenTo);
        // A page of older ones does not make good for a reading of newer ones that failed.
        const isBehind = reading === "more" && this.#snapshot.status === "stale";
        if (isWhole && !isBehind && !this.#isAskedAgain) break;
        this.#isAskedAgain = false;
        reading = this.#startingPoint();
      }
      this.#reading = undefined;
      this.#settle();
    } catch (thrown) {
      if (isWanted()) this.#fail(toFailure(thrown), reading);
    }
  }

  /** Reads once. Returns the number up to which nothing can be missing any more: what was pushed before the request. */
  async #readOnce(reading: Reading, generation: number, isWanted: IsWanted): Promise<number> {
    // What is older says nothing about what is newer.
    const isOlder = reading === "more" && this.#snapshot.more === "older";
    for (let pages = 0; ; pages++) {
      const provenTo = Math.max(0, ...this.#held.map(({ seq }) => seq));
      const side = await this.#readPage(reading, generation, isWanted);
      if (reading !== "newer" || side !== "newer" || !isWanted()) return isOlder ? 0 : provenTo;
      if (pages < MAX_GAP_PAGES) continue;
      if (this.query.start_seq !== undefined || this.query.start_timestamp !== undefined) {
        this.#update({ more: "newer" });
        return provenTo;
      }
      this.#forgetTrades();
      reading = "first";
    }
  }

  /** Reads one page into the list; returns the side with more of the requested kind. */
  async #readPage(reading: Reading, generation: number, isWanted: IsWanted): Promise<TradesSide | undefined> {
    const { more } = this.#snapshot;
    const side: TradesSide = reading === "more" && more === "older" ? "older" : "newer";
    const edge = side === "older" ? this.#items.first : this.#items.last;
    const isFirst = reading === "first" || edge === undefined;
    // What closes a gap is read in the largest pages, whatever page size the user has chosen.
    const query = reading === "newer" ? { ...this.query, count: MAX_PAGE } : this.query;
    const lane: Lane = reading === "newer" ? "view" : "userRead";
    const page = readPage(
      await this.#ports.session.reader.readResponse(
        TRADES_METHOD,
        isFirst ? firstPage(query) : nextPage(query, side, edge),
        { lane, generation },
      ),
    );
    if (!isWanted()) return undefined;
    const left = isFirst ? sideOfFirstPage(query, page) : this.#take(page, side);
    if (isFirst) this.#items.add(page);
    this.#failedReadings = 0;
    // While a gap is read the list does not end there for the user.
    const shownMore = isFirst || reading === "more" ? left : more;
    this.#show({
      readAtMs: page.receivedAtMs,
      more: shownMore,
      isLoadingMore: reading === "more" ? false : this.#snapshot.isLoadingMore,
    });
    return left;
  }

  /** Adds a page at one side; returns the side if there is more on it within the bounds. */
  #take(page: TradesPage, side: TradesSide): TradesSide | undefined {
    const entries = page.entries.filter((entry) => isAsked(this.query, entry));
    const isNews = this.#items.add({ entries, unnumbered: page.unnumbered });
    // A page that brings nothing, or goes beyond the bounds, is the last one, whatever it says.
    return page.hasMore && isNews && entries.length === page.entries.length ? side : undefined;
  }

  #onEvent(data: unknown): void {
    const { entries, unnumbered } = readEntries(Array.isArray(data) ? data : [data]);
    const own = entries.filter(
      (entry) =>
        (entry.trade.instrument_name ?? this.query.instrument_name) === this.query.instrument_name &&
        isAsked(this.query, entry),
    );
    for (const { seq } of own) this.#newestSeen = Math.max(this.#newestSeen ?? seq, seq);
    if (unnumbered > 0) this.#items.add({ entries: [], unnumbered });
    const { isPaused, status } = this.#snapshot;
    if (isPaused) this.#show({});
    // Where the list goes on elsewhere, and after a failed reading, there is nothing to join to: it will be read.
    if (isPaused || (this.#reading === undefined && status !== "live")) return;
    this.#held.push(...own);
    if (this.#held.length > MAX_TRADES) this.#held = this.#held.slice(-MAX_TRADES);
    if (this.#reading !== undefined) return;
    const isWhole = this.#join(0);
    this.#show({ readAtMs: this.#ports.clock.now() });
    if (!isWhole) void this.#read("newer");
  }

  /** Joins what was pushed to the list as far as nothing is missing in between. Returns whether that was all of it. */
  #join(provenTo: number): boolean {
    if (this.#snapshot.more === "newer" || this.#snapshot.isPaused) this.#held = [];
    const waiting = this.#held.sort((one, other) => one.seq - other.seq);
    let { last } = this.#items;
    let count = 0;
    for (const { seq } of waiting) {
      if (last !== undefined && seq > last + 1 && seq > provenTo) break;
      last = Math.max(last ?? seq, seq);
      count++;
    }
    const first = this.#items.first ?? -Infinity;
    // What is older than the list belongs to a page that was not asked for, or was dropped.
    const entries = waiting.slice(0, count).filter(({ seq }) => seq > first);
    this.#held = waiting.slice(count);
    if (this.#items.add({ entries, unnumbered: 0 })) this.#show({});
    return this.#held.length === 0;
  }

  /** Sets the certainty of the list, now that nothing is being read. */
  #settle(): void {
    if (!this.#isKnown || this.#reading !== undefined) return;
    const isFollowed =
      this.#snapshot.isOpenEnded && this.#snapshot.more !== "newer" && this.#channel.kind === "accepted";
    this.#update({
      status: isFollowed ? "live" : "asOf",
      failure:
        this.#channel.kind === "refused" ? (this.#channel.failure ?? { kind: "refused", reason: "" }) : undefined,
    });
  }

  #fail(failure: Failure, reading: Reading): void {
    this.#reading = undefined;
    this.#isAskedAgain = false;
    this.#ports.log.warn(plain`Trades could not be read: ${plain.text(JSON.stringify(failure), 500)}`);
    if (reading === "more") {
      this.#update({ moreFailure: failure, isLoadingMore: false });
      return;
    }
    this.#update({ status: this.#isKnown ? "stale" : "failed", failure });
    const pauseMs = retryPauseMs(failure, this.#failedReadings++);
    if (pauseMs === undefined) return;
    this.#next = this.#ports.clock.after(pauseMs, () => {
      this.#next = undefined;
      if (this.#reading === undefined) void this.#read(this.#startingPoint());
    });
  }

  #shown(): Pick<TradesSnapshot, "trades" | "dropped" | "unreadable" | "waiting"> {
    const { trades, dropped, unreadable, last = 0 } = this.#items;
    const waiting = this.#snapshot.isPaused ? Math.max(0, (this.#newestSeen ?? 0) - last) : 0;
    return { trades, dropped, unreadable, waiting };
  }

  #show(change: Partial<TradesSnapshot>): void {
    this.#update({ ...this.#shown(), ...change });
  }

  #update(change: Partial<TradesSnapshot>): void {
    const before = this.#snapshot;
    const after = { ...before, ...change };
    if ((Object.keys(after) as (keyof TradesSnapshot)[]).every((name) => after[name] === before[name])) return;
    this.#snapshot = after;
    this.#changes.fire();
  }
}
