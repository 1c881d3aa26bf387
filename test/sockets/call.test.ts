import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { formsOf } from "../secretForms.ts";

/*
 * `trading-rpc call` as it ships, a process of its own, against a simulator on loopback whose ledger shows what was
 * sent.
 */

const SECRET = "canary-8Kq2Vx5Lr9Tz4Wm7";
const HAS_SCRIPT = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;
const HAS_BASH = spawnSync("bash", ["--version"]).status === 0;
const HAS_JQ = spawnSync("jq", ["--version"]).status === 0;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe("trading-rpc call", () => {
  let folder = "";
  let work = "";
  let server: SimulatorServer;
  let exchange: Exchange;
  const children = new Set<ChildProcess>();

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-call-"));
    fs.copyFileSync("package.json", path.join(folder, "package.json"));
    const esbuild = createRequire(path.resolve("package.json"))("esbuild") as {
      build(options: object): Promise<unknown>;
    };
    await esbuild.build({
      ...{ entryPoints: ["src/cli.ts", "src/simulator.ts"], outdir: path.join(folder, "dist") },
      ...{ bundle: true, platform: "node", target: "node20", format: "cjs", mainFields: ["module", "main"] },
      logLevel: "error",
    });
    fs.mkdirSync(path.join(folder, "bin"));
    fs.writeFileSync(
      path.join(folder, "bin", "trading-rpc"),
      `#!/bin/sh\nexec '${process.execPath}' '${path.join(folder, "dist", "cli.js")}' "$@"\n`,
      { mode: 0o755 },
    );
  });
  afterAll(() => {
    fs.rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    exchange = createExchange({
      ...{ clock: createSystemClock(), random: createFakeRandom(11), still: true, limits: false, clientSecret: SECRET },
    });
    server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
    work = fs.mkdtempSync(path.join(folder, "work"));
  });
  afterEach(async () => {
    for (const child of children) child.kill("SIGKILL");
    children.clear();
    await server.close();
  });

  const variables = (): Record<string, string> => {
    const address = { URL: server.addresses.webSocket, CLIENT_ID: exchange.clientId, CLIENT_SECRET: SECRET };
    const all = ["SIM", "TEST"].flatMap((environment) =>
      Object.entries(address).map(([name, value]) => [`TRADING_RPC_${environment}_${name}`, value]),
    );
    return {
      PATH: `${path.join(folder, "bin")}${path.delimiter}${process.env["PATH"] ?? ""}`,
      XDG_STATE_HOME: path.join(work, "state"),
      TERM: "dumb",
      ...(Object.fromEntries(all) as Record<string, string>),
    };
  };
  const ended = async (child: ChildProcess): Promise<Ended> => {
    children.add(child);
    const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
    const code = await new Promise<number | null>((resolve) => {
      child.once("close", resolve);
    });
    for (const form of formsOf(SECRET))
      assert.ok(!`${out()}${err()}`.includes(form), "the secret stands in the output");
    return { code, out: out(), err: err() };
  };
  const call = async (...words: readonly string[]): Promise<Ended> => {
    const child = spawn(process.execPath, [path.join(folder, "dist", "cli.js"), "call", ...words], {
      ...{ cwd: work, env: variables(), stdio: ["ignore", "pipe", "pipe"] },
    });
    return await ended(child);
  };
  /** Runs a line in bash, as a user would type it. */
  const inBash = async (line: string): Promise<Ended> =>
    await ended(spawn("bash", ["-o", "pipefail", "-c", line], { cwd: work, env: variables() }));
  const inTerminal = (line: string): ChildProcess => {
    const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd: work, env: variables() });
    children.add(child);
    return child;
  };
  const framesOf = (method: string): string[] =>
    exchange.control
      .ledger()
      .filter((entry) => entry.method === method)
      .map((entry) => String(entry.paramsText));
  const orders = (): number => exchange.control.openOrders().length + exchange.control.closedOrders().length;

  describe("the examples of docs/cli.md", { skip: !HAS_BASH }, () => {
    const page = fs.readFileSync("docs/cli.md", "utf8");
    const [, section = ""] = /^## Send one request\n(.*?)^## /ms.exec(page) ?? [];
    const lines = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, text = ""]) => text.trimEnd().split("\n"));
    /** What each example prints on its standard output. */
    const PRINTED: Readonly<Record<string, RegExp>> = {
      "trading-rpc call public/get_time --env sim": /^\d{13}\n$/,
      "trading-rpc call public/ticker instrument_name=BTC-PERPETUAL --env sim | jq .mark_price": /^\d+(\.\d+)?\n$/,
      "trading-rpc call private/get_open_orders_by_currency currency=BTC kind=future --env sim": /^\[.*\]\n$/,
      "trading-rpc call private/buy instrument_name=BTC-PERPETUAL amount=10 type=market label='first order' --env sim --allow-writes":
        /^\{"order":\{.*"label":"first order".*\}\n$/,
      'trading-rpc call public/get_last_trades_by_instrument --json \'{"instrument_name":"BTC-PERPETUAL","count":3}\' --env sim':
        /^\{"trades":\[(?:.*"trade_id"){3}.*\}\n$/,
      // The simulator gave no such signature.
      "trading-rpc call private/invalidate_block_trade_signature signature=@signature.txt --env test --allow-writes":
        /^\{"code":13009,/,
      'eval "$(trading-rpc completion bash)"': /^$/,
    };

    test("are these", () => assert.deepEqual(lines, Object.keys(PRINTED)));

    for (const [line, printed] of Object.entries(PRINTED))
      test(line, { skip: line.includes("| jq") && !HAS_JQ }, async () => {
        fs.writeFileSync(path.join(work, "signature.txt"), "maker.1.signature\n", { mode: 0o600 });
        const { code, out, err } = await inBash(line);
        assert.equal(code, line.includes("invalidate") ? 1 : 0, err);
        assert.match(out, printed);
      });
  });

  const HOSTILE = { words: "\u202E\u009B31m\u001B]0;title\u0007 \u2028", digits: 5e-8, list: [1, [2]] };

  test("a pipe gets the result byte for byte, and everything else is on the standard error", async () => {
    exchange.control.setFault({ method: "public/get_announcements", mutate: { how: "result", value: HOSTILE } });
    const { code, out, err } = await call("public/get_announcements", "--env", "sim");
    assert.equal(code, 0, err);
    assert.equal(out, `${JSON.stringify(HOSTILE)}\n`);
    assert.match(err, /^trading-rpc call · SIMULATOR\n {2}✓ {2}public\/get_announcements .*\n1 passed in .*\n$/);
    // Digits are those of the wire, which no number of this program would be written as.
    const bought = await call(
      ...["private/buy", "instrument_name=BTC-PERPETUAL", "amount=10", "type=market", "--env", "sim", "--allow-writes"],
    );
    assert.match(bought.out, /"fee":\d\.\de-\d,/);
  });

  test("a response with an error goes to the standard output too, with exit code 1", async () => {
    const { code, out, err } = await call("private/get_order_state", "order_id=NONE-1", "--env", "sim");
    assert.equal(code, 1);
    assert.match(out, /^\{"code":10004,"message":"order_not_found"/);
    assert.match(err, /✗ {2}private\/get_order_state {2}failed/);
  });

  test(
    "on a terminal, hostile text of the server can't act, and the result is indented",
    { skip: !HAS_SCRIPT },
    async () => {
      exchange.control.setFault({ method: "public/get_announcements", mutate: { how: "result", value: HOSTILE } });
      const child = inTerminal("trading-rpc call public/get_announcements --env sim");
      const { code, out } = await ended(child);
      assert.equal(code, 0, out);
      assert.match(out, /^ {2}"digits": 5e-8,\r?$/m);
      assert.match(out, /\\u202e\\u009b31m\\u001b\]0;title\\u0007 \\u2028/);
      assert.doesNotMatch(out, /[\u202E\u009B\u001B\u0007\u2028]/);
    },
  );

  const BUY = ["private/buy", "instrument_name=BTC-PERPETUAL", "amount=10", "type=limit", "price=1000"] as const;

  test("a write without --allow-writes, or on testnet without limits of trading, is not sent", async () => {
    const before = orders();
    for (const words of [
      ["--env", "sim"],
      ["--env", "test"],
      ["--env", "test", "--allow-writes"],
      ["--env", "test", "--allow-writes", "--allow-trading", "5"],
    ]) {
      const { code, out, err } = await call(...BUY, ...words);
      assert.deepEqual([code, out], [3, ""], err);
      assert.match(err, /No changes were made\./);
    }
    assert.deepEqual(framesOf("private/buy"), []);
    assert.equal(orders(), before);
    const { code, err } = await call(...BUY, "--env", "test", "--allow-writes", "--allow-trading", "10");
    assert.equal(code, 0, err);
    assert.equal(framesOf("private/buy").length, 1);
  });

  for (const [typed, code, sent] of [
    ["no\n", 3, 0],
    ["yes\n", 0, 1],
  ] as const)
    test(`at a terminal, ${typed.trim()} sends ${String(sent)} orders`, { skip: !HAS_SCRIPT }, async () => {
      const child = inTerminal(`trading-rpc call ${BUY.join(" ")} --env test --allow-writes --allow-trading 10`);
      const shown = textOf(child.stdout);
      const end = ended(child);
      await until(() => shown().includes("Type yes for:"));
      assert.match(shown(), /From trading-rpc call\./);
      child.stdin?.write(typed);
      assert.equal((await end).code, code, shown());
      assert.equal(framesOf("private/buy").length, sent);
    });

  test("an unknown parameter makes the size unknown: without a terminal it is refused on testnet", async () => {
    const json = JSON.stringify({
      instrument_name: "BTC-PERPETUAL",
      amount: 10,
      type: "limit",
      price: 1000,
      brand_new: 1,
    });
    const words = ["private/buy", "--json", json, "--env", "test", "--allow-writes", "--allow-trading", "10"];
    const { code, err } = await call(...words);
    assert.equal(code, 3, err);
    assert.match(err, /^Warning: --json, brand_new: /);
    assert.match(err, /nothing tells how large the request is/);
    assert.deepEqual(framesOf("private/buy"), []);
    const unheard = await call(
      "private/unheard_of",
      "--json",
      "{}",
      "--env",
      "test",
      "--allow-writes",
      "--allow-trading",
      "10",
    );
    assert.equal(unheard.code, 3, unheard.err);
    assert.deepEqual(framesOf("private/unheard_of"), []);
  });

  test("a lost response is looked up, and what reading proves passes without output", async () => {
    exchange.control.setFault({ method: "private/cancel", response: "none" });
    const orderId = exchange.control.openOrders()[0]?.order_id ?? "";
    const { code, out, err } = await call(
      ...["private/cancel", `order_id=${orderId}`, "--env", "sim", "--allow-writes", "--timeout", "300"],
    );
    assert.deepEqual([code, out], [0, ""], err);
    assert.match(err, /proved by reading/);
    assert.equal(framesOf("private/cancel").length, 1);
  });

  test("the signature of a block trade goes to its file alone, and comes from a file", async () => {
    const trades = JSON.stringify([{ instrument_name: "ETH-PERPETUAL", price: 2100, amount: 1000, direction: "buy" }]);
    const agreed = ["nonce=n", `timestamp=${String(Date.now())}`, `trades=${trades}`, "--env", "sim", "--allow-writes"];
    const refused = await call("private/verify_block_trade", "role=maker", ...agreed);
    assert.equal(refused.code, 3);
    assert.match(refused.err, /No changes were made\.\nThe response has a signature .*--secret-file/);
    assert.deepEqual(framesOf("private/verify_block_trade"), []);
    const verified = await call(
      "private/verify_block_trade",
      "role=maker",
      ...agreed,
      "--secret-file",
      "signature.txt",
    );
    assert.equal(verified.code, 0, verified.err);
    assert.match(verified.err, /The signature was written to signature\.txt\./);
    const file = path.join(work, "signature.txt");
    const signature = fs.readFileSync(file, "utf8").trim();
    assert.ok(signature.length > 8);
    assert.ok(!`${verified.out}${verified.err}`.includes(signature));
    if (process.platform !== "win32") assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    const again = await call("private/verify_block_trade", "role=maker", ...agreed, "--secret-file", "signature.txt");
    assert.equal(again.code, 2, again.err);
    const executed = await call(
      ...["private/execute_block_trade", "role=taker", "counterparty_signature=@signature.txt", ...agreed],
    );
    assert.equal(executed.code, 0, executed.err);
    assert.ok(framesOf("private/execute_block_trade")[0]?.includes(JSON.stringify(signature)) === true);
    assert.ok(!`${executed.out}${executed.err}`.includes(signature));
  });

  test(
    "at a terminal, a required secret is asked for, and what is typed is not shown",
    { skip: !HAS_SCRIPT },
    async () => {
      const child = inTerminal(
        "trading-rpc call private/invalidate_block_trade_signature --env sim --allow-writes --verbose",
      );
      const shown = textOf(child.stdout);
      const end = ended(child);
      const typed = "typed9Zq1Signature7Wx3";
      await until(() => shown().includes("signature (hidden): "));
      child.stdin?.write(`${typed}\n`);
      await until(() => shown().includes("Type yes for:"));
      child.stdin?.write("yes\n");
      assert.equal((await end).code, 1, shown());
      const frames = framesOf("private/invalidate_block_trade_signature");
      assert.equal(frames.length, 1);
      assert.match(frames[0] ?? "", new RegExp(`"signature":"${typed}"`));
      assert.ok(!shown().includes(typed), shown());
    },
  );

  test("a new API key needs --secret-file, and its secret is in nothing else", async () => {
    const words = ["private/create_api_key", "max_scope=account:read", "--env", "sim", "--allow-writes"];
    const refused = await call(...words);
    assert.equal(refused.code, 3, refused.err);
    assert.deepEqual(framesOf("private/create_api_key"), []);
    const made = await call(...words, "--secret-file", "secret.txt");
    assert.equal(made.code, 0, made.err);
    const secret = fs.readFileSync(path.join(work, "secret.txt"), "utf8").trim();
    assert.ok(secret.length > 8);
    assert.ok(!`${made.out}${made.err}`.includes(secret));
    assert.match(made.out, /"client_secret":"‹hidden›"/);
  });

  test("wrong words open no connection", async () => {
    const { code, out, err } = await call("private/buy", "amount=ten", "--env", "sim");
    assert.deepEqual([code, out, err], [2, "", 'amount (value 1): expected a number, not "ten".\n']);
    assert.deepEqual(exchange.control.ledger(), []);
  });
});

/** Collects what a stream says. */
function textOf(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.on("data", (piece: Buffer) => {
    text += piece.toString();
  });
  return () => text;
}

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    assert.ok(performance.now() < end, "it did not come");
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
