import * as vscode from "vscode";
import type { CommandId } from "./manifest/contributes.ts";
import { lazily } from "./ui/lazily.ts";
import type { Main } from "./ui/main.ts";
import type { TreeFrame } from "./ui/tree/treeView.ts";
import { TREE_NAMES, type TreeName } from "./base/viewNames.ts";

/**
 * Registers what the manifest promises and nothing else. The program itself is loaded with the first view shown,
 * command run or request file opened.
 */
export function activate(context: vscode.ExtensionContext): void {
  const load = lazily(async (): Promise<Main> => {
    const { createMain } = await import("./ui/main.ts");
    const loaded = createMain(context, { views, documentChanges });
    context.subscriptions.push(loaded);
    return loaded;
  });

  const views = Object.fromEntries(TREE_NAMES.map((name) => [name, createFrame(name, load)])) as Record<
    TreeName,
    TreeFrame
  >;
  const documentChanges = new vscode.EventEmitter<vscode.Uri>();
  context.subscriptions.push(documentChanges, ...Object.values(views).flatMap(({ view, changes }) => [view, changes]));

  const { commands, languageModelTools } = contributesOf(context);
  for (const { command: id } of commands) {
    context.subscriptions.push(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => await (await load()).run(id, args)),
    );
  }
  for (const { name } of languageModelTools) {
    context.subscriptions.push(
      vscode.lm.registerTool(name, {
        prepareInvocation: async ({ input }) => (await (await load()).tools()).prepare(name, input),
        invoke: async ({ input }, token) =>
          new vscode.LanguageModelToolResult([
            new vscode.LanguageModelTextPart(await (await (await load()).tools()).invoke(name, input, token)),
          ]),
      }),
    );
  }
  context.subscriptions.push(
    vscode.window.registerTerminalProfileProvider("tradingRpc.terminal", {
      provideTerminalProfile: async () => await (await load()).terminalProfile(),
    }),
    vscode.workspace.registerTextDocumentContentProvider("trading-rpc-response", {
      onDidChange: documentChanges.event,
      provideTextDocumentContent: async (uri) => await (await load()).documentText(uri),
    }),
    vscode.workspace.onDidOpenTextDocument((document) => loadFor(document, load)),
  );
  for (const document of vscode.workspace.textDocuments) loadFor(document, load);
}

/** Loads the program for a request file, whose lenses and checks come from there. */
function loadFor(document: vscode.TextDocument, load: () => Promise<Main>): void {
  // A failure to load shows when something is asked for; opening a file asks for nothing.
  if (document.uri.path.endsWith(".rpc.json")) load().catch(() => undefined);
}

/** Makes the frame of a view, which asks the program for its rows. */
function createFrame(name: TreeName, load: () => Promise<Main>): TreeFrame {
  const changes = new vscode.EventEmitter<string | string[] | undefined>();
  const provider = async (): Promise<vscode.TreeDataProvider<string>> => await (await load()).providers[name]();
  const view = vscode.window.createTreeView<string>(`tradingRpc.${name}`, {
    canSelectMany: name === "orders" || name === "quotes",
    // There is nothing to collapse before the first connection.
    showCollapseAll: name !== "start",
    treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getChildren: async (id) => await (await provider()).getChildren(id),
      getTreeItem: async (id) => await (await provider()).getTreeItem(id),
      getParent: async (id) => await (await provider()).getParent?.(id),
      resolveTreeItem: async (item, id, token) => await (await provider()).resolveTreeItem?.(item, id, token),
    },
  });
  return { view, changes };
}

interface Contributes {
  readonly commands: readonly { readonly command: CommandId }[];
  readonly languageModelTools: readonly { readonly name: string }[];
}

function contributesOf(context: vscode.ExtensionContext): Contributes {
  return (context.extension.packageJSON as { readonly contributes: Contributes }).contributes;
}
