import { methodFacts } from "../../catalogue/index.ts";
import { problemOfAll, scopeProblem, type ScopeProblem } from "../../session/scope.ts";
import type { SessionState } from "../../session/session.ts";
import { BLOCK_TRADE_METHOD } from "../../state/blockTrades.ts";
import { commandsOfChanges } from "./changes.ts";

/** A call that a command makes. `params` where they decide on the scope. */
interface NeededCall {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * The calls that commands of the manifest, without our prefix, need: one of them has to be allowed for the command to
 * make sense. Only commands that act on what a view shows; the view itself says what it reads.
 */
export const COMMAND_CALLS: Readonly<Record<string, readonly NeededCall[]>> = Object.fromEntries(
  [...commandsOfChanges(), ["blockTrade.fetch", BLOCK_TRADE_METHOD] as const].map(([command, method]) => [
    command,
    callsOf(method),
  ]),
);

function callsOf(method: string): readonly NeededCall[] {
  const { scopesWhen } = methodFacts(method) ?? {};
  return [{ method }, ...(scopesWhen === undefined ? [] : [{ method, params: { [scopesWhen.param]: true } }])];
}

/**
 * Returns what all ready connections lack for a command; undefined when one of them may run it, or nothing is known.
 */
export function missingForCommand(command: string, states: readonly SessionState[]): ScopeProblem | undefined {
  const calls: readonly NeededCall[] = COMMAND_CALLS[command] ?? [];
  const ready = states.filter((state) => state.status === "ready");
  return problemOfAll(
    ready.map((state) => problemOfAll(calls.map(({ method, params }) => scopeProblem(method, state, params)))),
  );
}
