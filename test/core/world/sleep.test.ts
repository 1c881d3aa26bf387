import assert from "node:assert/strict";
import { afterEach, describe, test } from "vitest";
import { openWindows, type Window, type Windows } from "./windows.ts";

/* Eight hours of sleep with a cancel under way and a link that is dead afterwards: what the user reads on waking. */

const HOURS_8 = 8 * 3_600_000;

let windows: Windows;
let window: Window;
let orderId = "";

async function fallAsleep(monotonic: "stops" | "runs"): Promise<void> {
  windows = openWindows();
  window = windows.open();
  await window.connect();
  orderId = windows.exchange.control.openOrders()[0]?.order_id ?? "";
  windows.exchange.control.setFault({ method: "private/cancel", response: "none" });
  void window.cancel(orderId);
  await windows.advance(60);
  assert.deepEqual(await window.activity(), ["Cancel ETH-PERPETUAL buy 40 @ 2102.55 · sending… · 12:00:01"]);
  windows.silence();
  windows.clock.sleep(HOURS_8, monotonic);
}

const UNKNOWN = "$(question) 1 outcome unknown · TESTNET main";
const UNKNOWN_SENTENCE =
  "The outcome of a change that was sent is unknown. Open Activity to review it and check again.";
const verified = (at: string): string =>
  `ETH-PERPETUAL buy 40 @ 2102.55 on TESTNET main: verified cancelled at ${at} (the outcome was unknown, cause: on request). 12 of 40 filled.`;

describe("eight hours of sleep with a cancel under way", () => {
  afterEach(() => {
    windows.end();
  });

  test("a clock that stood still meanwhile: no sign of life, then unknown, then looked up over the next link", async () => {
    await fallAsleep("stops");
    await windows.advance(1000);
    assert.equal(window.tooltip(), "TESTNET main: not responding, checking…");
    await windows.advance(5200);
    const silent = "The connection was closed because TESTNET main stopped responding (no messages received).";
    assert.deepEqual(window.told(), [
      `Cancel ETH-PERPETUAL buy 40 @ 2102.55 on TESTNET main: outcome unknown, checking… ${silent}`,
    ]);
    assert.deepEqual(await window.activity(), ["Cancel ETH-PERPETUAL buy 40 @ 2102.55 · unknown · 20:00:07"]);
    assert.equal(window.statusBar(), `${UNKNOWN} · trying again`);
    assert.match(
      window.tooltip(),
      new RegExp(
        `^${UNKNOWN_SENTENCE} TESTNET main: next attempt in \\d+ ms The connection was closed because 127\\.0\\.0\\.1:1 stopped responding \\(no messages received\\)\\. This happens after sleep or a network change\\. The connection reopens automatically when the network is available\\.$`,
      ),
    );
    assert.equal(
      window.screen.heading(),
      `TESTNET main · as of 12:00:01 | Not up to date since 12:00:01. ${silent} | `,
    );
    assert.deepEqual(window.rows(orderId), ["buy 40 @ 2102.55 | cancelled · ETH-PERP · demo · stale"]);
    await windows.advance(10_000);
    assert.deepEqual(window.told().slice(1), [verified("20:00:07")]);
    assert.deepEqual(await window.activity(), [
      "Cancel ETH-PERPETUAL buy 40 @ 2102.55 · verified cancelled · 20:00:07",
    ]);
    assert.deepEqual(
      [window.statusBar(), window.tooltip(), window.screen.heading()],
      ["$(plug) TESTNET main", "TESTNET main: ready", "TESTNET main · live |  | "],
    );
    assert.equal(windows.count("private/cancel"), 1);
  });

  test("a clock that went on: the time of the response is over at once", async () => {
    await fallAsleep("runs");
    await windows.advance(900);
    assert.deepEqual(window.told(), [
      "Cancel ETH-PERPETUAL buy 40 @ 2102.55 on TESTNET main: outcome unknown, checking… No response from TESTNET main within 15 s.",
    ]);
    assert.deepEqual(
      [await window.activity(), window.statusBar()],
      [["Cancel ETH-PERPETUAL buy 40 @ 2102.55 · unknown · 20:00:01"], UNKNOWN],
    );
    await windows.advance(10_000);
    assert.deepEqual(window.told().slice(1), [verified("20:00:04")]);
    assert.deepEqual(
      [await window.activity(), window.statusBar()],
      [["Cancel ETH-PERPETUAL buy 40 @ 2102.55 · verified cancelled · 20:00:04"], "$(plug) TESTNET main"],
    );
    assert.equal(windows.count("private/cancel"), 1);
  });
});
