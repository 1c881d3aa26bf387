import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { channelTable, methodTable, type MethodEntry } from "../../catalogue/reference/methodTable.ts";
import { foundList, methodDetails, methodNamed, nothingFound } from "../../present/requests/methodText.ts";
import { nearest } from "../../requests/text/nearest.ts";

/**
 * Returns all that is known of the method with a name. For other words, returns the methods and channels that have all
 * of them in their name, section, or summary. Nothing is sent for it.
 */
export function foundMethods(query: string): string {
  const words = query.trim().toLowerCase().split(/\s+/);
  const table = methodTable();
  const named = methodNamed(table, query);
  if (named !== undefined) return methodDetails(named);
  const has = (...texts: readonly string[]): boolean =>
    words.every((word) => texts.some((text) => text.toLowerCase().includes(word)));
  const methods = table.filter(({ name, section, summary }) => has(name, section, summary));
  const channels = channelTable().filter(({ pattern, summary }) => has(pattern, summary));
  return methods.length + channels.length === 0 ? nearestText(query, table) : foundList(methods, channels);
}

function nearestText(query: string, table: readonly MethodEntry[]): string {
  const near = nearest(
    query,
    table.map(({ name }) => name),
  );
  return near.length === 0
    ? nothingFound(query, table)
    : l10n.t("Unknown method {0}. Did you mean {1}?", plain.name(query), plain.text(near.join(", ")));
}
