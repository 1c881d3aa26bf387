import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, describe, test, vi } from "vitest";
import { JournalFile } from "../../../src/actions/journal/journalFile.ts";
import type { JournalRecord } from "../../../src/actions/journal/journal.ts";
import { silentLog, type Log } from "../../../src/base/log.ts";
import { rounds } from "../../rounds.mjs";

/* Journals of several runs in one real folder; which processes live is what a test says. */

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true });
});

interface Lab {
  readonly folder: string;
  readonly living: Set<number>;
  readonly warnings: string[];
  run(processId: number, runId: string): JournalFile;
  /** Files with their lines. */
  text(): string;
}

function createLab(): Lab {
  const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "rpc-journal-")), "journal");
  folders.push(path.dirname(folder));
  const living = new Set<number>();
  const processes = new Map<string, number>();
  const warnings: string[] = [];
  const keep = (message: string): void => {
    warnings.push(message);
  };
  const log: Log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  return {
    folder,
    living,
    warnings,
    run(processId, runId) {
      living.add(processId);
      processes.set(runId, processId);
      return new JournalFile({
        folder,
        runId,
        isAlive: async (id) => await Promise.resolve(living.has(processes.get(id) ?? 0)),
        log,
      });
    },
    text: () =>
      filesIn(folder)
        .map(
          (name) =>
            `${name.replace("/records.jsonl", "")}: ${fs
              .readFileSync(path.join(folder, name), "utf8")
              .split("\n")
              .filter((line) => line !== "")
              .map((line) => /"intentId":"([^"]*)"/.exec(line)?.[1] ?? "?")
              .join(" ")}`,
        )
        .join("\n"),
  };
}

function filesIn(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

/** As a run of that name has left it, or still writes it. */
function leave(folder: string, file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  fs.writeFileSync(path.join(folder, file), text);
}

let atMs = 0;
const note = {
  askedAtMs: 1,
  connectionName: "main",
  environment: "test" as const,
  identity: "key",
  action: "Cancel Order",
  target: "ETH",
};
function record(intentId: string, event: JournalRecord["event"] = "intent", result?: string): JournalRecord {
  return {
    schema: 1,
    intentId,
    atMs: ++atMs,
    connectionId: "c",
    event,
    method: "private/cancel",
    paramsText: "{}",
    result,
    ...(event === "intent" ? { note } : {}),
  };
}

const ids = (records: readonly JournalRecord[]): string[] =>
  records.map(({ intentId, event }) => `${intentId} ${event}`);

describe("the journal on disk", () => {
  test("an accepted record is on disk, in a file that other users can't read", async () => {
    const lab = createLab();
    const journal = lab.run(1, "a");
    await journal.append(record("one"));
    await Promise.all([journal.append(record("two")), journal.append(record("three"))]);
    assert.equal(lab.text(), "a: one two three");
    if (process.platform !== "win32") {
      assert.equal(fs.statSync(path.join(lab.folder, "a", "records.jsonl")).mode & 0o777, 0o600);
      assert.equal(fs.statSync(lab.folder).mode & 0o777, 0o700);
      assert.equal(fs.statSync(path.join(lab.folder, "a")).mode & 0o777, 0o700);
    }
  });

  test("a later run takes over what an ended one wrote, once; a living one is left alone", async () => {
    const lab = createLab();
    await lab.run(1, "a").append(record("one"));
    await lab.run(2, "b").append(record("two"));
    lab.living.delete(1);
    const next = lab.run(3, "c");
    assert.deepEqual(ids(await next.adopt()), ["one intent"]);
    assert.equal(lab.text(), "b: two\nc: one");
    assert.deepEqual(await next.adopt(), []);
    lab.living.delete(2);
    assert.deepEqual(ids(await next.adopt()), ["two intent"]);
    assert.equal(lab.text(), "c: one two");
  });

  test("two runs that start together share the records out", async () => {
    const lab = createLab();
    for (const run of ["a", "b", "c", "d"]) {
      await lab.run(1, run).append(record(run));
    }
    lab.living.delete(1);
    const [left, right] = await Promise.all([lab.run(2, "x").adopt(), lab.run(3, "y").adopt()]);
    assert.deepEqual([...ids(left), ...ids(right)].sort(), ["a intent", "b intent", "c intent", "d intent"]);
  });

  test("two runs never get the same records, also of one that died while taking over, and however they meet", async () => {
    for (let delay = 0; delay < rounds({ short: 4, full: 20, long: 100 }); delay++) {
      const lab = createLab();
      const lines = ["one", "two", "three"].map((id) => `${JSON.stringify(record(id))}\n`);
      leave(lab.folder, "b/records.jsonl", lines.join(""));
      for (let index = 0; index < 40; index++)
        leave(lab.folder, `b/a${index}/records.jsonl`, lines.slice(0, 2).join(""));
      leave(lab.folder, "b/a0/z/records.jsonl", lines.slice(0, 1).join(""));
      const [left, right] = [lab.run(3, "c"), lab.run(4, "d")];
      const later = async (): Promise<readonly JournalRecord[]> => {
        for (let turn = 0; turn < delay; turn++)
          await new Promise<void>((resolve) => {
            setImmediate(resolve);
          });
        return await right.adopt();
      };
      const [one, other] = await Promise.all([left.adopt(), later()]);
      assert.deepEqual(
        [...ids(one), ...ids(other)].sort(),
        ["one intent", "three intent", "two intent"],
        `${delay} turns later`,
      );
    }
  });

  test("what was taken over belongs to its new owner for as long as that lives", async () => {
    const lab = createLab();
    leave(lab.folder, "a/records.jsonl", `${JSON.stringify(record("one"))}\n`);
    const owner = lab.run(2, "b");
    // Its disk is full: what it has taken over cannot be put together.
    const probe = await fs.promises.open(path.join(lab.folder, "a", "records.jsonl"), "r");
    const full = vi
      .spyOn(Object.getPrototypeOf(probe) as fs.promises.FileHandle, "appendFile")
      .mockImplementation(async () => await Promise.reject(new Error("no space")));
    await probe.close();
    assert.deepEqual(ids(await owner.adopt()), ["one intent"]);
    full.mockRestore();
    const other = lab.run(3, "c");
    assert.deepEqual(await other.adopt(), []);
    assert.deepEqual(
      (await other.readOthers())
        .filter(({ records }) => records.length > 0)
        .map(({ isAlive, records }) => `${isAlive ? "lives" : "ended"}: ${ids(records).join()}`),
      ["lives: one intent"],
    );
    lab.living.delete(2);
    assert.deepEqual(ids(await other.adopt()), ["one intent"]);
  });

  test("a run whose journal was moved notices it: what it writes from then on is in a file of its own, and nothing is lost", async () => {
    const lab = createLab();
    const journal = lab.run(1, "a");
    await journal.append(record("one"));
    lab.living.delete(1);
    const other = lab.run(2, "b");
    await other.adopt();
    lab.living.add(1);
    await Promise.all([journal.append(record("two")), journal.append(record("three"))]);
    await journal.append(record("four"));
    assert.equal(lab.text(), "a: two three four\nb: one");
    assert.match(lab.warnings.join(), /taken over by another one/);
  });

  test("what another run takes over while it is read is not missing", async () => {
    const lab = createLab();
    leave(lab.folder, "a/records.jsonl", `${JSON.stringify(record("one"))}\n`);
    const owner = lab.run(2, "b");
    let isTaken = false;
    const reader = new JournalFile({
      folder: lab.folder,
      runId: "c",
      // The folder is listed before this, and read after it.
      isAlive: async (run) => {
        if (run === "a" && !isTaken) {
          isTaken = true;
          await owner.adopt();
        }
        return run === "b";
      },
      log: silentLog,
    });
    assert.deepEqual(
      (await reader.readOthers()).map(({ isAlive, records }) => `${String(isAlive)}: ${ids(records).join()}`),
      ["true: one intent"],
    );
  });

  test("a process that died while taking over leaves all of it to the next", async () => {
    const lab = createLab();
    const one = record("one");
    // Claimed by b and copied, but not deleted.
    leave(lab.folder, "b/a/records.jsonl", `${JSON.stringify(one)}\n`);
    leave(lab.folder, "b/records.jsonl", `${JSON.stringify(one)}\n${JSON.stringify(record("two"))}\n`);
    assert.deepEqual(ids(await lab.run(3, "c").adopt()), ["one intent", "two intent"]);
    assert.equal(lab.text(), "c: one two");
  });

  test("F103 torn at any byte: whole records are read, and a torn one is left out and reported", async () => {
    const lab = createLab();
    const steps = [
      record("one"),
      record("one", "sent"),
      record("one", "outcome", "unknown"),
      record("zwölf"),
      record("zwölf", "outcome", "confirmed"),
    ];
    const lines = steps.map((each) => Buffer.from(`${JSON.stringify(each)}\n`));
    const whole = Buffer.concat(lines);
    const file = path.join(lab.folder, "a", "records.jsonl");
    leave(lab.folder, "a/records.jsonl", whole.toString());
    const reader = lab.run(2, "b");
    // A short run cuts at every thirteenth byte.
    const STEP = rounds({ short: 13, full: 1, long: 1 });
    for (let length = whole.length; length >= 0; length -= STEP) {
      fs.truncateSync(file, length);
      lab.warnings.length = 0;
      const [run] = await reader.readOthers();
      let end = 0;
      const ends = lines.map((line) => (end += line.length));
      // Only the end of the line may be missing of a record that is whole.
      const count = ends.filter((each) => each - 1 <= length).length;
      assert.deepEqual(ids(run?.records ?? []), ids(steps.slice(0, count)), `${length} bytes`);
      const isTorn = length > (ends[count - 1] ?? 0);
      assert.deepEqual(
        lab.warnings.map((warning) => warning.slice(0, 50)),
        isTorn ? ["A line of the journal is not whole and is left out"] : [],
        `${length} bytes`,
      );
    }
  });

  test("a run that is torn is taken over without what is torn, and goes on with whole lines", async () => {
    const lab = createLab();
    leave(
      lab.folder,
      "a/records.jsonl",
      `${JSON.stringify(record("one"))}\n${JSON.stringify(record("two")).slice(0, 40)}`,
    );
    const next = lab.run(2, "b");
    assert.deepEqual(ids(await next.adopt()), ["one intent"]);
    await next.append(record("three"));
    assert.equal(lab.text(), "b: one three");
  });

  test("what a full disk cut short is a line of its own, and the next record is whole", async () => {
    const lab = createLab();
    const journal = lab.run(1, "a");
    await journal.append(record("one"));
    const probe = await fs.promises.open(path.join(lab.folder, "a", "records.jsonl"), "r");
    const handles = Object.getPrototypeOf(probe) as fs.promises.FileHandle;
    await probe.close();
    const appendFile = Reflect.get<fs.promises.FileHandle, "appendFile">(handles, "appendFile");
    const full = vi.spyOn(handles, "appendFile").mockImplementation(async function (
      this: fs.promises.FileHandle,
      text,
    ) {
      await appendFile.call(this, String(text).slice(0, 20));
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    });
    await assert.rejects(journal.append(record("two")));
    full.mockRestore();
    await journal.append(record("three"));
    lab.living.delete(1);
    assert.deepEqual(ids(await lab.run(2, "b").adopt()), ["one intent", "three intent"]);
  });

  test("old records of settled intents go, those without an outcome stay", async () => {
    const lab = createLab();
    const journal = lab.run(1, "a");
    await journal.append(record("open"));
    await journal.append(record("doubtful", "outcome", "unknown"));
    await Promise.all(
      Array.from({ length: 2000 }, async (_, index) => await journal.append(record(`i${index}`, "outcome", "applied"))),
    );
    lab.living.delete(1);
    const next = lab.run(2, "b");
    await next.adopt();
    const kept = lab.text();
    assert.match(kept, /^b: open doubtful i0 i1 /);
    await next.append(record("i2000", "outcome", "applied"));
    lab.living.delete(2);
    await lab.run(3, "c").adopt();
    assert.match(lab.text(), /^c: open doubtful i1 i2 .* i2000$/);
  });

  test("T34 a long run is shortened: the newest records and all without an outcome stay, hidden from other users", async () => {
    const lab = createLab();
    const journal = lab.run(1, "a");
    await journal.append(record("open"));
    await Promise.all(
      Array.from(
        { length: 6000 },
        async (_, index) => await journal.append(record(`i${index}`, "outcome", "confirmed")),
      ),
    );
    await journal.append(record("last", "outcome", "confirmed"));
    assert.match(lab.text(), /^a: open i4000 i4001 .* i5999 last$/);
    assert.deepEqual(filesIn(lab.folder), ["a/records.jsonl"]);
    if (process.platform !== "win32")
      assert.equal(fs.statSync(path.join(lab.folder, "a", "records.jsonl")).mode & 0o777, 0o600);
  });

  test("T34 a journal that is removed takes those of ended runs with it, and leaves those that are written", async () => {
    const lab = createLab();
    const [own, ended, other] = [lab.run(1, "a"), lab.run(2, "b"), lab.run(3, "c")];
    for (const each of [own, ended, other]) await each.append(record("one"));
    lab.living.delete(2);
    await own.remove();
    assert.equal(lab.text(), "c: one");
    lab.living.delete(3);
    await lab.run(4, "d").remove();
    assert.equal(fs.existsSync(lab.folder), false, "the last one takes the folder with it");
  });

  test("a folder that cannot be made refuses the record, and takes the next when it can be", async () => {
    const lab = createLab();
    fs.writeFileSync(lab.folder, "in the way");
    const journal = lab.run(1, "a");
    await assert.rejects(journal.append(record("one")));
    fs.rmSync(lab.folder);
    await journal.append(record("two"));
    assert.equal(lab.text(), "a: two");
    assert.deepEqual(await journal.adopt(), []);
  });

  test("what is no journal is left where it is", async () => {
    const lab = createLab();
    leave(lab.folder, "notes.txt", "mine");
    leave(lab.folder, "a/records.jsonl", '{"intentId":5}\nnot json\n');
    const journal = lab.run(2, "b");
    assert.deepEqual(await journal.adopt(), []);
    assert.equal(fs.readFileSync(path.join(lab.folder, "notes.txt"), "utf8"), "mine");
    assert.equal(lab.warnings.length, 2);
  });
});
