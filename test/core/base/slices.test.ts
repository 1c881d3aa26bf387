import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allAtOnce, inSlices, type Steps } from "../../../src/base/slices.ts";
import { createFakeClock } from "../../fakeClock.ts";

/** Each step takes 4 ms; a slice has room for three of them. The third and the fifth have something to show. */
function* steps(clock: ReturnType<typeof createFakeClock>, done: number[]): Steps<string> {
  for (let step = 1; step <= 8; step++) {
    clock.sleep(4, "runs");
    done.push(step);
    yield step === 3 || step === 5 ? () => `at ${String(done.length)}` : undefined;
  }
  return "all";
}

describe("work in slices", () => {
  test("lets other things happen between slices, and shows what is found at the end of each", async () => {
    const clock = createFakeClock();
    const done: number[] = [];
    const shown: string[] = [];
    const work = inSlices(clock, steps(clock, done), (found) => shown.push(`${found} after ${String(done.length)}`));
    assert.deepEqual([done.length, shown, work.isDone], [3, ["at 3 after 3"], false]);
    const other: number[] = [];
    clock.after(0, () => other.push(done.length));
    await clock.advance(100);
    assert.deepEqual(shown, ["at 3 after 3", "at 6 after 6", "all after 8"]);
    assert.deepEqual([other, work.isDone, clock.pendingTimers], [[6], true, 0]);
  });

  test("that is disposed of does nothing more", async () => {
    const clock = createFakeClock();
    const done: number[] = [];
    const shown: string[] = [];
    const work = inSlices(clock, steps(clock, done), (found) => shown.push(found));
    work.dispose();
    await clock.advance(100);
    assert.deepEqual([done.length, shown, work.isDone, clock.pendingTimers], [3, ["at 3"], false, 0]);
  });

  test("that fits into one slice is done at once", () => {
    const clock = createFakeClock();
    const shown: string[] = [];
    const quick = function* (): Steps<string> {
      yield () => "never shown";
      return "all";
    };
    assert.equal(inSlices(clock, quick(), (found) => shown.push(found)).isDone, true);
    assert.deepEqual([shown, clock.pendingTimers], [["all"], 0]);
    assert.equal(allAtOnce(quick()), "all");
  });
});
