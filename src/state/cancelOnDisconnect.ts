import { createEmitter, type Disposable, type Emitter } from "../base/emitter.ts";
import { bugText, toFailure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import { plain } from "../base/plain.ts";
import { isEndState } from "../catalogue/orderStates.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { scopeProblem } from "../session/scope.ts";
import type { SessionState } from "../session/session.ts";
import type { OrdersChange, OrdersStore } from "./orders.ts";
import { followAccount, type ResourcePorts } from "./resource.ts";

/**
 * The effect of the end of a connection's link on orders.
 * https://docs.deribit.com/api-reference/session-management/private-enable_cancel_on_disconnect
 */
export interface CancelOnDisconnect {
  /** Whether the exchange then cancels what was placed over it; undefined where that is not known. */
  readonly isOn: boolean | undefined;
  /** The number of orders that were placed over the present link and have not ended, as far as is known. */
  readonly placedOrders: number;
}

interface CancelOnDisconnectPorts extends Omit<ResourcePorts, "clock"> {
  readonly orders: Pick<OrdersStore, "snapshot" | "onDidChange">;
  /** Whether there is a link that can end: over HTTP each request is separate. */
  readonly hasLink: boolean;
}

const READ = "private/get_cancel_on_disconnect";
const CHANGES: ReadonlySet<string> = new Set([
  "private/enable_cancel_on_disconnect",
  "private/disable_cancel_on_disconnect",
]);
const PLACING: ReadonlySet<string> = new Set(["private/buy", "private/sell", "private/close_position"]);

/**
 * The watch on what is placed over the link of one connection, and on its outcome when the link ends. Only requests of
 * the user change the setting.
 */
export class CancelOnDisconnectStore implements CancelOnDisconnect, Disposable {
  readonly #ports: CancelOnDisconnectPorts;
  readonly #changes: Emitter<void> = createEmitter((error) =>
    this.#ports.log.error(plain`A listener of cancel-on-disconnect failed: ${bugText(error)}`),
  );
  readonly onDidChange = this.#changes.event;
  readonly #listeners: readonly Disposable[];
  readonly #placed = new Set<string>();
  /** The placed orders that the orders store has shown: only for these its silence means that they ended. */
  readonly #seen = new Set<string>();
  #isOn: boolean | undefined;
  #generation: number | undefined;
  /** The number of the latest reading: the result of an earlier one does not count any more. */
  #reading = 0;
  #lastReading: Promise<void> = Promise.resolve();

  constructor(ports: CancelOnDisconnectPorts) {
    this.#ports = ports;
    this.#isOn = this.#untold;
    this.#listeners = [
      // Orders of the account before stay tied to the link; the list of the new one says nothing about them.
      followAccount(ports.session, () => this.#seen.clear()),
      ports.session.onDidChangeState((state) => this.#onState(state)),
      ports.orders.onDidChange((change) => this.#onOrders(change)),
    ];
    this.#onState(ports.session.state);
  }

  get isOn(): boolean | undefined {
    return this.#isOn;
  }

  get placedOrders(): number {
    return this.#placed.size;
  }

  /** Hears the response to something that was sent over the connection's own link. */
  take(response: MaskedResponse): void {
    if (response.error !== undefined || !this.#ports.hasLink) return;
    if (CHANGES.has(response.method)) this.#lastReading = this.#read();
    const id = PLACING.has(response.method) ? idOfOpenOrder(response.result) : undefined;
    if (id === undefined || this.#placed.has(id)) return;
    this.#placed.add(id);
    this.#look(id);
    this.#changes.fire();
  }

  /** Resolves to `isOn` once a reading that is under way has ended. Never rejects. */
  async known(): Promise<boolean | undefined> {
    await this.#lastReading;
    return this.#isOn;
  }

  dispose(): void {
    this.#generation = undefined;
    for (const each of this.#listeners) each.dispose();
    this.#changes.dispose();
  }

  /** Whether the exchange cancels, before any response says it: unknown, or false without a link to tie orders to. */
  get #untold(): boolean | undefined {
    return this.#ports.hasLink ? undefined : false;
  }

  #onState(state: SessionState): void {
    if (state.status === "ready") {
      if (state.generation !== this.#generation) {
        this.#generation = state.generation;
        this.#lastReading = this.#read();
      }
      return;
    }
    this.#generation = undefined;
    // While another account signs in, the link is the same one.
    if (state.status === "authenticating" || (this.#placed.size === 0 && this.#isOn === this.#untold)) return;
    if (this.#isOn === true && this.#placed.size > 0)
      this.#ports.log.warn(
        plain`The link ended with ${this.#placed.size} open order(s) placed over it: the exchange cancels them`,
      );
    this.#placed.clear();
    this.#seen.clear();
    this.#isOn = this.#untold;
    this.#changes.fire();
  }

  /** Reads the setting of this connection: an account's setting is only the initial one of new connections. */
  async #read(): Promise<void> {
    const { session, hasLink, log } = this.#ports;
    const { state } = session;
    if (
      !hasLink ||
      state.status !== "ready" ||
      state.identity.authentication === "none" ||
      scopeProblem(READ, state) !== undefined
    )
      return;
    const { generation } = state;
    const reading = ++this.#reading;
    let isOn: boolean | undefined;
    try {
      isOn = (await session.reader.read(READ, {}, { lane: "view", generation })).enabled;
    } catch (thrown) {
      log.debug(plain`Cancel-on-disconnect could not be read: ${toFailure(thrown).kind}`);
    }
    if (this.#generation !== generation || this.#reading !== reading || isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#changes.fire();
  }

  #onOrders({ changed, membership }: OrdersChange): void {
    if (this.#placed.size === 0) return;
    const before = this.#placed.size;
    for (const id of membership === "reset" ? [...this.#placed] : changed) this.#look(id);
    if (this.#placed.size !== before) this.#changes.fire();
  }

  #look(id: string): void {
    const { status, items } = this.#ports.orders.snapshot;
    if (status !== "live" || !this.#placed.has(id)) return;
    const item = items.get(id);
    if (item !== undefined && item.endedAtMs === undefined) this.#seen.add(id);
    else if (item !== undefined || this.#seen.has(id)) this.#placed.delete(id);
  }
}

/** Returns the order in the result of private/buy and similar methods, unless it has ended already. */
function idOfOpenOrder(result: unknown): string | undefined {
  const order = isObject(result) ? result["order"] : undefined;
  if (!isObject(order)) return undefined;
  const { order_id: id, order_state: state } = order;
  return typeof id === "string" && !isEndState(state) ? id : undefined;
}
