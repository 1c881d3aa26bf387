import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { createSystemClock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { createRun, type WindowRun } from "../../src/ui/connections/runs.ts";
import { rounds } from "../rounds.mjs";
import type { RunOrder, RunProgram } from "./runProgram.ts";

/* Runs in processes of their own: which of them live, and that what they leave has one owner. */

const DAY_MS = 24 * 3_600_000;

interface Process {
  readonly id: string;
  /** The next line that it says. */
  order(order: RunOrder): Promise<unknown>;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
}

describe("runs of the program", () => {
  let root = "";
  let bundle = "";
  const children = new Set<ChildProcess>();
  const runs: WindowRun[] = [];
  let folders = 0;
  beforeAll(async () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-runs-"));
    bundle = path.join(root, "program.cjs");
    const esbuild = createRequire(path.join(process.cwd(), "package.json"))("esbuild") as {
      build(options: object): Promise<unknown>;
    };
    await esbuild.build({
      entryPoints: ["test/sockets/runProgram.ts"],
      bundle: true,
      platform: "node",
      format: "cjs",
      mainFields: ["module", "main"],
      outfile: bundle,
      logLevel: "error",
    });
  });
  afterEach(() => {
    for (const run of runs.splice(0)) run.dispose();
    for (const child of children) child.kill("SIGKILL");
  });
  afterAll(() => fs.rmSync(root, { recursive: true }));

  const fresh = (name = ""): string => {
    const folder = path.join(root, `${folders++}${name}`);
    fs.mkdirSync(folder);
    return folder;
  };
  const start = async (program: RunProgram): Promise<Process> => {
    const child = spawn(process.execPath, [bundle, JSON.stringify(program)], { stdio: ["pipe", "pipe", "inherit"] });
    children.add(child);
    const waiting: ((said: unknown) => void)[] = [];
    const said: unknown[] = [];
    let text = "";
    child.stdout.on("data", (piece: Buffer) => {
      text += piece.toString();
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        const next = waiting.shift();
        if (next === undefined) said.push(JSON.parse(line));
        else next(JSON.parse(line));
      }
    });
    const hear = async (): Promise<unknown> =>
      await new Promise((resolve) => {
        if (said.length > 0) resolve(said.shift());
        else waiting.push(resolve);
      });
    const id = String(await hear());
    return {
      id,
      order: async (order) => {
        child.stdin.write(`${JSON.stringify(order)}\n`);
        return await hear();
      },
      signal: (signal) => {
        child.kill(signal);
      },
      kill: async () => {
        const ended = new Promise<void>((resolve) => {
          child.once("close", () => {
            resolve();
          });
        });
        child.kill("SIGKILL");
        await ended;
        children.delete(child);
      },
    };
  };
  const open = (folder: string, place?: string): WindowRun => {
    const run = createRun({
      folder: path.join(folder, "runs"),
      clock: createSystemClock(),
      log: silentLog,
      ...(place === undefined ? {} : { place }),
    });
    runs.push(run);
    return run;
  };

  for (const aheadMs of [-3 * DAY_MS, 0, 3 * DAY_MS, 400 * DAY_MS]) {
    test(`one lives until its process ends, with a wall clock that is ${aheadMs / DAY_MS} days ahead`, async () => {
      const folder = fresh();
      const run = open(folder);
      const other = await start({ folder, aheadMs });
      assert.equal(await run.isAlive(other.id), true);
      await other.kill();
      assert.equal(await run.isAlive(other.id), false);
      assert.equal(await run.isAlive(run.id), true);
    });
  }

  test(
    "one whose process is stopped lives, however often it is asked",
    { skip: process.platform === "win32" },
    async () => {
      const folder = fresh();
      const run = open(folder);
      const other = await start({ folder, aheadMs: 0 });
      other.signal("SIGSTOP");
      for (let times = 0; times < 1100; times++) assert.equal(await run.isAlive(other.id), true);
      other.signal("SIGCONT");
    },
  );

  test("one ends when it is disposed of, and nothing is left of it", async () => {
    const folder = fresh();
    const [run, other] = [open(folder), open(folder)];
    assert.equal(await run.isAlive(other.id), true);
    other.dispose();
    assert.equal(await run.isAlive(other.id), false);
    if (process.platform !== "win32") assert.deepEqual(fs.readdirSync(path.join(folder, "runs")), [`${run.id}.sock`]);
  });

  test("a folder whose path is too long for an address will do", async () => {
    const folder = fresh("x".repeat(150));
    const run = open(folder);
    const other = await start({ folder, aheadMs: 0 });
    assert.equal(await run.isAlive(other.id), true);
    await other.kill();
    assert.equal(await run.isAlive(other.id), false);
  });

  test("one of another computer, or of a system before it was started anew on a shared disk, is never taken for ended", async () => {
    const folder = fresh();
    const [here, there] = [open(folder, "here"), open(folder, "there")];
    there.dispose();
    assert.equal(await here.isAlive(there.id), true);
    const again = open(folder, "there");
    assert.equal(await again.isAlive(there.id), false, "who is at the same place knows");
  });

  test("one that can have no socket is never taken for ended", { skip: process.platform === "win32" }, async () => {
    const folder = fresh();
    fs.writeFileSync(path.join(folder, "runs"), "in the way");
    const mute = open(folder, "disk");
    fs.rmSync(path.join(folder, "runs"));
    assert.equal(await open(folder, "disk").isAlive(mute.id), true);
  });

  test(
    "what killed processes left behind goes when the next one starts; what lives stays",
    { skip: process.platform === "win32" },
    async () => {
      const folder = fresh();
      const [killed, living] = [await start({ folder, aheadMs: 0 }), await start({ folder, aheadMs: 0 })];
      await killed.kill();
      const run = open(folder);
      const left = (): readonly string[] => fs.readdirSync(path.join(folder, "runs")).sort();
      while (left().length > 2)
        await new Promise<void>((resolve) => {
          setImmediate(resolve);
        });
      assert.deepEqual(left(), [`${run.id}.sock`, `${living.id}.sock`].sort());
    },
  );

  test("processes that race for what killed ones left, some in the middle of taking over, share it out", async () => {
    const RACES = rounds({ short: 3, full: 20, long: 300 });
    for (let race = 0; race < RACES; race++) {
      const folder = fresh();
      const ids = Array.from({ length: 6 }, (_, index) => `i${index}`);
      const writers = await Promise.all(ids.slice(0, 3).map(async () => await start({ folder, aheadMs: 0 })));
      await Promise.all(
        ids.map(async (intentId, index) => await writers[index % writers.length]?.order({ kind: "write", intentId })),
      );
      await Promise.all(
        writers.map(async (each) => {
          await each.kill();
        }),
      );
      // Killed while it takes over, as long as the machine lets it.
      const taker = await start({ folder, aheadMs: 5 * DAY_MS });
      void taker.order({ kind: "adopt" });
      await taker.kill();
      // As after a restart: clocks that disagree by days.
      const racers = await Promise.all([-5, 0, 5].map(async (days) => await start({ folder, aheadMs: days * DAY_MS })));
      const told = (await Promise.all(
        [...racers, ...racers].map(async (racer) => await racer.order({ kind: "adopt" })),
      )) as readonly string[][];
      assert.deepEqual(told.flat().sort(), ids, `race ${race}`);
      await Promise.all(
        racers.map(async (each) => {
          await each.kill();
        }),
      );
    }
  });
});
