import type * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { DisposableList, type Disposable, type Event } from "../../base/emitter.ts";
import { fillsBadge, ordersOfTrades } from "../../present/outcomes/fills.ts";
import { ALL_TRADES_CHANNEL } from "../../state/tradePages.ts";
import { setBadge } from "../tree/treeView.ts";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";

export interface FillBadgePorts {
  /** The Open Orders view, which shows the badge. */
  readonly view: Pick<vscode.TreeView<string>, "visible" | "onDidChangeVisibility" | "badge">;
  readonly window: Pick<typeof vscode.window, "state" | "onDidChangeWindowState">;
  readonly liveConnections: Pick<LiveConnections, "all" | "onDidOpen" | "onDidClose">;
  readonly settings: { readonly isBadgingFills: () => boolean; readonly onDidChange: Event<void> };
}

interface Followed extends Disposable {
  readonly orders: Set<string>;
}

/**
 * Counts on the view's badge the orders that were filled while the view was not in sight. Off by default; while off,
 * nothing is followed. Each order counts once, however many trades fill it.
 */
export function createFillBadge({ view, window, liveConnections, settings }: FillBadgePorts): Disposable {
  const disposables = new DisposableList();
  const followed = new Map<LiveConnection, Followed>();
  const show = (): void => {
    setBadge(view, fillsBadge([...followed].map(([{ place }, { orders }]) => ({ place, count: orders.size }))));
  };
  const look = (): void => {
    if (!view.visible || !window.state.focused) return;
    for (const { orders } of followed.values()) orders.clear();
    show();
  };
  const follow = (each: LiveConnection): void => {
    const orders = new Set<string>();
    const hearing = each.followChannel(
      ALL_TRADES_CHANNEL,
      (data) => {
        for (const id of ordersOfTrades(data)) orders.add(id);
        show();
        look();
      },
      () => undefined,
    );
    followed.set(each, { orders, dispose: () => hearing.dispose() });
  };
  const leave = (each: LiveConnection): void => {
    followed.get(each)?.dispose();
    followed.delete(each);
    show();
  };
  const takeSetting = (): void => {
    const wanted = settings.isBadgingFills() ? liveConnections.all : [];
    for (const each of [...followed.keys()]) if (!wanted.includes(each)) leave(each);
    for (const each of wanted) if (!followed.has(each)) follow(each);
  };
  disposables.add(settings.onDidChange(takeSetting));
  disposables.add(liveConnections.onDidOpen(takeSetting));
  disposables.add(liveConnections.onDidClose(leave));
  disposables.add(view.onDidChangeVisibility(look));
  disposables.add(window.onDidChangeWindowState(look));
  disposables.add({
    dispose: () => {
      for (const each of followed.values()) each.dispose();
    },
  });
  takeSetting();
  return disposables;
}
