// @ts-check
/**
 * What of the README is made from something else: the table of settings, from the manifest. `npm run readme` writes it.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./process.mjs";

/**
 * @typedef {{ default: unknown, order?: number, enum?: readonly string[], markdownDescription: string,
 * enumDescriptions?: readonly string[], markdownEnumDescriptions?: readonly string[] }} Setting
 * @typedef {{ contributes: { configuration: readonly { title: string, properties: Record<string, Setting> }[] } }}
 * Manifest
 */

const BEGIN = "<!-- The table is made of the manifest: npm run readme. -->";
const END = "<!-- End of the table. -->";

/**
 * @param {Manifest} manifest
 * @param {Record<string, string>} words of `package.nls.json`
 * @returns {string} Markdown, a row for each setting, in the order of the settings editor
 */
export function settingsTable({ contributes }, words) {
  /** @param {string} text */
  const worded = (text) => cell(words[text.replaceAll("%", "")] ?? text);
  const rows = contributes.configuration.flatMap(({ properties }) =>
    Object.entries(properties)
      .sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0))
      .map(
        ([name, setting]) =>
          `| \`${name}\` | ${defaultOf(setting)} | ${[worded(setting.markdownDescription), choicesOf(setting, worded)].filter(Boolean).join(" ")} |`,
      ),
  );
  return ["| Setting | Default | What it does |", "| --- | --- | --- |", ...rows].join("\n");
}

/** @param {Setting} setting @param {(text: string) => string} worded */
function choicesOf({ enum: values = [], enumDescriptions, markdownEnumDescriptions }, worded) {
  const meanings = markdownEnumDescriptions ?? enumDescriptions ?? [];
  return values.map((value, index) => `\`${value}\`: ${worded(meanings[index] ?? "")}`).join(" ");
}

/** @param {Setting} setting of an object of switches all are on */
const defaultOf = ({ default: value }) => (typeof value === "object" ? "all" : `\`${value}\``);

/** @param {string} text a bar or a new line would end the cell; a link to another setting is only one in the editor */
const cell = (text) =>
  text
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|")
    .replaceAll(/`#([\w.]+)#`/g, "`$1`");

/** @param {string} readme @returns {string} the table that stands in it */
export function tableIn(readme) {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error("The README has no place for the table of settings.");
  return readme.slice(begin + BEGIN.length, end).trim();
}

/** @param {string} file */
const read = (file) => fs.readFileSync(path.join(root, file), "utf8");

/** The table as it has to be now. */
export const wantedTable = () => settingsTable(JSON.parse(read("package.json")), JSON.parse(read("package.nls.json")));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const readme = read("README.md");
  fs.writeFileSync(
    path.join(root, "README.md"),
    readme.replace(tableIn(readme), () => wantedTable()),
  );
}
