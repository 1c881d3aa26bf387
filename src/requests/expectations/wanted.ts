import type { Outcome } from "../../actions/judge/outcome.ts";
import type { ExpectFailure } from "./expect.ts";
import type { Expectation, RunOptions } from "../file/file.ts";

/**
 * Whether a request ended as it was expected to. If it has no expectation, a good response is needed. An error passes
 * where the expectation describes one and holds. An order that the exchange has adjusted by a rule of its own passes.
 * Another state or shape than usual passes where the expectation describes the result. A change with an unknown outcome
 * passes for an error that is described, since that error is the response that came.
 */
export function isAsWanted(
  { expect, until }: Pick<RunOptions, "expect" | "until">,
  outcome: Outcome,
  failures: readonly ExpectFailure[],
): boolean {
  if (failures.some(({ severity }) => severity === "error")) return false;
  const members = new Map([until?.expect, expect].flatMap(membersOf));
  switch (outcome.kind) {
    case "confirmed":
      return true;
    case "confirmedOther":
      return isAdjusted(outcome) || members.has("result");
    case "rejected":
      return members.has("error") || members.get("ok") === false;
    case "unknown":
      return isDescribedError(outcome, members);
    case "failed":
      return outcome.response !== undefined && (members.has("result") || members.get("schema") === true);
    case "challenge":
    case "notSent":
      return false;
  }
}

function isAdjusted(outcome: Extract<Outcome, { kind: "confirmedOther" }>): boolean {
  return outcome.isAdjusted === true;
}

function isDescribedError(
  { response }: Extract<Outcome, { kind: "unknown" }>,
  members: ReadonlyMap<string, unknown>,
): boolean {
  return response?.error !== undefined && members.has("error");
}

function membersOf(expect: Expectation | undefined): readonly (readonly [string, unknown])[] {
  return (expect?.node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key === undefined ? [] : [[String(key.value), value?.value as unknown] as const];
  });
}
