import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { ERROR_ROWS } from "../../src/catalogue/errorTable.ts";
import type { Fault } from "../../src/simulator/wire/faults.ts";
import { rounds } from "../rounds.mjs";
import { testInFull } from "../sizes.ts";
import type { Habits, Untruth } from "./trading/middle.ts";
import { playTradingSchedule, type PlayedTrading } from "./trading/play.ts";
import {
  describeTradingSchedule,
  tradingSchedules,
  type Answer,
  type TradingSchedule,
  type TradingStep,
} from "./trading/schedule.ts";

/*
 * Orders that are placed, edited, closed, and cancelled by the commands, while a bot and the market trade and links,
 * responses, and tokens are lost (test/simulation/trading): no order twice, none without a label or a deadline, none
 * without a confirmation, and nothing is said that is not true. Orders of request files come in, too, and a server that
 * answers with every error of the table, changes single terms, caps pages, and lets responses overtake each other: each
 * changed term is told, nothing stays unknown that reading proves, and nothing is over the limits of trading.
 *
 * A failure prints its seed and path. RPC_TRADING=seed,path runs that again, and alone.
 */

const SCHEDULES = rounds({ short: 14, full: 300, long: 10_000 });
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
  describe("orders from commands in single schedules", () => {
    const yes = (thinkMs = 0): Answer => ({ isYes: true, thinkMs });
    const wait = (ms: number): TradingStep => ({ do: "wait", ms });
    const fault = (how: Omit<Fault, "method">): TradingStep => ({
      do: "fault",
      fault: { method: "private/buy", ...how },
    });
    const order = { do: "place", pick: 0, side: "buy", terms: "resting", lots: 40, answer: yes() } as const;
    const ofDesk: TradingStep = { ...order, label: "desk" };
    const twin: TradingStep = { do: "twin", end: "open" };
    /** Nothing but what the schedule itself places is open. */
    const alone: readonly TradingStep[] = [{ do: "cancelEverything", answer: yes() }, wait(5000)];
    const cut: TradingStep = { do: "cut" };

    test("a bot places the same order under the same label in the same second: both are named, and none is chosen", async () => {
      const { counts } = await play({ steps: [fault({ response: "none" }), ofDesk, wait(500), twin, wait(30), cut] });
      assert.equal(counts.get("place unknown"), 1, tableOf(counts));
    });

    test("the only order like one that never arrived is not taken for it where others have used its label", async () => {
      const { counts } = await play({
        steps: [
          { do: "botPlaces", pick: 0, label: "desk" },
          wait(3000),
          fault({ effect: "skipped", response: "none" }),
          ...[ofDesk, wait(500), twin, wait(30), cut],
        ],
      });
      assert.equal(counts.get("place unknown"), 1, tableOf(counts));
    });

    test("an order that came while the confirmation was open is not taken for one that never arrived", async () => {
      const steps = [fault({ effect: "skipped", response: "none" }), { ...ofDesk, answer: yes(9000) }] as const;
      const { counts } = await play({ steps: [...steps, wait(3000), twin, wait(8000), cut] });
      assert.equal(counts.get("place unknown, then notApplied"), 1, tableOf(counts));
    });

    test("a confirmation that is open for long takes nothing from the deadline", async () => {
      const { counts } = await play({ steps: [{ ...order, answer: yes(9000) }, wait(15_000)] });
      assert.equal(counts.get("place confirmed"), 1, tableOf(counts));
    });

    test("an order that is held back for some seconds is not said to be missing, and one held back for 60 s is", async () => {
      for (const [applyAfterMs, said] of [
        [7500, "place unknown, then applied"],
        [60_000, "place unknown, then notApplied"],
      ] as const) {
        const { counts } = await play({ steps: [fault({ applyAfterMs, link: "reset" }), order, wait(20_000)] });
        assert.equal(counts.get(said), 1, tableOf(counts));
      }
    });

    test("an order that fills in part while its edit is confirmed needs a second confirmation, and keeps its flags", async () => {
      const edit = { do: "edit", pick: 0, what: "price", by: 3, answer: yes(2000) } as const;
      const fill = { do: "fill", pick: 0, isWhole: false } as const;
      const { counts } = await play({ steps: [...alone, order, wait(3000), edit, wait(1000), fill, wait(9000)] });
      assert.equal(counts.get("edit notSent situationChanged"), 1, tableOf(counts));
      assert.equal(counts.get("edit confirmed"), 1, tableOf(counts));
    });

    test("an edit isn't sent where a list that was read during its confirmation no longer has the order", async () => {
      const { counts } = await play({
        seed: 8,
        environment: "production",
        steps: [
          { do: "botPlaces", pick: 0, label: "desk" },
          fault({ applyAfterMs: 300, link: "reset" }),
          { ...ofDesk, terms: "market", lots: 1, answer: yes(2000) },
          ...[wait(3000), twin, wait(30)],
          { do: "fill", pick: 0, isWhole: true },
          wait(71),
          { do: "edit", pick: 5, what: "price", by: 1, answer: yes(2000) },
        ],
      });
      assert.equal(counts.get("edit notSent refused"), 1, tableOf(counts));
    });

    test("a refused order and a like one that is carried out late are told apart", async () => {
      const refused = fault({ effect: "skipped", response: { code: 13009 } });
      const late = fault({ applyAfterMs: 300 });
      const { counts } = await play({
        ...{ seed: 1_737_497_383, network: "quick" },
        steps: [refused, ofDesk, wait(1000), twin, wait(1000), late, ofDesk, wait(5000)],
      });
      assert.equal(counts.get("place rejected"), 1, tableOf(counts));
    });

    test("an order is not sent where the connection is lost while the journal takes its time", async () => {
      const { counts } = await play({ steps: [{ do: "diskStalls", ms: 5000 }, order, wait(1000), cut, wait(9000)] });
      assert.equal(counts.get("place notSent notConnected"), 1, tableOf(counts));
    });

    test("an order that reduces by less than it was placed for is said to be another one", async () => {
      const { counts } = await play({ steps: [{ ...order, terms: "reduce", lots: 100_000 }, wait(5000)] });
      assert.equal(counts.get("place confirmedOther"), 1, tableOf(counts));
    });
  });

  describe("a server that answers otherwise, in single schedules", () => {
    const yes: Answer = { isYes: true, thinkMs: 0 };
    const wait = (ms: number): TradingStep => ({ do: "wait", ms });
    const habits = (how: Partial<Habits>): TradingStep => ({
      do: "habits",
      habits: { hasContinuation: true, hasBook: false, heldMs: 0, ...how },
    });
    const untruth = (each: Untruth): TradingStep => ({ do: "untruth", untruth: each });
    const sent = {
      do: "send",
      pick: 0,
      side: "buy",
      lots: 40,
      hasLabel: true,
      hasDeadline: true,
      answer: yes,
    } as const;
    const plain: TradingStep = { ...sent, terms: "plain" };
    const edit: TradingStep = { do: "edit", pick: 0, what: "price", by: 3, answer: yes };
    const everything: TradingStep = { do: "cancelEverything", answer: yes };
    /** Rows of the table, and one more than it has. */
    const rows = Array.from({ length: ERROR_ROWS.length + 1 }, (_row, index) => index);
    const everyNth = rounds({ short: 9, full: 1, long: 1 });
    const chosen = rows.filter((index) => index % everyNth === 0);
    const AT_ONCE = 15;

    test("each error of the table answers an order, and what is said of the order is what became of it", async () => {
      for (let first = 0; first < chosen.length; first += AT_ONCE) {
        const steps = chosen.slice(first, first + AT_ONCE).flatMap((row): readonly TradingStep[] => {
          const error = { kind: "error", method: "private/buy", row, isWithoutId: false } as const;
          const done = row % 2 === 0 ? "whole" : "not";
          return [untruth({ ...error, done }), plain, wait(1500)];
        });
        await play({ seed: first + 1, steps: [habits({}), ...steps] });
      }
    });

    test("errors answer an edit and a cancel of everything, of which half is done", async () => {
      const steps = chosen
        .slice(0, 5 * AT_ONCE)
        .flatMap((row, index): readonly TradingStep[] => [
          ...(index % AT_ONCE === 0 ? [plain, wait(1500)] : []),
          untruth({ kind: "error", method: "private/edit", row, done: "whole", isWithoutId: false }),
          ...[edit, wait(1500)],
          ...(index % AT_ONCE === AT_ONCE - 1
            ? [
                untruth({ kind: "error", method: "private/cancel_all", row, done: "part", isWithoutId: false }),
                everything,
              ]
            : []),
          wait(1500),
        ]);
      await play({ steps: [habits({}), ...steps] });
    });

    test("an error that names no request says nothing of an order that is under way", async () => {
      for (const code of [-32600, 10_028, 11_051]) {
        const row = ERROR_ROWS.findIndex((each) => each.code === code);
        const error = { kind: "error", method: "private/buy", row, isWithoutId: true } as const;
        for (const [done, said] of [
          ["whole", "applied"],
          ["not", "notApplied"],
        ] as const) {
          const { counts } = await play({ steps: [habits({}), untruth({ ...error, done }), plain, wait(3000)] });
          assert.equal(counts.get(`place unknown, then ${said}`), 1, tableOf(counts));
        }
      }
    });

    test("each term of an order that is not as asked is told: in the response, and where that is lost", async () => {
      for (const how of ["kept", "lost"] as const) {
        const counts = new Map<string, number>();
        // Orders of a file, and one of a command, whose label is its own.
        const ofCommand: TradingStep = { ...sent, do: "place", terms: "resting" };
        const ofFile = (["plain", "stop", "iceberg", "market"] as const).map((terms): TradingStep => ({
          ...sent,
          terms,
        }));
        for (const order of [...ofFile, ofCommand]) {
          const steps = Array.from({ length: 12 }, (_each, term): readonly TradingStep[] => [
            untruth({ kind: "term", method: "private/buy", term, how }),
            order,
            wait(2000),
          ]);
          const played = await play({ steps: [habits({}), ...steps.flat()] });
          for (const [what, times] of played.counts) counts.set(what, (counts.get(what) ?? 0) + times);
        }
        const missing = CHANGED_TERMS.filter((term) => !counts.has(`term ${term} ${how}`));
        assert.deepEqual(missing, [], tableOf(counts));
      }
    });

    test("an order is found on pages of a row, and is not missing because a page is short", async () => {
      for (const hasContinuation of [true, false]) {
        const steps: TradingStep[] = [habits({ pageRows: 1, hasContinuation }), everything, wait(5000)];
        steps.push({ do: "fault", fault: { method: "private/buy", response: "none" } }, plain, wait(1000));
        steps.push({ do: "cancelByOther", pick: 0 });
        for (let trades = 0; trades < 3; trades++) steps.push({ ...sent, terms: "market", lots: 1 }, wait(200));
        const { counts } = await play({ steps: [...steps, { do: "cut" }, wait(20_000)] });
        assert.equal(counts.get("place unknown, then applied"), 1, tableOf(counts));
      }
    });

    test("orders whose outcome is unknown count toward the total of trading", async () => {
      const lost: TradingStep = {
        do: "fault",
        fault: { method: "private/buy", effect: "skipped", response: { code: 13028 } },
      };
      // One of them is for 90 USD.
      const order: TradingStep = { ...sent, pick: 1, terms: "plain", lots: 8 };
      const steps = Array.from({ length: 14 }, () => [lost, order, wait(1500)]).flat();
      const { counts } = await play({ environment: "test", isLimited: true, steps: [habits({}), ...steps] });
      assert.equal(counts.get("truth: not made"), 11, tableOf(counts));
      assert.equal(counts.get("place notSent refused"), 3, tableOf(counts));
    });

    test("an order of a file is not missing where the clock was set back and hides that the computer slept", async () => {
      const { counts } = await play({
        steps: [
          habits({}),
          { do: "fault", fault: { method: "private/buy", applyAfterMs: 300 } },
          plain,
          ...[
            wait(1000),
            { do: "jump", ms: -3_600_000 } as const,
            { do: "sleep", ms: 40_000, isCounted: false } as const,
          ],
          ...[{ do: "cut" } as const, wait(20_000)],
        ],
      });
      assert.equal(counts.get("place unknown"), 1, tableOf(counts));
    });

    test("an edit that never arrived is not taken for one that was edited back", async () => {
      const lost: TradingStep = {
        do: "fault",
        fault: { method: "private/edit", effect: "skipped", response: "none", link: "reset" },
      };
      const fill: TradingStep = { do: "fill", pick: 0, isWhole: false };
      for (const [meanwhile, said] of [
        [[], "edit unknown, then notApplied"],
        [[wait(1000), fill], "edit unknown"],
      ] as const) {
        const { counts } = await play({
          steps: [habits({}), everything, wait(5000), plain, wait(1500), lost, edit, ...meanwhile, wait(20_000)],
        });
        assert.equal(counts.get(said), 1, tableOf(counts));
      }
    });
  });

  describe("orders from commands in random schedules", () => {
    let playing: Promise<Counts> | undefined;

    test(`${String(SCHEDULES)} of them: no order twice, and nothing is said that is not true`, async () => {
      const counts = await (playing ??= playAll({ seed: SEED }));
      assert.ok((counts.get("place confirmed") ?? 0) > 0 && (counts.get("edit confirmed") ?? 0) > 0, tableOf(counts));
    });

    testInFull("everything that can happen happened, also that an unknown outcome is found out", async () => {
      const counts = await (playing ??= playAll({ seed: SEED }));
      process.stdout.write(`note: ${tableOf(counts)}\n`);
      const said = (what: string): number => counts.get(what) ?? 0;
      assert.deepEqual(
        EXPECTED.filter((what) => said(what) === 0),
        [],
      );
    });
  });
}

function tableOf(counts: Counts): string {
  return [...counts]
    .map(([what, times]) => `${what} ${String(times)}`)
    .sort()
    .join(", ");
}

/** The terms that orders of request files have here. */
const CHANGED_TERMS = `
reduce_only, post_only, reject_post_only, mmp, price, trigger_price, amount, display_amount, time_in_force, type, trigger
`
  .trim()
  .split(", ");

/** What comes about at least ten times in so many schedules, on any day; what is rarer has a schedule of its own. */
const EXPECTED = `
place, send, close, edit, shift, cancel, cancelEverything, checkAgain, untruth, habits, connect, twin, botPlaces, fill, amend, cancelByOther
movePrices, fault, cut, cutAfter, swallow, refuse, expireTokens, network, diskStalls, wait, sleep, jump
place confirmed, place rejected, place notSent declined
place unknown, then applied
place unknown, then notApplied, place unknown, edit confirmed, edit notSent declined, edit notSent situationChanged
cancel confirmed
`
  .trim()
  .split(/, (?!then)|\n/);
