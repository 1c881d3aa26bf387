// @ts-check
/**
 * Hands the shipped transport a message as its socket would, so that everything behind the socket is the shipped path.
 */
import { EventEmitter } from "node:events";
import { openSession } from "./clients.mjs";
import { orderOf } from "./orders.mjs";

/**
 * Opens a session and keeps its socket at hand. Stores read `private/get_open_orders`, which the mock does not answer:
 * we do, with a buffer.
 * @param {string} url
 */
export async function openFed(url) {
  const emit = EventEmitter.prototype.emit;
  /** @type {any} */
  let socket;
  EventEmitter.prototype.emit = function (/** @type {any} */ name, /** @type {any[]} */ ...args) {
    if (name === "open" && typeof (/** @type {any} */ (this).terminate) === "function") socket = this;
    return emit.call(this, name, ...args);
  };
  const opened = await openSession(url).finally(() => (EventEmitter.prototype.emit = emit));
  const { send } = socket;
  /** @type {((id: string) => void) | undefined} */
  let onReading;
  socket.send = (/** @type {string} */ text, /** @type {any[]} */ ...rest) => {
    if (text.includes('"private/get_open_orders"')) onReading?.(/** @type {string} */ (/"id":(\d+)/.exec(text)?.[1]));
    send.call(socket, text, ...rest);
  };
  /** The ID of the next call for the list. @returns {Promise<string>} */
  const nextReading = () => new Promise((resolve) => (onReading = resolve));
  return {
    ...opened,
    /** Makes a store and waits until it has asked for the list. */
    async makeStore() {
      const asked = nextReading();
      const store = opened.main.createOrdersStore(opened);
      return { store, id: await asked };
    },
    nextReading,
    /** What comes from the network. @param {Buffer} data */
    receive: (data) => socket.emit("message", data, false),
    close: () => opened.session.dispose(),
  };
}

/**
 * Resolves when the store has the list, right then and not a turn later.
 * @param {any} store
 */
export function untilLive(store) {
  return new Promise((resolve) => {
    store.onDidChange(() => {
      if (store.snapshot.status === "live") resolve(undefined);
    });
  });
}

/** @param {number} count @returns {(id: string) => Buffer} the response with all orders, as it comes over the wire */
export function responseOf(count) {
  const list = JSON.stringify(Array.from({ length: count }, (_, index) => orderOf(index)));
  return (id) =>
    Buffer.from(
      `{"jsonrpc":"2.0","id":${id},"result":${list},"usIn":1795000000000000,"usOut":1795000000000412,"usDiff":412,"testnet":true}`,
    );
}
