import assert from "node:assert/strict";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import * as fs from "node:fs";
import * as http from "node:http";
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

/* Recording and replaying with the programs as they ship, each a process of its own, on loopback. */

const SECRET = "canary-8Kq2Vx5Lr9Tz4Wm7";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const REQUESTS = JSON.stringify([
  { jsonrpc: "2.0", id: 1, method: "private/get_account_summaries", params: { extended: true } },
  { jsonrpc: "2.0", id: 2, method: "private/get_subaccounts", params: { with_portfolio: true } },
  { jsonrpc: "2.0", id: 3, method: "private/list_api_keys", params: {} },
  { jsonrpc: "2.0", id: 4, method: "private/get_open_orders", params: {} },
  { jsonrpc: "2.0", id: 5, method: "public/ticker", params: { instrument_name: "BTC-PERPETUAL" } },
]);

describe("record and replay", () => {
  let folder = "";
  let work = "";
  let server: SimulatorServer;
  let exchange: Exchange;
  const children = new Set<ChildProcessWithoutNullStreams>();
  let count = 0;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-recording-"));
    fs.copyFileSync("package.json", path.join(folder, "package.json"));
    const esbuild = createRequire(path.resolve("package.json"))("esbuild") as {
      build(options: object): Promise<unknown>;
    };
    await esbuild.build({
      entryPoints: ["src/cli.ts", "src/simulator.ts"],
      bundle: true,
      platform: "node",
      target: "node20",
      format: "cjs",
      mainFields: ["module", "main"],
      outdir: path.join(folder, "dist"),
      logLevel: "error",
    });
  });
  afterAll(() => {
    fs.rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    exchange = createExchange({
      clock: createSystemClock(),
      random: createFakeRandom(11),
      limits: false,
      clientSecret: SECRET,
    });
    server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
    work = path.join(folder, `work${String(++count)}`);
    fs.mkdirSync(work);
    fs.writeFileSync(path.join(work, "all.rpc.json"), REQUESTS);
  });
  afterEach(async () => {
    for (const child of children) child.kill("SIGKILL");
    children.clear();
    await server.close();
  });

  interface ReplayServer {
    readonly url: string;
    readonly clientId: string;
    readonly clientSecret: string;
  }
  const recorded = (): ReplayServer => ({
    ...{ url: server.addresses.webSocket, clientId: exchange.clientId, clientSecret: SECRET },
  });
  const start = (words: readonly string[], at: ReplayServer = recorded()): ChildProcessWithoutNullStreams => {
    const access = { URL: at.url, CLIENT_ID: at.clientId, CLIENT_SECRET: at.clientSecret };
    const env = ["SIM", "TEST", "PROD"].flatMap((name) =>
      Object.entries(access).map(([key, value]) => [`TRADING_RPC_${name}_${key}`, value]),
    );
    const child = spawn(process.execPath, [path.join(folder, "dist", "cli.js"), ...words], {
      cwd: work,
      env: { PATH: process.env["PATH"] ?? "", ...(Object.fromEntries(env) as Record<string, string>) },
    });
    children.add(child);
    child.stdin.end();
    return child;
  };
  const ended = async (child: ChildProcessWithoutNullStreams): Promise<Ended> => {
    let [out, err] = ["", ""];
    child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
    child.stderr.on("data", (piece: Buffer) => (err += piece.toString()));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, out, err };
  };
  const run = async (words: readonly string[], at?: ReplayServer): Promise<Ended> => await ended(start(words, at));
  const record = async (...more: readonly string[]): Promise<Ended> =>
    await run(["record", "all.rpc.json", "--env", "sim", "--out", "s.jsonl", "--events", "3", ...more]);
  /** Starts a replay; resolves to its address and credentials once it has said them. */
  const replay = async (): Promise<{ readonly child: ChildProcessWithoutNullStreams; readonly at: ReplayServer }> => {
    const child = start(["replay", "s.jsonl", "--port", "0", "--speed", "max"]);
    const at = await new Promise<ReplayServer>((resolve, reject) => {
      let out = "";
      child.stdout.on("data", (piece: Buffer) => {
        out += piece.toString();
        const [, url, clientId, clientSecret] =
          /WebSocket +(\S+)[^]*Client ID +(\S+)[^]*Client secret +(\S+)/.exec(out) ?? [];
        if (url !== undefined && clientId !== undefined && clientSecret !== undefined && out.includes("Ctrl+C"))
          resolve({ url, clientId, clientSecret });
      });
      child.once("close", () => reject(new Error(out)));
    });
    return { child, at };
  };
  const responsesOf = ({ out }: Ended): readonly unknown[] => {
    const report = JSON.parse(out) as {
      readonly files: readonly {
        readonly requests: readonly { readonly response?: { readonly result?: unknown } }[];
      }[];
    };
    return report.files.flatMap(({ requests }) => requests.map(({ response }) => response?.result));
  };

  test("what was recorded is replayed; two replays are the same; secrets and names are not in the file", async () => {
    const recorded = await record("--channel", "ticker.BTC-PERPETUAL.100ms");
    assert.equal(recorded.code, 0, recorded.out + recorded.err);
    assert.match(recorded.err, /^Recorded to s\.jsonl\. Calls: \d+\. Events: \d+\.$/m);
    const file = path.join(work, "s.jsonl");
    const text = fs.readFileSync(file, "utf8");
    if (process.platform !== "win32") assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    for (const form of formsOf(SECRET)) assert.ok(!text.includes(form), form);
    // The simulator's account has the name of its API key.
    const names = /"(?:username|system_name|email)":"(?!name-|user-|client-)[^"]*"/.exec(text);
    assert.equal(names, null);
    assert.ok(!text.includes(exchange.clientId));
    assert.match(text, /^\{"tradingRpcRecording":1,"environment":"sim"/);
    assert.match(text, /"email":"user-1@example\.invalid"/);
    assert.match(text, /"access_token":"secret-\d+"/);

    const plays: (readonly unknown[])[] = [];
    for (let time = 0; time < 2; time++) {
      const { child, at } = await replay();
      const played = await run(["run", "all.rpc.json", "--env", "test", "--format", "json"], at);
      assert.equal(played.code, 0, played.out + played.err);
      plays.push(responsesOf(played));
      child.kill("SIGINT");
      assert.equal((await ended(child)).code, 0);
    }
    assert.equal(plays[0]?.length, 5);
    assert.ok(plays[0].every((each) => each !== undefined));
    assert.deepEqual(plays[0], plays[1]);
    const ticker = /"method":"public\/ticker".*\n(?:.*\n)*?.*"result":(\{.*"best_ask_price".*\})\}\n/.exec(text)?.[1];
    assert.deepEqual(plays[0][4], JSON.parse(ticker ?? "null"));
  });

  test("over HTTP a call that is not in the recording gets the error that says so", async () => {
    assert.equal((await record()).code, 0);
    const { at } = await replay();
    const base = at.url.replace("ws:", "http:").replace("/ws/", "/");
    const response = await fetch(`${base}/public/ticker?instrument_name=BTC-PERPETUAL`);
    assert.equal(response.status, 200);
    assert.equal(
      ((await response.json()) as { result: { instrument_name: string } }).result.instrument_name,
      "BTC-PERPETUAL",
    );
    const unknown = await fetch(`${base}/public/ticker?instrument_name=ETH-PERPETUAL`);
    assert.equal(unknown.status, 400);
    const { error } = (await unknown.json()) as { readonly error: { readonly code: number; readonly message: string } };
    assert.deepEqual([error.code, error.message], [-32_001, "not_in_recording"]);
  });

  test("no web page reads it: a page sends its origin, or the name that it lets point to this computer", async () => {
    assert.equal((await record()).code, 0);
    const { at } = await replay();
    const { port } = new URL(at.url);
    const ticker = "/api/v2/public/test";
    const statusOf = async (path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
      await new Promise((resolve, reject) => {
        const request = http.request({ host: "127.0.0.1", port, path, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on("upgrade", (response, socket) => {
          socket.destroy();
          resolve(response.statusCode);
        });
        request.on("error", reject);
        request.end();
      });
    const upgrade = {
      ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    const own: readonly Readonly<Record<string, string>>[] = [
      {},
      ...[{ host: `localhost:${port}` }, { host: `[::1]:${port}` }, { origin: "http://localhost:3000" }],
    ];
    const foreign: readonly Readonly<Record<string, string>>[] = [
      ...[{ origin: "https://evil.example" }, { origin: "null" }, { origin: "http://127.0.0.1.evil.example" }],
      ...[{ host: `evil.example:${port}` }, { host: "127.0.0.1.evil.example" }, { host: "localhost@evil.example" }],
    ];
    for (const headers of own) {
      assert.equal(await statusOf(ticker, headers), 200, JSON.stringify(headers));
      assert.equal(await statusOf("/ws/api/v2", { ...headers, ...upgrade }), 101, JSON.stringify(headers));
    }
    for (const headers of foreign) {
      assert.equal(await statusOf(ticker, headers), 403, JSON.stringify(headers));
      assert.equal(await statusOf("/ws/api/v2", { ...headers, ...upgrade }), 403, JSON.stringify(headers));
    }
    // The control path of the simulator, which has a token of its own, too.
    const control = new URL(server.addresses.control.url);
    assert.equal((await fetch(control, { method: "POST" })).status, 401);
    const told = await fetch(control, { method: "POST", headers: { origin: "https://evil.example" } });
    assert.equal(told.status, 403);
  });

  test("a request file made of a recording meets its expectations on the replay; a changed response fails at its place", async () => {
    assert.equal((await record()).code, 0);
    const made = await run(["replay", "s.jsonl", "--requests"]);
    assert.equal(made.code, 0, made.err);
    fs.writeFileSync(path.join(work, "made.rpc.json"), made.out);
    const runOnReplay = async (): Promise<Ended> => {
      const { child, at } = await replay();
      const played = await run(["run", "made.rpc.json", "--env", "test"], at);
      child.kill("SIGINT");
      await ended(child);
      return played;
    };
    const met = await runOnReplay();
    assert.equal(met.code, 0, met.out + met.err);
    const file = path.join(work, "s.jsonl");
    const recording = fs.readFileSync(file, "utf8");
    const changed = recording.replace(/("best_ask_price":)[\d.]+/, "$17");
    assert.notEqual(changed, recording);
    fs.writeFileSync(file, changed);
    const failed = await runOnReplay();
    assert.equal(failed.code, 1, failed.out + failed.err);
    assert.match(failed.out, /result\.best_ask_price.* 7/);
    fs.writeFileSync(file, "not a recording");
    const refused = await run(["replay", "s.jsonl", "--requests"]);
    assert.deepEqual([refused.code, refused.out], [2, ""]);
    assert.equal(refused.err, "s.jsonl can't be read. Line 1: Expected a JSON object.\n");
  });

  test("a program that is killed leaves a recording that can be replayed, and it is said that it was not finished", async () => {
    const file = path.join(work, "s.jsonl");
    const words = ["record", "all.rpc.json", "--env", "sim", "--out", "s.jsonl"];
    const recording = start([...words, "--channel", "ticker.BTC-PERPETUAL.100ms", "--events", "1000000"]);
    const watcher = fs.watch(work);
    await new Promise<void>((resolve) => {
      watcher.on("change", () => {
        if (fs.existsSync(file) && /"response":[^]*"event":/.test(fs.readFileSync(file, "utf8"))) resolve();
      });
    });
    watcher.close();
    recording.kill("SIGKILL");
    await ended(recording);
    // What was being written when it died.
    fs.appendFileSync(file, '{"ms":99999,"eve');
    const { child, at } = await replay();
    const replayed = ended(child);
    const ticker = `${at.url.replace("ws:", "http:").replace("/ws/", "/")}/public/ticker?instrument_name=BTC-PERPETUAL`;
    assert.ok((await fetch(ticker)).status < 500);
    child.kill("SIGINT");
    await replayed;
    const { err } = await run(["replay", "s.jsonl", "--requests"]);
    assert.match(
      err,
      /^The recording was not finished\. Personal data that was used before it was known may be in it\.$/m,
    );
  });

  test("a file that is there is not replaced, and nothing is sent", async () => {
    fs.writeFileSync(path.join(work, "s.jsonl"), "mine");
    const refused = await record();
    assert.deepEqual([refused.code, refused.out], [2, ""]);
    assert.match(refused.err, /^s\.jsonl already exists\. Use a path that doesn't exist/);
    assert.equal(fs.readFileSync(path.join(work, "s.jsonl"), "utf8"), "mine");
    assert.deepEqual(exchange.control.ledger(), []);
  });

  test("production is not recorded without a confirmation; a run that can't connect leaves no file", async () => {
    const words = ["record", "all.rpc.json", "--env", "prod", "--out", "s.jsonl"];
    const refused = await run(words);
    assert.equal(refused.code, 3);
    assert.equal(refused.err, "Recording production needs a confirmation. Run it in a terminal, or use --yes.\n");
    assert.deepEqual(exchange.control.ledger(), []);
    // The simulator says that it is testnet: it is not the production that was asked for.
    const contradicted = await run([...words, "--yes"]);
    assert.equal(contradicted.code, 3, contradicted.err);
    const unreachable = await run(["record", "all.rpc.json", "--env", "sim", "--out", "none.jsonl"], {
      ...recorded(),
      url: "ws://127.0.0.1:9/ws/api/v2",
    });
    assert.equal(unreachable.code, 5, unreachable.err);
    assert.ok(!fs.existsSync(path.join(work, "none.jsonl")));
  });

  test("a hostile recording is refused with its line, and nothing is served", async () => {
    const head = '{"tradingRpcRecording":1,"environment":"sim","startedAtMs":0}';
    for (const [text, reason] of [
      ["not a recording", "Line 1: Expected a JSON object."],
      [`${head}\n{"ms":0,"event":"x","data":${"[".repeat(100_000)}`, "Line 2: nested deeper than 64"],
      [`${head}\n{"ms":0,"event":"x","data":{"__proto__":1}}`, "Line 2: a key is named __proto__"],
      [`${head}\n{"ms":0,"connect":"ws://127.0.0.1:1"}`, "Line 2: Expected a call with method and params"],
    ] as const) {
      fs.writeFileSync(path.join(work, "s.jsonl"), text);
      const refused = await run(["replay", "s.jsonl", "--port", "0"]);
      assert.deepEqual([refused.code, refused.out], [2, ""]);
      assert.ok(refused.err.includes(reason), refused.err);
    }
    assert.equal((await run(["replay", "gone.jsonl"])).err, "gone.jsonl does not exist.\n");
  });
});
