import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError } from "../../../../src/base/failure.ts";
import type { ConnectionRecord } from "../../../../src/state/records.ts";
import {
  createSecretStore,
  type SecretStore,
  type SecretStorePorts,
} from "../../../../src/ui/connections/credentials.ts";
import { createEditorSecrets, SECRETS_TIMEOUT_MS } from "../../../../src/ui/connections/editorSecrets.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";

/* F105: the editor's encrypted storage refuses, hangs, has lost what it kept, or hands out something else. */

const SECRET = "s3cret-text";
const main: ConnectionRecord = {
  id: "main",
  name: "main",
  declared: "test",
  url: "wss://test.example/ws/api/v2",
  grant: "client_signature",
  clientId: "abc",
};

interface Tried {
  readonly store: SecretStore;
  readonly clock: FakeClock;
  readonly kept: Map<string, string>;
  /** Everything that was written beside the encrypted storage. */
  readonly state: Map<string, unknown>;
}

type Storage = SecretStorePorts["secrets"];

function tryIt(odd: Partial<Storage>): Tried {
  const clock = createFakeClock();
  const kept = new Map([["tradingRpc.secret.main", JSON.stringify({ origin: "wss://test.example", secret: SECRET })]]);
  const state = new Map<string, unknown>([["tradingRpc.secretIds", ["main"]]]);
  const whole: Storage = {
    get: async (key) => await Promise.resolve(kept.get(key)),
    store: async (key, value) => {
      await Promise.resolve(kept.set(key, value));
    },
    delete: async (key) => {
      await Promise.resolve(kept.delete(key));
    },
  };
  const store = createSecretStore({
    secrets: createEditorSecrets({ ...whole, ...odd }, clock),
    state: {
      get: (key) => state.get(key),
      update: async (key, value) => {
        await Promise.resolve(state.set(key, value));
      },
    },
    mask: () => undefined,
    host: { mayRead: async () => await Promise.resolve(true), typedHere: async () => await Promise.resolve() },
  });
  return { store, clock, kept, state };
}

const sentence = (why: string): string =>
  `VS Code's secret storage can't be used: ${why}. Unlock the keyring of this computer and try again. Or use Edit Connection…, enter the secret, and select Keep Until This Window Closes. Secrets are not saved anywhere else.`;

/** What is thrown, in words. */
async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.failure.kind === "refused") return thrown.failure.reason;
    throw thrown;
  }
  return "nothing was thrown";
}

const locked = async (): Promise<never> => await Promise.reject(new Error("the keyring is locked"));
const hangs = async (): Promise<never> => await new Promise<never>(() => undefined);

describe("F105 a secret storage that does not do what it should", () => {
  test("F105 reject: reading and storing say why, and the secret is written nowhere else", async () => {
    const { store, state, clock } = tryIt({ get: locked, store: locked, delete: locked });
    assert.equal(await refusal(store.read(main)), sentence("the keyring is locked"));
    assert.equal(await refusal(store.store(main, SECRET)), sentence("the keyring is locked"));
    assert.ok(!JSON.stringify([...state]).includes(SECRET));
    assert.equal(clock.pendingTimers, 0);
  });

  test("F105 hang: given up after ten seconds, with the same way out", async () => {
    const { store, clock, state } = tryIt({ get: hangs, store: hangs });
    const responses = [refusal(store.read(main)), refusal(store.store(main, SECRET))];
    const isSettled: boolean[] = [];
    for (const each of responses) void each.then(() => isSettled.push(true));
    await clock.advance(SECRETS_TIMEOUT_MS - 1);
    assert.deepEqual(isSettled, []);
    await clock.advance(1);
    assert.deepEqual(await Promise.all(responses), [
      sentence("it didn't respond within 10 s"),
      sentence("it didn't respond within 10 s"),
    ]);
    assert.ok(!JSON.stringify([...state]).includes(SECRET));
    assert.equal(clock.pendingTimers, 0);
  });

  test("F105 reject, and the person chooses This Window Only for a connection that had none: it works without the storage", async () => {
    const { store } = tryIt({ get: locked, store: locked, delete: locked });
    const other = { ...main, id: "other" };
    await store.remember(other, "for-now-only");
    assert.equal(await store.read(other), "for-now-only");
  });

  test("F105 undefined: there is no secret, so that the user is asked for it", async () => {
    const { store } = tryIt({ get: async () => await Promise.resolve(undefined) });
    assert.equal(await store.read(main), undefined);
  });

  for (const [name, text] of [
    ["of another address", JSON.stringify({ origin: "wss://evil.example", secret: SECRET })],
    ["that is no record", "s3cret-text"],
    ["empty", ""],
  ] as const) {
    test(`F105 other: a text ${name} counts as none`, async () => {
      const { store } = tryIt({ get: async () => await Promise.resolve(text) });
      assert.equal(await store.read(main), undefined);
    });
  }

  test("F105 other: what was stored comes back as something else: refused, and deleted again", async () => {
    const { store, kept, state } = tryIt({
      get: async () =>
        await Promise.resolve(JSON.stringify({ origin: "wss://test.example", secret: "someone else's" })),
    });
    assert.equal(
      await refusal(store.store(main, SECRET)),
      "VS Code didn't keep the secret. Connect again and select Keep Until This Window Closes.",
    );
    assert.deepEqual([[...kept], state.get("tradingRpc.secretIds")], [[], []]);
  });

  test("F105 words of the keyring are data", async () => {
    const { store } = tryIt({ get: async () => await Promise.reject(new Error("\u202Elocked\u0007\n[x](command:y)")) });
    assert.doesNotMatch(await refusal(store.read(main)), /[\u0000-\u001f\u202e]/);
  });
});
