import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { CallError } from "../base/failure.ts";
import type { ActivityCommands } from "./activity/commands.ts";
import type { ActivityPane } from "./activity/view.ts";
import type { Row } from "../present/rows/row.ts";
import { SIMULATOR_ID } from "../state/records.ts";
import type { CommandScopes } from "./commandScopes.ts";
import type { ConnectionCommands } from "./connections/commands.ts";
import type { Notices } from "./editor/notices.ts";
import { openExamples } from "./requests/files.ts";
import type { Settings } from "./editor/settings.ts";
import type { Handler } from "./editor/handler.ts";

/** What the commands about connections and what was done act on. */
export interface CommandPorts {
  readonly activity: ActivityCommands;
  readonly activityPane: ActivityPane;
  readonly connections: ConnectionCommands;
  readonly notices: Notices;
  readonly settings: Pick<Settings, "isPresenting" | "setPresenting">;
  readonly extensionUri: vscode.Uri;
  readonly showLog: () => void;
  /** A row of any of our views. */
  readonly row: (id: string) => Row | undefined;
}

/** The commands about connections and what was done, with what they do. Nothing is handed back to whoever runs one. */
export function createCommands(ports: CommandPorts): Readonly<Record<string, Handler>> {
  const { activity, activityPane, connections } = ports;
  return {
    "tradingRpc.connect": async (target) => await connections.connect(target),
    "tradingRpc.useConnection": async (target) => await connections.connect(target),
    "tradingRpc.startSimulator": async () => await connections.connect(SIMULATOR_ID),
    "tradingRpc.disconnect": async (target) => await connections.disconnect(target),
    "tradingRpc.addConnection": async () => await connections.add(),
    "tradingRpc.editConnection": async (target) => await connections.edit(target),
    "tradingRpc.forgetConnection": async (target) => await connections.forget(target),
    "tradingRpc.allowChanges": async (target) => await connections.allowChanges(target),
    "tradingRpc.readOnly": async (target) => await connections.makeReadOnly(target),
    "tradingRpc.showActions": async () => await connections.showActions(),
    "tradingRpc.activity.open": async (...args) => await activity.open(args),
    "tradingRpc.activity.checkAgain": async (...args) => await activity.checkAgain(args),
    "tradingRpc.activity.copy": async (...args) => await activity.copy(args),
    "tradingRpc.activity.export": async () => await activity.exportAll(),
    "tradingRpc.activity.setAside": async (...args) => await activity.setAside(args),
    "tradingRpc.activity.refresh": async () => await activity.refresh(),
    "tradingRpc.activity.showUnresolved": () => activityPane.filter.set({ text: "", isUnresolvedOnly: true }),
    "tradingRpc.activity.showMore": () => activityPane.showMore(),
    "tradingRpc.copyValue": async (row) => await copyValue(row, ports),
    "tradingRpc.openExamples": async (name) =>
      await openExamples(ports.extensionUri, typeof name === "string" ? name : undefined),
    "tradingRpc.openWalkthrough": async () =>
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH),
    "tradingRpc.togglePresentation": async () => await togglePresentation(ports.settings),
    "tradingRpc.showLog": () => ports.showLog(),
  };
}

/** As the editor names it: of this extension, the one of the manifest. */
const WALKTHROUGH = "trading-rpc.trading-rpc#start";

/** Runs a command. The one place where what a command throws becomes a message. */
export async function runCommand(
  handlerOf: (id: string) => Promise<Handler | undefined>,
  id: string,
  args: readonly unknown[],
  { notices, scopes }: { readonly notices: Notices; readonly scopes: CommandScopes },
): Promise<void> {
  try {
    scopes.require(id);
    const handler = await handlerOf(id);
    if (handler === undefined) throw new CallError({ kind: "bug", detail: `no handler for ${id}` });
    await handler(...args);
  } catch (error) {
    notices.showError(error);
  }
}

async function togglePresentation(settings: CommandPorts["settings"]): Promise<void> {
  await settings.setPresenting(!settings.isPresenting());
  const text = settings.isPresenting()
    ? l10n.t(
        "Presentation mode is on: figures, ids and names of accounts are hidden in views, messages, choices and the status bar. Questions before a change, documents that you open and market data still show them.",
      )
    : l10n.t("Presentation mode is off: everything is shown.");
  void vscode.window.showInformationMessage(text);
}

async function copyValue(id: unknown, { row }: CommandPorts): Promise<void> {
  const text = typeof id === "string" ? row(id)?.copyText : undefined;
  if (text !== undefined && text !== "") await vscode.env.clipboard.writeText(text);
}
