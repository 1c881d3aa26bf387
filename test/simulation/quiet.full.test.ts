import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { messageOf } from "./bundle.ts";
import { buildWalk } from "./walk/build.ts";
import type { QuietOptions, QuietReport } from "./walk/quietWorker.ts";
import type { Manifest } from "./walk/walk.ts";

/* What a user is told who connects, and looks on for ten minutes while the demo bot trades and groups are frozen. */

describe("ten minutes of looking on", () => {
  let file = "";
  beforeAll(async () => {
    file = await buildWalk([], "quietWorker");
  });
  afterAll(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }));

  const manifest = JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest;
  const lookOn = async (options: Pick<QuietOptions, "connect" | "settings">): Promise<QuietReport> =>
    await messageOf<QuietReport>(file, { manifest, minutes: 10, ...options } satisfies QuietOptions);

  test("on the built-in simulator, no alarm, not even where each fill is wanted: no order is the user's own", async () => {
    const { told, freezes, trades } = await lookOn({
      connect: ["tradingRpc.simulator.start"],
      settings: { "tradingRpc.alarms.fillUsd": 1 },
    });
    assert.deepEqual(told, []);
    assert.ok(freezes >= 5 && trades >= 50, `${freezes} freezes, ${trades} trades`);
  });

  test("on the same market as a testnet account, each freeze that lasts, once", async () => {
    const { told, freezes } = await lookOn({ connect: ["tradingRpc.connection.connect", "test"], settings: {} });
    assert.ok(freezes >= told.length && told.length > 0, `${freezes} freezes`);
    for (const each of told)
      assert.match(
        each,
        /^warned: TESTNET test: MMP has frozen .* until \d\d:\d\d:\d\d\. A reset ends the freeze earlier\.$/,
      );
    assert.equal(new Set(told).size, told.length);
  });
});
