import type { Failure } from "../base/failure.ts";
import { isScopeGranted, methodFacts } from "../catalogue/index.ts";
import type { SessionState } from "./session.ts";

/** Gateways have scope words of their own: only a scope that speaks of areas can be missing one. */
const AREA = /(?:^|\s)(?:account|trade|wallet|block_trade|block_rfq|custody):/;

/** What the granted scope lacks for a method; undefined when nothing, or when that cannot be told. */
export function scopeProblem(method: string, state: SessionState): Extract<Failure, { kind: "missingScope" }> | undefined {
  if (state.status !== "ready" || !AREA.test(state.identity.scope)) return undefined;
  const needed = methodFacts(method)?.scopes ?? [];
  return isScopeGranted(state.identity.scope, needed) ? undefined : { kind: "missingScope", scope: needed.join(" / ") };
}
