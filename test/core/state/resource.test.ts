import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError, type Failure } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import type { ChannelState, Identity, Session, SessionState } from "../../../src/session/session.ts";
import { Resource } from "../../../src/state/resource.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { countAccounts } from "./accounts.ts";

/* A list that is read whole, on a session that a test moves by hand. */

const IDENTITY: Identity = {
  authentication: "key",
  clientId: "k",
  scope: "trade:read_write block_trade:read",
  testnet: true,
  serverVersion: undefined,
};

interface Lab {
  readonly clock: FakeClock;
  readonly resource: Resource<string>;
  /** What the next readings end with, first come first served; the last one repeats. */
  readonly responses: (readonly string[] | Failure)[];
  readonly readings: number;
  readonly channels: readonly string[];
  move(state: SessionState): void;
  push(data: unknown): void;
  channel(state: ChannelState): void;
  text(): string;
}

function ready(generation: number, scope = IDENTITY.scope): SessionState {
  return { status: "ready", generation, isSuspect: false, identity: { ...IDENTITY, scope }, sinceMs: 0 };
}

function createLab(
  take?: (data: unknown, items: ReadonlyMap<string, string>) => ReadonlyMap<string, string> | "readAgain",
): Lab {
  const clock = createFakeClock();
  const states = createEmitter<SessionState>();
  const accounts = countAccounts(states.event);
  let state: SessionState = { status: "off" };
  let readings = 0;
  const responses: (readonly string[] | Failure)[] = [];
  const channels: string[] = [];
  let listener: (data: unknown) => void = () => undefined;
  let onChannel: (state: ChannelState) => void = () => undefined;
  const session = {
    get state() {
      return state;
    },
    onDidChangeState: states.event,
    get epoch() {
      return accounts.epoch;
    },
    reader: {},
    subscribe(channel: string, listen: (data: unknown) => void, hear: (state: ChannelState) => void) {
      channels.push(channel);
      listener = listen;
      onChannel = hear;
      return { dispose: () => undefined };
    },
  } as unknown as Session;
  const resource = new Resource<string>(
    {
      name: "things",
      method: "private/get_open_orders",
      channels: ["user.things"],
      read: async () => {
        const response = responses.length > 1 ? responses.shift()! : responses[0]!;
        readings++;
        await Promise.resolve();
        if ("kind" in response) throw new CallError(response);
        return { items: new Map(response.map((each) => [each, each])), unreadable: [] };
      },
      ...(take === undefined ? {} : { take }),
    },
    { session, clock, log: silentLog },
  );
  return {
    clock,
    resource,
    responses,
    get readings() {
      return readings;
    },
    channels,
    move(next) {
      state = next;
      states.fire(next);
    },
    push: (data) => listener(data),
    channel: (next) => onChannel(next),
    text: () =>
      `${resource.snapshot.status} ${[...resource.snapshot.items.keys()].join(",")} ${resource.snapshot.failure?.kind ?? ""}`.trim(),
  };
}

describe("a list that is read whole", () => {
  test("is not read before it is shown, and then once per generation", async () => {
    const lab = createLab();
    lab.responses.push(["a"]);
    lab.move(ready(1));
    await lab.clock.settle();
    assert.deepEqual([lab.readings, lab.channels], [0, []]);
    lab.resource.setVisible(true);
    await lab.clock.advance(0);
    assert.deepEqual([lab.readings, lab.channels, lab.text()], [1, ["user.things"], "live a"]);
    lab.resource.setVisible(false);
    lab.resource.setVisible(true);
    await lab.clock.advance(0);
    assert.equal(lab.readings, 1);
    lab.move({ status: "waiting", retryAtMs: 0, failure: { kind: "connectionLost", trouble: "silent", detail: "" } });
    assert.equal(lab.text(), "stale a connectionLost");
    lab.move({ status: "connecting", generation: 2 });
    assert.equal(lab.text(), "stale a connectionLost");
    lab.responses.splice(0, 1, ["b"]);
    lab.move(ready(2));
    await lab.clock.advance(0);
    assert.deepEqual([lab.readings, lab.text()], [2, "live b"]);
  });

  test("a missing scope is told without asking the server", async () => {
    const lab = createLab();
    lab.resource.setVisible(true);
    lab.move(ready(1, "block_trade:read"));
    await lab.clock.advance(0);
    assert.deepEqual([lab.readings, lab.text()], [0, "failed  missingScope"]);
  });

  test("a response of an older link has no effect", async () => {
    const lab = createLab();
    lab.responses.push(["old"], ["new"]);
    lab.resource.setVisible(true);
    lab.move(ready(1));
    lab.move({ status: "off" });
    lab.move(ready(2));
    await lab.clock.advance(0);
    assert.equal(lab.text(), "live new");
  });

  test("many wishes while one reading is under way are one more reading", async () => {
    const lab = createLab();
    lab.responses.push(["a"]);
    lab.resource.setVisible(true);
    lab.move(ready(1));
    for (let time = 0; time < 100; time++) void lab.resource.refresh();
    await lab.clock.advance(0);
    assert.equal(lab.readings, 2);
  });

  test("a passing failure is followed by another reading, a lasting one is not", async () => {
    const lab = createLab();
    lab.responses.push({ kind: "timeout", timeoutMs: 1 }, ["a"]);
    lab.resource.setVisible(true);
    lab.move(ready(1));
    await lab.clock.advance(0);
    assert.equal(lab.text(), "failed  timeout");
    await lab.clock.advance(1000);
    assert.equal(lab.text(), "live a");
    lab.responses.splice(0, 1, { kind: "exchange", code: -32601, message: "Method not found" });
    await lab.resource.refresh();
    await lab.clock.advance(120_000);
    assert.deepEqual([lab.readings, lab.text()], [3, "stale a exchange"]);
  });

  test("an event changes the items, or has the list read again", async () => {
    const lab = createLab((data, items) =>
      data === "?" ? "readAgain" : new Map([...items, [String(data), String(data)]]),
    );
    lab.responses.push(["a"]);
    lab.resource.setVisible(true);
    lab.move(ready(1));
    await lab.clock.advance(0);
    lab.push("b");
    assert.equal(lab.text(), "live a,b");
    lab.push("?");
    await lab.clock.advance(0);
    assert.deepEqual([lab.readings, lab.text()], [2, "live a"]);
  });

  test("without events it is polled while it is shown", async () => {
    const lab = createLab();
    lab.responses.push(["a"]);
    lab.resource.setVisible(true);
    lab.move(ready(1));
    await lab.clock.advance(0);
    lab.channel({ kind: "refused", failure: undefined });
    await lab.clock.advance(30_500);
    assert.deepEqual([lab.readings, lab.text()], [4, "live a refused"]);
    lab.resource.setVisible(false);
    await lab.clock.advance(60_000);
    assert.ok(lab.readings <= 5, `read ${lab.readings} times although it is hidden`);
    lab.resource.dispose();
    assert.equal(lab.clock.pendingTimers, 0);
  });
});
