import { expect, it } from "vitest";
import { scheduleOf } from "../../../src/simulator/library/faultSchedule.ts";
import { readFaults } from "../../../src/simulator/wire/faultFile.ts";

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);

it("has faults that a file could have, for every seed", () => {
  const counts = SEEDS.map((seed) => readFaults({ seed, faults: scheduleOf(seed) }).faults.length);
  expect([Math.min(...counts), Math.max(...counts)]).toEqual([2, 4]);
});

it("is the same for a seed, and another one for another seed", () => {
  expect(scheduleOf(7)).toEqual(scheduleOf(7));
  expect(new Set(SEEDS.map((seed) => JSON.stringify(scheduleOf(seed)))).size).toBe(SEEDS.length);
});

it("has each fault of orders within ten seeds", () => {
  const first = SEEDS.slice(0, 10).map((seed) => scheduleOf(seed)[0]?.do);
  expect(first.toSorted()).toEqual([
    ...["badGateway", "cut", "cut", "deadToken", "delay", "drop", "error"],
    ...["settlement", "skipChangeId", "tooManyRequests"],
  ]);
});
