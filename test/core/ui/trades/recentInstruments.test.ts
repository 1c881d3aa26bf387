import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createRecentInstruments, type RecentInstruments } from "../../../../src/ui/trades/recentInstruments.ts";

/* Instruments that were chosen before, kept by connection. */

describe("recent instruments", () => {
  const world = (
    kept: unknown,
    ids: readonly string[] = ["main", "desk"],
  ): { readonly recent: RecentInstruments; readonly stored: () => unknown } => {
    let value = kept;
    const state = {
      get: () => value,
      update: async (_key: string, next: unknown) => {
        value = next;
        await Promise.resolve();
      },
    };
    const connections = { find: (id: string) => (ids.includes(id) ? {} : undefined) };
    return {
      recent: createRecentInstruments(
        state as unknown as Parameters<typeof createRecentInstruments>[0],
        connections as unknown as Parameters<typeof createRecentInstruments>[1],
      ),
      stored: () => value,
    };
  };

  test("the last one comes first, each once, ten at most, of each connection its own", async () => {
    const { recent } = world(undefined);
    for (let index = 0; index < 12; index++) await recent.add("main", `BTC-${String(index)}`);
    await recent.add("main", "BTC-5");
    await recent.add("desk", "ETH-PERPETUAL");
    assert.deepEqual(recent.of("main"), [
      "BTC-5",
      "BTC-11",
      "BTC-10",
      "BTC-9",
      "BTC-8",
      "BTC-7",
      "BTC-6",
      "BTC-4",
      "BTC-3",
      "BTC-2",
    ]);
    assert.deepEqual(recent.of("desk"), ["ETH-PERPETUAL"]);
    assert.deepEqual(recent.of("other"), []);
  });

  test("what belongs to a forgotten connection goes with the next change", async () => {
    const { recent, stored } = world({ gone: ["X"], desk: ["Y"] });
    await recent.add("main", "Z");
    assert.deepEqual(stored(), { desk: ["Y"], main: ["Z"] });
  });

  for (const kept of ["text", null, { main: "BTC" }, { main: [7, "BTC", null] }]) {
    test(`invalid entries in the storage are ignored: ${JSON.stringify(kept)}`, () => {
      assert.deepEqual(world(kept).recent.of("main"), JSON.stringify(kept).includes("7") ? ["BTC"] : []);
    });
  }
});
