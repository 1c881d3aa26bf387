// @ts-check
/** A second client of the simulator, beside the extension: it notes when each order became what. */
import WebSocket from "ws";

/**
 * What a row has to show of an order, whatever words it uses.
 * @typedef {object} Terms
 * @property {string} price the limit price, "" for none
 * @property {string} trigger where the trigger stands, "" for none or one that has fired
 * @property {string} filled the filled amount
 * @property {string} end how it ended, "" while it is open
 */

/** @typedef {{ atMs: number, terms: string }} Version */

/** @param {Terms} terms */
export const termsKey = ({ price, trigger, filled, end }) => (end ? `ended ${end}` : `${price}|${trigger}|${filled}`);

/** @param {any} order as the exchange describes it */
export function termsOf(order) {
  const isOpen = order.order_state === "open" || order.order_state === "untriggered";
  return termsKey({
    price: order.price === undefined ? "" : order.price === "market_price" ? "market" : String(order.price),
    trigger: order.triggered === true ? "" : String(order.trigger_offset ?? order.trigger_price ?? ""),
    filled: String(order.filled_amount ?? 0),
    end: isOpen ? "" : order.order_state,
  });
}

/**
 * Watches the orders of some instruments until closed. Each version of an order carries the time at which the
 * simulator made it, in ms since the Unix epoch; no client can have received it earlier.
 * @param {import("./simulator.mjs").Simulator} simulator
 * @param {readonly string[]} instruments
 */
export async function watchOrders(simulator, instruments) {
  const socket = new WebSocket(simulator.webSocket, { perMessageDeflate: false });
  await new Promise((resolve, reject) => void socket.once("open", () => resolve(undefined)).once("error", reject));
  /** @type {string[]} texts are read when the watch is over, so that reading costs nothing while it lasts */
  const texts = [];
  /** @type {Map<number, (response: any) => void>} */
  const waiting = new Map();
  socket.on("message", (data) => {
    const text = String(data);
    if (text.startsWith('{"jsonrpc":"2.0","method":"subscription"')) {
      texts.push(text);
      return;
    }
    const response = JSON.parse(text);
    waiting.get(response.id)?.(response);
  });
  let id = 0;
  /** @param {string} method @param {object} params */
  const call = (method, params) =>
    new Promise((resolve, reject) => {
      id += 1;
      waiting.set(id, (response) =>
        response.error ? reject(new Error(`${method}: ${JSON.stringify(response.error)}`)) : resolve(response.result),
      );
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  await call("public/auth", {
    grant_type: "client_credentials",
    client_id: simulator.clientId,
    client_secret: simulator.clientSecret,
  });
  await call("private/subscribe", { channels: instruments.map((name) => `user.orders.${name}.raw`) });
  const before = await simulator.run("openOrders");
  return {
    /** Ends the watch. @returns {Map<string, Version[]>} by order id, oldest first */
    end() {
      socket.terminate();
      /** @type {Map<string, Version[]>} */
      const versions = new Map();
      const orders = [
        ...before.filter((/** @type {any} */ order) => instruments.includes(order.instrument_name)),
        ...texts.map((text) => JSON.parse(text).params.data),
      ];
      for (const order of orders) {
        const known = versions.get(order.order_id) ?? [];
        versions.set(order.order_id, known);
        const last = known.at(-1);
        // What was read before may have come as an event already. Of one millisecond the later event is the newer one.
        if (last && last.atMs > order.last_update_timestamp) continue;
        const terms = termsOf(order);
        if (last?.terms !== terms) known.push({ atMs: order.last_update_timestamp, terms });
      }
      return versions;
    },
  };
}
