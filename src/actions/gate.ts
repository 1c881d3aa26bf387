import type { Event } from "../base/emitter.ts";
import type { Intent } from "./intent.ts";
import type { Outcome, Verdict } from "./outcome.ts";

/**
 * The only door for requests that come from a person. In this order: check the parameters, decide by effect and
 * environment, ask, look whether the situation is still the one that was asked about, journal, send once.
 */
export interface Gate {
  /** Runs an intent to its outcome. Never throws; never sends more than one frame. */
  submit(intent: Intent, options?: SubmitOptions): Promise<Outcome>;
  /** Intents of this window, newest first: pending, settled, and what reading added. */
  readonly activity: readonly ActivityEntry[];
  readonly onDidChangeActivity: Event<ActivityEntry>;
  /** Until when changes are allowed on production, ms since the Unix epoch; undefined while read-only. */
  readonly changesAllowedUntilMs: number | undefined;
  readonly onDidChangeAllowance: Event<void>;
  /** Asks and then allows changes on production for a while. Resolves to whether they are allowed. */
  allowChanges(): Promise<boolean>;
  makeReadOnly(): void;
  /** Looks again at an entry whose outcome is unknown or unverified. */
  checkAgain(id: string): Promise<void>;
}

export interface SubmitOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Send although the parameters break a rule; allowed for reads only. */
  readonly sendAnyway?: boolean;
}

/** One intent in the activity list. */
export interface ActivityEntry {
  readonly id: string;
  readonly intent: Intent;
  readonly connectionId: string;
  /** The order the intent is about; rows show what is pending on them. */
  readonly targetId: string | undefined;
  readonly phase: "asking" | "sending" | "verifying" | "done";
  readonly startedAtMs: number;
  readonly outcome: Outcome | undefined;
  readonly verdicts: readonly Verdict[];
}

/** A question for a person, in words. The gate puts one at a time. */
export type Question =
  | {
      readonly kind: "modal";
      readonly message: string;
      readonly detail: string;
      /** The button that says yes: verb and object. */
      readonly confirm: string;
      /** The way out. */
      readonly keep: string;
      /** For mass changes: a harmless first button that shows what is meant, so that Enter writes nothing. */
      readonly show?: string;
    }
  | {
      readonly kind: "typed";
      readonly message: string;
      /** What has to be typed, exactly. */
      readonly expected: string;
    };

/** Asks a person. Resolves to true only for an explicit yes. */
export type Ask = (question: Question) => Promise<boolean>;

/** Where intents are written before they are sent. In memory for now. */
export interface Journal {
  /** Resolves when the record is as safe as the journal makes it. */
  append(record: JournalRecord): Promise<void>;
}

export interface JournalRecord {
  readonly intentId: string;
  readonly atMs: number;
  readonly connectionId: string;
  readonly event: "intent" | "sent" | "outcome" | "verdict";
  readonly method: string;
  /** Parameters with secrets masked. */
  readonly paramsText: string;
  /** Kind of outcome or verdict, where the event is one. */
  readonly result: string | undefined;
}

