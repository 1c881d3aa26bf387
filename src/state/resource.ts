import type { Clock } from "../base/clock.ts";
import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../base/emitter.ts";
import { bugText, toFailure, type Failure } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import type { ReadMethod } from "../catalogue/index.ts";
import { problemOfAll, scopeProblem } from "../session/scope.ts";
import type { CallOptions, ChannelState, Reader, Session, SessionState } from "../session/session.ts";
import { retryPauseMs } from "./readRetry.ts";
import { currentUntil, type Snapshot } from "./snapshot.ts";

/**
 * A list of one connection that is read whole: when first shown, after each reconnect, when the exchange announces a
 * change, and on request. It only reads.
 */
export interface Resource<Item> extends Disposable {
  readonly snapshot: Snapshot<Item>;
  readonly onDidChange: Event<void>;
  /**
   * Reads the list again; a call while a reading is under way asks for one more after it. Failures go into the
   * snapshot.
   */
  refresh(): Promise<void>;
  /** Sets whether the list is shown. A list that is not shown is not read. */
  setVisible(isVisible: boolean): void;
  /** Forgets what is known, because the request has changed; a reading under way counts no more. */
  restart(): void;
}

/** The parts of a resource. */
interface ResourceSpec<Item> {
  /** The name for the log: "block trades". */
  readonly name: string;
  /** The method that lists it: its scope decides whether it is asked at all. */
  readonly method: ReadMethod;
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

/** Makes a resource that is not shown yet. */
export function createResource<Item>(spec: ResourceSpec<Item>, ports: ResourcePorts): Resource<Item> {
  return new ReadResource(spec, ports);
}

/** What is known before the first reading. */
const NOTHING: Snapshot<never> = {
  status: "loading",
  items: new Map<string, never>(),
  readAtMs: undefined,
  failure: undefined,
  unreadable: [],
};

class ReadResource<Item> implements Resource<Item> {
  readonly #spec: ResourceSpec<Item>;
  readonly #ports: ResourcePorts;
  readonly #changes: Emitter<void>;
  readonly #disposables = new DisposableList();
  readonly #channels = new Map<string, ChannelState>();
  #snapshot: Snapshot<Item> = NOTHING;
  #isVisible = false;
  #isWatching = false;
  /** The generation whose list is shown. */
  #readGeneration: number | undefined;
  #reading: Promise<void> | undefined;
  #isAskedAgain = false;
  #failedReadings = 0;
  #restarts = 0;
  #next: Disposable | undefined;

  constructor(spec: ResourceSpec<Item>, ports: ResourcePorts) {
    this.#spec = spec;
    this.#ports = ports;
    this.#changes = createEmitter((error) =>
      ports.log.error(plain`A view of the ${plain.text(spec.name)} failed: ${bugText(error)}`),
    );
    this.#disposables.add(followAccount(ports.session, () => this.#forget()));
    this.#disposables.add(ports.session.onDidChangeState((state) => this.#onSession(state)));
    this.#onSession(ports.session.state);
  }

  get snapshot(): Snapshot<Item> {
    return this.#snapshot;
  }

  get onDidChange(): Event<void> {
    return this.#changes.event;
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible) this.#readIfNew();
    // Figures that are read again and again cost credits: nothing is read for a list that is not shown.
    else if (this.#spec.pauseMs !== undefined && this.#snapshot.status === "live") this.#disarm();
    this.#arm();
  }

  async refresh(): Promise<void> {
    const { state } = this.#ports.session;
    if (state.status !== "ready") return;
    this.#watch();
    if (this.#reading !== undefined) this.#isAskedAgain = true;
    this.#reading ??= this.#readAll(state.generation);
    await this.#reading;
  }

  restart(): void {
    const { state } = this.#ports.session;
    this.#restarts++;
    this.#failedReadings = 0;
    this.#snapshot = NOTHING;
    if (state.status !== "ready") this.#onSession(state);
    else if (this.#readGeneration !== undefined) void this.refresh();
    this.#changes.fire();
  }

  dispose(): void {
    this.#disarm();
    this.#disposables.dispose();
    this.#changes.dispose();
  }

  #forget(): void {
    this.#snapshot = NOTHING;
    this.#spec.forget?.();
    this.#changes.fire();
  }

  #onSession(state: SessionState): void {
    if (state.status === "ready") {
      this.#readIfNew();
      return;
    }
    this.#readGeneration = undefined;
    // A reading of the link before may wait for its response long after another account is there.
    this.#reading = undefined;
    this.#isAskedAgain = false;
    this.#disarm();
    this.#failedReadings = 0;
    const isKnown = this.#snapshot.readAtMs !== undefined;
    const failure: Failure = "failure" in state ? state.failure : { kind: "notConnected" };
    const isComing = state.status === "connecting" || state.status === "authenticating";
    this.#update(
      isComing && !isKnown
        ? { status: "loading", failure: undefined }
        : { status: isKnown ? "stale" : "failed", failure },
      state.aliveAt?.atMs,
    );
  }

  /** Reads once per generation, and not before the list is first shown. */
  #readIfNew(): void {
    const { state } = this.#ports.session;
    if (
      state.status !== "ready" ||
      (!this.#isVisible && !this.#isWatching) ||
      this.#readGeneration === state.generation
    )
      return;
    void this.refresh();
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
    const { session, clock } = this.#ports;
    const { state } = session;
    if (state.status !== "ready") return;
    const { generation } = state;
    const restarts = this.#restarts;
    const isStill = (): boolean => restarts === this.#restarts && this.#isStill(generation);
    this.#readGeneration = generation;
    const missing = missingFor(this.#spec, state);
    if (missing !== undefined) {
      this.#update({ status: "failed", failure: missing });
      return;
    }
    if (this.#snapshot.status === "failed") this.#update({ status: "loading", failure: undefined });
    // A response is as old as its request may be: nothing in it is older than that.
    const askedAtMs = clock.now();
    try {
      const { items, unreadable } = await this.#spec.read(
        session.reader,
        { lane: "view", generation },
        this.#snapshot.items,
      );
      if (!isStill()) return;
      this.#failedReadings = 0;
      this.#snapshot = {
        status: "live",
        items,
        readAtMs: askedAtMs,
        readAtMonotonicMs: clock.monotonicMs(),
        failure: this.#whyNotPushed(),
        pollPauseMs: this.#spec.pauseMs?.(),
        unreadable,
      };
      this.#changes.fire();
    } catch (thrown) {
      if (!isStill()) return;
      const failure = toFailure(thrown);
      this.#ports.log.warn(
        plain`The ${plain.text(this.#spec.name)} could not be read: ${plain.text(JSON.stringify(failure), 500)}`,
      );
      this.#update({ status: this.#snapshot.readAtMs === undefined ? "failed" : "stale", failure }, askedAtMs);
      this.#retry(retryPauseMs(failure, this.#failedReadings++));
    }
  }

  #isStill(generation: number): boolean {
    const { state } = this.#ports.session;
    return state.status === "ready" && state.generation === generation;
  }

  /** Follows changes from the first reading on. */
  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    for (const channel of this.#spec.channels ?? []) {
      this.#disposables.add(
        this.#ports.session.subscribe(
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
    if (state.kind !== "lost" && this.#snapshot.status === "live") this.#update({ failure: this.#whyNotPushed() });
    this.#arm();
  }

  #onEvent(data: unknown): void {
    if (this.#spec.concerns?.(data) === false) return;
    if (this.#spec.isMerging === true) {
      const items = this.#spec.take?.(data, this.#snapshot.items) ?? "readAgain";
      if (items !== "readAgain" && this.#snapshot.status === "live") this.#put(items);
      return;
    }
    const items =
      this.#reading === undefined && this.#snapshot.status === "live"
        ? (this.#spec.take?.(data, this.#snapshot.items) ?? "readAgain")
        : "readAgain";
    if (items === "readAgain") {
      void this.refresh();
      return;
    }
    this.#put(items);
  }

  #put(items: ReadonlyMap<string, Item>): void {
    if (items === this.#snapshot.items) return;
    this.#snapshot = { ...this.#snapshot, items };
    this.#changes.fire();
  }

  #whyNotPushed(): Failure | undefined {
    for (const state of this.#channels.values())
      if (state.kind === "refused") return state.failure ?? { kind: "refused", reason: "" };
    return undefined;
  }

  #retry(pauseMs: number | undefined): void {
    if (pauseMs === undefined) return;
    this.#disarm();
    this.#next = this.#ports.clock.after(pauseMs, () => {
      this.#next = undefined;
      void this.refresh();
    });
  }

  /** Arms the timer: without events, or for figures that no event brings, a shown list is read again and again. */
  #arm(): void {
    const { status, failure, readAtMonotonicMs = -Infinity } = this.#snapshot;
    if (!this.#isVisible || status !== "live" || this.#next !== undefined || this.#reading !== undefined) return;
    const pauseMs = this.#spec.pauseMs?.();
    // What is shown again after a while is read at once.
    if (pauseMs !== undefined) this.#retry(Math.max(0, readAtMonotonicMs + pauseMs - this.#ports.clock.monotonicMs()));
    else if (failure !== undefined) this.#retry(POLL_MS);
  }

  #disarm(): void {
    this.#next?.dispose();
    this.#next = undefined;
  }

  /** Changes the status. `provenAtMs`: the last moment at which a live list was known to be up to date. */
  #update(change: Partial<Pick<Snapshot<Item>, "status" | "failure">>, provenAtMs?: number): void {
    const { status, failure } = { ...this.#snapshot, ...change };
    if (status === this.#snapshot.status && failure === this.#snapshot.failure) return;
    const currentAtMs = status === "stale" ? currentUntil(this.#snapshot, provenAtMs) : undefined;
    this.#snapshot = { ...this.#snapshot, status, failure, currentAtMs };
    this.#changes.fire();
  }
}
