import { problemOfAll, scopeProblem, type ScopeProblem } from "../session/scope.ts";
import type { SessionState } from "../session/session.ts";

/** A call behind a command. `params` where they decide on the scope. */
interface NeededCall {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * What commands of the manifest, without our prefix, have to call: one of the calls has to be allowed for the command
 * to make sense. Only those that act on what a view shows; what a view reads is said by the view itself.
 */
export const COMMAND_CALLS: Readonly<Record<string, readonly NeededCall[]>> = {
  "order.cancel": [{ method: "private/cancel" }],
  "order.cancelSelected": [{ method: "private/cancel" }],
  "order.cancelRow": [{ method: "private/cancel" }],
  "order.cancelAll": [{ method: "private/cancel_all" }],
  "order.cancelGroup": [{ method: "private/cancel" }],
  "apiKey.edit": [{ method: "private/edit_api_key" }],
  "apiKey.changeScope": [{ method: "private/change_scope_in_api_key" }],
  "apiKey.enable": [{ method: "private/enable_api_key" }],
  "apiKey.disable": [{ method: "private/disable_api_key" }],
  "blockTrade.fetch": [{ method: "private/get_block_trade" }],
  "mmp.setLimits": [
    { method: "private/set_mmp_config" },
    { method: "private/set_mmp_config", params: { block_rfq: true } },
  ],
  "mmp.reset": [{ method: "private/reset_mmp" }, { method: "private/reset_mmp", params: { block_rfq: true } }],
  "quote.cancel": [{ method: "private/cancel_block_rfq_quote" }],
  "quote.cancelSelected": [{ method: "private/cancel_block_rfq_quote" }],
  "quote.cancelRow": [{ method: "private/cancel_block_rfq_quote" }],
  "quote.cancelAll": [{ method: "private/cancel_all_block_rfq_quotes" }],
  "quote.cancelAllOfRfq": [{ method: "private/cancel_all_block_rfq_quotes" }],
};

/**
 * What all connections that are ready lack for a command; undefined when one of them may run it, or nobody can tell.
 */
export function missingForCommand(command: string, states: readonly SessionState[]): ScopeProblem | undefined {
  const calls: readonly NeededCall[] = COMMAND_CALLS[command] ?? [];
  const ready = states.filter((state) => state.status === "ready");
  return problemOfAll(
    ready.map((state) => problemOfAll(calls.map(({ method, params }) => scopeProblem(method, state, params)))),
  );
}
