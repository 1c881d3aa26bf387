import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { parseTree } from "jsonc-parser";
import type { CallError } from "../../src/base/failure.ts";
import { methodFacts } from "../../src/catalogue/index.ts";
import { converse } from "./converse.ts";
import { GREETED, OPENING as RECORDED_OPENING, RECORDED_TOKEN, SUBSCRIBED } from "./openings.ts";
import { MESSAGES, message, partOf } from "./script.ts";

/*
 * Every recorded and documented answer, error and event, sent over a real socket as its file has it: the answer's text
 * is the file's text, character for character, and so is the JSON of the answer document without its white space.
 */

/** What is refused for want of a scope is not the business here: the recorded key was older than Block RFQ. */
const OPENING = RECORDED_OPENING.replace("ws-connection.json", "ws-connection.json  block_trade:read_write ⇒ block_rfq:read_write block_trade:read_write");

const files = fs.readdirSync(MESSAGES).filter((file) => file.endsWith(".json"));

/** `private_cancel.response.recorded-ws-2026-01.json` is about `private/cancel`. */
function methodOf(file: string): string {
  return (file.split(".")[0] ?? "").replace("_", "/");
}

/** Members that no answer may show. The recorded ones hold these secrets and nothing else that is one. */
const SECRETS = /("(?:access_token|refresh_token|client_secret)":\s*)"[^"]*"/g;

/** What may be seen of a text. */
function shown(text: string): string {
  return text.replaceAll(SECRETS, '$1"‹hidden›"');
}

function compact(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

/** Parameters of the documentation's request, where it has one: as one line, every literal kept. */
function paramsOf(method: string): string {
  const file = `${method.replace("/", "_")}.request.json`;
  if (!files.includes(file)) return "{}";
  const params = parseTree(message(file))?.children?.find((member) => member.children?.[0]?.value === "params")?.children?.[1];
  return params === undefined ? "{}" : compact(message(file).slice(params.offset, params.offset + params.length));
}

function withToken(method: string, params: string): string {
  if (!method.startsWith("private/")) return params;
  return `{"access_token":"${RECORDED_TOKEN}"${params === "{}" ? "" : ","}${params.slice(1)}`;
}

describe("answers", () => {
  const all = files.filter((file) => file.includes(".response.") && "result" in (JSON.parse(message(file)) as object));
  const answers = all.filter((file) => /"jsonrpc":\s*"2\.0"/.test(message(file)));

  test("one example of the documentation forgets the version: its answer cannot be read, and that is said", async () => {
    assert.deepEqual(all.filter((file) => !answers.includes(file)), ["private_get_user_locks.response.json"]);
    await converse(`${OPENING}\n-- open\n→ call private/get_user_locks ${withToken("private/get_user_locks", "{}")}\n← call private_get_user_locks.response.json\n-- answered`, async (client, server) => {
      await server.meet("open");
      const refused = assert.rejects(client.session.caller.call("private/get_user_locks", "{}"), (error: CallError) => {
        assert.deepEqual(error.failure, { kind: "unreadableResult", detail: "it is not JSON-RPC 2.0" });
        return true;
      });
      await server.meet("answered");
      await refused;
    });
  });

  test("there are answers of every method that has one in the documentation", () => {
    assert.ok(answers.filter((file) => methodFacts(methodOf(file)) !== undefined).length >= 15, String(answers.length));
  });

  // That call is Switch Sub-account: the session goes on with its answer, which examples.test.ts plays.
  for (const file of answers.filter((each) => each !== "public_exchange_token.response.json")) {
    const method = methodOf(file);
    // The documentation shows the question for a second factor as the answer to a method that lists keys.
    const name = method === "security/key_challenge" ? "private/list_api_keys" : method;
    test(`${file}${methodFacts(name) === undefined ? " (not in the catalogue)" : ""}`, async () => {
      const params = paramsOf(name);
      await converse(`${OPENING}\n-- open\n→ call ${name} ${withToken(name, params)}\n← call ${file}\n-- answered`, async (client, server) => {
        await server.meet("open");
        const answer = client.session.caller.call(name, params);
        await server.meet("answered");
        const { bodyText, hasMaskedSecrets } = await answer;
        const recorded = partOf(file, ["result"]);
        assert.equal(bodyText, shown(recorded));
        assert.equal(hasMaskedSecrets, shown(recorded) !== recorded);
      });
    });
  }

  const reads = answers.filter((file) => methodFacts(methodOf(file))?.effect === "read");
  for (const file of reads) {
    test(`${file}, sent from a request file: the answer document has every literal`, async () => {
      const method = methodOf(file);
      const params = paramsOf(method);
      await converse(`${OPENING}\n-- open\n→ call ${method} ${withToken(method, params)}\n← call ${file}\n-- answered`, async (client, server) => {
        await server.meet("open");
        const lines = client.send(`{ "method": "${method}", "params": ${params} }`, true);
        await server.meet("answered");
        assert.equal(compact((await lines).filter((line) => !line.startsWith("//")).join("\n")), compact(shown(partOf(file, ["result"]))));
      });
    });
  }

  test("numbers at the edges keep every digit", async () => {
    await converse(`${OPENING}\n-- open\n→ call public/get_time {}\n← call numbers.edge-cases.json\n-- answered`, async (client, server) => {
      await server.meet("open");
      const answer = client.session.caller.call("public/get_time", "{}");
      await server.meet("answered");
      assert.equal((await answer).bodyText, partOf("numbers.edge-cases.json", ["result"]));
    });
  });
});

describe("errors", () => {
  for (const file of files.filter((each) => each.startsWith("error."))) {
    test(file, async () => {
      const { error } = JSON.parse(message(file)) as { readonly error: { readonly code: number; readonly message: string } };
      await converse(`${OPENING}\n-- open\n→ call public/get_time {}\n← call ${file}\n-- answered`, async (client, server) => {
        await server.meet("open");
        const lines = client.send('{ "method": "public/get_time" }');
        await server.meet("answered");
        const document = await lines;
        assert.match(document[0] ?? "", new RegExp(` · error ${String(error.code)} `));
        assert.equal(compact(document.filter((line) => !line.startsWith("//")).join("\n")), compact(partOf(file, ["error"])));
      });
    });
  }
});

describe("events", () => {
  const events = files.filter((file) => file.startsWith("channel."));
  for (const file of events) {
    const { channel, data } = (JSON.parse(message(file)) as { readonly params: { readonly channel: string; readonly data: unknown } }).params;
    const access = /^(?:user\.|block_rfq\.(?:maker|taker)\.|block_trade_confirmations)/.test(channel) ? "private" : "public";
    test(`${file} reaches who wants ${channel}`, async () => {
      const isOwn = channel === "user.orders.any.any.raw";
      const subscription = isOwn ? "" : `→ more ${access}/subscribe ${withToken(`${access}/subscribe`, `{"channels":["${channel}"]}`)}\n← more {"jsonrpc":"2.0","id":<more>,"result":["${channel}"]}\n`;
      await converse(`${OPENING}\n-- open\n${subscription}-- subscribed\n← ${file}\n-- pushed`, async (client, server) => {
        await server.meet("open");
        const heard: unknown[] = [];
        client.session.subscribe(channel, (payload) => { heard.push(payload); }, () => undefined);
        await server.meet("subscribed");
        await server.meet("pushed");
        assert.deepEqual(heard, [data]);
      });
    });
  }

  for (const file of events.filter((each) => each.startsWith("channel.user.orders."))) {
    test(`${file}: its orders stand in the view`, async () => {
      const orders = (JSON.parse(message(file)) as { readonly params: { readonly channel: string; readonly data: unknown } }).params;
      const expected = [orders.data].flat().map((order) => (order as { readonly order_id: string }).order_id);
      await converse(`${SUBSCRIBED}\n← list {"jsonrpc":"2.0","id":<list>,"result":[]}\n← ${file}  "${orders.channel}" ⇒ "user.orders.any.any.raw"\n-- pushed`, async (client, server) => {
        await server.meet("pushed");
        assert.deepEqual([...client.live.orders.snapshot.items.keys()], expected);
        assert.deepEqual([...client.live.orders.snapshot.items.values()].map((item) => item.order), [orders.data].flat());
        assert.deepEqual(client.live.orders.snapshot.unreadable, []);
      });
    });
  }
});

describe("lists of orders", () => {
  for (const file of files.filter((each) => each.startsWith("private_get_open_orders") && each.includes(".response."))) {
    test(`${file}: its orders stand in the view`, async () => {
      const { result } = JSON.parse(message(file)) as { readonly result: readonly unknown[] };
      await converse(`${SUBSCRIBED}\n← list ${file}\n-- open`, async (client, server) => {
        await server.meet("open");
        assert.deepEqual([...client.live.orders.snapshot.items.values()].map((item) => item.order), result);
        assert.equal(client.live.orders.snapshot.status, "live");
      });
    });
  }
});

describe("grants", () => {
  for (const file of files.filter((each) => each.startsWith("public_auth.response."))) {
    test(`${file} signs in, and its scope is what the connection may do`, async () => {
      const [token, scope] = [partOf(file, ["result", "access_token"]), JSON.parse(partOf(file, ["result", "scope"])) as string];
      const greeted = GREETED.replace("public_auth.response.recorded-ws-connection.json", file).replace(JSON.stringify(RECORDED_TOKEN), token);
      await converse(`${greeted}\n${SUBSCRIBED.slice(GREETED.length).replaceAll(JSON.stringify(RECORDED_TOKEN), token)}\n← list {"jsonrpc":"2.0","id":<list>,"result":[]}\n-- open`, async (client, server) => {
        await server.meet("open");
        const { state } = client.live;
        assert.ok(state.status === "ready");
        assert.equal(state.identity.scope, scope);
      });
    });
  }
});
