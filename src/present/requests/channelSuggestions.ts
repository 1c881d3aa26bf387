import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { isPrivate } from "../../catalogue/index.ts";
import type { ChannelReference } from "../../catalogue/method.ts";
import { channelReferences, segmentWords } from "../../catalogue/reference/reference.ts";
import type { Cursor } from "../../requests/file/cursor.ts";
import type { KnownObjects } from "./knownObjects.ts";
import { MAX_SUGGESTIONS, meaningAt } from "./objectSuggestions.ts";
import { either, withoutMarks } from "./methodWords.ts";
import type { ParamMeaning } from "./paramMeanings.ts";
import { NO_SUGGESTIONS, sortText, typedText, type Suggestion, type Suggestions } from "../text/suggestion.ts";

/* Names of channels: patterns with the known words of their segments, and with what is known of the account. */

/** A way on from what is typed: the rest of a pattern, the segment at the cursor perhaps filled in. */
interface Offer {
  readonly channel: ChannelReference;
  /** The segments, of which those in braces are still to be filled in. */
  readonly segments: readonly string[];
}

/** Returns the names of channels for the element of `channels` at the cursor; none elsewhere. `text`: of the file. */
export function channelSuggestions(
  text: string,
  cursor: Cursor,
  known: Pick<KnownObjects, "instruments" | "currencies" | "indexNames">,
): Suggestions {
  if (!isChannelAt(cursor) || cursor.placeholder !== undefined) return NO_SUGGESTIONS;
  const isForPrivate = isPrivate(cursor.request.method ?? "");
  const typed = typedText(text, cursor);
  const offers = channelReferences()
    .filter(({ access }) => isForPrivate || access === "public")
    .flatMap((channel) => offersOf(channel, typed, known));
  return {
    items: offers.slice(0, MAX_SUGGESTIONS).map((offer, index) => suggestionOf(offer, cursor, index)),
    // The next segment has words of its own.
    isIncomplete: true,
  };
}

/** Whether the cursor is at a name in the `channels` of a request that follows channels, or ends that. */
function isChannelAt({ path, isName, request }: Pick<Cursor, "path" | "isName" | "request">): boolean {
  return (
    path.length === 3 &&
    path[0] === "params" &&
    path[1] === "channels" &&
    !isName &&
    /\/(?:un)?subscribe$/.test(request.method ?? "")
  );
}

/** Returns the ways on in a channel: none where what is typed does not fit. */
function offersOf(
  channel: ChannelReference,
  typed: string,
  known: Pick<KnownObjects, "instruments" | "currencies" | "indexNames">,
): readonly Offer[] {
  const segments = channel.pattern.split(".");
  const given = typed.split(".");
  const last = given.length - 1;
  const current = segments[last];
  if (!isBegun(segments, given) || current === undefined) return [];
  const filled = (segment: string): Offer => ({
    channel,
    segments: [...given.slice(0, last), segment, ...segments.slice(last + 1)],
  });
  const start = (given[last] ?? "").toLowerCase();
  // Before anything is typed, a channel is one offer.
  if (typed === "") return [filled(current)];
  if (!isPlace(current)) return current.startsWith(start) ? [filled(current)] : [];
  return wordsOf(nameOf(current), known)
    .filter((word) => word.toLowerCase().includes(start) && plain.text(word, MAX_WORD) === word)
    .slice(0, MAX_SUGGESTIONS)
    .map(filled);
}

const MAX_WORD = 128;

/** Returns the words that a segment can be, as far as they are known. */
function wordsOf(
  name: string,
  { instruments, currencies, indexNames }: Pick<KnownObjects, "instruments" | "currencies" | "indexNames">,
): readonly string[] {
  const words = segmentWords(name);
  if (name === "instrument_name") return instruments.items.filter(({ isActive }) => isActive).map((each) => each.name);
  if (name === "index_name") return indexNames.items;
  return name === "currency" ? [...new Set([...words, ...currencies.items])] : words;
}

/** Whether a channel begins with what is typed before the last dot. */
function isBegun(segments: readonly string[], given: readonly string[]): boolean {
  return given.slice(0, -1).every((segment, index) => isPlace(segments[index] ?? "") || segments[index] === segment);
}

function isPlace(segment: string): boolean {
  return segment.startsWith("{");
}

function nameOf(place: string): string {
  return place.slice(1, -1);
}

/** Returns a channel as a snippet: what is to be filled in is a choice of the known words, or a place. */
export function channelSnippet(segments: readonly string[]): string {
  let count = 0;
  return segments
    .map((segment) => {
      if (!isPlace(segment)) return segment.replaceAll(/[$}\\]/g, String.raw`\$&`);
      const words = segmentWords(nameOf(segment));
      count += 1;
      return words.length > 0 ? `\${${String(count)}|${words.join(",")}|}` : `\${${String(count)}:${nameOf(segment)}}`;
    })
    .join(".");
}

function suggestionOf({ channel, segments }: Offer, { literal, isText }: Cursor, index: number): Suggestion {
  const label = segments.join(".");
  return {
    kind: "value",
    label,
    description: withoutMarks(channel.summary),
    lines: [
      withoutMarks(channel.summary),
      ...(channel.scopes.length === 0
        ? []
        : [l10n.t("Scope: {0}", either(channel.scopes.map((scope) => plain.name(scope))))]),
    ],
    range: literal,
    newText: `"${channelSnippet(segments)}"`,
    isSnippet: true,
    filterText: isText ? `"${label}"` : label,
    sortText: sortText(0, index),
  };
}

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
    return isBegun(segments, given) ? (SEGMENTS[segments[last] ?? ""] ?? []) : [];
  });
  return [...new Set(lists)];
}
