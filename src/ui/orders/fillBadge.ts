import type * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { DisposableList, type Disposable, type Event } from "../../base/emitter.ts";
import { fillsBadge, ordersOfTrades } from "../../present/outcomes/fills.ts";
import { ALL_TRADES_CHANNEL } from "../../state/tradePages.ts";
import { whileOpen } from "../editor/whileOpen.ts";
import { setBadge } from "../tree/treeView.ts";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";

export interface FillBadgePorts {
  /** The Open Orders view, which shows the badge. */
  readonly view: Pick<vscode.TreeView<string>, "visible" | "onDidChangeVisibility" | "badge">;
  readonly window: Pick<typeof vscode.window, "state" | "onDidChangeWindowState">;
  readonly liveConnections: Pick<LiveConnections, "all" | "onDidOpen" | "onDidClose">;
  readonly settings: { readonly isBadgingFills: () => boolean; readonly onDidChange: Event<void> };
}

/**
 * Counts on the view's badge the orders that were filled while the view was not in sight. Off by default; while off,
 * nothing is followed. Each order counts once, however many trades fill it.
 */
export function createFillBadge({ view, window, liveConnections, settings }: FillBadgePorts): Disposable {
  const disposables = new DisposableList();
  /** The orders that were filled on each connection. */
  const filled = new Map<LiveConnection, Set<string>>();
  const show = (): void => {
    setBadge(view, fillsBadge([...filled].map(([{ place }, orders]) => ({ place, count: orders.size }))));
  };
  const look = (): void => {
    if (!view.visible || !window.state.focused) return;
    for (const orders of filled.values()) orders.clear();
    show();
  };
  const follow = (each: LiveConnection): Disposable => {
    const orders = new Set<string>();
    filled.set(each, orders);
    const hearing = each.followChannel(
      ALL_TRADES_CHANNEL,
      (data) => {
        for (const id of ordersOfTrades(data)) orders.add(id);
        show();
        look();
      },
      () => undefined,
    );
    const dispose = (): void => {
      hearing.dispose();
      filled.delete(each);
      show();
    };
    return { dispose };
  };
  let following: Disposable | undefined;
  const takeSetting = (): void => {
    if (settings.isBadgingFills()) following ??= whileOpen(liveConnections, follow);
    else {
      following?.dispose();
      following = undefined;
    }
  };
  disposables.add(settings.onDidChange(takeSetting));
  disposables.add(view.onDidChangeVisibility(look));
  disposables.add(window.onDidChangeWindowState(look));
  disposables.add({ dispose: () => following?.dispose() });
  takeSetting();
  return disposables;
}
