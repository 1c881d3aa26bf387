import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createLatestMap, keepLatest } from "../../../src/exchange/keepLatest.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Numbers stand for moments. */
const timeOf = (atMs: number): number => atMs;

function kept(times: readonly number[], most: number): { list: number[]; map: number[] } {
  const list: number[] = [];
  const map = createLatestMap(most, timeOf);
  for (const at of times) {
    keepLatest(list, at, most, timeOf);
    map.set(String(at), at);
  }
  return { list, map: [...map.values()] };
}

describe("what is kept", () => {
  test("the last ones stay, up to twice as many in a list", () => {
    const times = Array.from({ length: 5001 }, (_, index) => index);
    const { list, map } = kept(times, 2500);
    assert.deepEqual([list.length, list[0], list.at(-1)], [2500, 2501, 5000]);
    assert.deepEqual([map.length, map[0], map.at(-1)], [2500, 2501, 5000]);
  });

  test("of more than two days ago the last 1,000 stay", () => {
    const hourly = Array.from({ length: 900 }, (_, index) => index * HOUR_MS);
    assert.equal(kept(hourly, 10_000).list.length, 900);
    assert.equal(kept(hourly, 10_000).map.length, 900);
    const often = Array.from({ length: 8000 }, (_, index) => index * 60_000);
    const { list, map } = kept(often, 10_000);
    const newest = often.at(-1) ?? 0;
    assert.ok((list[0] ?? 0) >= newest - 2 * DAY_MS - HOUR_MS, "within the hour");
    assert.ok(list.includes(newest - 2 * DAY_MS + HOUR_MS), "all of two days");
    assert.equal(map[0], newest - 2 * DAY_MS);
    const rare = [...often, newest + 30 * DAY_MS];
    assert.equal(kept(rare, 10_000).list.length, 1000);
    assert.equal(kept(rare, 10_000).map.length, 1000);
  });

  test("an entry that is set again keeps its place", () => {
    const map = createLatestMap(2, timeOf);
    for (const key of ["a", "b", "a", "c"]) map.set(key, 1);
    assert.deepEqual([map.get("a"), map.get("b"), map.get("c")], [undefined, 1, 1]);
  });
});
