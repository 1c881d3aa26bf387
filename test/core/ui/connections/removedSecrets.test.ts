import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { LiveConnection } from "../../../../src/actions/connection/liveConnection.ts";
import { createEmitter } from "../../../../src/base/emitter.ts";
import { createConnections } from "../../../../src/state/connections.ts";
import { formatRecords, parseRecords, type ConnectionRecord } from "../../../../src/state/records.ts";
import { createSecretStore, type SecretStore } from "../../../../src/ui/connections/credentials.ts";
import { followRemovedSecrets } from "../../../../src/ui/connections/removedSecrets.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";

/* F106: two windows over one encrypted storage, and what is done in one of them. */

const main: ConnectionRecord = {
  id: "main",
  name: "main",
  declared: "test",
  url: "wss://test.example/ws/api/v2",
  grant: "client_signature",
  clientId: "abc",
};

interface Computer {
  /** Of the window in which something is done. */
  readonly here: SecretStore;
  records: ConnectionRecord[];
  /** Connections that were forgotten. */
  forgotten: string[];
  /** What the storage of connections holds in the place of the records. */
  stored?: unknown;
  /** Connections that are open in the other window. */
  readonly open: Set<string>;
  readonly told: string[];
  readonly clock: FakeClock;
  /** Connections whose journal was deleted in the other window. */
  readonly purged: string[];
  isLocked: boolean;
  /** Secrets with which a connection of the other window signed in again. */
  readonly used: string[];
}

function twoWindows(): Computer {
  const kept = new Map<string, string>();
  const state = new Map<string, unknown>();
  const changes = createEmitter<{ readonly key: string }>();
  const store = (): SecretStore =>
    createSecretStore({
      secrets: {
        get: async (key) =>
          computer.isLocked ? await Promise.reject(new Error("locked")) : await Promise.resolve(kept.get(key)),
        store: async (key, value) => {
          kept.set(key, value);
          changes.fire({ key });
          await Promise.resolve();
        },
        delete: async (key) => {
          kept.delete(key);
          changes.fire({ key });
          await Promise.resolve();
        },
      },
      state: {
        get: (key) => state.get(key),
        update: async (key, value) => {
          await Promise.resolve(state.set(key, value));
        },
      },
      mask: () => undefined,
      host: { mayRead: async () => await Promise.resolve(true), typedHere: async () => await Promise.resolve() },
    });
  const computer: Computer = {
    here: store(),
    records: [main],
    forgotten: [],
    open: new Set(["main"]),
    told: [],
    clock: createFakeClock(),
    purged: [],
    isLocked: false,
    used: [],
  };
  const opened = createEmitter<LiveConnection>();
  const closed = createEmitter<LiveConnection>();
  const liveOf = (id: string): LiveConnection => ({ place: `TESTNET ${id}`, record: main }) as LiveConnection;
  followRemovedSecrets({
    onDidChange: changes.event,
    secrets: store(),
    connections: createConnections({
      storage: {
        load: () =>
          computer.stored ??
          formatRecords({
            records: computer.records,
            activeId: undefined,
            unreadable: [],
            forgotten: computer.forgotten,
          }),
        save: async (value) => {
          await Promise.resolve((computer.stored = value));
        },
      },
      now: () => 0,
    }),
    liveConnections: {
      find: (id) => (computer.open.has(id) ? liveOf(id) : undefined),
      close(id) {
        computer.open.delete(id);
        closed.fire(liveOf(id));
      },
      useSecret(at, clientId, clientSecret) {
        computer.used.push([at.record.id, clientId, clientSecret].join(" "));
        return [];
      },
      onDidOpen: opened.event,
      onDidClose: closed.event,
    },
    journals: {
      forget: async (id) => {
        await Promise.resolve(computer.purged.push(id));
      },
    },
    clock: computer.clock,
    tell: (sentence) => {
      computer.told.push(sentence);
    },
  });
  opened.fire(liveOf("main"));
  return computer;
}

async function settle(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

const CLOSED = [
  "The secret of TESTNET main was removed in another window, so the connection is closed here. Nothing was changed on the exchange.",
];

describe("F106 a secret that is removed in another window", () => {
  const removals: readonly (readonly [string, (computer: Computer) => Promise<void>])[] = [
    [
      "it is deleted there",
      async (computer) => {
        await computer.here.remove("main");
      },
    ],
    [
      "it is kept for that window alone from now on",
      async ({ here }) => {
        await here.remember(main, "s3cret-text");
      },
    ],
  ];
  for (const [name, remove] of removals) {
    test(`F106 ${name}: closed here at once, and said why`, async () => {
      const computer = twoWindows();
      await computer.here.store(main, "s3cret-text");
      await settle();
      assert.deepEqual([[...computer.open], computer.told], [["main"], []]);
      await remove(computer);
      await settle();
      assert.deepEqual([[...computer.open], computer.told], [[], CLOSED]);
    });
  }

  const others: readonly (readonly [string, (computer: Computer) => Promise<void>])[] = [
    [
      "another connection is forgotten",
      async ({ here }) => {
        await here.store({ ...main, id: "other" }, "other-text");
        await here.remove("other");
      },
    ],
    [
      "the secret is replaced",
      async ({ here }) => {
        await here.store(main, "newer-text");
      },
    ],
    [
      "the address is edited, and the secret stored for the new one",
      async ({ here }) => {
        await here.store({ ...main, url: "wss://other.example/ws/api/v2" }, "s3cret-text");
      },
    ],
    [
      "the storage is locked meanwhile",
      async (computer) => {
        await computer.here.store(main, "newer-text");
        computer.isLocked = true;
      },
    ],
  ];
  for (const [name, change] of others) {
    test(`F106 ${name}: the connection stays`, async () => {
      const computer = twoWindows();
      await computer.here.store(main, "s3cret-text");
      await change(computer);
      await settle();
      assert.deepEqual([[...computer.open], computer.told], [["main"], []]);
    });
  }

  test("F106 a secret that is replaced is used here too", async () => {
    const computer = twoWindows();
    await computer.here.store(main, "s3cret-text");
    await computer.here.store(main, "newer-text");
    await settle();
    assert.deepEqual(computer.used.slice(-1), ["main abc newer-text"]);
    computer.isLocked = true;
    await computer.here.store({ ...main, id: "other" }, "other-text").catch(() => undefined);
    await settle();
    assert.deepEqual(computer.used.slice(-1), ["main abc newer-text"]);
  });

  for (const isStored of [true, false]) {
    test(`F106 a connection that is forgotten there, ${isStored ? "with a stored secret" : "with one for each window"}: closed within a second, and its journal here is deleted`, async () => {
      const computer = twoWindows();
      if (isStored) await computer.here.store(main, "s3cret-text");
      await settle();
      await computer.clock.advance(5000);
      assert.deepEqual([[...computer.open], computer.told], [["main"], []]);
      computer.records = [];
      computer.forgotten = ["main"];
      await computer.clock.advance(1000);
      assert.deepEqual(
        [[...computer.open], computer.told, computer.purged],
        [
          [],
          [
            "TESTNET main was removed in another window, so the connection is closed here. Nothing was changed on the exchange.",
          ],
          ["main"],
        ],
      );
      assert.equal(computer.clock.pendingTimers, 0, "nothing is checked again");
    });
  }

  test("F106 a connection that is missing because two windows saved at once: it stays open, is saved again, and nothing is deleted", async () => {
    const computer = twoWindows();
    const desk = { ...main, id: "desk" };
    computer.records = [desk];
    await computer.clock.advance(1000);
    await settle();
    assert.deepEqual([[...computer.open], computer.told, computer.purged], [["main"], [], []]);
    assert.deepEqual(parseRecords(computer.stored).records, [desk, main]);
    await computer.clock.advance(5000);
    assert.deepEqual(computer.purged, []);
  });

  for (const [name, stored] of [
    ["a later version", { version: 99 }],
    ["an unknown program", "?"],
    ["a program with an invalid connection", { version: 1, connections: [{ id: "main" }] }],
  ] as const) {
    test(`F106 a storage of connections that was written by ${name}: nothing is closed, and nothing deleted`, async () => {
      const computer = twoWindows();
      computer.stored = stored;
      await computer.clock.advance(5000);
      assert.deepEqual([[...computer.open], computer.told, computer.purged], [["main"], [], []]);
    });
  }

  test("F106 a connection without a secret stays", async () => {
    const computer = twoWindows();
    computer.records = [{ ...main, grant: "none" }];
    await computer.here.store(main, "s3cret-text");
    await computer.here.remove("main");
    await settle();
    assert.deepEqual(computer.told, []);
  });
});
