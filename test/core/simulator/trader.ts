import { createSituation, type Conversation, type Situation } from "./conversation.ts";

/* A user that places orders on the simulator, and what tests say about it. */

export interface Trader {
  readonly situation: Situation;
  readonly client: Conversation;
  /** Places an order: `buy` or `sell`, with the perpetual of BTC as the default instrument. */
  place(side: "buy" | "sell", params: Params): Promise<Placed>;
  /** Sends what is expected to be refused; hands out code, message, and the parameter and reason where there are some. */
  refused(method: string, params: Params): Promise<string>;
  /** The open orders that were placed over the wire, in words. */
  open(): Promise<string[]>;
  /** The position in an instrument, signed; 0 without one. */
  position(instrument?: string): number;
}

export type Params = Record<string, unknown>;

export interface Placed {
  readonly order: WireOrder;
  readonly trades: readonly WireTrade[];
}

export interface WireOrder {
  readonly order_id: string;
  readonly order_state: string;
  readonly order_type: string;
  readonly direction: string;
  readonly amount: number;
  readonly filled_amount?: number;
  readonly average_price?: number;
  readonly price: number | string;
  readonly [member: string]: unknown;
}

export interface WireTrade {
  readonly trade_id: string;
  readonly order_id: string;
  readonly price: number;
  readonly amount: number;
  readonly liquidity: string;
  readonly [member: string]: unknown;
}

export const PERPETUAL = "BTC-PERPETUAL";
/** The position in it that a liquidation before the start has left. */
export const FIRST_POSITION = -10;

/** Signs a trader in on an exchange without orders of its own. */
export async function startTrader(options: Parameters<typeof createSituation>[0] = {}): Promise<Trader> {
  const situation = createSituation({ orders: 0, ...options });
  const client = situation.connect();
  await client.signIn();
  return {
    situation,
    client,
    place: async (side, params) =>
      await client.result<Placed>(`private/${side}`, { instrument_name: PERPETUAL, ...params }),
    async refused(method, params) {
      const { error } = await client.call(method, params);
      if (error === undefined) return "not refused";
      const { code, message, data } = error;
      return [code, message, data?.param, data?.reason].filter((part) => part !== undefined).join(" ");
    },
    async open() {
      const orders = await client.result<WireOrder[]>("private/get_open_orders");
      return orders.map(describeOrder);
    },
    position: (instrument = PERPETUAL) => situation.exchange.control.position(instrument),
  };
}

/** Returns an order in words: `buy 1000 @ 92000 limit open, 200 filled`. */
export function describeOrder(order: WireOrder): string {
  const { direction, amount, price, order_type: type, order_state: state, filled_amount: filled = 0 } = order;
  const words = `${direction} ${amount} @ ${price} ${type} ${state}`;
  return filled === 0 ? words : `${words}, ${filled} filled`;
}

/** Returns trades in words: `220 @ 92451.5 T`. */
export function describeTrades(trades: readonly WireTrade[]): string[] {
  return trades.map(({ amount, price, liquidity }) => `${amount} @ ${price} ${liquidity}`);
}
