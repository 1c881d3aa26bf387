import type { Problem } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import type { ParamRule } from "./method.ts";

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
