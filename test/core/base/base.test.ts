import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createCoalescer } from "../../../src/base/coalesce.ts";
import { createSystemClock } from "../../../src/base/clock.ts";
import { createEmitter, DisposableList } from "../../../src/base/emitter.ts";
import { createFakeClock } from "../../fakeClock.ts";

describe("emitter", () => {
  test("a listener that throws does not keep the others from hearing", () => {
    const heard: string[] = [];
    const emitter = createEmitter<string>();
    emitter.event(() => {
      throw new Error("mine");
    });
    emitter.event((value) => heard.push(value));
    assert.throws(() => {
      emitter.fire("a");
    }, /mine/);
    assert.deepEqual(heard, ["a"]);
  });

  test("disposing takes exactly that listener away, also while firing", () => {
    const heard: number[] = [];
    const emitter = createEmitter<number>();
    const listener = (value: number): void => {
      heard.push(value);
    };
    const first = emitter.event(listener);
    emitter.event(listener);
    first.dispose();
    first.dispose();
    emitter.fire(1);
    assert.deepEqual(heard, [1]);
  });
});

test("what is added to a disposed list is disposed at once", () => {
  const gone: string[] = [];
  const list = new DisposableList();
  list.add({ dispose: () => gone.push("early") });
  list.add({ dispose: () => gone.push("last in, first out") });
  list.dispose();
  list.dispose();
  list.add({ dispose: () => gone.push("late") });
  assert.deepEqual(gone, ["last in, first out", "early", "late"]);
});

test("many requests make one call a window, and the last one is never lost", async () => {
  const clock = createFakeClock();
  const calls: number[] = [];
  const coalescer = createCoalescer(clock, 250, () => calls.push(clock.monotonicMs()));
  for (let step = 0; step < 10; step++) {
    coalescer.request();
    await clock.advance(100);
  }
  await clock.advance(1000);
  assert.deepEqual(calls, [0, 250, 500, 750, 1000]);
  coalescer.request();
  coalescer.dispose();
  await clock.advance(1000);
  assert.equal(calls.length, 6);
});

test("a timer longer than Node can hold does not fire at once", async () => {
  const clock = createSystemClock();
  let fired = false;
  const timer = clock.after(31_536_000_000, () => {
    fired = true;
  });
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
  timer.dispose();
  assert.equal(fired, false);
  assert.throws(() => clock.after(Number.NaN, () => undefined), RangeError);
});
