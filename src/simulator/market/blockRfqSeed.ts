import type { SimulatedBlockRfq, BlockRfqs, QuoteSpec } from "./blockRfqs.ts";
import type { Listing } from "./listing.ts";
import { USER_ID } from "./orders.ts";

const MINUTE = 60_000;

/** Returns Block RFQs of both roles and every state. */
export function firstBlockRfqs({ quarterly }: Listing, nowMs: number): SimulatedBlockRfq[] {
  const times = (ageMinutes: number): Pick<SimulatedBlockRfq, "creation_timestamp" | "expiration_timestamp"> => ({
    creation_timestamp: nowMs - ageMinutes * MINUTE,
    expiration_timestamp: nowMs - ageMinutes * MINUTE + 60 * MINUTE,
  });
  const spread = [
    { instrument_name: `BTC-${quarterly(0)}-96000-C`, direction: "buy", ratio: 1 },
    { instrument_name: `BTC-${quarterly(0)}-108000-C`, direction: "sell", ratio: 1 },
  ] as const;
  const rfq = (
    [block_rfq_id, state, role, amount]: readonly [number, string, SimulatedBlockRfq["role"], number],
    rest: Pick<SimulatedBlockRfq, "legs" | "combo_id"> & Partial<SimulatedBlockRfq>,
  ): SimulatedBlockRfq => ({ block_rfq_id, state, role, amount, ...rest, ...times(AGES[block_rfq_id] ?? 0) });
  const combo_id = `BTC-CS-${quarterly(0)}-96000_108000`;
  const call = { instrument_name: `ETH-${quarterly(1)}-2250-C`, direction: "buy", ratio: 1 } as const;
  const trade = { direction: "buy", price: 0.0215, amount: 12.5, maker: "SIMULATOR", hedge_amount: 0 };
  const unknown = { disclosed: false, taker_rating: "3-5" };
  const known = { taker_rating: "1-2", disclosed: true, taker: "TAKER1", hedge: HEDGE };
  return [
    rfq([50_510, "filled", "maker", 12.5], { legs: spread, combo_id, taker_rating: "1-2", trades: [trade] }),
    rfq([722, "open", "maker", 25], { legs: spread, combo_id, ...known }),
    rfq([724, "open", "maker", 400], { legs: [call], combo_id: call.instrument_name, ...unknown }),
    takerRfq([quarterly(0), quarterly(1)], nowMs, times(2)),
    rfq([690, "cancelled", "maker", 10], { legs: [spread[0]], combo_id: null }),
    { ...rfq([655, "expired", "taker", 10], { legs: [spread[1]], combo_id: null }), label: "try" },
  ];
}

/** How many minutes ago each was created. */
const AGES: Readonly<Record<number, number>> = { 50510: 600, 722: 12, 724: 4, 690: 1500, 655: 2600 };

const HEDGE = { instrument_name: "BTC-PERPETUAL", direction: "sell", amount: 100_000, price: 92_400 } as const;

/** Returns the account's own request, with all that only a taker sees. */
function takerRfq(
  [near, far]: readonly [near: string, far: string],
  nowMs: number,
  times: Pick<SimulatedBlockRfq, "creation_timestamp" | "expiration_timestamp">,
): SimulatedBlockRfq {
  const price = {
    makers: ["ANONYMOUS"],
    last_update_timestamp: nowMs - MINUTE,
    expires_at: nowMs + 4 * MINUTE,
    execution_instruction: "any_part_of",
  } as const;
  return {
    ...{
      block_rfq_id: 725,
      state: "open",
      role: "taker",
      amount: 10_000,
      min_trade_amount: 10,
      combo_id: null,
      label: "roll",
      app_name: "options-desk",
      disclosed: true,
      taker: "SIMULATOR",
    },
    ...{
      taker_rating: "1-2",
      makers: ["MAKER1", "MAKER2"],
      mark_price: 1380,
      index_prices: [92_418.5],
      included_in_taker_rating: true,
    },
    bids: [{ ...price, price: 1371.5, amount: 10_000 }],
    asks: [{ ...price, price: 1388, amount: 5000 }],
    legs: [
      { instrument_name: `BTC-${far}`, direction: "buy", ratio: 1 },
      { instrument_name: `BTC-${near}`, direction: "sell", ratio: 1 },
    ],
    trade_trigger: { state: "untriggered", price: 1375, direction: "buy" },
    trade_allocations: [
      { user_id: USER_ID, amount: 6000 },
      { amount: 4000, client_info: { client_id: 11, client_link_id: 4, name: "Ann Example" } },
    ],
    ...times,
  };
}

/** The first quotes: open ones, and a filled one. */
const FIRST_QUOTES: readonly QuoteSpec[] = [
  {
    block_rfq_id: 722,
    direction: "buy",
    price: 0.0205,
    amount: 25,
    label: "cs-bid",
    execution_instruction: "any_part_of",
    hedge: HEDGE,
  },
  {
    block_rfq_id: 722,
    direction: "sell",
    price: 0.0235,
    amount: 25,
    label: "cs-ask",
    execution_instruction: "all_or_none",
  },
  { block_rfq_id: 724, direction: "buy", price: 0.1315, amount: 400, app_name: "options-desk" },
  { block_rfq_id: 724, direction: "sell", price: 0.1405, amount: 200, label: "eth-ask" },
];

export function plantQuotes(rfqs: BlockRfqs): void {
  const filled = rfqs.place({ block_rfq_id: 724, direction: "sell", price: 0.142, amount: 50 });
  rfqs.fill(filled.block_rfq_quote_id);
  for (const quote of FIRST_QUOTES) rfqs.place(quote);
}
