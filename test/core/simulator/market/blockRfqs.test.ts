import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { DetailedForm } from "../../../../src/simulator/market/blockRfqs.ts";
import { createSituation, type Conversation, type Situation } from "../conversation.ts";

interface Quote {
  readonly block_rfq_quote_id: number;
  readonly block_rfq_id: number;
  readonly quote_state: string;
  readonly quote_state_reason?: string;
  readonly label?: string;
}

async function signedIn(): Promise<{ situation: Situation; client: Conversation }> {
  const situation = createSituation();
  const client = situation.connect();
  await client.signIn();
  return { situation, client };
}

const ALL = "private/cancel_all_block_rfq_quotes";
const open = async (client: Conversation, params?: Record<string, unknown>): Promise<number[]> =>
  (await client.result<Quote[]>("private/get_block_rfq_quotes", params)).map((quote) => quote.block_rfq_quote_id);

describe(ALL, () => {
  test("all, or those of one Block RFQ; a number that is 0 when there was nothing", async () => {
    const { client } = await signedIn();
    assert.deepEqual(await open(client), [1302, 1303, 1304, 1305]);
    assert.equal(await client.result(ALL, { block_rfq_id: 724 }), 2);
    assert.deepEqual(await open(client), [1302, 1303]);
    assert.equal(await client.result(ALL, { block_rfq_id: 724 }), 0);
    assert.equal(await client.result(ALL, { detailed: false }), 2);
    assert.deepEqual(await open(client), []);
  });

  const forms: readonly [DetailedForm, unknown, number[]][] = [
    ["list", [1302, 1303, 1304, 1305], []],
    [
      "batches",
      [
        { currency: "BTC", quotes: [1302, 1303] },
        { currency: "ETH", quotes: [1304, 1305] },
      ],
      [],
    ],
    [
      "partial",
      [
        { currency: "BTC", error: 10_041 },
        { currency: "ETH", quotes: [1304, 1305] },
      ],
      [1302, 1303],
    ],
  ];
  for (const [form, expected, left] of forms) {
    test(`detailed as ${form}`, async () => {
      const { situation, client } = await signedIn();
      situation.exchange.control.setDetailedForm(form);
      const result = await client.result<(Quote & { currency?: string; result?: Quote[]; error?: { code: number } })[]>(
        ALL,
        { detailed: true },
      );
      const seen = result.map(({ block_rfq_quote_id: id, currency, result: quotes, error }) =>
        currency === undefined
          ? id
          : {
              currency,
              ...(error === undefined
                ? { quotes: quotes?.map((quote) => quote.block_rfq_quote_id) }
                : { error: error.code }),
            },
      );
      assert.deepEqual(seen, expected);
      assert.deepEqual(await open(client), left);
    });
  }

  test("each quote that ends is told", async () => {
    const { client } = await signedIn();
    const channels = ["block_rfq.maker.quotes.BTC", "block_rfq.maker.quotes.ETH"];
    await client.result("private/subscribe", { channels });
    await client.result(ALL);
    for (const channel of channels) {
      const events = client.events(channel) as [Quote][];
      assert.deepEqual(
        events.map(([quote]) => `${quote.quote_state} ${quote.quote_state_reason ?? ""}`),
        ["cancelled user_request", "cancelled user_request"],
        channel,
      );
    }
  });
});

describe("one quote", () => {
  test("by its id, or by Block RFQ and label", async () => {
    const { client } = await signedIn();
    assert.equal(
      (await client.result<Quote>("private/cancel_block_rfq_quote", { block_rfq_quote_id: 1304 })).quote_state,
      "cancelled",
    );
    assert.equal(
      (await client.result<Quote>("private/cancel_block_rfq_quote", { block_rfq_id: 722, label: "cs-ask" }))
        .block_rfq_quote_id,
      1303,
    );
    assert.deepEqual(await open(client), [1302, 1305]);
  });

  test("that is gone is refused: unknown, filled, ended", async () => {
    const { situation, client } = await signedIn();
    const cancel = async (block_rfq_quote_id: number): Promise<unknown> =>
      await client.refusal("private/cancel_block_rfq_quote", { block_rfq_quote_id });
    situation.exchange.control.fillBlockRfqQuote(1302);
    situation.exchange.control.cancelBlockRfqQuote(1303, "mmp_trigger");
    situation.exchange.control.expireBlockRfq(724);
    assert.deepEqual(
      [await cancel(9), await cancel(1302), await cancel(1303), await cancel(1305)],
      [[10004], [10010], [11044], [11044]],
    );
    assert.deepEqual(await open(client), []);
  });

  test("that is filled first is not cancelled", async () => {
    const { situation, client } = await signedIn();
    situation.exchange.control.setFault({ method: "private/cancel_block_rfq_quote", effect: "overtaken" });
    assert.deepEqual(await client.refusal("private/cancel_block_rfq_quote", { block_rfq_quote_id: 1302 }), [10010]);
  });

  test("that is placed anew is told and listed", async () => {
    const { situation, client } = await signedIn();
    await client.result("private/subscribe", { channels: ["block_rfq.maker.quotes.BTC"] });
    const placed = situation.exchange.control.placeBlockRfqQuote({
      block_rfq_id: 722,
      direction: "buy",
      price: 0.021,
      amount: 10,
      label: "new",
    });
    await situation.clock.settle();
    assert.deepEqual(client.events("block_rfq.maker.quotes.BTC"), [[placed]]);
    assert.deepEqual(await open(client, { block_rfq_id: 722, label: "new" }), [placed["block_rfq_quote_id"]]);
    assert.throws(() =>
      situation.exchange.control.placeBlockRfqQuote({ block_rfq_id: 690, direction: "buy", price: 1, amount: 1 }),
    );
  });
});

describe("private/get_block_rfqs", () => {
  test("filters and pages", async () => {
    const { client } = await signedIn();
    interface Page {
      readonly block_rfqs: { readonly block_rfq_id: number }[];
      readonly continuation: string | null;
    }
    const read = async (params: Record<string, unknown>): Promise<number[]> =>
      (await client.result<Page>("private/get_block_rfqs", params)).block_rfqs.map((rfq) => rfq.block_rfq_id);
    assert.deepEqual(await read({}), [725, 724, 722, 50_510, 690, 655]);
    assert.deepEqual(await read({ state: "open", role: "maker" }), [724, 722]);
    assert.deepEqual(await read({ currency: "ETH" }), [724]);
    const first = await client.result<Page>("private/get_block_rfqs", { count: 4 });
    assert.deepEqual(
      [first.continuation, await read({ count: 4, continuation: first.continuation })],
      ["4", [690, 655]],
    );
  });
});

describe("faults work for every method as they do for cancelling an order", () => {
  const calls: readonly [string, Record<string, unknown>, unknown][] = [
    [ALL, {}, 0],
    [ALL, { detailed: true }, []],
    ["private/reset_mmp", { index_name: "btc_usd" }, "ok"],
  ];
  for (const [method, params, result] of calls) {
    test(`${method} ${JSON.stringify(params)} that was skipped claims it was done`, async () => {
      const { situation, client } = await signedIn();
      situation.exchange.control.setFault({ method, effect: "skipped" });
      assert.deepEqual(await client.result(method, params), result);
      assert.deepEqual(await open(client), [1302, 1303, 1304, 1305]);
      assert.equal(situation.exchange.control.ledger().at(-2)?.isApplied, false);
    });
  }

  test("a scope change that was skipped responds with the key as it is; one that was made may answer with an error", async () => {
    const { situation, client } = await signedIn();
    const { control } = situation.exchange;
    const method = "private/change_scope_in_api_key";
    const before = control.apiKeys()[1];
    control.setFault({ method, effect: "skipped" });
    assert.deepEqual(await client.result(method, { id: 2, max_scope: "" }), before);
    control.setFault({ method, response: { code: 11_094 } });
    assert.deepEqual(await client.refusal(method, { id: 2, max_scope: "" }), [11_094]);
    assert.equal(control.apiKeys()[1]?.["max_scope"], "");
  });

  test("a response that never comes, and quotes that end all the same", async () => {
    const { situation, client } = await signedIn();
    situation.exchange.control.setFault({ method: ALL, response: "none" });
    const { length } = client.received;
    await client.send(JSON.stringify({ jsonrpc: "2.0", id: 77, method: ALL, params: {} }));
    assert.equal(client.received.length, length);
    assert.deepEqual(situation.exchange.control.blockRfqQuotes(), []);
  });
});
