import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readOrderSize, type OrderSize } from "../../../../src/actions/changes/orderSize.ts";

/* The size in USD of an order that closes a position, from positions in the form in which the exchange sends them. */

const INSTRUMENTS: Readonly<Record<string, object>> = {
  "ETH-PERPETUAL": { kind: "future", base_currency: "ETH", quote_currency: "USD", settlement_currency: "ETH" },
  "LINK_USDC-PERPETUAL": { kind: "future", base_currency: "LINK", quote_currency: "USDC", settlement_currency: "USDC" },
  "BTC-25SEP26-88000-P": { kind: "option", base_currency: "BTC", quote_currency: "BTC", settlement_currency: "BTC" },
};
const INDEXES: Readonly<Record<string, string>> = {
  "ETH-PERPETUAL": "eth_usd",
  "LINK_USDC-PERPETUAL": "link_usdc",
  "BTC-25SEP26-88000-P": "btc_usd",
};
const PRICES: Readonly<Record<string, number>> = { eth_usd: 2500, link_usdc: 16, btc_usd: 90_000 };

async function sizeOf(
  name: string,
  position: object,
  instruments = INSTRUMENTS,
): Promise<Pick<OrderSize, "usd" | "isWhole">> {
  const { usd, isWhole } = await readOrderSize(
    "private/close_position",
    { instrument_name: name, type: "market" },
    async (method, params) => {
      const { instrument_name: asked, index_name: index } = params as Record<string, string>;
      const results: Readonly<Record<string, unknown>> = {
        "private/get_position": { instrument_name: asked, ...position },
        "public/get_instrument": instruments[asked ?? ""] && {
          ...{ instrument_name: asked, contract_size: 1, price_index: INDEXES[asked ?? ""] },
          ...instruments[asked ?? ""],
        },
        "public/get_index_price": { index_price: PRICES[index ?? ""] },
      };
      return await Promise.resolve(results[method]);
    },
  );
  return { usd, isWhole };
}

describe("closing a position", () => {
  test("in an inverse future is as large as its size", async () => {
    const position = { kind: "future", direction: "sell", size: -350, size_currency: -0.14 };
    assert.deepEqual(await sizeOf("ETH-PERPETUAL", position), { usd: 350, isWhole: true });
  });

  test("in a linear future is as large as its coins at the index price, and its size is no coins", async () => {
    const position = { kind: "future", direction: "buy", size: 40.25, size_currency: 2.5, mark_price: 16.1 };
    assert.deepEqual(await sizeOf("LINK_USDC-PERPETUAL", position), { usd: 40, isWhole: true });
  });

  test("in an option is as large as its coins at the index price", async () => {
    const position = { kind: "option", direction: "sell", size: -0.2 };
    assert.deepEqual(await sizeOf("BTC-25SEP26-88000-P", position), { usd: 18_000, isWhole: true });
  });

  test("in a linear future whose coins are not reported has no known size, and nothing is divided by a price", async () => {
    const position = { kind: "future", direction: "buy", size: 40.25, mark_price: 16.1 };
    assert.deepEqual(await sizeOf("LINK_USDC-PERPETUAL", position), { usd: 0, isWhole: false });
  });

  test("has no known size where the server tells nothing about the instrument, or the currencies of the instrument", async () => {
    const position = { kind: "future", direction: "buy", size: 40.25, size_currency: 2.5 };
    for (const instruments of [{}, { "LINK_USDC-PERPETUAL": { kind: "future" } }])
      assert.deepEqual(await sizeOf("LINK_USDC-PERPETUAL", position, instruments), { usd: 0, isWhole: false });
  });
});
