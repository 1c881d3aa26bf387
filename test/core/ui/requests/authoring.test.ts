import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type * as vscode from "vscode";
import { DisposableList } from "../../../../src/base/emitter.ts";
import { hideFigures } from "../../../../src/present/rows/presentation.ts";
import { offeredMethods } from "../../../../src/present/requests/requestSnippets.ts";
import { checkFile } from "../../../../src/requests/checking/check.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import type { RequestUi } from "../../../../src/ui/requests/requestUi.ts";
import { filledSnippet } from "../../../snippets.ts";
import { isHeld } from "../../../../src/state/positions.ts";
import { ownService } from "../../../ownService.ts";
import { createWorld, type World } from "../../../world.ts";
import { BERLIN } from "../../present/samples.ts";
import { useEditor } from "../../../editorStandIn.ts";
import { createAccountStore } from "../../../../src/state/account.ts";

/* The providers that VS Code asks while a request file is being written. ¦ marks the cursor. */

class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }

  intersection(other: Range): Range | undefined {
    const isBefore = (one: Position, next: Position): boolean =>
      one.line < next.line || (one.line === next.line && one.character < next.character);
    return isBefore(this.end, other.start) || isBefore(other.end, this.start) ? undefined : this;
  }
}

class Labelled {
  readonly label: { readonly label: string; readonly description: string };
  readonly kind: unknown;

  constructor(label: { readonly label: string; readonly description: string }, kind: unknown) {
    this.label = label;
    this.kind = kind;
  }
}

class List {
  readonly items: readonly vscode.CompletionItem[];
  readonly isIncomplete: boolean;

  constructor(items: readonly vscode.CompletionItem[], isIncomplete = false) {
    this.items = items;
    this.isIncomplete = isIncomplete;
  }
}

class Value {
  value: string;

  constructor(value = "") {
    this.value = value;
  }

  appendText(text: string): void {
    this.value += text;
  }
}

class Hover {
  readonly contents: Value;
  readonly range: Range;

  constructor(contents: Value, range: Range) {
    this.contents = contents;
    this.range = range;
  }
}

class Titled {
  readonly title: string;

  constructor(title: string) {
    this.title = title;
  }
}

class Edits {
  readonly made: { readonly range: Range; readonly text: string }[] = [];

  replace(_uri: unknown, range: Range, text: string): void {
    this.made.push({ range, text });
  }
}

class Diagnostic {
  code: { readonly value: string } | undefined;
  readonly range: Range;
  readonly message: string;

  constructor(range: Range, message: string) {
    this.range = range;
    this.message = message;
  }
}

interface Providers {
  completion?: vscode.CompletionItemProvider;
  hover?: vscode.HoverProvider;
  actions?: vscode.CodeActionProvider;
}

const providers: Providers = {};
const shown = new Map<string, readonly Diagnostic[]>();
const documents: vscode.TextDocument[] = [];
let isTrusted = true;
let isPresenting = false;

const nothing = (): { dispose: () => void } => ({ dispose: () => undefined });

function documentOf(text: string): vscode.TextDocument {
  const lines = text.split("\n");
  const document = {
    uri: { scheme: "file", path: "/a.rpc.json", toString: () => "file:///a.rpc.json" },
    version: 1,
    isClosed: false,
    isUntitled: false,
    getText: () => text,
    offsetAt: ({ line, character }: Position) =>
      lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character,
    positionAt(offset: number) {
      const before = text.slice(0, offset).split("\n");
      return new Position(before.length - 1, before.at(-1)?.length ?? 0);
    },
    lineAt: ({ line }: Position) => ({ text: lines[line] ?? "" }),
  };
  return document as unknown as vscode.TextDocument;
}

async function createLab(options: Parameters<typeof createWorld>[0] = {}): Promise<{
  readonly world: World;
  /** The completion at the cursor of a text. */
  readonly complete: (input: string) => Promise<List>;
  readonly hoverAt: (input: string) => Promise<string>;
  readonly dispose: () => void;
}> {
  const { createAuthoring } = await import("../../../../src/ui/requests/authoring.ts");
  const { createRequestScans } = await import("../../../../src/ui/requests/requestDocuments.ts");
  const world = createWorld(options);
  await world.connect();
  const { record, environment, state } = world.live;
  const target = { record, environment, state };
  const none = { of: () => ({ get: () => undefined, all: [] }), onDidChange: nothing };
  const ui = {
    scans: createRequestScans(),
    targets: { of: () => target, liveOf: () => world.live, onDidChange: nothing },
    liveConnections: { all: [world.live], onDidOpen: nothing, onDidClose: nothing },
    results: none,
    environments: { known: () => [], load: async () => await Promise.resolve([]), onDidChange: nothing },
    screen: { hide: (text: string) => (isPresenting ? hideFigures(text, ["SIMULATOR lab"]) : text) },
    clock: world.clock,
    times: BERLIN,
    recentMethods: () => [],
    problemPage: { with: () => "" },
  } as unknown as RequestUi;
  const disposables = new DisposableList();
  createAuthoring(ui, disposables);
  const placed = (input: string): readonly [vscode.TextDocument, vscode.Position] => {
    const document = documentOf(input.replace("¦", ""));
    return [document, document.positionAt(input.indexOf("¦"))];
  };
  return {
    world,
    async complete(input) {
      const [document, position] = placed(input);
      const found = await providers.completion?.provideCompletionItems(document, position, {} as never, {} as never);
      return (found ?? new List([])) as List;
    },
    async hoverAt(input) {
      const [document, position] = placed(input);
      const hover = (await providers.hover?.provideHover(document, position, {} as never)) as Hover | undefined;
      return hover?.contents.value ?? "";
    },
    dispose() {
      disposables.dispose();
      world.live.dispose();
    },
  };
}

const labelOf = ({ label }: vscode.CompletionItem): string => (typeof label === "string" ? label : label.label);
const textOf = ({ insertText }: vscode.CompletionItem): string =>
  typeof insertText === "string" ? insertText : (insertText?.value ?? "");

describe("the providers of request files", () => {
  useEditor({
    Position,
    Range,
    CompletionItem: Labelled,
    CompletionList: List,
    CompletionItemKind: { Reference: 1, Value: 2, Variable: 3, Method: 4, Field: 5, Operator: 6 },
    SnippetString: Value,
    MarkdownString: Value,
    Hover,
    CodeAction: Titled,
    CodeActionKind: { QuickFix: "quickfix" },
    WorkspaceEdit: Edits,
    Diagnostic,
    Uri: { parse: (text: string) => text },
    languages: {
      registerCompletionItemProvider: (_: unknown, provider: vscode.CompletionItemProvider) => (
        (providers.completion = provider),
        nothing()
      ),
      registerHoverProvider: (_: unknown, provider: vscode.HoverProvider) => ((providers.hover = provider), nothing()),
      registerCodeActionsProvider: (_: unknown, provider: vscode.CodeActionProvider) => (
        (providers.actions = provider),
        nothing()
      ),
      registerDefinitionProvider: nothing,
      registerReferenceProvider: nothing,
      registerRenameProvider: nothing,
      registerDocumentSymbolProvider: nothing,
      createDiagnosticCollection: () => ({
        set: (uri: vscode.Uri, found: readonly Diagnostic[]) => shown.set(String(uri), found),
        delete: (uri: vscode.Uri) => shown.delete(String(uri)),
        dispose: () => undefined,
      }),
      match: () => 1,
    },
    workspace: {
      get isTrusted() {
        return isTrusted;
      },
      textDocuments: documents,
      onDidOpenTextDocument: nothing,
      onDidChangeTextDocument: nothing,
      onDidCloseTextDocument: nothing,
    },
  });

  test("offer each method where a request can stand, and explain the one that is selected", async () => {
    const { complete, dispose } = await createLab();
    const { items } = await complete("[\n  ¦\n]");
    assert.deepEqual(
      items.map(labelOf),
      offeredMethods({ service: "native" }).map(({ facts }) => facts.name),
    );
    for (const item of items) {
      const file = scanRequests(`[${filledSnippet(textOf(item))}]`);
      assert.equal(file.requests[0]?.method, labelOf(item));
      assert.deepEqual(checkFile(file, undefined, ownService(labelOf(item))), [], labelOf(item));
      assert.equal(item.documentation, undefined, "explained when it is selected");
    }
    const [item] = items.filter((each) => labelOf(each) === "private/buy");
    assert.ok(item !== undefined);
    const resolved = await providers.completion?.resolveCompletionItem?.(item, {} as never);
    assert.match(
      String((resolved?.documentation as { readonly value: string } | undefined)?.value),
      /^\*\*private\/buy\*\* · Trading\n\nPlaces a buy order\./,
    );
    dispose();
  });

  test("offer the names of methods at the value of method, each once", async () => {
    const { complete, dispose } = await createLab();
    const names = (await complete('{ "method": "private/b¦" }')).items.map(labelOf);
    assert.equal(new Set(names).size, names.length);
    assert.equal(names.length, offeredMethods().length);
    dispose();
  });

  test("explain a method and a parameter on hover", async () => {
    const { hoverAt, dispose } = await createLab();
    for (const { facts } of offeredMethods())
      assert.ok((await hoverAt(`{ "method": "${facts.name}¦" }`)).startsWith(`**${facts.name}** · `), facts.name);
    assert.equal(
      await hoverAt('{ "method": "private/buy", "params": { "instrument_n¦ame": "" } }'),
      "**instrument_name** · string · required",
    );
    assert.match(
      await hoverAt('{ "method": "private/get_deposits", "params": { "start_timestamp": 17¦00000000000 } }'),
      /^2023-11-14/,
    );
    dispose();
  });

  test("offer what is known of the connection; a list is read when it is first needed", async () => {
    const { world, complete, dispose } = await createLab();
    const calls = (method: string): number => world.frames(method).length;
    const labels = async (method: string, params: string): Promise<string[]> =>
      (await complete(`{ "method": "${method}", "params": ${params} }`)).items
        .filter(({ sortText = "" }) => sortText.startsWith("!0"))
        .map(labelOf);
    const before = calls("public/get_instruments");
    assert.ok((await labels("private/buy", '{ "instrument_name": "¦" }')).length < 20, "those of open orders");
    assert.equal(
      (await complete('{ "method": "private/buy", "params": { "instrument_name": "¦" } }')).isIncomplete,
      true,
    );
    await world.clock.advance(1000);
    assert.equal(calls("public/get_instruments"), before + 1);
    assert.ok((await labels("private/buy", '{ "instrument_name": "¦" }')).length > 100);
    for (const [method, params, expected, read] of [
      ["private/get_positions", '{ "currency": "¦" }', '"EURR"', "public/get_currencies"],
      ["public/get_index_price", '{ "index_name": "¦" }', '"btc_usd"', "public/get_index_price_names"],
      ["private/get_positions", '{ "subaccount_id": ¦ }', "48602", "private/get_subaccounts"],
    ] as const) {
      const count = calls(read);
      await labels(method, params);
      await world.clock.advance(1000);
      assert.ok((await labels(method, params)).includes(expected), params);
      assert.equal(calls(read), count + 1, read);
    }
    assert.match((await labels("private/buy", '{ "instrument_name": "BTC-STRG¦" }'))[0] ?? "", /^"BTC-STRG-/);
    assert.ok(
      (await labels("public/get_combo_details", '{ "combo_id": "¦" }')).every((each) => /FS|STR|CS|PS/.test(each)),
    );
    assert.ok(
      (await labels("private/subscribe", '{ "channels": ["ticker.ETH-P¦"] }')).includes(
        "ticker.ETH-PERPETUAL.{interval}",
      ),
    );
    assert.equal(calls("public/get_instruments"), before + 1, "at most once an hour");
    dispose();
  });

  test("offer the instruments of positions first, and currencies with equity; in presentation mode without figures", async () => {
    const { world, complete, dispose } = await createLab();
    for (const store of [world.live.positions, world.live.storeOf(createAccountStore)]) store.setVisible(true);
    await world.clock.advance(2000);
    const described = async (method: string, name: string): Promise<string> => {
      const { items } = await complete(`{ "method": "${method}", "params": { "${name}": "¦" } }`);
      const [{ label, documentation } = assert.fail(name)] = items;
      const { label: value, description } = label as vscode.CompletionItemLabel;
      return `${value} ${description ?? ""} | ${String((documentation as { readonly value: string } | undefined)?.value)}`;
    };
    const [position] = [...world.live.positions.snapshot.items.values()].filter(isHeld);
    const shown = await described("private/close_position", "instrument_name");
    assert.match(shown, new RegExp(`^"${position?.instrument_name ?? "none"}" (long|short) [\\d.\u202F]+ [A-Z]+ `));
    assert.match(await described("private/get_deposits", "currency"), /^"BTC" equity \d/);
    isPresenting = true;
    for (const text of [
      (await described("private/close_position", "instrument_name")).replace(/^"[^"]+"/, ""),
      await described("private/get_deposits", "currency"),
    ]) {
      assert.match(text, /•••/);
      assert.doesNotMatch(text, /\d|SIMULATOR lab/);
    }
    isPresenting = false;
    dispose();
  });

  test("send nothing in Restricted Mode, and nothing for a parameter without a list", async () => {
    const { world, complete, dispose } = await createLab();
    const sent = (): number => world.exchange.control.ledger().filter(({ method }) => method !== "public/test").length;
    isTrusted = false;
    const before = sent();
    for (const params of ['{ "instrument_name": "¦" }', '{ "currency": "¦" }', '{ "subaccount_id": ¦ }'])
      await complete(`{ "method": "private/get_positions", "params": ${params} }`);
    await world.clock.advance(1000);
    assert.equal(sent(), before);
    isTrusted = true;
    for (const params of ['{ "label": "¦" }', '{ "order_id": "¦" }', '{ "amount": ¦ }'])
      await complete(`{ "method": "private/buy", "params": ${params} }`);
    await world.clock.advance(1000);
    assert.equal(sent(), before);
    dispose();
  });

  test("offer documented members and comparisons in an expectation", async () => {
    const { complete, dispose } = await createLab();
    const { items } = await complete('{ "method": "public/ticker", "$run": { "expect": { "result": { ¦ } } } }');
    assert.ok(items.map(labelOf).includes("best_bid_price"));
    assert.ok(items.map(labelOf).includes("$absent"));
    dispose();
  });

  test("hint at a price that does not fit once the instrument is known, and fix it", async () => {
    const text =
      '{ "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 1, "price": 2100.03 } }';
    const document = documentOf(text);
    documents.splice(0, Infinity, document);
    const { world, dispose } = await createLab();
    const told = (): string[] =>
      (shown.get("file:///a.rpc.json") ?? []).map(({ code, message }) => `${code?.value ?? ""}: ${message}`);
    await world.clock.advance(1000);
    assert.deepEqual(told(), []);
    void world.live.instruments.load();
    await world.clock.advance(1000);
    assert.deepEqual(told(), [
      "tickSize: Price 2100.03 isn't a multiple of the tick size 0.05. Nearest: 2100.00 and 2100.05.",
    ]);
    const [diagnostic] = shown.get("file:///a.rpc.json") ?? [];
    assert.ok(diagnostic !== undefined);
    const context = { diagnostics: [diagnostic] } as unknown as vscode.CodeActionContext;
    const range = diagnostic.range as unknown as vscode.Range;
    const actions = (await providers.actions?.provideCodeActions(document, range, context, {} as never)) ?? [];
    assert.deepEqual(
      actions.map((each) => each.title),
      ["Change 2100.03 to 2100.00", "Change 2100.03 to 2100.05"],
    );
    const [change] = ((actions[1] as vscode.CodeAction).edit as unknown as Edits).made;
    assert.equal(change?.text, "2100.05");
    documents.splice(0, Infinity);
    dispose();
  });
});
