import { once } from "../base/once.ts";
import type { Problem } from "../base/failure.ts";
import { createParamSchemas } from "./generated/paramSchemas.ts";
import { methodFacts } from "./index.ts";
import { findProblems, type SchemaNode } from "./problems.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import type { ParamRule } from "./method.ts";

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

/**
 * Returns the broken rules between parameters, in sentences. Values that are not an object break no rule: their schema
 * reports them.
 */
export function findRuleProblems(rules: readonly ParamRule[], params: unknown): Problem[] {
  if (typeof params !== "object" || params === null || Array.isArray(params)) return [];
  const given = params as Readonly<Record<string, unknown>>;
  return rules.flatMap((rule) => problemOf(rule, (name) => given[name] !== undefined) ?? []);
}

function problemOf(rule: ParamRule, isGiven: (name: string) => boolean): Problem | undefined {
  switch (rule.kind) {
    case "needs":
      if (!isGiven(rule.param) || isGiven(rule.other)) return undefined;
      return {
        path: [rule.param],
        message: l10n.t("{0} needs {1}", plain.text(rule.param), plain.text(rule.other)),
        severity: "error",
      };
    case "oneOf":
      if (rule.params.some(isGiven)) return undefined;
      return {
        path: [],
        message: l10n.t("one of {0} is required", plain.text(rule.params.join(", "))),
        severity: "error",
      };
    case "stated":
      if (isGiven(rule.param)) return undefined;
      return {
        path: [],
        message: l10n.t("{0} is missing (if omitted, it is set to none)", plain.text(rule.param)),
        severity: "error",
      };
  }
}
