import type { ActivityEntry } from "../../actions/journal/activity.ts";
import { aboutOf } from "../../actions/changes/changes.ts";
import { isCancel } from "../../catalogue/index.ts";
import { isPartlyFilled } from "../../actions/intent/fill.ts";
import type { OrderVerdict, Outcome, Verdict, VerdictOfOrder } from "../../actions/judge/outcome.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { cancelReason } from "./cancelReasons.ts";
import { countText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";
import { countedKinds, joined } from "../text/joined.ts";

/* What became of many changes, in one message, and one by one for who wants to read it. */

/** The result of checking a change whose outcome was open. */
export interface FoundOutcome {
  readonly entry: ActivityEntry;
  /** The verdict; undefined where the exchange's own response came late and settled it. */
  readonly verdict: Verdict | undefined;
}

/** A line of the list of verdicts. */
export interface FoundLine {
  readonly target: Plain;
  readonly text: Plain;
}

/** Returns the outcomes of several cancels, counted. `place` names environment and connection. */
export function outcomesSummary(outcomes: readonly Outcome[], place: Plain): Plain {
  const count = (kinds: readonly Outcome["kind"][]): number =>
    outcomes.filter((each) => kinds.includes(each.kind)).length;
  const isStopped = (each: Outcome): boolean =>
    each.kind === "notSent" && each.failure.kind === "stopped" && each.failure.reason === undefined;
  const stopped = outcomes.filter(isStopped).length;
  return plain.join(
    [
      l10n.t("{0} of {1} cancelled on {2}.", countText(count(["confirmed"])), countText(outcomes.length), place),
      ...sentenceIf(
        outcomes.filter((each) => each.kind === "confirmed" && isPartlyFilled(each.response.result)).length,
        (n) => l10n.t("Partially filled before the cancel: {0}.", n),
      ),
      ...sentenceIf(count(["confirmedOther"]), (n) => l10n.t("{0} ended for another reason.", n)),
      ...sentenceIf(count(["rejected", "failed", "challenge"]), (n) => l10n.t("{0} refused by the exchange.", n)),
      ...sentenceIf(stopped, (n) => l10n.t("{0} not sent, because you stopped.", n)),
      ...sentenceIf(count(["notSent"]) - stopped, (n) => l10n.t("{0} not sent.", n)),
      ...sentenceIf(count(["unknown"]), (n) => l10n.t("{0} with unknown outcome, being checked.", n)),
    ],
    " ",
  );
}

/** Returns what reading found out about the orders of one request. */
export function severalText(
  wish: Plain,
  verdict: Extract<Verdict, { kind: "several" }>,
  { place, times }: { readonly place: Plain; readonly times: Times },
): Plain {
  const counted = countSentences(verdict.orders.map((each) => each.verdict));
  return verdict.isLate
    ? l10n.t("{0} on {1}, later update at {2}: {3}", wish, place, times.clock(verdict.atMs), counted)
    : l10n.t("{0} on {1}, checked at {2}: {3}", wish, place, times.clock(verdict.atMs), counted);
}

/** Returns what was found out about many outcomes that were unknown, counted. */
export function foundSummary(found: readonly FoundOutcome[], place: Plain): Plain {
  const verdictsOf = (some: readonly FoundOutcome[]): readonly OrderVerdict[] =>
    some.flatMap(({ verdict }) =>
      verdict === undefined ? [] : verdict.kind === "several" ? verdict.orders.map((each) => each.verdict) : [verdict],
    );
  const cancels = verdictsOf(found.filter(({ entry }) => isOfSingleCancels(entry)));
  const others = verdictsOf(found.filter(({ entry }) => !isOfSingleCancels(entry)));
  const answered = found.filter(({ verdict }) => verdict === undefined).length;
  const all = cancels.length + others.length + answered;
  return joined(
    [
      l10n.t("Checked {0} unknown outcomes on {1}.", countText(all), place),
      countSentences(cancels),
      changeSentences(others),
      ...sentenceIf(answered, (n) => l10n.t("Late response received for {0}.", n)),
    ],
    " ",
  );
}

/** Returns what was found out about outcomes that were unknown, order by order. */
export function foundOutcomeLines(found: readonly FoundOutcome[], times: Times): FoundLine[] {
  return found.flatMap(({ entry, verdict }): FoundLine[] => {
    const target = plain.text(entry.intent.words.target, MAX_TARGET);
    if (verdict === undefined) return [{ target, text: l10n.t("late response received") }];
    if (verdict.kind !== "several")
      return [{ target, text: isOfSingleCancels(entry) ? verdictWords(verdict, times) : changeWords(verdict, times) }];
    const names = new Map((entry.intent.covers ?? []).map((each) => [each.orderId, each.target]));
    return verdict.orders.map((each: VerdictOfOrder) => ({
      target: l10n.t(
        "{0} · {1}",
        plain.text(names.get(each.orderId) ?? "", MAX_TARGET),
        plain.text(each.orderId, MAX_TARGET),
      ),
      text: verdictWords(each.verdict, times),
    }));
  });
}

function verdictWords(verdict: OrderVerdict, times: Times): Plain {
  const time = times.clock(verdict.atMs);
  switch (verdict.kind) {
    case "applied":
      return l10n.t(
        "verified cancelled at {0} (cause: {1})",
        time,
        cancelReason(verdict.cause)?.brief ?? l10n.t("not stated"),
      );
    case "notApplied":
      return l10n.t("still {0} as of {1}, not cancelled", plain.text(verdict.state, MAX_TARGET), time);
    case "other":
      return l10n.t(
        "verified as {0} at {1}, but not because of this cancel",
        plain.text(verdict.state, MAX_TARGET),
        time,
      );
    case "gone":
      return l10n.t("no longer open as of {0} (may be cancelled or filled)", time);
    case "unverified":
      return l10n.t("still unknown at {0}: {1}", time, plain.text(verdict.reason, MAX_REASON));
  }
}

/** Whether its verdicts are about single orders or quotes; else about a key, limits, or all quotes together. */
function isOfSingleCancels({ intent: { method } }: ActivityEntry): boolean {
  return isCancel(method) && aboutOf(method) !== "quotes";
}

/** Returns what was found out about a change of something that is not an order. */
function changeWords(verdict: OrderVerdict, times: Times): Plain {
  const time = times.clock(verdict.atMs);
  switch (verdict.kind) {
    case "applied":
      return verdict.state === undefined
        ? l10n.t("verified at {0} that it took effect", time)
        : l10n.t("checked at {0}: {1}", time, plain.text(verdict.state, MAX_REASON));
    case "notApplied":
      return l10n.t("not carried out as of {0}: {1}", time, plain.text(verdict.state, MAX_REASON));
    case "other":
      return l10n.t("not as requested at {0}: {1}", time, plain.text(verdict.state, MAX_REASON));
    case "gone":
      return l10n.t("no longer listed as of {0}", time);
    case "unverified":
      return verdictWords(verdict, times);
  }
}

function changeSentences(verdicts: readonly OrderVerdict[]): Plain {
  return countedKinds(
    verdicts,
    {
      applied: (n) => l10n.t("{0} took effect.", n),
      notApplied: (n) => l10n.t("{0} not carried out, but may still take effect late.", n),
      other: (n) => l10n.t("{0} not as requested.", n),
      gone: (n) => l10n.t("{0} no longer listed.", n),
      unverified: (n) => l10n.t("{0} still unknown. Check on the exchange, or use Check Again.", n),
    },
    " ",
  );
}

function countSentences(verdicts: readonly OrderVerdict[]): Plain {
  return countedKinds(
    verdicts,
    {
      applied: (n) => l10n.t("{0} verified cancelled.", n),
      notApplied: (n) => l10n.t("{0} still open and not cancelled, but a late cancel is still possible.", n),
      other: (n) => l10n.t("{0} ended for another reason.", n),
      gone: (n) => l10n.t("{0} no longer open (may be cancelled or filled).", n),
      unverified: (n) => l10n.t("{0} still unknown. Check on the exchange, or use Check Again.", n),
    },
    " ",
  );
}

function sentenceIf(count: number, sentence: (count: Plain) => Plain): readonly Plain[] {
  return count === 0 ? [] : [sentence(countText(count))];
}

const MAX_TARGET = 160;
const MAX_REASON = 300;
