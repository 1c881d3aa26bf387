import assert from "node:assert/strict";
import { test } from "vitest";
import { createTime } from "./time.ts";

test("a timer that is set again until a time has come ends, however little of a millisecond is left", async () => {
  const time = createTime(
    () => 0,
    () => undefined,
  );
  const { clock } = time.createSide({ sleeps: false });
  const startMs = 3_601_766.1;
  await time.advance(startMs);
  const untilMs = startMs + 600_000.1;
  let timers = 0;
  const watch = (): void => {
    assert.ok(++timers < 1000, "the time stands still");
    // Half of what is left: at last less than the next number is away.
    if (clock.monotonicMs() < untilMs) clock.after((untilMs - clock.monotonicMs()) / 2, watch);
  };
  watch();
  await time.advance(600_002);
  assert.ok(clock.monotonicMs() >= untilMs);
  assert.equal(time.elapsedMs, startMs + 600_002);
});
