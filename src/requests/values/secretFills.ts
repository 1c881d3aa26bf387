import { parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { methodFacts } from "../../catalogue/index.ts";
import { standInFor, standInsIn, type OneTimeSecret } from "../../rpc/oneTimeSecret.ts";
import type { Results } from "./results.ts";

/** The secrets of earlier responses that take the place of stand-ins when a request is sent, by parameter. */
type SecretFills =
  | { readonly kind: "filled"; readonly fills: ReadonlyMap<string, OneTimeSecret> }
  /** A sentence about a secret that is used where it would be shown. */
  | { readonly kind: "misplaced"; readonly message: string };

/**
 * Returns the secrets for the stand-ins in filled parameters. A secret may only be the whole value of a parameter that
 * the catalogue calls secret: everywhere else it could come back in a response, an event, or a row.
 */
export function secretFills(method: string, paramsText: string, results: Pick<Results, "get">): SecretFills {
  const standIns = standInsIn(paramsText);
  const fills = new Map<string, OneTimeSecret>();
  if (standIns.length === 0) return { kind: "filled", fills };
  const params = parseObject(paramsText) ?? {};
  for (const name of methodFacts(method)?.paramSecrets ?? []) {
    const source = standIns.find((each) => standInFor(each) === params[name])?.source;
    const secret = source === undefined ? undefined : results.get(source)?.oneTime;
    if (secret !== undefined) fills.set(name, secret);
  }
  if (fills.size === standIns.length) return { kind: "filled", fills };
  const unknown = standIns.find(({ source }) => results.get(source)?.oneTime === undefined);
  if (unknown !== undefined)
    return {
      kind: "misplaced",
      message: l10n.t("{0} is a placeholder for a secret that isn't kept here.", plain.name(standInFor(unknown))),
    };
  return {
    kind: "misplaced",
    message: l10n.t(
      "{0} is a secret. It can only be used as the whole value of a parameter for a signature.",
      plain.name(standIns[0] === undefined ? "" : `${standIns[0].source}.result.${standIns[0].kind}`),
    ),
  };
}
