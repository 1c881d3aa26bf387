import * as l10n from "@vscode/l10n";
import { createEmitter, DisposableList, type Disposable, type Event } from "../base/emitter.ts";
import { bugText, CallError, toFailure, type Failure } from "../base/failure.ts";
import { plain } from "../base/plain.ts";
import { readRow, type RowOf } from "../catalogue/index.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { isOfOtherSubject, type SessionState } from "../session/session.ts";
import { retryPauseMs } from "./readRetry.ts";
import type { ResourcePorts } from "./resource.ts";

/** What can be traded, as far as it is kept: thousands of them are held for as long as the connection is. */
export interface Instrument {
  /** `instrument_name`. */
  readonly name: string;
  /** The exchange's word, e.g. `future`. */
  readonly kind: string;
  /** False for one that is listed and cannot be traded: closed, halted, or expired when the list was read. */
  readonly isActive: boolean;
  /** Ms since the Unix epoch; undefined for what does not expire. Perpetuals name a year far away. */
  readonly expiresAtMs: number | undefined;
}

export interface InstrumentsSnapshot {
  /** The active ones first, otherwise as the exchange lists them; empty while none are known. */
  readonly instruments: readonly Instrument[];
  /** When they were read, ms since the Unix epoch; undefined while none are known. */
  readonly readAtMs: number | undefined;
  /** Why the last reading did not succeed: what is known may be old, or nothing; a name can still be typed. */
  readonly failure: Failure | undefined;
}

/**
 * The instruments of one connection, read when somebody asks, at most once an hour: the exchange makes the list
 * expensive.
 */
export interface InstrumentsStore extends Disposable {
  readonly snapshot: InstrumentsSnapshot;
  readonly onDidChange: Event<void>;
  /**
   * What is known, once it is fresh enough or could not be read. Whoever asks meanwhile waits for the same reading.
   * Never rejects.
   */
  load(): Promise<InstrumentsSnapshot>;
}

const METHOD = "public/get_instruments";
/** Facts §4: 10,000 credits a call. */
const FRESH_MS = 3_600_000;
/** Between two readings of which the first failed for a moment. */
const FAILED_PAUSE_MS = 10_000;
/** The response has megabytes. */
const TIMEOUT_MS = 30_000;

const NOTHING: InstrumentsSnapshot = { instruments: [], readAtMs: undefined, failure: undefined };

export function createInstrumentsStore({ session, clock, log }: ResourcePorts): InstrumentsStore {
  const changes = createEmitter<undefined>((error) => log.error(`A view of the instruments failed: ${bugText(error)}`));
  const disposables = new DisposableList();
  let snapshot = NOTHING;
  let reading: Promise<void> | undefined;
  /** On the clock that is never set. */
  let notBeforeMs = -Infinity;

  const put = (next: InstrumentsSnapshot): void => {
    snapshot = next;
    changes.fire(undefined);
  };
  const read = async (generation: number): Promise<void> => {
    const isStill = (): boolean => session.state.status === "ready" && session.state.generation === generation;
    try {
      const response = await session.reader.readResponse(
        METHOD,
        { currency: "any" },
        { lane: "userRead", generation, timeoutMs: TIMEOUT_MS },
      );
      const instruments = readInstruments(response, clock.now());
      if (!isStill()) return;
      notBeforeMs = clock.monotonicMs() + FRESH_MS;
      put({ instruments, readAtMs: response.timing.receivedAtMs, failure: undefined });
    } catch (thrown) {
      const failure = toFailure(thrown);
      if (!isStill()) {
        put({ ...snapshot, failure });
        return;
      }
      log.warn(`The instruments could not be read: ${plain.text(JSON.stringify(failure), 500)}`);
      // What this server does not have it will not have a minute later.
      const pauseMs = isLasting(failure) ? FRESH_MS : Math.max(FAILED_PAUSE_MS, retryPauseMs(failure, 0) ?? 0);
      notBeforeMs = clock.monotonicMs() + pauseMs;
      put({ ...snapshot, failure });
    }
  };
  disposables.add(
    session.onDidChangeState((state: SessionState) => {
      if (isOfOtherSubject(state)) put(NOTHING);
      // After another dial another server may answer; what is known stays until it was read anew.
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

type InstrumentRow = RowOf<"instrument">;

/** Rows that do not have the shape of an instrument cannot be offered; the name can still be typed. */
function readInstruments({ result }: MaskedResponse, nowMs: number): readonly Instrument[] {
  if (!Array.isArray(result))
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("The response is not a list.") });
  const rows = (result as readonly unknown[]).flatMap((row) => readRow("instrument", row) ?? []);
  const instruments = rows.map((row) => ({
    name: row.instrument_name,
    kind: row.kind ?? "",
    isActive: isActive(row, nowMs),
    expiresAtMs: row.expiration_timestamp,
  }));
  return [...instruments.filter((each) => each.isActive), ...instruments.filter((each) => !each.isActive)];
}

/** `state` came later than `is_active`; either may be missing. */
function isActive(
  { is_active: isTraded = true, state = "open", expiration_timestamp: expiresAtMs = Infinity }: InstrumentRow,
  nowMs: number,
): boolean {
  return isTraded && state === "open" && expiresAtMs > nowMs;
}

/** The server does not have the method, or does not know `any`. */
function isLasting(failure: Failure): boolean {
  return failure.kind === "exchange" && retryPauseMs(failure, 0) === undefined;
}
