import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, describe, test } from "node:test";
import { createJournalFile, type JournalFile } from "../../../src/actions/journalFile.ts";
import type { JournalRecord } from "../../../src/actions/journal.ts";
import type { Log } from "../../../src/base/log.ts";

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
  const warnings: string[] = [];
  const keep = (message: string): void => { warnings.push(message); };
  const log: Log = { trace: keep, debug: keep, info: keep, warn: keep, error: keep };
  return {
    folder,
    living,
    warnings,
    run(processId, runId) {
      living.add(processId);
      return createJournalFile({ folder, processId, runId, isAlive: (id) => living.has(id), log });
    },
    text: () => fs.readdirSync(folder).sort().map((name) => `${name}: ${fs.readFileSync(path.join(folder, name), "utf8").split("\n").filter((line) => line !== "").map((line) => /"intentId":"([^"]*)"/.exec(line)?.[1] ?? "?").join(" ")}`).join("\n"),
  };
}

let atMs = 0;
const note = { askedAtMs: 1, connectionName: "main", environment: "test" as const, identity: "key", action: "Cancel Order", target: "ETH" };
function record(intentId: string, event: JournalRecord["event"] = "intent", result?: string): JournalRecord {
  return { schema: 1, intentId, atMs: ++atMs, connectionId: "c", event, method: "private/cancel", paramsText: "{}", result, ...(event === "intent" ? { note } : {}) };
}

const ids = (records: readonly JournalRecord[]): string[] => records.map(({ intentId, event }) => `${intentId} ${event}`);

describe("the journal on disk", () => {
  test("a record that was taken is on disk, in a file that nobody else can read", async () => {
    const lab = createLab();
    const journal = lab.run(1, "a");
    await journal.append(record("one"));
    await Promise.all([journal.append(record("two")), journal.append(record("three"))]);
    assert.equal(lab.text(), "1-a.jsonl: one two three");
    if (process.platform !== "win32") {
      assert.equal(fs.statSync(path.join(lab.folder, "1-a.jsonl")).mode & 0o777, 0o600);
      assert.equal(fs.statSync(lab.folder).mode & 0o777, 0o700);
    }
  });

  test("a later run takes over what an ended one wrote, once; a living one is left alone", async () => {
    const lab = createLab();
    await lab.run(1, "a").append(record("one"));
    await lab.run(2, "b").append(record("two"));
    lab.living.delete(1);
    const next = lab.run(3, "c");
    assert.deepEqual(ids(await next.adopt()), ["one intent"]);
    assert.equal(lab.text(), "2-b.jsonl: two\n3-c.jsonl: one");
    assert.deepEqual(await next.adopt(), []);
    lab.living.delete(2);
    assert.deepEqual(ids(await next.adopt()), ["two intent"]);
    assert.equal(lab.text(), "3-c.jsonl: one two");
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

  test("a process that died while taking over leaves all of it to the next", async () => {
    const lab = createLab();
    const one = record("one");
    fs.mkdirSync(lab.folder, { recursive: true });
    // Claimed by 2 and copied, but not deleted.
    fs.writeFileSync(path.join(lab.folder, "2-a.jsonl"), `${JSON.stringify(one)}\n`);
    fs.writeFileSync(path.join(lab.folder, "2-b.jsonl"), `${JSON.stringify(one)}\n${JSON.stringify(record("two"))}\n`);
    assert.deepEqual(ids(await lab.run(3, "c").adopt()), ["one intent", "two intent"]);
    assert.equal(lab.text(), "3-c.jsonl: one two");
  });

  test("at every byte at which a line may be torn the whole ones are read", async () => {
    const lines = `${JSON.stringify(record("one"))}\n${JSON.stringify(record("two"))}\n`;
    // From the end of the first line on: within it every place is like within the second.
    for (let length = lines.indexOf("\n") - 1; length <= lines.length; length++) {
      const lab = createLab();
      fs.mkdirSync(lab.folder, { recursive: true });
      fs.writeFileSync(path.join(lab.folder, "1-a.jsonl"), lines.slice(0, length));
      const first = lines.indexOf("\n");
      const expected = [...(length >= first ? ["one intent"] : []), ...(length >= lines.length - 1 ? ["two intent"] : [])];
      assert.deepEqual(ids(await lab.run(2, "b").adopt()), expected, `${length} bytes`);
    }
  });

  test("old records of settled intents go, those without an outcome stay", async () => {
    const lab = createLab();
    const journal = lab.run(1, "a");
    await journal.append(record("open"));
    await journal.append(record("doubtful", "outcome", "unknown"));
    await Promise.all(Array.from({ length: 2000 }, async (_, index) => await journal.append(record(`i${index}`, "outcome", "applied"))));
    lab.living.delete(1);
    const next = lab.run(2, "b");
    await next.adopt();
    const kept = lab.text();
    assert.match(kept, /^2-b\.jsonl: open doubtful i0 i1 /);
    await next.append(record("i2000", "outcome", "applied"));
    lab.living.delete(2);
    await lab.run(3, "c").adopt();
    assert.match(lab.text(), /^3-c\.jsonl: open doubtful i1 i2 .* i2000$/);
  });

  test("a folder that cannot be made refuses the record, and takes the next when it can be", async () => {
    const lab = createLab();
    fs.writeFileSync(lab.folder, "in the way");
    const journal = lab.run(1, "a");
    await assert.rejects(journal.append(record("one")));
    fs.rmSync(lab.folder);
    await journal.append(record("two"));
    assert.equal(lab.text(), "1-a.jsonl: two");
    assert.deepEqual(await journal.adopt(), []);
  });

  test("what is no journal is left where it is", async () => {
    const lab = createLab();
    fs.mkdirSync(lab.folder, { recursive: true });
    fs.writeFileSync(path.join(lab.folder, "notes.txt"), "mine");
    fs.writeFileSync(path.join(lab.folder, "1-a.jsonl"), '{"intentId":5}\nnot json\n');
    const journal = lab.run(2, "b");
    assert.deepEqual(await journal.adopt(), []);
    assert.equal(fs.readFileSync(path.join(lab.folder, "notes.txt"), "utf8"), "mine");
    assert.equal(lab.warnings.length, 2);
  });
});
