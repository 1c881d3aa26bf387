import type { LiveConnection } from "../actions/connection/liveConnection.ts";
import { COMMAND_CALLS, missingForCommand } from "../actions/changes/commandScopes.ts";
import type { DisposableList } from "../base/emitter.ts";
import { CallError } from "../base/failure.ts";
import { whileOpen } from "./editor/whileOpen.ts";
import type { Ui } from "./ui.ts";

/**
 * Hides commands that the granted scopes do not allow from the menus of the views, and says why in the Command Palette.
 */
export interface CommandScopes {
  /** Throws `CallError` with the scope that no connection has. `command`: its id in the manifest. */
  require(command: string): void;
}

/** Keeps a context key for each command that needs a scope, e.g. `tradingRpc.lacksScope.order.cancel`. */
export function createCommandScopes(
  { liveConnections, setContext }: Pick<Ui, "liveConnections" | "setContext">,
  disposables: DisposableList,
): CommandScopes {
  const states = (): LiveConnection["state"][] => liveConnections.all.map(({ state }) => state);
  const show = (): void => {
    for (const command of Object.keys(COMMAND_CALLS))
      setContext(`lacksScope.${command}`, missingForCommand(command, states()) !== undefined);
  };
  disposables.add(
    whileOpen(liveConnections, (live) => {
      show();
      return live.onDidChangeState(show);
    }),
  );
  disposables.add(liveConnections.onDidClose(show));
  return {
    require(command) {
      const missing = missingForCommand(command.replace(/^tradingRpc\./, ""), states());
      if (missing !== undefined) throw new CallError(missing);
    },
  };
}
