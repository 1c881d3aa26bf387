import type * as vscode from "vscode";
import * as l10n from "../../base/l10n.ts";
import type { Log } from "../../base/log.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { hostWarningTexts, runtimeWarningTexts } from "../../present/text/hostWarningText.ts";

/** The key of the warnings that the user has read and does not want to see again. */
const READ_KEY = "tradingRpc.readHostWarnings";

/**
 * Warns, once in a window, about variables that weaken encryption. A Node with known encryption errors is only
 * logged. Call it before a secret is read. Only this module looks at the environment, and it controls nothing.
 */
export function createHostWarnings(dialogs: Dialogs, log: Log, state: vscode.Memento): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    // VS Code brings its Node along, and no connection of ours depends on what is wrong with it.
    for (const text of runtimeWarningTexts(process.versions.node)) log.warn(text);
    for (const text of hostWarningTexts(process.env)) {
      log.warn(text);
      const never = async (): Promise<void> => await state.update(READ_KEY, [...read(state), text]);
      if (!read(state).includes(text))
        dialogs.tell("warning", text, [{ title: l10n.t("Don't Show Again"), run: never }]);
    }
  };
}

function read(state: vscode.Memento): readonly string[] {
  return state.get<readonly string[]>(READ_KEY, []);
}
