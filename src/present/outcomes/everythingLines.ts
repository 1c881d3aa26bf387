import { aboutOf } from "../../actions/changes/changes.ts";
import type { LeftOver } from "../../actions/changes/cancelEverything.ts";
import { describeOrder } from "../../actions/changes/orders.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import { cancelledCount, type Outcome } from "../../actions/judge/outcome.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { METHOD_NOT_FOUND } from "../../catalogue/codes.ts";
import { isIsolated } from "../../state/isolated.ts";
import { failureText } from "../text/failureText.ts";
import { countText } from "../text/numbers.ts";

/** The outcomes of one connection after Cancel Everything, in the order of its intents. */
export interface EverythingOutcomes {
  /** The environment and name of the connection. */
  readonly place: Plain;
  readonly intents: readonly Pick<Intent, "method" | "covers">[];
  readonly outcomes: readonly Outcome[];
  /** What is open 2 s later; `unread` where that could not be read, undefined where nothing was sent. */
  readonly left: LeftOver | "unread" | undefined;
}

/** Returns what became of the orders and quotes of one connection, in one line. Says no more than was proved. */
export function everythingLine({ place, intents, outcomes, left }: EverythingOutcomes): Plain {
  const nothing = nothingSent(place, outcomes);
  if (nothing !== undefined) return nothing;
  const parts = intents.flatMap((intent, index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? [] : [l10n.t("{0}: {1}", subjectText(intent), outcomeWords(outcome, intent, place))];
  });
  const line = l10n.t("Cancel Everything: {0} · {1}", place, plain.join([...parts, ...leftParts(left)], " · "));
  return line.endsWith(".") ? line : l10n.t("{0}.", line);
}

/** The most orders and quotes that a line names. */
const MAX_NAMED = 3;

function leftParts(left: LeftOver | "unread" | undefined): readonly Plain[] {
  if (left === undefined) return [];
  if (left === "unread") return [l10n.t("what is open now couldn't be read")];
  const { remaining, placedSince, remainingQuotes, areQuotesRead } = left;
  const named = plain.join(placedSince.slice(0, MAX_NAMED), ", ");
  const isolated = remaining.filter(isIsolated).slice(0, MAX_NAMED).map(describeOrder);
  const parts = [
    ...(remaining.length > 0 ? [l10n.t("orders still open: {0}", countText(remaining.length))] : []),
    ...(isolated.length > 0
      ? [l10n.t("not reached: {0}. Cancel them one by one in Orders", plain.join(isolated, ", "))]
      : []),
    ...(remainingQuotes > 0 ? [l10n.t("Block RFQ quotes still open: {0}", countText(remainingQuotes))] : []),
    ...(placedSince.length > 0 && placedSince.length <= MAX_NAMED ? [l10n.t("placed since and open: {0}", named)] : []),
    ...(placedSince.length > MAX_NAMED
      ? [l10n.t("placed since and open: {0}, and {1} more", named, countText(placedSince.length - MAX_NAMED))]
      : []),
  ];
  if (parts.length > 0) return parts;
  return [areQuotesRead ? l10n.t("no open orders or quotes 2 s later") : l10n.t("no open orders 2 s later")];
}

/** Whether everything on a connection is proved to be cancelled, and nothing was placed since. */
export function isAllCancelled({ intents, outcomes, left }: EverythingOutcomes): boolean {
  if (left === undefined || left === "unread") return false;
  if (left.remaining.length + left.placedSince.length + left.remainingQuotes > 0) return false;
  return outcomes.every((outcome, index) => {
    if (isNotOffered(outcome)) return aboutOf(intents[index]?.method ?? "") !== "orders";
    return outcome.kind === "confirmed" && outcome.isolatedLeft === undefined && !isOtherCount(outcome, intents[index]);
  });
}

function nothingSent(place: Plain, outcomes: readonly Outcome[]): Plain | undefined {
  const reasons = new Set(outcomes.map((each) => reasonNotSent(each, place)));
  const [reason] = reasons;
  return reasons.size === 1 && reason !== undefined
    ? l10n.t("Cancel Everything: {0} · nothing was sent: {1}", place, reason)
    : undefined;
}

function reasonNotSent(outcome: Outcome, place: string): Plain | undefined {
  return outcome.kind === "notSent" ? failureText(outcome.failure, "mass", place).happened : undefined;
}

function subjectText({ method }: Pick<Intent, "method">): Plain {
  const about = aboutOf(method);
  if (about === "orders") return l10n.t("orders");
  return about === "quotes" ? l10n.t("Block RFQ quotes") : l10n.t("mass quotes");
}

function outcomeWords(outcome: Outcome, intent: Pick<Intent, "method" | "covers">, place: string): Plain {
  switch (outcome.kind) {
    case "confirmed": {
      const count = cancelledCount(outcome.response);
      if (count === undefined) return l10n.t("cancelled");
      return isOtherCount(outcome, intent)
        ? l10n.t("{0} cancelled, {1} were shown, being checked", countText(count), countText(shownCount(intent)))
        : outcome.isolatedLeft !== undefined
          ? l10n.t("{0} cancelled, isolated orders aren't covered", countText(count))
          : l10n.t("{0} cancelled", countText(count));
    }
    case "rejected":
      return isNotOffered(outcome)
        ? l10n.t("not supported by this server")
        : l10n.t("refused by the exchange: {0}", failureText(outcome.failure, "mass", place).happened);
    case "notSent":
      return l10n.t("not sent: {0}", reasonNotSent(outcome, place) ?? "");
    case "confirmedOther":
      return plain.text(outcome.state);
    case "challenge":
      return l10n.t("2FA is required. Nothing has been changed yet.");
    case "failed":
    case "unknown":
      return isNotOffered(outcome) ? l10n.t("not supported by this server") : l10n.t("outcome unknown, being checked");
  }
}

function isNotOffered(outcome: Outcome): boolean {
  const isError = outcome.kind === "rejected" || outcome.kind === "unknown";
  return isError && outcome.failure.kind === "exchange" && outcome.failure.code === METHOD_NOT_FOUND;
}

function isOtherCount(
  outcome: Extract<Outcome, { kind: "confirmed" }>,
  intent: Pick<Intent, "covers"> | undefined,
): boolean {
  const count = cancelledCount(outcome.response);
  return intent?.covers !== undefined && count !== undefined && count !== intent.covers.length;
}

function shownCount({ covers = [] }: Pick<Intent, "covers">): number {
  return covers.length;
}
