import type * as vscode from "vscode";
import type { RecordedIntent } from "../../actions/journal/recordedIntents.ts";
import type { Clock } from "../../base/clock.ts";
import { createCoalescer } from "../../base/coalesce.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import {
  activityHeading,
  activityNodes,
  MORE_ACTIVITY,
  type ActivitySource,
  ACTIVITY_FILTER,
  type ActivityFilter,
} from "../../present/activity/activity.ts";
import { createNodeTree } from "../../present/rows/nodes.ts";
import { createFilteredTree, filteredHeading } from "../../present/rows/rowFilter.ts";
import { rowIdParts, type Row } from "../../present/rows/row.ts";
import type { Times } from "../../present/text/times.ts";
import { createLiveTree, setBadge, type TreeFrame } from "../tree/treeView.ts";
import { createPaneFilter, type FilterChoice, type FilteredPane } from "../tree/viewFilters.ts";
import type { Ui } from "../ui.ts";

/** The Activity view: the changes made from this computer, over all connections and runs. */
export interface ActivityPane extends Disposable, FilteredPane<ActivityFilter> {
  readonly provider: vscode.TreeDataProvider<string>;
  row(rowId: string): Row | undefined;
  /** Returns the intent that a row stands for, or is a part of; undefined when it is no longer kept. */
  find(rowId: string): RecordedIntent | undefined;
  showMore(): void;
  /** Reads the changes of other windows. */
  refresh(): Promise<void>;
}

const REDRAW_MS = 250;
/** The interval at which changes of other windows are read while the view is in sight, in ms. */
const LOOK_MS = 5000;
const PAGE = 200;

export function createActivityPane({
  frame,
  journals,
  clock,
  times,
  setContext,
}: Pick<Ui, "journals" | "clock" | "times" | "setContext"> & { readonly frame: TreeFrame }): ActivityPane {
  const disposables = new DisposableList();
  const filter = createPaneFilter(
    VIEW,
    {
      rules: ACTIVITY_FILTER,
      words: () => ({
        title: l10n.t("Filter Activity"),
        placeholder: l10n.t("Filter by action, object, connection, or step, including older items"),
      }),
      choices: filterChoices,
    },
    setContext,
  );
  let limit = PAGE;
  const source = (): ActivitySource => {
    const { isUnresolvedOnly, text } = filter.value;
    // Words are looked for in entries of pages too that are not shown yet.
    return {
      intents: journals.intents,
      isUnresolvedOnly,
      limit: text === "" ? limit : Infinity,
      nowMs: clock.now(),
      times,
    };
  };
  const nodes = createNodeTree(VIEW, () => [{ connectionId: VIEW, label: "", nodes: activityNodes(source()) }]);
  const rows = createFilteredTree(nodes, () => filter.value);
  const tree = disposables.add(
    createLiveTree({
      frame,
      clock,
      rows,
      commandOf: (row) =>
        row.contextValue === MORE_ACTIVITY ? { command: "tradingRpc.activity.showMore", title: row.label } : undefined,
    }),
  );
  const showHeading = (): void => {
    const { description, message, content, badge } = activityHeading(source(), journals.trouble);
    const { view } = frame;
    const described = [description, filter.note].filter((part) => part !== "").join(" · ");
    if (view.description !== described) view.description = described;
    const heading = filteredHeading(
      { message: message ?? "", content, isBare: rows.children(undefined).length === 0 },
      rows.present,
    );
    if ((view.message ?? "") !== heading.message) view.message = heading.message;
    setBadge(view, badge);
    setContext("activity.content", heading.content);
  };
  const redraw = (): void => {
    nodes.rearrange();
    tree.refresh();
    showHeading();
  };
  const changes = disposables.add(createCoalescer(clock, REDRAW_MS, redraw));
  disposables.add(journals.onDidChange(() => changes.request()));
  disposables.add(filter.onDidChange(redraw));

  let timer: Disposable | undefined;
  let day = dayOf(times, clock);
  const look = (): void => {
    timer?.dispose();
    timer = undefined;
    if (!frame.view.visible) return;
    void journals.refresh();
    if (day !== dayOf(times, clock)) changes.request();
    day = dayOf(times, clock);
    timer = clock.after(LOOK_MS, look);
  };
  disposables.add(frame.view.onDidChangeVisibility(look));
  disposables.add({ dispose: () => timer?.dispose() });
  look();
  redraw();
  return {
    provider: tree.provider,
    row: (id) => rows.row(id),
    find(rowIdText) {
      const parts = rowIdParts(rowIdText);
      return journals.intents.find(({ id }) => parts.includes(id));
    },
    filter,
    counts: (tried) => (tried.isUnresolvedOnly === filter.value.isUnresolvedOnly ? rows.counts(tried) : undefined),
    showMore() {
      limit += PAGE;
      redraw();
    },
    refresh: async () => await journals.refresh(),
    dispose: () => disposables.dispose(),
  };
}

const VIEW = "activity";

function dayOf(times: Times, clock: Clock): string | undefined {
  return times.local(clock.now()).split(" ")[0];
}

function filterChoices({ isUnresolvedOnly }: ActivityFilter): readonly FilterChoice<ActivityFilter>[] {
  return [
    {
      group: l10n.t("Outcome"),
      label: l10n.t("Unknown Outcomes Only"),
      description: l10n.t("outcome"),
      isOn: isUnresolvedOnly,
      next: (filter) => ({ ...filter, isUnresolvedOnly: !filter.isUnresolvedOnly }),
    },
  ];
}
