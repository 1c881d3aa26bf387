import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError } from "../../../src/base/failure.ts";
import { silentLog } from "../../../src/base/log.ts";
import { tiedCount } from "../../../src/present/connections/disconnectRisk.ts";
import type { Reader, SessionState } from "../../../src/session/session.ts";
import { CancelOnDisconnectStore } from "../../../src/state/cancelOnDisconnect.ts";
import type { OrderItem, OrdersChange } from "../../../src/state/orders.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { aResponse, anOrder, exchangeFailure } from "../actions/fakeSession.ts";
import { countAccounts } from "./accounts.ts";

interface Lab {
  readonly store: CancelOnDisconnectStore;
  /** What the server says next; an error code where it refuses. */
  setting: boolean | number;
  /** How many times it was asked. */
  reads: number;
  /** Lets readings be answered, oldest first; undefined: each is answered at once. */
  waiting: (() => void)[] | undefined;
  fires: number;
  move(state: SessionState): Promise<void>;
  /** A response of private/buy over the link. */
  placed(id: string, orderState?: string): Promise<void>;
  /** The orders store shows it, or shows that it ended, or has it no more. */
  show(id: string, what: "open" | "ended" | "gone"): void;
  /** What is known, in one text. */
  known(): string;
}

const clock = createFakeClock();

function ready(
  generation: number,
  members: { readonly scope?: string; readonly authentication?: "none" } = {},
): SessionState {
  const { scope = "account:read trade:read_write", authentication = "key" } = members;
  return {
    status: "ready",
    generation,
    isSuspect: false,
    sinceMs: 0,
    identity: { authentication, clientId: "k", scope, testnet: true, serverVersion: undefined },
  };
}

const LOST: SessionState = {
  status: "waiting",
  retryAtMs: 0,
  failure: { kind: "connectionLost", trouble: "closedByServer", detail: "" },
};

function createLab(hasLink = true): Lab {
  const states = createEmitter<SessionState>();
  const accounts = countAccounts(states.event);
  const changes = createEmitter<OrdersChange>();
  const items = new Map<string, OrderItem>();
  let state: SessionState = { status: "off" };
  const read = async (): Promise<{ enabled: boolean }> => {
    lab.reads++;
    const { setting } = lab;
    await new Promise<void>((resolve) => {
      if (lab.waiting === undefined) resolve();
      else lab.waiting.push(resolve);
    });
    if (typeof setting === "number") throw new CallError(exchangeFailure(setting));
    return { enabled: setting };
  };
  const store = new CancelOnDisconnectStore({
    session: {
      get state() {
        return state;
      },
      onDidChangeState: states.event,
      get epoch() {
        return accounts.epoch;
      },
      reader: { read } as unknown as Reader,
      subscribe: () => ({ dispose: () => undefined }),
    },
    orders: {
      snapshot: { status: "live", items, readAtMs: 0, failure: undefined, unreadable: [] },
      onDidChange: changes.event,
    },
    hasLink,
    log: silentLog,
  });
  const lab: Lab = {
    store,
    setting: true,
    reads: 0,
    waiting: undefined,
    fires: 0,
    async move(next) {
      state = next;
      states.fire(next);
      await clock.settle();
    },
    async placed(id, orderState = "open") {
      store.take(
        aResponse("private/buy", 7, { result: { order: { order_id: id, order_state: orderState }, trades: [] } }),
      );
      await clock.settle();
    },
    show(id, what) {
      if (what === "gone") items.delete(id);
      else items.set(id, { order: anOrder(id), endedAtMs: what === "ended" ? 1 : undefined });
      changes.fire({ changed: new Set([id]), membership: "changed" });
    },
    known: () =>
      `${store.isOn === undefined ? "unknown" : store.isOn ? "on" : "off"}, ${String(store.placedOrders)} placed, ${String(tiedCount(store))} tied`,
  };
  store.onDidChange(() => {
    lab.fires++;
  });
  return lab;
}

describe("orders that end with the link", () => {
  test("it is read with each link, and says nothing of the one before", async () => {
    const lab = createLab();
    assert.equal(lab.known(), "unknown, 0 placed, 0 tied");
    await lab.move(ready(1));
    assert.equal(lab.known(), "on, 0 placed, 0 tied");
    await lab.placed("O1");
    assert.equal(lab.known(), "on, 1 placed, 1 tied");
    await lab.move({ ...ready(1), isSuspect: true } as SessionState);
    assert.equal(lab.reads, 1, "the same link");
    await lab.move(LOST);
    assert.equal(lab.known(), "unknown, 0 placed, 0 tied");
    lab.setting = false;
    await lab.move({ status: "connecting", generation: 2 });
    await lab.move(ready(2));
    assert.deepEqual([lab.known(), lab.reads], ["off, 0 placed, 0 tied", 2]);
  });

  const unasked: readonly (readonly [string, SessionState, boolean])[] = [
    ["without a key", ready(1, { authentication: "none", scope: "" }), true],
    ["without the scope", ready(1, { scope: "trade:read_write" }), true],
    ["over HTTP, where there is no link", ready(1), false],
  ];
  for (const [name, state, hasLink] of unasked) {
    test(`not asked ${name}`, async () => {
      const lab = createLab(hasLink);
      await lab.move(state);
      await lab.placed("O1");
      assert.deepEqual([lab.reads, lab.known()], [0, hasLink ? "unknown, 1 placed, 0 tied" : "off, 0 placed, 0 tied"]);
    });
  }

  test("a server that does not tell leaves it open, and nothing is claimed", async () => {
    const lab = createLab();
    lab.setting = -32601;
    await lab.move(ready(1));
    await lab.placed("O1");
    assert.deepEqual([lab.reads, lab.known()], [1, "unknown, 1 placed, 0 tied"]);
  });

  test("changed by a request: read again, from on to off and back", async () => {
    const lab = createLab();
    lab.setting = false;
    await lab.move(ready(1));
    await lab.placed("O1");
    assert.equal(lab.known(), "off, 1 placed, 0 tied");
    for (const [method, setting, expected] of [
      ["private/enable_cancel_on_disconnect", true, "on, 1 placed, 1 tied"],
      ["private/disable_cancel_on_disconnect", false, "off, 1 placed, 0 tied"],
      ["private/enable_cancel_on_disconnect", 13021, "unknown, 1 placed, 0 tied"],
    ] as const) {
      lab.setting = setting;
      lab.store.take(aResponse(method, 8, { result: "ok" }));
      await clock.settle();
      assert.equal(lab.known(), expected);
    }
    lab.store.take(aResponse("private/enable_cancel_on_disconnect", 9, { error: exchangeFailure(13021) }));
    assert.equal(lab.reads, 4, "a refusal changed nothing");
  });

  test("of two readings the later one counts, whichever responses first", async () => {
    const lab = createLab();
    lab.waiting = [];
    lab.setting = false;
    await lab.move(ready(1));
    lab.setting = true;
    lab.store.take(aResponse("private/enable_cancel_on_disconnect", 8, { result: "ok" }));
    for (const respond of [...lab.waiting].reverse()) {
      respond();
      await clock.settle();
      assert.equal(lab.known(), "on, 0 placed, 0 tied");
    }
  });

  test("an order counts until it ends; one that was not shown yet counts too", async () => {
    const lab = createLab();
    await lab.move(ready(1));
    for (const state of ["filled", "cancelled", "rejected"]) await lab.placed(`at once ${state}`, state);
    assert.equal(lab.known(), "on, 0 placed, 0 tied");
    await lab.placed("O1");
    await lab.placed("O2", "untriggered");
    await lab.placed("O3");
    await lab.placed("O1");
    assert.equal(lab.known(), "on, 3 placed, 3 tied");
    lab.show("other", "gone");
    lab.show("O1", "gone");
    assert.equal(lab.known(), "on, 3 placed, 3 tied", "the event of the order may still be on its way");
    lab.show("O1", "open");
    lab.show("O1", "gone");
    lab.show("O2", "ended");
    assert.equal(lab.known(), "on, 1 placed, 1 tied");
    const { fires } = lab;
    lab.show("other", "open");
    assert.equal(lab.fires, fires, "orders of others are of no interest");
  });

  test("a response that fails, or is about something else, places nothing", async () => {
    const lab = createLab();
    await lab.move(ready(1));
    lab.store.take(aResponse("private/buy", 8, { error: exchangeFailure(10009) }));
    lab.store.take(aResponse("private/cancel", 9, { result: { order_id: "O1", order_state: "open" } }));
    for (const odd of [undefined, null, 7, "ok", [], { order: null }, { order: { order_id: 7 } }])
      lab.store.take(aResponse("private/sell", 10, { result: odd }));
    assert.equal(lab.known(), "on, 0 placed, 0 tied");
  });

  test("while another account signs in over the link, its orders stay tied to it", async () => {
    const lab = createLab();
    await lab.move(ready(1));
    await lab.placed("O1");
    lab.show("O1", "open");
    await lab.move({ status: "authenticating", generation: 2, isOtherSubject: true });
    lab.show("O1", "gone");
    await lab.move(ready(2));
    assert.deepEqual([lab.known(), lab.reads], ["on, 1 placed, 1 tied", 2]);
    await lab.move({ status: "off" });
    assert.equal(lab.known(), "unknown, 0 placed, 0 tied");
  });

  test("nothing is heard after the end", async () => {
    const lab = createLab();
    const reading = lab.move(ready(1));
    lab.store.dispose();
    await reading;
    assert.deepEqual([lab.fires, lab.known()], [0, "unknown, 0 placed, 0 tied"]);
  });
});
