/* Build time only: what request files have beside plain JSON-RPC, as JSON Schema for editors. */

/** A schema, or a part of one, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A placeholder that is a whole value and takes the type of the value that it stands for. */
const placeholder: JsonSchema = {
  type: "string",
  pattern: "^\\{\\{[^{}]+\\}\\}$",
  patternErrorMessage: 'Either a value of the type that is described, or a placeholder as the whole text: "{{name}}".',
  doNotSuggest: true,
};

/** The shared parts, for `definitions`. */
export const FILE_DEFINITIONS: JsonSchema = { placeholder, expectation: expectationSchema() };

const placeholderRef = { $ref: "#/definitions/placeholder" };

/** Returns the schema of a parameter that may also be a placeholder. A free text needs no addition. */
export function orPlaceholder(schema: JsonSchema): JsonSchema {
  const isFreeText =
    schema["type"] === "string" &&
    schema["enum"] === undefined &&
    schema["pattern"] === undefined &&
    schema["maxLength"] === undefined;
  if (isFreeText) return schema;
  const { description, markdownDescription, ...rest } = schema;
  const words = {
    ...(description === undefined ? {} : { description }),
    ...(markdownDescription === undefined ? {} : { markdownDescription }),
  };
  return { ...words, anyOf: [rest, placeholderRef] };
}

const text = { type: "string" };
const wholeFrom0 = { type: "integer", minimum: 0 };

const variables = {
  type: "object",
  propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$" },
};

const environmentName = {
  enum: ["sim", "test", "prod"],
  enumDescriptions: ["The simulator.", "Test servers.", "Production."],
};

export const fileSchema: JsonSchema = {
  type: "object",
  description: "What holds for the whole file. Stands in the first request. Not sent.",
  defaultSnippets: [
    {
      label: "Where it may be sent, and variables",
      body: { env: ["sim", "test"], vars: { instrument: "BTC-PERPETUAL" } },
    },
  ],
  properties: {
    env: {
      type: "array",
      description:
        "Where this file may be sent; anywhere the connection allows when left out. A file can narrow that, never widen it.",
      items: environmentName,
    },
    vars: {
      ...variables,
      markdownDescription:
        'Variables of all requests of this file: `"{{name}}"` in a parameter. A whole text takes the type of the value.',
    },
  },
};

const TRANSPORTS: readonly (readonly [string, string])[] = [
  ["websocket", "Over the WebSocket of the connection."],
  ["http", "Over HTTP, in the form that suits it: POST for what carries a token or changes something."],
  ["http-get-query", "`GET` with the parameters in the query; no lists and no objects."],
  ["http-get-body", "`GET` with the JSON-RPC object as body."],
  ["http-post", "`POST` of the JSON-RPC object to the base address."],
];

const expectationRef = { $ref: "#/definitions/expectation" };

export const runSchema: JsonSchema = {
  type: "object",
  description: "What holds for this request alone. Not sent.",
  additionalProperties: false,
  defaultSnippets: [
    { label: "Name", description: "Others take from its response", body: { name: "$1" } },
    { label: "Name and expectation", body: { name: "$1", expect: { ok: true } } },
    {
      label: "Poll until",
      description: "Read again until something holds",
      body: { until: { result: { $2: "$3" } }, everyMs: 1000, maxTries: 30 },
    },
  ],
  properties: {
    name: {
      type: "string",
      pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
      markdownDescription:
        "Others take from its response: `{{name.result.field}}`, `{{name.result[0].order_id}}`, `{{name.result[label=mm-1].order_id}}`, `{{name.error.code}}`.",
    },
    vars: { ...variables, description: "Variables of this request; before those of the file." },
    note: { ...text, description: "Shown in the question before it is sent." },
    tags: { anyOf: [text, { type: "array", items: text }], description: "For choosing what is run in the terminal." },
    skip: { type: "boolean", description: "It is passed over when several are run." },
    after: {
      anyOf: [text, { type: "array", items: text }],
      description: "Names of requests that have to run before it.",
    },
    delayMs: { ...wholeFrom0, maximum: 600_000, description: "Waited before it is sent, ms." },
    retries: {
      ...wholeFrom0,
      maximum: 10,
      description: "Reads only: how often it is sent again after a failure that passes.",
    },
    until: {
      anyOf: [expectationRef, { const: true }],
      markdownDescription: "Reads only: it is sent again until this holds; `true` for what `expect` says.",
    },
    everyMs: {
      ...wholeFrom0,
      maximum: 600_000,
      description: "Pause between two tries of until, ms; 1000 when left out.",
    },
    maxTries: { ...wholeFrom0, maximum: 1000, description: "Tries of until; 30 when left out." },
    continueOnFailure: { type: "boolean", description: "Those after it are run although it fails." },
    staleMs: {
      ...wholeFrom0,
      maximum: 600_000,
      description: "How old a named response may be without a hint, ms; 60000 when left out.",
    },
    raw: { type: "boolean", description: "Its parameters are sent as they stand: nothing is filled in." },
    expect: expectationRef,
    transport: {
      description: "How this request travels; over the connection's own link when left out.",
      enum: TRANSPORTS.map(([name]) => name),
      markdownEnumDescriptions: TRANSPORTS.map(([, words]) => words),
    },
  },
};

function expectationSchema(): JsonSchema {
  return {
    type: "object",
    markdownDescription:
      "What the response has to be. In `result` a value stands for itself, an object for a part, and an object with one of these for a comparison: `$gt`, `$gte`, `$lt`, `$lte`, `$len`, `$type`, `$match`, `$in`, `$absent`, `$not`.",
    additionalProperties: false,
    defaultSnippets: [
      { label: "A good response", body: { ok: true } },
      { label: "An error", body: { error: { code: "^${1:10004}" } } },
      { label: "A part of the result", body: { result: { $1: "$2" } } },
    ],
    properties: {
      ok: { type: "boolean", description: "Whether it is a good response." },
      error: {
        type: "object",
        additionalProperties: false,
        properties: {
          code: { type: "integer" },
          "message~": { ...text, description: "A pattern that the message has to match." },
        },
      },
      result: { description: "What the result has to be, or to contain." },
      schema: {
        type: "boolean",
        description:
          "Whether it is compared with the shape that is known of the method's result; differences only warn.",
      },
      maxMs: { ...wholeFrom0, description: "Longest time from the call to the response, ms." },
    },
  };
}

/** Returns the schema of `rpc.env.json` and `rpc.env.local.json`: variables by kind of connection. */
export function environmentFileSchema(): JsonSchema {
  const section = (description: string): JsonSchema => ({
    ...variables,
    description,
    defaultSnippets: [{ label: "Variable", body: { "${1:name}": "$2" } }],
  });
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "trading-rpc://schemas/rpc.env.schema.json",
    title: "Variables of request files",
    description:
      "Variables of the request files in this folder and below, by kind of connection. No addresses and no secrets.",
    type: "object",
    allowTrailingCommas: true,
    additionalProperties: false,
    defaultSnippets: [{ label: "Variables", body: { "*": { "${1:instrument}": "${2:BTC-PERPETUAL}" }, test: {} } }],
    properties: {
      $schema: { ...text, doNotSuggest: true },
      $allow: {
        type: "array",
        description:
          "Where the request files of this folder and below may be sent; anywhere the connection allows when left out. It can narrow that, never widen it.",
        items: environmentName,
      },
      "*": section("On every connection. What the section of its kind says comes first."),
      sim: section("On the simulator."),
      test: section("On test servers."),
      prod: section("On production."),
    },
  };
}
