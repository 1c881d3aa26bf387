import type * as vscode from "vscode";
import { createEmitter, type Disposable, type Event } from "../../base/emitter.ts";
import { subjectOf } from "../../present/connections/connectionWords.ts";
import { HIDDEN, hideFigures } from "../../present/rows/presentation.ts";
import type { Connections } from "../../state/connections.ts";
import { SIMULATOR_ID } from "../../state/records.ts";
import type { LiveConnections } from "../../actions/liveConnections.ts";
import type { TreeFrame } from "./treeView.ts";
import { VIEW_NAMES, type ViewName } from "../../base/viewNames.ts";

/**
 * What others may see of this window. In presentation mode figures, ids and names of accounts are hidden in rows,
 * tooltips, messages, choices and the status bar. Questions before a change are shown whole: nobody may agree to what
 * cannot be read.
 */
export interface Screen extends Disposable {
  /** A text as it may be shown at the moment. */
  hide(text: string): string;
  /** Rows whose texts may be shown. */
  provider(inner: vscode.TreeDataProvider<string>): vscode.TreeDataProvider<string>;
  /** Views whose descriptions and messages may be shown; all of it is shown anew when the mode changes. */
  frames(inner: Readonly<Record<ViewName, TreeFrame>>): Readonly<Record<ViewName, TreeFrame>>;
  readonly onDidChange: Event<undefined>;
}

export interface ScreenPorts {
  /** The editor's own functions, as this extension calls them. While the mode is on, others stand in their places. */
  readonly window: object;
  readonly settings: { isPresenting(): boolean; readonly onDidChange: Event<void> };
  /** Names of accounts, connections and keys. */
  readonly names: () => readonly string[];
}

type Call = (...args: unknown[]) => unknown;
type Texts = Readonly<Record<string, unknown>>;

/** Members that the editor draws, of every object that it is given. */
const SHOWN: ReadonlySet<string> = new Set([
  "label",
  "description",
  "detail",
  "title",
  "placeholder",
  "placeHolder",
  "prompt",
  "message",
  "validationMessage",
]);

export function createScreen({ window, settings, names }: ScreenPorts): Screen {
  const changes = createEmitter<undefined>();
  let isOn = settings.isPresenting();
  const hide = (text: string): string => (isOn ? hideFigures(text, names()) : text);
  let restore = isOn ? standInFor(window as Record<string, Call>, hide) : undefined;
  const listener = settings.onDidChange(() => {
    if (settings.isPresenting() === isOn) return;
    isOn = !isOn;
    restore?.();
    restore = isOn ? standInFor(window as Record<string, Call>, hide) : undefined;
    changes.fire(undefined);
  });
  return {
    hide,
    onDidChange: changes.event,
    provider: (inner) => hidingProvider(inner, hide),
    frames: (inner) =>
      Object.fromEntries(VIEW_NAMES.map((name) => [name, hidingFrame(inner[name], hide, changes.event)])) as Record<
        ViewName,
        TreeFrame
      >,
    dispose() {
      listener.dispose();
      restore?.();
      changes.dispose();
    },
  };
}

function hidingFrame(frame: TreeFrame, hide: (text: string) => string, onDidChange: Event<undefined>): TreeFrame {
  const given = new Map<string, unknown>();
  onDidChange(() => {
    for (const [name, value] of given) Reflect.set(frame.view, name, hidden(value, hide));
    frame.changes.fire(undefined);
  });
  return { ...frame, view: hidingSetters(frame.view, hide, given) };
}

function hidingProvider(
  inner: vscode.TreeDataProvider<string>,
  hide: (text: string) => string,
): vscode.TreeDataProvider<string> {
  const shown = (item: vscode.TreeItem): vscode.TreeItem => {
    if (typeof item.label === "string") item.label = hide(item.label);
    if (typeof item.description === "string") item.description = hide(item.description);
    if (item.accessibilityInformation !== undefined)
      item.accessibilityInformation = {
        ...item.accessibilityInformation,
        label: hide(item.accessibilityInformation.label),
      };
    if (typeof item.tooltip === "object") item.tooltip.value = hide(item.tooltip.value);
    return item;
  };
  return {
    getChildren: (id) => inner.getChildren(id),
    getParent: (id) => inner.getParent?.(id),
    getTreeItem: async (id) => shown(await inner.getTreeItem(id)),
    async resolveTreeItem(item, id, token) {
      const resolved = await inner.resolveTreeItem?.(item, id, token);
      return resolved ? shown(resolved) : item;
    },
  };
}

/** Puts functions that hide into the places of the editor's. Every message and choice of the extension passes them. */
function standInFor(window: Record<string, Call>, hide: (text: string) => string): () => void {
  const originals = Object.keys(STAND_INS).flatMap((name) => {
    const original = window[name];
    return original === undefined ? [] : [[name, original] as const];
  });
  for (const [name, original] of originals)
    window[name] = (...args) => STAND_INS[name]?.(original.bind(window), args, hide);
  return () => {
    for (const [name, original] of originals) window[name] = original;
  };
}

type StandIn = (original: Call, args: readonly unknown[], hide: (text: string) => string) => unknown;

const message: StandIn = (original, [text, ...rest], hide) =>
  isModal(rest[0]) ? original(text, ...rest) : original(hidden(text, hide), ...rest);
const quickInput: StandIn = (original, args, hide) => hidingSetters(original(...args) as object, hide, new Map());

const STAND_INS: Readonly<Record<string, StandIn>> = {
  showInformationMessage: message,
  showWarningMessage: message,
  showErrorMessage: message,
  setStatusBarMessage: message,
  createQuickPick: quickInput,
  createInputBox: quickInput,
  async showQuickPick(original, [items, ...rest], hide) {
    const shown = hiddenItems((await items) as readonly Texts[], hide);
    return await original(shown, ...rest.map((each) => hiddenTexts(each, hide)));
  },
  withProgress: (original, [options, task], hide) =>
    original(
      hiddenTexts(options, hide),
      async (progress: vscode.Progress<unknown>, ...rest: unknown[]) =>
        await (task as Call)({ report: (value: unknown) => progress.report(hiddenTexts(value, hide)) }, ...rest),
    ),
};

/** The same object, but what is given to it to be shown is hidden; what was given can be read again. */
function hidingSetters<T extends object>(target: T, hide: (text: string) => string, given: Map<string, unknown>): T {
  // Choices are told apart by who they are: what the editor hands back is what it was given.
  const originals = new Map<unknown, unknown>();
  const copies = new Map<unknown, unknown>();
  const copyOf = (item: unknown): unknown => {
    const copy = copies.get(item) ?? hiddenTexts(item, hide);
    copies.set(item, copy);
    originals.set(copy, item);
    return copy;
  };
  return new Proxy({} as T, {
    get(_, name) {
      if (typeof name === "string" && given.has(name)) return given.get(name);
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === "function") return (value as Call).bind(target);
      return Array.isArray(value) ? value.map((each: unknown) => originals.get(each) ?? each) : value;
    },
    set(_, name, value: unknown) {
      if (typeof name === "string" && SHOWN.has(name)) given.set(name, value);
      const isChoices = name === "items" || name === "activeItems" || name === "selectedItems";
      const shown =
        isChoices && Array.isArray(value)
          ? value.map(copyOf)
          : typeof name === "string" && SHOWN.has(name)
            ? hidden(value, hide)
            : value;
      return Reflect.set(target, name, shown, target);
    },
  });
}

function hiddenItems(items: readonly Texts[], hide: (text: string) => string): readonly unknown[] {
  return items.map((item) => hiddenTexts(item, hide));
}

/** A copy of an object whose shown members are hidden. */
function hiddenTexts(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const accountName = "accountName" in value && typeof value.accountName === "string" ? value.accountName : undefined;
  const nameless = (text: unknown): unknown =>
    typeof text === "string" && accountName !== undefined ? text.replaceAll(accountName, HIDDEN) : text;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      SHOWN.has(name) ? hidden(nameless(each), hide) : (each as unknown),
    ]),
  );
}

/** What accounts, connections and keys are called. */
export function accountNames(
  connections: Pick<Connections, "list">,
  live: Pick<LiveConnections, "all">,
): readonly string[] {
  const ofConnections = connections.list.flatMap(({ record, state }) =>
    record.id === SIMULATOR_ID ? [] : [record.name, record.clientId, subjectOf(state)?.name ?? ""],
  );
  const ofKeys = live.all.flatMap(({ apiKeys }) =>
    [...apiKeys.snapshot.items.values()].flatMap(({ key }) =>
      key === undefined ? [] : [key.name ?? "", key.client_id ?? ""],
    ),
  );
  return [...ofConnections, ...ofKeys];
}

/** A text, or a validation message that holds one. */
function hidden(value: unknown, hide: (text: string) => string): unknown {
  return typeof value === "string" ? hide(value) : hiddenTexts(value, hide);
}

function isModal(options: unknown): boolean {
  return typeof options === "object" && options !== null && "modal" in options && options.modal === true;
}
