import { messageOf } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import type { RunWishes } from "./arguments.ts";
import type { FileAccess } from "./files.ts";
import { jsonReport } from "./jsonReport.ts";
import { junitReport } from "./junitReport.ts";
import type { TerminalReport } from "./report.ts";
import { summaryText, textReport, type TextStyle } from "./textReport.ts";

/** Where a report goes. */
interface ReportPorts {
  readonly files: Pick<FileAccess, "resolve" | "write">;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether the standard output shows colors. */
  readonly hasColor: boolean;
}

/** Returns a sentence if the report can't be written: once something was sent, it is too late to find that out. */
export async function outputProblem(
  { output }: RunWishes,
  files: Pick<FileAccess, "resolve" | "tryWrite">,
): Promise<Plain | undefined> {
  if (output === undefined) return undefined;
  return await files.tryWrite(files.resolve(output)).then(
    () => undefined,
    (error: unknown) => unwritable(output, error),
  );
}

function unwritable(output: string, error: unknown): Plain {
  return l10n.t("Couldn't write the report to {0}: {1}", plain.text(output), plain.text(messageOf(error)));
}

/** Whether the standard output tells of each request, because no report for programs goes there. */
export function isTelling({ format, output }: RunWishes): boolean {
  return format === "text" || output !== undefined;
}

/** Writes the report and its summary. A report that can't be written any more changes nothing of what is proved. */
export async function writeReport(
  report: TerminalReport,
  wishes: RunWishes,
  { files, writeOut, writeError, hasColor }: ReportPorts,
): Promise<void> {
  const { format, output, verbosity } = wishes;
  if (isTelling(wishes)) writeOut(summaryText(report, { verbosity, hasColor }));
  if (format === "text" && output === undefined) return;
  const text = REPORTS[format](report, { verbosity, hasColor: false });
  if (output === undefined) writeOut(text);
  else
    await files
      .write(files.resolve(output), text)
      .catch((error: unknown) => writeError(`${unwritable(output, error)}\n`));
}

const REPORTS: Readonly<Record<RunWishes["format"], (report: TerminalReport, style: TextStyle) => string>> = {
  json: jsonReport,
  junit: junitReport,
  text: textReport,
};
