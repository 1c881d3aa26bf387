// @ts-check
import { Exchange, PAUSE_MS, pause, Refused, Unknown } from "./exchange.mjs";

/*
 * A careful bot over WebSocket: it places orders below the market, moves and cancels them, and reads after everything
 * whose outcome it was not told. Its command line may name its flaw, the number of its rounds, and the ms between two.
 */

const [, , flaw = "none", rounds = "6", pauseMs = "50"] = process.argv;
const INSTRUMENT = "BTC-PERPETUAL";
const BOOK = `book.${INSTRUMENT}.100ms`;
const CHANNELS = { channels: [BOOK, `ticker.${INSTRUMENT}.100ms`] };
const ORDERS = { channels: [`user.changes.${INSTRUMENT}.raw`] };

const exchange = new Exchange({
  answersHeartbeats: flaw !== "deaf",
  hasOneId: flaw === "one-id",
  ...(flaw === "waits-forever" ? { timeoutMs: 600_000 } : {}),
});
let bid = 0;
let changeId = 0;
let labels = 0;
/** Whether all changes of the book have been received. */
let isBookWhole = false;

exchange.onEvent = (channel, data) => {
  if (channel.startsWith("ticker.")) bid = data["best_bid_price"];
  if (channel !== BOOK) return;
  if (data["type"] === "snapshot") isBookWhole = true;
  else if (data["prev_change_id"] !== changeId && flaw !== "ignores-gaps") isBookWhole = false;
  changeId = data["change_id"];
};

exchange.onSignIn = async () => {
  if (exchange.signIns > 1 && flaw === "forgets-channels")
    return void (await readAll(async (method, params) => await exchange.send(method, params)));
  if (exchange.signIns > 1 && flaw === "forgets-orders") return await exchange.send("public/subscribe", CHANNELS);
  await exchange.send("public/subscribe", CHANNELS);
  // One that heard of its orders would be told of an order whose response is lost.
  if (flaw !== "sends-again") await exchange.send("private/subscribe", ORDERS);
  await readAll(async (method, params) => await exchange.send(method, params));
};

/** @param {(method: string, params: object) => Promise<any>} read */
async function readAll(read) {
  const orders = await read("private/get_open_orders_by_currency", { currency: "BTC" });
  await read("private/get_positions", { currency: "BTC" });
  return orders;
}

/**
 * Makes a change once, and reads the outcome of it where that is not told.
 * @param {string} method
 * @param {object} params
 * @param {number} [attempt] counted by a flaw
 * @returns {Promise<any>}
 */
async function change(method, params, attempt = 1) {
  try {
    return await exchange.call(method, params);
  } catch (error) {
    if (flaw === "aborts") process.abort();
    if (error instanceof Unknown && flaw === "sends-again") return await change(method, params);
    if (error instanceof Refused && flaw === "insists") return await change(method, params);
    if (error instanceof Refused && flaw === "wrong-amount" && attempt < 6) {
      await pause(100);
      return await change(method, params, attempt + 1);
    }
    if (error instanceof Refused) await pause(PAUSE_MS);
    if (flaw === "forgets-orders") return undefined;
    const [order] = (await readAll(async (...call) => await exchange.read(...call))).filter(
      (/** @type {{ label: string }} */ { label }) => label === `maker-${labels}`,
    );
    return order === undefined ? undefined : { order };
  }
}

/** Returns the best bid of a book that is whole. */
async function bestBid() {
  if (!exchange.isOpen) await exchange.open();
  if (!isBookWhole) {
    await exchange.call("public/unsubscribe", { channels: [BOOK] }).catch(() => undefined);
    await exchange.read("public/subscribe", { channels: [BOOK] });
  }
  return bid > 0 ? bid : (await exchange.read("public/ticker", { instrument_name: INSTRUMENT })).best_bid_price;
}

await exchange.open();
for (let round = 0; round < Number(rounds); round++) {
  const price = Math.round((await bestBid()) * 0.98);
  const amount = flaw === "wrong-amount" ? 5 : 100;
  const label = `maker-${++labels}`;
  const placed = await change("private/buy", { instrument_name: INSTRUMENT, amount, price, label, post_only: true });
  if (flaw === "one-id")
    await Promise.allSettled([
      exchange.call("private/buy", { instrument_name: INSTRUMENT, amount, price: price - 10, label: `${label}-b` }),
      exchange.call("private/sell", { instrument_name: INSTRUMENT, amount, price: price * 1.1, label: `${label}-s` }),
    ]);
  if (placed?.order?.order_state === "open") {
    const { order_id } = placed.order;
    await change("private/edit", { order_id, amount, price: price - 50 });
    await change("private/cancel", { order_id });
  }
  await pause(Number(pauseMs));
}
await exchange.read("private/cancel_all");
exchange.close();
