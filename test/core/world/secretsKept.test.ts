import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { inspect } from "node:util";
import { silentLog } from "../../../src/base/log.ts";
import { plain } from "../../../src/base/plain.ts";
import { createMaskingLog } from "../../../src/ui/editor/log.ts";
import { createWorld, type World } from "../../world.ts";
import { asPlain } from "../../asPlain.ts";

const SECRET = "canary-3-secret";

async function connected(options: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = createWorld({ clientSecret: SECRET, ...options });
  await world.connect();
  return world;
}

/** An object in every form in which a program writes one down, private parts and getters included. */
function everyForm(value: unknown): string {
  const seen = new Set<unknown>();
  const json = JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== "object" || each === null) return typeof each === "bigint" ? String(each) : each;
    if (seen.has(each)) return undefined;
    seen.add(each);
    return each instanceof Map ? [...each] : each instanceof Set ? [...each] : each;
  });
  return [json, inspected(value)].join("\n");
}

function inspected(value: unknown): string {
  return inspect(value, { depth: 30, showHidden: true, getters: true, maxArrayLength: null, maxStringLength: null });
}

describe("secrets behind the decode boundary", () => {
  test("a response with keys holds none: as text, parsed, written down, inspected or cloned", async () => {
    const world = await connected();
    world.live.apiKeys.setVisible(true);
    await world.clock.advance(1000);
    const secrets = [SECRET, ...world.exchange.control.apiKeys().map((key) => String(key["client_secret"]))];
    const submitted = world.live.gate.submit({
      method: "private/list_api_keys",
      paramsText: "{}",
      words: { action: plain`List`, target: plain`keys`, detail: [], keep: plain`Stop` },
      origin: "view",
    });
    await world.clock.advance(1000);
    const response = await submitted;
    const keys = [...world.live.apiKeys.snapshot.items.values()];
    assert.ok(keys.length > 0);
    assert.ok(secrets.length > 1);
    assert.match(everyForm(response), /client_secret/, "the member is there, its value is not");
    for (const value of [response, keys, structuredClone(keys), structuredClone(response)]) {
      for (const secret of secrets) assert.ok(!everyForm(value).includes(secret));
    }
    world.live.dispose();
  });

  test("a connection holds its own nowhere that can be looked into", async () => {
    const world = await connected();
    const text = inspected(world.live);
    assert.match(text, /get_time|orders/);
    assert.ok(!text.includes(SECRET));
    world.live.dispose();
  });
});

describe("an exchange that repeats everything it was sent", () => {
  test("in the data of an error: neither log nor journal has any of it, and a trace no secret under whatever name", async () => {
    const world = await connected();
    const token = /"access_token":"([^"]+)"/.exec(world.frames("private/get_open_orders").join())?.[1] ?? "";
    assert.notEqual(token, "");
    const data = {
      echo: "canary-in-data",
      reason: token,
      text: `params were {"client_secret":"${SECRET}","access_token":"${token}"}`,
      access_token: "canary-in-token",
      nested: [{ client_secret: SECRET }],
    };
    world.exchange.control.setFault({ response: { code: 10_041, data }, method: "private/cancel" });
    const [order] = world.exchange.control.openOrders();
    const submitted = world.live.gate.submit({
      method: "private/cancel",
      paramsText: JSON.stringify({ order_id: order?.order_id }),
      words: { action: plain`Cancel`, target: plain`an order`, detail: [], keep: plain`Keep` },
      origin: "view",
    });
    await world.clock.advance(2000);
    const outcome = await submitted;
    assert.notEqual(outcome.kind, "confirmed");
    // A trace is the frame as it came, less the secrets; nothing else repeats what an exchange says of an error.
    const frames = world.logged.filter((line) => line.startsWith("← ") || line.startsWith("→ "));
    for (const secret of [token, SECRET, "canary-in-token"])
      assert.deepEqual(
        frames.filter((line) => line.includes(secret)),
        [],
      );
    const told = [
      ...world.logged.filter((line) => !frames.includes(line)),
      ...world.journal.records.map((each) => JSON.stringify(each)),
    ].join("\n");
    assert.match(told, /private\/cancel/);
    assert.ok(!told.includes("canary") && !told.includes(token), told);
    world.live.dispose();
  });
});

test("a line of the log becomes no link: neither of the web, of a file, of a command nor of the editor", () => {
  const lines: string[] = [];
  const log = createMaskingLog({
    ...silentLog,
    info: (line) => {
      lines.push(line);
    },
  });
  // https://github.com/microsoft/vscode/blob/main/src/vs/editor/common/languages/linkComputer.ts wants a scheme with
  // "://", or "file:/".
  const texts = [
    "https://evil.example/x",
    "HTTP://evil.example",
    "vscode://publisher.extension/x",
    "see <command:tradingRpc.order.cancelAll>",
    "[Fix](command:workbench.action.terminal.sendSequence)",
    "a\nhttps://b.example",
    "http\u200b://c.example",
    "https:\u2044\u2044d.example",
  ];
  for (const text of texts) log.info(asPlain(text));
  assert.equal(lines.length, texts.length);
  for (const line of lines) assert.doesNotMatch(line, /:\/\/|\]\(|[\n\r]/);
});
