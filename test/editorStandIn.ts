import { beforeAll } from "vitest";

/*
 * The module "vscode" for tests in Node (vitest.config.ts). The test files of a process share it; each suite says what
 * it needs of VS Code.
 */

/** Whatever else modules take from VS Code: functions and classes that hand out more of the same. */
export function anything(): unknown {
  const target = function (): void {
    return;
  };
  const made: unknown = new Proxy(target, {
    get: (_, name) =>
      name === Symbol.toPrimitive
        ? (): string => ""
        : name === "then" || typeof name === "symbol"
          ? undefined
          : name === "prototype"
            ? (target.prototype as unknown)
            : name === "dispose"
              ? (): void => undefined
              : anything(),
    apply: () => anything(),
    construct: () => anything() as object,
  });
  return made;
}

/** What modules read while they are loaded has to be there whichever test loads them. */
const ALWAYS = { DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 } };

/** What a suite can give; each member that it does not give is a function, class, and object without behavior. */
type Parts = Partial<Record<string, unknown>>;

const partsOf = (own: Parts): Record<string, unknown> =>
  new Proxy({ ...ALWAYS, ...own }, { get: (target: Parts, name): unknown => target[String(name)] ?? anything() });

export let {
  CodeAction,
  CodeActionKind,
  CodeLens,
  CompletionItem,
  CompletionItemKind,
  CompletionList,
  ConfigurationTarget,
  Diagnostic,
  DiagnosticSeverity,
  DocumentDropOrPasteEditKind,
  DocumentPasteEdit,
  DocumentSymbol,
  EventEmitter,
  ExtensionKind,
  FileSystemError,
  Hover,
  InlayHint,
  InputBoxValidationSeverity,
  LanguageModelTextPart,
  LanguageModelToolResult,
  Location,
  LogLevel,
  MarkdownString,
  McpStdioServerDefinition,
  Position,
  ProgressLocation,
  QuickInputButtons,
  QuickPickItem,
  QuickPickItemKind,
  Range,
  RelativePattern,
  Selection,
  SnippetString,
  StatusBarAlignment,
  SymbolKind,
  TabInputText,
  TerminalProfile,
  TestMessage,
  TestRunProfileKind,
  TestTag,
  TextEditorRevealType,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  UIKind,
  Uri,
  ViewColumn,
  WorkspaceEdit,
  commands,
  env,
  l10n,
  languages,
  lm,
  tests,
  version,
  window,
  workspace,
} = partsOf({});

/** From now on modules that import "vscode" get these parts of it. */
export function setEditor(own: Parts): void {
  ({
    CodeAction,
    CodeActionKind,
    CodeLens,
    CompletionItem,
    CompletionItemKind,
    CompletionList,
    ConfigurationTarget,
    Diagnostic,
    DiagnosticSeverity,
    DocumentDropOrPasteEditKind,
    DocumentPasteEdit,
    DocumentSymbol,
    EventEmitter,
    ExtensionKind,
    FileSystemError,
    Hover,
    InlayHint,
    InputBoxValidationSeverity,
    LanguageModelTextPart,
    LanguageModelToolResult,
    Location,
    LogLevel,
    MarkdownString,
    McpStdioServerDefinition,
    Position,
    ProgressLocation,
    QuickInputButtons,
    QuickPickItem,
    QuickPickItemKind,
    Range,
    RelativePattern,
    Selection,
    SnippetString,
    StatusBarAlignment,
    SymbolKind,
    TabInputText,
    TerminalProfile,
    TestMessage,
    TestRunProfileKind,
    TestTag,
    TextEditorRevealType,
    ThemeColor,
    ThemeIcon,
    TreeItem,
    TreeItemCollapsibleState,
    UIKind,
    Uri,
    ViewColumn,
    WorkspaceEdit,
    commands,
    env,
    l10n,
    languages,
    lm,
    tests,
    version,
    window,
    workspace,
  } = partsOf(own));
}

/** Lets the tests of this suite or file import modules that import "vscode": they get these parts of it. */
export function useEditor(own: Parts): void {
  beforeAll(() => {
    setEditor(own);
  });
}
