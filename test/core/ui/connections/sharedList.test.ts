import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { silentLog } from "../../../../src/base/log.ts";
import type { SharedList } from "../../../../src/state/knownList.ts";
import { createSharedList } from "../../../../src/ui/connections/sharedList.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";

/* Windows of one computer, and the list that only one of them reads from the server. */

const HOUR_MS = 3_600_000;

let clock: FakeClock;
let root: string;
let folder: string;

const openWindow = (): SharedList =>
  createSharedList("https://test.example instruments", { folder, clock, log: silentLog });

/** Waits until a window that found another one reading sleeps. */
async function untilAsleep(): Promise<void> {
  while (clock.pendingTimers === 0)
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
}

describe("lists on the disk", () => {
  beforeEach(() => {
    clock = createFakeClock();
    root = fs.mkdtempSync(path.join(os.tmpdir(), "rpc-lists-"));
    folder = path.join(root, "lists");
  });

  afterEach(() => {
    fs.rmSync(root, { recursive: true });
  });

  describe("a list of all windows", () => {
    test("one window reads it while the other one waits; for an hour no window reads it again", async () => {
      const [left, right] = [openWindow(), openWindow()];
      assert.equal(await left.take(), undefined);
      const waiting = right.take();
      await untilAsleep();
      await left.keep([{ instrument_name: "A" }]);
      await clock.advance(500);
      const kept = { readAtMs: clock.now() - 500, elements: [{ instrument_name: "A" }] };
      assert.deepEqual(await waiting, kept);
      await clock.advance(HOUR_MS - 501);
      assert.deepEqual(await openWindow().take(), kept);
      await clock.advance(1);
      assert.equal(await openWindow().take(), undefined);
    });

    test("a reading that fails lets the next window read", async () => {
      const [left, right] = [openWindow(), openWindow()];
      await left.take();
      const waiting = right.take();
      await untilAsleep();
      await left.keep(undefined);
      await clock.advance(500);
      assert.equal(await waiting, undefined);
    });

    test("a window that ends while it reads holds up the others for a while only", async () => {
      await openWindow().take();
      const waiting = openWindow().take();
      let isOver = false;
      void waiting.then(() => (isOver = true));
      const beganMs = clock.now();
      const isDone = (): boolean => isOver;
      while (!isDone()) {
        if (clock.pendingTimers > 0) await clock.advance(500);
        await new Promise<void>((resolve) => {
          setImmediate(resolve);
        });
      }
      assert.ok(clock.now() - beganMs <= 46_000);
      assert.equal(await waiting, undefined);
    });

    test("if the disk fails or the file is not valid, each window reads its own list", async () => {
      fs.writeFileSync(folder, "no folder");
      const window = openWindow();
      assert.equal(await window.take(), undefined);
      await window.keep([1]);
      fs.rmSync(folder);
      await window.keep(undefined);
      assert.equal(await window.take(), undefined);
      await window.keep([1]);
      const [name = ""] = fs.readdirSync(folder);
      fs.writeFileSync(path.join(folder, name), '{"readAtMs":"x"}');
      assert.equal(await window.take(), undefined);
    });
  });
});
