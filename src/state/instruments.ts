import * as l10n from "@vscode/l10n";
import { createEmitter, DisposableList, type Disposable, type Event } from "../base/emitter.ts";
import { bugText, CallError, toFailure, type Failure } from "../base/failure.ts";
import { plain } from "../base/plain.ts";
import { readRow, type RowOf } from "../catalogue/index.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { isOfOtherSubject, type SessionState } from "../session/session.ts";
import { retryPauseMs } from "./readRetry.ts";
import type { ResourcePorts } from "./resource.ts";

/** The kept facts about something tradable: thousands of them are held for as long as the connection is. */
export interface Instrument {
  /** The `instrument_name`. */
  readonly name: string;
  /** The kind, in the exchange's word, e.g. `future`. */
  readonly kind: string;
  /** Whether it can be traded. False for one that is listed but closed, halted, or expired when the list was read. */
  readonly isActive: boolean;
  /**
   * The time of expiry, in ms since the Unix epoch; undefined for what does not expire. Perpetuals name a year far
   * away.
   */
  readonly expiresAtMs: number | undefined;
}

export interface InstrumentsSnapshot {
  /** The instruments, active ones first, otherwise in the exchange's order; empty while none are known. */
  readonly instruments: readonly Instrument[];
  /** The time when they were read, in ms since the Unix epoch; undefined while none are known. */
  readonly readAtMs: number | undefined;
  /** The reason why the last reading failed: what is known may be old, or nothing; a name can still be typed. */
  readonly failure: Failure | undefined;
}

/** The instruments of one connection, read on request, at most once an hour: the exchange makes the list expensive. */
export interface InstrumentsStore extends Disposable {
  readonly snapshot: InstrumentsSnapshot;
  readonly onDidChange: Event<void>;
  /**
   * Returns what is known, once it is fresh enough or could not be read. All callers in between wait for the same
   * reading. Never rejects.
   */
  load(): Promise<InstrumentsSnapshot>;
}

const METHOD = "public/get_instruments";
/** The time that a list counts as fresh, in ms. Facts §4: 10,000 credits a call. */
const FRESH_MS = 3_600_000;
/** The pause between two readings of which the first failed for a moment, in ms. */
const FAILED_PAUSE_MS = 10_000;
/** The timeout in ms, for a response of megabytes. */
const TIMEOUT_MS = 30_000;

const NOTHING: InstrumentsSnapshot = { instruments: [], readAtMs: undefined, failure: undefined };

export function createInstrumentsStore({ session, clock, log }: ResourcePorts): InstrumentsStore {
  const changes = createEmitter<undefined>((error) => log.error(`A view of the instruments failed: ${bugText(error)}`));
  const disposables = new DisposableList();
  let snapshot = NOTHING;
  let reading: Promise<void> | undefined;
  /** The earliest time of the next reading, on the clock that is never set. */
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

type InstrumentRow = RowOf<"instrument">;

/** Reads instruments. Rows without the shape of an instrument cannot be offered; the name can still be typed. */
function readInstruments({ result }: MaskedResponse, nowMs: number): readonly Instrument[] {
  if (!Array.isArray(result))
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("The response is not an array.") });
  const rows = (result as readonly unknown[]).flatMap((row) => readRow("instrument", row) ?? []);
  const instruments = rows.map((row) => ({
    name: row.instrument_name,
    kind: row.kind ?? "",
    isActive: isActive(row, nowMs),
    expiresAtMs: row.expiration_timestamp,
  }));
  return [...instruments.filter((each) => each.isActive), ...instruments.filter((each) => !each.isActive)];
}

/** Whether an instrument is active. `state` came later than `is_active`; either may be missing. */
function isActive(
  { is_active: isTraded = true, state = "open", expiration_timestamp: expiresAtMs = Infinity }: InstrumentRow,
  nowMs: number,
): boolean {
  return isTraded && state === "open" && expiresAtMs > nowMs;
}

/** Whether a failure lasts: the server does not have the method, or does not know `any`. */
function isLasting(failure: Failure): boolean {
  return failure.kind === "exchange" && retryPauseMs(failure, 0) === undefined;
}
