import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ConnectionRecord } from "../../../../src/state/records.ts";
import { connectionOfSecret, createSecretStore, type SecretStore } from "../../../../src/ui/connections/credentials.ts";
import type { HostConsent } from "../../../../src/ui/connections/remoteHost.ts";

interface Tried {
  readonly store: SecretStore;
  readonly secrets: Map<string, string>;
  readonly masked: string[];
}

/** The person's own computer. */
const OWN: HostConsent = {
  mayRead: async () => await Promise.resolve(true),
  typedHere: async () => await Promise.resolve(),
};

function tryIt(
  options: {
    readonly keeps?: boolean;
    readonly secrets?: Map<string, string>;
    readonly state?: Map<string, unknown>;
    readonly host?: HostConsent;
  } = {},
): Tried {
  const { keeps = true, secrets = new Map<string, string>(), state = new Map<string, unknown>(), host = OWN } = options;
  const masked: string[] = [];
  const store = createSecretStore({
    secrets: {
      get: async (key) => await Promise.resolve(secrets.get(key)),
      store: async (key, value) => {
        if (keeps) secrets.set(key, value);
        await Promise.resolve();
      },
      delete: async (key) => {
        secrets.delete(key);
        await Promise.resolve();
      },
    },
    state: {
      get: (key) => state.get(key),
      update: async (key, value) => {
        state.set(key, value);
        await Promise.resolve();
      },
    },
    mask: (secret) => {
      masked.push(secret);
    },
    host,
  });
  return { store, secrets, masked };
}

const main: ConnectionRecord = {
  id: "main",
  name: "main",
  declared: "test",
  url: "wss://test.example/ws/api/v2",
  grant: "client_signature",
  clientId: "abc",
};

describe("secrets of connections", () => {
  test("a stored secret is found again by another window", async () => {
    const secrets = new Map<string, string>();
    const state = new Map<string, unknown>();
    await tryIt({ secrets, state }).store.store(main, "s3cret-text");
    assert.equal(await tryIt({ secrets, state }).store.read(main), "s3cret-text");
  });

  test("a secret is offered to no other scheme, host or port, but to another path of the same", async () => {
    const { store } = tryIt();
    await store.store(main, "s3cret-text");
    await store.remember({ ...main, id: "desk" }, "other-text");
    for (const url of [
      "wss://test.example.evil/ws/api/v2",
      "wss://test.example:444/ws/api/v2",
      "ws://test.example/ws/api/v2",
      "wss://test.example./ws/api/v2",
    ]) {
      assert.equal(await store.read({ ...main, url }), undefined, url);
      assert.equal(await store.read({ ...main, id: "desk", url }), undefined, url);
    }
    assert.equal(await store.read({ ...main, url: "wss://TEST.example:443/other" }), "s3cret-text");
  });

  test("a record whose address was changed from outside: its secret stays, and it is told for which server it was stored", async () => {
    const { store } = tryIt();
    await store.store(main, "s3cret-text");
    const moved = { ...main, url: "wss://evil.example/ws/api/v2" };
    assert.equal(await store.read(moved), undefined);
    assert.equal(await store.otherOrigin(moved), "wss://test.example");
    assert.equal(await store.otherOrigin(main), undefined);
    assert.equal(await store.otherOrigin({ ...moved, id: "unknown" }), undefined);
  });

  test("a secret for this window alone never reaches the storage, and replaces a stored one there", async () => {
    const { store, secrets } = tryIt();
    await store.store(main, "s3cret-text");
    await store.remember(main, "for-now-only");
    assert.equal(await store.read(main), "for-now-only");
    assert.deepEqual([...secrets], []);
  });

  test("a new secret is kept where the one before it is", async () => {
    const { store, secrets } = tryIt();
    await store.replace(main, "s3cret-text");
    assert.deepEqual([await store.read(main), secrets.size], ["s3cret-text", 1]);
    await store.remember(main, "for-now-only");
    await store.replace(main, "for-now-too");
    assert.deepEqual([await store.read(main), secrets.size], ["for-now-too", 0]);
  });

  test("a storage that does not keep what it took is refused, and nothing is left", async () => {
    const { store, secrets } = tryIt({ keeps: false });
    await assert.rejects(store.store(main, "s3cret-text"), {
      name: "CallError",
      failure: {
        kind: "refused",
        reason: "VS Code didn't keep the secret. Connect again and select Keep Until This Window Closes.",
      },
    });
    assert.deepEqual([...secrets], []);
    assert.equal(await store.read(main), undefined);
  });

  test("forgetting deletes what is stored and remembered for that connection, and nothing of others, also where no record of theirs can be read", async () => {
    const state = new Map<string, unknown>();
    const { store, secrets } = tryIt({ state });
    await store.store(main, "s3cret-text");
    await store.store({ ...main, id: "ofLaterVersion" }, "other-secret");
    await store.store({ ...main, id: "old" }, "old-secret");
    await store.remember({ ...main, id: "older" }, "older-secret");
    await store.remember({ ...main, id: "young" }, "young-secret");
    await store.remove("old");
    await store.remove("older");
    assert.deepEqual([...secrets.keys()], ["tradingRpc.secret.main", "tradingRpc.secret.ofLaterVersion"]);
    assert.deepEqual(state.get("tradingRpc.secretIds"), ["main", "ofLaterVersion"]);
    assert.equal(await store.read({ ...main, id: "old" }), undefined);
    assert.equal(await store.read({ ...main, id: "older" }), undefined);
    assert.equal(await store.read({ ...main, id: "young" }), "young-secret");
    assert.equal(await store.read(main), "s3cret-text");
  });

  test("each secret is masked before anyone can use it", async () => {
    const { store, secrets, masked } = tryIt();
    await store.store(main, "s3cret-text");
    const later = tryIt({ secrets });
    await later.store.read(main);
    assert.deepEqual([masked, later.masked], [["s3cret-text"], ["s3cret-text"]]);
  });

  test("what does not match the pattern in the storage counts as nothing", async () => {
    for (const text of [
      "",
      "s3cret-text",
      "null",
      "[]",
      '{"secret":"s3cret-text"}',
      '{"origin":1,"secret":"s3cret-text"}',
      '{"origin":"wss://test.example","secret":5}',
      '{"origin":"wss://test.example"}',
    ]) {
      const { store } = tryIt({ secrets: new Map([["tradingRpc.secret.main", text]]) });
      assert.equal(await store.read(main), undefined, text);
      assert.equal(await store.otherOrigin(main), undefined, text);
    }
  });

  test("the list of those that are stored names them and no others", async () => {
    const state = new Map<string, unknown>([["tradingRpc.secretIds", ["kept", 5]]]);
    const { store } = tryIt({ state });
    await store.store(main, "s3cret-text");
    await store.store(main, "s3cret-text");
    assert.deepEqual(state.get("tradingRpc.secretIds"), ["kept", "main"]);
    await store.remember(main, "for-now-only");
    assert.deepEqual(state.get("tradingRpc.secretIds"), ["kept"]);
    await store.remember({ ...main, id: "desk" }, "other-text");
    await store.remove("kept");
    assert.deepEqual(state.get("tradingRpc.secretIds"), []);
    assert.equal(await store.read({ ...main, id: "desk" }), "other-text");
  });

  test("a list that is none is an empty one", async () => {
    const state = new Map<string, unknown>([["tradingRpc.secretIds", "main"]]);
    await tryIt({ state }).store.store(main, "s3cret-text");
    assert.deepEqual(state.get("tradingRpc.secretIds"), ["main"]);
  });

  test("a storage that cannot be used is not touched by a secret for this window alone", async () => {
    const { store } = tryIt({
      secrets: Object.assign(new Map<string, string>(), { delete: () => assert.fail("deleted") }),
    });
    await store.remember(main, "for-now-only");
    assert.equal(await store.read(main), "for-now-only");
  });

  test("a key of the storage names its connection, any other key none", () => {
    assert.deepEqual(
      ["tradingRpc.secret.main", "tradingRpc.secretIds", "main", "x.tradingRpc.secret."].map(connectionOfSecret),
      ["main", undefined, undefined, undefined],
    );
  });
});
