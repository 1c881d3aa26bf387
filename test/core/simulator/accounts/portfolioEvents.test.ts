import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createFakeClock } from "../../../fakeClock.ts";
import { createListing } from "../../../../src/simulator/market/listing.ts";
import { readAccountFile, type DescribedAccount } from "../../../../src/simulator/wire/accountFile.ts";
import { pluck } from "../../../pluck.ts";
import { createSituation, type Conversation, type Situation } from "../conversation.ts";
import { EMPTY, MAIN } from "./desk.ts";

/* The accounts over the wire: events of portfolios, and the account that a file describes. */

interface Portfolio {
  readonly currency: string;
  readonly balance: number;
  readonly equity: number;
}

const LONG = JSON.stringify({
  balances: { BTC: 3, USDC: 1000.5 },
  positions: [
    { instrument_name: "BTC-PERPETUAL", size: 1000, average_price: 90_000.25 },
    { instrument_name: "BTC-26MAR27-96000-C", size: -0.5, average_price: 0.0712 },
  ],
});

const { instruments } = createListing(createFakeClock().now());

function described(text: string): DescribedAccount {
  const account = readAccountFile(text, instruments);
  assert.ok(typeof account !== "string");
  return account;
}

async function connected(situation: Situation): Promise<Conversation> {
  const client = situation.connect();
  await client.signIn();
  return client;
}

const transfer = { currency: "BTC", amount: 1, destination: EMPTY };

describe("user.portfolio", () => {
  test("tells what there is at the subscription, and then each change once", async () => {
    const client = await connected(createSituation());
    const channels = ["user.portfolio.btc", "user.portfolio.any", "user.lock", "user.portfolio.eth"];
    assert.deepEqual(await client.result("private/subscribe", { channels }), channels);
    const of = (name: string): Portfolio[] => client.events(`user.portfolio.${name}`) as Portfolio[];
    assert.deepEqual(pluck(of("btc"), "currency", "balance"), [["BTC", 12.5]]);
    assert.deepEqual(pluck(of("any"), "currency"), ["BTC", "ETH", "USDC", "USDT", "EURR", "SOL", "XRP"]);
    await client.result("private/submit_transfer_to_subaccount", transfer);
    assert.deepEqual(pluck(of("btc"), "balance"), [12.5, 11.5]);
    assert.equal(of("any").length, 8);
    assert.deepEqual(pluck(of("eth"), "balance"), [150]);
    assert.deepEqual(client.events("user.lock"), []);
    // What it tells is what a summary tells.
    const summary = await client.result<object>("private/get_account_summary", { currency: "BTC" });
    assert.deepEqual(of("btc").at(-1), summary);
  });

  test("is the account's own, and needs its scope", async () => {
    const situation = createSituation();
    const main = await connected(situation);
    const other = situation.connect();
    const { refresh_token } = await other.signIn();
    await other.result("public/exchange_token", { refresh_token, subject_id: EMPTY });
    await other.result("private/subscribe", { channels: ["user.portfolio.btc"] });
    await main.result("private/submit_transfer_to_subaccount", transfer);
    assert.deepEqual(pluck(other.events("user.portfolio.btc") as Portfolio[], "balance"), [0, 1]);
    const blind = situation.connect();
    await blind.signIn("wallet:read");
    assert.deepEqual(await blind.result("private/subscribe", { channels: ["user.portfolio.btc", "user.lock"] }), []);
  });

  test("moves with the marks once a second, unless the market stands still", async () => {
    for (const still of [false, true]) {
      const situation = createSituation({ still, orders: 0, account: described(LONG) });
      const client = await connected(situation);
      await client.result("private/subscribe", { channels: ["user.portfolio.btc", "user.portfolio.usdc"] });
      const events = (): Portfolio[] => client.events("user.portfolio.btc") as Portfolio[];
      assert.equal(events().length, 1);
      await situation.clock.advance(5000);
      assert.equal(events().length, still ? 1 : 6);
      assert.equal(client.events("user.portfolio.usdc").length, 1);
      if (!still) assert.ok(new Set(pluck(events(), "equity")).size > 1);
      situation.exchange.dispose();
    }
  });
});

describe("what no trade brings about", () => {
  const summaryOf = async (client: Conversation): Promise<object> =>
    await client.result<object>("private/get_account_summary", { currency: "BTC" });
  const last = (client: Conversation): unknown => client.events("user.portfolio.btc").at(-1);

  test("positions that are moved to another account are told to both", async () => {
    const situation = createSituation({ account: described(LONG) });
    const client = await connected(situation);
    const other = situation.connect();
    const { refresh_token } = await other.signIn();
    await other.result("public/exchange_token", { refresh_token, subject_id: EMPTY });
    await client.result("private/submit_transfer_to_subaccount", transfer);
    const channels = ["user.portfolio.btc", "user.changes.BTC-PERPETUAL.raw", "user.trades.BTC-PERPETUAL.raw"];
    for (const each of [client, other]) await each.result("private/subscribe", { channels });
    await client.result("private/move_positions", {
      ...{ source_uid: MAIN, target_uid: EMPTY },
      trades: [{ instrument_name: "BTC-PERPETUAL", amount: 1000 }],
    });
    for (const each of [client, other]) {
      assert.equal(each.events("user.portfolio.btc").length, 2);
      assert.deepEqual(last(each), await summaryOf(each));
      // A moved position is no trade: its new size is all that changed.
      const position = await each.result("private/get_position", { instrument_name: "BTC-PERPETUAL" });
      assert.deepEqual(each.events("user.changes.BTC-PERPETUAL.raw"), [
        { trades: [], positions: [position], orders: [], instrument_name: "BTC-PERPETUAL" },
      ]);
      assert.deepEqual(each.events("user.trades.BTC-PERPETUAL.raw"), []);
    }
    situation.exchange.dispose();
  });

  test("a market that is made to stand still has told the prices at which it stands", async () => {
    const situation = createSituation({ still: false, orders: 0, account: described(LONG) });
    const client = await connected(situation);
    await client.result("private/subscribe", { channels: ["user.portfolio.btc"] });
    await situation.clock.advance(1700);
    situation.exchange.control.setStill(true);
    await situation.clock.advance(60_000);
    assert.equal(client.events("user.portfolio.btc").length, 3);
    assert.deepEqual(last(client), await summaryOf(client));
    situation.exchange.dispose();
  });
});

describe("the account of a file", () => {
  test("has its balances and positions and nothing else, and the books stay balanced", async () => {
    const client = await connected(createSituation({ orders: 0, account: described(LONG) }));
    const { summaries } = await client.result<{ summaries: Portfolio[] }>("private/get_account_summaries");
    assert.deepEqual(
      pluck(summaries, "currency", "balance").filter(([, balance]) => balance !== 0),
      [
        ["BTC", 3],
        ["USDC", 1000.5],
      ],
    );
    const positions =
      await client.result<Record<"instrument_name" | "size" | "average_price", unknown>[]>("private/get_positions");
    assert.deepEqual(pluck(positions, "instrument_name", "size", "average_price"), [
      ["BTC-PERPETUAL", 1000, 90_000.25],
      ["BTC-26MAR27-96000-C", -0.5, 0.0712],
    ]);
    const log = await client.result<{ logs: { change: number }[] }>("private/get_transaction_log", {
      ...{ currency: "BTC", start_timestamp: 0, end_timestamp: 4e12 },
    });
    assert.deepEqual(pluck(log.logs, "change"), [3]);
  });

  const wrong: readonly [string, string][] = [
    ["{", "The file is not JSON: "],
    [Buffer.from("\uFEFF{}", "utf16le").toString("utf8"), "The file is encoded in UTF-16. Save it as UTF-8."],
    ["[]", "the file must be an object."],
    ['{"balance": {}}', "the file can't have balance, only balances, positions."],
    ['{"balances": {"BTC": "1"}}', 'balances.BTC must be a number above 0, not "1".'],
    ['{"balances": {"BTC": -1}}', "balances.BTC must be a number above 0, not -1."],
    ['{"balances": {"DOGE": 1}}', "balances can't have DOGE, only BTC, ETH, USDC, USDT, EURR, SOL, XRP."],
    ['{"positions": {}}', "positions must be a list."],
    ['{"positions": [1]}', "positions[0] must be an object."],
    [
      '{"positions": [{"instrument_name": "BTC_USDC"}]}',
      'positions[0].instrument_name must be a future or an option of the simulator, not "BTC_USDC".',
    ],
    [
      '{"positions": [{"instrument_name": "BTC-PERPETUAL", "size": 5}]}',
      "positions[0].size must be a multiple of 10, not 5.",
    ],
    [
      '{"positions": [{"instrument_name": "SOL_USDC-PERPETUAL", "size": 10, "average_price": 1}]}',
      "positions[0] can't have size, only instrument_name, average_price, size_currency.",
    ],
    [
      '{"positions": [{"instrument_name": "SOL_USDC-PERPETUAL", "average_price": 1}]}',
      "positions[0].size_currency must be a multiple of 0.1, not nothing.",
    ],
    [
      '{"positions": [{"instrument_name": "BTC-PERPETUAL", "size": 10}]}',
      "positions[0].average_price must be a number above 0, not nothing.",
    ],
    [
      '{"positions": [{"instrument_name": "BTC-PERPETUAL", "size": 10, "average_price": 1}, {"instrument_name": "BTC-PERPETUAL", "size": 10, "average_price": 1}]}',
      "positions[1] is in an instrument that has a position already.",
    ],
  ];
  for (const [text, message] of wrong) {
    test(`is refused where it is ${text}`, () => {
      const reading = readAccountFile(text, instruments);
      assert.ok(typeof reading === "string");
      assert.equal(reading.slice(0, message.length), message);
    });
  }
});

describe("subaccounts over the wire", () => {
  test("one that was opened can be switched to, and trades its own", async () => {
    const client = await connected(createSituation());
    const token = await client.signIn();
    const { id } = await client.result<{ id: number }>("private/create_subaccount");
    await client.result("private/submit_transfer_to_subaccount", { ...transfer, destination: id });
    const about = { currency: "BTC", subaccount_id: id };
    assert.equal((await client.result<Portfolio>("private/get_account_summary", about)).balance, 1);
    await client.result("public/exchange_token", { refresh_token: token.refresh_token, subject_id: id });
    assert.equal((await client.result<Portfolio>("private/get_account_summary", { currency: "BTC" })).balance, 1);
    assert.deepEqual(await client.result("private/get_open_orders"), []);
    assert.deepEqual(pluck(await client.result<{ id: number }[]>("private/get_subaccounts"), "id"), [id]);
    const other = { currency: "BTC", subaccount_id: MAIN };
    assert.deepEqual(await client.refusal("private/get_account_summary", other), [
      -32_602,
      "subaccount_id",
      "invalid subaccount_id",
    ]);
  });

  test("a transfer with a nonce is made once", async () => {
    const client = await connected(createSituation());
    const asked = { ...transfer, nonce: "once" };
    const first = await client.result<object>("private/submit_transfer_between_subaccounts", asked);
    assert.deepEqual(await client.result("private/submit_transfer_between_subaccounts", asked), first);
    const { data, count } = await client.result<{ data: object[]; count: number }>("private/get_transfers", {
      currency: "BTC",
    });
    assert.deepEqual([data, count], [[first], 1]);
    await client.result("private/submit_transfer_between_subaccounts", { ...asked, nonce: "twice" });
    const { balance } = await client.result<Portfolio>("private/get_account_summary", { currency: "BTC" });
    assert.equal(balance, 10.5);
  });

  test("reads go on with odd words and members", async () => {
    const client = await connected(createSituation({ odd: true, seed: 5, account: described(LONG) }));
    const texts = new Set<string>();
    for (let call = 0; call < 40; call++) {
      await client.result("private/get_positions");
      texts.add(client.received.at(-1)?.replace(/"id":\d+|"us\w+":\d+/g, "") ?? "");
    }
    assert.ok(texts.size > 1);
  });
});
