import { aboutOf } from "../../actions/changes/changes.ts";
import { MAX_KEPT_RECORDS } from "../../actions/journal/journal.ts";
import type { VerdictOfOrder } from "../../actions/judge/outcome.ts";
import { isUnresolved, type RecordedIntent } from "../../actions/journal/recordedIntents.ts";
import { withoutDigitSpaces } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import {
  intentPlace,
  intentSentences,
  intentState,
  intentTime,
  intentTitle,
  journalTroubleText,
  retentionText,
  verdictState,
} from "./activityWords.ts";
import { cancelReason } from "../outcomes/cancelReasons.ts";
import { fact, factNode } from "../rows/facts.ts";
import type { RowNode } from "../rows/nodes.ts";
import { countText } from "../text/numbers.ts";
import { sentenceLines, type RowIcon, type TooltipLine } from "../rows/row.ts";
import { joined } from "../text/joined.ts";
import { durationText, type Times } from "../text/times.ts";
import { hasText, textParts, type FilterRules, type ViewFilter } from "../rows/viewFilter.ts";

/** The contents and options of the Activity view. */
export interface ActivitySource {
  /** The entries, newest first. */
  readonly intents: readonly RecordedIntent[];
  readonly isUnresolvedOnly: boolean;
  /** The most items that are shown before "Show more". */
  readonly limit: number;
  readonly nowMs: number;
  readonly times: Times;
}

interface ActivityHeading {
  readonly description: string;
  readonly message: Plain | undefined;
  readonly content: "rows" | "none" | "allResolved";
  /** The entries that need attention, with their sentence; undefined where none do. */
  readonly badge: { readonly value: number; readonly tooltip: Plain } | undefined;
}

export const MORE_ACTIVITY = "activity.more";

/**
 * Returns the items, newest first. If they belong to several connections or accounts, they are below an item for each.
 */
export function activityNodes(source: ActivitySource): RowNode[] {
  const shown = shownIntents(source);
  if (shown.length === 0) return [];
  const rest = shown.length - source.limit;
  const byPlace = new Map<string, RecordedIntent[]>();
  for (const intent of shown.slice(0, source.limit)) {
    const place = intentPlace(intent);
    const there = byPlace.get(place);
    if (there === undefined) byPlace.set(place, [intent]);
    else there.push(intent);
  }
  const isTold = byPlace.size > 1;
  const nodes = [...byPlace].flatMap(([place, intents]) => {
    const rows = (): RowNode[] => intents.map((intent) => intentNode(intent, source));
    return isTold ? [placeNode(place, intents.length, rows)] : rows();
  });
  return [...nodes, rest > 0 ? moreNode(rest) : keptNode()];
}

/** Makes the item of a place of changes: environment, connection and account. */
function placeNode(place: string, count: number, below: () => readonly RowNode[]): RowNode {
  return factNode({
    key: `place ${place}`,
    label: plain.text(place, MAX_PLACE),
    facts: [fact(countText(count), count === 1 ? l10n.t("1 item") : l10n.t("{0} items", countText(count)))],
    icon: { name: "plug", color: undefined },
    contextValue: "activity.connection",
    isOpen: true,
    below,
  });
}

const MAX_PLACE = 100;

export function activityHeading(source: ActivitySource, trouble: Plain | undefined): ActivityHeading {
  const open = source.intents.filter(isUnresolved).length;
  const shown = shownIntents(source);
  const places = new Set(shown.slice(0, source.limit).map(intentPlace));
  const [place] = places;
  const openText = open === 1 ? l10n.t("1 outcome unknown") : l10n.t("{0} outcomes unknown", countText(open));
  return {
    // Several places have rows of their own.
    description: [...(place !== undefined && places.size === 1 ? [place] : []), ...(open === 0 ? [] : [openText])].join(
      " · ",
    ),
    message: trouble === undefined ? undefined : journalTroubleText(trouble),
    content: shown.length > 0 ? "rows" : source.isUnresolvedOnly && source.intents.length > 0 ? "allResolved" : "none",
    badge:
      open === 0 ? undefined : { value: open, tooltip: placesText(source.intents.filter(isUnresolved)) ?? openText },
  };
}

/** Returns the places of entries, a line for each connection; undefined where there is only one. */
function placesText(intents: readonly RecordedIntent[]): Plain | undefined {
  const counts = new Map<Plain, number>();
  for (const intent of intents) counts.set(intentPlace(intent), (counts.get(intentPlace(intent)) ?? 0) + 1);
  if (counts.size < 2) return undefined;
  const lines = [...counts].map(([place, count]) =>
    count === 1
      ? l10n.t("{0}: 1 outcome unknown", place)
      : l10n.t("{0}: {1} outcomes unknown", place, countText(count)),
  );
  return plain.join(lines, "\n");
}

/** Returns the text of an entry for copying: its sentences, one to a line. */
export function copiedIntent(intent: RecordedIntent, times: Times): string {
  return [
    ...intentSentences(intent, times),
    ...detailLines(intent).map(({ name, value }) => l10n.t("{0}: {1}", name, value)),
  ].join("\n");
}

/** Returns an entry as one JSON object to keep or read elsewhere. Holds what the journal holds: no secrets. */
export function exportedIntent(intent: RecordedIntent, times: Times): Readonly<Record<string, unknown>> {
  const { id, connectionId, method, paramsText, note, writtenAtMs, sentAtMs, wireId, outcome, verdicts, isSetAside } =
    intent;
  const stamped = (step: { readonly atMs: number }): Readonly<Record<string, unknown>> => ({
    at: times.utc(step.atMs),
    ...step,
  });
  return {
    id,
    title: withoutDigitSpaces(intentTitle(intent)),
    state: intentState(intent),
    isUnresolved: isUnresolved(intent),
    isSetAside,
    environment: note.environment,
    connection: note.connectionName,
    connectionId,
    clientId: note.clientId,
    userId: note.userId,
    method,
    params: parsed(paramsText),
    orderId: note.targetId,
    orders: note.covers,
    askedAt: times.utc(note.askedAtMs),
    recordedAt: times.utc(writtenAtMs),
    sentAt: sentAtMs === undefined ? undefined : times.utc(sentAtMs),
    wireId,
    outcome: outcome === undefined ? undefined : stamped(outcome),
    verdicts: verdicts.map(stamped),
  };
}

function shownIntents({ intents, isUnresolvedOnly }: ActivitySource): readonly RecordedIntent[] {
  return isUnresolvedOnly ? intents.filter(isUnresolved) : intents;
}

function intentNode(intent: RecordedIntent, source: ActivitySource): RowNode {
  const { times } = source;
  const isOpen = isUnresolved(intent);
  // The outcome comes first: behind the words of an order it has no room in a narrow sidebar.
  const label = isOpen ? l10n.t("unknown") : intentState(intent);
  // The steps below have the seconds.
  const atMs = intentTime(intent);
  const description = plain.join([intentTitle(intent), timeText(atMs, source, times.minute(atMs))], " · ");
  const sentences = intentSentences(intent, times);
  return {
    key: intent.id,
    objectId: intent.id,
    label,
    description,
    icon: iconOf(intent),
    spoken: plain.join(sentences, " "),
    contextValue: isOpen ? "activity.unresolved" : "activity.settled",
    copyText: copiedIntent(intent, times),
    tooltip: [
      ...sentenceLines(sentences),
      { name: l10n.t("UTC"), value: times.utc(intentTime(intent)) },
      ...detailLines(intent),
    ],
    below: () => [
      ...stepNodes(intent, source),
      ...coveredNodes(intent, source),
      ...detailLines(intent).map(detailNode),
    ],
  };
}

function iconOf(intent: RecordedIntent): RowIcon {
  if (isUnresolved(intent)) return { name: "question", color: "list.errorForeground" };
  switch (intent.outcome?.kind) {
    case undefined:
      return { name: intent.holder === "simulatorEnded" ? "circle-slash" : "sync", color: undefined };
    case "confirmed":
      return { name: "check", color: undefined };
    case "notSent":
      return { name: "circle-slash", color: undefined };
    case "rejected":
    case "failed":
      return { name: "error", color: undefined };
    case "challenge":
    case "confirmedOther":
      return { name: "info", color: undefined };
    case "unknown":
      return { name: intent.verdicts.length > 0 && !intent.isSetAside ? "verified" : "circle-slash", color: undefined };
  }
}

/** Returns a line for each step of a change with its time, and the time since the step before. */
export function timelineLines(intent: RecordedIntent, times: Times): readonly Plain[] {
  const steps = stepsOf(intent).filter((step) => step !== undefined);
  return steps.map(({ label, words, atMs }, index) => {
    const said = words === "" ? label : l10n.t("{0}: {1}", label, words);
    const before = steps[index - 1]?.atMs;
    return before === undefined
      ? l10n.t("{0}  {1}", times.precise(atMs), said)
      : l10n.t("{0}  {1} (after {2})", times.precise(atMs), said, durationText(atMs - before));
  });
}

/** Returns the steps of a change that have a time, in their order. */
function stepsOf(intent: RecordedIntent): readonly (Step | undefined)[] {
  const { note, writtenAtMs, sentAtMs, wireId, outcome, verdicts } = intent;
  const step = (key: string, label: Plain, atMs: number, words: Plain = ""): Step => ({ key, label, words, atMs });
  return [
    step("asked", l10n.t("asked"), note.askedAtMs),
    step("recorded", l10n.t("confirmed and recorded"), writtenAtMs),
    sentAtMs === undefined
      ? undefined
      : step("sent", l10n.t("sent"), sentAtMs, wireId === undefined ? "" : l10n.t("request ID {0}", wireId)),
    outcome === undefined
      ? undefined
      : step("outcome", l10n.t("outcome"), outcome.atMs, intentState({ ...intent, verdicts: [] })),
    ...verdicts.map((verdict, index) =>
      step(`verdict${index}`, l10n.t("checked"), verdict.atMs, verdictState(verdict, intent)),
    ),
  ];
}

function stepNodes(intent: RecordedIntent, source: ActivitySource): RowNode[] {
  const { outcome } = intent;
  const [asked, recorded, sent, ended, ...checked] = stepsOf(intent).map((step) => step && stepNode(step, source));
  const unsent = wordNode(
    "sent",
    l10n.t("sent"),
    l10n.t("not recorded"),
    l10n.t("It is not recorded whether the request was sent."),
  );
  return [
    ...[asked, recorded],
    sent ?? (outcome?.kind === "notSent" ? undefined : unsent),
    ...(ended === undefined ? lostOutcome(intent) : [ended]),
    ...checked,
  ].filter((node) => node !== undefined);
}

/** Returns the item of a lost outcome; none while the response is awaited. */
function lostOutcome({ holder }: RecordedIntent): readonly RowNode[] {
  return holder === "ended" || holder === "simulatorEnded"
    ? [wordNode("outcome", l10n.t("outcome"), l10n.t("not recorded"), l10n.t("The response is not recorded."))]
    : [];
}

interface Step {
  readonly key: string;
  readonly label: Plain;
  /** The words beside the label; empty where the label says all. */
  readonly words: Plain;
  readonly atMs: number;
}

function stepNode({ key, label, words, atMs }: Step, source: ActivitySource): RowNode {
  const { times } = source;
  const description = joined([timeText(atMs, source, times.clock(atMs)), words], " · ");
  const spoken =
    words === ""
      ? l10n.t("{0} at {1}.", label, times.clock(atMs))
      : l10n.t("{0} at {1}: {2}.", label, times.clock(atMs), words);
  return {
    ...wordNode(key, label, description, spoken),
    tooltip: [
      { name: label, value: words },
      { name: l10n.t("local"), value: times.local(atMs) },
      { name: l10n.t("UTC"), value: times.utc(atMs) },
    ].filter(({ value }) => value !== ""),
  };
}

/** Returns an item for each order or quote of a request that named none, with what was found out about it. */
function coveredNodes(intent: RecordedIntent, { times }: ActivitySource): RowNode[] {
  const { covers = [] } = intent.note;
  if (covers.length === 0) return [];
  // The outcomes of quotes were found out all together.
  const areQuotes = aboutOf(intent.method) === "quotes";
  const count = countText(covers.length);
  const found = new Map(
    intent.verdicts
      .flatMap((verdict): readonly VerdictOfOrder[] => (verdict.kind === "several" ? verdict.orders : []))
      .map((each) => [each.orderId, each.verdict]),
  );
  const covered = ({ orderId, target }: (typeof covers)[number]): RowNode => {
    const [id, name] = [plain.text(orderId, MAX_VALUE), plain.text(target, MAX_VALUE)];
    if (areQuotes) return wordNode(orderId, id, name, l10n.t("Quote {0}: {1}", id, name));
    const verdict = found.get(orderId);
    const state = verdict === undefined ? l10n.t("not checked") : verdictState(verdict, intent);
    const cause = verdict?.kind === "applied" ? cancelReason(verdict.cause)?.sentence : undefined;
    return {
      ...wordNode(orderId, id, state, l10n.t("Order {0}, {1}: {2}.", id, name, state)),
      tooltip: sentenceLines([name, verdict === undefined ? "" : times.local(verdict.atMs), cause ?? ""]),
    };
  };
  return [
    {
      ...(areQuotes
        ? wordNode("quotes", l10n.t("quotes"), count, l10n.t("Quotes covered by this change: {0}.", count))
        : wordNode("orders", l10n.t("orders"), count, l10n.t("Orders covered by this change: {0}.", count))),
      below: () => covers.map((each) => ({ ...covered(each), copyText: each.orderId })),
    },
  ];
}

interface DetailLine extends TooltipLine {
  readonly name: Plain;
}

function detailLines({ method, paramsText, note, id }: RecordedIntent): readonly DetailLine[] {
  return [
    { name: l10n.t("target"), value: plain.text(note.target, MAX_VALUE) },
    { name: l10n.t("method"), value: plain.text(method, MAX_VALUE) },
    { name: l10n.t("parameters"), value: plain.text(paramsText, MAX_VALUE) },
    ...(note.clientId === undefined ? [] : [{ name: l10n.t("API key"), value: plain.text(note.clientId, MAX_VALUE) }]),
    ...(note.userId === undefined ? [] : [{ name: l10n.t("account"), value: plain`${note.userId}` }]),
    { name: l10n.t("entry"), value: plain.text(id, MAX_VALUE) },
  ];
}

function detailNode({ name, value }: DetailLine): RowNode {
  return { ...wordNode(`detail.${name}`, name, value, l10n.t("{0}: {1}", name, value)), copyText: value };
}

function moreNode(rest: number): RowNode {
  const label = l10n.t("Show {0} more…", countText(rest));
  const spoken = rest === 1 ? l10n.t("Show 1 older item.") : l10n.t("Show {0} older items.", countText(rest));
  return { ...wordNode(MORE_ACTIVITY, label, "", spoken), contextValue: MORE_ACTIVITY };
}

function keptNode(): RowNode {
  const text = retentionText();
  return {
    ...wordNode("kept", l10n.t("Retention"), l10n.t("newest {0} steps", countText(MAX_KEPT_RECORDS)), text),
    icon: { name: "archive", color: undefined },
    contextValue: "activity.kept",
    copyText: text,
  };
}

function wordNode(key: string, label: Plain, description: Plain, spoken: Plain): RowNode {
  return {
    key,
    objectId: undefined,
    label,
    description,
    icon: undefined,
    spoken,
    contextValue: "activity.detail",
    copyText: description,
    tooltip: sentenceLines([spoken]),
  };
}

/** Returns the time of day; on another day its date first. */
function timeText(atMs: number, { nowMs, times }: ActivitySource, time: Plain): Plain {
  const [day = ""] = times.local(atMs).split(" ");
  const [today] = times.local(nowMs).split(" ");
  return day === today ? time : l10n.t("{0} {1}", plain.name(day), time);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const MAX_VALUE = 500;

/** The filter of the entries in the Activity view. */
export interface ActivityFilter extends ViewFilter {
  readonly isUnresolvedOnly: boolean;
}

export const ACTIVITY_FILTER: FilterRules<ActivityFilter> = {
  none: { text: "", isUnresolvedOnly: false },
  parts: (filter) => [...(filter.isUnresolvedOnly ? [l10n.t("unknown outcomes")] : []), ...textParts(filter)],
  parse: (kept) =>
    hasText(kept) ? { text: kept.text, isUnresolvedOnly: kept["isUnresolvedOnly"] === true } : undefined,
};
