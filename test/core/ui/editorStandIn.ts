import Module from "node:module";
import { after, before } from "node:test";

/*
 * VS Code for tests in Node. Each module of a bundle asks for it once, so the test files of a bundle share one object.
 */

/** Whatever else modules take from VS Code when they are loaded. */
const anything: unknown = new Proxy(Object, {
  get: (target, name): unknown => (name === "prototype" ? target.prototype : anything),
  apply: () => anything,
});

const NAMES = [
  ...["CodeLens", "EventEmitter", "ProgressLocation", "QuickInputButtons", "QuickPickItemKind", "Range", "Uri"],
  ...["CodeAction", "CodeActionKind", "CompletionItem", "CompletionItemKind", "CompletionList", "Diagnostic"],
  ...["DiagnosticSeverity", "FileSystemError", "Hover", "MarkdownString", "Position", "RelativePattern"],
  ...["SnippetString", "WorkspaceEdit"],
  ...["TerminalProfile", "commands", "env", "languages", "window", "workspace"],
] as const;

/** What modules read while they are loaded has to be there whichever test loads them. */
const ALWAYS: typeof parts = { DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 } };

let parts: Partial<Record<(typeof NAMES)[number], unknown>> = {};

const standIn = Object.create(
  anything as object,
  Object.fromEntries(
    NAMES.map((name) => [name, { get: () => parts[name] ?? ALWAYS[name] ?? anything, enumerable: true }]),
  ),
) as unknown;

const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };

/** Lets the tests of this suite or file import modules that import "vscode": they get these parts of it. */
export function useEditor(own: typeof parts): void {
  const load = loader._load;
  before(() => {
    parts = own;
    loader._load = (request, ...rest) => (request === "vscode" ? standIn : load(request, ...rest));
  });
  after(() => {
    loader._load = load;
  });
}
