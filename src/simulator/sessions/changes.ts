import { blockTradeLegText } from "../market/blockTrades.ts";
import type { SimulatedInstrument } from "../market/instruments.ts";
import { orderText, type WorldOrder } from "../market/orders.ts";
import { describePositions, withMarks, type IsolatedMarks } from "../market/positions.ts";
import { writeJson } from "../text/json.ts";
import type { UserTrade } from "../market/userTrades.ts";
import type { Venue } from "../market/venue.ts";
import type { Publisher } from "./publisher.ts";

/** Collects the orders and trades of an account for `user.changes`, until its events leave. */
export interface Changes {
  order(describe: () => WorldOrder, instrument: SimulatedInstrument): void;
  trade(trade: UserTrade, instrument: SimulatedInstrument): void;
  /** Notes that a position changed without a trade. */
  position(instrument: SimulatedInstrument): void;
}

/** What changed in one instrument. Of an order the last state counts. */
interface Change {
  readonly orders: Map<string, string>;
  readonly trades: string[];
  isPositionMoved: boolean;
}

/**
 * Makes the collector of an account. An event has the orders and trades of one instrument, and its position where there
 * were trades or it was moved.
 * https://docs.deribit.com/subscriptions/user/userchangesinstrument_nameinterval
 */
export function createChanges({
  venue,
  publisher,
  account,
  marks,
}: {
  readonly venue: Venue;
  readonly publisher: Publisher;
  readonly account: number;
  /** The members that tell what is isolated. */
  readonly marks: IsolatedMarks;
}): Changes {
  const changes = new Map<SimulatedInstrument, Change>();
  const changeOf = (instrument: SimulatedInstrument): Change => {
    const change = changes.get(instrument) ?? { orders: new Map<string, string>(), trades: [], isPositionMoved: false };
    changes.set(instrument, change);
    return change;
  };
  const positionsText = (name: string): string =>
    describePositions(venue.ledger, String(account), (instrument) => instrument.name === name)
      .map((position) => writeJson(withMarks(position, account, marks)))
      .join(",");
  publisher.beforeFlush(() => {
    for (const [instrument, { orders, trades, isPositionMoved }] of changes) {
      const positions = trades.length > 0 || isPositionMoved ? positionsText(instrument.name) : "";
      const lists = `"trades":[${trades.join(",")}],"positions":[${positions}],"orders":[${[...orders.values()].join(",")}]`;
      publisher.add("changes", () => `{${lists},"instrument_name":"${instrument.name}"}`, instrument, account);
    }
    // Clearing an empty map takes as long, and most changes have no listener.
    if (changes.size > 0) changes.clear();
  });
  return {
    order(describe, instrument) {
      if (!publisher.isHeard("changes")) return;
      const order = describe();
      changeOf(instrument).orders.set(order.order_id, orderText(order, instrument));
    },
    trade(trade, instrument) {
      if (publisher.isHeard("changes"))
        changeOf(instrument).trades.push(blockTradeLegText(trade, venue.listing.instruments));
    },
    position(instrument) {
      if (publisher.isHeard("changes")) changeOf(instrument).isPositionMoved = true;
    },
  };
}
