import type * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { createEmitter, DisposableList, type Disposable, type Event } from "../../base/emitter.ts";
import { switchedSubject } from "../../present/connections/connectionWords.ts";
import { HIDDEN_WORD, hideFigures } from "../../present/rows/presentation.ts";
import type { Connections } from "../../state/connections.ts";
import { SIMULATOR_ID } from "../../state/records.ts";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";
import type { Hide } from "../editor/dialogs.ts";
import type { Settings } from "../editor/settings.ts";
import type { DrawingPause, TreeFrame } from "./treeView.ts";
import { TREE_NAMES, type TreeName } from "../../base/viewNames.ts";
import { createAccountStore } from "../../state/account.ts";
import { createQuotesStore } from "../../state/quotes.ts";

/**
 * The parts of this window that others may see. In presentation mode, figures, ids, labels and names of accounts are
 * hidden in rows, tooltips, messages, choices and the status bar. Confirmations are shown whole: no change may be
 * confirmed that cannot be read.
 */
export interface Screen extends Disposable {
  readonly hide: Hide;
  /** Returns a provider of rows whose texts may be shown. */
  provider(inner: vscode.TreeDataProvider<string>): vscode.TreeDataProvider<string>;
  /**
   * Returns views whose descriptions and messages may be shown; all of them are shown again when the mode changes.
   * Their rows are not drawn while a box opens.
   */
  frames(inner: Readonly<Record<TreeName, TreeFrame>>): Readonly<Record<TreeName, TreeFrame>>;
  readonly onDidChange: Event<undefined>;
}

/** `names`: returns the names that are hidden. */
export function createScreen(
  settings: Pick<Settings, "isPresenting" | "onDidChange">,
  drawingPause: DrawingPause,
  names: () => readonly string[],
): Screen {
  const changes = createEmitter<undefined>();
  let isOn = settings.isPresenting();
  const hide: Hide = (text, accountName) =>
    isOn ? hideFigures(accountName === undefined ? text : text.replaceAll(accountName, HIDDEN_WORD), names()) : text;
  const listener = settings.onDidChange(() => {
    if (settings.isPresenting() === isOn) return;
    isOn = !isOn;
    changes.fire(undefined);
  });
  return {
    hide,
    onDidChange: changes.event,
    provider: (inner) => hidingProvider(inner, hide),
    frames: (inner) =>
      Object.fromEntries(
        TREE_NAMES.map((name) => [name, { ...hidingFrame(inner[name], hide, changes.event), drawingPause }]),
      ) as Record<TreeName, TreeFrame>,
    dispose() {
      listener.dispose();
      changes.dispose();
    },
  };
}

/**
 * Returns the view with its description and message hidden on their way to it; reading them gives the texts that were
 * set.
 */
function hidingFrame(frame: TreeFrame, hide: Hide, onDidChange: Event<undefined>): TreeFrame {
  const given = new Map<"description" | "message", string | undefined>();
  const show = (name: "description" | "message", text: string | undefined): void => {
    given.set(name, text);
    Reflect.set(frame.view, name, text === undefined ? undefined : hide(text));
  };
  onDidChange(() => {
    for (const [name, text] of given) show(name, text);
    frame.changes.fire(undefined);
  });
  const hiding = (name: "description" | "message"): PropertyDescriptor => ({
    get: () => (given.has(name) ? given.get(name) : frame.view[name]),
    set: (text: string | undefined) => show(name, text),
  });
  const view = Object.create(frame.view, {
    description: hiding("description"),
    message: hiding("message"),
  }) as TreeFrame["view"];
  return { ...frame, view };
}

/** Whether the description of a row is the number of rows below it. */
function isCount({ contextValue = "", description }: vscode.TreeItem): boolean {
  return (
    /(?:\.(?:group|connection|empty|owned|index)|^fields)$/.test(contextValue) &&
    /^\d[\d\u202F]*$/.test(String(description))
  );
}

function hidingProvider(inner: vscode.TreeDataProvider<string>, hide: Hide): vscode.TreeDataProvider<string> {
  const shown = (item: vscode.TreeItem): vscode.TreeItem => {
    if (typeof item.label === "string") item.label = hide(item.label);
    if (typeof item.description === "string" && !isCount(item)) item.description = hide(item.description);
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

/** The names that presentation mode hides. */
export interface HiddenNames extends Disposable {
  /** Returns the names of accounts, connections and keys, and the labels of orders and quotes. */
  all(): readonly string[];
}

/** Makes the list of names; the labels of orders are gone through again only after a change. */
export function createHiddenNames(
  connections: Pick<Connections, "list">,
  liveConnections: Pick<LiveConnections, "all" | "onDidOpen">,
): HiddenNames {
  const listeners = new DisposableList();
  const labels = new Map<LiveConnection, readonly string[]>();
  const follow = (live: LiveConnection): void => {
    listeners.add(live.orders.onDidChange(() => void labels.delete(live)));
  };
  listeners.add(liveConnections.onDidOpen(follow));
  for (const live of liveConnections.all) follow(live);
  const labelsOf = (live: LiveConnection): readonly string[] => {
    const known = labels.get(live) ?? orderLabels(live);
    labels.set(live, known);
    return known;
  };
  return {
    all() {
      for (const live of labels.keys()) if (!liveConnections.all.includes(live)) labels.delete(live);
      const quotes = liveConnections.all.flatMap((live) => [
        ...live.storeOf(createQuotesStore).snapshot.items.values(),
      ]);
      return [
        ...accountNames(connections, liveConnections),
        ...liveConnections.all.flatMap(labelsOf),
        ...quotes.flatMap(({ label }) => label ?? []),
      ];
    },
    dispose: () => listeners.dispose(),
  };
}

function orderLabels({ orders }: LiveConnection): readonly string[] {
  return [...new Set([...orders.snapshot.items.values()].flatMap(({ order }) => order.label ?? []))];
}

/** Returns the names of accounts, connections and keys. */
export function accountNames(
  connections: Pick<Connections, "list">,
  liveConnections: Pick<LiveConnections, "all">,
): readonly string[] {
  const ofConnections = connections.list.flatMap(({ record, state }) =>
    record.id === SIMULATOR_ID ? [] : [record.name, record.clientId, switchedSubject(state)?.name ?? ""],
  );
  const ofAccounts = liveConnections.all.flatMap((live) => {
    const { profile, owned } = live.storeOf(createAccountStore);
    return (live.record.id === SIMULATOR_ID ? [] : [profile, ...owned.accounts]).flatMap((each) => {
      const { username, system_name: systemName, email } = each as Readonly<Record<string, unknown>>;
      return [username, systemName, email].filter((name) => typeof name === "string");
    });
  });
  const ofKeys = liveConnections.all.flatMap(({ apiKeys }) =>
    [...apiKeys.snapshot.items.values()].flatMap(({ key }) =>
      key === undefined ? [] : [key.name ?? "", key.client_id ?? ""],
    ),
  );
  return [...ofConnections, ...ofAccounts, ...ofKeys];
}
