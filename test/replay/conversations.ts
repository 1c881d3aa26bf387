import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { pluck } from "../pluck.ts";
import { joinedMarks, nameOf, rowOf, shortName, type Book } from "./book.ts";
import { converserOf } from "./converse.ts";
import { openingsOf } from "./openings.ts";

/* Whole conversations in the messages of a book: what the user sees, and what was sent, digit for digit. */

export function describeConversations(book: Book): void {
  const { key, session, listed, placed, cancelled, stop, pushed } = book;
  const { GREETED, OPENED, OPENING, SHORT_GREETED, SUBSCRIBED } = openingsOf(book);
  const { token: TOKEN } = book.connection;
  const converse = converserOf(book);
  /** A time some milliseconds after the last change of the pushed order. */
  const later = (ms: number): string => String(Number(pushed.updated) + ms);

  describe("sign-in, subscription and list", () => {
    test("the order of the list stands in the view; events bring, change and end rows", async () => {
      await converse(
        `${OPENING}
         -- the list is there
         # With members that are gone today.
         ←  channel.user.orders.any.any.raw.json
         -- another order
         # The same one, filled in part and then whole: with the times of a moment later.
         ←  channel.user.orders.any.any.raw.json  "filled_amount": 0 ⇒ "filled_amount": 4 ; "last_update_timestamp": ${pushed.updated} ⇒ "last_update_timestamp": ${later(1)}
         -- filled in part
         ←  channel.user.orders.any.any.raw.json  "filled_amount": 0 ⇒ "filled_amount": ${pushed.amount} ; "last_update_timestamp": ${pushed.updated} ⇒ "last_update_timestamp": ${later(2)} ; "order_state": "open" ⇒ "order_state": "filled"
         -- filled
         # An older one, late: no news.
         ←  channel.user.orders.any.any.raw.json
         -- late`,
        async (client, server) => {
          await server.meet("the list is there");
          assert.deepEqual(client.rows(), [`${rowOf(listed, listed.marks)} | order.open.cancellable`]);
          assert.equal(client.heading(), "PRODUCTION main · live");
          await server.meet("another order");
          assert.deepEqual(client.rows()[1], `${rowOf(pushed)} | order.open.cancellable`);
          await server.meet("filled in part");
          assert.deepEqual(client.rows()[1], `${rowOf(pushed, "4 filled")} | order.open.cancellable`);
          await server.meet("filled");
          assert.deepEqual(
            client.rows()[1],
            `${pushed.terms} | filled · ${shortName(pushed.instrument)} | order.ended`,
          );
          await server.meet("late");
          assert.deepEqual(
            client.rows()[1],
            `${pushed.terms} | filled · ${shortName(pushed.instrument)} | order.ended`,
          );
          await client.clock.advance(10_000);
          assert.equal(client.rows().length, 1);
        },
      );
    });
  });

  describe("cancel", () => {
    test("an order, its cancel and the event of it", async () => {
      await converse(
        `${OPENED}
         -- open
         → cancel  private/cancel {"access_token":"${TOKEN}","order_id":"${placed.id}"}
         ← cancel  private_cancel.response.cancelled.json
         -- answered
         ←         {"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.orders.any.any.raw","data":{{private_cancel.response.cancelled.json#result}}}}
         -- pushed`,
        async (client, server) => {
          await server.meet("open");
          assert.deepEqual(client.rows(), [`${rowOf(placed, placed.marks)} | order.open.cancellable`]);
          const shown = client.cancel(placed.id);
          await server.meet("answered");
          assert.equal(await shown, `Cancelled on PRODUCTION main: ${nameOf(placed)}.`);
          // The response is no event: the row changes because the exchange says so.
          assert.deepEqual(client.rows(), [`${rowOf(placed, placed.marks)} | order.open.cancellable`]);
          await server.meet("pushed");
          assert.deepEqual(client.rows(), [
            `${cancelled.terms} | cancelled · ${shortName(placed.instrument)} | order.ended`,
          ]);
          assert.deepEqual(pluck(client.questions, "message"), [`Cancel ${nameOf(placed)} on PRODUCTION main?`]);
          assert.deepEqual(pluck(client.journal.records, "event"), ["intent", "sent", "outcome"]);
          // Nothing of the tokens and keys in anything that is kept.
          const kept = JSON.stringify([
            client.logged,
            client.journal.records,
            client.live.gate.activity,
            client.live.state,
          ]);
          for (const secret of [TOKEN, book.connection.refreshToken, key.clientSecret])
            assert.equal(kept.includes(secret), false);
        },
      );
    });

    test("a stop order that the response reports as untriggered is not called cancelled", async () => {
      await converse(
        `${SUBSCRIBED}
         ← list    {"jsonrpc":"2.0","id":<list>,"result":[{{private_cancel.response.json#result}}],"testnet":false}
         -- open
         → cancel  private/cancel {"access_token":"${TOKEN}","order_id":"${stop.id}"}
         ← cancel  private_cancel.response.json
         -- answered`,
        async (client, server) => {
          await server.meet("open");
          assert.deepEqual(client.rows(), [`${rowOf(stop, `SL ${stop.trigger}`)} | order.open.cancellable`]);
          const shown = client.cancel(stop.id);
          await server.meet("answered");
          assert.equal(
            await shown,
            `${nameOf(stop)}, trigger ${stop.trigger} on PRODUCTION main: the exchange reports untriggered.`,
          );
        },
      );
    });

    const STATE = `→ state   private/get_order_state {"access_token":"${TOKEN}","order_id":"${placed.id}"}`;
    const errors: readonly (readonly [string, string, string, string[]])[] = [
      [
        "10004",
        "order_not_found",
        // Read at once: what was there to cancel?
        `${STATE}
         ← state   private_cancel.response.cancelled.json`,
        [
          `Cancel ${nameOf(placed)} on PRODUCTION main: refused by the exchange. The exchange returned error 10004: order_not_found. No order matches the given ID or label. This doesn't prove that the order is gone. It may belong to another account or to a quote. Refresh the open orders.`,
          `${nameOf(placed)} on PRODUCTION main: verified as cancelled at 12:00:00, but not because of this cancel.`,
        ],
      ],
      [
        "13888",
        "timed_out",
        `-- answered
         ${STATE}
         ← state   private_cancel.response.cancelled.json
         → list    private/get_open_orders {"access_token":"${TOKEN}"}
         ← list    {"jsonrpc":"2.0","id":<list>,"result":[]}`,
        [
          `Cancel ${nameOf(placed)} on PRODUCTION main: outcome unknown, checking… The exchange returned error 13888: timed_out.`,
          `${nameOf(placed)} on PRODUCTION main: verified cancelled at 12:00:03 (the outcome was unknown, cause: on request).`,
        ],
      ],
    ];
    for (const [code, name, reading, words] of errors) {
      test(`answered with error ${code} ${name}`, async () => {
        await converse(
          `${OPENED}
           -- open
           → cancel  private/cancel {"access_token":"${TOKEN}","order_id":"${placed.id}"}
           ← cancel  error.bad_request.json  11050 ⇒ ${code} ; bad_request ⇒ ${name}
           ${reading}
           -- read`,
          async (client, server) => {
            await server.meet("open");
            const shown = client.cancel(placed.id);
            if (reading.includes("--")) {
              await server.meet("answered");
              await client.clock.advance(3000);
            }
            await server.meet("read");
            assert.deepEqual([await shown, ...client.verdicts()], words);
          },
        );
      });
    }

    test("the response is lost with the link: unknown; after the reconnect one reading says what became of it, and nothing is sent again", async () => {
      await converse(
        `${OPENED}
         -- open
         → cancel  private/cancel {"access_token":"${TOKEN}","order_id":"${placed.id}"}
         cut
         -- cut
         ${SUBSCRIBED}
         ← list    {"jsonrpc":"2.0","id":<list>,"result":[]}
         -- back
         → state   private/get_order_state {"access_token":"${TOKEN}","order_id":"${placed.id}"}
         ← state   private_cancel.response.cancelled.json
         → open    private/get_open_orders {"access_token":"${TOKEN}"}
         ← open    {"jsonrpc":"2.0","id":<open>,"result":[]}
         -- read`,
        async (client, server) => {
          await server.meet("open");
          const shown = client.cancel(placed.id);
          await server.meet("cut");
          assert.equal(
            await shown,
            `Cancel ${nameOf(placed)} on PRODUCTION main: outcome unknown, checking… The connection was closed by PRODUCTION main (close code 1006).`,
          );
          assert.deepEqual(client.rows(), [
            `${placed.terms} | outcome unknown · ${shortName(placed.instrument)} · stale | order.pending.stale`,
          ]);
          await client.reconnect();
          await server.meet("back");
          await client.clock.advance(3000);
          await server.meet("read");
          assert.deepEqual(client.verdicts(), [
            `${nameOf(placed)} on PRODUCTION main: verified cancelled at 12:00:03 (the outcome was unknown, cause: on request).`,
          ]);
        },
      );
    });
  });

  describe("staying connected", () => {
    test("a test_request is answered with public/test at once, one at a time, and never left without one", async () => {
      await converse(
        `${OPENING}
         -- open
         ←        heartbeat.test_request.json
         → test   public/test {}
         # Meanwhile: the server may have taken the first one before it asked again.
         ←        heartbeat.test_request.json
         ←        heartbeat.test_request.json
         ←        heartbeat.heartbeat.json
         ← test   public_test.response.json
         → again  public/test {}
         ← again  public_test.response.json
         # Right behind the response, in the same packet.
         ←        heartbeat.test_request.json
         → third  public/test {}
         ← third  public_test.response.json
         -- answered`,
        async (client, server) => {
          await server.meet("open");
          await server.meet("answered");
          assert.equal(client.live.state.status, "ready");
        },
      );
    });

    test("a token of 899 s is renewed at four fifths of its life; the next call carries the new one", async () => {
      // A heartbeat each 25 s, as long as nothing else is said.
      const beats = Array.from({ length: 28 }, () => "← heartbeat.heartbeat.json\n-- beat").join("\n");
      await converse(
        `${SHORT_GREETED}
         → beat   public/set_heartbeat {"interval":30}
         → cod    private/get_cancel_on_disconnect {"access_token":"${session.token}"}
         → sub    private/subscribe {"access_token":"${session.token}","channels":["user.orders.any.any.raw"]}
         ← beat   public_set_heartbeat.response.json
         ← cod    private_get_cancel_on_disconnect.response.json
         ← sub    {"jsonrpc":"2.0","id":<sub>,"result":["user.orders.any.any.raw"]}
         → list   private/get_open_orders {"access_token":"${session.token}"}
         ← list   private_get_open_orders.response.json
         -- open
         ${beats}
         → auth   public/auth {"grant_type":"refresh_token","refresh_token":"${session.refreshToken}"}
         ← auth   ${book.renewedQuietly.source}
         -- renewed
         → list   private/get_open_orders {"access_token":"${book.renewedQuietly.token}"}
         ← list   private_get_open_orders.response.json
         -- read`,
        async (client, server) => {
          await server.meet("open");
          for (let beat = 0; beat < 28; beat++) {
            await client.clock.advance(25_000);
            await server.meet("beat");
          }
          await client.clock.advance(19_199);
          assert.equal(server.received.filter((text) => text.includes("refresh_token")).length, 0);
          await client.clock.advance(1);
          await server.meet("renewed");
          void client.live.orders.refresh();
          await server.meet("read");
          assert.deepEqual(client.rows(), [`${rowOf(listed, listed.marks)} | order.open.cancellable`]);
        },
      );
    });

    test("after a lost link: the rows stay and say so, then one sign-in, one subscription, one list", async () => {
      await converse(
        `${OPENED}
         -- open
         cut
         -- cut
         ${OPENING}
         -- back`,
        async (client, server) => {
          await server.meet("open");
          await server.meet("cut");
          await client.status("waiting");
          assert.deepEqual(client.rows(), [
            `${rowOf(placed, joinedMarks("stale", placed.marks))} | order.open.cancellable.stale`,
          ]);
          assert.equal(
            client.heading(),
            "PRODUCTION main · as of 12:00:00 | Not up to date since 12:00:00. The connection was closed by PRODUCTION main (close code 1006).",
          );
          await client.reconnect();
          await server.meet("back");
          // An order that is missing from the list has ended; how it ended is unknown.
          assert.deepEqual(client.rows(), [
            `${placed.terms} | no longer open · ${shortName(placed.instrument)} | order.ended`,
            `${rowOf(listed, listed.marks)} | order.open.cancellable`,
          ]);
          assert.equal(client.heading(), "PRODUCTION main · live");
        },
      );
    });
  });

  describe("errors of the exchange", () => {
    test("invalid_credentials. Nothing is tried again until the user does", async () => {
      await converse(
        `connect
         → hello  public/hello {"client_name":"Trading RPC","client_version":"1.0.2"}
         → auth   public/auth {"grant_type":"client_credentials","client_id":"${key.clientId}","client_secret":"${key.clientSecret}"}
         ← hello  public_hello.response.json
         ← auth   error.invalid_credentials.json`,
        async (client, server) => {
          await client.status("locked");
          await server.end();
          await client.clock.advance(3_600_000);
          assert.match(
            client.heading(),
            /^TESTNET main · not read \| Couldn't read the open orders of TESTNET main\. The exchange returned error 13004: invalid_credentials\. Check the client ID and client secret \(or private key\), and that they belong to this environment\./,
          );
        },
      );
    });

    test("system_maintenance without an id, then the end of the link", async () => {
      await converse(
        `${GREETED}
         → beat   public/set_heartbeat {"interval":30}
         → cod    private/get_cancel_on_disconnect {"access_token":"${TOKEN}"}
         → sub    private/subscribe {"access_token":"${TOKEN}","channels":["user.orders.any.any.raw"]}
         ← beat   public_set_heartbeat.response.json
         ← cod    private_get_cancel_on_disconnect.response.json
         ←        error.system_maintenance.json
         close 1000
         -- closed`,
        async (client, server) => {
          await client.status("waiting");
          await server.meet("closed");
          assert.equal(
            client.heading(),
            "PRODUCTION main · not read | Couldn't read the open orders of PRODUCTION main. Maintenance or a restart is in progress at PRODUCTION main (11051 system_maintenance). Wait until it is over. See the exchange's status page for details.",
          );
        },
      );
    });
  });
}
