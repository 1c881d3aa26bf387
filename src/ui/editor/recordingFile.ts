import * as os from "node:os";
import * as vscode from "vscode";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { nameOfFile } from "./chosenFile.ts";
import type { Dialogs } from "./dialogs.ts";
import type { FileChoice } from "./dialogSteps.ts";

const ENDING = ".rpcrec.jsonl";

/** Returns how a recording is called, and where it is offered to be: what is in it belongs in no repository. */
export function recordingChoice(title: Plain, name: string): FileChoice {
  return {
    title,
    folder: vscode.Uri.file(os.homedir()),
    name: `${name}${ENDING}`,
    types: { [l10n.t("Recording")]: ["jsonl"] },
  };
}

/**
 * Returns the recording that a command is about: that of its argument, else that of the active editor, else one that
 * the user chooses. Throws `refused` for one that is not on this computer.
 */
export async function chooseRecording(
  argument: unknown,
  title: Plain,
  dialogs: Pick<Dialogs, "chooseFile">,
): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const given = argument instanceof vscode.Uri ? argument : active?.path.endsWith(ENDING) === true ? active : undefined;
  const uri =
    given ?? (await dialogs.chooseFile({ ...recordingChoice(title, ""), button: l10n.t("Select Recording") }));
  if (uri !== undefined && uri.scheme !== "file")
    throw refused(l10n.t("{0} is not on this computer. Save a copy here first.", plain.name(nameOfFile(uri))));
  return uri;
}
