import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createSortedMap } from "../../../src/exchange/book/sortedMap.ts";
import { createSeededRandom, randomInteger } from "../../../src/simulator/text/seededRandom.ts";

describe("a map in ascending order", () => {
  test("has what was added and not removed, lowest first", () => {
    const random = createSeededRandom(5);
    const map = createSortedMap<string>();
    const keys = new Set<number>();
    for (let step = 0; step < 3000; step += 1) {
      const key = randomInteger(random, -200, 200);
      if (!keys.has(key)) {
        map.add(key, `value ${String(key)}`);
        keys.add(key);
      } else if (random() < 0.7) {
        map.remove(key);
        keys.delete(key);
      }
      const sorted = [...keys].sort((one, other) => one - other).map((each) => `value ${String(each)}`);
      assert.deepEqual([map.size, map.first(), [...map.values()]], [sorted.length, sorted[0], sorted]);
      assert.equal(map.get(key), keys.has(key) ? `value ${String(key)}` : undefined);
    }
  });

  test("removes nothing that is not there", () => {
    const map = createSortedMap<number>();
    map.remove(1);
    map.add(1, 10);
    map.remove(2);
    assert.deepEqual([...map.values()], [10]);
  });

  test("a value may be removed while it is the current one", () => {
    const map = createSortedMap<number>();
    for (let key = 0; key < 50; key += 1) map.add(key, key);
    const seen: number[] = [];
    for (const value of map.values()) {
      seen.push(value);
      map.remove(value);
    }
    assert.deepEqual([seen.length, map.size], [50, 0]);
  });
});
