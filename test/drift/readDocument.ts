import { bareMethod } from "../../src/catalogue/index.ts";
import type { Api, ApiParam } from "./api.ts";
import { isNode, propertiesOf, resolverOf, type SchemaNode } from "./schemas.ts";

/*
 * OpenAPI and AsyncAPI documents as JSON. The methods of the exchange are paths there, with their parameters in the
 * query, or in a body that may be a JSON-RPC request.
 */

/** Returns what a document says. Throws `Error` for another kind of text. */
export function readDocument(text: string): Api {
  const document: unknown = parsed(text);
  if (!isNode(document)) throw new Error("This is no JSON object.");
  const resolve = resolverOf(document);
  if (typeof document["openapi"] === "string" || typeof document["swagger"] === "string")
    return openApi(document, resolve);
  if (typeof document["asyncapi"] === "string") return asyncApi(document, resolve);
  throw new Error("This is neither an OpenAPI nor an AsyncAPI document: it has neither openapi nor asyncapi.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error("This is no JSON. Convert a document in YAML to JSON first.");
  }
}

type Resolve = (node: unknown) => unknown;

function openApi(document: SchemaNode, resolve: Resolve): Api {
  const paths = isNode(document["paths"]) ? document["paths"] : {};
  const methods = new Map<string, readonly ApiParam[]>();
  for (const [path, item] of Object.entries(paths)) {
    const name = bareMethod(path);
    if (/^(?:public|private)\//.test(name)) methods.set(name, operationParams(resolve(item)));
  }
  return { methods, ...errorsIn(document, resolve) };
}

const VERBS = ["get", "post"];
/** The members of a JSON-RPC request beside its parameters, but `id`: some methods have a parameter of that name. */
const ENVELOPE = ["jsonrpc", "method"];

function operationParams(item: unknown): readonly ApiParam[] {
  if (!isNode(item)) return [];
  const operations = VERBS.flatMap((verb) => (isNode(item[verb]) ? [item[verb]] : []));
  const found = new Map<string, ApiParam>();
  for (const each of [item, ...operations])
    for (const param of [...queryParams(each), ...bodyParams(each)]) found.set(param.name, param);
  return [...found.values()];
}

function queryParams({ parameters }: SchemaNode): readonly ApiParam[] {
  const all = Array.isArray(parameters) ? (parameters as unknown[]).filter(isNode) : [];
  return all
    .filter(({ in: place, name }) => (place === "query" || place === "body") && !ENVELOPE.includes(String(name)))
    .map(({ name, required, schema, ...own }) => ({
      name: String(name),
      required: required === true,
      schema: isNode(schema) ? schema : own,
    }));
}

function bodyParams({ requestBody }: SchemaNode): readonly ApiParam[] {
  const content = isNode(requestBody) && isNode(requestBody["content"]) ? requestBody["content"] : {};
  const body = Object.values(content).find(isNode)?.["schema"];
  if (!isNode(body)) return [];
  const members = propertiesOf(body) ?? {};
  const schema = members["method"] === undefined ? body : (members["params"] ?? {});
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  return Object.entries(propertiesOf(schema) ?? {})
    .filter(([name]) => !ENVELOPE.includes(name))
    .map(([name, each]) => ({ name, required: required.includes(name), schema: each }));
}

function asyncApi(document: SchemaNode, resolve: Resolve): Api {
  const channels = isNode(document["channels"]) ? document["channels"] : {};
  const names = Object.entries(channels).map(([name, channel]) => {
    const resolved = resolve(channel);
    return isNode(resolved) && typeof resolved["address"] === "string" ? resolved["address"] : name;
  });
  return { channels: [...new Set(names)], ...errorsIn(document, resolve) };
}

/** Returns the codes of errors anywhere in a document; nothing where there are none. `x-errors` at its top lists all. */
function errorsIn(document: SchemaNode, resolve: Resolve): Pick<Api, "errors" | "hasAllErrors"> {
  const codes = new Set<number>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isNode(node)) return;
    for (const [name, value] of Object.entries(node)) {
      if (name === "error" || name === "x-errors") codesOf(resolve(value)).forEach((code) => codes.add(code));
      visit(value);
    }
  };
  visit(document);
  return codes.size === 0 ? {} : { errors: [...codes], hasAllErrors: document["x-errors"] !== undefined };
}

/** Returns the codes of an error, of a list of errors, or of the schema of one. */
function codesOf(value: unknown): readonly number[] {
  if (Array.isArray(value)) return value.flatMap(codesOf);
  if (!isNode(value)) return [];
  const code = value["code"] ?? propertiesOf(value)?.["code"];
  const told = isNode(code)
    ? [code["const"], code["example"], ...(Array.isArray(code["enum"]) ? (code["enum"] as unknown[]) : [])]
    : [code];
  return told.filter((each): each is number => typeof each === "number");
}
