import assert from "node:assert/strict";
import { afterEach, describe, test } from "vitest";
import { openWindows, outcomesOf, type Windows } from "./windows.ts";

/*
 * A window is closed with three cancels under way. What the editor still lets it do is of no importance: all of it
 * stands in the journal.
 */

let windows: Windows;

const LEFT =
  "3 changes on TESTNET main had an unknown outcome when their window closed. They are checked when the connection is open. Nothing is sent again.";

describe("F108 a window is closed with three changes under way", () => {
  afterEach(() => {
    windows.end();
  });

  for (const [name, livesMs] of [
    ["and killed at once", 0],
    ["and killed after five seconds", 5000],
  ] as const) {
    test(`F108 ${name}: the next one lists all three and looks them up`, async () => {
      windows = openWindows();
      const old = windows.open();
      await old.connect();
      const ids = windows.exchange.control
        .openOrders()
        .slice(0, 3)
        .map((order) => order.order_id);
      windows.exchange.control.setFault({ method: "private/cancel", response: "none", times: 2 });
      windows.exchange.control.setFault({ method: "private/cancel", response: "none", effect: "skipped" });
      for (const id of ids) void old.cancel(id);
      await windows.advance(60);
      assert.equal(windows.count("private/cancel"), 3);
      assert.deepEqual(outcomesOf(old), [undefined, undefined, undefined]);
      if (livesMs > 0) {
        old.close();
        await windows.advance(livesMs);
      }
      old.end();

      const next = windows.open();
      assert.equal(await next.leftOver(), LEFT);
      assert.equal(next.statusBar(), "$(question) 3 outcomes unknown · TESTNET main");
      await next.connect();
      await windows.advance(9000);
      const kinds = next.journals.intents.map(({ note, verdicts }) => [note.targetId, verdicts.at(-1)?.kind]);
      assert.deepEqual(
        kinds.toSorted(),
        [
          [ids[0], "applied"],
          [ids[1], "applied"],
          [ids[2], "notApplied"],
        ].toSorted(),
      );
      for (const id of ids)
        assert.equal(
          windows.exchange.control.order(id)?.order_state === "cancelled",
          kinds.some(([target, kind]) => target === id && kind === "applied"),
        );
      assert.deepEqual(
        [windows.count("private/cancel"), next.statusBar()],
        [3, "$(question) 1 outcome unknown · TESTNET main"],
      );
      assert.match(
        (await next.leftOver()) ?? "",
        /^Cancel BTC-PERPETUAL (buy|sell) \d+ @ [\d.\u202F]+ on TESTNET main had an unknown outcome/,
      );
    });
  }
});
