import type { SchemaNode } from "../problems.ts";

/*
 * The notation of hints: `{ name: type, … }` for an object, `[type]` for an array, `number|string` or `[type]|string`
 * for one of several types, `buy|sell` for one of several words, `unknown` for what is not documented, and the name
 * of a shape of `hinted/namedShapes.ts`.
 */

const SCALARS: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "null", "object", "array"]);

/**
 * Returns a hint as a JSON Schema. `shapes` has the notations of the shapes that it can name. Throws `Error` at a text
 * that is not in the notation.
 */
export function parseShape(text: string, shapes: Readonly<Record<string, string>>): SchemaNode {
  const tokens = text.match(/[{}[\],:]|"[^"]*"|[^\s{}[\],:"]+/g) ?? [];
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at++] ?? "";
    if (token === "" || (expected !== undefined && token !== expected))
      throw new Error(`A hint has ${token === "" ? "an end" : token} instead of ${expected ?? "a type"}: ${text}`);
    return token;
  };
  const membersOf = (): SchemaNode => {
    const properties: Record<string, SchemaNode> = {};
    while (tokens[at] !== "}") {
      const name = take().replaceAll('"', "");
      take(":");
      properties[name] = typeOf();
      if (tokens[at] === ",") at++;
    }
    take("}");
    return { type: "object", properties };
  };
  const typeOf = (): SchemaNode => {
    const token = take();
    if (token !== "{" && token !== "[") return namedType(token, shapes);
    const one = token === "{" ? membersOf() : { type: "array", items: typeOf() };
    if (token === "[") take("]");
    const next = tokens[at];
    if (next?.startsWith("|") !== true) return one;
    // The words that follow are in one token with the bar.
    if (next === "|") at++;
    else tokens[at] = next.slice(1);
    return { anyOf: [one, typeOf()] };
  };
  const schema = typeOf();
  if (at < tokens.length) throw new Error(`A hint goes on after its end: ${text}`);
  return schema;
}

function namedType(token: string, shapes: Readonly<Record<string, string>>): SchemaNode {
  if (token === "unknown") return {};
  const words = token.split("|");
  const types = words.filter((word) => SCALARS.has(word));
  const named = shapes[token];
  if (named !== undefined) return parseShape(named, shapes);
  if (words.every((word) => /^\d+$/.test(word))) return { type: "integer" };
  if (types.length === 0) return { type: "string", suggestedValues: words };
  const [only] = types;
  return types.length === 1 ? { type: only } : { anyOf: types.map((type) => ({ type })) };
}
