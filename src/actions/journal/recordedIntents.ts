import type { Failure } from "../../base/failure.ts";
import type { IntentNote, JournalRecord } from "./journal.ts";
import { areSettling, isOutcomeKind, verdictKey, type Outcome, type Verdict } from "../judge/outcome.ts";

/** An intent from the journals, of this window or another one, of this run or an earlier one. */
export interface RecordedIntent {
  readonly id: string;
  readonly connectionId: string;
  readonly method: string;
  /** The parameters, with secrets masked. */
  readonly paramsText: string;
  readonly note: IntentNote;
  /** The time when it was written down, right after the confirmation; ms since the Unix epoch, like all times here. */
  readonly writtenAtMs: number;
  readonly sentAtMs: number | undefined;
  readonly wireId: number | undefined;
  /** The recorded outcome; undefined while it is under way, or where its run ended before writing one. */
  readonly outcome: RecordedOutcome | undefined;
  readonly verdicts: readonly Verdict[];
  /** Whether the user has dealt with it. */
  readonly isSetAside: boolean;
  readonly holder: Holder;
  /** Whether its record is on the disk. */
  readonly isKept: boolean;
}

/**
 * The owner of an intent: this window, another open window, or one that has ended. `simulatorEnded`: it went to a
 * simulator that ended with its window.
 */
export type Holder = "here" | "otherWindow" | "ended" | "simulatorEnded";

export interface RecordedOutcome {
  readonly kind: Outcome["kind"];
  readonly atMs: number;
  readonly failure: Failure | undefined;
  /** The state that the exchange reported instead of the wanted one. */
  readonly state: string | undefined;
  /** The number of orders that the exchange says it cancelled. */
  readonly count: number | undefined;
}

/** A record with what its journal knows of it. */
export interface HeldRecord {
  readonly record: JournalRecord;
  readonly holder: Holder;
  readonly isKept: boolean;
}

/**
 * Combines records into intents, newest first. Records without their intent are left out. Of equal verdicts the last
 * one counts. Each was found by a look of its own, or repeated when a process died while taking records over.
 */
export function recordedIntents(records: readonly HeldRecord[]): readonly RecordedIntent[] {
  const intents = new Map<string, { intent: RecordedIntent; readonly verdicts: Map<string, Verdict> }>();
  const inOrder = records.toSorted((a, b) => rank(a.record) - rank(b.record) || a.record.atMs - b.record.atMs);
  for (const held of inOrder) {
    const { intentId, verdict } = held.record;
    const present = intents.get(intentId);
    if (present === undefined) {
      const intent = started(held);
      if (intent !== undefined) intents.set(intentId, { intent, verdicts: new Map() });
    } else if (held.record.event !== "verdict") present.intent = continued(present.intent, held.record);
    else if (verdict !== undefined) {
      const key = verdictKey(verdict);
      present.verdicts.delete(key);
      present.verdicts.set(key, verdict);
    }
  }
  return [...intents.values()]
    .map(({ intent, verdicts }) => ({ ...intent, verdicts: [...verdicts.values()] }))
    .sort((a, b) => b.note.askedAtMs - a.note.askedAtMs);
}

/** Whether the outcome is unknown, and no response is waited for any more. */
export function isUnresolved(intent: RecordedIntent): boolean {
  const { outcome, verdicts, holder, isSetAside } = intent;
  if (isSetAside || holder === "simulatorEnded") return false;
  if (outcome === undefined) return holder === "ended";
  return outcome.kind === "unknown" && !areSettling(verdicts);
}

/** Returns the rank of a step. The clock may have been set back between two steps: the first one stays the first. */
function rank({ event }: JournalRecord): number {
  return event === "intent" ? 0 : 1;
}

function started({ record, holder, isKept }: HeldRecord): RecordedIntent | undefined {
  const { event, intentId, connectionId, method, paramsText, note, atMs } = record;
  if (event !== "intent" || note === undefined) return undefined;
  return {
    id: intentId,
    connectionId,
    method,
    paramsText,
    note,
    writtenAtMs: atMs,
    sentAtMs: undefined,
    wireId: undefined,
    outcome: undefined,
    verdicts: [],
    isSetAside: false,
    holder,
    isKept,
  };
}

function continued(intent: RecordedIntent, record: JournalRecord): RecordedIntent {
  switch (record.event) {
    case "intent":
    case "verdict":
      return intent;
    case "sent":
      return { ...intent, sentAtMs: record.atMs, wireId: record.wireId };
    case "outcome":
      return { ...intent, outcome: outcomeOfRecord(record) ?? intent.outcome };
    case "setAside":
      return { ...intent, isSetAside: true };
  }
}

function outcomeOfRecord({ result, atMs, failure, state, count }: JournalRecord): RecordedOutcome | undefined {
  return result !== undefined && isOutcomeKind(result) ? { kind: result, atMs, failure, state, count } : undefined;
}
