import * as vscode from "vscode";

/* What the suites inside the extension host need of the window. */

/** Looks again and again until there is something. */
export async function until<T>(what: string, look: () => T | undefined | PromiseLike<T | undefined>): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

/** Opens a request file that is saved nowhere, with a text. */
export async function openRequests(name: string, text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(`untitled:${name}.rpc.json`));
  const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  await editor.edit((edit) => {
    edit.insert(new vscode.Position(0, 0), text);
  });
  return document;
}

/** The code of a diagnostic, with or without the address of its explanation. */
export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === "object" ? code.value : code);
}
