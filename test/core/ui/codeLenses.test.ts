import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, test } from "vitest";
import ts from "typescript";
import type * as vscode from "vscode";
import { createEmitter, DisposableList } from "../../../src/base/emitter.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { createResults } from "../../../src/requests/values/results.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { useEditor } from "../../editorStandIn.ts";

/*
 * VS Code can lose the arguments of a command that was made in resolveCodeLens (issue 226936): the button is then dead.
 */

/** Every call of `registerCodeLensProvider` in a source file that could make such a command, with its line. */
function unsafeProviders(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const nodes = (node: ts.Node): ts.Node[] => [node, ...node.getChildren(source).flatMap(nodes)];
  const all = nodes(source);
  const lineOf = (node: ts.Node): string =>
    `${file}:${String(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)}`;
  for (const call of all.filter(ts.isCallExpression)) {
    if (!/\bregisterCodeLensProvider$/.test(call.expression.getText(source))) continue;
    const provider = call.arguments[1];
    if (
      provider === undefined ||
      !ts.isObjectLiteralExpression(provider) ||
      provider.properties.some(ts.isSpreadAssignment)
    )
      found.push(`${lineOf(call)} hands over a provider that is written elsewhere`);
  }
  // Whoever resolves makes the commands in the same file, and none of that file has arguments.
  if (/\bresolveCodeLens\b/.test(text)) {
    for (const node of all)
      if (
        (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
        node.name.getText(source) === "arguments"
      )
        found.push(`${lineOf(node)} has arguments beside resolveCodeLens`);
  }
  return found;
}

function sourceFiles(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((each) =>
      each.isDirectory()
        ? sourceFiles(path.join(folder, each.name))
        : each.name.endsWith(".ts")
          ? [path.join(folder, each.name)]
          : [],
    );
}

describe("every CodeLens provider", () => {
  test("gives no arguments to a command that it makes in resolveCodeLens", () => {
    const files = sourceFiles("src").map((file) => ({ file, text: fs.readFileSync(file, "utf8") }));
    assert.ok(files.filter(({ text }) => text.includes("registerCodeLensProvider(")).length >= 5);
    assert.deepEqual(
      files.filter(({ text }) => text.includes("CodeLens")).flatMap(({ file, text }) => unsafeProviders(file, text)),
      [],
    );
  });

  test("the check finds arguments and providers that it cannot see", () => {
    assert.deepEqual(
      unsafeProviders(
        "a.ts",
        "languages.registerCodeLensProvider(files, { resolveCodeLens: (lens) => { lens.command = { title, command, arguments: [1] }; return lens; } });",
      ),
      ["a.ts:1 has arguments beside resolveCodeLens"],
    );
    assert.deepEqual(unsafeProviders("a.ts", "languages.registerCodeLensProvider(files, provider);"), [
      "a.ts:1 hands over a provider that is written elsewhere",
    ]);
    assert.deepEqual(
      unsafeProviders(
        "a.ts",
        "languages.registerCodeLensProvider(files, { provideCodeLenses: () => [new CodeLens(range, { title, command, arguments: [1] })] });",
      ),
      [],
    );
  });
});

interface Token extends vscode.CancellationToken {
  cancel(): void;
}

function createToken(): Token {
  const emitter = createEmitter<undefined>();
  let isCancelled = false;
  return {
    get isCancellationRequested() {
      return isCancelled;
    },
    onCancellationRequested: emitter.event,
    cancel() {
      isCancelled = true;
      emitter.fire(undefined);
    },
  };
}

/** The part of VS Code that the CodeLenses of requests use. */
const editor = {
  provider: undefined as vscode.CodeLensProvider | undefined,
  commands: new Map<string, () => unknown>(),
  ran: [] as unknown[][],
  documentClosed: createEmitter<unknown>(),
  visible: [] as { readonly document: unknown }[],
};

const nothing = { dispose: (): void => undefined };
const PARTS = {
  EventEmitter: class {
    readonly #emitter = createEmitter<unknown>();
    readonly event = this.#emitter.event;
    fire(value: unknown): void {
      this.#emitter.fire(value);
    }
    dispose(): void {
      this.#emitter.dispose();
    }
  },
  Range: Object,
  CodeLens: class {
    command: unknown;
  },
  workspace: {
    isTrusted: true,
    onDidGrantWorkspaceTrust: () => nothing,
    onDidCloseTextDocument: editor.documentClosed.event,
  },
  window: {
    get visibleTextEditors() {
      return editor.visible;
    },
  },
  commands: {
    registerCommand(id: string, run: () => unknown) {
      editor.commands.set(id, run);
      return {
        dispose: () => {
          editor.commands.delete(id);
        },
      };
    },
    executeCommand: async (...args: unknown[]) => {
      await Promise.resolve(editor.ran.push(args));
    },
  },
  languages: {
    registerCodeLensProvider(_files: unknown, provider: vscode.CodeLensProvider) {
      editor.provider = provider;
      return nothing;
    },
  },
};

const FILE =
  '[\n  { "method": "private/get_open_orders" },\n  { "method": "private/get_open_orders" },\n  { "method": "private/get_order_state" }\n]\n';

async function createLab(): Promise<{
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly document: vscode.TextDocument;
  readonly change: () => void;
  readonly redraws: () => number;
  readonly provide: () => vscode.CodeLens[];
  readonly resolve: (lens: vscode.CodeLens, token?: Token) => Promise<vscode.Command>;
  /** VS Code asks for the CodeLenses and their titles. */
  readonly show: () => Promise<void>;
}> {
  const { createRequestLenses } = await import("../../../src/ui/requests/lenses.ts");
  const clock = createFakeClock();
  const changes = createEmitter<undefined>();
  const file = scanRequests(FILE);
  const none = createEmitter<undefined>().event;
  const document = {
    uri: { toString: () => "file:///three.rpc.json" },
    positionAt: () => ({}),
  } as unknown as vscode.TextDocument;
  editor.visible = [{ document }];
  const ui = {
    scans: { of: () => file },
    targets: {
      of: () => undefined,
      lensOf: () => ({ place: "SIMULATOR lab", environment: "simulator", status: "ready", isOwn: false }),
      onDidChange: none,
    },
    results: { of: () => createResults(), onDidChange: none },
    runs: { stateOf: () => undefined, lastText: () => undefined, onDidChange: changes.event },
    settings: { requests: () => ({ hasSendLens: true, hasRunLens: true, hasResultLens: true }), onDidChange: none },
    clock,
  };
  createRequestLenses(ui as never, new DisposableList());
  let redraws = 0;
  const { provider } = editor;
  assert.ok(provider && "resolveCodeLens" in provider);
  const changed = Reflect.get(provider, "onDidChangeCodeLenses") as vscode.Event<void>;
  changed(() => {
    redraws++;
  });
  const provide = (): vscode.CodeLens[] => provider.provideCodeLenses(document, createToken()) as vscode.CodeLens[];
  const resolve = async (lens: vscode.CodeLens, token = createToken()): Promise<vscode.Command> => {
    const resolved = await provider.resolveCodeLens?.(lens, token);
    assert.ok(resolved?.command);
    return resolved.command;
  };
  return {
    clock,
    document,
    change: () => changes.fire(undefined),
    redraws: () => redraws,
    provide,
    resolve,
    async show() {
      await Promise.all(provide().map(async (lens) => await resolve(lens)));
    },
  };
}

describe("the CodeLenses of requests", () => {
  useEditor(PARTS);

  test("each has a command of its own without arguments, the same after each redraw, until the document is closed", async () => {
    const lab = await createLab();
    const lenses = lab.provide();
    assert.ok(lenses.length >= 6);
    assert.ok(
      lenses.every(({ command }) => command === undefined),
      "titles are made when they come into sight",
    );
    const commands = await Promise.all(lenses.map(async (lens) => await lab.resolve(lens)));
    const found = commands.filter((command) => "arguments" in command);
    assert.deepEqual(found, []);
    assert.equal(new Set(commands.map(({ command }) => command)).size, lenses.length);
    const again = await Promise.all(lab.provide().map(async (lens) => await lab.resolve(lens)));
    assert.deepEqual(again, commands);
    const second = commands.filter(({ title }) => title === "▷ Send")[1];
    assert.ok(second);
    await editor.commands.get(second.command)?.();
    assert.deepEqual(editor.ran, [["tradingRpc.request.send", "file:///three.rpc.json", 1]]);
    editor.documentClosed.fire(lab.document);
    assert.equal(editor.commands.size, 0);
  });

  test("changes that follow each other are one redraw, and the next one waits until VS Code has done it", async () => {
    const lab = await createLab();
    lab.provide();
    for (let change = 0; change < 5; change++) {
      lab.change();
      await lab.clock.advance(20);
    }
    assert.equal(lab.redraws(), 0);
    await lab.clock.advance(100);
    assert.equal(lab.redraws(), 1);
    lab.change();
    await lab.clock.advance(600);
    assert.equal(lab.redraws(), 1);
    await lab.clock.advance(100);
    assert.equal(lab.redraws(), 2);
  });

  test("a redraw that VS Code dropped is asked for once more", async () => {
    const lab = await createLab();
    await lab.show();
    lab.change();
    await lab.clock.advance(150);
    await lab.show();
    await lab.clock.advance(10_000);
    assert.equal(lab.redraws(), 1);
    lab.change();
    await lab.clock.advance(20_000);
    assert.equal(lab.redraws(), 3);
  });

  test("CodeLenses whose titles VS Code did not ask for are offered once more, also in a file that was just opened", async () => {
    const lab = await createLab();
    lab.provide();
    await lab.clock.advance(1500);
    assert.equal(lab.redraws(), 1);
    // None of them is in sight: that is not asked again and again.
    lab.provide();
    await lab.clock.advance(20_000);
    assert.equal(lab.redraws(), 1);
    lab.change();
    await lab.clock.advance(150);
    lab.provide();
    await lab.clock.advance(20_000);
    assert.equal(lab.redraws(), 3);
  });

  test("CodeLenses that have their titles are not offered again", async () => {
    const lab = await createLab();
    await lab.show();
    await lab.clock.advance(20_000);
    assert.equal(lab.redraws(), 0);
  });

  test("a CodeLens that was replaced is resolved when VS Code has cancelled that, or does not", async () => {
    const lab = await createLab();
    const [old] = lab.provide();
    assert.ok(old);
    lab.change();
    await lab.clock.advance(150);
    const [replacing] = lab.provide();
    assert.ok(replacing);
    const token = createToken();
    const seen: string[] = [];
    const late = lab.resolve(old, token).then(() => seen.push("old"));
    await lab.resolve(replacing).then(() => seen.push("new"));
    await lab.clock.advance(500);
    assert.deepEqual(seen, ["new"]);
    token.cancel();
    await late;
    const left = lab.resolve(old);
    await lab.clock.advance(2000);
    assert.match((await left).title, /SIMULATOR lab/);
  });
});
