import { createEmitter, DisposableList, type Disposable, type Event } from "../base/emitter.ts";
import { bugText, CallError, toFailure, type Failure } from "../base/failure.ts";
import { plain } from "../base/plain.ts";
import { isRefusedForGood } from "../catalogue/errorCodes.ts";
import { readRow, type ParamsOf, type ReadMethod } from "../catalogue/index.ts";
import { scopeProblem } from "../session/scope.ts";
import { retryPauseMs } from "./readRetry.ts";
import { followAccount, type ResourcePorts } from "./resource.ts";
import { rowsIn } from "./snapshot.ts";

export interface KnownListSnapshot<Item> {
  /** The items; empty while none are known. */
  readonly items: readonly Item[];
  /** The time when they were read, in ms since the Unix epoch; undefined while none are known. */
  readonly readAtMs: number | undefined;
  /** The reason why the last reading failed: what is known may be old, or nothing. */
  readonly failure: Failure | undefined;
}

/**
 * A list of one connection that changes so rarely that it is read on request alone, at most once an hour. Nothing
 * depends on it: what it lacks can still be typed.
 */
export interface KnownList<Item> extends Disposable {
  readonly snapshot: KnownListSnapshot<Item>;
  readonly onDidChange: Event<void>;
  /**
   * Returns what is known, once it is fresh enough or could not be read. All callers in between wait for the same
   * reading. Never rejects.
   */
  load(): Promise<KnownListSnapshot<Item>>;
}

/** A list that all windows of a computer have in common, so that only one of them reads it from the server. */
export interface SharedList {
  /**
   * Returns what a window has read within the hour; waits while another window reads. Undefined: this window reads, and
   * then calls `keep`. Never rejects.
   */
  take(): Promise<{ readonly elements: readonly unknown[]; readonly readAtMs: number } | undefined>;
  /** Keeps what this window has read; undefined when it could not be read. Never rejects. */
  keep(elements: readonly unknown[] | undefined): Promise<void>;
}

/** The parts of a list. */
interface KnownListSpec<Item, M extends ReadMethod> {
  /** The name for the log: "instruments". */
  readonly name: string;
  readonly method: M;
  readonly params: ParamsOf<M>;
  /** The timeout in ms; left out, that of every read. */
  readonly timeoutMs?: number;
  /** The list of all windows (default: each window reads its own). */
  readonly shared?: SharedList | undefined;
  /** Reads the elements of the response, of which some may not have the shape of an item. */
  readonly read: (elements: readonly unknown[], nowMs: number) => readonly Item[];
}

/** The time that a list counts as fresh, in ms. */
const FRESH_MS = 3_600_000;
/** The pause between two readings of which the first failed for a moment, in ms. */
const FAILED_PAUSE_MS = 10_000;

/** Makes a list of which nothing is known yet. */
export function createKnownList<Item, M extends ReadMethod>(
  { name, method, params, timeoutMs, shared, read: readItems }: KnownListSpec<Item, M>,
  { session, clock, log }: ResourcePorts,
): KnownList<Item> {
  const changes = createEmitter<undefined>((error) =>
    log.error(plain`A view of the ${plain.text(name)} failed: ${bugText(error)}`),
  );
  const disposables = new DisposableList();
  const nothing: KnownListSnapshot<Item> = { items: [], readAtMs: undefined, failure: undefined };
  let snapshot = nothing;
  let reading: Promise<void> | undefined;
  /** The earliest time of the next reading, on the clock that is never set. */
  let notBeforeMs = -Infinity;

  const put = (next: KnownListSnapshot<Item>): void => {
    snapshot = next;
    changes.fire(undefined);
  };
  const readFromServer = async (
    generation: number,
  ): Promise<{ readonly elements: readonly unknown[]; readonly readAtMs: number }> => {
    try {
      const response = await session.reader.readResponse(method, params, {
        lane: "userRead",
        generation,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      const elements = rowsIn(response.result);
      await shared?.keep(elements);
      return { elements, readAtMs: response.timing.receivedAtMs };
    } catch (thrown) {
      await shared?.keep(undefined);
      throw thrown;
    }
  };
  const read = async (generation: number): Promise<void> => {
    const isStill = (): boolean => session.state.status === "ready" && session.state.generation === generation;
    try {
      const problem = scopeProblem(method, session.state);
      if (problem !== undefined) throw new CallError(problem);
      const { elements, readAtMs } = (await shared?.take()) ?? (await readFromServer(generation));
      const items = readItems(elements, clock.now());
      if (!isStill()) return;
      // What another window has read is as old as it is; that its clock was set must not keep it for long.
      const ageMs = Math.min(FRESH_MS, Math.max(0, clock.now() - readAtMs));
      notBeforeMs = clock.monotonicMs() + FRESH_MS - ageMs;
      put({ items, readAtMs, failure: undefined });
    } catch (thrown) {
      const failure = toFailure(thrown);
      if (!isStill()) {
        put({ ...snapshot, failure });
        return;
      }
      log.warn(plain`The ${plain.text(name)} could not be read: ${plain.text(JSON.stringify(failure), 500)}`);
      // What this server does not have it will not have a minute later.
      const pauseMs = isLasting(failure) ? FRESH_MS : Math.max(FAILED_PAUSE_MS, retryPauseMs(failure, 0) ?? 0);
      notBeforeMs = clock.monotonicMs() + pauseMs;
      put({ ...snapshot, failure });
    }
  };
  disposables.add(followAccount(session, () => put(nothing)));
  disposables.add(
    session.onDidChangeState((state) => {
      // After another dial another server may answer; what is known stays until it was read again.
      if (state.status !== "ready" && snapshot.readAtMs === undefined) notBeforeMs = -Infinity;
    }),
  );
  return {
    get snapshot() {
      return snapshot;
    },
    onDidChange: (listener) =>
      changes.event(() => {
        listener();
      }),
    async load() {
      const { state } = session;
      if (state.status !== "ready") {
        if (reading === undefined && snapshot.readAtMs === undefined)
          put({ ...snapshot, failure: { kind: "notConnected" } });
        return snapshot;
      }
      if (reading === undefined && clock.monotonicMs() < notBeforeMs) return snapshot;
      reading ??= read(state.generation).finally(() => {
        reading = undefined;
      });
      await reading;
      return snapshot;
    },
    dispose() {
      disposables.dispose();
      changes.dispose();
    },
  };
}

/**
 * Whether a failure lasts: the server does not have the method, or the key must not call it. A token is renewed, and
 * what is not known may pass.
 */
function isLasting(failure: Failure): boolean {
  return failure.kind !== "exchange" ? isOfScope(failure) : isRefusedForGood(failure.code);
}

function isOfScope({ kind }: Failure): boolean {
  return kind === "missingScope" || kind === "noKey" || kind === "notOffered";
}

/** An account of the owner. */
export interface KnownAccount {
  readonly id: number;
  /** The name; empty where it is not known. Text from outside. */
  readonly name: string;
  /** The type in the exchange's word: `main` or `subaccount`. */
  readonly type: string;
}

/** The names and IDs that requests use and that hardly ever change. Each list costs one read request. */
export interface KnownLists extends Disposable {
  readonly currencies: KnownList<string>;
  readonly indexNames: KnownList<string>;
  /** The accounts of the owner; a subaccount sees only itself. */
  readonly accounts: KnownList<KnownAccount>;
}

/** Makes the lists. None is read before it is asked for. */
export function createKnownLists(ports: ResourcePorts): KnownLists {
  const lists = {
    currencies: createKnownList(
      {
        name: "currencies",
        method: "public/get_currencies",
        params: {},
        read: (elements) =>
          elements.flatMap((each) => {
            const { currency } = (each ?? {}) as { readonly currency?: unknown };
            return typeof currency === "string" ? [currency] : [];
          }),
      },
      ports,
    ),
    indexNames: createKnownList(
      {
        name: "indexes",
        method: "public/get_index_price_names",
        params: {},
        read: (elements) => elements.filter((each) => typeof each === "string"),
      },
      ports,
    ),
    accounts: createKnownList(
      {
        name: "accounts",
        method: "private/get_subaccounts",
        params: {},
        read: (elements) =>
          elements.flatMap((each) => {
            const { id, username = "", type = "" } = readRow("subaccount", each) ?? {};
            return id === undefined ? [] : [{ id, name: username, type }];
          }),
      },
      ports,
    ),
  };
  return {
    ...lists,
    dispose() {
      for (const each of Object.values<Disposable>(lists)) each.dispose();
    },
  };
}
