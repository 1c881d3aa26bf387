import * as vscode from "vscode";
import { commandsOfChanges } from "../actions/changes/changes.ts";
import { CallError, refused } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import type { CommandId } from "../manifest/contributes.ts";
import type { CommandScopes } from "./commandScopes.ts";
import type { Handler, Handlers } from "./editor/handler.ts";
import { openExamples } from "./requests/files.ts";
import type { Ui } from "./ui.ts";

type CommandUi = Pick<Ui, "dialogs" | "settings" | "extensionUri" | "setContext"> & { readonly showLog: () => void };

/** Makes the commands that need nothing of what is loaded later. */
export function createCommands(ui: CommandUi): Handlers {
  return {
    "tradingRpc.example.open": async (name) =>
      await openExamples(ui.extensionUri, typeof name === "string" ? name : undefined),
    "tradingRpc.walkthrough.open": async () => {
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH);
      ui.setContext("walkthrough.wasOpened", true);
    },
    "tradingRpc.presentation.toggle": async () => await togglePresentation(ui),
    "tradingRpc.log.show": () => ui.showLog(),
  };
}

/** The walkthrough's id in VS Code: of this extension, as in the manifest. */
const WALKTHROUGH = "trading-rpc.trading-rpc#start";

/** The menus of a manifest, as far as they name commands. */
interface Menus {
  readonly contributes: { readonly menus: Readonly<Record<string, readonly { readonly command?: string }[]>> };
}

/** Whether a command is called on rows alone. In a title, VS Code hands over the focused row, or nothing. */
function isOfRowsAlone(id: CommandId, { packageJSON }: Pick<vscode.Extension<unknown>, "packageJSON">): boolean {
  const { menus } = (packageJSON as Menus).contributes;
  const isIn = (menu: string): boolean => menus[menu]?.some(({ command }) => command === id) === true;
  return isIn("view/item/context") && !isIn("view/title");
}

/**
 * Returns the handler of an action in the title of a view; undefined for other commands. VS Code hands over the focused
 * row, which is not meant there. So it runs the command of the same name as from the Command Palette.
 */
export function titleHandler(id: CommandId): Handler | undefined {
  const [own, ...rest] = id.split("FromTitle");
  return own === undefined || rest.length === 0 ? undefined : async () => await vscode.commands.executeCommand(own);
}

/** Runs a command. All errors that commands throw become messages here. */
export async function runCommand(
  handlerOf: (id: CommandId) => Promise<Handler | undefined>,
  id: CommandId,
  args: readonly unknown[],
  {
    notices,
    scopes,
    extension,
  }: Pick<Ui, "notices"> & {
    readonly scopes: CommandScopes;
    /** The extension itself, whose manifest tells where a command appears. */
    readonly extension: Pick<vscode.Extension<unknown>, "packageJSON">;
  },
): Promise<void> {
  try {
    // VS Code forgets its rows while it draws a list again, and then hands out nothing for the row of a menu. To a
    // handler that would look like the Command Palette, and it would take the only connection, or ask.
    if (args.length > 0 && args[0] === undefined && isOfRowsAlone(id, extension))
      throw refused(l10n.t("The view changed meanwhile, so nothing was done. Select the row again."));
    scopes.require(id);
    const handler = await handlerOf(id);
    if (handler === undefined) throw new CallError({ kind: "bug", detail: `no handler for ${id}` });
    await handler(...args);
  } catch (error) {
    notices.showError(error, { isSending: isSending(id) });
  }
}

/** Commands that send a request beside those that make a change of the catalogue. */
const SENDING: readonly CommandId[] = [
  "tradingRpc.request.send",
  "tradingRpc.request.sendAll",
  "tradingRpc.request.sendFromHere",
  "tradingRpc.request.sendReads",
  "tradingRpc.request.resend",
  "tradingRpc.response.sendAnyway",
  "tradingRpc.response.act",
  "tradingRpc.account.switch",
  "tradingRpc.account.switchFromTitle",
  "tradingRpc.account.switchBack",
  "tradingRpc.account.switchBackFromTitle",
];

/** Whether a command would have sent a request, so that a message about its failure has to say whether it did. */
function isSending(id: CommandId): boolean {
  return SENDING.includes(id) || commandsOfChanges().some(([command]) => id === `tradingRpc.${command}`);
}

async function togglePresentation({ settings, dialogs }: CommandUi): Promise<void> {
  await settings.setPresenting(!settings.isPresenting());
  const text = settings.isPresenting()
    ? l10n.t(
        "Presentation mode is on. Amounts, prices, IDs, and account names are hidden in views, notifications, Quick Picks, and the status bar. Confirmation dialogs, editor tabs you open, and market data still show them.",
      )
    : l10n.t("Presentation mode is off. Everything is shown.");
  dialogs.tell("information", text);
}
