import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createMemoryJournal } from "../../../src/actions/journal/journal.ts";
import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { Identity, Session, SessionState } from "../../../src/session/session.ts";
import { createConnections, type Connections } from "../../../src/state/connections.ts";
import type { ConnectionRecord } from "../../../src/state/records.ts";
import {
  createLiveConnections,
  type Access,
  type LiveConnections,
} from "../../../src/actions/connection/liveConnections.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { pluck } from "../../pluck.ts";
import { countAccounts } from "../state/accounts.ts";

/** A session that is what the test says. */
interface ToldSession extends Session {
  tell(state: SessionState): void;
  readonly isDisposed: boolean;
}

function toldSession(): ToldSession {
  const states = createEmitter<SessionState>();
  const accounts = countAccounts(states.event);
  let state: SessionState = { status: "off" };
  let isDisposed = false;
  const tell = (next: SessionState): void => {
    state = next;
    states.fire(next);
  };
  const refuse = async (): Promise<never> => await Promise.reject(new CallError({ kind: "notConnected" }));
  return {
    get state() {
      return state;
    },
    get isDisposed() {
      return isDisposed;
    },
    onDidChangeState: states.event,
    get epoch() {
      return accounts.epoch;
    },
    latencyMs: undefined,
    eventCount: 0,
    budgets: [],
    timing: undefined,
    reader: { read: refuse, readResponse: refuse },
    caller: { generation: undefined, call: refuse, onLateResponse: createEmitter<never>().event },
    subscribe: () => ({ dispose: () => undefined }),
    connect: () => tell({ status: "connecting", generation: 1 }),
    backToMain: () => undefined,
    signInAgain: () => tell({ status: "connecting", generation: 2 }),
    disconnect: () => tell({ status: "off" }),
    dispose() {
      isDisposed = true;
    },
    tell,
  };
}

interface Tried {
  readonly liveConnections: LiveConnections;
  readonly connections: Connections;
  readonly sessions: ToldSession[];
  readonly heard: string[];
}

async function tryIt(...records: readonly ConnectionRecord[]): Promise<Tried> {
  let stored: unknown;
  const connections = createConnections({
    storage: {
      load: () => stored,
      save: async (value) => {
        stored = await Promise.resolve(value);
      },
    },
    now: () => 0,
  });
  for (const record of records) await connections.put(record);
  const sessions: ToldSession[] = [];
  const heard: string[] = [];
  const liveConnections = createLiveConnections({
    connections,
    createSession: () => {
      const session = toldSession();
      sessions.push(session);
      return session;
    },
    ask: async () => await Promise.resolve(false),
    journal: createMemoryJournal(),
    clock: createFakeClock(),
    settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
    log: silentLog,
  });
  liveConnections.onDidOpen((each) => {
    heard.push(`open ${each.record.id}`);
  });
  liveConnections.onDidClose((each) => {
    heard.push(`close ${each.record.id}`);
  });
  return { liveConnections, connections, sessions, heard };
}

const LAB: ConnectionRecord = {
  id: "lab",
  name: "lab",
  declared: "simulator",
  url: "ws://127.0.0.1:8765/ws/api/v2",
  grant: "client_signature",
  clientId: "simulator",
};
const ACCESS: Access = { url: LAB.url, credentials: { kind: "none" } };
const SIMULATOR: Identity = {
  authentication: "key",
  clientId: "simulator",
  scope: "",
  testnet: true,
  serverVersion: "simulator 0.2.0",
};

function ready(identity: Identity): SessionState {
  return { status: "ready", generation: 1, isSuspect: false, identity, sinceMs: 0 };
}

describe("open connections", () => {
  test("closing ends the session and what was started for it, and the row says so", async () => {
    const { liveConnections, connections, sessions, heard } = await tryIt(LAB);
    const ended: string[] = [];
    liveConnections.adopt(
      liveConnections.create(LAB, {
        ...ACCESS,
        end: () => {
          ended.push("ended");
        },
      }),
    );
    sessions[0]?.tell(ready(SIMULATOR));
    assert.equal(connections.find("lab")?.state.status, "ready");
    liveConnections.close("lab");
    liveConnections.close("lab");
    assert.equal(connections.find("lab")?.state.status, "off");
    assert.equal(sessions[0]?.isDisposed, true);
    assert.deepEqual([ended, heard, liveConnections.all], [["ended"], ["open lab", "close lab"], []]);
  });

  test("a new secret of a key signs in again the connections with that key at that server, and no others", async () => {
    const of = (id: string, clientId: string, url = LAB.url): ConnectionRecord => ({
      ...LAB,
      id,
      name: id,
      clientId,
      url,
    });
    const records = [
      of("a", "key"),
      of("b", "key", "ws://127.0.0.1:8765/other/path"),
      of("c", "other"),
      of("d", "key", "ws://127.0.0.1:9999/ws/api/v2"),
    ];
    const { liveConnections, sessions } = await tryIt(...records);
    const lives = records.map((record) => {
      const credentials = { kind: "client_signature", clientId: record.clientId, clientSecret: "old" } as const;
      const live = liveConnections.create(record, { url: record.url, credentials });
      liveConnections.adopt(live);
      return live;
    });
    const [first] = lives;
    assert.ok(first !== undefined);
    sessions.forEach((session) => session.tell(ready(SIMULATOR)));
    const used = liveConnections.useSecret(first, "key", "new");
    assert.deepEqual(used.map(({ record }) => record.id).sort(), ["a", "b"]);
    assert.deepEqual(
      sessions.map(({ state }) => state.status),
      ["connecting", "connecting", "ready", "ready"],
    );
    assert.deepEqual(liveConnections.useSecret(first, "key", "new"), [], "they have it already");
    assert.deepEqual(liveConnections.useSecret(first, "unknown", "new"), []);
  });

  test("a connection that takes the place of another ends it first", async () => {
    const { liveConnections, connections, sessions, heard } = await tryIt(LAB);
    liveConnections.adopt(liveConnections.create(LAB, ACCESS));
    liveConnections.adopt(liveConnections.create(LAB, ACCESS));
    sessions[1]?.tell(ready(SIMULATOR));
    assert.deepEqual(pluck(sessions, "isDisposed"), [true, false]);
    assert.equal(connections.find("lab")?.state.status, "ready");
    assert.deepEqual(heard, ["open lab", "close lab", "open lab"]);
  });

  test("a trial is shown nowhere", async () => {
    const { liveConnections, connections, sessions, heard } = await tryIt(LAB);
    liveConnections.create(LAB, ACCESS).connect();
    sessions[0]?.tell(ready(SIMULATOR));
    assert.deepEqual([liveConnections.all, heard, connections.find("lab")?.state.status], [[], [], "off"]);
  });

  const claims: readonly [string, Partial<ConnectionRecord>, Partial<Identity>, "simulator" | "production"][] = [
    ["our simulator on this computer", {}, {}, "simulator"],
    ["another server on this computer", {}, { serverVersion: "1.2.26" }, "production"],
    ["a server without a name", {}, { serverVersion: undefined }, "production"],
    ["our simulator's name with another key", {}, { clientId: "abcd" }, "production"],
    ["our simulator's name on another computer", { url: "wss://exchange.example/ws/api/v2" }, {}, "production"],
    ["our simulator, declared as production", { declared: "production" }, {}, "production"],
  ];
  for (const [name, record, identity, expected] of claims) {
    test(`${name} counts as ${expected}, for the row and for the gate`, async () => {
      const saved = { ...LAB, ...record };
      const { liveConnections, connections, sessions } = await tryIt(saved);
      const each = liveConnections.create(saved, ACCESS);
      liveConnections.adopt(each);
      sessions[0]?.tell(ready({ ...SIMULATOR, ...identity }));
      assert.deepEqual([connections.find("lab")?.environment, each.environment], [expected, expected]);
      sessions[0]?.tell({
        status: "waiting",
        retryAtMs: 0,
        failure: { kind: "connectionLost", trouble: "silent", detail: "" },
      });
      assert.equal(each.environment, expected, "an outage does not make it another server");
    });
  }
});
