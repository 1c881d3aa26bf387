// @ts-check
import { Exchange } from "./exchange.mjs";

/* A bot that ends with code 1 at its first error, so that whoever runs it has a look. */

const INSTRUMENT = "BTC-PERPETUAL";
const exchange = new Exchange();
try {
  await exchange.open();
  for (let round = 1; round <= 8; round++) {
    const { best_bid_price: bid } = await exchange.call("public/ticker", { instrument_name: INSTRUMENT });
    const { order } = await exchange.call("private/buy", {
      ...{ instrument_name: INSTRUMENT, amount: 100, price: Math.round(bid * 0.97), label: `quitter-${round}` },
    });
    await exchange.call("private/cancel", { order_id: order.order_id });
  }
  exchange.close();
} catch (error) {
  console.error(String(error));
  process.exit(1);
}
