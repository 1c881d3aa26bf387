import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { converse } from "./converse.ts";
import { GREETED, OPENED, OPENING, OTHER_TOKEN, RECORDED_TOKEN, SHORT_GREETED, SUBSCRIBED } from "./openings.ts";

/* Whole conversations in recorded and documented messages: what a person sees, and what was sent, digit for digit. */

describe("sign-in, subscription and list", () => {
  test("the documented order stands in the view; recorded events bring, change and end rows", async () => {
    await converse(
      `${OPENING}
       -- the list is there
       # Recorded in June 2022, with members that are gone today.
       ←  channel.user.orders.any.any.raw.recorded.json
       -- another order
       # The same one, filled in part and then whole: with the times of a moment later.
       ←  channel.user.orders.any.any.raw.recorded.json  "filled_amount": 0 ⇒ "filled_amount": 4 ; "last_update_timestamp": 1655401625037 ⇒ "last_update_timestamp": 1655401625038
       -- filled in part
       ←  channel.user.orders.any.any.raw.recorded.json  "filled_amount": 0 ⇒ "filled_amount": 10 ; "last_update_timestamp": 1655401625037 ⇒ "last_update_timestamp": 1655401625039 ; "order_state": "open" ⇒ "order_state": "filled"
       -- filled
       # An older one, late: no news.
       ←  channel.user.orders.any.any.raw.recorded.json
       -- late`,
      async (client, server) => {
        await server.meet("the list is there");
        assert.deepEqual(client.rows(), ["BTC-15FEB19-3250-P buy 10 @ 0.0028 |  | order.open.cancellable"]);
        assert.equal(client.heading(), "PRODUCTION main · live");
        await server.meet("another order");
        assert.deepEqual(client.rows()[1], "BTC-PERPETUAL sell 10 @ 50000 |  | order.open.cancellable");
        await server.meet("filled in part");
        assert.deepEqual(client.rows()[1], "BTC-PERPETUAL sell 10 @ 50000 | 4 filled | order.open.cancellable");
        await server.meet("filled");
        assert.deepEqual(client.rows()[1], "sell 10 @ 50000 | filled · BTC-PERPETUAL | order.ended");
        await server.meet("late");
        assert.deepEqual(client.rows()[1], "sell 10 @ 50000 | filled · BTC-PERPETUAL | order.ended");
        await client.clock.advance(10_000);
        assert.equal(client.rows().length, 1);
      },
    );
  });
});

describe("cancel", () => {
  test("recorded: the order of January 2026, its cancel and the event of it", async () => {
    await converse(
      `${OPENED}
       -- open
       → cancel  private/cancel {"access_token":"${RECORDED_TOKEN}","order_id":"USDC-104819327443"}
       ← cancel  private_cancel.response.recorded-ws-2026-01.json
       -- answered
       ←         {"jsonrpc":"2.0","method":"subscription","params":{"channel":"user.orders.any.any.raw","data":{{private_cancel.response.recorded-ws-2026-01.json#result}}}}
       -- pushed`,
      async (client, server) => {
        await server.meet("open");
        assert.deepEqual(client.rows(), ["ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 |  | order.open.cancellable"]);
        const shown = client.cancel("USDC-104819327443");
        await server.meet("answered");
        assert.equal(await shown, "Cancelled on PRODUCTION main: ETH_USDC-PERPETUAL buy 0.001 @ 2973.55.");
        // The answer is no event: the row changes because the exchange says so.
        assert.deepEqual(client.rows(), ["ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 |  | order.open.cancellable"]);
        await server.meet("pushed");
        assert.deepEqual(client.rows(), ["buy 0.001 @ 3067.2 | cancelled · ETH_USDC-PERPETUAL | order.ended"]);
        assert.deepEqual(client.questions.map((question) => question.message), ["Cancel ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 on PRODUCTION main?"]);
        assert.deepEqual(client.journal.records.map((record) => record.event), ["intent", "sent", "outcome"]);
        // Nothing of the recorded tokens and keys in anything that is kept.
        const kept = JSON.stringify([client.logged, client.journal.records, client.live.gate.activity, client.live.state]);
        for (const secret of [RECORDED_TOKEN, "1686927372328.1EzFBRmt.REDACTED", "W0H6FJW4IRPZ1MOQ8FP6KMC5RZDUUKXS"]) assert.equal(kept.includes(secret), false);
      },
    );
  });

  test("documented: a stop order that the answer reports as untriggered is not called cancelled", async () => {
    await converse(
      `${SUBSCRIBED}
       ← list    {"jsonrpc":"2.0","id":<list>,"result":[{{private_cancel.response.json#result}}],"testnet":false}
       -- open
       → cancel  private/cancel {"access_token":"${RECORDED_TOKEN}","order_id":"ETH-SLIS-12"}
       ← cancel  private_cancel.response.json
       -- answered`,
      async (client, server) => {
        await server.meet("open");
        assert.deepEqual(client.rows(), ["ETH-PERPETUAL sell 5 @ market | stop 144.73 | order.open.cancellable"]);
        const shown = client.cancel("ETH-SLIS-12");
        await server.meet("answered");
        assert.equal(await shown, "ETH-PERPETUAL sell 5 @ market, trigger 144.73 on PRODUCTION main: the exchange reports untriggered.");
      },
    );
  });

  const STATE = `→ state   private/get_order_state {"access_token":"${RECORDED_TOKEN}","order_id":"USDC-104819327443"}`;
  const errors: readonly (readonly [string, string, string, string[]])[] = [
    [
      "10004",
      "order_not_found",
      // Read at once: what was there to cancel?
      `${STATE}
       ← state   private_cancel.response.recorded-ws-2026-01.json`,
      [
        "Cancel ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 on PRODUCTION main: the exchange refused. The exchange answered with error 10004: order_not_found. No order matches the given id or label. The order is no longer there: filled, cancelled, or of another account. Refresh the open orders.",
        "ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 on PRODUCTION main: verified cancelled at 12:00:00, not by this cancel.",
      ],
    ],
    [
      "13888",
      "timed_out",
      `-- answered
       ${STATE}
       ← state   private_cancel.response.recorded-ws-2026-01.json
       → list    private/get_open_orders {"access_token":"${RECORDED_TOKEN}"}
       ← list    {"jsonrpc":"2.0","id":<list>,"result":[]}`,
      [
        "Cancel ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 on PRODUCTION main: outcome unknown, checking… The exchange answered with error 13888: timed_out.",
        "ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 on PRODUCTION main: verified cancelled at 12:00:03 (the outcome was unknown; cause: on request).",
      ],
    ],
  ];
  for (const [code, name, reading, words] of errors) {
    test(`answered with error ${code} ${name}`, async () => {
      await converse(
        `${OPENED}
         -- open
         → cancel  private/cancel {"access_token":"${RECORDED_TOKEN}","order_id":"USDC-104819327443"}
         ← cancel  error.bad_request.json  11050 ⇒ ${code} ; bad_request ⇒ ${name}
         ${reading}
         -- read`,
        async (client, server) => {
          await server.meet("open");
          const shown = client.cancel("USDC-104819327443");
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

  test("the answer is lost with the link: unknown; after the reconnect one reading says what became of it, and nothing is sent again", async () => {
    await converse(
      `${OPENED}
       -- open
       → cancel  private/cancel {"access_token":"${RECORDED_TOKEN}","order_id":"USDC-104819327443"}
       cut
       -- cut
       ${SUBSCRIBED}
       ← list    {"jsonrpc":"2.0","id":<list>,"result":[]}
       -- back
       → state   private/get_order_state {"access_token":"${RECORDED_TOKEN}","order_id":"USDC-104819327443"}
       ← state   private_cancel.response.recorded-ws-2026-01.json
       → open    private/get_open_orders {"access_token":"${RECORDED_TOKEN}"}
       ← open    {"jsonrpc":"2.0","id":<open>,"result":[]}
       -- read`,
      async (client, server) => {
        await server.meet("open");
        const shown = client.cancel("USDC-104819327443");
        await server.meet("cut");
        assert.equal(await shown, "Cancel ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 on PRODUCTION main: outcome unknown, checking… The connection was closed by PRODUCTION main (close code 1006).");
        assert.deepEqual(client.rows(), ["buy 0.001 @ 2973.55 | outcome unknown · stale · ETH_USDC-PERPETUAL | order.pending.stale"]);
        await client.reconnect();
        await server.meet("back");
        await client.clock.advance(3000);
        await server.meet("read");
        assert.deepEqual(client.verdicts(), ["ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 on PRODUCTION main: verified cancelled at 12:00:03 (the outcome was unknown; cause: on request)."]);
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
       # Right behind the answer, in the same packet.
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

  test("a recorded token of 899 s is renewed at four fifths of its life; the next call carries the new one", async () => {
    // A heartbeat each 25 s, as long as nothing else is said.
    const beats = Array.from({ length: 28 }, () => "← heartbeat.heartbeat.json\n-- beat").join("\n");
    await converse(
      `${SHORT_GREETED}
       → beat   public/set_heartbeat {"interval":30}
       → cod    private/get_cancel_on_disconnect {"access_token":"${OTHER_TOKEN}"}
       → sub    private/subscribe {"access_token":"${OTHER_TOKEN}","channels":["user.orders.any.any.raw"]}
       ← beat   public_set_heartbeat.response.json
       ← cod    private_get_cancel_on_disconnect.response.json
       ← sub    {"jsonrpc":"2.0","id":<sub>,"result":["user.orders.any.any.raw"]}
       → list   private/get_open_orders {"access_token":"${OTHER_TOKEN}"}
       ← list   private_get_open_orders.response.json
       -- open
       ${beats}
       → auth   public/auth {"grant_type":"refresh_token","refresh_token":"1635811552620.1Paj8pv_.REDACTED"}
       ← auth   public_auth.response.json  connection mainaccount ⇒ account:read_write block_trade:read_write custody:read_write mainaccount name:REDACTED session:rest-waHCBhVpNio= trade:read_write wallet:read_write
       -- renewed
       → list   private/get_open_orders {"access_token":"1582628593469.1MbQ-J_4.EXAMPLE_TOKEN_SHORTENED"}
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
        assert.deepEqual(client.rows(), ["BTC-15FEB19-3250-P buy 10 @ 0.0028 |  | order.open.cancellable"]);
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
        assert.deepEqual(client.rows(), ["ETH_USDC-PERPETUAL buy 0.001 @ 2973.55 | stale | order.open.cancellable.stale"]);
        assert.equal(client.heading(), "PRODUCTION main · as of 12:00:00 | Not up to date since 12:00:00. The connection was closed by PRODUCTION main (close code 1006).");
        await client.reconnect();
        await server.meet("back");
        // What the list does not have any more has ended, nobody knows how.
        assert.deepEqual(client.rows(), ["buy 0.001 @ 2973.55 | no longer open · ETH_USDC-PERPETUAL | order.ended", "BTC-15FEB19-3250-P buy 10 @ 0.0028 |  | order.open.cancellable"]);
        assert.equal(client.heading(), "PRODUCTION main · live");
      },
    );
  });
});

describe("errors of the exchange", () => {
  test("recorded: invalid_credentials. Nothing is tried again until a person does", async () => {
    await converse(
      `connect
       → hello  public/hello {"client_name":"Trading RPC","client_version":"1.0.2"}
       → auth   public/auth {"grant_type":"client_credentials","client_id":"fo7WAPRm4P","client_secret":"W0H6FJW4IRPZ1MOQ8FP6KMC5RZDUUKXS"}
       ← hello  public_hello.response.json
       ← auth   error.invalid_credentials.recorded.json`,
      async (client, server) => {
        await client.status("locked");
        await server.end();
        await client.clock.advance(3_600_000);
        assert.match(client.heading(), /^TEST main · not read \| The open orders of TEST main could not be read\. The exchange answered with error 13004: invalid_credentials\. Check the client id and the secret/);
      },
    );
  });

  test("documented: system_maintenance without an id, then the end of the link", async () => {
    await converse(
      `${GREETED}
       → beat   public/set_heartbeat {"interval":30}
       → cod    private/get_cancel_on_disconnect {"access_token":"${RECORDED_TOKEN}"}
       → sub    private/subscribe {"access_token":"${RECORDED_TOKEN}","channels":["user.orders.any.any.raw"]}
       ← beat   public_set_heartbeat.response.json
       ← cod    private_get_cancel_on_disconnect.response.json
       ←        error.system_maintenance.no-id.json
       close 1000
       -- closed`,
      async (client, server) => {
        await client.status("waiting");
        await server.meet("closed");
        assert.equal(
          client.heading(),
          "PRODUCTION main · not read | The open orders of PRODUCTION main could not be read. Maintenance or a restart is under way at PRODUCTION main (11051 system_maintenance). Wait until it is over; the exchange's status page says more.",
        );
      },
    );
  });
});
