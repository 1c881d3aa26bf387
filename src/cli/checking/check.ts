import * as l10n from "../../base/l10n.ts";
import type { CheckWishes } from "../arguments.ts";
import { checkFiles } from "./checkFiles.ts";
import { checkReport, exitCodeOfCheck } from "./checkReport.ts";
import { EXIT, type ExitCode } from "../report.ts";
import { complain, type Shell } from "../shell.ts";

/** Checks the files. Needs no environment and no credentials. */
export async function check({ paths, format }: CheckWishes, shell: Shell): Promise<ExitCode> {
  const checking = await checkFiles(paths, shell.files, shell.stop);
  if (shell.stop.aborted) return complain(shell, [l10n.t("The check was interrupted.")], EXIT.failed);
  shell.writeOut(checkReport(checking, format, shell.hasColor));
  return complain(shell, checking.notChecked, exitCodeOfCheck(checking));
}
