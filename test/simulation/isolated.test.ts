import assert from "node:assert/strict";
import { test } from "vitest";
import { rounds } from "../rounds.mjs";
import { playIsolated } from "./isolatedPlay.ts";

/* No outcome, verdict, or list at the gateway says what the simulator's own state contradicts. */

const SCHEDULES = Number(process.env["ISOLATED_SCHEDULES"] ?? rounds({ short: 25, full: 400, long: 10_000 }));
const SEED = Number(process.env["ISOLATED_SEED"] ?? 1);

test(`${SCHEDULES} schedules with slots`, async () => {
  const counts = new Map<string, number>();
  for (let seed = SEED; seed < SEED + SCHEDULES; seed++) {
    const played = await playIsolated(seed);
    for (const [what, count] of played.counts) counts.set(what, (counts.get(what) ?? 0) + count);
    assert.deepEqual(played.wrong, [], `seed ${seed}\n${played.steps.join("\n")}`);
  }
  // What is never said can't be wrong.
  const said = ["confirmed", "unknown", "verdict applied", "verdict unverified", "verdict notApplied"];
  for (const what of said) assert.ok((counts.get(what) ?? 0) > 0, `${what}: ${JSON.stringify([...counts])}`);
});
