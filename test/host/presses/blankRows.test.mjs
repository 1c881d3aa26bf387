// @ts-check
/**
 * No row of Open Orders is blank at any animation frame, while orders change a thousand times a second and groups end.
 */
import assert from "node:assert/strict";
import { rounds } from "../../rounds.mjs";
import { openChangingOrders } from "./changingOrders.mjs";
import { test } from "./connectedWindow.mjs";

const UPDATES_PER_SECOND = 1000;
/** An order that has ended leaves after ten seconds, and its group with it: the shortest watch sees some of that. */
const SECONDS = rounds({ short: 5, full: 14, long: 60 });

test.describe(`300 orders, ${UPDATES_PER_SECOND} updates a second`, () => {
  test(`no row is blank at any animation frame for ${SECONDS} s`, async ({ openConnected }) => {
    test.setTimeout(120_000 + SECONDS * 1000);
    const { simulator, pane, rows } = await openChangingOrders(openConnected, "rows", UPDATES_PER_SECOND);
    const watched = watchRows(pane, SECONDS * 1000);
    const isLone = new Set(rows.filter((row) => /\D1$/.test(row)).map((row) => row.slice(0, -1)));
    const lone = (await simulator.run("openOrders")).filter((/** @type {any} */ order) =>
      isLone.has(order.instrument_name),
    );
    // The updates may have ended one already.
    for (const { order_id } of lone) await simulator.run("cancel", { id: order_id }).catch(() => undefined);
    const { frames, rowsRead, changes, blank } = await watched;
    console.log(
      `note: presses: ${blank.length} blank rows in ${frames} animation frames of ${SECONDS} s, ${rowsRead} rows read, ${changes} changed texts, ${lone.length} groups ended`,
    );
    assert.ok(frames >= SECONDS * 10, `${frames} frames: the page was too slow to be watched`);
    assert.ok(changes > SECONDS, `${changes} texts changed`);
    assert.deepEqual(blank.slice(0, 5), [], `${blank.length} blank rows`);
  });
});

/**
 * Reads the rows on the screen at each animation frame.
 * @param {import("@playwright/test").Locator} pane
 * @param {number} durationMs
 * @returns {Promise<{ frames: number, rowsRead: number, changes: number, blank: { atMs: number, before: string, html:
 * string }[] }>}
 */
function watchRows(pane, durationMs) {
  return pane
    .locator(".monaco-list-rows")
    .first()
    .evaluate(async (list, duration) => {
      /** @type {{ atMs: number, before: string, html: string }[]} */
      const blank = [];
      /** @type {Map<string, string>} */
      let before = new Map();
      let [frames, rowsRead, changes] = [0, 0, 0];
      const startMs = performance.now();
      while (performance.now() - startMs < duration) {
        await new Promise((resolve) => void requestAnimationFrame(resolve));
        frames += 1;
        /** @type {Map<string, string>} */
        const now = new Map();
        const bounds = /** @type {Element} */ (list.closest(".monaco-scrollable-element")).getBoundingClientRect();
        for (const row of list.querySelectorAll(".monaco-list-row")) {
          const box = row.getBoundingClientRect();
          if (box.bottom <= bounds.top || box.top >= bounds.bottom) continue;
          rowsRead += 1;
          const place = row.getAttribute("data-index") ?? "";
          const label = row.querySelector(".label-name")?.textContent ?? "";
          const text = `${label} ${row.querySelector(".label-description")?.textContent ?? ""}`;
          if (label.trim() === "")
            blank.push({
              atMs: Math.round(performance.now() - startMs),
              before: before.get(place) ?? "",
              html: row.outerHTML.slice(0, 400),
            });
          if (before.has(place) && before.get(place) !== text) changes += 1;
          now.set(place, text);
        }
        before = now;
      }
      return { frames, rowsRead, changes, blank };
    }, durationMs);
}
