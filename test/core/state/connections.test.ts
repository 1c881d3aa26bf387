import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../src/base/emitter.ts";
import type { SessionState } from "../../../src/session/session.ts";
import { createConnections, type Connections } from "../../../src/state/connections.ts";
import { formatRecords, type ConnectionRecord, type RecordStorage } from "../../../src/state/records.ts";
import { pluck } from "../../pluck.ts";
import { IDENTITY, ready } from "./fakeStoreSession.ts";

const MAIN: ConnectionRecord = {
  id: "main",
  name: "main",
  declared: "test",
  url: "wss://test.deribit.com/ws/api/v2",
  grant: "client_signature",
  clientId: "abc",
};
const DESK: ConnectionRecord = {
  ...MAIN,
  id: "desk",
  name: "desk",
  declared: "production",
  url: "wss://www.deribit.com/ws/api/v2",
};

interface World {
  readonly connections: Connections;
  readonly storage: RecordStorage & { value: unknown };
  readonly changes: (string | undefined)[];
}

function createStorage(value?: unknown): World["storage"] {
  return {
    value,
    load() {
      return this.value;
    },
    async save(next) {
      this.value = JSON.parse(JSON.stringify(next));
      await Promise.resolve();
    },
  };
}

function createWorld(storage = createStorage()): World {
  const connections = createConnections({ storage, now: () => 1000 });
  const changes: (string | undefined)[] = [];
  connections.onDidChange((id) => {
    changes.push(id);
  });
  return { connections, storage, changes };
}

function createSession(): { session: Parameters<Connections["attach"]>[1]; set: (state: SessionState) => void } {
  const states = createEmitter<SessionState>();
  let state: SessionState = { status: "off" };
  return {
    session: {
      get state() {
        return state;
      },
      onDidChangeState: states.event,
      latencyMs: 38.4,
      eventCount: 7,
    },
    set(next) {
      state = next;
      states.fire(next);
    },
  };
}

function ids({ connections }: World): string[] {
  return connections.list.map(({ record }) => record.id);
}

describe("connections: the list", () => {
  test("the simulator is always there, first", async () => {
    const world = createWorld();
    assert.deepEqual(ids(world), ["simulator"]);
    await world.connections.put(MAIN);
    assert.deepEqual(ids(world), ["simulator", "main"]);
    assert.equal(world.connections.active, undefined);
  });

  test("added, replaced in place, removed; each is saved", async () => {
    const world = createWorld();
    await world.connections.put(MAIN);
    await world.connections.put(DESK);
    await world.connections.put({ ...MAIN, name: "renamed" });
    const found = createWorld(world.storage).connections.list.map(({ record }) => record.name);
    assert.deepEqual(found, ["Simulator", "renamed", "desk"]);
    await world.connections.remove("main");
    assert.deepEqual(ids(createWorld(world.storage)), ["simulator", "desk"]);
    assert.deepEqual(world.changes, [undefined, undefined, undefined, undefined]);
  });

  test("no secret and nothing but the record is stored", async () => {
    const world = createWorld();
    await world.connections.put(MAIN);
    assert.deepEqual(world.storage.value, { version: 1, connections: [MAIN] });
  });

  test("what another window saved survives our saving, and shows", async () => {
    const storage = createStorage();
    const [one, other] = [createWorld(storage), createWorld(storage)];
    await one.connections.put(MAIN);
    await other.connections.put(DESK);
    assert.deepEqual(ids(one), ["simulator", "main", "desk"]);
  });

  test("the last choice is the active one, here and in the next window", async () => {
    const world = createWorld();
    await world.connections.put(MAIN);
    await world.connections.choose("main");
    assert.equal(world.connections.active?.record.id, "main");
    assert.deepEqual(pluck(world.connections.list, "isActive"), [false, true]);
    assert.equal(createWorld(world.storage).connections.active?.record.id, "main");
    await world.connections.remove("main");
    assert.equal(world.connections.active, undefined);
  });

  test("what must not be is refused in words", async () => {
    const world = createWorld();
    const refusal =
      (reason: RegExp) =>
      (error: unknown): boolean =>
        reason.test((error as { failure: { reason: string } }).failure.reason);
    await assert.rejects(world.connections.choose("unknown"), refusal(/doesn't exist anymore/));
    await assert.rejects(world.connections.remove("simulator"), refusal(/simulator can't be removed/));
    await assert.rejects(world.connections.put({ ...MAIN, id: "simulator" }), refusal(/simulator can't be changed/));
    await assert.rejects(world.connections.put({ ...MAIN, url: "ws://test.deribit.com" }), refusal(/not valid/));
    const newer = createWorld(createStorage({ version: 99 }));
    await assert.rejects(newer.connections.put(MAIN), refusal(/newer version/));
    assert.deepEqual(newer.storage.value, { version: 99 });
    await newer.connections.choose("simulator");
    assert.equal(newer.connections.active?.record.id, "simulator");
    assert.deepEqual(newer.storage.value, { version: 99 });
  });
});

describe("connections: two windows over one storage", () => {
  test("one that was forgotten is known to be, until it is saved again; one that a save of another window lost is missing", async () => {
    const storage = createStorage();
    const [here, there] = [createWorld(storage), createWorld(storage)];
    const told = (id: string): readonly boolean[] => [
      there.connections.isForgotten(id),
      there.connections.isMissing(id),
    ];
    assert.deepEqual(told("main"), [false, false], "nothing was ever saved");
    await here.connections.put(MAIN);
    const before = storage.value;
    await here.connections.put(DESK);
    assert.deepEqual(
      [told("main"), told("desk")],
      [
        [false, false],
        [false, false],
      ],
    );
    // The other window had not heard of the second one when it saved.
    storage.value = before;
    assert.deepEqual(
      [told("main"), told("desk")],
      [
        [false, false],
        [false, true],
      ],
    );
    await here.connections.remove("main");
    assert.deepEqual(told("main"), [true, false]);
    await there.connections.put(DESK);
    assert.deepEqual(
      [told("main"), told("desk")],
      [
        [true, false],
        [false, false],
      ],
    );
    await there.connections.put(MAIN);
    assert.deepEqual(told("main"), [false, false]);
    for (let index = 0; index < 60; index++) await here.connections.remove(`gone${index}`);
    assert.deepEqual(
      [told("gone59"), told("gone0")],
      [
        [true, false],
        [false, true],
      ],
      "the latest are kept",
    );
  });
});

describe("connections: sessions", () => {
  const saved = (): World =>
    createWorld(createStorage(formatRecords({ records: [MAIN, DESK], activeId: undefined, unreadable: [] })));

  test("an attached session shows; detached it is off again", () => {
    const world = saved();
    const { session, set } = createSession();
    const attached = world.connections.attach("main", session, false);
    set(ready(1));
    assert.equal(world.connections.find("main")?.state.status, "ready");
    assert.equal(world.connections.find("main")?.latencyMs, 38.4);
    assert.equal(world.connections.find("desk")?.state.status, "off");
    attached.dispose();
    assert.equal(world.connections.find("main")?.state.status, "off");
    assert.equal(world.connections.find("main")?.latencyMs, undefined);
    set({ status: "off" });
    assert.deepEqual(world.changes, ["main", "main", "main"]);
  });

  test("an older session that goes does not take the newer one with it", () => {
    const world = saved();
    const older = world.connections.attach("main", createSession().session, false);
    const { session, set } = createSession();
    world.connections.attach("main", session, false);
    set(ready(2));
    older.dispose();
    assert.equal(world.connections.find("main")?.state.status, "ready");
  });

  test("what the server says decides, and an outage does not make it forgotten", () => {
    const world = saved();
    const { session, set } = createSession();
    world.connections.attach("main", session, false);
    assert.equal(world.connections.find("main")?.environment, "test");
    set(ready(1, { ...IDENTITY, testnet: false }));
    assert.equal(world.connections.find("main")?.environment, "production");
    assert.match(world.connections.find("main")?.contradiction ?? "", /not a testnet/);
    set({ status: "waiting", retryAtMs: 0, failure: { kind: "connectionLost", trouble: "silent", detail: "" } });
    assert.equal(world.connections.find("main")?.environment, "production");
  });

  test("the last outage stays in sight when the link is back, and goes when it is closed on purpose", () => {
    const world = saved();
    const { session, set } = createSession();
    world.connections.attach("main", session, false);
    const failure = { kind: "cannotConnect", trouble: "refused", detail: "" } as const;
    set({ status: "waiting", retryAtMs: 0, failure });
    set(ready(2));
    assert.deepEqual(world.connections.find("main")?.lastFailure, { failure, atMs: 1000 });
    set({ status: "off" });
    assert.equal(world.connections.find("main")?.lastFailure, undefined);
  });

  test("the simulator counts as one only when it is ours", () => {
    const world = saved();
    for (const [isOurs, expected] of [
      [true, "simulator"],
      [false, "production"],
    ] as const) {
      const { session, set } = createSession();
      world.connections.attach("simulator", session, isOurs);
      set(ready(1));
      assert.equal(world.connections.find("simulator")?.environment, expected);
    }
  });
});
