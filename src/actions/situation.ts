import type { Identity, Session } from "../session/session.ts";
import type { Environment } from "../state/records.ts";

/** All that a consent is bound to, beside method and parameters. A change of any of it voids the consent. */
export interface Situation {
  readonly generation: number | undefined;
  readonly identity: string | undefined;
  readonly environment: Environment;
  readonly connectionName: string;
  readonly areChangesAllowed: boolean;
}

/** Where a situation is read from. */
export interface SituationPorts {
  readonly session: Pick<Session, "state" | "caller">;
  readonly environment: () => Environment;
  readonly connectionName: () => string;
}

/** How it is at this moment. */
export function readSituation(ports: SituationPorts, areChangesAllowed: boolean): Situation {
  const { state, caller } = ports.session;
  return {
    generation: caller.generation,
    identity: state.status === "ready" ? identityKey(state.identity) : undefined,
    environment: ports.environment(),
    connectionName: ports.connectionName(),
    areChangesAllowed,
  };
}

/** Whether what was asked about still holds. More being allowed than at the time of the question does no harm. */
export function isStillSo(asked: Situation, now: Situation): boolean {
  return (
    asked.generation === now.generation &&
    asked.identity === now.identity &&
    asked.environment === now.environment &&
    asked.connectionName === now.connectionName &&
    (now.areChangesAllowed || !asked.areChangesAllowed)
  );
}

/**
 * Who signed in, and whom it was switched to, as a text that can be compared over reconnects and runs. The granted
 * scope may be listed in another order.
 */
export function identityKey({ authentication, clientId, subject }: Identity): string {
  return JSON.stringify([authentication, clientId ?? null, ...(subject === undefined ? [] : [subject.id])]);
}
