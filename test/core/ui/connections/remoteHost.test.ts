import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Question } from "../../../../src/actions/intent/question.ts";
import type { ConnectionRecord } from "../../../../src/state/records.ts";
import { createSecretStore, type SecretStore } from "../../../../src/ui/connections/credentials.ts";
import { createHostConsent } from "../../../../src/ui/connections/remoteHost.ts";

const main: ConnectionRecord = {
  id: "main",
  name: "main",
  declared: "test",
  url: "wss://test.example/ws/api/v2",
  grant: "client_signature",
  clientId: "abc",
};

interface Place {
  readonly store: SecretStore;
  /** Keys that were asked of the editor's storage. */
  readonly reads: string[];
  readonly questions: Question[];
}

/** What the person's own computer keeps, shared by all places that look at it. */
function createComputer(): {
  readonly secrets: Map<string, string>;
  at(remoteName: string | undefined, hostName: string, response: boolean): Place;
} {
  const secrets = new Map<string, string>();
  const kept = new Map<string, unknown>();
  const state = {
    get: (key: string): unknown => kept.get(key),
    update: async (key: string, value: unknown): Promise<void> => {
      kept.set(key, value);
      await Promise.resolve();
    },
  };
  return {
    secrets,
    at(remoteName, hostName, response) {
      const reads: string[] = [];
      const questions: Question[] = [];
      const ask = async (question: Question): Promise<boolean> => {
        assert.deepEqual(reads, [], "asked after the secret was read");
        questions.push(question);
        return await Promise.resolve(response);
      };
      const store = createSecretStore({
        secrets: {
          async get(key) {
            reads.push(key);
            return await Promise.resolve(secrets.get(key));
          },
          store: async (key, value) => {
            secrets.set(key, value);
            await Promise.resolve();
          },
          delete: async (key) => {
            secrets.delete(key);
            await Promise.resolve();
          },
        },
        state,
        mask: () => undefined,
        host: createHostConsent({ remoteName, hostName, state, ask }),
      });
      return { store, reads, questions };
    },
  };
}

describe("stored secrets on another host", () => {
  test("are not read before consent; a no reads nothing, a yes counts for that host and connection alone", async () => {
    const computer = createComputer();
    await computer.at(undefined, "laptop", false).store.store(main, "s3cret-text");
    await computer.at(undefined, "laptop", false).store.store({ ...main, id: "desk" }, "other-text");

    const refused = computer.at("ssh-remote", "box", false);
    assert.equal(await refused.store.read(main), undefined);
    assert.deepEqual([refused.reads, refused.questions.length], [[], 1]);
    const [question] = refused.questions;
    assert.ok(question?.kind === "modal");
    assert.equal(question.message, "Send the stored secret of main to box (ssh-remote)?");

    const agreed = computer.at("ssh-remote", "box", true);
    assert.equal(await agreed.store.read(main), "s3cret-text");
    const again = computer.at("ssh-remote", "box", false);
    assert.equal(await again.store.read(main), "s3cret-text");
    assert.deepEqual(again.questions, []);

    for (const [place, record] of [
      [computer.at("ssh-remote", "box", false), { ...main, id: "desk" }],
      [computer.at("ssh-remote", "other", false), main],
      [computer.at("dev-container", "box", false), main],
    ] as const) {
      assert.equal(await place.store.read(record), undefined);
      assert.deepEqual([place.reads, place.questions.length], [[], 1]);
    }
  });

  test("what would need a question is not read quietly, nor to compare addresses, and there is none about what is not there", async () => {
    const computer = createComputer();
    await computer.at(undefined, "laptop", false).store.store(main, "s3cret-text");
    const place = computer.at("wsl", "box", true);
    assert.equal(await place.store.read(main, true), undefined);
    assert.equal(await place.store.otherOrigin({ ...main, url: "wss://evil.example/" }), undefined);
    assert.equal(await place.store.read({ ...main, id: "unknown" }), undefined);
    assert.deepEqual([place.reads, place.questions], [[], []]);
  });

  test("a secret that was entered there is known there: no consent is requested", async () => {
    const computer = createComputer();
    const typed = computer.at("codespaces", "box", false);
    await typed.store.store(main, "s3cret-text");
    assert.equal(await typed.store.read(main), "s3cret-text");
    await typed.store.remember({ ...main, id: "desk" }, "for-now-only");
    assert.equal(await typed.store.read({ ...main, id: "desk" }), "for-now-only");
    assert.deepEqual(typed.questions, []);
  });

  test("on the user's own computer no consent is requested", async () => {
    const computer = createComputer();
    const place = computer.at(undefined, "laptop", false);
    await place.store.store(main, "s3cret-text");
    assert.equal(await place.store.read(main), "s3cret-text");
    assert.deepEqual(place.questions, []);
  });
});
