import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, test } from "vitest";
import { PLANTED_BUGS, type PlantedBug } from "./bugs.ts";
import { buildPlanted, changedText, type Replacement } from "./planting.ts";

/*
 * Bugs that are put into the sources one at a time: the test that each row names has to fail then, and to pass without
 * the bug. RPC_PLANTED=text plants those alone whose name has that text. Those that random schedules find are planted
 * in test/simulation.
 */

const wanted = process.env["RPC_PLANTED"];
/** The time after which a test with its bug counts as one that never ends, and one without any bug as stuck. */
const [BUG_LIMIT_MS, SOUND_LIMIT_MS] = [120_000, 600_000];
const AT_A_TIME = 2;

type Caught = PlantedBug & { readonly caughtBy: readonly [file: string, title: string] };

const caught = PLANTED_BUGS.filter((bug): bug is Caught => bug.caughtBy !== "simulation");
const rows = caught.filter(({ name }) => wanted === undefined || name.includes(wanted));

/** What a run of a test file tells of each of its tests. */
interface TestLine {
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
}

const made: string[] = [];
afterAll(() => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
});

/** What became of each test, by title; a test that kept its file from ending has none. */
interface Ran {
  readonly states: ReadonlyMap<string, TestLine["state"]>;
  readonly hasEnded: boolean;
}

/** Runs a test file with changes in the sources, and only the tests of those names. */
async function runTests(
  file: string,
  names: readonly string[],
  { changes, isReadFromDisk }: Pick<PlantedBug, "changes" | "isReadFromDisk">,
): Promise<Ran> {
  const program = await buildPlanted(`test/${file}.test.ts`, isReadFromDisk === true ? [] : changes);
  made.push(path.dirname(program));
  const report = path.join(path.dirname(program), "report.jsonl");
  const patterns = names.map((name) => `--test-name-pattern=/^${name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$/`);
  const args = [
    ...patterns,
    `--test-reporter=${path.resolve("test/host/reporter.mjs")}`,
    `--test-reporter-destination=${report}`,
    program,
  ];
  const cwd = isReadFromDisk === true ? copyOfSources(changes) : process.cwd();
  // The runner of the tests around this one must not take over those inside.
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "NODE_TEST_CONTEXT")),
    RPC_ROUNDS: "full",
    NODE_PATH: path.resolve("node_modules"),
  };
  const hasEnded = await new Promise<boolean>((resolve) => {
    execFile(
      process.execPath,
      args,
      {
        cwd,
        env,
        timeout: changes.length === 0 ? SOUND_LIMIT_MS : BUG_LIMIT_MS,
        killSignal: "SIGKILL",
        maxBuffer: 64 * 1024 * 1024,
      },
      (error) => {
        resolve(error?.killed !== true);
      },
    );
  });
  const lines = fs.existsSync(report)
    ? fs
        .readFileSync(report, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
  return {
    states: new Map(lines.map((line) => JSON.parse(line) as TestLine).map(({ title, state }) => [title, state])),
    hasEnded,
  };
}

/** The project as it would be with the changes; what does not change is linked. */
function copyOfSources(changes: readonly Replacement[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "planted-"));
  made.push(folder);
  for (const name of fs.readdirSync(".")) {
    if (name !== "src" && !changes.some(({ file }) => file === name))
      fs.symlinkSync(path.resolve(name), path.join(folder, name));
  }
  fs.cpSync("src", path.join(folder, "src"), { recursive: true });
  for (const { file } of changes)
    fs.writeFileSync(path.join(folder, file), changedText(file, fs.readFileSync(file, "utf8"), changes));
  return folder;
}

function lastName(title: string): string {
  return title.split(" › ").at(-1) ?? "";
}

/** As many at a time as there are processors; the rows stay tests of their own. */
function createTurns(count: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (run) => {
    if (free === 0)
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    else free--;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

const inTurn = createTurns(AT_A_TIME);

/** Each file once without a bug. */
const sound = new Map<string, Promise<Ran>>();
async function withoutBug(file: string): Promise<Ran> {
  const names = [
    ...new Set(rows.filter(({ caughtBy }) => caughtBy[0] === file).map(({ caughtBy }) => lastName(caughtBy[1]))),
  ];
  const run = sound.get(file) ?? inTurn(async () => await runTests(file, names, { changes: [] }));
  sound.set(file, run);
  return await run;
}

describe("planted bugs are caught", { concurrent: true }, () => {
  for (const {
    name,
    caughtBy: [file, title],
    ...bug
  } of rows) {
    test(name, async () => {
      const [sane, ill] = await Promise.all([
        withoutBug(file),
        inTurn(async () => await runTests(file, [lastName(title)], bug)),
      ]);
      assert.equal(sane.states.get(title), "passed", `without the bug, test/${file}.test.ts: ${title}`);
      // A test that never ends has not passed either.
      assert.equal(
        ill.states.get(title) ?? (ill.hasEnded ? "not run" : "failed"),
        "failed",
        `with the bug, test/${file}.test.ts: ${title}`,
      );
    });
  }
});
