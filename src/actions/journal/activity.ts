import type { Clock } from "../../base/clock.ts";
import { createEmitter, type Disposable, type Event } from "../../base/emitter.ts";
import { bugText } from "../../base/failure.ts";
import type { Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";
import type { Intent } from "../intent/intent.ts";
import { areSettling, verdictKey, type Outcome, type Verdict } from "../judge/outcome.ts";

/** An intent in the activity list, which says what was changed from here. Reads are not listed. */
export interface ActivityEntry {
  readonly id: string;
  readonly intent: Intent;
  readonly connectionId: string;
  /** The order that the intent is about; order rows show what is pending on them. */
  readonly targetId: string | undefined;
  readonly phase: "asking" | "sending" | "verifying" | "done";
  readonly startedAtMs: number;
  readonly outcome: Outcome | undefined;
  readonly verdicts: readonly Verdict[];
}

/** The intents of one connection. Entries are replaced, never changed in place. */
export interface ActivityList extends Disposable {
  /** The entries, newest first. */
  readonly entries: readonly ActivityEntry[];
  readonly onDidChange: Event<ActivityEntry>;
  /** Adds an entry of an earlier run or connection, whose outcome is to be looked up. */
  restore(entry: ActivityEntry): void;
  /** Adds an entry in the phase `asking`. */
  start(intent: Intent, targetId: string | undefined): ActivityEntry;
  /** Returns the entry with an id, if it still is in the list. */
  find(id: string): ActivityEntry | undefined;
  update(id: string, change: Partial<Pick<ActivityEntry, "phase" | "outcome" | "intent">>): void;
  /** Adds a verdict, instead of an earlier one that says the same. */
  addVerdict(id: string, verdict: Verdict): void;
}

interface ActivityListPorts {
  readonly connectionId: string;
  /** Letters and digits that tell this run from others. */
  readonly runId?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The number of entries that are kept; the oldest of those that are done go first. */
const MAX_ENTRIES = 500;

/** Makes the list of a connection. `runId` makes the ids of its entries differ from those of every other run. */
export function createActivityList({ connectionId, runId = "", clock, log }: ActivityListPorts): ActivityList {
  // A listener that throws must not keep an outcome from the one who waits for it.
  const changed = createEmitter<ActivityEntry>((error) =>
    log.error(plain`a listener of the activity list failed: ${bugText(error)}`),
  );
  /** The entries by id, oldest first. */
  const entries = new Map<string, ActivityEntry>();
  let newestFirst: readonly ActivityEntry[] | undefined;
  let removableCount = 0;
  let count = 0;
  const put = (entry: ActivityEntry): void => {
    const before = entries.get(entry.id);
    if (before !== undefined && isRemovable(before)) removableCount--;
    if (isRemovable(entry)) removableCount++;
    entries.set(entry.id, entry);
    newestFirst = undefined;
    changed.fire(entry);
  };
  const replace = (id: string, change: (entry: ActivityEntry) => ActivityEntry): void => {
    const entry = entries.get(id);
    if (entry !== undefined) put(change(entry));
  };
  const removeOldest = (): void => {
    for (const [id, entry] of entries) {
      if (entries.size < MAX_ENTRIES || removableCount === 0) return;
      if (!isRemovable(entry)) continue;
      entries.delete(id);
      removableCount--;
    }
  };
  return {
    get entries() {
      newestFirst ??= [...entries.values()].reverse();
      return newestFirst;
    },
    onDidChange: changed.event,
    start(intent, targetId) {
      const startedAtMs = clock.now();
      const id = `${connectionId}/${runId}${startedAtMs.toString(36)}-${String(++count)}`;
      const entry: ActivityEntry = {
        id,
        intent,
        connectionId,
        targetId,
        phase: "asking",
        startedAtMs,
        outcome: undefined,
        verdicts: [],
      };
      removeOldest();
      put(entry);
      return entry;
    },
    restore(entry) {
      const later = [...entries.values()];
      entries.clear();
      // Older than everything that was done since.
      for (const each of [entry, ...later]) entries.set(each.id, each);
      put(entry);
    },
    find: (id) => entries.get(id),
    update: (id, change) => replace(id, (entry) => ({ ...entry, ...change })),
    addVerdict: (id, verdict) =>
      replace(id, (entry) => ({
        ...entry,
        verdicts: [...entry.verdicts.filter((each) => verdictKey(each) !== verdictKey(verdict)), verdict],
      })),
    dispose: () => changed.dispose(),
  };
}

function isRemovable(entry: ActivityEntry): boolean {
  return entry.phase === "done" && !hasOpenOutcome(entry);
}

/** Whether the outcome is still open: unknown, without a verdict that says more. */
export function hasOpenOutcome(entry: ActivityEntry): boolean {
  return entry.outcome?.kind === "unknown" && !areSettling(entry.verdicts);
}
