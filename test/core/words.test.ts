import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "vitest";
import { auditHelp, stressHelp } from "../../src/cli/stress/stressHelp.ts";
import { HELP_TOPICS, helpText } from "../../src/cli/help.ts";
import { simulatorHelpText } from "../../src/simulator/wire/commandLine.ts";
import { RULES, sourceWordFaults, wordFaults, type ShownText } from "../words.ts";

/* Every text that a user reads is in plain words: the terms of the field, short sentences, no translated forms. */

/** The longest sentences, in words: of a message, and of a page that one sits down to read. */
const MESSAGE_WORDS = 20;
const PAGE_WORDS = 25;

/** Texts that a rule finds and that are right: the word with the beginning of its text, and why. At most forty. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map(
  [
    "Property {0} is not allowed and would not be sent. Only json",
    "Remove the id",
    "Set the id to a number",
    "The id must be a whole number. Trading RPC replaces it with ",
    "With the id null, the request is a notification, and the exc",
    "id",
    "TRADING_RPC_SIM_CLIENT_ID or {id}          the client ID",
  ].map((text) => [`id: ${text}`, "the member of a JSON-RPC request has this name"] as const),
);

const json = (file: string): Readonly<Record<string, string>> =>
  JSON.parse(fs.readFileSync(file, "utf8")) as Readonly<Record<string, string>>;

const filesIn = (folder: string, ending: string): string[] =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(ending))
        .map((file) => `${folder}/${file}`)
    : [];

/** Each paragraph, list item and table cell of a page, without its code. */
function pageTexts(file: string): ShownText[] {
  const text = fs
    .readFileSync(file, "utf8")
    .replace(/<!--.*?-->/gs, "")
    .replace(/^ *```.*?^ *```/gms, "")
    .replace(/<[^>]+>/g, "");
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.)\s?)|(?<=\|)/)
    .map((part) => part.replace(/\s+/g, " ").replace(/^[\s>#*|-]+|[|\s]+$/g, ""))
    .filter((part) => part !== "")
    .map((part) => ({ place: file, text: part, maxWords: PAGE_WORDS }));
}

/** The descriptions of a JSON schema, which are shown in hovers and completion. */
function descriptionsOf(file: string): ShownText[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      if (/^(?:description|markdownDescription)$/.test(key) && typeof each === "string") found.add(each);
      else walk(each);
    }
  };
  walk(JSON.parse(fs.readFileSync(file, "utf8")));
  return [...found].map((text) => ({ place: file, text, maxWords: PAGE_WORDS }));
}

/** The comments of a request file. */
const commentsOf = (file: string): ShownText[] =>
  [...fs.readFileSync(file, "utf8").matchAll(/(?:^|\s)\/\/ ?(.*)$/gm)].map(([, text = ""]) => ({
    place: file,
    text,
    maxWords: PAGE_WORDS,
  }));

/** The sources, the tests, and the tables that cite titles, without the files that list the words. */
function sourceFiles(): ReadonlyMap<string, string> {
  const names = ["src", "test"].flatMap((folder) =>
    [".ts", ".mjs", ".cjs", ".txt", ".diff"].flatMap((ending) => filesIn(folder, ending)),
  );
  const read = names.filter(
    (file) => !/[\\/](?:node_modules|\.cache|\.out)[\\/]|(?:^|[\\/])words(?:\.test)?\.ts$/.test(file),
  );
  return new Map(read.map((file) => [file, fs.readFileSync(file, "utf8")]));
}

/** Every text that a user reads, by where it is written. */
const SOURCES: Readonly<Record<string, () => ShownText[]>> = {
  "sentences of the sources": () =>
    Object.keys(json("l10n/bundle.l10n.json")).map((text) => ({ place: "l10n", text, maxWords: MESSAGE_WORDS })),
  "titles, settings, welcome views, walkthrough": () =>
    Object.entries(json("package.nls.json"))
      // What a language model reads names what it must not do in one sentence each.
      .filter(([key]) => !key.endsWith(".model"))
      .map(([place, text]) => ({ place, text, maxWords: PAGE_WORDS })),
  "tools of a language model": () =>
    Object.entries(json("package.nls.json"))
      .filter(([key]) => key.endsWith(".model"))
      .map(([place, text]) => ({ place, text, maxWords: 60 })),
  "command line": () =>
    [...HELP_TOPICS.map(helpText), simulatorHelpText(), stressHelp(), auditHelp()].flatMap((text) =>
      text.split("\n").map((line) => ({ place: "--help", text: line, maxWords: PAGE_WORDS })),
    ),
  "schemas of request files": () => filesIn("media", ".schema.json").flatMap(descriptionsOf),
  examples: () => filesIn("examples", ".json").flatMap(commentsOf),
  pages: () =>
    ["README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md", ...filesIn("docs", ".md")].flatMap(pageTexts),
  "issue templates": () =>
    filesIn(".github", ".yml").flatMap((file) =>
      [
        ...fs.readFileSync(file, "utf8").matchAll(/^\s*(?:- )?(?:name|description|label|about|value|title): (.+)$/gm),
      ].map(([, text = ""]) => ({ place: file, text, maxWords: PAGE_WORDS })),
    ),
};

describe("plain words", () => {
  for (const [name, texts] of Object.entries(SOURCES)) {
    test(name, () => {
      const found = texts();
      assert.ok(found.length > 5, "there are texts to read");
      assert.deepEqual(wordFaults(found, EXCEPTIONS), []);
    });
  }

  test("comments, names and titles of the sources and tests", () => {
    const files = sourceFiles();
    assert.ok(files.size > 500, "there are files to read");
    assert.deepEqual(sourceWordFaults(files), []);
  });

  for (const [line, found] of [
    ["// Nobody listens.", "Nobody"],
    ['test("is asked about on production", () => {', "asked about"],
    ['type Holder = "here" | "nobody";', "nobody"],
    ["/** What a person reads. */", "a person"],
  ] as const) {
    test(`finds ${found} in a source`, () => {
      assert.match(
        sourceWordFaults(new Map([["a.ts", `\n${line}\n`]])).join("\n"),
        new RegExp(`^a\\.ts:2: "${found}"`),
      );
    });
  }

  test("exceptions are few, and each is needed", () => {
    assert.ok(EXCEPTIONS.size <= 40);
    const all = Object.values(SOURCES).flatMap((texts) => texts());
    const needed = wordFaults(all, new Map()).length - wordFaults(all, EXCEPTIONS).length;
    assert.ok(needed >= EXCEPTIONS.size, `${String(needed)} of ${String(EXCEPTIONS.size)} exceptions are needed`);
  });

  const PLANTED: readonly (readonly [text: string, found: string])[] = [
    ["The answer of {0} could not be understood.", "answer"],
    ["Switched to another sub-account.", "sub-account"],
    ["Nobody is listening at {0}.", "Nobody"],
    ["Rows never move by themselves.", "by themselves"],
    ["{0} is no option of $run.", "is no option"],
    ["What is left is not listed.", "What is left"],
    ["A list of numbers; 100 when left out.", "when left out"],
    ["{0} stands twice in this object.", "stands twice"],
    ["The outcome could not be written into the journal.", "journal"],
    ["Copy the Id of the order.", "Id"],
    ["Look at what became of it.", "what became of"],
    ["We keep nothing.", "We"],
    ["Connect to the test server first.", "test server"],
  ];
  for (const [text, found] of PLANTED) {
    test(`finds ${found} in: ${text}`, () => {
      const faults = wordFaults([{ place: "here", text, maxWords: MESSAGE_WORDS }], new Map());
      assert.ok(
        faults.some((fault) => fault.startsWith(`here: "${found}`)),
        faults.join("\n"),
      );
    });
  }

  test("finds a sentence that is too long", () => {
    const text = `${"word ".repeat(21).trim()}. Short.`;
    assert.deepEqual(wordFaults([{ place: "here", text, maxWords: MESSAGE_WORDS }], new Map()), [
      `here: 21 words in ${JSON.stringify(text.slice(0, -" Short.".length))}`,
    ]);
  });

  test("plain sentences pass", () => {
    const texts = [
      "Not sent: the order changed while the confirmation was open.",
      "Copy Order ID",
      "Minus tick",
      "`order_id`",
    ];
    assert.deepEqual(
      wordFaults(
        texts.map((text) => ({ place: "here", text, maxWords: MESSAGE_WORDS })),
        new Map(),
      ),
      [],
    );
    assert.ok(RULES.length > 25);
  });
});
