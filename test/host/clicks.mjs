// @ts-check
/** Which files of click tests run in one process, so that all processes take about the same time. */
import fs from "node:fs";
import path from "node:path";
import { hostDir } from "./process.mjs";

/** Seconds of the files that take longer than most, roughly. @type {Readonly<Record<string, number>>} */
const SECONDS = {
  "accessibility.test.mjs": 25,
  "around.test.mjs": 30,
  "filters.test.mjs": 25,
  "keyboard.test.mjs": 60,
  "mmp.test.mjs": 30,
  "positions.test.mjs": 40,
  "orders.test.mjs": 40,
  "requests.test.mjs": 40,
  "severalConnections.test.mjs": 35,
  "wholeApi.test.mjs": 75,
};
const USUAL_SECONDS = 15;

/**
 * @typedef {object} ClickGroup
 * @property {string} file what Node runs
 * @property {Record<string, string>} env with it
 * @property {string[]} names of the files of tests in it
 * @property {number} seconds that they take, roughly
 */

/**
 * Spreads the files over processes: the longest first, each to the process that has least to do.
 * @param {number} count of processes that run at once
 * @param {readonly string[]} [names] default: all files of click tests
 * @returns {ClickGroup[]} none without a file
 */
export function clickGroups(
  count,
  names = fs.readdirSync(path.join(hostDir, "clicks")).filter((name) => name.endsWith(".test.mjs")),
) {
  /** @param {string} name */
  const secondsOf = (name) => SECONDS[name] ?? USUAL_SECONDS;
  const groups = Array.from({ length: count }, () => ({ names: /** @type {string[]} */ ([]), seconds: 0 }));
  for (const name of [...names].sort((a, b) => secondsOf(b) - secondsOf(a) || a.localeCompare(b))) {
    const least = groups.reduce((best, each) => (each.seconds < best.seconds ? each : best));
    least.names.push(name);
    least.seconds += secondsOf(name);
  }
  return groups
    .filter((group) => group.names.length > 0)
    .map((group) => ({
      ...group,
      file: path.join(hostDir, "clickGroup.mjs"),
      env: { RPC_CLICK_FILES: group.names.join(",") },
    }));
}
