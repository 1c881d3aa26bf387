import type { Failure } from "../base/failure.ts";
import { isScopeGranted, neededScopes } from "../catalogue/index.ts";
import type { SessionState } from "./session.ts";

/** Gateways have scope words of their own: only a scope that speaks of areas can be missing one. */
const AREA = /(?:^|\s)(?:account|trade|wallet|block_trade|block_rfq|custody):/;

type Params = Readonly<Record<string, unknown>>;
type MissingScope = Extract<Failure, { kind: "missingScope" }>;

/** What the granted scope lacks for a call; undefined when nothing, or when that cannot be told. */
export function scopeProblem(method: string, state: SessionState, params: Params = {}): MissingScope | undefined {
  return state.status === "ready" ? missingScope(method, state.identity.scope, params) : undefined;
}

/** The same for a granted scope. */
export function missingScope(method: string, scope: string, params: Params = {}): MissingScope | undefined {
  if (!AREA.test(scope)) return undefined;
  const needed = neededScopes(method, params);
  return isScopeGranted(scope, needed) ? undefined : { kind: "missingScope", scope: needed.join(" / ") };
}
