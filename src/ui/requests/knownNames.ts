import * as vscode from "vscode";
import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import type { KnownValues } from "../../requests/checking/checkPlaceholders.ts";
import { knownValues, requestNames, variableNames } from "../../requests/checking/knownValues.ts";
import { scanRequests } from "../../requests/file/scan.ts";
import { REQUEST_FILES, type AuthoringPorts } from "./authoringPlaces.ts";
import { REQUEST_FILE_PATTERN } from "./files.ts";

/** The names outside a file that its placeholders can use: responses, requests of other files, environment files. */
export interface KnownNames extends Disposable {
  /**
   * Returns the known values for a document; undefined in Restricted Mode, where nothing outside of the file is read.
   */
  of(document: vscode.TextDocument): KnownValues | undefined;
  readonly onDidChange: Event<void>;
}

export function createKnownNames({
  scans,
  targets,
  results,
  environments,
}: Pick<AuthoringPorts, "scans" | "targets" | "results" | "environments">): KnownNames {
  const disposables = new DisposableList();
  const changes: Emitter<void> = disposables.add(createEmitter());
  const folders = disposables.add(createFolderNames(() => changes.fire()));
  for (const listen of [targets.onDidChange, results.onDidChange, environments.onDidChange])
    disposables.add(listen(() => changes.fire()));
  const openNames = (document: vscode.TextDocument): ReadonlySet<string> => {
    const inFolder = vscode.workspace.textDocuments.filter(
      (each) =>
        each !== document &&
        vscode.languages.match(REQUEST_FILES, each) > 0 &&
        folderOf(each.uri) === folderOf(document.uri),
    );
    return new Set(inFolder.flatMap((each) => requestNames(scans.of(each))));
  };
  return {
    of(document) {
      if (!vscode.workspace.isTrusted) return undefined;
      const target = targets.of(document.uri);
      const responses = target === undefined ? undefined : results.of(target.record.id, document.uri);
      const variables = variableNames(environments.known(document.uri), target?.environment);
      let open: ReadonlySet<string> | undefined;
      return knownValues(
        variables,
        (name) =>
          responses?.get(name) !== undefined ||
          (open ??= openNames(document)).has(name) ||
          folders.has(document.uri, name),
      );
    },
    onDidChange: changes.event,
    dispose: () => disposables.dispose(),
  };
}

/** Returns the folder of a file. Unsaved files share one. */
function folderOf(uri: vscode.Uri): string {
  return uri.scheme === "untitled" ? "untitled:" : vscode.Uri.joinPath(uri, "..").toString();
}

/**
 * Makes the store of request names in the saved files of folders. A folder is read on the first lookup; until then
 * every name counts as present.
 */
function createFolderNames(changed: () => void): Disposable & { has(uri: vscode.Uri, name: string): boolean } {
  const folders = new Map<string, ReadonlySet<string> | "reading">();
  const watcher = vscode.workspace.createFileSystemWatcher(REQUEST_FILE_PATTERN);
  const forget = (uri: vscode.Uri): void => {
    if (folders.delete(folderOf(uri))) changed();
  };
  const listeners = [watcher, watcher.onDidChange(forget), watcher.onDidCreate(forget), watcher.onDidDelete(forget)];
  const read = async (uri: vscode.Uri): Promise<void> => {
    const names = await storedNames(uri);
    folders.set(folderOf(uri), names);
    changed();
  };
  return {
    has(uri, name) {
      if (uri.scheme === "untitled") return false;
      const folder = folderOf(uri);
      const names = folders.get(folder);
      if (names !== undefined) return names === "reading" || names.has(name);
      folders.set(folder, "reading");
      void read(uri);
      return true;
    },
    dispose() {
      for (const each of listeners) each.dispose();
    },
  };
}

const MAX_FILES = 200;
/** The maximum size of a file that is read for its names, in bytes. */
const MAX_BYTES = 1024 * 1024;

async function storedNames(uri: vscode.Uri): Promise<ReadonlySet<string>> {
  const uris = await vscode.workspace.findFiles(
    new vscode.RelativePattern(vscode.Uri.joinPath(uri, ".."), "*.rpc.json"),
    undefined,
    MAX_FILES,
  );
  const names = await Promise.all(uris.map(namesOf));
  return new Set(names.flat());
}

async function namesOf(uri: vscode.Uri): Promise<readonly string[]> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_BYTES) return [];
    return requestNames(scanRequests(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))));
  } catch {
    // It went while it was read.
    return [];
  }
}
