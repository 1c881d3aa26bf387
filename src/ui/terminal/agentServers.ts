import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { environmentWords } from "../../actions/intent/connectionNames.ts";
import { environmentName } from "../../requests/file/readRequest.ts";
import { SIMULATOR_ID, type ConnectionRecord } from "../../state/records.ts";
import type { AgentAccess } from "../connections/agentAccess.ts";
import type { Ui } from "../ui.ts";
import { createLend, type Lend, type LendUi } from "./lending.ts";
import { openTokenServer, type TokenServer } from "./tokenServer.ts";

/** The MCP servers that VS Code offers to agents: one for each connection that the user has shared. */
export interface AgentServers extends Disposable {
  /** Returns the servers without anything by which they get at an account. */
  definitions(): vscode.McpStdioServerDefinition[];
  /**
   * Returns a server with the way to its token, right before VS Code starts it. Throws an error with a sentence where
   * the connection can't be used now.
   */
  resolve(server: vscode.McpServerDefinition): Promise<vscode.McpStdioServerDefinition>;
}

export type AgentServersUi = LendUi &
  Pick<Ui, "connections" | "liveConnections"> & {
    readonly clock: Pick<Clock, "after">;
    readonly agentAccess: AgentAccess;
    readonly onDidChangeSettings: Ui["settings"]["onDidChange"];
    /** The path of the program, and its version. */
    readonly programFile: string;
    readonly version: string;
  };

/**
 * Makes the servers. The program of a server asks for its token at a socket that is opened for this one start. The
 * token ends with the program, and when the connection is not shared any more.
 */
export function createAgentServers(ui: AgentServersUi): AgentServers {
  const sockets = new Map<string, TokenServer>();
  const disposables = new DisposableList();
  const shared = (): readonly ConnectionRecord[] =>
    ui.connections.list.map(({ record }) => record).filter((record) => ui.agentAccess.isShared(record));
  const close = (id: string): void => {
    sockets.get(id)?.dispose();
    sockets.delete(id);
  };
  const closeUnshared = (): void => {
    const ids = shared().map(({ id }) => id);
    for (const id of [...sockets.keys()].filter((each) => !ids.includes(each))) close(id);
  };
  for (const changed of [ui.agentAccess.onDidChange, ui.onDidChangeSettings, ui.connections.onDidChange])
    disposables.add(changed(closeUnshared));
  disposables.add(ui.liveConnections.onDidClose(({ record }) => close(record.id)));
  const definitionOf = (record: ConnectionRecord): vscode.McpStdioServerDefinition =>
    new vscode.McpStdioServerDefinition(
      environmentWords(record.declared, record.name),
      process.execPath,
      [ui.programFile, "mcp", "--env", environmentName(record.declared), "--connection", record.name],
      { ...NO_OWN_ACCESS, ELECTRON_RUN_AS_NODE: "1" },
      ui.version,
    );
  return {
    definitions: () => (vscode.workspace.isTrusted ? shared().map(definitionOf) : []),
    async resolve({ label }) {
      const record = shared().find((each) => environmentWords(each.declared, each.name) === label);
      if (record === undefined || !vscode.workspace.isTrusted)
        throw new Error(l10n.t("{0} is not shared with agents.", plain.name(label)));
      if (ui.liveConnections.find(record.id)?.state.status !== "ready")
        throw new Error(
          l10n.t(
            "The connection {0} is not open in this window of VS Code. Connect it and try again.",
            plain.name(record.name),
          ),
        );
      close(record.id);
      const socket = await openTokenServer(lendFor(record, ui), ui.clock);
      sockets.set(record.id, socket);
      const definition = definitionOf(record);
      definition.env = { ...definition.env, ...socket.variables };
      return definition;
    },
    dispose() {
      disposables.dispose();
      for (const id of [...sockets.keys()]) close(id);
    },
  };
}

/** Variables that a user may have set for terminals. A server has what it is given here, and nothing else. */
const NO_OWN_ACCESS: Readonly<Record<string, null>> = Object.fromEntries(
  ["", "SIM_", "TEST_", "PROD_"].flatMap((prefix) =>
    ["URL", "CLIENT_ID", "CLIENT_SECRET", "PRIVATE_KEY_FILE", "PRIVATE_KEY_PASSPHRASE", "ACCESS_TOKEN", "GRANT"].map(
      (name) => [`TRADING_RPC_${prefix}${name}`, null],
    ),
  ),
);

/**
 * Returns the function that lends tokens of one connection. The user has agreed when the connection was shared; any
 * other connection, and on a real one any scope but those that read, is refused.
 */
function lendFor(record: ConnectionRecord, ui: AgentServersUi): Lend {
  const lend = createLend({ ...ui, ask: async () => await Promise.resolve(ui.agentAccess.isShared(record)) });
  return async (request, signal) => {
    if (request.connection !== record.name || (record.id !== SIMULATOR_ID && request.scope.length > 0))
      throw refused(l10n.t("This program gets read scopes of {0} alone.", plain.name(record.name)));
    return await lend(request, signal);
  };
}
