import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createMemoryJournal } from "../../../src/actions/journal/journal.ts";
import { silentLog } from "../../../src/base/log.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import { createSession } from "../../../src/session/createSession.ts";
import { createExchange } from "../../../src/simulator/wire/exchange.ts";
import { createConnections } from "../../../src/state/connections.ts";
import type { ConnectionRecord } from "../../../src/state/records.ts";
import { createLiveConnections } from "../../../src/actions/connection/liveConnections.ts";
import { createFakeClock, createFakeRandom } from "../../fakeClock.ts";
import { sessionPorts } from "../../sessionPorts.ts";

/*
 * F107: an address is not a setting. When the address of a saved connection changes while it is open, by an edit in
 * another window or by a write to the storage of VS Code, the open connection keeps the address and the secret that it
 * was opened with.
 */

const ADDRESS = "wss://test.example/ws/api/v2";
const OTHER = "wss://evil.example/ws/api/v2";

describe("F107 the address of a connection that is open", () => {
  test("F107 is changed: the session, its next dials and its single requests go where they went", async () => {
    const clock = createFakeClock();
    const exchange = createExchange({ clock, random: createFakeRandom(7), still: true, limits: false, orders: 3 });
    const record: ConnectionRecord = {
      id: "main",
      name: "main",
      declared: "test",
      url: ADDRESS,
      grant: "client_signature",
      clientId: exchange.clientId,
    };
    let stored: unknown;
    const connections = createConnections({
      storage: {
        load: () => stored,
        save: async (value) => {
          stored = await Promise.resolve(value);
        },
      },
      now: () => clock.now(),
    });
    await connections.put(record);
    const dialled: string[] = [];
    const portsOf = sessionPorts(clock);
    const liveConnections = createLiveConnections({
      connections,
      createSession: (_record, access) =>
        createSession({
          ...portsOf(),
          dial: async () => {
            dialled.push(access.url);
            const [client, server] = createLinkedPair();
            exchange.accept(server);
            return await Promise.resolve(client);
          },
          credentials: async () => await Promise.resolve(access.credentials),
        }),
      ask: async () => await Promise.resolve(false),
      journal: createMemoryJournal(),
      clock,
      settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
      log: silentLog,
    });
    const opened = liveConnections.create(record, {
      url: ADDRESS,
      credentials: { kind: "client_signature", clientId: exchange.clientId, clientSecret: exchange.clientSecret },
    });
    liveConnections.adopt(opened);
    opened.connect();
    await clock.advance(1000);
    assert.equal(opened.state.status, "ready");

    await connections.put({ ...record, url: OTHER });
    exchange.control.disconnectAll("reset");
    await clock.advance(5000);
    assert.equal(opened.state.status, "ready", "it comes back");
    assert.deepEqual(dialled, [ADDRESS, ADDRESS]);
    assert.equal(opened.httpServer.origin, "https://test.example");
    assert.equal(opened.record.url, OTHER, "what is saved is shown, and not used");
    liveConnections.dispose();
    exchange.dispose();
  });
});
