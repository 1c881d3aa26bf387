import assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, test } from "vitest";
import { WebSocket } from "ws";
import { OWN } from "./ownBook.ts";
import { startReplay as start, type ReplayServer } from "./server.ts";

/* The replay server itself: it knows nothing of what it examines, and it lets nothing pass. */

const startReplay = async (script: string): Promise<ReplayServer> => await start(script, OWN.messages);

/** Every file that a file leads to, over relative imports; names of packages as they stand. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = fs.readFileSync(file, "utf8");
  for (const [, name = ""] of text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`]([^"'`]+)["'`]/g)) {
    if (name.startsWith(".")) importsOf(path.resolve(path.dirname(file), name), seen);
    else seen.add(name);
  }
  return seen;
}

test("the server imports nothing of src, directly or not", () => {
  const found = [...importsOf(path.resolve("test/replay/server.ts"))]
    .map((each) => (path.isAbsolute(each) ? path.relative(".", each) : each))
    .sort();
  assert.deepEqual(found, [
    "jsonc-parser",
    "node:events",
    "node:http",
    "node:net",
    "node:stream",
    "test/replay/script.ts",
    "test/replay/server.ts",
    "ws",
  ]);
  // The reader of imports itself finds what a client imports.
  assert.ok(
    [...importsOf(path.resolve("test/replay/client.ts"))].some((each) => each.includes(`${path.sep}src${path.sep}`)),
  );
});

const HELLO = `
  connect
  → hello  public/hello {"client_name":"<name>","client_version":"1.0"}
  ← hello  public_hello.response.json
  -- greeted
  → test   public/test {"n":0.10}
  ← test   public_test.response.json
`;

const hello = '{"jsonrpc":"2.0","id":77,"method":"public/hello","params":{"client_name":"x","client_version":"1.0"}}';
const probe = '{"jsonrpc":"2.0","id":78,"method":"public/test","params":{"n":0.10}}';

/** Plays with a client that sends these texts, the second after the meeting. Responses what it received. */
async function play(first: string, ...later: string[]): Promise<string[]> {
  const server = await startReplay(HELLO);
  const received: string[] = [];
  const socket = new WebSocket(server.webSocketUrl);
  socket.on("error", () => undefined);
  socket.on("message", (data: Buffer) => received.push(data.toString()));
  try {
    await once(socket, "open");
    socket.send(first);
    await server.meet("greeted");
    for (const text of later) socket.send(text);
    await server.end();
    assert.equal(server.captured("name"), "x");
    return received;
  } finally {
    socket.terminate();
    await server.dispose();
  }
}

describe("a play", () => {
  test("that goes as the script says: files byte for byte but for the id", async () => {
    assert.deepEqual(await play(hello, probe), [
      OWN.messages("public_hello.response.json").replace('"id": 41', '"id": 77'),
      OWN.messages("public_test.response.json").replace('"id": 41', '"id": 78'),
    ]);
  });

  const wrong: readonly (readonly [string, string[], RegExp])[] = [
    ["another digit", [hello, probe.replace("0.10", "0.1")], /another frame than the script says in line 6/],
    ["another member", [hello, probe.replace("}}", ',"m":1}}')], /another frame/],
    ["an id that is a text", [hello.replace("77", '"77"')], /another frame/],
    [
      "another order of members",
      ['{"id":77,"jsonrpc":"2.0","method":"public/hello","params":{"client_name":"x","client_version":"1.0"}}'],
      /another frame/,
    ],
    ["one frame too many at the end", [hello, probe, probe], /unexpected frame[^]*while the script is at its end/],
    ["a frame that never comes", [hello], /never came: line 6: → test/],
  ];
  for (const [what, texts, failure] of wrong) {
    test(`fails: ${what}`, async () => {
      const [first = "", ...later] = texts;
      await assert.rejects(play(first, ...later), failure);
    });
  }

  test("fails: a frame too early, at a meeting", async () => {
    const server = await startReplay(HELLO);
    const socket = new WebSocket(server.webSocketUrl);
    socket.on("error", () => undefined);
    await once(socket, "open");
    socket.send(hello);
    socket.send(probe);
    await assert.rejects(server.meet("greeted"), /unexpected frame[^]*line 5: -- greeted/);
    await server.dispose();
  });

  test("fails: a second connection", async () => {
    const server = await startReplay(HELLO);
    const sockets = [new WebSocket(server.webSocketUrl)];
    await once(sockets[0]!, "open");
    sockets.push(new WebSocket(server.webSocketUrl));
    for (const socket of sockets) socket.on("error", () => undefined);
    await new Promise((resolve) => {
      sockets[1]?.on("close", resolve);
    });
    await assert.rejects(server.meet("greeted"), /unexpected connection to \/ws\/api\/v2/);
    await server.dispose();
  });

  test("over HTTP: the body whatever the status, and no request that is not in the script", async () => {
    const server = await startReplay(`
      http → GET /api/v2/public/subscribe?channels=<channel>
      http ← 400 error.channels_must_be_list.json
    `);
    const response = await fetch(`${server.httpUrl}/public/subscribe?channels=book.BTC`, {
      headers: { connection: "close" },
    });
    assert.deepEqual([response.status, await response.text()], [400, OWN.messages("error.channels_must_be_list.json")]);
    await server.end();
    await assert.rejects(fetch(`${server.httpUrl}/public/test`));
    await assert.rejects(server.end(), /unexpected request\n {2}GET \/api\/v2\/public\/test/);
    await server.dispose();
  });

  test("a script that cannot be read is no script", async () => {
    await assert.rejects(startReplay("connect\n→ public/test {}"), /line 2 of the script/);
    await assert.rejects(
      startReplay("connect\n← hello  public_hello.response.json  a = b"),
      /what is sent is a file or a text/,
    );
  });
});
