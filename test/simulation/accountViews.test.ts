import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { rounds } from "../rounds.mjs";
import { testInFull } from "../sizes.ts";
import { playAccountSchedule, type PlayedAccount } from "./account/play.ts";
import {
  accountSchedules,
  describeAccountSchedule,
  type AccountSchedule,
  type AccountStep,
} from "./account/schedule.ts";

/*
 * Positions and Account while others trade, edit, transfer, and move positions, sessions are settled, and links break
 * (test/simulation/account): no figure is older than the age beside it, and where nothing changes any more, each row is
 * that of a fresh reading, figure by figure.
 *
 * A failure prints its seed and path. RPC_ACCOUNT=seed,path runs that again, and alone.
 */

const SCHEDULES = rounds({ short: 8, full: 150, long: 10_000 });
/** Fresh ones each day; the same ones all day, so that a failure stays where it is. */
const SEED = Math.floor(Date.now() / 86_400_000);
const replay = process.env["RPC_ACCOUNT"];

const CALM: AccountSchedule = {
  ...{ seed: 1, network: "usual", way: "webSocket", server: "whole" },
  ...{ beforeSettlementMs: 3_600_000, steps: [] },
};

async function play(schedule: Partial<AccountSchedule>): Promise<PlayedAccount> {
  const played = await playAccountSchedule({ ...CALM, ...schedule });
  assert.deepEqual(played.violations, [], describeAccountSchedule({ ...CALM, ...schedule }));
  return played;
}

async function playAll(options: {
  readonly seed: number;
  readonly path?: string;
}): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  let last: readonly string[] = [];
  const { failed, counterexample, counterexamplePath } = await fc.check(
    fc.asyncProperty(accountSchedules, async (schedule) => {
      const played = await playAccountSchedule(schedule);
      for (const what of played.seen) seen.set(what, (seen.get(what) ?? 0) + 1);
      if (played.violations.length > 0) last = played.violations;
      return played.violations.length === 0;
    }),
    { ...options, numRuns: SCHEDULES },
  );
  const [schedule] = counterexample ?? [];
  const text = schedule === undefined ? "" : describeAccountSchedule(schedule);
  assert.ok(
    !failed,
    [`again with RPC_ACCOUNT=${String(options.seed)},${String(counterexamplePath)}`, ...last, text].join("\n"),
  );
  return seen;
}

if (replay !== undefined) {
  test(`the schedule ${replay}`, async () => {
    const [seed = "0", path] = replay.split(",");
    await playAll({ seed: Number(seed), ...(path === undefined ? {} : { path }) });
  });
} else {
  describe("positions and the account in single schedules", () => {
    const trade: AccountStep = { do: "trade", pick: 0, direction: "buy", lots: 20 };
    const transfer: AccountStep = { do: "transfer", pick: 0, share: 0.3, isBack: false };
    const wait = (ms: number): AccountStep => ({ do: "wait", ms });

    test("the market moves for ten minutes without a trade: no figure is older than the age shown with it", async () => {
      const steps = Array.from({ length: 600 }, (): readonly AccountStep[] => [
        { do: "movePrices" },
        wait(1000),
      ]).flat();
      const { marks, seen } = await play({ network: "slow", steps });
      assert.ok(marks.size > 300, `${String(marks.size)} prices of positions were seen`);
      assert.ok(seen.has("age of position") && seen.has("age of account"));
    });

    test("a position that was closed while the link was cut is gone after the next reading", async () => {
      await play({ steps: [trade, wait(500), { do: "cut" }, { do: "close", pick: 0 }, wait(20_000)] });
    });

    test("what was bought while a reading was on its way has the figures of the reading", async () => {
      // The screen has seconds: the event leaves in the one before that of the question, and arrives after it.
      const buying = Array.from({ length: 12 }, (): readonly AccountStep[] => [
        trade,
        wait(20),
        { do: "movePrices" },
        { do: "refresh", view: "positions" },
        wait(3980),
      ]);
      await play({ steps: [wait(985), ...buying.flat()] });
    });

    test("money that was transferred and a session that was settled while the link was cut are in the account", async () => {
      await play({
        beforeSettlementMs: 60_000,
        steps: [trade, { do: "cut" }, transfer, { do: "night" }, transfer, wait(20_000)],
      });
    });

    test("what was told of money before the link was cut does not take the place of what is read after it", async () => {
      const fault = { method: "private/subscribe", effect: "skipped", response: { code: -32601 }, times: 9 } as const;
      await play({ steps: [trade, wait(500), { do: "fault", fault }, { do: "cut" }, transfer, wait(20_000)] });
    });
  });

  describe("positions and the account in random schedules", () => {
    let playing: Promise<ReadonlyMap<string, number>> | undefined;

    test(`${String(SCHEDULES)} of them: each row is that of a fresh reading, figure by figure`, async () => {
      await (playing ??= playAll({ seed: SEED }));
    });

    testInFull("everything that can happen happened", async () => {
      const seen = await (playing ??= playAll({ seed: SEED }));
      const counts = [...seen].map(([what, count]) => `${what} ${String(count)}`).sort();
      process.stdout.write(`note: in how many schedules: ${counts.join(", ")}\n`);
      assert.deepEqual(
        EXPECTED.filter((what) => !seen.has(what)),
        [],
      );
    });
  });
}

const EXPECTED = `
trade, close, place, edit, cancel, fill, transfer, movePosition, deposit, market, movePrices, show, refresh, connect
disconnect, switchSubject, backToMain, fault, cut, cutAfter, swallow, closeByServer, refuse, expireTokens, network, wait
sleep, night, calm, age of position, age of currency, age of account
private/buy done, private/sell done, private/close_position done, private/edit done, private/cancel done
private/submit_transfer_between_subaccounts done, private/move_positions done
compared positions in a calm, compared account in a calm, compared positions after a refresh
compared account after a refresh
`
  .trim()
  .split(/, |\n/);
