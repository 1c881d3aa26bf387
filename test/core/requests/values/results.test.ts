import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { literalReader, parsePath } from "../../../../src/requests/text/jsonPath.ts";
import { createResults, type KeptResult, type NamedResult } from "../../../../src/requests/values/results.ts";

function named(name: string, bodyText: string, more: Partial<NamedResult> = {}): NamedResult {
  return { name, bodyText, atMs: 0, isError: false, environment: "test", connectionId: "c", ...more };
}

function kept(result: NamedResult): KeptResult {
  const results = createResults();
  results.set(result);
  return results.get(result.name) ?? assert.fail();
}

function literalOf(result: KeptResult, path: string): string | undefined {
  const steps = parsePath(path);
  return steps === undefined ? undefined : result.literalAt(steps);
}

describe("named results", () => {
  test("are kept by name, the newest last, until they are cleared; each change is told once", () => {
    const results = createResults();
    let changes = 0;
    results.onDidChange(() => {
      changes += 1;
    });
    results.set(named("a", "1"));
    results.set(named("b", "2"));
    results.set(named("a", "3"));
    const found = results.all.map(({ name, bodyText }) => `${name}=${bodyText}`);
    assert.deepEqual(found, ["b=2", "a=3"]);
    assert.equal(results.get("a")?.bodyText, "3");
    assert.equal(results.get("c"), undefined);
    results.remove("a");
    results.remove("a");
    assert.equal(results.get("a"), undefined);
    results.clear();
    results.clear();
    assert.deepEqual(results.all, []);
    assert.equal(changes, 5);
  });

  const orders = kept(
    named(
      "open",
      '[{"order_id":"ETH-1","label":"mm-1","price":0.10},{"order_id":"ETH-2","label":"mm-2","price":1e-8,"n":9007199254740993}]',
    ),
  );
  const paths: readonly [string, string | undefined][] = [
    ["result[0].order_id", '"ETH-1"'],
    ["result[0].price", "0.10"],
    ["result[-1].price", "1e-8"],
    ["result[label=mm-2].n", "9007199254740993"],
    ["result[label=mm-3].n", undefined],
    ["result[7]", undefined],
    ["error.code", undefined],
    ["", undefined],
    ["result..x", undefined],
  ];
  for (const [path, literal] of paths) {
    test(`the literal at ${JSON.stringify(path)}`, () => assert.equal(literalOf(orders, path), literal));
  }

  test("an error object is read by error", () => {
    const error = kept(named("x", '{"code":10004,"message":"order_not_found"}', { isError: true }));
    assert.equal(literalOf(error, "error.code"), "10004");
    assert.equal(literalOf(error, "result"), undefined);
  });

  test("a response is made a text of and parsed once, however often something is taken from it", () => {
    let made = 0;
    const read = literalReader(() => ((made += 1), '{"result":[1e-8,2]}'));
    assert.equal(made, 0);
    assert.deepEqual(
      [read(["result", 0]), read(["result", 1]), read(["result", 2]), read(["error"])],
      ["1e-8", "2", undefined, undefined],
    );
    assert.equal(made, 1);
  });

  test("a response in the place of another is read anew", () => {
    const results = createResults();
    const first = (): string | undefined => results.get("a")?.literalAt(["result", 0]);
    results.set(named("a", "[1]"));
    assert.equal(first(), "1");
    results.set(named("a", "[2]"));
    assert.equal(first(), "2");
  });
});
