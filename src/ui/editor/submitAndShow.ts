import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import type { Notices } from "./notices.ts";
import type { Settings } from "./settings.ts";

interface SubmitAndShowPorts {
  readonly notices: Pick<Notices, "showOutcome">;
  readonly settings: Pick<Settings, "connection">;
  /** Asks for the same once more, with what was entered. */
  readonly again?: () => void;
}

/**
 * Hands an intent to the gate of a connection, and shows its outcome where `isShown` says so. Where nothing was done,
 * the message offers `again`. Returns the outcome.
 */
export async function submitAndShow(
  live: LiveConnection,
  intent: Intent,
  { notices, settings, again }: SubmitAndShowPorts,
  isShown: (outcome: Outcome) => boolean = () => true,
): Promise<Outcome> {
  const outcome = await live.gate.submit(intent, { timeoutMs: settings.connection().requestTimeoutMs });
  const isUndone = outcome.kind === "notSent" || outcome.kind === "rejected";
  if (isShown(outcome)) notices.showOutcome(live, intent, outcome, isUndone ? again : undefined);
  return outcome;
}
