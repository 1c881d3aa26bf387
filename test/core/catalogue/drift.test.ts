import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { Service } from "../../../src/catalogue/index.ts";
import { catalogueApi, type ApiParam } from "../../drift/api.ts";
import { differences } from "../../drift/differences.ts";

/* `npm run drift`: each planted difference is found, and none is invented. */

type Json = Record<string, unknown>;

/** A parameter of a document in the query. */
interface QueryParam extends Json {
  readonly name: string;
  required: boolean;
  schema: Json;
}

interface OpenApi extends Json {
  readonly paths: Record<string, { get: { parameters: QueryParam[] } }>;
  "x-errors": { code: number; message: string }[];
}

/** Returns a document with each method as a path, and its parameters in the query, as the exchange writes them. */
function queryDocument(service: Service): OpenApi {
  const { methods, errors } = catalogueApi(service);
  const shared = { envelope: { name: "jsonrpc", in: "query", required: true, schema: { type: "string" } } };
  return {
    openapi: "3.0.0",
    paths: Object.fromEntries(
      [...methods].map(([name, params]) => [
        `/${name}`,
        {
          get: {
            parameters: [{ $ref: "#/components/parameters/envelope" }, ...params.map(queryParam)] as QueryParam[],
          },
        },
      ]),
    ),
    components: { parameters: shared },
    "x-errors": errors.map((code) => ({ code, message: "words" })),
  };
}

function queryParam({ name, required, schema }: ApiParam): Json {
  return { name, in: "query", required, schema: structuredClone(schema) };
}

/** Returns a document with JSON-RPC requests as bodies, whose parameters are in a part of their own. */
function bodyDocument(service: Service): Json {
  const { methods } = catalogueApi(service);
  const schemas = Object.fromEntries(
    [...methods].map(([name, params]) => [
      name.replaceAll("/", "_"),
      {
        type: "object",
        required: params.filter(({ required }) => required).map((each) => each.name),
        properties: Object.fromEntries(params.map((each) => [each.name, anyOfTypes(each.schema)])),
      },
    ]),
  );
  const bodyOf = (name: string): Json => ({
    type: "object",
    properties: {
      ...{ jsonrpc: { const: "2.0" }, id: { type: "integer" }, method: { const: name } },
      params: { $ref: `#/components/schemas/${name.replaceAll("/", "_")}` },
    },
  });
  return {
    openapi: "3.1.0",
    paths: Object.fromEntries(
      [...methods.keys()].map((name) => [
        `/api/v2/${name}`,
        { post: { requestBody: { content: { "application/json": { schema: bodyOf(name) } } } } },
      ]),
    ),
    components: { schemas },
  };
}

/** Returns a schema that says its types in another way. */
function anyOfTypes({ type, ...rest }: Json): Json {
  return Array.isArray(type) && type.length > 1
    ? { ...rest, oneOf: type.map((each: unknown) => ({ type: each })) }
    : { ...rest, type };
}

function asyncDocument(service: Service): { asyncapi: string; channels: Record<string, Json> } {
  return {
    asyncapi: "3.0.0",
    channels: Object.fromEntries(
      catalogueApi(service).channels.map((address, index) => [
        `channel${String(index)}`,
        { address: address.replace("{interval}", "{time}") },
      ]),
    ),
  };
}

const SERVICES = ["native", "gateway"] as const;

describe("a document that says what the catalogue says", () => {
  for (const service of SERVICES)
    test(`has no differences: ${service}`, () => {
      assert.deepEqual(differences(JSON.stringify(queryDocument(service)), service), []);
      assert.deepEqual(differences(JSON.stringify(bodyDocument(service)), service), []);
      assert.deepEqual(differences(JSON.stringify(asyncDocument(service)), service), []);
    });

  test("of the other kind of server has many", () => {
    const found = differences(JSON.stringify(queryDocument("gateway")), "native");
    assert.equal(
      found.filter((line) => line.endsWith(": missing in the document") && line.startsWith("method ")).length,
      88,
    );
    assert.equal(found.filter((line) => line.endsWith(": known, but not as offered here")).length, 7);
    assert.ok(found.includes("param private/buy isolated: new"));
  });
});

/** Returns the parameter of a method in a document. */
function paramOf({ paths }: OpenApi, method: string, name: string): QueryParam {
  const found = paths[`/${method}`]?.get.parameters.find((each) => each.name === name);
  assert.ok(found, `${method} ${name}`);
  return found;
}

const PLANTED: readonly (readonly [line: string, plant: (document: OpenApi) => void])[] = [
  [
    "method private/buy: missing in the document",
    ({ paths }) => {
      delete paths["/private/buy"];
    },
  ],
  [
    "method private/brand_new: new",
    ({ paths }) => {
      paths["/private/brand_new"] = { get: { parameters: [] } };
    },
  ],
  [
    "param private/sell isolated: missing in the document",
    ({ paths }) => {
      const operation = paths["/private/sell"]?.get;
      assert.ok(operation);
      operation.parameters = operation.parameters.filter(({ name }) => name !== "isolated");
    },
  ],
  [
    "param private/edit patience: new",
    ({ paths }) => {
      paths["/private/edit"]?.get.parameters.push({
        name: "patience",
        in: "query",
        required: false,
        schema: { type: "integer" },
      });
    },
  ],
  [
    "param private/cancel order_id: optional in the document",
    (document) => {
      paramOf(document, "private/cancel", "order_id").required = false;
    },
  ],
  [
    "param private/close_position price: string in the document, number in the catalogue",
    (document) => {
      paramOf(document, "private/close_position", "price").schema["type"] = "string";
    },
  ],
  [
    "param public/get_instruments kind: new value moon",
    (document) => {
      const { schema } = paramOf(document, "public/get_instruments", "kind");
      schema["enum"] = [...(schema["enum"] as unknown[]), "moon"];
    },
  ],
  [
    "param public/get_order_book depth: value 5 missing in the document",
    (document) => {
      const { schema } = paramOf(document, "public/get_order_book", "depth");
      schema["enum"] = (schema["enum"] as unknown[]).filter((each) => each !== 5);
    },
  ],
  [
    "error 99999: new",
    (document) => {
      document["x-errors"].push({ code: 99_999, message: "moon" });
    },
  ],
  [
    "error 14033: missing in the document",
    (document) => {
      document["x-errors"] = document["x-errors"].filter(({ code }) => code !== 14_033);
    },
  ],
];

describe("a planted difference is found, and nothing else", () => {
  for (const [line, plant] of PLANTED)
    test(line, () => {
      const document = queryDocument("gateway");
      plant(document);
      assert.deepEqual(differences(JSON.stringify(document), "gateway"), [line]);
    });

  test("all of them at once", () => {
    const document = queryDocument("gateway");
    for (const [, plant] of PLANTED) plant(document);
    assert.deepEqual(
      differences(JSON.stringify(document), "gateway").toSorted(),
      PLANTED.map(([line]) => line).toSorted(),
    );
  });

  test("channels", () => {
    const document = asyncDocument("gateway");
    const [first] = Object.keys(document.channels);
    assert.ok(first !== undefined);
    const gone = String(document.channels[first]?.["address"]).replaceAll(/\{[^}]*\}/g, "{}");
    const { [first]: _, ...others } = document.channels;
    document.channels = { ...others, moon: { address: "moon.{phase}" } };
    assert.deepEqual(differences(JSON.stringify(document), "gateway"), [
      `channel ${gone}: missing in the document`,
      "channel moon.{}: new",
    ]);
  });

  test("in a recording, where what was not recorded says nothing", () => {
    const lines = [
      { tradingRpcRecording: 1, environment: "gateway", startedAtMs: 1_700_000_000_000 },
      { ms: 1, call: 1, method: "private/cancel", params: { order_id: "1", isolated: true, moon: 1 } },
      { ms: 2, response: 1, error: { code: 99_999, message: "moon" } },
      { ms: 3, call: 2, method: "private/get_mmp_config", params: {} },
      { ms: 4, response: 2, error: { code: -32_601, message: "method not in allowlist" } },
      { ms: 5, call: 3, method: "private/brand_new", params: {} },
      { ms: 6, call: 4, method: "public/get_time", params: {} },
      { ms: 7, response: 4, result: 1 },
      { ms: 8, event: "user.orders.any.any.raw", data: {} },
      { ms: 9, event: "moon.full", data: {} },
    ];
    assert.deepEqual(differences(lines.map((line) => JSON.stringify(line)).join("\n"), "gateway"), [
      "channel moon.full: new",
      "error 99999: new",
      "method private/brand_new: new",
      "method private/get_mmp_config: known, but not as offered here",
      "param private/cancel moon: new",
    ]);
  });
});

describe("the command", () => {
  let folder = "";
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "drift-test-"));
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const drift = (text: string, ...words: readonly string[]): readonly [code: number | null, out: string] => {
    const file = path.join(folder, "document.json");
    fs.writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["test/drift/run.mjs", file, ...words], {
      encoding: "utf8",
    });
    return [status, (stdout + stderr).replaceAll(file, "FILE")];
  };

  test("prints each difference, and its exit code says whether there are any", () => {
    const document = queryDocument("gateway");
    assert.deepEqual(drift(JSON.stringify(document), "--env", "gateway"), [
      0,
      "0 differences from the catalogue (gateway)\n",
    ]);
    delete document.paths["/private/buy"];
    assert.deepEqual(drift(JSON.stringify(document), "--env", "gateway"), [
      1,
      "method private/buy: missing in the document\n1 differences from the catalogue (gateway)\n",
    ]);
    assert.deepEqual(drift("openapi: 3.0.0"), [
      2,
      "FILE: This is no JSON. Convert a document in YAML to JSON first.\n",
    ]);
    assert.equal(drift("{}", "--env", "moon")[0], 2);
  });
});
