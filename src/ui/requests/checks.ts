import * as vscode from "vscode";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import type { Steps } from "../../base/slices.ts";
import type { Service } from "../../catalogue/index.ts";
import { checkInSteps, isShownByEditor, type KeptFindings } from "../../requests/checking/check.ts";
import type { KnownValues } from "../../requests/checking/checkPlaceholders.ts";
import { knownValues, requestNames, variableNames } from "../../requests/checking/knownValues.ts";
import { serviceOfFile } from "../../requests/checking/serviceOfFile.ts";
import type { FileProblem, FileRequest } from "../../requests/file/file.ts";
import { scanRequests } from "../../requests/file/scan.ts";
import { readEnvironmentFile } from "../../requests/values/environmentFile.ts";
import { isEnvironmentFile } from "./environmentFiles.ts";
import { REQUEST_FILE_PATTERN } from "./files.ts";
import { filesOfFolder, folderKey, isRequestDocument, keepFindings, storedText } from "./requestDocuments.ts";
import type { RequestUi } from "./requestUi.ts";

type CheckUi = Pick<RequestUi, "clock" | "scans" | "targets" | "results" | "environments" | "problemPage">;

/**
 * Keeps the problems of open request files and environment files in the Problems view. Of a long file, those of what is
 * on the screen come first.
 */
export function createRequestChecks(ui: CheckUi, disposables: DisposableList): void {
  const { clock, scans, problemPage } = ui;
  const kept: KeptFindings = new WeakMap();
  const services = new WeakMap<vscode.TextDocument, Service>();
  const serviceFor = (document: vscode.TextDocument): Service => {
    const service = serviceOfFile(scans.of(document), ui.targets.of(document.uri));
    services.set(document, service);
    return service;
  };
  const hasOtherService = (document: vscode.TextDocument): boolean =>
    isRequestDocument(document) && services.get(document) !== serviceFor(document);
  const checkNames = (): void => {
    for (const document of vscode.workspace.textDocuments)
      if (hasOtherService(document) || hasPlaceholders(document, scans)) checks.start(document);
  };
  const folders = disposables.add(createFolderNames(checkNames));
  const checks = keepFindings(
    "trading-rpc",
    {
      clock,
      problemPage,
      isWanted: (document) => isRequestDocument(document) || isEnvironmentFile(document.uri),
      stepsFor: (document) =>
        isRequestDocument(document)
          ? checkInSteps(scans.of(document), {
              known: knownFor(document, folders, ui),
              service: serviceFor(document),
              kept,
              isFirst: isOnScreen(document),
            })
          : environmentProblems(document),
      // VS Code's own support for JSON reports the others.
      isShown: (document, problem) =>
        isRequestDocument(document) ? !isShownByEditor(problem) : problem.code !== "syntax",
    },
    disposables,
  );
  for (const listen of [ui.targets.onDidChange, ui.results.onDidChange, ui.environments.onDidChange])
    disposables.add(listen(checkNames));
  disposables.add(
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => checks.startOver(textEditor.document)),
  );
  disposables.add(
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const { document } of editors) checks.startOver(document);
    }),
  );
}

/** Returns a function that tells whether a request of a document is on the screen. */
function isOnScreen(document: vscode.TextDocument): (request: FileRequest) => boolean {
  const seen = vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap(({ visibleRanges }) => visibleRanges)
    .map(({ start, end }) => ({ start: document.offsetAt(start), end: document.offsetAt(end) }));
  return ({ range }) => seen.some(({ start, end }) => range.start <= end && range.end >= start);
}

/** Finds the problems of an environment file in one step: it has hardly more than a hundred lines. */
function* environmentProblems(document: vscode.TextDocument): Steps<readonly FileProblem[]> {
  const { problems } = readEnvironmentFile(document.uri.toString(), document.getText());
  yield undefined;
  return problems;
}

/** Whether anything outside of a request file can affect its problems. */
function hasPlaceholders(document: vscode.TextDocument, scans: RequestUi["scans"]): boolean {
  return isRequestDocument(document) && scans.of(document).text.includes("{{");
}

/**
 * Returns the names outside a document that its placeholders can use: responses, requests of other files, environment
 * files. Undefined in Restricted Mode, where nothing outside of the file is read.
 */
function knownFor(
  document: vscode.TextDocument,
  folders: FolderNames,
  { scans, targets, results, environments }: CheckUi,
): KnownValues | undefined {
  if (!vscode.workspace.isTrusted) return undefined;
  const { uri } = document;
  const responses = results.of(uri);
  let open: ReadonlySet<string> | undefined;
  const openNames = (): ReadonlySet<string> => {
    const inFolder = vscode.workspace.textDocuments.filter(
      (each) => each !== document && isRequestDocument(each) && folderKey(each.uri) === folderKey(uri),
    );
    return new Set(inFolder.flatMap((each) => [...scans.named(each).keys()]));
  };
  return knownValues(
    variableNames(environments.known(uri), targets.of(uri)?.environment),
    (name) => responses.get(name) !== undefined || (open ??= openNames()).has(name) || folders.has(uri, name),
  );
}

/** The names of requests in the saved files of folders. */
interface FolderNames extends Disposable {
  /** Whether the folder of a file has the name. A folder is read on the first lookup; until then it has every name. */
  has(uri: vscode.Uri, name: string): boolean;
}

function createFolderNames(changed: () => void): FolderNames {
  const folders = new Map<string, ReadonlySet<string> | "reading">();
  const disposables = new DisposableList();
  const forget = (uri: vscode.Uri): void => {
    if (folders.delete(folderKey(uri))) changed();
  };
  const watcher = disposables.add(vscode.workspace.createFileSystemWatcher(REQUEST_FILE_PATTERN));
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) disposables.add(event(forget));
  const read = async (uri: vscode.Uri): Promise<void> => {
    const names = await Promise.all((await filesOfFolder(uri)).map(namesOf));
    folders.set(folderKey(uri), new Set(names.flat()));
    changed();
  };
  return {
    has(uri, name) {
      if (uri.scheme === "untitled") return false;
      const folder = folderKey(uri);
      const names = folders.get(folder);
      if (names !== undefined) return names === "reading" || names.has(name);
      folders.set(folder, "reading");
      void read(uri);
      return true;
    },
    dispose: () => disposables.dispose(),
  };
}

/** The maximum size of a file that is read for its names, in bytes. */
const MAX_BYTES = 1024 * 1024;

async function namesOf(uri: vscode.Uri): Promise<readonly string[]> {
  try {
    const text = await storedText(uri, MAX_BYTES);
    return text === undefined ? [] : requestNames(scanRequests(text));
  } catch {
    // It went while it was read.
    return [];
  }
}
