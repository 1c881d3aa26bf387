import * as vscode from "vscode";
import type { Log } from "../base/log.ts";
import { hostWarningTexts } from "../present/hostWarningText.ts";

/**
 * Warns, once in a window, of what in the environment of the editor weakens encryption. To be called before a secret is
 * read. The one place that looks at the environment, and nothing is steered by it.
 */
export function createHostWarnings(log: Log): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    for (const text of hostWarningTexts(process.env)) {
      log.warn(text);
      void vscode.window.showWarningMessage(text);
    }
  };
}
