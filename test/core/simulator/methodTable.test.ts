import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethodFacts } from "../../../src/catalogue/describe.ts";
import { isOfferedAt } from "../../../src/catalogue/offer.ts";
import { methodRole, refusedReason } from "../../../src/simulator/methods/methodTable.ts";
import { createSituation } from "./conversation.ts";

/* What the simulator makes of each method: the table, the catalogue, and the handlers agree. */

const facts = allMethodFacts();

describe("the table of methods", () => {
  test("says of at least 70 reads and 40 changes that they follow from the state", () => {
    const ledger = facts.filter(({ name }) => methodRole(name) === "ledger");
    const count = (isWanted: (effect: string) => boolean): number =>
      ledger.filter(({ effect }) => isWanted(effect)).length;
    assert.ok(count((effect) => effect === "read") >= 70);
    assert.ok(count((effect) => effect !== "read" && effect !== "session") >= 40);
  });

  test("agrees with what the simulator does: a refused method says why, every other one is there", async () => {
    const { clock, exchange } = createSituation();
    for (const { name } of facts) {
      const client = createSituation({ clock }).connect();
      await client.signIn();
      // Without parameters most calls are refused for that alone, which shows that they are there.
      await client.send(JSON.stringify({ jsonrpc: "2.0", id: 7, method: name, params: {} }));
      const text = client.received.find((each) => each.startsWith('{"jsonrpc":"2.0","id":7,')) ?? "{}";
      const { error } = JSON.parse(text) as { error?: { code: number; data?: { reason?: string } } };
      const reason = refusedReason(name);
      if (!isOfferedAt(name, "native")) assert.equal(error?.code, -32_601, name);
      else if (reason !== undefined) assert.deepEqual([error?.code, error?.data?.reason], [13_503, reason], name);
      // -32603 is what a call without a handler ends as.
      else assert.ok(error?.code !== -32_601 && error?.code !== -32_603, name);
      client.close();
    }
    exchange.dispose();
  });
});
