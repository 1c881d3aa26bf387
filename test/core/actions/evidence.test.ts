import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  concludeEarly,
  concludeRounds,
  findingOf,
  nextStep,
  timeOfLatest,
  type Finding,
  type Observation,
} from "../../../src/actions/proof/evidence.ts";
import { createFakeClock } from "../../fakeClock.ts";

const WORDS: Readonly<Record<string, Finding>> = {
  open: { kind: "open", state: "open" },
  cancelled: { kind: "cancelled", cause: undefined },
  filled: { kind: "ended", state: "filled" },
  absent: { kind: "absent" },
};

/** `s open, l absent` = the order itself was open, then the list did not have it. */
function evidence(text: string): Observation[] {
  return text
    .split(", ")
    .filter((each) => each !== "")
    .map((each) => {
      const [source, word = ""] = each.split(" ");
      const finding = WORDS[word] ?? assert.fail(word);
      return { source: source === "s" ? "single" : "list", finding, askedAtMs: 0 };
    });
}

function step(text: string, isSingleOffered: boolean): string {
  const next = nextStep(evidence(text), isSingleOffered);
  if (next.kind === "proved") return `proved ${next.finding.kind === "ended" ? next.finding.state : next.finding.kind}`;
  assert.equal(next.kind, "read");
  return `${next.source}${next.isSpaced ? " later" : ""}${next.isContradicted ? ", contradicted" : ""}`;
}

const WITH_SINGLE: readonly (readonly [string, string])[] = [
  ["", "single"],
  ["s filled", "proved filled"],
  ["s cancelled", "list"],
  ["s cancelled, l absent", "proved cancelled"],
  ["s cancelled, l open", "single later, contradicted"],
  ["s cancelled, l open, s cancelled", "proved cancelled"],
  ["s cancelled, l open, s open", "proved open"],
  ["s cancelled, l open, s filled", "proved filled"],
  ["s open", "list later"],
  ["s open, l open", "proved open"],
  ["s open, l absent", "single later, contradicted"],
  ["s open, l absent, s open", "proved open"],
  ["s open, l absent, s cancelled", "proved cancelled"],
  ["s open, l absent, s filled", "proved filled"],
  ["s absent", "list"],
  ["s absent, l absent", "list later"],
  ["s absent, l absent, l absent", "proved absent"],
  ["s absent, l open, l open", "proved open"],
];

const LIST_ONLY: readonly (readonly [string, string])[] = [
  ["", "list"],
  ["l absent", "list later"],
  ["l open", "list later"],
  ["l absent, l absent", "proved absent"],
  ["l open, l open", "proved open"],
  ["l open, l absent", "list later"],
  ["l open, l absent, l absent", "proved absent"],
  ["l absent, l open, l open", "proved open"],
  ["l absent, l open, l absent", "list later"],
];

describe("what follows from the reads of an order", () => {
  for (const [text, expected] of WITH_SINGLE)
    test(`"${text}": ${expected}`, () => assert.equal(step(text, true), expected));
});

describe("what follows from the list alone", () => {
  for (const [text, expected] of LIST_ONLY)
    test(`"${text}": ${expected}`, () => assert.equal(step(text, false), expected));
});

describe("when no further read is possible", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["", undefined],
    ["s cancelled", "cancelled"],
    ["s cancelled, l absent", "cancelled"],
    ["s cancelled, l open", undefined],
    ["s cancelled, l open, s cancelled", "cancelled"],
    ["s open", undefined],
    ["l absent", undefined],
  ];
  for (const [text, expected] of cases)
    test(`"${text}": ${expected ?? "nothing"}`, () => assert.equal(concludeEarly(evidence(text))?.kind, expected));
});

describe("one of many orders, looked at in rounds", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["", undefined],
    ["l absent, s cancelled", "cancelled"],
    ["l absent, s filled", "ended"],
    ["l open", undefined],
    ["l open, l open", "open"],
    ["l absent, l open, l open", "open"],
    ["l open, s open", undefined],
    ["l absent, s absent, l open, l open", "open"],
    ["l absent, s open, l absent, s open", "open"],
    ["l absent", undefined],
    ["l absent, l absent", "absent"],
    ["l open, l absent", undefined],
    ["l open, l absent, l absent", "absent"],
    ["l absent, s absent", undefined],
    ["l absent, s absent, s absent", undefined],
    ["l absent, s absent, l absent, s absent", "absent"],
  ];
  for (const [text, expected] of cases)
    test(`"${text}": ${expected ?? "nothing"}`, () => assert.equal(concludeRounds(evidence(text))?.kind, expected));
});

describe("states of an order", () => {
  for (const [state, kind] of [
    ["open", "open"],
    ["untriggered", "open"],
    ["cancelled", "cancelled"],
    ["filled", "ended"],
    ["rejected", "ended"],
    ["triggered", "ended"],
    ["archive", "ended"],
    ["zzz", "ended"],
  ] as const) {
    test(`${state} is ${kind}`, () => assert.equal(findingOf(state, undefined).kind, kind));
  }
});

test("what was filled stays with a cancelled or an ended order, unless it is nothing", () => {
  const fill = { filled: 2, amount: 5 };
  assert.deepEqual(findingOf("cancelled", "user_request", fill), { kind: "cancelled", cause: "user_request", fill });
  assert.deepEqual(findingOf("filled", undefined, fill), { kind: "ended", state: "filled", fill });
  assert.deepEqual(findingOf("rejected", undefined, { ...fill, filled: 0 }), { kind: "ended", state: "rejected" });
});

test("the time of the latest read is when it was asked for; without any it is now", () => {
  const clock = createFakeClock(77);
  const at = (askedAtMs: number): Observation => ({ source: "list", finding: { kind: "absent" }, askedAtMs });
  assert.deepEqual(
    [[], [at(3)], [at(3), at(5), at(4)]].map((each) => timeOfLatest(each, clock)),
    [77, 3, 4],
  );
});
