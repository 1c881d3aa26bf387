import type * as vscode from "vscode";
import type { LiveConnection } from "../actions/liveConnection.ts";
import type { Clock } from "../base/clock.ts";
import { createCoalescer, type Coalescer } from "../base/coalesce.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import { createOrdersTree, type OrdersSource, type OrdersTree, type OrdersView } from "../present/orders.ts";
import { orderRowId } from "../present/orderRow.ts";
import { isFiltering, NO_FILTER, type OrdersFilter } from "../present/ordersFilter.ts";
import { ordersHeading } from "../present/ordersHeading.ts";
import { pendingOrders } from "../present/pendingOrders.ts";
import type { Row } from "../present/row.ts";
import type { Times } from "../present/times.ts";
import type { Order, OrdersChange } from "../state/orders.ts";
import type { LiveConnections } from "./liveConnections.ts";
import type { Settings } from "./settings.ts";
import { createLiveTree, type LiveTree, type TreeFrame } from "./treeView.ts";

/** The Open Orders view. */
export interface OrdersPane extends Disposable {
  readonly provider: vscode.TreeDataProvider<string>;
  readonly filter: OrdersFilter;
  setFilter(filter: OrdersFilter): void;
  pause(): void;
  resume(): void;
  /** The order of a row, with its connection; undefined when it is no order, or is not known any more. */
  find(rowId: string): FoundOrder | undefined;
  row(rowId: string): Row | undefined;
  /** Whether a row was drawn anew, or may have moved, within the last second. */
  wasJustDrawn(rowId: string): boolean;
  showMore(rowId: string): void;
}

export interface FoundOrder {
  readonly live: LiveConnection;
  readonly order: Order;
  readonly isEnded: boolean;
}

export interface OrdersPanePorts {
  readonly frame: TreeFrame;
  readonly live: LiveConnections;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly times: Times;
  /** Sets a context key of ours, for `when` clauses. */
  readonly setContext: (name: string, value: unknown) => void;
}

const HEADING_MS = 250;
const JUST_DRAWN_MS = 1000;

export function createOrdersPane(ports: OrdersPanePorts): OrdersPane {
  return new Pane(ports);
}

interface Followed extends Disposable {
  readonly source: OrdersSource;
}

class Pane implements OrdersPane {
  readonly #ports: OrdersPanePorts;
  readonly #rows: OrdersTree;
  readonly #tree: LiveTree;
  readonly #heading: Coalescer;
  readonly #disposables = new DisposableList();
  readonly #followed = new Map<LiveConnection, Followed>();
  readonly #shownRows = new Map<string | undefined, number>();
  /** In the order of the Connections view. */
  #sources: readonly OrdersSource[] = [];
  #layout: ReturnType<Settings["orders"]>;
  #filter = NO_FILTER;
  #pausedAtMs: number | undefined;

  constructor(ports: OrdersPanePorts) {
    const { frame, clock, live, settings } = ports;
    this.#ports = ports;
    this.#layout = settings.orders();
    this.#rows = createOrdersTree(() => this.#view());
    this.#tree = this.#disposables.add(createLiveTree({ frame, clock, rows: this.#rows, commandOf: moreCommand }));
    this.#heading = this.#disposables.add(createCoalescer(clock, HEADING_MS, () => this.#showHeading()));
    this.#disposables.add(live.onDidOpen((each) => this.#follow(each)));
    this.#disposables.add(live.onDidClose((each) => this.#leave(each)));
    this.#disposables.add(settings.onDidChange(() => this.#takeSettings()));
    for (const each of live.all) this.#follow(each);
    ports.setContext("orders.isPaused", false);
    this.#rearrange();
  }

  get provider(): vscode.TreeDataProvider<string> {
    return this.#tree.provider;
  }

  get filter(): OrdersFilter {
    return this.#filter;
  }

  setFilter(filter: OrdersFilter): void {
    this.#filter = filter;
    this.#shownRows.clear();
    this.#rearrange();
    this.#redrawPaused();
  }

  pause(): void {
    this.#pausedAtMs = this.#ports.clock.now();
    this.#tree.schedule.pause();
    this.#ports.setContext("orders.isPaused", true);
    this.#heading.request();
  }

  resume(): void {
    this.#pausedAtMs = undefined;
    this.#tree.schedule.resume();
    this.#ports.setContext("orders.isPaused", false);
    this.#heading.request();
  }

  row(id: string): Row | undefined {
    return this.#rows.row(id);
  }

  find(id: string): FoundOrder | undefined {
    const row = this.#rows.row(id);
    const live = row === undefined ? undefined : this.#ports.live.find(row.connectionId);
    const item = row?.objectId === undefined ? undefined : live?.orders.snapshot.items.get(row.objectId);
    return live === undefined || item === undefined ? undefined : { live, order: item.order, isEnded: item.endedAtMs !== undefined };
  }

  wasJustDrawn(id: string): boolean {
    return this.#tree.schedule.wasFired(id, JUST_DRAWN_MS);
  }

  showMore(id: string): void {
    const level = this.#rows.row(id)?.showsMoreOf;
    if (level === undefined) return;
    this.#shownRows.set(level.parentId, (this.#shownRows.get(level.parentId) ?? this.#layout.pageSize) + this.#layout.pageSize);
    this.#tree.schedule.changeGroup(level.parentId);
    this.#redrawPaused();
  }

  dispose(): void {
    for (const each of this.#followed.values()) each.dispose();
    this.#disposables.dispose();
  }

  #view(): OrdersView {
    return { sources: this.#sources, ...this.#layout, filter: this.#filter, shownRows: this.#shownRows, times: this.#ports.times };
  }

  #follow(live: LiveConnection): void {
    let pending = pendingOrders(live.gate.activity, live.record.id);
    const disposables = new DisposableList();
    disposables.add(live.orders.onDidChange((change) => this.#take(live.record.id, change)));
    disposables.add(
      live.gate.onDidChangeActivity(({ targetId }) => {
        pending = pendingOrders(live.gate.activity, live.record.id);
        if (targetId !== undefined) this.#tree.touch(orderRowId(live.record.id, targetId));
      }),
    );
    const source: OrdersSource = {
      connectionId: live.record.id,
      get connectionName() {
        return live.record.name;
      },
      get environment() {
        return live.environment;
      },
      get snapshot() {
        return live.orders.snapshot;
      },
      get pending() {
        return pending;
      },
    };
    this.#followed.set(live, { source, dispose: () => disposables.dispose() });
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
    const { groupBy, pageSize } = this.#ports.settings.orders();
    if (groupBy === this.#layout.groupBy && pageSize === this.#layout.pageSize) return;
    this.#layout = { groupBy, pageSize };
    this.#shownRows.clear();
    this.#rearrange();
    this.#redrawPaused();
  }

  #rearrange(): void {
    this.#sources = this.#ports.live.all.flatMap((each) => this.#followed.get(each)?.source ?? []);
    this.#rows.rearrange();
    this.#tree.schedule.changeRoot();
    this.#heading.request();
  }

  /** What a person asks for is shown while updates are held back too; the rows are then those of this moment. */
  #redrawPaused(): void {
    if (this.#pausedAtMs === undefined) return;
    this.#pausedAtMs = this.#ports.clock.now();
    this.#tree.redraw();
  }

  #showHeading(): void {
    const { view } = this.#ports.frame;
    const { description, message, empty } = ordersHeading(this.#view(), this.#rows.counts, this.#pausedAtMs);
    // A message takes the place of the welcome texts: only what they cannot say stands in it.
    const shown = empty?.kind === "failed" ? empty.text : message;
    if (view.description !== description) view.description = description;
    // The editor has no other way to take a message away than an empty one.
    if ((view.message ?? "") !== (shown ?? "")) view.message = shown ?? "";
    this.#ports.setContext("orders.content", empty?.kind ?? "rows");
    this.#ports.setContext("orders.isFiltered", isFiltering(this.#filter));
  }
}

function moreCommand(row: Row): vscode.Command | undefined {
  return row.showsMoreOf === undefined ? undefined : { command: "tradingRpc.orders.loadMore", title: row.label, arguments: [row.id] };
}
