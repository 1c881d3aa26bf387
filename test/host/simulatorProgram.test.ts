import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as http from "node:http";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { Worker } from "node:worker_threads";
import { WebSocket } from "ws";
import type { CallError } from "../../src/base/failure.ts";
import { silentLog } from "../../src/base/log.ts";
import { startSimulatorThread } from "../../src/session/simulatorWorker.ts";
import type { SimulatorAddresses } from "../../src/simulator/wire/server.ts";

/*
 * The simulator as it ships: as a command of `dist/cli.js`, and as `dist/simulator.js` in a worker thread, spoken to by
 * plain clients.
 */

const PROGRAM = "./dist/cli.js";
const WORKER = "./dist/simulator.js";

interface Program {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Exit code, or the signal that ended it. */
  readonly end: Promise<number | string | null>;
}

function run(...words: string[]): Program {
  const child = spawn(process.execPath, [PROGRAM, "simulator", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const texts = { out: "", error: "" };
  child.stdout.on("data", (piece: Buffer) => {
    texts.out += piece.toString();
  });
  child.stderr.on("data", (piece: Buffer) => {
    texts.error += piece.toString();
  });
  const end = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string | null);
  return { child, stdout: () => texts.out, stderr: () => texts.error, end };
}

async function start(...words: string[]): Promise<Program & { readonly addresses: SimulatorAddresses }> {
  const program = run("--port", "0", "--json", ...words);
  while (!program.stdout().includes("\n")) {
    await Promise.race([
      once(program.child.stdout!, "data"),
      program.end.then((code) => {
        throw new Error(`ended with ${String(code)}: ${program.stderr()}`);
      }),
    ]);
  }
  return { ...program, addresses: JSON.parse(program.stdout()) as SimulatorAddresses };
}

/** A bare client: sends texts, waits for texts. */
class Client {
  readonly socket: WebSocket;
  readonly received: string[] = [];
  closeCode: number | undefined;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on("message", (data: Buffer) => {
      this.received.push(data.toString());
    });
    this.socket.on("close", (code) => {
      this.closeCode = code;
    });
    // What ends a connection is looked at through `closeCode`.
    this.socket.on("error", () => undefined);
  }

  async open(): Promise<this> {
    await once(this.socket, "open");
    return this;
  }

  async next(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = this.received.find((text) => pattern.test(text));
      if (found !== undefined) return found;
      await Promise.race([
        once(this.socket, "message"),
        once(this.socket, "close").then(() => {
          throw new Error("closed");
        }),
      ]);
    }
  }

  async call(id: number, method: string, params: object): Promise<{ result?: unknown; error?: { code: number } }> {
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return JSON.parse(await this.next(new RegExp(`"id":${String(id)},`))) as {
      result?: unknown;
      error?: { code: number };
    };
  }

  async closed(): Promise<number> {
    return await new Promise((resolve) => {
      if (this.closeCode !== undefined) resolve(this.closeCode);
      else this.socket.on("close", resolve);
    });
  }
}

interface HttpResponse {
  readonly status: number | undefined;
  readonly text: string;
  readonly json: {
    readonly id?: number;
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number };
  };
}

async function request(
  url: string,
  options: http.RequestOptions & { readonly body?: string } = {},
): Promise<HttpResponse> {
  const { body, ...rest } = options;
  const outgoing = http.request(url, { agent: false, ...rest });
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [http.IncomingMessage];
  let text = "";
  for await (const piece of response as AsyncIterable<Buffer>) text += piece.toString();
  return {
    status: response.statusCode,
    text,
    json: text.startsWith("{") ? (JSON.parse(text) as HttpResponse["json"]) : {},
  };
}

async function control({ control: way }: SimulatorAddresses, name: string, body?: object): Promise<unknown> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const response = await request(`${way.url}/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${way.token}` },
    body: text,
  });
  assert.equal(response.status, 200, response.text);
  return JSON.parse(response.text) as unknown;
}

describe("the program", () => {
  const wrong: readonly [string[], RegExp][] = [
    [["--prot", "1"], /^"--prot" is not a simulator option/],
    [["--port", "many"], /^--port requires a whole number/],
    [["--orders"], /^--orders requires a whole number/],
  ];
  for (const [words, sentence] of wrong) {
    test(`${words.join(" ")} ends with 2 and a sentence`, async () => {
      const program = run(...words);
      assert.equal(await program.end, 2);
      assert.match(program.stderr(), sentence);
      assert.equal(program.stdout(), "");
    });
  }

  test("--help ends with 0 and names every option", async () => {
    const program = run("--help");
    assert.equal(await program.end, 0);
    for (const option of ["--port", "--seed", "--orders", "--updates", "--still", "--limits", "--json", "--help"])
      assert.match(program.stdout(), new RegExp(option));
  });

  describe("--faults", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "faults-"));
    afterAll(() => fs.rmSync(folder, { recursive: true }));
    const file = (text: string): string => {
      const name = path.join(folder, "faults.json");
      fs.writeFileSync(name, text);
      return name;
    };

    test("a wrong file, or none, ends with 2, the line, and the member", async () => {
      const name = file('{\n "faults": [\n  { "do": "drop",\n    "metod": "private/buy" }\n ]\n}');
      const wrongOne = run("--port", "0", "--faults", name);
      assert.equal(await wrongOne.end, 2);
      assert.match(wrongOne.stderr(), /faults\.json: Line 4: faults\[0\]\.metod is not known here, only do, /);
      const none = run("--port", "0", "--faults", path.join(folder, "none.json"));
      assert.equal(await none.end, 2);
      assert.match(none.stderr(), /none\.json can't be read: ENOENT/);
    });

    test("each call that met a fault is in the log; over HTTP it can get a page of HTML after it was done", async () => {
      const name = file(
        '{ "faults": [{ "do": "badGateway", "method": "private/buy", "name": "lost at the gateway" }] }',
      );
      const { addresses, child, end, stderr } = await start(
        "--seed",
        "1",
        "--still",
        "--orders",
        "0",
        "--faults",
        name,
      );
      const { clientId, clientSecret } = addresses;
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
      const buy = async (): Promise<HttpResponse> =>
        await request(`${addresses.http}/private/buy?instrument_name=BTC-PERPETUAL&amount=100&type=limit&price=20000`, {
          headers: { authorization: `Basic ${basic}` },
        });
      const [first, second] = [await buy(), await buy()];
      assert.equal(first.status, 502);
      assert.match(first.text, /^<html>/);
      assert.equal(second.status, 200);
      assert.equal(((await control(addresses, "openOrders")) as readonly unknown[]).length, 2);
      const used = { call: 1, method: "private/buy", fault: "lost at the gateway" };
      assert.deepEqual(await control(addresses, "faultLog"), [used]);
      await control(addresses, "addFaults", { faults: [{ do: "tooManyRequests", method: "private/buy" }] });
      assert.equal((await buy()).json.error?.code, 10_028);
      await control(addresses, "placeOther", {
        ...{ instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 10, price: 20_000 },
      });
      child.kill("SIGTERM");
      assert.equal(await end, 0);
      assert.equal(
        stderr(),
        "Call 1, private/buy: fault lost at the gateway.\nCall 3, private/buy: fault tooManyRequests.\n",
      );
    });
  });

  test("a port in use ends with 1 and a sentence", async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as net.AddressInfo;
    const program = run("--port", String(port));
    assert.equal(await program.end, 1);
    assert.match(program.stderr(), new RegExp(`^Port ${String(port)} is in use`));
    server.close();
  });

  test("prints readable lines, and ends cleanly on a signal", async () => {
    const program = run("--port", "0", "--seed", "1");
    while (!program.stdout().includes("Ctrl+C")) await once(program.child.stdout!, "data");
    assert.match(
      program.stdout(),
      /WebSocket +ws:\/\/127\.0\.0\.1:\d+\/ws\/api\/v2\n +HTTP +http:\/\/127\.0\.0\.1:\d+\/api\/v2\n +Client ID +simulator\n +Client secret +[\w-]{43}\n/,
    );
    program.child.kill("SIGINT");
    assert.equal(await program.end, 0);
  });

  test("a signal tells the clients that it is going", async () => {
    const { addresses, child, end, stderr } = await start("--seed", "1");
    const client = await new Client(addresses.webSocket).open();
    child.kill("SIGTERM");
    assert.equal(await client.closed(), 1001);
    assert.equal(await end, 0);
    assert.equal(stderr(), "");
  });

  test("--json is one line with these members, and a seed brings back the secret", async () => {
    const one = await start("--seed", "7", "--orders", "3", "--still");
    const other = await start("--seed", "7");
    assert.deepEqual(Object.keys(one.addresses), ["webSocket", "http", "clientId", "clientSecret", "control"]);
    assert.equal(one.stdout().split("\n").length, 2);
    assert.equal(one.addresses.clientSecret, other.addresses.clientSecret);
    assert.notEqual(one.addresses.control.token, other.addresses.control.token);
    assert.equal(((await control(one.addresses, "openOrders")) as unknown[]).length, 3);
    for (const { child, end } of [one, other]) {
      child.kill("SIGTERM");
      await end;
    }
  });
});

describe("a running simulator", () => {
  let program: Awaited<ReturnType<typeof start>>;
  let addresses: SimulatorAddresses;
  beforeAll(async () => {
    program = await start("--seed", "1", "--still");
    ({ addresses } = program);
  });
  afterAll(async () => {
    program.child.kill("SIGTERM");
    await program.end;
  });
  const signIn = async (): Promise<Client> => {
    const client = await new Client(addresses.webSocket).open();
    const response = await client.call(1, "public/auth", {
      grant_type: "client_credentials",
      client_id: addresses.clientId,
      client_secret: addresses.clientSecret,
    });
    assert.equal(response.error, undefined);
    return client;
  };

  test("a conversation: sign in, subscribe, cancel, and the event of it", async () => {
    const client = await signIn();
    assert.equal(client.socket.extensions, "");
    assert.deepEqual((await client.call(2, "private/subscribe", { channels: ["user.orders.any.any.raw"] })).result, [
      "user.orders.any.any.raw",
    ]);
    const orders = (await client.call(3, "private/get_open_orders", {})).result as { order_id: string }[];
    assert.equal(orders.length, 24);
    await client.call(4, "private/cancel", { order_id: orders[0]?.order_id });
    const { params } = JSON.parse(await client.next(/"subscription"/)) as { params: { data: Record<string, unknown> } };
    assert.deepEqual([params.data["order_id"], params.data["order_state"]], [orders[0]?.order_id, "cancelled"]);
    client.socket.close();
    await client.closed();
  });

  test("a frame over 32 kB ends the connection after its response, a binary frame at once", async () => {
    const client = await new Client(addresses.webSocket).open();
    client.socket.send(`{"x":"${"x".repeat(40_000)}"}`);
    assert.match(await client.next(/-32600/), /request entity too large/);
    assert.equal(await client.closed(), 1000);
    const binary = await new Client(addresses.webSocket).open();
    binary.socket.send(Buffer.from("{}"));
    assert.equal(await binary.closed(), 1003);
  });

  test("another path is not a WebSocket", async () => {
    const client = new Client(addresses.webSocket.replace("/ws/api/v2", "/ws"));
    const [, response] = (await once(client.socket, "unexpected-response")) as [unknown, http.IncomingMessage];
    assert.equal(response.statusCode, 404);
    response.destroy();
  });

  test("HTTP: a query, a body by GET, a POST, and a token in the header", async () => {
    const query = await request(
      `${addresses.http}/public/get_last_trades_by_instrument?instrument_name=BTC_USDC&count=2`,
    );
    assert.deepEqual(
      [query.status, (query.json.result?.["trades"] as unknown[]).length, "id" in query.json],
      [200, 2, false],
    );
    const params = {
      grant_type: "client_credentials",
      client_id: addresses.clientId,
      client_secret: addresses.clientSecret,
    };
    const headers = { "content-type": "application/json" };
    const auth = await request(addresses.http, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "public/auth", params }),
    });
    assert.match(String(auth.json.result?.["scope"]), / session:rest-/);
    const authorization = `Bearer ${String(auth.json.result?.["access_token"])}`;
    const body = '{"jsonrpc":"2.0","id":2,"method":"private/get_open_orders","params":{}}';
    const list = await request(`${addresses.http}/private/get_open_orders`, {
      method: "GET",
      headers: { ...headers, authorization, "content-length": body.length },
      body,
    });
    assert.deepEqual([list.status, list.json.id], [200, 2]);
  });

  test("HTTP: errors have a status beside their envelope", async () => {
    const statuses: readonly [string, http.RequestOptions & { body?: string }, number, number | undefined][] = [
      ["/private/get_open_orders", {}, 401, 13009],
      ["/public/get_last_trades_by_instrument?instrument_name=BTC_USDC&count=1001", {}, 400, -32602],
      ["/public/subscribe?channels=trades.any.any.100ms", {}, 400, -32602],
      ["/public/nothing", {}, 400, -32601],
      ["/public/test", { method: "POST", body: "{}", headers: { "content-type": "text/plain" } }, 400, 13018],
      ["", { method: "POST", body: "x".repeat(40_000), headers: { "content-type": "application/json" } }, 400, -32600],
      ["/public/test", { method: "DELETE" }, 404, undefined],
    ];
    for (const [path, options, status, code] of statuses) {
      const response = await request(addresses.http + path, options);
      assert.deepEqual([response.status, response.json.error?.code], [status, code], path);
    }
  });

  test("the control path needs its token and is not on the exchange's port", async () => {
    assert.equal((await request(`${addresses.control.url}/ledger`)).status, 401);
    assert.equal(
      (await request(`${addresses.control.url}/ledger`, { headers: { authorization: "Bearer x" } })).status,
      401,
    );
    assert.equal(
      (
        await request(`${addresses.http.replace("/api/v2", "/control")}/ledger`, {
          headers: { authorization: `Bearer ${addresses.control.token}` },
        })
      ).status,
      404,
    );
    const headers = { authorization: `Bearer ${addresses.control.token}` };
    assert.equal((await request(`${addresses.control.url}/nothing`, { headers })).status, 404);
    const refused = await request(`${addresses.control.url}/cancel`, {
      method: "POST",
      headers,
      body: '{"id":"ETH-1"}',
    });
    assert.deepEqual(
      [refused.status, JSON.parse(refused.text)],
      [400, { error: { kind: "exchange", code: 10004, message: "order_not_found" } }],
    );
    assert.equal(
      (await request(`${addresses.control.url}/cancel`, { method: "POST", headers, body: "{" })).status,
      400,
    );
  });

  test("the control path: true state, faults, other actors, ledger", async () => {
    const client = await signIn();
    await control(addresses, "clearRecords");
    const placed = (await control(addresses, "place", {
      instrument_name: "ETH-PERPETUAL",
      direction: "buy",
      amount: 7,
      price: 2000,
    })) as { order_id: string };
    await control(addresses, "setFault", { method: "private/cancel", response: "none", link: "reset" });
    client.socket.send(
      JSON.stringify({ jsonrpc: "2.0", id: 5, method: "private/cancel", params: { order_id: placed.order_id } }),
    );
    assert.equal(await client.closed(), 1006);
    assert.equal(
      ((await control(addresses, "order", { id: placed.order_id })) as { order_state: string }).order_state,
      "cancelled",
    );
    const ledger = (await control(addresses, "ledger")) as {
      method: string;
      paramsText: string;
      response: string;
      isApplied: boolean;
    }[];
    const found = ledger.map((line) => [line.method, line.paramsText, line.response, line.isApplied]);
    assert.deepEqual(found, [["private/cancel", `{"order_id":"${placed.order_id}"}`, "none", true]]);
  });

  test("refused and disconnected clients", async () => {
    const client = await signIn();
    await control(addresses, "disconnectAll", { how: "close" });
    assert.equal(await client.closed(), 1000);
    await control(addresses, "refuseConnections", { isRefusing: true });
    const refused = new Client(addresses.webSocket);
    assert.equal(await refused.closed(), 1006);
    await assert.rejects(request(`${addresses.http}/public/test`));
    await control(addresses, "refuseConnections", { isRefusing: false });
    assert.equal((await request(`${addresses.http}/public/test`)).status, 200);
  });

  test("the thirty-third connection is one too many", async () => {
    const clients = await Promise.all(
      Array.from({ length: 32 }, async () => await new Client(addresses.webSocket).open()),
    );
    const next = new Client(addresses.webSocket);
    const [, response] = (await once(next.socket, "unexpected-response")) as [unknown, http.IncomingMessage];
    assert.equal(response.statusCode, 429);
    response.destroy();
    for (const client of clients) {
      client.socket.terminate();
      await client.closed();
    }
  });
});

test("as a worker thread: options in, addresses out, and an end on request", async () => {
  const worker = new Worker(WORKER, { workerData: { orders: 2, still: true } });
  const [addresses] = (await once(worker, "message")) as [SimulatorAddresses];
  assert.equal(((await control(addresses, "openOrders")) as unknown[]).length, 2);
  const client = await new Client(addresses.webSocket).open();
  const exit = once(worker, "exit");
  worker.postMessage("stop");
  assert.equal(await client.closed(), 1001);
  assert.deepEqual(await exit, [0]);
});

test("a worker thread does what it is told by whoever started it, and says what it cannot do", async () => {
  const simulator = await startSimulatorThread(WORKER, silentLog, () => assert.fail("it ended by itself"));
  const client = await new Client(simulator.webSocket).open();
  const refused =
    (reason: RegExp) =>
    ({ failure }: CallError) =>
      failure.kind === "refused" && reason.test(failure.reason);
  await assert.rejects(
    simulator.control("noSuchThing", {}),
    refused(/^The simulator rejected the command: noSuchThing\?$/),
  );
  await assert.rejects(simulator.control("fill", { id: "NO-1" }), refused(/^The simulator rejected the command: ./));
  await simulator.control("disconnectAll", { how: "close" });
  await client.closed();
  await simulator.stop();
  await assert.rejects(simulator.control("clearFaults", {}), refused(/the simulator has stopped/));
});

test("a worker thread that cannot start says why", async () => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const worker = new Worker(WORKER, { workerData: { port } });
  // It ends right after it has said why: whoever asks later waits for ever.
  const exit = once(worker, "exit");
  const [message] = (await once(worker, "message")) as [{ error: string }];
  assert.match(message.error, new RegExp(`^Port ${String(port)} is in use`));
  await exit;
  server.close();
});
