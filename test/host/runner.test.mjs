// @ts-check
/** How the runner ends what does not end: a test, a hook, a child that ignores SIGTERM, and itself on Ctrl+C. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, describe, test } from "node:test";
import { nodeTests } from "./layers.mjs";
import { processesOf, removeDir, root, run, startGroup, tempDir, until } from "./process.mjs";
import { createSlots } from "./slots.mjs";

const folder = tempDir();
after(() => removeDir(folder));

const HEAD = `import { spawn } from "node:child_process";
import { after, before, describe, test } from "node:test";
// A child in a group of its own that ignores SIGTERM.
const stubborn = () => spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);", "${folder}"], { detached: true, stdio: "ignore" }).unref();
`;

/**
 * @param {string} name
 * @param {string} body
 * @param {{ testLimitMs?: number, limitMs?: number }} [limits] runs it as a test file
 */
async function runFile(name, body, limits) {
  const file = path.join(folder, `${name}.test.mjs`);
  fs.writeFileSync(file, HEAD + body);
  const { tests } = await nodeTests([file], limits);
  assert.deepEqual(running(), [], "nothing of it is left");
  return tests;
}

test("what needs all slots runs alone, and what needs one and came later goes before it", async () => {
  const inSlot = createSlots(2);
  /** @type {string[]} */
  const seen = [];
  /** @type {Map<string, () => void>} */
  const running = new Map();
  const begin = (/** @type {string} */ name, /** @type {number | undefined} */ slots) =>
    inSlot(async () => {
      await new Promise((resolve) => void running.set(name, () => resolve(undefined)));
      running.delete(name);
    }, slots);
  const works = new Map(
    Object.entries({ one: 1, all: 2, two: 1, three: 1 }).map(([name, slots]) => [name, begin(name, slots)]),
  );
  for (const name of ["one", "two", "three", "all"]) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push([...running.keys()].join(" and "));
    running.get(name)?.();
    await works.get(name);
  }
  assert.deepEqual(seen, ["one and two", "two and three", "three", "all"]);
});

/** @returns {string[]} the processes that name this folder in their command line */
const running = () => processesOf((command) => command.includes(folder));

describe("what does not end", () => {
  test("a test that waits for ever is named, and the tests before it count", async () => {
    const tests = await runFile(
      "waits",
      `stubborn(); test("one", () => {}); test("two", () => new Promise(() => setInterval(() => {}, 1000)));`,
      { testLimitMs: 2000 },
    );
    const found = tests.map(({ title, state }) => [path.basename(title), state]);
    assert.deepEqual(found, [
      ["one", "passed"],
      ["waits.test.mjs", "failed"],
    ]);
    assert.match(tests[1]?.error ?? "", /Nothing came for 2 s after "two" had started: it was stopped\./);
  });

  test("a test that keeps the processor is stopped as well", async () => {
    const tests = await runFile("spins", `test("spins", () => { for (;;); });`, { testLimitMs: 2000 });
    assert.match(tests[0]?.error ?? "", /Nothing came for 2 s after/);
  });

  test("a file has a limit of its own", async () => {
    const tests = await runFile(
      "long",
      `for (let i = 0; i < 1000; i++) test(String(i), () => new Promise((resolve) => setTimeout(resolve, 200)));`,
      { limitMs: 2000 },
    );
    assert.match(tests.at(-1)?.error ?? "", /It did not end within 2 s and was stopped\./);
  });

  test("a hook that throws ends its file, although what it had started runs on", async () => {
    const tests = await runFile(
      "hook",
      `describe("a", () => { before(() => { stubborn(); setInterval(() => {}, 1000); throw new Error("no mkfifo"); }); test("x", () => {}); });`,
      { testLimitMs: 60_000 },
    );
    assert.ok(
      tests.some(({ error = "" }) => error.includes("no mkfifo")),
      JSON.stringify(tests),
    );
    assert.match(tests.at(-1)?.error ?? "", /A hook of "a" threw, and something that it had started was still running/);
  });

  test("a child that ignores SIGTERM ends with the file that started it", async () => {
    const tests = await runFile("stubborn", `test("passes", () => { stubborn(); });`);
    const found = tests.map(({ state }) => state);
    assert.deepEqual(found, ["passed"]);
  });

  test("Ctrl+C leaves no process and no folder", async () => {
    const temporary = tempDir();
    const { child, ended } = startGroup(process.execPath, [path.join(root, "test", "run.mjs"), "types"], {
      cwd: root,
      stdio: "ignore",
      env: { ...process.env, TMPDIR: temporary },
    });
    const ofRun = () =>
      processesOf((_, environment) => environment.some((each) => each.startsWith(`TMPDIR=${temporary}`)));
    await until(() => ofRun().some((command) => command.includes("tsc")), { what: "the compiler", everyMs: 200 });
    child.kill("SIGINT");
    assert.equal((await ended).code, 130);
    await until(() => ofRun().length === 0, { what: "the end of every process", everyMs: 200 });
    assert.deepEqual(fs.readdirSync(temporary), []);
    removeDir(temporary);
  });
});

describe("one test, one short command", () => {
  for (const [words, said] of /** @type {const} */ ([
    [["nosuch"], /There is no layer "nosuch"\. The layers: types, lint, /],
    [["core", "nosuch"], /The layer core has no file "nosuch".* Its files: architecture, .*state\/orders/],
    [["--nosuch"], /Unknown option '--nosuch'/],
  ])) {
    test(`${words.join(" ")} ends with 2 and the names`, async () => {
      const { code, output } = await run(process.execPath, ["test/run.mjs", ...words]);
      assert.equal(code, 2);
      assert.match(output, said);
    });
  }
});
