import * as l10n from "@vscode/l10n";
import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../base/emitter.ts";
import { bugText, toFailure, type Failure } from "../base/failure.ts";
import { readRow, type ReadMethod } from "../catalogue/index.ts";
import { scopeProblem } from "../session/scope.ts";
import {
  isOfOtherSubject,
  type CallOptions,
  type ChannelState,
  type Reader,
  type SessionState,
} from "../session/session.ts";
import { ALL_MMP_TRIGGERS_CHANNEL, ALL_ORDERS_CHANNEL, ALL_TRADES_CHANNEL } from "./accountChannels.ts";
import {
  largeFill,
  liquidationOfTrade,
  LOCK_OF_ALL,
  liquidationsOfOrders,
  lockConditions,
  marginConditions,
  platformConditions,
  statusConditions,
  userTradesOf,
  type Alarm,
  type AlarmCondition,
  type AlarmFamily,
  type AlarmLimits,
} from "./alarmRules.ts";
import type { Instrument } from "./instruments.ts";
import { retryPauseMs } from "./readRetry.ts";
import type { ResourcePorts } from "./resource.ts";

/**
 * The watch for what the user has to know at once about one connection, whether or not a view is shown. It only
 * listens and reads. It reports a condition that lasts when it begins; an event may be reported more than once.
 */
export interface AlarmWatch extends Disposable {
  readonly onDidRaise: Event<Alarm>;
  /** Fires with the key of an alarm about a condition that is over, or was never there. */
  readonly onDidClear: Event<string>;
  /** Fires once when alarms could not be evaluated for a minute. */
  readonly onDidMiss: Event<AlarmGap>;
}

/** Alarms that cannot be evaluated, and why. */
export interface AlarmGap {
  readonly families: readonly AlarmFamily[];
  readonly failure: Failure;
}

export interface AlarmWatchPorts extends ResourcePorts {
  readonly limits: () => AlarmLimits;
  /** Returns the facts about an instrument, which the size of a fill in USD rests on. Never rejects. */
  readonly instrumentOf: (name: string) => Promise<Instrument | undefined>;
}

export function createAlarmWatch(ports: AlarmWatchPorts): AlarmWatch {
  return new SessionWatch(ports);
}

/** The time after which alarms that cannot be evaluated are reported, in ms. */
const GAP_MS = 60_000;
/** The pause between two readings of what the server does not push, in ms. */
const READ_PAUSE_MS = 30_000;
/** The time before an outage whose trades are read again, in ms: clocks differ. */
const OVERLAP_MS = 60_000;
/** The most trades that one call can ask for. */
const MOST_TRADES = 1000;
/** The most pages of the trades of an outage. */
const MOST_PAGES = 100;

/** A channel, the families that rest on it, and the method that needs the same scope. */
interface Source {
  readonly channel: string;
  readonly families: readonly AlarmFamily[];
  readonly method: ReadMethod;
  readonly hear: (data: unknown) => void;
  /** Reads the present state. Omitted where there is none: what happened without a listener is read otherwise. */
  readonly read?: (reader: Reader, options: CallOptions) => Promise<void>;
}

interface SourceState {
  isPushed: boolean;
  /** Whether the present state still has to be read. */
  isToBeRead: boolean;
  failure: Failure | undefined;
  /** The time since when there is neither an event nor a reading, on the monotonic clock. */
  failingSinceMs: number | undefined;
  isTold: boolean;
}

class SessionWatch implements AlarmWatch {
  readonly #ports: AlarmWatchPorts;
  readonly #raised: Emitter<Alarm>;
  readonly #cleared: Emitter<string>;
  readonly #missed: Emitter<AlarmGap>;
  readonly #disposables = new DisposableList();
  readonly #sources: ReadonlyMap<Source, SourceState>;
  /** The conditions by the keys of their alarms; those that were never evaluated are missing. */
  readonly #conditions = new Map<string, "raised" | "clear">();
  /** The currencies in which the account was seen to have something. */
  readonly #currencies = new Set<string>();
  readonly #startMs: number;
  #generation: number | undefined;
  /** The end of the last link, in ms since the Unix epoch. */
  #lostAtMs: number | undefined;
  #outage: Disposable | undefined;
  #next: Disposable | undefined;

  constructor(ports: AlarmWatchPorts) {
    this.#ports = ports;
    this.#startMs = ports.clock.now();
    const onError = (error: unknown): void => ports.log.error(`An alarm failed: ${bugText(error)}`);
    this.#raised = createEmitter(onError);
    this.#cleared = createEmitter(onError);
    this.#missed = createEmitter(onError);
    this.#sources = new Map(this.#createSources().map((source) => [source, newState()]));
    const { session } = ports;
    this.#disposables.add(session.onDidChangeState((state) => this.#onSession(state)));
    for (const [source, state] of this.#sources)
      this.#disposables.add(
        session.subscribe(source.channel, source.hear, (channel) => this.#onChannel(source, state, channel)),
      );
    this.#onSession(session.state);
  }

  get onDidRaise(): Event<Alarm> {
    return this.#raised.event;
  }

  get onDidClear(): Event<string> {
    return this.#cleared.event;
  }

  get onDidMiss(): Event<AlarmGap> {
    return this.#missed.event;
  }

  dispose(): void {
    this.#outage?.dispose();
    this.#next?.dispose();
    for (const each of [this.#disposables, this.#raised, this.#cleared, this.#missed]) each.dispose();
  }

  #createSources(): readonly Source[] {
    return [
      {
        channel: ALL_TRADES_CHANNEL,
        families: ["liquidation", "fill"],
        method: "private/get_user_trades_by_currency",
        hear: (data) => this.#onTrades(data),
      },
      {
        channel: ALL_ORDERS_CHANNEL,
        families: ["liquidation"],
        method: "private/get_open_orders",
        hear: (data) => this.#raise(liquidationsOfOrders(data)),
      },
      {
        channel: ALL_MMP_TRIGGERS_CHANNEL,
        families: ["mmp"],
        method: "private/get_mmp_config",
        // The store of MMP groups listens, and knows which freezes are new.
        hear: () => undefined,
      },
      {
        channel: "user.lock",
        families: ["lock"],
        method: "private/get_user_locks",
        hear: (data) => this.#take(lockConditions(data)),
        read: async (reader, options) =>
          this.#take(lockConditions((await reader.readResponse("private/get_user_locks", {}, options)).result)),
      },
      {
        channel: "user.portfolio.any",
        families: ["margin"],
        method: "private/get_account_summaries",
        hear: (data) => this.#onMargins(data),
        read: async (reader, options) =>
          this.#onMargins((await reader.read("private/get_account_summaries", {}, options)).summaries),
      },
      {
        channel: "platform_state",
        families: ["platform"],
        method: "public/status",
        hear: (data) => this.#take(platformConditions(data)),
        read: async (reader, options) =>
          this.#take(statusConditions(await reader.read("public/status", {}, options), this.#raisedKeys())),
      },
    ];
  }

  #onSession(state: SessionState): void {
    if (state.status === "ready") {
      if (state.generation !== this.#generation) this.#begin(state.generation);
      return;
    }
    if (this.#generation !== undefined) this.#lostAtMs = this.#ports.clock.now();
    this.#generation = undefined;
    this.#next?.dispose();
    this.#next = undefined;
    // Nothing of one account is told under the name of another.
    if (isOfOtherSubject(state)) {
      this.#conditions.clear();
      this.#currencies.clear();
      this.#lostAtMs = undefined;
    }
    if (state.status === "off" && state.reason !== "idle") {
      this.#outage?.dispose();
      this.#outage = undefined;
    } else this.#outage ??= this.#ports.clock.after(GAP_MS, () => this.#onOutage());
  }

  /** Reports an outage once; it ends with the next link, or when the user disconnects. */
  #onOutage(): void {
    const { state } = this.#ports.session;
    const families = this.#wantedFamilies();
    this.#missed.fire({ families, failure: "failure" in state ? state.failure : { kind: "notConnected" } });
  }

  #begin(generation: number): void {
    this.#generation = generation;
    this.#outage?.dispose();
    this.#outage = undefined;
    for (const [source, state] of this.#sources) {
      state.isToBeRead = source.read !== undefined;
      state.failingSinceMs = this.#ports.clock.monotonicMs();
      if (scopeProblem(source.method, this.#ports.session.state) !== undefined) state.isToBeRead = false;
    }
    void this.#look(generation);
  }

  #onChannel(source: Source, state: SourceState, channel: ChannelState): void {
    state.isPushed = channel.kind === "accepted";
    if (channel.kind === "accepted") Object.assign(state, { failure: undefined, failingSinceMs: undefined });
    if (channel.kind !== "refused") return;
    state.failure = channel.failure ?? this.#whyRefused(source);
    state.failingSinceMs ??= this.#ports.clock.monotonicMs();
    this.#arm();
  }

  #whyRefused({ method, channel }: Source): Failure {
    const reason = l10n.t("The server doesn't offer the channel {0}.", channel);
    return scopeProblem(method, this.#ports.session.state) ?? { kind: "refused", reason };
  }

  /** Reads what is not known or not pushed, and reports what could not be evaluated for a minute. */
  async #look(generation: number): Promise<void> {
    const sinceMs = this.#lostAtMs;
    this.#lostAtMs = undefined;
    for (const [source, state] of this.#sources) {
      if (this.#generation !== generation) return;
      if (state.isToBeRead || this.#isPolled(source, state)) await this.#read(source, state, generation);
    }
    if (sinceMs !== undefined) await this.#readMissed(Math.max(this.#startMs, sinceMs - OVERLAP_MS), generation);
    if (this.#generation !== generation) return;
    this.#reportGaps();
    this.#arm();
  }

  #isPolled(source: Source, { isPushed, failure }: SourceState): boolean {
    return !isPushed && failure !== undefined && scopeProblem(source.method, this.#ports.session.state) === undefined;
  }

  async #read(source: Source, state: SourceState, generation: number): Promise<void> {
    try {
      await source.read?.(this.#ports.session.reader, { lane: "view", generation });
      Object.assign(state, { isToBeRead: false, failingSinceMs: undefined });
    } catch (thrown) {
      const failure = toFailure(thrown);
      // What this server does not have it will not have a minute later.
      if (retryPauseMs(failure, 0) === undefined) state.isToBeRead = false;
      if (state.isPushed) return;
      state.failure = failure;
      state.failingSinceMs ??= this.#ports.clock.monotonicMs();
    }
  }

  /** Reads the trades of an outage. What cannot be read was not evaluated, and was reported as such after a minute. */
  async #readMissed(sinceMs: number, generation: number): Promise<void> {
    const { session, clock } = this.#ports;
    if (scopeProblem("private/get_user_trades_by_currency_and_time", session.state) !== undefined) return;
    for (const currency of this.#currencies) {
      try {
        if (await this.#readMissedOf(currency, { sinceMs, untilMs: clock.now() }, generation)) continue;
        const reason = l10n.t("Not all trades in {0} during the interruption could be read.", currency);
        this.#missed.fire({ families: ["liquidation", "fill"], failure: { kind: "refused", reason } });
      } catch (thrown) {
        this.#ports.log.warn(`Trades of an outage could not be read: ${toFailure(thrown).kind}`);
      }
    }
  }

  /**
   * Reads the trades of a time span in a currency, page by page, the newest first. Resolves to whether all were read.
   * Trades at which two pages meet come twice.
   */
  async #readMissedOf(
    currency: string,
    { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
    generation: number,
  ): Promise<boolean> {
    let endMs = untilMs;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const { result } = await this.#ports.session.reader.readResponse(
        "private/get_user_trades_by_currency_and_time",
        { currency, start_timestamp: sinceMs, end_timestamp: endMs, count: MOST_TRADES, sorting: "desc" },
        { lane: "view", generation },
      );
      const { trades, has_more: hasMore } = (result ?? {}) as {
        readonly trades?: unknown;
        readonly has_more?: unknown;
      };
      this.#onTrades(trades ?? []);
      const times = userTradesOf(trades ?? []).flatMap(({ timestamp }) => timestamp ?? []);
      if (hasMore === false || times.length === 0) return true;
      const oldestMs = Math.min(...times);
      // A page of one moment leads nowhere.
      if (oldestMs >= endMs) return hasMore !== true;
      endMs = oldestMs;
    }
    return false;
  }

  #reportGaps(): void {
    const nowMs = this.#ports.clock.monotonicMs();
    const wanted = this.#wantedFamilies();
    const gaps = new Map<string, { readonly failure: Failure; readonly families: Set<AlarmFamily> }>();
    for (const [{ families }, state] of this.#sources) {
      const { failure, failingSinceMs: sinceMs, isTold } = state;
      const concerned = families.filter((each) => wanted.includes(each));
      if (failure === undefined || sinceMs === undefined || isTold || nowMs - sinceMs < GAP_MS) continue;
      state.isTold = true;
      if (concerned.length === 0) continue;
      const key = failure.kind === "refused" ? "refused" : JSON.stringify(failure);
      const gap = gaps.get(key) ?? { failure, families: new Set() };
      for (const each of concerned) gap.families.add(each);
      gaps.set(key, gap);
    }
    for (const { failure, families } of gaps.values()) this.#missed.fire({ failure, families: [...families] });
  }

  /** Returns the families that are worth evaluating: without a key there is no account, and a fill needs a limit. */
  #wantedFamilies(): readonly AlarmFamily[] {
    const { state } = this.#ports.session;
    const isPublic = state.status === "ready" && state.identity.authentication === "none";
    if (isPublic) return ["platform"];
    const hasFills = this.#ports.limits().fillUsd !== undefined;
    return ["liquidation", ...(hasFills ? (["fill"] as const) : []), "mmp", "lock", "margin", "platform"];
  }

  /** Arms the timer while something has to be read or reported. */
  #arm(): void {
    const isNeeded = [...this.#sources].some(
      ([source, state]) => state.isToBeRead || (!state.isPushed && (!state.isTold || this.#isPolled(source, state))),
    );
    if (!isNeeded || this.#next !== undefined || this.#generation === undefined) return;
    this.#next = this.#ports.clock.after(READ_PAUSE_MS, () => {
      this.#next = undefined;
      if (this.#generation !== undefined) void this.#look(this.#generation);
    });
  }

  #onTrades(data: unknown): void {
    const trades = userTradesOf(data);
    this.#raise(trades.flatMap((trade) => liquidationOfTrade(trade) ?? []));
    const { fillUsd } = this.#ports.limits();
    if (fillUsd === undefined) return;
    for (const trade of trades) {
      const { instrument_name: name } = trade;
      if (name === undefined) continue;
      void this.#ports.instrumentOf(name).then((instrument) => {
        const alarm = largeFill(trade, instrument, fillUsd);
        if (alarm !== undefined) this.#raise([alarm]);
      });
    }
  }

  #onMargins(data: unknown): void {
    const conditions = marginConditions(data, this.#ports.limits().marginShare);
    for (const currency of currenciesInUse(data)) this.#currencies.add(currency);
    this.#take(conditions);
  }

  #raise(alarms: readonly Alarm[]): void {
    for (const alarm of alarms) this.#raised.fire(alarm);
  }

  #take(conditions: readonly AlarmCondition[]): void {
    for (const { alarm, state } of conditions) {
      if (state === "between" || this.#conditions.get(alarm.key) === state) continue;
      this.#conditions.set(alarm.key, state);
      if (state === "clear") this.#cleared.fire(alarm.key);
      // A lock of everything has been told already.
      else if (alarm.kind !== "lock" || alarm.currency === undefined || !this.#isAllLocked()) this.#raised.fire(alarm);
    }
  }

  #isAllLocked(): boolean {
    return this.#conditions.get(LOCK_OF_ALL) === "raised";
  }

  #raisedKeys(): readonly string[] {
    return [...this.#conditions].flatMap(([key, state]) => (state === "raised" ? [key] : []));
  }
}

function newState(): SourceState {
  return { isPushed: false, isToBeRead: false, failure: undefined, failingSinceMs: undefined, isTold: false };
}

/** Returns the currencies in which a summary or an event shows a balance or a margin. */
function currenciesInUse(data: unknown): readonly string[] {
  return (Array.isArray(data) ? (data as readonly unknown[]) : [data]).flatMap((each) => {
    const row = readRow("accountSummary", each);
    return row === undefined || ((row.margin_balance ?? 0) === 0 && (row.maintenance_margin ?? 0) === 0)
      ? []
      : [row.currency];
  });
}
