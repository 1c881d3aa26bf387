import type { ActivityEntry } from "../../actions/journal/activity.ts";
import { aboutOf } from "../../actions/changes/changes.ts";
import { parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { effectOf } from "../../catalogue/index.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import { areSettling } from "../../actions/judge/outcome.ts";
import { fact, type RowFact } from "../rows/facts.ts";
import type { RowIcon } from "../rows/row.ts";

/* Changes that are under way, as the rows of what they are about show them. */

/**
 * The state of a change under way on an order, a quote or a key: sent and unanswered (`editing`: an edit of an order),
 * being checked, or unanswered for good.
 */
export type PendingChange = "sending" | "editing" | "verifying" | "unknown";

/** Returns the changes under way on a connection, by the ID of the object, from the gate's activity (newest first). */
type PendingChanges = (activity: readonly ActivityEntry[], connectionId: string) => ReadonlyMap<string, PendingChange>;

export const pendingOrders = pendingBy((entry) => (isOfQuotes(entry.intent) ? [] : changesOf(entry)));

/** The changes under way on Block RFQ quotes. */
export const pendingQuotes = pendingBy((entry) => (isOfQuotes(entry.intent) ? changesOf(entry) : []));

export const pendingKeys = pendingBy(keyChangesOf);

/** Returns that a change is under way. `doing`: what was sent, in a word; left out, a cancel or an edit. */
export function pendingFact(pending: PendingChange | undefined, doing?: Plain): RowFact | undefined {
  switch (pending) {
    case undefined:
      return undefined;
    case "sending":
      return { mark: doing ?? l10n.t("cancelling…") };
    case "editing":
      return { mark: doing ?? l10n.t("editing…") };
    case "verifying":
      return fact(l10n.t("outcome unknown"), l10n.t("outcome of a change unknown, checking…"));
    case "unknown":
      return fact(l10n.t("outcome unknown"), l10n.t("outcome of a change unknown"));
  }
}

/** Returns the icon of a change that is under way. */
export function pendingIcon(pending: PendingChange): RowIcon {
  return pending === "unknown"
    ? { name: "question", color: "problemsWarningIcon.foreground" }
    : { name: "loading~spin", color: undefined };
}

/** Whether a change is about quotes. IDs of orders and of quotes may be the same digits. */
function isOfQuotes({ method }: Intent): boolean {
  return aboutOf(method) === "quote" || aboutOf(method) === "quotes";
}

function pendingBy(changesOf: (entry: ActivityEntry) => readonly ObjectChange[]): PendingChanges {
  return (activity, connectionId) => {
    const pending = new Map<string, PendingChange>();
    const settled = new Set<string>();
    for (const entry of activity) {
      if (entry.connectionId !== connectionId || entry.phase === "asking") continue;
      for (const { objectId, change } of changesOf(entry)) {
        if (pending.has(objectId) || settled.has(objectId)) continue;
        if (change !== undefined) pending.set(objectId, change);
        // What was not sent says nothing about what was sent before.
        else if (entry.outcome?.kind !== "notSent") settled.add(objectId);
      }
    }
    return pending;
  };
}

interface ObjectChange {
  readonly objectId: string;
  readonly change: PendingChange | undefined;
}

/** Returns the order or quote that a change names; else those that it covers and does not name. */
function changesOf(entry: ActivityEntry): readonly ObjectChange[] {
  const change = pendingChangeOf(entry);
  const named = entry.targetId ?? quoteIdOf(entry.intent);
  if (named !== undefined) return [{ objectId: named, change }];
  const unverified = new Set(
    entry.verdicts.flatMap((verdict) =>
      verdict.kind === "several"
        ? verdict.orders.filter((each) => each.verdict.kind === "unverified").map((each) => each.orderId)
        : [],
    ),
  );
  const isChecked = entry.verdicts.some((verdict) => verdict.kind === "several");
  return (entry.intent.covers ?? []).map(({ orderId }) => ({
    objectId: orderId,
    change: change === "unknown" && isChecked && !unverified.has(orderId) ? undefined : change,
  }));
}

function keyChangesOf(entry: ActivityEntry): readonly ObjectChange[] {
  if (effectOf(entry.intent.method) !== "key") return [];
  const id = parseObject(entry.intent.paramsText)?.["id"];
  return isId(id) ? [{ objectId: String(id), change: pendingChangeOf(entry) }] : [];
}

/** Returns the number of the quote that a cancel names. */
export function quoteIdOf({ method, paramsText }: Pick<Intent, "method" | "paramsText">): string | undefined {
  if (aboutOf(method) !== "quote") return undefined;
  const id = parseObject(paramsText)?.["block_rfq_quote_id"];
  return isId(id) ? String(id) : undefined;
}

const isId = (value: unknown): value is number | string => typeof value === "number" || typeof value === "string";

function isEdit({ method }: Intent): boolean {
  return aboutOf(method) === "order" && effectOf(method) === "write";
}

function pendingChangeOf({ intent, phase, outcome, verdicts }: ActivityEntry): PendingChange | undefined {
  if (phase === "sending") return isEdit(intent) ? "editing" : phase;
  if (phase === "verifying") return phase;
  if (outcome?.kind !== "unknown") return undefined;
  return areSettling(verdicts) ? undefined : "unknown";
}
