import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethods, effectOf } from "../../../../src/catalogue/index.ts";
import type { SchemaNode } from "../../../../src/catalogue/problems.ts";
import { methodTable, type MethodEntry, type ParamEntry } from "../../../../src/catalogue/reference/methodTable.ts";
import { checkFile } from "../../../../src/requests/checking/check.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";

/*
 * The check of request files, as VS Code and the terminal show it, over all methods of the exchange. A check that
 * accepts everything fails here, and so does one that accepts nothing.
 */

const table = methodTable();

type Params = Readonly<Record<string, unknown>>;

/** What stands in a file in the place of a secret. */
const SECRETS: Params = {
  refresh_token: "{{$ask.token}}",
  signature: "{{$ask.signature}}",
  counterparty_signature: "{{$ask.signature}}",
};

/** Returns a value that a schema accepts. */
function sample(schema: SchemaNode | ParamEntry): unknown {
  const { type, enum: values, examples, minimum, items, properties, anyOf } = schema as SchemaNode;
  const known = values ?? examples;
  if (Array.isArray(known)) return known[0];
  if (type === "array") return [sample((items ?? {}) as SchemaNode)];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return minimum ?? 1;
  if (type === "object") {
    const needed = ((schema as SchemaNode)["required"] ?? []) as readonly string[];
    const members = (properties ?? {}) as Readonly<Record<string, SchemaNode>>;
    return Object.fromEntries(needed.map((name) => [name, sample(members[name] ?? {})]));
  }
  const [first] = (anyOf ?? []) as readonly SchemaNode[];
  return first === undefined ? "a" : sample(first);
}

/** Returns the parameters that a call needs, with values that are accepted. */
function minimalParams({ params, rules = [] }: MethodEntry): Params {
  const needed = new Set(params.filter(({ required }) => required).map(({ name }) => name));
  for (const rule of rules) if (rule.kind === "oneOf") needed.add(rule.params[0] ?? "");
  return Object.fromEntries(
    params.filter(({ name }) => needed.has(name)).map((param) => [param.name, SECRETS[param.name] ?? sample(param)]),
  );
}

/** Returns the codes of the problems of a request, other than that its method is never sent from a file. */
function codesOf({ name }: MethodEntry, params: Params): readonly string[] {
  const file = scanRequests(JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params }));
  return checkFile(file)
    .map(({ code }) => code)
    .filter((code) => code !== "sessionMethod");
}

/** Returns the sentences about the parameters of a request. */
function sentencesOf({ name }: MethodEntry, params: Params): readonly string[] {
  return checkFile(scanRequests(JSON.stringify({ method: name, params })))
    .filter(({ code }) => code === "params")
    .map(({ message }) => message);
}

function without(params: Params, name: string): Params {
  return Object.fromEntries(Object.entries(params).filter(([each]) => each !== name));
}

/** Returns a value that no schema of this type accepts. */
function ofAnotherType({ type }: ParamEntry): unknown {
  return type.split("|").some((each) => each === "string") ? false : "a";
}

describe("the check of a request, for each method", () => {
  test("a minimal request has no problem", () => {
    const found = table.flatMap((entry) => {
      const codes = codesOf(entry, minimalParams(entry));
      return codes.length === 0 ? [] : [`${entry.name}: ${codes.join()}`];
    });
    assert.deepEqual(found, []);
    assert.equal(table.length, allMethods().length);
  });

  test("what is about the session is never sent from a file, and everything else is known", () => {
    const refused = table.filter(({ name }) =>
      checkFile(scanRequests(JSON.stringify({ method: name, params: {} }))).some(
        ({ code }) => code === "sessionMethod",
      ),
    );
    for (const { name } of refused) assert.equal(effectOf(name), "session", name);
    assert.ok(refused.some(({ name }) => name === "private/logout"));
    for (const entry of table) assert.ok(!codesOf(entry, {}).includes("unknownMethod"), entry.name);
  });

  test("each required parameter is missed when it is dropped", () => {
    let methods = 0;
    for (const entry of table) {
      const params = minimalParams(entry);
      if (Object.keys(params).length > 0) methods += 1;
      for (const name of Object.keys(params)) {
        const sentences = sentencesOf(entry, without(params, name));
        assert.ok(
          sentences.some((sentence) => sentence.includes(name)),
          `${entry.name} without ${name}: ${sentences.join(" ")}`,
        );
      }
    }
    assert.ok(methods >= NEEDING_PARAMS);
  });

  test("a parameter under another name is noticed, and one of another type", () => {
    let methods = 0;
    for (const entry of table) {
      if (entry.params.length > 0) methods += 1;
      const params = minimalParams(entry);
      for (const param of entry.params) {
        const renamed = { ...without(params, param.name), [`${param.name}s`]: sample(param) };
        assert.ok(
          sentencesOf(entry, renamed).some((each) => each.startsWith(`${param.name}s is not a parameter`)),
          `${entry.name} ${param.name}s`,
        );
        const mistyped = sentencesOf(entry, { ...params, [param.name]: ofAnotherType(param) });
        assert.ok(
          mistyped.some((each) => each.startsWith(`${param.name}: expected `)),
          `${entry.name} ${param.name}: ${mistyped.join(" ")}`,
        );
      }
    }
    assert.ok(methods >= WITH_PARAMS);
  });

  test("an invented parameter is noticed where there is none", () => {
    const bare = table.filter(({ params }) => params.length === 0);
    assert.ok(bare.length >= 20);
    for (const entry of bare)
      assert.deepEqual(sentencesOf(entry, { invented: 1 }), ["invented is not a parameter of this method"], entry.name);
  });
});

const NEEDING_PARAMS = 141;
/** The documentation has one less: list_api_keys takes the answer to a 2FA challenge too. */
const WITH_PARAMS = 171;
