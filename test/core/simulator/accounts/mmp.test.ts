import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createSituation, type Conversation, type Situation } from "../conversation.ts";

interface Config {
  readonly index_name: string;
  readonly mmp_group?: string;
  readonly block_rfq?: boolean;
}

interface Frozen extends Config {
  readonly frozen_until: number;
}

async function signedIn(): Promise<{ situation: Situation; client: Conversation }> {
  const situation = createSituation();
  const client = situation.connect();
  await client.signIn();
  return { situation, client };
}

const words = (configs: readonly Config[]): string[] =>
  configs.map(
    ({ index_name, mmp_group = "-", block_rfq = false }) => `${index_name} ${mmp_group}${block_rfq ? " rfq" : ""}`,
  );

describe("private/get_mmp_config", () => {
  const cases: readonly [Record<string, unknown>, string[]][] = [
    [{}, ["btc_usd -", "btc_usd g1", "btc_usd TestBtc", "eth_usd g2", "eth_usd -", "xrp_usdc -"]],
    [{ index_name: "all" }, ["btc_usd -", "btc_usd g1", "btc_usd TestBtc", "eth_usd g2", "eth_usd -", "xrp_usdc -"]],
    [{ index_name: "btc_usd" }, ["btc_usd -", "btc_usd g1", "btc_usd TestBtc"]],
    [{ index_name: "btc_usd", mmp_group: "" }, ["btc_usd -"]],
    [{ index_name: "btc_usd", mmp_group: "g1" }, ["btc_usd g1"]],
    [{ index_name: "btc_usd", mmp_group: "G1" }, []],
    [{ block_rfq: true }, ["btc_usd - rfq", "eth_usd - rfq"]],
    [{ index_name: "doge_usdc" }, []],
  ];
  for (const [params, expected] of cases) {
    test(JSON.stringify(params), async () => {
      const { client } = await signedIn();
      assert.deepEqual(words(await client.result<Config[]>("private/get_mmp_config", params)), expected);
    });
  }

  test("a group needs its index, and an index has to exist", async () => {
    const { client } = await signedIn();
    assert.deepEqual(await client.refusal("private/get_mmp_config", { mmp_group: "g1" }), [
      -32602,
      "mmp_group",
      "wrong format",
    ]);
    assert.deepEqual(await client.refusal("private/get_mmp_config", { index_name: "abc_usd" }), [
      -32602,
      "index_name",
      "invalid index_name",
    ]);
  });

  test("identifiers keep their digits", async () => {
    const { client } = await signedIn();
    await client.result("private/get_mmp_config");
    assert.match(client.received.at(-1) ?? "", /"id":144790485158800001\b/);
  });
});

describe("a frozen group", () => {
  test("is told, listed until its time is over, and then quotes again", async () => {
    const { situation, client } = await signedIn();
    const { control } = situation.exchange;
    const channels = ["user.mmp_trigger.any", "user.mmp_trigger.eth_usd", "user.mmp_trigger.btc_usd"];
    await client.result("private/subscribe", { channels });
    const [frozen] = control.freezeMmp({ index_name: "eth_usd", mmp_group: "g2" });
    await situation.clock.settle();
    const until = situation.clock.now() + 120_000;
    assert.deepEqual(frozen, { index_name: "eth_usd", frozen_until: until, mmp_group: "g2" });
    const found = channels.map((channel) => client.events(channel));
    assert.deepEqual(found, [[frozen], [frozen], []]);
    assert.deepEqual(await client.result<Frozen[]>("private/get_mmp_status"), [frozen]);
    assert.deepEqual(await client.result<Frozen[]>("private/get_mmp_status", { index_name: "btc_usd" }), []);
    await situation.clock.advance(119_999);
    assert.equal((await client.result<Frozen[]>("private/get_mmp_status")).length, 1);
    await situation.clock.advance(1);
    assert.deepEqual(await client.result<Frozen[]>("private/get_mmp_status"), []);
  });

  test("with a frozen_time of 0 it waits for a reset by hand", async () => {
    const { situation, client } = await signedIn();
    situation.exchange.control.freezeMmp({ index_name: "btc_usd", mmp_group: "g1" });
    await situation.clock.advance(590_000);
    assert.deepEqual(await client.result<Frozen[]>("private/get_mmp_status"), [
      { index_name: "btc_usd", frozen_until: 0, mmp_group: "g1" },
    ]);
    await client.result("private/reset_mmp", { index_name: "btc_usd" });
    assert.equal((await client.result<Frozen[]>("private/get_mmp_status")).length, 1);
    assert.equal(await client.result("private/reset_mmp", { index_name: "btc_usd", mmp_group: "g1" }), "ok");
    assert.deepEqual(await client.result<Frozen[]>("private/get_mmp_status"), []);
  });

  test("Block RFQ groups are frozen apart, and all of them are reset at once", async () => {
    const { situation, client } = await signedIn();
    situation.exchange.control.freezeMmp({ block_rfq: true }, 0);
    assert.deepEqual(await client.result<Frozen[]>("private/get_mmp_status"), []);
    assert.deepEqual(words(await client.result<Frozen[]>("private/get_mmp_status", { block_rfq: true })), [
      "btc_usd - rfq",
      "eth_usd - rfq",
    ]);
    assert.deepEqual(await client.refusal("private/reset_mmp", { index_name: "all" }), [
      -32602,
      "index_name",
      "all is only for block_rfq",
    ]);
    await client.result("private/reset_mmp", { index_name: "all", block_rfq: true });
    assert.deepEqual(await client.result<Frozen[]>("private/get_mmp_status", { block_rfq: true }), []);
  });

  test("loses the orders that it protects", async () => {
    const { situation } = await signedIn();
    const { control } = situation.exchange;
    const order = { instrument_name: "ETH-PERPETUAL", direction: "buy", amount: 3, price: 2000 } as const;
    const quote = { mmpGroup: "g2", setId: "1", id: "b1" };
    const { order_id } = control.place({ ...order, mmp: true, quote });
    const kept = control.place(order);
    control.freezeMmp({ index_name: "eth_usd", mmp_group: "g2" });
    assert.deepEqual(
      [
        control.order(order_id)?.cancel_reason,
        control.order(order_id)?.mmp_cancelled,
        control.order(kept.order_id)?.order_state,
      ],
      ["mmp_trigger", true, "open"],
    );
  });
});

describe("private/set_mmp_config", () => {
  test("sets, replaces and removes", async () => {
    const { client } = await signedIn();
    const config = {
      index_name: "sol_usdc",
      mmp_group: "fast",
      interval: 60,
      frozen_time: 0,
      quantity_limit: 3,
      max_quote_quantity: 2.5,
    };
    const [made] = await client.result<[Record<string, unknown>]>("private/set_mmp_config", config);
    assert.deepEqual({ ...made, id: 0 }, { ...config, id: 0 });
    await client.result("private/set_mmp_config", { ...config, quantity_limit: 4 });
    assert.deepEqual(
      (await client.result<{ quantity_limit: number }[]>("private/get_mmp_config", { index_name: "sol_usdc" })).map(
        (each) => each.quantity_limit,
      ),
      [4],
    );
    assert.deepEqual(await client.result("private/set_mmp_config", { ...config, interval: 0 }), []);
    assert.deepEqual(await client.result("private/get_mmp_config", { index_name: "sol_usdc" }), []);
    assert.deepEqual(await client.refusal("private/set_mmp_config", { ...config, max_quote_quantity: undefined }), [
      -32602,
      "max_quote_quantity",
      "value required",
    ]);
    assert.deepEqual(await client.refusal("private/set_mmp_config", { ...config, vega_limit: 0.12345 }), [
      -32602,
      "vega_limit",
      "at most 4 decimals",
    ]);
    assert.deepEqual(await client.refusal("private/set_mmp_config", { ...config, trade_count_limit: 5 }), [
      -32602,
      "trade_count_limit",
      "only for block_rfq",
    ]);
  });
});
