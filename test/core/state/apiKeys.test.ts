import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";
import { ApiKeysStore } from "../../../src/state/apiKeys.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { createFakeStoreSession, IDENTITY, ready, type FakeStoreSession } from "./fakeStoreSession.ts";

const CHALLENGE = {
  security_key_authorization_required: true,
  security_keys: [{ type: "tfa", name: "tfa" }],
  challenge: "C=",
  rp_id: "x",
};

interface Lab {
  readonly clock: FakeClock;
  readonly fake: FakeStoreSession;
  readonly store: ApiKeysStore;
  /** What was saved, the last one last. */
  readonly saved: (readonly number[])[];
  /** `1 listed`, `2 seen as x`, `7 typed`. */
  rows(): string[];
  respond(result: unknown): Promise<void>;
}

async function createLab(typed: readonly number[] = []): Promise<Lab> {
  const clock = createFakeClock();
  const fake = createFakeStoreSession();
  const saved: (readonly number[])[] = [];
  const ids = {
    load: () => typed,
    save: async (next: readonly number[]) => {
      saved.push(next);
      await Promise.resolve();
    },
  };
  const store = new ApiKeysStore({ session: fake.session, clock, log: silentLog, ids });
  store.setVisible(true);
  fake.open(1);
  await clock.settle();
  return {
    clock,
    fake,
    store,
    saved,
    rows: () =>
      [...store.snapshot.items.values()].map(({ id, key, source, isTyped }) =>
        [id, source, ...(key === undefined ? [] : [key.name]), ...(isTyped ? ["typed"] : [])].join(" "),
      ),
    async respond(result) {
      fake.reads.shift()?.respond(result);
      await clock.settle();
    },
  };
}

function key(id: number, name: string, more: object = {}): object {
  return {
    id,
    name,
    client_id: `c${String(id)}`,
    client_secret: "CANARY",
    max_scope: "trade:read",
    enabled: true,
    default: false,
    timestamp: 5,
    ...more,
  };
}

function responseOf(method: string, result: unknown): MaskedResponse {
  return {
    wireId: 9,
    method,
    bodyText: "",
    result,
    error: undefined,
    hasMaskedSecrets: true,
    timing: { receivedAtMs: 0, totalMs: 0, queuedMs: 0, exchangeMs: undefined },
    testnet: true,
  };
}

describe("the API keys of a connection", () => {
  test("the exchange's list, in its order; rows of another shape are kept raw; no secret is kept", async () => {
    const lab = await createLab();
    await lab.respond([
      key(2, "b"),
      key(1, "a", { max_scope: ["trade:read", "wallet:none"], new_member: 1 }),
      { id: "odd", client_secret: "CANARY" },
    ]);
    assert.deepEqual(lab.rows(), ["2 listed b", "1 listed a"]);
    assert.equal(lab.store.snapshot.status, "live");
    assert.equal(lab.store.snapshot.unreadable.length, 1);
    assert.ok(
      !JSON.stringify([...lab.store.snapshot.items.values(), lab.store.snapshot.unreadable]).includes("CANARY"),
    );
    assert.equal(lab.store.isListed, true);
  });

  test("a change of a key is read, a sign-in is not", async () => {
    const lab = await createLab();
    await lab.respond([key(1, "a")]);
    lab.fake.push({ id: 1, log: "success", timestamp: 1 });
    await lab.clock.settle();
    assert.equal(lab.fake.reads.length, 0);
    for (const log of [
      "new_api_key",
      "removed_api_key",
      "changed_scope",
      "changed_whitelist",
      "enabled_api_key",
      "disabled_api_key",
      "reset_api_key",
    ]) {
      lab.fake.push([
        { id: 1, log: "success", timestamp: 1 },
        { id: 2, log, timestamp: 1, data: "c1" },
      ]);
      await lab.clock.settle();
      assert.equal(lab.fake.reads.length, 1, log);
      await lab.respond([key(1, log)]);
      assert.deepEqual(lab.rows(), [`1 listed ${log}`]);
    }
    assert.deepEqual(lab.fake.channels, ["user.access_log"]);
  });

  test("a second factor is no list: it is said, and what is known otherwise is shown", async () => {
    const lab = await createLab([7]);
    await lab.respond(CHALLENGE);
    assert.deepEqual(
      [lab.store.snapshot.status, lab.store.snapshot.failure],
      ["failed", { kind: "refused", reason: "The exchange requires a 2FA code to list API keys." }],
    );
    assert.equal(lab.store.isListed, false);
    assert.deepEqual(lab.rows(), ["7 typed typed"]);
    lab.store.take(responseOf("private/edit_api_key", key(7, "bot")));
    lab.store.take(responseOf("private/enable_api_key", key(3, "other")));
    assert.deepEqual(lab.rows(), ["7 seen bot typed", "3 seen other"]);
    assert.equal(JSON.stringify([...lab.store.snapshot.items.values()]).includes("CANARY"), false);
  });

  test("only responses that are keys tell of keys", async () => {
    const lab = await createLab();
    await lab.respond(CHALLENGE);
    lab.store.take(responseOf("private/edit_api_key", CHALLENGE));
    lab.store.take(responseOf("private/edit_api_key", { name: "x" }));
    lab.store.take(responseOf("private/get_subaccounts", key(1, "x")));
    lab.store.take({
      ...responseOf("private/edit_api_key", undefined),
      error: { kind: "exchange", code: 13668, message: "security_key" },
    });
    assert.deepEqual(lab.rows(), []);
    lab.store.take(responseOf("private/list_api_keys", [key(1, "a"), { odd: true }, key(2, "b")]));
    assert.deepEqual(lab.rows(), ["1 seen a", "2 seen b"]);
  });

  test("a response that is later than the list counts, and has the list read again; a later list counts more", async () => {
    const lab = await createLab();
    await lab.respond([key(1, "a"), key(2, "b")]);
    await lab.clock.advance(10);
    lab.store.take(responseOf("private/edit_api_key", key(2, "renamed")));
    assert.deepEqual(lab.rows(), ["1 listed a", "2 seen renamed"]);
    await lab.clock.advance(10);
    await lab.respond([key(1, "a")]);
    assert.deepEqual(lab.rows(), ["1 listed a"]);
  });

  test("typed ids are kept and can be taken away; a listed key keeps its place", async () => {
    const lab = await createLab();
    await lab.respond([key(1, "a")]);
    await lab.store.addId(77);
    await lab.store.addId(1);
    await lab.store.addId(77);
    assert.deepEqual(lab.rows(), ["1 listed a typed", "77 typed typed"]);
    await lab.store.removeId(77);
    assert.deepEqual(lab.rows(), ["1 listed a typed"]);
    assert.deepEqual(lab.saved, [[77], [77, 1], [1, 77], [1]]);
  });

  test("what responses told of one account is not shown under another", async () => {
    const lab = await createLab([7]);
    await lab.respond(CHALLENGE);
    lab.store.take(responseOf("private/edit_api_key", key(3, "mine")));
    lab.fake.setState({ status: "off" });
    lab.fake.open(2);
    await lab.clock.settle();
    assert.deepEqual(lab.rows(), ["3 seen mine", "7 typed typed"]);
    lab.fake.setState(ready(3, { ...IDENTITY, clientId: "another", userId: 99 }));
    await lab.clock.settle();
    assert.deepEqual(lab.rows(), ["7 typed typed"]);
  });

  test("a missing scope is told without asking, and typed ids still stand", async () => {
    const clock = createFakeClock();
    const fake = createFakeStoreSession();
    const store = new ApiKeysStore({
      session: fake.session,
      clock,
      log: silentLog,
      ids: { load: () => [7], save: async () => await Promise.resolve() },
    });
    store.setVisible(true);
    fake.setState(ready(1, { ...IDENTITY, scope: "trade:read_write" }));
    await clock.settle();
    assert.equal(fake.reads.length, 0);
    assert.deepEqual(
      [store.snapshot.status, store.snapshot.failure, store.snapshot.items.size],
      ["failed", { kind: "missingScope", scope: "account:read" }, 1],
    );
    store.dispose();
    assert.equal(clock.pendingTimers, 0);
  });
});
