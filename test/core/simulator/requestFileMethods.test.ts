import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createFakeClock } from "../../fakeClock.ts";
import { pluck } from "../../pluck.ts";
import { createSituation, type Conversation, type Token } from "./conversation.ts";

/* Methods that only request files and other clients send: sessions, keys, combos, quotes for Block RFQs. */

async function signedIn(scope?: string): Promise<{ client: Conversation; token: Token }> {
  const client = createSituation().connect();
  return { client, token: await client.signIn(scope) };
}

describe("sessions", () => {
  test("a token of a session is forked, one of a connection is not", async () => {
    const { client, token } = await signedIn("session:first trade:read");
    const fork = { refresh_token: token.refresh_token, session_name: "second" };
    const forked = await client.result<Token>("public/fork_token", fork);
    assert.equal(forked.scope, token.scope.replace("session:first", "session:second"));
    for (const { access_token } of [token, forked]) await client.result("private/get_open_orders", { access_token });
    const other = await signedIn();
    assert.deepEqual(
      await other.client.refusal("public/fork_token", { ...fork, refresh_token: other.token.refresh_token }),
      [-32_602, "refresh_token", "only for tokens of a session"],
    );
  });

  test("logging out closes the connection without a response", async () => {
    const { client } = await signedIn();
    const before = client.received.length;
    await client.send('{"jsonrpc":"2.0","id":99,"method":"private/logout","params":{}}');
    assert.deepEqual([client.isOpen, client.received.length], [false, before]);
  });

  test("heartbeats stop, and channels end all at once", async () => {
    const { client } = await signedIn();
    await client.result("public/set_heartbeat", { interval: 10 });
    await client.result("public/disable_heartbeat");
    await client.result("private/subscribe", { channels: ["user.access_log"] });
    assert.equal(await client.result("private/unsubscribe_all"), "ok");
    await client.clock.advance(30_000);
    assert.equal(client.isOpen, true);
    assert.deepEqual(pluck(client.exchange.control.connections(), "channels"), [[]]);
  });
});

test("a key is renamed, and the access log says so", async () => {
  const { client } = await signedIn();
  const [key] = await client.result<{ id: number; name: string }[]>("private/list_api_keys");
  const rename = { id: key?.id, name: "renamed" };
  assert.equal((await client.result<{ name: string }>("private/change_api_key_name", rename)).name, "renamed");
  assert.deepEqual(await client.refusal("private/change_api_key_name", { ...rename, name: "no spaces" }), [
    -32_602,
    "name",
    "wrong format",
  ]);
  await client.result("private/reset_api_key", { id: key?.id });
});

interface Leg {
  readonly instrument_name: string;
  readonly amount: number;
}

describe("combos", () => {
  test("are listed with their legs, and end with the first of them", async () => {
    const { client } = await signedIn();
    const id = "BTC-FS-26MAR27_PERP";
    const combo = await client.result<{ state: string; legs: object[] }>("public/get_combo_details", { combo_id: id });
    assert.deepEqual(
      [combo.state, combo.legs],
      [
        "active",
        [
          { instrument_name: "BTC-26MAR27", amount: 1 },
          { instrument_name: "BTC-PERPETUAL", amount: -1 },
        ],
      ],
    );
    const all = await client.result<{ id: string; legs: object[] }[]>("public/get_combos", { currency: "any" });
    const legs = new Map(all.map((each) => [each.id, pluck(each.legs as Leg[], "instrument_name", "amount")]));
    // Seven for each of two pairs of quarters.
    assert.equal(all.length, 14);
    assert.deepEqual(legs.get("BTC-CS-25JUN27-100000_120000"), [
      ["BTC-25JUN27-100000-C", 1],
      ["BTC-25JUN27-120000-C", -1],
    ]);
    assert.deepEqual(legs.get("BTC-STRG-26MAR27-72000_112000"), [
      ["BTC-26MAR27-72000-P", 1],
      ["BTC-26MAR27-112000-C", 1],
    ]);
    assert.deepEqual(legs.get("ETH-STRD-26MAR27-2200"), [
      ["ETH-26MAR27-2200-C", 1],
      ["ETH-26MAR27-2200-P", 1],
    ]);
    const ids = { currency: "BTC", state: "active" };
    assert.ok((await client.result<string[]>("public/get_combo_ids", ids)).includes(id));
    const later = createSituation({ clock: createFakeClock(Date.UTC(2027, 2, 26, 8)) }).connect();
    assert.ok(!(await later.result<string[]>("public/get_combo_ids", ids)).includes(id));
    assert.deepEqual(await client.refusal("public/get_combo_details", { combo_id: "BTC-PERPETUAL" }), [13_020]);
  });

  test("the prices of legs add up", async () => {
    const { client } = await signedIn();
    const legs = [
      { instrument_name: "BTC-26MAR27-96000-C", amount: 2, direction: "buy" },
      { instrument_name: "BTC-26MAR27-102000-C", amount: 1, direction: "sell" },
    ];
    const priced = await client.result<{ legs: { price: number; ratio: number }[]; amount: number }>(
      "private/get_leg_prices",
      { legs, price: 0.1 },
    );
    assert.deepEqual([priced.amount, pluck(priced.legs, "ratio")], [1, [2, 1]]);
    const [bought = 0, sold = 0] = pluck(priced.legs, "price");
    assert.ok(Math.abs(2 * bought - sold - 0.1) < 1e-7);
    assert.ok(sold > 0);
  });
});

test("a quote for a Block RFQ is placed, changed, and read back; trades of Block RFQs are public", async () => {
  const { client } = await signedIn();
  const { block_rfqs: rfqs } = await client.result<{ block_rfqs: { block_rfq_id: number }[] }>(
    "private/get_block_rfqs",
    { state: "open", role: "maker" },
  );
  const block_rfq_id = rfqs[0]?.block_rfq_id;
  const quote = { block_rfq_id, amount: 5, direction: "buy", price: 0.02, legs: [], label: "mine" };
  const placed = await client.result<{ block_rfq_quote_id: number }>("private/add_block_rfq_quote", quote);
  const changes = { block_rfq_id, label: "mine", amount: 7, price: 0.0205, legs: [] };
  await client.result("private/edit_block_rfq_quote", changes);
  const read = await client.result<{ amount: number; price: number; replaced: boolean }[]>(
    "private/get_block_rfq_quotes",
    placed,
  );
  assert.deepEqual(pluck(read, "amount", "price", "replaced"), [[7, 0.0205, true]]);
  assert.deepEqual(await client.refusal("private/add_block_rfq_quote", { ...quote, block_rfq_id: 1 }), [13_020]);
  const legs = [{ instrument_name: "BTC-26MAR27-96000-C", direction: "buy", amount: 5, block_rfq_id: 722 }] as const;
  client.exchange.control.addBlockTrade({ legs });
  const { block_rfqs: traded } = await client.result<{ block_rfqs: { trades: object[] }[] }>(
    "public/get_block_rfq_trades",
    { currency: "any" },
  );
  assert.ok(traded.length > 0);
  for (const { trades } of traded) for (const trade of trades) assert.ok(!("maker" in trade));
});
