// @ts-check
/** A figure of the benchmark: what was measured, what it is held against, and how it is told. Pure. */
import { judge, spreadOf } from "./statistics.mjs";

/** @typedef {import("./statistics.mjs").Spread} Spread */

/**
 * @typedef {object} Figure
 * @property {string} goal
 * @property {string} what
 * @property {string} limit
 * @property {string} peer the best peers; "page" marks figures of an earlier measurement that this run did not repeat
 * @property {Spread} us
 * @property {string} unit
 * @property {"atMost" | "atLeast"} sense
 * @property {number} gate
 * @property {number} stretch
 * @property {Spread} [nullTest] the limit against itself
 * @property {number} tolerance how far that may be from 1
 * @property {boolean} isComparable whether the run had the conditions that the goal asks for
 * @property {boolean} isOk whether what else belongs to the goal is so
 * @property {boolean} isReported whether it is told beside its goal and not judged by it
 * @property {string} [felt] what the figure means for a user, in ms
 * @property {readonly number[]} runs the medians of the runs that this figure stands for
 * @property {import("./statistics.mjs").Verdict} verdict
 */

/** How far the limit may be from itself: round trips repeat well, everything else to about a tenth. */
export const TIGHT = 0.03;
const WIDE = 0.1;

/**
 * @param {Omit<Figure, "verdict" | "tolerance" | "isOk" | "isReported" | "runs"> & { tolerance?: number, isOk?: boolean,
 * isReported?: boolean, runs?: readonly number[] }} parts
 * @returns {Figure}
 */
export function judged({ tolerance = WIDE, isOk = true, isReported = false, runs, ...parts }) {
  const { us, nullTest, isComparable } = parts;
  const verdict = judge(us.median, parts, { isComparable, tolerance, ...(nullTest && { nullRatio: nullTest.median }) });
  return {
    ...parts,
    tolerance,
    isOk,
    isReported,
    runs: runs ?? [us.median],
    verdict: isReported ? "reported" : verdict === "met" && !isOk ? "missed" : verdict,
  };
}

/**
 * The same figure of several runs as one: the middle of their medians.
 * @param {readonly (readonly Figure[])[]} runs
 * @returns {Figure[]}
 */
export function merged(runs) {
  const last = runs.at(-1) ?? [];
  if (runs.length < 2) return [...last];
  return last.map((figure) => {
    const same = runs.flatMap((each) => each.filter(({ goal }) => goal === figure.goal));
    const medians = same.map(({ us }) => us.median);
    const nulls = same.flatMap(({ nullTest }) => (nullTest ? [nullTest.median] : []));
    return judged({
      ...figure,
      us: spreadOf(medians),
      runs: medians,
      isOk: same.every(({ isOk }) => isOk),
      ...(nulls.length > 0 && { nullTest: spreadOf(nulls) }),
    });
  });
}

/**
 * The figure as it is held: a guard against its own bound, which is near what was once measured; a goal that is missed
 * for a known reason is told as such.
 * @param {Figure} figure
 * @param {{ guards: Readonly<Record<string, number>>, accepted: Readonly<Record<string, string>> }} bounds by goals
 * @returns {Figure}
 */
export function held(figure, { guards, accepted }) {
  const gate = guards[figure.goal];
  const guarded = gate === undefined ? figure : judged({ ...figure, gate });
  const isAccepted = guarded.verdict === "missed" && accepted[figure.goal] !== undefined;
  return isAccepted ? { ...guarded, verdict: "missed (accepted)" } : guarded;
}

/** @param {number} value */
export const ratio = (value) => value.toFixed(2);

/** The figure as cells of a table. @param {Figure} figure */
export function row({ goal, what, limit, peer, us, unit, sense, gate, stretch, nullTest, runs, verdict, felt }) {
  // What is a thousandth of the limit needs more digits to be told at all.
  const digits = unit === "×" ? (us.median < 0.1 ? 5 : 3) : unit === "^" ? 2 : 1;
  const number = (/** @type {number} */ value) => `${Number(value.toFixed(digits))}`;
  const spread =
    runs.length > 1
      ? `± ${((Math.max(...runs) - Math.min(...runs)) / 2).toFixed(digits)}`
      : `(${us.low.toFixed(digits)}–${us.high.toFixed(digits)})`;
  const nullCell = nullTest
    ? `${nullTest.median.toFixed(3)} (${nullTest.low.toFixed(2)}–${nullTest.high.toFixed(2)})`
    : "–";
  return [
    goal,
    what,
    limit,
    peer,
    `${us.median.toFixed(digits)}${unit} ${spread}`,
    nullCell,
    `${sense === "atMost" ? "≤" : "≥"} ${number(gate)}`,
    number(stretch),
    verdict,
    felt ?? "",
  ];
}
