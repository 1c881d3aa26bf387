import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createSituation, type Conversation, type Situation } from "./conversation.ts";
import { describeOrder, PERPETUAL, type Params, type Placed, type WireOrder } from "./trader.ts";

/*
 * Cancel-on-disconnect. The market stands still: the best bid is 1480 @ 92449, the best ask 220 @ 92451.5.
 * https://docs.deribit.com/api-reference/session-management/private-enable_cancel_on_disconnect
 */

const ENABLE = "private/enable_cancel_on_disconnect";
const DISABLE = "private/disable_cancel_on_disconnect";
const READ = "private/get_cancel_on_disconnect";

interface Desk extends Situation {
  /** A connection that sees what happens, and has no orders. */
  readonly watcher: Conversation;
  /** The connection that ends. */
  readonly client: Conversation;
}

async function open(options: Parameters<typeof createSituation>[0] = {}): Promise<Desk> {
  const situation = createSituation({ orders: 0, ...options });
  const [watcher, client] = [situation.connect(), situation.connect()];
  await watcher.signIn();
  await client.signIn();
  return { ...situation, watcher, client };
}

/** Places a buy order that rests, unless the parameters say otherwise. */
async function place(client: Conversation, params: Params = {}): Promise<WireOrder> {
  const { order } = await client.result<Placed>("private/buy", {
    ...{ instrument_name: PERPETUAL, amount: 100, price: 92_000 },
    ...params,
  });
  return order;
}

async function stateOf({ watcher }: Desk, { order_id }: WireOrder): Promise<string> {
  const order = await watcher.result<WireOrder>("private/get_order_state", { order_id });
  const reason = order["cancel_reason"];
  return typeof reason === "string" ? `${order.order_state} ${reason}` : order.order_state;
}

const CANCELLED = "cancelled cancel_on_disconnect";

/** How a connection can end. */
const ENDS: Readonly<Record<string, (desk: Desk) => Promise<void>>> = {
  "the client closes it": async ({ client, clock }) => {
    client.close();
    await clock.settle();
  },
  "the exchange closes it": async ({ client, exchange }) => {
    exchange.control.setFault({ method: "public/test", link: "close" });
    await client.call("public/test");
  },
  "it is cut off": async ({ client, exchange }) => {
    exchange.control.setFault({ method: "public/get_time", response: "none", link: "reset" });
    await client.send('{"jsonrpc":"2.0","id":0,"method":"public/get_time","params":{}}');
  },
  "there is no traffic for ten minutes": async ({ watcher, clock }) => {
    await clock.advance(599_999);
    await watcher.result("public/test");
    await clock.advance(1);
  },
  "a heartbeat gets no answer": async ({ client, clock }) => {
    await client.result("public/set_heartbeat", { interval: 10 });
    await clock.advance(20_000);
  },
};

describe("an order of a connection with cancel-on-disconnect", () => {
  test.each(Object.keys(ENDS))("is cancelled when %s", async (cause) => {
    const desk = await open();
    await desk.client.result(ENABLE, {});
    const order = await place(desk.client);
    await ENDS[cause]?.(desk);
    assert.deepEqual([desk.client.isOpen, await stateOf(desk, order)], [false, CANCELLED]);
  });

  test.each(Object.keys(ENDS))("stays where it was not enabled, and %s", async (cause) => {
    const desk = await open();
    const order = await place(desk.client);
    await ENDS[cause]?.(desk);
    assert.deepEqual([desk.client.isOpen, await stateOf(desk, order)], [false, "open"]);
  });

  test.each([{}, { invalidate_token: false }])("stays after private/logout with %j", async (params) => {
    const desk = await open();
    await desk.client.result(ENABLE, {});
    const order = await place(desk.client);
    await desk.client.send(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "private/logout", params }));
    assert.deepEqual([desk.client.isOpen, await stateOf(desk, order)], [false, "open"]);
  });

  test("is cancelled although the client takes no part in the closing", async () => {
    const desk = await open();
    await desk.watcher.result(ENABLE, { scope: "account" });
    let receive: (text: string) => void = () => undefined;
    desk.exchange.accept({
      description: "a client that has gone",
      send: () => undefined,
      onText: (listener) => {
        receive = listener;
        return { dispose: () => undefined };
      },
      onClose: () => ({ dispose: () => undefined }),
      close: () => undefined,
      terminate: () => undefined,
      dispose: () => undefined,
    });
    const { exchange, clock } = desk;
    const credentials = { client_id: exchange.clientId, client_secret: exchange.clientSecret };
    const buy = { instrument_name: PERPETUAL, amount: 100, price: 92_000 };
    const calls: readonly (readonly [string, Params])[] = [
      ["public/auth", { grant_type: "client_credentials", ...credentials }],
      ["private/buy", buy],
      ["public/set_heartbeat", { interval: 10 }],
    ];
    const say = ([method, params]: readonly [string, Params]): void => {
      receive(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    };
    for (const call of calls) say(call);
    const [order] = exchange.control.openOrders();
    assert.ok(order !== undefined);
    await clock.advance(20_000);
    assert.equal(exchange.control.order(order.order_id)?.cancel_reason, "cancel_on_disconnect");
    // What comes over it later is not heard.
    say(["private/buy", buy]);
    assert.deepEqual(exchange.control.openOrders(), []);
  });
});

describe("the orders that are cancelled", () => {
  test("are those created over the connection: not those of another one or of HTTP, and not those edited", async () => {
    const desk = await open();
    const { client, watcher } = desk;
    const { access_token: token } = await client.signIn("session:bot");
    await client.result(ENABLE, {});
    const own = await place(client);
    const other = await place(watcher);
    await client.result("private/edit", { order_id: other.order_id, amount: 200, price: 92_010 });
    const editedElsewhere = await place(client);
    await watcher.result("private/edit", { order_id: editedElsewhere.order_id, amount: 200, price: 92_010 });
    const params = { instrument_name: PERPETUAL, amount: 100, price: 92_020 };
    const { result } = await desk.post({ id: 1, method: "private/buy", params }, token);
    client.close();
    await desk.clock.settle();
    const states = [own, other, editedElsewhere, (result as Placed).order].map(
      async (each) => await stateOf(desk, each),
    );
    assert.deepEqual(await Promise.all(states), [CANCELLED, "open", CANCELLED, "open"]);
  });

  test("are those of every method that creates one, and what follows from them", async () => {
    const desk = await open();
    const { client, watcher } = desk;
    await client.result(ENABLE, {});
    const group = { index_name: "btc_usd", mmp_group: "makers" };
    const limits = { interval: 10, frozen_time: 5, max_quote_quantity: 1, quantity_limit: 1 };
    await client.result("private/set_mmp_config", { ...group, ...limits });
    const quotes = [{ instrument_name: PERPETUAL, bid: { price: 92_000, amount: 100 } }];
    await client.result("private/mass_quote", { quote_id: "1", mmp_group: group.mmp_group, quotes });
    await client.result("private/buy", { instrument_name: PERPETUAL, amount: 200, type: "market" });
    await client.result("private/close_position", { instrument_name: PERPETUAL, type: "limit", price: 93_000 });
    await client.result("private/sell", { instrument_name: PERPETUAL, amount: 100, price: 93_100 });
    const otoco = [{ price: 93_200 }, { type: "stop_market", trigger: "mark_price", trigger_price: 90_000 }];
    await place(client, { linked_order_type: "one_triggers_one_cancels_other", otoco_config: otoco });
    const stop = { type: "stop_limit", price: 92_000, trigger: "last_price", trigger_price: 92_900 };
    const { order_id: id } = await place(client, stop);
    desk.exchange.control.fire(id);
    await watcher.result("private/subscribe", { channels: ["user.orders.any.any.raw", "user.changes.any.any.raw"] });
    client.close();
    await desk.clock.settle();
    assert.deepEqual(await watcher.result("private/get_open_orders"), []);
    const told = watcher.events("user.orders.any.any.raw") as WireOrder[];
    assert.deepEqual(told.map(describeOrder), [
      "buy 100 @ 92000 limit cancelled",
      "sell 200 @ 93000 limit cancelled",
      "sell 100 @ 93100 limit cancelled",
      "buy 100 @ 92000 limit cancelled",
      "sell 100 @ 93200 limit cancelled",
      "sell 100 @ market_price stop_market cancelled",
      "buy 100 @ 92000 limit cancelled",
    ]);
    const changes = watcher.events("user.changes.any.any.raw") as { readonly orders: readonly WireOrder[] }[];
    assert.deepEqual(
      changes.flatMap(({ orders }) => orders.map((order) => order.order_id)),
      told.map((order) => order.order_id),
    );
  });

  test.each([
    [true, CANCELLED],
    [false, "untriggered"],
  ])("are trigger orders too: %s", async (disconnectCancelsTriggers, expected) => {
    const desk = await open({ disconnectCancelsTriggers });
    await desk.client.result(ENABLE, {});
    const trigger = { type: "stop_limit", price: 93_000, trigger: "last_price", trigger_price: 92_900 };
    const [plain, stop] = [await place(desk.client), await place(desk.client, trigger)];
    desk.client.close();
    await desk.clock.settle();
    assert.deepEqual([await stateOf(desk, plain), await stateOf(desk, stop)], [CANCELLED, expected]);
  });
});

describe("the setting", () => {
  test("of an account is what the connections begin with that are opened from then on", async () => {
    const desk = await open();
    const { client, watcher } = desk;
    assert.deepEqual(await watcher.result(ENABLE, { scope: "account" }), "ok");
    const later = desk.connect();
    await later.signIn();
    await watcher.result(DISABLE, { scope: "account" });
    const last = desk.connect();
    await last.signIn();
    const orders = [];
    for (const each of [client, later, last]) orders.push(await place(each));
    const settings = [client, later, last].map(
      async (each) => (await each.result<{ enabled: boolean }>(READ, {})).enabled,
    );
    assert.deepEqual(await Promise.all(settings), [false, true, false]);
    for (const each of [client, later, last]) each.close();
    await desk.clock.settle();
    assert.deepEqual(await Promise.all(orders.map(async (each) => await stateOf(desk, each))), [
      "open",
      CANCELLED,
      "open",
    ]);
  });

  test("of a connection is its own, whatever its account has", async () => {
    const desk = await open();
    await desk.watcher.result(ENABLE, { scope: "account" });
    const later = desk.connect();
    await later.signIn();
    await later.result(DISABLE, {});
    await desk.client.result(ENABLE, { scope: "connection" });
    const [kept, lost] = [await place(later), await place(desk.client)];
    assert.deepEqual(await later.result(READ, {}), { scope: "connection", enabled: false });
    assert.deepEqual(await later.result(READ, { scope: "account" }), { scope: "account", enabled: true });
    later.close();
    desk.client.close();
    await desk.clock.settle();
    assert.deepEqual([await stateOf(desk, kept), await stateOf(desk, lost)], ["open", CANCELLED]);
  });

  test.each([
    ["an account is not that of its subaccount", { scope: "account" }, [true, false], [CANCELLED, "open"]],
    ["a connection covers the orders of both accounts", {}, [true, true], [CANCELLED, CANCELLED]],
  ])("of %s", async (_, params, settings, states) => {
    const desk = await open();
    const { watcher } = desk;
    const accounts = await watcher.result<{ id: number }[]>("private/get_subaccounts");
    const goOnAsSub = async (connection: Conversation): Promise<void> => {
      const { refresh_token } = await connection.signIn();
      await connection.result("public/exchange_token", { refresh_token, subject_id: accounts[1]?.id });
    };
    const enabled = async (connection: Conversation): Promise<boolean> =>
      (await connection.result<{ enabled: boolean }>(READ, {})).enabled;
    if ("scope" in params) await watcher.result(ENABLE, params);
    const later = desk.connect();
    await later.signIn();
    if (!("scope" in params)) await later.result(ENABLE, params);
    const [isOnForMain, order] = [await enabled(later), await place(later)];
    await goOnAsSub(later);
    const [isOnForSub, ofSub] = [await enabled(later), await place(later)];
    assert.deepEqual([isOnForMain, isOnForSub], settings);
    later.close();
    await desk.clock.settle();
    const state = await stateOf(desk, order);
    await goOnAsSub(watcher);
    assert.deepEqual([state, await stateOf(desk, ofSub)], states);
  });

  test("is needed for mass quotes, which HTTP can't have", async () => {
    const desk = await open();
    const quotes = [{ instrument_name: PERPETUAL, bid: { price: 92_000, amount: 100 } }];
    const params = { quote_id: "1", mmp_group: "makers", quotes };
    assert.deepEqual(await desk.client.refusal("private/mass_quote", params), [13_042]);
    await desk.client.result(ENABLE, { scope: "account" });
    assert.deepEqual(await desk.client.refusal("private/mass_quote", params), [13_042]);
    const { access_token: token } = await desk.client.signIn("session:bot");
    const { error } = await desk.post({ id: 1, method: "private/mass_quote", params }, token);
    assert.equal(error?.code, 13_042);
  });
});
