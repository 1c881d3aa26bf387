import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Changed } from "../../../src/base/failure.ts";
import { changedSince, identityKey, type Situation } from "../../../src/actions/intent/situation.ts";
import { DEFAULT_IDENTITY } from "./fakeSession.ts";

const ASKED: Situation = {
  generation: 3,
  identity: "a",
  environment: "production",
  connectionName: "desk",
  areChangesAllowed: true,
  tradingLimitUsd: 1000,
};

describe("a consent", () => {
  test("holds while nothing changes", () => assert.equal(changedSince(ASKED, { ...ASKED }), undefined));
  const changes: readonly (readonly [Partial<Situation>, Changed])[] = [
    [{ generation: 4 }, "connection"],
    [{ generation: undefined }, "connection"],
    [{ generation: undefined, identity: undefined }, "connection"],
    [{ identity: undefined }, "connection"],
    [{ identity: "b" }, "account"],
    [{ generation: 4, identity: "b" }, "account"],
    [{ generation: 4, environment: "test" }, "environment"],
    [{ connectionName: "main" }, "name"],
    [{ areChangesAllowed: false }, "permission"],
    [{ tradingLimitUsd: undefined }, "trading"],
    [{ tradingLimitUsd: 999 }, "trading"],
  ];
  for (const [change, changed] of changes)
    test(`is void with ${JSON.stringify(change)}`, () =>
      assert.equal(changedSince(ASKED, { ...ASKED, ...change }), changed));
  test("holds when more is allowed than before", () =>
    assert.equal(changedSince({ ...ASKED, areChangesAllowed: false, tradingLimitUsd: 999 }, ASKED), undefined));
});

describe("an identity", () => {
  const same = identityKey(DEFAULT_IDENTITY);
  test("is the same with the scope in another order", () =>
    assert.equal(identityKey({ ...DEFAULT_IDENTITY, scope: "connection" }), same));
  test("is another with another key", () =>
    assert.notEqual(identityKey({ ...DEFAULT_IDENTITY, clientId: "key-2" }), same));
  test("is as it always was for the key's own account, because runs of before are compared with it", () =>
    assert.equal(same, '["key","key-1"]'));
  test("is another as a sub-account, and another for each of them, whatever their names", () => {
    const [one, renamed, other] = [
      { id: 1, name: "a" },
      { id: 1, name: undefined },
      { id: 2, name: "a" },
    ].map((subject) => identityKey({ ...DEFAULT_IDENTITY, subject }));
    assert.equal(one, renamed);
    assert.equal(new Set([same, one, other]).size, 3);
  });
  test("is another without a key", () =>
    assert.notEqual(identityKey({ ...DEFAULT_IDENTITY, authentication: "none", clientId: undefined }), same));
});
