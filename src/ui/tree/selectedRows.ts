import * as l10n from "@vscode/l10n";
import { CallError } from "../../base/failure.ts";

/**
 * The rows that a command for several means: one of them, and all. From the palette those that are selected in the view
 * (`selection`); from a row's menu as the editor hands them out. The editor shows that menu on a row beside them too
 * and hands out that row alone, and nothing in the place of a row that went while the menu was open: nobody can tell
 * then which were meant, so that nothing is done. Throws `CallError`.
 */
export function selectedRows(
  args: readonly unknown[],
  selection: readonly string[],
): readonly [unknown, readonly unknown[]] {
  const [row, rows] = args;
  if (args.length === 0) {
    if (selection.length === 0)
      throw new CallError({
        kind: "refused",
        reason: l10n.t(
          "Nothing is selected. Select rows with Ctrl or Shift and a click, or with Shift and the arrow keys.",
        ),
      });
    return [selection[0], selection];
  }
  if (!selection.some((each) => each === row))
    throw new CallError({
      kind: "refused",
      reason: l10n.t("That row is not one of those that are selected. Select it too, or select it alone."),
    });
  return [row, Array.isArray(rows) ? rows : [row]];
}

/** Where the rows of a command come from, and what is said when they went while a menu was open. */
export interface RowSource<T> {
  readonly find: (rowId: string) => T | readonly T[] | undefined;
  /** What makes two of them the same; left out, being the same object does. */
  readonly keyOf?: (found: T) => unknown;
  readonly gone: string;
}

/**
 * What the row of a menu stands for, and all selected ones when it is one of them. Throws `CallError`: where the rows
 * went, the editor hands out nothing in their place, and that must not turn into a choice.
 */
export function rowsOf<T>(
  [row, selection]: readonly unknown[],
  { find, keyOf = (found) => found, gone }: RowSource<T>,
): readonly T[] {
  const ids: readonly unknown[] = Array.isArray(selection) && selection.includes(row) ? selection : [row];
  const found = ids.flatMap((id) => (typeof id === "string" ? ([find(id) ?? []].flat() as T[]) : []));
  if (found.length === 0) throw new CallError({ kind: "refused", reason: gone });
  return [...new Map(found.map((each) => [keyOf(each), each])).values()];
}

/** The same for a command that asks when it is called from the palette, which hands it nothing. */
export async function rowsOrPick<T>(
  args: readonly unknown[],
  source: RowSource<T>,
  pick: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  return args.length === 0 ? await pick() : rowsOf(args, source);
}
