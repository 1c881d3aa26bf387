import type * as vscode from "vscode";
import type { Gate } from "../../actions/gate/gate.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { connectionRowId, createConnectionsTree } from "../../present/connections/connections.ts";
import { proxyFor } from "../../present/text/proxyText.ts";
import { createFilteredTree, filteredHeading } from "../../present/rows/rowFilter.ts";
import type { Row } from "../../present/rows/row.ts";
import { TEXT_FILTER, type ViewFilter } from "../../present/rows/viewFilter.ts";
import { isSameKey, SIMULATOR_ID, type ConnectionRecord } from "../../state/records.ts";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";
import type { OtherWindows } from "./otherWindows.ts";
import { createLiveTree, type TreeFrame } from "../tree/treeView.ts";
import type { Ui } from "../ui.ts";
import { createPaneFilter, type FilteredPane } from "../tree/viewFilters.ts";

/** The Connections view. */
export interface ConnectionsPane extends Disposable, FilteredPane<ViewFilter> {
  readonly provider: vscode.TreeDataProvider<string>;
  row(rowId: string): Row | undefined;
  /** Draws again what changes with time: ages, countdowns, latency. */
  tick(): void;
}

type ConnectionsPanePorts = Pick<
  Ui,
  "connections" | "liveConnections" | "settings" | "clock" | "times" | "setContext"
> & {
  readonly frame: TreeFrame;
  readonly windows: OtherWindows;
};

export function createConnectionsPane({
  frame,
  connections,
  liveConnections,
  settings,
  windows,
  clock,
  times,
  setContext,
}: ConnectionsPanePorts): ConnectionsPane {
  const otherWindowsOf = (record: ConnectionRecord): number => {
    const { list } = connections;
    // The simulator of another window is another one.
    return record.id === SIMULATOR_ID
      ? 0
      : windows.count(
          (id) => id === record.id || list.some((other) => other.record.id === id && isSameKey(other.record, record)),
        );
  };
  const filter = createPaneFilter(
    "connections",
    {
      rules: TEXT_FILTER,
      words: () => ({
        title: l10n.t("Filter Connections"),
        placeholder: l10n.t("Filter by name, address, scope, or any other text of a connection"),
      }),
    },
    setContext,
  );
  const all = createConnectionsTree(() => ({
    connections: connections.list,
    changesAllowedUntilMs: allowances(liveConnections, ({ changesAllowedUntilMs }) => changesAllowedUntilMs),
    cancelsAllowedUntilMs: allowances(liveConnections, ({ cancelsAllowedUntilMs }) => cancelsAllowedUntilMs),
    trading: allowances(liveConnections, ({ trading }) => trading),
    nowMs: clock.now(),
    times,
    proxyOf: (address) => proxyFor(address, settings.proxy()),
    otherWindowsOf,
  }));
  const rows = createFilteredTree(all, () => filter.value);
  const tree = createLiveTree({ frame, clock, rows });
  const touchAll = (): void => {
    for (const { record } of connections.list) tree.touch(connectionRowId(record.id));
  };
  const disposables = new DisposableList();
  disposables.add(tree);
  disposables.add(
    connections.onDidChange((id) => {
      if (id === undefined) tree.schedule.changeRoot();
      else tree.touch(connectionRowId(id));
    }),
  );
  disposables.add(windows.onDidChange(touchAll));
  disposables.add(followWindows({ frame, liveConnections, windows, clock }));
  const showHeading = (): void => {
    const { view } = frame;
    const { message, content } = filteredHeading(
      { message: "", content: "rows", isBare: rows.children(undefined).length === 0 },
      rows.present,
    );
    if ((view.description ?? "") !== filter.note) view.description = filter.note;
    if ((view.message ?? "") !== message) view.message = message;
    setContext("connections.content", content);
  };
  disposables.add(connections.onDidChange(showHeading));
  disposables.add(
    filter.onDidChange(() => {
      showHeading();
      tree.redraw();
    }),
  );
  return {
    filter,
    counts: (tried) => rows.counts(tried),
    provider: tree.provider,
    row: (id) => rows.row(id),
    tick: touchAll,
    dispose: () => disposables.dispose(),
  };
}

/** Tells the other windows which connections are open here; reads theirs while the view is in sight. */
function followWindows({
  frame: { view },
  liveConnections,
  windows,
  clock,
}: Pick<ConnectionsPanePorts, "frame" | "liveConnections" | "windows" | "clock">): Disposable {
  const disposables = new DisposableList();
  let timer: Disposable | undefined;
  const tell = (): void => void windows.tell(liveConnections.all.map(({ record }) => record.id));
  const look = (): void => {
    timer?.dispose();
    timer = undefined;
    if (!view.visible) return;
    void windows.refresh();
    timer = clock.after(LOOK_MS, look);
  };
  disposables.add(liveConnections.onDidOpen(tell));
  disposables.add(liveConnections.onDidClose(tell));
  disposables.add(view.onDidChangeVisibility(look));
  disposables.add({ dispose: () => timer?.dispose() });
  look();
  return disposables;
}

/** The interval at which the open connections of other windows are read, in ms. */
const LOOK_MS = 5000;

function allowances<Value>(
  liveConnections: LiveConnections,
  valueOf: (gate: Gate) => Value | undefined,
): ReadonlyMap<string, Value> {
  return new Map(
    liveConnections.all.flatMap(({ record, gate }) => {
      const value = valueOf(gate);
      return value === undefined ? [] : [[record.id, value] as const];
    }),
  );
}
