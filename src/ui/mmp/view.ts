import type { LiveConnection } from "../../actions/liveConnection.ts";
import { DisposableList } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { frozenBadgeOf, INDEX_OBJECT, mmpNodes, mmpRemark, mmpWords } from "../../present/mmp/mmp.ts";
import { isMmpFiltering, MMP_FILTER, type MmpViewFilter } from "../../present/mmp/mmpFilter.ts";
import { groupKey, type MmpGroup } from "../../state/mmpGroups.ts";
import { createResourcePane, type ResourcePane, type ResourcePanePorts } from "../tree/resourceView.ts";
import { createPaneFilter, type FilteredPane } from "../tree/viewFilters.ts";

/** The MMP view. */
export interface MmpPane extends ResourcePane, FilteredPane<MmpViewFilter> {
  /** Returns the groups that a row stands for, or is a part of: all groups of an index. */
  find(rowId: string): readonly FoundMmpGroup[];
}

export interface FoundMmpGroup {
  readonly live: LiveConnection;
  readonly group: MmpGroup;
}

export function createMmpPane(ports: ResourcePanePorts): MmpPane {
  const { liveConnections, clock, times, setContext } = ports;
  const filter = createPaneFilter("mmp", MMP_FILTER, setContext, () => ({
    title: l10n.t("Filter MMP"),
    placeholder: l10n.t("Filter the listed limits by text (exchange filters are below)"),
  }));
  const follow = (each: LiveConnection): void => {
    if (isMmpFiltering(filter.value.asked)) each.mmp.setFilter(filter.value.asked);
  };
  const listeners = new DisposableList();
  // Before the pane looks at a connection, which then is read with the filter.
  listeners.add(liveConnections.onDidOpen(follow));
  let { asked } = filter.value;
  listeners.add(
    filter.onDidChange((next) => {
      // Other words need no other list.
      if (next.asked === asked) return;
      asked = next.asked;
      for (const each of liveConnections.all) each.mmp.setFilter(asked);
    }),
  );
  const pane = createResourcePane<MmpGroup>(
    {
      name: "mmp",
      words: {
        ...mmpWords(() => filter.value.asked),
        remark: ({ connectionId, snapshot }) =>
          mmpRemark(
            liveConnections.find(connectionId)?.mmp.parts ?? [],
            snapshot.items.size > 0 ? filter.value.asked : {},
          ),
      },
      resourceOf: (each) => each.mmp,
      nodesOf: (_source, each) => mmpNodes(each.mmp, { times, nowMs: clock.now() }),
      filter,
      badgeOf: (sources) => frozenBadgeOf(sources, clock.now()),
    },
    ports,
  );
  return {
    ...pane,
    filter,
    counts: (tried) => (tried.asked === filter.value.asked ? pane.countWords(tried) : undefined),
    find(rowId) {
      const row = pane.row(rowId);
      const connection = row === undefined ? undefined : liveConnections.find(row.connectionId);
      const objectId = row?.objectId;
      if (connection === undefined || objectId === undefined) return [];
      const groups = [...connection.mmp.snapshot.items.values()];
      const isFound = (group: MmpGroup): boolean =>
        groupKey(group) === objectId || `${INDEX_OBJECT}${group.index_name}` === objectId;
      return groups.filter(isFound).map((group) => ({ live: connection, group }));
    },
    dispose() {
      listeners.dispose();
      pane.dispose();
    },
  };
}
