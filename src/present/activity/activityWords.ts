import * as l10n from "@vscode/l10n";
import { aboutOf, isCancelOfOne } from "../../actions/changes/changes.ts";
import { effectOf, isCancel } from "../../catalogue/index.ts";
import { wishText } from "../../actions/intent.ts";
import { MAX_KEPT_RECORDS } from "../../actions/journal.ts";
import { isSettling, type OrderVerdict, type Verdict } from "../../actions/outcome.ts";
import { environmentWords } from "../../actions/policy.ts";
import { isUnresolved, type RecordedIntent } from "../../actions/recordedIntents.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";
import { plain } from "../../base/plain.ts";
import { failureSentences } from "../text/failureText.ts";
import { countText } from "../text/numbers.ts";
import { quoteIdOf } from "../outcomes/pendingChanges.ts";
import type { Times } from "../text/times.ts";

/*
 * Words on recorded intents that the rows, their sentences and the notices share. Nothing is claimed that was not
 * proved.
 */

/** Returns verb and object, e.g. `Cancel ETH-349280`: short, so that the outcome has room beside it. */
export function intentTitle(intent: RecordedIntent): string {
  const { method, note } = intent;
  if (aboutOf(method) === "order" && note.targetId !== undefined)
    return l10n.t("Cancel {0}", plain.name(note.targetId));
  const quoteId = quoteIdOf(intent);
  if (quoteId !== undefined) return l10n.t("Cancel Quote {0}", plain.name(quoteId));
  return plain.text(wishText(note), MAX_TITLE);
}

/** Returns the environment and connection by their names at that time. */
export function intentPlace({ note }: RecordedIntent): string {
  return environmentWords(note.environment, note.connectionName);
}

/** Returns the outcome in a few words: `cancelled`, `verified cancelled`, `outcome unknown`. */
export function intentState(intent: RecordedIntent): string {
  const { outcome, verdicts } = intent;
  const verdict = verdicts.findLast(isSettling);
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
        : l10n.t("answered, not as asked");
    case "rejected":
    case "failed":
      return l10n.t("refused");
    case "challenge":
      return l10n.t("second factor required");
    case "unknown":
      return openState(intent);
  }
}

/** Returns when the outcome was known, or else when it was asked for. Ms since the Unix epoch. */
export function intentTime({ outcome, verdicts, note, sentAtMs }: RecordedIntent): number {
  return (verdicts.findLast(isSettling) ?? outcome)?.atMs ?? sentAtMs ?? note.askedAtMs;
}

/** Returns a verdict in a few words. */
export function verdictState(verdict: Verdict, intent: RecordedIntent): string {
  if (verdict.kind === "several") return severalState(verdict.orders.map((each) => each.verdict));
  const isOfOrder = isCancel(intent.method);
  switch (verdict.kind) {
    case "applied":
      if (verdict.state !== undefined) return l10n.t("verified: {0}", plain.name(verdict.state));
      return isOfOrder ? l10n.t("verified cancelled") : l10n.t("verified done");
    case "notApplied":
      return isOfOrder
        ? l10n.t("still {0}, not cancelled", stateWord(verdict.state))
        : l10n.t("as before, not changed");
    case "other":
      return isOfOrder ? l10n.t("verified {0}", stateWord(verdict.state)) : l10n.t("not as asked");
    case "gone":
      return isOfOrder ? l10n.t("no longer open") : l10n.t("not listed any more");
    case "unverified":
      return l10n.t("still unknown");
  }
}

function severalState(verdicts: readonly OrderVerdict[]): string {
  const count = (kind: OrderVerdict["kind"]): number => verdicts.filter((each) => each.kind === kind).length;
  const part = (kind: OrderVerdict["kind"], words: (count: string) => string): readonly string[] =>
    count(kind) === 0 ? [] : [words(countText(count(kind)))];
  return [
    ...part("applied", (n) => l10n.t("{0} verified cancelled", n)),
    ...part("notApplied", (n) => l10n.t("{0} still open", n)),
    ...part("other", (n) => l10n.t("{0} ended otherwise", n)),
    ...part("gone", (n) => l10n.t("{0} no longer open", n)),
    ...part("unverified", (n) => l10n.t("{0} still unknown", n)),
  ].join(", ");
}

function openState(intent: RecordedIntent): string {
  const { outcome, holder, isSetAside } = intent;
  if (holder === "simulatorEnded") return l10n.t("outcome unknown, simulator ended");
  if (isSetAside) return l10n.t("outcome unknown, set aside");
  if (outcome !== undefined || holder === "nobody") return l10n.t("outcome unknown");
  return holder === "elsewhere" ? l10n.t("under way in another window") : l10n.t("sending…");
}

function confirmedState({ method, outcome }: RecordedIntent): string {
  if (isCancelOfOne(method)) return l10n.t("cancelled");
  if (outcome?.count === undefined || !isCancel(method)) return l10n.t("confirmed");
  return outcome.count === 0 ? l10n.t("none cancelled") : l10n.t("{0} cancelled", countText(outcome.count));
}

function stateWord(state: string | undefined): string {
  return state === undefined ? l10n.t("no state") : plain.name(state);
}

/** Returns the outcome in whole sentences, with what the user can do where it is unknown. */
export function intentSentences(intent: RecordedIntent, times: Times): readonly string[] {
  const { outcome, verdicts, note, method, isKept } = intent;
  const place = intentPlace(intent);
  const verdict = verdicts.at(-1);
  const failure = outcome?.failure;
  const unproved =
    verdict?.kind === "unverified"
      ? [l10n.t("Looked up at {0}: {1}", times.clock(verdict.atMs), plain.text(verdict.reason, MAX_REASON))]
      : [];
  return [
    l10n.t(
      "{0} on {1}: {2}, {3}.",
      plain.text(note.sentence ?? intentTitle(intent), MAX_TITLE),
      place,
      intentState(intent),
      times.local(intentTime(intent)),
    ),
    ...(failure === undefined || isProved(intent) ? [] : [failureSentences(failure, effectOf(method), place)]),
    ...unproved,
    ...adviceOf(intent),
    ...(isKept
      ? []
      : [l10n.t("It could not be written to the disk: it will not be listed after this window is closed.")]),
  ];
}

function isProved({ outcome, verdicts }: RecordedIntent): boolean {
  return outcome?.kind === "unknown" && verdicts.some(isSettling);
}

/** Returns what will happen next, or can be done. Empty where nothing is open. */
function adviceOf(intent: RecordedIntent): readonly string[] {
  const place = intentPlace(intent);
  const { holder, isSetAside, outcome } = intent;
  if (isSetAside) return [l10n.t("You have set it aside: nobody looks any more, and nothing reminds of it.")];
  if (holder === "simulatorEnded" && outcome?.kind !== "confirmed")
    return [l10n.t("The simulator ended with its window, and its orders with it: there is nothing left to look at.")];
  if (!isUnresolved(intent)) return [];
  if (holder === "elsewhere") return [l10n.t("Another window looks after it.")];
  if (isSwitch(intent.method))
    return [
      l10n.t(
        "No look at the exchange would show it. Whether the connection acts as another account now stands on every surface; once you have looked, stop the reminding.",
      ),
    ];
  return [
    outcome === undefined && intent.sentAtMs === undefined
      ? l10n.t("The window ended before the send was recorded: it may have been sent or not.")
      : l10n.t("It was sent, and nobody has proved what became of it."),
    l10n.t(
      "It is looked up, and never sent again, as soon as {0} is connected with the key {1}.",
      place,
      plain.name(intent.note.clientId ?? l10n.t("that sent it")),
    ),
  ];
}

/** Returns what the view keeps, as a sentence. */
export function retentionText(): string {
  return l10n.t(
    "Kept on this computer, without secrets: the newest {0} steps of each connection, and everything whose outcome is unknown.",
    countText(MAX_KEPT_RECORDS),
  );
}

/** Returns what it means that the journal cannot be written to the disk. */
export function journalTroubleText(trouble: string): string {
  return l10n.t(
    "Changes cannot be recorded: {0}. A cancel is sent all the same, but is not listed after this window is closed; everything else that changes something is refused until it can be recorded.",
    trouble,
  );
}

/** Returns what earlier windows left, for the start. Undefined when there is nothing to tell. */
export function leftOverText(intents: readonly RecordedIntent[]): string | undefined {
  const open = intents.filter((intent) => isUnresolved(intent) && intent.holder !== "elsewhere");
  const [only] = open;
  if (only === undefined) return undefined;
  const places = [...new Set(open.map(intentPlace))];
  return open.length === 1
    ? l10n.t(
        "{0} on {1} was left with an unknown outcome when its window ended. It is looked up when that connection is open; nothing is sent again.",
        intentTitle(only),
        intentPlace(only),
      )
    : l10n.t(
        "{0} changes on {1} were left with an unknown outcome when their window ended. They are looked up when the connection is open; nothing is sent again.",
        countText(open.length),
        places.join(", "),
      );
}

const MAX_TITLE = 200;
const MAX_REASON = 300;
