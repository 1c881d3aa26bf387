// @ts-check
import { Exchange, PAUSE_MS, pause } from "./exchange.mjs";

/* A mass quoter: it replaces the same quotes again and again, also after a doubt, because a quote takes the place of the last one. */

const exchange = new Exchange();
const GROUP = { index_name: "btc_usd", mmp_group: "quotes" };
const LIMITS = { interval: 10, frozen_time: 5, max_quote_quantity: 1, quantity_limit: 1 };
// Quotes need cancel-on-disconnect.
exchange.onSignIn = async () => void (await exchange.send("private/enable_cancel_on_disconnect", {}));

await exchange.open();
await exchange.read("private/set_mmp_config", { ...GROUP, ...LIMITS });
const { best_bid_price: bid } = await exchange.read("public/ticker", { instrument_name: "BTC-PERPETUAL" });
for (let round = 0; round < 8; round++) {
  const prices = {
    bid: { amount: 100, price: Math.round(bid * 0.97) },
    ask: { amount: 100, price: Math.round(bid * 1.03) },
  };
  const quotes = [{ instrument_name: "BTC-PERPETUAL", quote_set_id: "perpetual", ...prices }];
  const { mmp_group } = GROUP;
  await exchange
    .call("private/mass_quote", { quote_id: "quoter", mmp_group, quotes })
    .catch(async () => await pause(PAUSE_MS));
  await pause(50);
}
await exchange.read("private/cancel_quotes", { cancel_type: "all" });
exchange.close();
