import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethods, isPrivate, methodFacts } from "../../../src/catalogue/index.ts";
import { isOfferedAt } from "../../../src/catalogue/offer.ts";
import { checkParams } from "../../../src/catalogue/params.ts";
import { channelTable, methodTable, type MethodEntry } from "../../../src/catalogue/reference/methodTable.ts";
import { plainSchema } from "../../../src/catalogue/reference/plainSchema.ts";
import { checkAnyParams, paramsSchemaOf } from "../../../src/catalogue/reference/reference.ts";
import type { SchemaNode } from "../../../src/catalogue/problems.ts";

const table = methodTable();

function entry(name: string): MethodEntry {
  const found = table.find((each) => each.name === name);
  assert.ok(found !== undefined, name);
  return found;
}

/** Returns all schemas within a schema, itself included. */
function nodesOf(schema: SchemaNode): readonly SchemaNode[] {
  const { properties = {}, items, anyOf = [], allOf = [] } = schema;
  const children = [
    ...Object.values(properties as Readonly<Record<string, SchemaNode>>),
    ...(items === undefined ? [] : [items as SchemaNode]),
    ...(anyOf as readonly SchemaNode[]),
    ...(allOf as readonly SchemaNode[]),
  ];
  return [schema, ...children.flatMap(nodesOf)];
}

describe("the table of all methods", () => {
  test("it has each method once, with facts of its own, section by section", () => {
    assert.deepEqual(
      table.map(({ name }) => name).sort(),
      allMethods()
        .map(({ name }) => name)
        .sort(),
    );
    const sections = table.map(({ section }) => section).filter((each, index, all) => each !== all[index - 1]);
    assert.deepEqual(sections, [...new Set(sections)], "a section stands together");
    for (const { name, access, effect, summary, documentation, rate } of table) {
      assert.equal(access, isPrivate(name) ? "private" : "public", name);
      assert.equal(effect, methodFacts(name)?.effect, name);
      assert.match(summary, /^[A-Z].*\.$/, name);
      const isOfGateway = !isOfferedAt(name, "native");
      assert.ok(
        documentation.startsWith(`https://docs.${isOfGateway ? "cdp.coinbase" : "deribit"}.com/api-reference`),
        name,
      );
      assert.ok(rate.cost > 0 && rate.size >= rate.cost && rate.refillPerSecond > 0, name);
    }
  });

  test("a public method needs no scope, and a scope is one that there is", () => {
    const scopes = new Set(table.map(({ scope }) => scope));
    for (const scope of scopes)
      assert.ok(
        scope === null || /^(?:account|block_rfq|block_trade|trade|wallet):read(?:_write)?$/.test(scope),
        scope ?? "",
      );
    assert.deepEqual(
      table.filter(({ access, scope }) => access === "public" && scope !== null),
      [],
    );
    assert.deepEqual(entry("private/set_mmp_config").scopeWhen, { param: "block_rfq", scope: "block_rfq:read_write" });
  });

  test("parameters have a type, a description, and say whether they are required", () => {
    const params = table.flatMap(({ name, params: own }) => own.map((param) => ({ ...param, method: name })));
    assert.ok(params.length >= 614, "none is lost");
    for (const { method, name, type, required, description } of params) {
      assert.match(
        type,
        /^(?:array|boolean|integer|number|object|string)(?:\|(?:array|null|string))?$/,
        `${method} ${name}`,
      );
      assert.equal(typeof required, "boolean", `${method} ${name}`);
      assert.equal(typeof description, "string", `${method} ${name}`);
    }
    assert.ok(table.filter(({ params: own }) => own.some(({ required }) => required)).length >= 135);
  });

  test("what it calls required is what the check of a request misses", () => {
    for (const { name, params } of table) {
      const missing = checkAnyParams(name, {}).flatMap(({ message }) => /^(\w+) is missing/.exec(message)?.[1] ?? []);
      const required = params.filter((param) => param.required).map((param) => param.name);
      assert.deepEqual(required.sort(), [...new Set(missing)].sort(), name);
    }
  });

  test("a parameter as people write it: bounds, known values that are open or closed, members", () => {
    assert.deepEqual(
      entry("private/get_order_history_by_currency").params.find(({ name }) => name === "count"),
      { name: "count", type: "integer", required: false, minimum: 1, maximum: 1000, description: "Number of items." },
    );
    assert.deepEqual(entry("private/buy").params[0], {
      name: "instrument_name",
      type: "string",
      required: true,
      minLength: 1,
      description: "Unique instrument identifier, for example BTC-PERPETUAL.",
    });
    const trigger = entry("private/buy").params.find(({ name }) => name === "trigger");
    assert.deepEqual([trigger?.enum, trigger?.enumIsOpen], [["index_price", "mark_price", "last_price"], true]);
    const sorting = entry("public/get_last_trades_by_instrument").params.find(({ name }) => name === "sorting");
    assert.deepEqual([sorting?.enum, sorting?.enumIsOpen], [["asc", "desc", "default"], undefined]);
    const legs = entry("private/buy").params.find(({ name }) => name === "otoco_config");
    const { properties } = legs?.items ?? {};
    assert.ok(Object.keys(properties as object).includes("trigger_offset"));
  });

  test("conditions of a method are told", () => {
    const told: readonly (readonly [what: keyof MethodEntry, count: number])[] = [
      ["webSocketOnly", 12],
      ["mainAccountOnly", 7],
      ["mayAskSecondFactor", 15],
      ["resultIsExact", 63],
    ];
    for (const [what, count] of told) {
      const names = table.filter((each) => each[what] === true).map(({ name }) => name);
      assert.equal(names.length, count, `${what}: count it here if one of these is new: ${names.join(", ")}`);
    }
    assert.ok(entry("private/withdraw").mainAccountOnly && !entry("private/withdraw").webSocketOnly);
    assert.ok(entry("private/create_api_key").mayAskSecondFactor && entry("public/subscribe").webSocketOnly);
  });

  test("schemas are plain draft-07: no reference, no member of ours, and every array says what its items are", () => {
    const known =
      /^(?:type|properties|required|items|anyOf|allOf|const|enum|examples|description|pattern|m(?:in|ax)(?:imum|Length|Items))$/;
    for (const { name, result } of table)
      for (const node of [plainSchema(paramsSchemaOf(name) ?? {}), result].flatMap(nodesOf)) {
        assert.deepEqual(
          Object.keys(node).filter((key) => !known.test(key)),
          [],
          name,
        );
        assert.ok(node["type"] !== "array" || node["items"] !== undefined, name);
      }
  });

  test("a schema keeps what it says when it becomes plain", () => {
    assert.deepEqual(
      plainSchema({
        allOf: [{ type: "string", suggestedValues: ["a"], isIdentity: true }],
        description: "Text.",
      }),
      { type: "string", examples: ["a"], description: "Text." },
    );
    assert.deepEqual(
      plainSchema({ allOf: [{ type: "object" }, { type: "object", properties: { allOf: { type: "array" } } }] }),
      {
        allOf: [{ type: "object" }, { type: "object", properties: { allOf: { type: "array", items: {} } } }],
      },
    );
  });

  test("rules between parameters are told, and the check knows them", () => {
    assert.deepEqual(entry("private/get_mmp_config").rules, [
      { kind: "needs", param: "mmp_group", other: "index_name" },
    ]);
    assert.notDeepEqual(checkParams("private/get_mmp_config", { mmp_group: "g" }), []);
  });
});

describe("the table of all channels", () => {
  test("it has each of the 52 channels once, with its placeholders", () => {
    const channels = channelTable();
    assert.equal(new Set(channels.map(({ pattern }) => pattern)).size, 52);
    assert.equal(channels.length, 52);
    for (const { pattern, access, scope, placeholders, summary } of channels) {
      assert.equal(pattern.split(/\{\w+\}/).length - 1, placeholders.length, pattern);
      assert.ok(access === "private" || scope === null, pattern);
      assert.match(summary, /^[A-Z].*\.$/, pattern);
    }
    assert.deepEqual(
      channels.find(({ pattern }) => pattern === "user.orders.{kind}.{currency}.raw"),
      {
        pattern: "user.orders.{kind}.{currency}.raw",
        summary: "Order changes by kind and currency. `any` matches all.",
        access: "private",
        scope: "trade:read",
        offeredBy: ["native", "gateway"],
        placeholders: [
          { name: "kind", values: ["any", "future", "option", "spot", "future_combo", "option_combo"] },
          { name: "currency", values: ["any", "BTC", "ETH", "USDC", "USDT", "EURR"] },
        ],
      },
    );
  });
});
