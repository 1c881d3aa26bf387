import { confirmedNotes, type Outcome } from "../../actions/judge/outcome.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { TextRange } from "../../requests/file/file.ts";
import { labelOf } from "../../requests/values/references.ts";
import type { StepResult } from "../../requests/running/sequence.ts";
import type { Environment } from "../../state/records.ts";
import { headText, responseOf } from "./responseText.ts";
import { failureSentences } from "../text/failureText.ts";
import type { Times } from "../text/times.ts";

/** The verdict of a test on a step. All its texts are plain. */
export interface TestVerdict {
  /**
   * The kind of verdict. `errored`: it is unknown whether the response would have been as expected. `skipped`: it was
   * not to be sent, or not by this run.
   */
  readonly kind: "passed" | "failed" | "errored" | "skipped";
  /** The messages: empty where it passed; one sentence where it was skipped. */
  readonly messages: readonly TestVerdictMessage[];
  /** The time that the response took, in ms; undefined without one. */
  readonly durationMs: number | undefined;
}

/** A sentence, with a comparison where there is one. */
interface TestVerdictMessage {
  readonly text: string;
  readonly comparison?: { readonly expected: string; readonly actual: string };
  /** The place in the file; undefined: the request as a whole. */
  readonly range: TextRange | undefined;
}

/** The circumstances of a step. */
export interface TestContext {
  readonly environment: Environment;
  readonly connectionName: string;
  readonly times: Times;
  /** The time of the end in ms since the Unix epoch. */
  readonly endedAtMs: number;
  /** Whether the run had ended before it came to this step, because an earlier one failed. */
  readonly isBehindEnd: boolean;
  /** The reason why this run could not have sent it whatever the responses had been, as a sentence. */
  readonly outOfReach: string | undefined;
}

/** Returns the verdict of a test on the outcome of its request. */
export function testVerdict(result: StepResult, context: TestContext): TestVerdict {
  const {
    verdict,
    failures,
    run: { outcome, effect },
  } = result;
  const durationMs = responseOf(outcome)?.timing.totalMs;
  const all = (kind: TestVerdict["kind"], messages: readonly TestVerdictMessage[]): TestVerdict => ({
    kind,
    messages,
    durationMs,
  });
  const whole = (text: string): readonly TestVerdictMessage[] => [{ text, range: undefined }];
  if (verdict === "passed") return all("passed", []);
  if (verdict === "skipped") return all("skipped", whole(l10n.t("Skipped by $run.skip.")));
  if (outcome.kind === "notSent") {
    const isLeftOut =
      context.isBehindEnd || context.outOfReach !== undefined || ["declined", "stopped"].includes(outcome.failure.kind);
    return all(
      isLeftOut ? "skipped" : "errored",
      whole(context.outOfReach ?? failureSentences(outcome.failure, effect, placeOf(context))),
    );
  }
  if (outcome.kind === "unknown") {
    return all(
      "errored",
      whole(
        l10n.t(
          "The outcome is unknown: the request may or may not have taken effect. {0}",
          failureSentences(outcome.failure, effect, placeOf(context)),
        ),
      ),
    );
  }
  const compared = failures
    .filter(({ severity }) => severity === "error")
    .map(({ message, expected, actual, range }) => ({ text: message, comparison: { expected, actual }, range }));
  if (outcome.kind === "failed" && outcome.response === undefined)
    return all("errored", whole(failureSentences(outcome.failure, effect, placeOf(context))));
  return all("failed", compared.length > 0 ? compared : whole(unexpectedText(outcome, result, context)));
}

/** Returns the text of a response that nothing was compared with, or that is missing. */
function unexpectedText(
  outcome: Exclude<Outcome, { kind: "notSent" }>,
  { run: { effect } }: StepResult,
  context: TestContext,
): Plain {
  switch (outcome.kind) {
    case "rejected":
    case "failed":
    case "unknown":
      return failureSentences(outcome.failure, effect, placeOf(context));
    case "confirmedOther":
      return l10n.t(
        "The exchange reports a different state than requested: {0}.",
        plain.text(outcome.state, MAX_STATE),
      );
    case "challenge":
      return l10n.t("The exchange requires a 2FA code. Nothing has been changed yet.");
    case "confirmed":
      return l10n.t("The response doesn't match the expectation.");
  }
}

const MAX_STATE = 1500;

const SIGNS: Readonly<Record<StepResult["verdict"], string>> = { passed: "✓", failed: "✗", notSent: "–", skipped: "–" };

/**
 * Returns what the output of a run says of a step: the first line of its response, then the failures. No line has line
 * breaks.
 */
export function outputLines(
  result: StepResult,
  context: Omit<TestContext, "isBehindEnd" | "outOfReach">,
): readonly Plain[] {
  const { step, verdict, run, failures, hints, tries } = result;
  const { environment, connectionName, times, endedAtMs } = context;
  const head =
    run.outcome.kind === "notSent"
      ? verdict === "skipped"
        ? l10n.t("skipped ($run.skip)")
        : l10n.t("not sent: {0}", failureSentences(run.outcome.failure, run.effect, placeOf(context)))
      : headText({ result: run, environment, connectionName, endedAtMs, verdicts: [], times });
  const more = [...(step.isImplicit ? [l10n.t("sent first")] : []), ...(tries > 1 ? [l10n.t("{0} tries", tries)] : [])];
  return [
    [`${SIGNS[verdict]} ${labelOf(step.request)}`, head, ...more].join(" · "),
    ...failures.map(({ message }) => `    ${message}`),
    ...confirmedNotes(run.outcome).map((line) => `    ${line}`),
    ...hints.map((hint) => `    ${hint}`),
  ].map((line) => plain.text(line));
}

function placeOf({ environment, connectionName }: Pick<TestContext, "environment" | "connectionName">): Plain {
  return environmentWords(environment, connectionName);
}
