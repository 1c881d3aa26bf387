import type { Failure } from "../base/failure.ts";
import { isPrivate, isScopeGranted, neededScopes } from "../catalogue/index.ts";
import type { SessionState } from "./session.ts";

/** Gateways have scope words of their own: only a scope that speaks of areas can be missing one. */
const AREA = /(?:^|\s)(?:account|trade|wallet|block_trade|block_rfq|custody):/;

type Params = Readonly<Record<string, unknown>>;
type MissingScope = Extract<Failure, { kind: "missingScope" }>;

/** Why a call is not worth sending: nobody is signed in, or not with the rights that it needs. */
export type ScopeProblem = MissingScope | Extract<Failure, { kind: "noKey" }>;

/**
 * What a session lacks for a call; undefined when nothing, or when that cannot be told. Without a key a private call
 * is possible only where it brings its own token: https://docs.deribit.com/articles/authentication
 */
export function scopeProblem(method: string, state: SessionState, params: Params = {}): ScopeProblem | undefined {
  if (state.status !== "ready") return undefined;
  const { authentication, scope } = state.identity;
  if (authentication === "none")
    return isPrivate(method) && params["access_token"] === undefined ? { kind: "noKey" } : undefined;
  return missingScope(method, scope, params);
}

/** What is lacking where one of several ways is enough; undefined when one of them is open, or there is none. */
export function problemOfAll(problems: readonly (ScopeProblem | undefined)[]): ScopeProblem | undefined {
  const found = problems.flatMap((problem) => problem ?? []);
  if (found.length === 0 || found.length < problems.length) return undefined;
  const scopes = found.flatMap((problem) => (problem.kind === "missingScope" ? problem.scope.split(" / ") : []));
  return scopes.length === 0 ? { kind: "noKey" } : { kind: "missingScope", scope: [...new Set(scopes)].join(" / ") };
}

/** What a granted scope lacks for a call. */
export function missingScope(method: string, scope: string, params: Params = {}): MissingScope | undefined {
  if (!AREA.test(scope)) return undefined;
  const needed = neededScopes(method, params);
  return isScopeGranted(scope, needed) ? undefined : { kind: "missingScope", scope: needed.join(" / ") };
}
