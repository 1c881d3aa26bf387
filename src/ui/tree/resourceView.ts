import type * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import { createCoalescer } from "../../base/coalesce.ts";
import { DisposableList, type Disposable, type Event } from "../../base/emitter.ts";
import type { Plain } from "../../base/plain.ts";
import type { ViewName } from "../../base/viewNames.ts";
import { createNodeTree, type RowNode } from "../../present/rows/nodes.ts";
import { createFilteredTree, filteredHeading } from "../../present/rows/rowFilter.ts";
import {
  branchOf,
  resourceHeading,
  type ResourceSource,
  type ResourceWords,
} from "../../present/rows/resourceHeading.ts";
import type { Row } from "../../present/rows/row.ts";
import type { ViewFilter } from "../../present/rows/viewFilter.ts";
import type { Times } from "../../present/text/times.ts";
import type { Resource } from "../../state/resource.ts";
import { followName, requireOpenConnection, type LiveConnections } from "../../actions/connection/liveConnections.ts";
import { createLiveTree, setBadge, type TreeFrame } from "./treeView.ts";
import type { SetContext } from "../editor/contextKeys.ts";
import { createPaneFilter, type FilteredPane, type FilterSpec, type PaneFilter } from "./viewFilters.ts";

/** An object of a connection that a row stands for, or is a part of. */
export interface Found<Item> {
  readonly live: LiveConnection;
  readonly item: Item;
}

/** A view of a resource that every connection has. */
export interface ResourcePane<Shown, F extends ViewFilter = ViewFilter> extends Disposable, FilteredPane<F> {
  readonly provider: vscode.TreeDataProvider<string>;
  row(rowId: string): Row | undefined;
  /** Returns what a row stands for, or is a part of; empty when it is no longer known. */
  find(rowId: string): readonly Found<Shown>[];
  /** The selected rows: VS Code still counts those that a filter has hidden since. */
  readonly selection: readonly string[];
  /** Reads the resource again on every connection. Throws `CallError` if none is open. */
  refresh(): Promise<void>;
  /** Draws the view again, because something that it shows has changed, e.g. the time. */
  redraw(): void;
}

/** What the rows of a view are made with. */
interface Moment<F> {
  readonly times: Times;
  readonly nowMs: number;
  readonly filter: F;
}

/** Returns the item with a key, for `ViewKind.find`; empty where there is none. */
export function itemOf<Item>({ snapshot }: Pick<Resource<Item>, "snapshot">, key: string): readonly Item[] {
  const item = snapshot.items.get(key);
  return item === undefined ? [] : [item];
}

/** The part of a filter that the exchange filters by, and how it gets there. */
interface Asked<F> {
  readonly of: (filter: F) => unknown;
  readonly set: (live: LiveConnection, filter: F) => void;
}

/** What a view of a resource reads, shows, filters, and finds. */
export interface ViewKind<Item, Shown = Item, F extends ViewFilter = ViewFilter> {
  /** The name of the view. Its context key is `<name>.content`. */
  readonly name: ViewName;
  readonly words: ResourceWords | ((filter: () => F) => ResourceWords);
  /** Returns further remarks about a connection's rows; empty for nothing. */
  readonly remark?: (live: LiveConnection, filter: F) => Plain;
  /** Returns figures of a connection, for the title of the view while there is no other; empty for none. */
  readonly figures?: (live: LiveConnection, times: Times) => Plain;
  readonly storeOf: (
    live: LiveConnection,
  ) => Pick<Resource<Item>, "snapshot" | "onDidChange" | "refresh" | "setVisible">;
  readonly nodesOf: (live: LiveConnection, moment: Moment<F>) => readonly RowNode[];
  /** Returns events of other things that the rows show. */
  readonly alsoOn?: (live: LiveConnection) => readonly Event<unknown>[];
  /** Returns what the object of a row is, as far as it is known: one object, or several. */
  readonly find: (live: LiveConnection, objectId: string) => readonly Shown[];
  /** The filter of the rows. */
  readonly filter: FilterSpec<F>;
  /** The part of the filter that the exchange filters by (default: none). */
  readonly asked?: Asked<F>;
  /** Returns a number for the view's icon, for what needs attention, with a sentence. */
  readonly badgeOf?: (sources: readonly ResourceSource<Item>[], nowMs: number) => vscode.ViewBadge | undefined;
  /** Returns the command that a click on a row runs (default: the click opens it). */
  readonly commandOf?: (row: Row) => vscode.Command | undefined;
  /** Whether the figures of its rows move with the market: they wait while the user is active in the view. */
  readonly movesWithMarket?: true;
  /** Returns the pause until rows are drawn again because time has passed, in ms (default: never). */
  readonly redrawsInMs?: (lives: readonly LiveConnection[], nowMs: number) => number;
  /** Called when the user has read the resource again. */
  readonly didRefresh?: () => void;
}

export interface PanePorts {
  readonly frame: TreeFrame;
  readonly liveConnections: LiveConnections;
  readonly clock: Clock;
  readonly times: Times;
  readonly setContext: SetContext;
}

const REDRAW_MS = 250;

interface Followed<Item> extends Disposable {
  readonly live: LiveConnection;
  readonly source: ResourceSource<Item>;
}

export function createResourcePane<Item, Shown, F extends ViewFilter>(
  kind: ViewKind<Item, Shown, F>,
  { frame, liveConnections, clock, times, setContext }: PanePorts,
): ResourcePane<Shown, F> {
  const filter = createPaneFilter(kind.name, kind.filter, setContext);
  const { asked, redrawsInMs } = kind;
  const words: ResourceWords = {
    ...(typeof kind.words === "function" ? kind.words(() => filter.value) : kind.words),
    remark: ({ connectionId }) => remarkOf(kind, liveConnections.find(connectionId), filter.value),
    figures({ connectionId }) {
      const live = liveConnections.find(connectionId);
      return live === undefined ? "" : (kind.figures?.(live, times) ?? "");
    },
  };
  const followed = new Map<LiveConnection, Followed<Item>>();
  const disposables = new DisposableList();
  const shown = (): readonly Followed<Item>[] => liveConnections.all.flatMap((each) => followed.get(each) ?? []);
  const nodes = createNodeTree(kind.name, () =>
    shown().map(({ source, live }) => ({
      ...branchOf(source, words, times),
      nodes: kind.nodesOf(live, { times, nowMs: clock.now(), filter: filter.value }),
    })),
  );
  const rows = createFilteredTree(nodes, () => filter.value);
  const tree = disposables.add(
    createLiveTree({
      frame,
      clock,
      rows,
      onDidDrawFirst: () => drawing.request(),
      ...(kind.commandOf === undefined ? {} : { commandOf: kind.commandOf }),
    }),
  );
  const showHeading = (): void => {
    const sources = shown().map(({ source }) => source);
    const {
      description,
      message = "",
      content,
      isWelcomed,
    } = resourceHeading(sources, words, { times, note: filter.note });
    const isBare = rows.children(undefined).length === 0;
    // A message takes the place of the welcome text, which says what to do; beside rows there is no welcome text.
    const heading = filteredHeading({ message: isWelcomed && isBare ? "" : message, content, isBare }, rows.present);
    const { view } = frame;
    if (view.description !== description) view.description = description;
    // In a view without rows a message takes the focus of the keyboard away: beside the first rows it comes after them.
    if ((view.message ?? "") !== heading.message && (isBare || !tree.isDrawnEmpty)) view.message = heading.message;
    setBadge(view, kind.badgeOf?.(sources, clock.now()));
    setContext(`${kind.name}.content`, heading.content);
  };
  const drawing = disposables.add(
    createCoalescer(clock, REDRAW_MS, () => {
      if (kind.movesWithMarket === true) tree.refreshFigures();
      else tree.refresh();
      showHeading();
    }),
  );
  const redraw = (): void => {
    nodes.rearrange();
    drawing.request();
  };
  const follow = (each: LiveConnection): void => {
    const resource = kind.storeOf(each);
    const listeners = new DisposableList();
    listeners.add(resource.onDidChange(redraw));
    listeners.add(followName(each, redraw));
    for (const event of kind.alsoOn?.(each) ?? []) listeners.add(event(redraw));
    followed.set(each, { live: each, source: sourceOf(each, resource), dispose: () => listeners.dispose() });
    resource.setVisible(frame.view.visible);
    redraw();
  };

  // Before the pane looks at a connection, which then is read with the filter.
  if (asked !== undefined) disposables.add(followAsked(asked, filter, liveConnections));
  disposables.add(filter.onDidChange(redraw));
  disposables.add(liveConnections.onDidOpen(follow));
  disposables.add(
    liveConnections.onDidClose((each) => {
      followed.get(each)?.dispose();
      followed.delete(each);
      redraw();
    }),
  );
  disposables.add(
    frame.view.onDidChangeVisibility(({ visible }) => {
      for (const each of liveConnections.all) kind.storeOf(each).setVisible(visible);
      if (visible && redrawsInMs !== undefined) redraw();
    }),
  );
  if (redrawsInMs !== undefined)
    disposables.add(
      repeated(
        clock,
        () => redrawsInMs(liveConnections.all, clock.now()),
        () => {
          if (frame.view.visible && liveConnections.all.length > 0) redraw();
        },
      ),
    );
  for (const each of liveConnections.all) follow(each);
  redraw();
  return {
    filter,
    counts: (tried) => (asked?.of(tried) === asked?.of(filter.value) ? rows.counts(tried) : undefined),
    provider: tree.provider,
    row: (id) => rows.row(id),
    find(rowId) {
      const row = rows.row(rowId);
      const live = row === undefined ? undefined : liveConnections.find(row.connectionId);
      return live === undefined || row?.objectId === undefined
        ? []
        : kind.find(live, row.objectId).map((item) => ({ live, item }));
    },
    get selection() {
      return frame.view.selection.filter((id) => rows.children(rows.parentOf(id)).some((row) => row.id === id));
    },
    refresh: async () => {
      requireOpenConnection(liveConnections);
      await Promise.all(liveConnections.all.map(async (each) => await kind.storeOf(each).refresh()));
      kind.didRefresh?.();
      redraw();
    },
    redraw,
    dispose() {
      for (const each of followed.values()) each.dispose();
      disposables.dispose();
    },
  };
}

/** Has the exchange filter by its part of the filter, on every connection. */
function followAsked<F extends ViewFilter>(
  { of, set }: Asked<F>,
  filter: PaneFilter<F>,
  liveConnections: Pick<LiveConnections, "all" | "onDidOpen">,
): Disposable {
  let wanted = of(filter.value);
  const listeners = new DisposableList();
  listeners.add(
    filter.onDidChange((next) => {
      // Other words need no other list.
      if (of(next) === wanted) return;
      wanted = of(next);
      for (const each of liveConnections.all) set(each, next);
    }),
  );
  listeners.add(
    liveConnections.onDidOpen((each) => {
      if (wanted !== of(filter.rules.none)) set(each, filter.value);
    }),
  );
  return listeners;
}

function remarkOf<F extends ViewFilter>(
  { remark }: Pick<ViewKind<never, never, F>, "remark">,
  live: LiveConnection | undefined,
  filter: F,
): Plain {
  return live === undefined ? "" : (remark?.(live, filter) ?? "");
}

function sourceOf<Item>(live: LiveConnection, store: Pick<Resource<Item>, "snapshot">): ResourceSource<Item> {
  return {
    connectionId: live.record.id,
    get connectionName() {
      return live.name;
    },
    get environment() {
      return live.environment;
    },
    get snapshot() {
      return store.snapshot;
    },
  };
}

/** Calls back again and again, each time after a pause in ms. */
function repeated(clock: Clock, pauseMs: () => number, call: () => void): Disposable {
  const arm = (): Disposable =>
    clock.after(pauseMs(), () => {
      call();
      timer = arm();
    });
  let timer = arm();
  return { dispose: () => timer.dispose() };
}
