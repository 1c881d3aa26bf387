// @ts-check
/**
 * The OpenRPC document that `trading-rpc methods --openrpc` writes, as others read it: the official meta-schema, and a
 * generator that makes types for a client of it. Once these are installed, nothing here needs a network.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { installLocked } from "../host/npm.mjs";
import { removeDir, root, run, tempDir } from "../host/process.mjs";

/** @typedef {Record<string, any>} Json */

const place = await installLocked(path.dirname(fileURLToPath(import.meta.url)), "the meta-schema and a generator");
/** @type {(name: string) => any} */
const load = createRequire(path.join(place, "package.json"));

/** The schema of schemas that the meta-schema refers to, with and without the slash at the end. */
const SCHEMA_OF_SCHEMAS = "https://meta.json-schema.tools";

/** Returns a function that returns the errors of a document. @returns {(document: Json) => string[]} */
function metaSchemaCheck() {
  const Ajv = load("ajv");
  const ajv = new Ajv({ allErrors: true, unknownFormats: "ignore" });
  // Both call themselves by a schema of schemas that is draft-07 with titles; the validator has draft-07 built in.
  const { $schema: _own, ...schemas } = load("@json-schema-tools/meta-schema").default;
  const { $schema: _same, ...metaSchema } = load("@open-rpc/meta-schema").default;
  ajv.addSchema(schemas);
  ajv.addSchema({ $ref: `${SCHEMA_OF_SCHEMAS}/` }, SCHEMA_OF_SCHEMAS);
  const isValid = ajv.compile(metaSchema);
  return (document) =>
    isValid(document)
      ? []
      : isValid.errors.map((/** @type {Json} */ { dataPath, message }) => `${dataPath} ${message}`);
}

/** @param {unknown} value @returns {boolean} whether there is a reference in it */
const hasReference = (value) =>
  typeof value === "object" && value !== null && ("$ref" in value || Object.values(value).some(hasReference));

/** A client of the generated types, with calls that must not compile. */
const CLIENT = `
import type { PrivateBuy, PrivateEditByLabel, PublicGetTime, PublicTicker } from "./api";
declare const buy: PrivateBuy;
declare const edit: PrivateEditByLabel;
declare const time: PublicGetTime;
declare const ticker: PublicTicker;
export const orderId: Promise<string | undefined> = buy("BTC-PERPETUAL", 10).then(({ order }) => order?.order_id);
export const bestBid: Promise<number | undefined> = ticker("BTC-PERPETUAL").then((found) => found.best_bid_price);
export const now: Promise<number> = time();
void edit("BTC-PERPETUAL", "my label");
// @ts-expect-error The instrument is required.
void buy();
// @ts-expect-error It is a string.
void buy(1);
// @ts-expect-error The time has no parameters.
void time(1);
`;

describe("the OpenRPC document", () => {
  /** @type {Json} */
  let document;
  /** @type {string} */
  let folder;
  /** @returns {Json} */
  const copy = () => structuredClone(document);

  beforeAll(async () => {
    folder = tempDir("rpc-openrpc");
    const { code, output, stdout } = await run(process.execPath, [
      path.join(root, "dist", "cli.js"),
      ...["methods", "--openrpc"],
    ]);
    assert.equal(code, 0, output);
    document = JSON.parse(stdout);
  });
  afterAll(() => removeDir(folder));

  test("it passes the official meta-schema, which notices what is wrong with one", () => {
    const errorsOf = metaSchemaCheck();
    assert.deepEqual(errorsOf(document), []);
    /** @type {readonly ((planted: Json) => void)[]} */
    const bugs = [
      (planted) => delete planted["methods"][0].params[0].name,
      (planted) => delete planted["methods"][1].result.schema,
      (planted) => (planted["methods"][2].paramStructure = "by-color"),
      (planted) => (planted["methods"][0].params[0].schema = { type: "strin" }),
      (planted) => (planted["methods"][0].effect = "read"),
      (planted) => (Object.values(planted["components"].schemas)[0].properties = []),
      (planted) => delete planted["info"].version,
    ];
    for (const bug of bugs) {
      const planted = copy();
      bug(planted);
      assert.notDeepEqual(errorsOf(planted), [], String(bug));
    }
  });

  test("a reader follows all of its references", async () => {
    const { parseOpenRPCDocument, validateOpenRPCDocument } = load("@open-rpc/schema-utils-js");
    assert.equal(validateOpenRPCDocument(copy()), true);
    assert.ok(hasReference(document["methods"]));
    const { methods } = await parseOpenRPCDocument(copy());
    assert.equal(methods.length, 185);
    assert.ok(!hasReference(methods));
  });

  test("a generator makes types of it that compile, and that refuse wrong calls", async () => {
    const { parseOpenRPCDocument } = load("@open-rpc/schema-utils-js");
    const { default: MethodTypings } = load("@open-rpc/typings");
    const types = new MethodTypings(await parseOpenRPCDocument(copy())).toString("typescript");
    assert.equal(types.match(/^export type P(?:ublic|rivate)\w+ = \(/gm)?.length, 185);
    fs.writeFileSync(path.join(folder, "api.ts"), types);
    const client = path.join(folder, "client.ts");
    fs.writeFileSync(client, CLIENT);
    const program = ts.createProgram([client], {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
    });
    const errors = ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, start, messageText }) =>
          `${file?.fileName} ${start} ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
      );
    assert.deepEqual(errors, []);
  });
});
