// @ts-check
/** How long a key takes to be seen in the editor, by the clock of the page alone. */
import { until } from "../process.mjs";

const KEYS = "the quick brown fox jumps over the lazy dog ";

/**
 * Listens to the active editor from now on.
 * @param {import("../workbench.mjs").Workbench} workbench
 */
export async function listenToKeys(workbench) {
  const { page } = workbench;
  await workbench.editor().evaluate((element) => {
    /** @type {number[]} */
    const echoes = [];
    let pressedMs = NaN;
    // Before the editor's own listeners. The time of a key is the browser's, from before the page came to it.
    window.addEventListener(
      "keydown",
      ({ timeStamp, key }) => {
        if (key.length === 1) pressedMs = timeStamp;
      },
      true,
    );
    const observer = new MutationObserver(() => {
      if (Number.isNaN(pressedMs)) return;
      const sinceMs = pressedMs;
      pressedMs = NaN;
      // The frame that shows what has changed is drawn before the next task.
      requestAnimationFrame(() => void setTimeout(() => echoes.push(performance.now() - sinceMs)));
    });
    observer.observe(/** @type {Element} */ (element.querySelector(".view-lines")), {
      childList: true,
      subtree: true,
      characterData: true,
    });
    Object.assign(globalThis, { rpcEchoes: echoes });
  });
  const echoes = () => page.evaluate(() => /** @type {number[]} */ (/** @type {any} */ (globalThis).rpcEchoes));
  let typed = 0;
  return {
    /**
     * Types so many keys, each after the one before has been seen.
     * @param {number} count
     * @param {number} pauseMs after each, and up to as much again, so that keys keep no step with the tree
     * @returns {Promise<number[]>} from the key to its echo on the screen, in ms
     */
    async type(count, pauseMs) {
      const from = typed;
      for (let key = 0; key < count; key++) {
        await page.keyboard.press(KEYS[typed % KEYS.length] === " " ? "Space" : (KEYS[typed % KEYS.length] ?? "x"));
        typed += 1;
        const wanted = typed;
        await until(async () => (await echoes()).length >= wanted, {
          what: `key ${wanted} on the screen`,
          everyMs: 10,
        });
        await page.waitForTimeout(pauseMs * (1 + ((typed * 7) % 11) / 11));
      }
      return (await echoes()).slice(from);
    },
    /** Everything that was typed, as the line of the file has to read. */
    get text() {
      return Array.from({ length: typed }, (_, index) => KEYS[index % KEYS.length]).join("");
    },
  };
}
