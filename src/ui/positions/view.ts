import * as l10n from "../../base/l10n.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { positionNodes, POSITIONS_WORDS, type MadePositionNodes } from "../../present/positions/positions.ts";
import { placesOf, type PositionSorting } from "../../present/positions/positionsSorting.ts";
import { isolatedRemark } from "../../present/rows/resourceHeading.ts";
import { TEXT_FILTER, type ViewFilter } from "../../present/rows/viewFilter.ts";
import type { ListedPosition } from "../../state/positions.ts";
import type { Settings } from "../editor/settings.ts";
import { createResourcePane, type ResourcePane, type ResourcePanePorts } from "../tree/resourceView.ts";
import { createPaneFilter, type FilteredPane } from "../tree/viewFilters.ts";

/** The Positions view. */
export interface PositionsPane extends ResourcePane, FilteredPane<ViewFilter> {
  /** Returns the position that a row stands for, or is a part of; undefined when it is no longer known. */
  find(rowId: string): FoundPosition | undefined;
}

export interface FoundPosition {
  readonly live: LiveConnection;
  readonly position: ListedPosition;
}

interface PositionsPanePorts extends ResourcePanePorts {
  readonly settings: Pick<Settings, "positions" | "onDidChange">;
}

export function createPositionsPane(ports: PositionsPanePorts): PositionsPane {
  const { liveConnections, times, setContext, settings } = ports;
  const filter = createPaneFilter("positions", TEXT_FILTER, setContext, () => ({
    title: l10n.t("Filter Positions"),
    placeholder: l10n.t("Filter by instrument, side, or currency"),
  }));
  const sorted = new Map<LiveConnection, Sorted>();
  const made: MadePositionNodes = new WeakMap();
  const placesIn = (live: LiveConnection, sorting: PositionSorting): Sorted["places"] => {
    const known = sorted.get(live);
    if (known?.sorting === sorting && known.places.size > 0) return known.places;
    const places = placesOf(live.positions.snapshot.items.values(), sorting);
    sorted.set(live, { sorting, places });
    return places;
  };
  const pane = createResourcePane<ListedPosition>(
    {
      name: "positions",
      filter,
      words: {
        ...POSITIONS_WORDS,
        remark: ({ connectionId }) => isolatedRemark(liveConnections.find(connectionId)?.isolatedMargin.isSeen),
      },
      resourceOf: (each) => each.positions,
      nodesOf: (_source, each) => {
        const { sortBy: sorting, hasUsd } = settings.positions();
        return positionNodes(each.positions, { times, sorting, places: placesIn(each, sorting), hasUsd }, made);
      },
      alsoOn: (each) => [each.instruments.onDidChange, each.isolatedMargin.onDidChange],
    },
    ports,
  );
  const listeners = [
    settings.onDidChange(() => pane.redraw()),
    liveConnections.onDidClose((each) => void sorted.delete(each)),
  ];
  return {
    ...pane,
    filter,
    counts: (tried) => pane.countWords(tried),
    async refresh() {
      await pane.refresh();
      sorted.clear();
      pane.redraw();
    },
    find(rowId) {
      const row = pane.row(rowId);
      const live = row === undefined ? undefined : liveConnections.find(row.connectionId);
      const position = row?.objectId === undefined ? undefined : live?.positions.snapshot.items.get(row.objectId);
      return live === undefined || position === undefined ? undefined : { live, position };
    },
    dispose() {
      for (const each of listeners) each.dispose();
      pane.dispose();
    },
  };
}

/** The places of positions in the order that was chosen, until it is made again. */
interface Sorted {
  readonly sorting: PositionSorting;
  readonly places: ReadonlyMap<string, number>;
}
