import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, test } from "vitest";
import { PLANTED_BUGS, type PlantedBug } from "./bugs.ts";
import { changedText } from "./planting.ts";

/*
 * Bugs that are put into the sources one at a time: the test that each row names has to fail then, and to pass without
 * the bug. RPC_PLANTED_ONLY=text plants those alone whose name has that text. Those that random schedules find are
 * planted in test/simulation.
 */

const only = process.env["RPC_PLANTED_ONLY"];
const PROCESSES = 2;

type Caught = PlantedBug & { readonly caughtBy: readonly [file: string, title: string] };

const rows = PLANTED_BUGS.filter((bug): bug is Caught => bug.caughtBy !== "simulation").filter(
  ({ name }) => only === undefined || name.includes(only),
);

/** A line of plant.mjs. */
interface Ran {
  readonly name?: string;
  readonly file: string;
  readonly title: string;
  readonly state: string;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "planted-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const fileOf = ({ caughtBy: [name] }: Caught): string => `test/${name}.test.ts`;

/** Runs plant.mjs in the project, or in a copy of it. */
async function plant(bugs: readonly Caught[], cwd = process.cwd()): Promise<readonly Ran[]> {
  if (bugs.length === 0) return [];
  const input = path.join(fs.mkdtempSync(path.join(folder, "bugs-")), "bugs.json");
  fs.writeFileSync(
    input,
    JSON.stringify(
      bugs.map((bug) => ({ name: bug.name, file: fileOf(bug), title: bug.caughtBy[1], changes: bug.changes })),
    ),
  );
  const env = { ...process.env, RPC_ROUNDS: "full" };
  const program = path.join(cwd, "test/planted/plant.mjs");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, input], { cwd, env });
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  assert.equal(lines.length, 2 * bugs.length, stderr);
  return lines.map((line) => JSON.parse(line) as Ran);
}

/** A bug that its test reads from the disk is planted into a copy of the project. */
async function plantIntoCopy(bug: Caught): Promise<readonly Ran[]> {
  const copy = fs.mkdtempSync(path.join(folder, "copy-"));
  for (const name of fs.readdirSync(".").filter((each) => ![".git", "node_modules"].includes(each)))
    fs.cpSync(name, path.join(copy, name), { recursive: true, filter: (file) => !/\.cache$|\.out$/.test(file) });
  fs.symlinkSync(path.resolve("node_modules"), path.join(copy, "node_modules"));
  const [sound] = await plant([{ ...bug, changes: [] }], copy);
  for (const { file } of bug.changes)
    fs.writeFileSync(path.join(copy, file), changedText(file, fs.readFileSync(file, "utf8"), bug.changes));
  const [, ill] = await plant([{ ...bug, changes: [] }], copy);
  return [sound, ill].flatMap((ran) => ran ?? []);
}

/** Everything that ran; the files are shared out among processes. */
async function plantAll(): Promise<readonly Ran[]> {
  const files = [...new Set(rows.map(fileOf))];
  const inProject = rows.filter(({ isReadFromDisk }) => isReadFromDisk !== true);
  const shares = Array.from({ length: PROCESSES }, (_, share) =>
    inProject.filter((bug) => files.indexOf(fileOf(bug)) % PROCESSES === share),
  );
  const ran = await Promise.all(shares.map(async (share) => await plant(share)));
  for (const bug of rows.filter(({ isReadFromDisk }) => isReadFromDisk === true)) ran.push(await plantIntoCopy(bug));
  return ran.flat();
}

describe("planted bugs are caught", () => {
  let running: Promise<readonly Ran[]> | undefined;
  for (const bug of rows)
    test(bug.name, { timeout: 30 * 60_000 }, async () => {
      const ran = await (running ??= plantAll());
      const [file, title] = [fileOf(bug), bug.caughtBy[1]];
      const stateOf = (name: string | undefined): string | undefined =>
        ran.find((each) => each.name === name && each.file === file && each.title === title)?.state;
      assert.equal(stateOf(undefined), "passed", `without the bug, ${file}: ${title}`);
      // A test that never ends has not passed either.
      assert.equal(stateOf(bug.name), "failed", `with the bug, ${file}: ${title}`);
    });
});
