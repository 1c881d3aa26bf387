import { isTriggerType, type OrderView } from "../../exchange/orders/order.ts";
import type { AccountOrders } from "../market/accountOrders.ts";
import type { SimulatedConnection } from "./connection.ts";

/**
 * Cancel-on-disconnect: the orders that were created over a connection are cancelled when it ends, in whatever way, but
 * for a logout. A connection begins with the setting of its account, as that is then. One that is set for a connection
 * holds for all orders that are created over it, of whichever account.
 * https://docs.deribit.com/api-reference/session-management/private-enable_cancel_on_disconnect
 */
export interface Disconnects {
  /** Takes note of a WebSocket connection that begins. */
  opened(connection: SimulatedConnection): void;
  /** Whether a connection has it, for orders of an account. */
  isOn(connection: SimulatedConnection, account: number): boolean;
  set(connection: SimulatedConnection, isOn: boolean): void;
  /** Whether the connections that an account opens from now on begin with it. */
  isOnOfAccount(account: number): boolean;
  /** Sets it for new connections of an account. */
  setOfAccount(account: number, isOn: boolean): void;
  /** Lets the orders of a connection stay when it ends: it logs out. */
  release(connection: SimulatedConnection): void;
  /** Cancels the orders of a connection that has ended, where they are not to stay. */
  closed(connection: SimulatedConnection): void;
}

export interface DisconnectsPorts {
  /** The accounts of the owner. */
  readonly accounts: Iterable<{
    readonly id: number;
    readonly world: Pick<AccountOrders, "cancelAll">;
  }>;
  /** Whether orders that wait for a price are cancelled too. */
  readonly coversTriggers: boolean;
  /** Whether orders of an account are cancelled (default: yes). */
  readonly covers?: (account: number) => boolean;
}

/** What a connection has. */
interface Setting {
  /** What was set for the connection; undefined before. */
  own: boolean | undefined;
  /** What it began with, by account, where that is not what the account has now. */
  readonly begun: Map<number, boolean>;
}

/** Makes cancel-on-disconnect, which no account has at first. */
export function createDisconnects({ accounts, coversTriggers, covers }: DisconnectsPorts): Disconnects {
  const ofAccounts = new Set<number>();
  const open = new Map<SimulatedConnection, Setting>();
  const isOn: Disconnects["isOn"] = (connection, account) => {
    const setting = open.get(connection);
    return setting !== undefined && (setting.own ?? setting.begun.get(account) ?? ofAccounts.has(account));
  };
  return {
    opened: (connection) => void open.set(connection, { own: undefined, begun: new Map() }),
    isOn,
    set(connection, isWanted) {
      const setting = open.get(connection);
      if (setting !== undefined) setting.own = isWanted;
    },
    isOnOfAccount: (account) => ofAccounts.has(account),
    setOfAccount(account, isWanted) {
      for (const { begun } of open.values()) if (!begun.has(account)) begun.set(account, ofAccounts.has(account));
      if (isWanted) ofAccounts.add(account);
      else ofAccounts.delete(account);
    },
    release: (connection) => void open.delete(connection),
    closed(connection) {
      const isMeant = (order: OrderView): boolean =>
        order.connection === connection.number && (coversTriggers || !isTriggerType(order.type));
      for (const { id, world } of accounts)
        if (isOn(connection, id) && covers?.(id) !== false) world.cancelAll(isMeant, "cancel_on_disconnect");
      open.delete(connection);
    },
  };
}
