// @ts-check
/**
 * The least that a server of orders can do, in a process of its own: it responds to each frame with a text that was
 * made before, the one for placing or the one for cancelling, and knows no orders.
 */
import { loadWs } from "./shipped.mjs";

/** @type {{ placed: string, cancelled: string }} */
const { placed, cancelled } = JSON.parse(process.argv[2] ?? "{}");
const server = new (loadWs().WebSocketServer)({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
server.on("connection", (/** @type {any} */ socket) => {
  socket.on("message", (/** @type {Buffer} */ data) =>
    socket.send(data.includes("private/cancel") ? cancelled : placed, { binary: false }),
  );
  socket.on("error", () => undefined);
});
server.on("listening", () =>
  process.send?.({ url: `ws://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}` }),
);
process.on("disconnect", () => process.exit());
