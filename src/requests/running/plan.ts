import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { effectOfCall } from "../../actions/judge/check.ts";
import { type RateClass, rateClassOf } from "../../catalogue/index.ts";
import type { RateBudget } from "../../catalogue/rates.ts";
import type { FileRequest, RequestFile } from "../file/file.ts";
import { inOrder, markCycles, type DraftStep } from "./planOrder.ts";
import { resultNames } from "../values/references.ts";
import type { Results } from "../values/results.ts";

/** The requests of a file that the user wants to send. */
export type Wanted =
  | { readonly kind: "one"; readonly index: number }
  | { readonly kind: "all" }
  /** The request with this number and all after it. */
  | { readonly kind: "from"; readonly index: number }
  | { readonly kind: "reads" }
  /** The requests with these numbers. */
  | { readonly kind: "some"; readonly indexes: ReadonlySet<number> }
  /** The requests with any of these tags. */
  | { readonly kind: "tags"; readonly tags: readonly string[] };

/** A request of a run. */
export interface PlannedStep {
  readonly request: FileRequest;
  /** Whether the user did not ask for it, but a wanted request takes from its response. Always a read. */
  readonly isImplicit: boolean;
  /** Whether `$run.skip` skips it; a request that is sent alone is sent all the same. */
  readonly isSkipped: boolean;
  /** The reason why it is not sent, as a sentence; undefined where nothing prevents it. */
  readonly refusal: string | undefined;
}

/** The steps of a run, in its order. Every one stands in the file. */
export interface Plan {
  readonly file: RequestFile;
  readonly steps: readonly PlannedStep[];
  /**
   * The steps in groups that follow each other. A group of several holds reads that do not depend on each other, so
   * that they may run together.
   */
  readonly batches: readonly (readonly PlannedStep[])[];
}

/**
 * Plans a run: the wanted requests in the order of the file. The reads that they take from, and that have no response
 * yet, come first. A request that takes from the response of a later one comes after it. A change is in the plan only
 * if it is wanted. A request that needs the response of another one is refused, and so are requests that need each
 * other.
 */
export function planRun(file: RequestFile, wanted: Wanted, results: Pick<Results, "get">): Plan {
  const drafts = gather(file, wanted, results);
  markCycles(drafts);
  const ordered = inOrder(drafts);
  return { file, steps: ordered, batches: batchesOf(ordered) };
}

/**
 * Returns the least time that the exchange's limits make a run take, in ms: calls beyond a budget wait until it has
 * refilled. Pauses that the file asks for are added; tries of `until` beyond the first are not.
 */
export function estimateMs(plan: Pick<Plan, "steps">, rates: Readonly<Record<RateClass, RateBudget>>): number {
  const sent = plan.steps.filter(({ isSkipped, refusal }) => !isSkipped && refusal === undefined);
  const counts = new Map<RateClass, number>();
  for (const { request } of sent) {
    const rate = rateClassOf(request.method ?? "");
    counts.set(rate, (counts.get(rate) ?? 0) + 1);
  }
  const waits = [...counts].map(
    ([rate, count]) =>
      Math.max(0, count * rates[rate].cost - (1 - HELD_BACK) * rates[rate].size) / rates[rate].refillPerMs,
  );
  return Math.max(0, ...waits) + sent.reduce((sum, { request }) => sum + request.run.delayMs, 0);
}

/** The share of a budget that reads leave to the user's changes and to network jitter, as in the session. */
const HELD_BACK = 0.2;

function isWantedBy(wanted: Wanted): (request: FileRequest) => boolean {
  switch (wanted.kind) {
    case "one":
      return ({ index }) => index === wanted.index;
    case "all":
      return () => true;
    case "from":
      return ({ index }) => index >= wanted.index;
    case "reads":
      return isRead;
    case "some":
      return ({ index }) => wanted.indexes.has(index);
    case "tags":
      return ({ run }) => run.tags.some((tag) => wanted.tags.includes(tag));
  }
}

/** Whether sending a request changes nothing. False where there is no method, because its effect is unknown. */
export function isRead({ method, paramsText }: FileRequest): boolean {
  return method !== undefined && effectOfCall({ method, paramsText }) === "read";
}

/** Returns the wanted requests and the ones that they need, in the order of the file. */
function gather(file: RequestFile, wanted: Wanted, results: Pick<Results, "get">): readonly DraftStep[] {
  const drafts = new Map<FileRequest, DraftStep>();
  const add = (request: FileRequest, isImplicit: boolean): DraftStep => {
    const isSkipped = request.run.isSkipped && wanted.kind !== "one";
    const draft: DraftStep = {
      request,
      isImplicit,
      isSkipped,
      isRead: isRead(request),
      needs: new Set(),
      refusal: undefined,
    };
    drafts.set(request, draft);
    return draft;
  };
  const open = file.requests.filter(isWantedBy(wanted)).map((request) => add(request, false));
  let named: ReadonlyMap<string, readonly FileRequest[]> | undefined;
  for (let draft = open.pop(); draft !== undefined; draft = open.pop()) {
    const { request, isSkipped } = draft;
    const names = isSkipped ? [] : [...new Set([...resultNames(request, file.vars), ...request.run.after])];
    const needs = names.map((name) =>
      needOf(name, {
        request,
        requests: (named ??= byName(file)).get(name) ?? [],
        isThere: (each) => drafts.has(each),
        hasResult: results.get(name) !== undefined,
      }),
    );
    draft.refusal = needs.flatMap((need) => (typeof need === "string" ? [need] : []))[0];
    if (draft.refusal !== undefined) continue;
    for (const need of needs) {
      if (need === undefined || typeof need === "string") continue;
      const known = drafts.get(need);
      const needed = known ?? add(need, true);
      if (known === undefined) open.push(needed);
      draft.needs.add(needed);
    }
  }
  return [...drafts.values()].sort((a, b) => a.request.index - b.request.index);
}

function byName(file: RequestFile): ReadonlyMap<string, readonly FileRequest[]> {
  const named = new Map<string, FileRequest[]>();
  for (const request of file.requests) {
    const { name } = request.run;
    const others = name === undefined ? undefined : named.get(name);
    if (others !== undefined) others.push(request);
    else if (name !== undefined) named.set(name, [request]);
  }
  return named;
}

interface Need {
  readonly request: FileRequest;
  /** The requests that have the name. */
  readonly requests: readonly FileRequest[];
  /** Whether a request is in the plan. */
  readonly isThere: (request: FileRequest) => boolean;
  readonly hasResult: boolean;
}

/**
 * Returns the request that has to come before; undefined where none has to. Returns a sentence where it cannot be added
 * automatically.
 */
function needOf(name: string, { request, requests, isThere, hasResult }: Need): FileRequest | Plain | undefined {
  const [needed, second] = requests;
  if (needed === undefined)
    return request.run.after.includes(name) && !hasResult
      ? l10n.t(
          "$run.after refers to {0}, but no request in this file has that name. Correct it, or name that request with $run.name.",
          plain.name(name),
        )
      : undefined;
  if (second !== undefined)
    return l10n.t("Several requests in this file are named {0}, so the reference is ambiguous.", plain.name(name));
  // What it takes from its own response is that of the last time.
  if (needed === request && hasResult) return undefined;
  if (isThere(needed)) return needed;
  if (hasResult) return undefined;
  if (needed.run.isSkipped)
    return l10n.t("This request needs the result of {0}, which is skipped ($run.skip).", plain.name(name));
  return isRead(needed)
    ? needed
    : l10n.t(
        "This request needs the result of {0}, a write request that is never run automatically. Send that request yourself, or use Send All.",
        plain.name(name),
      );
}

function batchesOf(steps: readonly DraftStep[]): readonly (readonly PlannedStep[])[] {
  const batches: DraftStep[][] = [];
  let together: Set<DraftStep> | undefined;
  for (const step of steps) {
    const isFree = mayRunBesideOthers(step);
    if (isFree && together !== undefined && [...step.needs].every((needed) => together?.has(needed) !== true)) {
      batches.at(-1)?.push(step);
      together.add(step);
      continue;
    }
    batches.push([step]);
    together = isFree ? new Set([step]) : undefined;
  }
  return batches;
}

function mayRunBesideOthers({ request: { run }, isRead: isReading, refusal }: DraftStep): boolean {
  return isReading && refusal === undefined && run.after.length === 0 && run.delayMs === 0 && run.until === undefined;
}
