import type { BlockTradeSpec, LegSpec } from "../src/simulator/market/blockTradeMaker.ts";
import type { SimulatedLeg } from "../src/simulator/market/blockTrades.ts";
import { USER_ID } from "../src/simulator/market/orders.ts";
import type { Control } from "../src/simulator/wire/control.ts";

/** More block trades than one call can ask for. */
const MANY = 130;

/**
 * Executes block trades with the main account of a simulator, which has none at first: as many as asked for, of which
 * the latest together carry every possible member. No position is turned that its orders may only reduce.
 */
export function addBlockTrades({ addBlockTrade }: Pick<Control, "addBlockTrade">, count = MANY): void {
  const telling = [...oldSpecs(), ...rfqSpecs(), ...brokerSpecs(), ...comboSpecs()];
  for (let made = 0; made < count - telling.length; made++) addBlockTrade(plainSpec(made));
  for (const spec of telling.slice(Math.max(0, telling.length - count))) addBlockTrade(spec);
}

const STRUCTURES: readonly (readonly LegSpec[])[] = [
  [
    { instrument_name: "BTC-26MAR27-96000-C", direction: "buy", amount: 1 },
    { instrument_name: "BTC-26MAR27-108000-C", direction: "sell", amount: 1 },
  ],
  [
    { instrument_name: "BTC-26MAR27-84000-P", direction: "sell", amount: 0.5 },
    { instrument_name: "BTC-PERPETUAL", direction: "sell", amount: 8000 },
  ],
  [
    { instrument_name: "ETH-25JUN27-2250-C", direction: "buy", amount: 20 },
    { instrument_name: "ETH-25JUN27-2250-P", direction: "buy", amount: 20 },
  ],
  [
    { instrument_name: "ETH-26MAR27", direction: "sell", amount: 6000 },
    { instrument_name: "ETH-PERPETUAL", direction: "buy", amount: 6000 },
  ],
  [{ instrument_name: "BTC_USDC-PERPETUAL", direction: "buy", amount: 0.16 }],
];

/** Returns an ordinary block trade. What one opens, one of the next ones closes, so that the funds suffice for many. */
function plainSpec(place: number): BlockTradeSpec {
  const isTurned = Math.floor(place / STRUCTURES.length) % 2 === 1;
  const legs = STRUCTURES[place % STRUCTURES.length] ?? [];
  return {
    legs: isTurned ? legs.map((leg) => ({ ...leg, direction: leg.direction === "buy" ? "sell" : "buy" })) : legs,
  };
}

function oldSpecs(): BlockTradeSpec[] {
  return [
    {
      id: "66",
      legs: [
        { instrument_name: "BTC-26MAR27-90000-P", direction: "sell", amount: 2.3 },
        { instrument_name: "BTC-26MAR27", direction: "sell", amount: 50 },
      ],
    },
    {
      legs: [
        {
          instrument_name: "BTC-PERPETUAL",
          direction: "sell",
          amount: 100_000,
          order_type: "liquidation",
          liquidation: "T",
          self_trade: false,
          user_id: USER_ID,
        },
        {
          instrument_name: "ETH-PERPETUAL",
          direction: "sell",
          amount: 4000,
          order_type: "market",
          starbase_match_id: 9_007_199_254_741_993n,
          starbase_timestamp: 1_795_219_200_000_123_457n,
        },
      ],
    },
  ];
}

function rfqSpecs(): BlockTradeSpec[] {
  const rfq = { block_rfq_id: 50_510, block_rfq_quote_id: 1301 };
  return [
    {
      app_name: "options-desk",
      keyId: 3,
      legs: [
        {
          instrument_name: "BTC-26MAR27-96000-C",
          direction: "buy",
          amount: 12.5,
          ...rfq,
          advanced: "implv",
          mmp: true,
          label: "rfq-1301",
        },
        {
          instrument_name: "BTC-26MAR27-96000-P",
          direction: "buy",
          amount: 12.5,
          ...rfq,
          mmp: true,
          quote_set_id: "1",
          quote_id: "b7",
        },
      ],
    },
    {
      legs: [
        {
          instrument_name: "ETH-26MAR27-2250-C",
          direction: "sell",
          amount: 400,
          block_rfq_id: 50_511,
          advanced: "usd",
          risk_reducing: true,
          post_only: true,
          reduce_only: true,
          allocations: [
            { user_id: USER_ID, amount: 250, fee: 0.075 },
            { user_id: USER_ID + 7, amount: 150, fee: 0.045 },
          ],
        },
      ],
    },
  ];
}

function brokerSpecs(): BlockTradeSpec[] {
  const broker = { broker_code: "broker_7", broker_name: "Example Brokers" };
  const other = { broker_code: "broker_9", broker_name: "Other Brokers" };
  return [
    {
      ...broker,
      app_name: "broker-terminal",
      legs: [
        {
          instrument_name: "BTC-25JUN27-102000-C",
          direction: "buy",
          amount: 50,
          ...broker,
          app_name: "broker-terminal",
          block_rfq_id: 50_512,
          trade_allocations: [
            { amount: 30, fee: 0.009, client_info: { client_id: 11, client_link_id: 4, name: "Ann Example" } },
            { amount: 20, fee: 0.006, client_info: { client_id: 12, client_link_id: 9, name: "Fund Ltd" } },
          ],
        },
      ],
    },
    {
      ...other,
      legs: [{ instrument_name: "BTC-PERPETUAL", direction: "sell", amount: 300_000, ...other, api: false }],
    },
  ];
}

/** Returns block trades whose trades name a combo; the simulator books the legs of one alone. */
function comboSpecs(): BlockTradeSpec[] {
  const combo_id = "BTC-CS-25JUN27-100000_120000";
  const leg = (instrument_name: string, direction: "buy" | "sell", trade_id: string): SimulatedLeg => ({
    ...{
      trade_id,
      trade_seq: 41,
      instrument_name,
      timestamp: 1_795_200_000_000,
      order_id: `81${trade_id}`,
      matching_id: null,
      direction,
      tick_direction: 1,
    },
    ...{
      index_price: 92_418.5,
      mark_price: 0.0781,
      price: 0.078,
      amount: 10,
      contracts: 10,
      fee: 0.003,
      fee_currency: "BTC",
      state: "filled",
      order_type: "limit",
      liquidity: "T",
    },
    ...{ iv: 51.2, underlying_price: 94_002.25, combo_id, combo_trade_id: 7_104_220 },
  });
  return [
    {
      legs: [
        {
          ...{ instrument_name: "BTC-25JUN27-102000-C", direction: "buy", amount: 10 },
          ...{ combo_id, combo_trade_id: "7104220" },
          legs: [leg("BTC-25JUN27-102000-C", "buy", "92462001"), leg("BTC-25JUN27-120000-C", "sell", "92462002")],
        },
      ],
    },
    {
      legs: [
        {
          ...{ instrument_name: "BTC-26MAR27", direction: "sell", amount: 60_000 },
          ...{ combo_id: "BTC-FS-26MAR27_PERP", combo_trade_id: 7_104_233 },
          legs: [],
        },
      ],
    },
    {
      legs: [
        { instrument_name: "XRP_USDC-26MAR27-2d25-C", direction: "buy", amount: 40_000 },
        { instrument_name: "SOL_USDC-PERPETUAL", direction: "sell", amount: 20 },
      ],
    },
  ];
}
