import type { Session } from "../../session/session.ts";
import type { ActivityEntry } from "./activity.ts";
import type { CheckedIntent } from "../judge/check.ts";
import type { IntentNote, JournalRecord } from "./journal.ts";
import { cancelledCount, type Outcome } from "../judge/outcome.ts";
import type { Situation } from "../intent/situation.ts";

/* What the journal keeps of intents and outcomes. */

/** Returns what is kept of an outcome: not the response itself. */
export function outcomeNote(outcome: Outcome): Pick<JournalRecord, "result" | "failure" | "state" | "count"> {
  const count = outcome.kind === "confirmed" ? cancelledCount(outcome.response) : undefined;
  return {
    result: outcome.kind,
    ...("failure" in outcome ? { failure: outcome.failure } : {}),
    ...stateNote(outcome),
    ...(count === undefined ? {} : { count }),
  };
}

/** Returns what the exchange made of a request, where that is not just what was requested. */
function stateNote(outcome: Outcome): Pick<JournalRecord, "state"> {
  if (outcome.kind === "confirmedOther") return { state: outcome.state };
  return outcome.kind === "confirmed" && outcome.notes !== undefined ? { state: outcome.notes.join(" ") } : {};
}

/** Returns what a later run needs of an intent that is about to be sent. */
export function noteOf(
  { server, session: { state } }: { readonly server?: string | undefined; readonly session: Pick<Session, "state"> },
  entry: ActivityEntry,
  { intent, targetId }: CheckedIntent,
  { situation, isSeen }: { readonly situation: Situation; readonly isSeen: boolean },
): IntentNote {
  const { action, target, sentence } = intent.words;
  const { clientId, userId } = state.status === "ready" ? state.identity : { clientId: undefined, userId: undefined };
  return {
    askedAtMs: entry.startedAtMs,
    connectionName: situation.connectionName,
    environment: situation.environment,
    ...(server === undefined ? {} : { server }),
    identity: situation.identity ?? "",
    ...(clientId === undefined ? {} : { clientId }),
    ...(userId === undefined ? {} : { userId }),
    action,
    target,
    ...(sentence === undefined ? {} : { sentence }),
    ...(targetId === undefined ? {} : { targetId }),
    ...(intent.covers === undefined ? {} : { covers: intent.covers }),
    ...(intent.before === undefined ? {} : { before: intent.before }),
    ...(isSeen ? { isSeen } : {}),
  };
}
