// @ts-check
/**
 * A session of `ccxt`, recorded and replayed by `trading-rpc replay` as it ships. `recordedClient.ts` stands between
 * ccxt and the simulator, and feeds the recorder. What ccxt makes of a replay is held against what it made of the
 * simulator, with the replacements that the recording itself shows.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import { installLocked } from "../host/npm.mjs";
import { cleanEnv, hostDir, removeDir, root, run, startGroup, tempDir, until } from "../host/process.mjs";
import { startSimulator } from "../host/simulator.mjs";

/** @typedef {Record<string, any>} Wire an object as it goes over the wire, or as ccxt hands it out */
/** @typedef {readonly [name: string, ...of: any[]]} Call a function of ccxt, and its arguments */
/** @typedef {{ paramsText: string, bodyText?: string } | { channel: string, dataText: string }} Original */
/** @typedef {{ webSocket: string, http: string }} Address */

const note = (/** @type {string} */ text) => console.log(`note: ${text}`);

const here = path.dirname(fileURLToPath(import.meta.url));
const place = await installLocked(here, "ccxt");
/** @type {Record<string, any>} */
const ccxt = createRequire(path.join(place, "package.json"))("ccxt");

const CLI = path.join(root, "dist", "cli.js");
const SYMBOL = "BTC/USD:BTC";
const OPTION = "BTC/USD:BTC-270326-96000-C";

/** What is watched. @type {readonly Call[]} */
const WATCHES = [
  ["watchTicker", SYMBOL],
  ["watchOrderBook", SYMBOL],
  ["watchTrades", SYMBOL],
  ["watchOrders"],
  ["watchMyTrades"],
  ["watchBalance"],
];

/** The members of ccxt's objects with personal values, by the exchange's names for them. */
const NAMES = /** @type {Readonly<Record<string, string>>} */ ({
  clientOrderId: "label",
  txid: "transaction_id",
  addressTo: "address",
});

/**
 * The exchange's own times of a response, in microseconds, and what ccxt makes of them. A recording has the times of
 * its calls instead, in ms since its beginning, and a replay makes these of them.
 */
const EXCHANGE_TIMES = ["usIn", "usOut", "usDiff", "updated"];

/**
 * A copy with each text and number replaced, lists and objects of any class as plain ones, without the times above.
 * @param {any} value
 * @param {(leaf: string | number, name: string) => unknown} [replace]
 * @param {string} [name] of the member that has the value
 * @returns {any}
 */
function copyOf(value, replace = (leaf) => leaf, name = "") {
  if (Array.isArray(value)) return value.map((each) => copyOf(each, replace, name));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([own]) => !EXCHANGE_TIMES.includes(own))
        .map(([own, each]) => [own, copyOf(each, replace, own)]),
    );
  return typeof value === "string" || typeof value === "number" ? replace(value, name) : value;
}

/** What ccxt makes of a call, or its error with the exchange's own. @param {Wire} client @param {Call} call */
const resultOf = async (client, [name, ...of]) =>
  await client[name](...of).then(
    (/** @type {unknown} */ result) => copyOf(result),
    (/** @type {Error} */ { name: error, message }) =>
      message.includes("{") ? { error, ...JSON.parse(message.slice(message.indexOf("{"))).error } : { error, message },
  );

/** A client, and what it received and made of events. */
class Bot {
  /** The addresses that were requested. @type {string[]} */
  requested = [];
  /** The texts of all responses and events, in their order. @type {string[]} */
  texts = [];
  /** What ccxt made of each event, by what it is about. @type {Map<string, any[]>} */
  heard = new Map();

  /** @param {Address} address @param {{ apiKey: string, secret: string }} key */
  constructor({ webSocket: ws, http }, key) {
    this.client = new ccxt["pro"].deribit({ ...key, urls: { api: { rest: new URL(http).origin, ws } } });
    const { client } = this;
    client["onRestResponse"] = (/** @type {any[]} */ ...[, , url, , , text]) => {
      this.requested.push(url);
      this.texts.push(text);
      return text;
    };
    const open = client["client"].bind(client);
    const watched = new Set();
    client["client"] = (/** @type {string} */ url) => {
      const socket = open(url);
      if (!watched.has(socket)) this.#watch(socket);
      watched.add(socket);
      return socket;
    };
  }

  /** @param {Wire} socket */
  #watch(socket) {
    const { onMessage, resolve } = socket;
    socket["onMessage"] = (/** @type {{ data: unknown }} */ message) => {
      this.texts.push(String(message.data));
      onMessage.call(socket, message);
    };
    socket["resolve"] = (/** @type {unknown} */ made, /** @type {string} */ about) => {
      // What signing in gave is no object of ccxt's: it is the response itself.
      if (about !== "authenticated") this.heard.set(about, [...(this.heard.get(about) ?? []), copyOf(made)]);
      return resolve.call(socket, made, about);
    };
  }

  async open() {
    // Its own step for addresses that begin with ws:// instead of wss://.
    await this.client["loadHttpProxyAgent"]();
    return this;
  }

  /** Makes the calls one after another, then watches. @param {readonly Call[]} calls @param {readonly Call[]} watches */
  async play(calls, watches) {
    const results = [];
    for (const call of calls) results.push(await resultOf(this.client, call));
    for (const [name, ...of] of watches) await this.client[name](...of);
    return results;
  }

  /** Waits until so many events were received. @param {number} count */
  async hears(count) {
    const isComplete = () => this.texts.filter((text) => text.includes('"method":"subscription"')).length >= count;
    await until(async () => await Promise.resolve(isComplete()), { what: `${count} events` });
  }

  close = async () => await this.client["close"]();
}

/**
 * What a recording has replaced, by the name of its member and what was there before: found by holding its lines
 * against what they were made of.
 * @param {string} text
 * @param {readonly Original[]} originals
 */
function replacementsOf(text, originals) {
  /** @type {Map<string, string>} */
  const replacements = new Map();
  /** The same by what was there before alone: it has one replacement under all names. @type {Map<string, string>} */
  const byValue = new Map();
  /** What was left as it is. @type {Set<string>} */
  const kept = new Set();
  /** @param {any} before @param {any} now @param {string} name */
  const compare = (before, now, name) => {
    if (typeof before === "object" && before !== null) {
      assert.deepEqual(Object.keys(now), Object.keys(before), name);
      for (const [own, each] of Object.entries(before)) compare(each, now[own], Array.isArray(before) ? name : own);
      return;
    }
    const what = `${name}: ${before}`;
    assert.equal(typeof now, typeof before, what);
    if (before === now) kept.add(what);
    else {
      assert.equal(byValue.get(String(before)) ?? String(now), String(now), what);
      byValue.set(String(before), String(now));
      replacements.set(what, String(now));
    }
  };
  const calls = originals.filter((each) => "paramsText" in each);
  const events = originals.filter((each) => "channel" in each);
  const lines = text.trimEnd().split("\n").slice(1);
  let event = 0;
  for (const line of lines.map((each) => JSON.parse(each))) {
    const { paramsText, bodyText } = calls[(line.call ?? line.response) - 1] ?? {};
    if (line.call !== undefined) compare(JSON.parse(paramsText ?? ""), line.params, "");
    else if (line.response !== undefined) compare(JSON.parse(bodyText ?? ""), line.result ?? line.error, "");
    else compare(JSON.parse(events[event++]?.dataText ?? ""), line.data, "");
  }
  assert.deepEqual([calls.length * 2 + events.length, event], [lines.length, events.length]);
  for (const what of replacements.keys()) assert.ok(!kept.has(what), `${what} is not replaced everywhere`);
  return replacements;
}

describe("a session of ccxt, recorded", () => {
  const folder = tempDir("ccxt-recorded");
  const file = path.join(folder, "session.rpcrec.jsonl");
  const watch = path.join(folder, "dialled");
  const label = (/** @type {number} */ number) => `bot-${String(number)}-${folder.slice(-6)}`;
  /** What ends with the tests. @type {(() => Promise<unknown>)[]} */
  const ends = [];
  /** The bot that was recorded. @type {Bot} */
  let first;
  /** The calls of the session. @type {Call[]} */
  const calls = [];
  /** What ccxt made of each. @type {any[]} */
  const results = [];
  /** The requests that it made for each, without what is different every time. @type {string[]} */
  const requests = [];
  /** @type {string} */
  let text;
  /** @type {Map<string, string>} */
  let replacements;
  /** @type {{ apiKey: string, secret: string }} */
  let key;

  /** What a result is in the recording. @param {any} result */
  const replaced = (result) =>
    copyOf(result, (leaf, name) => {
      const replacement = replacements.get(`${NAMES[name] ?? name}: ${leaf}`);
      return replacement === undefined ? leaf : typeof leaf === "number" ? Number(replacement) : replacement;
    });

  /** The program, dialling noted. @param {NodeJS.ProcessEnv} [more] */
  const env = (more) =>
    cleanEnv({
      ...{ NODE_OPTIONS: `--require "${path.join(hostDir, "hostile", "socketWatch.cjs")}"`, RPC_SOCKET_WATCH: watch },
      ...more,
    });

  /** Serves a recording as the program does. @param {string} [recording] */
  async function replay(recording = file) {
    const words = ["replay", recording, "--port", "0", "--speed", "max"];
    const { child, stop } = startGroup(process.execPath, [CLI, ...words], {
      cwd: folder,
      env: env(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    ends.push(stop);
    assert.ok(child.stdout);
    let said = "";
    for await (const line of createInterface({ input: child.stdout })) {
      said += `${line}\n`;
      if (line.includes("Ctrl+C")) break;
    }
    const address = (/** @type {string} */ name) => new RegExp(`^ +${name} +(\\S+)$`, "m").exec(said)?.[1] ?? "";
    const ofStart = { apiKey: address("Client ID"), secret: address("Client secret") };
    return { webSocket: address("WebSocket"), http: address("HTTP"), key: ofStart, stop };
  }

  /** Plays calls and watches against a replay of its own. @param {readonly Call[]} made @param {readonly Call[]} watches */
  async function playOnReplay(made = calls, watches = WATCHES, recording = file) {
    const server = await replay(recording);
    const bot = await new Bot(server, server.key).open();
    const played = await bot.play(made, watches);
    if (watches.length > 0) await bot.hears(text.split(',"event":').length - 1);
    await bot.close();
    await server.stop();
    return { results: played, heard: bot.heard, texts: bot.texts };
  }

  /** Holds what ccxt made of events against the recorded session, in which it may not have come to the last ones. */
  const assertHeard = (/** @type {Map<string, any[]>} */ heard) => {
    for (const [about, made] of first.heard)
      assert.deepEqual(heard.get(about)?.slice(0, made.length), replaced(made), about);
  };

  /**
   * Runs the program against a replay, or without one.
   * @param {readonly string[]} words
   * @param {{ webSocket: string, key: { apiKey: string, secret: string } }} [at]
   */
  const cli = async (words, at) =>
    await run(process.execPath, [CLI, ...words], {
      cwd: folder,
      env: env({
        TRADING_RPC_TEST_URL: at?.webSocket,
        TRADING_RPC_TEST_CLIENT_ID: at?.key.apiKey,
        TRADING_RPC_TEST_CLIENT_SECRET: at?.key.secret,
      }),
    });

  beforeAll(async () => {
    const simulator = await startSimulator(["--seed", "5"]);
    ends.push(simulator.stop);
    key = { apiKey: simulator.clientId, secret: simulator.clientSecret };
    const outfile = path.join(folder, "recordedClient.cjs");
    const common = /** @type {const} */ ({ bundle: true, platform: "node", format: "cjs", target: "node20" });
    const entryPoints = [path.join(here, "recordedClient.ts")];
    await build({ ...common, entryPoints, outfile, mainFields: ["module", "main"] });
    const { recordClient } = createRequire(outfile)(outfile);
    const between = await recordClient(simulator);
    first = await new Bot(between, key).open();
    const { client } = first;
    /** @type {(...call: [string, ...any[]]) => Promise<any>} */
    const call = async (...each) => {
      const before = first.requested.length;
      const result = await resultOf(client, each);
      calls.push(each);
      requests.push(
        first.requested
          .slice(before)
          .join(" ")
          .replace(/\b(?:label|valid_until)=[^& ]*/g, ""),
      );
      results.push(result);
      return result;
    };
    await session(call, label);
    for (const [name, ...of] of WATCHES) await client[name](...of);
    // An order of its own is what the watched orders, trades, and balances hear of.
    for (const side of ["buy", "sell"]) await call("createOrder", SYMBOL, "market", side, 300);
    const isHeard = () =>
      first.heard.size >= WATCHES.length && [...first.heard.values()].every((all) => all.length > 1);
    await until(async () => await Promise.resolve(isHeard()), { what: "two events of each kind" });
    await first.close();
    const recorded = await between.end();
    text = recorded.text;
    fs.writeFileSync(file, text);
    replacements = replacementsOf(text, recorded.originals);
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
    removeDir(folder);
  });

  test("no secret and nothing personal is in the recording", () => {
    const hidden = [key.secret, "simulator@example.com", "simulator_options", ...calls.flatMap(labelsOf)];
    assert.ok(hidden.length > 10);
    for (const each of hidden) assert.ok(!text.includes(each), each);
    assert.doesNotMatch(text, /"(?:signature|access_token|refresh_token|client_id)":"(?!secret-1"|client-1")/);
  });

  test("the same calls: ccxt makes the same objects, but for what the recording has replaced", async () => {
    const { results: played, heard } = await playOnReplay();
    for (const [index, each] of calls.entries())
      assert.deepEqual(played[index], replaced(results[index]), JSON.stringify(each));
    assertHeard(heard);
    const names = new Set(calls.map(([name]) => name)).size;
    const made = [...first.heard.values()].reduce((sum, { length }) => sum + length, 0);
    note(
      `${calls.length} calls of ${names} functions and ${made} objects of ${WATCHES.length} watched kinds are equal`,
    );
    note(`${replacements.size} values were replaced`);
  });

  test("another client, with its own key, labels, and times, in another order: each call gets the same response", async () => {
    /** The calls by their requests: the first one of a request stays before the second. @type {Map<string, number[]>} */
    const groups = new Map();
    for (const [index, request] of requests.entries()) {
      if (index > 0) assert.equal(request.split(" ").length, 1, request);
      groups.set(request, [...(groups.get(request) ?? []), index]);
    }
    const [markets = [], ...others] = groups.values();
    // Every other call needs the markets.
    const order = [...markets, ...others.toReversed().flat()];
    assert.notDeepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    const own = (/** @type {Call} */ [name, ...of]) =>
      /** @type {Call} */ ([
        name,
        ...of.map((each) => (each?.label === undefined ? each : { ...each, label: "mine", valid_until: 1 })),
      ]);
    const { results: played, heard } = await playOnReplay(
      order.map((index) => own(/** @type {Call} */ (calls[index]))),
      WATCHES.toReversed(),
    );
    for (const [place, index] of order.entries())
      assert.deepEqual(played[place], replaced(results[index]), JSON.stringify(calls[index]));
    assertHeard(heard);
  });

  test("two replays give the same texts, literal for literal", async () => {
    const [one, other] = [await playOnReplay(), await playOnReplay()];
    assert.ok(one.texts.length > calls.length);
    const withoutTokens = (/** @type {string} */ each) => each.replaceAll(/"(?:access|refresh)_token":"[^"]*"/g, "");
    assert.deepEqual(one.texts.map(withoutTokens), other.texts.map(withoutTokens));
  });

  test("with one response changed, ccxt reads that one differently, and the request file made of the recording fails there; nothing but loopback is dialled", async () => {
    const edited = calls.findIndex(([name]) => name === "editOrder");
    const response = /** @type {RegExp} */ (
      /(?<="method":"private\/edit".*?\n.*\n.*"method":"private\/get_order_state".*\n.*"amount":)150/
    );
    const changed = text.replace(response, "151");
    assert.notEqual(changed, text);
    const changedFile = path.join(folder, "changed.rpcrec.jsonl");
    fs.writeFileSync(changedFile, changed);
    const { results: played } = await playOnReplay(calls, [], changedFile);
    assert.deepEqual(
      calls.flatMap((_call, index) => (isDeepStrictEqual(played[index], replaced(results[index])) ? [] : [index])),
      [edited + 1],
    );

    const requestFile = path.join(folder, "session.rpc.json");
    const made = await cli(["replay", file, "--requests"]);
    assert.equal(made.code, 0, made.output);
    /** @type {Wire[]} */
    const all = JSON.parse(made.stdout);
    // A run first reads how large an order is, which ccxt has not: its orders are not run again.
    const reads = all.filter(({ method }) => !/^private\/(?:buy|sell|edit|cancel)/.test(method));
    assert.ok(reads.length > 30 && reads.length < all.length);
    fs.writeFileSync(requestFile, JSON.stringify(reads));
    for (const recording of [file, changedFile]) {
      const server = await replay(recording);
      const { code, output } = await cli(["run", requestFile, "--env", "test"], server);
      await server.stop();
      const failed = output.split("\n").filter((line) => line.includes("✗"));
      assert.deepEqual([code, failed.length], recording === file ? [0, 0] : [1, 1], output);
      if (recording !== file) assert.match(output, /result\.amount.*151/);
    }
    const dialled = fs
      .readFileSync(watch, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual([...new Set(dialled.map(({ host, name }) => host ?? name))], ["127.0.0.1"]);
  });
});

/** @param {Call} call @returns {string[]} */
const labelsOf = ([, ...of]) => of.flatMap((each) => each?.label ?? []);

/**
 * What a bot does in a day, one call after another.
 * @param {(...call: [string, ...any[]]) => Promise<any>} call
 * @param {(number: number) => string} label
 */
async function session(call, label) {
  await call("loadMarkets");
  await call("fetchStatus");
  await call("fetchAccounts");
  await call("fetchBalance");
  await call("fetchTradingFees");
  const { bid, ask } = await call("fetchTicker", SYMBOL);
  await call("fetchTickers", undefined, { code: "BTC" });
  await call("fetchOrderBook", SYMBOL, 10);
  const since = Date.now() - 20 * 60_000;
  await call("fetchOHLCV", SYMBOL, "1m", since, 10);
  await call("fetchTrades", SYMBOL, undefined, 20);
  await call("fetchFundingRateHistory", SYMBOL, since - 86_400_000, 24, { until: since });
  await call("fetchGreeks", OPTION);
  await call("fetchOption", OPTION);
  await call("fetchOpenInterest", SYMBOL);
  await call("fetchVolatilityHistory", "BTC");
  await call("fetchDepositAddress", "BTC");
  await call("fetchDeposits", "BTC");
  await call("fetchWithdrawals", "BTC");
  await call("fetchTransfers", "BTC");
  await call("fetchPositions");
  await call("fetchOpenOrders", SYMBOL);
  const under = Math.round(bid * 0.99);
  const over = Math.round(ask * 1.01);
  /** @type {readonly (readonly any[])[]} type, side, amount, price, params */
  const kinds = [
    ["limit", "buy", 100, under],
    ["limit", "buy", 100, under, { postOnly: true }],
    ["limit", "buy", 100, over, { timeInForce: "IOC" }],
    ["market", "buy", 200, undefined],
    ["market", "sell", 100, undefined, { stopLossPrice: under }],
    ["limit", "sell", 100, under, { stopLossPrice: under }],
    ["limit", "buy", 100, under, { takeProfitPrice: under }],
    ["market", "sell", 100, undefined, { trailingAmount: 500 }],
  ];
  const ids = [];
  for (const [index, [type, side, amount, price, more]] of kinds.entries()) {
    const own = { label: label(index), valid_until: Date.now() + 600_000, ...more };
    const { id } = await call("createOrder", SYMBOL, type, side, amount, price, own);
    await call("fetchOrder", id);
    ids.push(id);
  }
  const [limit, , , market] = ids;
  await call("fetchOpenOrders", SYMBOL);
  await call("editOrder", limit, SYMBOL, "limit", "buy", 150, under - 50);
  await call("fetchOrder", limit);
  await call("cancelOrder", limit);
  await call("cancelOrder", limit);
  await call("cancelOrder", "ETH-1");
  await call("createOrder", SYMBOL, "limit", "buy", 100, over, { postOnly: true });
  await call("fetchOrder", limit);
  await call("fetchOrderTrades", market);
  await call("fetchMyTrades", SYMBOL, undefined, 20);
  await call("cancelAllOrders", SYMBOL);
  await call("fetchOpenOrders", SYMBOL);
  await call("fetchClosedOrders", SYMBOL);
  await call("fetchPosition", SYMBOL);
  await call("fetchPositions");
  await call("fetchBalance");
}
