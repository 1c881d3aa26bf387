// @ts-check
/** The servers on this computer: decoys, which must not be contacted, and the server of the stored key. */
import net from "node:net";
import { own } from "../process.mjs";

/** @typedef {{ port: number, sockets: () => number, bytes: () => number, close: () => void }} Listener */

/**
 * Counts whoever comes, and answers nothing: a fixture names it, and its count has to stay 0.
 * @returns {Promise<Listener>}
 */
export async function startDecoy() {
  let sockets = 0;
  let bytes = 0;
  const server = net.createServer((socket) => {
    sockets += 1;
    socket.on("data", (data) => (bytes += data.length));
    socket.on("error", () => undefined);
  });
  return { ...(await listen(server)), sockets: () => sockets, bytes: () => bytes };
}

/**
 * A server of its own address that is another one behind it: counts, and keeps what is sent to it.
 * @param {number} to a port of this machine
 * @returns {Promise<Listener & { received: () => Buffer }>}
 */
export async function startRelay(to) {
  let sockets = 0;
  let bytes = 0;
  /** @type {Buffer[]} */
  const received = [];
  const server = net.createServer((socket) => {
    sockets += 1;
    const onward = net.connect(to, "127.0.0.1");
    socket.on("data", (data) => {
      bytes += data.length;
      received.push(data);
    });
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) each.on("error", () => [socket, onward].forEach((end) => end.destroy()));
  });
  return {
    ...(await listen(server)),
    sockets: () => sockets,
    bytes: () => bytes,
    received: () => Buffer.concat(received),
  };
}

/** @param {net.Server} server */
async function listen(server) {
  /** @type {Set<net.Socket>} */
  const open = new Set();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  // What listens does not keep the test process alive: a hook that throws ends it.
  server.unref();
  await new Promise((resolve) => void server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const close = () => {
    forget();
    server.close();
    for (const socket of open) socket.destroy();
  };
  const forget = own({ kill: close });
  return { port: /** @type {net.AddressInfo} */ (server.address()).port, close };
}
