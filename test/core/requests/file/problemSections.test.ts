import assert from "node:assert/strict";
import * as fs from "node:fs";
import { test } from "node:test";
import {
  anchorOf,
  helpAddress,
  README_ADDRESS,
  README_SECTIONS,
  type DiagnosticCode,
} from "../../../../src/requests/file/problemSections.ts";

/** The headings of the README, and what stands under each up to the next. */
const SECTIONS = new Map(
  fs
    .readFileSync("README.md", "utf8")
    .split(/^#+ /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n")).trim()] as const),
);

test("every problem leads to a heading of the README under which something stands", () => {
  for (const [code, heading] of Object.entries(README_SECTIONS))
    assert.ok((SECTIONS.get(heading) ?? "").length > 100, `${code}: ${heading}`);
  const anchors = [...SECTIONS.keys()].map(anchorOf);
  assert.equal(new Set(anchors).size, anchors.length);
  for (const code of Object.keys(README_SECTIONS) as DiagnosticCode[])
    assert.ok(anchors.includes(new URL(helpAddress(code)).hash.slice(1)), code);
  assert.equal(helpAddress("runOptions"), "https://github.com/trading-rpc/trading-rpc#how-a-request-is-run");
});

test("the address is that of the project's page", () => {
  assert.equal(
    (JSON.parse(fs.readFileSync("package.json", "utf8")) as { readonly homepage: string }).homepage,
    README_ADDRESS,
  );
});
