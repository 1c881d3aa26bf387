import { channelMethod } from "../../actions/changes/changes.ts";
import { effectOfCall } from "../../actions/judge/check.ts";
import type { Question } from "../../actions/intent/question.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Effect } from "../../catalogue/index.ts";
import type { Plan, PlannedStep } from "../../requests/running/plan.ts";
import { labelOf } from "../../requests/values/references.ts";
import { countText } from "../text/numbers.ts";
import { durationText } from "../text/times.ts";

/** A run of several requests that has not begun. */
interface RunPreview {
  readonly plan: Pick<Plan, "file" | "steps">;
  readonly fileName: string;
  /** The environment and name of the connection. */
  readonly place: Plain;
  /** The least time that the exchange's limits make it take, in ms. */
  readonly tookMs: number;
  /** Whether a change with an effect has a confirmation of its own. */
  readonly isConfirmed: (effect: Effect) => boolean;
}

/** The most requests that a confirmation lists. */
const MAX_LISTED = 10;

/**
 * Returns the confirmation before a run that changes something; undefined where it only reads, and where its one change
 * has a confirmation of its own. Yes sends no write yet: each has its own confirmation.
 */
export function runQuestion({ plan, fileName, place, tookMs, isConfirmed }: RunPreview): Question | undefined {
  const steps = plan.steps.filter(({ isSkipped, refusal }) => !isSkipped && refusal === undefined);
  const effectOf = ({ request: { method = "", paramsText } }: PlannedStep): Effect =>
    effectOfCall({ method, paramsText });
  const writes = steps.filter(
    (step) => effectOf(step) !== "read" && channelMethod(step.request.method ?? "") === undefined,
  );
  const [only, ...others] = writes;
  if (only === undefined || (others.length === 0 && isConfirmed(effectOf(only)))) return undefined;
  const listed = writes
    .slice(0, MAX_LISTED)
    .map(({ request }) =>
      l10n.t(
        "Line {0}: {1}",
        plan.file.placeAt(request.range.start).line,
        request.run.name === undefined
          ? labelOf(request)
          : plain`${labelOf(request)} (${plain.text(request.method ?? "")})`,
      ),
    );
  const more = writes.length > MAX_LISTED ? [l10n.t("and {0} more", countText(writes.length - MAX_LISTED))] : [];
  const time =
    tookMs < LONG_MS ? [] : [l10n.t("With the exchange's rate limits, this takes at least {0}.", durationText(tookMs))];
  return {
    kind: "modal",
    message:
      steps.length === 1
        ? l10n.t("Send 1 request from {0} to {1}?", plain.name(fileName), place)
        : l10n.t("Send {0} requests from {1} to {2}?", countText(steps.length), plain.name(fileName), place),
    detail: plain.join(
      [
        l10n.t(
          "Includes requests that are not reads ({0}). Each one that needs confirmation is confirmed separately:",
          countText(writes.length),
        ),
        ...listed,
        ...more,
        ...time,
      ],
      "\n",
    ),
    confirm: steps.length === 1 ? l10n.t("Send 1 Request") : l10n.t("Send {0} Requests", countText(steps.length)),
    keep: l10n.t("Don't Send"),
  };
}

/** The duration, in ms, below which it is not shown: a shorter run is over before the user has read it. */
const LONG_MS = 5000;

/** The progress of a run; times in ms. */
interface RunMoment {
  readonly done: number;
  readonly all: number;
  readonly passedMs: number;
  /** The least duration. */
  readonly leastMs: number;
}

/** Returns "37 of 100 · about 12 s left". The time is shown once it can be estimated, and where it matters. */
export function runProgressText({ done, all, passedMs, leastMs }: RunMoment): Plain {
  const byPace = done === 0 ? 0 : (passedMs / done) * (all - done);
  const leftMs = Math.max(leastMs - passedMs, done >= MIN_PACE ? byPace : 0);
  const count = l10n.t("{0} of {1}", countText(done), countText(all));
  return leftMs < LONG_MS ? count : l10n.t("{0} · about {1} left", count, durationText(leftMs));
}

/** The number of steps below which the pace is unknown. */
const MIN_PACE = 10;
