import { leftOutText, type FlattenLine, type LeftOut } from "../../actions/changes/flattenPositions.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import { fillOf } from "../../actions/intent/fill.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { failureSentences, failureText } from "../text/failureText.ts";
import { countText, numberText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";
import { outcomeText } from "./outcomeText.ts";

/* The outcome of flattening: in one message, and order by order. */

/** A change that was to be sent, with its outcome. */
interface FlattenStep {
  readonly intent: Intent;
  readonly outcome: Outcome;
  /** The position that it closes; undefined for the cancel of an order. */
  readonly line: FlattenLine | undefined;
}

/** All that is told about one run. */
export interface FlattenResult {
  readonly place: Plain;
  readonly times: Times;
  readonly steps: readonly FlattenStep[];
  readonly leftOut: readonly LeftOut[];
  /** Why the rest was not sent; undefined where nothing stopped it. */
  readonly stop: Plain | undefined;
  /** What the account holds after it, and when that was read; undefined where it couldn't be read. */
  readonly left: { readonly positions: readonly Plain[]; readonly atMs: number } | undefined;
}

/** Whether every step did what it was for, and nothing else has to be told. */
export function isAllFlat({ steps, leftOut, stop, left }: FlattenResult): boolean {
  const isDone = steps.every((step) => endOf(step) === "done");
  return isDone && stop === undefined && leftOut.length === 0 && left?.positions.length === 0;
}

/** The outcome of a step: an order is done where it is filled whole, a cancel where the exchange confirms it. */
type End = "done" | "partly" | "refused" | "unknown" | "changed" | "notSent";

function endOf({ outcome, line }: FlattenStep): End {
  switch (outcome.kind) {
    case "confirmed":
    case "confirmedOther":
      return (line === undefined ? outcome.kind === "confirmed" : isFilled(outcome)) ? "done" : "partly";
    case "unknown":
    case "notSent":
      return isChangedPosition(outcome) ? "changed" : outcome.kind;
    case "rejected":
    case "challenge":
    case "failed":
      return "refused";
  }
}

/** The sentences about steps that are not done, in their order. */
const NOT_DONE: Readonly<Record<Exclude<End, "done">, (names: Plain) => Plain>> = {
  unknown: (names) => l10n.t("Outcome unknown, being checked: {0}.", names),
  refused: (names) => l10n.t("Refused: {0}.", names),
  partly: (names) => l10n.t("Not filled whole: {0}.", names),
  changed: (names) => l10n.t("Changed meanwhile, not sent: {0}.", names),
  notSent: (names) => l10n.t("Not sent: {0}.", names),
};

/** Returns the result in one message: how many positions were closed, what was not, and what is left. */
export function flattenSummary(result: FlattenResult): Plain {
  const { place, times, steps, leftOut, stop, left } = result;
  const orders = steps.filter(({ line }) => line !== undefined);
  const cancels = steps.filter(({ line }) => line === undefined);
  const done = (some: readonly FlattenStep[]): Plain => countText(some.filter((step) => endOf(step) === "done").length);
  return plain.join(
    [
      l10n.t("Flatten Positions on {0}: {1} of {2} closed.", place, done(orders), countText(orders.length)),
      ...(cancels.length === 0
        ? []
        : [l10n.t("Orders cancelled before: {0} of {1}.", done(cancels), countText(cancels.length))]),
      ...(stop === undefined ? [] : [stop]),
      ...Object.entries(NOT_DONE).flatMap(([end, sentence]) => {
        const names = steps.filter((step) => endOf(step) === end).map(nameOf);
        return names.length === 0 ? [] : [sentence(plain.join(names, ", "))];
      }),
      ...leftOut.map(leftOutText),
      left === undefined
        ? l10n.t("The positions couldn't be read again.")
        : left.positions.length === 0
          ? l10n.t("No position is left as of {0}.", times.clock(left.atMs))
          : l10n.t("Left as of {0}: {1}.", times.clock(left.atMs), plain.join(left.positions, ", ")),
    ],
    " ",
  );
}

/** Returns the outcome of each order and each cancel, one line each. */
export function flattenLines({ place, times, steps, stop }: FlattenResult): readonly { target: Plain; text: Plain }[] {
  return steps.map((step) => ({
    target: plain.text(step.intent.words.sentence ?? step.intent.words.target),
    text: step.line === undefined ? outcomeText(step.outcome, { ...step, place, times }) : stepText(step, place, stop),
  }));
}

function nameOf({ intent: { words }, line }: FlattenStep): Plain {
  return line === undefined ? plain.text(words.target) : plain.name(line.draft.instrument);
}

function stepText({ intent, outcome }: FlattenStep, place: Plain, stop: Plain | undefined): Plain {
  switch (outcome.kind) {
    case "confirmed":
    case "confirmedOther":
      return filledText(outcome);
    case "rejected":
      return l10n.t("refused by the exchange. {0}", failureSentences(outcome.failure, "write", place));
    case "unknown":
      return l10n.t("outcome unknown, checking… {0}", failureText(outcome.failure, "write", place).happened);
    case "notSent":
      return notSentText(outcome, place, stop);
    case "challenge":
      return l10n.t("2FA is required for {0}. Nothing was changed.", plain.name(intent.method));
    case "failed":
      return failureText(outcome.failure, "write", place).happened;
  }
}

function filledText(outcome: Answered): Plain {
  const { filled, amount } = fillOf(outcome.response.result) ?? {};
  if (filled === undefined) return l10n.t("the response doesn't say how much was filled");
  if (filled === 0) return l10n.t("nothing was filled at this price or better");
  return isFilled(outcome)
    ? l10n.t("filled")
    : l10n.t("{0} of {1} filled, the rest is not open", numberText(filled), numberText(amount));
}

function notSentText(outcome: Extract<Outcome, { kind: "notSent" }>, place: Plain, stop: Plain | undefined): Plain {
  if (isChangedPosition(outcome)) return l10n.t("not sent: the position changed meanwhile");
  return outcome.failure.kind === "stopped" && stop !== undefined
    ? l10n.t("not sent. {0}", stop)
    : l10n.t("not sent. {0}", failureText(outcome.failure, "write", place).happened);
}

function isChangedPosition(outcome: Outcome): boolean {
  return (
    outcome.kind === "notSent" && outcome.failure.kind === "situationChanged" && outcome.failure.changed === "position"
  );
}

type Answered = Extract<Outcome, { kind: "confirmed" | "confirmedOther" }>;

function isFilled(outcome: Answered): boolean {
  const { filled, amount } = fillOf(outcome.response.result) ?? {};
  return filled !== undefined && filled > 0 && filled === amount;
}
