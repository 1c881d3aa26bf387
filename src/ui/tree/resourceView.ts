import type * as vscode from "vscode";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import { createCoalescer } from "../../base/coalesce.ts";
import { DisposableList, type Disposable, type Event } from "../../base/emitter.ts";
import type { ViewName } from "../../base/viewNames.ts";
import { createNodeTree, type RowNode } from "../../present/rows/nodes.ts";
import { createFilteredTree, filteredHeading, type FilterCounts } from "../../present/rows/rowFilter.ts";
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
import { followName, requireOpenConnection, type LiveConnections } from "../../actions/liveConnections.ts";
import { createLiveTree, setBadge, type TreeFrame } from "./treeView.ts";
import type { PaneFilter } from "./viewFilters.ts";
import type { SetContext } from "../editor/contextKeys.ts";

/** A view of a resource that every connection has. */
export interface ResourcePane extends Disposable {
  readonly provider: vscode.TreeDataProvider<string>;
  row(rowId: string): Row | undefined;
  /** Reads the resource again on every connection. Throws `CallError` if none is open. */
  refresh(): Promise<void>;
  /** Draws the view again, because something that it shows has changed, e.g. a filter or the time. */
  redraw(): void;
  /** Counts the listed items that contain the words of a filter. */
  countWords(filter: ViewFilter): FilterCounts;
  /** Whether a row is there that the filter does not hide. */
  shows(rowId: string): boolean;
}

/** The properties of a view of a resource. */
interface ResourcePaneSpec<Item> {
  /** The name of the view. Its context key is `<name>.content`. */
  readonly name: ViewName;
  readonly words: ResourceWords;
  readonly resourceOf: (
    live: LiveConnection,
  ) => Pick<Resource<Item>, "snapshot" | "onDidChange" | "refresh" | "setVisible">;
  readonly nodesOf: (source: ResourceSource<Item>, live: LiveConnection) => readonly RowNode[];
  /** Returns events of other things that the rows show. */
  readonly alsoOn?: (live: LiveConnection) => readonly Event<unknown>[];
  /** The filter of the rows; its note is beside the title. */
  readonly filter: Pick<PaneFilter<ViewFilter>, "value" | "note"> & { readonly onDidChange: Event<ViewFilter> };
  /** Returns a number for the view's icon, for what needs attention, with a sentence. */
  readonly badgeOf?: (sources: readonly ResourceSource<Item>[]) => vscode.ViewBadge | undefined;
  readonly commandOf?: (row: Row) => vscode.Command | undefined;
}

export interface ResourcePanePorts {
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

export function createResourcePane<Item>(
  spec: ResourcePaneSpec<Item>,
  { frame, liveConnections, clock, times, setContext }: ResourcePanePorts,
): ResourcePane {
  const followed = new Map<LiveConnection, Followed<Item>>();
  const disposables = new DisposableList();
  const shown = (): readonly Followed<Item>[] => liveConnections.all.flatMap((each) => followed.get(each) ?? []);
  const nodes = createNodeTree(spec.name, () =>
    shown().map((each) => ({
      ...branchOf(each.source, spec.words, times),
      nodes: spec.nodesOf(each.source, each.live),
    })),
  );
  const rows = createFilteredTree(nodes, () => spec.filter.value);
  const tree = disposables.add(
    createLiveTree({
      frame,
      clock,
      rows,
      onDidDrawFirst: () => drawing.request(),
      ...(spec.commandOf === undefined ? {} : { commandOf: spec.commandOf }),
    }),
  );
  const showHeading = (): void => {
    const sources = shown().map(({ source }) => source);
    const {
      description,
      message = "",
      content,
      isWelcomed,
    } = resourceHeading(sources, spec.words, { times, note: spec.filter.note });
    const isBare = rows.children(undefined).length === 0;
    // A message takes the place of the welcome text, which says what to do; beside rows there is no welcome text.
    const heading = filteredHeading({ message: isWelcomed && isBare ? "" : message, content, isBare }, rows.present);
    const { view } = frame;
    if (view.description !== description) view.description = description;
    // In a view without rows a message takes the focus of the keyboard away: beside the first rows it comes after them.
    if ((view.message ?? "") !== heading.message && (isBare || !tree.isDrawnEmpty)) view.message = heading.message;
    const badge = spec.badgeOf?.(sources);
    setBadge(view, badge);
    setContext(`${spec.name}.content`, heading.content);
  };
  const drawing = disposables.add(
    createCoalescer(clock, REDRAW_MS, () => {
      tree.refresh();
      showHeading();
    }),
  );
  const redraw = (): void => {
    nodes.rearrange();
    drawing.request();
  };
  const follow = (each: LiveConnection): void => {
    const resource = spec.resourceOf(each);
    const listeners = new DisposableList();
    listeners.add(resource.onDidChange(redraw));
    listeners.add(followName(each, redraw));
    for (const event of spec.alsoOn?.(each) ?? []) listeners.add(event(redraw));
    const source: ResourceSource<Item> = {
      connectionId: each.record.id,
      get connectionName() {
        return each.name;
      },
      get environment() {
        return each.environment;
      },
      get snapshot() {
        return resource.snapshot;
      },
    };
    followed.set(each, { live: each, source, dispose: () => listeners.dispose() });
    resource.setVisible(frame.view.visible);
    redraw();
  };

  disposables.add(spec.filter.onDidChange(redraw));
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
      for (const each of liveConnections.all) spec.resourceOf(each).setVisible(visible);
    }),
  );
  disposables.add({
    dispose: () => {
      for (const each of followed.values()) each.dispose();
    },
  });
  for (const each of liveConnections.all) follow(each);
  redraw();
  return {
    provider: tree.provider,
    row: (id) => rows.row(id),
    refresh: async () => {
      requireOpenConnection(liveConnections);
      await Promise.all(liveConnections.all.map(async (each) => await spec.resourceOf(each).refresh()));
    },
    redraw,
    countWords: (filter) => rows.counts(filter),
    shows: (id) => rows.children(rows.parentOf(id)).some((row) => row.id === id),
    dispose: () => disposables.dispose(),
  };
}
