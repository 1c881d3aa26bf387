import type { ViewName } from "../../base/viewNames.ts";
import type { CommandId } from "../../manifest/contributes.ts";

/** What the editor hands out: nothing from the palette; a row, perhaps with the selection, from a view. */
export type Handler = (...args: readonly unknown[]) => unknown;

/** What commands do, by their IDs in the manifest. */
export type Handlers = Readonly<Partial<Record<CommandId, Handler>>>;

/** A command that code may run: one of the manifest, or the one with which VS Code shows a view. */
export type OwnCommand = CommandId | `tradingRpc.${ViewName}.focus`;

/** Runs a command, or opens the settings, and doesn't wait for it. */
export type RunCommand = (command: OwnCommand | "workbench.action.openSettings", ...args: readonly unknown[]) => void;
