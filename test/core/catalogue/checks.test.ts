import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import * as z from "zod";
import type { Problem } from "../../../src/base/failure.ts";
import {
  effectOf,
  isEvent,
  isFrame,
  isScopeGranted,
  methodFacts,
  patternOf,
  resultProblems,
} from "../../../src/catalogue/index.ts";
import { checkParams, findRuleProblems } from "../../../src/catalogue/params.ts";
import { channelDefinitions, methods, rowDefinitions } from "../../../src/catalogue/definitions.ts";
import { predicates } from "../../../src/catalogue/generated/predicates.ts";
import { errorFrame, heartbeatFrame, subscriptionFrame, successFrame } from "../../../src/catalogue/describe.ts";
import type { MethodDefinition } from "../../../src/catalogue/method.ts";
import { runs } from "../../sizes.ts";

/** Values near what a schema accepts: objects of its own member names with values of every sort. */
function nearby(schema: z.ZodType): fc.Arbitrary<unknown> {
  const names = [
    ...new Set(
      JSON.stringify(z.toJSONSchema(schema))
        .match(/"[a-z_]+":\{/g)
        ?.map((each) => each.slice(1, -3)) ?? [],
    ),
  ];
  const leaf = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.constant("2.0"),
    fc.constant("ok"),
    fc.constantFrom("asc", "option", "limit", "test_request", "subscription"),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("extra", ...names), tie("tree"), { maxKeys: 6 }),
    ),
  }));
  return tree;
}

/** Whether a problem is only the warning about an undocumented value. */
function isSuggestion({ severity, message }: Problem): boolean {
  return severity === "warning" && message.includes("is not one of the documented values");
}

/**
 * What is read says by null that a member is not there. The schemas themselves, which also say what is sent, know no
 * null.
 */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withoutNulls(member)]])),
  );
}

function assertAgreement(
  name: string,
  schema: z.ZodType,
  accepts: (value: unknown) => boolean,
  also: (value: unknown) => boolean = () => true,
): void {
  fc.assert(
    fc.property(nearby(schema), (value) => {
      assert.equal(accepts(value), schema.safeParse(value).success && also(value), `${name}: ${JSON.stringify(value)}`);
    }),
    { numRuns: runs(150) },
  );
}

function assertReading(name: string, schema: z.ZodType, accepts: (value: unknown) => boolean): void {
  fc.assert(
    fc.property(nearby(schema), (value) => {
      assert.equal(accepts(value), schema.safeParse(withoutNulls(value)).success, `${name}: ${JSON.stringify(value)}`);
    }),
    { numRuns: runs(150) },
  );
}

describe("generated checks agree with the schemas they come from", () => {
  for (const each of methods as readonly MethodDefinition[]) {
    test(each.name, () => {
      assertReading(`result ${each.name}`, each.result, (value) => resultProblems(each.name, value).length === 0);
      const acceptedByRules = (value: unknown): boolean => findRuleProblems(each.rules ?? [], value).length === 0;
      assertAgreement(
        `params ${each.name}`,
        each.params,
        (value) => checkParams(each.name, value).every(isSuggestion),
        acceptedByRules,
      );
    });
  }
  for (const each of channelDefinitions) {
    test(each.pattern, () => {
      assertReading(each.pattern, each.data, (value) => isEvent(each.pattern.replaceAll(/\{[^}]*\}/g, "any"), value));
    });
  }
  for (const [name, row] of Object.entries(rowDefinitions)) {
    const predicate = predicates[`row ${name}`];
    if (predicate !== undefined)
      test(name, () => {
        assertReading(name, row, predicate);
      });
  }
  const frames = { successFrame, errorFrame, subscriptionFrame, heartbeatFrame };
  for (const [kind, schema] of Object.entries(frames)) {
    test(kind, () => {
      assertAgreement(kind, schema, (value) => isFrame(kind as keyof typeof frames, value));
    });
  }
});

describe("what is wrong with parameters, in words", () => {
  const cases: readonly [string, unknown, string[]][] = [
    ["private/cancel", {}, ["error : order_id is missing"]],
    ["private/cancel", { order_id: 5 }, ["error order_id: expected a string, got 5"]],
    ["private/cancel", { order_id: "" }, ["error order_id: must not be empty"]],
    ["private/cancel", { order_id: "1", label: "x" }, ["warning label: label is not a parameter of this method"]],
    [
      "private/get_open_orders",
      { kind: "futures" },
      ['error kind: expected one of future, option, spot, future_combo, option_combo, got "futures"'],
    ],
    [
      "public/get_last_trades_by_instrument",
      { instrument_name: "X", count: 1001 },
      ["error count: must be from 1 to 1000, got 1001"],
    ],
    [
      "public/get_last_trades_by_instrument",
      { instrument_name: "X", count: 1.5 },
      ["error count: expected a whole number, got 1.5"],
    ],
    [
      "public/get_last_trades_by_instrument",
      { instrument_name: "X", start_seq: 2 ** 53 + 2 },
      ["error start_seq: 9007199254740994 is too large for an exact integer"],
    ],
    ["public/subscribe", { channels: [] }, ["error channels: must not be empty"]],
    [
      "public/subscribe",
      { channels: "user.orders.any.any.raw" },
      ['error channels: expected an array, got "user.orders.any.any.raw"'],
    ],
    ["private/get_open_orders", [], ["error : expected an object, got an array"]],
    ["private/not_known", { anything: 1 }, []],
  ];
  for (const [name, params, expected] of cases) {
    test(`${name} ${JSON.stringify(params)}`, () => {
      assert.deepEqual(
        checkParams(name, params).map((problem) => `${problem.severity} ${problem.path.join(".")}: ${problem.message}`),
        expected,
      );
    });
  }
});

/** What an editor shows of a parameter. */
function descriptionOf(schema: unknown): string {
  const own = z.globalRegistry.get(schema as z.ZodType)?.description;
  return own ?? (schema instanceof z.ZodOptional ? descriptionOf(schema.unwrap()) : "");
}

describe("the catalogue as a table", () => {
  test("names are unique and well formed, and every entry documents itself", () => {
    const names = methods.map((each) => each.name);
    assert.equal(new Set(names).size, names.length);
    for (const each of methods as readonly MethodDefinition[]) {
      assert.match(each.name, /^(public|private)\/[a-z0-9_]+$/);
      assert.match(each.summary, /^[A-Z].*\.$/, each.name);
      assert.match(each.documentation, /^https:\/\/docs\.deribit\.com\//);
      assert.equal(
        each.name.startsWith("private/") && each.effect !== "session" ? each.scopes.length > 0 : true,
        true,
        `${each.name} needs a scope`,
      );
      for (const [name, schema] of Object.entries(each.params.shape))
        assert.match(descriptionOf(schema), /^[A-Z`].*\.$/, `${each.name} ${name}`);
    }
  });

  test("an undescribed method counts as a write", () => {
    assert.equal(effectOf("private/anything"), "write");
    assert.equal(effectOf("public/anything"), "write");
    assert.equal(effectOf("private/cancel"), "reduce");
  });

  test("secrets are known by their place", () => {
    assert.deepEqual(methodFacts("public/auth")?.resultSecrets, [["access_token"], ["refresh_token"]]);
    assert.deepEqual(methodFacts("public/auth")?.paramSecrets, ["client_secret", "refresh_token", "token"]);
  });

  test("channels are known by their pattern", () => {
    assert.equal(patternOf("user.orders.any.any.raw"), "user.orders.{kind}.{currency}.raw");
    assert.equal(patternOf("user.orders.any.any.100ms"), undefined);
    assert.equal(patternOf("user.orders.any.raw"), undefined);
  });

  test("scopes", () => {
    assert.equal(isScopeGranted("account:read trade:read_write", ["trade:read"]), true);
    assert.equal(isScopeGranted("trade:read", ["trade:read_write"]), false);
    assert.equal(isScopeGranted("", []), true);
    assert.equal(isScopeGranted("block_trade:read", ["trade:read"]), false);
  });
});
