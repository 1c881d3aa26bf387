// @ts-check
import { Exchange, PAUSE_MS, pause, Unknown } from "./exchange.mjs";

/* A bot that sends fill-or-kill orders alone: it never has an open order, and reads its position after a doubt. */

const INSTRUMENT = "BTC-PERPETUAL";
const exchange = new Exchange();
exchange.onSignIn = async () => void (await exchange.send("private/get_position", { instrument_name: INSTRUMENT }));

await exchange.open();
for (let round = 0; round < 8; round++) {
  const { best_ask_price: ask, best_bid_price: bid } = await exchange.read("public/ticker", {
    instrument_name: INSTRUMENT,
  });
  const side = round % 2 === 0 ? { method: "private/buy", price: ask } : { method: "private/sell", price: bid };
  const order = { instrument_name: INSTRUMENT, amount: 10, price: side.price, time_in_force: "fill_or_kill" };
  await exchange.call(side.method, order).catch(async (error) => {
    await pause(PAUSE_MS);
    if (error instanceof Unknown) await exchange.read("private/get_position", { instrument_name: INSTRUMENT });
  });
}
exchange.close();
