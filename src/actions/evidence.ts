import { isOpenState } from "../catalogue/orderStates.ts";
import type { Fill } from "./fill.ts";

/** What one read says about an order. */
export interface Observation {
  /** `single`: the order itself was read; `list`: the open orders were. */
  readonly source: "single" | "list";
  readonly finding: Finding;
}

export type Finding =
  /** In a state in which it can still trade or be cancelled. */
  | { readonly kind: "open"; readonly state: string }
  | { readonly kind: "cancelled"; readonly cause: string | undefined; readonly fill?: Fill }
  /** In any other state: filled, rejected, triggered, archived, or one that we do not know. */
  | { readonly kind: "ended"; readonly state: string; readonly fill?: Fill }
  /** The server does not know the order any more, or does not list it among the open ones. */
  | { readonly kind: "absent" };

/** What the evidence proves, or which read is needed next. */
export type Step =
  | { readonly kind: "proved"; readonly finding: Finding }
  /** `isSpaced`: not before the least distance to the read before it. */
  | {
      readonly kind: "read";
      readonly source: Observation["source"];
      readonly isSpaced: boolean;
      readonly isContradicted: boolean;
    };

/** Sorts an order's state into a finding. */
export function findingOf(state: string, cause: string | undefined, fill?: Fill): Finding {
  const filled = fill === undefined || fill.filled === 0 ? {} : { fill };
  if (state === "cancelled") return { kind: "cancelled", cause, ...filled };
  return isOpenState(state) ? { kind: "open", state } : { kind: "ended", state, ...filled };
}

/**
 * What follows from the reads so far, oldest first (reliability §2.4, F58–F70). Nothing is proved by one read but an
 * end other than cancelling: "cancelled" is held against the open orders, "still open" and "no longer listed" need two
 * reads. Where the order itself and the list contradict each other, the order is read once more and decides.
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
 * What follows for one of many orders that are looked at in rounds, well spaced: the list first, then the order itself
 * where the list has it not any more. Nothing yet: undefined. An end needs one read of the order; "still open" and "no
 * longer listed" need two rounds.
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

/** What the evidence says when no further read is possible: only what a read of the order itself says outright. */
export function concludeEarly(evidence: readonly Observation[]): Finding | undefined {
  const last = evidence.findLast((each) => each.source === "single");
  return last?.finding.kind === "cancelled" && !isListedAfter(evidence, last) ? last.finding : undefined;
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
