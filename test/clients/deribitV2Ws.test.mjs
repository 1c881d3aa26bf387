// @ts-check
/**
 * `deribit-v2-ws`, a client that is not ours, against the simulator as it ships: the examples of its README and of its
 * `example.js`. Its address is fixed, so the socket that it opens is led to the simulator; nothing else is changed.
 * It runs in a process of its own, because it asks for a new token without a pause once it is signed in: it takes the
 * seconds of `expires_in` for milliseconds.
 */
import assert from "node:assert/strict";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { fileURLToPath } from "node:url";
import { installLocked } from "../host/npm.mjs";
import { runNode } from "../host/process.mjs";
import { startSimulator } from "../host/simulator.mjs";

/** @typedef {Record<string, any>} Wire an object as it goes over the wire */

const place = await installLocked(path.dirname(fileURLToPath(import.meta.url)), "the clients");

/** The examples, and an order; each line of the output is a step and what it returned. */
const EXAMPLES = `
  const inPlace = require("node:module").createRequire(process.argv[1] + "/package.json");
  const inClient = require("node:module").createRequire(inPlace.resolve("deribit-v2-ws"));
  const Socket = inClient("ws");
  require.cache[inClient.resolve("ws")].exports = class extends Socket {
    constructor() { super(process.argv[2]); }
  };
  const client = inPlace("deribit-v2-ws");
  const say = (step, returned) => console.log("step " + JSON.stringify([step, returned]));
  (async () => {
    await client.connect();
    await client.authenticate(process.argv[3], process.argv[4]);
    const first = new Promise((hear) => {
      client.subscribe("public", "deribit_price_index.btc_usd", hear).then((response) => say("subscribe", response));
    });
    say("position", await client.request("private/get_position", { instrument_name: "BTC-PERPETUAL" }));
    say("update", await first);
    const order = { instrument_name: "BTC-PERPETUAL", amount: 100, type: "market" };
    say("buy", await client.request("private/buy", order));
    say("position after", await client.request("private/get_position", { instrument_name: "BTC-PERPETUAL" }));
    process.exit(0);
  })();
`;

describe("deribit-v2-ws", () => {
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  beforeAll(async () => {
    simulator = await startSimulator(["--seed", "5", "--orders", "0"]);
  });
  afterAll(async () => {
    await simulator?.stop();
  });

  test("its README's examples return what the simulator has", async () => {
    const { webSocket, clientId, clientSecret } = simulator;
    const output = await runNode(["-e", EXAMPLES, place, webSocket, clientId, clientSecret]);
    /** @type {Map<string, Wire>} */
    const steps = new Map(
      output
        .split("\n")
        .filter((line) => line.startsWith("step "))
        .map((line) => JSON.parse(line.slice("step ".length))),
    );
    for (const [step, returned] of steps)
      console.log(`note: deribit-v2-ws ${step}: ${JSON.stringify(returned["result"] ?? returned)}`);
    const size = (/** @type {string} */ step) => steps.get(step)?.["result"].size;
    assert.deepEqual(steps.get("subscribe")?.["result"], ["deribit_price_index.btc_usd"]);
    assert.equal(steps.get("update")?.["index_name"], "btc_usd");
    assert.ok(steps.get("update")?.["price"] > 0);
    assert.equal(steps.get("buy")?.["result"].order.order_state, "filled");
    assert.equal(size("position after"), size("position") + 100);
  });
});
