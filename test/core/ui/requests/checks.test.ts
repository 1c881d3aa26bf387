import assert from "node:assert/strict";
import * as crypto from "node:crypto";
import * as path from "node:path";
import { describe, test } from "vitest";
import fc from "fast-check";
import type * as vscode from "vscode";
import { checkFiles } from "../../../../src/cli/checkFiles.ts";
import { isShownByEditor } from "../../../../src/requests/checking/check.ts";
import type { FileProblem } from "../../../../src/requests/file/file.ts";
import { createRequestScans } from "../../../../src/ui/requests/scans.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { rounds } from "../../../rounds.mjs";
import { disk } from "../../cli/disk.ts";
import { requestFile } from "../../requests/files.fuzz.ts";
import { useEditor } from "../editorStandIn.ts";

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
  opened: ((document: vscode.TextDocument) => void)[];
}

const desk: Desk = { files: {}, documents: [], shown: new Map(), opened: [] };
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
      set: ({ path: file }: Uri, found: readonly Diagnostic[]) => desk.shown.set(file, found),
      delete: nothing,
      dispose: nothing,
    }),
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
    onDidChangeTextDocument: nothing,
    onDidCloseTextDocument: nothing,
    onDidGrantWorkspaceTrust: nothing,
  },
};

/** Opens files one after the other, the others of the folder unopened at first. Returns the problems by file. */
async function problemsInEditor(files: Readonly<Record<string, string>>): Promise<Record<string, readonly string[]>> {
  const { createRequestChecks } = await import("../../../../src/ui/requests/checks.ts");
  const { createEnvironmentFiles } = await import("../../../../src/ui/requests/environmentFiles.ts");
  const { createKnownNames } = await import("../../../../src/ui/requests/knownNames.ts");
  Object.assign(desk, { files, documents: [], opened: [] });
  desk.shown.clear();
  const clock = createFakeClock();
  const scans = createRequestScans();
  const unconnected = { of: () => undefined, onDidChange: nothing };
  const environments = createEnvironmentFiles();
  const known = createKnownNames({ scans, targets: unconnected, results: unconnected as never, environments });
  const checks = createRequestChecks(clock, scans, known, new Uri("/extension/docs/problems.md") as never);
  const found: Record<string, readonly string[]> = {};
  for (const [file, text] of Object.entries(files)) {
    const document = documentOf(file, text);
    desk.documents.push(document);
    for (const listener of desk.opened) listener(document);
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
  for (const each of [checks, known, environments]) each.dispose();
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
});
