import * as vscode from "vscode";
import { DisposableList, type Disposable } from "../../base/emitter.ts";

/**
 * Registers a command for each CodeLens that comes into sight, so that a CodeLens needs no arguments. VS Code keeps a
 * command that has arguments for as long as the CodeLenses that it came with. Its controller can put a command that is
 * already released into the CodeLenses that follow. The button is then dead until the next redraw
 * (https://github.com/microsoft/vscode/issues/226936).
 */
interface LensCommands extends Disposable {
  /**
   * Returns the ID of a command without arguments that runs `command` with the URI of the document and `index`. It is
   * registered until the document is closed.
   */
  idOf(document: vscode.TextDocument, command: string, index: number): string;
}

export function createLensCommands(): LensCommands {
  const disposables = new DisposableList();
  const registered = new Map<string, Map<string, { readonly id: string; readonly registration: vscode.Disposable }>>();
  let count = 0;
  const forget = (key: string): void => {
    for (const { registration } of registered.get(key)?.values() ?? []) registration.dispose();
    registered.delete(key);
  };
  disposables.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => forget(uri.toString())));
  disposables.add({
    dispose: () => {
      for (const key of [...registered.keys()]) forget(key);
    },
  });
  return {
    idOf({ uri }, command, index) {
      const key = uri.toString();
      const ofDocument =
        registered.get(key) ?? new Map<string, { readonly id: string; readonly registration: vscode.Disposable }>();
      registered.set(key, ofDocument);
      const name = `${command} ${String(index)}`;
      const known = ofDocument.get(name);
      if (known !== undefined) return known.id;
      const id = `tradingRpc.codeLens.${String(++count)}`;
      ofDocument.set(name, {
        id,
        registration: vscode.commands.registerCommand(
          id,
          async () => await vscode.commands.executeCommand(command, key, index),
        ),
      });
      return id;
    },
    dispose: () => disposables.dispose(),
  };
}
