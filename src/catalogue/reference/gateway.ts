import type { Problem } from "../../base/failure.ts";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { GATEWAY_REFERENCES } from "../generated/gateway.ts";
import { bareMethod } from "../index.ts";
import type { GatewayReference } from "../method.ts";
import { findProblems } from "../problems.ts";

/** Returns the problems of the parameters of a method; empty for a method that the exchange is not known to have. */
export type ParamCheck = (method: string, params: unknown) => Problem[];

/** Returns what the gateway has of its own about a method; undefined where that is nothing. */
export function gatewayReference(name: string): GatewayReference | undefined {
  const bare = bareMethod(name);
  return Object.hasOwn(GATEWAY_REFERENCES, bare) ? GATEWAY_REFERENCES[bare] : undefined;
}

/**
 * Returns the check of parameters for requests to the gateway. It takes parameters that the exchange itself does not
 * document, and warns of some that it does.
 */
export function gatewayParamCheck(check: ParamCheck): ParamCheck {
  return (method, params) => {
    const { params: added, missingParams = [] } = gatewayReference(method) ?? {};
    if (!isObject(params)) return check(method, params);
    const { own, others } = split(params, added ?? {});
    const schema = { type: "object", properties: added ?? {}, additionalProperties: false };
    return [
      ...check(method, others),
      ...findProblems(schema, schema, own),
      ...missingParams.filter((name) => params[name] !== undefined).map(notTaken),
    ];
  };
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the parameters that the gateway adds apart from the others. */
function split(params: Members, added: Members): { readonly own: Members; readonly others: Members } {
  const entries = Object.entries(params);
  const isOwn = ([name]: readonly [string, unknown]): boolean => Object.hasOwn(added, name);
  return {
    own: Object.fromEntries(entries.filter(isOwn)),
    others: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
}

function notTaken(name: string): Problem {
  const message = l10n.t("the Coinbase gateway doesn't document this parameter");
  return { path: [name], message, severity: "warning", isUnknownMember: true };
}
