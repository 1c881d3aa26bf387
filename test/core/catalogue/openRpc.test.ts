import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { methodTable } from "../../../src/catalogue/reference/methodTable.ts";
import { openRpcDocument } from "../../../src/catalogue/reference/openRpc.ts";
import { plainSchema } from "../../../src/catalogue/reference/plainSchema.ts";
import { paramsSchemaOf } from "../../../src/catalogue/reference/reference.ts";
import type { SchemaNode } from "../../../src/catalogue/problems.ts";

/* The document against the table. The official meta-schema and a generator read it in the layer `openrpc`. */

interface Described {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: SchemaNode;
}

interface Document {
  readonly methods: readonly (Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly params: readonly Described[];
    readonly result: Pick<Described, "schema">;
  })[];
  readonly components: { readonly schemas: Readonly<Record<string, SchemaNode>> };
}

const table = methodTable();
const document = openRpcDocument({ version: "1", servers: [] }, table) as unknown as Document;

/** Returns a schema with its references replaced by what they point to. */
function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expanded);
  if (typeof value !== "object" || value === null) return value;
  const { $ref: reference } = value as SchemaNode;
  if (typeof reference === "string") {
    const { title, ...schema } = document.components.schemas[reference.replace("#/components/schemas/", "")] ?? {};
    assert.ok(reference.endsWith(`/${String(title)}`), reference);
    return expanded(schema);
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, expanded(each)]));
}

describe("the OpenRPC document", () => {
  test("it has every method with its facts", () => {
    assert.deepEqual(
      document.methods.map((each) => [each.name, each["x-scope"], each["x-effect"], each["x-webSocketOnly"]]),
      table.map(({ name, scope, effect, webSocketOnly }) => [name, scope, effect, webSocketOnly]),
    );
    assert.equal(document.methods.length, 192);
  });

  test("parameters are named and required as in the table, those that can be left out last", () => {
    for (const [index, { name, params }] of document.methods.entries()) {
      const expected = new Map(table[index]?.params.map((param) => [param.name, param.required]));
      assert.deepEqual(new Map(params.map((param) => [param.name, param.required])), expected, name);
      const firstOptional = params.findIndex(({ required }) => !required);
      assert.ok(firstOptional < 0 || params.slice(firstOptional).every(({ required }) => !required), name);
    }
  });

  test("its schemas are those of the table once its references are followed, and no component is unused", () => {
    for (const [index, { name, params, result }] of document.methods.entries()) {
      const { properties = {} } = plainSchema(paramsSchemaOf(name) ?? {});
      assert.deepEqual(
        Object.fromEntries(params.map((param) => [param.name, expanded(param.schema)])),
        properties,
        name,
      );
      assert.deepEqual(expanded(result.schema), table[index]?.result, name);
    }
    const text = JSON.stringify(document);
    const names = Object.keys(document.components.schemas);
    assert.ok(names.length > 20);
    for (const name of names) assert.ok(text.includes(`"#/components/schemas/${name}"`), name);
  });
});
