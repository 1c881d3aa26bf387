import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { isOfferedAt } from "../../src/catalogue/offer.ts";
import { describe, test } from "vitest";
import { allMethods, effectOf, neededScopes, type Effect } from "../../src/catalogue/index.ts";

/* The catalogue beside the collected facts about the exchange's methods, which are outside the repository. */

const FACTS = path.resolve("../shared/exchange/api/methods.json");

/** Where the catalogue decides otherwise, and on purpose. */
const DECIDED: Readonly<Record<string, Effect>> = {
  "public/hello": "read",
  "private/enable_cancel_on_disconnect": "write",
  "private/disable_cancel_on_disconnect": "write",
  "private/cancel_withdrawal": "write",
  "private/cancel_transfer_by_id": "write",
  "private/reject_block_trade": "write",
  "private/invalidate_block_trade_signature": "write",
  "private/mass_quote": "mass",
};

/** The facts are those of the exchange itself. */
const isNative = (name: string): boolean => isOfferedAt(name, "native");

describe.skipIf(!fs.existsSync(FACTS))("the collected methods", () => {
  const facts = (): Readonly<Record<string, { readonly effect: Effect; readonly scope: string | null }>> =>
    JSON.parse(fs.readFileSync(FACTS, "utf8")) as never;

  test("all are known, and no others", () => {
    const found = allMethods()
      .map(({ name }) => name)
      .filter(isNative)
      .sort();
    assert.deepEqual(found, Object.keys(facts()).sort());
  });

  test("with their effects", () => {
    for (const [name, { effect }] of Object.entries(facts()))
      assert.equal(effectOf(name), DECIDED[name] ?? effect, name);
  });

  test("with their scopes, where the result is a hint", () => {
    const all = facts();
    for (const { name } of allMethods().filter(({ isHinted, name }) => isHinted && isNative(name))) {
      // Public methods are open to everybody, whatever a page says.
      const scope = name.startsWith("public/") ? "" : (all[name]?.scope ?? "").replace(" and mainaccount", "");
      assert.equal(neededScopes(name, {}).join(), scope, name);
    }
  });
});
