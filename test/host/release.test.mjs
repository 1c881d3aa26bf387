// @ts-check
/** What may be released, and into which channel, and what is said about a picture that is not of today. */
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { pictureProblems } from "./pictureText.mjs";
import { planRelease } from "./release.mjs";

const changelog =
  "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2027-01-05\n\n### Added\n\n- A view.\n\n## [1.1.9] - 2026-12-01\n\n- Older.\n";
/** @type {import("./release.mjs").Release} */
const sound = {
  version: "1.2.0",
  changelog,
  tags: ["v1.1.9", "v1.2.0"],
  tagsHere: ["v1.2.0"],
  changes: [],
  pictures: [],
};

describe("release", () => {
  test("a tagged, committed version with its section in the changelog may be published", () => {
    assert.deepEqual(planRelease(sound), { channel: "release", problems: [] });
  });

  test("an odd minor version is a pre-release", () => {
    const odd = { ...sound, version: "1.1.9", tags: ["v1.1.9"], tagsHere: ["v1.1.9"] };
    assert.deepEqual(planRelease(odd), { channel: "pre-release", problems: [] });
  });

  /** @type {[string, Partial<import("./release.mjs").Release>, RegExp][]} */
  const refused = [
    ["a version with a suffix, which the marketplace does not take", { version: "1.2.0-beta.1" }, /not three numbers/],
    [
      "no section in the changelog",
      { changelog: changelog.replace("[1.2.0]", "[1.2.1]") },
      /no section "## \[1\.2\.0\]/,
    ],
    ["a section without its day", { changelog: changelog.replace(" - 2027-01-05", "") }, /no section/],
    ["an empty section", { changelog: changelog.replace("### Added\n\n- A view.\n", "") }, /is empty/],
    [
      "lines that are not released yet",
      { changelog: changelog.replace("[Unreleased]\n", "[Unreleased]\n\n- Another view.\n") },
      /under \[Unreleased\]/,
    ],
    [
      "files that are not committed",
      { changes: ["src/extension.ts"] },
      /not everything is committed: src\/extension\.ts/i,
    ],
    ["no tag", { tagsHere: [] }, /no tag v1\.2\.0/],
    [
      "a picture of an earlier product",
      { pictures: ['The picture orders.png shows "Orders", the product does not.'] },
      /orders\.png shows "Orders"/,
    ],
    ["a later version", { tags: ["v1.2.0", "v1.10.0"] }, /later version already: v1\.10\.0/],
  ];
  for (const [name, change, problem] of refused) {
    test(`refused: ${name}`, () => assert.match(planRelease({ ...sound, ...change }).problems.join("\n"), problem));
  }
});

describe("a picture and the product", () => {
  const shown = "Open Orders\nBTC-26MAR27-96000-C 1\nbuy 2.5 @ 0.0855 vol\nbuy 5000 @ 91046 dip\n";

  test("times, prices, latencies, IDs and days may differ", () => {
    const pairs = /** @type {const} */ ([
      [shown, "Open Orders\nBTC-25JUN27-84000-C 2\nbuy 4 @ 0.07 vol\nbuy 4800 @ 90000.5 dip\n"],
      ["ok · 3 ms · 10:00:14 · request ID 19", "ok · 12 ms · 23:59:01 · request ID 7"],
      ["XRP short 4000 XRP −548 USDC", "XRP short 4000 XRP +7.2 USDC"],
      ["entry f4c4cf80-90a5/mx4j0agnqs-1", "entry 0d1e/mx4j0bbbbb-2"],
    ]);
    for (const [was, is] of pairs) assert.deepEqual(pictureProblems("orders.png", was, is), []);
  });

  /** @type {[string, string | undefined, string, string[]][]} */
  const different = [
    [
      "another word",
      shown,
      shown.replace("Open Orders", "Orders"),
      [
        'The picture orders.png shows "Open Orders", the product does not.',
        'The product shows "Orders", the picture orders.png does not.',
      ],
    ],
    [
      "a row more of the same kind",
      shown,
      `${shown}buy 40 @ 2100 dip\n`,
      ['The product shows "buy 40 @ 2100 dip", the picture orders.png does not.'],
    ],
    [
      "another order",
      shown,
      shown.split("\n").reverse().join("\n"),
      ["The picture orders.png shows its lines in another order than the product."],
    ],
    ["no text", undefined, shown, ["The picture orders.png has no text beside it."]],
  ];
  for (const [name, was, is, problems] of different)
    test(`told: ${name}`, () => assert.deepEqual(pictureProblems("orders.png", was, is), problems));
});
