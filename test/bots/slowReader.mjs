// @ts-check
import { Exchange, PAUSE_MS, pause } from "./exchange.mjs";

/* A bot that reads its socket in long intervals only, as one that computes much between two rounds. */

const INSTRUMENT = "BTC-PERPETUAL";
const BOOK = { channels: [`book.${INSTRUMENT}.100ms`, `user.orders.${INSTRUMENT}.raw`] };
const exchange = new Exchange({ timeoutMs: 3000 });
let isWhole = false;
let last = 0;
exchange.onEvent = (channel, data) => {
  if (!channel.startsWith("book.")) return;
  isWhole = data["type"] === "snapshot" || (isWhole && data["prev_change_id"] === last);
  last = data["change_id"];
};
exchange.onSignIn = async () => {
  await exchange.send("private/subscribe", BOOK);
  await exchange.send("private/get_open_orders", {});
  await exchange.send("private/get_positions", {});
};

await exchange.open();
for (let round = 1; round <= 4; round++) {
  const { best_bid_price: bid } = await exchange.read("public/get_order_book", { instrument_name: INSTRUMENT });
  if (!isWhole) {
    await exchange.call("private/unsubscribe", BOOK).catch(() => undefined);
    await exchange.read("private/subscribe", BOOK);
  }
  const order = { instrument_name: INSTRUMENT, amount: 100, price: Math.round(bid * 0.97), label: `slow-${round}` };
  const placing = exchange.call("private/buy", order).catch(async () => {
    await pause(PAUSE_MS);
    await exchange.read("private/get_open_orders", {});
  });
  const { socket } = exchange;
  socket?.pause();
  await pause(700);
  socket?.resume();
  await placing;
}
await exchange.read("private/cancel_all");
exchange.close();
