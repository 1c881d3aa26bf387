import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { buildSimulation, runInThread } from "./bundle.ts";
import { runCampaign, type CampaignFailure, type CampaignReport } from "./campaign.ts";
import { PLANTED_BUGS } from "./plantedBugs.ts";
import { playSchedule } from "./play.ts";
import { describeSchedule, schedules } from "./schedule.ts";
import { KEPT_SCHEDULES } from "./seeds.ts";

/*
 * Random schedules of a person, faults, other actors and time against the whole core and the simulator, judged by an
 * oracle that knows the screen, the journal and the exchange.
 *
 * A failure prints its seed and path. RPC_SIMULATION=seed or RPC_SIMULATION=seed,path runs that again, and alone.
 */

const IS_LONG = process.env["RPC_LONG"] === "1";
const SCHEDULES = IS_LONG ? 10_000 : 2000;
const THREADS = 2;
/** Fresh ones each day; the same ones all day, so that a failure stays where it is. */
const SEED = Math.floor(Date.now() / 86_400_000);
/** The same schedules, as many as a planted bug mostly needs to be found. */
const RUNS_WITHOUT = 40;
const MAX_UNTIL_FOUND = 3000;

const replay = process.env["RPC_SIMULATION"];
const built: string[] = [];

async function build(changes?: Parameters<typeof buildSimulation>[0]): Promise<string> {
  const file = await buildSimulation(changes);
  built.push(file);
  return file;
}

function note(text: string): void {
  process.stdout.write(`note: ${text}\n`);
}

function failureText({ seed, path: where, after: count, violations, text }: CampaignFailure): string {
  return [`after ${count} schedules; again with RPC_SIMULATION=${seed},${where}`, ...violations, text].join("\n");
}

after(() => { for (const file of built) fs.rmSync(path.dirname(file), { recursive: true, force: true }); });

if (replay !== undefined) {
  test(`the schedule ${replay}`, async () => {
    const [seed = "0", where] = replay.split(",");
    const { failure } = await runCampaign({ seed: Number(seed), runs: SCHEDULES, ...(where === undefined ? {} : { path: where }) });
    assert.equal(failure === undefined ? "" : failureText(failure), "");
  });
} else {
  describe("schedules that went wrong once", () => {
    for (const { name, lesson, schedule } of KEPT_SCHEDULES) {
      test(name, async () => {
        const { violations } = await playSchedule(schedule);
        assert.deepEqual(violations, [], `${lesson}\n${describeSchedule(schedule)}`);
      });
    }
  });

  test("the same schedule is the same run", async () => {
    for (const schedule of fc.sample(schedules, { numRuns: 8, seed: SEED })) {
      const hashes: string[] = [];
      for (let run = 0; run < 2; run++) hashes.push(createHash("sha256").update((await playSchedule(schedule)).transcript.join("\n")).digest("hex"));
      assert.equal(hashes[0], hashes[1]);
    }
  });

  describe("random schedules", () => {
    let running: Promise<readonly CampaignReport[]> | undefined;
    const campaign = async (): Promise<readonly CampaignReport[]> => {
      const file = await build();
      // A few more than are counted, because not every schedule has 30 events and 3 intents.
      const runs = Math.ceil((SCHEDULES * 1.12) / THREADS);
      return await Promise.all(Array.from({ length: THREADS }, async (_each, index) => await runInThread(file, { seed: SEED * 10 + index, runs })));
    };

    test(`${SCHEDULES} of them keep every promise`, async () => {
      const reports = await (running ??= campaign());
      const sum = (count: (report: CampaignReport) => number): number => reports.reduce((total, report) => total + count(report), 0);
      for (const { failure } of reports) assert.equal(failure === undefined ? "" : failureText(failure), "");
      const full = sum((report) => report.full);
      note(`${sum((report) => report.schedules)} schedules, ${full} of them with 30 events and 3 intents or more; ${sum((report) => report.events)} events, ${sum((report) => report.intents)} intents, ${sum((report) => report.frames)} of them sent`);
      assert.ok(full >= SCHEDULES, `${full} schedules were long enough`);
    });

    test("everything that can happen happened", async () => {
      const reports = await (running ??= campaign());
      const seen = new Map<string, number>();
      for (const report of reports) for (const [what, count] of Object.entries(report.seen)) seen.set(what, (seen.get(what) ?? 0) + count);
      for (const [group, names] of groups([...seen.keys()])) note(`in how many schedules, ${group}: ${names.map((name) => `${name.slice(name.indexOf(" ") + 1)} ${seen.get(group === "steps" ? name.slice(5) : name) ?? 0}`).join(", ")}`);
      assert.deepEqual(EXPECTED.filter((what) => !seen.has(what)), []);
    });
  });

  describe("planted bugs are found", () => {
    test("and nothing without one", async () => {
      const { failure } = await runInThread(await build([]), { seed: SEED * 10, runs: RUNS_WITHOUT, isShrunk: false });
      assert.deepEqual(failure?.violations ?? [], []);
    });

    for (const { name, changes } of PLANTED_BUGS) {
      test(name, async () => {
        const { failure } = await runInThread(await build(changes), { seed: SEED * 10, runs: MAX_UNTIL_FOUND, isShrunk: false });
        assert.ok(failure !== undefined, `not found in ${MAX_UNTIL_FOUND} schedules`);
        // A crash would be found whatever was planted.
        assert.doesNotMatch(failure.violations[0] ?? "", /^I12/);
        note(`planted: ${name}: found after ${failure.after} schedules: ${failure.violations[0] ?? ""}`);
      });
    }
  });
}

/** By the first word; what is a single word is a step. */
function groups(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const grouped = new Map<string, string[]>();
  for (const name of [...names].sort()) {
    const group = /^(?:fault|outcome|verdict|words|state|told|asked)(?= )/.exec(name)?.[0] ?? "steps";
    grouped.set(group, [...(grouped.get(group) ?? []), group === "steps" ? `step ${name}` : name]);
  }
  return grouped;
}

/** Each kind of fault, each outcome, verdict and sentence, each state. */
const EXPECTED: readonly string[] = [
  ...["connect", "disconnect", "cancel", "cancelSeveral", "request", "answer", "checkAgain", "refresh", "place", "fill", "amend", "fire", "cancelByOther", "move"],
  ...["clearFaults", "cut", "cutAfter", "swallow", "closeByServer", "refuse", "expireTokens", "garbage", "journalFails", "network", "wait", "jump", "sleep"],
  ...["lost", "skipped and lost", "reset", "skipped and reset", "closed after", "held", "overtaken", "late", "late and reset", "late error"].map((name) => `fault ${name}`),
  ...["error after all", "error, skipped", "refused", "not signed in", "too many requests", "truncated", "wrong type", "member missing", "odd state", "other order"].map((name) => `fault ${name}`),
  ...["wrong id", "no id", "text id", "twice", "other text", "second factor", "short life", "other account", "bad credentials", "not offered"].map((name) => `fault ${name}`),
  ...["any call lost", "any call held", "any call reset"].map((name) => `fault ${name}`),
  ...["notSent", "confirmed", "confirmedOther", "rejected", "challenge", "unknown", "late confirmed"].map((kind) => `outcome ${kind}`),
  ...["applied", "applied late", "notApplied", "other", "gone", "unverified"].map((kind) => `verdict ${kind}`),
  ...["not sent", "cancelled", "reported", "refused", "second factor", "unknown", "still unknown", "verified cancelled", "cancelled after all", "still open", "verified other", "gone"].map((words) => `words ${words}`),
  ...["off", "connecting", "authenticating", "ready", "locked", "waiting silent", "waiting refused", "waiting connectTimeout", "waiting maintenance", "waiting rateLimit", "waiting closedByServer"].map((state) => `state ${state}`),
  ...["asked modal", "asked typed", "text of an old link", "compared", "told notSent situationChanged", "told notSent declined", "told notSent notConnected"],
];
