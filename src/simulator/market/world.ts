import type { ExchangeTrade } from "../../exchange/instrument.ts";
import type { AccountTrade } from "../../exchange/ledger/state.ts";
import { fromSteps } from "../../exchange/units.ts";
import { createAccountOrders, type AccountOrderPorts, type AccountOrders } from "./accountOrders.ts";
import type { SimulatedInstrument } from "./instruments.ts";
import type { Market } from "./market.ts";
import { orderText, type WorldOrder } from "./orders.ts";
import type { IsolatedMarks } from "./positions.ts";
import type { SimulatedTrade } from "./publicTrades.ts";
import { createUserTrades, type UserTrade } from "./userTrades.ts";

/**
 * What one account has at the exchange, and its view of the markets. Every change to an order is announced, in order.
 * What cannot be done is refused as the exchange does.
 */
export interface World extends Omit<AccountOrders, "traded"> {
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  readonly market: Market;
  /** The members that tell what is isolated. */
  readonly marks: IsolatedMarks;
  /** Returns the trades that filled orders of the account, oldest first. */
  userTrades(): readonly UserTrade[];
  /** Returns the position in an instrument, signed; 0 without one. */
  position(instrumentName: string): number;
  /** Returns the order as it goes over the wire. */
  text(order: WorldOrder): string;
  /** Announces a trade that was booked at the venue to the public; returns it as the public sees it. */
  announceTrade(trade: ExchangeTrade): SimulatedTrade | undefined;
  /** To be told of a trade of one of the account's orders. `made`: the trade as the public sees it. */
  traded(booked: AccountTrade, made: SimulatedTrade): void;
}

interface WorldPorts extends Omit<AccountOrderPorts, "account"> {
  /** The account's ID. */
  readonly id: number;
  readonly market: Market;
  readonly onTrade: (trade: SimulatedTrade, instrument: SimulatedInstrument) => void;
  /** Called with a trade that filled an order, as the account that placed it sees it. */
  readonly onUserTrade: (trade: UserTrade, order: WorldOrder, instrument: SimulatedInstrument) => void;
}

/** Makes the world of an account, which has no orders yet. */
export function createWorld(ports: WorldPorts): World {
  const { id, venue, market, instruments, marks, onTrade, onUserTrade } = ports;
  const account = String(id);
  const orders = createAccountOrders({ ...ports, account });
  const userTrades = createUserTrades();
  return {
    ...orders,
    get openCount() {
      return orders.openCount;
    },
    instruments,
    market,
    marks,
    userTrades: () => userTrades.all(),
    position(name) {
      const lot = venue.instrument(name)?.lot;
      return lot === undefined ? 0 : fromSteps(venue.ledger.risk.position(account, name), lot);
    },
    text(order) {
      const instrument = instruments.get(order.instrument_name);
      if (instrument === undefined) throw new RangeError(`There is no instrument ${order.instrument_name}.`);
      return orderText(order, instrument);
    },
    announceTrade(trade) {
      const instrument = instruments.get(trade.instrument);
      const made = market.publicTrade(trade);
      if (instrument !== undefined && made !== undefined) onTrade(made, instrument);
      return made;
    },
    traded(booked, made) {
      const instrument = instruments.get(booked.trade.instrument);
      const order = orders.order(booked.orderId);
      if (instrument === undefined || order === undefined) return;
      const trade = userTrades.add(made, order, { ...booked, marks });
      orders.traded(trade);
      onUserTrade(trade, order, instrument);
    },
  };
}
