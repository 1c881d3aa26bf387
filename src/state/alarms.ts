import { createEmitter, DisposableList, type Disposable } from "../base/emitter.ts";
import { bugText, toFailure, type Failure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import type { ReadMethod } from "../catalogue/index.ts";
import { scopeProblem } from "../session/scope.ts";
import type { CallOptions, ChannelState, Reader, SessionState } from "../session/session.ts";
import {
  currenciesInUse,
  largeFill,
  liquidationOfTrade,
  LOCK_OF_ALL,
  liquidationsOfOrders,
  lockConditions,
  marginConditions,
  platformConditions,
  slotMarginConditions,
  statusConditions,
  userTradesOf,
  type Alarm,
  type AlarmCondition,
  type AlarmFamily,
  type AlarmLimits,
} from "./alarmRules.ts";
import type { Instrument } from "./instruments.ts";
import { ofSlot, readListedSlots, readsSlots, readSlotSummaries } from "./isolated.ts";
import { MissedTrades, USER_TRADES_METHOD } from "./missedTrades.ts";
import { ALL_MMP_TRIGGERS_CHANNEL } from "./mmp.ts";
import { ALL_ORDERS_CHANNEL } from "./orders.ts";
import { retryPauseMs } from "./readRetry.ts";
import { followAccount, type ResourcePorts } from "./resource.ts";
import { ALL_TRADES_CHANNEL, ISOLATED_TRADES_CHANNEL } from "./tradePages.ts";

/** Alarms that cannot be evaluated, and why. */
export interface AlarmGap {
  readonly families: readonly AlarmFamily[];
  readonly failure: Failure;
  /** Whether only alarms about isolated margin are meant. */
  readonly isOfSlots?: true;
  /** The time that can't be read, in ms since the Unix epoch; undefined where alarms do not work at present. */
  readonly span?: { readonly fromMs: number; readonly toMs: number };
}

interface AlarmWatchPorts extends ResourcePorts {
  readonly limits: () => AlarmLimits;
  /** Returns the facts about an instrument, which the size of a fill in USD rests on. Never rejects. */
  readonly instrumentOf: (name: string) => Promise<Instrument | undefined>;
}

/** The time after which alarms that cannot be evaluated are reported, in ms. */
const GAP_MS = 60_000;
/** The pause between two readings of what the server does not push, in ms. */
const READ_PAUSE_MS = 30_000;

/** The channel that reports what the slots of isolated margin have. */
const ISOLATED_PORTFOLIO_CHANNEL = "user.isolated.portfolio.any";

/** A channel, the families that rest on it, and what is known of it. */
interface Source {
  readonly channel: string;
  readonly families: readonly AlarmFamily[];
  /** Whether it is about the slots of isolated margin, at the gateway. */
  readonly isOfSlots?: true;
  /** The method that needs the same scope. */
  readonly method: ReadMethod;
  readonly hear: (data: unknown) => void;
  /** Reads the present state, or what happened without a listener. Omitted where there is no such reading. */
  readonly read?: (reader: Reader, options: CallOptions) => Promise<void>;
  isPushed?: boolean;
  /** Whether the server has answered the subscription: what changes between a reading and that would be missed. */
  isDecided?: boolean;
  /** Whether the present state still has to be read. */
  isToBeRead?: boolean;
  failure?: Failure | undefined;
  /** The time since when there is neither an event nor a reading, on the monotonic clock. */
  failingSinceMs?: number | undefined;
  isTold?: boolean;
}

/**
 * The watch for what the user has to know at once about one connection, whether or not a view is shown. It only
 * listens and reads. It reports a condition that lasts when it begins; an event may be reported more than once.
 */
export class AlarmWatch implements Disposable {
  readonly #ports: AlarmWatchPorts;
  readonly #raised = createEmitter<Alarm>((error) => this.#onError(error));
  readonly #cleared = createEmitter<string>((error) => this.#onError(error));
  readonly #gaps = createEmitter<AlarmGap>((error) => this.#onError(error));
  readonly onDidRaise = this.#raised.event;
  /** Fires with the key of an alarm about a condition that is over, or was never there. */
  readonly onDidClear = this.#cleared.event;
  /** Fires once when alarms could not be evaluated for a minute, and once for each time whose trades can't be read. */
  readonly onDidMiss = this.#gaps.event;
  readonly #disposables = new DisposableList();
  readonly #sources: Source[];
  /** The conditions by the keys of their alarms; those that were never evaluated are missing. */
  readonly #conditions = new Map<string, "raised" | "clear">();
  /** The slots of isolated margin that were seen: one that lists leave out later is read by its ID. */
  readonly #slots = new Set<number>();
  /** The currencies in which the account was seen to have something; undefined before it was seen. */
  #currencies: Set<string> | undefined;
  readonly #missed: MissedTrades;
  readonly #missedOfSlots: MissedTrades;
  #generation: number | undefined;
  /** Whether a look is under way, and whether another one has to follow it. */
  #looking: "no" | "yes" | "again" = "no";
  #outage: Disposable | undefined;
  /** Why the last link ended: the next attempt, which is under way, has no reason yet. */
  #lossFailure: Failure | undefined;
  #next: Disposable | undefined;

  constructor(ports: AlarmWatchPorts) {
    this.#ports = ports;
    this.#missed = this.#createMissed(ALL_TRADES_CHANNEL);
    this.#missedOfSlots = this.#createMissed(ISOLATED_TRADES_CHANNEL);
    this.#sources = this.#createSources();
    const { session } = ports;
    this.#disposables.add(session.onDidChangeState((state) => this.#onSession(state)));
    this.#disposables.add(followAccount(session, () => this.#forget()));
    for (const source of this.#sources) this.#follow(source);
    this.#onSession(session.state);
  }

  dispose(): void {
    this.#outage?.dispose();
    this.#next?.dispose();
    for (const each of [this.#disposables, this.#raised, this.#cleared, this.#gaps]) each.dispose();
  }

  #onError(error: unknown): void {
    this.#ports.log.error(plain`An alarm failed: ${bugText(error)}`);
  }

  #follow(source: Source): void {
    const { session } = this.#ports;
    this.#disposables.add(
      session.subscribe(source.channel, source.hear, (channel) => this.#onChannel(source, channel)),
    );
  }

  /** Makes the memory of trades that a channel did not bring. */
  #createMissed(channel: string): MissedTrades {
    const isOfSlots = channel === ISOLATED_TRADES_CHANNEL;
    return new MissedTrades({
      ...this.#ports,
      // A slot can have the only trades in a currency.
      currencies: () => (isOfSlots ? undefined : this.#currencies),
      ...(isOfSlots ? { accounts: readListedSlots } : {}),
      isStill: (generation) => this.#generation === generation,
      isPushed: () => this.#sources.some((each) => each.channel === channel && each.isPushed === true),
      take: (rows, slot) => this.#onTrades(slot === undefined ? rows : ofSlot(rows, slot)),
      onGap: (span, failure) => {
        const families = this.#wantedFamilies().filter((each) => each === "liquidation" || each === "fill");
        this.#gaps.fire({ families, failure, span, ...(isOfSlots ? { isOfSlots } : {}) });
      },
    });
  }

  /** Adds the slots of isolated margin with the first session at the gateway. Returns what is to be followed now. */
  #addSlotSources(): readonly Source[] {
    if (!readsSlots(this.#ports.session.state) || this.#hasSlots()) return [];
    const added = this.#createSlotSources();
    this.#sources.push(...added);
    return added;
  }

  #hasSlots(): boolean {
    return this.#sources.some(({ isOfSlots }) => isOfSlots === true);
  }

  #createSlotSources(): readonly Source[] {
    return [
      {
        channel: ISOLATED_PORTFOLIO_CHANNEL,
        families: ["margin"],
        isOfSlots: true,
        method: "private/get_account_summaries",
        hear: (data) => this.#take(slotMarginConditions(data, this.#ports.limits().marginShare)),
        read: async (reader, options) =>
          await readSlotSummaries(reader, options, {
            known: this.#slots,
            take: (slot, summaries) => this.#take(marginConditions(summaries, this.#ports.limits().marginShare, slot)),
          }),
      },
      {
        channel: ISOLATED_TRADES_CHANNEL,
        families: ["liquidation", "fill"],
        isOfSlots: true,
        method: USER_TRADES_METHOD,
        hear: (data) => this.#onTrades(data),
        read: async (reader, options) => await this.#missedOfSlots.read(reader, options),
      },
    ];
  }

  #createSources(): Source[] {
    return [
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
        read: async (reader, options) => {
          const { summaries } = await reader.read("private/get_account_summaries", {}, options);
          this.#currencies ??= new Set();
          this.#onMargins(summaries);
        },
      },
      {
        channel: "platform_state",
        families: ["platform"],
        method: "public/status",
        hear: (data) => this.#take(platformConditions(data)),
        read: async (reader, options) =>
          this.#take(statusConditions(await reader.read("public/status", {}, options), this.#raisedKeys())),
      },
      // The last one: its reading needs the currencies of the account.
      {
        channel: ALL_TRADES_CHANNEL,
        families: ["liquidation", "fill"],
        method: USER_TRADES_METHOD,
        hear: (data) => this.#onTrades(data),
        read: async (reader, options) => await this.#missed.read(reader, options),
      },
    ];
  }

  #onSession(state: SessionState): void {
    if (state.status === "ready") {
      if (state.generation !== this.#generation) this.#begin(state.generation);
      return;
    }
    if (this.#generation !== undefined) for (const each of this.#allMissed()) each.begin(state.aliveAt);
    this.#generation = undefined;
    if (state.status === "off") this.#lossFailure = undefined;
    if ("failure" in state) this.#lossFailure = state.failure;
    this.#next?.dispose();
    this.#next = undefined;
    if (state.status === "off" && state.reason !== "idle") {
      this.#outage?.dispose();
      this.#outage = undefined;
    } else this.#outage ??= this.#ports.clock.after(GAP_MS, () => this.#onOutage());
  }

  #forget(): void {
    this.#conditions.clear();
    this.#currencies = undefined;
    this.#slots.clear();
    for (const each of this.#allMissed()) each.forget();
  }

  /** Reports an outage once; it ends with the next link, or when the user disconnects. */
  #onOutage(): void {
    const families = this.#wantedFamilies();
    this.#gaps.fire({ families, failure: this.#lossFailure ?? { kind: "notConnected" } });
  }

  #begin(generation: number): void {
    this.#generation = generation;
    this.#outage?.dispose();
    this.#outage = undefined;
    const added = this.#addSlotSources();
    for (const source of this.#sources) {
      source.isToBeRead =
        source.read !== undefined && scopeProblem(source.method, this.#ports.session.state) === undefined;
      source.isDecided = false;
      source.failingSinceMs = this.#ports.clock.monotonicMs();
    }
    for (const source of added) this.#follow(source);
    this.#look();
  }

  #onChannel(source: Source, channel: ChannelState): void {
    const wasRefused = source.failure !== undefined;
    source.isPushed = channel.kind === "accepted";
    source.isDecided = channel.kind !== "lost";
    if (channel.kind === "lost") return;
    if (channel.kind === "accepted") {
      // Accepted later than at first: what happened in between was not pushed.
      if (wasRefused && source.read !== undefined) source.isToBeRead = true;
      Object.assign(source, { failure: undefined, failingSinceMs: undefined });
    } else {
      source.failure = channel.failure ?? this.#whyRefused(source);
      source.failingSinceMs ??= this.#ports.clock.monotonicMs();
      if (source.channel === ALL_TRADES_CHANNEL) this.#missed.begin();
      if (source.channel === ISOLATED_TRADES_CHANNEL) this.#missedOfSlots.begin();
    }
    this.#look();
  }

  #whyRefused({ method, channel }: Source): Failure {
    const reason = l10n.t("The server doesn't offer the channel {0}.", plain.text(channel));
    return scopeProblem(method, this.#ports.session.state) ?? { kind: "refused", reason };
  }

  /** Reads what is not known or not pushed, and reports what could not be evaluated for a minute. */
  #look(): void {
    const generation = this.#generation;
    if (generation === undefined) return;
    if (this.#looking === "no") void this.#lookAll(generation);
    else this.#looking = "again";
  }

  async #lookAll(generation: number): Promise<void> {
    this.#looking = "yes";
    for (const source of this.#sources) {
      if (this.#generation !== generation) break;
      if (source.isDecided === true && (source.isToBeRead === true || this.#isPolled(source)))
        await this.#read(source, generation);
    }
    const isAgain = (this.#looking as string) === "again" || this.#generation !== generation;
    this.#looking = "no";
    if (isAgain) {
      this.#look();
      return;
    }
    this.#reportGaps();
    this.#arm();
  }

  #isPolled({ method, isPushed, failure }: Source): boolean {
    return isPushed !== true && failure !== undefined && scopeProblem(method, this.#ports.session.state) === undefined;
  }

  async #read(source: Source, generation: number): Promise<void> {
    try {
      await source.read?.(this.#ports.session.reader, { lane: "view", generation });
      if (this.#generation === generation) Object.assign(source, { isToBeRead: false, failingSinceMs: undefined });
    } catch (thrown) {
      if (this.#generation !== generation) return;
      const failure = toFailure(thrown);
      // What this server does not have it will not have a minute later.
      if (retryPauseMs(failure, 0) === undefined) source.isToBeRead = false;
      if (source.isPushed === true) return;
      source.failure = failure;
      source.failingSinceMs ??= this.#ports.clock.monotonicMs();
    }
  }

  #reportGaps(): void {
    const nowMs = this.#ports.clock.monotonicMs();
    const wanted = this.#wantedFamilies();
    const gaps = new Map<string, Omit<AlarmGap, "families"> & { readonly families: Set<AlarmFamily> }>();
    for (const source of this.#sources) {
      const { families, failure, failingSinceMs: sinceMs, isTold, isOfSlots } = source;
      const concerned = families.filter((each) => wanted.includes(each));
      if (failure === undefined || sinceMs === undefined || isTold === true || nowMs - sinceMs < GAP_MS) continue;
      source.isTold = true;
      if (concerned.length === 0) continue;
      const why = failure.kind === "refused" ? "refused" : JSON.stringify(failure);
      const key = isOfSlots === true ? `isolated ${why}` : why;
      const gap = gaps.get(key) ?? { failure, families: new Set(), ...(isOfSlots === true ? { isOfSlots } : {}) };
      for (const each of concerned) gap.families.add(each);
      gaps.set(key, gap);
    }
    for (const gap of gaps.values()) this.#gaps.fire({ ...gap, families: [...gap.families] });
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
    const isNeeded = this.#sources.some((source) => {
      const { isDecided = false, isToBeRead = false, isPushed = false, isTold = false } = source;
      return (isDecided && isToBeRead) || (!isPushed && (!isTold || this.#isPolled(source)));
    });
    if (!isNeeded || this.#next !== undefined || this.#generation === undefined) return;
    this.#next = this.#ports.clock.after(READ_PAUSE_MS, () => {
      this.#next = undefined;
      this.#look();
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
    for (const currency of currenciesInUse(data)) this.#currencies?.add(currency);
    this.#take(conditions);
  }

  #raise(alarms: readonly Alarm[]): void {
    for (const alarm of alarms) this.#raised.fire(alarm);
  }

  #take(conditions: readonly AlarmCondition[]): void {
    for (const { alarm, state } of conditions) {
      if (alarm.kind === "margin" && alarm.slot !== undefined) this.#slots.add(alarm.slot);
      if (state === "between" || this.#conditions.get(alarm.key) === state) continue;
      this.#conditions.set(alarm.key, state);
      if (state === "clear") this.#cleared.fire(alarm.key);
      // A lock of everything has been told already.
      else if (alarm.kind !== "lock" || alarm.currency === undefined || !this.#isAllLocked()) this.#raised.fire(alarm);
    }
  }

  #allMissed(): readonly MissedTrades[] {
    return this.#hasSlots() ? [this.#missed, this.#missedOfSlots] : [this.#missed];
  }

  #isAllLocked(): boolean {
    return this.#conditions.get(LOCK_OF_ALL) === "raised";
  }

  #raisedKeys(): readonly string[] {
    return [...this.#conditions].flatMap(([key, state]) => (state === "raised" ? [key] : []));
  }
}
