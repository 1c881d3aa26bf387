// @ts-check
/**
 * U5, in a process of its own: orders at the simulator are cancelled one by one through the gate, in a window that has
 * made many changes: with the journals on the disk, the Activity view open, and the listeners of the window. Tells the
 * CPU of each cancel in µs, and the longest time in which nothing else could run, in ms.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { connectRaw } from "./clients.mjs";
import { clock, openWindow, product } from "./window.mjs";

const { simulator, count, step } = JSON.parse(process.argv[2] ?? "{}");
const INSTRUMENT = "BTC-PERPETUAL";

const { live, close } = await openWindow(simulator, { confirmCancel: "never" });
const { clientId, clientSecret, url } = simulator;

// Places the orders, so that only their cancels are changes of this window.
const other = await connectRaw("other", url);
const grant = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
const { access_token } = /** @type {any} */ (await other.call("public/auth", { ...grant, access_token: undefined }));
const call = async (/** @type {string} */ method, /** @type {object} */ params) =>
  /** @type {any} */ (await other.call(method, { ...params, access_token }));

const { mark_price: mark } = await call("public/ticker", { instrument_name: INSTRUMENT });
const params = { instrument_name: INSTRUMENT, amount: 10, price: Math.round(mark * 0.995), type: "limit" };
const delay = monitorEventLoopDelay({ resolution: 1 });
/** @type {number[]} */
const cpuUs = [];
let longestMs = 0;
for (let done = 0; done < count; done += step) {
  const orders = [];
  for (let index = 0; index < step; index++) orders.push((await call("private/buy", params)).order);
  delay.reset();
  delay.enable();
  const since = process.cpuUsage();
  for (const order of orders) {
    const context = { origin: "view", nowMs: clock.now(), current: () => order };
    const outcome = await live.gate.submit(product.cancelOrder(order, context));
    if (outcome.kind !== "confirmed") throw new Error(`Not cancelled: ${JSON.stringify(outcome)}`);
  }
  const { user, system } = process.cpuUsage(since);
  delay.disable();
  cpuUs.push((user + system) / step);
  longestMs = Math.max(longestMs, delay.max / 1e6);
}
close();
other.close();
process.send?.({ cpuUs, longestMs });
process.disconnect?.();
