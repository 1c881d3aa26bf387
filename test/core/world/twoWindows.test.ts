import assert from "node:assert/strict";
import { afterEach, describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { plain } from "../../../src/base/plain.ts";
import { pluck } from "../../pluck.ts";
import { createWorld } from "../../world.ts";
import { openWindows, type Window, type Windows } from "./windows.ts";

/* One order, two windows of one person, and Cancel is pressed in both: what stands on each screen. */

let windows: Windows;
let left: Window;
let right: Window;
let orderId = "";

async function open(): Promise<void> {
  windows = openWindows();
  [left, right] = [windows.open(), windows.open()];
  await left.connect();
  await right.connect();
  orderId = windows.exchange.control.openOrders()[0]?.order_id ?? "";
}

const WON = "Cancelled on TESTNET main: ETH-PERPETUAL buy 40 @ 2102.55. 12 of 40 filled.";
const LOST = [
  "Cancel ETH-PERPETUAL buy 40 @ 2102.55 on TESTNET main: refused by the exchange. The exchange returned error 11044: not_open_order. Operation needs an open order, but the order is not open. The order was already filled, triggered, or cancelled. Refresh the open orders.",
  "ETH-PERPETUAL buy 40 @ 2102.55 on TESTNET main: verified as cancelled at 12:00:02, but not because of this cancel.",
];

describe("two cancels of one order from two windows", () => {
  afterEach(() => {
    windows.end();
  });

  test("at the same moment: the first is told cancelled, the other one refused and that it was not by its cancel", async () => {
    await open();
    const pressed = [left.cancel(orderId), right.cancel(orderId)];
    await windows.advance(100);
    assert.deepEqual((await Promise.all(pressed)).map(({ kind }) => kind).sort(), ["confirmed", "rejected"]);
    // Which disk is faster is not defined.
    assert.deepEqual(
      [left.told(), right.told()].sort((one, other) => one.length - other.length),
      [[WON], LOST],
    );
    const rows = [
      "Cancel ETH-PERPETUAL buy 40 @ 2102.55 · cancelled · 12:00:02",
      "Cancel ETH-PERPETUAL buy 40 @ 2102.55 · refused, verified cancelled · 12:00:02",
    ];
    for (const each of [left, right]) {
      assert.deepEqual((await each.activity()).toSorted(), rows, "both windows list both");
      assert.deepEqual(each.rows(orderId), ["buy 40 @ 2102.55 | cancelled · ETH-PERP · demo"]);
      assert.deepEqual([each.statusBar(), each.tooltip()], ["$(plug) TESTNET main", "TESTNET main: ready"]);
    }
    assert.equal(windows.count("private/cancel"), 2, "one frame for each press");
  });

  test("whose responses are both lost: each is unknown in its own window, looked up there, and told once", async () => {
    await open();
    windows.exchange.control.setFault({ method: "private/cancel", response: "none", times: 2 });
    const pressed = [left.cancel(orderId), right.cancel(orderId)];
    await windows.advance(500);
    const waiting = "Cancel ETH-PERPETUAL buy 40 @ 2102.55 · in progress in another window · 12:00:02";
    for (const each of [left, right]) {
      assert.deepEqual((await each.activity()).toSorted(), [
        waiting,
        "Cancel ETH-PERPETUAL buy 40 @ 2102.55 · sending… · 12:00:02",
      ]);
      assert.deepEqual([each.told(), each.statusBar()], [[], "$(plug) TESTNET main"]);
    }
    await windows.advance(14_600);
    assert.deepEqual(pluck(await Promise.all(pressed), "kind"), ["unknown", "unknown"]);
    // The order ended with an event meanwhile; the first reading already proves it.
    const told = [
      "Cancel ETH-PERPETUAL buy 40 @ 2102.55 on TESTNET main: outcome unknown, checking… No response from TESTNET main within 15 s.",
      "ETH-PERPETUAL buy 40 @ 2102.55 on TESTNET main: verified cancelled at 12:00:17 (the outcome was unknown, cause: on request). 12 of 40 filled.",
    ];
    const row = "Cancel ETH-PERPETUAL buy 40 @ 2102.55 · verified cancelled · 12:00:17";
    for (const each of [left, right])
      assert.deepEqual(
        [each.told(), await each.activity(), each.statusBar()],
        [told, [row, row], "$(plug) TESTNET main"],
      );
    assert.equal(windows.count("private/cancel"), 2);
  });

  test("the second one while the first is unknown: each is told in its own window alone", async () => {
    await open();
    windows.exchange.control.setFault({ method: "private/cancel", response: "none", effect: "skipped" });
    void left.cancel(orderId);
    await windows.advance(15_100);
    const checking =
      "Cancel ETH-PERPETUAL buy 40 @ 2102.55 on TESTNET main: outcome unknown, checking… No response from TESTNET main within 15 s.";
    assert.deepEqual([left.told(), left.statusBar()], [[checking], "$(question) 1 outcome unknown · TESTNET main"]);
    assert.deepEqual(
      [right.told(), await right.activity(), right.statusBar()],
      [[], ["Cancel ETH-PERPETUAL buy 40 @ 2102.55 · unknown · 12:00:17"], "$(plug) TESTNET main"],
      "it is not the other window's to look up",
    );
    const again = right.cancel(orderId);
    await windows.advance(100);
    assert.equal((await again).kind, "confirmed");
    await windows.advance(10_000);
    assert.deepEqual(right.told(), [WON]);
    assert.deepEqual(left.told().slice(1), [
      "ETH-PERPETUAL buy 40 @ 2102.55 on TESTNET main: verified cancelled at 12:00:23 (the outcome was unknown, cause: on request). 12 of 40 filled.",
    ]);
    assert.deepEqual([left.statusBar(), right.statusBar()], ["$(plug) TESTNET main", "$(plug) TESTNET main"]);
  });
});

describe("a change whose outcome is unknown in one window", () => {
  afterEach(() => {
    windows.end();
  });
  const WARNING = /The outcome of an earlier attempt is unknown\. The change may already have been made\./;
  const buy = (amount = 40): Intent => ({
    method: "private/buy",
    paramsText: `{"instrument_name":"ETH-PERPETUAL","amount":${String(amount)}}`,
    origin: "requestFile",
    words: { action: plain`Send buy`, target: plain`buy`, detail: [], keep: plain`Don't Send` },
  });
  const submit = async (window: Window, intent: Intent): Promise<void> => {
    void window.live.gate.submit(intent);
    await windows.advance(100);
  };

  test("is warned about when the same is requested in another one, until it is dismissed; another change and a cancel have the usual confirmation", async () => {
    await open();
    windows.exchange.control.setFault({ method: "private/buy", response: "none", times: 9 });
    await submit(left, buy());
    assert.doesNotMatch(JSON.stringify(left.questions), WARNING);
    await windows.advance(16_000);
    assert.equal(left.statusBar(), "$(question) 1 outcome unknown · TESTNET main");
    await submit(right, buy(41));
    void right.cancel(orderId);
    await windows.advance(100);
    assert.equal(right.questions.length, 2);
    assert.doesNotMatch(JSON.stringify(right.questions), WARNING);
    await submit(right, buy());
    assert.match(JSON.stringify(right.questions.at(-1)), WARNING);
    const [intent] = left.journals.intents;
    assert.ok(intent !== undefined);
    await left.journals.setAside(intent);
    const third = windows.open();
    await third.connect();
    windows.exchange.control.clearFaults();
    await submit(third, buy());
    assert.doesNotMatch(JSON.stringify(third.questions), WARNING);
  });

  test("an order is warned about in another window by what it is, although its label is another one", async () => {
    await open();
    const labelled = (label: string, price: string): Intent => ({
      ...buy(),
      paramsText: `{"label":"${label}","instrument_name":"ETH-PERPETUAL","amount":40,"price":${price}}`,
    });
    windows.exchange.control.setFault({ method: "private/buy", effect: "skipped", response: "none", times: 9 });
    await submit(left, labelled("a", "1500"));
    await windows.advance(16_000);
    await submit(right, labelled("b", "1500.5"));
    assert.doesNotMatch(JSON.stringify(right.questions.at(-1)), WARNING);
    await submit(right, labelled("b", "1500.0"));
    assert.match(JSON.stringify(right.questions.at(-1)), WARNING);
  });

  test("a disk that does not answer keeps no question back", async () => {
    await open();
    const unheard = createWorld({
      declared: "test",
      openInOtherWindows: async () => await new Promise(() => undefined),
    });
    await unheard.connect();
    void unheard.live.gate.submit(buy());
    await unheard.clock.advance(499);
    assert.equal(unheard.questions.length, 0);
    await unheard.clock.advance(1);
    assert.equal(unheard.questions.length, 1);
    unheard.live.dispose();
  });
});
