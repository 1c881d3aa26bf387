import type { ViewName } from "../../base/viewNames.ts";
import type { CommandId } from "../../manifest/contributes.ts";

/**
 * A handler, called with the arguments of VS Code: nothing from the Command Palette; a row, perhaps with the selection,
 * from a view.
 */
export type Handler = (...args: readonly unknown[]) => unknown;

/** The handlers of commands, by their IDs in the manifest. */
export type Handlers = Readonly<Partial<Record<CommandId, Handler>>>;

/** A command that code may run: one of the manifest, or the one with which VS Code shows a view. */
export type OwnCommand = CommandId | `tradingRpc.${ViewName}.focus`;

/** Runs a command, or opens the settings, and doesn't wait for it. */
export type RunCommand = (command: OwnCommand | "workbench.action.openSettings", ...args: readonly unknown[]) => void;
