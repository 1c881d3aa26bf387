import type { SimulatedMmpConfig } from "./mmp.ts";

/** Returns indexes with and without groups, with limits of every sort, and Block RFQ limits. */
export function firstMmpConfigs(): SimulatedMmpConfig[] {
  const id = (offset: number): bigint => 144_790_485_158_800_000n + BigInt(offset);
  return [
    {
      index_name: "btc_usd",
      interval: 2,
      frozen_time: 5,
      quantity_limit: 5,
      delta_limit: 0.5,
      vega_limit: 0.2,
      max_quote_quantity: 5,
      id: id(1),
    },
    {
      index_name: "btc_usd",
      mmp_group: "g1",
      interval: 60,
      frozen_time: 0,
      quantity_limit: 3,
      max_quote_quantity: 2.5,
      id: id(2),
    },
    {
      index_name: "btc_usd",
      mmp_group: "TestBtc",
      interval: 1,
      frozen_time: 1,
      quantity_limit: 10,
      max_quote_quantity: 10,
      id: id(3),
    },
    {
      index_name: "eth_usd",
      mmp_group: "g2",
      interval: 10,
      frozen_time: 120,
      quantity_limit: 250,
      delta_limit: 40,
      vega_limit: 12.5,
      max_quote_quantity: 50,
      id: id(4),
    },
    { index_name: "eth_usd", interval: 5, frozen_time: 30, quantity_limit: 100, max_quote_quantity: 40, id: id(5) },
    {
      index_name: "xrp_usdc",
      interval: 30,
      frozen_time: 3600,
      quantity_limit: 40_000,
      delta_limit: 25_000,
      max_quote_quantity: 8000,
      id: id(6),
    },
    {
      index_name: "btc_usd",
      block_rfq: true,
      interval: 300,
      frozen_time: 0,
      quantity_limit: 50,
      delta_limit: 10,
      vega_limit: 1.25,
      max_quote_quantity: 25,
      trade_count_limit: 20,
      id: id(7),
    },
    {
      index_name: "eth_usd",
      block_rfq: true,
      interval: 300,
      frozen_time: 600,
      quantity_limit: 400,
      trade_count_limit: 50,
      max_quote_quantity: 200,
      id: id(8),
    },
  ];
}
