import assert from "node:assert/strict";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { createLiveConnections, type LiveConnections } from "../../src/actions/connection/liveConnections.ts";
import { createMemoryJournal } from "../../src/actions/journal/journal.ts";
import type { Question } from "../../src/actions/intent/question.ts";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { connectPrivately } from "../../src/cli/machine/privateSocket.ts";
import type { Transport } from "../../src/rpc/transport.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { createSession } from "../../src/session/createSession.ts";
import { lendToken, type LentToken } from "../../src/session/lentToken.ts";
import { TERMINAL_VARIABLES } from "../../src/session/tokenRequest.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { createConnections } from "../../src/state/connections.ts";
import type { ConnectionRecord } from "../../src/state/records.ts";
import { createLend } from "../../src/ui/terminal/lending.ts";
import { openTokenServer, type TokenServer } from "../../src/ui/terminal/tokenServer.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { formsOf } from "../secretForms.ts";
import { sessionPorts } from "../sessionPorts.ts";
import { ready } from "./liveOverSockets.ts";
import { eventually } from "./windowOnSockets.ts";

/*
 * `trading-rpc run --connection` as it ships, a process of its own, at the socket of a terminal: the part of the
 * extension that lends tokens, and a simulator whose ledger shows what was sent. A relay in between writes down every
 * byte.
 */

const SECRET = "canary-3Rt7Yp2Ks9Wd5Nb8";
const IS_WINDOWS = process.platform === "win32";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe("a program in a terminal of VS Code", { skip: IS_WINDOWS }, () => {
  let folder = "";
  let work = "";
  let exchange: Exchange;
  let server: SimulatorServer;
  let liveConnections: LiveConnections;
  let desk: TokenServer;
  let relay: Relay;
  let answer: (question: Question) => boolean | Promise<boolean> = () => true;
  let questions: Question[] = [];
  let lent: LentToken[] = [];
  let refreshTokens: string[] = [];
  const children = new Set<ChildProcessWithoutNullStreams>();

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-terminal-"));
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
    [answer, questions, lent, refreshTokens] = [() => true, [], [], []];
    work = fs.mkdtempSync(path.join(folder, "work-"));
    exchange = createExchange({
      clock: createSystemClock(),
      random: createFakeRandom(11),
      still: true,
      limits: false,
      clientSecret: SECRET,
    });
    server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
    const url = server.addresses.webSocket;
    const window = await openWindowOn(exchange, url, {
      onLent: (token) => void lent.push(token),
      onText: (text) =>
        void refreshTokens.push(...[...text.matchAll(/"refresh_token":"([^"]+)"/g)].map(([, token = ""]) => token)),
    });
    ({ liveConnections } = window);
    desk = await openTokenServer(
      createLend({
        settings: { safety: () => ({ allowTrading: "ask" }) },
        ...window,
        ask: async (question) => {
          questions.push(question);
          return await answer(question);
        },
      }),
      createSystemClock(),
    );
    relay = await openRelay(desk.variables[TERMINAL_VARIABLES.socket] ?? "");
  });
  afterEach(async () => {
    for (const child of children) child.kill("SIGKILL");
    children.clear();
    relay.close();
    desk.dispose();
    liveConnections.dispose();
    await server.close();
  });

  const environment = (own: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    PATH: process.env["PATH"] ?? "",
    ...desk.variables,
    [TERMINAL_VARIABLES.socket]: relay.address,
    ...own,
  });
  const start = (words: readonly string[], env = environment()): ChildProcessWithoutNullStreams => {
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
    return { code, out, err };
  };
  const run = async (words: readonly string[], env = environment()): Promise<Ended> =>
    await ended(start(["run", ...words], env));
  const write = (name: string, ...requests: readonly object[]): string => {
    fs.writeFileSync(path.join(work, name), JSON.stringify(requests));
    return name;
  };
  const READ = { jsonrpc: "2.0", id: 1, method: "private/get_open_orders", params: {} };
  const ALL = { jsonrpc: "2.0", id: 2, method: "private/cancel_all", params: {} };
  const SUBSCRIBE = { jsonrpc: "2.0", id: 3, method: "public/subscribe", params: { channels: ["platform_state"] } };
  const TRADES = { jsonrpc: "2.0", id: 4, method: "private/get_user_trades_by_currency", params: { currency: "BTC" } };
  const onLab = ["--env", "test", "--connection", "lab"];
  /** The scopes of the sign-ins at the exchange since the window connected. */
  const signIns = (): readonly string[] =>
    framesOf("public/auth").flatMap((text) => /"scope":"session:\S+ ([^"]*)"/.exec(text)?.[1] ?? []);
  const framesOf = (method: string): readonly string[] =>
    exchange.control.ledger().flatMap((entry) => (entry.method === method ? [String(entry.paramsText)] : []));

  test("reads with a token that can only read, and the token ends with it", async () => {
    write("a.rpc.json", READ);
    const { code, out, err } = await run(["a.rpc.json", ...onLab, "--format", "json"]);
    assert.equal(code, 0, out + err);
    assert.match(out, /"verdict":"passed"/);
    assert.match(err, /^Waiting for your confirmation in VS Code that this program may use lab\.$/m);
    assert.deepEqual(signIns(), ["account:read trade:read block_trade:read block_rfq:read wallet:read custody:read"]);
    const [question] = questions;
    assert.ok(question?.kind === "modal");
    assert.match(question.detail, /^Program: trading-rpc a\.rpc\.json\n/);
    assert.ok(
      question.detail.includes(`\nFolder: ${fs.realpathSync(work)}\nConnection: TESTNET lab\n`),
      question.detail,
    );
    const [token] = lent;
    assert.ok(token !== undefined && lent.length === 1);
    assert.ok(!(out + err).includes(token.accessToken), "the token stands in the output");
    await eventually(() => framesOf("private/logout").length > 0);
    assert.match(framesOf("private/logout").join(), new RegExp(token.accessToken.slice(0, 20)));
    assert.equal(await tokenWorks(server.addresses.webSocket, token.accessToken), false);
  });

  test("a write with the read token is refused by the exchange, whatever the command line allows", async () => {
    const [order] = exchange.control.openOrders();
    write("a.rpc.json", { ...ALL, method: "private/cancel", params: { order_id: order?.order_id } });
    const before = exchange.control.openOrders().length;
    const { code, out } = await run(["a.rpc.json", ...onLab, "--allow-writes"]);
    assert.equal(framesOf("private/cancel").length, 1);
    assert.match(out, /The exchange returned error 13021: forbidden\. .* missing scope trade:read_write/);
    assert.equal(code, 1, out);
    assert.ok(before > 0);
    assert.equal(exchange.control.openOrders().length, before);
  });

  test("with --scope it writes, but only where the command line allows that", async () => {
    write("a.rpc.json", ALL);
    const scope = ["--scope", "trade:read_write,account:read"];
    const refused = await run(["a.rpc.json", ...onLab, ...scope]);
    assert.equal(refused.code, 3, refused.out);
    assert.equal(framesOf("private/cancel_all").length, 0);
    const { code, out, err } = await run(["a.rpc.json", ...onLab, ...scope, "--allow-writes"]);
    assert.equal(code, 0, out + err);
    assert.equal(exchange.control.openOrders().length, 0);
    assert.deepEqual(signIns(), ["trade:read_write account:read", "trade:read_write account:read"]);
  });

  test("the secret and the refresh token are in no message, environment, output, or file", async () => {
    write("a.rpc.json", READ);
    const child = start(["run", "a.rpc.json", ...onLab, "--verbose", "--output", "report.txt"]);
    const proc = fs.existsSync("/proc/self/environ") ? `/proc/${String(child.pid)}` : undefined;
    answer = () => {
      if (proc !== undefined)
        seen.push(fs.readFileSync(`${proc}/environ`, "utf8"), fs.readFileSync(`${proc}/cmdline`, "utf8"));
      return true;
    };
    const seen: string[] = [];
    const { code, out, err } = await ended(child);
    assert.equal(code, 0, out + err);
    assert.equal(refreshTokens.length, 2, "the window's and the lent one");
    assert.ok(relay.crossed().length > 200);
    const files = fs.readdirSync(work).map((name) => fs.readFileSync(path.join(work, name), "utf8"));
    const everything = [...seen, relay.crossed(), out, err, ...files, JSON.stringify(desk.variables)].join("\n");
    for (const secret of [SECRET, ...refreshTokens])
      for (const form of formsOf(secret)) assert.ok(!everything.includes(form), form);
    // The search finds what is there.
    assert.ok(everything.includes(lent[0]?.accessToken ?? "?"));
    assert.ok(!relay.crossed().includes(desk.key), "the key of the terminal crossed the socket");
    assert.ok(![out, err, ...files].join("\n").includes(lent[0]?.accessToken ?? ""));
  });

  test("without the user's yes there is no token, and nothing was signed in", async () => {
    answer = () => false;
    write("a.rpc.json", READ);
    const { code, err } = await run(["a.rpc.json", ...onLab]);
    assert.equal(code, 5);
    assert.match(err, /^The access was not allowed in VS Code\.$/m);
    assert.deepEqual([signIns(), lent.length], [[], 0]);
    assert.doesNotMatch(relay.crossed(), /accessToken/);
  });

  test("what crossed the socket once is worth nothing there again", async () => {
    write("a.rpc.json", READ);
    assert.equal((await run(["a.rpc.json", ...onLab])).code, 0);
    const request =
      relay
        .crossed()
        .split("\n")
        .find((line) => line.includes("proof")) ?? "";
    assert.match(request, /"connection":"lab"/);
    const said = await say(desk.variables[TERMINAL_VARIABLES.socket] ?? "", `${request}\n`);
    assert.match(said, /^\{"nonce":"[0-9a-f]{64}"\}\n\{"refused":"The request doesn't prove/);
    assert.deepEqual([questions.length, lent.length, signIns().length], [1, 1, 1]);
  });

  test("the socket and its folder are this user's alone, and both go with the terminal", async () => {
    const address = desk.variables[TERMINAL_VARIABLES.socket] ?? "";
    const permissions = (file: string): string => (fs.statSync(file).mode & 0o777).toString(8);
    assert.deepEqual([permissions(path.dirname(address)), permissions(address)], ["700", "600"]);
    assert.deepEqual(fs.readdirSync(path.dirname(address)), ["vscode.sock"]);
    desk.dispose();
    assert.ok(!fs.existsSync(path.dirname(address)));
    write("a.rpc.json", READ);
    const { code, err } = await run(["a.rpc.json", ...onLab], environment({ [TERMINAL_VARIABLES.socket]: address }));
    assert.equal(code, 5);
    assert.match(err, /^No changes were made\.\nVS Code can't be reached from this terminal\./);
  });

  test("a terminal that is closed takes the tokens of its programs along", async () => {
    write("a.rpc.json", SUBSCRIBE, READ);
    const child = start(["run", "a.rpc.json", ...onLab]);
    let out = "";
    child.stdout.on("data", (piece: Buffer) => {
      out += piece.toString();
    });
    await eventually(() => /private\/get_open_orders/.test(out));
    assert.equal(await tokenWorks(server.addresses.webSocket, lent[0]?.accessToken ?? ""), true);
    desk.dispose();
    await eventually(() => framesOf("private/logout").length > 0);
    assert.equal(await tokenWorks(server.addresses.webSocket, lent[0]?.accessToken ?? ""), false);
    child.kill("SIGKILL");
  });

  test("a token that has ended is not replaced: the run says so and ends", async () => {
    write("a.rpc.json", TRADES);
    exchange.control.setFault({ method: TRADES.method, effect: "skipped", response: { code: 13009 } });
    const { code, out, err } = await run(["a.rpc.json", ...onLab]);
    assert.equal(code, 5, out + err);
    assert.match(out, /The access token from VS Code has expired or was revoked\. Run the command again/);
    assert.equal(signIns().length, 1);
  });

  test("VS Code that goes away while it asks leaves the program without a token", async () => {
    answer = async () => {
      desk.dispose();
      return await Promise.resolve(true);
    };
    write("a.rpc.json", READ);
    const { code, err } = await run(["a.rpc.json", ...onLab]);
    assert.equal(code, 5);
    assert.match(err, /^VS Code didn't hand over an access token\. Nothing was sent\.$/m);
    assert.deepEqual([signIns(), lent.length], [[], 0]);
  });

  test("a program that is stopped while the user is asked gets nothing, whatever the user says then", async () => {
    let agree = (): void => undefined;
    answer = async () =>
      await new Promise<boolean>((resolve) => {
        agree = () => resolve(true);
      });
    write("a.rpc.json", READ);
    const child = start(["run", "a.rpc.json", ...onLab]);
    const ending = ended(child);
    await eventually(() => questions.length > 0);
    child.kill("SIGINT");
    assert.equal((await ending).code, 1);
    await eventually(() => relay.open() === 0);
    agree();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    assert.deepEqual([signIns(), lent.length], [[], 0]);
  });

  test("outside of such a terminal, and with the words wrong, nothing is sent", async () => {
    write("a.rpc.json", READ);
    const none = { PATH: process.env["PATH"] ?? "" };
    const CASES: readonly [readonly string[], Record<string, string>, RegExp][] = [
      [
        onLab,
        none,
        /^--connection works only in VS Code, in a terminal with the profile Trading RPC\. Nothing was sent\.$/m,
      ],
      [["--env", "test", "--scope", "trade:read"], environment(), /^--scope can be used only with --connection\.$/m],
      [[...onLab, "--scope", "everything"], environment(), /^--scope needs scopes such as trade:read/m],
    ];
    for (const [words, env, sentence] of CASES) {
      const { code, err } = await run(["a.rpc.json", ...words], env);
      assert.equal(code, 2, err);
      assert.match(err, sentence);
    }
    assert.deepEqual([questions.length, relay.crossed()], [0, ""]);
  });

  describe("an environment that leads elsewhere", () => {
    let elsewhere = "";
    let heard = "";
    let other: net.Server;
    beforeEach(async () => {
      elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-else-"));
      heard = "";
      other = net.createServer((socket) => {
        socket.setEncoding("utf8");
        socket.write('{"nonce":"0"}\n');
        socket.on("data", (piece: string) => {
          heard += piece;
          socket.write(
            '{"accessToken":"canary-of-another","url":"ws://203.0.113.5/ws/api/v2","scope":"trade:read","isBuiltIn":true}\n',
          );
        });
        socket.on("error", () => undefined);
      });
      await new Promise<void>((resolve) => {
        other.listen(path.join(elsewhere, "s"), resolve);
      });
    });
    afterEach(() => {
      other.close();
      fs.rmSync(elsewhere, { recursive: true, force: true });
    });
    const runThere = async (address: string): Promise<Ended> => {
      write("a.rpc.json", READ);
      return await run(
        ["a.rpc.json", ...onLab],
        environment({ [TERMINAL_VARIABLES.socket]: address, TRADING_RPC_CLIENT_SECRET: SECRET }),
      );
    };

    test("a folder that others can enter is not trusted: nothing is said there", async () => {
      fs.chmodSync(elsewhere, 0o755);
      const socket = await connectPrivately(path.join(elsewhere, "s"));
      socket?.destroy();
      assert.equal(socket, undefined);
      const { code, err } = await runThere(path.join(elsewhere, "s"));
      assert.equal(code, 5);
      assert.match(err, /^No changes were made\.\nVS Code can't be reached/);
      assert.equal(heard, "");
    });

    test("a link, a file, a relative path, and another computer's pipe are no socket of the user's", async () => {
      fs.symlinkSync(path.join(elsewhere, "s"), path.join(elsewhere, "link"));
      fs.writeFileSync(path.join(elsewhere, "file"), "");
      for (const address of [
        path.join(elsewhere, "link"),
        path.join(elsewhere, "file"),
        path.relative(process.cwd(), path.join(elsewhere, "s")),
        "\\\\203.0.113.5\\pipe\\trading-rpc-0",
      ])
        assert.equal(await connectPrivately(address).catch(() => undefined), undefined, address);
    });

    test("whoever listens there learns what is asked for, no secret, and can name no unencrypted server", async () => {
      const { code, out, err } = await runThere(path.join(elsewhere, "s"));
      assert.equal(code, 5);
      assert.match(err, /^VS Code didn't hand over an access token/m);
      const { proof, ...rest } = JSON.parse(heard) as { proof: string };
      assert.match(proof, /^[0-9a-f]{64}$/);
      assert.deepEqual(Object.keys(rest), ["program", "folder", "connection", "environment", "scope"]);
      assert.ok(![heard, out, err].join("").includes(SECRET) && !heard.includes(desk.key));
    });

    test("another user's program is not served", { skip: process.getuid?.() !== 0 }, async () => {
      const address = desk.variables[TERMINAL_VARIABLES.socket] ?? "";
      const script = `require("node:net").connect(${JSON.stringify(address)}).on("connect", () => console.log("in")).on("error", (e) => console.log(e.code))`;
      const child = spawn(process.execPath, ["-e", script], { uid: 65534, gid: 65534, cwd: "/" });
      children.add(child);
      const { out } = await ended(child);
      assert.equal(out.trim(), "EACCES");
      // Nor does a program of ours believe another user's socket.
      fs.chownSync(path.join(elsewhere, "s"), 65534, 65534);
      assert.equal(await connectPrivately(path.join(elsewhere, "s")), undefined);
    });
  });
});

interface Relay {
  readonly address: string;
  /** Everything that crossed, in both directions. */
  readonly crossed: () => string;
  /** How many programs are connected. */
  readonly open: () => number;
  readonly close: () => void;
}

/** A socket of this user's in front of another one. */
async function openRelay(target: string): Promise<Relay> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-relay-"));
  const address = path.join(folder, "s");
  const sockets = new Set<net.Socket>();
  let crossed = "";
  let open = 0;
  const server = net.createServer((near) => {
    open++;
    const far = net.connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (piece: Buffer) => {
        crossed += piece.toString();
        to.write(piece);
      });
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
    }
    far.on("close", () => open--);
  });
  await new Promise<void>((resolve) => {
    server.listen(address, resolve);
  });
  return {
    address,
    crossed: () => crossed,
    open: () => open,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns what a socket sends until it closes, after a text was sent to it. */
async function say(address: string, text: string): Promise<string> {
  const socket = net.connect(address);
  let said = "";
  socket.setEncoding("utf8");
  socket.on("data", (piece: string) => {
    said += piece;
  });
  socket.write(text);
  await new Promise((resolve) => {
    socket.once("close", resolve);
  });
  return said;
}

async function openWindowOn(
  exchange: Exchange,
  url: string,
  { onLent, onText }: { readonly onLent: (token: LentToken) => void; readonly onText: (text: string) => void },
): Promise<{ readonly liveConnections: LiveConnections; readonly connections: ReturnType<typeof createConnections> }> {
  const clock = createSystemClock();
  const record: ConnectionRecord = {
    id: "lab",
    name: "lab",
    declared: "test",
    url,
    grant: "client_signature",
    clientId: exchange.clientId,
  };
  let stored: unknown;
  const connections = createConnections({
    storage: {
      load: () => stored,
      save: async (value) => {
        stored = await Promise.resolve(value);
      },
    },
    now: () => clock.now(),
  });
  await connections.put(record);
  const portsOf = sessionPorts(clock);
  const credentials = { kind: "client_signature", clientId: exchange.clientId, clientSecret: SECRET } as const;
  const dial = async (signal: AbortSignal): Promise<Transport> => {
    const transport = await dialWebSocket(url, { clock }, signal);
    transport.onText(onText);
    return transport;
  };
  const ports = { dial, credentials: async () => await Promise.resolve(credentials) };
  let count = 0;
  const liveConnections = createLiveConnections({
    connections,
    createSession: () => createSession({ ...portsOf(), ...ports }),
    async lendToken(_record, _access, scope, signal) {
      const session = { name: `lent-${String(++count)}`, dial };
      const token = await lendToken(scope, { ...portsOf(), ...ports, session }, signal);
      onLent(token);
      return token;
    },
    ask: async () => await Promise.resolve(false),
    journal: createMemoryJournal(),
    clock,
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log: silentLog,
  });
  const live = liveConnections.create(record, { url, credentials });
  liveConnections.adopt(live);
  await ready(live);
  return { liveConnections, connections };
}

/** Whether the exchange still takes a token. */
async function tokenWorks(url: string, accessToken: string): Promise<boolean> {
  const clock = createSystemClock();
  const session = createSession({
    ...sessionPorts(clock)(),
    dial: async (signal) => await dialWebSocket(url, { clock }, signal),
    credentials: async () => await Promise.resolve({ kind: "token", accessToken }),
  });
  const state = await new Promise<string>((resolve) => {
    session.onDidChangeState(({ status }) => {
      if (status === "ready" || status === "locked" || status === "waiting") resolve(status);
    });
    session.connect();
  });
  const isTaken =
    state === "ready" &&
    (await session.reader.readResponse("private/get_open_orders", {}).then(
      ({ error }) => error === undefined,
      () => false,
    ));
  session.dispose();
  return isTaken;
}
