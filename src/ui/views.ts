import type { Journals } from "../actions/journal/journals.ts";
import type { LiveConnections } from "../actions/connection/liveConnections.ts";
import { isUnresolved } from "../actions/journal/recordedIntents.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import type { Row } from "../present/rows/row.ts";
import type { COLLAPSED_VIEWS } from "./collapsedViews.ts";
import { createConnectionsPane } from "./connections/view.ts";
import { createOrdersPane } from "./orders/view.ts";
import { createAccountPane, createPositionsPane } from "./kinds/openKinds.ts";
import type { TreeFrame } from "./tree/treeView.ts";
import { VIEW_NAMES, type ViewName } from "../base/viewNames.ts";
import { createMmpStore } from "../state/mmp.ts";

/** The functions that make the panes of the views that are open at first, and that of the connections they read. */
export const OPEN_VIEWS = {
  orders: createOrdersPane,
  positions: createPositionsPane,
  account: createAccountPane,
  connections: createConnectionsPane,
};

type Makers = Readonly<Partial<Record<ViewName, (ports: never) => Disposable>>>;
type PanesOf<Some extends Makers> = {
  readonly [Name in keyof Some]: Some[Name] extends (ports: never) => infer Pane ? Pane : never;
};
/** All views: the open and the collapsed ones. Everything about all views is read from the two lists. */
type AllMakers = typeof OPEN_VIEWS & typeof COLLAPSED_VIEWS;

/** The panes of all views, by name. */
export type Panes = { readonly [Name in ViewName]: PanesOf<AllMakers>[Name] };

/** The ports that the panes need, all together. */
type AllPorts = AllMakers[ViewName] extends (ports: infer Ports) => unknown ? Ports : never;

export interface PanesPorts extends Omit<AllPorts, "frame"> {
  readonly frames: Readonly<Record<ViewName, TreeFrame>>;
}

/** Makes the panes of views. The given list disposes of them. */
export function createPanes<Some extends Makers>(
  makers: Some,
  { frames, ...ports }: PanesPorts,
  disposables: DisposableList,
): PanesOf<Some> {
  const make = (name: ViewName): Disposable | undefined => makers[name]?.({ ...ports, frame: frames[name] } as never);
  return Object.fromEntries(
    VIEW_NAMES.flatMap((name) => {
      const pane = make(name);
      return pane === undefined ? [] : [[name, disposables.add(pane)]];
    }),
  ) as unknown as PanesOf<Some>;
}

/**
 * Calls back when a collapsed view has something to show, also while it stays collapsed: a number on its icon, and the
 * walkthrough's step about Activity.
 */
export function whenCollapsedViewsHaveNews(
  { journals, liveConnections }: { readonly journals: Journals; readonly liveConnections: LiveConnections },
  load: () => void,
): Disposable {
  const disposables = new DisposableList();
  // Reading the intents puts all records together anew. A change writes three, each of which would cost that.
  const listener = disposables.add(
    journals.onDidChange(() => {
      if (!journals.intents.some((intent) => intent.holder === "here" || isUnresolved(intent))) return;
      listener.dispose();
      load();
    }),
  );
  disposables.add(
    liveConnections.onDidOpen((live) => {
      const mmp = live.storeOf(createMmpStore);
      mmp.follow();
      mmp.onDidChange(() => {
        if ([...mmp.snapshot.items.values()].some(({ freeze }) => freeze !== undefined)) load();
      });
    }),
  );
  return disposables;
}

/** Returns the row of that id, in whatever view it is. */
export function findRow(panes: Panes, id: string): Row | undefined {
  for (const name of VIEW_NAMES) {
    const row = panes[name].row(id);
    if (row !== undefined) return row;
  }
  return undefined;
}
