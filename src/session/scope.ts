import type { Failure } from "../base/failure.ts";
import { bareMethod, isOfferedAt, isPrivate, isScopeGranted, neededScopes } from "../catalogue/index.ts";
import type { SessionState } from "./session.ts";

/** The areas of a scope. Gateways have scope words of their own: only a scope that names areas can lack one. */
const AREA = /(?:^|\s)(?:account|trade|wallet|block_trade|block_rfq|custody):/;

type Params = Readonly<Record<string, unknown>>;
type MissingScope = Extract<Failure, { kind: "missingScope" }>;

/** The reason why a call is not worth sending: it isn't offered, or there is no sign-in with the rights for it. */
export type ScopeProblem = MissingScope | Extract<Failure, { kind: "noKey" | "notOffered" }>;

/**
 * Returns what a session lacks for a call; undefined when nothing, or when that is not known. Without a key a private
 * call is possible only where it brings its own token: https://docs.deribit.com/articles/authentication
 */
export function scopeProblem(method: string, state: SessionState, params: Params = {}): ScopeProblem | undefined {
  if (state.status !== "ready") return undefined;
  const { authentication, scope, isGateway } = state.identity;
  if (isGateway === true && !isOfferedAt(method, "gateway")) return { kind: "notOffered", method: bareMethod(method) };
  if (authentication === "none")
    return isPrivate(method) && params["access_token"] === undefined ? { kind: "noKey" } : undefined;
  return missingScope(method, scope, params);
}

/**
 * Returns what is lacking where one of several ways is enough; undefined when one of them is open, or there are none.
 */
export function problemOfAll(problems: readonly (ScopeProblem | undefined)[]): ScopeProblem | undefined {
  const found = problems.flatMap((problem) => problem ?? []);
  if (found.length === 0 || found.length < problems.length) return undefined;
  const scopes = found.flatMap((problem) => (problem.kind === "missingScope" ? problem.scope.split(" / ") : []));
  if (scopes.length > 0) return { kind: "missingScope", scope: [...new Set(scopes)].join(" / ") };
  // A key would help with the others.
  return found.find(({ kind }) => kind === "noKey") ?? found[0];
}

/** Returns what a granted scope lacks for a call. */
export function missingScope(method: string, scope: string, params: Params = {}): MissingScope | undefined {
  if (!AREA.test(scope)) return undefined;
  const needed = neededScopes(method, params);
  return isScopeGranted(scope, needed) ? undefined : { kind: "missingScope", scope: needed.join(" / ") };
}
