import * as fs from "node:fs/promises";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { CallError } from "../../base/failure.ts";
import { plain } from "../../base/plain.ts";
import { MAX_KEY_TEXT } from "../../session/privateKey.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { KeyFile } from "./privateKeySteps.ts";

/**
 * Asks for the file of a private key and reads it; undefined when the user left. The text of a file that is too large
 * for a key is empty. Throws `refused` for a file that cannot be read.
 */
export async function chooseKeyFile(dialogs: Dialogs): Promise<KeyFile | undefined> {
  const uri = await dialogs.chooseFile({
    title: l10n.t("Choose a Private Key"),
    button: l10n.t("Use Private Key"),
    folder: undefined,
    name: "",
    types: {},
  });
  if (uri === undefined) return undefined;
  const name = uri.path.split("/").at(-1) ?? "";
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    const text = size > MAX_KEY_TEXT ? "" : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return {
      name,
      text,
      isOpenToOthers: await isOpenToOthers(uri),
      isInWorkspace: vscode.workspace.getWorkspaceFolder(uri) !== undefined,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallError(
      {
        kind: "refused",
        reason: l10n.t("{0} couldn't be read: {1}.", plain.name(name), plain.text(reason, MAX_REASON)),
      },
      { cause: error },
    );
  }
}

/** The permission of a group, or of all others, to read a file. */
const READ_BY_OTHERS = 0o044;
const MAX_REASON = 300;

/** Whether others can read a file. Windows has no such modes, and neither has a file on another computer. */
async function isOpenToOthers({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== "file" || process.platform === "win32") return false;
  return ((await fs.stat(fsPath)).mode & READ_BY_OTHERS) !== 0;
}
