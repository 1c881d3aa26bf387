/* The values of the editor's module that carry something and do little: places, texts, rows, choices. */

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    // As the editor does.
    if (line < 0 || character < 0) throw new Error("illegal argument: a position begins at 0");
    this.line = line;
    this.character = character;
  }
  isBefore(other: Position): boolean {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
  isEqual(other: Position): boolean {
    return this.line === other.line && this.character === other.character;
  }
  isBeforeOrEqual(other: Position): boolean {
    return this.isBefore(other) || this.isEqual(other);
  }
  isAfter(other: Position): boolean {
    return other.isBefore(this);
  }
  isAfterOrEqual(other: Position): boolean {
    return other.isBeforeOrEqual(this);
  }
  translate(lines = 0, characters = 0): Position {
    return new Position(this.line + lines, this.character + characters);
  }
  with(line = this.line, character = this.character): Position {
    return new Position(line, character);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...ends: readonly [Position, Position] | readonly [number, number, number, number]) {
    const [start, end] = ends.length === 4 ? [new Position(ends[0], ends[1]), new Position(ends[2], ends[3])] : ends;
    [this.start, this.end] = end.isBefore(start) ? [end, start] : [start, end];
  }
  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }
  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }
  contains(other: Position | Range): boolean {
    const [start, end] = other instanceof Position ? [other, other] : [other.start, other.end];
    return this.start.isBeforeOrEqual(start) && end.isBeforeOrEqual(this.end);
  }
  intersection(other: Range): Range | undefined {
    const start = this.start.isAfter(other.start) ? this.start : other.start;
    const end = this.end.isBefore(other.end) ? this.end : other.end;
    return start.isAfter(end) ? undefined : new Range(start, end);
  }
}

export class Selection extends Range {
  readonly anchor: Position;
  readonly active: Position;
  constructor(anchor: Position, active: Position) {
    super(anchor, active);
    this.anchor = anchor;
    this.active = active;
  }
}

interface UriParts {
  readonly scheme: string;
  readonly authority?: string;
  readonly path?: string;
  readonly query?: string;
  readonly fragment?: string;
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  constructor({ scheme, authority = "", path = "", query = "", fragment = "" }: UriParts) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.query = query;
    this.fragment = fragment;
  }
  static from(parts: UriParts): Uri {
    return new Uri(parts);
  }
  static file(path: string): Uri {
    return new Uri({ scheme: "file", path });
  }
  static parse(text: string, isStrict = false): Uri {
    const {
      scheme = "",
      authority = "",
      path = "",
      query = "",
      fragment = "",
    } = /^(?:(?<scheme>[a-z][\w.+-]*):)?(?:\/\/(?<authority>[^/?#]*))?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<fragment>.*))?$/is.exec(
      text,
    )?.groups ?? {};
    if (scheme === "" && isStrict) throw new Error(`[UriError]: Scheme is missing: ${text}`);
    const decoded = (part: string): string => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    };
    return new Uri({
      scheme: scheme === "" ? "file" : scheme,
      authority: decoded(authority),
      path: decoded(path),
      query: decoded(query),
      fragment: decoded(fragment),
    });
  }
  static joinPath(base: Uri, ...names: readonly string[]): Uri {
    const parts: string[] = [];
    for (const part of [base.path, ...names].join("/").split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return base.with({ path: `/${parts.join("/")}` });
  }
  get fsPath(): string {
    return this.path;
  }
  with(change: Partial<UriParts>): Uri {
    return new Uri({
      scheme: this.scheme,
      authority: this.authority,
      path: this.path,
      query: this.query,
      fragment: this.fragment,
      ...change,
    });
  }
  toString(): string {
    const encoded = (part: string): string => encodeURIComponent(part).replaceAll("%2F", "/");
    return `${this.scheme}:${this.authority === "" && this.scheme !== "file" ? "" : `//${encoded(this.authority)}`}${encoded(this.path)}${this.query === "" ? "" : `?${encodeURIComponent(this.query)}`}${this.fragment === "" ? "" : `#${encodeURIComponent(this.fragment)}`}`;
  }
  toJSON(): unknown {
    return this.toString();
  }
}

/** A class whose objects keep what they are made with, under these names. */
function shape(...names: readonly string[]): new (...values: readonly unknown[]) => Record<string, unknown> {
  return class {
    [name: string]: unknown;
    constructor(...values: readonly unknown[]) {
      for (const [index, name] of names.entries()) if (values[index] !== undefined) this[name] = values[index];
    }
  };
}

export class MarkdownString {
  value: string;
  isTrusted: unknown = undefined;
  supportThemeIcons = false;
  constructor(value = "") {
    this.value = value;
  }
  appendText(text: string): this {
    this.value += text;
    return this;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
  appendCodeblock(text: string): this {
    this.value += text;
    return this;
  }
}

export class WorkspaceEdit {
  readonly changes: { readonly uri: Uri; readonly range: Range; readonly text: string }[] = [];
  insert(uri: Uri, at: Position, text: string): void {
    this.changes.push({ uri, range: new Range(at, at), text });
  }
  replace(uri: Uri, range: Range, text: string): void {
    this.changes.push({ uri, range, text });
  }
  delete(uri: Uri, range: Range): void {
    this.changes.push({ uri, range, text: "" });
  }
}

export class FileSystemError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
  static FileNotFound(): FileSystemError {
    return new FileSystemError("FileNotFound");
  }
}

export class TabInputText {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}

export const TreeItem = shape("label", "collapsibleState");
export const CodeLens = shape("range", "command");
export const ThemeIcon = shape("id", "color");
export const ThemeColor = shape("id");
export const Location = shape("uri", "range");
export const Hover = shape("contents", "range");
export const Diagnostic = shape("range", "message", "severity");
export const CodeAction = shape("title", "kind");
export const CompletionItem = shape("label", "kind");
export const CompletionList = shape("items", "isIncomplete");
export const DocumentSymbol = shape("name", "detail", "kind", "range", "selectionRange");
export const InlayHint = shape("position", "label", "kind");
export const SnippetString = shape("value");
export const RelativePattern = shape("baseUri", "pattern");
export const DocumentPasteEdit = shape("insertText", "title", "kind");
export const LanguageModelTextPart = shape("value");
export const LanguageModelToolResult = shape("content");
export const TestTag = shape("id");
export const TextEdit = shape("range", "newText");
export const TestMessage = Object.assign(shape("message"), {
  diff: (message: string, expected: string, actual: string) => ({ message, expected, actual }),
});
export const TestRunRequest = shape("include", "exclude", "profile");

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const QuickInputButtons = { Back: { tooltip: "Back" } };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1, Two: 2 };
export const LogLevel = { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 };
export const ExtensionKind = { UI: 1, Workspace: 2 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const TextEditorRevealType = { Default: 0, InCenter: 1, InCenterIfOutsideViewport: 2, AtTop: 3 };
export const UIKind = { Desktop: 1, Web: 2 };
export const SymbolKind = { Method: 5 };
export const CompletionItemKind = { Method: 1, Variable: 5, Value: 11, Reference: 17 };
export const TestRunProfileKind = { Run: 1, Debug: 2, Coverage: 3 };
export const EndOfLine = { LF: 1, CRLF: 2 };

const kind = (value: string): unknown => ({
  value,
  append: (more: string) => kind(`${value}.${more}`),
  contains: () => true,
});
export const CodeActionKind = {
  QuickFix: kind("quickfix"),
  RefactorRewrite: kind("refactor.rewrite"),
  Refactor: kind("refactor"),
  Empty: kind(""),
};
export const DocumentDropOrPasteEditKind = { Text: kind("text"), Empty: kind("") };
