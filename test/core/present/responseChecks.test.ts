import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { responseAddress, responseDocument, type ResponseCheck } from "../../../src/present/requests/responseText.ts";
import { objectLenses } from "../../../src/present/requests/responseObjects.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { runRequest } from "../../../src/requests/running/run.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { responseOf, createFakeGate } from "../requests/fakeGate.ts";

const TIMES = createTimes(0);

const NOTHING: ResponseCheck = { isExpected: true, failures: [], hints: [], tries: 1 };

async function shown(
  check: ResponseCheck,
  hasPrevious = false,
): Promise<{ readonly lines: readonly string[]; readonly lenses: readonly string[] }> {
  const file = scanRequests('{ "method": "public/get_time" }');
  const [request] = file.requests;
  assert.ok(request);
  const result = await runRequest(file, request, {
    gate: createFakeGate({ kind: "confirmed", response: responseOf("public/get_time", "5") }),
    environment: "test",
    fileName: "a.rpc.json",
  });
  const { text, lenses } = responseDocument({
    result,
    environment: "test",
    connectionName: "main",
    endedAtMs: 0,
    verdicts: [],
    check,
    hasPrevious,
    times: TIMES,
  });
  return {
    lines: text.split("\n").slice(1, -1),
    lenses: lenses.flatMap((lens) => (lens.action === "pin" ? [] : [lens.text])),
  };
}

describe("what a file expects of a response", () => {
  test("stands above it where it is so", async () => {
    assert.deepEqual(await shown(NOTHING), {
      lines: ["5"],
      lenses: ["✓ as expected", "Save Response…", "Compare with Saved…"],
    });
    assert.deepEqual((await shown({ ...NOTHING, isExpected: false })).lenses, [
      "Save Response…",
      "Compare with Saved…",
    ]);
  });

  test("each thing that is otherwise is a line of the head, in one line whatever it holds", async () => {
    const failure = { path: ["result"], expected: plain`6`, actual: plain`5`, range: { start: 0, end: 1 } };
    const failures = [
      { ...failure, message: plain`result: expected 6,\ngot 5.`, severity: "error" as const },
      { ...failure, message: plain`result: odd.`, severity: "warning" as const },
    ];
    const { lines, lenses } = await shown({
      isExpected: true,
      failures,
      hints: ["The response used from open is 90 s old."],
      tries: 3,
    });
    assert.deepEqual(lines.slice(1), ["// ⚠ result: odd.", "// The response used from open is 90 s old.", "5"]);
    assert.match(lines[0] ?? "", /^\/\/ ✗ result: expected 6,.*got 5\.$/);
    assert.deepEqual(lenses.slice(0, 2), ["✗ not as expected (1)", "3 tries"]);
  });

  test("a response that took the place of another one can be compared with it", async () => {
    assert.deepEqual((await shown(NOTHING, true)).lenses, [
      "✓ as expected",
      "Save Response…",
      "Compare with Previous",
      "Compare with Saved…",
    ]);
  });
});

describe("addresses and objects", () => {
  test("a request with a document of its own is named in its title", () => {
    assert.equal(responseAddress("file:///w/a.rpc.json", "test", { part: "open" }).title, "a ▸ open (TESTNET)");
    assert.notEqual(
      responseAddress("file:///w/a.rpc.json", "test", { part: "open" }).query,
      responseAddress("file:///w/a.rpc.json", "test").query,
    );
  });

  test("what is over offers no cancel", () => {
    const titles = (kind: Parameters<typeof objectLenses>[0]["kind"], isOpen: boolean): string[] =>
      objectLenses({ kind, id: "E-1", isOpen }).map(({ title }) => title);
    assert.deepEqual(titles("order", true), ["Cancel E-1…", "Reveal in Open Orders"]);
    assert.deepEqual(titles("order", false), []);
    assert.deepEqual(titles("quote", true), ["Cancel Quote E-1…"]);
    assert.deepEqual(titles("quote", false), []);
    assert.deepEqual(titles("apiKey", true), ["Change Scope of API Key E-1…", "Compare with Current API Key"]);
    assert.deepEqual(titles("blockTrade", false), ["Open E-1"]);
  });
});
