// @ts-check
/**
 * Ten thousand orders and five thousand changes a second in a real VS Code: what the rows show, when they show it, and
 * whether a hand hits what it aims at meanwhile. The simulator runs in a process of its own; what it says of its orders
 * is the truth that everything is held against.
 */
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { openEditor } from "../open.mjs";
import { termsOf, watchOrders } from "../orderWatch.mjs";
import { removeDir, tempDir, until } from "../process.mjs";
import { startSimulator } from "../simulator.mjs";
import { film } from "../treeFilm.mjs";
import { vsixUnderTest } from "../vsix.mjs";
import { note, summary } from "./figures.mjs";
import { latenciesOf, ordersPage, pickOne } from "./ordersPage.mjs";

const ORDERS = 10_000;
const UPDATES_PER_SECOND = 5000;
const FILM_MS = 16_000;
/** Changes that are made later than this before the end of the film may come after it. */
const OMITTED_MS = 7000;
/** The most that a level may show before "Show more". */
const PAGE = 1000;
const AIMS = 20;
const HOLD_MS = 500;
/** Between two actions of other people: some eight a second, placing and ending. */
const CROWD_PAUSE_MS = 250;
/** Away from every row. @type {[number, number]} */
const ASIDE = [900, 500];

test.describe("ten thousand orders, five thousand changes a second", () => {
  test.describe.configure({ mode: "serial" });
  /** @type {Awaited<ReturnType<typeof openEditor>>} */
  let editor;
  /** @type {Awaited<ReturnType<typeof startSimulator>>} */
  let simulator;
  const folder = tempDir("rpc-load");
  /** @type {readonly string[]} those whose orders are on the screen */
  let instruments;
  /** @type {import("./ordersPage.mjs").OrdersPage} */
  let page;
  test.beforeAll(async () => {
    simulator = await startSimulator([
      "--seed",
      "3",
      "--orders",
      String(ORDERS),
      "--updates",
      String(UPDATES_PER_SECOND),
    ]);
    editor = await openEditor({
      folder,
      vsix: await vsixUnderTest(),
      viewport: { width: 1400, height: 1150 },
      settings: { "tradingRpc.orders.pageSize": PAGE },
    });
    page = ordersPage(editor.workbench);
    await connect();
    instruments = await page.openGroups();
    await editor.workbench.shot("load-groups");
  });
  test.afterAll(async () => {
    await editor?.close();
    await simulator?.stop();
    removeDir(folder);
  });
  const orders = () => page.pane;
  const rowOf = (/** @type {string} */ id) => page.rowOf(id);
  const steadyOrders = () => page.steadyOrders(simulator);
  /** @param {string} id its button */
  const cancelOf = (id) => rowOf(id).locator('.actions .action-label[aria-label^="Cancel Order"]');
  /** @param {string} method */
  const framesOf = async (method) =>
    (await simulator.run("ledger")).filter((/** @type {{ method?: string }} */ entry) => entry.method === method);

  test("each change comes to the screen, or a later one of the same order", async () => {
    // The row under a resting pointer keeps still for two seconds, so that its tooltip and its buttons stay.
    await editor.page.mouse.move(...ASIDE);
    await drawings(12);
    const watch = await watchOrders(simulator, instruments);
    const seen = await film(orders(), FILM_MS);
    const latencies = latenciesOf(watch.end(), seen, OMITTED_MS);
    latencies.sort((a, b) => a.ms - b.ms);
    const { median, p95, p99, most } = summary(latencies.map(({ ms }) => ms));
    note(
      `load: ${latencies.length} changes of ${new Set(latencies.map(({ id }) => id)).size} visible rows in ${FILM_MS / 1000} s, made → on the screen: median ${median} ms, 95 % ${p95} ms, 99 % ${p99} ms, latest ${most} ms; longest pause between drawings ${seen.longestPauseMs} ms`,
    );
    await editor.workbench.shot("load-running");
    assert.ok(latencies.length >= 50, `only ${latencies.length} changes were seen`);
    const unseen = latencies.filter(({ isShown }) => !isShown);
    assert.deepEqual(unseen.slice(-5), [], `${unseen.length} of ${latencies.length} changes were not shown`);
  });

  test("selection, expansion, an open tooltip and an open context menu survive", async () => {
    const { page, workbench } = editor;
    const steady = await steadyOrders();
    const [hovered, opened] = [0.3, 0.5].map((place) => steady[Math.floor(place * steady.length)]);
    assert.ok(hovered && opened);
    const isStillOpen = async () => {
      assert.equal(await rowOf(opened).getAttribute("aria-selected"), "true");
      assert.equal(await rowOf(opened).getAttribute("aria-expanded"), "true");
    };
    // Rows keep their places while a hand rests among them; a click selects a row and opens it.
    await restOn(opened);
    await rowOf(opened).locator(".label-name").click();
    await until(async () => (await rowOf(opened).getAttribute("aria-expanded")) === "true", {
      what: "the fields of an order",
    });
    await drawings(8);
    await isStillOpen();

    await page.mouse.move(...ASIDE);
    const tooltip = await restOn(hovered);
    await drawings(4);
    assert.ok(await tooltip.isVisible(), "the tooltip is still open");
    await workbench.shot("load-tooltip");
    await isStillOpen();

    await page.mouse.move(...ASIDE);
    await rowOf(hovered).locator(".label-name").click({ button: "right" });
    await workbench.menu.first().waitFor();
    await drawings(8);
    await workbench.shot("load-menu");
    await workbench.menuItem("Copy Order ID");
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === hovered, {
      what: "the id of the row that the menu was opened on",
    });
    await isStillOpen();
    await rowOf(opened).locator(".monaco-tl-twistie").click();
  });

  test(`Cancel on a row, held for half a second, hits that order: ${AIMS} of ${AIMS}, while orders come and go around it`, async () => {
    /** @type {string[]} */
    const missed = [];
    await page.wheel(450);
    await amidACrowd(async () => {
      for (let aim = 0; aim < AIMS; aim++) {
        const id = await aimAt(aim);
        const sent = await pressCancel(id);
        // The load cancels an order now and then: one that has ended under the pointer has no button any more.
        if (sent.length === 0 && (await simulator.run("order", { id })).order_state !== "open") aim -= 1;
        else if (sent.length !== 1 || sent[0] !== id) missed.push(`${id}: ${JSON.stringify(sent)}`);
      }
    });
    await editor.workbench.shot("load-cancelled");
    assert.deepEqual(missed, []);
  });

  test("after the last change every row says what the simulator says", async () => {
    const { workbench } = editor;
    await simulator.run("setStill", { isStill: true });
    const truth = await simulator.run("openOrders");
    const shown = await page.readAll(truth.length);
    assert.equal(shown.size, truth.length);
    const wrong = truth.filter((/** @type {any} */ order) => shown.get(order.order_id) !== termsOf(order));
    assert.deepEqual(
      wrong.slice(0, 5).map((/** @type {any} */ order) => [order.order_id, termsOf(order), shown.get(order.order_id)]),
      [],
      `${wrong.length} rows differ`,
    );
    note(`load: ${shown.size} rows equal the simulator's orders in id, state, price and filled amount`);
    await workbench.shot("load-still");
  });

  test("as many events were received as were published", async () => {
    const { workbench } = editor;
    await workbench.openOnly("Connections");
    const connections = workbench.pane("Connections");
    if ((await workbench.treeRow("load", connections).first().getAttribute("aria-expanded")) !== "true")
      await workbench.toggle("load", connections);
    const [ours] = (await simulator.run("connections")).filter((/** @type {any} */ each) => each.channels.length > 0);
    const published = Object.values(/** @type {Record<string, number>} */ (ours.events)).reduce(
      (sum, count) => sum + count,
      0,
    );
    assert.ok(published > (FILM_MS / 1000) * UPDATES_PER_SECOND, `${published} events`);
    const text = `events${published.toLocaleString("en-US")}`;
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes(text)), connections);
    note(`load: ${published.toLocaleString("en-US")} events published, as many received`);
  });

  async function connect() {
    const { workbench } = editor;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(simulator, { name: "load" });
    await workbench.status(/SIMULATOR/);
  }

  /** Waits until the tree has been drawn so many times. @param {number} count */
  async function drawings(count) {
    await orders()
      .locator(".monaco-list-rows")
      .first()
      .evaluate(
        (list, wanted) =>
          new Promise((resolve) => {
            let seen = 0;
            let lastMs = 0;
            const observer = new MutationObserver(() => {
              // One drawing changes the page many times.
              if (performance.now() - lastMs > 100) seen += 1;
              lastMs = performance.now();
              if (seen < wanted) return;
              observer.disconnect();
              resolve(undefined);
            });
            observer.observe(list, { childList: true, subtree: true, characterData: true });
          }),
        count,
      );
  }

  /**
   * Other people place, fill and cancel orders of the groups on the screen meanwhile.
   * @param {() => Promise<void>} action
   */
  async function amidACrowd(action) {
    let isOver = false;
    const work = (async () => {
      /** @type {string[]} */
      const placed = [];
      for (let step = 0; !isOver; step++) {
        const order = await simulator.run("place", {
          instrument_name: instruments[step % instruments.length],
          direction: "buy",
          amount: 10,
          price: 1000 + step,
          label: "crowd",
        });
        placed.push(order.order_id);
        const id = placed.length > 6 ? placed.shift() : undefined;
        // The load may have ended it already.
        if (id !== undefined) await simulator.run(step % 3 === 0 ? "fill" : "cancel", { id }).catch(() => undefined);
        await new Promise((resolve) => void setTimeout(resolve, CROWD_PAUSE_MS));
      }
    })();
    await Promise.all([work, action().finally(() => (isOver = true))]);
  }

  /**
   * Rests on a row until its tooltip opens. A row that changes in between begins anew, and a hand is never quite still.
   * @param {string} id
   */
  async function restOn(id) {
    const tooltip = editor.page.locator(".monaco-hover:not(.hidden)", { hasText: id }).first();
    let moves = 0;
    await until(
      async () => {
        moves += 1;
        const box = await rowOf(id).locator(".label-name").boundingBox({ timeout: 2000 });
        if (!box) return false;
        // From the side: on the way over other rows their tooltips would open.
        await editor.page.mouse.move(...ASIDE);
        await editor.page.mouse.move(box.x + 5 + (moves % 3) * 4, box.y + box.height / 2);
        return tooltip.waitFor({ timeout: 900 }).then(
          () => true,
          () => false,
        );
      },
      { what: `the tooltip of ${id}`, timeoutMs: 8000 },
    );
    return tooltip;
  }

  /**
   * Chooses an order and rests on its row; one that leaves the screen before that is not the one to cancel.
   * @param {number} turn
   */
  async function aimAt(turn) {
    await editor.page.mouse.move(...ASIDE);
    for (let tries = 0; ; tries++) {
      const id = pickOne(await page.choice(simulator), turn + tries);
      try {
        await restOn(id);
        // One that has ended meanwhile has no button.
        if (await cancelOf(id).isVisible()) return id;
      } catch (error) {
        if (tries > 5) throw error;
      }
    }
  }

  /**
   * Presses the button of the row that the pointer is on, for half a second.
   * @param {string} id
   * @returns {Promise<string[]>} ids that cancels were sent for
   */
  async function pressCancel(id) {
    const { page } = editor;
    const before = (await framesOf("private/cancel")).length;
    const box = await cancelOf(id).boundingBox({ timeout: 2000 });
    assert.ok(box, `${id} has a button`);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.waitForTimeout(HOLD_MS);
    await page.mouse.up();
    // A press that went through has its frame within a moment; one that was lost never has.
    const frames = await until(
      async () => {
        const all = await framesOf("private/cancel");
        return all.length > before && all;
      },
      { what: "the cancel", timeoutMs: 3000 },
    ).catch(() => []);
    const sent = frames.slice(before).map((/** @type {any} */ frame) => JSON.parse(frame.paramsText).order_id);
    if (sent.length > 0)
      await until(async () => (await simulator.run("order", { id: sent[0] })).order_state !== "open", {
        what: `${sent[0]} to end`,
      });
    return sent;
  }
});
