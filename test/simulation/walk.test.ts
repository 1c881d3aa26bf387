import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, test } from "vitest";
import { PLANTED_BUGS } from "../planted/bugs.ts";
import { rounds } from "../rounds.mjs";
import { testInFull } from "../sizes.ts";
import { messageOf } from "./bundle.ts";
import { buildWalk } from "./walk/build.ts";
import type { Manifest, WalkReport } from "./walk/walk.ts";
import type { WalksOptions } from "./walk/worker.ts";

/*
 * Random commands with random responses, in the whole extension (test/simulation/walk): no internal error, and wherever
 * a walk ends, the simulator can be started.
 *
 * A failure prints its seed. RPC_WALK=seed walks that one again, and alone.
 */

const STEPS = 50;
const COMMANDS = rounds({ short: 250, full: 800, long: 10_000 });
const THREADS = 2;
/** Fresh ones each day; the same ones all day, so that a failure stays where it is. */
const SEED = Math.floor(Date.now() / 86_400_000) * 10_000;

/** From fixed seeds, so that it is found as surely the next time. */
const MAX_UNTIL_FOUND = 150;
const DEAD_END = "a simulator that refuses its own key asks for another key";

const replay = process.env["RPC_WALK"];
const manifest = JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest;
const built: string[] = [];
afterAll(() => {
  for (const file of built) fs.rmSync(path.dirname(file), { recursive: true, force: true });
});

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    fs
      .readdirSync(folder)
      .filter((name) => name.endsWith(".rpc.json"))
      .map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]),
  );
}

async function walkFrom(seeds: readonly number[], file: string): Promise<readonly WalkReport[]> {
  return await messageOf<readonly WalkReport[]>(file, {
    seeds,
    steps: STEPS,
    manifest,
    files: filesIn("examples"),
  } satisfies WalksOptions);
}

function failureText({ seed, problems, trail }: WalkReport): string {
  return [`again with RPC_WALK=${seed}`, ...problems, "what happened last:", ...trail].join("\n");
}

function assertWell(reports: readonly WalkReport[]): void {
  for (const report of reports) assert.ok(report.problems.length === 0, failureText(report));
}

describe("random commands with random responses", () => {
  const wanted = Math.ceil(COMMANDS / STEPS);
  test(`${COMMANDS} of them: no internal error, and each walk ends where the simulator can be started`, async () => {
    const file = await buildWalk();
    built.push(file);
    if (replay !== undefined) {
      assertWell(await walkFrom([Number(replay)], file));
      return;
    }
    const seeds = Array.from({ length: wanted }, (_, index) => SEED + index);
    const reports = (
      await Promise.all(
        Array.from(
          { length: THREADS },
          async (_, thread) =>
            await walkFrom(
              seeds.filter((seed) => seed % THREADS === thread),
              file,
            ),
        ),
      )
    ).flat();
    assertWell(reports);
    const ran = new Set(reports.flatMap((report) => Object.keys(report.ran)));
    const sum = (count: (report: WalkReport) => number): number =>
      reports.reduce((total, report) => total + count(report), 0);
    process.stdout.write(
      `note: ${sum(({ commands }) => commands)} commands in ${reports.length} walks, ${ran.size} of ${manifest.contributes.commands.length} different ones, ${sum(({ asked }) => asked)} questions\n`,
    );
    assert.ok(sum(({ commands }) => commands) >= COMMANDS);
  });

  if (replay === undefined) {
    testInFull("they find a planted dead end: a simulator that refuses its own key asks for another key", async () => {
      const { changes = [] } = PLANTED_BUGS.find(({ name }) => name === DEAD_END) ?? {};
      const file = await buildWalk(changes);
      built.push(file);
      const found = (
        await walkFrom(
          Array.from({ length: MAX_UNTIL_FOUND }, (_, index) => index),
          file,
        )
      ).at(-1);
      assert.match(found?.problems.join("\n") ?? "", /TypeError: Invalid URL/);
    });
  }
});
