import { createEmitter, type Disposable } from "../../../src/base/emitter.ts";
import { disk } from "./disk.ts";
import { FileSystemError, Position, Range, Selection, TabInputText, Uri, type WorkspaceEdit } from "./shapes.ts";

/*
 * VS Code for a walk, in the place of the module "vscode": it registers what the extension registers, keeps documents,
 * and lets whoever walks response what is asked. One window at a time.
 */

export * from "./shapes.ts";

type Call = (...args: readonly unknown[]) => unknown;

/** What waits for the user. */
export type Asked =
  | {
      readonly kind: "pick";
      readonly text: string;
      readonly items: readonly unknown[];
      readonly isMany: boolean;
      readonly buttons: readonly unknown[];
      accept(items: readonly unknown[]): void;
      type(text: string): void;
      press(button: unknown): void;
      pressOf(button: unknown, item: unknown): void;
      hide(): void;
    }
  | {
      readonly kind: "input";
      readonly text: string;
      readonly value: string;
      readonly buttons: readonly unknown[];
      problemOf(text: string): Promise<boolean>;
      accept(text: string): void;
      press(button: unknown): void;
      hide(): void;
    }
  | {
      readonly kind: "message";
      readonly text: string;
      readonly isModal: boolean;
      readonly buttons: readonly unknown[];
      choose(button: unknown): void;
    }
  | { readonly kind: "file"; readonly text: string; choose(uri: Uri | undefined): void };

interface Registered {
  readonly feature: string;
  readonly selector: unknown;
  readonly provider: Readonly<Record<string, Call | undefined>>;
}

/** A page of the extension, as the editor keeps it. */
interface Page {
  send(message: unknown): void;
  close(): void;
  show(isVisible: boolean): void;
}

/** What a window has and did. */
class Desk {
  readonly commands = new Map<string, Call>();
  readonly trees = new Map<string, { readonly provider: Readonly<Record<string, Call>>; readonly view: TreeView }>();
  readonly registered: Registered[] = [];
  readonly contents = new Map<string, (uri: Uri) => unknown>();
  readonly asked: Asked[] = [];
  /** Runs of commands that are under way, with what runs. */
  readonly running = new Map<Promise<unknown>, string>();
  readonly pages = new Set<Page>();
  readonly tokens = new Set<() => void>();
  readonly settings = new Map<string, unknown>();
  /** What `when` clauses of the manifest ask for. */
  readonly contexts = new Map<string, unknown>();
  readonly profiles: Call[] = [];
  readonly testFiles: unknown[] = [];
  /** Everything that the user could read, or that is logged. */
  tell: (line: string) => void = () => undefined;
  copied = "";
}

interface TreeView {
  selection: readonly string[];
  readonly [name: string]: unknown;
}

/** The window that is open. */
export let desk = new Desk();

/** A window with nothing in it. */
export function openDesk(tell: (line: string) => void, defaults: ReadonlyMap<string, unknown>): Desk {
  desk = new Desk();
  desk.tell = tell;
  documents.length = 0;
  quickInput = undefined;
  window.activeTextEditor = undefined;
  window.visibleTextEditors = [];
  for (const [name, value] of defaults) desk.settings.set(name, value);
  return desk;
}

const none: Disposable = { dispose: () => undefined };

function put<T>(list: T[], item: T): Disposable {
  list.push(item);
  return {
    dispose: () => {
      const index = list.indexOf(item);
      if (index >= 0) list.splice(index, 1);
    },
  };
}

export class EventEmitter<T> {
  readonly #emitter = createEmitter<T>();
  readonly event = this.#emitter.event;
  fire(value: T): void {
    this.#emitter.fire(value);
  }
  dispose(): void {
    this.#emitter.dispose();
  }
}

/** An event of the editor, which forgets the listeners of the window before by their disposal. */
function happening<T = unknown>(): EventEmitter<T> {
  return new EventEmitter();
}

const events = {
  opened: happening(),
  closed: happening(),
  changed: happening(),
  saved: happening(),
  configured: happening<{ affectsConfiguration(name: string): boolean }>(),
  activated: happening(),
  seen: happening(),
  scrolled: happening(),
  tabs: happening(),
  selected: happening(),
  focused: happening(),
};

/* Documents. */

export class TextDocument {
  readonly uri: Uri;
  readonly isUntitled: boolean;
  version = 1;
  isClosed = false;
  isDirty = false;
  readonly eol = 1;
  #text: string;
  constructor(uri: Uri, text: string) {
    this.uri = uri;
    this.isUntitled = uri.scheme === "untitled";
    this.#text = text;
  }
  get languageId(): string {
    return this.uri.path.endsWith(".json") ? "json" : "jsonc";
  }
  get fileName(): string {
    return this.uri.path;
  }
  get lineCount(): number {
    return this.#text.split("\n").length;
  }
  getText(range?: Range): string {
    return range === undefined ? this.#text : this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }
  lineAt(at: number | Position): { readonly text: string; readonly range: Range } {
    const line = typeof at === "number" ? at : at.line;
    const text = this.#text.split("\n")[line];
    if (text === undefined) throw new Error(`Illegal value for line: ${line}`);
    return { text, range: new Range(line, 0, line, text.length) };
  }
  offsetAt({ line, character }: Position): number {
    const lines = this.#text.split("\n");
    const before = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
    return Math.min(this.#text.length, before + Math.min(character, lines[line]?.length ?? 0));
  }
  positionAt(offset: number): Position {
    const before = this.#text.slice(0, Math.max(0, offset)).split("\n");
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }
  validateRange(range: Range): Range {
    return range;
  }
  validatePosition(position: Position): Position {
    return position;
  }
  async save(): Promise<boolean> {
    return await Promise.resolve(true);
  }
  /** Puts another text into it, as an edit does. */
  become(text: string): void {
    this.#text = text;
    this.version++;
    this.isDirty = true;
    events.changed.fire({
      document: this,
      contentChanges: [{ range: new Range(0, 0, 0, 0), rangeOffset: 0, rangeLength: 0, text }],
      reason: undefined,
    });
  }
}

export const documents: TextDocument[] = [];

export function closeDocument(document: TextDocument): void {
  documents.splice(documents.indexOf(document), 1);
  document.isClosed = true;
  if (window.activeTextEditor?.document === document) window.activeTextEditor = undefined;
  window.visibleTextEditors = window.visibleTextEditors.filter((each) => each.document !== document);
  events.closed.fire(document);
  events.tabs.fire({ opened: [], changed: [], closed: [{ input: new TabInputText(document.uri) }] });
  events.seen.fire(window.visibleTextEditors);
  events.activated.fire(window.activeTextEditor);
}

/** Reads documents of the extension again when it says that they have changed. */
export async function refreshContent(uri: Uri): Promise<void> {
  const document = documents.find((each) => each.uri.toString() === uri.toString());
  const text = await desk.contents.get(uri.scheme)?.(uri);
  if (document !== undefined && typeof text === "string" && text !== document.getText()) document.become(text);
}

async function openDocument(given: unknown): Promise<TextDocument> {
  const { content = "" } = given as { readonly content?: string };
  const uri = given instanceof Uri ? given : Uri.from({ scheme: "untitled", path: `Untitled-${documents.length + 1}` });
  const before = documents.find((each) => each.uri.toString() === uri.toString());
  if (before !== undefined) return before;
  const text =
    uri.scheme === "file"
      ? disk.read(uri.path)?.toString("utf8")
      : uri.scheme === "untitled"
        ? content
        : await desk.contents.get(uri.scheme)?.(uri);
  if (typeof text !== "string") throw new Error(`cannot open ${uri.toString()}: Unable to resolve resource`);
  const document = new TextDocument(uri, text);
  documents.push(document);
  events.opened.fire(document);
  return document;
}

class TextEditor {
  readonly document: TextDocument;
  selection: Selection;
  viewColumn = 1;
  readonly options = { tabSize: 2, insertSpaces: true };
  constructor(document: TextDocument) {
    this.document = document;
    this.selection = new Selection(new Position(0, 0), new Position(0, 0));
  }
  get selections(): readonly Selection[] {
    return [this.selection];
  }
  get visibleRanges(): readonly Range[] {
    return [new Range(0, 0, Math.max(0, this.document.lineCount - 1), 0)];
  }
  revealRange(): void {
    return;
  }
  async edit(
    change: (builder: { replace(range: Range, text: string): void; insert(at: Position, text: string): void }) => void,
  ): Promise<boolean> {
    const replace = (range: Range, text: string): void => {
      const whole = this.document.getText();
      this.document.become(
        whole.slice(0, this.document.offsetAt(range.start)) + text + whole.slice(this.document.offsetAt(range.end)),
      );
    };
    change({ replace, insert: (at, text) => replace(new Range(at, at), text) });
    return await Promise.resolve(true);
  }
  async insertSnippet({ value }: { readonly value: string }): Promise<boolean> {
    return await this.edit((builder) => builder.replace(this.selection, value));
  }
}

export function showDocument(document: TextDocument): TextEditor {
  const editor = window.visibleTextEditors.find((each) => each.document === document) ?? new TextEditor(document);
  window.visibleTextEditors = [...window.visibleTextEditors.filter((each) => each !== editor).slice(-2), editor];
  window.activeTextEditor = editor;
  events.seen.fire(window.visibleTextEditors);
  events.activated.fire(editor);
  return editor;
}

/* What is asked. */

let quickInput: { hide(): void } | undefined;

function ask(asked: Asked): void {
  desk.tell(`asked ${asked.kind}: ${asked.text.replaceAll("\n", " | ").slice(0, 300)}`);
  desk.asked.push(asked);
}

function answered(asked: Asked): void {
  const index = desk.asked.indexOf(asked);
  if (index >= 0) desk.asked.splice(index, 1);
}

/** A box or a list of the editor: another one that is shown takes its place. */
class QuickInput {
  title: string | undefined;
  placeholder: string | undefined;
  prompt: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  ignoreFocusOut = false;
  value = "";
  password = false;
  validationMessage: unknown;
  buttons: readonly unknown[] = [];
  items: readonly unknown[] = [];
  activeItems: readonly unknown[] = [];
  selectedItems: readonly unknown[] = [];
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  keepScrollPosition = false;
  busy = false;
  enabled = true;
  readonly #accepts = happening<undefined>();
  readonly #hides = happening<undefined>();
  readonly #values = happening<string>();
  readonly #presses = happening();
  readonly #itemPresses = happening<{ readonly button: unknown; readonly item: unknown }>();
  readonly onDidAccept = this.#accepts.event;
  readonly onDidHide = this.#hides.event;
  readonly onDidChangeValue = this.#values.event;
  readonly onDidTriggerButton = this.#presses.event;
  readonly onDidTriggerItemButton = this.#itemPresses.event;
  readonly onDidChangeSelection = happening().event;
  readonly onDidChangeActive = happening().event;
  readonly #kind: "pick" | "input";
  readonly #self = { hide: (): void => this.hide() };
  #asked: Asked | undefined;
  constructor(kind: "pick" | "input") {
    this.#kind = kind;
  }
  show(): void {
    if (this.#asked !== undefined) return;
    if (quickInput !== this.#self) quickInput?.hide();
    quickInput = this.#self;
    this.#asked = this.#kind === "pick" ? this.#pick() : this.#input();
    ask(this.#asked);
  }
  hide(): void {
    if (this.#asked === undefined) return;
    answered(this.#asked);
    this.#asked = undefined;
    if (quickInput === this.#self) quickInput = undefined;
    this.#hides.fire(undefined);
  }
  dispose(): void {
    this.hide();
  }
  #pick(): Asked {
    const items = (): readonly unknown[] => this.items;
    const isMany = (): boolean => this.canSelectMany;
    const buttons = (): readonly unknown[] => this.buttons;
    return {
      kind: "pick",
      text: `${this.title ?? ""}: ${this.placeholder ?? ""}`,
      get items() {
        return items();
      },
      get isMany() {
        return isMany();
      },
      get buttons() {
        return buttons();
      },
      accept: (chosen) => {
        this.activeItems = chosen.slice(0, 1);
        this.selectedItems = chosen;
        this.#accepts.fire(undefined);
      },
      type: (text) => {
        this.value = text;
        this.#values.fire(text);
      },
      press: (button) => this.#presses.fire(button),
      pressOf: (button, item) => this.#itemPresses.fire({ button, item }),
      hide: () => this.hide(),
    };
  }
  #input(): Asked {
    const value = (): string => this.value;
    const buttons = (): readonly unknown[] => this.buttons;
    const type = (text: string): void => {
      this.value = text;
      this.#values.fire(text);
    };
    return {
      kind: "input",
      text: `${this.title ?? ""}: ${this.prompt ?? ""}`,
      get value() {
        return value();
      },
      get buttons() {
        return buttons();
      },
      problemOf: async (text) => {
        type(text);
        return await Promise.resolve(this.validationMessage !== undefined);
      },
      accept: (text) => {
        type(text);
        this.#accepts.fire(undefined);
      },
      press: (button) => this.#presses.fire(button),
      hide: () => this.hide(),
    };
  }
}

async function showMessage(level: string, text: string, rest: readonly unknown[]): Promise<unknown> {
  const [options] = rest;
  const isModal = typeof options === "object" && options !== null && "modal" in options && options.modal === true;
  const detail = typeof options === "object" && options !== null && "detail" in options ? String(options.detail) : "";
  const buttons = rest.slice(typeof options === "object" && options !== null && !("title" in options) ? 1 : 0);
  if (!isModal) desk.tell(`${level}: ${text}`);
  if (!isModal && buttons.length === 0) return undefined;
  return await new Promise((resolve) => {
    const asked: Asked = {
      kind: "message",
      text: `${text}${detail === "" ? "" : ` | ${detail}`}`,
      isModal,
      buttons,
      choose: (button) => {
        answered(asked);
        resolve(button);
      },
    };
    ask(asked);
  });
}

async function askForFile(text: string, made: (uri: Uri) => unknown): Promise<unknown> {
  return await new Promise((resolve) => {
    const asked: Asked = {
      kind: "file",
      text,
      choose: (uri) => {
        answered(asked);
        resolve(uri === undefined ? undefined : made(uri));
      },
    };
    ask(asked);
  });
}

interface Token {
  readonly isCancellationRequested: boolean;
  readonly onCancellationRequested: EventEmitter<undefined>["event"];
}

export function createToken(): { readonly token: Token; readonly cancel: () => void } {
  const cancelled = happening<undefined>();
  let isCancelled = false;
  const token: Token = {
    get isCancellationRequested() {
      return isCancelled;
    },
    onCancellationRequested: cancelled.event,
  };
  return {
    token,
    cancel: () => {
      isCancelled = true;
      cancelled.fire(undefined);
    },
  };
}

function createTreeView(
  id: string,
  { treeDataProvider }: { readonly treeDataProvider: Readonly<Record<string, Call>> },
): TreeView {
  const view = {
    selection: [] as readonly string[],
    visible: true,
    description: "",
    message: "",
    badge: undefined,
    onDidExpandElement: happening().event,
    onDidCollapseElement: happening().event,
    onDidChangeSelection: happening().event,
    onDidChangeVisibility: happening().event,
    reveal: async () => {
      await Promise.resolve();
    },
    dispose: () => undefined,
  };
  desk.trees.set(id, { provider: treeDataProvider, view });
  return view;
}

function createPage(): object {
  const [received, disposed, viewed] = [happening(), happening(), happening()];
  const panel = {
    title: "",
    visible: true,
    active: true,
    viewColumn: 1,
    iconPath: undefined,
    webview: {
      html: "",
      options: {},
      cspSource: "self",
      onDidReceiveMessage: received.event,
      postMessage: async () => await Promise.resolve(true),
      asWebviewUri: (uri: Uri) => uri,
    },
    onDidDispose: disposed.event,
    onDidChangeViewState: viewed.event,
    reveal: () => undefined,
    dispose(): void {
      if (desk.pages.delete(page)) disposed.fire(undefined);
    },
  };
  const page: Page = {
    send: (message) => received.fire(message),
    close: () => panel.dispose(),
    show(isVisible) {
      panel.visible = isVisible;
      viewed.fire({ webviewPanel: panel });
    },
  };
  desk.pages.add(page);
  return panel;
}

/** What the extension finds in a module of the editor; what is used here too is named. */
type Module<Known = unknown> = Known & Record<string, unknown>;

export const window: Module<{ activeTextEditor: TextEditor | undefined; visibleTextEditors: readonly TextEditor[] }> = {
  activeTextEditor: undefined,
  visibleTextEditors: [],
  state: { focused: true },
  get tabGroups(): unknown {
    const tabs = window.visibleTextEditors.map(({ document }) => ({ input: new TabInputText(document.uri) }));
    const group = { tabs, viewColumn: 1, isActive: true };
    return {
      all: [group],
      activeTabGroup: group,
      onDidChangeTabs: events.tabs.event,
      close: async () => await Promise.resolve(true),
    };
  },
  onDidChangeActiveTextEditor: events.activated.event,
  onDidChangeVisibleTextEditors: events.seen.event,
  onDidChangeTextEditorVisibleRanges: events.scrolled.event,
  onDidChangeTextEditorSelection: events.selected.event,
  onDidChangeWindowState: events.focused.event,
  showInformationMessage: async (text: string, ...rest: unknown[]) => await showMessage("told", text, rest),
  showWarningMessage: async (text: string, ...rest: unknown[]) => await showMessage("warned", text, rest),
  showErrorMessage: async (text: string, ...rest: unknown[]) => await showMessage("error", text, rest),
  setStatusBarMessage(text: string): Disposable {
    desk.tell(`told: ${text}`);
    return none;
  },
  createQuickPick: () => new QuickInput("pick"),
  createInputBox: () => new QuickInput("input"),
  async showQuickPick(
    given: unknown,
    {
      title,
      placeHolder,
      canPickMany = false,
    }: { readonly title?: string; readonly placeHolder?: string; readonly canPickMany?: boolean } = {},
  ): Promise<unknown> {
    const pick = Object.assign(new QuickInput("pick"), {
      title,
      placeholder: placeHolder,
      canSelectMany: canPickMany,
      items: (await given) as readonly unknown[],
    });
    return await new Promise((resolve) => {
      pick.onDidAccept(() => {
        resolve(canPickMany ? pick.selectedItems : pick.selectedItems[0]);
        pick.hide();
      });
      pick.onDidHide(() => {
        resolve(undefined);
      });
      pick.show();
    });
  },
  async showInputBox({
    title,
    prompt,
    value = "",
    validateInput,
  }: {
    readonly title?: string;
    readonly prompt?: string;
    readonly value?: string;
    readonly validateInput?: Call;
  } = {}): Promise<unknown> {
    const box = Object.assign(new QuickInput("input"), { title, prompt, value });
    const isError = (problem: unknown): boolean =>
      typeof problem === "string"
        ? problem !== ""
        : typeof problem === "object" && problem !== null && (problem as { readonly severity?: number }).severity === 3;
    let checking = Promise.resolve();
    box.onDidChangeValue((text) => {
      checking = Promise.resolve(validateInput?.(text)).then((problem) => {
        box.validationMessage = isError(problem) ? problem : undefined;
      });
    });
    return await new Promise((resolve, reject) => {
      box.onDidAccept(() => {
        checking.then(() => {
          if (box.validationMessage === undefined) {
            resolve(box.value);
            box.hide();
          }
        }, reject);
      });
      box.onDidHide(() => {
        resolve(undefined);
      });
      box.show();
    });
  },
  showSaveDialog: async () => await askForFile("save", (uri) => uri),
  showOpenDialog: async () => await askForFile("open", (uri) => [uri]),
  async withProgress({ title = "" }: { readonly title?: string }, task: Call): Promise<unknown> {
    desk.tell(`progress: ${title}`);
    const { token, cancel } = createToken();
    desk.tokens.add(cancel);
    try {
      return await task({ report: () => undefined }, token);
    } finally {
      desk.tokens.delete(cancel);
    }
  },
  createOutputChannel: () => {
    const write =
      (level: string) =>
      (line: string): void =>
        desk.tell(`log ${level}: ${line}`);
    return {
      ...Object.fromEntries(["trace", "debug", "info", "warn", "error"].map((level) => [level, write(level)])),
      logLevel: 2,
      show: () => undefined,
      dispose: () => undefined,
    };
  },
  registerTerminalProfileProvider: () => ({ dispose: () => undefined }),
  createStatusBarItem: () => ({ show: () => undefined, hide: () => undefined, dispose: () => undefined }),
  createTreeView,
  createWebviewPanel: createPage,
  showTextDocument: async (given: unknown) =>
    showDocument(given instanceof TextDocument ? given : await openDocument(given)),
};

const present = async (uri: Uri): Promise<{ readonly type: number; readonly size: number; readonly mtime: number }> => {
  await Promise.resolve();
  const data = disk.read(uri.path);
  if (data === undefined || uri.scheme !== "file") throw FileSystemError.FileNotFound();
  return { type: 1, size: data.length, mtime: 0 };
};

/** Whether a path fits a pattern of ours. */
function fits(path: string, pattern: unknown): boolean {
  const text = typeof pattern === "string" ? pattern : String((pattern as { readonly pattern: unknown }).pattern);
  const names = /\{(?<names>[^}]*)\}$/.exec(text)?.groups?.["names"]?.split(",");
  return names === undefined
    ? path.endsWith(text.replace(/^.*\*/, ""))
    : names.some((name) => path.endsWith(`/${name}`));
}

export const FOLDER = "/work/folder";
const folder = { uri: Uri.file(FOLDER), name: "folder", index: 0 };

export const workspace: Module<{
  isTrusted: boolean;
  readonly openTextDocument: (given: unknown) => Promise<TextDocument>;
}> = {
  isTrusted: true,
  workspaceFolders: [folder],
  textDocuments: documents,
  getWorkspaceFolder: (uri: Uri) => (uri.path.startsWith(FOLDER) ? folder : undefined),
  asRelativePath: (uri: Uri) => uri.path.replace(`${FOLDER}/`, ""),
  getConfiguration: (section: string) => ({
    get: (name: string) => desk.settings.get(`${section}.${name}`),
    inspect: (name: string) => ({ globalValue: desk.settings.get(`${section}.${name}`) }),
    async update(name: string, value: unknown) {
      await Promise.resolve();
      setSetting(`${section}.${name}`, value);
    },
  }),
  findFiles: async (pattern: unknown) =>
    await Promise.resolve(
      disk.paths.filter((path) => path.startsWith(FOLDER) && fits(path, pattern)).map((path) => Uri.file(path)),
    ),
  openTextDocument: openDocument,
  async applyEdit(edit: WorkspaceEdit) {
    for (const { uri, range, text } of edit.changes) {
      const document = await openDocument(uri);
      const whole = document.getText();
      document.become(
        whole.slice(0, document.offsetAt(range.start)) + text + whole.slice(document.offsetAt(range.end)),
      );
    }
    return true;
  },
  fs: {
    stat: present,
    async readFile(uri: Uri) {
      await present(uri);
      return disk.read(uri.path);
    },
    async writeFile(uri: Uri, data: Uint8Array) {
      await Promise.resolve();
      if (uri.path.includes("/nowhere/")) throw new FileSystemError("NoPermissions");
      disk.write(uri.path, Buffer.from(data));
    },
    async delete(uri: Uri) {
      await present(uri);
      disk.delete(uri.path);
    },
    async readDirectory(uri: Uri) {
      await Promise.resolve();
      return [...disk.list(uri.path)].map(([name, isFolder]) => [name, isFolder ? 2 : 1]);
    },
    createDirectory: async () => {
      await Promise.resolve();
    },
    isWritableFileSystem: (scheme: string) => scheme === "file",
  },
  createFileSystemWatcher: () => ({
    onDidCreate: happening().event,
    onDidChange: happening().event,
    onDidDelete: happening().event,
    dispose: () => undefined,
  }),
  registerTextDocumentContentProvider(
    scheme: string,
    provider: {
      readonly onDidChange: EventEmitter<Uri>["event"];
      readonly provideTextDocumentContent: (uri: Uri) => unknown;
    },
  ): Disposable {
    desk.contents.set(scheme, async (uri) => await provider.provideTextDocumentContent(uri));
    return provider.onDidChange((uri) => {
      const run: Promise<unknown> = refreshContent(uri).finally(() => desk.running.delete(run));
      desk.running.set(run, uri.toString());
    });
  },
  onDidOpenTextDocument: events.opened.event,
  onDidCloseTextDocument: events.closed.event,
  onDidChangeTextDocument: events.changed.event,
  onDidSaveTextDocument: events.saved.event,
  onDidChangeConfiguration: events.configured.event,
  onDidRenameFiles: happening().event,
  onDidDeleteFiles: happening().event,
  onDidGrantWorkspaceTrust: happening().event,
};

/** Sets a setting of the user, by its whole name. */
export function setSetting(name: string, value: unknown): void {
  desk.settings.set(name, value);
  events.configured.fire({ affectsConfiguration: (section) => name.startsWith(section) });
}

/** Runs a command of the extension; others do nothing. */
export async function runCommand(id: string, args: readonly unknown[]): Promise<unknown> {
  const run: Promise<unknown> = (async () => await desk.commands.get(id)?.(...args))().finally(() =>
    desk.running.delete(run),
  );
  desk.running.set(run, id);
  return await run;
}

export const commands: Module = {
  registerCommand(id: string, run: Call): Disposable {
    desk.commands.set(id, run);
    return none;
  },
  async executeCommand(id: string, ...args: readonly unknown[]) {
    if (desk.commands.has(id)) return await runCommand(id, args);
    if (id === "setContext") desk.contexts.set(String(args[0]), args[1]);
    // What cannot be read is told in the tab.
    if (id === "vscode.diff") for (const uri of args.slice(0, 2)) await openDocument(uri).catch(() => undefined);
    return undefined;
  },
};

const register =
  (feature: string) =>
  (selector: unknown, provider: unknown): Disposable =>
    put(desk.registered, { feature, selector, provider: provider as Registered["provider"] });

export const languages: Module = {
  match: (_selector: unknown, { uri }: TextDocument) => (uri.path.endsWith(".rpc.json") ? 10 : 0),
  createDiagnosticCollection: () => ({
    set: () => undefined,
    delete: () => undefined,
    clear: () => undefined,
    get: () => [],
    has: () => false,
    forEach: () => undefined,
    dispose: () => undefined,
  }),
  ...Object.fromEntries(
    [
      "CodeLens",
      "CodeActions",
      "CompletionItem",
      "Hover",
      "Definition",
      "Reference",
      "Rename",
      "DocumentSymbol",
      "InlayHints",
      "DocumentPasteEdit",
    ].map((feature) => [`register${feature}Provider`, register(feature)]),
  ),
};

export const env: Module = {
  clipboard: {
    writeText: async (text: string) => {
      desk.copied = text;
      await Promise.resolve();
    },
    readText: async () => await Promise.resolve(desk.copied),
  },
  openExternal: async () => await Promise.resolve(true),
  language: "en",
  remoteName: undefined,
  uiKind: 1,
  appHost: "desktop",
  appName: "walk",
};
export const version = "1.101.0";
export const l10n: Module = { bundle: undefined, uri: undefined };
export const lm: Module = { registerTool: () => none, registerMcpServerDefinitionProvider: () => none };

class TestItems {
  readonly #items = new Map<string, { readonly id: string }>();
  get size(): number {
    return this.#items.size;
  }
  get(id: string): unknown {
    return this.#items.get(id);
  }
  add(item: { readonly id: string }): void {
    this.#items.set(item.id, item);
  }
  delete(id: string): void {
    this.#items.delete(id);
  }
  replace(items: readonly { readonly id: string }[]): void {
    this.#items.clear();
    for (const item of items) this.add(item);
  }
  forEach(visit: (item: unknown) => void): void {
    this.#items.forEach(visit);
  }
  [Symbol.iterator](): IterableIterator<[string, unknown]> {
    return this.#items[Symbol.iterator]();
  }
}

export const tests: Module = {
  createTestController: () => ({
    items: new TestItems(),
    createTestItem: (id: string, label: string, uri: Uri) => ({
      id,
      label,
      uri,
      children: new TestItems(),
      tags: [],
      busy: false,
      canResolveChildren: false,
      parent: undefined,
    }),
    createRunProfile(_label: string, _kind: number, run: Call): Disposable {
      return put(desk.profiles, (request) => run(request, createToken().token));
    },
    createTestRun: () => ({
      ...Object.fromEntries(
        ["enqueued", "started", "passed", "failed", "errored", "skipped", "appendOutput", "end"].map((name) => [
          name,
          () => undefined,
        ]),
      ),
      token: createToken().token,
    }),
    invalidateTestResults: () => undefined,
    dispose: () => undefined,
  }),
};
