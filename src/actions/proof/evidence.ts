import type { Clock } from "../../base/clock.ts";
import { isOpenState } from "../../catalogue/orderStates.ts";
import type { Fill } from "../intent/fill.ts";

/** The result of one read about an order. */
export interface Observation {
  /** The kind of read. `single`: the order itself; `list`: the open orders. */
  readonly source: "single" | "list";
  readonly finding: Finding;
  /** The time when it was asked for, in ms since the Unix epoch: what the response says may be as old as that. */
  readonly askedAtMs: number;
}

export type Finding =
  /** A finding that the order can still trade or be cancelled. */
  | { readonly kind: "open"; readonly state: string }
  | { readonly kind: "cancelled"; readonly cause: string | undefined; readonly fill?: Fill }
  /** A finding of any other state: filled, rejected, triggered, archived, or unknown here. */
  | { readonly kind: "ended"; readonly state: string; readonly fill?: Fill }
  /** A finding that the server does not know the order any more, or does not list it among the open ones. */
  | { readonly kind: "absent" };

/** The conclusion from the evidence, or the read that is needed next. */
type Step =
  | { readonly kind: "proved"; readonly finding: Finding }
  /** Another read. `isSpaced`: not before the least distance to the read before it. */
  | {
      readonly kind: "read";
      readonly source: Observation["source"];
      readonly isSpaced: boolean;
      readonly isContradicted: boolean;
    };

/** Turns an order's state into a finding. */
export function findingOf(state: string, cause: string | undefined, fill?: Fill): Finding {
  const filled = fill === undefined || fill.filled === 0 ? {} : { fill };
  if (state === "cancelled") return { kind: "cancelled", cause, ...filled };
  return isOpenState(state) ? { kind: "open", state } : { kind: "ended", state, ...filled };
}

/**
 * Returns the next step after the reads so far, oldest first (reliability §2.4, F58–F70). A single read proves only an
 * end other than cancelling. "Cancelled" is checked against the open orders; "still open" and "no longer listed" need
 * two reads. Where the order and the list contradict each other, the order is read once more and decides.
 */
export function nextStep(evidence: readonly Observation[], isSingleOffered: boolean): Step {
  const single = evidence.findLast((each) => each.source === "single");
  if (single === undefined) return isSingleOffered ? read("single", false) : nextByList(evidence);
  const { finding } = single;
  switch (finding.kind) {
    case "ended":
      return { kind: "proved", finding };
    case "absent":
      return nextByList(evidence);
    case "cancelled":
    case "open":
      return nextBySingle(evidence, single);
  }
}

/**
 * Returns the finding for one of many orders that are read in well-spaced rounds; undefined while there is none. Each
 * round reads the list, then the order itself where the list no longer has it. An end needs one read of the order;
 * "still open" and "no longer listed" need two rounds.
 */
export function concludeRounds(evidence: readonly Observation[]): Finding | undefined {
  const last = evidence.at(-1);
  if (last === undefined) return undefined;
  const { finding } = last;
  switch (finding.kind) {
    case "cancelled":
    case "ended":
      return finding;
    case "open":
    case "absent": {
      const alike = evidence
        .filter((each) => each.source === (finding.kind === "absent" ? "list" : last.source))
        .slice(-2);
      return alike.length === 2 && alike.every((each) => each.finding.kind === finding.kind) ? finding : undefined;
    }
  }
}

/** Returns the finding when no further read is possible: only what a read of the order itself says outright. */
export function concludeEarly(evidence: readonly Observation[]): Finding | undefined {
  const last = evidence.findLast((each) => each.source === "single");
  return last?.finding.kind === "cancelled" && !isListedAfter(evidence, last) ? last.finding : undefined;
}

/** Returns the time of which the latest read speaks; now without any. In ms since the Unix epoch. */
export function timeOfLatest(evidence: readonly Observation[], clock: Clock): number {
  return evidence.at(-1)?.askedAtMs ?? clock.now();
}

/** Whether the list, read after it, contradicts "cancelled". */
function isListedAfter(evidence: readonly Observation[], single: Observation): boolean {
  return evidence.slice(evidence.indexOf(single)).some((each) => each.source === "list" && isListed(each));
}

function nextBySingle(evidence: readonly Observation[], single: Observation): Step {
  const isOpen = single.finding.kind === "open";
  const list = evidence.findLast((each) => each.source === "list");
  if (list === undefined) return read("list", isOpen);
  const isAgreed = isListed(list) === isOpen;
  const isDecisive = evidence.indexOf(single) > evidence.indexOf(list);
  return isAgreed || isDecisive
    ? { kind: "proved", finding: single.finding }
    : { ...read("single", true), isContradicted: true };
}

function nextByList(evidence: readonly Observation[]): Step {
  const lists = evidence.filter((each) => each.source === "list");
  const [earlier, later] = lists.slice(-2);
  if (earlier === undefined) return read("list", false);
  if (later === undefined || isListed(earlier) !== isListed(later)) return read("list", true);
  return { kind: "proved", finding: later.finding };
}

function isListed(observation: Observation): boolean {
  return observation.finding.kind === "open";
}

function read(source: Observation["source"], isSpaced: boolean): Extract<Step, { kind: "read" }> {
  return { kind: "read", source, isSpaced, isContradicted: false };
}
