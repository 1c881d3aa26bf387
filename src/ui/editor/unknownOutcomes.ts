import type { ActivityEntry } from "../../actions/journal/activity.ts";
import type { Gate } from "../../actions/gate/gate.ts";
import { isWatched, type Verdict } from "../../actions/judge/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { FoundOutcome } from "../../present/outcomes/severalOutcomes.ts";

/** Tells the user about outcomes that are not proved yet. */
interface UnknownTeller {
  /**
   * Shows that outcomes are being checked, until the result is called; further calls with other entries replace
   * nothing.
   */
  checking(entries: readonly ActivityEntry[]): () => void;
  /** Shows what was found out about all of them at once. */
  found(found: readonly FoundOutcome[]): void;
}

/** The time within which events are told together, in ms. */
const GATHER_MS = 300;

/**
 * Follows a gate: outcomes that become unknown together are told together, while they are open and when all of them are
 * settled. A link that is lost with fifty cancels under way makes one message, not fifty.
 */
export function followUnknownOutcomes(
  gate: Pick<Gate, "onDidChangeActivity">,
  clock: Clock,
  tell: UnknownTeller,
): Disposable {
  /** The verdicts that were told, by entry. A verdict that is found again is a new one. */
  const seen = new Map<string, readonly Verdict[]>();
  const open = new Map<string, ActivityEntry>();
  let found: FoundOutcome[] = [];
  let shown: { readonly count: number; readonly finish: () => void } | undefined;
  let timer: Disposable | undefined;

  const show = (): void => {
    timer = undefined;
    if (open.size > 0) {
      if (shown !== undefined && open.size <= shown.count) return;
      shown?.finish();
      shown = { count: open.size, finish: tell.checking([...open.values()]) };
      return;
    }
    shown?.finish();
    shown = undefined;
    const told = found;
    found = [];
    if (told.length > 0) tell.found(told);
  };

  const listener = gate.onDidChangeActivity((entry) => {
    const before = seen.get(entry.id);
    if (before === undefined && !isChecked(entry)) return;
    for (const verdict of entry.verdicts) if (before?.includes(verdict) !== true) found.push({ entry, verdict });
    seen.set(entry.id, entry.verdicts);
    // What a look has found is told at once, also where it goes on for a late effect.
    if (entry.phase === "verifying" && !entry.verdicts.some(isWatched)) open.set(entry.id, entry);
    else open.delete(entry.id);
    if (entry.outcome?.kind !== "unknown" && entry.verdicts.length === 0 && entry.phase === "done") {
      seen.delete(entry.id);
      found.push({ entry, verdict: undefined });
    }
    timer ??= clock.after(GATHER_MS, show);
  });
  return {
    dispose() {
      listener.dispose();
      timer?.dispose();
      shown?.finish();
    },
  };
}

/** Whether the outcome is open, or the exchange's number was not the expected one. */
function isChecked({ outcome, phase }: ActivityEntry): boolean {
  return outcome?.kind === "unknown" || (outcome?.kind === "confirmed" && phase === "verifying");
}
