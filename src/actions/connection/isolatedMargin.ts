import { createEmitter, DisposableList, type Disposable, type Emitter, type Event } from "../../base/emitter.ts";
import { isObject } from "../../base/json.ts";
import { receivedOf } from "../../catalogue/reading.ts";
import { isOfOtherSubject, serviceOf, type Session } from "../../session/session.ts";
import { sampleOf } from "../../state/orderItems.ts";
import type { OrdersStore } from "../../state/orders.ts";
import type { PositionsStore } from "../../state/positions.ts";

/**
 * Whether an account uses isolated margin, or may use it: at the gateway every account may. Its isolated orders and
 * positions are those of hidden subaccounts: lists, totals, and mass cancels of the main account leave them out, and an
 * order that is not listed may be one of them.
 */
export interface IsolatedMargin extends Disposable {
  readonly isSeen: boolean;
  readonly onDidChange: Event<void>;
  /** Takes the news of a liquidation of an isolated position. */
  takeLiquidation(): void;
}

interface IsolatedMarginPorts {
  readonly session: Pick<Session, "state" | "onDidChangeState">;
  readonly orders: Pick<OrdersStore, "snapshot" | "onDidChange">;
  readonly positions: Pick<PositionsStore, "snapshot" | "onDidChange">;
}

/** The channel that tells of liquidations of isolated positions. */
export const ISOLATED_LIQUIDATION_CHANNEL = "user.isolated.liquidation";

/**
 * Watches for the first record, or liquidation, that tells of isolated margin. It is not forgotten until another
 * account comes.
 */
export function createIsolatedMargin({ session, orders, positions }: IsolatedMarginPorts): IsolatedMargin {
  const changes: Emitter<void> = createEmitter();
  const disposables = new DisposableList();
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
      see([...concerned].map(sampleOf));
    }),
  );
  disposables.add(positions.onDidChange(() => see(positions.snapshot.items.values())));
  disposables.add(
    session.onDidChangeState((state) => {
      if (isOfOtherSubject(state)) isSeen = false;
    }),
  );
  return {
    get isSeen() {
      return isSeen || serviceOf(session.state) === "gateway";
    },
    onDidChange: changes.event,
    takeLiquidation: () => see([{ isolated: true }]),
    dispose() {
      disposables.dispose();
      changes.dispose();
    },
  };
}

/** Whether a record is one of an isolated subaccount. Those of the main account have neither member. */
export function isIsolated(record: unknown): boolean {
  if (!isObject(record)) return false;
  const { isolated, main_uid: mainId } = receivedOf(record) as {
    readonly isolated?: unknown;
    readonly main_uid?: unknown;
  };
  return isolated === true || (mainId !== undefined && mainId !== null);
}
