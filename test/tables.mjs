// @ts-check
/**
 * The tables of promises, each with the tests that show it: features.txt, conventions.txt (what users of the editor
 * expect) and threats.txt. A row is a title, then lines that begin with words and a colon, then its tests.
 */
import fs from "node:fs";
import path from "node:path";
import { root } from "./host/process.mjs";
import { checkRows, checkTitles } from "./proofs.mjs";

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */

const TABLES = Object.fromEntries(["features", "conventions", "threats"].map((name) => [name, readTable(name)]));

/** @param {string} name @returns {(import("./proofs.mjs").Row & { residual: string | undefined })[]} */
function readTable(name) {
  let area = "";
  const [, ...blocks] = fs
    .readFileSync(path.join(root, "test", `${name}.txt`), "utf8")
    .trimEnd()
    .split("\n\n");
  return blocks.flatMap((block) => {
    const [title = "", ...lines] = block.split("\n");
    if (title.startsWith("# ")) {
      area = `${title.slice(2)} › `;
      return [];
    }
    const tests = lines.flatMap((line) => {
      const [, layer, test] = /^- (\w+): (.*)$/.exec(line) ?? [];
      return layer !== undefined && test !== undefined ? [/** @type {const} */ ([layer, test])] : [];
    });
    const says = new Map(lines.filter((line) => !line.startsWith("- ")).map((line) => splitAt(line, ": ")));
    const odd = [...says.keys()].filter((key) => !["words", "design", "residual", "declined"].includes(key));
    if (odd.length > 0 || tests.length + says.size !== lines.length)
      throw new Error(`${name}: cannot be read: ${block}`);
    const needsNone = title.startsWith("○") || says.has("declined") || says.has("residual");
    return [{ title: area + title, tests, needsNone, residual: says.get("residual") }];
  });
}

/** @param {string} text @param {string} sign @returns {readonly [string, string]} */
function splitAt(text, sign) {
  const at = text.indexOf(sign);
  return [text.slice(0, at), text.slice(at + sign.length)];
}

/** The layers whose titles `checkCitations` needs. @returns {string[]} */
export function citedLayers() {
  return [
    ...new Set(Object.values(TABLES).flatMap((rows) => rows.flatMap(({ tests }) => tests.map(([layer]) => layer)))),
  ].sort();
}

/**
 * Checks that each test that one of the tables cites exists.
 * @param {ReadonlyMap<string, readonly string[]>} titles of a full run, by layer
 */
export function checkCitations(titles) {
  return checkEach((rows) => checkTitles(rows, titles));
}

/**
 * Checks that each test that one of the tables cites ran and passed.
 * @param {ReadonlyMap<string, readonly TestLine[]>} ran what ran, by layer
 */
export function checkTables(ran) {
  return checkEach((rows) => checkRows(rows, ran));
}

/** @param {(rows: readonly import("./proofs.mjs").Row[]) => TestLine[]} check @returns {{ tests: TestLine[] }} */
function checkEach(check) {
  const tests = Object.entries(TABLES).flatMap(([table, rows]) =>
    check(rows).map((line) => ({ ...line, title: `${table} › ${line.title}` })),
  );
  const words = fs.readFileSync(path.join(root, "SECURITY.md"), "utf8");
  const unsaid = Object.values(TABLES)
    .flat()
    .filter(({ residual }) => residual !== undefined && !words.includes(residual))
    .map(({ title }) => ({ title, state: /** @type {const} */ ("failed"), error: "its words are not in SECURITY.md" }));
  return { tests: [...tests, ...unsaid] };
}
