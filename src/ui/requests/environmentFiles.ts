import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import {
  ENVIRONMENT_FILE_NAMES,
  environmentFileUris,
  readEnvironmentFile,
  type EnvironmentFile,
} from "../../requests/values/environmentFile.ts";

/**
 * The environment files around request files, as they are in the editor: unsaved changes count. None in Restricted
 * Mode.
 */
export interface EnvironmentFiles extends Disposable {
  /** Those that count for a request file. Reads what is not known yet. */
  load(fileUri: vscode.Uri): Promise<readonly EnvironmentFile[]>;
  /** The same as far as it is known now, without waiting; what is not known is read, and told by `onDidChange`. */
  known(fileUri: vscode.Uri): readonly EnvironmentFile[];
  /** One of them was changed, came or went, or was read for the first time. */
  readonly onDidChange: Event<void>;
}

/** Longer files are told apart by their length alone; reading them says that they are too long. */
const MAX_BYTES = 4 * 1024 * 1024;

export function createEnvironmentFiles(): EnvironmentFiles {
  const disposables = new DisposableList();
  const changes: Emitter<void> = disposables.add(createEmitter());
  /** What stands on the disk by address; undefined where there is no such file. */
  const stored = new Map<string, EnvironmentFile | undefined>();
  const forget = (uri: vscode.Uri): void => {
    stored.delete(uri.toString());
    changes.fire();
  };
  const watcher = disposables.add(vscode.workspace.createFileSystemWatcher(`**/{${ENVIRONMENT_FILE_NAMES.join(",")}}`));
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) disposables.add(event(forget));
  const isOurs = ({ uri }: vscode.TextDocument): boolean =>
    ENVIRONMENT_FILE_NAMES.some((name) => uri.path.endsWith(`/${name}`));
  disposables.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isOurs(document)) changes.fire();
    }),
  );
  disposables.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (isOurs(document)) forget(document.uri);
    }),
  );
  disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changes.fire()));

  const read = async (uri: string): Promise<EnvironmentFile | undefined> => {
    const document = openDocument(uri);
    if (document !== undefined) return readEnvironmentFile(uri, document.getText());
    // Outside of the opened folders nobody tells us of changes.
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
      return addresses.flatMap((uri) => {
        const document = openDocument(uri);
        return (document === undefined ? stored.get(uri) : readEnvironmentFile(uri, document.getText())) ?? [];
      });
    },
    onDidChange: changes.event,
    dispose: () => disposables.dispose(),
  };
}

function openDocument(uri: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === uri);
}

/** A file that is saved nowhere counts as one of the first folder. */
function addressesFor(fileUri: vscode.Uri): readonly string[] {
  if (!vscode.workspace.isTrusted) return [];
  const root =
    fileUri.scheme === "untitled"
      ? vscode.workspace.workspaceFolders?.[0]
      : vscode.workspace.getWorkspaceFolder(fileUri);
  if (fileUri.scheme !== "untitled") return environmentFileUris(fileUri.toString(), root?.uri.toString());
  return root === undefined
    ? []
    : environmentFileUris(vscode.Uri.joinPath(root.uri, "untitled.rpc.json").toString(), root.uri.toString());
}

/** A file that is there and cannot be read may forbid what would be sent: it is a file with a mistake. */
async function readStored(address: string): Promise<EnvironmentFile | undefined> {
  const uri = vscode.Uri.parse(address, true);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_BYTES) return unreadable(address, l10n.t("It is too large."));
    return readEnvironmentFile(address, new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && ["FileNotFound", "FileNotADirectory"].includes(error.code))
      return undefined;
    return unreadable(
      address,
      error instanceof vscode.FileSystemError && error.code === "NoPermissions"
        ? l10n.t("It cannot be read: there is no permission to.")
        : l10n.t("It cannot be read."),
    );
  }
}

function unreadable(address: string, message: string): EnvironmentFile {
  return {
    ...readEnvironmentFile(address, ""),
    problems: [{ code: "fileKind", severity: "error", message, range: { start: 0, end: 0 }, requestIndex: undefined }],
  };
}
