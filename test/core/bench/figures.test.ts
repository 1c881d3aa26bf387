import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { held, judged, merged, row, type Figure } from "../../bench/figures.mjs";
import { spreadOf } from "../../bench/statistics.mjs";

const figure = (us: number, { nullRatio = 1, isOk = true, isComparable = true, isReported = false } = {}): Figure =>
  judged({
    goal: "P1",
    what: "a round trip",
    limit: "20 µs",
    peer: "1.06",
    us: spreadOf([us]),
    unit: "×",
    sense: "atMost",
    gate: 1.05,
    stretch: 1,
    nullTest: spreadOf([nullRatio]),
    tolerance: 0.03,
    isOk,
    isComparable,
    isReported,
  });

describe("the figures of the benchmark", () => {
  test("a gate that is met is missed all the same where what else belongs to it is not so", () => {
    assert.deepEqual(
      [
        figure(1),
        figure(1, { isOk: false }),
        figure(1.2),
        figure(1, { nullRatio: 1.1, isOk: false }),
        figure(9, { isComparable: false }),
        figure(9, { isReported: true }),
      ].map(({ verdict }) => verdict),
      ["met", "missed", "missed", "void", "not judged", "reported"],
    );
  });

  test("a guard is held against its own bound; a goal that is missed for a known reason is told as such", () => {
    const bounds = { guards: { P1: 1.2 }, accepted: {} };
    assert.deepEqual(
      [held(figure(1.1), bounds), held(figure(1.3), bounds), held(figure(1.1), { guards: {}, accepted: {} })].map(
        ({ gate, verdict }) => [gate, verdict],
      ),
      [
        [1.2, "met"],
        [1.2, "missed"],
        [1.05, "missed"],
      ],
    );
    const accepted = { guards: {}, accepted: { P1: "a reason" } };
    assert.deepEqual(
      [1, 1.1].map((us) => held(figure(us), accepted).verdict),
      ["met", "missed (accepted)"],
    );
  });

  test("one run stands as it is; of several the middle of their medians is judged, with the middle of their null tests", () => {
    assert.deepEqual(merged([[figure(1.02)]]), [figure(1.02)]);
    const [outlier] = merged([[figure(1.01)], [figure(1.3)], [figure(1.03)]]);
    assert.deepEqual([outlier?.us.median, outlier?.runs, outlier?.verdict], [1.03, [1.01, 1.3, 1.03], "met"]);
    const [empty] = merged([[figure(1, { nullRatio: 1.2 })], [figure(1, { nullRatio: 1.2 })], [figure(1)]]);
    assert.equal(empty?.verdict, "void");
    const [partly] = merged([[figure(1)], [figure(1, { isOk: false })], [figure(1)]]);
    assert.equal(partly?.verdict, "missed");
  });

  test("a row tells the middle half of one run, and how far several are apart", () => {
    assert.deepEqual(row(figure(1.02)), [
      "P1",
      "a round trip",
      "20 µs",
      "1.06",
      "1.020× (1.020–1.020)",
      "1.000 (1.00–1.00)",
      "≤ 1.05",
      "1",
      "met",
      "",
    ]);
    assert.equal(merged([[figure(1.01)], [figure(1.03)]]).map(row)[0]?.[4], "1.020× ± 0.010");
  });
});
