// @ts-check
/**
 * From Start Simulator to the first order, in a fresh process that has loaded what a view loads: the simulator in its
 * thread, the session, the store, and the rows. Prints the ms.
 */
import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { openSession } from "./clients.mjs";
import { untilLive } from "./feed.mjs";
import { builtDir, loadParts } from "./shipped.mjs";
import { createPane } from "./view.mjs";

const main = loadParts();
const sinceMs = performance.now();
const worker = new Worker(path.join(builtDir, "simulator.js"), { workerData: { port: 0 }, stdout: true });
const [{ webSocket, clientId, clientSecret }] = await once(worker, "message");
const opened = await openSession(webSocket, main, { kind: "client_signature", clientId, clientSecret });
const store = main.createOrdersStore(opened);
const { pane } = createPane(main, { orders: store, clock: opened.clock });
if (store.snapshot.status !== "live") await untilLive(store);
const [group] = pane.provider.getChildren(undefined);
const [order] = pane.provider.getChildren(group);
const tookMs = performance.now() - sinceMs;
if (order === undefined) throw new Error("There is no order.");
process.stdout.write(String(tookMs), () => process.exit());
