import * as fs from "node:fs/promises";
import * as vscode from "vscode";
import { CallError, messageOf } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/** A file that the user chose, and its text. */
export interface OpenedText {
  /** The name without its folder. */
  readonly name: string;
  readonly text: string;
  /** Whether other users of this computer can read the file; false where that is unknown. */
  readonly isOpenToOthers: boolean;
  readonly isInWorkspace: boolean;
}

/**
 * Writes a text into the file that the user chose. Throws `refused` with the message of the file system if it cannot.
 */
export async function writeChosenFile(uri: vscode.Uri, text: string): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  } catch (error) {
    throw notSaved(uri, error);
  }
}

/**
 * Reads the file that the user chose. Throws `refused` with the message of the file system if it cannot. The text of a
 * file with more than `maxBytes` is empty.
 */
export async function readChosenFile(uri: vscode.Uri, maxBytes: number): Promise<OpenedText> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    const text = size > maxBytes ? "" : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    return { name: nameOfFile(uri), text, isOpenToOthers: await isOpenToOthers(uri), isInWorkspace };
  } catch (error) {
    throw failed(error, (reason) => l10n.t("{0} couldn't be read: {1}.", plain.name(nameOfFile(uri)), reason));
  }
}

/** Returns what a file that can't be written is refused with. */
export function notSaved(uri: vscode.Uri, error: unknown): CallError {
  return failed(error, (reason) =>
    l10n.t("{0} couldn't be saved: {1}. Choose another folder.", plain.name(nameOfFile(uri)), reason),
  );
}

function failed(error: unknown, sentence: (reason: Plain) => string): CallError {
  const reason = plain.text(messageOf(error), MAX_REASON);
  return new CallError({ kind: "refused", reason: sentence(reason) }, { cause: error });
}

const MAX_REASON = 300;

/** Returns the name of a file without its folder. */
export function nameOfFile({ path }: vscode.Uri): string {
  return path.split("/").at(-1) ?? "";
}

/** The permission of a group, or of all others, to read a file. */
const READ_BY_OTHERS = 0o044;

/** Whether others can read a file. Windows has no such modes, and a file on another computer shows none. */
async function isOpenToOthers({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== "file" || process.platform === "win32") return false;
  return ((await fs.stat(fsPath)).mode & READ_BY_OTHERS) !== 0;
}
