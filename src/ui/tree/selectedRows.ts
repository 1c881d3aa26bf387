import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";

/**
 * Returns the rows that a command for several is about: one of them, and all. From the Command Palette, they are those
 * selected in the view (`selection`); from a row's menu, those that VS Code hands out. VS Code also shows that menu on
 * an unselected row, and hands out that row alone. Throws `CallError`.
 */
export function selectedRows(
  args: readonly unknown[],
  selection: readonly string[],
): readonly [unknown, readonly unknown[]] {
  const [row, rows] = args;
  if (args.length === 0) {
    if (selection.length === 0)
      throw refused(
        l10n.t("No items are selected. Use Ctrl+click or Shift+click, or Shift with the arrow keys, to select items."),
      );
    return [selection[0], selection];
  }
  if (!selection.some((each) => each === row))
    throw refused(l10n.t("That item isn't part of the selection. Add it to the selection, or select only that item."));
  return [row, Array.isArray(rows) ? rows : [row]];
}

/** The source of the rows of a command, and the reason that is shown if they were removed while a menu was open. */
interface RowSource<T> {
  readonly find: (rowId: string) => T | readonly T[] | undefined;
  /** Returns a key that is equal for equal objects; left out, identity decides. */
  readonly keyOf?: (found: T) => unknown;
  readonly gone: string;
}

/**
 * Returns the object of a menu's row, and all selected ones if it is selected. Throws `CallError` if the rows were
 * removed: that must not turn into a choice.
 */
export function rowsOf<T>(
  [row, selection]: readonly unknown[],
  { find, keyOf = (found) => found, gone }: RowSource<T>,
): readonly T[] {
  const ids: readonly unknown[] = Array.isArray(selection) && selection.includes(row) ? selection : [row];
  const found = ids.flatMap((id) => (typeof id === "string" ? ([find(id) ?? []].flat() as T[]) : []));
  if (found.length === 0) {
    requireRowId(row);
    throw refused(gone);
  }
  return [...new Map(found.map((each) => [keyOf(each), each])).values()];
}

/** Returns the objects of a menu's rows, or asks when called from the Command Palette, which hands over nothing. */
export async function rowsOrPick<T>(
  args: readonly unknown[],
  source: RowSource<T>,
  pick: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  return args.length === 0 ? await pick() : rowsOf(args, source);
}

/**
 * Returns the row id that a view hands over. Throws `CallError` for other arguments, as from a task or a debug
 * configuration.
 */
export function requireRowId(rowId: unknown): string {
  if (typeof rowId === "string") return rowId;
  throw refused(
    l10n.t(
      "Nothing was done: this command needs an item. Right-click the item in a Trading RPC view, for example an order, and run the command from the menu.",
    ),
  );
}
