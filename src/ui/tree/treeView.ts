import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import { withoutDigitSpaces } from "../../base/decimal.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import type { Row, RowIcon, RowTree } from "../../present/rows/row.ts";
import { ShownRows } from "./shownRows.ts";
import { TreeSchedule } from "./treeSchedule.ts";

/**
 * A tree view of VS Code. Its elements are row ids, which stay the same while rows change. So selection, focus and
 * expansion survive, and a command gets nothing but an id.
 */
export interface LiveTree extends Disposable {
  readonly provider: vscode.TreeDataProvider<string>;
  readonly view: vscode.TreeView<string>;
  /** The schedule that decides when changes are drawn. */
  readonly schedule: TreeSchedule;
  /** Whether VS Code has asked for the first level while it was empty. */
  readonly isDrawnEmpty: boolean;
  /** Reports that the content of a row, or of rows below it, may have changed. */
  touch(id: string): void;
  /** Shows a row at once that the user has changed; others keep their places for a while. */
  answer(id: string): void;
  /**
   * Reports that anything may have changed. Rows with a different text are drawn again, and where some were added,
   * removed or moved, the row above them or, on the first level, all.
   */
  refresh(): void;
  /**
   * Does the same after time has passed or the market has moved. Rows of which only figures differ wait while the user
   * is active in the view: when VS Code draws rows, it closes the menu that is open on one.
   */
  refreshFigures(): void;
  /** Draws everything at once, paused or not: for what the user has just asked for. */
  redraw(): void;
}

/** The view, made at activation, before there are rows. */
export interface TreeFrame {
  readonly view: vscode.TreeView<string>;
  readonly changes: vscode.EventEmitter<string | string[] | undefined>;
  /** The pause of drawing in which boxes open; default: none opens. */
  readonly drawingPause?: DrawingPause;
}

/** The view, and what it shows. */
interface ShownTree {
  readonly frame: TreeFrame;
  readonly clock: Clock;
  readonly rows: RowTree;
  /** Returns the command that a click on a row runs (default: the click opens it). */
  readonly commandOf?: (row: Row) => vscode.Command | undefined;
  /** Called when VS Code has the first rows, after it had none. */
  readonly onDidDrawFirst?: () => void;
}

export function createLiveTree({ frame, clock, rows, commandOf, onDidDrawFirst }: ShownTree): LiveTree {
  const shown = new ShownRows(rows);
  const disposables = new DisposableList();
  let isDrawnEmpty = false;
  let drawings = 0;
  const noticeDrawing = async (): Promise<void> => {
    drawings += 1;
    await frame.drawingPause?.drawing();
    drawings -= 1;
  };
  const fire = (what: string[] | undefined): void => {
    void noticeDrawing();
    frame.changes.fire(what);
  };
  const fireRoot = (): void => {
    shown.clear();
    fire(undefined);
  };
  const schedule = new TreeSchedule({
    clock,
    isOutdated: (id) => shown.isOutdated(id),
    isOpen: (id) => shown.open.has(id),
    rowsBelow: (id) => (shown.open.has(id) ? (shown.below(id)?.length ?? 0) : 0),
    parentOf: (id) => rows.parentOf(id),
    isHeld: () => drawings > 0 || frame.drawingPause?.isOn === true,
    fire(what) {
      if (what === "root") {
        fireRoot();
        return;
      }
      shown.forgetGone();
      shown.awaitBelow(what);
      fire([...what]);
    },
  });
  disposables.add(schedule);
  disposables.add(frame.view.onDidExpandElement(({ element }) => shown.setOpen(element, true)));
  disposables.add(frame.view.onDidCollapseElement(({ element }) => shown.setOpen(element, false)));
  disposables.add(frame.view.onDidChangeSelection(() => schedule.noticeHand()));
  const touch = (id: string): void => {
    if (shown.has(id)) schedule.changeRow(id);
    if (shown.isRearrangedBelow(id)) schedule.changeGroup(id);
    else for (const each of shown.below(id) ?? []) touch(each);
  };
  const refresh = (isUrgent: (id: string) => boolean): void => {
    if (shown.isRearrangedBelow(undefined)) {
      schedule.changeRoot();
      return;
    }
    for (const id of shown.rearranged) schedule.showGroup(id);
    for (const id of shown.ids) {
      if (isUrgent(id)) schedule.changeRow(id);
      else schedule.changeFigures(id);
    }
  };

  return {
    view: frame.view,
    schedule,
    get isDrawnEmpty() {
      return isDrawnEmpty;
    },
    touch,
    answer(id) {
      schedule.noticeHand();
      schedule.releaseRow(id);
      touch(id);
    },
    refresh: () => refresh(() => true),
    refreshFigures: () => refresh((id) => shown.isChanged(id)),
    redraw: fireRoot,
    provider: {
      onDidChangeTreeData: frame.changes.event,
      getChildren(id) {
        void noticeDrawing();
        const below = rows.children(id);
        shown.takeBelow(id, below);
        if (id === undefined) {
          const wasEmpty = isDrawnEmpty;
          isDrawnEmpty = below.length === 0;
          if (wasEmpty && !isDrawnEmpty) onDidDrawFirst?.();
        }
        return below.map((row) => row.id);
      },
      getParent: (id) => rows.parentOf(id),
      getTreeItem(id) {
        // A row that has left reads as before until the rows around it are redrawn: it must not turn blank meanwhile.
        const row = shown.rowOf(id);
        if (row === undefined) return new vscode.TreeItem("");
        shown.takeRow(row);
        return treeItem(row, commandOf?.(row));
      },
      // Asked for when a pointer rests on a row: nothing else tells of one.
      resolveTreeItem(item, id) {
        schedule.noticeHand(id);
        const lines = rows.tooltip(id);
        shown.takeTooltip(id, lines);
        item.tooltip = tooltipMarkdown(lines);
        return item;
      },
    },
    dispose: () => disposables.dispose(),
  };
}

/**
 * The command of VS Code that does nothing. A click on a row with a command selects it, and opens it no more: the arrow
 * does. https://github.com/microsoft/vscode/blob/main/src/vs/workbench/browser/parts/views/treeView.ts
 */
export const SELECT_ONLY: vscode.Command = { command: "noop", title: "" };

function treeItem(row: Row, command: vscode.Command | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, COLLAPSIBLE[row.children]);
  item.id = row.id;
  item.description = row.description;
  item.contextValue = row.contextValue;
  // A number is spoken as one.
  item.accessibilityInformation = { label: withoutDigitSpaces(row.spoken) };
  if (row.icon !== undefined) item.iconPath = themeIcon(row.icon);
  if (command !== undefined) item.command = command;
  return item;
}

function themeIcon({ name, color }: RowIcon): vscode.ThemeIcon {
  return color === undefined ? new vscode.ThemeIcon(name) : new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}

const COLLAPSIBLE: Readonly<Record<Row["children"], vscode.TreeItemCollapsibleState>> = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
};

/** Returns a tooltip: sentences first, then names and values in two columns. Nothing in it can be a link of ours. */
export function tooltipMarkdown(
  lines: readonly { readonly name: string | undefined; readonly value: string }[],
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  for (const { value } of lines.filter((line) => line.name === undefined)) appendSentence(markdown, value);
  const fields = lines.filter((line) => line.name !== undefined);
  if (fields.length > 0) {
    const width = Math.max(...fields.map((line) => (line.name ?? "").length));
    markdown.appendCodeblock(
      fields.map((line) => `${(line.name ?? "").padEnd(width)}  ${line.value}`).join("\n"),
      "plaintext",
    );
  }
  return markdown;
}

/** Appends a sentence word by word, so that lines can wrap: `appendText` turns spaces into non-breaking ones. */
function appendSentence(markdown: vscode.MarkdownString, sentence: string): void {
  for (const word of sentence.split(" ")) {
    markdown.appendText(word);
    markdown.value += " ";
  }
  markdown.appendText("\n");
}

/** Shows a number on a view's icon, or none; does not set a number that is already shown. */
export function setBadge(view: Pick<vscode.TreeView<string>, "badge">, badge: vscode.ViewBadge | undefined): void {
  if (view.badge?.value !== badge?.value || view.badge?.tooltip !== badge?.tooltip) view.badge = badge;
}

/**
 * Keeps rows from being drawn again while a box or a list opens. When VS Code has drawn rows of a tree that has the
 * focus, it gives the tree the focus once more, even where a box has just taken it. A list that needs the focus would
 * be gone before it can be read.
 */
export interface DrawingPause {
  /** Whether a box opens, so that trees must not tell VS Code of changes. */
  readonly isOn: boolean;
  /** Reports that VS Code draws: it was told of changes, or asks for rows. Resolves when it has drawn everything. */
  drawing(): Promise<void>;
  /** Calls `show`, which opens a box, when everything is drawn. The pause ends when VS Code has opened it. */
  open(show: () => void): Promise<void>;
}

/**
 * VS Code doesn't tell when it has drawn, but answers requests in their order. A change leaves after the request that
 * is made with it, and is drawn while the next one is answered, if VS Code doesn't ask for rows before.
 */
const ANSWERS_TO_DRAW = 3;

/** Makes the drawing pause of a window. `ask`: makes a request that does nothing, and resolves with its answer. */
export function createDrawingPause(ask: () => PromiseLike<unknown>): DrawingPause {
  let boxes = 0;
  let answersLeft = 0;
  let drawn: Promise<void> | undefined;
  const countAnswers = async (): Promise<void> => {
    while (answersLeft > 0) {
      answersLeft -= 1;
      try {
        await ask();
      } catch {
        // A refusal is an answer too.
      }
    }
    drawn = undefined;
  };
  const drawing = async (): Promise<void> => {
    answersLeft = ANSWERS_TO_DRAW;
    drawn ??= countAnswers();
    await drawn;
  };
  return {
    get isOn() {
      return boxes > 0;
    },
    drawing,
    async open(show) {
      boxes += 1;
      try {
        await drawn;
        show();
        await drawing();
      } finally {
        boxes -= 1;
      }
    },
  };
}
