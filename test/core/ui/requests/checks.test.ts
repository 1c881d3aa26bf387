import assert from "node:assert/strict";
import * as crypto from "node:crypto";
import * as path from "node:path";
import { describe, test } from "vitest";
import fc from "fast-check";
import type * as vscode from "vscode";
import { checkFiles } from "../../../../src/cli/checking/checkFiles.ts";
import { isShownByEditor } from "../../../../src/requests/checking/check.ts";
import type { FileProblem } from "../../../../src/requests/file/file.ts";
import type { Clock } from "../../../../src/base/clock.ts";
import { DisposableList } from "../../../../src/base/emitter.ts";
import { createResults } from "../../../../src/requests/values/results.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";
import { rounds } from "../../../rounds.mjs";
import { disk } from "../../cli/disk.ts";
import { requestFile } from "../../requests/files.fuzz.ts";
import { useEditor } from "../../../editorStandIn.ts";

/* The problems that VS Code shows in random files, beside those that `trading-rpc check` prints. */

/** The same seed but for a long run. It is printed. */
const SEED = rounds({ short: 25_112_026, full: 25_112_026, long: crypto.randomInt(2 ** 31) });
/** Each folder has two request files. */
const FOLDERS = 500;

/** An address, as far as the checks need one. */
class Uri {
  readonly scheme = "file";
  readonly path: string;

  constructor(name: string) {
    this.path = name;
  }

  static parse(text: string): Uri {
    return new Uri(text.replace(/^file:\/\//, ""));
  }

  static joinPath({ path: base }: Uri, ...parts: readonly string[]): Uri {
    return new Uri(path.posix.join(base, ...parts));
  }

  with(): this {
    return this;
  }

  toString(): string {
    return `file://${this.path}`;
  }
}

class Range {
  readonly start: vscode.Position;
  readonly end: vscode.Position;

  constructor(start: vscode.Position, end: vscode.Position) {
    this.start = start;
    this.end = end;
  }
}

class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: 0 | 1;
  code: { readonly value: string } = { value: "" };

  constructor(range: Range, message: string, severity: 0 | 1) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

class FileSystemError extends Error {
  readonly code = "FileNotFound";
}

/** A document as VS Code opens a file: without a byte order mark, with the line end that the file has most often. */
function documentOf(file: string, stored: string): vscode.TextDocument {
  const text = stored.replace(/^\uFEFF/, "");
  const ends = text.match(/\r\n|\r|\n/g) ?? [];
  const end = ends.filter((each) => each !== "\n").length > ends.length / 2 ? "\r\n" : "\n";
  const lines = text.split(/\r\n|\r|\n/);
  const document = {
    uri: new Uri(file),
    version: 1,
    isClosed: false,
    getText: () => lines.join(end),
    offsetAt: ({ line, character }: vscode.Position) =>
      lines.slice(0, line).reduce((sum, { length }) => sum + length + end.length, character),
    positionAt(offset: number) {
      let [line, character] = [0, offset];
      for (const { length } of lines.slice(0, -1)) {
        if (character < length + end.length) break;
        character -= length + end.length;
        line += 1;
      }
      // A place within a line end is the end of the line.
      return { line, character: Math.min(character, lines[line]?.length ?? 0) };
    },
  };
  return document as unknown as vscode.TextDocument;
}

/** The files on the disk by path, the open documents, and the problems that are shown, by path. */
interface Desk {
  files: Readonly<Record<string, string>>;
  documents: vscode.TextDocument[];
  readonly shown: Map<string, readonly Diagnostic[]>;
  /** All problems that were shown, one after the other; undefined where they were taken away. */
  history: (readonly Diagnostic[] | undefined)[];
  opened: ((document: vscode.TextDocument) => void)[];
  changed: ((change: { readonly document: vscode.TextDocument }) => void)[];
  closed: ((document: vscode.TextDocument) => void)[];
  editors: readonly Pick<vscode.TextEditor, "document" | "visibleRanges">[];
  scrolled: (scroll: { readonly textEditor: Pick<vscode.TextEditor, "document"> }) => void;
}

const desk: Desk = {
  ...{ files: {}, documents: [], shown: new Map(), history: [], opened: [], changed: [], closed: [], editors: [] },
  scrolled: () => undefined,
};
const nothing = (): { dispose: () => void } => ({ dispose: () => undefined });

async function stored({ path: file }: Uri): Promise<string> {
  const text = desk.files[file];
  if (text === undefined) throw new FileSystemError(file);
  return await Promise.resolve(text);
}

const isRequestFile = (file: string): boolean => file.endsWith(".rpc.json");

const EDITOR = {
  Uri,
  Range,
  Diagnostic,
  FileSystemError,
  RelativePattern: class {
    readonly base: Uri;

    constructor(base: Uri) {
      this.base = base;
    }
  },
  languages: {
    match: (_: unknown, { uri }: vscode.TextDocument) => (isRequestFile(uri.path) ? 10 : 0),
    createDiagnosticCollection: () => ({
      set({ path: file }: Uri, found: readonly Diagnostic[]) {
        desk.shown.set(file, found);
        desk.history.push(found);
      },
      delete({ path: file }: Uri) {
        desk.shown.delete(file);
        desk.history.push(undefined);
      },
      dispose: nothing,
    }),
  },
  window: {
    get visibleTextEditors() {
      return desk.editors;
    },
    onDidChangeTextEditorVisibleRanges(listener: Desk["scrolled"]) {
      desk.scrolled = listener;
      return nothing();
    },
    onDidChangeVisibleTextEditors: nothing,
  },
  workspace: {
    isTrusted: true,
    get textDocuments() {
      return desk.documents;
    },
    getWorkspaceFolder: () => ({ uri: new Uri("/work") }),
    createFileSystemWatcher: () => ({
      ...{ onDidChange: nothing, onDidCreate: nothing, onDidDelete: nothing },
      dispose: () => undefined,
    }),
    findFiles: async ({ base }: { readonly base: Uri }) =>
      await Promise.resolve(
        Object.keys(desk.files)
          .filter((file) => isRequestFile(file) && path.posix.dirname(file) === base.path)
          .map((file) => new Uri(file)),
      ),
    fs: {
      stat: async (uri: Uri) => ({ size: (await stored(uri)).length }),
      readFile: async (uri: Uri) => Buffer.from(await stored(uri)),
    },
    onDidOpenTextDocument(listener: (document: vscode.TextDocument) => void) {
      desk.opened.push(listener);
      return nothing();
    },
    onDidChangeTextDocument(listener: (change: { readonly document: vscode.TextDocument }) => void) {
      desk.changed.push(listener);
      return nothing();
    },
    onDidCloseTextDocument(listener: (document: vscode.TextDocument) => void) {
      desk.closed.push(listener);
      return nothing();
    },
    onDidGrantWorkspaceTrust: nothing,
  },
};

/** Makes the checks of a window in which no document is open yet. */
async function startChecks(
  files: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<{ readonly dispose: () => void }> {
  const { createRequestChecks } = await import("../../../../src/ui/requests/checks.ts");
  const { createEnvironmentFiles } = await import("../../../../src/ui/requests/environmentFiles.ts");
  const { createRequestScans } = await import("../../../../src/ui/requests/requestDocuments.ts");
  Object.assign(desk, { files, documents: [], history: [], opened: [], changed: [], closed: [], editors: [] });
  desk.shown.clear();
  const scans = createRequestScans();
  const disposables = new DisposableList();
  const ui = {
    clock,
    scans,
    targets: { of: () => undefined, onDidChange: nothing },
    results: { of: () => createResults(), onDidChange: nothing },
    environments: createEnvironmentFiles(disposables),
    problemPage: new Uri("/extension/docs/problems.md"),
  };
  createRequestChecks(ui as never, disposables);
  return disposables;
}

function open(file: string, text: string): vscode.TextDocument {
  const document = documentOf(file, text);
  desk.documents.push(document);
  for (const listener of desk.opened) listener(document);
  return document;
}

/** Opens files one after the other, the others of the folder unopened at first. Returns the problems by file. */
async function problemsInEditor(files: Readonly<Record<string, string>>): Promise<Record<string, readonly string[]>> {
  const clock = createFakeClock();
  const checks = await startChecks(files, clock);
  const found: Record<string, readonly string[]> = {};
  for (const [file, text] of Object.entries(files)) {
    open(file, text);
    // Once to ask for what is on the disk, and once when it is there.
    for (let turn = 0; turn < 2; turn++) await clock.advance(1000);
    found[file] = (desk.shown.get(file) ?? []).map(({ range: { start, end }, severity, code, message }) =>
      lineOf(severity === 0 ? "error" : "warning", code.value, message, [
        start.line,
        start.character,
        end.line,
        end.character,
      ]),
    );
  }
  checks.dispose();
  return found;
}

function lineOf(severity: string, code: string, message: string, place: readonly number[]): string {
  return `${place.join(":")} ${severity} ${code} ${message}`;
}

/** Whether VS Code's own support for JSON says it, in its words. */
function isOfJsonSupport(file: string, problem: Pick<FileProblem, "code" | "severity">): boolean {
  return isRequestFile(file) ? isShownByEditor(problem as FileProblem) : problem.code === "syntax";
}

const environmentFile = fc.constantFrom(
  '{ "*": { "v": 1, "absent": "x", "list": [1, 2] } }',
  '{\n "test": { "w": "{{v}}", "max": 12.50 },\r\n "$allow": ["test", "live"] }',
  '// two\n{ "*": { "v": 1, "v": 2 }, "sim": { "client_secret": "canary8Kq2Vx5Lr9Tz4Wm7" } }',
  '{ "*": { "v": ',
  "5",
  "",
);

const lineEnd = fc.constantFrom(undefined, undefined, "\r\n", "\r");

const folder = fc
  .record({
    first: requestFile,
    second: requestFile,
    near: environmentFile,
    far: environmentFile,
    lineEnd,
    mark: fc.boolean(),
  })
  .map(({ first, second, near, far, lineEnd: end, mark }) => {
    const ended = end === undefined ? first : first.replaceAll(/\r\n|\n/g, end);
    return {
      "/work/deep/a.rpc.json": `${mark ? "\uFEFF" : ""}${ended}`,
      "/work/deep/b.rpc.json": second,
      "/work/deep/rpc.env.local.json": near,
      "/work/rpc.env.json": far,
    };
  });

describe("the problems of request files", () => {
  useEditor(EDITOR);

  test("in random files, a check finds the problems of the Problems view, at the same places and in the same words", async () => {
    const counts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(folder, async (files) => {
        const shown = await problemsInEditor(files);
        const { files: checked, notChecked } = await checkFiles(["/work"], disk(files), new AbortController().signal);
        assert.deepEqual([notChecked, checked.length], [[], 4]);
        for (const { path: file, problems } of checked) {
          const printed = problems
            .filter((problem) => !isOfJsonSupport(file, problem))
            .map(({ start, end, severity, code, message }) => {
              counts.set(code, (counts.get(code) ?? 0) + 1);
              return lineOf(severity, code, message, [start.line - 1, start.column - 1, end.line - 1, end.column - 1]);
            });
          assert.deepEqual(printed.sort(), [...(shown[file] ?? [])].sort(), file);
        }
      }),
      { seed: SEED, numRuns: FOLDERS },
    );
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    process.stdout.write(
      `note: check and Problems view: seed ${String(SEED)}, ${String(2 * FOLDERS)} request files, ${String(total)} problems of ${String(counts.size)} kinds\n`,
    );
    assert.ok(total > 2 * FOLDERS && counts.size >= 12, [...counts.keys()].join(", "));
  });

  describe("of a long file", () => {
    const FILE = "/work/long.rpc.json";
    const COUNT = 40;

    /** A request in each line, with a problem but for every tenth. */
    const textFrom = (first: number): string =>
      `[${Array.from({ length: COUNT }, (_, index) =>
        (first + index) % 10 === 0 ? '{ "method": "public/test" }' : '{ "method": "private/cancel" }',
      ).join(",\n")}]`;
    const linesFrom = (first: number): readonly number[] =>
      Array.from({ length: COUNT }, (_, index) => index).filter((index) => (first + index) % 10 !== 0);

    /** A clock on which time passes when it is asked for the time: each slice has so many steps. */
    function createSliceClock(steps: number): FakeClock {
      const clock = createFakeClock();
      let asked = 0;
      return { ...clock, monotonicMs: () => clock.monotonicMs() + (asked++ * 10) / steps };
    }

    function look(document: vscode.TextDocument, first: number, last: number): void {
      const visibleRanges = [{ start: { line: first, character: 0 }, end: { line: last, character: 0 } }];
      desk.editors = [{ document, visibleRanges: visibleRanges as unknown as readonly vscode.Range[] }];
      desk.scrolled({ textEditor: { document } });
    }

    /** Opens the file. `meanwhile` comes after the first slice. Returns the lines that were shown to have problems. */
    async function opened(
      clock: FakeClock,
      meanwhile: (document: vscode.TextDocument, shown: readonly unknown[]) => void = () => undefined,
    ): Promise<readonly (readonly number[] | undefined)[]> {
      const checks = await startChecks({}, clock);
      const document = open(FILE, textFrom(0));
      look(document, 20, 22);
      clock.after(0, () => meanwhile(document, desk.history));
      await clock.advance(1000);
      checks.dispose();
      assert.equal(clock.pendingTimers, 0);
      return desk.history.map((shown) => shown?.map(({ range }) => range.start.line));
    }

    function type(document: vscode.TextDocument, text: string): void {
      Object.assign(document, documentOf(FILE, text), { version: document.version + 1 });
      for (const listener of desk.changed) listener({ document });
    }

    test("what is on the screen comes first, and then all", async () => {
      assert.deepEqual(await opened(createSliceClock(5)), [[21, 22], linesFrom(0)]);
    });

    test("what fits into a slice is shown once, and so is an edit", async () => {
      const shown = await opened(createSliceClock(1000), (document) => type(document, textFrom(1)));
      assert.deepEqual(shown, [linesFrom(0), linesFrom(1)]);
    });

    test("what is scrolled to while the others are checked comes next", async () => {
      const shown = await opened(createSliceClock(5), (document) => look(document, 31, 33));
      assert.deepEqual(shown, [[21, 22], [21, 22, 31, 32, 33], linesFrom(0)]);
    });

    test("a change ends the check, which begins again after a pause", async () => {
      const clock = createSliceClock(5);
      const shown = await opened(clock, (document, before) => {
        type(document, textFrom(1));
        clock.after(299, () => assert.equal(before.length, 1));
      });
      assert.deepEqual([shown[0], shown.at(-1), shown.length], [[21, 22], linesFrom(1), 3]);
    });

    test("a file that is closed is not checked any more, and has no problems", async () => {
      const shown = await opened(createSliceClock(5), (document) => {
        for (const listener of desk.closed) listener(document);
      });
      assert.deepEqual(shown, [[21, 22], undefined]);
    });
  });
});
