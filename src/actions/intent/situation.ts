import type { Changed } from "../../base/failure.ts";
import type { Identity, Session } from "../../session/session.ts";
import type { Environment } from "../../state/records.ts";

/** All that a confirmation is bound to, beside method and parameters. A change of any of it voids the confirmation. */
export interface Situation {
  readonly generation: number | undefined;
  readonly identity: string | undefined;
  readonly environment: Environment;
  readonly connectionName: string;
  readonly areChangesAllowed: boolean;
  /** The largest order in USD, for trades; undefined for all other changes, and while trading is not allowed. */
  readonly tradingLimitUsd: number | undefined;
}

/** What is allowed at a moment, from the point of view of a change. */
export type Allowed = Pick<Situation, "areChangesAllowed" | "tradingLimitUsd">;

/** Returns the situation at this moment. */
export function readSituation(
  ports: {
    readonly session: Pick<Session, "state" | "caller">;
    readonly environment: () => Environment;
    readonly connectionName: () => string;
  },
  allowed: Allowed,
): Situation {
  const { state, caller } = ports.session;
  return {
    generation: caller.generation,
    identity: state.status === "ready" ? identityKey(state.identity) : undefined,
    environment: ports.environment(),
    connectionName: ports.connectionName(),
    ...allowed,
  };
}

/**
 * Returns what of the confirmed situation has changed; undefined while it holds. More permissions than at the
 * confirmation do no harm. A new generation is named last: it often comes with a more telling change.
 */
export function changedSince(asked: Situation, now: Situation): Changed | undefined {
  if (now.identity !== undefined && asked.identity !== now.identity) return "account";
  if (asked.environment !== now.environment) return "environment";
  if (asked.connectionName !== now.connectionName) return "name";
  if (asked.areChangesAllowed && !now.areChangesAllowed) return "permission";
  if ((now.tradingLimitUsd ?? 0) < (asked.tradingLimitUsd ?? 0)) return "trading";
  return asked.generation === now.generation && asked.identity === now.identity ? undefined : "connection";
}

/**
 * Returns the signed-in identity and the account it was switched to, as a text comparable over reconnects and runs. The
 * granted scope may be listed in another order.
 */
export function identityKey({ authentication, clientId, subject }: Identity): string {
  return JSON.stringify([authentication, clientId ?? null, ...(subject === undefined ? [] : [subject.id])]);
}
