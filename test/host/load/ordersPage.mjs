// @ts-check
/** The Open Orders view under load: its rows, its wheel, and what a row says of its order. */
import assert from "node:assert/strict";
import { termsKey } from "../orderWatch.mjs";
import { until } from "../process.mjs";

/** @param {string} text VS Code draws spaces as no-break spaces */
const plain = (text) => text.replace(/\u00a0/g, " ");

/** @typedef {{ id: string, instrument: string, top: number }} SeenOrder */
/** @typedef {ReturnType<typeof ordersPage>} OrdersPage */

/** @param {import("../workbench.mjs").Workbench} workbench */
export function ordersPage(workbench) {
  const pane = workbench.pane("Open Orders");
  const list = pane.locator(".monaco-list-rows").first();
  /** @param {number} pixels */
  const wheel = (pixels) => list.evaluate(turn, pixels);
  /** @returns {Promise<SeenOrder[]>} orders whose rows are whole on the screen, top to bottom */
  const seenOrders = () =>
    list.evaluate((rows) => {
      const bounds = /** @type {Element} */ (rows.closest(".monaco-scrollable-element")).getBoundingClientRect();
      return [...rows.querySelectorAll(".monaco-list-row")]
        .map((row) => ({ box: row.getBoundingClientRect(), spoken: row.getAttribute("aria-label") ?? "" }))
        .filter(
          ({ box, spoken }) => box.top >= bounds.top && box.bottom <= bounds.bottom && /^\S+: (buy|sell) /.test(spoken),
        )
        .map(({ box, spoken }) => ({
          id: /(\S+)$/.exec(spoken)?.[1] ?? "",
          instrument: spoken.slice(0, spoken.indexOf(":")),
          top: box.top,
        }))
        .sort((a, b) => a.top - b.top);
    });

  /**
   * @param {import("../simulator.mjs").Simulator} simulator
   * @returns {Promise<string[]>} IDs of orders on the screen that will be open for a while yet
   */
  const steadyOrders = async (simulator) => {
    const truth = new Map(
      (await simulator.run("openOrders")).map((/** @type {any} */ order) => [order.order_id, order]),
    );
    return (await seenOrders())
      .filter(({ id }) => {
        const order = truth.get(id);
        return (
          order?.order_state === "open" &&
          order.order_type === "limit" &&
          order.label !== "crowd" &&
          order.filled_amount < order.amount * 0.8
        );
      })
      .map(({ id }) => id);
  };

  return {
    pane,
    wheel,
    seenOrders,
    steadyOrders,

    /** @param {string} id the row of an order: its id ends what is spoken of it, as it does below for its field */
    rowOf: (id) => pane.locator(`.monaco-list-row[aria-label$=", ${id}"], .monaco-list-row[aria-label$="; ${id}"]`),

    /**
     * @param {import("../simulator.mjs").Simulator} simulator
     * @returns {Promise<string[]>} enough steady orders to choose from, further down the list where the screen has too
     * few
     */
    choice: (simulator) =>
      until(
        async () => {
          const steady = await steadyOrders(simulator);
          if (steady.length >= 8) return steady;
          await wheel(400);
          return false;
        },
        { what: "orders to aim at", everyMs: 300 },
      ),

    /**
     * Opens a big group between small ones, all on the screen in part.
     * @returns {Promise<string[]>} their instruments
     */
    async openGroups() {
      await workbench.openOnly("Open Orders");
      await until(async () => (await workbench.treeRow("BTC-PERPETUAL", pane).isVisible()) || void (await wheel(300)), {
        what: "the group BTC-PERPETUAL",
      });
      const distance = async () => {
        const [row, view] = [await workbench.treeRow("BTC-PERPETUAL", pane).boundingBox(), await pane.boundingBox()];
        return row === null || view === null ? 0 : row.y - view.y;
      };
      await until(async () => (await distance()) < 250 || void (await wheel(60)), { what: "groups around it" });
      const groups = (await workbench.treeRows(pane)).map((row) => row.replace(/\d+$/, ""));
      const middle = groups.findIndex((name) => name === "BTC-PERPETUAL");
      // From the bottom up, so that those above stay in sight.
      for (const name of groups.slice(middle - 2, middle + 2).reverse()) await workbench.toggle(name, pane);
      await wheel(700);
      const seen = await until(
        async () => {
          const all = await seenOrders();
          return all.length > 25 && all;
        },
        { what: "a screen full of orders" },
      );
      return [...new Set(seen.map(({ instrument }) => instrument))];
    },

    /**
     * Puts all orders into one list and reads every row of it, once those that have ended have left.
     * @param {number} count how many there are
     * @returns {Promise<Map<string, string>>} what each row says, by order id
     */
    async readAll(count) {
      await wheel(-1e6);
      await workbench.command("Trading RPC: Group Orders By");
      await workbench.pick("None");
      await workbench.rowsWhen((rows) => rows.length > 20 && rows.every((row) => /^\S+ (buy|sell) /.test(row)), pane);
      await showAll();
      return until(
        async () => {
          const found = await allRows();
          return found.size >= count && [...found.values()].every((terms) => !terms.startsWith("ended")) && found;
        },
        { what: "ended orders to have left", everyMs: 2000, timeoutMs: 60_000 },
      );
    },
  };

  /** Presses "Show more" until nothing more is offered. */
  async function showAll() {
    for (let presses = 0; presses < 12; presses++) {
      await wheel(1e6);
      const more = workbench.treeRow(/^Show [\d,]+ more/, pane);
      const last = await until(
        async () => {
          const rows = await workbench.treeRows(pane);
          return rows.length > 3 && rows;
        },
        { what: "the end of the list" },
      );
      if (!last.some((row) => /^Show [\d,]+ more/.test(row))) return;
      const text = await more.first().innerText();
      await more.first().click();
      await until(async () => !(await workbench.treeRows(pane)).includes(plain(text)), { what: "more rows" });
    }
    assert.fail("There is always more to show.");
  }

  /** Scrolls through the whole list and reads every row of an order. @returns {Promise<Map<string, string>>} */
  async function allRows() {
    await wheel(-1e6);
    const texts = await pane
      .locator(".monaco-list")
      .first()
      .evaluate(async (all) => {
        /** @type {Map<string, string[]>} */
        const found = new Map();
        const frame = () => new Promise((resolve) => void requestAnimationFrame(resolve));
        for (let still = 0; still < 3;) {
          const size = found.size;
          for (const row of all.querySelectorAll(".monaco-list-row")) {
            const spoken = row.getAttribute("aria-label") ?? "";
            if (!/^\S+: (buy|sell) /.test(spoken)) continue;
            found.set(/(\S+)$/.exec(spoken)?.[1] ?? "", [
              row.querySelector(".label-name")?.textContent ?? "",
              row.querySelector(".label-description")?.textContent ?? "",
            ]);
          }
          still = found.size === size ? still + 1 : 0;
          const event = new WheelEvent("wheel", { bubbles: true, cancelable: true });
          all
            .querySelector(".monaco-list-rows")
            ?.dispatchEvent(Object.defineProperty(event, "wheelDeltaY", { value: -120 * 15 }));
          await frame();
          await frame();
        }
        return [...found];
      });
    return new Map(texts.map(([id, [label, description]]) => [id, shownTerms(label ?? "", description ?? "")]));
  }
}

/** @param {readonly string[]} ids @param {number} turn another one each time */
export function pickOne(ids, turn) {
  assert.ok(ids.length > 0, "there is an order to aim at");
  // Not at the edges, where rows that come and go could push it off the screen.
  const middle = ids.slice(Math.floor(ids.length * 0.2), Math.ceil(ids.length * 0.8));
  return middle[(turn * 5) % middle.length] ?? "";
}

/**
 * Turns the wheel over a list. VS Code counts notches of the wheel, which a made event does not have by itself.
 * @param {Element} list
 * @param {number} pixels down, where positive
 */
function turn(list, pixels) {
  const event = new WheelEvent("wheel", { bubbles: true, cancelable: true });
  list.dispatchEvent(Object.defineProperty(event, "wheelDeltaY", { value: (-pixels / 50) * 120 }));
}

/**
 * What a row says of its order.
 * @param {string} label
 * @param {string} description
 */
export function shownTerms(label, description) {
  const [name, more] = [plain(label), plain(description)];
  /** @param {RegExp} pattern @param {string} text */
  const read = (pattern, text) => pattern.exec(text)?.[1] ?? "";
  return termsKey({
    price: read(/ @ (\S+)/, name),
    trigger: read(/\b(?:SL|TP|trailing|trigger) ([\d.]+)/, more),
    filled: read(/(?:^|· )([\d.]+) filled/, more) || "0",
    end: read(/^(filled|cancelled|rejected|triggered)\b/, more),
  });
}

/**
 * How long after its making each change of a row on the screen was shown, or a later one of the same order.
 * @param {Map<string, import("../orderWatch.mjs").Version[]>} versions
 * @param {Awaited<ReturnType<typeof import("../treeFilm.mjs").film>>} seen
 * @param {number} lastMs changes that are made later than this before the end are omitted: they may be shown after
 * the recording has ended
 * @param {(label: string, description: string) => string} [termsOfRow]
 */
export function latenciesOf(versions, { startMs, endMs, rows }, lastMs, termsOfRow = shownTerms) {
  /** @type {{ id: string, ms: number, isShown: boolean, terms: string, shown: string[] }[]} */
  const latencies = [];
  for (const { id, showings } of rows) {
    const known = versions.get(id) ?? [];
    for (const [index, { atMs, terms }] of known.entries()) {
      if (index === 0 || atMs < startMs || atMs > endMs - lastMs) continue;
      const during = showings.filter(({ fromMs, untilMs }) => fromMs <= atMs && untilMs > atMs);
      if (during.length === 0) continue;
      const later = showings
        .filter(({ untilMs }) => untilMs > atMs)
        .map((each) => ({ atMs: Math.max(each.fromMs, atMs), terms: termsOfRow(each.label, each.description) }));
      const first = later.find((each) =>
        known.some((version, place) => place >= index && version.atMs <= each.atMs && version.terms === each.terms),
      );
      const leftMs = showings.at(-1)?.untilMs ?? endMs;
      // A row that left the screen showed nothing wrong for longer than that.
      const shownMs = first?.atMs ?? leftMs;
      latencies.push({
        id,
        ms: shownMs - atMs,
        isShown: first !== undefined || leftMs < endMs,
        terms,
        shown: later.slice(0, 3).map((each) => `+${each.atMs - atMs} ${each.terms}`),
      });
    }
  }
  return latencies;
}
