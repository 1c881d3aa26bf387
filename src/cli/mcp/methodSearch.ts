import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { channelTable, methodTable, type MethodEntry } from "../../catalogue/reference/methodTable.ts";
import { channelList, methodDetails, methodList } from "../../present/requests/methodText.ts";
import { nearest } from "../../requests/text/nearest.ts";

/**
 * Returns all that is known of the method with a name. For other words, returns the methods and channels that have all
 * of them in their name, section, or summary. Nothing is sent for it.
 */
export function foundMethods(query: string): string {
  const words = query.trim().toLowerCase().split(/\s+/);
  const table = methodTable();
  const named = methodNamed(table, words.join(" "));
  if (named !== undefined) return methodDetails(named);
  const has = (...texts: readonly string[]): boolean =>
    words.every((word) => texts.some((text) => text.toLowerCase().includes(word)));
  const methods = table.filter(({ name, section, summary }) => has(name, section, summary));
  const channels = channelTable().filter(({ pattern, summary }) => has(pattern, summary));
  if (methods.length + channels.length === 0) return nothingFound(query, table);
  return [
    l10n.t("Call this tool again with the name of a method to see its parameters and result. Nothing was sent."),
    ...(methods.length === 0 ? [] : ["", methodList(methods)]),
    ...(channels.length === 0 ? [] : ["", l10n.t("Channels"), channelList(channels)]),
  ].join("\n");
}

/** Returns the method with a name, or the only one whose name has this end: `private/cancel`, `cancel`. */
function methodNamed(table: readonly MethodEntry[], asked: string): MethodEntry | undefined {
  const [found, ...others] = table.filter(({ name }) => name === asked || name.endsWith(`/${asked}`));
  return others.length === 0 ? found : undefined;
}

function nothingFound(query: string, table: readonly MethodEntry[]): string {
  const near = nearest(
    query,
    table.map(({ name }) => name),
  );
  return near.length === 0
    ? [
        l10n.t(
          "No method has all of these words: {0}. Use fewer words, a name, or a section. Nothing was sent.",
          plain.name(query),
        ),
        l10n.t("Sections: {0}", plain.join([...new Set(table.map(({ section }) => plain.text(section)))], ", ")),
      ].join("\n")
    : l10n.t("Unknown method {0}. Did you mean {1}?", plain.name(query), plain.text(near.join(", ")));
}
