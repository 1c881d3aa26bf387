import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { FileRequest } from "../file/file.ts";
import { labelOf } from "../values/references.ts";

/* Which step of a plan comes when. Nothing here recurses: a file may chain thousands of requests. */

/** A step while the plan is made. */
export interface DraftStep {
  readonly request: FileRequest;
  readonly isImplicit: boolean;
  readonly isSkipped: boolean;
  readonly isRead: boolean;
  /** The steps that have to come before it. */
  readonly needs: Set<DraftStep>;
  refusal: string | undefined;
}

/** Refuses the steps that need each other, with their names. Removes their needs, so that all steps can be ordered. */
export function markCycles(drafts: readonly DraftStep[]): void {
  const circular = [...circularOf(drafts)];
  for (const draft of circular)
    draft.refusal = l10n.t("These requests need each other's results: {0}.", cycleText(draft, new Set(circular)));
  for (const draft of circular) draft.needs.clear();
}

/**
 * Returns the steps that need each other. Steps that need none of the rest are removed first, then those that none of
 * the rest needs.
 */
function circularOf(drafts: readonly DraftStep[]): ReadonlySet<DraftStep> {
  const left = new Set(drafts);
  const dependents = dependentsOf(drafts);
  peel(left, { countOf: (each) => each.needs.size, neighboursOf: (each) => dependents.get(each) ?? [] });
  const needed = dependentsOf([...left]);
  peel(left, { countOf: (each) => needed.get(each)?.length ?? 0, neighboursOf: (each) => each.needs });
  return left;
}

interface Direction {
  readonly countOf: (draft: DraftStep) => number;
  readonly neighboursOf: (draft: DraftStep) => Iterable<DraftStep>;
}

function peel(left: Set<DraftStep>, { countOf, neighboursOf }: Direction): void {
  const counts = new Map([...left].map((each) => [each, countOf(each)]));
  const free = [...left].filter((each) => counts.get(each) === 0);
  for (let draft = free.pop(); draft !== undefined; draft = free.pop()) {
    left.delete(draft);
    for (const other of neighboursOf(draft)) {
      const count = (counts.get(other) ?? 0) - 1;
      counts.set(other, count);
      if (count === 0 && left.has(other)) free.push(other);
    }
  }
}

function dependentsOf(drafts: readonly DraftStep[]): ReadonlyMap<DraftStep, readonly DraftStep[]> {
  const dependents = new Map<DraftStep, DraftStep[]>();
  for (const draft of drafts) {
    for (const needed of draft.needs) {
      const others = dependents.get(needed);
      if (others === undefined) dependents.set(needed, [draft]);
      else others.push(draft);
    }
  }
  return dependents;
}

/** Returns the names from a step along its needs, until one comes again. */
function cycleText(start: DraftStep, circular: ReadonlySet<DraftStep>): Plain {
  const trail: DraftStep[] = [];
  let at: DraftStep | undefined = start;
  while (at !== undefined && !trail.includes(at) && trail.length < MAX_TRAIL) {
    trail.push(at);
    at = [...at.needs].find((each) => circular.has(each));
  }
  const cycle = at === undefined || !trail.includes(at) ? trail : [...trail.slice(trail.indexOf(at)), at];
  return plain.join(
    cycle.map(({ request }) => labelOf(request)),
    " → ",
  );
}

const MAX_TRAIL = 20;

/**
 * Orders the steps as in the file, except where needs differ. A read comes before the first that needs it; a step that
 * needs a change comes right after that. Every step must be able to come at some time.
 */
export function inOrder(drafts: readonly DraftStep[]): readonly DraftStep[] {
  const positions = positionsOf(drafts);
  const byPosition = (a: DraftStep, b: DraftStep): number =>
    (positions.get(a) ?? 0) - (positions.get(b) ?? 0) || a.request.index - b.request.index;
  const dependents = dependentsOf(drafts);
  const missing = new Map(drafts.map((each) => [each, each.needs.size]));
  const waiting = new Set<DraftStep>();
  const ordered: DraftStep[] = [];
  for (const draft of [...drafts].sort(byPosition)) {
    const free = [draft];
    for (let next = free.pop(); next !== undefined; next = free.pop()) {
      if ((missing.get(next) ?? 0) > 0) {
        waiting.add(next);
        continue;
      }
      waiting.delete(next);
      ordered.push(next);
      const released = (dependents.get(next) ?? []).filter((each) => {
        missing.set(each, (missing.get(each) ?? 0) - 1);
        return missing.get(each) === 0 && waiting.has(each);
      });
      free.push(...released.sort(byPosition).reverse());
    }
  }
  return ordered;
}

/**
 * Returns the place of each step in the file. A read takes that of the first that needs it, where that stands before
 * it.
 */
function positionsOf(drafts: readonly DraftStep[]): ReadonlyMap<DraftStep, number> {
  const positions = new Map<DraftStep, number>();
  for (const draft of drafts) {
    const open = [draft];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (positions.has(next)) continue;
      positions.set(next, draft.request.index);
      open.push(...[...next.needs].filter(({ isRead }) => isRead));
    }
  }
  return positions;
}
