// @ts-check
/** What was measured: a line for the report of the layer, and a file for whoever compares runs. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { outDir } from "../process.mjs";

/** Why a test is skipped elsewhere. */
export const LINUX_ONLY = "The processes of VS Code can be measured on Linux only.";

/**
 * @param {string} name of the file below test/.out, without its ending
 * @param {Record<string, unknown>} figures
 */
export function keepFigures(name, figures) {
  fs.mkdirSync(outDir, { recursive: true });
  const machine = {
    at: new Date().toISOString(),
    cores: os.cpus().length,
    processor: os.cpus()[0]?.model ?? "",
    loadAverage: os.loadavg().map((each) => Number(each.toFixed(2))),
  };
  fs.writeFileSync(path.join(outDir, `${name}.json`), `${JSON.stringify({ ...machine, ...figures }, undefined, 1)}\n`);
}

/** @param {string} text */
export const note = (text) => console.log(`note: ${text}`);

/** @param {readonly number[]} values @param {number} share 0.5 for the median @returns {number} NaN without values */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** @param {readonly number[]} values */
export const summary = (values) => ({
  count: values.length,
  median: quantile(values, 0.5),
  p95: quantile(values, 0.95),
  p99: quantile(values, 0.99),
  most: Math.max(...values),
});

/** @param {number} bytes */
export const mib = (bytes) => Number((bytes / 2 ** 20).toFixed(1));
