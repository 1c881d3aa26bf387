// @ts-check
/** What may be released, and into which channel. */
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { planRelease } from "./release.mjs";

const changelog =
  "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2027-01-05\n\n### Added\n\n- A view.\n\n## [1.1.9] - 2026-12-01\n\n- Older.\n";
/** @type {import("./release.mjs").Release} */
const sound = { version: "1.2.0", changelog, tags: ["v1.1.9", "v1.2.0"], tagsHere: ["v1.2.0"], changes: [] };

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
    ["a later version", { tags: ["v1.2.0", "v1.10.0"] }, /later version already: v1\.10\.0/],
  ];
  for (const [name, change, problem] of refused) {
    test(`refused: ${name}`, () => assert.match(planRelease({ ...sound, ...change }).problems.join("\n"), problem));
  }
});
