import * as fs from "node:fs";
import * as path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleCli, type CliProgram } from "./cliProgram.ts";

/*
 * `trading-rpc stress` as it ships, with bots that are processes of their own. A bot trades over HTTP: it buys, and
 * cancels again. Where a buy is not answered, the careful one reads its orders, and the careless one buys again.
 */

const BOT = `
const { TRADING_RPC_SIM_HTTP_URL: url, TRADING_RPC_SIM_CLIENT_ID: id, TRADING_RPC_SIM_CLIENT_SECRET: secret } = process.env;
const isCareless = process.argv.includes("careless");
if (process.env.TRADING_RPC_PROD_CLIENT_SECRET !== undefined) process.exit(9);
const authorization = "Basic " + Buffer.from(id + ":" + secret).toString("base64");
const instrument_name = "BTC-PERPETUAL";
async function call(method, params) {
  const query = new URLSearchParams(params).toString();
  const response = await fetch(url + "/" + method + "?" + query, { headers: { authorization }, signal: AbortSignal.timeout(800) });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(error.message);
  return result;
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function until(work) {
  for (;;) {
    try { return await work(); } catch { await pause(1100); }
  }
}
for (;;) {
  const { best_bid_price: bid } = await until(() => call("public/ticker", { instrument_name }));
  const buy = () => call("private/buy", { instrument_name, amount: 100, price: Math.round(bid - 100) });
  if (isCareless) await until(buy);
  else await buy().catch(async () => { await pause(1100); await until(() => call("private/get_open_orders", {})); });
  await until(() => call("private/cancel_all", {}));
  await pause(200);
}
`;

describe("trading-rpc stress", () => {
  let program: CliProgram;
  const run: CliProgram["run"] = async (...words) => await program.run("stress", ...words);

  beforeAll(async () => {
    program = await bundleCli();
    fs.writeFileSync(path.join(program.folder, "bot.mjs"), BOT);
  });
  afterAll(() => program.remove());

  const bot = (kind: string): string[] => ["--", process.execPath, "bot.mjs", kind];

  test("without a terminal, nothing is started before it is confirmed", async () => {
    const { code, out, err } = await run("--", process.execPath, "-e", "require('fs').writeFileSync('started', '')");
    expect([code, out, fs.existsSync(path.join(program.folder, "started"))]).toEqual([2, "", false]);
    expect(err).toContain("A bot that ignores them would trade for real.");
    expect(err).toContain("add --yes");
  });

  test("a bot that never signs in to the simulator is not started again", async () => {
    const { code, err } = await run(
      "--yes",
      "--",
      process.execPath,
      "-e",
      "require('fs').appendFileSync('starts', '.')",
    );
    expect([code, fs.readFileSync(path.join(program.folder, "starts"), "utf8")]).toEqual([2, "."]);
    expect(err).toContain("The bot never connected; it may be talking to another server.");
  });

  test("a command that doesn't exist is named", async () => {
    const { code, err } = await run("--yes", "--", "no-such-bot");
    expect([code, err]).toEqual([2, "no-such-bot couldn't be started: spawn no-such-bot ENOENT\n"]);
  });

  test("a careless bot is found, with its schedule and the command to repeat it", async () => {
    const { code, out } = await run("--yes", "--replay", "1:1", "--for", "6", "--jobs", "3", ...bot("careless"));
    expect(code).toBe(1);
    expect(out).toContain("A change sent again without a look (repeated-write)");
    expect(out).toContain('Smallest schedule: seed 1, {"do":"drop"');
    expect(out).toContain("Run it again: trading-rpc stress --replay 1:1 --for 6 -- ");
  });

  test("a careful bot has no finding in the same schedule", async () => {
    const { code, out } = await run("--yes", "--replay", "1:1", "--for", "6", "--format", "json", ...bot("careful"));
    const { findings, summary } = JSON.parse(out) as { readonly findings: unknown; readonly summary: string };
    expect([code, findings]).toEqual([0, []]);
    expect(summary).toMatch(/^No finding in 1 schedule; exercised \d+ of 18 checks\.$/);
  });
});
