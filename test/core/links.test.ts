import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, test } from "vitest";

/* Every link of every page leads somewhere: to a file that is there, and to a heading that is in it. */

const PAGES = [
  ...["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "src/README.md", ".github/SUPPORT.md"],
  ...fs.readdirSync("docs").map((file) => `docs/${file}`),
];

const withoutCode = (text: string): string => text.replaceAll(/^ *```.*?^ *```/gms, "");

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  return new Set(
    [...withoutCode(fs.readFileSync(page, "utf8")).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
      const anchor = heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)|`/g, "$1")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
        .replaceAll(" ", "-");
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${String(count)}`;
    }),
  );
}

/** The links of a page that do not lead to another host. */
function linksOf(page: string): string[] {
  const text = withoutCode(fs.readFileSync(page, "utf8")).replaceAll(/`[^`\n]*`/g, "x");
  return [...text.matchAll(/\]\((?!https?:|mailto:|command:)([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** What is wrong with a link of a page; undefined where it leads somewhere. */
function faultOf(page: string, link: string): string | undefined {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
  if (!fs.existsSync(target)) return `${page}: ${link} leads to no file`;
  return anchor === undefined || anchorsOf(target).has(anchor) ? undefined : `${page}: ${link} leads to no heading`;
}

describe("the links of", () => {
  for (const page of PAGES)
    test(page, () => {
      const links = linksOf(page);
      assert.deepEqual(
        links.flatMap((link) => faultOf(page, link) ?? []),
        [],
      );
    });

  test("all pages together are many, and no page of docs/ is left alone", () => {
    const linked = new Set(
      PAGES.flatMap((page) =>
        linksOf(page).map((link) => path.posix.join(path.posix.dirname(page), link.split("#")[0] ?? "")),
      ),
    );
    assert.ok(PAGES.flatMap(linksOf).length > 100);
    assert.deepEqual(
      PAGES.filter((page) => page.startsWith("docs/") && !linked.has(page)),
      [],
    );
  });

  test("a page are followed: a wrong file and a wrong heading are found", () => {
    assert.equal(faultOf("README.md", "docs/none.md"), "README.md: docs/none.md leads to no file");
    assert.equal(faultOf("README.md", "docs/safety.md#none"), "README.md: docs/safety.md#none leads to no heading");
    assert.equal(faultOf("docs/safety.md", "../SECURITY.md"), undefined);
  });
});

test("the README is short: at most 900 words, with a request file right after the quick start", () => {
  const text = fs.readFileSync("README.md", "utf8");
  // The words for those who don't see a picture are not read beside it.
  assert.ok(text.replaceAll(/<[^>]*>|!\[[^\]]*\]\([^)]*\)/g, "").split(/\s+/).length <= 901);
  assert.match(text, /^## Quick start\n(?:(?!^## ).)*^## A request file\n+[^\n]+\n+```jsonc\n/ms);
});
