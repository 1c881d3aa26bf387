/* Build time only: what request files have beside plain JSON-RPC, as JSON Schema for editors. */

/** A schema, or a part of one, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A placeholder that is a whole value and takes the type of the value that it stands for. */
const placeholder: JsonSchema = {
  type: "string",
  pattern: "^\\{\\{[^{}]+\\}\\}$",
  patternErrorMessage: 'Expected a value of the described type, or a placeholder as the whole string: "{{name}}".',
  doNotSuggest: true,
};

const text = { type: "string" };
const wholeFrom0 = { type: "integer", minimum: 0 };

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

const variables = {
  type: "object",
  propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$" },
};

const environmentName = {
  enum: ["sim", "test", "prod", "gateway"],
  enumDescriptions: ["The simulator.", "Testnet.", "Production.", "Coinbase (Deribit gateway)."],
};

export const fileSchema: JsonSchema = {
  type: "object",
  description: "Options for the whole file. Allowed only in the first request. Not sent.",
  defaultSnippets: [
    {
      label: "Environments and variables",
      body: { env: ["sim", "test"], vars: { instrument: "BTC-PERPETUAL" } },
    },
  ],
  properties: {
    env: {
      type: "array",
      description:
        "Environments this file can be sent to (default: all that the connection allows). A file can restrict them but not add any.",
      items: environmentName,
    },
    vars: {
      ...variables,
      markdownDescription:
        'Variables for all requests in this file. Use `"{{name}}"` in a parameter. If the placeholder is the whole string, the value keeps its type.',
    },
  },
};

const TRANSPORTS: readonly (readonly [string, string])[] = [
  ["websocket", "Send over the WebSocket of the connection."],
  ["http", "Send over HTTP. Write requests and requests that carry a token use `POST`."],
  ["http-get-query", "Send a `GET` with the parameters in the query. Arrays and objects aren't supported."],
  ["http-get-body", "Send a `GET` with the JSON-RPC object as the body."],
  ["http-post", "Send a `POST` with the JSON-RPC object to the base address."],
];

const expectationRef = { $ref: "#/definitions/expectation" };

export const runSchema: JsonSchema = {
  type: "object",
  description: "Options for this request only. Not sent.",
  additionalProperties: false,
  defaultSnippets: [
    { label: "Name", description: "Lets other requests use its response", body: { name: "$1" } },
    { label: "Name and expectation", body: { name: "$1", expect: { ok: true } } },
    {
      label: "Poll until",
      description: "Repeat a read until a condition is met",
      body: { until: { result: { $2: "$3" } }, everyMs: 1000, maxTries: 30 },
    },
  ],
  properties: {
    name: {
      type: "string",
      pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
      markdownDescription:
        "Name by which other requests use the response: `{{name.result.field}}`, `{{name.result[0].order_id}}`, `{{name.result[label=mm-1].order_id}}`, `{{name.error.code}}`.",
    },
    vars: {
      ...variables,
      description: "Variables for this request. They take precedence over the variables of the file.",
    },
    note: { ...text, description: "Shown in the confirmation before the request is sent." },
    tags: {
      anyOf: [text, { type: "array", items: text }],
      description: "Tags for selecting requests to run in the terminal.",
    },
    skip: { type: "boolean", description: "Whether to skip this request when several are run." },
    after: {
      anyOf: [text, { type: "array", items: text }],
      description: "Names of requests that must run before this one.",
    },
    delayMs: { ...wholeFrom0, maximum: 600_000, description: "Delay before the request is sent, in ms." },
    retries: {
      ...wholeFrom0,
      maximum: 10,
      description: "Read requests only: maximum number of retries after a temporary failure.",
    },
    until: {
      anyOf: [expectationRef, { const: true }],
      markdownDescription: "Read requests only: resend until this expectation is met. `true` uses `expect`.",
    },
    everyMs: {
      ...wholeFrom0,
      maximum: 600_000,
      description: "Pause between two attempts of until, in ms (default: 1000).",
    },
    maxTries: { ...wholeFrom0, maximum: 1000, description: "Maximum number of attempts of until (default: 30)." },
    continueOnFailure: {
      type: "boolean",
      description: "Whether to run the following requests even if this one fails.",
    },
    staleMs: {
      ...wholeFrom0,
      maximum: 600_000,
      description: "Age at which using a named response shows a hint, in ms (default: 60000).",
    },
    raw: {
      type: "boolean",
      description: "Whether to send the parameters as written, without filling in placeholders.",
    },
    expect: expectationRef,
    transport: {
      description: "How to send this request (default: over the open connection).",
      enum: TRANSPORTS.map(([name]) => name),
      markdownEnumDescriptions: TRANSPORTS.map(([, words]) => words),
    },
  },
};

function expectationSchema(): JsonSchema {
  return {
    type: "object",
    markdownDescription:
      "Assertions on the response. In `result`, values must be equal and objects match partially. An object with one of these keys is a comparison: `$gt`, `$gte`, `$lt`, `$lte`, `$len`, `$type`, `$match`, `$in`, `$absent`, `$not`.",
    additionalProperties: false,
    defaultSnippets: [
      { label: "Successful response", body: { ok: true } },
      { label: "Error", body: { error: { code: "^${1:10004}" } } },
      { label: "Part of the result", body: { result: { $1: "$2" } } },
    ],
    properties: {
      ok: { type: "boolean", description: "Whether the response is expected to be successful." },
      error: {
        type: "object",
        additionalProperties: false,
        properties: {
          code: { type: "integer" },
          "message~": { ...text, description: "Regular expression that the message must match." },
        },
      },
      result: { description: "Expected result, or the part of it to compare." },
      schema: {
        type: "boolean",
        description: "Whether to compare the result with the method's schema. Differences are only warnings.",
      },
      maxMs: { ...wholeFrom0, description: "Maximum time from the request to the response, in ms." },
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
    title: "Variables for request files",
    description:
      "Variables for request files in this folder and its subfolders, by environment. Addresses and secrets aren't allowed.",
    type: "object",
    allowTrailingCommas: true,
    additionalProperties: false,
    defaultSnippets: [{ label: "Variables", body: { "*": { "${1:instrument}": "${2:BTC-PERPETUAL}" }, test: {} } }],
    properties: {
      $schema: { ...text, doNotSuggest: true },
      $allow: {
        type: "array",
        description:
          "Environments that request files in this folder and its subfolders can be sent to (default: all that the connection allows). A folder can restrict them but not add any.",
        items: environmentName,
      },
      "*": section("For every connection. The section of the connection's environment takes precedence."),
      sim: section("For the simulator."),
      test: section("For testnet."),
      prod: section("For production."),
      gateway: section("For Coinbase (Deribit gateway)."),
    },
  };
}
