import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { createOtherWindows, type OtherWindows } from "../../../../src/ui/connections/otherWindows.ts";
import { silentLog, type Log } from "../../../../src/base/log.ts";

let root = "";
let folder = "";
const living = new Set<number>();
const opened: OtherWindows[] = [];

function open(processId: number, log: Log = silentLog): OtherWindows {
  living.add(processId);
  const window = createOtherWindows({
    folder,
    runId: `run${processId}`,
    isAlive: async (run) => await Promise.resolve(living.has(Number(run.slice(3)))),
    log,
  });
  opened.push(window);
  return window;
}

const any = (): boolean => true;
const files = (): readonly string[] => (fs.existsSync(folder) ? fs.readdirSync(folder).sort() : []);

describe("which connections other windows have open", () => {
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-other-windows-"));
    folder = path.join(root, "windows");
  });
  afterEach(() => {
    for (const window of opened.splice(0)) window.dispose();
    living.clear();
    fs.rmSync(root, { recursive: true });
  });

  test("each window counts the others that have one of the wanted ones open, not itself", async () => {
    const [left, right, third] = [open(1), open(2), open(3)];
    await left.tell(["main", "desk"]);
    await right.tell(["main"]);
    for (const window of [left, right, third]) await window.refresh();
    const counts = (id: string): readonly number[] =>
      [left, right, third].map((window) => window.count((each) => each === id));
    assert.deepEqual(
      [counts("main"), counts("desk"), counts("other")],
      [
        [1, 1, 2],
        [0, 1, 1],
        [0, 0, 0],
      ],
    );
    assert.equal(
      third.count((id) => id === "main" || id === "desk"),
      2,
      "windows are counted, not connections",
    );
  });

  test("what is told takes the place of what was told before; with nothing open there is no file", async () => {
    const [left, right] = [open(1), open(2)];
    await Promise.all([left.tell(["main"]), left.tell(["main", "desk"]), left.tell(["desk"])]);
    await right.refresh();
    assert.deepEqual([right.count((id) => id === "main"), right.count((id) => id === "desk")], [0, 1]);
    await left.tell([]);
    await right.refresh();
    assert.deepEqual([right.count(any), files()], [0, []]);
  });

  test("a change is told once, and looking without one tells nothing", async () => {
    const [left, right] = [open(1), open(2)];
    let changes = 0;
    right.onDidChange(() => changes++);
    await right.refresh();
    await left.tell(["main"]);
    for (let round = 0; round < 3; round++) await right.refresh();
    assert.equal(changes, 1);
  });

  test("a window that is closed takes its file with it, also when it is still writing", async () => {
    const [left, right] = [open(1), open(2)];
    await left.tell(["main"]);
    const writing = left.tell(["main", "desk"]);
    left.dispose();
    await writing;
    await left.tell(["main"]);
    await right.refresh();
    assert.deepEqual([right.count(any), files()], [0, []]);
  });

  test("what a window left that ended without a word counts no more, and goes", async () => {
    const [left, right] = [open(1), open(2)];
    await left.tell(["main"]);
    await right.refresh();
    assert.equal(right.count(any), 1);
    living.delete(1);
    await right.refresh();
    assert.deepEqual([right.count(any), files()], [0, []]);
  });

  test("a file that is being written keeps what it said; one that is none of ours is left alone", async () => {
    const [left, right] = [open(1), open(2)];
    await left.tell(["main"]);
    await right.refresh();
    fs.writeFileSync(path.join(folder, "run1.json"), '["ma');
    fs.writeFileSync(path.join(folder, "notes.txt"), "mine");
    await right.refresh();
    assert.deepEqual([right.count(any), files()], [1, ["notes.txt", "run1.json"]]);
    fs.writeFileSync(path.join(folder, "run1.json"), '{"main":1}');
    await right.refresh();
    assert.equal(
      right.count((id) => id === "main"),
      1,
    );
  });

  test("on the disk stand ids alone, for their owner", async () => {
    await open(1).tell(["main"]);
    const file = path.join(folder, "run1.json");
    assert.equal(fs.readFileSync(file, "utf8"), '["main"]');
    if (process.platform !== "win32") assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  });

  test("a folder that cannot be made is told to the log, once for each try, and nothing fails", async () => {
    fs.writeFileSync(folder, "in the way");
    const warnings: string[] = [];
    const left = open(1, {
      ...silentLog,
      warn: (text) => {
        warnings.push(text);
      },
    });
    await left.tell(["main"]);
    await left.refresh();
    assert.equal(left.count(any), 0);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /^Other windows are not told which connections are open here: /);
  });
});
