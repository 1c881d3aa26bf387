import type { Clock } from "../base/clock.ts";
import { createEmitter, DisposableList, type Disposable } from "../base/emitter.ts";
import { bugText, toFailure, type Failure } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { plain, type Plain } from "../base/plain.ts";
import type { AnyReadMethod } from "../catalogue/index.ts";
import { problemOfAll, scopeProblem } from "../session/scope.ts";
import type { CallOptions, ChannelState, Reader, Session, SessionState } from "../session/session.ts";
import { readsSlots } from "./isolated.ts";
import { retryPauseMs } from "./readRetry.ts";
import { currentUntil, type Snapshot } from "./snapshot.ts";

/** The parts of a resource. */
interface ResourceSpec<Item> {
  /** The name for the log: "block trades". */
  readonly name: string;
  /** The method that lists it: its scope decides whether it is asked at all. */
  readonly method: AnyReadMethod;
  /**
   * The parameters of the calls that read it, where these decide on the scope: it is read where one of them is allowed.
   */
  readonly calls?: readonly Readonly<Record<string, unknown>>[];
  /** Reads all items, in the order of the rows. `before`: the previous ones. Throws `CallError`. */
  readonly read: (
    reader: Reader,
    options: CallOptions,
    before: ReadonlyMap<string, Item>,
  ) => Promise<ResourceReading<Item>>;
  readonly channels?: readonly string[];
  /** The channels of the slots of isolated margin, which the gateway alone has. */
  readonly slotChannels?: readonly string[];
  /** Whether an event is about this list at all; left out, every event is. */
  readonly concerns?: (data: unknown) => boolean;
  /** Returns the items after an event of a channel: others, the same ones, or none that are known without reading. */
  readonly take?: (data: unknown, items: ReadonlyMap<string, Item>) => ReadonlyMap<string, Item> | "readAgain";
  /**
   * Whether `read` takes account of the events during it, so that none of them leads to a reading: where they come many
   * times a second, the list would be read all the time. `take` then also gets events before and during a reading.
   */
  readonly isMerging?: true;
  /** Called when the session goes over to another account: nothing of one is shown under the name of another. */
  readonly forget?: () => void;
  /** Returns the pause between two readings of a shown list with figures that no event brings, in ms. */
  readonly pauseMs?: () => number;
}

export interface ResourceReading<Item> {
  readonly items: ReadonlyMap<string, Item>;
  /** The rows of the response that do not fit the shape. */
  readonly unreadable: readonly unknown[];
}

export interface ResourcePorts {
  /** The part of a session that a store may have: it cannot send what changes anything. */
  readonly session: Pick<Session, "state" | "onDidChangeState" | "epoch" | "reader" | "subscribe">;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a store of a connection is made from. It may use another one of the same connection. */
export interface StorePorts extends ResourcePorts {
  /** Returns the store of the connection that `create` makes. It is made with its first use. */
  storeOf<Store extends Disposable>(create: (ports: StorePorts) => Store): Store;
}

/** Calls `forget` when the session goes over to another account: nothing of one is shown under the name of another. */
export function followAccount(session: Pick<Session, "onDidChangeState" | "epoch">, forget: () => void): Disposable {
  let { epoch } = session;
  return session.onDidChangeState(() => {
    if (session.epoch === epoch) return;
    epoch = session.epoch;
    forget();
  });
}

/** The pause between readings of a shown list where the exchange does not push its changes, in ms. */
const POLL_MS = 10_000;

/** Returns what the granted scope lacks; undefined where at least a part of the list may be read. */
function missingFor(
  { method, calls = [{}] }: Pick<ResourceSpec<unknown>, "method" | "calls">,
  state: SessionState,
): Failure | undefined {
  return problemOfAll(calls.map((params) => scopeProblem(method, state, params)));
}

/** What is known before the first reading. */
const NOTHING: Snapshot<never> = {
  status: "loading",
  items: new Map<string, never>(),
  readAtMs: undefined,
  failure: undefined,
  unreadable: [],
};

/**
 * The reading of one list. One reading is under way at a time; a failure that passes is followed by another one. What
 * was begun on a link has no effect once that link is gone, and what was known of an account goes with it.
 */
export abstract class ReadingLoop<Item, Change> {
  protected readonly ports: ResourcePorts;
  protected readonly disposables = new DisposableList();
  protected readonly changes = createEmitter<Change>((error) =>
    this.ports.log.error(plain`A view of the ${this.#name} failed: ${bugText(error)}`),
  );
  readonly onDidChange = this.changes.event;
  protected known: Snapshot<Item> = NOTHING;
  readonly #name: Plain;
  #next: Disposable | undefined;
  #failedReadings = 0;

  constructor({ name }: Pick<ResourceSpec<Item>, "name">, ports: ResourcePorts) {
    this.ports = ports;
    this.#name = plain.text(name);
  }

  get snapshot(): Snapshot<Item> {
    return this.known;
  }

  dispose(): void {
    this.disarm();
    this.disposables.dispose();
    this.changes.dispose();
  }

  /** Called when the session is ready, in each of its generations and as often as something in its state changes. */
  protected abstract onReady(): void;
  /** Called when the link is gone: a reading under way counts no more. */
  protected abstract endReading(): void;
  /** Called when the session goes over to another account. */
  protected abstract forget(): void;
  /** Called when it is time for another reading. `pauseMs`: the pause that was waited. */
  protected abstract readAgain(pauseMs: number): void;
  /** Returns what listeners hear of another certainty. `isOfRows`: whether rows look different. */
  protected abstract changeOf(isOfRows: boolean): Change;

  /** Follows the session from now on. */
  protected follow(): void {
    const { session } = this.ports;
    this.disposables.add(followAccount(session, () => this.forget()));
    this.disposables.add(session.onDidChangeState((state) => this.#onSession(state)));
    this.#onSession(session.state);
  }

  /** Ends everything that was begun on a link. */
  protected endLink(): void {
    this.endReading();
    this.disarm();
    this.#failedReadings = 0;
  }

  #onSession(state: SessionState): void {
    if (state.status === "ready") {
      this.onReady();
      return;
    }
    this.endLink();
    const { readAtMs, status, failure: before } = this.known;
    const isKnown = readAtMs !== undefined;
    const isComing = state.status === "connecting" || state.status === "authenticating";
    if (isComing && !isKnown) {
      this.update({ status: "loading", failure: undefined });
      return;
    }
    // While the next link comes, the reason is still why the last one ended.
    const known = isComing && status !== "live" ? before : undefined;
    const failure: Failure = "failure" in state ? state.failure : (known ?? { kind: "notConnected" });
    this.update({ status: isKnown ? "stale" : "failed", failure }, state.aliveAt?.atMs);
  }

  /** Forgets what is known. `items`: the list without any. */
  protected clear(items: ReadonlyMap<string, Item> = NOTHING.items): void {
    const { state } = this.ports.session;
    this.#failedReadings = 0;
    this.known = { ...NOTHING, items };
    if (state.status !== "ready") this.#onSession(state);
    this.changes.fire(this.changeOf(true));
  }

  /** Notes that a reading succeeded. Returns what that changes in the snapshot of a list that is `live`. */
  protected succeeded(
    readAtMs: number,
  ): Pick<Snapshot<Item>, "status" | "readAtMs" | "readAtMonotonicMs" | "currentAtMs"> {
    this.#failedReadings = 0;
    return { status: "live", readAtMs, readAtMonotonicMs: this.ports.clock.monotonicMs(), currentAtMs: undefined };
  }

  /** Notes that a reading failed, and tries again where that may help. */
  protected failed(failure: Failure, askedAtMs: number): void {
    this.ports.log.warn(plain`The ${this.#name} could not be read: ${plain.text(JSON.stringify(failure), 500)}`);
    this.update({ status: this.known.readAtMs === undefined ? "failed" : "stale", failure }, askedAtMs);
    const pauseMs = retryPauseMs(failure, this.#failedReadings++);
    if (pauseMs !== undefined) this.readAfter(pauseMs);
  }

  /** Reads again after a pause, unless a reading is due already. */
  protected readAfter(pauseMs: number): void {
    this.#next ??= this.ports.clock.after(pauseMs, () => {
      this.#next = undefined;
      this.readAgain(pauseMs);
    });
  }

  /** Reads again a while after the last reading. What is shown again after a longer time is read at once. */
  protected readAtPace(pauseMs: number): void {
    const { readAtMonotonicMs = -Infinity } = this.known;
    this.readAfter(Math.max(0, readAtMonotonicMs + pauseMs - this.ports.clock.monotonicMs()));
  }

  protected disarm(): void {
    this.#next?.dispose();
    this.#next = undefined;
  }

  /** Changes the certainty. `provenAtMs`: the last moment at which a live list was known to be up to date. */
  protected update(
    change: Partial<Pick<Snapshot<Item>, "status" | "failure" | "pollPauseMs">>,
    provenAtMs?: number,
  ): void {
    const before = this.known;
    const after = { ...before, ...change };
    const isOfRows = after.status !== before.status || after.failure !== before.failure;
    if (!isOfRows && after.pollPauseMs === before.pollPauseMs) return;
    this.known = { ...after, currentAtMs: after.status === "stale" ? currentUntil(before, provenAtMs) : undefined };
    this.changes.fire(this.changeOf(isOfRows));
  }
}

/**
 * A list of one connection that is read whole: when first shown, after each reconnect, when the exchange announces a
 * change, and on request. It only reads.
 */
export class Resource<Item> extends ReadingLoop<Item, void> {
  readonly #spec: ResourceSpec<Item>;
  readonly #channels = new Map<string, ChannelState>();
  #isVisible = false;
  #isWatching = false;
  /** The generation whose list is shown. */
  #readGeneration: number | undefined;
  #reading: Promise<void> | undefined;
  #isAskedAgain = false;
  #restarts = 0;

  constructor(spec: ResourceSpec<Item>, ports: ResourcePorts) {
    super(spec, ports);
    this.#spec = spec;
    this.follow();
  }

  /** Sets whether the list is shown. A list that is not shown is not read. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible) this.onReady();
    // Figures that are read again and again cost credits: nothing is read for a list that is not shown.
    else if (this.#spec.pauseMs !== undefined && this.known.status === "live") this.disarm();
    this.#arm();
  }

  /**
   * Reads the list again; a call while a reading is under way asks for one more after it. Failures go into the
   * snapshot.
   */
  async refresh(): Promise<void> {
    await this.#read();
  }

  /** Forgets what is known, because the request has changed; a reading under way counts no more. */
  restart(): void {
    this.#restarts++;
    this.clear();
    if (this.#readGeneration !== undefined) void this.#read();
  }

  protected readAgain(): void {
    void this.#read();
  }

  protected changeOf(): void {}

  protected endReading(): void {
    this.#readGeneration = undefined;
    // A reading of the link before may wait for its response long after another account is there.
    this.#reading = undefined;
    this.#isAskedAgain = false;
  }

  protected forget(): void {
    this.#spec.forget?.();
    this.clear();
  }

  /** Reads once per generation, and not before the list is first shown. */
  protected onReady(): void {
    const { state } = this.ports.session;
    const isWanted = this.#isVisible || this.#isWatching;
    if (state.status === "ready" && isWanted && this.#readGeneration !== state.generation) void this.#read();
  }

  async #read(): Promise<void> {
    const { state } = this.ports.session;
    if (state.status !== "ready") return;
    this.#watch();
    if (this.#reading !== undefined) this.#isAskedAgain = true;
    this.#reading ??= this.#readAll(state.generation);
    await this.#reading;
  }

  async #readAll(generation: number): Promise<void> {
    do await this.#readOnce();
    while (this.#isStill(generation) && this.#takeAsked());
    if (!this.#isStill(generation)) return;
    this.#reading = undefined;
    this.#arm();
  }

  /** Whether another reading was requested meanwhile; the call clears that. */
  #takeAsked(): boolean {
    const isAsked = this.#isAskedAgain;
    this.#isAskedAgain = false;
    return isAsked;
  }

  async #readOnce(): Promise<void> {
    const { session, clock } = this.ports;
    const { state } = session;
    if (state.status !== "ready") return;
    const { generation } = state;
    const restarts = this.#restarts;
    const isStill = (): boolean => restarts === this.#restarts && this.#isStill(generation);
    this.#readGeneration = generation;
    this.disarm();
    const missing = missingFor(this.#spec, state);
    if (missing !== undefined) {
      this.update({ status: "failed", failure: missing });
      return;
    }
    if (this.known.status === "failed") this.update({ status: "loading", failure: undefined });
    // A response is as old as its request may be: nothing in it is older than that.
    const askedAtMs = clock.now();
    try {
      const options = { lane: "view", generation } as const;
      const reading = await this.#spec.read(session.reader, options, this.known.items);
      if (!isStill()) return;
      const { items, unreadable } = reading;
      const failure = this.#whyNotPushed();
      this.known = { ...this.succeeded(askedAtMs), items, unreadable, failure, pollPauseMs: this.#spec.pauseMs?.() };
      this.changes.fire();
    } catch (thrown) {
      if (isStill()) this.failed(toFailure(thrown), askedAtMs);
    }
  }

  #isStill(generation: number): boolean {
    const { state } = this.ports.session;
    return state.status === "ready" && state.generation === generation;
  }

  /** Follows changes from the first reading on. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const { channels = [], slotChannels = [] } = this.#spec;
    const wanted = readsSlots(this.ports.session.state) ? [...channels, ...slotChannels] : channels;
    for (const channel of wanted) {
      this.disposables.add(
        this.ports.session.subscribe(
          channel,
          (data) => this.#onEvent(data),
          (state) => this.#onChannel(channel, state),
        ),
      );
    }
  }

  #onChannel(channel: string, state: ChannelState): void {
    this.#channels.set(channel, state);
    // What was known of a link stays true of its list after its end.
    if (state.kind !== "lost" && this.known.status === "live") this.update({ failure: this.#whyNotPushed() });
    this.#arm();
  }

  #onEvent(data: unknown): void {
    const { concerns, take, isMerging = false } = this.#spec;
    if (concerns?.(data) === false) return;
    const isLive = this.known.status === "live";
    const isTaken = isMerging || (isLive && this.#reading === undefined);
    const items = (isTaken ? take?.(data, this.known.items) : undefined) ?? "readAgain";
    if (items === "readAgain") {
      if (!isMerging) void this.#read();
    } else if (isLive && items !== this.known.items) {
      this.known = { ...this.known, items };
      this.changes.fire();
    }
  }

  #whyNotPushed(): Failure | undefined {
    for (const state of this.#channels.values())
      if (state.kind === "refused") return state.failure ?? { kind: "refused", reason: "" };
    return undefined;
  }

  /** Arms the timer: without events, or for figures that no event brings, a shown list is read again and again. */
  #arm(): void {
    const { status, failure } = this.known;
    if (!this.#isVisible || status !== "live" || this.#reading !== undefined) return;
    const pauseMs = this.#spec.pauseMs?.();
    if (pauseMs !== undefined) this.readAtPace(pauseMs);
    else if (failure !== undefined) this.readAfter(POLL_MS);
  }
}
