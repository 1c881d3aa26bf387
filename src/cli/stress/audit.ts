import { messageOf } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { CHECKS, checkConversation } from "../../recording/bots/checks.ts";
import { conversationOf } from "../../recording/bots/conversation.ts";
import { recordedFrames } from "../../recording/bots/recordedFrames.ts";
import { unfinishedSentence } from "../../recording/read.ts";
import type { Recording } from "../../recording/recording.ts";
import { readRecordingFile } from "../../recording/recordingFile.ts";
import { EXIT, type ExitCode } from "../report.ts";
import { complain, type Shell } from "../shell.ts";
import { outputProblem } from "../writeReport.ts";
import { writeConductReport } from "./conductReport.ts";
import { readAudit } from "./stressArguments.ts";
import { auditHelp } from "./stressHelp.ts";
import { checkRows, factRows, reportFinding, type JudgedRun } from "./stressReport.ts";

/** Runs the checks over a recording. Resolves to 0 without findings, 1 with some, 2 where nothing could be decided. */
export async function audit(words: readonly string[], shell: Shell): Promise<ExitCode> {
  if (words.some((word) => word === "--help" || word === "-h")) {
    shell.writeOut(auditHelp());
    return EXIT.passed;
  }
  const wishes = readAudit(words);
  if (typeof wishes === "string")
    return complain(shell, [wishes, l10n.t("Run trading-rpc audit --help for usage.")], EXIT.usage);
  const { file, bounds } = wishes;
  const recording = readFrom(shell.files.resolve(file), plain.text(file));
  const problem = typeof recording === "string" ? recording : await outputProblem(wishes, shell.files);
  if (typeof recording === "string" || problem !== undefined)
    return complain(shell, problem === undefined ? [] : [problem], EXIT.usage);
  if (!recording.isFinished) complain(shell, [unfinishedSentence()], EXIT.passed);
  const conversation = conversationOf(recordedFrames(recording), { bounds });
  if (conversation.calls.length === 0)
    return complain(shell, [l10n.t("The recording has no calls, so nothing was decided.")], EXIT.usage);
  const results = checkConversation(conversation);
  const run: JudgedRun = { conversation, results, faults: { seed: undefined }, schedule: [] };
  const findings = CHECKS.flatMap((check) => reportFinding(check, run) ?? []);
  const { version } = shell;
  const facts = factRows([run]);
  await writeConductReport(
    { version, recording: file, bounds, checks: checkRows([run]), findings, facts },
    wishes,
    shell,
  );
  return findings.length > 0 ? EXIT.failed : EXIT.passed;
}

/** Reads a recording; returns a sentence where that is not possible. */
function readFrom(path: string, name: Plain): Recording | Plain {
  try {
    const reading = readRecordingFile(path);
    return reading.kind === "read" ? reading.recording : l10n.t("{0} can't be read. {1}", name, reading.message);
  } catch (error) {
    return l10n.t("{0} can't be read: {1}", name, plain.text(messageOf(error)));
  }
}
