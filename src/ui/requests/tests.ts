import * as vscode from "vscode";
import type { DisposableList } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { allAtOnce } from "../../base/slices.ts";
import { MAX_FILE_LENGTH, scanRequests } from "../../requests/file/scan.ts";
import { requestTests, type RequestTest } from "../../requests/running/requestTests.ts";
import { createDocumentWork } from "../editor/documentWork.ts";
import { fileWords, isRequestFile, REQUEST_FILE_PATTERN } from "./files.ts";
import type { RunUi } from "./preparedRun.ts";
import { openDocument, storedText } from "./requestDocuments.ts";
import { createTestRunner, type TestMode, type TestTree } from "./testRuns.ts";

const IGNORED = "**/node_modules/**";
/** The maximum number of files that are listed; further files are found once they are opened. */
const MAX_FILES = 5000;
const MAX_TAGS = 20;

/**
 * Shows request files in the Test Explorer. Nothing is there until the first request file is opened in the window. From
 * then on, files of the workspace are found when the Test Explorer asks. They are read when the user expands or runs
 * them.
 */
export function createRequestTests(ui: RunUi, disposables: DisposableList): void {
  let isMade = false;
  const make = ({ uri }: vscode.TextDocument): void => {
    if (isMade || !isEditable(uri)) return;
    isMade = true;
    makeController(ui, disposables);
  };
  disposables.add(vscode.workspace.onDidOpenTextDocument(make));
  vscode.workspace.textDocuments.forEach(make);
}

function makeController(ui: RunUi, disposables: DisposableList): void {
  const controller = disposables.add(
    vscode.tests.createTestController("tradingRpc.requests", l10n.t("Trading RPC Requests")),
  );
  const tree = createTree(controller, disposables);
  const runTests = createTestRunner(controller, tree, ui);
  const profile = (title: string, mode: TestMode, isDefault: boolean): void => {
    disposables.add(
      controller.createRunProfile(
        title,
        vscode.TestRunProfileKind.Run,
        async (request, token) => await runTests(title, mode, request, token),
        isDefault,
      ),
    );
  };
  profile(l10n.t("Reads"), "reads", true);
  profile(l10n.t("With Writes (Testnet and Simulator)"), "writes", false);
  controller.resolveHandler = async (item) => {
    if (item === undefined) await tree.discover();
    else if (item.uri !== undefined) await tree.read(item.uri);
  };
  controller.refreshHandler = async () => await tree.discover();
  // The tests of open files are known without a search, and stay where the requests are.
  createDocumentWork<readonly RequestTest[]>(
    {
      clock: ui.clock,
      isWanted: ({ uri }) => isEditable(uri),
      stepsFor: (document) => requestTests(ui.scans.of(document)),
      take(document, found) {
        // A file that expects nothing need not be listed because it is open.
        if (tree.files.get(document.uri.toString()) !== undefined || found.length > 0) tree.follow(document, found);
      },
      forget({ uri }) {
        if (uri.scheme === "untitled") tree.files.delete(uri.toString());
      },
    },
    disposables,
  );
}

function createTree(controller: vscode.TestController, disposables: DisposableList): TestTree {
  const tests = new WeakMap<vscode.TestItem, RequestTest>();
  let watcher: vscode.FileSystemWatcher | undefined;
  const itemOf = (uri: vscode.Uri): vscode.TestItem => {
    const before = controller.items.get(uri.toString());
    if (before !== undefined) return before;
    const item = controller.createTestItem(uri.toString(), fileWords(uri), uri);
    item.canResolveChildren = true;
    controller.items.add(item);
    return item;
  };
  const fill = (
    item: vscode.TestItem,
    found: readonly RequestTest[],
    rangeOf: (offset: number) => vscode.Position,
  ): void => {
    item.children.replace(
      found.map((test, index) => {
        const child =
          item.children.get(test.id) ?? controller.createTestItem(test.id, plain.text(test.label), item.uri);
        child.label = plain.text(test.label);
        child.description = plain.text(
          test.isRead ? test.method : [test.method, l10n.t("changes")].filter((word) => word !== "").join(" · "),
        );
        child.sortText = String(index).padStart(6, "0");
        child.range = new vscode.Range(rangeOf(test.range.start), rangeOf(test.range.end));
        child.tags = test.tags.slice(0, MAX_TAGS).map((tag) => new vscode.TestTag(plain.text(tag)));
        tests.set(child, test);
        return child;
      }),
    );
    item.canResolveChildren = false;
    item.description = found.length === 0 ? l10n.t("no expectations") : "";
  };
  const tree: TestTree = {
    files: controller.items,
    testOf: (item) => tests.get(item),
    async discover() {
      if (watcher === undefined) {
        watcher = disposables.add(vscode.workspace.createFileSystemWatcher(REQUEST_FILE_PATTERN));
        disposables.add(
          watcher.onDidCreate((uri) => {
            if (isListed(uri)) itemOf(uri);
          }),
        );
        disposables.add(
          watcher.onDidDelete((uri) => {
            if (openDocument(uri.toString()) === undefined) controller.items.delete(uri.toString());
          }),
        );
        // What was not expanded yet is read then.
        disposables.add(
          watcher.onDidChange((uri) => {
            const key = uri.toString();
            if (openDocument(key) === undefined && controller.items.get(key)?.canResolveChildren === false)
              void tree.read(uri);
          }),
        );
      }
      for (const uri of await vscode.workspace.findFiles(REQUEST_FILE_PATTERN, IGNORED, MAX_FILES)) itemOf(uri);
    },
    follow(document, found) {
      const item = itemOf(document.uri);
      fill(item, found, (offset) => document.positionAt(offset));
      return item;
    },
    async read(uri) {
      const document = openDocument(uri.toString());
      const item = itemOf(uri);
      item.busy = true;
      try {
        const text = document?.getText() ?? (await storedText(uri, MAX_BYTES)) ?? "";
        fill(
          item,
          allAtOnce(requestTests(scanRequests(text))),
          document === undefined ? positionsIn(text) : (offset) => document.positionAt(offset),
        );
        item.error = undefined;
      } catch {
        item.error = l10n.t("The file can't be read.");
      } finally {
        item.busy = false;
      }
      return item;
    },
  };
  return tree;
}

/** Whether it is a request file that the user can edit: not an earlier version that some other view shows. */
function isEditable(uri: vscode.Uri): boolean {
  const { scheme } = uri;
  return isRequestFile(uri) && (scheme === "untitled" || vscode.workspace.fs.isWritableFileSystem(scheme) === true);
}

function isListed(uri: vscode.Uri): boolean {
  return isEditable(uri) && !uri.path.includes("/node_modules/");
}

/** The maximum size of a file that is read, in bytes: a UTF-16 unit has up to three of them in UTF-8. */
const MAX_BYTES = 3 * MAX_FILE_LENGTH;

/** Returns a function that finds the positions of offsets in a text that is not open in VS Code. */
function positionsIn(text: string): (offset: number) => vscode.Position {
  const starts = [0, ...[...text.matchAll(/\r\n|[\n\r]/g)].map(({ 0: end, index }) => index + end.length)];
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return new vscode.Position(low, offset - (starts[low] ?? 0));
  };
}
