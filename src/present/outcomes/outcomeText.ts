import { isSecondFactor } from "../../catalogue/codes.ts";
import { effectOfCall } from "../../actions/judge/check.ts";
import { isCancel } from "../../catalogue/index.ts";
import { wishText, type Intent } from "../../actions/intent/intent.ts";
import { aboutOf, isCancelOfOne, toldBy, whyNotTold } from "../../actions/changes/changes.ts";
import { fillOf, type Fill } from "../../actions/intent/fill.ts";
import {
  cancelledCount,
  isolatedLeftText,
  partlyFilledCount,
  type Outcome,
  type Verdict,
} from "../../actions/judge/outcome.ts";
import { isAnsweredByCode, readChallenge } from "../../actions/judge/secondFactor.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { cancelReason } from "./cancelReasons.ts";
import { failureSentences, failureText } from "../text/failureText.ts";
import { countText, numberText } from "../text/numbers.ts";
import { severalText } from "./severalOutcomes.ts";
import type { Times } from "../text/times.ts";

/** The subject of an outcome. */
export interface OutcomeContext {
  readonly intent: Pick<Intent, "method" | "paramsText" | "words" | "covers" | "filledAsShown">;
  /** The environment and connection, e.g. "TESTNET main". */
  readonly place: Plain;
  readonly times: Times;
}

/**
 * Returns the outcome of an intent, in sentences. Says no more than was proved: "cancelled" only where the exchange
 * says so.
 */
export function outcomeText(outcome: Outcome, context: OutcomeContext): Plain {
  const { place } = context;
  const wish = wishOf(context);
  const effect = effectOfCall(context.intent);
  switch (outcome.kind) {
    case "notSent": {
      const { happened, advice } = failureText(outcome.failure, effect, place);
      const reason = advice === "" ? happened : l10n.t("{0} {1}", happened, advice);
      return effect === "read"
        ? l10n.t("Not sent to {0}: {1}", place, reason)
        : l10n.t("Not sent to {0}, so nothing was changed: {1}", place, reason);
    }
    case "confirmed":
      return outcome.isolatedLeft !== undefined
        ? l10n.t("{0} {1}", confirmedText(outcome, context), isolatedLeftText(outcome.isolatedLeft))
        : confirmedText(outcome, context);
    case "confirmedOther":
      return isOfOrder(context)
        ? withFill(
            l10n.t("{0} on {1}: the exchange reports {2}.", targetOf(context), place, plain.name(outcome.state)),
            fillOf(outcome.response.result),
          )
        : plain.join(
            [
              l10n.t(
                "{0} on {1}: the exchange returned a different result than requested: {2}.",
                wish,
                place,
                plain.text(outcome.state, MAX_TERMS),
              ),
              ...placedAsText(outcome.response, context),
            ],
            " ",
          );
    case "rejected":
      return l10n.t(
        "{0} on {1}: refused by the exchange. {2}",
        wish,
        place,
        failureSentences(outcome.failure, effect, place),
      );
    case "challenge":
      return l10n.t(
        "{0} on {1}: 2FA is required. Nothing has been changed yet.{2}",
        wish,
        place,
        otherFactorText(outcome.response),
      );
    case "failed":
      return l10n.t("{0} on {1}: no result. {2}", wish, place, failureSentences(outcome.failure, effect, place));
    case "unknown":
      return l10n.t(
        "{0} on {1}: outcome unknown, checking… {2}",
        wish,
        place,
        failureText(outcome.failure, effect, place).happened,
      );
  }
}

/** Whether only the 2FA code prevented a change: nothing was changed, and the same change may be tried again. */
export function isCodeRefused(outcome: Outcome): boolean {
  if (outcome.kind === "rejected") return isSecondFactor(outcome.failure.code);
  const challenge = outcome.kind === "challenge" ? readChallenge(outcome.response.result) : undefined;
  return challenge !== undefined && isAnsweredByCode(challenge);
}

/**
 * Returns what reading found out afterwards, in sentences. Of a triggered order, the part that matters most is another
 * order.
 */
export function verdictText(verdict: Verdict, context: OutcomeContext): Plain {
  const found = foundText(verdict, context);
  return isTriggered(verdict)
    ? l10n.t("{0} A new order with another ID took its place and may already be filled. Check Open Orders.", found)
    : found;
}

/** Whether the order was triggered: it is over, and another one has taken its place. */
function isTriggered(verdict: Verdict): boolean {
  return (verdict.kind === "other" || verdict.kind === "applied") && /^triggered\b/.test(verdict.state ?? "");
}

function foundText(verdict: Verdict, context: OutcomeContext): Plain {
  const { place } = context;
  const time = context.times.clock(verdict.atMs);
  const target = targetOf(context);
  switch (verdict.kind) {
    case "applied":
      return appliedText(verdict, context);
    case "notApplied":
      if (isPlacement(context))
        return l10n.t(
          "{0} on {1}: not placed. Checked at {2}: its deadline has passed, and no order with its label exists.",
          wishOf(context),
          place,
          time,
        );
      if (isOfOrder(context))
        return l10n.t(
          "{0} on {1}: still {2} as of {3}, not cancelled. A late cancel is still possible. Watching for 60 s.",
          target,
          place,
          plain.text(verdict.state, MAX_TERMS),
          time,
        );
      if (verdict.isFinal === true)
        return l10n.t(
          "{0} on {1}: not applied. Checked at {3}: its deadline has passed, and nothing has changed since ({2}).",
          target,
          place,
          plain.text(verdict.state, MAX_TERMS),
          time,
        );
      return l10n.t(
        "{0} on {1}: no effect yet at {3} ({2}). It may still take effect. Watching for 60 s.",
        target,
        place,
        plain.text(verdict.state, MAX_TERMS),
        time,
      );
    case "other":
      if (isOfOrder(context))
        return withFill(
          l10n.t(
            "{0} on {1}: verified as {2} at {3}, but not because of this cancel.",
            target,
            place,
            plain.name(verdict.state),
            time,
          ),
          verdict.fill,
        );
      return l10n.t(
        "{0} on {1}: not as requested at {3}: {2}. It was changed by another client or not applied.",
        target,
        place,
        plain.text(verdict.state, MAX_TERMS),
        time,
      );
    case "gone":
      return isOfOrder(context)
        ? l10n.t(
            "{0} on {1}: no longer open as of {2}. It may have been cancelled or filled. Check the trade history.",
            target,
            place,
            time,
          )
        : l10n.t("{0} on {1}: no longer listed as of {2}. The outcome is unknown.", target, place, time);
    case "several":
      return severalText(wishOf(context), verdict, context);
    case "unverified":
      // No look at the exchange would show it.
      if (whyNotTold(context.intent.method) !== undefined)
        return l10n.t("{0} on {1}: the outcome is unknown. {2}", wishOf(context), place, asSentence(verdict.reason));
      if (toldBy(context.intent) === "nothing")
        return l10n.t(
          "{0} on {1}: the outcome is unknown. {2} Check on the exchange.",
          wishOf(context),
          place,
          asSentence(verdict.reason),
        );
      return l10n.t(
        "{0} on {1}: outcome still unknown at {2}: {3} Check on the exchange, or use Check Again.",
        wishOf(context),
        place,
        time,
        asSentence(verdict.reason),
      );
  }
}

type Confirmed = Extract<Outcome, { kind: "confirmed" }>;

function confirmedText(outcome: Confirmed, context: OutcomeContext): Plain {
  const { place, intent } = context;
  const { response } = outcome;
  if (aboutOf(intent.method) === "orders" || isCancelOfQuotes(context)) {
    const counted = countedText(cancelledCount(response), intent.covers?.length, context);
    const partly = partlyFilledCount(response);
    return partly === 0 ? counted : l10n.t("{0} Partially filled before the cancel: {1}.", counted, countText(partly));
  }
  if (isSwitch(intent.method)) return l10n.t("Switched to {0}.", place);
  if (aboutOf(intent.method) === "quote") return cancelledText(response, context);
  if (isCancelOfOne(intent.method)) {
    const state = stateOf(response);
    if (state === "cancelled") return cancelledText(response, context);
    return l10n.t(
      "{0} on {1}: the exchange reports {2}.",
      targetOf(context),
      place,
      state === undefined ? l10n.t("no state") : plain.name(state),
    );
  }
  if (effectOfCall(context.intent) === "read") return l10n.t("{0} on {1}: response received.", wishOf(context), place);
  return plain.join(
    [
      outcome.isAcknowledged === true ? acknowledgedText(response, context) : changedText(response, context),
      ...(outcome.notes ?? []).map((sentence) => plain.text(sentence, MAX_STATE)),
    ],
    " ",
  );
}

/** Returns the text of an order that was passed on to another venue, whose fills come later. */
function acknowledgedText({ result }: MaskedResponse, context: OutcomeContext): Plain {
  if (!isPlacement(context))
    return l10n.t(
      "{0} on {1}: acknowledged. The venue that the order was passed on to hasn't confirmed it yet.",
      wishOf(context),
      context.place,
    );
  return l10n.t(
    "{0} on {1}: acknowledged as order {2}. The venue it was passed on to hasn't confirmed it yet, so it is neither open nor filled.",
    wishOf(context),
    context.place,
    plain.name(String(orderIn(result)["order_id"])),
  );
}

/** Returns the text of a change that was confirmed. Of an order it matters too how much was filled, even if nothing. */
function changedText(response: MaskedResponse, context: OutcomeContext): Plain {
  const { place, intent } = context;
  const fill = fillOf(response.result);
  const confirmed = isPlacement(context)
    ? placedText(response, context)
    : l10n.t("{0} on {1}: confirmed by the exchange.", wishOf(context), place);
  if (fill === undefined) return confirmed;
  const filled = l10n.t("{0} {1} filled.", confirmed, fillWords(fill));
  return isOtherFill(fill, intent)
    ? l10n.t("{0} You saw {1} filled.", filled, numberText(intent.filledAsShown ?? 0))
    : filled;
}

/** Returns the text of a placed order: its ID and state, as the exchange reports them. */
function placedText({ result }: MaskedResponse, context: OutcomeContext): Plain {
  const { order_id: id, order_state: state } = orderIn(result);
  return l10n.t(
    "{0} on {1}: placed as order {2}, which is {3}.",
    wishOf(context),
    context.place,
    plain.name(String(id)),
    plain.name(String(state)),
  );
}

/** Returns which order was placed with other terms than requested, unless the words about these say that it ended. */
function placedAsText({ result }: MaskedResponse, context: OutcomeContext): readonly Plain[] {
  const { order_id: id, order_state: state } = orderIn(result);
  if (!isPlacement(context) || typeof id !== "string" || state === "cancelled" || state === "rejected") return [];
  return [l10n.t("It was placed as order {0}, which is {1}.", plain.name(id), plain.name(String(state)))];
}

function orderIn(result: unknown): Readonly<Record<string, unknown>> {
  return isObject(result) && isObject(result["order"]) ? result["order"] : {};
}

/** Returns the text of a cancelled order. If more was filled than the user had seen, that comes first. */
function cancelledText(response: MaskedResponse, context: OutcomeContext): Plain {
  const {
    place,
    intent: { filledAsShown = 0 },
  } = context;
  const fill = fillOf(response.result);
  if (fill !== undefined && isOtherFill(fill, context.intent)) {
    return l10n.t(
      "Filled {0}, then cancelled on {1}: {2}. You saw {3} filled.",
      fillWords(fill),
      place,
      targetOf(context),
      numberText(filledAsShown),
    );
  }
  return withFill(l10n.t("Cancelled on {0}: {1}.", place, targetOf(context)), fill);
}

/** Whether more or less was filled than the user had seen when asking for it. */
export function isFilledOtherwise(outcome: Outcome, intent: Pick<Intent, "filledAsShown">): boolean {
  return outcome.kind === "confirmed" && isOtherFill(fillOf(outcome.response.result), intent);
}

/** Whether a confirmed order looks otherwise than it was requested, or was only acknowledged. */
export function hasNotes(outcome: Outcome): boolean {
  return outcome.kind === "confirmed" && (outcome.notes !== undefined || outcome.isAcknowledged === true);
}

function isOtherFill(fill: Fill | undefined, { filledAsShown }: Pick<Intent, "filledAsShown">): boolean {
  return fill !== undefined && filledAsShown !== undefined && fill.filled !== filledAsShown;
}

function withFill(sentence: Plain, fill: Fill | undefined): Plain {
  return fill === undefined || fill.filled === 0 ? sentence : l10n.t("{0} {1} filled.", sentence, fillWords(fill));
}

function fillWords({ filled, amount }: Fill): Plain {
  return amount === undefined ? numberText(filled) : l10n.t("{0} of {1}", numberText(filled), numberText(amount));
}

/** Returns the text of a count, which proves how many ended, not which ones. */
function countedText(count: number | undefined, shown: number | undefined, context: OutcomeContext): Plain {
  const { place } = context;
  const wish = wishOf(context);
  if (count === undefined) return l10n.t("{0} on {1}: confirmed by the exchange.", wish, place);
  if (count === 0) {
    const none = isCancelOfQuotes(context)
      ? l10n.t("{0} on {1}: the exchange reports that no quotes were cancelled.", wish, place)
      : l10n.t("{0} on {1}: the exchange reports that no orders were cancelled.", wish, place);
    return (shown ?? 0) === 0
      ? none
      : l10n.t("{0} But {1} were shown. Checking the outcome of each…", none, countText(shown ?? 0));
  }
  if (shown === undefined || shown === count)
    return l10n.t("{0} on {1}: the exchange reports {2} cancelled.", wish, place, countText(count));
  return l10n.t(
    "{0} on {1}: the exchange reports {2} cancelled, but {3} were shown. Checking the outcome of each…",
    wish,
    place,
    countText(count),
    countText(shown),
  );
}

function appliedText(verdict: Extract<Verdict, { kind: "applied" }>, context: OutcomeContext): Plain {
  const time = context.times.clock(verdict.atMs);
  const target = targetOf(context);
  if (verdict.state !== undefined)
    return l10n.t(
      "{0} on {1}: checked at {2}: {3}.",
      wishOf(context),
      context.place,
      time,
      plain.text(verdict.state, MAX_TERMS),
    );
  if (!isCancelOfOne(context.intent.method))
    return l10n.t(
      "{0} on {1}: verified at {2} that it took effect (the outcome was unknown).",
      wishOf(context),
      context.place,
      time,
    );
  const cause = cancelReason(verdict.cause)?.brief ?? l10n.t("not stated");
  const sentence = verdict.isLate
    ? l10n.t("{0} on {1}: cancelled after all, verified at {2} (cause: {3}).", target, context.place, time, cause)
    : l10n.t(
        "{0} on {1}: verified cancelled at {2} (the outcome was unknown, cause: {3}).",
        target,
        context.place,
        time,
        cause,
      );
  return withFill(sentence, verdict.fill);
}

/**
 * Whether it is about an order or a quote, which can be filled and cancelled; else about a key, limits, the account.
 */
function isOfOrder({ intent }: OutcomeContext): boolean {
  return isCancel(intent.method);
}

function isPlacement({ intent }: OutcomeContext): boolean {
  return aboutOf(intent.method) === "newOrder";
}

function isCancelOfQuotes({ intent }: OutcomeContext): boolean {
  return aboutOf(intent.method) === "quotes";
}

/** Returns the text where a code does not help: a browser holds the other factors. */
function otherFactorText({ result }: MaskedResponse): Plain {
  const challenge = readChallenge(result);
  if (challenge === undefined || isAnsweredByCode(challenge)) return "";
  return plain` ${l10n.t(
    "This account confirms with {0}, which is only possible on the exchange's website. Make the change there.",
    plain.join(
      challenge.types.map((type) => plain.name(type)),
      ", ",
    ),
  )}`;
}

/** Returns the order state that a response reports. */
function stateOf({ result }: MaskedResponse): string | undefined {
  const isOrder = typeof result === "object" && result !== null && "order_state" in result;
  return isOrder && typeof result.order_state === "string" ? result.order_state : undefined;
}

function wishOf({ intent: { words } }: OutcomeContext): Plain {
  return plain.text(wishText(words), MAX_WISH);
}

function targetOf({ intent: { words } }: OutcomeContext): Plain {
  return plain.text(words.target, MAX_WISH);
}

/** Returns a reason as a sentence, which may come with or without its full stop. */
function asSentence(reason: string): Plain {
  const text = plain.text(reason, MAX_WISH);
  return /[.!?…]$/.test(text) ? text : l10n.t("{0}.", text);
}

const MAX_WISH = 300;
const MAX_STATE = 300;
/** The most characters about the terms of an order: all of them may be different. */
const MAX_TERMS = 1500;
