// @ts-check
/** An automated check of accessibility, by axe-core, inside the page that is being looked at. */
import fs from "node:fs";
import { createRequire } from "node:module";

/** @typedef {{ rule: string, impact: string, help: string, nodes: string[] }} Violation */

const SOURCE = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Of the Web Content Accessibility Guidelines up to 2.2 AA, and what axe-core holds for good practice. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * @param {import("@playwright/test").Frame} frame
 * @param {{ include?: readonly string[], rules?: readonly string[] }} [which] `include`: selectors of the parts that
 * are looked at; `rules`: those alone
 * @returns {Promise<{ violations: Violation[], passes: number }>} `passes`: how many rules found something and nothing
 * wrong with it
 */
export async function checkWithAxe(frame, { include, rules } = {}) {
  // A content security policy holds for scripts of the page; this one comes from outside of it.
  await frame.evaluate(SOURCE);
  return frame.evaluate(
    async ({ include, runOnly }) => {
      const axe = /** @type {any} */ (globalThis)["axe"];
      const { violations, passes } = await axe.run(include ? { include: include.map((each) => [each]) } : document, {
        runOnly,
        resultTypes: ["violations", "passes"],
        iframes: false,
      });
      return {
        violations: violations.map((/** @type {any} */ { id, impact, help, nodes }) => ({
          rule: id,
          impact: impact ?? "",
          help,
          nodes: nodes
            .slice(0, 5)
            .map(
              (/** @type {any} */ { html, failureSummary }) =>
                `${html.slice(0, 160)} – ${failureSummary.split("\n").at(-1).trim()}`,
            ),
        })),
        passes: passes.length,
      };
    },
    { include, runOnly: rules ? { type: "rule", values: [...rules] } : { type: "tag", values: TAGS } },
  );
}

/** @param {readonly Violation[]} violations @returns {string[]} one line each, with the elements below it */
export const linesOf = (violations) =>
  violations.map(({ rule, impact, help, nodes }) => `${impact} ${rule}: ${help}\n  ${nodes.join("\n  ")}`);

/** Whether a violation prevents the use of a page or makes it very hard. @param {Violation} violation */
export const isSerious = ({ impact }) => impact === "serious" || impact === "critical";
