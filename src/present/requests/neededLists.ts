import { channelReferences } from "../../catalogue/reference/reference.ts";
import type { Cursor } from "../../requests/file/cursor.ts";
import { typedText } from "../text/suggestion.ts";
import { isChannelAt } from "./channelSuggestions.ts";
import { meaningAt } from "./objectSuggestions.ts";
import type { ParamMeaning } from "./paramMeanings.ts";

/** A list that a connection reads when it is asked for. */
export type NeededList = "instruments" | "currencies" | "indexNames" | "accounts";

/**
 * Returns the lists that the value at the cursor can come from. Each costs a read request, and that of instruments an
 * expensive one, so only those are named that are offered here. `text`: of the file.
 */
export function neededLists(text: string, cursor: Cursor): readonly NeededList[] {
  if (cursor.isName || cursor.placeholder !== undefined) return [];
  if (isChannelAt(cursor)) return channelLists(typedText(text, cursor).split("."));
  const meaning = meaningAt(cursor);
  const list = meaning === undefined ? undefined : LISTS[meaning];
  return list === undefined ? [] : [list];
}

const LISTS: Partial<Readonly<Record<ParamMeaning, NeededList>>> = {
  account: "accounts",
  combo: "instruments",
  currency: "currencies",
  currencyPair: "indexNames",
  index: "indexNames",
  instrument: "instruments",
  instrumentNumber: "instruments",
};

const SEGMENTS: Readonly<Record<string, NeededList>> = {
  "{instrument_name}": "instruments",
  "{currency}": "currencies",
  "{index_name}": "indexNames",
};

/** Returns the lists for the segment that is being typed, of the channels that begin like this. */
function channelLists(given: readonly string[]): readonly NeededList[] {
  const last = given.length - 1;
  if (last === 0) return [];
  const lists = channelReferences().flatMap(({ pattern }) => {
    const segments = pattern.split(".");
    const isFitting = given
      .slice(0, last)
      .every((segment, index) => segments[index]?.startsWith("{") === true || segments[index] === segment);
    return isFitting ? (SEGMENTS[segments[last] ?? ""] ?? []) : [];
  });
  return [...new Set(lists)];
}
