import assert from "node:assert/strict";
import { test } from "vitest";
import { createFakeClock } from "../../../fakeClock.ts";
import { startTrader, type WireOrder } from "../trader.ts";

/* A position in a weekly option and an order that rests, over the Friday on which it expires. */

const FRIDAY_MS = Date.UTC(2026, 11, 4, 8);
const HELD = "BTC-4DEC26-88000-C";
const RESTING = "BTC-4DEC26-90000-C";

interface Instrument {
  readonly instrument_name: string;
  readonly kind: string;
  readonly is_active: boolean;
  readonly state: string;
  readonly strike?: number;
  readonly creation_timestamp: number;
  readonly expiration_timestamp: number;
}

test("the position is delivered, the order cancelled, the instrument closed, and the next one listed", async () => {
  const clock = createFakeClock(FRIDAY_MS - 60_000);
  const trader = await startTrader({ clock });
  const { client, situation } = trader;
  const listed = async (expired: boolean): Promise<Instrument[]> =>
    await client.result<Instrument[]>("public/get_instruments", { currency: "BTC", kind: "option", expired });
  const state = "instrument.state.option.BTC";
  const creation = "instrument.creation.option.BTC";
  await client.result("public/subscribe", { channels: [state, creation] });
  await client.result("private/subscribe", { channels: ["user.orders.option.BTC.raw"] });
  await trader.place("buy", { instrument_name: HELD, amount: 0.5, type: "market" });
  const { order } = await trader.place("buy", { instrument_name: RESTING, amount: 0.1, price: 0.01, label: "rests" });
  assert.deepEqual([trader.position(HELD), order.order_state], [0.5, "open"]);
  assert.deepEqual(await listed(true), []);
  assert.deepEqual(client.events(state), []);

  situation.exchange.control.setStill(false);
  clock.sleep(60_500);
  situation.exchange.control.setStill(true);
  await client.signIn();

  // A call pays what the delivery price is above its strike, in BTC at that price.
  const { data } = await client.result<{ data: { date: string; delivery_price: number }[] }>(
    "public/get_delivery_prices",
    { index_name: "btc_usd", count: 1 },
  );
  const [delivery] = data;
  assert.equal(delivery?.date, "2026-12-04");
  assert.equal(trader.position(HELD), 0);
  const { logs } = await client.result<{ logs: { type: string; instrument_name: string; cashflow: number }[] }>(
    "private/get_transaction_log",
    { currency: "BTC", start_timestamp: FRIDAY_MS, end_timestamp: FRIDAY_MS },
  );
  const delivered = logs.filter(({ type }) => type === "delivery");
  assert.deepEqual(
    delivered.map(({ instrument_name: name }) => name),
    [HELD],
  );
  const payout = (0.5 * (delivery.delivery_price - 88_000)) / delivery.delivery_price;
  assert.ok(payout > 0 && Math.abs((delivered[0]?.cashflow ?? 0) - payout) < 1e-6);

  const cancelled = await client.result<WireOrder>("private/get_order_state", { order_id: order.order_id });
  assert.deepEqual([cancelled.order_state, cancelled["cancel_reason"]], ["cancelled", "settlement"]);
  const [told] = client.events("user.orders.option.BTC.raw").slice(-1) as WireOrder[];
  assert.deepEqual([told?.order_id, told?.order_state], [order.order_id, "cancelled"]);

  // The instrument is known, and takes nothing any more.
  const held = await client.result<Instrument>("public/get_instrument", { instrument_name: HELD });
  assert.deepEqual([held.is_active, held.state], [false, "delivered"]);
  const expired = (await listed(true)).map(({ instrument_name: name }) => name);
  assert.ok(expired.includes(HELD) && expired.includes(RESTING));
  assert.ok(expired.every((name) => name.startsWith("BTC-4DEC26-")));
  assert.equal(
    await trader.refused("private/buy", { instrument_name: HELD, amount: 0.1, price: 0.05 }),
    "13019 orderbook_closed",
  );
  assert.equal(
    await trader.refused("private/close_position", { instrument_name: HELD, type: "market" }),
    "13019 orderbook_closed",
  );
  const trades = await client.result<{ trades: unknown[] }>("private/get_user_trades_by_instrument", {
    instrument_name: HELD,
  });
  assert.equal(trades.trades.length > 0, true);

  // The third day from now is listed in its place, with strikes around the index.
  const open = await listed(false);
  // The spot books are open, the others are in the daily settlement.
  assert.ok(open.every(({ is_active, state: word }) => is_active && (word === "open" || word === "settlement")));
  const added = open.filter(({ creation_timestamp: at }) => at === FRIDAY_MS);
  const nextDay = added.filter(({ instrument_name: name }) => name.startsWith("BTC-7DEC26-"));
  assert.equal(nextDay[0]?.expiration_timestamp, Date.UTC(2026, 11, 7, 8));
  const { index_price: index } = await client.result<{ index_price: number }>("public/get_index_price", {
    index_name: "btc_usd",
  });
  const strikes = nextDay.map(({ strike = 0 }) => strike);
  assert.ok(Math.min(...strikes) < index && Math.max(...strikes) > index);
  assert.ok(strikes.some((strike) => Math.abs(strike - index) <= 500));
  await situation.clock.advance(5000);
  await trader.place("buy", { instrument_name: nextDay[0].instrument_name, amount: 0.1, price: 0.0005 });
  const expirations = await client.result<string[]>("public/get_expirations", { currency: "BTC", kind: "option" });
  assert.deepEqual(expirations.slice(0, 3), ["5DEC26", "6DEC26", "7DEC26"]);

  assert.deepEqual(client.events(creation), added);
  const events = client.events(state) as { instrument_name: string; state: string; timestamp: number }[];
  const eventsOf = (word: string): string[] =>
    events.filter((event) => event.state === word).map(({ instrument_name: name }) => name);
  assert.deepEqual(eventsOf("delivered").sort(), expired.sort());
  assert.deepEqual(eventsOf("open").sort(), added.map(({ instrument_name: name }) => name).sort());
  assert.ok(events.every(({ timestamp }) => timestamp >= FRIDAY_MS && timestamp <= FRIDAY_MS + 1000));
  situation.exchange.dispose();
});
