import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pluck } from "../../../pluck.ts";
import { createSituation } from "../conversation.ts";

interface Leg {
  readonly instrument_name: string;
  readonly block_rfq_id?: number;
}

interface BlockTrade {
  readonly id: string;
  readonly timestamp: number;
  readonly broker_code?: string;
  readonly trades: readonly Leg[];
}

const METHOD = "private/get_block_trades";

describe(METHOD, () => {
  const situation = createSituation();
  const client = situation.connect();
  const signedIn = client.signIn();
  const read = async (params?: Record<string, unknown>): Promise<BlockTrade[]> => {
    await signedIn;
    return await client.result<BlockTrade[]>(METHOD, params);
  };
  const ids = (trades: readonly BlockTrade[]): string[] => trades.map(({ id }) => id);

  test("the newest first, page by page without a gap or a double", async () => {
    const first = await read({ count: 101 });
    assert.equal(first.length, 101);
    assert.deepEqual(
      pluck(first, "timestamp"),
      first.map(({ timestamp }) => timestamp).toSorted((one, other) => other - one),
    );
    const rest = await read({ count: 101, start_id: first.at(-1)?.id });
    assert.equal(rest.length, 29);
    assert.equal(new Set(ids([...first, ...rest])).size, 130);
    assert.deepEqual(await read({ count: 101, start_id: rest.at(-1)?.id }), []);
    const all = ids([...first, ...rest]);
    const pages: string[] = [];
    for (let start: string | undefined; ; start = pages.at(-1)) {
      const page = await read({ count: 7, ...(start === undefined ? {} : { start_id: start }) });
      if (page.length === 0) break;
      pages.push(...ids(page));
    }
    assert.deepEqual(pages, all);
  });

  test("start_id is left out of the response, end_id is the last in it", async () => {
    const page = ids(await read({ count: 10 }));
    assert.deepEqual(ids(await read({ start_id: page[2], end_id: page[6] })), page.slice(3, 7));
    assert.deepEqual(await client.refusal(METHOD, { end_id: page[6] }), [-32602, "end_id", "wrong format"]);
  });

  test("filters: currency, Block RFQ, broker", async () => {
    for (const currency of ["BTC", "ETH", "USDC", "USDT"]) {
      const found = await read({ currency, count: 101 });
      assert.ok(found.length > 0, currency);
    }
    assert.deepEqual(await read({ currency: "EURR" }), []);
    assert.deepEqual(await client.refusal(METHOD, { currency: "XYZ" }), [-32602, "currency", "invalid currency"]);
    const rfq = await read({ block_rfq_id: 50_510 });
    assert.deepEqual(
      rfq.map(({ trades }) => trades.map((leg) => leg.block_rfq_id)),
      [[50_510, 50_510]],
    );
    assert.deepEqual(pluck(await read({ broker_code: "any" }), "broker_code"), ["broker_9", "broker_7"]);
    assert.deepEqual((await read({ broker_code: "broker_7" })).length, 1);
  });

  test("one by its id, and none for an id that does not exist", async () => {
    const [newest] = await read({ count: 1 });
    assert.deepEqual(await client.result("private/get_block_trade", { id: newest?.id }), newest);
    assert.deepEqual(await client.refusal("private/get_block_trade", { id: "BLOCK-1" }), [13020]);
    assert.deepEqual(await client.refusal(METHOD, { start_id: "BLOCK-1" }), [13020]);
  });

  test("a restricted key sees only what was made with it", async () => {
    const key = situation.exchange.control.apiKeys()[2];
    const other = situation.connect();
    await other.result("public/auth", {
      grant_type: "client_credentials",
      client_id: key?.["client_id"],
      client_secret: key?.["client_secret"],
    });
    const found = await other.result<BlockTrade[]>(METHOD);
    assert.equal(found.length, 1);
    assert.deepEqual(await other.refusal("private/get_block_trade", { id: "66" }), [-32602, "id", "not found"]);
  });
});

describe("a block trade that is executed now", () => {
  test("is the newest, and told on every channel that has to do with it", async () => {
    const situation = createSituation();
    const client = situation.connect();
    await client.signIn();
    const channels = [
      "block_trade_confirmations",
      "block_trade_confirmations.BTC",
      "block_trade_confirmations.ETH",
      "user.trades.any.any.raw",
      "trades.BTC-26MAR27-96000-C.raw",
      "block_rfq.trades.BTC",
    ];
    assert.deepEqual(await client.result("private/subscribe", { channels }), channels);
    const { id } = situation.exchange.control.addBlockTrade({
      legs: [{ instrument_name: "BTC-26MAR27-96000-C", direction: "buy", amount: 25, block_rfq_id: 722 }],
    });
    assert.deepEqual(pluck(await client.result<BlockTrade[]>(METHOD, { count: 1 }), "id"), [id]);
    const found = channels.map((channel) => client.events(channel).length);
    assert.deepEqual(found, [1, 1, 0, 1, 1, 1]);
    const [confirmation] = client.events("block_trade_confirmations") as { state: { value: string }; nonce: string }[];
    assert.deepEqual([confirmation?.state.value, confirmation?.nonce], ["executed", `bt-${String(id)}`]);
    const [[trade]] = client.events("trades.BTC-26MAR27-96000-C.raw") as [
      [{ block_trade_id: string; block_trade_leg_count: number; block_rfq_id: number }],
    ];
    assert.deepEqual([trade.block_trade_id, trade.block_trade_leg_count, trade.block_rfq_id], [id, 1, 722]);
  });
});
