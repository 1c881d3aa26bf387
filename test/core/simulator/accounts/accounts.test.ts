import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { runControl } from "../../../../src/simulator/wire/controlRoutes.ts";
import { pluck } from "../../../pluck.ts";
import { createSituation, type Conversation, type Situation, type Token } from "../conversation.ts";

const MAIN = 48_595;
const SUB = 48_602;
const EMPTY = 48_604;

async function signedIn(scope?: string): Promise<{ situation: Situation; client: Conversation; token: Token }> {
  const situation = createSituation();
  const client = situation.connect();
  return { situation, client, token: await client.signIn(scope) };
}

const exchange = async (client: Conversation, token: Token, rest: Record<string, unknown>): Promise<Token> =>
  await client.result<Token>("public/exchange_token", { refresh_token: token.refresh_token, ...rest });

describe("public/exchange_token", () => {
  test("makes the socket another account's: its orders, its block trades, its events", async () => {
    const { situation, client, token } = await signedIn();
    await client.result("private/subscribe", { channels: ["user.orders.any.any.raw"] });
    const other = await exchange(client, token, { subject_id: SUB });
    assert.equal(other.scope, token.scope.replace("mainaccount ", ""));
    const orders = await client.result<{ user_id: number; order_id: string }[]>("private/get_open_orders");
    assert.deepEqual(pluck(orders, "user_id"), [SUB, SUB]);
    assert.deepEqual(await client.result("private/get_block_trades"), []);
    assert.deepEqual(await client.result("private/get_mmp_config"), []);
    assert.deepEqual(await client.result("private/get_block_rfq_quotes"), []);
    assert.deepEqual(await client.result("private/list_api_keys"), []);
    assert.deepEqual(await client.refusal("private/disable_api_key", { id: 3 }), [13020]);
    // Subscribed anew, events are those of the other account.
    await client.result("private/subscribe", { channels: ["user.orders.any.any.raw"] });
    situation.exchange.control.place({ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 10, price: 50_000 });
    assert.deepEqual(client.events("user.orders.any.any.raw"), []);
    await client.result("private/cancel", { order_id: orders[0]?.order_id });
    assert.equal(client.events("user.orders.any.any.raw").length, 1);
    const main = situation.exchange.control.openOrders()[0];
    assert.deepEqual(await client.refusal("private/cancel", { order_id: main?.order_id }), [10004]);
  });

  test("leaves the channels of the account before, until all of them are ended", async () => {
    const { situation, client, token } = await signedIn();
    await client.result("private/subscribe", { channels: ["user.orders.any.any.raw"] });
    await client.result("public/subscribe", { channels: ["trades.BTC-PERPETUAL.raw"] });
    await exchange(client, token, { subject_id: SUB });
    situation.exchange.control.place({ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 10, price: 50_000 });
    await client.result("public/test", {});
    assert.equal(client.events("user.orders.any.any.raw").length, 1);
    assert.equal(await client.result("public/unsubscribe_all"), "ok");
    situation.exchange.control.place({ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 10, price: 50_000 });
    await client.result("public/test", {});
    assert.equal(client.events("user.orders.any.any.raw").length, 1);
    assert.deepEqual(pluck(situation.exchange.control.connections(), "channels"), [[]]);
  });

  test("ends the tokens it was made from, unless a session of its own is made", async () => {
    const { client, token } = await signedIn();
    const session = await exchange(client, token, { subject_id: SUB, scope: "session:side trade:read" });
    assert.equal(session.scope, "name:simulator session:side trade:read");
    assert.ok(session.sid !== undefined);
    // The socket is still the main account's.
    assert.equal((await client.result<unknown[]>("private/get_open_orders")).length, 24);
    assert.equal(
      (await client.result<unknown[]>("private/get_open_orders", { access_token: session.access_token })).length,
      2,
    );
    await exchange(client, token, { subject_id: SUB });
    assert.deepEqual(await client.refusal("private/get_open_orders", { access_token: token.access_token }), [13009]);
    assert.deepEqual(
      await client.refusal("public/exchange_token", { refresh_token: token.refresh_token, subject_id: SUB }),
      [13009],
    );
  });

  test("never gives more than the caller has", async () => {
    const { client, token } = await signedIn("trade:read account:read");
    assert.equal(
      (await exchange(client, token, { subject_id: EMPTY, scope: "trade:read_write wallet:read" })).scope,
      "connection name:simulator trade:read",
    );
  });

  test("and never for a stranger's account, or back from a sub-account", async () => {
    const { client, token } = await signedIn();
    assert.deepEqual(
      await client.refusal("public/exchange_token", { refresh_token: token.refresh_token, subject_id: 5 }),
      [-32602, "subject_id", "invalid subject_id"],
    );
    const other = await exchange(client, token, { subject_id: EMPTY });
    assert.deepEqual(
      await client.refusal("public/exchange_token", { refresh_token: other.refresh_token, subject_id: MAIN }),
      [-32602, "subject_id", "invalid subject_id"],
    );
  });

  test("the new pair is refreshed as the same account, and the same ceiling", async () => {
    const { client, token } = await signedIn("trade:read");
    const other = await exchange(client, token, { subject_id: SUB });
    const refreshed = await client.result<Token>("public/auth", {
      grant_type: "refresh_token",
      refresh_token: other.refresh_token,
      scope: "trade:read_write",
    });
    assert.equal(refreshed.scope, "connection name:simulator trade:read");
    assert.equal((await client.result<unknown[]>("private/get_open_orders")).length, 2);
  });

  test("over HTTP too", async () => {
    const situation = createSituation();
    const first = (
      await situation.post({
        id: 1,
        method: "public/auth",
        params: {
          grant_type: "client_credentials",
          client_id: situation.exchange.clientId,
          client_secret: situation.exchange.clientSecret,
        },
      })
    ).result as Token;
    const { result } = await situation.post({
      id: 2,
      method: "public/exchange_token",
      params: { refresh_token: first.refresh_token, subject_id: SUB },
    });
    const orders = await situation.post({ id: 3, method: "private/get_open_orders" }, (result as Token).access_token);
    assert.equal((orders.result as unknown[]).length, 2);
  });
});

describe("private/get_subaccounts", () => {
  test("the main account sees all, a subaccount itself", async () => {
    const { client, token } = await signedIn();
    const ids = async (): Promise<string[]> =>
      (await client.result<{ id: number; type: string }[]>("private/get_subaccounts")).map(
        ({ id, type }) => `${type} ${String(id)}`,
      );
    assert.deepEqual(await ids(), [`main ${String(MAIN)}`, `subaccount ${String(SUB)}`, `subaccount ${String(EMPTY)}`]);
    await exchange(client, token, { subject_id: SUB });
    assert.deepEqual(await ids(), [`subaccount ${String(SUB)}`]);
  });
});

describe("subaccount_id", () => {
  test("the main account reads the trades of its subaccounts, a subaccount only its own", async () => {
    const { client, token, situation } = await signedIn();
    const method = "private/get_user_trades_by_currency";
    situation.exchange.control.addBlockTrade({
      legs: [{ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 1000 }],
    });
    const trades = async (more: object = {}): Promise<unknown> =>
      (await client.result<{ trades: unknown }>(method, { currency: "BTC", count: 1000, ...more })).trades;
    const [own, ofSubaccount] = [await trades(), await trades({ subaccount_id: SUB })];
    assert.deepEqual(await trades({ subaccount_id: MAIN }), own);
    assert.deepEqual(await trades({ subaccount_id: EMPTY }), []);
    assert.notDeepEqual(ofSubaccount, own);
    const refusal = async (id: number): Promise<unknown> =>
      await client.refusal(method, { currency: "BTC", subaccount_id: id });
    assert.deepEqual(await refusal(1), [-32602, "subaccount_id", "invalid subaccount_id"]);
    await exchange(client, token, { subject_id: SUB });
    assert.deepEqual(await trades(), ofSubaccount);
    assert.deepEqual(await refusal(MAIN), [-32602, "subaccount_id", "invalid subaccount_id"]);
  });
});

describe("what can be traded", () => {
  test("by currency and kind, with strikes and expiries", async () => {
    const client = createSituation().connect();
    interface Instrument {
      readonly instrument_name: string;
      readonly strike?: number;
      readonly option_type?: string;
      readonly expiration_timestamp?: number;
    }
    const read = async (params: Record<string, unknown>): Promise<Instrument[]> =>
      await client.result<Instrument[]>("public/get_instruments", params);
    assert.ok((await read({ currency: "any" })).length > 200);
    assert.deepEqual(pluck(await read({ currency: "EURR" }), "instrument_name"), ["BTC_EURR"]);
    const found = (await read({ currency: "USDC", kind: "option" })).map(
      ({ instrument_name, strike, option_type, expiration_timestamp }) => [
        instrument_name,
        strike,
        option_type,
        new Date(expiration_timestamp ?? 0).toISOString(),
      ],
    );
    assert.deepEqual(
      found.filter(([name]) => /^XRP_USDC-26MAR27-(?:2d25-C|1d875-P)$/.test(String(name))),
      [
        ["XRP_USDC-26MAR27-1d875-P", 1.875, "put", "2027-03-26T08:00:00.000Z"],
        ["XRP_USDC-26MAR27-2d25-C", 2.25, "call", "2027-03-26T08:00:00.000Z"],
      ],
    );
    assert.deepEqual(await client.refusal("public/get_instruments", { currency: "XYZ" }), [
      -32602,
      "currency",
      "invalid currency",
    ]);
    assert.ok((await client.result<string[]>("public/get_index_price_names")).includes("btc_usd"));
    assert.equal(
      (await client.result<{ name: string }[]>("public/get_index_price_names", { extended: true }))[0]?.name,
      "btc_usd",
    );
  });
});

describe("the control path", () => {
  test("reaches what the control object does", () => {
    const {
      exchange: { control },
    } = createSituation();
    const run = (name: string, body: object = {}): unknown =>
      JSON.parse(runControl(control, name, JSON.stringify(body)) ?? "");
    assert.deepEqual(run("apiKeys"), control.apiKeys());
    assert.deepEqual(
      run("addBlockTrade", { legs: [{ instrument_name: "ETH-PERPETUAL", direction: "buy", amount: 1000 }] }),
      control.blockTrades()[0],
    );
    assert.deepEqual(run("freezeMmp", { index_name: "btc_usd", mmp_group: "g1", untilMs: 0 }), control.frozen());
    run("resetMmp");
    assert.deepEqual(run("frozen"), []);
    assert.deepEqual((run("editApiKey", { id: 2, name: "x", max_scope: "" }) as { name: string }).name, "x");
    const { block_rfq_quote_id: id } = run("placeBlockRfqQuote", {
      block_rfq_id: 722,
      direction: "buy",
      price: 1,
      amount: 1,
    }) as { block_rfq_quote_id: number };
    assert.equal((run("fillBlockRfqQuote", { id }) as { quote_state: string }).quote_state, "filled");
    assert.equal(runControl(control, "noSuch", ""), undefined);
  });
});

describe("it changes while you watch", () => {
  test("block trades, quotes and frozen groups come by themselves, and every event fits its channel", async () => {
    const situation = createSituation({ still: false, account: undefined });
    const client = situation.connect();
    await client.signIn();
    const channels = [
      "block_trade_confirmations",
      "user.trades.any.any.raw",
      "user.mmp_trigger.any",
      "block_rfq.maker.quotes.BTC",
      "block_rfq.maker.quotes.ETH",
    ];
    await client.result("private/subscribe", { channels });
    await situation.clock.advance(900_000);
    for (const channel of channels) assert.ok(client.events(channel).length > 0, channel);
    situation.exchange.control.setStill(true);
    const count = client.received.length;
    await situation.clock.advance(900_000);
    assert.equal(client.received.length, count);
    situation.exchange.dispose();
    assert.equal(situation.clock.pendingTimers, 0);
  });

  test("the same seed, the same accounts", () => {
    const [one, other] = [createSituation(), createSituation()].map(({ exchange: { control } }) => {
      for (let step = 0; step < 30; step++) control.moveAccount();
      return [control.blockTrades(), control.blockRfqQuotes(), control.frozen(), control.apiKeys()];
    });
    assert.deepEqual(one, other);
  });
});
