import * as fs from "node:fs";
import { generateFiles } from "../catalogue/generate.ts";
import { contributes, texts } from "../manifest/contributes.ts";
import { errorsPage, methodsPage, settingsPage, simulatorPage } from "./pages.ts";

/**
 * Returns the files generated from the sources, by name. They are checked in, written by each build and compared by a
 * test.
 */
export function generatedFiles(): Record<string, string> {
  const words = manifestTexts();
  return {
    ...generateFiles(),
    "l10n/bundle.l10n.json": sentences(),
    "package.json": manifest(),
    "package.nls.json": asFile(words),
    "docs/settings.md": settingsPage(words),
    "docs/methods.md": methodsPage(),
    "docs/error-codes.md": errorsPage(),
    "docs/simulator.md": simulatorPage(),
  };
}

/** Returns every sentence of the sources for translators, in English and without context. */
function sentences(): string {
  const found = fs
    .readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [
      ...fs.readFileSync(`src/${file}`, "utf8").matchAll(/\bl10n\s*\.t\(\s*("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/g),
    ])
    .map(([, literal = ""]) => textOf(literal));
  return `${JSON.stringify(Object.fromEntries([...new Set(found)].sort().map((each) => [each, each])), undefined, 1)}\n`;
}

/** Returns the text that a literal of TypeScript stands for. JSON has the same escapes except that of an apostrophe. */
function textOf(literal: string): string {
  const inner = literal.slice(1, -1).replace(/\\'|\\.|"/g, (each) => ({ "\\'": "'", '"': '\\"' })[each] ?? each);
  return JSON.parse(`"${inner}"`) as string;
}

/** Returns package.json with the `contributes` of the sources. */
function manifest(): string {
  const present = JSON.parse(fs.readFileSync("package.json", "utf8")) as object;
  return asFile({ ...present, contributes: contributes() });
}

/** Returns package.nls.json with the texts that the sources have. The others are written there. */
function manifestTexts(): Readonly<Record<string, string>> {
  const present = JSON.parse(fs.readFileSync("package.nls.json", "utf8")) as Readonly<Record<string, string>>;
  const others = Object.entries(present).filter(([key]) => !/^(?:settings?|view|welcome|command)\./.test(key));
  return { ...Object.fromEntries(others), ...texts() };
}

function asFile(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
