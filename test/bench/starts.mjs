// @ts-check
/** How long users wait for a start, as times and not as ratios: reported, because they say much about the machine. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { judged } from "./figures.mjs";
import { runOnce, runProgram, startMock } from "./processes.mjs";
import { builtDir } from "./shipped.mjs";
import { median, shuffled, spreadOf } from "./statistics.mjs";

const cli = path.join(builtDir, "npm", "dist", "cli.js");
const REQUEST = '{ "jsonrpc": "2.0", "id": 1, "method": "public/test", "params": {} }\n';

/** @param {readonly string[]} words of Node @param {number | undefined} core */
async function programMs(words, core) {
  const sinceMs = performance.now();
  await runProgram(words, { core });
  return performance.now() - sinceMs;
}

/**
 * From the start of `trading-rpc run` to its first frame at the exchange.
 * @param {Awaited<ReturnType<typeof startMock>>} mock @param {string} file @param {number | undefined} core
 */
async function firstFrameMs(mock, file, core) {
  mock.send({ kind: "tellFirst" });
  const sinceMs = performance.timeOrigin + performance.now();
  const variables = { TRADING_RPC_URL: mock.url };
  const [{ atMs }] = await Promise.all([
    mock.next(),
    runProgram([cli, "run", file, "--env", "test"], { core, variables }),
  ]);
  return atMs - sinceMs;
}

/**
 * C1, C2, and S4.
 * @param {{ activations: number }} plan
 * @param {number | undefined} core
 * @returns {Promise<import("./goals.mjs").Measured>}
 */
export async function starts({ activations }, core) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-starts-"));
  const file = path.join(folder, "first.rpc.json");
  fs.writeFileSync(file, REQUEST);
  const mock = await startMock(core);
  const variants = {
    node: async () => await programMs(["-e", ""], core),
    help: async () => await programMs([cli, "--help"], core),
    run: async () => await firstFrameMs(mock, file, core),
    firstRow: async () => runOnce("firstRow.mjs", [], core),
  };
  /** @type {Record<keyof typeof variants, number[]>} */
  const tookMs = { node: [], help: [], run: [], firstRow: [] };
  try {
    for (let round = 0; round < activations; round++)
      for (const name of shuffled(/** @type {(keyof typeof variants)[]} */ (Object.keys(variants)), Math.random))
        tookMs[name].push(await variants[name]());
  } finally {
    mock.end();
    fs.rmSync(folder, { recursive: true });
  }
  const common = {
    limit: `${median(tookMs.node).toFixed(0)} ms (node alone)`,
    peer: "–",
    unit: " ms",
    sense: /** @type {const} */ ("atMost"),
    isComparable: true,
    isReported: true,
  };
  const figure = (/** @type {string} */ goal, /** @type {string} */ what, /** @type {number[]} */ times, gate = 0) =>
    judged({ goal, what, us: spreadOf(times), gate, stretch: gate / 2, ...common });
  return {
    figures: [
      figure("C1", "trading-rpc --help, from its start to its end", tookMs.help, 100),
      figure("C2", "trading-rpc run, from its start to its first frame at the exchange", tookMs.run, 300),
      figure("S4", "Start Simulator to the first order in its view, without the editor", tookMs.firstRow, 1000),
    ],
    data: tookMs,
  };
}
