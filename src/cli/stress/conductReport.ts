import type { Shell } from "../shell.ts";
import { unwritable } from "../writeReport.ts";
import type { StressWishes } from "./stressArguments.ts";
import type { AuditReport, StressReport } from "./stressReport.ts";
import { stressText, summaryLine } from "./stressTexts.ts";

/** Writes a report about the conduct of a bot: to its file, with its last line on the standard output, or all there. */
export async function writeConductReport(
  report: StressReport | AuditReport,
  { format, output }: Pick<StressWishes, "format" | "output">,
  { files, writeOut, writeError }: Pick<Shell, "files" | "writeOut" | "writeError">,
): Promise<void> {
  const text = stressText(report, format);
  if (output === undefined) {
    writeOut(text);
    return;
  }
  writeOut(`${summaryLine(report)}\n`);
  await files
    .write(files.resolve(output), text)
    .catch((error: unknown) => writeError(`${unwritable(output, error)}\n`));
}
