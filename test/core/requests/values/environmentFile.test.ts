import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { environmentFileSchema } from "../../../../src/catalogue/fileSchema.ts";
import {
  allowedBy,
  environmentFileUris,
  environmentVariables,
  readEnvironmentFile,
  type EnvironmentFile,
} from "../../../../src/requests/values/environmentFile.ts";
import { createLookup } from "../../../../src/requests/values/variables.ts";
import type { Environment } from "../../../../src/state/records.ts";
import { jsoncDocument } from "../jsonc.ts";
import { anyText } from "../../../anyText.ts";

function read(text: string, uri = "file:///w/rpc.env.json"): EnvironmentFile {
  return readEnvironmentFile(uri, text);
}

/** What is wrong with a file: the place in the text, and the words. */
function problems(text: string): string[] {
  return read(text).problems.map(
    ({ code, range, message }) => `${code} ${text.slice(range.start, range.end)}: ${message}`,
  );
}

/** The value that a variable has, and where it comes from. */
function valueOf(name: string, files: readonly EnvironmentFile[], environment: Environment): string {
  const lookup = createLookup({
    environmentVars: environmentVariables(files, environment),
    environment,
    clock: { now: () => 0 },
    uuid: () => "",
  });
  const found = lookup(name);
  return found?.source.kind === "environment"
    ? `${found.valueText} ${found.source.uri.replace("file:///w/", "")} ${found.source.section}`
    : "none";
}

describe("where they stand", () => {
  test("from the folder of the request file up to the root, personal before committed", () => {
    assert.deepEqual(environmentFileUris("file:///w/a/b/x.rpc.json", "file:///w/a"), [
      "file:///w/a/b/rpc.env.local.json",
      "file:///w/a/b/rpc.env.json",
      "file:///w/a/rpc.env.local.json",
      "file:///w/a/rpc.env.json",
    ]);
    assert.equal(environmentFileUris("file:///w/x.rpc.json", "file:///w/").length, 2);
    assert.deepEqual(environmentFileUris("C:\\w\\a\\x.rpc.json", "C:\\w"), [
      "C:\\w\\a\\rpc.env.local.json",
      "C:\\w\\a\\rpc.env.json",
      "C:\\w\\rpc.env.local.json",
      "C:\\w\\rpc.env.json",
    ]);
  });

  test("outside of the root, and beside a folder of a similar name, only beside the file", () => {
    for (const root of [undefined, "file:///other", "file:///w/a"])
      assert.deepEqual(environmentFileUris("file:///w/ab/x.rpc.json", root), [
        "file:///w/ab/rpc.env.local.json",
        "file:///w/ab/rpc.env.json",
      ]);
  });
});

describe("which value counts", () => {
  const files = [
    read(
      '{ "*": { "a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1 }, "test": { "b": 2, "f": 2 }, "prod": { "a": "other" } }',
      "file:///w/rpc.env.json",
    ),
    read('{ "*": { "c": 3, "f": 3 } }', "file:///w/rpc.env.local.json"),
    read('{ "*": { "d": 4 } }', "file:///w/sub/rpc.env.json"),
    read('{ "test": { "e": 0.10 } }', "file:///w/sub/rpc.env.local.json"),
  ];

  test("the nearest folder; in it the environment before all; in that the personal file; the digits stay", () => {
    const wanted = {
      a: "1 rpc.env.json *",
      b: "2 rpc.env.json test",
      c: "3 rpc.env.local.json *",
      d: "4 sub/rpc.env.json *",
      e: "0.10 sub/rpc.env.local.json test",
      f: "2 rpc.env.json test",
      g: "none",
    };
    for (const order of [files, [...files].reverse()])
      for (const [name, value] of Object.entries(wanted)) assert.equal(valueOf(name, order, "test"), value, name);
    assert.equal(valueOf("a", files, "production"), '"other" rpc.env.json prod');
    assert.equal(valueOf("f", files, "simulator"), "3 rpc.env.local.json *");
  });

  test("comments, trailing commas, every kind of value", () => {
    const file = read(
      '\uFEFF// c\n{ "$schema": "x", "*": { "n": -0.0, "t": "a{{n}}", "o": { "x": [1e400, /* c */ 2,], }, "no": null, "yes": true, }, }',
    );
    assert.deepEqual(file.problems, []);
    assert.deepEqual(
      ["n", "t", "o.x[0]", "o.x", "no", "yes"].map((name) => valueOf(name, [file], "test").split(" ")[0]),
      ["-0.0", '"a{{n}}"', "1e400", "[1e400,2]", "null", "true"],
    );
    const [name] = file.sections.get("*") ?? [];
    assert.equal(file.text.slice(name!.range.start, name!.range.end), '"n"');
  });
});

describe("what is wrong with one", () => {
  test("is said at its place", () => {
    assert.deepEqual(problems('{ "production": {}, "https://x/api/v2": {} }'), [
      'unknownMember "production": production is not a kind of connection. Use one of *, sim, test, prod, gateway. Addresses are set only in connections.',
      'unknownMember "https://x/api/v2": https:\\/\\/x/api/v2 is not a kind of connection. Use one of *, sim, test, prod, gateway. Addresses are set only in connections.',
    ]);
    assert.deepEqual(problems('{ "*": [] }'), ['runOptions []: Variables must be an object: { "name": value }.']);
    assert.match(problems('{ "*": { "a b": 1 } }').join("\n"), /^runOptions "a b": a b is not a valid name/);
    assert.deepEqual(problems('{ "*": { "a": 1, "a": 2 } }'), [
      'duplicateKey "a": Duplicate key a: only one of the values would be used. Remove or rename one of them.',
    ]);
    assert.deepEqual(problems('{ "$allow": "test" }'), [
      'filePin "test": $allow must be an array of sim, test, prod, gateway, for example ["sim", "test"].',
    ]);
    assert.match(problems('{ "$allow": ["staging"] }').join("\n"), /^filePin \["staging"\]/);
    assert.match(problems('{ "*": { "a": 1 }').join("\n"), /^syntax /);
    assert.match(problems("[]").join("\n"), /^fileKind \[\]: An environment file must be an object/);
    assert.deepEqual(problems(Buffer.from('\uFEFF{ "*": {} }', "utf16le").toString("utf8")), [
      "fileKind : The file is encoded in UTF-16. Save it as UTF-8.",
    ]);
    assert.match(problems("[".repeat(200_000)).join("\n"), /^tooDeep \[/);
    assert.match(problems(" ".repeat(2_000_000)).join("\n"), /^fileTooLarge/);
    assert.deepEqual([problems(""), problems(" \n")], [[], []]);
  });

  test("secrets by name, whatever other values look like, and the token of the session", () => {
    const token = "Zk3Qv9Xw2Lp7Rt5Yb8Nc4Mf6Hd1Gs0Ja";
    const text = `{ "*": { "client_secret": "short", "list": [{ "note": "${token}" }], "apiKey": "a1b2c3d4e5f6", "token": "USDC", "password": "{{$ask.password}}", "channel": "ticker.BTC-27DEC24-100000-C.100ms" } }`;
    const found = read(text).problems.map(({ code, range }) => `${code} ${text.slice(range.start, range.end)}`);
    assert.deepEqual(found, ['secretLiteral "short"', 'secretLiteral "a1b2c3d4e5f6"']);
    assert.match(problems('{ "*": { "t": "{{$session.refreshToken}}" } }').join("\n"), /^placeholder /);
  });

  test("reading never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          jsoncDocument,
          jsoncDocument.map((value) => `{"*":${value},"$allow":${value}}`),
        ),
        (text) => {
          const file = read(text);
          for (const { range } of file.problems) assert.ok(range.start <= range.end && range.end <= text.length + 1);
          environmentVariables([file], "test");
          allowedBy([file], "test");
        },
      ),
    );
  });
});

describe("where requests may be sent", () => {
  const all: readonly Environment[] = ["simulator", "test", "production"];
  const allowed = (...files: readonly EnvironmentFile[]): readonly Environment[] =>
    all.filter((each) => allowedBy(files, each) === undefined);

  test("files narrow it, together too; none widens it", () => {
    assert.deepEqual(allowed(), all);
    assert.deepEqual(allowed(read("{}")), all);
    assert.deepEqual(allowed(read('{ "$allow": ["sim", "test"] }')), ["simulator", "test"]);
    assert.deepEqual(
      allowed(
        read('{ "$allow": ["sim", "test"] }'),
        read('{ "$allow": ["test", "prod"] }', "file:///w/sub/rpc.env.json"),
      ),
      ["test"],
    );
    assert.deepEqual(allowed(read('{ "$allow": [] }')), []);
    assert.equal(
      allowedBy([read('{ "$allow": ["sim", "test"] }')], "production"),
      "rpc.env.json restricts with $allow where requests in its folder can be sent (sim, test). This connection is prod.",
    );
  });

  test("with a mistake in it nothing is sent anywhere: another value than the one that is meant could be", () => {
    assert.deepEqual(allowed(read('{ "$allow": ["sim", "test"')), []);
    assert.equal(
      allowedBy([read('{\n "production": {} }')], "test"),
      "rpc.env.json, line 2, column 2: production is not a kind of connection. Use one of *, sim, test, prod, gateway. Addresses are set only in connections.",
    );
  });
});

test("the schema for editors knows the same sections", () => {
  const { properties } = environmentFileSchema() as { readonly properties: Readonly<Record<string, unknown>> };
  for (const name of Object.keys(properties)) {
    const value = { $schema: '""', $allow: "[]" }[name] ?? "{}";
    assert.deepEqual(problems(`{ ${JSON.stringify(name)}: ${value} }`), []);
  }
  assert.deepEqual(Object.keys(properties), ["$schema", "$allow", "*", "sim", "test", "prod", "gateway"]);
});
