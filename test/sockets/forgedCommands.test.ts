import assert from "node:assert/strict";
import fs from "node:fs";
import { afterAll, beforeAll, describe, test } from "vitest";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { effectOf } from "../../src/catalogue/index.ts";
import type { CommandId } from "../../src/manifest/contributes.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { CHAT_TOOL_NAMES } from "../../src/ui/chat/tools.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { openFakeEditor, type FakeEditor } from "./fakeEditor.ts";
import { rounds } from "../rounds.mjs";

/*
 * Another extension, a task, a key binding or an agent calls our commands with whatever it likes. Here the whole
 * program runs on a connection to the simulator; every question is closed unanswered.
 */

const SECRET = "canary-0-secret";
const COMMANDS = (
  JSON.parse(fs.readFileSync("package.json", "utf8")) as { contributes: { commands: { command: CommandId }[] } }
).contributes.commands.map(({ command }) => command);
/**
 * Those that are written down without parameters have no argument that could be forged: a few calls show that they do
 * not change.
 */
const TAKES_NONE = new Set(
  fs
    .readdirSync("src/ui", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((file) =>
      [
        ...fs
          .readFileSync(`src/ui/${file}`, "utf8")
          .matchAll(/^\s*"(tradingRpc\.[\w.]+)":\s*(?:async\s*\(\)|\(\)|asFromPalette\()/gm),
      ].map(([, command = ""]) => command),
    ),
);
const SHARE = rounds({ short: 30, full: 6, long: 1 });
/** Of the lists that tools are given. */
const TOOL_SHARE = rounds({ short: 8, full: 1, long: 1 });
/** Their work is to end what is open; that sends nothing and can be had without an argument. */
const ENDS = new Set(["tradingRpc.connection.disconnect"]);

/** Arguments that no view hands out, each list made anew: `rows` are ids of rows that are really there. */
function forgedArguments(rows: readonly string[]): readonly (readonly unknown[])[] {
  const thrower = (): never => {
    throw new Error("forged");
  };
  const getters = Object.defineProperties(
    {},
    Object.fromEntries(
      ["id", "length", "record", "subjectId", "uri", "0", "then", "toString"].map((name) => [
        name,
        { get: thrower, enumerable: true },
      ]),
    ),
  );
  const hostile = new Proxy(
    {},
    { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower, getOwnPropertyDescriptor: thrower },
  );
  const cyclic: Record<string, unknown> = { id: "main" };
  cyclic["self"] = cyclic;
  const ring: unknown[] = [];
  ring.push(ring);
  const texts = [
    "",
    "main",
    "simulator",
    "main/orders",
    "main/orders/x",
    "__proto__",
    "constructor",
    "../main",
    "main%2Forders",
    "MAIN",
    "m\u0000ain",
    "\u202Emain",
    "{}",
    "null",
    "9".repeat(1000),
    "a/".repeat(10_000),
    "x".repeat(1_000_000),
    "command:tradingRpc.order.cancelAll",
  ];
  const values: readonly unknown[] = [
    ...texts,
    ...rows,
    null,
    true,
    false,
    0,
    -1,
    5,
    NaN,
    Infinity,
    10n ** 30n,
    Symbol("main"),
    thrower,
    Date,
    getters,
    hostile,
    cyclic,
    ring,
    {},
    Object.create(null),
    { id: "main" },
    { record: { id: "main" } },
    { connectionId: "main", orderId: "x" },
    { subjectId: NaN },
    { subjectId: "5" },
    { order_id: "x" },
    new Map([["id", "main"]]),
    new Date(0),
    /x/,
    { scheme: "file", path: "/x.rpc.json", fsPath: "/x.rpc.json", query: "" },
    new Array(1000).fill("main"),
    Buffer.alloc(1000),
    Promise.resolve("main"),
  ];
  return [
    ...values.map((value) => [value]),
    ...values.map((value) => [value, [value]]),
    ...values.map((value) => [value, value, value]),
    ...values.map((value) => [undefined, [value, value]]),
    [undefined, undefined],
    [[], []],
    [rows],
    [rows, rows],
    ["main", rows],
  ];
}

describe("commands called by other extensions", () => {
  let exchange: Exchange;
  let server: SimulatorServer;
  let editor: FakeEditor;
  const changes = (): readonly string[] =>
    exchange.control
      .ledger()
      .map(({ method = "no method" }) => method)
      .filter((method) => !["read", "session"].includes(effectOf(method)));

  beforeAll(async () => {
    exchange = createExchange({
      clock: createSystemClock(),
      random: createFakeRandom(5),
      still: true,
      limits: false,
      clientSecret: SECRET,
    });
    server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
    const record = {
      id: "main",
      name: "main",
      declared: "test",
      url: server.addresses.webSocket,
      grant: "client_signature",
      clientId: exchange.clientId,
    };
    editor = openFakeEditor({
      state: new Map<string, unknown>([
        ["tradingRpc.connections", { version: 1, connections: [record], activeId: "main" }],
        ["tradingRpc.secretIds", ["main"]],
      ]),
      secrets: new Map([
        ["tradingRpc.secret.main", JSON.stringify({ origin: new URL(record.url).origin, secret: SECRET })],
      ]),
    });
  });
  afterAll(async () => {
    await server.close();
    editor.close();
  });

  test("after activation, with its views shown, the extension has opened no connection, shown no dialog and read no secret", async () => {
    for (const provider of Object.values(editor.main.providers)) await (await provider()).getChildren();
    assert.deepEqual([exchange.control.connections().length, editor.secretReads, editor.shown], [0, [], []]);
  });

  test("without a response to any dialog they open no connection and read no secret", async () => {
    for (const command of COMMANDS)
      assert.equal(await (editor.main.run(command, []) as Promise<unknown>), undefined, command);
    assert.deepEqual([exchange.control.connections().length, editor.secretReads], [0, []]);
  });

  test("with 200 forged lists of arguments each, they change nothing, hand out nothing and copy no secret", async () => {
    await editor.main.run("tradingRpc.connection.connect", ["main"]);
    assert.deepEqual([exchange.control.connections().length, editor.secretReads], [1, ["tradingRpc.secret.main"]]);
    const rows = await someRows(editor);
    assert.ok(rows.length >= 5, rows.join());
    assert.ok(forgedArguments(rows).length >= 200);
    assert.ok(COMMANDS.filter((each) => !TAKES_NONE.has(each)).length > 40);
    for (const [index, command] of COMMANDS.filter((each) => !ENDS.has(each)).entries()) {
      // Each command gets its share, another one than its neighbor does.
      const wanted = forgedArguments(rows).filter((_, place) =>
        TAKES_NONE.has(command) ? place < 2 : place % SHARE === index % SHARE,
      );
      for (const args of wanted)
        assert.equal(await (editor.main.run(command, args) as Promise<unknown>), undefined, command);
      assert.deepEqual(changes(), [], command);
    }
    // A row that is really there leads to the question, and the question to nothing.
    assert.ok(
      editor.modals.some((text) => /^Cancel .* on TESTNET main\?$/.test(text)),
      editor.modals.slice(0, 5).join("\n"),
    );
    assert.deepEqual(
      [...editor.copied, ...editor.shown, ...editor.logged].filter((text) => text.includes(SECRET)),
      [],
    );
    assert.equal(({} as Record<string, unknown>)["id"], undefined);
  });

  test("a task that names a command hands it its own settings: it is told that this is no row, not that something has ended", async () => {
    for (const command of [
      "tradingRpc.order.cancelAll",
      "tradingRpc.order.cancelGroup",
      "tradingRpc.quote.cancelAll",
    ] as const) {
      const before = editor.shown.length;
      await editor.main.run(command, [{ type: "shell", label: "cancel" }]);
      assert.deepEqual(
        editor.shown.slice(before).map((text) => /^Nothing was done: this command needs an item\./.test(text)),
        [true],
        command,
      );
    }
    assert.deepEqual(changes(), []);
  });

  test("a row that VS Code has forgotten while it draws a list again: nothing is done, nothing is asked, no other row is taken", async () => {
    const menus = JSON.parse(fs.readFileSync("package.json", "utf8")) as {
      contributes: { menus: Record<"view/item/context" | "view/title", readonly { command: CommandId }[]> };
    };
    const { "view/item/context": ofRows, "view/title": ofTitles } = menus.contributes.menus;
    const named = new Set(ofRows.map(({ command }) => command));
    const onlyOfRows = [...named].filter((each) => !ofTitles.some(({ command }) => command === each));
    assert.ok(onlyOfRows.length > 40, String(onlyOfRows.length));
    for (const command of onlyOfRows) {
      const [told, asked] = [editor.shown.length, editor.modals.length];
      await editor.main.run(command, [undefined, undefined]);
      const words = editor.shown.slice(told).map((text) => text.replace(/ Nothing was sent\.$/, ""));
      assert.deepEqual(
        [words, editor.modals.length - asked],
        [["The view changed meanwhile, so nothing was done. Select the row again."], 0],
        command,
      );
    }
    assert.deepEqual(changes(), []);
  });

  test("tools called by other extensions change nothing and return no secret", async () => {
    const tools = await editor.main.tools();
    const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
    const told: string[] = [];
    for (const [index, name] of CHAT_TOOL_NAMES.entries()) {
      for (const [input] of forgedArguments([])
        .slice(0, 40)
        .filter((_, place) => place % TOOL_SHARE === index % TOOL_SHARE)) {
        // What cannot be copied from one process to another never comes here; it throws before anything is done.
        told.push(await tools.invoke(name, input, token).catch(String));
      }
    }
    assert.deepEqual(changes(), []);
    assert.ok(
      told.some((text) => /^Open orders on TESTNET main, as of /.test(text)),
      told.slice(0, 3).join("\n"),
    );
    assert.deepEqual(
      [...told, ...editor.logged].filter((text) => text.includes(SECRET)),
      [],
    );
  });
});

/** Ids of the first rows of each view, and of what stands below them. */
async function someRows({ main }: FakeEditor): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const providerOf of Object.values(main.providers)) {
    const provider = await providerOf();
    for (const row of ((await provider.getChildren()) ?? []).slice(0, 2))
      rows.push(row, ...((await provider.getChildren(row)) ?? []).slice(0, 1));
  }
  return rows;
}
