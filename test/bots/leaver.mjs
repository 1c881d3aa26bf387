// @ts-check
import { Exchange, PAUSE_MS, pause } from "./exchange.mjs";

/* A maker that leaves its orders in the book when it ends, as one whose orders are good till cancelled. */

const INSTRUMENT = "ETH-PERPETUAL";
const exchange = new Exchange();
const look = async () => {
  await exchange.send("private/get_open_orders_by_currency", { currency: "ETH" });
  await exchange.send("private/get_positions", { currency: "ETH" });
};
exchange.onSignIn = look;

await exchange.open();
const { best_bid_price: bid } = await exchange.read("public/ticker", { instrument_name: INSTRUMENT });
for (let round = 1; round <= 6; round++) {
  const order = { instrument_name: INSTRUMENT, amount: 10, price: Math.round(bid * (1 - round / 100)) };
  await exchange.call("private/buy", { ...order, label: `leaver-${round}` }).catch(async () => {
    await pause(PAUSE_MS);
    await exchange.read("private/get_open_orders_by_currency", { currency: "ETH" });
  });
  await pause(50);
}
exchange.close();
