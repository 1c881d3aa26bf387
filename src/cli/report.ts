import { createTimes } from "../present/text/times.ts";
import type { Place } from "../requests/text/place.ts";

/**
 * What came of a request. `refused`: it was not allowed here. `unknown`: it was sent and nobody proved what became of
 * it. `skipped`: its file says so. `notRun`: it was not its turn any more, or something that it needs was not there.
 */
export type StepVerdict = "passed" | "failed" | "refused" | "unknown" | "skipped" | "notRun";

/**
 * A request of a file and what came of it. Every text but the response's is shown as it is: it has been through
 * `plain()`.
 */
export interface StepReport {
  /** By `$run.name`; undefined without one. */
  readonly name: string | undefined;
  readonly method: string;
  /** The id that the file gives it. */
  readonly id: number | string | undefined;
  /** Where the request begins. */
  readonly place: Place;
  readonly verdict: StepVerdict;
  /** What happened, in a sentence; empty where the verdict says it all. */
  readonly sentence: string;
  /** Why a response is not as expected; those that are warnings fail nothing. */
  readonly failures: readonly StepFailure[];
  /** From the call to the response, our own queue left out, in ms; undefined where no response came. */
  readonly durationMs: number | undefined;
  /** How often it was sent. */
  readonly tries: number;
  /** The parameters as they were sent, secrets masked; undefined where nothing was. */
  readonly paramsText: string | undefined;
  /** Undefined where none came. */
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
  /** JSON, every literal as received, secrets masked. Text from outside. */
  readonly bodyText: string;
  readonly receivedAtMs: number;
  readonly wireId: number;
}

export interface FileReport {
  /** As it was named, or found in a folder that was named. */
  readonly path: string;
  readonly steps: readonly StepReport[];
}

/** A whole run. */
export interface TerminalReport {
  /** Environment and account, e.g. "TEST main". */
  readonly place: string;
  /** As files and options call it: `sim`, `test` or `prod`. */
  readonly environment: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly files: readonly FileReport[];
  /** It was interrupted. */
  readonly isStopped: boolean;
  /** Sentences about the whole run. */
  readonly notes: readonly string[];
  readonly exitCode: ExitCode;
}

/** The codes that the program ends with. */
export const EXIT = { passed: 0, failed: 1, usage: 2, refused: 3, unknown: 4, noConnection: 5 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How a run went, beside what came of its requests. */
export interface RunEnd {
  readonly isStopped: boolean;
  readonly isLinkLost: boolean;
  /** That there was nothing to send is no mistake. */
  readonly allowsNothing: boolean;
}

/**
 * What a run ends with: what nobody knows weighs most, then what was not allowed. One that has sent nothing has not
 * passed.
 */
export function exitCodeOf(
  verdicts: readonly StepVerdict[],
  { isStopped, isLinkLost, allowsNothing }: RunEnd,
): ExitCode {
  if (verdicts.includes("unknown")) return EXIT.unknown;
  if (isLinkLost) return EXIT.noConnection;
  if (verdicts.includes("refused")) return EXIT.refused;
  if (verdicts.includes("failed") || isStopped) return EXIT.failed;
  if (verdicts.includes("passed")) return EXIT.passed;
  return allowsNothing && !verdicts.includes("notRun") ? EXIT.passed : EXIT.usage;
}

/** How many there are of each. */
export function countVerdicts(files: readonly FileReport[]): Readonly<Record<StepVerdict, number>> {
  const counts: Record<StepVerdict, number> = { passed: 0, failed: 0, refused: 0, unknown: 0, skipped: 0, notRun: 0 };
  for (const { steps } of files) for (const { verdict } of steps) counts[verdict] += 1;
  return counts;
}

/** A moment as programs read it: `2026-11-20T12:04:07.123Z`. */
export function isoTime(atMs: number): string {
  return TIMES.utc(atMs).replace(" ", "T").replace(" UTC", "Z");
}

const TIMES = createTimes("UTC");
