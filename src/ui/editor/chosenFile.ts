import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { CallError } from "../../base/failure.ts";
import { plain } from "../../base/plain.ts";

/**
 * Writes a text into the file that the user chose. Throws `refused` with the message of the file system if it cannot.
 */
export async function writeChosenFile(uri: vscode.Uri, text: string): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallError(
      {
        kind: "refused",
        reason: l10n.t(
          "{0} couldn't be saved: {1}. Choose another folder.",
          plain.name(uri.path.split("/").at(-1) ?? ""),
          plain.text(reason, MAX_REASON),
        ),
      },
      { cause: error },
    );
  }
}

const MAX_REASON = 300;
