import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { rounds } from "../rounds.mjs";
import { testInFull } from "../sizes.ts";
import { playTradingSchedule, type PlayedTrading } from "./trading/play.ts";
import {
  describeTradingSchedule,
  tradingSchedules,
  type TradingSchedule,
  type TradingStep,
} from "./trading/schedule.ts";

/*
 * Orders that are placed, edited, closed, and cancelled by the commands, while a bot and the market trade and links,
 * responses, and tokens are lost (test/simulation/trading): no order twice, none without a label or a deadline, none
 * that nobody agreed to, and nothing is said that is not true.
 *
 * A failure prints its seed and path. RPC_TRADING=seed,path runs that again, and alone.
 */

const SCHEDULES = rounds({ short: 20, full: 150, long: 10_000 });
/** Fresh ones each day; the same ones all day, so that a failure stays where it is. */
const SEED = Math.floor(Date.now() / 86_400_000);
const replay = process.env["RPC_TRADING"];

const CALM: TradingSchedule = { seed: 1, environment: "simulator", network: "usual", steps: [] };

async function play(schedule: Partial<TradingSchedule>): Promise<PlayedTrading> {
  const played = await playTradingSchedule({ ...CALM, ...schedule });
  assert.deepEqual(played.violations, [], describeTradingSchedule({ ...CALM, ...schedule }));
  return played;
}

type Counts = ReadonlyMap<string, number>;

async function playAll(options: { readonly seed: number; readonly path?: string }): Promise<Counts> {
  const counts = new Map<string, number>();
  const count = (what: string, times: number): void => void counts.set(what, (counts.get(what) ?? 0) + times);
  let last: readonly string[] = [];
  const { failed, counterexample, counterexamplePath } = await fc.check(
    fc.asyncProperty(tradingSchedules, async (schedule) => {
      const played = await playTradingSchedule(schedule);
      count("schedules", 1);
      count("frames", played.frames);
      for (const [what, times] of played.counts) count(what, times);
      if (played.violations.length > 0) last = played.violations;
      return played.violations.length === 0;
    }),
    { ...options, numRuns: SCHEDULES },
  );
  const [schedule] = counterexample ?? [];
  const text = schedule === undefined ? "" : describeTradingSchedule(schedule);
  assert.ok(
    !failed,
    [`again with RPC_TRADING=${String(options.seed)},${String(counterexamplePath)}`, ...last, text].join("\n"),
  );
  return counts;
}

if (replay !== undefined) {
  test(`the schedule ${replay}`, async () => {
    const [seed = "0", path] = replay.split(",");
    const counts = await playAll({ seed: Number(seed), ...(path === undefined ? {} : { path }) });
    process.stdout.write(`note: ${tableOf(counts)}\n`);
  });
} else {
  describe("orders from commands in random schedules", () => {
    let playing: Promise<Counts> | undefined;

    test(`${String(SCHEDULES)} of them: no order twice, and nothing is said that is not true`, async () => {
      const counts = await (playing ??= playAll({ seed: SEED }));
      assert.ok((counts.get("place confirmed") ?? 0) > 0 && (counts.get("edit confirmed") ?? 0) > 0, tableOf(counts));
    });

    testInFull("everything that can happen happened, and most of what was unknown is found out", async () => {
      const counts = await (playing ??= playAll({ seed: SEED }));
      process.stdout.write(`note: ${tableOf(counts)}\n`);
      const said = (what: string): number => counts.get(what) ?? 0;
      assert.deepEqual(
        EXPECTED.filter((what) => said(what) === 0),
        [],
      );
      const found = said("place unknown, then applied") + said("place unknown, then notApplied");
      assert.ok(found > said("place unknown"), tableOf(counts));
    });
  });
}

function tableOf(counts: Counts): string {
  return [...counts]
    .map(([what, times]) => `${what} ${String(times)}`)
    .sort()
    .join(", ");
}

const EXPECTED = `
place, close, edit, shift, cancel, cancelEverything, checkAgain, connect, twin, botPlaces, fill, amend, cancelByOther
movePrices, fault, cut, cutAfter, swallow, refuse, expireTokens, network, diskStalls, wait, sleep, jump
place confirmed, place confirmedOther, place rejected, place notSent, place unknown, then applied
place unknown, then notApplied, place unknown, edit confirmed, edit rejected, edit notSent, edit unknown, then applied
cancel confirmed
`
  .trim()
  .split(/, (?!then)|\n/);
