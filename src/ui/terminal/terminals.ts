import * as path from "node:path";
import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import * as l10n from "../../base/l10n.ts";
import { TERMINAL_VARIABLES } from "../../session/tokenRequest.ts";
import { createLend, type LendUi } from "./lending.ts";
import { openTokenServer, type TokenServer } from "./tokenServer.ts";

export { createAgentServers } from "./agentServers.ts";

/** The terminals with the profile Trading RPC. */
export interface Terminals extends Disposable {
  /** Makes the profile of a new terminal. Throws an error with a sentence where there can be none. */
  profile(): Promise<vscode.TerminalProfile>;
}

/**
 * Makes the terminals in which `trading-rpc` is on the path and can ask for tokens. Their environment is theirs alone:
 * other terminals stay as they are.
 */
export function createTerminals(
  ui: LendUi & {
    readonly clock: Pick<Clock, "after">;
    /** The folder with the program. */
    readonly programFolder: string;
    /** Whether terminals run on another computer than the extension. */
    readonly isElsewhere: boolean;
  },
): Terminals {
  const servers = new Map<string, TokenServer>();
  const disposables = new DisposableList();
  disposables.add(
    vscode.window.onDidCloseTerminal(({ creationOptions }) => {
      const env: Readonly<Record<string, unknown>> | undefined =
        "env" in creationOptions ? creationOptions.env : undefined;
      const key = String(env?.[TERMINAL_VARIABLES.key]);
      servers.get(key)?.dispose();
      servers.delete(key);
    }),
  );
  return {
    async profile() {
      if (!vscode.workspace.isTrusted)
        throw new Error(l10n.t("The terminal profile Trading RPC is not available in Restricted Mode."));
      if (ui.isElsewhere)
        throw new Error(
          l10n.t(
            "Terminals of this window run on another computer. Install Trading RPC there to use its terminal profile.",
          ),
        );
      const server = await openTokenServer(createLend(ui), ui.clock);
      servers.set(server.key, server);
      return new vscode.TerminalProfile({
        name: "Trading RPC",
        // VS Code would restore it without the socket, which ends with this window.
        isTransient: true,
        env: {
          ...server.variables,
          [TERMINAL_VARIABLES.node]: process.execPath,
          // VS Code fills in the path that the terminal would have without it.
          PATH: `${ui.programFolder}${path.delimiter}\${env:PATH}`,
        },
      });
    },
    dispose() {
      disposables.dispose();
      for (const server of servers.values()) server.dispose();
      servers.clear();
    },
  };
}
