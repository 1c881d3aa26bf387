import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { createEmitter, type Emitter } from "../../../../src/base/emitter.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { readHistory, type SentRequest } from "../../../../src/requests/running/history.ts";
import { createHistoryStore, type HistoryStore } from "../../../../src/ui/requests/historyStore.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";
import { responseOf } from "../../requests/fakeGate.ts";

/* The request history of several windows, in the one file that they share. */

let clock: FakeClock;
let folder: string;
let file: string;
let stores: HistoryStore[];
let mode: "disk" | "memory";
let changes: Emitter<void>;

async function openWindow(): Promise<HistoryStore> {
  const settings = { history: () => mode, onDidChange: changes.event };
  const store = createHistoryStore({ settings, file, hide: (text) => text, clock, log: silentLog });
  stores.push(store);
  await store.isRead;
  return store;
}

function sent(method: string): SentRequest {
  return {
    result: {
      intent: {
        ...{ method, paramsText: "{}", origin: "requestFile" },
        words: { action: "", target: "", detail: [], keep: "" },
      },
      ...{ effect: "read", id: undefined, problems: [], canSendAnyway: false, activityId: undefined },
      outcome: { kind: "confirmed", response: responseOf("x", "1") },
    },
    ...{ endedAtMs: clock.now(), environment: "test", connectionId: "c", connectionName: "main" },
    ...{ fileUri: "file:///a.rpc.json", name: undefined },
  };
}

/** Waits until the file has as many requests as expected, and returns their methods, the newest first. */
async function written(count: number): Promise<string[]> {
  for (;;) {
    await clock.advance(2000);
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    const kept = readHistory(fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "");
    const methods = kept.kind === "read" ? kept.entries.map(({ method }) => method) : [];
    if (methods.length === count) return methods;
  }
}

describe("the request history in a file", () => {
  beforeEach(() => {
    clock = createFakeClock();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-history-"));
    file = path.join(folder, "storage", "history.json");
    stores = [];
    mode = "disk";
    changes = createEmitter();
  });

  afterEach(() => {
    for (const each of stores) each.dispose();
    fs.rmSync(folder, { recursive: true });
  });

  test("a second window adds to what the first one has written, and each request has its own number", async () => {
    const [left, right] = [await openWindow(), await openWindow()];
    left.record(sent("public/left"));
    assert.deepEqual(await written(1), ["public/left"]);
    right.record(sent("public/right"));
    assert.deepEqual(await written(2), ["public/right", "public/left"]);
    left.record(sent("public/again"));
    assert.deepEqual(await written(3), ["public/again", "public/right", "public/left"]);
    const third = await openWindow();
    assert.equal(new Set(third.entries.map(({ id }) => id)).size, 3);
  });

  test("windows that write at the same moment lose nothing, nor does one that follows a window that crashed", async () => {
    const windows = [await openWindow(), await openWindow(), await openWindow(), await openWindow()];
    for (const [index, each] of windows.entries()) each.record(sent(`public/${String(index)}`));
    assert.deepEqual((await written(4)).toSorted(), ["public/0", "public/1", "public/2", "public/3"]);
    fs.writeFileSync(`${file}.new`, "");
    fs.utimesSync(`${file}.new`, 0, 0);
    windows[0]?.record(sent("public/later"));
    assert.equal((await written(5)).includes("public/later"), true);
  });

  test(
    "only the user can read the file, also one that was written before",
    { skip: process.platform === "win32" },
    async () => {
      fs.mkdirSync(path.dirname(file));
      fs.writeFileSync(file, "", { mode: 0o644 });
      (await openWindow()).record(sent("public/get_time"));
      await written(1);
      assert.equal(fs.statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(fs.readdirSync(path.dirname(file)), ["history.json"]);
    },
  );

  test("what the user clears is gone from the file, and a later version's file is left alone", async () => {
    const [left, right] = [await openWindow(), await openWindow()];
    left.record(sent("public/left"));
    await written(1);
    right.clear();
    assert.deepEqual(await written(0), []);
    fs.writeFileSync(file, '{"schema":99}');
    right.record(sent("public/right"));
    await clock.advance(10_000);
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    assert.equal(fs.readFileSync(file, "utf8"), '{"schema":99}');
  });
});
