// @ts-check
/** What the shipped files need of the editor's module to be loaded and to draw rows. */
export class EventEmitter {
  /** @type {Set<(value: any) => void>} */
  listeners = new Set();
  event = (/** @type {(value: any) => void} */ listener) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(/** @type {unknown} */ value) {
    for (const listener of this.listeners) listener(value);
  }
  dispose() {
    this.listeners.clear();
  }
}

export class TreeItem {
  constructor(/** @type {string} */ label, /** @type {number} */ collapsibleState) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class ThemeColor {
  constructor(/** @type {string} */ id) {
    this.id = id;
  }
}

export class ThemeIcon {
  constructor(/** @type {string} */ id, /** @type {ThemeColor | undefined} */ color) {
    this.id = id;
    this.color = color;
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const QuickInputButtons = {};
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const LogLevel = { Off: 0, Trace: 1 };
export const CompletionItemKind = { Reference: 17, Value: 11, Variable: 5, Method: 1 };
export const CodeActionKind = {
  QuickFix: kindOf("quickfix"),
  RefactorRewrite: kindOf("refactor.rewrite"),
  RefactorInline: kindOf("refactor.inline"),
  Refactor: kindOf("refactor"),
  Source: kindOf("source"),
};

/** @param {string} value @returns {{ value: string, append: (part: string) => any }} */
function kindOf(value) {
  return { value, append: (part) => kindOf(`${value}.${part}`) };
}

export class CodeLens {
  constructor(/** @type {unknown} */ range) {
    this.range = range;
  }
}
