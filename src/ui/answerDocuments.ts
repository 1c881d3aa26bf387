import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { DisposableList, type Disposable } from "../base/emitter.ts";
import { answerAddress, answerDocument, savedAnswerText, type AnswerAction, type AnswerDocument, type AnswerSource } from "../present/answer.ts";
import type { Settings } from "./settings.ts";

export const ANSWER_SCHEME = "trading-rpc-answer";

/** Read-only documents that show what became of a request: one for each file and environment. */
export interface AnswerDocuments extends Disposable {
  /** Shows an answer, in the place of the last one of the same file. Hands out where it stands. */
  show(shown: ShownAnswer): Promise<vscode.Uri>;
  /** The answer of a document has more to tell than before. */
  update(uri: vscode.Uri, change: (source: AnswerSource) => AnswerSource): void;
  text(uri: vscode.Uri): string;
  /** What can be done with an answer; undefined when it is not kept any more. */
  find(uri: vscode.Uri): KeptAnswer | undefined;
}

/** An answer with what belongs to it. */
export interface ShownAnswer extends KeptAnswer {
  /** Address of the file that it belongs to, or any other text that tells answers apart. */
  readonly fileUri: string;
}

export interface KeptAnswer {
  readonly source: AnswerSource;
  /** Where Save offers to write; undefined where nothing is nearer than anything else. */
  readonly folder: vscode.Uri | undefined;
  readonly sendAnyway?: () => Promise<void>;
  readonly checkAgain?: () => Promise<void>;
}

interface Entry extends KeptAnswer {
  readonly document: AnswerDocument;
}

/** More are not kept: an answer can have millions of characters. */
const MAX_KEPT = 50;

const COMMANDS: Readonly<Record<AnswerAction, string>> = {
  save: "tradingRpc.response.save",
  sendAnyway: "tradingRpc.response.sendAnyway",
  checkAgain: "tradingRpc.response.checkAgain",
};

/** `changes` tells the editor to read a document again. */
export function createAnswerDocuments(changes: vscode.EventEmitter<vscode.Uri>, settings: Settings): AnswerDocuments {
  const kept = new Map<string, Entry>();
  const lensChanges = new vscode.EventEmitter<void>();
  const disposables = new DisposableList();
  const put = (uri: vscode.Uri, answer: KeptAnswer): void => {
    const key = uri.toString();
    kept.delete(key);
    kept.set(key, { ...answer, document: answerDocument(answer.source) });
    forgetOldest(kept);
    changes.fire(uri);
    lensChanges.fire();
  };
  disposables.add(lensChanges);
  disposables.add(
    vscode.languages.registerCodeLensProvider({ scheme: ANSWER_SCHEME }, {
      onDidChangeCodeLenses: lensChanges.event,
      provideCodeLenses: ({ uri }) => (settings.requests(uri).hasAnswerLens ? lensesOf(uri, kept.get(uri.toString())) : []),
    }),
  );
  return {
    async show({ fileUri, ...answer }) {
      const { path, query } = answerAddress(fileUri, answer.source.environment);
      const uri = vscode.Uri.from({ scheme: ANSWER_SCHEME, path, query });
      put(uri, answer);
      const document = await vscode.workspace.openTextDocument(uri);
      const editor = await vscode.window.showTextDocument(document, { viewColumn: columnFor(uri, settings), preserveFocus: true, preview: true });
      editor.revealRange(new vscode.Range(0, 0, 0, 0));
      return uri;
    },
    update(uri, change) {
      const entry = kept.get(uri.toString());
      if (entry !== undefined) put(uri, { ...entry, source: change(entry.source) });
    },
    text: (uri) => kept.get(uri.toString())?.document.text ?? `// ${l10n.t("This answer is not kept after a reload. Send again.")}\n`,
    find: (uri) => kept.get(uri.toString()),
    dispose: () => disposables.dispose(),
  };
}

/** Buttons come first, where a narrow column does not hide them; sentences below the head stand one to a line. */
function lensesOf(uri: vscode.Uri, entry: Entry | undefined): vscode.CodeLens[] {
  const lenses = entry?.document.lenses ?? [];
  const sentences = lenses.filter((lens) => lens.action === undefined);
  return [...lenses.filter((lens) => lens.action !== undefined), ...sentences].map((lens) => {
    const { text, action } = lens;
    const before = lens.line === 0 ? 0 : sentences.filter((each) => each.line === lens.line).indexOf(lens);
    const line = lens.line + before;
    const command: vscode.Command = action === undefined ? { title: text, command: "" } : { title: text, command: COMMANDS[action], arguments: [uri.toString()] };
    return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
  });
}

/** Where an answer already is, else beside the request; beside nothing there would be an empty column. */
function columnFor(uri: vscode.Uri, settings: Settings): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const group = all.find(({ tabs }) => tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === ANSWER_SCHEME));
  if (group !== undefined) return group.viewColumn;
  return settings.requests(uri).openAnswerBeside && activeTabGroup.tabs.length > 0 ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
}

function forgetOldest(kept: Map<string, Entry>): void {
  if (kept.size <= MAX_KEPT) return;
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  for (const key of [...kept.keys()].slice(0, -1)) {
    if (kept.size <= MAX_KEPT) return;
    if (!open.has(key)) kept.delete(key);
  }
}

/** Writes an answer whole, as JSON alone, where the person says. */
export async function saveAnswer({ source, folder }: KeptAnswer): Promise<void> {
  const text = savedAnswerText(source.result);
  if (text === undefined) {
    void vscode.window.showInformationMessage(l10n.t("There is no answer to save: nothing was received."));
    return;
  }
  const name = `${source.result.intent.method.split("/").at(-1) ?? "answer"}.response.json`;
  const uri = await vscode.window.showSaveDialog({ ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }), filters: { JSON: ["json"] } });
  if (uri !== undefined) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
