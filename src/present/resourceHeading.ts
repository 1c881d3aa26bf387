import * as l10n from "@vscode/l10n";
import { environmentWords } from "../actions/policy.ts";
import type { Failure } from "../base/failure.ts";
import type { Environment } from "../state/records.ts";
import type { Snapshot } from "../state/snapshot.ts";
import { failureText } from "./failureText.ts";
import { countText } from "./numbers.ts";
import type { Times } from "./times.ts";

/** What one connection has to show in a view. Its members are read each time, so that they may be getters. */
export interface ResourceSource<Item> {
  readonly connectionId: string;
  readonly connectionName: string;
  readonly environment: Environment;
  readonly snapshot: Snapshot<Item>;
}

/** What a view calls its things, in whole sentences. Where nothing is connected its welcome text speaks. */
export interface ResourceWords {
  readonly reading: (place: string) => string;
  readonly none: (place: string) => string;
  /** The server does not list them: what that means here, and what is possible without. */
  readonly notOffered: (place: string) => string;
  /** What is shown in the place of a list that could not be read; empty for nothing. */
  readonly instead?: (failure: Failure) => string;
  /** What else has to be said of a connection's rows; empty for nothing. */
  readonly remark?: (source: ResourceSource<unknown>) => string;
}

/** What stands around the rows of a view. */
export interface ResourceHeading {
  /** Beside the title: which connection, how fresh, what is hidden. */
  readonly description: string;
  /** Above the rows, or in their place, where something has to be said; undefined otherwise. */
  readonly message: string | undefined;
  /** What the view shows, for the welcome texts. */
  readonly content: "rows" | "notConnected" | "loading" | "none" | "failed" | "missingScope" | "notOffered";
}

const METHOD_NOT_FOUND = -32601;

/** `note`: what else stands beside the title, e.g. a filter; empty for nothing. */
export function resourceHeading(sources: readonly ResourceSource<unknown>[], words: ResourceWords, { times, note }: { readonly times: Times; readonly note: string }): ResourceHeading {
  const [first] = sources;
  if (first === undefined) return { description: "", message: undefined, content: "notConnected" };
  const place = sources.length === 1 ? placeOf(first) : l10n.t("{0} connections", sources.length);
  const description = [place, freshnessText(sources, times), note].filter((part) => part !== "").join(" · ");
  const sentences = sources.flatMap((source) => {
    const text = sentencesOf(source, words, times);
    return text.length > 0 && sources.length > 1 ? [l10n.t("{0}:", placeOf(source)), ...text] : text;
  });
  const content = sources.length === 1 ? contentOf(first.snapshot) : "rows";
  return { description, message: sentences.length === 0 ? undefined : sentences.join(" "), content };
}

function contentOf({ status, items, unreadable, failure }: Snapshot<unknown>): ResourceHeading["content"] {
  if (items.size > 0 || unreadable.length > 0) return "rows";
  switch (status) {
    case "loading":
      return "loading";
    case "live":
      return "none";
    case "stale":
      return "failed";
    case "failed":
      if (failure?.kind === "missingScope") return "missingScope";
      return isNotOffered(failure) ? "notOffered" : "failed";
  }
}

function sentencesOf(source: ResourceSource<unknown>, words: ResourceWords, times: Times): string[] {
  const { status, items, failure, readAtMs, unreadable } = source.snapshot;
  const place = placeOf(source);
  const sentences: string[] = [];
  if (status === "live" && items.size === 0 && unreadable.length === 0) sentences.push(words.none(place));
  if (status === "loading") sentences.push(words.reading(place));
  if (status === "live" && failure !== undefined) sentences.push(l10n.t("Changes are not pushed for this connection: the list is read again every few seconds."));
  if (status === "stale" && readAtMs !== undefined) sentences.push(l10n.t("Not up to date since {0}.", times.clock(readAtMs)), happenedText(failure, place));
  if (status === "failed") sentences.push(isNotOffered(failure) ? words.notOffered(place) : troubleText(failure, place), insteadText(failure, words));
  sentences.push(remarkText(source, words));
  if (unreadable.length > 0) sentences.push(l10n.t("Rows that do not have the expected shape, shown raw: {0}.", countText(unreadable.length)));
  return sentences.filter((sentence) => sentence !== "");
}

function insteadText(failure: Failure | undefined, { instead }: ResourceWords): string {
  return failure === undefined ? "" : (instead?.(failure) ?? "");
}

/** Only of a list that is there: what has not been read has its own sentence. */
function remarkText(source: ResourceSource<unknown>, { remark }: ResourceWords): string {
  return source.snapshot.readAtMs === undefined ? "" : (remark?.(source) ?? "");
}

/** As fresh as the least fresh of them. */
function freshnessText(sources: readonly ResourceSource<unknown>[], times: Times): string {
  if (sources.some(({ snapshot }) => snapshot.status === "loading")) return l10n.t("loading…");
  const readings = sources.map(({ snapshot }) => snapshot.readAtMs);
  if (readings.includes(undefined)) return l10n.t("not read");
  if (sources.every(({ snapshot }) => snapshot.status === "live" && snapshot.failure === undefined)) return l10n.t("live");
  return l10n.t("as of {0}", times.clock(Math.min(...readings.map((atMs) => atMs ?? 0))));
}

/** Whether the server does not know the method. */
export function isNotOffered(failure: Failure | undefined): boolean {
  return failure?.kind === "exchange" && failure.code === METHOD_NOT_FOUND;
}

/** What is wrong and what to do; that a reading sent nothing would only puzzle here. */
function troubleText(failure: Failure | undefined, place: string): string {
  if (failure === undefined) return "";
  const { happened, advice } = failureText(failure, "read", place);
  return [happened, advice].filter((sentence) => sentence !== "").join(" ");
}

function happenedText(failure: Failure | undefined, place: string): string {
  return failure === undefined ? "" : failureText(failure, "read", place).happened;
}

function placeOf(source: ResourceSource<unknown>): string {
  return environmentWords(source.environment, source.connectionName);
}
