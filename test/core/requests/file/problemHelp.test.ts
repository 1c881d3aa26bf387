import assert from "node:assert/strict";
import * as fs from "node:fs";
import { test } from "vitest";
import { helpAddress, type DiagnosticCode } from "../../../../src/requests/file/problemHelp.ts";

/** Every code: the compiler finds one that is missing here. */
const CODES: Readonly<Record<DiagnosticCode, true>> = {
  ...{ fileTooLarge: true, fileEmpty: true, fileKind: true, separator: true, syntax: true, tooDeep: true },
  ...{ requestKind: true, duplicateKey: true, unknownMember: true, versionValue: true, idValue: true, sequence: true },
  ...{ methodMissing: true, methodValue: true, paramsKind: true, unknownMethod: true, sessionMethod: true },
  ...{ params: true, filePin: true, environment: true, placeholder: true, shadowed: true, runOptions: true },
  ...{ repeatedName: true, expectation: true, secretLiteral: true, tickSize: true, amountStep: true },
};

test("every problem leads to a heading with its code, under which it is explained", () => {
  const page = fs.readFileSync("docs/request-files.md", "utf8");
  const sections = page
    .slice(page.indexOf("## Problems A–Z"))
    .split(/^### /m)
    .slice(1)
    .map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n")).trim()] as const);
  assert.deepEqual(
    sections.map(([code]) => code),
    Object.keys(CODES).sort((one, other) => one.localeCompare(other, "en")),
  );
  for (const [code, text] of sections) assert.ok(text.length > 60, code);
  assert.equal(
    helpAddress("runOptions"),
    "https://github.com/trading-rpc/trading-rpc/blob/HEAD/docs/request-files.md#runoptions",
  );
});
