import type { Random } from "../../base/clock.ts";
import type { SimulatedBlockTrade, SimulatedLeg } from "./blockTrades.ts";
import { feeCurrency, type SimulatedInstrument } from "./instruments.ts";
import { roundTo } from "../text/json.ts";
import type { Market } from "./market.ts";
import { USER_ID } from "./orders.ts";
import { randomInteger, randomOf } from "../text/seededRandom.ts";

/** The source of block trades. */
export interface BlockTradeMaker {
  /** Makes an ID for a block trade. */
  nextId(): string;
  /** Makes a block trade of a few instruments, now unless said otherwise. */
  make(spec: BlockTradeSpec): SimulatedBlockTrade;
  /** Makes a random block trade of the time before the beginning, which changed nothing since. */
  chance(atMs: number): SimulatedBlockTrade;
}

export interface BlockTradeSpec extends Pick<
  SimulatedBlockTrade,
  "app_name" | "broker_code" | "broker_name" | "keyId"
> {
  readonly atMs: number;
  readonly legs: readonly LegSpec[];
  /** The id of the trade; the exchange's before June 2023 were digits alone. */
  readonly id?: string;
}

/** The required facts about a leg; the rest follows from its instrument. */
export type LegSpec = Partial<SimulatedLeg> & Pick<SimulatedLeg, "instrument_name" | "direction" | "amount">;

export function createBlockTradeMaker(ports: {
  readonly instruments: ReadonlyMap<string, SimulatedInstrument>;
  readonly market: Market;
  readonly random: Random;
}): BlockTradeMaker {
  const { instruments, market, random } = ports;
  let number = 282_000;
  let tradeNumber = 92_400_000;
  let sequence = 1000;
  const legOf = (
    spec: LegSpec,
    block: { readonly id: string; readonly atMs: number; readonly place: number },
  ): SimulatedLeg => {
    const instrument = instruments.get(spec.instrument_name);
    if (instrument === undefined) throw new RangeError(`There is no instrument ${spec.instrument_name}.`);
    const mark = market.markPrice(instrument);
    const currency = feeCurrency(instrument);
    return {
      trade_id: `${instrument.idPrefix}${++tradeNumber}`,
      trade_seq: (sequence += randomInteger(random, 1, 9)),
      timestamp: block.atMs,
      order_id: `${instrument.idPrefix}${tradeNumber + 7_000_000}`,
      matching_id: null,
      tick_direction: randomInteger(random, 0, 3),
      index_price: instrument.indexPrice,
      mark_price: mark,
      price: roundTo(mark, instrument.tickSize),
      contracts: Number((spec.amount / instrument.contractSize).toPrecision(12)),
      fee: feeOf(instrument, spec.amount),
      fee_currency: currency,
      state: "filled",
      order_type: "limit",
      liquidity: block.place % 2 === 0 ? "M" : "T",
      ...(instrument.volatility === undefined
        ? {}
        : { iv: instrument.volatility, underlying_price: instrument.indexPrice }),
      block_trade_id: block.id,
      api: true,
      ...(instrument.kind === "spot" ? {} : { reduce_only: false }),
      post_only: false,
      mmp: false,
      profit_loss: null,
      ...spec,
    };
  };
  const nextId = (): string => `BLOCK-${(number += randomInteger(random, 1, 6))}`;
  const make: BlockTradeMaker["make"] = ({ atMs, legs, id, ...rest }) => {
    const block = { id: id ?? nextId(), atMs };
    return {
      id: block.id,
      timestamp: atMs + 1,
      ...rest,
      trades: legs.map((leg, place) => legOf(leg, { ...block, place })),
    };
  };
  return { nextId, make, chance: (atMs) => make(chanceSpec(random, atMs)) };
}

function feeOf({ kind, indexPrice, isDecimal }: SimulatedInstrument, amount: number): number {
  if (kind === "option") return Number((amount * 0.0003).toPrecision(6));
  if (kind === "spot") return 0;
  return isDecimal
    ? Number((amount * indexPrice * 0.00025).toPrecision(6))
    : Number(((amount / indexPrice) * 0.00025).toPrecision(4));
}

/** What block trades are made of, in the sizes that others trade. */
export const STRUCTURES: readonly [readonly LegSpec[], ...(readonly LegSpec[])[]] = [
  [
    { instrument_name: "BTC-26MAR27-96000-C", direction: "buy", amount: 25 },
    { instrument_name: "BTC-26MAR27-108000-C", direction: "sell", amount: 25 },
  ],
  [
    { instrument_name: "BTC-26MAR27-84000-P", direction: "sell", amount: 12.5 },
    { instrument_name: "BTC-PERPETUAL", direction: "sell", amount: 200_000 },
  ],
  [
    { instrument_name: "ETH-25JUN27-2250-C", direction: "buy", amount: 500 },
    { instrument_name: "ETH-25JUN27-2250-P", direction: "buy", amount: 500 },
  ],
  [
    { instrument_name: "ETH-26MAR27", direction: "sell", amount: 150_000 },
    { instrument_name: "ETH-PERPETUAL", direction: "buy", amount: 150_000 },
  ],
  [{ instrument_name: "BTC_USDC-PERPETUAL", direction: "buy", amount: 4 }],
  [{ instrument_name: "BTC_USDT", direction: "sell", amount: 2 }],
];

function chanceSpec(random: Random, atMs: number): BlockTradeSpec {
  const scale = randomInteger(random, 1, 4);
  return { atMs, legs: randomOf(random, STRUCTURES).map((leg) => ({ ...leg, amount: leg.amount * scale })) };
}

/** The number of block trades at the beginning: more than one call can ask for. */
export const FIRST_BLOCK_TRADES = 130;

/**
 * Returns the block trades of the first world, the oldest first; the latest of them together carry every possible
 * member.
 */
export function firstBlockTrades(maker: BlockTradeMaker, nowMs: number): SimulatedBlockTrade[] {
  const hour = 3_600_000;
  const special = specialSpecs();
  const older = Array.from({ length: FIRST_BLOCK_TRADES - special.length }, (_, index) =>
    maker.chance(nowMs - (FIRST_BLOCK_TRADES - index) * 7 * hour),
  );
  const latest = special.map((spec, index) =>
    maker.make({ ...spec, atMs: nowMs - (special.length - index) * 5 * hour }),
  );
  return [...older, ...latest];
}

function specialSpecs(): Omit<BlockTradeSpec, "atMs">[] {
  return [...oldSpecs(), ...rfqSpecs(), ...brokerSpecs(), ...comboSpecs()];
}

function oldSpecs(): Omit<BlockTradeSpec, "atMs">[] {
  return [
    {
      id: "66",
      legs: [
        {
          instrument_name: "BTC-26MAR27-90000-P",
          direction: "sell",
          amount: 2.3,
          state: "archive",
          fee: 0,
          contracts: undefined,
        },
        { instrument_name: "BTC-26MAR27", direction: "sell", amount: 50, fee: 0, state: "archive" },
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
          profit_loss: -0.01245,
          self_trade: false,
          user_id: USER_ID,
        },
        {
          instrument_name: "ETH-PERPETUAL",
          direction: "buy",
          amount: 40_000,
          order_type: "market",
          state: "cancelled",
          starbase_match_id: 9_007_199_254_741_993n,
          starbase_timestamp: 1_795_219_200_000_123_457n,
        },
      ],
    },
  ];
}

function rfqSpecs(): Omit<BlockTradeSpec, "atMs">[] {
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

function brokerSpecs(): Omit<BlockTradeSpec, "atMs">[] {
  const broker = { broker_code: "broker_7", broker_name: "Example Brokers" };
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
      broker_code: "broker_9",
      broker_name: "Other Brokers",
      legs: [
        {
          instrument_name: "BTC-PERPETUAL",
          direction: "sell",
          amount: 300_000,
          broker_code: "broker_9",
          broker_name: "Other Brokers",
          api: false,
        },
      ],
    },
  ];
}

function comboSpecs(): Omit<BlockTradeSpec, "atMs">[] {
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
          ...{
            instrument_name: combo_id,
            direction: "buy",
            amount: 10,
            combo_id,
            combo_trade_id: "7104220",
            profit_loss: 0.00018,
          },
          legs: [leg("BTC-25JUN27-102000-C", "buy", "92462001"), leg("BTC-25JUN27-120000-C", "sell", "92462002")],
        },
      ],
    },
    {
      legs: [
        {
          instrument_name: "BTC-FS-26MAR27_PERP",
          direction: "sell",
          amount: 60_000,
          combo_id: "BTC-FS-26MAR27_PERP",
          combo_trade_id: 7_104_233,
          legs: [],
        },
      ],
    },
    {
      legs: [
        { instrument_name: "XRP_USDC-26MAR27-2d25-C", direction: "buy", amount: 40_000 },
        { instrument_name: "XRP_USDC", direction: "sell", amount: 20_000 },
      ],
    },
  ];
}
