import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { countText, digitsText, isExact, numberText } from "../../../src/present/text/numbers.ts";
import { withoutDigitSpaces } from "../../../src/base/decimal.ts";
import { rowId, rowIdParts } from "../../../src/present/rows/row.ts";
import { coarseAgeText, coarseMinutes, createTimes, durationText } from "../../../src/present/text/times.ts";
import { BERLIN, NOON_MS } from "./samples.ts";
import { runs } from "../../sizes.ts";

describe("numbers", () => {
  const cases: readonly [number, string][] = [
    [0, "0"],
    [-0, "0"],
    [40, "40"],
    [2100.5, "2100.5"],
    [0.1 + 0.2, "0.30000000000000004"],
    [64_000, "64\u202F000"],
    [1e-8, "0.00000001"],
    [-1.5e-7, "-0.00000015"],
    [1.25e-21, "0.00000000000000000000125"],
    [2 ** 53 - 1, "9\u202F007\u202F199\u202F254\u202F740\u202F991"],
    [2 ** 53, "≈9\u202F007\u202F199\u202F254\u202F740\u202F992"],
    [144790485158858750, "≈144\u202F790\u202F485\u202F158\u202F858\u202F750"],
    [1e21, "≈1\u202F000\u202F000\u202F000\u202F000\u202F000\u202F000\u202F000"],
    [-1.25e23, "≈-125\u202F000\u202F000\u202F000\u202F000\u202F000\u202F000\u202F000"],
  ];
  for (const [value, expected] of cases) test(expected, () => assert.equal(numberText(value), expected));

  test("any number: no exponent, and the same number when it is read again", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const grouped = numberText(value).replace("≈", "");
        // Groups of three from the point on, from five digits before it.
        assert.match(grouped, /^-?(\d{1,4}|\d{1,3}(\u202F\d{3})+)(\.\d+)?$/);
        const text = withoutDigitSpaces(grouped);
        assert.equal(text, digitsText(value).replace("≈", ""));
        assert.match(text, /^-?\d+(\.\d+)?$/);
        assert.equal(Number(text), value === 0 ? 0 : value);
      }),
      { numRuns: runs(500) },
    );
  });

  test("exactness and counts", () => {
    assert.deepEqual([1.5, 2 ** 53 - 1, 2 ** 53, -(2 ** 60)].map(isExact), [true, true, false, false]);
    assert.deepEqual([0, 999, 1234, 1_234_567].map(countText), ["0", "999", "1234", "1\u202F234\u202F567"]);
  });
});

describe("times", () => {
  test("local and UTC", () => {
    assert.equal(BERLIN.clock(NOON_MS + 247_000), "13:04:07");
    assert.equal(BERLIN.local(NOON_MS + 7), "2026-11-20 13:00:00.007 GMT+1");
    assert.equal(BERLIN.utc(NOON_MS + 7), "2026-11-20 12:00:00.007 UTC");
    assert.equal(createTimes(330).local(0), "1970-01-01 05:30:00.000 GMT+5:30");
    assert.equal(createTimes(0).clock(0), "00:00:00");
    assert.equal(createTimes(0).utc(32_503_708_800_000), "3000-01-01 08:00:00.000 UTC");
  });

  test("in the zone of the machine, as Intl writes them", () => {
    const before = process.env["TZ"];
    try {
      for (const zone of ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "UTC"]) {
        process.env["TZ"] = zone;
        const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
        const offset = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "shortOffset" });
        for (let atMs = 0; atMs < 2.5e12; atMs += 1.3e10) {
          const text = format.format(atMs);
          const name = offset.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
          const ahead = name.length > "GMT".length ? name : "GMT+0";
          assert.equal(createTimes().local(atMs), `${text}.000 ${ahead}`);
          assert.equal(createTimes().clock(atMs), text.split(" ")[1]);
        }
      }
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });

  test("a number that is no moment is shown as what it is", () => {
    assert.equal(createTimes(60).local(8.64e15), "8640000000000000");
    assert.equal(createTimes(60).local(253_402_300_800_000), "10000-01-01 01:00:00.000 GMT+1");
    assert.equal(BERLIN.local(1.7e18), "≈1700000000000000000");
    assert.equal(BERLIN.clock(-9e15), "-9000000000000000");
  });

  const durations: readonly [number, string][] = [
    [-5, "0 ms"],
    [0, "0 ms"],
    [0.4, "<1 ms"],
    [38.4, "38 ms"],
    [999.6, "1 s"],
    [8000, "8 s"],
    [59_600, "1 min"],
    [28 * 60_000, "28 min"],
    [3_600_000, "1 h"],
    [11_100_000, "3 h 5 min"],
    [172_800_000, "2 d"],
    [187_200_000, "2 d 4 h"],
  ];
  for (const [ms, expected] of durations)
    test(`${String(ms)} ms reads ${expected}`, () => assert.equal(durationText(ms), expected));
});

describe("row ids", () => {
  const parts = fc.array(fc.string({ unit: fc.constantFrom("a", "/", "%", "2", "F", "5", "\uD800"), maxLength: 5 }), {
    minLength: 1,
    maxLength: 4,
  });

  test("any parts come back, and different parts make different ids", () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const [first = "", ...rest] = one;
        const [second = "", ...others] = other;
        assert.deepEqual(rowIdParts(rowId(first, ...rest)), one);
        if (JSON.stringify(one) !== JSON.stringify(other))
          assert.notEqual(rowId(first, ...rest), rowId(second, ...others));
      }),
    );
    assert.deepEqual(rowIdParts(rowId("a/b", "%2F", "%")), ["a/b", "%2F", "%"]);
  });
});

test("an age has few different texts: minutes up to five, then steps of five, hours, and days", () => {
  const minutes = [-1, 0, 0.99, 1, 4.5, 5, 9.9, 10, 59, 60, 119, 23 * 60 + 59, 24 * 60, 47 * 60, 48 * 60];
  assert.deepEqual(
    minutes.map((each) => coarseMinutes(each * 60_000)),
    [0, 0, 0, 1, 4, 5, 5, 10, 55, 60, 60, 23 * 60, 24 * 60, 24 * 60, 48 * 60],
  );
  assert.deepEqual([4, 55, 60, 23 * 60, 48 * 60].map(coarseAgeText), ["4 min", "55 min", "1 h", "23 h", "2 d"]);
  const shown = new Set(Array.from({ length: 60 }, (_, minute) => coarseMinutes(minute * 60_000)));
  assert.equal(shown.size, 16);
});
