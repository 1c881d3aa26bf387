import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError, toFailure } from "../../src/base/failure.ts";
import { failureSentences } from "../../src/present/text/failureText.ts";
import { writeHttpRequest } from "../../src/rpc/httpRequest.ts";
import { pluck } from "../pluck.ts";
import { joinedMarks, nameOf, rowOf, shortName, type Book } from "./book.ts";
import { converserOf, httpConverserOf } from "./converse.ts";
import { openingsOf } from "./openings.ts";
import { partOf } from "./script.ts";

/*
 * What other clients of this exchange got wrong, as their issues tell it. Each row: where it is told, what went wrong
 * there, what happens here.
 */

interface Bug {
  readonly number: number;
  readonly link: string;
  readonly there: string;
  readonly here: string;
  readonly play: () => Promise<void>;
}

export function describeBugs(book: Book): void {
  const { messages, key, session, subscribed, invalidParams, listed, placed, cancelled, stop, unfilledStop, pushed } =
    book;
  const { GREETED, OPENED, OPENING, SHORT_GREETED, SUBSCRIBED } = openingsOf(book);
  const { token: TOKEN } = book.connection;
  const converse = converserOf(book);
  const overHttp = httpConverserOf(book);
  const ORDER = placed.id;
  const CANCEL = `→ cancel  private/cancel {"access_token":"${TOKEN}","order_id":"${ORDER}"}`;
  const LIVE = "PRODUCTION main · live";

  /** A list in the place of the documented one. */
  function listOf(...orders: readonly string[]): string {
    return `${SUBSCRIBED}\n← list {"jsonrpc":"2.0","id":<list>,"result":[${orders.join(",")}],"testnet":false}`;
  }

  /** An event of the orders' channel. */
  function event(order: string): string {
    return `← {"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.orders.any.any.raw","data":${order}}}`;
  }

  const bugs: readonly Bug[] = [
    {
      number: 1,
      link: "https://github.com/nautechsystems/nautilus_trader/issues/3925",
      there: 'price:"market_price" was parsed as a number: a good order was reported as rejected',
      here: "the row says market, and the cancel of such an order is confirmed",
      play: async () => {
        await converse(
          `${listOf("{{private_cancel.response.json#result}}")}
           -- open
           → cancel  private/cancel {"access_token":"${TOKEN}","order_id":"${stop.id}"}
           ← cancel  private_cancel.response.json  untriggered ⇒ cancelled
           -- cancelled`,
          async (client, server) => {
            await server.meet("open");
            assert.deepEqual(client.rows(), [`${rowOf(stop, `SL ${stop.trigger}`)} | order.open.cancellable`]);
            const shown = client.cancel(stop.id);
            await server.meet("cancelled");
            assert.equal(await shown, `Cancelled on PRODUCTION main: ${nameOf(stop)}, trigger ${stop.trigger}.`);
          },
        );
      },
    },
    {
      number: 2,
      link: "https://github.com/nautechsystems/nautilus_trader/issues/3995",
      there: "a stop_market order without filled_amount and average_price could not be decoded",
      here: "the order has its row like any other; none is shown raw",
      play: async () => {
        await converse(`${listOf(unfilledStop.part)}\n-- open`, async (client, server) => {
          await server.meet("open");
          assert.deepEqual(client.rows(), [
            `${rowOf(unfilledStop, `SL ${unfilledStop.trigger}`)} | order.open.cancellable`,
          ]);
          assert.equal(client.heading(), LIVE);
        });
      },
    },
    {
      number: 3,
      link: "https://github.com/nautechsystems/nautilus_trader/pull/3436",
      there:
        "an event that came before the response of the call that caused it was lost; a silently repriced post-only order kept its old price",
      here: "the row has the new price, the event ends it before the response, and the response still says what became of the cancel",
      play: async () => {
        const repriced = event("{{private_cancel.response.cancelled.json#result}}");
        await converse(
          `${OPENED}
           -- open
           ${repriced}  "order_state": "cancelled" ⇒ "order_state": "open" ; ${cancelled.updated} ⇒ ${cancelled.before}
           -- repriced
           ${CANCEL}
           ${repriced}
           -- pushed
           ← cancel  private_cancel.response.cancelled.json
           -- answered`,
          async (client, server) => {
            await server.meet("open");
            await server.meet("repriced");
            assert.deepEqual(client.rows(), [
              `${rowOf({ ...placed, terms: cancelled.terms }, placed.marks)} | order.open.cancellable`,
            ]);
            const shown = client.cancel(ORDER);
            await server.meet("pushed");
            assert.deepEqual(client.rows(), [
              `${cancelled.terms} | cancelled · ${shortName(placed.instrument)} | order.ended`,
            ]);
            await server.meet("answered");
            assert.equal(await shown, `Cancelled on PRODUCTION main: ${placed.instrument} ${cancelled.terms}.`);
          },
        );
      },
    },
    {
      number: 4,
      link: "https://github.com/nautechsystems/nautilus_trader/pull/3304",
      there:
        "the token was not renewed in time, and after a reconnect neither sign-in nor subscriptions had the scope of before",
      here: "at 719.2 s of 899 s the refresh token is used; after a lost link the sign-in and the subscription are the same, letter for letter",
      play: async () => {
        const beats = "← heartbeat.heartbeat.json\n-- beat\n".repeat(28);
        const opening = (token: string): string => `
           → beat   public/set_heartbeat {"interval":30}
           → cod    private/get_cancel_on_disconnect {"access_token":"${token}"}
           → sub    private/subscribe {"access_token":"${token}","channels":["user.orders.any.any.raw"]}
           ← beat   public_set_heartbeat.response.json
           ← cod    private_get_cancel_on_disconnect.response.json
           ← sub    ${subscribed}
           → list   private/get_open_orders {"access_token":"${token}"}
           ← list   private_get_open_orders.response.json`;
        await converse(
          `${SHORT_GREETED}
           ${opening(session.token)}
           -- open
           ${beats}
           → auth   public/auth {"grant_type":"refresh_token","refresh_token":"${session.refreshToken}"}
           # Other tokens, with the scope of before.
           ← auth   ${book.renewed}
           -- renewed
           cut
           ${SHORT_GREETED}
           ${opening(session.token)}
           -- back`,
          async (client, server) => {
            await server.meet("open");
            for (let beat = 0; beat < 28; beat++) {
              await client.clock.advance(25_000);
              await server.meet("beat");
            }
            await client.clock.advance(19_199);
            assert.ok(!server.received.some((text) => text.includes("refresh_token")));
            await client.clock.advance(1);
            await server.meet("renewed");
            await client.reconnect();
            await server.meet("back");
            const signIns = server.received.filter((text) => text.includes("client_credentials")).map(withoutId);
            // The other tokens came from production and say so: from then on the connection counts as that.
            assert.deepEqual(
              [signIns.length, new Set(signIns).size, client.heading()],
              [2, 1, "PRODUCTION main · live"],
            );
          },
        );
      },
    },
    {
      number: 5,
      link: "https://github.com/nautechsystems/nautilus_trader/pull/3442",
      there: "cancel_all was called with a side that it does not have: the other side went too",
      here: "orders of one side are cancelled one by one, by ID; a cancel_all needs confirmation as a cancel of all orders, and one with a side says that the side narrows nothing",
      play: async () => {
        const buy = placed.part;
        const sell = "{{channel.user.orders.any.any.raw.json#params.data}}";
        await converse(
          `${listOf(buy, sell)}
           -- open
           → cancel  private/cancel {"access_token":"${TOKEN}","order_id":"${pushed.id}"}
           ← cancel  {"jsonrpc":"2.0","id":<cancel>,"result":${sell}}  "order_state": "open" ⇒ "order_state": "cancelled"
           -- cancelled`,
          async (client, server) => {
            await server.meet("open");
            const shown = client.cancelAll((order) => order.direction === "sell");
            await server.meet("cancelled");
            assert.deepEqual(await shown, [`Cancelled on PRODUCTION main: ${nameOf(pushed)}.`]);
            assert.ok(!server.received.some((text) => text.includes("cancel_all")));
            const file = (params: string): string => `{ "method": "private/cancel_all", "params": ${params} }`;
            client.response = false;
            await client.send(file('{ "side": "sell" }'));
            await client.send(file("{}"));
            const [, withSide] = client.questions;
            assert.match(
              JSON.stringify(withSide),
              /side is not a documented parameter of this method\. It narrows nothing/,
            );
            assert.deepEqual(pluck(client.questions, "message"), [
              `Cancel ${nameOf(pushed)} on PRODUCTION main?`,
              withSide?.message,
              "Send private/cancel_all on PRODUCTION main?",
            ]);
          },
        );
      },
    },
    {
      number: 6,
      link: "https://github.com/ccxt/ccxt/issues/16055",
      there: "a socket that was not signed in ran into too_many_requests and was closed, again and again",
      here: "without a key nothing private is asked for; after 10028 and the end of the link the next dial is at least 10 s away, and the words name the limit",
      play: async () => {
        await converse(
          `connect
           → hello  public/hello {"client_name":"Trading RPC","client_version":"1.0.2"}
           ← hello  public_hello.response.json
           → beat   public/set_heartbeat {"interval":30}
           ← beat   public_set_heartbeat.response.json
           -- ready
           → time   public/get_time {}
           ← time   error.too_many_requests.json
           close 1000
           -- closed`,
          async (client, server) => {
            await server.meet("ready");
            const shown = client.send('{ "method": "public/get_time" }');
            await server.meet("closed");
            assert.equal(
              (await shown)[0],
              "// PRODUCTION main · error 10028 too_many_requests · 0 ms (exchange and network 0, queue 0) · 12:00:00 · request ID 4",
            );
            await client.status("waiting");
            const { state } = client.live;
            assert.ok(state.status === "waiting" && state.retryAtMs - client.clock.now() >= 10_000);
            assert.match(
              client.heading(),
              /The connection was closed by PRODUCTION main because too many requests were sent \(10028 too_many_requests\)\. Send requests less often\./,
            );
          },
          { credentials: { kind: "none" } },
        );
      },
    },
    {
      number: 7,
      link: "https://github.com/ccxt/ccxt/issues/6931",
      there: 'a list went into the query of a GET: "value must be a list"',
      here: "a list never gets into a query; by POST it goes as JSON, and an error would be read whatever the status",
      play: async () => {
        const call = { method: "public/subscribe", paramsText: '{"channels":["book.BTC-PERPETUAL.100ms"]}', text: "" };
        assert.throws(
          () => writeHttpRequest("/api/v2", "query", call),
          (error: CallError) => error.failure.kind === "invalidParams",
        );
        await overHttp(
          `http → POST /api/v2 {"jsonrpc":"2.0","id":1,"method":"public/subscribe","params":{"channels":["book.BTC-PERPETUAL.100ms"]}}
           http ← 400 error.channels_must_be_list.json`,
          async (peer) => {
            const response = await peer.call(call.method, call.paramsText, { timeoutMs: 1000, httpForm: "post" });
            assert.equal(response.bodyText, partOf(messages, "error.channels_must_be_list.json", ["error"]));
          },
        );
      },
    },
    {
      number: 8,
      link: "https://github.com/ccxt/ccxt/issues/8696",
      there: "credentials were passed where they do not belong: 13004",
      here: "the parameters are those of the documentation's request, member for member; a 13004 is shown and nothing is tried again by itself",
      play: async () => {
        await converse(
          `connect
           → hello  public/hello {"client_name":"Trading RPC","client_version":"1.0.2"}
           → auth   public/auth ${JSON.stringify(JSON.parse(partOf(messages, "public_auth.request.json", ["params"])))}
           ← hello  public_hello.response.json
           ← auth   error.invalid_credentials.json`,
          async (client, server) => {
            await client.status("locked");
            await server.end();
            await client.clock.advance(86_400_000);
            assert.match(
              client.heading(),
              /error 13004: invalid_credentials\. Check the client ID and client secret \(or private key\), and that they belong to this environment\./,
            );
          },
        );
      },
    },
    {
      number: 9,
      link: "https://github.com/ccxt/ccxt/pull/19256",
      there: "count 1001 is an error of the exchange, and the whole call was lost",
      here: "it is said at the number before anything is sent; nothing is cut down behind the person's back; sent anyway, the exchange's own words are shown",
      play: async () => {
        const file =
          '{ "method": "public/get_last_trades_by_instrument", "params": { "instrument_name": "BTC_USDC", "count": 1001 } }';
        await converse(
          `${OPENING}
           -- open
           → trades  public/get_last_trades_by_instrument {"instrument_name":"BTC_USDC","count":1001}
           ← trades  error.invalid_params.json  ${invalidParams.reason} ⇒ must be less than or equal to 1000 ; "param": "${invalidParams.param}" ⇒ "param": "count"
           -- answered
           → trades  public/get_last_trades_by_instrument {"instrument_name":"BTC_USDC","count":1000}
           ← trades  public_get_last_trades_by_instrument.response.spot.json
           -- trades`,
          async (client, server) => {
            await server.meet("open");
            assert.deepEqual((await client.send(file)).slice(0, 4), [
              "// PRODUCTION main · not sent · 12:00:00",
              "// The parameters are not valid: count: must be from 1 to 1000, got 1001.",
              "// Nothing was sent.",
              "// Correct them and send the request again.",
            ]);
            const shown = client.send(file, true);
            await server.meet("answered");
            assert.deepEqual(
              bodyOf(await shown),
              partOf(messages, "error.invalid_params.json", ["error"])
                .replace(invalidParams.reason, "must be less than or equal to 1000")
                .replace(`"${invalidParams.param}"`, '"count"')
                .replaceAll(/\s+/g, ""),
            );
            const trades = client.send(file.replace("1001", "1000"));
            await server.meet("trades");
            assert.equal(
              bodyOf(await trades),
              partOf(messages, "public_get_last_trades_by_instrument.response.spot.json", ["result"]).replaceAll(
                /\s+/g,
                "",
              ),
            );
          },
        );
      },
    },
    {
      number: 10,
      link: "https://github.com/bmoscon/cryptofeed/issues/768",
      there: "13778 for a raw channel without signing in, under an id that is a text",
      here: "the frame belongs to no call of ours and harms nothing; 13778 for our own call: the list is read, and it is said that changes are not pushed",
      play: async () => {
        await converse(
          `${GREETED}
           → beat   public/set_heartbeat {"interval":30}
           → cod    private/get_cancel_on_disconnect {"access_token":"${TOKEN}"}
           → sub    private/subscribe {"access_token":"${TOKEN}","channels":["user.orders.any.any.raw"]}
           ← beat   public_set_heartbeat.response.json
           ← cod    private_get_cancel_on_disconnect.response.json
           ←        error.raw_subscriptions.json
           ← sub    error.raw_subscriptions.json
           → list   private/get_open_orders {"access_token":"${TOKEN}"}
           ← list   private_get_open_orders.response.json
           -- open`,
          async (client, server) => {
            await server.meet("open");
            assert.deepEqual(client.rows(), [`${rowOf(listed, listed.marks)} | order.open.cancellable`]);
            assert.equal(
              client.heading(),
              "PRODUCTION main · as of 12:00:00 | Live updates were refused for this connection. Use Refresh to read the list again. The exchange returned error 13778: raw_subscriptions_not_available_for_unauthorized.",
            );
          },
        );
      },
    },
    {
      number: 11,
      link: "https://github.com/bmoscon/cryptofeed/pull/229",
      there: "one subscribe call for each channel used up the credits",
      here: "all channels that are wanted at once go in one call",
      play: async () => {
        const channels = ["BTC", "ETH", "SOL"].map((name) => `trades.${name}-PERPETUAL.100ms`);
        await converse(
          `${OPENING}
           -- open
           → more   public/subscribe {"channels":${JSON.stringify(channels)}}
           ← more   {"jsonrpc":"2.0","id":<more>,"result":${JSON.stringify(channels)}}
           -- subscribed`,
          async (client, server) => {
            await server.meet("open");
            const states: string[] = [];
            for (const channel of channels)
              client.session.subscribe(
                channel,
                () => undefined,
                ({ kind }) => states.push(kind),
              );
            await server.meet("subscribed");
            assert.deepEqual(states, ["accepted", "accepted", "accepted"]);
          },
        );
      },
    },
    {
      number: 12,
      link: "https://github.com/thrasher-corp/gocryptotrader/issues/2099",
      there: "the client built the name of a combo anew from its parts: HTTP 400 and -32602",
      here: "names go out as they were written, over the WebSocket and in a query, and a 400 is read like any response",
      play: async () => {
        const names = ["BTC-FS-25DEC26_PERP", "BTC-STRG-26MAR27-72000_80000", "XRP_USDC-30JUN23-0d625-C"];
        const lines = names.flatMap((name) => [
          `http → GET /api/v2/public/get_last_trades_by_instrument?instrument_name=${name}`,
          "http ← 400 error.invalid_params.http400.json",
        ]);
        await overHttp(lines.join("\n"), async (peer) => {
          for (const name of names) {
            const response = await peer.call(
              "public/get_last_trades_by_instrument",
              JSON.stringify({ instrument_name: name }),
              { timeoutMs: 1000, httpForm: "query" },
            );
            assert.equal(response.bodyText, partOf(messages, "error.invalid_params.http400.json", ["error"]));
            assert.match(
              failureSentences(response.error!, "read"),
              new RegExp(
                `^The exchange returned error -32602: Invalid params\\. .* Parameter instrument_name: ${book.badNameReason}\\. Correct the parameter`,
              ),
            );
          }
        });
        const calls = names.map(
          (name) =>
            `→ trades public/get_last_trades_by_instrument {"instrument_name":"${name}"}\n← trades public_get_last_trades_by_instrument.response.json\n-- ${name}`,
        );
        await converse(`${OPENING}\n-- open\n${calls.join("\n")}`, async (client, server) => {
          await server.meet("open");
          for (const name of names) {
            const shown = client.send(
              `{ "method": "public/get_last_trades_by_instrument", "params": { "instrument_name": "${name}" } }`,
            );
            await server.meet(name);
            assert.equal(
              bodyOf(await shown),
              partOf(messages, "public_get_last_trades_by_instrument.response.json", ["result"]).replaceAll(/\s+/g, ""),
            );
          }
        });
      },
    },
    {
      number: 13,
      link: "https://github.com/knowm/XChange/issues/3783",
      there: "13009 came with HTTP 401, and the body was not read",
      here: "over HTTP the error of the body counts, whatever the status; on the WebSocket a read signs in again once and is repeated once",
      play: async () => {
        await overHttp(
          `http → GET /api/v2/private/get_open_orders
           http ← 401 error.invalid_credentials.json  invalid_credentials ⇒ unauthorized ; 13004 ⇒ 13009`,
          async (peer) => {
            const response = await peer.call("private/get_open_orders", "{}", {
              timeoutMs: 1000,
              httpForm: "query",
            });
            assert.deepEqual(response.error, { kind: "exchange", code: 13009, message: "unauthorized" });
          },
        );
        const fresh = TOKEN.replace(/^\d+/, "1799999999999");
        await converse(
          `${SUBSCRIBED}
           ← list   error.invalid_credentials.json  invalid_credentials ⇒ unauthorized ; 13004 ⇒ 13009
           → auth   public/auth {"grant_type":"client_credentials","client_id":"${key.clientId}","client_secret":"${key.clientSecret}"}
           ← auth   public_auth.response.connection.json  ${TOKEN} ⇒ ${fresh}
           → again  private/get_open_orders {"access_token":"${fresh}"}
           ← again  private_get_open_orders.response.json
           -- read`,
          async (client, server) => {
            await server.meet("read");
            assert.equal(client.heading(), LIVE);
          },
        );
      },
    },
    {
      number: 14,
      link: "https://github.com/knowm/XChange/pull/3949",
      there: "unknown members broke the decoding",
      here: "old members and new ones stand in the row's fields, and the order is one like any other",
      play: async () => {
        await converse(
          `${SUBSCRIBED}
           ← list   private_get_open_orders.response.json  "api": true ⇒ "api": true, "starbase_order_id": 1785546525278123456, "new_thing": {"a": [1]} ; "jsonrpc" ⇒ "newcomer": 1, "jsonrpc"
           # profit_loss and commission went in 2023.
           ←        channel.user.orders.any.any.raw.json
           -- open`,
          async (client, server) => {
            await server.meet("open");
            assert.deepEqual(client.rows(), [
              `${rowOf(listed, listed.marks)} | order.open.cancellable`,
              `${rowOf(pushed)} | order.open.cancellable`,
            ]);
            assert.equal(client.heading(), LIVE);
            const found = client.fields(listed.id).filter((field) => /new_thing|starbase/.test(field));
            assert.deepEqual(found, ["starbase_order_id = ≈1785546525278123500", 'new_thing = {"a":[1]}']);
            assert.deepEqual(
              client.fields(pushed.id).filter((field) => /profit_loss|commission/.test(field)),
              ["profit_loss = 0", "commission = 0"],
            );
          },
        );
      },
    },
    {
      number: 15,
      link: "https://github.com/deribit/deribit-api-clients/issues/19",
      there: "a token of connection scope was used on another connection: 13009",
      here: "each connection signs in for itself, and nothing on it carries a token of the one before",
      play: async () => {
        const fresh = TOKEN.replace(/^\d+/, "1799999999999");
        await converse(
          `${OPENING}
           -- open
           cut
           ${GREETED.replaceAll(TOKEN, fresh).replace("response.connection.json", `response.connection.json  ${TOKEN} ⇒ ${fresh}`)}
           → beat   public/set_heartbeat {"interval":30}
           → cod    private/get_cancel_on_disconnect {"access_token":"${fresh}"}
           → sub    private/subscribe {"access_token":"${fresh}","channels":["user.orders.any.any.raw"]}
           ← beat   public_set_heartbeat.response.json
           ← cod    private_get_cancel_on_disconnect.response.json
           ← sub    ${subscribed}
           → list   private/get_open_orders {"access_token":"${fresh}"}
           ← list   private_get_open_orders.response.json
           -- back`,
          async (client, server) => {
            await server.meet("open");
            await client.reconnect();
            await server.meet("back");
            assert.equal(client.heading(), LIVE);
          },
        );
      },
    },
    {
      number: 16,
      link: "https://github.com/tmatic-trading/crypto-platform/issues/402",
      there: "an error without an id crashed the lookup of its call",
      here: "it is about the connection: logged, and the next response finds its call",
      play: async () => {
        await converse(
          `${OPENED}
           -- open
           ←         error.request_entity_too_large.json
           ←         error.channels_must_be_list.json
           ${CANCEL}
           ←         error.invalid_params.json
           ← cancel  private_cancel.response.cancelled.json
           -- answered`,
          async (client, server) => {
            await server.meet("open");
            const shown = client.cancel(ORDER);
            await server.meet("answered");
            assert.equal(await shown, `Cancelled on PRODUCTION main: ${nameOf(placed)}.`);
            assert.deepEqual(
              client.logged.filter((line) => line.includes("belongs to no request")),
              [
                "The server sent an error that belongs to no request: -32600 request entity too large",
                "The server sent an error that belongs to no request: -32602 Invalid params",
                "The server sent an error that belongs to no request: -32602 Invalid params",
              ],
            );
          },
        );
      },
    },
    {
      number: 17,
      link: "https://github.com/tmatic-trading/crypto-platform/issues/439",
      there: "the list of a subscribe call was too large: request entity too large, and the socket was closed",
      here: "600 channels go in two calls, each below 500 channels and 32 kB; a request that is too large is not sent at all",
      play: async () => {
        const channels = Array.from(
          { length: 600 },
          (_, index) => `trades.BTC-27DEC24-${String(10_000 + index * 100)}-C.100ms`,
        );
        const calls = [channels.slice(0, 500), channels.slice(500)].map((part, index) => ({
          name: `call${String(index)}`,
          text: JSON.stringify(part),
        }));
        await converse(
          `${OPENING}
           -- open
           ${calls.map(({ name, text }) => `→ ${name} public/subscribe {"channels":${text}}`).join("\n")}
           ${calls.map(({ name, text }) => `← ${name} {"jsonrpc":"2.0","id":<${name}>,"result":${text}}`).join("\n")}
           -- subscribed`,
          async (client, server) => {
            await server.meet("open");
            let accepted = 0;
            for (const channel of channels)
              client.session.subscribe(
                channel,
                () => undefined,
                ({ kind }) => {
                  accepted += kind === "accepted" ? 1 : 0;
                },
              );
            await server.meet("subscribed");
            assert.equal(accepted, 600);
            const failure = await failureOf(
              client.session.caller.call("public/new_one", JSON.stringify({ text: "x".repeat(32_000) })),
            );
            assert.equal(failure?.kind, "tooLarge");
          },
        );
      },
    },
    {
      number: 18,
      link: "https://github.com/tmatic-trading/crypto-platform/issues/355",
      there: "after a reconnect every channel was subscribed twice, and every event came twice",
      here: "one subscription, though two want it; each hears each event once",
      play: async () => {
        await converse(
          `${OPENING}
           -- open
           cut
           ${OPENING}
           ←        channel.user.orders.any.any.raw.json
           -- pushed`,
          async (client, server) => {
            await server.meet("open");
            let heard = 0;
            client.session.subscribe(
              "user.orders.any.any.raw",
              () => {
                heard++;
              },
              () => undefined,
            );
            await client.reconnect();
            await server.meet("pushed");
            assert.equal(heard, 1);
            assert.equal(client.rows().length, 2);
          },
        );
      },
    },
    {
      number: 19,
      link: "https://github.com/askmike/deribit-v2-ws/issues/1",
      there: "the socket looked open, and calls on it got no response for ever",
      here: "after 30 s of silence a probe goes out, 5 s later the link counts as lost, and the rows say since when they are old",
      play: async () => {
        await converse(
          `${OPENED}
           -- open
           -- still silent
           → probe  public/test {}
           -- probed
           # Nothing.
           -- cut off
           ${OPENED}
           -- back`,
          async (client, server) => {
            await server.meet("open");
            await client.clock.advance(29_000);
            await server.meet("still silent");
            await client.clock.advance(1000);
            await server.meet("probed");
            assert.ok(client.live.state.status === "ready" && client.live.state.isSuspect);
            await client.clock.advance(5000);
            assert.equal(
              client.heading(),
              "PRODUCTION main · as of 12:00:00 | Not up to date since 12:00:00. The connection was closed because PRODUCTION main stopped responding (no messages received).",
            );
            assert.deepEqual(client.rows(), [
              `${rowOf(placed, joinedMarks("stale", placed.marks))} | order.open.cancellable.stale`,
            ]);
            await server.meet("cut off");
            await client.reconnect();
            await server.meet("back");
            assert.equal(client.heading(), LIVE);
          },
        );
      },
    },
    {
      number: 20,
      link: "https://github.com/askmike/deribit-v2-ws/issues/16",
      there: "a call while the socket was closed threw an uncaught error",
      here: "it is told as what it is: not sent, nothing changed",
      play: async () => {
        await converse(
          `${OPENED}
           -- open
           close 1000
           -- closed`,
          async (client, server) => {
            await server.meet("open");
            await server.meet("closed");
            await client.status("waiting");
            assert.equal(
              await client.cancel(ORDER),
              "Not sent to PRODUCTION main, so nothing was changed: Not connected. Connect, then try again.",
            );
            assert.deepEqual((await client.send('{ "method": "private/get_open_orders" }')).slice(1, 4), [
              "// Not connected.",
              "// Nothing was sent.",
              "// Connect, then try again.",
            ]);
            assert.deepEqual(await failureOf(client.session.caller.call("public/test", "{}")), {
              kind: "notConnected",
            });
          },
        );
      },
    },
    {
      number: 21,
      link: "https://github.com/askmike/deribit-v2-ws/issues/22",
      there: "a failure of the DNS during a reconnect left the client reconnecting for ever",
      here: "each failed dial is followed by another one, and the one that succeeds brings everything back",
      play: async () => {
        const failedDials: CallError[] = [];
        await converse(
          `${OPENING}
           -- open
           cut
           -- cut
           ${OPENING}
           -- back`,
          async (client, server) => {
            await server.meet("open");
            for (let each = 0; each < 5; each++)
              failedDials.push(
                new CallError({
                  kind: "cannotConnect",
                  trouble: "dns",
                  detail: "getaddrinfo ENOTFOUND www.deribit.com",
                }),
              );
            await server.meet("cut");
            for (let each = 0; each < 5; each++) {
              await client.reconnect();
              await client.status("waiting");
            }
            assert.equal(
              client.heading(),
              "PRODUCTION main · as of 12:00:00 | Not up to date since 12:00:00. The host name of PRODUCTION main was not found (getaddrinfo ENOTFOUND www.deribit.com).",
            );
            await client.reconnect();
            await server.meet("back");
            assert.equal(client.heading(), LIVE);
          },
          { failedDials },
        );
      },
    },
    {
      number: 22,
      link: "https://github.com/Molozey/DeribitDataScrapper/issues/31",
      there: "hundreds of subscriptions at once, and the connection was lost because the client read too slowly",
      here: "two thousand events in one go are all taken; where the server says connection_too_slow, that is what is said, and the subscription comes back",
      play: async () => {
        const burst = Array.from({ length: 2000 }, (_, index) =>
          event(
            partOf(messages, "channel.user.orders.any.any.raw.json", ["params", "data"])
              .replaceAll(/\s+/g, "")
              .replace(`"order_id":"${pushed.id}"`, `"order_id":"${String(Number(pushed.id) + index)}"`),
          ),
        );
        await converse(
          `${OPENING}
           -- open
           ${burst.join("\n")}
           -- pushed
           close 1000 connection_too_slow
           -- closed
           ${OPENING}
           -- back`,
          async (client, server) => {
            await server.meet("open");
            await server.meet("pushed");
            assert.equal(client.live.orders.snapshot.items.size, 2001);
            await server.meet("closed");
            await client.status("waiting");
            assert.equal(
              client.heading(),
              "PRODUCTION main · as of 12:00:00 | Not up to date since 12:00:00. The connection was closed by PRODUCTION main because its messages were not read fast enough (close code 1000: connection_too_slow).",
            );
            await client.reconnect();
            await server.meet("back");
            assert.equal(client.heading(), LIVE);
          },
        );
      },
    },
    {
      number: 23,
      link: "https://github.com/f0cii/deribit-api/pull/4",
      there: "after a reconnect the subscriptions were forgotten",
      here: "whoever wanted a channel hears it again, private and public; who let go of one does not",
      play: async () => {
        const trades = ["trades.BTC-PERPETUAL.100ms", "trades.ETH-PERPETUAL.100ms"];
        await converse(
          `${OPENING}
           -- open
           → more   public/subscribe {"channels":${JSON.stringify(trades)}}
           ← more   {"jsonrpc":"2.0","id":<more>,"result":${JSON.stringify(trades)}}
           -- subscribed
           → less   public/unsubscribe {"channels":["trades.ETH-PERPETUAL.100ms"]}
           ← less   {"jsonrpc":"2.0","id":<less>,"result":["trades.ETH-PERPETUAL.100ms"]}
           -- let go
           cut
           ${GREETED}
           → beat   public/set_heartbeat {"interval":30}
           → cod    private/get_cancel_on_disconnect {"access_token":"${TOKEN}"}
           → sub    private/subscribe {"access_token":"${TOKEN}","channels":["user.orders.any.any.raw"]}
           → more   public/subscribe {"channels":["trades.BTC-PERPETUAL.100ms"]}
           ← beat   public_set_heartbeat.response.json
           ← cod    private_get_cancel_on_disconnect.response.json
           ← more   {"jsonrpc":"2.0","id":<more>,"result":["trades.BTC-PERPETUAL.100ms"]}
           ← sub    ${subscribed}
           → list   private/get_open_orders {"access_token":"${TOKEN}"}
           ← list   private_get_open_orders.response.json
           ←        channel.trades.BTC-PERPETUAL.100ms.json
           ←        channel.user.orders.any.any.raw.json
           -- pushed`,
          async (client, server) => {
            await server.meet("open");
            const heard: unknown[] = [];
            const [kept, released] = trades.map((channel) =>
              client.session.subscribe(
                channel,
                (data) => {
                  heard.push(data);
                },
                () => undefined,
              ),
            );
            await server.meet("subscribed");
            released?.dispose();
            await server.meet("let go");
            await client.reconnect();
            await server.meet("pushed");
            assert.deepEqual(heard, [
              JSON.parse(partOf(messages, "channel.trades.BTC-PERPETUAL.100ms.json", ["params", "data"])),
            ]);
            assert.equal(client.rows().length, 2);
            assert.ok(kept);
          },
        );
      },
    },
    {
      number: 24,
      link: "joaquinbejar/deribit-websocket CHANGELOG 0.3.0",
      there:
        "accepted channels differed from the requested ones; 11050 crashed; NaN went into a request; a handshake never ended; a full socket",
      here: "a channel that is not listed counts as refused; 11050 is a response; NaN stays here; the handshake ends after 10 s; the 257th unanswered read is not sent",
      play: async () => {
        await acceptedAndCrashes();
      },
    },
    {
      number: 25,
      link: "coinbase-advanced-py, tests of its WebSocket client",
      there:
        "calls waited for ever after a disconnect; a change was sent after the reconnect; logout waited for a response; tokens stood in errors; a malformed frame ended the client",
      here: "what was pending is settled at once and never sent again; logout is not ours to send; tokens are hidden; half a frame is logged",
      play: async () => {
        await pendingAndMalformed();
      },
    },
    {
      number: 26,
      link: "https://github.com/rosssaunders/ccrxt/issues/118",
      there: "one limiter for all: calls of one account or of one kind held up those of another",
      here: "each session has its own credits, and in it reads and the matching engine have theirs",
      play: async () => {
        await limits();
      },
    },
  ];

  async function acceptedAndCrashes(): Promise<void> {
    await converse(
      `${GREETED}
       → beat   public/set_heartbeat {"interval":30}
       → cod    private/get_cancel_on_disconnect {"access_token":"${TOKEN}"}
       → sub    private/subscribe {"access_token":"${TOKEN}","channels":["user.orders.any.any.raw"]}
       ← beat   public_set_heartbeat.response.json
       ← cod    private_get_cancel_on_disconnect.response.json
       # As documented, which is about another channel.
       ← sub    private_subscribe.response.json
       → list   private/get_open_orders {"access_token":"${TOKEN}"}
       ← list   error.bad_request.json
       -- refused
       ${Array.from({ length: 256 }, () => "→ time public/get_time {}").join("\n")}
       -- full`,
      async (client, server) => {
        await server.meet("refused");
        assert.equal(
          client.heading(),
          "PRODUCTION main · not read | Couldn't read the open orders of PRODUCTION main. The exchange returned error 11050: bad_request. The server couldn't interpret the request. Compare it with the method's documentation.",
        );
        assert.deepEqual(
          (await client.send('{ "method": "private/get_open_orders", "params": { "kind": NaN } }')).slice(1, 3),
          [
            "// Line 1, column 60: NaN is not valid JSON here. Expected a string in double quotes, a number, true, false, or null.",
            "// Nothing was sent.",
          ],
        );
        assert.equal(
          (await failureOf(client.session.caller.call("private/set_mmp_config", '{"delta_limit":NaN}')))?.kind,
          "invalidParams",
        );
        const calls = Array.from(
          { length: 257 },
          async () => await failureOf(client.session.caller.call("public/get_time", "{}")),
        );
        await server.meet("full");
        assert.deepEqual(await calls[256], { kind: "tooManyPending", limit: 256 });
      },
      { limits: "off" },
    );
    await converse("stall\n-- stalled", async (client, server) => {
      await server.meet("stalled");
      await client.clock.advance(10_000);
      await client.status("waiting");
      assert.match(client.heading(), /The connection to TESTNET main timed out \(no connection within 10 s\)/);
    });
  }

  async function pendingAndMalformed(): Promise<void> {
    await converse(
      `${OPENED}
       -- open
       ←         {"jsonrpc":"2.0","id":4,"result":[{"order_id":"USDC-10}
       ←         {"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.orders.any.any.raw"}}
       -- malformed
       → odd     private/get_order_state {"access_token":"${TOKEN}","order_id":"${TOKEN}"}
       ← odd     error.bad_request.json  bad_request ⇒ no order ${TOKEN}
       -- told
       → slow    private/get_order_state {"access_token":"${TOKEN}","order_id":"${ORDER}"}
       ${CANCEL}
       cut
       -- cut
       # After the reconnect: sign-in, list, then readings about the cancel, and no cancel.
       ${OPENED}
       -- back
       → state   private/get_order_state {"access_token":"${TOKEN}","order_id":"${ORDER}"}
       ← state   {"jsonrpc":"2.0","id":<state>,"result":${placed.part}}
       -- read`,
      async (client, server) => {
        await server.meet("open");
        await server.meet("malformed");
        assert.deepEqual(client.rows(), [`${rowOf(placed, placed.marks)} | order.open.cancellable`]);
        const told = client.send(`{ "method": "private/get_order_state", "params": { "order_id": "${TOKEN}" } }`);
        await server.meet("told");
        assert.equal((await told).join("\n").includes(TOKEN), false);
        assert.equal(client.logged.join("\n").includes(TOKEN), false);
        const shown = client.cancel(ORDER);
        const slow = client.session.reader.read("private/get_order_state", { order_id: ORDER });
        const failure = failureOf(slow);
        await server.meet("cut");
        assert.deepEqual(
          [await shown, (await failure)?.kind],
          [
            `Cancel ${nameOf(placed)} on PRODUCTION main: outcome unknown, checking… The connection was closed by PRODUCTION main (close code 1006).`,
            "connectionLost",
          ],
        );
        // Wished while there is no link: refused now, and not sent later either.
        assert.match(await client.cancel(ORDER), /^Not sent/);
        await client.reconnect();
        await server.meet("back");
        assert.deepEqual((await client.send('{ "method": "private/logout" }')).slice(1, 3), [
          "// Line 1, column 13: private/logout can't be sent because it would end the shared connection. Use Disconnect.",
          "// Nothing was sent.",
        ]);
        await client.clock.advance(3000);
        await server.meet("read");
        assert.equal(server.received.filter((text) => text.includes('"private/cancel"')).length, 1);
      },
    );
  }

  async function limits(): Promise<void> {
    const calls = (count: number): string =>
      Array.from({ length: count }, () => "→ time public/get_time {}").join("\n");
    const small = (opening: string): string =>
      opening.replace("summaries.response.json", `summaries.response.json  ${book.smallLimits}`);
    await converse(
      `${small(OPENED)}
       -- open
       # What is left of 100 reads after the opening when a fifth is kept for what the user changes.
       ${calls(74)}
       -- as many as there may be
       ${CANCEL}
       ← cancel  private_cancel.response.cancelled.json
       -- cancelled
       ${calls(1)}
       -- later`,
      async (client, server) => {
        await server.meet("open");
        for (let each = 0; each < 90; each++) void failureOf(client.session.caller.call("public/get_time", "{}"));
        await server.meet("as many as there may be");
        const shown = client.cancel(ORDER);
        await server.meet("cancelled");
        assert.equal(await shown, `Cancelled on PRODUCTION main: ${nameOf(placed)}.`);
        // Another session, at the same moment: nothing of that concerns it.
        await converse(`${small(OPENING)}\n-- open\n${calls(74)}\n-- all`, async (other, otherServer) => {
          await otherServer.meet("open");
          for (let each = 0; each < 74; each++) void failureOf(other.session.caller.call("public/get_time", "{}"));
          await otherServer.meet("all");
        });
        await client.clock.advance(50);
        await server.meet("later");
      },
    );
  }

  describe("what other clients got wrong", () => {
    test("none of the 26 is missing", () => {
      assert.deepEqual(
        pluck(bugs, "number"),
        Array.from({ length: 26 }, (_, index) => index + 1),
      );
    });

    for (const { number, link, there, here, play } of bugs) {
      test(`${String(number)}. ${there} → ${here} (${link})`, async () => {
        await play();
      });
    }
  });
}

async function failureOf(promise: Promise<unknown>): Promise<ReturnType<typeof toFailure> | undefined> {
  try {
    await promise;
    return undefined;
  } catch (thrown) {
    return toFailure(thrown);
  }
}

/** The JSON of a response document without its white space. */
function bodyOf(lines: readonly string[]): string {
  return lines
    .filter((line) => !line.startsWith("//"))
    .join("")
    .replaceAll(/\s+/g, "");
}

function withoutId(text: string): string {
  return text.replace(/"id":\d+/, '"id":0');
}
