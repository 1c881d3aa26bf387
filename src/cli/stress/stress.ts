import { messageOf } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { CHECKS, type CheckName } from "../../recording/bots/checks.ts";
import { isTested, longestSilence } from "../../recording/bots/facts.ts";
import { startProgram } from "../machine/childProcess.ts";
import { EXIT, type ExitCode } from "../report.ts";
import { complain, type Shell } from "../shell.ts";
import { outputProblem } from "../writeReport.ts";
import { runBot, SIGN_IN_MS, type BotRun, type ChosenFaults } from "./botRun.ts";
import { readStress, type StressWishes } from "./stressArguments.ts";
import { stressHelp } from "./stressHelp.ts";
import { checkRows, factRows, reportFinding, type ReportedFinding, type StressReport } from "./stressReport.ts";
import { writeConductReport } from "./conductReport.ts";

/** Runs a bot against schedules of faults. Resolves to 0 without findings, 1 with some, 2 where nothing was tested. */
export async function stress(words: readonly string[], shell: Shell): Promise<ExitCode> {
  const options = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  if (options.some((word) => word === "--help" || word === "-h")) {
    shell.writeOut(stressHelp());
    return EXIT.passed;
  }
  const wishes = readStress(words);
  if (typeof wishes === "string")
    return complain(shell, [wishes, l10n.t("Run trading-rpc stress --help for usage.")], EXIT.usage);
  const refusal = await refusalOf(wishes, shell);
  if (refusal !== undefined) return complain(shell, [refusal], EXIT.usage);
  try {
    return await test(wishes, shell);
  } catch (error) {
    return complain(shell, [l10n.t("The test couldn't go on: {0}", plain.text(messageOf(error)))], EXIT.usage);
  }
}

/** Asks before the first start. Returns a sentence where nothing may be started, or the report can't be written. */
async function refusalOf(
  { isConfirmed, command, output }: StressWishes,
  { terminal, files }: Shell,
): Promise<Plain | undefined> {
  const unwritable = await outputProblem({ output }, files);
  if (unwritable !== undefined) return unwritable;
  if (isConfirmed) return undefined;
  const warning = l10n.t(
    "This starts {0} many times. It gets the address of a simulator by environment variables and by the placeholders in its command. A bot that ignores them would trade for real.",
    plain.text(command.join(" "), 200),
  );
  if (!terminal.isAttended) return plain`${warning} ${l10n.t("To confirm that without a terminal, add --yes.")}`;
  const answer = await terminal.readLine(
    `${warning}\n${l10n.t("Type yes to start it. Anything else: nothing is started. ")}`,
    false,
  );
  return answer?.trim().toLowerCase() === "yes" ? undefined : l10n.t("Nothing was started.");
}

/** Runs the bot with faults. */
type Run = (faults: ChosenFaults) => Promise<BotRun>;

async function test(wishes: StressWishes, shell: Shell): Promise<ExitCode> {
  const { command, runMs, bounds, jobs } = wishes;
  const ports = { ...shell, startProgram };
  const tell = (text: Plain): void => shell.writeError(`${text}\n`);
  const first = await runBot({ command, runMs, bounds, usualSilenceMs: undefined }, { seed: undefined }, ports);
  const strange = strangeSentence(first, wishes);
  if (strange !== undefined) return complain(shell, [strange, ...tailOf(first)], EXIT.usage);
  tell(l10n.t("Run without faults: done."));
  const usualSilenceMs = longestSilence(first.conversation);
  const run: Run = async (faults) => await runBot({ command, runMs, bounds, usualSilenceMs }, faults, ports);
  const chosen = chosenFaults(wishes);
  const runs = await inParallel(chosen, jobs, async (faults, index) => {
    if (shell.stop.aborted) return undefined;
    const made = await run(faults);
    tell(l10n.t("Schedule {0} of {1}: done.", index + 1, chosen.length));
    return made;
  });
  const made = runs.filter((each) => each !== undefined);
  const findings = await findingsOf([first, ...made], run, { jobs, isStopped: () => shell.stop.aborted });
  const report: StressReport = {
    version: shell.version,
    command,
    bounds,
    secondsPerRun: runMs / 1000,
    schedules: made.length,
    untestedSeeds: made.flatMap(({ isConnected, faults: { seed } }) =>
      isConnected || seed === undefined ? [] : [seed],
    ),
    checks: checkRows([first, ...made]),
    findings,
    facts: factRows([first, ...made]),
  };
  await writeConductReport(report, wishes, shell);
  if (shell.stop.aborted)
    return complain(shell, [l10n.t("The test was interrupted.")], findings.length > 0 ? EXIT.failed : EXIT.usage);
  if (findings.length > 0) return EXIT.failed;
  return made.some(({ conversation }) => isTested(conversation))
    ? EXIT.passed
    : complain(shell, [l10n.t("The bot sent no change under a fault, so nothing was tested.")], EXIT.usage);
}

/** Returns why a bot can't be tested: it could not be started, or did not sign in to the simulator. */
function strangeSentence({ problem, isConnected }: BotRun, { command, runMs }: StressWishes): Plain | undefined {
  if (problem !== undefined) return l10n.t("{0} couldn't be started: {1}", plain.text(command[0]), plain.text(problem));
  if (isConnected) return undefined;
  return l10n.t(
    "The bot never connected; it may be talking to another server. It was ended, because it had not signed in to the simulator after {0} s or before its end.",
    Math.min(SIGN_IN_MS, runMs) / 1000,
  );
}

/** Returns the last lines that the bot wrote. */
function tailOf({ tail }: BotRun): readonly Plain[] {
  const lines = tail
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-10);
  return lines.map((line) => plain`  ${plain.text(line, 300)}`);
}

function chosenFaults({ replayed, seeds }: StressWishes): readonly ChosenFaults[] {
  return replayed === undefined ? Array.from({ length: seeds }, (_, index) => ({ seed: index + 1 })) : [replayed];
}

/** Maps values with a number of them under way at once. */
async function inParallel<T, R>(
  values: readonly T[],
  jobs: number,
  work: (value: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = [...values.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next[0]] = await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, values.length) }, worker));
  return results;
}

/** The number of runs that show how often a finding comes. */
const REPETITIONS = 3;

interface Follow {
  readonly jobs: number;
  readonly isStopped: () => boolean;
}

/** Returns a finding of each check, with the smallest schedule that still shows it. */
async function findingsOf(runs: readonly BotRun[], run: Run, follow: Follow): Promise<readonly ReportedFinding[]> {
  const findings: ReportedFinding[] = [];
  for (const check of CHECKS) {
    const first = runs.find((each) => hasFinding(each, check));
    if (first === undefined) continue;
    const smallest = follow.isStopped() ? first : await shrink(first, check, { run, ...follow });
    const again = follow.isStopped()
      ? []
      : await inParallel(Array.from({ length: REPETITIONS }), follow.jobs, async () => await run(smallest.faults));
    const times = again.filter((each) => hasFinding(each, check)).length;
    const reported = reportFinding(check, smallest, { times, runs: again.length });
    if (reported !== undefined) findings.push(reported);
  }
  return findings;
}

function hasFinding({ results }: BotRun, check: CheckName): boolean {
  return (results.get(check)?.findings.length ?? 0) > 0;
}

/** Leaves out one fault after another while the finding still comes. */
async function shrink(
  first: BotRun,
  check: CheckName,
  { run, isStopped }: Follow & { readonly run: Run },
): Promise<BotRun> {
  const { seed, only = first.schedule.map((_, index) => index + 1) } = first.faults;
  let smallest = first;
  let places = only;
  for (const place of only) {
    const fewer = places.filter((each) => each !== place);
    if (seed === undefined || fewer.length === 0 || isStopped()) continue;
    const tried = await run({ seed, only: fewer });
    if (!hasFinding(tried, check)) continue;
    smallest = tried;
    places = fewer;
  }
  return smallest;
}
