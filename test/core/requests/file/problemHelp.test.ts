import assert from "node:assert/strict";
import * as fs from "node:fs";
import { test } from "vitest";
import { HELP_PAGE, helpAddress, helpLine, type DiagnosticCode } from "../../../../src/requests/file/problemHelp.ts";

/** Every code: the compiler finds one that is missing here. */
const CODES: Readonly<Record<DiagnosticCode, true>> = {
  ...{ fileTooLarge: true, fileEmpty: true, fileKind: true, separator: true, syntax: true, tooDeep: true },
  ...{ requestKind: true, duplicateKey: true, unknownMember: true, versionValue: true, idValue: true, sequence: true },
  ...{
    methodMissing: true,
    methodPrefix: true,
    methodValue: true,
    notOffered: true,
    paramsKind: true,
    unknownMethod: true,
    sessionMethod: true,
  },
  ...{ params: true, filePin: true, environment: true, placeholder: true, shadowed: true, runOptions: true },
  ...{ repeatedName: true, expectation: true, secretLiteral: true, tickSize: true, amountStep: true },
};

test("every problem leads to a heading with its code, under which it is explained", () => {
  const page = fs.readFileSync(HELP_PAGE, "utf8");
  const sections = page
    .split(/^## /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n")).trim()] as const);
  assert.deepEqual(
    sections.map(([code]) => code),
    Object.keys(CODES).sort((one, other) => one.localeCompare(other, "en")),
  );
  for (const [code, text] of sections) assert.ok(text.length > 60, code);
  for (const [code] of sections) assert.equal(page.split("\n")[helpLine(code as DiagnosticCode) - 1], `## ${code}`);
  assert.equal(helpAddress("runOptions"), "docs/problems.md#runoptions");
});
