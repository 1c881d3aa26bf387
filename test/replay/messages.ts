import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { parseTree } from "jsonc-parser";
import type { CallError } from "../../src/base/failure.ts";
import { allMethods, methodFacts } from "../../src/catalogue/index.ts";
import { pluck } from "../pluck.ts";
import type { Book } from "./book.ts";
import { converserOf, httpConverserOf } from "./converse.ts";
import { openingsOf } from "./openings.ts";
import { partOf } from "./script.ts";

/*
 * Every response, error and event of a book, sent over a real socket as its file has it: the response's text
 * is the file's text, character for character, and so is the JSON of the response document without its white space.
 */

/** `private_cancel.response.cancelled.json` is about `private/cancel`. */
function methodOf(file: string): string {
  return (file.split(".")[0] ?? "").replace("_", "/");
}

/** Members that no response may show. A book holds these secrets and nothing else that is one. */
const SECRETS = /("(?:access_token|refresh_token|client_secret)":\s*)"[^"]*"/g;

/** What may be seen of a text. */
function shown(text: string): string {
  return text.replaceAll(SECRETS, '$1"‹hidden›"');
}

function compact(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

export function describeMessages(book: Book): void {
  const { messages, files } = book;
  const { GREETED, OPENING: NARROW_OPENING, SUBSCRIBED } = openingsOf(book);
  const { token: TOKEN } = book.connection;
  const converse = converserOf(book);
  const overHttp = httpConverserOf(book);

  /** What is refused for want of a scope is not the business here. */
  const OPENING = NARROW_OPENING.replace("public_auth.response.connection.json", book.wholeGrant);

  /** Parameters of the documentation's request, where it has one: as one line, every literal kept. */
  function paramsOf(method: string): string {
    const file = `${method.replace("/", "_")}.request.json`;
    if (!files.includes(file)) return "{}";
    const params = parseTree(messages(file))?.children?.find((member) => member.children?.[0]?.value === "params")
      ?.children?.[1];
    return params === undefined ? "{}" : compact(messages(file).slice(params.offset, params.offset + params.length));
  }

  function withToken(method: string, params: string): string {
    if (!method.startsWith("private/")) return params;
    return `{"access_token":"${TOKEN}"${params === "{}" ? "" : ","}${params.slice(1)}`;
  }

  describe("responses", () => {
    const all = files.filter(
      (file) => file.includes(".response.") && "result" in (JSON.parse(messages(file)) as object),
    );
    const responses = all.filter((file) => /"jsonrpc":\s*"2\.0"/.test(messages(file)));

    test("one example of the documentation forgets the version: its response cannot be read, and that is said", async () => {
      const found = all.filter((file) => !responses.includes(file));
      assert.deepEqual(found, [book.withoutVersion]);
      await converse(
        `${OPENING}\n-- open\n→ call private/get_user_locks ${withToken("private/get_user_locks", "{}")}\n← call private_get_user_locks.response.json\n-- answered`,
        async (client, server) => {
          await server.meet("open");
          const refused = assert.rejects(
            client.session.caller.call("private/get_user_locks", "{}"),
            (error: CallError) => {
              assert.deepEqual(error.failure, { kind: "unreadableResult", detail: "not a JSON-RPC 2.0 message" });
              return true;
            },
          );
          await server.meet("answered");
          await refused;
        },
      );
    });

    test("there are responses of every method that has one in the documentation", () => {
      assert.ok(
        responses.filter((file) => methodFacts(methodOf(file)) !== undefined).length >= 15,
        String(responses.length),
      );
    });

    // That call is Switch Subaccount: the session goes on with its response, which examples.test.ts plays.
    for (const file of responses.filter((each) => each !== "public_exchange_token.response.json")) {
      const method = methodOf(file);
      // The documentation shows the question for a second factor as the response to a method that lists keys.
      const name = method === "security/key_challenge" ? "private/list_api_keys" : method;
      test(`${file}${methodFacts(name) === undefined ? " (not in the catalogue)" : ""}`, async () => {
        const params = paramsOf(name);
        await converse(
          `${OPENING}\n-- open\n→ call ${name} ${withToken(name, params)}\n← call ${file}\n-- answered`,
          async (client, server) => {
            await server.meet("open");
            const response = client.session.caller.call(name, params);
            await server.meet("answered");
            const { bodyText, hasMaskedSecrets } = await response;
            const sent = partOf(messages, file, ["result"]);
            assert.equal(bodyText, shown(sent));
            assert.equal(hasMaskedSecrets, shown(sent) !== sent);
          },
        );
      });
    }

    const reads = responses.filter((file) => methodFacts(methodOf(file))?.effect === "read");
    for (const file of reads) {
      test(`${file}, sent from a request file: the response document has every literal`, async () => {
        const method = methodOf(file);
        const params = paramsOf(method);
        await converse(
          `${OPENING}\n-- open\n→ call ${method} ${withToken(method, params)}\n← call ${file}\n-- answered`,
          async (client, server) => {
            await server.meet("open");
            const lines = client.send(`{ "method": "${method}", "params": ${params} }`, true);
            await server.meet("answered");
            assert.equal(
              compact((await lines).filter((line) => !line.startsWith("//")).join("\n")),
              compact(shown(partOf(messages, file, ["result"]))),
            );
          },
        );
      });
    }

    test("numbers at the edges keep every digit", async () => {
      await converse(
        `${OPENING}\n-- open\n→ call public/get_time {}\n← call numbers.edge-cases.json\n-- answered`,
        async (client, server) => {
          await server.meet("open");
          const response = client.session.caller.call("public/get_time", "{}");
          await server.meet("answered");
          assert.equal((await response).bodyText, partOf(messages, "numbers.edge-cases.json", ["result"]));
        },
      );
    });
  });

  describe("over HTTP", () => {
    const ten = new Set<string>(
      allMethods()
        .filter(({ isContract }) => isContract)
        .map(({ name }) => name),
    );
    const responses = files.filter((file) => file.includes(".response.") && ten.has(methodOf(file)));

    test("each of the ten methods has a response", () => {
      assert.deepEqual([...new Set(responses.map(methodOf))].sort(), [...ten].sort());
    });

    for (const file of responses) {
      const method = methodOf(file);
      const params = paramsOf(method);
      const query = new URLSearchParams(
        Object.entries(JSON.parse(params) as Readonly<Record<string, string | number>>).map(
          ([name, value]): [string, string] => [name, String(value)],
        ),
      ).toString();
      const forms = [
        ["post", `POST /api/v2 {"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`],
        ["query", `GET /api/v2/${method}${query === "" ? "" : `?${query.replaceAll("+", "%20")}`}`],
      ] as const;
      for (const [httpForm, request] of forms) {
        test(`${file} by ${httpForm === "post" ? "POST" : "GET"}`, async () => {
          await overHttp(`http → ${request}\nhttp ← 200 ${file}`, async (peer) => {
            const response = await peer.call(method, params, { timeoutMs: 1000, httpForm });
            // It is the session that hides secrets, not the peer below it.
            assert.equal(response.bodyText, partOf(messages, file, ["result"]));
          });
        });
      }
    }
  });

  describe("errors", () => {
    for (const file of files.filter((each) => each.startsWith("error."))) {
      test(file, async () => {
        const { error } = JSON.parse(messages(file)) as {
          readonly error: { readonly code: number; readonly message: string };
        };
        await converse(
          `${OPENING}\n-- open\n→ call public/get_time {}\n← call ${file}\n-- answered`,
          async (client, server) => {
            await server.meet("open");
            const lines = client.send('{ "method": "public/get_time" }');
            await server.meet("answered");
            const document = await lines;
            assert.match(document[0] ?? "", new RegExp(` · error ${String(error.code)} `));
            assert.equal(
              compact(document.filter((line) => !line.startsWith("//")).join("\n")),
              compact(partOf(messages, file, ["error"])),
            );
          },
        );
      });
    }
  });

  describe("events", () => {
    const events = files.filter((file) => file.startsWith("channel."));
    for (const file of events) {
      const { channel, data } = (
        JSON.parse(messages(file)) as { readonly params: { readonly channel: string; readonly data: unknown } }
      ).params;
      const access = /^(?:user\.|block_rfq\.(?:maker|taker)\.|block_trade_confirmations)/.test(channel)
        ? "private"
        : "public";
      test(`${file} reaches who wants ${channel}`, async () => {
        const isOwn = channel === "user.orders.any.any.raw";
        const subscription = isOwn
          ? ""
          : `→ more ${access}/subscribe ${withToken(`${access}/subscribe`, `{"channels":["${channel}"]}`)}\n← more {"jsonrpc":"2.0","id":<more>,"result":["${channel}"]}\n`;
        await converse(
          `${OPENING}\n-- open\n${subscription}-- subscribed\n← ${file}\n-- pushed`,
          async (client, server) => {
            await server.meet("open");
            const heard: unknown[] = [];
            client.session.subscribe(
              channel,
              (payload) => {
                heard.push(payload);
              },
              () => undefined,
            );
            await server.meet("subscribed");
            await server.meet("pushed");
            assert.deepEqual(heard, [data]);
          },
        );
      });
    }

    for (const file of events.filter((each) => each.startsWith("channel.user.orders."))) {
      test(`${file}: its orders stand in the view`, async () => {
        const orders = (
          JSON.parse(messages(file)) as { readonly params: { readonly channel: string; readonly data: unknown } }
        ).params;
        const expected = [orders.data].flat().map((order) => (order as { readonly order_id: string }).order_id);
        await converse(
          `${SUBSCRIBED}\n← list {"jsonrpc":"2.0","id":<list>,"result":[]}\n← ${file}  "${orders.channel}" ⇒ "user.orders.any.any.raw"\n-- pushed`,
          async (client, server) => {
            await server.meet("pushed");
            assert.deepEqual([...client.live.orders.snapshot.items.keys()], expected);
            assert.deepEqual(pluck([...client.live.orders.snapshot.items.values()], "order"), [orders.data].flat());
            assert.deepEqual(client.live.orders.snapshot.unreadable, []);
          },
        );
      });
    }
  });

  describe("lists of orders", () => {
    for (const file of files.filter(
      (each) => each.startsWith("private_get_open_orders") && each.includes(".response."),
    )) {
      test(`${file}: its orders stand in the view`, async () => {
        const { result } = JSON.parse(messages(file)) as { readonly result: readonly unknown[] };
        await converse(`${SUBSCRIBED}\n← list ${file}\n-- open`, async (client, server) => {
          await server.meet("open");
          assert.deepEqual(pluck([...client.live.orders.snapshot.items.values()], "order"), result);
          assert.equal(client.live.orders.snapshot.status, "live");
        });
      });
    }
  });

  describe("grants", () => {
    for (const file of files.filter((each) => each.startsWith("public_auth.response."))) {
      test(`${file} signs in, and its scope is what the connection may do`, async () => {
        const [token, scope] = [
          partOf(messages, file, ["result", "access_token"]),
          JSON.parse(partOf(messages, file, ["result", "scope"])) as string,
        ];
        const greeted = GREETED.replace("public_auth.response.connection.json", file).replace(
          JSON.stringify(TOKEN),
          token,
        );
        await converse(
          `${greeted}\n${SUBSCRIBED.slice(GREETED.length).replaceAll(JSON.stringify(TOKEN), token)}\n← list {"jsonrpc":"2.0","id":<list>,"result":[]}\n-- open`,
          async (client, server) => {
            await server.meet("open");
            const { state } = client.live;
            assert.ok(state.status === "ready");
            assert.equal(state.identity.scope, scope);
          },
        );
      });
    }
  });
}
