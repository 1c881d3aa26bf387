import assert from "node:assert/strict";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createPublicKey } from "node:crypto";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { WebSocketServer } from "ws";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import type { TokenLoan, TokenRequest } from "../../src/session/tokenRequest.ts";
import { openTokenServer, type TokenServer } from "../../src/ui/terminal/tokenServer.ts";
import { resultOf } from "../agentClient.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { makeKey, pkcs8, secretLines } from "../privateKeys.ts";
import { formsOf } from "../secretForms.ts";

/*
 * `trading-rpc mcp` as it ships, a process of its own, with a client of the SDK at its streams and a simulator whose
 * ledger shows what was sent.
 */

const SECRET = "canary-8Kq2Vx5Lr9Tz4Wm7";
const IS_WINDOWS = process.platform === "win32";

/** A program with a client at its streams. */
interface Served {
  readonly client: Client;
  /** The lines of its standard output. */
  readonly lines: string[];
  readonly err: () => string;
  /** Ends its input. Resolves to its exit code. */
  end(): Promise<number | null>;
}

describe("trading-rpc mcp", () => {
  let folder = "";
  let work = "";
  let server: SimulatorServer;
  let exchange: Exchange;
  const key = makeKey("ed25519");
  const children = new Set<ChildProcessWithoutNullStreams>();
  const desks = new Set<TokenServer>();

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-mcp-"));
    fs.copyFileSync("package.json", path.join(folder, "package.json"));
    const esbuild = createRequire(path.resolve("package.json"))("esbuild") as {
      build(options: object): Promise<unknown>;
    };
    await esbuild.build({
      ...{ entryPoints: ["src/cli.ts", "src/simulator.ts"], outdir: path.join(folder, "dist") },
      ...{ bundle: true, platform: "node", target: "node20", format: "cjs", mainFields: ["module", "main"] },
      logLevel: "error",
    });
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    exchange = createExchange({
      ...{ clock: createSystemClock(), random: createFakeRandom(11), still: true, limits: false, clientSecret: SECRET },
      publicKey: createPublicKey(key).export({ type: "spki", format: "pem" }).toString(),
    });
    server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
    work = fs.mkdtempSync(path.join(folder, "work"));
  });
  afterEach(async () => {
    for (const child of children) child.kill("SIGKILL");
    children.clear();
    for (const desk of desks) desk.dispose();
    desks.clear();
    await server.close();
  });

  const start = (words: readonly string[], variables: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, [path.join(folder, "dist", "cli.js"), "mcp", ...words], {
      ...{ cwd: work, env: { PATH: process.env["PATH"] ?? "", ...variables } },
    });
    children.add(child);
    let err = "";
    child.stderr.on("data", (piece: Buffer) => (err += piece.toString()));
    const ended = new Promise<number | null>((resolve) => {
      child.once("close", resolve);
    });
    return { child, ended, err: () => err };
  };

  /** Runs the program until it ends by itself. */
  const refused = async (words: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const { child, ended, err } = start(words, variables);
    let out = "";
    child.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
    const code = await ended;
    assert.equal(out, "");
    return { code, err: err() };
  };

  const serve = async (words: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Served> => {
    const { child, ended, err } = start(words, variables);
    const lines: string[] = [];
    let rest = "";
    const transport: Transport = {
      start: async () => await Promise.resolve(),
      async send(message) {
        child.stdin.write(`${JSON.stringify(message)}\n`);
        await Promise.resolve();
      },
      async close() {
        transport.onclose?.();
        await Promise.resolve();
      },
    };
    child.stdout.on("data", (piece: Buffer) => {
      const whole = (rest + piece.toString()).split("\n");
      rest = whole.pop() ?? "";
      lines.push(...whole);
      for (const line of whole) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    return {
      ...{ client, lines, err },
      async end() {
        child.stdin.end();
        return await ended;
      },
    };
  };

  const call = async ({ client }: Served, name: string, input: Readonly<Record<string, unknown>> = {}) =>
    resultOf(await client.callTool({ name, arguments: input }));

  const keyFile = (mode = 0o600): string => {
    const file = path.join(work, "key.pem");
    fs.writeFileSync(file, pkcs8(key), { mode });
    fs.chmodSync(file, mode);
    return file;
  };
  const keyVariables = (file = keyFile(), url = server.addresses.webSocket): Record<string, string> => ({
    TRADING_RPC_TEST_URL: url,
    TRADING_RPC_TEST_CLIENT_ID: exchange.clientId,
    TRADING_RPC_TEST_PRIVATE_KEY_FILE: file,
  });
  const methodsSent = (): readonly string[] => exchange.control.ledger().map(({ method }) => method ?? "");

  /** Opens the socket of VS Code, which hands out one token. */
  const openDesk = async (loan: Partial<TokenLoan>, requests: TokenRequest[] = [], ends: string[] = []) => {
    const desk = await openTokenServer(async (request) => {
      requests.push(request);
      return await Promise.resolve({
        ...{
          accessToken: "canary-lent-4Hs8Bt1Qz",
          url: server.addresses.webSocket,
          scope: "trade:read",
          isBuiltIn: false,
        },
        ...loan,
        end: async () => {
          ends.push("ended");
          await Promise.resolve();
        },
      });
    }, createSystemClock());
    desks.add(desk);
    return desk;
  };

  test("on testnet a key file signs in with read scopes, and tools read", { skip: IS_WINDOWS }, async () => {
    const served = await serve(["--env", "test"], keyVariables());
    const { tools } = await served.client.listTools();
    assert.ok(tools.every(({ name }) => !/place|edit|cancel/.test(name)));
    const orders = await call(served, "get_open_orders");
    assert.equal(orders.isError, false, orders.text);
    assert.match(orders.text, /^Open orders on TESTNET simulator, as of /);
    for (const name of ["place_order", "cancel_order", "private/buy"])
      await assert.rejects(call(served, name, { order_id: "1" }), /There is no tool /);
    assert.equal(await served.end(), 0);
    assert.match(served.err(), /^MCP server for TESTNET simulator: tools can only read\.$/m);
    const [auth] = exchange.control.ledger().filter(({ method }) => method === "public/auth");
    assert.match(String(auth?.paramsText), /"scope":"account:read trade:read"/);
    assert.deepEqual(
      methodsSent().filter((method) => /^private\/(?!get_)/.test(method)),
      [],
    );
    const said = [...served.lines, served.err()].join("\n");
    for (const secret of [...secretLines(pkcs8(key)), SECRET])
      for (const form of formsOf(secret)) assert.ok(!said.includes(form), "a secret stands in the output");
  });

  test("a key file that others can read is refused", { skip: IS_WINDOWS }, async () => {
    const { code, err } = await refused(["--env", "test"], keyVariables(keyFile(0o644)));
    assert.equal(code, 2);
    assert.match(err, /^TRADING_RPC_TEST_PRIVATE_KEY_FILE: Other users of this computer can read .*key\.pem\.$/m);
    assert.deepEqual(methodsSent(), []);
  });

  test("without a key there are public tools alone", async () => {
    const served = await serve(["--env", "test"], { TRADING_RPC_TEST_URL: server.addresses.webSocket });
    const names = (await served.client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(names, [
      ...["get_last_trades", "get_order_book", "get_ticker", "get_instruments", "search_methods", "check"],
    ]);
    assert.equal((await call(served, "get_ticker", { instrument_name: "BTC-PERPETUAL" })).isError, false);
    assert.equal(await served.end(), 0);
    assert.deepEqual(
      methodsSent().filter((method) => method.startsWith("private/")),
      [],
    );
  });

  for (const [what, words, variables, code, sentence] of [
    [
      "a client secret of the environment",
      ["--env", "test"],
      { TRADING_RPC_TEST_CLIENT_ID: "a", TRADING_RPC_TEST_CLIENT_SECRET: SECRET },
      2,
      /^trading-rpc mcp uses no client secret or access token of the environment\./,
    ],
    [
      "an access token of the environment, whose scope nothing tells",
      ["--env", "prod"],
      { TRADING_RPC_ACCESS_TOKEN: SECRET },
      2,
      /^trading-rpc mcp uses no client secret or access token of the environment\./,
    ],
    [
      "a simulator that it has not started",
      ["--env", "sim"],
      {
        TRADING_RPC_SIM_URL: "ws://127.0.0.1:9/ws/api/v2",
        TRADING_RPC_SIM_CLIENT_ID: "a",
        TRADING_RPC_SIM_CLIENT_SECRET: SECRET,
      },
      2,
      /^TRADING_RPC_SIM_URL can't be used with trading-rpc mcp/,
    ],
    ["the gateway", ["--env", "gateway"], {}, 2, /^trading-rpc mcp is not offered for the Coinbase gateway\./],
    [
      "a connection outside of VS Code",
      ["--env", "test", "--connection", "main"],
      {},
      2,
      /^--connection works only in VS Code/,
    ],
  ] as const)
    test(`${what} is refused, and nothing is sent`, async () => {
      const ended = await refused(words, variables);
      assert.equal(ended.code, code);
      assert.match(ended.err, sentence);
      assert.ok(!ended.err.includes(SECRET));
      assert.deepEqual(methodsSent(), []);
    });

  test("a server that is testnet is refused as production", { skip: IS_WINDOWS }, async () => {
    const variables = Object.entries(keyVariables()).map(([name, value]) => [name.replace("TEST", "PROD"), value]);
    const { code, err } = await refused(["--env", "prod"], Object.fromEntries(variables) as Record<string, string>);
    assert.equal(code, 3);
    assert.match(err, /but the server reports that it is a testnet\./);
  });

  describe("the scope that a server grants", { skip: IS_WINDOWS }, () => {
    for (const [scope, word] of [
      ["account:read trade:read_write", "trade:read_write"],
      ["account:read trade:read wallet:read_write mainaccount", "wallet:read_write"],
      ["trade:read trade:admin", "trade:admin"],
      ["account:read superuser", "superuser"],
      ["", ""],
    ] as const)
      test(`is refused, from a key and with a lent token: ${JSON.stringify(scope)}`, async () => {
        const sentence =
          word === "" ? /doesn't report the granted scopes/ : new RegExp(`^The granted scope has ${word}, which`);
        const odd = await openGranting(scope);
        const own = await refused(["--env", "test"], keyVariables(keyFile(), odd.url));
        assert.equal(own.code, 3, own.err);
        assert.match(own.err, new RegExp(sentence.source, "m"));
        // Who is signed in is read with the sign-in. Nothing else is.
        const others = odd.methods.filter((method) => /^private\/(?!get_account_summar(?:y|ies)$)/.test(method));
        assert.deepEqual(others, []);
        odd.close();
        const desk = await openDesk({ scope });
        const lent = await refused(["--env", "test", "--connection", "main"], desk.variables);
        assert.equal(lent.code, 3, lent.err);
        assert.match(lent.err, new RegExp(sentence.source, "m"));
        assert.ok(!lent.err.includes("canary-lent"));
        assert.deepEqual(methodsSent(), []);
      });
  });

  describe("a token of VS Code", { skip: IS_WINDOWS }, () => {
    /** Signs in at the simulator with these scopes. */
    const tokenFor = async (scope: string): Promise<string> => {
      const params = new URLSearchParams({
        ...{ grant_type: "client_credentials", client_id: exchange.clientId, client_secret: SECRET, scope },
      });
      const response = await fetch(`${server.addresses.http}/public/auth?${params.toString()}`);
      const { result } = (await response.json()) as { readonly result: { readonly access_token: string } };
      return result.access_token;
    };
    const asSecretKey = async (): Promise<void> => {
      await server.close();
      exchange = createExchange({
        ...{
          clock: createSystemClock(),
          random: createFakeRandom(11),
          still: true,
          limits: false,
          clientSecret: SECRET,
        },
      });
      server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
    };

    test("reads, and ends with the program", async () => {
      await asSecretKey();
      const [requests, ends]: [TokenRequest[], string[]] = [[], []];
      const accessToken = await tokenFor("session:lent account:read trade:read");
      const desk = await openDesk(
        { accessToken, scope: "session:lent account:read trade:read mainaccount" },
        requests,
        ends,
      );
      const served = await serve(["--env", "test", "--connection", "main"], desk.variables);
      assert.match((await call(served, "get_positions")).text, /^Positions on TESTNET main, as of /);
      assert.equal(await served.end(), 0);
      assert.deepEqual(requests[0]?.scope, []);
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (ends.length > 0) resolve();
          else setImmediate(look);
        };
        look();
      });
      const said = [...served.lines, served.err()].join("\n");
      for (const form of formsOf(accessToken)) assert.ok(!said.includes(form));
    });

    test("places on the simulator that VS Code has started", async () => {
      await asSecretKey();
      const requests: TokenRequest[] = [];
      const accessToken = await tokenFor("session:lent account:read trade:read_write");
      const desk = await openDesk({ accessToken, scope: "trade:read_write", isBuiltIn: true }, requests);
      const served = await serve(["--env", "sim", "--connection", "Simulator"], desk.variables);
      assert.deepEqual(requests[0]?.scope, ["account:read", "trade:read_write"]);
      const placed = await call(served, "place_order", {
        ...{ side: "buy", instrument_name: "BTC-PERPETUAL", amount: 10, type: "market" },
      });
      assert.equal(placed.isError, false, placed.text);
      assert.equal(methodsSent().filter((method) => method === "private/buy").length, 1);
      assert.equal(await served.end(), 0);
    });

    test("of a simulator that VS Code has not started is refused", async () => {
      const desk = await openDesk({ isBuiltIn: false });
      const { code, err } = await refused(["--env", "sim", "--connection", "other"], desk.variables);
      assert.equal(code, 3);
      assert.match(err, /^other is not the simulator that VS Code has started\.$/m);
      assert.deepEqual(methodsSent(), []);
    });
  });

  test("its own simulator is placed at, edited, and cancelled, and the output has messages alone", async () => {
    const served = await serve(["--env", "sim"]);
    const ticker = await call(served, "get_ticker", { instrument_name: "BTC-PERPETUAL" });
    const price = Math.round(Number(/"best_bid_price": ([\d.]+)/.exec(ticker.text)?.[1]) * 0.98);
    const placed = await call(served, "place_order", {
      ...{ side: "buy", instrument_name: "BTC-PERPETUAL", amount: 10, price, type: "limit", post_only: true },
    });
    const [, id = ""] = /placed as order (\S+), which is open/.exec(placed.text) ?? [];
    assert.notEqual(id, "", placed.text);
    assert.match(
      (await call(served, "edit_order", { order_id: id, price: price - 5 })).text,
      /confirmed by the exchange/,
    );
    assert.match((await call(served, "cancel_order", { order_id: id })).text, /Cancelled on SIMULATOR/);
    assert.equal(await served.end(), 0);
    for (const line of served.lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, "2.0");
  });
});

/** Opens a testnet that grants this scope to everyone. */
async function openGranting(scope: string) {
  const methods: string[] = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  const results: Readonly<Record<string, unknown>> = {
    "public/hello": { version: "1" },
    "public/get_time": Date.now(),
    "public/auth": {
      ...{ access_token: "canary-granted-7Yw2Kd9Lx", refresh_token: "canary-refresh-3Nq8Vb5Zt" },
      ...{ scope, expires_in: 900, token_type: "bearer" },
    },
  };
  server.on("connection", (socket) =>
    socket.on("message", (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString()) as { id: number; method: string };
      methods.push(method);
      const own = Object.hasOwn(results, method)
        ? { result: results[method] }
        : { error: { code: -32601, message: "Method not found" } };
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, ...own, testnet: true }));
    }),
  );
  await new Promise<void>((resolve) => {
    server.once("listening", resolve);
  });
  const { port } = server.address() as { port: number };
  return { methods, url: `ws://127.0.0.1:${String(port)}/ws/api/v2`, close: () => server.close() };
}
