import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { LiveConnection } from "../../../src/actions/connection/liveConnection.ts";
import { createEmitter, DisposableList, type Emitter } from "../../../src/base/emitter.ts";
import { CallError } from "../../../src/base/failure.ts";
import type { SessionState } from "../../../src/session/session.ts";
import { createCommandScopes, type CommandScopes } from "../../../src/ui/commandScopes.ts";
import type { LiveConnections } from "../../../src/actions/connection/liveConnections.ts";

interface Fake {
  readonly live: LiveConnection;
  move(state: SessionState): void;
}

function createFake(first: SessionState): Fake {
  let state = first;
  const changes = createEmitter<SessionState>();
  const live = {
    get state() {
      return state;
    },
    onDidChangeState: changes.event,
  } as unknown as LiveConnection;
  return {
    live,
    move(next) {
      state = next;
      changes.fire(next);
    },
  };
}

function ready(scope: string): SessionState {
  return {
    status: "ready",
    generation: 1,
    isSuspect: false,
    sinceMs: 0,
    identity: { authentication: "key", clientId: "k", scope, testnet: true, serverVersion: undefined },
  };
}

function createLab(): {
  readonly keys: Map<string, unknown>;
  readonly scopes: CommandScopes;
  readonly disposables: DisposableList;
  readonly all: LiveConnection[];
  readonly opened: Emitter<LiveConnection>;
  readonly closed: Emitter<LiveConnection>;
} {
  const keys = new Map<string, unknown>();
  const all: LiveConnection[] = [];
  const [opened, closed] = [createEmitter<LiveConnection>(), createEmitter<LiveConnection>()];
  const liveConnections = { all, onDidOpen: opened.event, onDidClose: closed.event } as unknown as LiveConnections;
  const disposables = new DisposableList();
  const setContext = (name: string, value: unknown): void => void keys.set(name, value);
  const scopes = createCommandScopes({ liveConnections, setContext }, disposables);
  return { keys, scopes, disposables, all, opened, closed };
}

function missing(run: () => void): string {
  try {
    run();
    return "";
  } catch (error) {
    assert.ok(error instanceof CallError && error.failure.kind === "missingScope");
    return error.failure.scope;
  }
}

describe("commands and the scopes of the open connections", () => {
  const CANCEL = "lacksScope.order.cancel";

  test("follow each sign-in, each connection that opens, and each that closes", () => {
    const { keys, scopes, disposables, all, opened, closed } = createLab();
    const cancel = (): string => missing(() => scopes.require("tradingRpc.order.cancel"));
    assert.equal(cancel(), "");
    const [first, second] = [createFake({ status: "off" }), createFake(ready("trade:read_write"))];
    all.push(first.live);
    opened.fire(first.live);
    assert.deepEqual([keys.get(CANCEL), cancel()], [false, ""]);
    first.move(ready("trade:read account:read"));
    assert.deepEqual([keys.get(CANCEL), cancel()], [true, "trade:read_write"]);
    all.push(second.live);
    opened.fire(second.live);
    assert.deepEqual([keys.get(CANCEL), cancel()], [false, ""]);
    all.pop();
    closed.fire(second.live);
    assert.deepEqual([keys.get(CANCEL), cancel()], [true, "trade:read_write"]);
    first.move({ status: "off" });
    assert.deepEqual([keys.get(CANCEL), cancel()], [false, ""]);
    assert.equal(
      missing(() => scopes.require("tradingRpc.log.show")),
      "",
    );
    disposables.dispose();
    first.move(ready("account:read"));
    assert.equal(keys.get(CANCEL), false);
  });
});
