import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { aboutOf, isCancelOfOne } from "../../actions/changes/changes.ts";
import { effectOf, isCancel, type Effect } from "../../catalogue/index.ts";
import { wishText } from "../../actions/intent/intent.ts";
import { MAX_KEPT_RECORDS } from "../../actions/journal/journal.ts";
import { areSettling, isSettling, type OrderVerdict, type Verdict } from "../../actions/judge/outcome.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import { isUnresolved, type RecordedIntent } from "../../actions/journal/recordedIntents.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { failureSentences, failureText } from "../text/failureText.ts";
import { countedKinds } from "../text/joined.ts";
import { countText } from "../text/numbers.ts";
import { quoteIdOf } from "../outcomes/pendingChanges.ts";
import type { Times } from "../text/times.ts";

/*
 * Words on recorded intents that the rows, their sentences and the notices share. Nothing is claimed that was not
 * proved.
 */

/** Returns verb and object, e.g. `Cancel ETH-PERPETUAL buy 40 @ 2100`; the ID of an order whose words are unknown. */
export function intentTitle(intent: RecordedIntent): Plain {
  const { method, note } = intent;
  if (aboutOf(method) === "order" && note.targetId !== undefined) {
    // A request of a file says its method alone.
    const isNamed = note.target !== "" && note.target !== method;
    const order = isNamed ? plain.text(note.target, MAX_TITLE) : plain.name(note.targetId);
    return isCancelOfOne(method) ? l10n.t("Cancel {0}", order) : l10n.t("Edit {0}", order);
  }
  const quoteId = quoteIdOf(intent);
  if (quoteId !== undefined) return l10n.t("Cancel Quote {0}", plain.name(quoteId));
  return plain.text(wishText(note), MAX_TITLE);
}

/** Returns the environment and connection by their names at that time. */
export function intentPlace({ note }: RecordedIntent): Plain {
  return environmentWords(note.environment, note.connectionName);
}

/** Returns the outcome in a few words: `cancelled`, `verified cancelled`, `outcome unknown`. */
export function intentState(intent: RecordedIntent): Plain {
  const { outcome, verdicts } = intent;
  const verdict = tellingVerdict(verdicts);
  if (verdict !== undefined)
    return outcome?.kind === "rejected"
      ? l10n.t("refused, {0}", verdictState(verdict, intent))
      : verdictState(verdict, intent);
  switch (outcome?.kind) {
    case undefined:
      return openState(intent);
    case "notSent":
      return l10n.t("not sent");
    case "confirmed":
      return confirmedState(intent);
    case "confirmedOther":
      return isCancel(intent.method)
        ? l10n.t("{0}, not cancelled", stateWord(outcome.state))
        : l10n.t("response differs from request");
    case "rejected":
    case "failed":
      return l10n.t("refused");
    case "challenge":
      return l10n.t("2FA code required");
    case "unknown":
      return openState(intent);
  }
}

/**
 * Returns the verdict that tells most. Of several orders it is told what is known of each, also while some are open.
 */
function tellingVerdict(verdicts: readonly Verdict[]): Verdict | undefined {
  return verdicts.findLast(isSettling) ?? verdicts.findLast(({ kind }) => kind === "several");
}

/** Returns when the outcome was known, or else when it was asked for. Ms since the Unix epoch. */
export function intentTime({ outcome, verdicts, note, sentAtMs }: RecordedIntent): number {
  return (verdicts.findLast(isSettling) ?? outcome)?.atMs ?? sentAtMs ?? note.askedAtMs;
}

/** Returns a verdict in a few words. */
export function verdictState(verdict: Verdict, intent: RecordedIntent): Plain {
  if (verdict.kind === "several") return severalState(verdict.orders.map((each) => each.verdict));
  const isOfOrder = isCancel(intent.method);
  switch (verdict.kind) {
    case "applied":
      if (verdict.state !== undefined) return l10n.t("verified: {0}", plain.name(verdict.state));
      return isOfOrder ? l10n.t("verified cancelled") : l10n.t("change verified");
    case "notApplied":
      if (aboutOf(intent.method) === "newOrder") return l10n.t("verified not placed");
      return isOfOrder ? l10n.t("still {0}, not cancelled", stateWord(verdict.state)) : l10n.t("no effect yet");
    case "other":
      return isOfOrder ? l10n.t("verified {0}", stateWord(verdict.state)) : l10n.t("not as requested");
    case "gone":
      return isOfOrder ? l10n.t("no longer open") : l10n.t("no longer listed");
    case "unverified":
      return l10n.t("still unknown");
  }
}

function severalState(verdicts: readonly OrderVerdict[]): Plain {
  return countedKinds(
    verdicts,
    {
      applied: (n) => l10n.t("{0} verified cancelled", n),
      notApplied: (n) => l10n.t("{0} still open", n),
      other: (n) => l10n.t("{0} ended in another state", n),
      gone: (n) => l10n.t("{0} no longer open", n),
      unverified: (n) => l10n.t("{0} still unknown", n),
    },
    ", ",
  );
}

function openState(intent: RecordedIntent): Plain {
  const { outcome, holder, isSetAside } = intent;
  if (holder === "simulatorEnded") return l10n.t("outcome unknown, simulator ended");
  if (isSetAside) return l10n.t("outcome unknown, dismissed");
  if (outcome !== undefined || holder === "ended") return l10n.t("outcome unknown");
  return holder === "otherWindow" ? l10n.t("in progress in another window") : l10n.t("sending…");
}

function confirmedState({ method, outcome }: RecordedIntent): Plain {
  if (isCancelOfOne(method)) return l10n.t("cancelled");
  if (outcome?.count === undefined || !isCancel(method)) return l10n.t("confirmed");
  return outcome.count === 0 ? l10n.t("none cancelled") : l10n.t("{0} cancelled", countText(outcome.count));
}

function stateWord(state: string | undefined): Plain {
  return state === undefined ? l10n.t("no state") : plain.name(state);
}

/** Returns the outcome in whole sentences, with what the user can do where it is unknown. */
export function intentSentences(intent: RecordedIntent, times: Times): readonly Plain[] {
  const { outcome, verdicts, note, method, isKept } = intent;
  const place = intentPlace(intent);
  const verdict = verdicts.at(-1);
  const failure = outcome?.failure;
  const unproved =
    verdict?.kind === "unverified"
      ? [l10n.t("Checked at {0}: {1}", times.clock(verdict.atMs), plain.text(verdict.reason, MAX_REASON))]
      : [];
  const advice = adviceOf(intent);
  return [
    l10n.t(
      "{0} on {1}: {2}, {3}.",
      plain.text(note.sentence ?? intentTitle(intent), MAX_TITLE),
      place,
      intentState(intent),
      times.local(intentTime(intent)),
    ),
    ...reportedTerms(intent),
    ...(failure === undefined || isProved(intent) ? [] : [reasonOf(failure, effectOf(method), place, advice)]),
    ...unproved,
    ...advice,
    ...(isKept
      ? []
      : [l10n.t("This change couldn't be written to the disk. It won't be listed after this window is closed.")]),
  ];
}

/** Returns what the exchange made of a change: its own adjustments, or what differs from the request. */
function reportedTerms({ method, outcome }: RecordedIntent): readonly Plain[] {
  if (outcome?.state === undefined || isCancel(method)) return [];
  const state = plain.text(outcome.state, MAX_TERMS);
  return outcome.kind === "confirmed" ? [state] : [l10n.t("The exchange reports: {0}.", state)];
}

/** Returns why an outcome is open. Its own advice is about requests in general; that of the intent takes its place. */
function reasonOf(failure: Failure, effect: Effect, place: string, advice: readonly string[]): Plain {
  if (advice.length === 0) return failureSentences(failure, effect, place);
  const { happened, meaning } = failureText(failure, effect, place);
  return l10n.t("{0} {1}", happened, meaning);
}

function isProved({ outcome, verdicts }: RecordedIntent): boolean {
  return outcome?.kind === "unknown" && areSettling(verdicts);
}

/** Returns what will happen next, or can be done. Empty where nothing is open. */
function adviceOf(intent: RecordedIntent): readonly Plain[] {
  const place = intentPlace(intent);
  const { holder, isSetAside, outcome } = intent;
  if (isSetAside)
    return [l10n.t("You dismissed this item. It won't be checked again, and you won't be reminded of it.")];
  if (holder === "simulatorEnded" && outcome?.kind !== "confirmed")
    return [l10n.t("The simulator and its orders ended with its window. There is nothing left to check.")];
  if (!isUnresolved(intent)) return [];
  if (holder === "otherWindow")
    return [l10n.t("Another window is already checking this outcome. The result appears in Activity.")];
  if (isSwitch(intent.method))
    return [
      l10n.t(
        "No request can verify an account switch. Check in Connections which account is signed in now, then dismiss this item.",
      ),
    ];
  return [
    outcome === undefined && intent.sentAtMs === undefined
      ? l10n.t("The window closed before sending was recorded. The request may or may not have been sent.")
      : l10n.t("The request was sent, but its outcome is unknown."),
    l10n.t(
      "It is checked while {0} is connected with the API key {1}, and never sent again.",
      place,
      plain.name(intent.note.clientId ?? l10n.t("that sent it")),
    ),
  ];
}

/** Returns what the view keeps, as a sentence. */
export function retentionText(): Plain {
  return l10n.t(
    "Kept on this computer without secrets: the newest {0} steps of each connection and all unknown outcomes.",
    countText(MAX_KEPT_RECORDS),
  );
}

/** Returns what it means that the journal cannot be written to the disk. */
export function journalTroubleText(trouble: Plain): Plain {
  return l10n.t(
    "Changes can't be recorded: {0}. Cancels are still sent, but are not listed after this window is closed. All other changes are refused until they can be recorded.",
    trouble,
  );
}

/** Returns what earlier windows left, for the start. Undefined when there is nothing to tell. */
export function leftOverText(intents: readonly RecordedIntent[]): Plain | undefined {
  const open = intents.filter((intent) => isUnresolved(intent) && intent.holder !== "otherWindow");
  const [only] = open;
  if (only === undefined) return undefined;
  const places = [...new Set(open.map(intentPlace))];
  return open.length === 1
    ? l10n.t(
        "{0} on {1} had an unknown outcome when its window closed. It is checked when that connection is open. Nothing is sent again.",
        intentTitle(only),
        intentPlace(only),
      )
    : l10n.t(
        "{0} changes on {1} had an unknown outcome when their window closed. They are checked when the connection is open. Nothing is sent again.",
        countText(open.length),
        plain.join(places, ", "),
      );
}

const MAX_TITLE = 200;
const MAX_REASON = 300;
/** The most characters about the terms of an order: all of them may be different. */
const MAX_TERMS = 1500;
