import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethods } from "../../../src/catalogue/index.ts";
import { hasKeys, isChallenge } from "../../../src/catalogue/keyResponses.ts";

describe("responses about API keys", () => {
  test("come from eight methods", () => {
    const telling = allMethods().filter(({ name }) => hasKeys(name, {}));
    assert.equal(telling.length, 8);
    assert.ok(telling.every(({ name }) => /_api_key/.test(name)));
  });

  const challenges: readonly (readonly [unknown, boolean])[] = [
    [{ security_key_authorization_required: true, challenge: "c" }, true],
    [{ security_key_authorization_required: 1 }, true],
    [{ id: 1, security_key_authorization_required: false }, false],
    [{ id: 1 }, false],
    ["ok", false],
    [null, false],
  ];
  for (const [result, expected] of challenges)
    test(`${JSON.stringify(result)} ${expected ? "asks" : "does not ask"} for a second factor`, () => {
      assert.equal(isChallenge(result), expected);
      assert.equal(hasKeys("private/edit_api_key", result), !expected);
    });
});
