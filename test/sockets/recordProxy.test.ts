import * as fs from "node:fs";
import * as http from "node:http";
import * as path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import WebSocket, { WebSocketServer, type AddressInfo } from "ws";
import { createSystemClock } from "../../src/base/clock.ts";
import { startProxy, type RunningProxy } from "../../src/cli/machine/proxyServer.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import { bundleCli, startProgram, type CliProgram } from "./cliProgram.ts";

/* The proxy through which another program is recorded: alone, and as it ships with `record --proxy` and `audit`. */

/** Texts that a program which parses and writes them again would change. */
const TEXTS = [
  '{"id":1, "method":"public/test","params":{"a":1.50,"b":1e3}}\n',
  "no JSON",
  '{"id":1,"id":2}',
  "é\u2028😀",
];

function textOf(data: WebSocket.RawData): string {
  return (data as Buffer).toString("utf8");
}

describe("the proxy", () => {
  let upstream: WebSocketServer;
  let proxy: RunningProxy;
  let notes: string[] = [];
  let failures: unknown[] = [];

  beforeEach(async () => {
    upstream = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await new Promise((resolve) => upstream.once("listening", resolve));
    const { port } = upstream.address() as AddressInfo;
    notes = [];
    failures = [];
    proxy = await startProxy({
      port: 0,
      dial: async (signal) =>
        await dialWebSocket(`ws://127.0.0.1:${port}/ws/api/v2`, { clock: createSystemClock() }, signal),
      notes: {
        opened: (connection) => void notes.push(`${connection} opened`),
        closed: (connection, by) => void notes.push(`${connection} closed by ${by}`),
        sent: (connection, text) => void notes.push(`${connection} > ${text}`),
        received: (connection, text) => void notes.push(`${connection} < ${text}`),
      },
      onFailure: (error) => void failures.push(error),
    });
  });
  afterEach(async () => {
    await proxy.close();
    for (const client of upstream.clients) client.terminate();
    await new Promise((resolve) => upstream.close(resolve));
  });

  const open = async (headers: Record<string, string> = {}): Promise<WebSocket> => {
    const socket = new WebSocket(proxy.webSocket, { headers });
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return socket;
  };
  const closeOf = async (socket: WebSocket): Promise<void> =>
    await new Promise((resolve) => void socket.once("close", () => resolve()));

  test("texts pass unchanged in both directions, in their order, and are noted", async () => {
    upstream.on("connection", (socket) => socket.on("message", (data) => socket.send(textOf(data))));
    const socket = await open();
    const received: string[] = [];
    const all = new Promise<void>((resolve) => {
      socket.on("message", (data) => {
        received.push(textOf(data));
        if (received.length === TEXTS.length) resolve();
      });
    });
    for (const text of TEXTS) socket.send(text);
    await all;
    const closed = closeOf(socket);
    socket.close();
    await closed;
    expect(received).toEqual(TEXTS);
    expect(notes.filter((note) => note.startsWith("1 > "))).toEqual(TEXTS.map((text) => `1 > ${text}`));
    expect(notes.filter((note) => note.startsWith("1 < "))).toEqual(TEXTS.map((text) => `1 < ${text}`));
    expect([notes[0], failures]).toEqual(["1 opened", []]);
  });

  test("the end of a connection ends the one behind it, and says who ended it", async () => {
    const first = new Promise<WebSocket>((resolve) => upstream.once("connection", resolve));
    const socket = await open();
    const behind = await first;
    const behindClosed = closeOf(behind);
    socket.close();
    await behindClosed;
    const second = new Promise<WebSocket>((resolve) => upstream.once("connection", resolve));
    const other = await open();
    const otherClosed = closeOf(other);
    (await second).close();
    await otherClosed;
    expect(notes).toEqual(["1 opened", "1 closed by bot", "2 opened", "2 closed by exchange"]);
  });

  test("a server that can't be reached is told, and ends the connection", async () => {
    await new Promise((resolve) => upstream.close(resolve));
    const socket = await open();
    await closeOf(socket);
    expect([failures.length, notes]).toEqual([1, ["1 opened", "1 closed by exchange"]]);
  });

  test.each([
    ["a page of another host", { origin: "https://attacker.example" }],
    ["a name of another host that leads here", { host: "attacker.example" }],
  ])("%s is refused", async (_name, headers) => {
    await expect(open(headers)).rejects.toThrow("403");
    expect(notes).toEqual([]);
  });

  test("pages of this computer and programs without an origin are accepted", async () => {
    for (const headers of [{ origin: "http://localhost:3000" }, {}]) {
      const socket = await open(headers);
      const closed = closeOf(socket);
      socket.close();
      await closed;
    }
    expect(notes.filter((note) => note.endsWith("opened")).length).toBe(2);
  });

  test("another path, and a request that is no WebSocket, are refused", async () => {
    const other = new WebSocket(proxy.webSocket.replace("/api/v2", "/other"));
    const error = await new Promise<Error>((resolve) => void other.once("error", resolve));
    expect(error.message).toContain("404");
    const status = await new Promise((resolve) => {
      http.get(proxy.webSocket.replace("ws:", "http:"), (response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });
    expect([status, notes]).toEqual([426, []]);
  });
});

describe("record --proxy and audit, as they ship", () => {
  let program: CliProgram;

  beforeAll(async () => {
    program = await bundleCli();
  });
  afterAll(() => program.remove());

  /** Records a bot through the proxy. Returns the text of its recording, and the secret that it used. */
  const recordBot = async (flaw: string, file: string): Promise<{ readonly text: string; readonly secret: string }> => {
    const proxy = program.start(["record", "--proxy", "--env", "sim", "--port", "0", "--out", file]);
    await proxy.said("Ctrl+C");
    const value = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(proxy.out())?.[1] ?? "";
    const secret = value("Client secret");
    const bot = startProgram([path.resolve("test/bots/maker.mjs"), flaw, "3"], {
      cwd: program.folder,
      variables: {
        TRADING_RPC_SIM_URL: value("WebSocket"),
        TRADING_RPC_SIM_CLIENT_ID: value("Client ID"),
        TRADING_RPC_SIM_CLIENT_SECRET: secret,
      },
    });
    expect([await bot.code, bot.out(), bot.err()]).toEqual([0, "", ""]);
    proxy.child.kill("SIGINT");
    expect(await proxy.code).toBe(0);
    expect(proxy.err()).toMatch(new RegExp(`^Recorded to ${file}\\. Calls: \\d+\\. Events: \\d+\\.\\n$`));
    return { text: fs.readFileSync(path.join(program.folder, file), "utf8"), secret };
  };
  const audit = async (...words: readonly string[]): Promise<readonly [number | null, string]> => {
    const { code, out, err } = await program.run("audit", ...words);
    return [code, out + err];
  };

  test("a careful bot: its secret is not in the recording, and nothing is found", async () => {
    const { text, secret } = await recordBot("none", "careful.rpcrec.jsonl");
    expect(secret.length).toBeGreaterThan(20);
    expect(text).not.toContain(secret);
    expect(text).toContain('"connection":1,"is":"closed"');
    const [code, report] = await audit("careful.rpcrec.jsonl", "--max-order", "100");
    expect([code, report.trimEnd().split("\n").at(-1)]).toEqual([
      0,
      "No finding in careful.rpcrec.jsonl; exercised 2 of 18 checks.",
    ]);
  });

  test("a bot with one ID for all its calls is found, as text, JSON, and JUnit", async () => {
    await recordBot("one-id", "one.rpcrec.jsonl");
    const [code, report] = await audit("one.rpcrec.jsonl");
    const summary = /^1 finding in one\.rpcrec\.jsonl; exercised \d of 18 checks\.$/;
    expect([code, report.trimEnd().split("\n").at(-1)]).toEqual([1, expect.stringMatching(summary)]);
    expect(report).toContain("Two requests in flight with one ID (same-id)\n");
    expect(report).not.toMatch(/Run it again|Smallest schedule|Seen in/);
    const [, json] = await audit("one.rpcrec.jsonl", "--format", "json");
    expect(JSON.parse(json)).toMatchObject({ recording: "one.rpcrec.jsonl", findings: [{ check: "same-id" }] });
    const [, junit] = await audit("one.rpcrec.jsonl", "--format", "junit", "--output", "audit.xml");
    expect(junit.trimEnd()).toMatch(summary);
    const xml = fs.readFileSync(path.join(program.folder, "audit.xml"), "utf8");
    expect(xml.match(/<failure [^>]*type="same-id"/g)?.length).toBe(1);
  });

  test("a file that is no recording, and no file, are named", async () => {
    fs.writeFileSync(path.join(program.folder, "other.txt"), "{}\n");
    expect(await audit("other.txt")).toEqual([
      2,
      "other.txt can't be read. Line 1: This is not a recording of trading-rpc: tradingRpcRecording is missing.\n",
    ]);
    const [code, text] = await audit("missing.rpcrec.jsonl");
    expect([code, text]).toEqual([2, expect.stringContaining("missing.rpcrec.jsonl can't be read: ENOENT")]);
    expect(await audit()).toEqual([2, expect.stringContaining("Specify one recording: trading-rpc audit")]);
  });
});
