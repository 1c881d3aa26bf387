import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess, type ChildProcessWithoutNullStreams } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { planRun } from "../../src/requests/running/plan.ts";
import { createResults } from "../../src/requests/values/results.ts";
import { scanRequests } from "../../src/requests/file/scan.ts";
import { runPlan } from "../../src/requests/running/sequence.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { xmlProblems } from "../core/cli/xml.ts";
import { formsOf } from "../secretForms.ts";
import { connectionTo, ready } from "./liveOverSockets.ts";

/*
 * The terminal runner as it ships, a process of its own, against a simulator on loopback whose ledger shows what was
 * sent.
 */

const SECRET = "canary-8Kq2Vx5Lr9Tz4Wm7";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Report {
  readonly exitCode: number;
  readonly stopped: boolean;
  readonly totals: Readonly<Record<string, number>>;
  readonly files: readonly {
    readonly file: string;
    readonly requests: readonly {
      readonly name?: string;
      readonly method: string;
      readonly verdict: string;
      readonly provedByReading?: boolean;
      readonly sentence: string;
      readonly response?: { readonly result?: unknown };
    }[];
  }[];
}

/** Whether the system can give a program a terminal. */
const HAS_SCRIPT = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

describe("the terminal runner", () => {
  let folder = "";
  let work = "";
  let server: SimulatorServer;
  let exchange: Exchange;
  const children = new Set<ChildProcess>();
  let count = 0;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-cli-"));
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
    ({ exchange, server } = await openExchange());
    work = path.join(folder, `work${String(++count)}`);
    fs.mkdirSync(work);
  });
  afterEach(async () => {
    for (const child of children) child.kill("SIGKILL");
    children.clear();
    await server.close();
  });

  const openExchange = async (): Promise<{ readonly exchange: Exchange; readonly server: SimulatorServer }> => {
    const made = createExchange({
      clock: createSystemClock(),
      random: createFakeRandom(11),
      still: true,
      limits: false,
      clientSecret: SECRET,
    });
    return {
      exchange: made,
      server: await startServer({ exchange: made, port: 0, controlToken: "t", limits: false, log: silentLog }),
    };
  };
  const write = (name: string, content: unknown): string => {
    fs.writeFileSync(
      path.join(work, name),
      typeof content === "string" ? content : JSON.stringify(content, undefined, 1),
    );
    return name;
  };
  const variables = (own: Readonly<Record<string, string>> = {}): Record<string, string> => {
    const address = { URL: server.addresses.webSocket, CLIENT_ID: exchange.clientId, CLIENT_SECRET: SECRET };
    const all = ["SIM", "TEST", "PROD"].flatMap((environment) =>
      Object.entries(address).map(([name, value]) => [`TRADING_RPC_${environment}_${name}`, value]),
    );
    return {
      PATH: process.env["PATH"] ?? "",
      XDG_STATE_HOME: path.join(work, "state"),
      ...(Object.fromEntries(all) as Record<string, string>),
      ...own,
    };
  };
  const start = (words: readonly string[], env = variables()): ChildProcessWithoutNullStreams => {
    const child = spawn(process.execPath, [path.join(folder, "dist", "cli.js"), ...words], { cwd: work, env });
    children.add(child);
    child.stdin.end();
    return child;
  };
  const ended = async (child: ChildProcessWithoutNullStreams): Promise<Ended> => {
    let [out, err] = ["", ""];
    child.stdout.on("data", (piece: Buffer) => {
      out += piece.toString();
    });
    child.stderr.on("data", (piece: Buffer) => {
      err += piece.toString();
    });
    const code = await new Promise<number | null>((resolve) => {
      child.once("close", resolve);
    });
    assert.ok(!`${out}${err}`.includes(SECRET), "the secret stands in the output");
    return { code, out, err };
  };
  const run = async (words: readonly string[], env = variables()): Promise<Ended> =>
    await ended(start(["run", ...words], env));
  const reportOf = ({ out }: Ended): Report => JSON.parse(out) as Report;
  const framesOf = (method: string): string[] =>
    exchange.control
      .ledger()
      .filter((entry) => entry.method === method)
      .map((entry) => String(entry.paramsText));
  const firstOrder = (): string => exchange.control.openOrders()[0]?.order_id ?? "";

  const CHAIN = [
    {
      $file: { env: ["sim", "test"], vars: { kind: "future" } },
      jsonrpc: "2.0",
      id: 1,
      method: "private/get_open_orders",
      params: { kind: "{{kind}}", type: "limit" },
      $run: { name: "open", expect: { ok: true } },
    },
    {
      jsonrpc: "2.0",
      id: 2,
      method: "private/get_order_state",
      params: { order_id: "{{open.result[0].order_id}}" },
      $run: { name: "first", expect: { result: { order_state: "open", order_id: "{{open.result[0].order_id}}" } } },
    },
  ];
  const CANCEL = (orderId: string, more: object = {}): object => ({
    jsonrpc: "2.0",
    id: 3,
    method: "private/cancel",
    params: { order_id: orderId },
    $run: { name: "end", ...more },
  });
  const SWITCH = {
    jsonrpc: "2.0",
    id: 4,
    method: "public/exchange_token",
    params: { refresh_token: "{{$session.refreshToken}}", subject_id: 10 },
    $run: { name: "switch" },
  };
  /** A read that no session and no view makes by itself. */
  const TAPE = {
    jsonrpc: "2.0",
    id: 5,
    method: "public/get_last_trades_by_instrument",
    params: { instrument_name: "BTC-PERPETUAL", count: 1 },
    $run: { name: "tape" },
  };

  test("chained reads pass, and each is told in a line", async () => {
    const { code, out } = await run([write("orders.rpc.json", CHAIN), "--env", "sim"]);
    assert.equal(code, 0, out);
    assert.match(out, /^orders\.rpc\.json · SIMULATOR/);
    assert.match(out, /^ {2}✓ {2}open {2}private\/get_open_orders {2}(?:<1|\d+) ms$/m);
    assert.match(out, /^2 passed in /m);
    assert.deepEqual(framesOf("private/get_order_state").length, 1);
    assert.ok(framesOf("private/get_order_state")[0]?.includes(firstOrder()) === true);
  });

  test("an expectation that does not hold is told with its place, what was expected and what came", async () => {
    const file = write(
      "time.rpc.json",
      `{\n "method": "public/get_time",\n "$run": { "name": "time", "expect": { "result": 1e3 } }\n}`,
    );
    const { code, out } = await run([file, "--env", "test"]);
    assert.equal(code, 1);
    assert.match(out, /✗ {2}time {2}public\/get_time {2}failed/);
    assert.match(out, /time\.rpc\.json:3:50 {2}result: expected 1e3, got \d+/);
    assert.equal(out.match(/1e3/g)?.length, 1);
  });

  test("digits stay as they were written and received", async () => {
    const file = write(
      "digits.rpc.json",
      `{ "method": "public/get_last_trades_by_instrument", "params": { "instrument_name": "{{name}}", "count": 1e0 } }`,
    );
    const json = await run([file, "--env", "sim", "--var", "name=BTC-PERPETUAL", "--format", "json"]);
    assert.equal(json.code, 0, json.err);
    assert.match(json.out, /"params":\{"instrument_name":"BTC-PERPETUAL","count":1e0\}/);
    assert.match(framesOf("public/get_last_trades_by_instrument")[0] ?? "", /"count":\s*1e0/);
    const text = await run([file, "--env", "sim", "--var", "name=BTC-PERPETUAL", "--verbose"]);
    assert.match(text.out, /"count": 1e0/);
    assert.match(text.out, /"instrument_name": "BTC-PERPETUAL"/);
  });

  test("what changes something is refused without --allow-writes, and nothing of it is sent", async () => {
    const ended = await run([
      write("cancel.rpc.json", [TAPE, CANCEL(firstOrder())]),
      "--env",
      "sim",
      "--format",
      "json",
    ]);
    assert.equal(ended.code, 3);
    const found = reportOf(ended).files[0]?.requests.map(({ verdict }) => verdict);
    assert.deepEqual(found, ["passed", "refused"]);
    assert.deepEqual(framesOf("private/cancel"), []);
  });

  test("with --allow-writes it is sent once without a terminal for confirmations, on sim and on test", async () => {
    for (const environment of ["sim", "test"]) {
      const orderId = firstOrder();
      const { code, out } = await run([
        write("cancel.rpc.json", CANCEL(orderId, { expect: { result: { order_state: "cancelled" } } })),
        "--env",
        environment,
        "--allow-writes",
      ]);
      assert.equal(code, 0, out);
      assert.match(out, /Cancelled on|confirmed/);
      assert.equal(framesOf("private/cancel").filter((each) => each.includes(orderId)).length, 1);
      assert.equal(exchange.control.order(orderId)?.order_state, "cancelled");
    }
  });

  test("a server that is not what --env says gets no request", async () => {
    const file = write("time.rpc.json", TAPE);
    const { code, err } = await run([file, "--env", "prod", "--allow-writes", "prod"]);
    assert.equal(code, 3);
    assert.match(err, /but the server reports that it is a testnet\./);
    assert.deepEqual(framesOf("public/get_last_trades_by_instrument"), []);
  });

  test("a file that is for another environment is refused", async () => {
    const { code, out } = await run([write("pinned.rpc.json", { ...TAPE, $file: { env: ["prod"] } }), "--env", "test"]);
    assert.equal(code, 3, out);
    assert.match(out, /\$file\.env/);
    assert.deepEqual(framesOf("public/get_last_trades_by_instrument"), []);
  });

  test("$allow of the folder is kept, and its variables are there", async () => {
    write("rpc.env.json", { $allow: ["test"], "*": { name: "BTC-PERPETUAL" } });
    const file = write("tape.rpc.json", {
      method: "public/get_last_trades_by_instrument",
      params: { instrument_name: "{{name}}", count: 1 },
    });
    assert.equal((await run([file, "--env", "test"])).code, 0);
    const refused = await run([file, "--env", "sim"]);
    assert.equal(refused.code, 3, refused.out);
    assert.match(refused.out, /\$allow/);
  });

  test("a variable without a value ends it before anything is sent, with all that is missing", async () => {
    const file = write("ask.rpc.json", [
      TAPE,
      CANCEL("{{$pick.order}}"),
      {
        method: "public/get_last_trades_by_instrument",
        params: { instrument_name: "{{$ask.Instrument}}", count: "{{max}}" },
      },
    ]);
    const { code, err } = await run([file, "--env", "sim", "--allow-writes"]);
    assert.equal(code, 2);
    assert.match(err, /ask\.rpc\.json:\d+:\d+ {2}\$pick\.order has no value.*--var '\$pick\.order=…'/);
    assert.match(err, /\$ask\.Instrument has no value/);
    assert.match(err, /max has no value/);
    assert.deepEqual(exchange.control.ledger(), []);
    const orderId = firstOrder();
    const given = await run([
      file,
      "--env",
      "sim",
      "--allow-writes",
      "--var",
      `$pick.order=${orderId}`,
      "--var",
      "$ask.Instrument=BTC-PERPETUAL",
      "--var",
      "max=2",
    ]);
    assert.equal(given.code, 0, given.out + given.err);
    assert.match(framesOf("public/get_last_trades_by_instrument").at(-1) ?? "", /"count":\s*2\b/);
  });

  test("a file with mistakes, and one that is not there, end it before anything is sent", async () => {
    const file = write("broken.rpc.json", `[{ "method": "public/get_time" }, { "method": }]`);
    const { code, err } = await run([file, "none.rpc.json", "--env", "sim"]);
    assert.equal(code, 2);
    assert.match(err, /broken\.rpc\.json:1:\d+ {2}/);
    assert.match(err, /none\.rpc\.json does not exist/);
    assert.deepEqual(exchange.control.ledger(), []);
  });

  test("a check tells what is wrong by its exit code, and sends nothing", async () => {
    const checked = async (...words: readonly string[]): Promise<Ended> => await ended(start(["check", ...words]));
    fs.mkdirSync(path.join(work, "below", "node_modules"), { recursive: true });
    fs.symlinkSync("..", path.join(work, "below", "circle"), "junction");
    write("below/node_modules/broken.rpc.json", "{");
    write("good.rpc.json", CHAIN);
    write("below/warned.rpc.json", { method: "public/unheard_of" });
    const good = await checked(".");
    assert.deepEqual([good.code, good.err], [0, ""], good.out);
    assert.match(
      good.out,
      /^below\/warned\.rpc\.json:2:12 warning Unknown method public\/unheard_of\..* \[unknownMethod\]$/m,
    );
    assert.match(good.out, /^Files checked: 2, errors: 0, warnings: 1$/m);
    write("below/wrong.rpc.json", { method: "private/cancel" });
    const wrong = await checked("good.rpc.json", "below", "--format", "json");
    assert.equal(wrong.code, 1, wrong.err);
    assert.equal((JSON.parse(wrong.out) as { readonly errors: number }).errors, 1);
    const missing = await checked("below/wrong.rpc.json", "none.rpc.json");
    assert.equal(missing.code, 2);
    assert.match(missing.out, /^below\/wrong\.rpc\.json:2:12 error order_id/m);
    assert.equal(missing.err, "none.rpc.json does not exist.\n");
    const unusual = await checked("good.rpc.json", "--fix");
    assert.equal(unusual.code, 2);
    assert.match(unusual.err, /^--fix is not a trading-rpc check option/);
    assert.deepEqual(exchange.control.ledger(), []);
  });

  test("methods are listed without a connection; an unknown one ends with its likely names", async () => {
    const methods = async (...words: readonly string[]): Promise<Ended> =>
      await ended(start(["methods", ...words], {}));
    const listed = await methods("--json");
    assert.deepEqual([listed.code, listed.err], [0, ""]);
    assert.equal((JSON.parse(listed.out) as readonly unknown[]).length, 192);
    const unknown = await methods("private/bye");
    assert.deepEqual([unknown.code, unknown.out], [2, ""]);
    assert.equal(unknown.err, "Unknown method private/bye. Did you mean private/buy?\n");
  });

  test("an unknown outcome is looked up before the program ends; what reading proves is told", async () => {
    const orderId = firstOrder();
    exchange.control.setFault({ method: "private/cancel", response: "none" });
    const ended = await run([
      write("cancel.rpc.json", [CANCEL(orderId), TAPE]),
      "--env",
      "sim",
      "--allow-writes",
      "--timeout",
      "300",
      "--format",
      "json",
    ]);
    assert.equal(ended.code, 0, ended.out);
    const requests = reportOf(ended).files[0]?.requests;
    const found = requests?.map(({ verdict, provedByReading }) => [verdict, provedByReading]);
    assert.deepEqual(found, [
      ["passed", true],
      ["passed", undefined],
    ]);
    assert.match(requests?.[0]?.sentence ?? "", /verified cancelled/);
    assert.equal(framesOf("private/cancel").length, 1);
  });

  test("an outcome that stays unknown ends it with a code of its own", async () => {
    exchange.control.setFault({ method: "public/exchange_token", response: "none" });
    const ended = await run([write("switch.rpc.json", SWITCH), "--env", "sim", "--allow-writes", "--timeout", "300"]);
    assert.equal(ended.code, 4, ended.out);
    assert.match(ended.out, /\? {2}switch {2}public\/exchange_token {2}outcome unknown/);
    assert.match(ended.out, /1 with an unknown outcome/);
    assert.equal(framesOf("public/exchange_token").length, 1);
  });

  test("Ctrl+C sends nothing more, waits for what was sent and says that it is unknown", async () => {
    exchange.control.setFault({ method: "public/exchange_token", response: "none" });
    const child = start([
      "run",
      write("switch.rpc.json", [TAPE, SWITCH, { ...TAPE, $run: { name: "later" } }]),
      "--env",
      "sim",
      "--allow-writes",
      "--timeout",
      "1500",
      "--format",
      "json",
    ]);
    const end = ended(child);
    await until(() => framesOf("public/exchange_token").length === 1);
    child.kill("SIGINT");
    const result = await end;
    assert.equal(result.code, 4, result.err);
    const report = reportOf(result);
    assert.equal(report.stopped, true);
    const found = report.files[0]?.requests.map(({ verdict }) => verdict);
    assert.deepEqual(found, ["passed", "unknown", "notRun"]);
    assert.equal(framesOf("public/get_last_trades_by_instrument").length, 1);
  });

  test("a second Ctrl+C does not wait", async () => {
    exchange.control.setFault({ method: "public/exchange_token", response: "none" });
    const child = start([
      "run",
      write("switch.rpc.json", SWITCH),
      "--env",
      "sim",
      "--allow-writes",
      "--timeout",
      "600000",
      "--format",
      "json",
    ]);
    const end = ended(child);
    await until(() => framesOf("public/exchange_token").length === 1);
    let said = "";
    child.stderr.on("data", (piece: Buffer) => {
      said += piece.toString();
    });
    child.kill("SIGINT");
    await until(() => said.includes("Press Ctrl+C again to exit immediately"));
    child.kill("SIGINT");
    const result = await end;
    assert.equal(result.code, 4);
    const found = reportOf(result).files[0]?.requests.map(({ verdict }) => verdict);
    assert.deepEqual(found, ["unknown"]);
  });

  test("Ctrl+C ends it while it connects", async () => {
    const silent = net.createServer(() => undefined);
    await new Promise<void>((resolve) => {
      silent.listen(0, "127.0.0.1", resolve);
    });
    const sockets: net.Socket[] = [];
    silent.on("connection", (socket) => {
      sockets.push(socket);
    });
    const child = start(
      ["run", write("tape.rpc.json", TAPE), "--env", "sim"],
      variables({
        TRADING_RPC_SIM_URL: `ws://127.0.0.1:${String((silent.address() as net.AddressInfo).port)}/ws/api/v2`,
      }),
    );
    const end = ended(child);
    await until(() => sockets.length > 0);
    child.kill("SIGINT");
    const { code, err } = await end;
    for (const socket of sockets) socket.destroy();
    silent.close();
    assert.equal(code, 1);
    assert.match(err, /interrupted/);
  });

  test("no server, and a key that is refused, end it with their code", async () => {
    const file = write("time.rpc.json", TAPE);
    const refused = await run(
      [file, "--env", "sim"],
      variables({ TRADING_RPC_SIM_CLIENT_SECRET: "another-secret-of-no-key" }),
    );
    assert.equal(refused.code, 5);
    assert.doesNotMatch(refused.err, /another-secret/);
    const gone = await run([file, "--env", "sim"], variables({ TRADING_RPC_SIM_URL: "ws://127.0.0.1:9/ws/api/v2" }));
    assert.equal(gone.code, 5);
    assert.match(gone.err, /127\.0\.0\.1:9/);
  });

  test("a link that goes while a read is under way ends it with the same code", async () => {
    exchange.control.setFault({ method: TAPE.method, response: "none", link: "close" });
    const { code, out } = await run([write("time.rpc.json", TAPE), "--env", "sim"]);
    assert.equal(code, 5, out);
    assert.match(out, /The connection was lost\./);
  });

  test("a secret on the command line is refused and not repeated", async () => {
    for (const words of [["--client-secret", SECRET], [`--token=${SECRET}`], ["--var", `access_token=${SECRET}`]]) {
      const { code, err } = await run([write("time.rpc.json", TAPE), "--env", "sim", ...words]);
      assert.equal(code, 2);
      assert.match(err, /TRADING_RPC_CLIENT_SECRET/);
    }
    assert.deepEqual(exchange.control.ledger(), []);
  });

  test("text of the server cannot act on the terminal, and a secret that it repeats is hidden, in every form of the report", async () => {
    const message = `\u001b[2J\u202e]0;${SECRET} <&>"\u0007`;
    const file = write("keys.rpc.json", [{ method: "private/list_api_keys", $run: { name: "keys" } }, TAPE]);
    for (const format of ["text", "json", "junit"] as const) {
      exchange.control.setFault({ method: TAPE.method, response: { code: 11044, message } });
      const report = await run([file, "--env", "sim", "--verbose", "--format", format, "--output", `report.${format}`]);
      const saved = fs.readFileSync(path.join(work, `report.${format}`), "utf8");
      assert.equal(report.code, 1, report.err);
      assert.match(saved, /11044/);
      for (const text of [report.out, report.err, saved]) {
        assert.ok(!text.includes(SECRET), format);
        for (const character of ["\u001b", "\u202e", "\u0007"])
          assert.ok(!text.includes(character), `${format} has U+${character.charCodeAt(0).toString(16)}`);
      }
      if (format === "json") assert.equal((JSON.parse(saved) as Report).exitCode, report.code);
      if (format === "junit") assert.deepEqual(xmlProblems(saved), []);
    }
  });

  test("the JUnit report is well formed and says what failed where", async () => {
    const file = write("orders.rpc.json", [
      { method: "public/get_time", $run: { name: "early", expect: { result: { $lt: 5 } } } },
      TAPE,
    ]);
    const { code, out } = await run([file, "--env", "sim", "--format", "junit"]);
    assert.equal(code, 1);
    assert.deepEqual(xmlProblems(out), []);
    assert.match(out, /<testsuites name="trading-rpc SIMULATOR" tests="2" failures="1" errors="0" skipped="0"/);
    assert.match(out, /<failure message="[^"]+\$lt 5[^"]*" type="expectation">orders\.rpc\.json:\d+:\d+ /);
  });

  test("only what has the tag is sent, and what it takes from; and only reads", async () => {
    const tagged = CHAIN.map((request, index) =>
      index === 1 ? { ...request, $run: { ...request.$run, tags: ["smoke"] } } : request,
    );
    const file = write("tags.rpc.json", [...tagged, TAPE, CANCEL("x")]);
    const byTag = await run([file, "--env", "sim", "--tag", "smoke", "--format", "json"]);
    const found = reportOf(byTag).files[0]?.requests.map(({ name }) => name);
    assert.deepEqual(found, ["open", "first"]);
    const reads = await run([file, "--env", "sim", "--reads", "--format", "json"]);
    assert.equal(reads.code, 0);
    assert.deepEqual(
      reportOf(reads).files[0]?.requests.map(({ name }) => name),
      ["open", "first", "tape"],
    );
  });

  test("a run that has nothing to send does not pass, unless that is said to be fine", async () => {
    const change = write("change.rpc.json", CANCEL("x"));
    const rows: readonly (readonly [words: readonly string[], sentence: string])[] = [
      [[change, "--tag", "smoek"], "Nothing was sent: no request has the tag smoek."],
      [[write("none.rpc.json", "[]")], "Nothing was sent: there are no requests."],
      [[change, "--reads"], "Nothing was sent: there are no read requests."],
      [
        [write("skip.rpc.json", { ...TAPE, $run: { skip: true } })],
        "Nothing was sent: all requests are skipped ($run.skip).",
      ],
    ];
    for (const [words, sentence] of rows) {
      const { code, err } = await run([...words, "--env", "sim"]);
      assert.deepEqual([code, err], [2, `${sentence}\nUse --allow-empty to treat this as passed.\n`]);
      assert.equal((await run([...words, "--env", "sim", "--allow-empty"])).code, 0, sentence);
    }
    assert.deepEqual(framesOf("private/cancel"), []);
  });

  test("the built-in simulator needs no set-up, and the folder of the examples passes on it", async () => {
    const examples = fs.readdirSync("examples").filter((name) => name.endsWith(".rpc.json"));
    assert.ok(examples.length >= 9);
    const { code, out, err } = await run([path.resolve("examples"), "--env", "sim", "--allow-writes"], {
      PATH: process.env["PATH"] ?? "",
    });
    assert.equal(code, 0, out + err);
    assert.equal([...out.matchAll(/^\S+\.rpc\.json · /gm)].length, examples.length);
    assert.deepEqual(exchange.control.ledger(), []);
  });

  const CHANNEL = "trades.BTC-PERPETUAL.100ms";
  const FOLLOW = { method: "public/subscribe", params: { channels: [CHANNEL] }, $run: { name: "follow" } };
  const isFollowed = (): boolean => exchange.control.connections().some(({ channels }) => channels.includes(CHANNEL));

  test("a run's own simulator has no rate limits unless they are wanted, and the report says so", async () => {
    const own = { PATH: process.env["PATH"] ?? "" };
    const logs = write(
      "logs.rpc.json",
      Array.from({ length: 40 }, () => ({
        method: "private/get_transaction_log",
        params: { currency: "BTC", start_timestamp: 0, end_timestamp: 1 },
      })),
    );
    const fast = await run([logs, "--env", "sim"], own);
    assert.equal(fast.code, 0, fast.out + fast.err);
    assert.match(fast.out, /^logs\.rpc\.json · SIMULATOR · rate limits off\n {2}✓/);
    assert.doesNotMatch(fast.out, /this takes at least/);
    assert.match(fast.out, /^At this speed, the exchange would have refused \d+ requests \(10028 /m);
    const tape = write("tape.rpc.json", TAPE);
    const limited = await run([tape, "--env", "sim", "--limits", "on"], own);
    assert.match(limited.out, /^tape\.rpc\.json · SIMULATOR\n {2}✓/);
    const quiet = await run([tape, "--env", "sim", "--format", "json"], own);
    assert.deepEqual((JSON.parse(quiet.out) as { readonly notes: unknown }).notes, []);
    const address = await run([tape, "--env", "sim", "--limits", "off"]);
    assert.equal(address.code, 2);
    assert.equal(address.err, "--limits can't be used with TRADING_RPC_SIM_URL: that simulator has its own limits.\n");
  });

  test("a subscribe request follows its channel in lines until Ctrl+C, unsubscribes, and nothing has failed", async () => {
    const before = framesOf(TAPE.method).length;
    const child = start(["run", write("follow.rpc.json", [FOLLOW, TAPE]), "--env", "sim", "--format", "json"]);
    let seen = "";
    child.stdout.on("data", (piece: Buffer) => {
      seen += piece.toString();
    });
    const end = ended(child);
    // The event comes behind the response to the second request, so that this one is over when its line is there.
    await until(() => isFollowed() && framesOf(TAPE.method).length > before);
    exchange.control.sendText(
      `{"jsonrpc":"2.0","method":"subscription","params":{"channel":"${CHANNEL}","data":[{"price":0.10,\n"amount":9007199254740993}]}}`,
    );
    await until(() => seen.includes("\n"));
    child.kill("SIGINT");
    const { code, out, err } = await end;
    assert.equal(code, 0, out + err);
    const [line = "", ...rest] = out.split("\n");
    assert.match(
      line,
      new RegExp(
        `^\\{"channel":"${CHANNEL.replaceAll(".", "\\.")}","receivedAt":"[^"]+Z","data":\\[\\{"price":0\\.10, "amount":9007199254740993\\}\\]\\}$`,
      ),
    );
    const report = JSON.parse(rest.join("\n")) as Report & { readonly notes: readonly string[] };
    assert.deepEqual([report.exitCode, report.stopped, report.notes], [0, false, [`${CHANNEL}: 1 event.`]]);
    const found = report.files[0]?.requests.map(({ verdict }) => verdict);
    assert.deepEqual(found, ["passed", "passed"]);
    assert.equal(framesOf("public/unsubscribe").filter((each) => each.includes(CHANNEL)).length, 1);
  });

  test("--events ends it, and nothing in an event acts on the terminal", async () => {
    const child = start(["run", write("follow.rpc.json", FOLLOW), "--env", "sim", "--events", "1"]);
    const end = ended(child);
    await until(isFollowed);
    exchange.control.sendText(
      `{"jsonrpc":"2.0","method":"subscription","params":{"channel":"${CHANNEL}","data":"\u202e${SECRET}"}}`,
    );
    const { code, out } = await end;
    assert.equal(code, 0, out);
    assert.match(out, /^ {4}\d\d:\d\d:\d\d {2}trades\.BTC-PERPETUAL\.100ms {2}"\\u202e/m);
    assert.match(out, /^trades\.BTC-PERPETUAL\.100ms: 1 event\.$/m);
  });

  test("a request that travels over HTTP passes too", async () => {
    const { code, out } = await run([
      write(
        "http.rpc.json",
        ["http-get-query", "http-post"].map((transport) => ({ ...TAPE, $run: { transport } })),
      ),
      "--env",
      "sim",
    ]);
    assert.equal(code, 0, out);
    const found = exchange.control
      .ledger()
      .filter(({ method }) => method === TAPE.method)
      .map(({ link }) => link);
    assert.deepEqual(found, ["http", "http"]);
  });

  test("the program that the package names runs what was built", async () => {
    const { bin } = JSON.parse(fs.readFileSync("package.json", "utf8")) as {
      readonly bin: Readonly<Record<string, string>>;
    };
    assert.deepEqual(Object.keys(bin), ["trading-rpc"]);
    const program = String(bin["trading-rpc"]);
    assert.match(fs.readFileSync(program, "utf8"), /^#!\/usr\/bin\/env node\n/);
    fs.mkdirSync(path.join(folder, path.dirname(program)), { recursive: true });
    fs.copyFileSync(program, path.join(folder, program));
    const child = spawn(
      process.execPath,
      [path.join(folder, program), "run", write("tape.rpc.json", TAPE), "--env", "sim"],
      { cwd: work, env: variables() },
    );
    children.add(child);
    const { code, out, err } = await ended(child);
    assert.deepEqual([code, err], [0, ""], out);
    assert.match(out, /1 passed/);
  });

  test("the same file sends the same frames and has the same verdicts as in the editor", async () => {
    const text = JSON.stringify([
      ...CHAIN,
      CANCEL("{{first.result.order_id}}", { expect: { result: { order_state: "cancelled" } } }),
      {
        method: "private/get_order_state",
        params: { order_id: "{{end.result.order_id}}" },
        $run: { name: "after", expect: { result: { order_state: "open" } } },
      },
      { ...TAPE, $run: { name: "never", after: ["after"] } },
    ]).replace('"limit"', '"limit" /* kept */');
    const methods = ["private/get_open_orders", "private/get_order_state", "private/cancel", TAPE.method];
    // The views of the editor and of a connection read the orders too: those calls have other parameters.
    const wireOf = (of: Exchange): readonly string[] =>
      of.control
        .ledger()
        .filter(
          ({ method = "", paramsText = "" }) =>
            methods.includes(method) && (method !== "private/get_open_orders" || paramsText.includes('"limit"')),
        )
        .map(
          ({ method, paramsText = "" }) => `${String(method)} ${paramsText.replace(/"access_token":"[^"]*",?/, "")}`,
        );
    const terminal = await run([write("same.rpc.json", text), "--env", "test", "--allow-writes", "--format", "json"]);
    const inTerminal = reportOf(terminal).files[0]?.requests.map(({ name, verdict }) => [
      name,
      verdict === "notRun" ? "notSent" : verdict,
    ]);

    const other = await openExchange();
    const live = connectionTo(other.exchange, other.server.addresses.webSocket);
    try {
      await ready(live);
      const file = scanRequests(text);
      const results = createResults();
      const steps = await runPlan(planRun(file, { kind: "all" }, results), {
        gate: live.gate,
        environment: () => live.environment,
        fileName: "same.rpc.json",
        connectionId: "lab",
        results,
        clock: createSystemClock(),
        variables: { uuid: () => "u" },
      });
      assert.deepEqual(
        inTerminal,
        steps.map(({ step, verdict }) => [step.request.run.name, verdict]),
      );
      assert.deepEqual(inTerminal, [
        ["open", "passed"],
        ["first", "passed"],
        ["end", "passed"],
        ["after", "failed"],
        ["never", "notSent"],
      ]);
      assert.deepEqual(wireOf(exchange), wireOf(other.exchange));
      assert.equal(wireOf(exchange).length, 4);
    } finally {
      live.disconnect();
      live.dispose();
      await other.server.close();
    }
  });

  describe("a client secret", () => {
    const KEY = {
      jsonrpc: "2.0",
      id: 6,
      method: "private/create_api_key",
      params: { name: "trading_bot", max_scope: "trade:read" },
      $run: { name: "make" },
    };
    const RESET = { ...KEY, method: "private/reset_api_key", params: { id: 1 }, $run: { name: "reset" } };
    const secretOf = (name: string): string =>
      String(exchange.control.apiKeys().find((key) => key["name"] === name)?.["client_secret"]);
    const inWork = (name: string): string => path.join(work, name);
    const options = ["--env", "sim", "--allow-writes"] as const;

    test("of a new key is written to the file that was named, for this user only, and is in no output", async () => {
      const file = write("key.rpc.json", [KEY]);
      const more = ["--secret-file", "secret.txt", "--format", "json", "--output", "report.json", "--verbose"];
      const { code, out, err } = await run([file, ...options, ...more]);
      assert.equal(code, 0, err);
      const secret = secretOf("trading_bot");
      assert.equal(fs.readFileSync(inWork("secret.txt"), "utf8"), `${secret}\n`);
      if (process.platform !== "win32") assert.equal(fs.statSync(inWork("secret.txt")).mode & 0o777, 0o600);
      const report = fs.readFileSync(inWork("report.json"), "utf8");
      for (const form of formsOf(secret)) assert.ok(!`${out}${err}${report}`.includes(form), form);
      assert.match(report, /"client_secret": ?"‹hidden›"/);
      assert.match(err, /The client secret was written to secret\.txt\./);
    });

    test("has its file before the request goes out", async () => {
      exchange.control.setFault({ method: "private/create_api_key", holdMs: 300 });
      const child = start(["run", write("key.rpc.json", [KEY]), ...options, "--secret-file", "secret.txt"]);
      const ending = ended(child);
      await until(() => framesOf("private/create_api_key").length === 1);
      const { size, mode } = fs.statSync(inWork("secret.txt"));
      assert.equal(size, 4096);
      if (process.platform !== "win32") assert.equal(mode & 0o777, 0o600);
      assert.equal(fs.readFileSync(inWork("secret.txt"), "utf8").trim(), "");
      assert.equal((await ending).code, 0);
      assert.equal(fs.readFileSync(inWork("secret.txt"), "utf8"), `${secretOf("trading_bot")}\n`);
    });

    test("has no place: the request is refused, and the others are sent", async () => {
      const { code, out } = await run([write("key.rpc.json", [TAPE, KEY]), ...options]);
      assert.equal(code, 3, out);
      assert.match(out, /Use --secret-file PATH to write it to a new file\./);
      assert.deepEqual(framesOf("private/create_api_key"), []);
      assert.equal(framesOf(TAPE.method).length, 1);
    });

    test("does not overwrite anything: nothing is sent at all", async () => {
      fs.writeFileSync(inWork("secret.txt"), "mine");
      fs.symlinkSync("nowhere", inWork("link.txt"));
      fs.mkdirSync(inWork("folder"));
      const file = write("key.rpc.json", [TAPE, KEY]);
      for (const [name, expected] of [
        ["secret.txt", 2],
        ["folder", 2],
        ["link.txt", 2],
        ["none/secret.txt", 2],
      ] as const) {
        const { code, out, err } = await run([file, ...options, "--secret-file", name]);
        assert.equal(code, expected, `${name} ${out} ${err}`);
        assert.match(`${out}${err}`, /already exists\. Use a path that doesn't exist|can't be created/);
      }
      assert.deepEqual([...framesOf(TAPE.method), ...framesOf("private/create_api_key")], []);
      assert.equal(fs.readFileSync(inWork("secret.txt"), "utf8"), "mine");
    });

    test("is one for a run, and not the report", async () => {
      const file = write("keys.rpc.json", [KEY, RESET]);
      const several = await run([file, ...options, "--secret-file", "secret.txt"]);
      assert.deepEqual([several.code, fs.existsSync(inWork("secret.txt"))], [2, false]);
      assert.match(several.err, /several requests that make a client secret/);
      const one = write("key.rpc.json", [KEY]);
      const same = await run([one, ...options, "--secret-file", "./a.txt", "--output", "a.txt", "--format", "json"]);
      assert.equal(same.code, 2);
      assert.deepEqual(framesOf("private/create_api_key"), []);
    });

    test("of the key in use: the run goes on with the new one", async () => {
      const file = write("reset.rpc.json", [RESET, { ...CHAIN[0], $file: undefined, params: { kind: "future" } }]);
      const { code, out, err } = await run([file, ...options, "--secret-file", "secret.txt"]);
      assert.equal(code, 0, `${out}${err}`);
      const secret = secretOf("simulator");
      assert.notEqual(secret, SECRET);
      assert.equal(fs.readFileSync(inWork("secret.txt"), "utf8"), `${secret}\n`);
      assert.ok(!`${out}${err}`.includes(secret));
    });

    test("that is lost with its response leaves no file, and the user is told", async () => {
      exchange.control.setFault({ method: "private/reset_api_key", response: "none" });
      const file = write("reset.rpc.json", [{ ...RESET, params: { id: 3 } }]);
      const { code, out, err } = await run([file, ...options, "--secret-file", "secret.txt", "--timeout", "500"]);
      assert.equal(code, 4, `${out}${err}`);
      assert.match(out, /The old client secret may no longer work, and the new one can't be recovered\./);
      assert.match(err, /The client secret was lost with the response, so secret\.txt was deleted\./);
      assert.equal(fs.existsSync(inWork("secret.txt")), false);
    });

    test("that was refused leaves no file either", async () => {
      const file = write("reset.rpc.json", [{ ...RESET, params: { id: 99 } }]);
      const { code } = await run([file, ...options, "--secret-file", "secret.txt"]);
      assert.equal(fs.existsSync(inWork("secret.txt")), false);
      assert.notEqual(code, 0);
    });
  });

  test("simulator --gateway prints a key file, which --env sim takes; what it doesn't offer is told", async () => {
    const simulator = start(["simulator", "--gateway", "--port", "0", "--json"], variables());
    const line = await new Promise<string>((resolve) => {
      simulator.stdout.once("data", (piece: Buffer) => resolve(piece.toString()));
    });
    const { webSocket, key } = JSON.parse(line) as { webSocket: string; key: object };
    const keyFile = write("key.json", key);
    const file = write("gateway.rpc.json", [
      { method: "private/get_open_orders" },
      { method: "private/get_mmp_config" },
    ]);
    const env = variables({ TRADING_RPC_SIM_URL: webSocket, TRADING_RPC_SIM_KEY_FILE: keyFile });
    for (const name of ["CLIENT_ID", "CLIENT_SECRET"]) delete env[`TRADING_RPC_SIM_${name}`];
    const { code, out, err } = await run([file, "--env", "sim", "--format", "json"], env);
    const [report] = (JSON.parse(out) as Report).files;
    assert.deepEqual(
      report?.requests.map(({ verdict }) => verdict),
      ["passed", "failed"],
      err,
    );
    assert.match(report.requests[1]?.sentence ?? "", /method not in allowlist/);
    assert.equal(code, 1);
    assert.doesNotMatch(out + err, /PRIVATE KEY|eyJ/);
    simulator.kill();
  });

  describe("the end of a run", () => {
    const BUY = {
      method: "private/buy",
      params: { instrument_name: "ETH-PERPETUAL", amount: 10, type: "market", label: "end-7" },
    };
    const RELABEL = {
      method: "private/edit_by_label",
      params: { instrument_name: "ETH-PERPETUAL", amount: 10, price: 1000, label: "none" },
    };
    const LOST = { method: BUY.method, response: "none" } as const;
    const options = ["--env", "sim", "--allow-writes", "--timeout", "500"] as const;
    const HAS_FULL_DISK = fs.existsSync("/dev/full");
    /** Starts a run whose outputs are these; a number is an open file. */
    const startWith = (
      words: readonly string[],
      [out, err]: readonly ["pipe" | number, "pipe" | number],
    ): ReturnType<typeof spawn> => {
      const child = spawn(process.execPath, [path.join(folder, "dist", "cli.js"), "run", ...words], {
        cwd: work,
        env: variables(),
        stdio: ["ignore", out, err],
      });
      children.add(child);
      return child;
    };
    const codeOf = async (child: ReturnType<typeof spawn>): Promise<number | null> =>
      await new Promise((resolve) => {
        child.once("close", resolve);
      });
    const textOf = (stream: NodeJS.ReadableStream | null): (() => string) => {
      let text = "";
      stream?.on("data", (piece: Buffer) => {
        text += piece.toString();
      });
      return () => text;
    };

    // Code, first line of the summary, or of the standard error where there is none.
    const ENDS: readonly (readonly [
      name: string,
      requests: readonly object[],
      words: readonly string[],
      own: Readonly<Record<string, string>>,
      code: number,
      said: RegExp,
    ])[] = [
      ["all passed", [BUY], options, {}, 0, /^1 passed in .*\(exit code 0\)$/m],
      [
        "an order was placed, and its expectation failed",
        [{ ...BUY, $run: { expect: { result: { order: { label: "x" } } } } }],
        options,
        {},
        1,
        /^Changes made: private\/buy \(a\.rpc\.json:2:2\)\.\n0 passed, 1 failed/m,
      ],
      [
        "a read failed, and nothing was changed",
        [{ method: "private/get_order_state", params: { order_id: "ETH-1" } }],
        options,
        {},
        1,
        /^No changes were made\.\n0 passed, 1 failed/m,
      ],
      [
        "an order was placed, and another one was refused here",
        [BUY, { ...BUY, method: "private/logout", params: {} }],
        options,
        {},
        3,
        /^Changes made: private\/buy \(a\.rpc\.json:2:2\)\.\n1 passed, 1 refused/m,
      ],
      ["without --allow-writes", [BUY], ["--env", "sim"], {}, 3, /^No changes were made\.\n0 passed, 1 refused/m],
      [
        "nothing listens there",
        [BUY],
        options,
        { TRADING_RPC_SIM_URL: "ws://127.0.0.1:9/ws/api/v2" },
        5,
        /^No changes were made\.\n.*127\.0\.0\.1:9/,
      ],
      [
        "the sign-in is refused",
        [BUY],
        options,
        { TRADING_RPC_SIM_CLIENT_SECRET: "another-secret-of-no-key" },
        5,
        /^No changes were made\.\n/,
      ],
      [
        "the folder of the report is not there",
        [BUY],
        [...options, "--output", "none/report.xml"],
        {},
        2,
        /^Couldn't write the report to none\/report\.xml: ENOENT/,
      ],
      [
        "the report is a folder",
        [BUY],
        [...options, "--output", "."],
        {},
        2,
        /^Couldn't write the report to \.: EISDIR/,
      ],
      [
        "the secret file can't be made",
        [BUY],
        [...options, "--secret-file", "none/secret.txt"],
        {},
        2,
        /^none\/secret\.txt can't be created: ENOENT/,
      ],
      [
        "the private key can't be read",
        [BUY],
        options,
        { TRADING_RPC_SIM_CLIENT_SECRET: "", TRADING_RPC_SIM_PRIVATE_KEY_FILE: "none.pem" },
        2,
        /^TRADING_RPC_SIM_PRIVATE_KEY_FILE: none\.pem couldn't be read/,
      ],
    ];
    for (const [name, requests, words, own, code, said] of ENDS)
      test(`${name}: ${code}`, async () => {
        const result = await run([write("a.rpc.json", requests), ...words], variables(own));
        assert.equal(result.code, code, result.out + result.err);
        assert.match(result.out === "" ? result.err : result.out, said);
        if (code === 2) assert.deepEqual(framesOf(BUY.method), []);
        assert.equal(fs.existsSync(path.join(work, "report.xml")), false);
      });

    test("the connection goes after an order was placed: 5, and the first line names it", async () => {
      exchange.control.setFault({ method: TAPE.method, response: "none", link: "close" });
      const { code, out } = await run([write("a.rpc.json", [BUY, TAPE]), ...options]);
      assert.equal(code, 5, out);
      assert.match(out, /^Changes made: private\/buy \(a\.rpc\.json:2:2\)\.\nThe connection was lost\.$/m);
    });

    test("a disk that is full adds a line, and leaves the code", { skip: !HAS_FULL_DISK }, async () => {
      const full = fs.openSync("/dev/full", "w");
      const file = write("a.rpc.json", [BUY]);
      const child = startWith([file, ...options], [full, "pipe"]);
      const err = textOf(child.stderr);
      assert.deepEqual(
        [await codeOf(child), err()],
        [0, "Couldn't write to the standard output: ENOSPC: no space left on device, write\n"],
      );
      const told = await run([file, ...options, "--output", "/dev/full"]);
      assert.equal(told.code, 0);
      assert.match(told.err, /^Couldn't write the report to \/dev\/full: ENOSPC/);
      const silent = startWith([file, ...options], [full, full]);
      assert.equal(await codeOf(silent), 0);
      fs.closeSync(full);
      assert.equal(framesOf(BUY.method).length, 3);
    });

    for (const closed of ["stdout", "stderr"] as const)
      test(`a closed ${closed} ends nothing while an outcome is checked`, async () => {
        exchange.control.setFault(LOST);
        const child = startWith([write("a.rpc.json", [BUY, TAPE]), ...options], ["pipe", "pipe"]);
        child[closed]?.destroy();
        assert.equal(await codeOf(child), 0);
        assert.equal(framesOf(TAPE.method).length, 1);
      });

    test("a terminal that is closed is an interruption: what was sent is waited for, and the report is written", async () => {
      exchange.control.setFault({ method: SWITCH.method, response: "none" });
      const file = write("a.rpc.json", [SWITCH, TAPE]);
      const child = startWith([file, ...options, "--format", "json", "--output", "report.json"], ["pipe", "pipe"]);
      await until(() => framesOf(SWITCH.method).length === 1);
      child.kill("SIGHUP");
      assert.equal(await codeOf(child), 4);
      const report = fs.readFileSync(path.join(work, "report.json"), "utf8");
      assert.match(report, /"changes":"Outcome unknown: public\/exchange_token \(a\.rpc\.json:2:2\)\."/);
      assert.deepEqual(framesOf(TAPE.method), []);
    });

    test("an outcome that stays unknown is not sent again by the next run: 4, then 3", async () => {
      exchange.control.setFault({ method: RELABEL.method, response: "none" });
      const words = [write("a.rpc.json", [RELABEL]), ...options];
      const first = await run(words);
      assert.equal(first.code, 4, first.out);
      assert.match(first.out, /^Outcome unknown: private\/edit_by_label/m);
      const second = await run(words);
      assert.equal(second.code, 3, second.out);
      assert.match(second.err, /^An earlier run ended before the outcome was known: private\/edit_by_label\./);
      assert.match(
        second.out,
        /The outcome of an earlier attempt is unknown\. The change may already have been made\./,
      );
      assert.equal(framesOf(RELABEL.method).length, 1);
      const other = await run([write("b.rpc.json", [TAPE]), ...options]);
      assert.deepEqual([other.code, other.err], [0, ""], "a run that changes nothing has nothing to do with it");
    });

    test("an order of a killed run is looked up by the next one, which does not place it once more: 3, then 0", async () => {
      exchange.control.setFault(LOST);
      const words = [write("a.rpc.json", [BUY]), ...options];
      const killed = startWith(words, ["pipe", "pipe"]);
      await until(() => framesOf(BUY.method).length === 1);
      killed.kill("SIGKILL");
      await codeOf(killed);
      const second = await run(words);
      assert.equal(second.code, 3, second.out + second.err);
      assert.match(second.err, /^An earlier run ended before the outcome was known: private\/buy\. .*\n.*placed/);
      assert.match(second.out, /An earlier run made this change already\. Run it again to make it once more\./);
      assert.equal(framesOf(BUY.method).length, 1);
      const third = await run(words);
      assert.deepEqual([third.code, third.err, framesOf(BUY.method).length], [0, "", 2], third.out);
    });

    test("a folder that can't be written is told of before anything is sent", async () => {
      const file = write("a.rpc.json", [BUY]);
      const { code, err } = await run([file, ...options], variables({ XDG_STATE_HOME: path.join(work, "a.rpc.json") }));
      assert.equal(code, 0);
      assert.match(err, /^Warning: The changes of this run can't be written down in .*: ENOTDIR/);
    });

    test("what is written down is this user's alone, and has no secret", async () => {
      assert.equal((await run([write("a.rpc.json", [BUY]), ...options])).code, 0);
      const files = fs
        .readdirSync(path.join(work, "state"), { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => path.join(each.parentPath, each.name));
      assert.equal(files.length, 1);
      const [file = ""] = files;
      if (process.platform !== "win32") assert.equal(fs.statSync(file).mode & 0o777, 0o600);
      const text = fs.readFileSync(file, "utf8");
      for (const form of formsOf(SECRET)) assert.ok(!text.includes(form), form);
    });

    test("yes that is typed before the question is shown confirms nothing", { skip: !HAS_SCRIPT }, async () => {
      // Its answer comes when the test says so.
      const orderId = firstOrder();
      const waiting = {
        method: "private/get_order_state",
        params: { order_id: orderId },
        $run: { until: { result: { order_state: "cancelled" } }, everyMs: 100, maxTries: 300 },
      };
      const words = [
        "run",
        write("a.rpc.json", [waiting, BUY]),
        ...["--env", "test", "--allow-writes", "--allow-trading", "1000"],
      ];
      const line = [process.execPath, path.join(folder, "dist", "cli.js"), ...words]
        .map((each) => `'${each}'`)
        .join(" ");
      const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd: work, env: { ...variables(), TERM: "dumb" } });
      children.add(child);
      const shown = textOf(child.stdout);
      const end = codeOf(child);
      await until(() => framesOf(waiting.method).length > 0);
      child.stdin.write("yes\nyes\nye");
      await until(() => shown().includes("yes\r\nyes\r\nye"));
      exchange.control.cancel(orderId);
      await until(() => shown().includes("Type yes for:"));
      child.stdin.write("no\n");
      assert.equal(await end, 3, shown());
      assert.deepEqual(framesOf(BUY.method), []);
    });
  });

  for (const transport of ["websocket", "http"])
    test(`a block trade is verified and executed over ${transport} with a signature that is in no output`, async () => {
      const agreed = {
        nonce: "n",
        role: "maker",
        trades: [{ instrument_name: "ETH-PERPETUAL", price: 2100, amount: 1000, direction: "buy" }],
      };
      const nowMs = Date.now();
      const request = (method: string, params: object, name: string, more: object = {}): object => ({
        jsonrpc: "2.0",
        method: `private/${method}`,
        params: { ...agreed, timestamp: nowMs, ...params },
        $run: { name, ...more },
      });
      const file = write("block.rpc.json", [
        request("verify_block_trade", {}, "verify"),
        request(
          "execute_block_trade",
          { role: "taker", counterparty_signature: "{{verify.result.signature}}" },
          "execute",
          { transport },
        ),
      ]);
      const { code, out, err } = await run([file, "--env", "sim", "--allow-writes", "--verbose"]);
      assert.equal(code, 0, `${out}${err}`);
      const [frame = ""] = framesOf("private/execute_block_trade");
      const signature = /"counterparty_signature":\s*"([^"]+)"/.exec(frame)?.[1] ?? assert.fail(frame);
      for (const form of formsOf(signature)) assert.ok(!`${out}${err}`.includes(form), form);
      assert.match(out, /‹signature of verify›/);
    });
});

/** Looks again with each turn of the loop until it holds. */
async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    assert.ok(performance.now() < end, "it did not come");
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
