import type { Disposable } from "../base/emitter.ts";
import { toFailure, type Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import type { ChannelState } from "../session/session.ts";
import { createOrderItems, MAX_ORDERS, type Order, type OrderItem } from "./orderItems.ts";
import { askForOrders, parseInPauses, readNews, rowsOfEvent, splitRows, tooManyOrders } from "./orderRows.ts";
import { isIsolated, readsSlots, slotOf, type SlotReading } from "./isolated.ts";
import { ReadingLoop, type ResourcePorts } from "./resource.ts";
import { rowsIn, type Snapshot } from "./snapshot.ts";

export type { Order, OrderItem };

/** Returns the open order as which a triggered order goes on; undefined while none is known. */
export function successorOf(snapshot: Pick<Snapshot<OrderItem>, "items">, orderId: string): Order | undefined {
  return openOrders(snapshot).find(({ trigger_order_id: triggeredBy }) => triggeredBy === orderId);
}

/** Returns an order that has not ended; undefined where none with this ID is known. */
export function openOrder({ items }: Pick<Snapshot<OrderItem>, "items">, orderId: string): Order | undefined {
  const item = items.get(orderId);
  return item?.endedAtMs === undefined ? item?.order : undefined;
}

/** What a change of orders needs to know of them. */
export interface OrderLookups extends Readonly<
  Record<"current" | "successorOf", (orderId: string) => Order | undefined>
> {
  /** Whether isolated orders are named by a flag, which the gateway alone knows. */
  readonly flagsIsolated: boolean;
}

/** Returns the lookups that a change of orders needs during its confirmation. Each reads the present snapshot. */
export function orderLookups(orders: Pick<OrdersStore, "snapshot" | "hasSlots">): OrderLookups {
  return {
    current: (id) => openOrder(orders.snapshot, id),
    successorOf: (id) => successorOf(orders.snapshot, id),
    flagsIsolated: orders.hasSlots,
  };
}

/** Returns the orders of a snapshot that have not ended. */
export function openOrders({ items }: Pick<Snapshot<OrderItem>, "items">): Order[] {
  return [...items.values()].filter((item) => item.endedAtMs === undefined).map((item) => item.order);
}

/** The changes since the last event, for views that draw rows one by one. */
export interface OrdersChange {
  /** The orders whose content changed, which came or which left; not all of them with a `reset`. */
  readonly changed: ReadonlySet<string>;
  /**
   * The change of the rows. `changed`: orders came or went. `reset`: the list was read again or its status changed,
   * which concerns every row.
   */
  readonly membership: "same" | "changed" | "reset";
}

/** The channel of all orders of the account. */
export const ALL_ORDERS_CHANNEL = "user.orders.any.any.raw";
/** The channel of all isolated orders, at the gateway. */
const ISOLATED_ORDERS_CHANNEL = "user.isolated.orders.any.any.raw";

/** Makes the store and wants its channel for as long as it lives. */
export function createOrdersStore(ports: ResourcePorts): OrdersStore {
  return new OrdersStore(ports);
}

/** The time that an ended order stays in sight, in ms. */
const ENDED_STAYS_MS = 10_000;
/** The pause between two readings while the orders are shown and changes are not pushed, in ms. */
const POLL_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

const NONE: ReadonlySet<string> = new Set();

/** Returns a list with orders that it may have left out: that they are absent proves nothing. */
function withKept(response: MaskedResponse, orders: readonly Order[]): MaskedResponse {
  const rows = rowsIn(response.result);
  const listed = new Set(rows.map((row) => (isObject(row) ? row["order_id"] : undefined)));
  return { ...response, result: [...rows, ...orders.filter(({ order_id: id }) => !listed.has(id))] };
}

interface Reading {
  isSorted: boolean;
  promise: Promise<void>;
}

/**
 * The open orders of one connection. It only listens: nothing here can change an order. It fires for each frame that
 * changes something; the view gathers that into fewer drawings.
 *
 * It subscribes first, then reads, then merges. What is pushed in between is kept aside and replaces list
 * entries where it is newer. Channels carry no first snapshot and no sequence number, so that the list is read again in
 * each generation. https://docs.deribit.com/articles/notifications
 */
export class OrdersStore extends ReadingLoop<OrderItem, OrdersChange> {
  readonly #orders = createOrderItems();
  #watchers = 0;
  #channel: ChannelState = { kind: "lost" };
  /** The channel of isolated orders; undefined where it was not wanted yet. */
  #slotChannel: ChannelState | undefined;
  #areSlotsRead = false;
  /** Whether the items rest on a list of the present generation. */
  #isMerged = false;
  /** Whether something unreadable came since the last reading was sent. */
  #isDoubted = false;
  #pushed = new Map<string, Order>();
  #reading: Reading | undefined;
  #doubts = 0;
  #removal: Disposable | undefined;
  #parsing: Disposable | undefined;

  constructor(ports: ResourcePorts) {
    super({ name: "open orders" }, ports);
    this.known = { ...this.known, items: this.#orders.items };
    this.follow();
    this.disposables.add(
      ports.session.subscribe(
        ALL_ORDERS_CHANNEL,
        (data) => this.#onEvent(data),
        (state) => {
          this.#channel = state;
          this.#onChannel(state);
        },
      ),
    );
  }

  /** Whether the server has isolated margin that the list covers: at the gateway alone. */
  get hasSlots(): boolean {
    return readsSlots(this.ports.session.state);
  }

  /** Whether the latest list has the orders of every slot that is in use. */
  get areSlotsRead(): boolean {
    return this.#areSlotsRead;
  }

  /** Reads the list again, sorted; a second call while one is under way joins it. Failures go into the snapshot. */
  async refresh(): Promise<void> {
    if (this.ports.session.state.status === "ready") await this.#read(true);
    else if (this.known.failure === undefined) this.update({ failure: { kind: "notConnected" } });
  }

  /**
   * Marks the orders as shown for as long as the result lives: where changes are not pushed, the list is read again
   * every few seconds.
   */
  watch(): Disposable {
    this.#watchers++;
    this.#poll();
    let isOver = false;
    return {
      dispose: () => {
        if (isOver) return;
        isOver = true;
        this.#watchers--;
        this.#poll();
      },
    };
  }

  override dispose(): void {
    this.#watchers = 0;
    this.endLink();
    this.#removal?.dispose();
    this.#parsing?.dispose();
    super.dispose();
  }

  protected changeOf(isOfRows: boolean): OrdersChange {
    return { changed: NONE, membership: isOfRows ? "reset" : "same" };
  }

  protected forget(): void {
    this.clear(this.#orders.clear());
  }

  #onChannel(state: ChannelState): void {
    if (state.kind === "lost") {
      // What the rows are worth from now on follows from the state of the session, which comes next.
      this.endLink();
      return;
    }
    if (state.kind === "refused" && state.failure?.kind !== "noKey")
      this.ports.log.warn(
        plain`The exchange does not push changes of orders; the list is only as true as its last reading.`,
      );
    this.#poll();
    this.onReady();
  }

  /** Follows isolated orders from the first time on that the session is ready at the gateway. */
  #followSlots(): void {
    if (this.#slotChannel !== undefined || !this.hasSlots) return;
    this.#slotChannel = { kind: "lost" };
    this.disposables.add(
      this.ports.session.subscribe(
        ISOLATED_ORDERS_CHANNEL,
        (data) => this.#onEvent(data),
        (state) => {
          this.#slotChannel = state;
          this.#onChannel(state);
        },
      ),
    );
  }

  /** The channels whose responses a reading follows. */
  get #followed(): readonly ChannelState[] {
    return this.hasSlots ? [this.#channel, this.#slotChannel ?? { kind: "lost" }] : [this.#channel];
  }

  protected endReading(): void {
    this.#channel = { kind: "lost" };
    if (this.#slotChannel !== undefined) this.#slotChannel = { kind: "lost" };
    this.#areSlotsRead = false;
    this.#isMerged = false;
    this.#isDoubted = false;
    this.#pushed.clear();
    this.#reading = undefined;
    this.#doubts = 0;
    this.#poll();
  }

  /** Reads again and again while the orders are shown and changes are not pushed, and notes that in the snapshot. */
  #poll(): void {
    const isRefused = this.#followed.some(({ kind }) => kind === "refused");
    const isWanted = this.#watchers > 0 && isRefused && this.#isMerged;
    this.update({ pollPauseMs: isWanted ? POLL_PAUSE_MS : undefined });
    // A failed reading has its own pause, or none where only the user can help.
    if (this.#reading !== undefined || this.known.status !== "live") return;
    if (isWanted) this.readAtPace(POLL_PAUSE_MS);
    else this.disarm();
  }

  /**
   * Starts the first reading of a generation, as soon as both the session and the response to the subscription are
   * there.
   */
  protected onReady(): void {
    const { state } = this.ports.session;
    this.#followSlots();
    if (state.status !== "ready" || this.#isLost || this.#isMerged || this.#reading !== undefined) return;
    if (this.#followed.some((each) => each.kind === "accepted" && each.generation !== state.generation)) return;
    if (this.known.status === "failed") this.update({ status: "loading", failure: undefined });
    void this.#read(this.known.readAtMs === undefined);
  }

  async #read(isSorted: boolean): Promise<void> {
    const { state } = this.ports.session;
    if (this.#reading !== undefined) {
      this.#reading.isSorted ||= isSorted;
      await this.#reading.promise;
      return;
    }
    // What changes between a list and its subscription would be missed: the first reading follows the response to that.
    if (state.status !== "ready" || this.#isLost) return;
    this.disarm();
    this.#isDoubted = false;
    if (this.#isMerged) this.#pushed.clear();
    const reading: Reading = { isSorted, promise: Promise.resolve() };
    this.#reading = reading;
    const wantsOrders = !this.#isMerged && this.#orders.items.size === 0;
    const asked = askForOrders(this.ports.session.reader, state, { wantsOrders, known: this.#slots() });
    reading.promise = this.#finish(reading, asked);
    await reading.promise;
  }

  get #isLost(): boolean {
    return this.#followed.some(({ kind }) => kind === "lost");
  }

  /** Returns the isolated orders that are known to be open. No native list is parsed for it. */
  #isolated(): readonly Order[] {
    return this.hasSlots ? openOrders(this.known).filter(isIsolated) : [];
  }

  #slots(): Iterable<number> {
    return new Set(this.#isolated().flatMap((order) => slotOf(order) ?? []));
  }

  async #finish(reading: Reading, asked: Promise<SlotReading>): Promise<void> {
    const askedAtMs = this.ports.clock.now();
    try {
      const { response, isWhole } = await asked;
      if (this.#reading !== reading) return;
      this.#areSlotsRead = this.hasSlots && isWhole;
      this.#merge(isWhole ? response : withKept(response, this.#isolated()), reading.isSorted);
    } catch (thrown) {
      if (this.#reading !== reading) return;
      this.#reading = undefined;
      this.failed(toFailure(thrown), askedAtMs);
      this.#armRemoval();
    }
  }

  #merge(response: MaskedResponse, isSorted: boolean): void {
    const { status, unreadable: unreadableBefore } = this.known;
    const wasRead = this.#isMerged && !isSorted && status === "live" && unreadableBefore.length === 0;
    const before: ReadonlySet<string> = wasRead ? new Set(this.#orders.items.keys()) : NONE;
    const { changed, unreadable } = this.#takeRows(response, isSorted);
    const isRepeated = wasRead && unreadable.length === 0;
    this.#pushed.clear();
    this.#reading = undefined;
    this.#isMerged = true;
    const isCertain = !this.#isDoubted;
    this.known = {
      ...this.known,
      ...this.succeeded(response.timing.receivedAtMs),
      ...(isCertain ? { failure: this.#whyNotPushed() } : { status: "stale" }),
      unreadable,
    };
    this.#armRemoval();
    // A list that is read every few seconds must not draw all rows each time: tooltips would close, clicks get lost.
    const hasCome = isRepeated && [...changed].some((id) => before.has(id) !== this.#orders.items.has(id));
    this.changes.fire({ changed, membership: !isRepeated || !isCertain ? "reset" : hasCome ? "changed" : "same" });
    this.#poll();
  }

  /** Takes the rows of a list. Returns which orders changed, none for a first list, and the rows that name no order. */
  #takeRows(
    response: MaskedResponse,
    isSorted: boolean,
  ): { readonly changed: ReadonlySet<string>; readonly unreadable: readonly unknown[] } {
    // Where something was pushed, the orders have to be compared with it. Only the first list concerns every row.
    if (!this.#isMerged && response.list !== undefined && this.#pushed.size === 0 && this.#orders.fill(response.list)) {
      this.#parsing = parseInPauses(this.#orders, this.ports.clock);
      return { changed: NONE, unreadable: [] };
    }
    const { list, unreadable } = splitRows(response);
    const changed = this.#orders.merge(
      { list, hasUnreadable: unreadable.length > 0, pushed: this.#pushed, isSameGeneration: this.#isMerged, isSorted },
      this.ports.clock.now(),
    );
    if (unreadable.length > 0) this.ports.log.warn(plain`Rows that name no order are shown raw: ${unreadable.length}`);
    return { changed, unreadable };
  }

  #whyNotPushed(): Failure | undefined {
    const channel = this.#followed.find(({ kind }) => kind === "refused");
    if (channel?.kind !== "refused") return undefined;
    return (
      channel.failure ?? {
        kind: "refused",
        reason: l10n.t("The exchange didn't accept the subscription to order updates."),
      }
    );
  }

  protected readAgain(pauseMs: number): void {
    // A reading that is under way may have been sent before what it is wanted for.
    if (this.#reading !== undefined) this.readAfter(pauseMs);
    else void this.#read(false);
  }

  #onEvent(data: unknown): void {
    const changed = new Set<string>();
    let membership: OrdersChange["membership"] = "same";
    for (const row of rowsOfEvent(data)) {
      const order = readNews(row);
      if (order === undefined) {
        this.#doubt(l10n.t("An order update is missing its order ID, state, or timestamp."));
        continue;
      }
      if (!this.#isMerged) {
        this.#keepAside(order);
        continue;
      }
      const applied = this.#orders.apply(order, this.ports.clock);
      // What is no news must not outlive a list that does not have it.
      if (applied !== "same" && this.#reading !== undefined) this.#keepAside(order);
      if (applied === "full") this.#doubt(tooManyOrders());
      if (applied === "changed" || applied === "added") changed.add(order.order_id);
      if (applied === "added") membership = "changed";
    }
    if (changed.size > 0 || membership !== "same") {
      this.#armRemoval();
      this.changes.fire({ changed, membership });
    }
  }

  #keepAside(order: Order): void {
    const known = this.#pushed.get(order.order_id);
    if (known === undefined && this.#pushed.size >= MAX_ORDERS) return;
    if (known === undefined || Number(order.last_update_timestamp) >= Number(known.last_update_timestamp))
      this.#pushed.set(order.order_id, order);
  }

  /** Notes an unusable push: the rows may be wrong from here on, until the list is read again. */
  #doubt(detail: string): void {
    if (this.#isDoubted) return;
    this.#isDoubted = true;
    this.ports.log.warn(plain.text(detail, 500));
    if (this.#isMerged)
      this.update({ status: "stale", failure: { kind: "unreadableResult", detail } }, this.ports.clock.now());
    // A channel that is odd all the time must not make us read all the time.
    this.readAfter(Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** this.#doubts));
    this.#doubts++;
  }

  #armRemoval(): void {
    const endedAtMs = this.#orders.firstEndedAtMs;
    if (this.#removal !== undefined || endedAtMs === undefined) return;
    const { clock } = this.ports;
    // The wall clock may be set while a row waits: it then neither stays for hours nor is armed for ever.
    const delayMs = Math.min(ENDED_STAYS_MS, Math.max(0, endedAtMs + ENDED_STAYS_MS - clock.now()));
    this.#removal = clock.after(delayMs, () => {
      this.#removal = undefined;
      // A list that was asked for before an order ended may still have it, and must meet the end here.
      if (this.#reading !== undefined) return;
      const removed = this.#orders.removeEnded(Math.max(endedAtMs, clock.now() - ENDED_STAYS_MS));
      this.#armRemoval();
      if (removed.size > 0) this.changes.fire({ changed: removed, membership: "changed" });
    });
  }
}
