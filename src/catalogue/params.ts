import { once } from "../base/once.ts";
import type { Problem } from "../base/failure.ts";
import { createParamSchemas } from "./generated/paramSchemas.ts";
import { methodFacts } from "./index.ts";
import { findProblems, type SchemaNode } from "./problems.ts";
import { findRuleProblems } from "./rules.ts";

/* What is checked before a request of the user is sent. Nothing of it is loaded before there is one. */

const paramSchemas = once(createParamSchemas);

/**
 * Returns the problems of the parameters of a method whose result is known exactly; empty for any other, which
 * `reference.ts` checks.
 */
export function checkParams(name: string, params: unknown): Problem[] {
  const schemas = paramSchemas();
  const schema = (schemas["properties"] as Readonly<Record<string, SchemaNode>>)[`params ${name}`];
  const problems = schema === undefined ? [] : findProblems(schemas, schema, params);
  return [...problems, ...findRuleProblems(methodFacts(name)?.rules ?? [], params)];
}
