import type { LiveConnection } from "../actions/liveConnection.ts";
import { COMMAND_CALLS, missingForCommand } from "../actions/commandScopes.ts";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import { CallError } from "../base/failure.ts";
import type { LiveConnections } from "../actions/liveConnections.ts";
import type { SetContext } from "./editor/contextKeys.ts";

/**
 * Hides commands that the granted scopes do not allow from the menus of the views, and says why in the Command Palette.
 */
export interface CommandScopes extends Disposable {
  /** Throws `CallError` with the scope that no connection has. `command`: its id in the manifest. */
  require(command: string): void;
}

interface CommandScopesPorts {
  readonly liveConnections: LiveConnections;
  readonly setContext: SetContext;
}

/** Keeps a context key for each command that needs a scope, e.g. `tradingRpc.lacksScope.order.cancel`. */
export function createCommandScopes({ liveConnections, setContext }: CommandScopesPorts): CommandScopes {
  const disposables = new DisposableList();
  const followed = new Map<LiveConnection, Disposable>();
  const states = (): LiveConnection["state"][] => liveConnections.all.map(({ state }) => state);
  const show = (): void => {
    for (const command of Object.keys(COMMAND_CALLS))
      setContext(`lacksScope.${command}`, missingForCommand(command, states()) !== undefined);
  };
  disposables.add(
    liveConnections.onDidOpen((each) => {
      followed.set(each, each.onDidChangeState(show));
      show();
    }),
  );
  disposables.add(
    liveConnections.onDidClose((each) => {
      followed.get(each)?.dispose();
      followed.delete(each);
      show();
    }),
  );
  disposables.add({
    dispose: () => {
      for (const each of followed.values()) each.dispose();
    },
  });
  return {
    require(command) {
      const missing = missingForCommand(command.replace(/^tradingRpc\./, ""), states());
      if (missing !== undefined) throw new CallError(missing);
    },
    dispose: () => disposables.dispose(),
  };
}
