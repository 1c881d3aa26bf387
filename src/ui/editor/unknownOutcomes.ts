import type { ActivityEntry } from "../../actions/activity.ts";
import type { Gate } from "../../actions/gate.ts";
import type { Verdict } from "../../actions/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/emitter.ts";
import type { FoundOutcome } from "../../present/outcomes/severalOutcomes.ts";

/** How a person is told of outcomes that nobody has proved yet. */
export interface UnknownTeller {
  /** Shows that outcomes are being checked, until the result is called; again with other entries replaces nothing. */
  checking(entries: readonly ActivityEntry[]): () => void;
  /** What was found out, of all of them at once. */
  found(found: readonly FoundOutcome[]): void;
}

/** What happens within this time is told together. */
const GATHER_MS = 300;

/**
 * Follows a gate: outcomes that become unknown together are told together, as long as they are open and when all of
 * them are settled. A link that dies with fifty cancels on it is one message, not fifty.
 */
export function followUnknownOutcomes(
  gate: Pick<Gate, "onDidChangeActivity">,
  clock: Clock,
  tell: UnknownTeller,
): Disposable {
  /** By entry, the verdicts that were told. One that is found again is another one. */
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
    if (entry.phase === "verifying") open.set(entry.id, entry);
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

/** The outcome is open, or the exchange's number was not the expected one. */
function isChecked({ outcome, phase }: ActivityEntry): boolean {
  return outcome?.kind === "unknown" || (outcome?.kind === "confirmed" && phase === "verifying");
}
