import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { RATE_BUDGETS } from "../../../../src/catalogue/rates.ts";
import { estimateMs, planRun, type Plan, type Wanted } from "../../../../src/requests/running/plan.ts";
import { createResults, type Results } from "../../../../src/requests/values/results.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { testInFull } from "../../../sizes.ts";

interface Short {
  readonly name?: string;
  readonly method?: string;
  /** Names of responses that it takes from. */
  readonly from?: readonly string[];
  readonly run?: object;
}

const read = "public/get_time";
const write = "private/cancel";

function fileOf(requests: readonly Short[], file?: object): string {
  return JSON.stringify(
    requests.map(({ name, method = read, from = [], run = {} }, index) => ({
      ...(index === 0 && file !== undefined ? { $file: file } : {}),
      method,
      params: Object.fromEntries(from.map((each, at) => [`p${String(at)}`, `{{${each}.result.x}}`])),
      $run: { ...(name === undefined ? {} : { name }), ...run },
    })),
  );
}

function plan(text: string, wanted: Wanted = { kind: "all" }, results: Results = createResults()): Plan {
  return planRun(scanRequests(text), wanted, results);
}

/** Batches as texts: names, `+` for what was not requested, `!` for what is refused, `-` for what is skipped. */
function shape({ batches }: Plan): string {
  return batches
    .map((batch) =>
      batch
        .map(
          ({ request, isImplicit, isSkipped, refusal }) =>
            `${isImplicit ? "+" : ""}${isSkipped ? "-" : ""}${request.run.name ?? String(request.index)}${refusal === undefined ? "" : "!"}`,
        )
        .join(" "),
    )
    .join(" | ");
}

function refusals({ steps }: Plan): string[] {
  return steps.flatMap(({ refusal }) => refusal ?? []);
}

function known(...names: string[]): Results {
  const results = createResults();
  for (const name of names)
    results.set({ name, atMs: 0, bodyText: "{}", isError: false, environment: "test", connectionId: "c" });
  return results;
}

describe("what a run consists of", () => {
  const requests: readonly Short[] = [
    { name: "a", run: { tags: ["x"] } },
    { name: "w", method: write, run: { tags: ["x", "y"] } },
    { name: "b", run: { skip: true } },
    { name: "c", run: { tags: "y" } },
  ];
  const rows: readonly [Wanted, string][] = [
    [{ kind: "all" }, "a | w | -b c"],
    [{ kind: "one", index: 1 }, "w"],
    [{ kind: "one", index: 2 }, "b"],
    [{ kind: "one", index: 9 }, ""],
    [{ kind: "from", index: 1 }, "w | -b c"],
    [{ kind: "reads" }, "a -b c"],
    [{ kind: "tags", tags: ["y"] }, "w | c"],
    [{ kind: "tags", tags: ["z"] }, ""],
  ];
  for (const [wanted, expected] of rows)
    test(JSON.stringify(wanted), () => assert.equal(shape(plan(fileOf(requests), wanted)), expected));

  test("a request that has no method that can be read stands alone, like one that changes something", () => {
    assert.equal(
      shape(plan('[{ "method": "public/get_time" }, { "method": 5 }, { "method": "public/get_time" }]')),
      "0 | 1 | 2",
    );
  });
});

describe("what a request takes from", () => {
  test("runs first, once, and only when it has no response yet", () => {
    const text = fileOf([{ name: "a" }, { name: "b", from: ["a"] }, { name: "c", from: ["a", "b"] }]);
    assert.equal(shape(plan(text, { kind: "one", index: 2 })), "+a | +b | c");
    assert.equal(shape(plan(text, { kind: "one", index: 2 }, known("a"))), "+b | c");
    assert.equal(shape(plan(text, { kind: "one", index: 2 }, known("a", "b"))), "c");
    assert.equal(shape(plan(text, { kind: "all" }, known("a", "b"))), "a | b | c");
  });

  test("is found in expectations and behind variables too", () => {
    const text = fileOf(
      [
        { name: "a" },
        { name: "b" },
        { name: "c" },
        {
          name: "d",
          run: { vars: { own: "{{shared}}" }, expect: { result: { x: "{{own}}", y: { $not: "{{b.result}}" } } } },
        },
      ],
      { vars: { shared: "{{c.result[0].id}}", self: "{{self}}" } },
    );
    assert.equal(shape(plan(text, { kind: "one", index: 3 })), "+b +c | d");
  });

  test("raw parameters take from nothing", () => {
    assert.equal(
      shape(plan(fileOf([{ name: "a" }, { from: ["a"], run: { raw: true } }]), { kind: "one", index: 1 })),
      "1",
    );
  });

  test("a read that stands behind comes before the first that needs it", () => {
    assert.equal(
      shape(
        plan(
          fileOf([
            { name: "x", method: write },
            { name: "a", from: ["b"] },
            { name: "y", method: write },
            { name: "b" },
          ]),
        ),
      ),
      "x | b | a | y",
    );
  });

  test("what changes something never runs by itself", () => {
    const text = fileOf([{ name: "w", method: write }, { name: "a" }, { name: "b", from: ["w", "a"] }]);
    const one = plan(text, { kind: "one", index: 2 });
    assert.equal(shape(one), "b!");
    assert.deepEqual(refusals(one), [
      "This request needs the result of w, a write request that is never run automatically. Send that request yourself, or use Send All.",
    ]);
    assert.equal(shape(plan(text, { kind: "reads" })), "a | b!");
    assert.equal(shape(plan(text, { kind: "one", index: 2 }, known("w"))), "+a | b");
    assert.equal(shape(plan(text)), "w | a | b");
  });

  test("what needs a later change comes right behind it, and changes keep their order", () => {
    assert.equal(
      shape(
        plan(
          fileOf([
            { name: "a", from: ["w"] },
            { name: "v", method: write },
            { name: "w", method: write },
            { name: "z", method: write },
            { name: "b", from: ["a"] },
          ]),
        ),
      ),
      "v | w | a | z | b",
    );
    assert.equal(
      shape(
        plan(
          fileOf([
            { name: "v", method: write, run: { after: ["w"] } },
            { name: "w", method: write },
          ]),
        ),
      ),
      "w | v",
    );
  });

  test("after: that order, and a read that did not run is run", () => {
    const text = fileOf([{ name: "a", run: { after: "b" } }, { name: "c" }, { name: "b" }]);
    assert.equal(shape(plan(text)), "b | a | c");
    assert.equal(shape(plan(text, { kind: "one", index: 0 })), "+b | a");
    assert.deepEqual(refusals(plan(fileOf([{ run: { after: "absent" } }]))), [
      "$run.after refers to absent, but no request in this file has that name. Correct it, or name that request with $run.name.",
    ]);
  });

  test("a skipped one is not run for others", () => {
    assert.deepEqual(
      refusals(plan(fileOf([{ name: "a", run: { skip: true } }, { from: ["a"] }]), { kind: "one", index: 1 })),
      ["This request needs the result of a, which is skipped ($run.skip)."],
    );
  });

  test("two of the same name are not chosen between", () => {
    assert.deepEqual(refusals(plan(fileOf([{ name: "a" }, { name: "a" }, { from: ["a"] }]))), [
      "Several requests in this file are named a, so the reference is ambiguous.",
    ]);
  });

  test("those that need each other are refused with their names; the others are run", () => {
    const circle = plan(
      fileOf([
        { name: "a", from: ["c"] },
        { name: "b", from: ["a"] },
        { name: "c", from: ["b"] },
        { name: "d" },
        { name: "e", from: ["a", "d"] },
      ]),
    );
    assert.equal(shape(circle), "a! | b! | c! | d | e");
    assert.deepEqual(refusals(circle)[0], "These requests need each other's results: a → c → b → a.");
    assert.deepEqual(refusals(plan(fileOf([{ name: "a", from: ["a"] }]))), [
      "These requests need each other's results: a → a.",
    ]);
    assert.deepEqual(refusals(plan(fileOf([{ name: "a", from: ["a"] }]), { kind: "all" }, known("a"))), []);
  });

  testInFull("a chain of ten thousand is planned, in either direction", () => {
    const count = 10_000;
    const forward = fileOf(
      Array.from({ length: count }, (_, index) => ({
        name: `r${String(index)}`,
        from: index === 0 ? [] : [`r${String(index - 1)}`],
      })),
    );
    const backward = fileOf(
      Array.from({ length: count }, (_, index) => ({
        name: `r${String(index)}`,
        from: index === count - 1 ? [] : [`r${String(index + 1)}`],
      })),
    );
    assert.deepEqual(
      plan(forward, { kind: "one", index: count - 1 }).steps.map(({ request }) => request.index),
      Array.from({ length: count }, (_, index) => index),
    );
    assert.deepEqual(
      plan(backward).steps.map(({ request }) => request.index),
      Array.from({ length: count }, (_, index) => count - 1 - index),
    );
  });
});

describe("what is under way together", () => {
  test("reads that do not depend on each other; everything else stands alone", () => {
    assert.equal(
      shape(
        plan(
          fileOf([
            { name: "a" },
            { name: "b" },
            { name: "c", from: ["a"] },
            { name: "d" },
            { name: "e", run: { delayMs: 5 } },
            { name: "f", run: { until: { ok: true } } },
            { name: "g" },
            { name: "w", method: write },
            { name: "h" },
          ]),
        ),
      ),
      "a b | c d | e | f | g | w | h",
    );
  });
});

describe("how long a run takes at least", () => {
  test("what fits into the budget takes no time, the rest waits until it has refilled", () => {
    const many = (count: number, method = read): Plan =>
      plan(fileOf(Array.from({ length: count }, () => ({ method }))));
    assert.equal(estimateMs(many(80), RATE_BUDGETS), 0);
    assert.equal(estimateMs(many(1000), RATE_BUDGETS), 46_000);
    assert.equal(estimateMs(many(100, write), RATE_BUDGETS), 16_800);
    assert.equal(
      estimateMs(plan(fileOf([{ run: { delayMs: 700 } }, { run: { delayMs: 900, skip: true } }])), RATE_BUDGETS),
      700,
    );
  });
});
