// @ts-check
/**
 * A list that opens over a view whose rows change stays: VS Code gives the focus back to a tree whose rows it has drawn
 * anew, and a list that has lost the focus closes.
 */
import assert from "node:assert/strict";
import { rounds } from "../../rounds.mjs";
import { openChangingOrders } from "./changingOrders.mjs";
import { test } from "./connectedWindow.mjs";

const PRESSES = rounds({ short: 1, full: 30, long: 300 });
const UPDATES_PER_SECOND = 100;
/** Between two presses, so that they come at any moment between two drawings of the rows. */
const PAUSES_MS = [100, 170, 240, 310];
/** A list that is closed by the view is so at once. */
const LOOK_AFTER_MS = 400;

test.describe(`a filter opened over ${UPDATES_PER_SECOND} updates a second`, () => {
  test(`${PRESSES} of ${PRESSES} stay and have the focus`, async ({ openConnected }) => {
    test.setTimeout(120_000 + PRESSES * 10_000);
    const { workbench, page, pane } = await openChangingOrders(openConnected, "lists", UPDATES_PER_SECOND);
    const box = workbench.quickBox;
    let stayed = 0;
    for (let press = 0; press < PRESSES; press++) {
      await pane.locator(".monaco-list").first().focus();
      await page.waitForTimeout(PAUSES_MS[press % PAUSES_MS.length] ?? 0);
      await page.keyboard.press("Control+F");
      await page.waitForTimeout(LOOK_AFTER_MS);
      await workbench.quickInput.locator(".quick-input-title", { hasText: "Filter Orders" }).waitFor();
      const hasFocus = await box.evaluate((each) => each === document.activeElement && each.checkVisibility());
      if (hasFocus) stayed += 1;
      await page.keyboard.press("Escape");
      await workbench.quickInput.waitFor({ state: "hidden" });
    }
    console.log(`note: presses: ${stayed} of ${PRESSES} filters stayed`);
    assert.equal(stayed, PRESSES);
  });
});
