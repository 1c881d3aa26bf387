import * as vscode from "vscode";
import { createEmitter, type DisposableList, type Emitter, type Event } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import {
  ENVIRONMENT_FILE_NAMES,
  environmentFileUris,
  readEnvironmentFile,
  type EnvironmentFile,
} from "../../requests/values/environmentFile.ts";
import { openDocument, storedText } from "./requestDocuments.ts";

/**
 * The environment files around request files, as they are in VS Code: unsaved changes count. None in Restricted Mode.
 */
export interface EnvironmentFiles {
  /** Returns the environment files for a request file. Reads those that are not known yet. */
  load(fileUri: vscode.Uri): Promise<readonly EnvironmentFile[]>;
  /**
   * Returns the environment files that are known now, without waiting. Others are read; `onDidChange` fires when they
   * are.
   */
  known(fileUri: vscode.Uri): readonly EnvironmentFile[];
  /** Fires when an environment file was changed, created or deleted, or was read for the first time. */
  readonly onDidChange: Event<void>;
}

/** The maximum length of a file that is read, in bytes; longer files get the problem that they are too large. */
const MAX_BYTES = 4 * 1024 * 1024;

export function createEnvironmentFiles(disposables: DisposableList): EnvironmentFiles {
  const changes: Emitter<void> = disposables.add(createEmitter());
  /** The files on the disk by address; undefined if there is no such file. */
  const stored = new Map<string, EnvironmentFile | undefined>();
  const forget = (uri: vscode.Uri): void => {
    stored.delete(uri.toString());
    changes.fire();
  };
  const watcher = disposables.add(vscode.workspace.createFileSystemWatcher(`**/{${ENVIRONMENT_FILE_NAMES.join(",")}}`));
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) disposables.add(event(forget));
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
      if (isNamedSo(uri)) changes.fire();
    }),
  );
  disposables.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (isNamedSo(uri)) forget(uri);
    }),
  );
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changes.fire()));

  const open = (uri: string): EnvironmentFile | undefined => {
    const document = openDocument(uri);
    return document && readEnvironmentFile(uri, document.getText());
  };
  const read = async (uri: string): Promise<EnvironmentFile | undefined> => {
    const file = open(uri);
    if (file !== undefined) return file;
    // Outside of the opened folders, changes are not reported.
    if (!stored.has(uri) || vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri, true)) === undefined)
      stored.set(uri, await readStored(uri));
    return stored.get(uri);
  };
  const load = async (fileUri: vscode.Uri): Promise<readonly EnvironmentFile[]> =>
    (await Promise.all(addressesFor(fileUri).map(read))).filter((file) => file !== undefined);
  return {
    load,
    known(fileUri) {
      const addresses = addressesFor(fileUri);
      if (addresses.some((uri) => openDocument(uri) === undefined && !stored.has(uri)))
        void load(fileUri).then(() => changes.fire());
      return addresses.flatMap((uri) => open(uri) ?? stored.get(uri) ?? []);
    },
    onDidChange: changes.event,
  };
}

/** Whether it is an environment file that the user can edit: not an earlier version that some other view shows. */
export function isEnvironmentFile(uri: vscode.Uri): boolean {
  return uri.scheme !== "git" && isNamedSo(uri);
}

function isNamedSo({ path }: vscode.Uri): boolean {
  return ENVIRONMENT_FILE_NAMES.some((name) => path.endsWith(`/${name}`));
}

/**
 * Returns the addresses of a request file's environment files. An unsaved file counts as a file of the first folder.
 */
function addressesFor(fileUri: vscode.Uri): readonly string[] {
  if (!vscode.workspace.isTrusted) return [];
  if (fileUri.scheme !== "untitled")
    return environmentFileUris(fileUri.toString(), vscode.workspace.getWorkspaceFolder(fileUri)?.uri.toString());
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  return root === undefined
    ? []
    : environmentFileUris(vscode.Uri.joinPath(root, "untitled.rpc.json").toString(), root.toString());
}

/** Reads a file from the disk. A file that cannot be read counts as a file with an error: it may forbid requests. */
async function readStored(address: string): Promise<EnvironmentFile | undefined> {
  const uri = vscode.Uri.parse(address, true);
  try {
    const text = await storedText(uri, MAX_BYTES);
    return text === undefined
      ? unreadable(address, l10n.t("The file is too large."))
      : readEnvironmentFile(address, text);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && ["FileNotFound", "FileNotADirectory"].includes(error.code))
      return undefined;
    return unreadable(
      address,
      error instanceof vscode.FileSystemError && error.code === "NoPermissions"
        ? l10n.t("The file can't be read: permission denied.")
        : l10n.t("The file can't be read."),
    );
  }
}

function unreadable(address: string, message: Plain): EnvironmentFile {
  return {
    ...readEnvironmentFile(address, ""),
    problems: [{ code: "fileKind", severity: "error", message, range: { start: 0, end: 0 }, requestIndex: undefined }],
  };
}
