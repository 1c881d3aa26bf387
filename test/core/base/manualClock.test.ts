import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createManualClock } from "../../../src/base/manualClock.ts";

const START_MS = Date.UTC(2026, 10, 20);

describe("a clock that is moved by hand", () => {
  const nextTurn = async (): Promise<void> => await Promise.resolve();

  test("stands until it is moved, and runs what is due in its order, also what that arms", async () => {
    const clock = createManualClock(START_MS, nextTurn);
    const ran: (readonly [string, number])[] = [];
    const note = (name: string) => (): void => void ran.push([name, clock.now() - START_MS]);
    clock.after(20, note("later"));
    clock.after(10, () => {
      note("first")();
      clock.after(5, note("armed by the first"));
    });
    clock.after(10, note("second"));
    clock.after(15, note("disposed")).dispose();
    await nextTurn();
    assert.deepEqual([ran, clock.now()], [[], START_MS]);
    await clock.advance(19);
    assert.deepEqual(ran, [
      ["first", 10],
      ["second", 10],
      ["armed by the first", 15],
    ]);
    assert.deepEqual([clock.now() - START_MS, clock.monotonicMs()], [19, 19]);
    await clock.advance(1);
    assert.deepEqual(ran.at(-1), ["later", 20]);
  });
});
