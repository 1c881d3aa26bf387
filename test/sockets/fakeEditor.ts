import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type * as vscode from "vscode";
import { createEmitter, type Disposable } from "../../src/base/emitter.ts";
import { createMain, type Main } from "../../src/ui/main.ts";
import { TREE_NAMES } from "../../src/base/viewNames.ts";
import type { CommandId } from "../../src/manifest/contributes.ts";
import { anything, setEditor } from "../editorStandIn.ts";

/*
 * The whole extension on a stand-in for VS Code that closes every question and every choice at once, as the user does
 * who presses Escape. What the program asks, shows, and reads is noted.
 */

/** The program and everything that it did to the editor. */
export interface FakeEditor {
  readonly main: Main;
  /** Titles and texts of what was shown or asked. */
  readonly shown: string[];
  /** Messages that wait for a response before anything goes on. */
  readonly modals: string[];
  /** Keys that were read in the secret storage. */
  readonly secretReads: string[];
  /** What was put into the clipboard. */
  readonly copied: string[];
  /** Everything that was logged. */
  readonly logged: string[];
  close(): void;
}

export interface FakeEditorOptions {
  readonly state: ReadonlyMap<string, unknown>;
  readonly secrets: ReadonlyMap<string, string>;
  readonly isTrusted?: boolean;
}

/** Starts the program on a stand-in for VS Code. */
export function openFakeEditor({ state, secrets, isTrusted = true }: FakeEditorOptions): FakeEditor {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "editor-"));
  const noted = {
    shown: [] as string[],
    modals: [] as string[],
    secretReads: [] as string[],
    copied: [] as string[],
    logged: [] as string[],
  };
  const run: { main?: Main } = {};
  setEditor(
    createEditor({ noted, isTrusted }, async (command, args) => {
      await run.main?.run(command as CommandId, args);
    }),
  );
  const frame = (): unknown => ({ view: createView(), changes: createEditorEmitter() });
  const main = createMain(createContext({ folder, state: new Map(state), secrets: new Map(secrets) }, noted), {
    views: Object.fromEntries(TREE_NAMES.map((name) => [name, frame()])) as never,
    documentChanges: createEditorEmitter() as never,
    agentChanges: createEditorEmitter() as never,
  });
  run.main = main;
  return {
    ...noted,
    main,
    close: () => {
      main.dispose();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Kept {
  readonly folder: string;
  readonly state: Map<string, unknown>;
  readonly secrets: Map<string, string>;
}

type Noted = Omit<FakeEditor, "main" | "close">;

const silent = (): Disposable => ({ dispose: () => undefined });

function createContext({ folder, state, secrets }: Kept, noted: Noted): vscode.ExtensionContext {
  const memento = {
    get: (key: string, fallback: unknown) => state.get(key) ?? fallback,
    update: async (key: string, value: unknown) => {
      state.set(key, value);
      await Promise.resolve();
    },
  };
  return {
    subscriptions: [],
    extension: { packageJSON: JSON.parse(fs.readFileSync("package.json", "utf8")) as unknown, extensionKind: 1 },
    extensionUri: fileUri(process.cwd()),
    globalStorageUri: fileUri(folder),
    asAbsolutePath: (name: string) => path.join(folder, name),
    globalState: memento,
    workspaceState: memento,
    secrets: {
      async get(key: string) {
        noted.secretReads.push(key);
        return await Promise.resolve(secrets.get(key));
      },
      store: async (key: string, value: string) => {
        secrets.set(key, value);
        await Promise.resolve();
      },
      delete: async (key: string) => {
        secrets.delete(key);
        await Promise.resolve();
      },
      onDidChange: silent,
    },
  } as unknown as vscode.ExtensionContext;
}

function fileUri(fsPath: string): {
  readonly scheme: string;
  readonly path: string;
  readonly fsPath: string;
  with(): unknown;
  toString(): string;
} {
  return { scheme: "file", path: fsPath, fsPath, with: () => fileUri(fsPath), toString: () => `file://${fsPath}` };
}

function createEditorEmitter(): { event: unknown; fire(value: unknown): void; dispose(): void } {
  return createEmitter<unknown>();
}

function createView(): object {
  return {
    description: "",
    message: "",
    visible: true,
    onDidExpandElement: silent,
    onDidCollapseElement: silent,
    onDidChangeSelection: silent,
    onDidChangeVisibility: silent,
    reveal: () => undefined,
  };
}

/** A part of the editor; what is not there hands out nothing in particular. */
function withRest(part: unknown): unknown {
  if (typeof part === "function") return part;
  return new Proxy(part as object, {
    get: (target, name) => (name in target ? (Reflect.get(target, name) as unknown) : anything()),
  });
}

function createEditor(
  { noted, isTrusted }: { readonly noted: Noted; readonly isTrusted: boolean },
  run: (command: string, args: readonly unknown[]) => Promise<void>,
): Partial<Record<string, unknown>> {
  const message = async (text: string, options?: { readonly modal?: boolean }): Promise<undefined> => {
    noted.shown.push(text);
    if (options?.modal === true) noted.modals.push(text);
    await Promise.resolve();
  };
  /** Escape, as soon as it is shown. */
  const quickInput = (): object => {
    const hides: (() => void)[] = [];
    return {
      items: [],
      selectedItems: [],
      activeItems: [],
      value: "",
      title: "",
      show() {
        noted.shown.push(String((this as { readonly title: unknown }).title));
        queueMicrotask(() => {
          for (const hide of hides) hide();
        });
      },
      onDidHide: (listener: () => void) => {
        hides.push(listener);
        return silent();
      },
      ...Object.fromEntries(
        [
          "onDidAccept",
          "onDidTriggerButton",
          "onDidTriggerItemButton",
          "onDidChangeValue",
          "onDidChangeSelection",
          "onDidChangeActive",
        ].map((name) => [name, silent]),
      ),
      hide: () => undefined,
      dispose: () => undefined,
    };
  };
  const asked = async (...args: readonly unknown[]): Promise<undefined> => {
    noted.shown.push(JSON.stringify(args.at(-1)));
    await Promise.resolve();
  };
  const write = (text: string): void => {
    noted.logged.push(text);
  };
  const manifest = JSON.parse(fs.readFileSync("package.json", "utf8")) as {
    contributes: { configuration: { properties: Record<string, { default: unknown }> }[] };
  };
  const defaults = Object.assign(
    {},
    ...manifest.contributes.configuration.map(({ properties }) => properties),
  ) as Record<string, { default: unknown }>;
  const configuration = (section: string): object => ({
    get: (name: string) => defaults[`${section}.${name}`]?.default,
    inspect: (name: string) => ({ defaultValue: defaults[`${section}.${name}`]?.default }),
    update: async () => {
      await Promise.resolve();
    },
  });
  const parts: Readonly<Record<string, unknown>> = {
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
    TreeItem: class {
      readonly label: string;
      constructor(label: string) {
        this.label = label;
      }
    },
    LogLevel: { Off: 0, Trace: 1, Info: 3 },
    ExtensionKind: { UI: 1, Workspace: 2 },
    Uri: {
      joinPath: (base: { readonly path: string }, ...names: readonly string[]) =>
        fileUri(path.join(base.path, ...names)),
      file: fileUri,
      parse: (text: string) => ({ ...fileUri(text), scheme: text.split(":")[0], toString: () => text }),
      from: ({ scheme, path: name }: { readonly scheme: string; readonly path: string }) => ({
        ...fileUri(name),
        scheme,
      }),
    },
    l10n: { bundle: undefined },
    env: {
      clipboard: {
        writeText: async (text: string) => {
          noted.copied.push(text);
          await Promise.resolve();
        },
        readText: async () => await Promise.resolve(""),
      },
      openExternal: async () => await Promise.resolve(true),
      language: "en",
      remoteName: undefined,
    },
    commands: {
      executeCommand: async (command: string, ...args: readonly unknown[]) => {
        if (command.startsWith("tradingRpc.")) await run(command, args);
      },
    },
    workspace: {
      isTrusted,
      textDocuments: [],
      workspaceFolders: undefined,
      getConfiguration: configuration,
      findFiles: async () => await Promise.resolve([]),
      openTextDocument: async () =>
        await Promise.resolve({ uri: fileUri("/document"), getText: () => "", lineCount: 0 }),
      ...Object.fromEntries(
        [
          "onDidChangeConfiguration",
          "onDidChangeTextDocument",
          "onDidCloseTextDocument",
          "onDidOpenTextDocument",
          "onDidSaveTextDocument",
          "onDidRenameFiles",
          "onDidDeleteFiles",
          "onDidGrantWorkspaceTrust",
        ].map((name) => [name, silent]),
      ),
    },
    window: {
      showInformationMessage: message,
      showWarningMessage: message,
      showErrorMessage: message,
      setStatusBarMessage: silent,
      showQuickPick: asked,
      showInputBox: asked,
      showSaveDialog: asked,
      showOpenDialog: asked,
      createQuickPick: quickInput,
      createInputBox: quickInput,
      withProgress: async (_: unknown, task: (...args: readonly unknown[]) => unknown) =>
        await task({ report: () => undefined }, { isCancellationRequested: false, onCancellationRequested: silent }),
      createOutputChannel: () => ({
        trace: write,
        debug: write,
        info: write,
        warn: write,
        error: write,
        show: () => undefined,
        dispose: () => undefined,
        logLevel: 1,
      }),
      createStatusBarItem: () => ({ show: () => undefined, dispose: () => undefined }),
      activeTextEditor: undefined,
      visibleTextEditors: [],
      tabGroups: { all: [], onDidChangeTabs: silent },
      showTextDocument: async () => await Promise.resolve(undefined),
      onDidChangeActiveTextEditor: silent,
      onDidChangeVisibleTextEditors: silent,
      onDidChangeTextEditorVisibleRanges: silent,
    },
  };
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, withRest(part)]));
}
