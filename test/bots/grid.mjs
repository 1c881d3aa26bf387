// @ts-check
import { Exchange, PAUSE_MS, pause, Unknown } from "./exchange.mjs";

/* A grid: several equal orders on each level, sent at once. Whatever is missing is placed again after a look. */

const INSTRUMENT = "BTC-PERPETUAL";
const exchange = new Exchange();
exchange.onSignIn = async () => void (await look());
/** Returns how many of its orders are open. */
async function look() {
  const orders = await exchange.send("private/get_open_orders_by_instrument", { instrument_name: INSTRUMENT });
  await exchange.send("private/get_position", { instrument_name: INSTRUMENT });
  return orders.length;
}
const WANTED = 6;

await exchange.open();
const { best_bid_price: bid } = await exchange.read("public/ticker", { instrument_name: INSTRUMENT });
for (let round = 0; round < 4; round++) {
  const open = (await exchange.read("private/get_open_orders_by_instrument", { instrument_name: INSTRUMENT })).length;
  const placed = await Promise.allSettled(
    Array.from({ length: WANTED - open }, (_, index) =>
      exchange.call("private/buy", {
        ...{ instrument_name: INSTRUMENT, amount: 100, price: Math.round(bid * (index % 2 === 0 ? 0.97 : 0.96)) },
      }),
    ),
  );
  if (placed.some(({ status }) => status === "rejected")) await pause(PAUSE_MS);
  if (placed.some((each) => each.status === "rejected" && each.reason instanceof Unknown))
    await exchange.read("private/get_user_trades_by_instrument", { instrument_name: INSTRUMENT });
  const [first] = await exchange.read("private/get_open_orders_by_instrument", { instrument_name: INSTRUMENT });
  if (first !== undefined) await exchange.call("private/cancel", { order_id: first.order_id }).catch(() => undefined);
  await pause(50);
}
await exchange.read("private/cancel_all");
exchange.close();
