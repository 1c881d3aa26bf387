// @ts-check
import { Exchange, PAUSE_MS, pause } from "./exchange.mjs";

/*
 * A bot that lets the exchange cancel for it: after each sign-in it enables cancel-on-disconnect, and it begins anew on
 * each connection. It drops its connection when it was not told the outcome of a change.
 */

const INSTRUMENT = "BTC-PERPETUAL";
const exchange = new Exchange();
exchange.onSignIn = async () =>
  void (await exchange.send("private/enable_cancel_on_disconnect", { scope: "connection" }));

await exchange.open();
for (let round = 1; round <= 8; round++) {
  try {
    const { best_bid_price: bid } = await exchange.call("public/ticker", { instrument_name: INSTRUMENT });
    await exchange.call("private/buy", {
      ...{ instrument_name: INSTRUMENT, amount: 100, price: Math.round(bid * 0.97), post_only: true },
    });
  } catch {
    exchange.close();
    await pause(PAUSE_MS);
  }
  await pause(50);
}
exchange.close();
