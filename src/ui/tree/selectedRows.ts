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
