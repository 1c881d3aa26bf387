import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { outcomeOf } from "../../../src/actions/judge/responseOutcome.ts";
import {
  effectOf,
  isResult,
  methodFacts,
  readResult,
  resultProblems,
  type MethodName,
} from "../../../src/catalogue/index.ts";
import { methodReferences, resultSchemaOf } from "../../../src/catalogue/reference/reference.ts";
import { shapeElement, shapeMembers, shapeTypes } from "../../../src/catalogue/reference/resultShape.ts";
import type { SchemaNode } from "../../../src/catalogue/problems.ts";
import { checkExpectations } from "../../../src/requests/expectations/expect.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { createSeededRandom } from "../../../src/simulator/text/seededRandom.ts";
import { rounds } from "../../rounds.mjs";
import { memberPaths, sampleOf, valueAt, withValue, type ResultPath } from "../../sampleResults.ts";
import { responseOf } from "../requests/fakeGate.ts";

/*
 * A documented result that is a hint is never a reason to call a response wrong, and an exact one is: both have to be
 * shown.
 */

/** The mutations of each hint. */
const MUTATIONS = rounds({ short: 5, full: 100, long: 1000 });

const HINTED = methodReferences().flatMap(({ name, hint }) => (hint === undefined ? [] : [name]));
const EXACT = methodReferences().flatMap(({ name, hint }) => (hint === undefined ? [name as MethodName] : []));

/** Values of every type, of which the exchange sends one or the other in the place of a documented one. */
const ODD: readonly unknown[] = [
  null,
  "",
  "brand_new",
  "12.5",
  0,
  -1,
  1e21,
  true,
  [],
  ["x"],
  {},
  { extra: [null] },
  undefined,
];

/** A documented result with up to three changes, the same for the same numbers. */
function mutated(schema: SchemaNode, random: () => number): unknown {
  let result = sampleOf(schema);
  for (let change = Math.floor(random() * 3); change >= 0; change--) {
    const places: readonly ResultPath[] = [[], ...memberPaths(schema)].filter((path) => isThere(result, path));
    const path = places[Math.floor(random() * places.length)] ?? [];
    const odd = ODD[Math.floor(random() * ODD.length)];
    const value = valueAt(result, path);
    const more = [odd, [value], { brand_new: value }, typeof value === "object" ? { ...value, brand_new: odd } : odd];
    result = withValue(result, path, more[Math.floor(random() * more.length)]);
  }
  return result ?? null;
}

function isThere(result: unknown, path: ResultPath): boolean {
  let value = result;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return false;
    value = (value as Record<string | number, unknown>)[step];
  }
  return true;
}

function isCalledWrong(method: string, result: unknown): string[] {
  const response = responseOf(method, JSON.stringify(result), { result });
  const file = scanRequests(`{ "method": "${method}", "$run": { "expect": { "ok": true, "schema": true } } }`);
  const expect = file.requests[0]?.run.expect ?? assert.fail(method);
  const outcome = outcomeOf(method, effectOf(method), response);
  return [
    ...(isResult(method, result) ? [] : ["isResult"]),
    ...resultProblems(method, result).map(({ message }) => message),
    // What differs from a hint is told, and fails nothing.
    ...checkExpectations(expect, { intent: { method }, outcome }).flatMap(({ message, severity }) =>
      severity === "error" ? [message] : [],
    ),
    // A change is confirmed by what proves it alone.
    ...(outcome.kind === "confirmed" || effectOf(method) !== "read" ? [] : [`the outcome is ${outcome.kind}`]),
  ];
}

describe("a response of a method with a hint", () => {
  test("is never called wrong, whatever it has", () => {
    assert.ok(HINTED.length > 100);
    assert.equal(HINTED.length + EXACT.length, 192);
    const random = createSeededRandom(20);
    let count = 0;
    for (const method of HINTED) {
      const schema = resultSchemaOf(method) ?? assert.fail(method);
      for (let round = 0; round < MUTATIONS; round++, count++) {
        const result = mutated(schema, random);
        assert.deepEqual(isCalledWrong(method, result), [], `${method} ${JSON.stringify(result)}`);
      }
    }
    assert.equal(count, HINTED.length * MUTATIONS);
  });
});

/** The schemas of one of which a result is: the first is the usual one. */
function branchesOf(schema: SchemaNode): readonly SchemaNode[] {
  return (schema["anyOf"] as readonly SchemaNode[] | undefined) ?? [schema];
}

/** The places of what a result has to have: identifiers, and what a verdict rests on. */
function requiredPaths(schema: SchemaNode, path: ResultPath = []): readonly ResultPath[] {
  const [branch = schema] = branchesOf(schema);
  const parts = [branch, ...((branch["allOf"] ?? []) as readonly SchemaNode[])];
  const element = shapeElement(branch);
  const names = parts.flatMap((part) => (part["required"] ?? []) as readonly string[]);
  return [
    ...(element === undefined ? [] : requiredPaths(element, [...path, 0])),
    ...names.flatMap((name): readonly ResultPath[] => {
      const member = shapeMembers(branch).find((each) => each.name === name)?.schema ?? {};
      return [[...path, name], ...requiredPaths(member, [...path, name])];
    }),
  ];
}

/** A result whose unions are all the first of their schemas. */
function usualSample(schema: SchemaNode): unknown {
  const [branch = schema] = branchesOf(schema);
  const element = shapeElement(branch);
  if (element !== undefined) return [usualSample(element)];
  const members = shapeMembers(branch);
  return members.length === 0
    ? sampleOf(branch)
    : Object.fromEntries(members.map(({ name, schema: member }) => [name, usualSample(member)]));
}

/** A value of another type. */
function ofAnotherType(value: unknown): unknown {
  return typeof value === "object" ? 7 : { brand_new: value };
}

describe("a response of a method with an exact result", () => {
  /** Whether a result has nothing that tells it from others: a word, a number, words, or parts of a mass cancel. */
  const isPlain = (method: string, sample: unknown): boolean =>
    typeof sample !== "object" ||
    (Array.isArray(sample) && (typeof sample[0] !== "object" || method.startsWith("private/cancel_all")));

  test("is noticed when it lacks an identifier or what a verdict rests on, or has it with another type", () => {
    assert.ok(EXACT.length >= 51);
    for (const method of EXACT) {
      const schema = resultSchemaOf(method) ?? assert.fail(method);
      const sample = usualSample(schema);
      assert.deepEqual(resultProblems(method, sample), [], method);
      assert.equal(isResult(method, sample), true, method);
      const paths = requiredPaths(schema);
      assert.equal(paths.length === 0, isPlain(method, sample), method);
      for (const path of paths)
        for (const broken of [
          withValue(sample, path, undefined),
          withValue(sample, path, ofAnotherType(valueAt(sample, path))),
        ]) {
          const place = `${method} ${path.join(".")}`;
          assert.ok(
            resultProblems(method, broken).some(({ severity }) => severity === "error"),
            place,
          );
          assert.equal(isResult(method, broken), false, place);
          assert.equal(readResult(method, broken), undefined, place);
        }
      assert.equal(isResult(method, shapeTypes(schema).includes("string") ? 7 : "brand_new"), false, method);
    }
  });

  test("a change whose response lacks what proves it is not confirmed", () => {
    for (const method of EXACT.filter((each) => !["read", "session"].includes(effectOf(each)))) {
      const schema = resultSchemaOf(method) ?? assert.fail(method);
      const result = withValue(usualSample(schema), [], { brand_new: 1 });
      const { kind } = outcomeOf(method, effectOf(method), responseOf(method, JSON.stringify(result), { result }));
      assert.equal(kind, "unknown", method);
      assert.equal(methodFacts(method)?.isHinted, false);
    }
  });
});
