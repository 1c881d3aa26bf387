import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { checkParams } from "../../catalogue/params.ts";
import { hasText, textParts, type FilterRules, type ViewFilter } from "./viewFilter.ts";

/** A filter with a part that the exchange itself applies: parameters of its list. */
export interface AskedFilter<Asked> extends ViewFilter {
  readonly asked: Asked;
}

/** Makes the rules of such a filter. `names`: what the user may set; `problemOf`: what may not be sent. */
export function askedFilterRules<Asked extends object>(
  names: readonly (string & keyof Asked)[],
  partsOf: (asked: Partial<Asked>) => readonly Plain[],
  problemOf: (asked: Partial<Asked>) => Plain | undefined,
): FilterRules<AskedFilter<Partial<Asked>>> {
  return {
    none: { text: "", asked: {} },
    parts: (filter) => [...partsOf(filter.asked), ...textParts(filter)],
    parse(kept) {
      if (!hasText(kept) || typeof kept["asked"] !== "object" || kept["asked"] === null) return undefined;
      const asked = { ...kept["asked"] };
      const isKnown = Object.keys(asked).every((name) => names.some((each) => each === name));
      return isKnown && problemOf(asked) === undefined ? { text: kept.text, asked } : undefined;
    },
  };
}

/** Returns what the exchange's rules do not allow in parameters, as a sentence; undefined when they can be sent. */
export function paramsProblem(method: string, params: object): Plain | undefined {
  const [problem] = checkParams(method, params).filter(({ severity }) => severity === "error");
  if (problem === undefined) return undefined;
  const [name] = problem.path;
  return name === undefined
    ? l10n.t("{0}.", problem.message)
    : l10n.t("{0}: {1}.", plain.name(String(name)), problem.message);
}
