import type * as vscode from "vscode";
import type { Clock } from "../base/clock.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import { connectionRowId, createConnectionsTree } from "../present/connections.ts";
import { proxyFor } from "../present/proxyText.ts";
import type { Row } from "../present/row.ts";
import type { Times } from "../present/times.ts";
import type { Connections } from "../state/connections.ts";
import type { LiveConnections } from "./liveConnections.ts";
import type { Settings } from "./settings.ts";
import { createLiveTree, type TreeFrame } from "./treeView.ts";

/** The Connections view. */
export interface ConnectionsPane extends Disposable {
  readonly provider: vscode.TreeDataProvider<string>;
  row(rowId: string): Row | undefined;
  /** Draws again what changes with time: ages, countdowns, latency. */
  tick(): void;
}

export interface ConnectionsPanePorts {
  readonly frame: TreeFrame;
  readonly connections: Connections;
  readonly live: LiveConnections;
  readonly settings: Pick<Settings, "proxy">;
  readonly clock: Clock;
  readonly times: Times;
}

export function createConnectionsPane({ frame, connections, live, settings, clock, times }: ConnectionsPanePorts): ConnectionsPane {
  const rows = createConnectionsTree(() => ({ connections: connections.list, changesAllowedUntilMs: allowances(live), nowMs: clock.now(), times, proxyOf: (address) => proxyFor(address, settings.proxy()) }));
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
  return { provider: tree.provider, row: (id) => rows.row(id), tick: touchAll, dispose: () => disposables.dispose() };
}

function allowances(live: LiveConnections): ReadonlyMap<string, number> {
  const until = new Map<string, number>();
  for (const each of live.all) {
    const { changesAllowedUntilMs } = each.gate;
    if (changesAllowedUntilMs !== undefined) until.set(each.record.id, changesAllowedUntilMs);
  }
  return until;
}
