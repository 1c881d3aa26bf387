import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { NO_FILTER, ORDERS_FILTER } from "../../../../src/present/orders/ordersFilter.ts";
import { TEXT_FILTER } from "../../../../src/present/rows/viewFilter.ts";
import { createSavedFilters, type SavedFilters } from "../../../../src/ui/tree/filterPicks.ts";
import { createPaneFilter } from "../../../../src/ui/tree/viewFilters.ts";
import { pluck } from "../../../pluck.ts";

/* Filters with a name, and the one that a view has. */

function world(kept?: unknown): { readonly saved: SavedFilters; readonly stored: () => unknown } {
  let value = kept;
  const state = {
    get: () => value,
    update: async (_key: string, next: unknown) => {
      value = JSON.parse(JSON.stringify(next));
      await Promise.resolve();
    },
  };
  return { saved: createSavedFilters(state), stored: () => value };
}

describe("saved filters", () => {
  test("are of their view, in the order in which they were saved, each name once", async () => {
    const { saved, stored } = world();
    const mine = { ...NO_FILTER, text: "mm-1 eth" };
    await saved.save("orders", { name: "mine", filter: mine });
    await saved.save("orders", { name: "stops", filter: { ...NO_FILTER, type: "stop_all" } });
    await saved.save("quotes", { name: "mine", filter: { text: "zoe" } });
    await saved.save("orders", { name: "mine", filter: { ...mine, kind: "option" } });
    assert.deepEqual(saved.of("orders", ORDERS_FILTER), [
      { name: "stops", filter: { ...NO_FILTER, type: "stop_all" } },
      { name: "mine", filter: { ...mine, kind: "option" } },
    ]);
    assert.deepEqual(saved.of("quotes", TEXT_FILTER), [{ name: "mine", filter: { text: "zoe" } }]);
    assert.deepEqual(saved.of("apiKeys", TEXT_FILTER), []);
    // Nothing is kept but what was typed and chosen.
    assert.deepEqual(stored(), {
      orders: [
        { name: "stops", filter: { type: "stop_all", text: "" } },
        { name: "mine", filter: { kind: "option", type: "all", text: "mm-1 eth" } },
      ],
      quotes: [{ name: "mine", filter: { text: "zoe" } }],
    });
    await saved.forget("orders", "mine");
    assert.deepEqual(pluck(saved.of("orders", ORDERS_FILTER), "name"), ["stops"]);
    assert.deepEqual(pluck(saved.of("quotes", TEXT_FILTER), "name"), ["mine"]);
  });

  test("the oldest of more than fifty goes", async () => {
    const { saved } = world();
    for (let index = 0; index < 52; index++) await saved.save("orders", { name: String(index), filter: NO_FILTER });
    assert.deepEqual([saved.of("orders", ORDERS_FILTER).length, saved.of("orders", ORDERS_FILTER)[0]?.name], [50, "2"]);
  });

  for (const kept of [
    "text",
    null,
    7,
    { orders: "mine" },
    { orders: [null, 7, { name: 1, filter: {} }, { name: "x" }] },
    { orders: [{ name: "later", filter: { text: "", type: "every" } }] },
  ]) {
    test(`invalid entries in the storage are ignored: ${JSON.stringify(kept)}`, async () => {
      const { saved } = world(kept);
      assert.deepEqual(saved.of("orders", ORDERS_FILTER), []);
      await saved.save("orders", { name: "new", filter: NO_FILTER });
      assert.deepEqual(pluck(saved.of("orders", ORDERS_FILTER), "name"), ["new"]);
    });
  }

  test("one that this version does not understand stays for the version that does", async () => {
    const { saved, stored } = world({ orders: [{ name: "later", filter: { text: "", type: "every" } }] });
    await saved.save("orders", { name: "new", filter: NO_FILTER });
    assert.equal((stored() as { readonly orders: readonly unknown[] }).orders.length, 2);
  });
});

describe("the filter of a view", () => {
  test("says beside the title what it hides by, and keeps its context key", () => {
    const keys: string[] = [];
    const filter = createPaneFilter(
      "orders",
      { rules: ORDERS_FILTER, words: () => ({ title: plain`Filter Orders`, placeholder: plain`Filter by label` }) },
      (name, value) => void keys.push(`${name} ${String(value)}`),
    );
    const heard: string[] = [];
    filter.onDidChange(({ text }) => void heard.push(text));
    assert.deepEqual([filter.note, filter.value], ["", NO_FILTER]);
    filter.set({ ...NO_FILTER, kind: "spot", text: "sol" });
    assert.equal(filter.note, "filter: spot · sol");
    filter.set({ ...NO_FILTER, text: "  " });
    assert.equal(filter.note, "");
    assert.deepEqual(keys, ["orders.isFiltered false", "orders.isFiltered true", "orders.isFiltered false"]);
    assert.deepEqual(heard, ["sol", "  "]);
  });
});
