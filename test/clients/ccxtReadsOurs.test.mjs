// @ts-check
/**
 * Orders that our commands and the terminal place, edit, and cancel at the simulator as it ships, read through `ccxt`:
 * each has the side, amount, price, state, and label that our own message about it states.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { installLocked } from "../host/npm.mjs";
import { cleanEnv, removeDir, root, run, tempDir } from "../host/process.mjs";
import { startSimulator } from "../host/simulator.mjs";

/** @typedef {Record<string, any>} Wire an object as ccxt hands it out */
/** @typedef {{ sentence: string, paramsText: string }} Told what a command has said, and what it sent */
/**
 * @typedef {object} Hand the commands, as hand.ts runs them
 * @property {(instrument: string, ...answers: string[]) => Promise<Told>} place
 * @property {(orderId: string, ...answers: string[]) => Promise<Told>} edit
 * @property {(orderId: string) => Promise<Told>} cancel
 * @property {() => void} close
 */

const here = path.dirname(fileURLToPath(import.meta.url));
const place = await installLocked(here, "ccxt");
/** @type {Record<string, any>} */
const ccxt = createRequire(path.join(place, "package.json"))("ccxt");

const NAME = "BTC-PERPETUAL";

/** The states of the exchange by ccxt's names for them. @type {Readonly<Record<string, string>>} */
const STATUS = { open: "open", untriggered: "open", filled: "closed", cancelled: "canceled", rejected: "rejected" };

/** What a message states about an order, e.g. "Buy 10 X @ 5 on Y: placed as order Z, which is open. 0 of 10 filled." */
const PLACED =
  /^(?<side>Buy|Sell) (?<amount>\S+) (?<instrument>\S+) @ (?<price>\S+) on .*: placed as order (?<id>\S+), which is (?<state>\w+)\.(?: (?<filled>\S+) of (?<total>\S+) filled\.)?$/;

describe("ccxt reads what we have placed", () => {
  const folder = tempDir("reads-ours");
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  /** @type {Wire} */
  let client;
  /** @type {Hand} */
  let hand;
  /** A price far below the market, where buys rest. */
  let under = 0;

  /** What ccxt reads of an order. @param {string} id */
  const read = async (id) => {
    const order = await client["fetchOrder"](id);
    const { side, amount, price, filled, status, info } = order;
    return { side, amount, price, filled: filled ?? 0, status, label: info.label, id: order.id };
  };
  /**
   * Holds an order that was placed against the message about it. Returns its ID.
   * @param {Told} told
   */
  const assertPlaced = async ({ sentence, paramsText }) => {
    const stated = PLACED.exec(sentence)?.groups;
    assert.ok(stated, sentence);
    const { side = "", amount, price, id = "", state = "", filled = "0", total = amount } = stated;
    const order = await read(id);
    assert.deepEqual(
      { ...order, price: price === "market" ? "market" : order.price },
      {
        side: side.toLowerCase(),
        amount: Number(amount),
        price: price === "market" ? price : Number(price),
        filled: Number(filled),
        status: STATUS[state],
        label: JSON.parse(paramsText).label,
        id,
      },
      sentence,
    );
    assert.equal(Number(total), order.amount);
    assert.notEqual(order.label, "");
    return id;
  };

  beforeAll(async () => {
    simulator = await startSimulator(["--seed", "5", "--orders", "0", "--still"]);
    const { clientId: apiKey, clientSecret: secret, http, webSocket: ws } = simulator;
    client = new ccxt["deribit"]({ apiKey, secret, urls: { api: { rest: new URL(http).origin, ws } } });
    await client["loadMarkets"]();
    under = Math.round((await client["fetchTicker"]("BTC/USD:BTC")).bid * 0.99);
    const outfile = path.join(folder, "hand.cjs");
    const common = /** @type {const} */ ({ bundle: true, platform: "node", format: "cjs", target: "node20" });
    await build({ ...common, entryPoints: [path.join(here, "hand.ts")], outfile, mainFields: ["module", "main"] });
    hand = await createRequire(outfile)(outfile).openHand(simulator);
  });
  afterAll(async () => {
    hand?.close();
    await simulator?.stop();
    removeDir(folder);
  });

  /** @type {readonly (readonly [name: string, side: "Buy" | "Sell", line: (under: number) => string, ...options: string[]])[]} */
  const KINDS = [
    ["post-only", "Buy", (price) => `100 @ ${price}.5`],
    ["with more digits than it needs", "Buy", (price) => `100.0 @ ${price}.50 post`],
    ["immediate or cancel, filled", "Sell", (price) => `30 @ ${price} ioc`],
    ["fill or kill, filled", "Sell", (price) => `40 @ ${price} fok`],
    ["market", "Buy", () => "20 @ market"],
    ["market, reduce-only", "Sell", () => "10 @ market reduce"],
    ["with a label of the user's", "Buy", (price) => `50 @ ${price}`, "label", "mine · ümlaut"],
  ];
  for (const [name, side, line, ...options] of KINDS)
    test(`an order: ${name}`, async () => {
      const typed = line(under);
      const more = options.length === 0 ? [] : ["$(settings)", ...options, "$(check)"];
      const told = await hand.place(NAME, side, `type ${typed}`, ...more, `${side} ${typed.split(" ")[0]}`);
      await assertPlaced(told);
      const { label } = JSON.parse(told.paramsText);
      if (options.length === 0) assert.match(label, /^rpc-[0-9a-f]{16}$/);
      else assert.equal(label, options[1]);
    });

  test("a stop order, and what is not filled yet", async () => {
    const more = [
      "$(settings)",
      "type",
      "stop_limit",
      "trigger",
      "mark_price",
      "trigger_price",
      String(under),
      "$(check)",
    ];
    const told = await hand.place(NAME, "Sell", `type 60 @ ${under}`, ...more, "Sell 60");
    const id = await assertPlaced(told);
    assert.equal((await client["fetchOrder"](id)).info.trigger_price, under);
  });

  test("an edit and a cancel: the sentence, the amount, the price, and the label", async () => {
    const placed = await hand.place(NAME, "Buy", `type 100 @ ${under}`, "Buy 100");
    const id = await assertPlaced(placed);
    const edited = await hand.edit(id, `type 150 @ ${under - 5}`, "Edit ");
    assert.match(edited.sentence, /: confirmed by the exchange\. 0 of 150 filled\.$/);
    const { label } = JSON.parse(placed.paramsText);
    const common = { side: "buy", amount: 150, price: under - 5, filled: 0, label, id };
    assert.deepEqual(await read(id), { ...common, status: "open" });
    const cancelled = await hand.cancel(id);
    assert.match(cancelled.sentence, new RegExp(`^Cancelled on .*: ${NAME} buy 150 @ ${under - 5}\\.$`));
    assert.deepEqual(await read(id), { ...common, status: "canceled" });
  });

  test("an order that the terminal runs: its report states what ccxt reads", async () => {
    const params = { instrument_name: NAME, amount: 70, type: "limit", price: under, label: "terminal" };
    const requests = [
      { method: "private/buy", params, $run: { name: "placed" } },
      {
        method: "private/edit",
        params: { order_id: "{{placed.result.order.order_id}}", amount: 90, price: under - 10 },
      },
    ];
    const file = path.join(folder, "trade.rpc.json");
    fs.writeFileSync(file, JSON.stringify(requests));
    const words = ["run", file, "--env", "test", "--allow-writes", "--allow-trading", "1000", "--format", "json"];
    const { clientId, clientSecret, webSocket } = simulator;
    const { code, output, stdout } = await run(process.execPath, [path.join(root, "dist", "cli.js"), ...words], {
      cwd: folder,
      env: cleanEnv({
        TRADING_RPC_URL: webSocket,
        TRADING_RPC_CLIENT_ID: clientId,
        TRADING_RPC_CLIENT_SECRET: clientSecret,
      }),
    });
    assert.equal(code, 0, output);
    const [{ requests: reported }] = JSON.parse(stdout).files;
    const [first, second] = reported.map((/** @type {Wire} */ each) => each["response"].result.order);
    assert.deepEqual([first.amount, first.price, second.order_id], [70, under, first.order_id]);
    const { amount, price, filled_amount: filled, order_state: state, label, direction: side } = second;
    const stated = { side, amount, price, filled, status: STATUS[state], label, id: first.order_id };
    assert.deepEqual(stated, { ...stated, side: "buy", amount: 90, price: under - 10, label: "terminal" });
    assert.deepEqual(await read(first.order_id), stated);
  });
});
