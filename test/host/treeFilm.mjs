// @ts-check
/** What the rows of a tree showed, and when: every drawing of the page, with its time. */

/** @typedef {{ atMs: number, spoken: string, label: string, description: string }} RowDrawing */
/**
 * @typedef {{ id: string, showings: { fromMs: number, untilMs: number, label: string, description: string, spoken:
 * string }[] }} RowFilm
 */

/**
 * Films the rows of a view for a while.
 * @param {import("@playwright/test").Locator} pane
 * @param {number} durationMs
 * @param {RegExp} [id] finds what a row is about in what is spoken of it
 * @returns {Promise<{ startMs: number, endMs: number, drawings: number, longestPauseMs: number, rows: RowFilm[] }>}
 * times in ms since the Unix epoch
 */
export function film(pane, durationMs, id = /([^\s,]+)$/) {
  return pane
    .locator(".monaco-list-rows")
    .first()
    .evaluate(
      async (list, [duration, idSource]) => {
        const idPattern = new RegExp(idSource);
        /** @type {Map<string, any>} */
        const rows = new Map();
        let drawings = 0;
        let lastMs = Date.now();
        let longestPauseMs = 0;
        const look = () => {
          const atMs = Date.now();
          const seen = new Set();
          const bounds = /** @type {Element} */ (list.closest(".monaco-scrollable-element")).getBoundingClientRect();
          for (const row of list.querySelectorAll(".monaco-list-row")) {
            const box = row.getBoundingClientRect();
            if (box.bottom <= bounds.top || box.top >= bounds.bottom) continue;
            const spoken = row.getAttribute("aria-label") ?? "";
            const id = idPattern.exec(spoken)?.[1] ?? "";
            const label = row.querySelector(".label-name")?.textContent ?? "";
            const description = row.querySelector(".label-description")?.textContent ?? "";
            seen.add(id);
            const showings = rows.get(id) ?? [];
            rows.set(id, showings);
            const last = showings.at(-1);
            if (last && last.untilMs === Infinity) {
              if (last.label === label && last.description === description) continue;
              last.untilMs = atMs;
            }
            showings.push({ fromMs: atMs, untilMs: Infinity, label, description, spoken });
          }
          for (const [id, showings] of rows) {
            const last = showings.at(-1);
            if (!seen.has(id) && last.untilMs === Infinity) last.untilMs = atMs;
          }
        };
        const startMs = Date.now();
        look();
        let isPlanned = false;
        // One drawing changes the page many times; looking each time would hold it up.
        const observer = new MutationObserver(() => {
          if (isPlanned) return;
          isPlanned = true;
          requestAnimationFrame(() => {
            isPlanned = false;
            drawings += 1;
            longestPauseMs = Math.max(longestPauseMs, Date.now() - lastMs);
            lastMs = Date.now();
            look();
          });
        });
        observer.observe(list, {
          childList: true,
          subtree: true,
          characterData: true,
          attributes: true,
          attributeFilter: ["aria-label", "style"],
        });
        await new Promise((resolve) => void setTimeout(resolve, duration));
        observer.disconnect();
        look();
        const endMs = Date.now();
        for (const showings of rows.values()) if (showings.at(-1).untilMs === Infinity) showings.at(-1).untilMs = endMs;
        return {
          startMs,
          endMs,
          drawings,
          longestPauseMs,
          rows: [...rows].map(([id, showings]) => ({ id, showings })),
        };
      },
      /** @type {const} */ ([durationMs, id.source]),
    );
}
