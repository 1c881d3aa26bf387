import { environmentWords } from "../../actions/intent/connectionNames.ts";
import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { INVALID_CREDENTIALS, METHOD_NOT_FOUND } from "../../catalogue/codes.ts";
import type { Environment } from "../../state/records.ts";
import { asOfMs, type Snapshot } from "../../state/snapshot.ts";
import { failureText, readFailureText } from "../text/failureText.ts";
import type { NodeBranch } from "./nodes.ts";
import { countText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";
import { joined } from "../text/joined.ts";

/** The data of one connection for a view. Its members are read each time, so that they may be getters. */
export interface ResourceSource<Item> {
  readonly connectionId: string;
  readonly connectionName: string;
  readonly environment: Environment;
  readonly snapshot: Snapshot<Item>;
}

/** The names of a view's items, in whole sentences. If nothing is connected, its welcome text is shown. */
export interface ResourceWords {
  readonly reading: (place: Plain) => Plain;
  readonly none: (place: Plain) => Plain;
  /** The scope that its welcome text names where the key lacks it; several are joined as in a failure. */
  readonly scope: string;
  /** Returns the text for a server that does not list them: what that means here, and what is still possible. */
  readonly notOffered: (place: Plain) => Plain;
  /** Returns the text instead of a list that could not be read; empty for nothing. */
  readonly instead?: (failure: Failure) => Plain;
  /** Returns further remarks about a connection's rows; empty for nothing. */
  readonly remark?: (source: ResourceSource<unknown>) => Plain;
  /** Returns figures of the only connection, for the title of the view; empty for none. */
  readonly figures?: (source: ResourceSource<unknown>) => Plain;
}

/** Returns the remark of a list or total that leaves out what is isolated; empty without isolated margin. */
export function isolatedRemark(hasIsolated: boolean | undefined): Plain {
  return hasIsolated === true
    ? l10n.t("Isolated margin is in use. Isolated orders and positions aren't covered here.")
    : "";
}

/** The texts around the rows of a view. */
export interface ResourceHeading {
  /** The text beside the title: which connection, how fresh, what is hidden. */
  readonly description: Plain;
  /** The text above the rows, or instead of them, where one is needed; undefined otherwise. */
  readonly message: Plain | undefined;
  /** The contents of the view, for the welcome texts. */
  readonly content:
    | "rows"
    | "notConnected"
    | "loading"
    | "none"
    | "filtered"
    | "failed"
    | "refused"
    | "missingScope"
    | "noKey"
    | "notOffered";
  /**
   * Whether the welcome text of `content` says all that `message` says, and has a button for it. VS Code shows one of
   * the two. While a list is loading it shows neither: both would take the keyboard focus with them when the rows come.
   * The description says that it is loading.
   */
  readonly isWelcomed: boolean;
}

/** Returns the heading. `note`: further text beside the title, e.g. a filter; empty for nothing. */
export function resourceHeading(
  sources: readonly ResourceSource<unknown>[],
  words: ResourceWords,
  { times, note }: { readonly times: Times; readonly note: Plain },
): ResourceHeading {
  const [first] = sources;
  if (first === undefined) return { description: "", message: undefined, content: "notConnected", isWelcomed: true };
  const place = sources.length === 1 ? connectionPlaceOf(first) : l10n.t("{0} connections", sources.length);
  const figures = sources.length === 1 ? (words.figures?.(first) ?? "") : "";
  const description = joined([place, figures, freshnessText(sources, times), note], " · ");
  const sentences = sources.flatMap((source) => {
    if (sources.length === 1) return sentencesOf(source, words, times);
    // What is merely so stands on the connection's own row; here stands what went wrong.
    const { snapshot } = source;
    const isTroubled = !isKeyless(snapshot) && (snapshot.failure !== undefined || snapshot.unreadable.length > 0);
    const text = isTroubled || remarkText(source, words) !== "" ? sentencesOf(source, words, times) : [];
    return text.length === 0 ? [] : [l10n.t("{0}:", connectionPlaceOf(source)), ...text];
  });
  const content = sources.length === 1 ? contentOf(first.snapshot, note !== "") : "rows";
  return {
    description,
    message: sentences.length === 0 ? undefined : plain.join(sentences, " "),
    content,
    isWelcomed: isSaidByWelcome(content, first.snapshot, { words, sentences }),
  };
}

/**
 * Whether the welcome text covers it, which is the same for every connection. Other failures have their own words, in
 * the message.
 */
function isSaidByWelcome(
  content: ResourceHeading["content"],
  { status, failure }: Snapshot<unknown>,
  { words, sentences }: { readonly words: ResourceWords; readonly sentences: readonly string[] },
): boolean {
  const said = status === "failed" && insteadText(failure, words) !== "" ? 2 : 1;
  if (content === "rows" || content === "failed" || sentences.length > said) return false;
  return content !== "missingScope" || (failure?.kind === "missingScope" && failure.scope === words.scope);
}

function contentOf(
  { status, items, unreadable, failure }: Snapshot<unknown>,
  isFiltered: boolean,
): ResourceHeading["content"] {
  if (items.size > 0 || unreadable.length > 0) return "rows";
  switch (status) {
    case "loading":
      return "loading";
    case "live":
      return isFiltered ? "filtered" : "none";
    case "stale":
      return "failed";
    case "failed":
      return failedContent(failure);
  }
}

function failedContent(failure: Failure | undefined): ResourceHeading["content"] {
  if (failure?.kind === "missingScope" || failure?.kind === "noKey") return failure.kind;
  if (isKeyRefused(failure)) return "refused";
  return isToldAsNotOffered(failure) ? "notOffered" : "failed";
}

function sentencesOf(source: ResourceSource<unknown>, words: ResourceWords, times: Times): Plain[] {
  const { status, items, failure, unreadable } = source.snapshot;
  const atMs = asOfMs(source.snapshot);
  const place = connectionPlaceOf(source);
  const sentences: Plain[] = [];
  if (status === "live" && items.size === 0 && unreadable.length === 0) sentences.push(words.none(place));
  if (status === "loading") sentences.push(words.reading(place));
  if (status === "live" && failure !== undefined)
    sentences.push(
      l10n.t("Live updates aren't available for this connection. The list is refreshed every few seconds."),
    );
  if (status === "stale" && atMs !== undefined)
    sentences.push(l10n.t("Not up to date since {0}.", times.clock(atMs)), happenedText(failure, place));
  if (status === "failed") sentences.push(failedText(failure, words, place), insteadText(failure, words));
  sentences.push(remarkText(source, words));
  if (unreadable.length > 0)
    sentences.push(l10n.t("Items with an unexpected format, shown raw: {0}.", countText(unreadable.length)));
  return sentences.filter((sentence) => sentence !== "");
}

function insteadText(failure: Failure | undefined, { instead }: ResourceWords): Plain {
  return failure === undefined ? "" : (instead?.(failure) ?? "");
}

/** Returns the remark on a list that exists. A list that has not been read has its own sentence. */
function remarkText(source: ResourceSource<unknown>, { remark }: ResourceWords): Plain {
  return source.snapshot.readAtMs === undefined ? "" : (remark?.(source) ?? "");
}

/** Returns the freshness of the least fresh source. A connection without a key has no data that could be old. */
export function freshnessText(sources: readonly { readonly snapshot: Snapshot<unknown> }[], times: Times): Plain {
  const read = sources.flatMap(({ snapshot }) => (isKeyless(snapshot) ? [] : [snapshot]));
  if (read.length === 0) return l10n.t("no API key");
  if (read.some(({ status }) => status === "loading")) return l10n.t("loading…");
  // Figures that no event brings are as old as their reading, however soon the next one comes.
  if (read.every(({ status, failure, pollPauseMs }) => status === "live" && (failure ?? pollPauseMs) === undefined))
    return l10n.t("live");
  const readings = read.map(asOfMs);
  if (readings.includes(undefined)) return l10n.t("not read");
  return l10n.t("as of {0}", times.clock(Math.min(...readings.map((atMs) => atMs ?? 0))));
}

/**
 * Returns the text on the row of a connection, where there are several: `3`, `none`, `no API key`, `3 · as of
 * 12:04:07`.
 */
export function branchState(snapshot: Snapshot<unknown>, count: Plain, times: Times): Plain {
  const { status, items, unreadable, failure } = snapshot;
  const atMs = asOfMs(snapshot);
  switch (status) {
    case "loading":
      return l10n.t("loading…");
    case "live":
      return items.size + unreadable.length === 0 ? l10n.t("none") : count;
    case "stale":
      return atMs === undefined ? l10n.t("not read") : l10n.t("{0} · as of {1}", count, times.clock(atMs));
    case "failed":
      if (failure?.kind === "noKey") return l10n.t("no API key");
      return unreadWord(failure);
  }
}

/** Returns why there is no list, in a word or two. */
export function unreadWord(failure: Failure | undefined): Plain {
  if (failure?.kind === "missingScope") return l10n.t("scope missing");
  return isNotOffered(failure) ? l10n.t("not supported") : l10n.t("not read");
}

/** Returns the row of a connection, where there are several, without the rows below it. */
export function branchOf(
  source: ResourceSource<unknown>,
  words: ResourceWords,
  times: Times,
): Omit<NodeBranch, "nodes"> {
  const { connectionId, snapshot } = source;
  const state = branchState(snapshot, l10n.t("{0} listed", countText(snapshot.items.size)), times);
  return {
    connectionId,
    label: connectionPlaceOf(source),
    state,
    sentences: sentencesOf(source, words, times),
    isBare: isKeyless(snapshot) && snapshot.items.size === 0,
  };
}

/**
 * Returns the text that a connection without a key has no account to show, and its use. `place`: environment and name.
 */
export function noKeyText(place: Plain): Plain {
  return l10n.t(
    "{0} has no API key, so no account data is available. Show Last Trades… and public methods still work. Use Edit Connection… to sign in with an API key.",
    place,
  );
}

/** Whether the connection has no key and thus no account. */
export function isKeyless({ status, failure }: Snapshot<unknown>): boolean {
  return status === "failed" && failure?.kind === "noKey";
}

/** Whether the server does not have the method, as it says itself or as is known of it. */
export function isNotOffered(failure: Failure | undefined): boolean {
  return failure?.kind === "notOffered" || isToldAsNotOffered(failure);
}

/** Whether the server says itself that it does not have the method. It may still offer others for the same. */
function isToldAsNotOffered(failure: Failure | undefined): boolean {
  return failure?.kind === "exchange" && failure.code === METHOD_NOT_FOUND;
}

/** Whether the exchange did not accept the key, or its secret: only another one helps. */
export function isKeyRefused(failure: Failure | undefined): boolean {
  return failure?.kind === "exchange" && failure.code === INVALID_CREDENTIALS;
}

function failedText(failure: Failure | undefined, words: ResourceWords, place: Plain): Plain {
  if (failure?.kind === "noKey") return noKeyText(place);
  return isToldAsNotOffered(failure) ? words.notOffered(place) : readFailureText(failure, place);
}

function happenedText(failure: Failure | undefined, place: string): Plain {
  return failure === undefined ? "" : failureText(failure, "read", place).happened;
}

/** Returns the environment and the name of a connection. */
export function connectionPlaceOf(source: Pick<ResourceSource<unknown>, "environment" | "connectionName">): Plain {
  return environmentWords(source.environment, source.connectionName);
}
