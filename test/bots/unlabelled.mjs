// @ts-check
import { Exchange, PAUSE_MS, pause } from "./exchange.mjs";

/* A bot without labels: it finds its orders by what they are, and places one again only if it was not found. */

const INSTRUMENT = "BTC-PERPETUAL";
const exchange = new Exchange();
exchange.onSignIn = async () => {
  await exchange.send("private/get_open_orders", {});
  await exchange.send("private/get_account_summary", { currency: "BTC" });
};
/** @param {{ price: number }} order @returns {Promise<{ order_id: string } | undefined>} */
const find = async ({ price }) =>
  (await exchange.read("private/get_open_orders", {})).find(
    (/** @type {{ price: number }} */ each) => each.price === price,
  );

await exchange.open();
const { best_ask_price: ask } = await exchange.read("public/ticker", { instrument_name: INSTRUMENT });
for (let round = 1; round <= 5; round++) {
  const order = { instrument_name: INSTRUMENT, amount: 50, price: Math.round(ask * (1 + round / 100)) };
  for (let attempt = 0; attempt < 4; attempt++) {
    const placed = await exchange.call("private/sell", order).catch(async () => await pause(PAUSE_MS));
    const found = placed?.order ?? (await find(order));
    if (found === undefined) continue;
    await exchange.call("private/cancel", { order_id: found.order_id }).catch(() => undefined);
    break;
  }
}
await exchange.read("private/cancel_all");
exchange.close();
