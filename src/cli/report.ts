import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { countText } from "../present/text/numbers.ts";
import type { Place } from "../requests/text/place.ts";

/**
 * The outcome of a request. `declined`: the user said no. `refused`: it was not allowed here. `unknown`: it was sent
 * and its outcome is not proved. `skipped`: its file says so. `notRun`: the run ended before it, or something that it
 * needs was not there.
 */
export type StepVerdict = "passed" | "failed" | "declined" | "refused" | "unknown" | "skipped" | "notRun";

/**
 * What a request that changes something has done, by its response or by reading. `other`: something else than it was to
 * do, or a part of it. Its verdict does not tell: an order that was placed can fail its expectation.
 */
export type StepChange = "made" | "other" | "unknown";

/**
 * A request of a file and its outcome. Every text but the response's is shown as it is: it has been through `plain()`.
 */
export interface StepReport {
  /** The name of the request, from `$run.name`; undefined if it has none. */
  readonly name: string | undefined;
  readonly method: string;
  /** The id that the file gives the request. */
  readonly id: number | string | undefined;
  /** The place where the request begins. */
  readonly place: Place;
  readonly verdict: StepVerdict;
  /** Whether reads proved that it passed, because its response did not. */
  readonly isProvedByReading: boolean;
  /** What it has done; undefined for reads, and where nothing was done. */
  readonly change: StepChange | undefined;
  /** A sentence about the outcome; empty where the verdict says it all. */
  readonly sentence: Plain;
  /** The reasons why a response is not as expected; warnings fail nothing. */
  readonly failures: readonly StepFailure[];
  /** The time from the call to the response, except for our own queue, in ms; undefined where no response came. */
  readonly durationMs: number | undefined;
  /** The number of times that the request was sent. */
  readonly tries: number;
  /** The parameters as they were sent, secrets masked; undefined if nothing was sent. */
  readonly paramsText: string | undefined;
  /** The response; undefined if none came. */
  readonly response: StepResponse | undefined;
}

export interface StepFailure {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly place: Place;
  readonly severity: "error" | "warning";
}

export interface StepResponse {
  readonly isError: boolean;
  /** The body as JSON, every literal as received, secrets masked. Text from outside. */
  readonly bodyText: string;
  readonly receivedAtMs: number;
  readonly wireId: number;
}

export interface FileReport {
  /** The path as it was named, or as found in a folder that was named. */
  readonly path: string;
  readonly steps: readonly StepReport[];
}

/** The report of a whole run. */
export interface TerminalReport {
  /** The environment and the account, e.g. "TESTNET main". */
  readonly place: string;
  /** Whether the exchange's rate limits hold: they are off on a run's own simulator. */
  readonly hasLimits: boolean;
  /** The environment as files and options call it: `sim`, `test` or `prod`. */
  readonly environment: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly files: readonly FileReport[];
  /** Whether the run was interrupted. */
  readonly isStopped: boolean;
  /** Sentences about the whole run. */
  readonly notes: readonly string[];
  readonly exitCode: ExitCode;
}

/** Returns the words at the head of a report: where its run was, and whether the exchange's rate limits were off. */
export function placeWords({ place, hasLimits }: Pick<TerminalReport, "place" | "hasLimits">): string {
  return hasLimits ? place : `${place} · ${l10n.t("rate limits off")}`;
}

/** The codes that the program ends with. */
export const EXIT = { passed: 0, failed: 1, usage: 2, refused: 3, unknown: 4, noConnection: 5 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The end of a run, apart from the outcomes of its requests. */
interface RunEnd {
  readonly isStopped: boolean;
  readonly isLinkLost: boolean;
  /** Whether a run that has nothing to send passes. */
  readonly allowsNothing: boolean;
}

/**
 * Returns the exit code of a run: unknown outcomes weigh most, then what was not allowed. A run that has sent nothing
 * has not passed.
 */
export function exitCodeOf(
  verdicts: readonly StepVerdict[],
  { isStopped, isLinkLost, allowsNothing }: RunEnd,
): ExitCode {
  if (verdicts.includes("unknown")) return EXIT.unknown;
  if (isLinkLost) return EXIT.noConnection;
  if (verdicts.includes("refused") || verdicts.includes("declined")) return EXIT.refused;
  if (verdicts.includes("failed") || isStopped) return EXIT.failed;
  if (verdicts.includes("passed")) return EXIT.passed;
  return allowsNothing && !verdicts.includes("notRun") ? EXIT.passed : EXIT.usage;
}

/**
 * Returns the first line of the report of a run that did not pass: which changes were made. Undefined where everything
 * passed, and where nothing was sent, which their exit codes say.
 */
export function changesText({ exitCode, files }: Pick<TerminalReport, "exitCode" | "files">): string | undefined {
  if (exitCode === EXIT.passed || exitCode === EXIT.usage) return undefined;
  const found = (Object.keys(CHANGES) as readonly StepChange[]).flatMap((change) => {
    const places = files.flatMap(({ path, steps }) =>
      steps
        .filter((step) => step.change === change)
        .map(({ method, place }) => plain`${plain.text(method)} (${placeText(plain.text(path), place)})`),
    );
    const left = places.length - MAX_CHANGES;
    const shown = plain.join(places.slice(0, MAX_CHANGES), ", ");
    if (places.length === 0) return [];
    return [CHANGES[change](left > 0 ? l10n.t("{0} and {1} more", shown, countText(left)) : shown)];
  });
  return found.length === 0 ? noChangesText() : found.join(" ");
}

/** Returns the sentence for a run that changed nothing, whatever it ended with. */
export function noChangesText(): Plain {
  return l10n.t("No changes were made.");
}

/** The most changes of a kind that the first line of a report lists; the lines of the requests have all of them. */
const MAX_CHANGES = 20;

const CHANGES: Readonly<Record<StepChange, (requests: Plain) => string>> = {
  made: (requests) => l10n.t("Changes made: {0}.", requests),
  other: (requests) => l10n.t("Not as requested, or in part: {0}.", requests),
  unknown: (requests) => l10n.t("Outcome unknown: {0}.", requests),
};

/** Returns a place in a file in the form that terminals turn into links. */
export function placeText(path: Plain, place: { readonly line: number; readonly column: number }): Plain {
  return plain`${path}:${place.line}:${place.column}`;
}

/** Counts the requests with each verdict. */
export function countVerdicts(files: readonly FileReport[]): Readonly<Record<StepVerdict, number>> {
  const counts: Record<StepVerdict, number> = {
    ...{ passed: 0, failed: 0, declined: 0, refused: 0, unknown: 0, skipped: 0, notRun: 0 },
  };
  for (const { steps } of files) for (const { verdict } of steps) counts[verdict] += 1;
  return counts;
}
