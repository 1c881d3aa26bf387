import * as l10n from "@vscode/l10n";
import { CallError } from "../base/failure.ts";

/* The rows of a response: an odd one costs none of the others, and is not overlooked. */

/** Returns the rows of a result. Throws `unreadableResult` where it is not an array. */
export function rowsIn(result: unknown): readonly unknown[] {
  if (!Array.isArray(result))
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("The response is not an array.") });
  return result as readonly unknown[];
}

/** Reads each row. Returns the items in their order, and the rows that are none as they came. */
export function readRows<Item>(
  rows: readonly unknown[],
  read: (row: unknown) => Item | undefined,
): { readonly list: readonly Item[]; readonly unreadable: readonly unknown[] } {
  const list: Item[] = [];
  const unreadable: unknown[] = [];
  for (const row of rows) {
    const item = read(row);
    if (item === undefined) unreadable.push(row);
    else list.push(item);
  }
  return { list, unreadable };
}
