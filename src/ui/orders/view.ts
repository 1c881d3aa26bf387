import type * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { missingForCommand } from "../../actions/changes/commandScopes.ts";
import { msSince, type Clock } from "../../base/clock.ts";
import { createCoalescer, type Coalescer } from "../../base/coalesce.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { createOrdersTree, type OrdersSource, type OrdersTree, type OrdersView } from "../../present/orders/orders.ts";
import { orderRowId } from "../../present/orders/orderRow.ts";
import {
  compileFilter,
  ORDER_KINDS,
  ORDER_TYPES,
  ORDERS_FILTER,
  type OrdersFilter,
} from "../../present/orders/ordersFilter.ts";
import { ordersHeading } from "../../present/orders/ordersHeading.ts";
import { pendingOrders } from "../../present/outcomes/pendingChanges.ts";
import type { OrderGrouping } from "../../present/orders/ordersGrouping.ts";
import type { Row } from "../../present/rows/row.ts";
import type { FilterCounts } from "../../present/rows/rowFilter.ts";
import type { Order, OrdersChange } from "../../state/orders.ts";
import { followName, requireOpenConnection } from "../../actions/connection/liveConnections.ts";
import type { Settings } from "../editor/settings.ts";
import type { Found, PanePorts } from "../tree/resourceView.ts";
import { createLiveTree, SELECT_ONLY, type LiveTree } from "../tree/treeView.ts";
import { createPaneFilter, type FilterChoice, type FilteredPane, type PaneFilter } from "../tree/viewFilters.ts";
import type { Ui } from "../ui.ts";

/** The Open Orders view. */
export interface OrdersPane extends Disposable, FilteredPane<OrdersFilter> {
  readonly provider: vscode.TreeDataProvider<string>;
  /** Reads the orders of every connection again. Throws `CallError` if none is open. */
  refresh(): Promise<void>;
  pause(): void;
  resume(): void;
  /** Returns the order of a row, with its connection; undefined if it is not an order, or is no longer known. */
  find(rowId: string): FoundOrder | undefined;
  row(rowId: string): Row | undefined;
  /**
   * The rows of orders that are selected in the view, in whatever groups: VS Code still counts those that a filter has
   * hidden since.
   */
  readonly selection: readonly string[];
  /** Returns the orders of a group's row; undefined if it is not a group, or is no longer known. */
  findGroup(rowId: string): FoundOrderGroup | undefined;
  /** The rows of all groups; empty if orders are not grouped. */
  readonly groups: readonly Row[];
  /** Whether a row was drawn again, or may have moved, within the last second. */
  wasJustDrawn(rowId: string): boolean;
  showMore(rowId: string): void;
}

export interface FoundOrder extends Found<Order> {
  readonly isEnded: boolean;
}

interface FoundOrderGroup {
  readonly live: LiveConnection;
  readonly row: Row;
  /** The open orders of the group that the filter shows, on whatever page. */
  readonly orders: readonly Order[];
  readonly groupBy: OrderGrouping;
}

type OrdersPanePorts = PanePorts & Pick<Ui, "settings">;

const HEADING_MS = 250;
/** The interval at which ages and distances to the mark price are drawn again, in ms. */
const AGES_MS = 60_000;
/** The age up to which a mark price is shown, in ms. */
const RECENT_MARK_MS = 60_000;
const JUST_DRAWN_MS = 1000;

export function createOrdersPane(ports: OrdersPanePorts): OrdersPane {
  return new Pane(ports);
}

/** Returns the mark price that was read with the positions, while it is recent. No request is sent for it. */
function recentMark({ positions }: LiveConnection, instrumentName: string, clock: Clock): number | undefined {
  const { status, items, readAtMs, readAtMonotonicMs = -Infinity } = positions.snapshot;
  if (status !== "live" || readAtMs === undefined) return undefined;
  const ageMs = msSince(clock, { atMs: readAtMs, monotonicMs: readAtMonotonicMs });
  return ageMs > RECENT_MARK_MS ? undefined : items.get(instrumentName)?.mark_price;
}

interface Followed extends Disposable {
  readonly source: OrdersSource;
  /** Begins to watch the store, or stops. */
  watch(begin: (() => Disposable) | undefined): void;
}

class Pane implements OrdersPane {
  readonly #ports: OrdersPanePorts;
  readonly filter: PaneFilter<OrdersFilter>;
  readonly #rows: OrdersTree;
  readonly #tree: LiveTree;
  readonly #heading: Coalescer;
  readonly #disposables = new DisposableList();
  readonly #followed = new Map<LiveConnection, Followed>();
  readonly #shownRows = new Map<string | undefined, number>();
  /** The orders of the connections, in the order of the Connections view. */
  #sources: readonly OrdersSource[] = [];
  #layout: ReturnType<Settings["orders"]>;
  #pausedAtMs: number | undefined;

  constructor(ports: OrdersPanePorts) {
    const { frame, clock, liveConnections, settings } = ports;
    this.#ports = ports;
    this.#layout = settings.orders();
    this.filter = createPaneFilter(
      "orders",
      {
        rules: ORDERS_FILTER,
        words: () => ({
          title: l10n.t("Filter Orders"),
          placeholder: l10n.t("Filter by instrument, label, or ID, including orders that are not shown yet"),
        }),
        choices: orderFilterChoices,
      },
      ports.setContext,
    );
    this.#rows = createOrdersTree(() => this.#view());
    this.#tree = this.#disposables.add(
      createLiveTree({
        frame,
        clock,
        rows: this.#rows,
        commandOf: rowCommand,
        onDidDrawFirst: () => this.#heading.request(),
      }),
    );
    this.#heading = this.#disposables.add(createCoalescer(clock, HEADING_MS, () => this.#showHeading()));
    this.#disposables.add(liveConnections.onDidOpen((each) => this.#follow(each)));
    this.#disposables.add(liveConnections.onDidClose((each) => this.#leave(each)));
    this.#disposables.add(settings.onDidChange(() => this.#takeSettings()));
    this.#disposables.add(frame.view.onDidChangeVisibility(() => this.#watch()));
    this.#disposables.add(frame.view.onDidChangeSelection(() => this.#showSelection()));
    this.#disposables.add(this.filter.onDidChange(() => this.#takeFilter()));
    this.#disposables.add(this.#redrawWithTime());
    for (const each of liveConnections.all) this.#follow(each);
    ports.setContext("orders.isPaused", false);
    ports.setContext("orders.severalSelected", false);
    this.#rearrange();
  }

  get provider(): vscode.TreeDataProvider<string> {
    return this.#tree.provider;
  }

  get selection(): readonly string[] {
    const fits = compileFilter(this.filter.value);
    return this.#ports.frame.view.selection.filter((id) => {
      const found = this.find(id);
      return found !== undefined && fits(found.item);
    });
  }

  counts(filter: OrdersFilter): FilterCounts {
    const fits = compileFilter(filter);
    const orders = this.#sources.flatMap(({ snapshot }) => [...snapshot.items.values()].map((item) => item.order));
    return { shown: orders.filter(fits).length, all: orders.length };
  }

  async refresh(): Promise<void> {
    const { liveConnections } = this.#ports;
    requireOpenConnection(liveConnections);
    await Promise.all(liveConnections.all.map(async (each) => await each.orders.refresh()));
  }

  pause(): void {
    this.#pausedAtMs = this.#ports.clock.now();
    this.#tree.schedule.pause();
    this.#ports.setContext("orders.isPaused", true);
    this.#watch();
    this.#heading.request();
  }

  resume(): void {
    this.#pausedAtMs = undefined;
    this.#tree.schedule.resume();
    this.#ports.setContext("orders.isPaused", false);
    this.#watch();
    this.#heading.request();
  }

  row(id: string): Row | undefined {
    return this.#rows.row(id);
  }

  find(id: string): FoundOrder | undefined {
    const row = this.#rows.row(id);
    const live = row === undefined ? undefined : this.#ports.liveConnections.find(row.connectionId);
    // A row below an order names the same object; whoever selects across it means the order's own row.
    const isOrder = row?.objectId !== undefined && id === orderRowId(row.connectionId, row.objectId);
    const item = isOrder ? live?.orders.snapshot.items.get(row.objectId) : undefined;
    return live === undefined || item === undefined
      ? undefined
      : { live, item: item.order, isEnded: item.endedAtMs !== undefined };
  }

  findGroup(id: string): FoundOrderGroup | undefined {
    const row = this.#rows.row(id);
    const orders = this.#rows.membersOf(id);
    const live = row === undefined ? undefined : this.#ports.liveConnections.find(row.connectionId);
    if (row === undefined || orders === undefined || live === undefined) return undefined;
    return { live, row, orders, groupBy: this.#layout.groupBy };
  }

  get groups(): readonly Row[] {
    return this.#rows.groups;
  }

  wasJustDrawn(id: string): boolean {
    return this.#tree.schedule.wasFired(id, JUST_DRAWN_MS);
  }

  showMore(id: string): void {
    const level = this.#rows.row(id)?.showsMoreOf;
    if (level === undefined) return;
    this.#shownRows.set(
      level.parentId,
      (this.#shownRows.get(level.parentId) ?? this.#layout.pageSize) + this.#layout.pageSize,
    );
    if (level.parentId === undefined) this.#tree.schedule.changeRoot();
    else this.#tree.schedule.showGroup(level.parentId);
    this.#redrawPaused();
  }

  dispose(): void {
    for (const each of this.#followed.values()) each.dispose();
    this.#disposables.dispose();
  }

  #view(): OrdersView {
    return {
      sources: this.#sources,
      ...this.#layout,
      filter: this.filter.value,
      shownRows: this.#shownRows,
      times: this.#ports.times,
      nowMs: this.#ports.clock.now(),
    };
  }

  /** Draws rows again whose age, or distance to the mark price, has changed: rarely, so that they stay calm. */
  #redrawWithTime(): Disposable {
    const { clock, frame } = this.#ports;
    const arm = (): Disposable =>
      clock.after(AGES_MS, () => {
        if (frame.view.visible && this.#rows.counts.shown > 0) this.#tree.refreshFigures();
        timer = arm();
      });
    let timer = arm();
    return { dispose: () => timer.dispose() };
  }

  /** Draws the distances once there are mark prices, which are read with the positions, after the first rows. */
  #followMarks({ positions }: LiveConnection): Disposable {
    let areRead = false;
    return positions.onDidChange(() => {
      const wereRead = areRead;
      areRead = positions.snapshot.status === "live";
      if (areRead && !wereRead && this.#ports.frame.view.visible) this.#tree.refreshFigures();
    });
  }

  /** Lets the stores poll while the view is in sight, if changes are not pushed. */
  #watch(): void {
    const isSeen = this.#ports.frame.view.visible && this.#pausedAtMs === undefined;
    for (const [live, each] of this.#followed) each.watch(isSeen ? () => live.orders.watch() : undefined);
  }

  #follow(live: LiveConnection): void {
    // Asked for once: a record is read from the storage each time, and an update comes thousands of times a second.
    const { id } = live.record;
    // Made again when it is looked at: many cancels at once change it many times.
    let pending: ReturnType<typeof pendingOrders> | undefined;
    const disposables = new DisposableList();
    disposables.add(followName(live, () => this.#rearrange()));
    disposables.add(live.orders.onDidChange((change) => this.#take(id, change)));
    disposables.add(this.#followMarks(live));
    disposables.add(
      live.gate.onDidChangeActivity(({ targetId, intent }) => {
        pending = undefined;
        for (const { orderId } of intent.covers ?? []) this.#tree.touch(orderRowId(id, orderId));
        if (targetId !== undefined) this.#tree.answer(orderRowId(id, targetId));
      }),
    );
    const source: OrdersSource = {
      connectionId: id,
      get connectionName() {
        return live.name;
      },
      get environment() {
        return live.environment;
      },
      get snapshot() {
        return live.orders.snapshot;
      },
      get missingToCancel() {
        const missing = missingForCommand("order.cancel", [live.state]);
        return missing?.kind === "missingScope" ? plain.text(missing.scope) : undefined;
      },
      get hasIsolated() {
        return live.isolatedMargin.isLeftOut(live.orders);
      },
      markOf: (name) => recentMark(live, name, this.#ports.clock),
      get pending() {
        pending ??= pendingOrders(live.gate.activity, id);
        return pending;
      },
    };
    let watch: Disposable | undefined;
    this.#followed.set(live, {
      source,
      watch(begin) {
        if ((begin === undefined) === (watch === undefined)) return;
        watch?.dispose();
        watch = begin?.();
      },
      dispose() {
        watch?.dispose();
        disposables.dispose();
      },
    });
    this.#watch();
    this.#rearrange();
  }

  #leave(live: LiveConnection): void {
    this.#followed.get(live)?.dispose();
    this.#followed.delete(live);
    this.#rearrange();
  }

  #take(connectionId: string, change: OrdersChange): void {
    for (const level of this.#rows.take(connectionId, change)) this.#tree.schedule.changeGroup(level);
    if (change.membership === "reset") this.#tree.schedule.changeRoot();
    else for (const orderId of change.changed) this.#tree.touch(orderRowId(connectionId, orderId));
    this.#heading.request();
  }

  #takeSettings(): void {
    const { groupBy, sortBy, pageSize } = this.#ports.settings.orders();
    if (groupBy === this.#layout.groupBy && sortBy === this.#layout.sortBy && pageSize === this.#layout.pageSize)
      return;
    this.#layout = { groupBy, sortBy, pageSize };
    this.#takeFilter();
  }

  /** Shows the orders from the first page on, after the user changed the filter or the arrangement. */
  #takeFilter(): void {
    this.#shownRows.clear();
    this.#rearrange();
    this.#redrawPaused();
  }

  /** Makes the title offer to cancel the selected orders if they are more than one. */
  #showSelection(): void {
    const orders = this.selection.filter((id) => this.find(id)?.isEnded === false);
    this.#ports.setContext("orders.severalSelected", orders.length > 1);
  }

  #rearrange(): void {
    this.#sources = this.#ports.liveConnections.all.flatMap((each) => this.#followed.get(each)?.source ?? []);
    this.#rows.rearrange();
    this.#tree.schedule.changeRoot();
    this.#heading.request();
  }

  /** Shows what the user asks for even while updates are paused; the rows are then those of this moment. */
  #redrawPaused(): void {
    if (this.#pausedAtMs === undefined) return;
    this.#pausedAtMs = this.#ports.clock.now();
    this.#tree.redraw();
  }

  #showHeading(): void {
    const { view } = this.#ports.frame;
    const heading = ordersHeading(this.#view(), this.#rows.counts, this.#pausedAtMs);
    const { description, content } = heading;
    // A message takes the place of the welcome texts: only what they cannot say stands in it.
    const message = heading.isWelcomed ? "" : (heading.message ?? "");
    if (view.description !== description) view.description = description;
    // VS Code has no other way to remove a message than an empty one.
    // In a view without rows a message takes the focus of the keyboard away: beside the first rows it comes after them.
    const isAhead = content === "rows" && this.#tree.isDrawnEmpty;
    if ((view.message ?? "") !== message && !isAhead) view.message = message;
    this.#ports.setContext("orders.content", content);
  }
}

function rowCommand(row: Row): vscode.Command | undefined {
  if (row.showsMoreOf !== undefined)
    return { command: "tradingRpc.orders.loadMore", title: row.label, arguments: [row.id] };
  return row.contextValue.startsWith("order.") ? SELECT_ONLY : undefined;
}

/** Returns the filter choices for orders, besides words. */
export function orderFilterChoices({ kind, type }: OrdersFilter): readonly FilterChoice<OrdersFilter>[] {
  return [
    ...ORDER_KINDS.map((each): FilterChoice<OrdersFilter> => ({
      ...{ group: l10n.t("Instrument kind"), label: plain`${each}`, description: plain`kind`, isOn: kind === each },
      next: (filter) => ({ ...filter, kind: filter.kind === each ? undefined : each }),
    })),
    ...ORDER_TYPES.filter((each) => each !== "all").map((each): FilterChoice<OrdersFilter> => ({
      ...{ group: l10n.t("Order type"), label: plain`${each}`, description: plain`type`, isOn: type === each },
      next: (filter) => ({ ...filter, type: filter.type === each ? "all" : each }),
    })),
  ];
}
