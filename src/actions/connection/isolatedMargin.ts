import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import { isOfOtherSubject, type Session } from "../../session/session.ts";
import { isIsolated, slotOf } from "../../state/isolated.ts";
import { sampleOf } from "../../state/orderItems.ts";
import { openOrders, type OrdersStore } from "../../state/orders.ts";
import type { PositionsStore } from "../../state/positions.ts";
import type { OrderMargin, SlotKnowledge } from "../intent/slotKnowledge.ts";

/**
 * Isolated margin of an account. Its isolated orders and positions are those of hidden subaccounts. On native
 * connections no list, total, or mass cancel has them, so that an order that is not listed may be one of them. At the
 * gateway they are read and cancelled with flags.
 */
export interface IsolatedMargin extends Disposable {
  /** Whether a record or a liquidation told of it on a native connection, whose lists leave it out. */
  readonly isSeen: boolean;
  readonly onDidChange: Event<void>;
  /** What is known of it at the gateway; undefined on native connections. */
  readonly slots: SlotKnowledge | undefined;
  /** Whether a list leaves out what is isolated, or may leave out a part of it. */
  isLeftOut(list: { readonly areSlotsRead: boolean }): boolean;
  /** Takes the news of a liquidation of an isolated position. */
  takeLiquidation(): void;
}

interface IsolatedMarginPorts {
  readonly session: Pick<Session, "state" | "onDidChangeState">;
  readonly orders: Pick<OrdersStore, "snapshot" | "onDidChange" | "hasSlots" | "areSlotsRead">;
  readonly positions: Pick<PositionsStore, "snapshot" | "onDidChange">;
}

/** The channel that tells of liquidations of isolated positions. */
export const ISOLATED_LIQUIDATION_CHANNEL = "user.isolated.liquidation";

/**
 * Watches for the first record, or liquidation, that tells of isolated margin, and for how orders are margined. It is
 * not forgotten until another account comes.
 */
export function createIsolatedMargin({ session, orders, positions }: IsolatedMarginPorts): IsolatedMargin {
  const changes: Emitter<void> = createEmitter();
  const disposables = new DisposableList();
  const margins = createMargins();
  let isSeen = false;
  const see = (records: Iterable<object>): void => {
    if (isSeen) return;
    for (const record of records)
      if (isIsolated(record)) {
        isSeen = true;
        changes.fire();
        return;
      }
  };
  disposables.add(
    orders.onDidChange(({ changed, membership }) => {
      const { items } = orders.snapshot;
      const concerned = membership === "reset" ? items.values() : [...changed].flatMap((id) => items.get(id) ?? []);
      const records = [...concerned].map(sampleOf);
      if (orders.hasSlots) margins.take(records);
      see(records);
      // Whether the list is whole may have changed with it.
      if (orders.hasSlots && membership === "reset") changes.fire();
    }),
  );
  disposables.add(positions.onDidChange(() => see(positions.snapshot.items.values())));
  disposables.add(
    session.onDidChangeState((state) => {
      if (!isOfOtherSubject(state)) return;
      isSeen = false;
      margins.clear();
    }),
  );
  const slots: SlotKnowledge = {
    marginOf: margins.of,
    open: () => (orders.areSlotsRead ? openOrders(orders.snapshot).filter(isIsolated) : undefined),
  };
  return {
    get isSeen() {
      return isSeen && !orders.hasSlots;
    },
    get slots() {
      return orders.hasSlots ? slots : undefined;
    },
    isLeftOut: ({ areSlotsRead }) => (orders.hasSlots ? !areSlotsRead : isSeen),
    onDidChange: changes.event,
    takeLiquidation: () => see([{ isolated: true }]),
    dispose() {
      disposables.dispose();
      changes.dispose();
    },
  };
}

/** The most orders whose margin is remembered. */
const MOST_MARGINS = 20_000;

/** Remembers how orders are margined, also once they have ended. */
function createMargins(): {
  readonly take: (records: readonly { readonly order_id: string }[]) => void;
  readonly of: SlotKnowledge["marginOf"];
  readonly clear: () => void;
} {
  const margins = new Map<string, OrderMargin>();
  return {
    take(records) {
      for (const record of records)
        margins.set(record.order_id, isIsolated(record) ? { slot: slotOf(record) } : "cross");
      for (const id of margins.keys()) {
        if (margins.size <= MOST_MARGINS) break;
        margins.delete(id);
      }
    },
    of: (orderId) => margins.get(orderId),
    clear: () => margins.clear(),
  };
}
