import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutOf, toldBy, whyNotSent } from "../../../../src/actions/changes/changes.ts";
import { knownMethods } from "../../../../src/catalogue/index.ts";

test("each change of orders, keys, limits and quotes is told by something that is read, and no reading is", () => {
  const told = knownMethods().filter(({ name }) => toldBy(name) !== "nobody");
  assert.equal(told.length, 15);
  assert.ok(told.every(({ effect }) => effect !== "read" && effect !== "session"));
  for (const name of ["public/exchange_token", "private/buy", "private/invented", "toString"])
    assert.equal(toldBy(name), "nobody");
});

test("what acts on the session is not sent but for the switch of the account, and all else is", () => {
  const unsent = knownMethods().filter(({ name }) => whyNotSent(name) !== undefined);
  assert.deepEqual(
    unsent.map(({ name }) => name),
    knownMethods().flatMap(({ name, effect }) => (effect === "session" && aboutOf(name) !== "account" ? [name] : [])),
  );
  assert.equal(whyNotSent("toString"), undefined);
});
