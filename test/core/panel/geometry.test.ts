import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createWall } from "../../../src/base/wallTime.ts";
import {
  countWithin,
  fullRange,
  indexFrom,
  nearestIndex,
  rangeWith,
  valueRange,
  valueText,
  zoomedRange,
} from "../../../src/panel/chartGeometry.ts";
import { movedIndex, rowWindow, scrollTopAfter, scrollTopFor } from "../../../src/panel/rowWindow.ts";
import { timeTicks } from "../../../src/panel/timeTicks.ts";

/* What the page of Last Trades computes before it draws. */

describe("the axis of time", () => {
  const utc = createWall("UTC");
  const ticks = (fromMs: number, spanMs: number, count: number, wall = utc): readonly string[] =>
    timeTicks(fromMs, fromMs + spanMs, count, (atMs) => wall.read(atMs)).map(({ text }) => text);
  /** 2026-11-20 13:04:07.123 UTC */
  const NOW = 1_795_179_847_123;

  const rows: readonly [string, number, number, readonly string[]][] = [
    [
      "milliseconds",
      10,
      5,
      ["13:04:07.124\n2026-11-20", "13:04:07.126", "13:04:07.128", "13:04:07.130", "13:04:07.132"],
    ],
    ["seconds", 9_000, 5, ["13:04:08\n2026-11-20", "13:04:10", "13:04:12", "13:04:14", "13:04:16"]],
    ["minutes", 600_000, 3, ["13:05\n2026-11-20", "13:10"]],
    ["hours, over midnight", 12 * 3_600_000, 4, ["15:00\n2026-11-20", "18:00", "21:00", "00:00\n2026-11-21"]],
    ["days", 5 * 86_400_000, 5, ["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25"]],
  ];
  for (const [name, spanMs, count, expected] of rows) {
    test(`in ${name}`, () => assert.deepEqual(ticks(NOW, spanMs, count), expected));
  }

  test("round times are those of the wall, also half an hour from UTC", () => {
    assert.deepEqual(ticks(NOW, 3 * 3_600_000, 3, createWall("Asia/Kolkata")), ["19:00\n2026-11-20", "20:00", "21:00"]);
  });

  test("never more marks than there is room for, whatever the span", () => {
    for (let spanMs = 1; spanMs < 1e13; spanMs *= 3) {
      const found = ticks(NOW, spanMs, 6);
      assert.ok(found.length <= 7, `${String(spanMs)}: ${String(found.length)}`);
    }
    assert.deepEqual(ticks(NOW, 0, 6), []);
  });
});

describe("the wall", () => {
  test("moments and walls lead to each other, also around changes of the clocks", () => {
    for (const zone of ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia"]) {
      const wall = createWall(zone);
      for (let atMs = 1_767_225_600_000; atMs < 1_798_761_600_000; atMs += 1_234_567_890)
        assert.equal(wall.momentOf(wall.read(atMs)), atMs, zone);
    }
  });

  test("an hour that is left out is no moment, one that comes twice is the earlier one", () => {
    const wall = createWall("Europe/Berlin");
    assert.equal(wall.momentOf({ day: "2026-03-29", sinceMidnightMs: 2.5 * 3_600_000 }), undefined);
    assert.equal(wall.momentOf({ day: "2026-10-25", sinceMidnightMs: 2.5 * 3_600_000 }), Date.UTC(2026, 9, 25, 0, 30));
  });
});

describe("ranges of the chart", () => {
  const times = [1000, 1000, 2000, 3000, 5000];

  test("all trades are in sight, with room beside them; one alone has some too", () => {
    assert.deepEqual(fullRange(times), { fromMs: 920, toMs: 5080 });
    assert.deepEqual(fullRange([7000]), { fromMs: 6000, toMs: 8000 });
    assert.deepEqual(fullRange([]), { fromMs: -1000, toMs: 1000 });
  });

  test("a zoom stays within all there is and keeps what it is about in its place", () => {
    const whole = { fromMs: 0, toMs: 1000 };
    assert.deepEqual(zoomedRange(whole, 0.5, 500, whole), { fromMs: 250, toMs: 750 });
    assert.deepEqual(zoomedRange(whole, 0.5, 0, whole), { fromMs: 0, toMs: 500 });
    assert.deepEqual(zoomedRange({ fromMs: 900, toMs: 1000 }, 2, 950, whole), { fromMs: 800, toMs: 1000 });
    assert.deepEqual(zoomedRange({ fromMs: 100, toMs: 200 }, 100, 150, whole), whole);
    const closest = zoomedRange({ fromMs: 500, toMs: 512 }, 0.01, 506, whole);
    assert.equal(closest.toMs - closest.fromMs, 10);
  });

  test("a zoom moves to a moment outside of it, and not for one inside", () => {
    const whole = { fromMs: 0, toMs: 1000 };
    const zoom = { fromMs: 100, toMs: 200 };
    assert.equal(rangeWith(zoom, 150, whole), zoom);
    assert.deepEqual(rangeWith(zoom, 500, whole), { fromMs: 450, toMs: 550 });
    assert.deepEqual(rangeWith(zoom, 1000, whole), { fromMs: 900, toMs: 1000 });
  });

  test("which trades are in a range", () => {
    assert.equal(indexFrom(times, 999), 0);
    assert.equal(indexFrom(times, 1000), 0);
    assert.equal(indexFrom(times, 1001), 2);
    assert.equal(indexFrom(times, 6000), 5);
    assert.equal(countWithin(times, { fromMs: 1000, toMs: 3000 }), 4);
  });

  test("the nearest within reach, the later of two at one place, none where none is drawn", () => {
    const distances = [30, 5, 5, Number.NaN, 9];
    const at = (index: number): number => distances[index] ?? Number.NaN;
    assert.equal(nearestIndex(0, 5, 24, at), 2);
    assert.equal(nearestIndex(3, 5, 24, at), 4);
    assert.equal(nearestIndex(0, 1, 24, at), undefined);
    assert.equal(nearestIndex(3, 4, 24, at), undefined);
  });

  test("values: room around, one value alone, none at all", () => {
    assert.deepEqual(valueRange([0, 100, null], 0, 3), [-8, 108]);
    assert.deepEqual(valueRange([5, 100, 200], 1, 1), [0, 1]);
    assert.deepEqual(valueRange([2000], 0, 1), [1998, 2002]);
    assert.deepEqual(valueRange([0], 0, 1), [-1, 1]);
    assert.deepEqual(valueRange([null], 0, 1), [0, 1]);
  });

  test("marks of values have the decimals of their distance, and no exponent", () => {
    assert.equal(valueText(92_400, 200), "92400");
    assert.equal(valueText(0.25, 0.25), "0.25");
    assert.equal(valueText(0.3, 0.1), "0.3");
    assert.equal(valueText(0.1 + 0.2, 0.1), "0.3");
    assert.equal(valueText(0.00001234, 0.00000002), "0.00001234");
    assert.equal(valueText(-0.0000001, 0.5), "0");
  });
});

describe("rows in sight", () => {
  test("those in sight and a few around, never beyond the list", () => {
    assert.deepEqual(rowWindow({ scrollTop: 0, height: 220, rowHeight: 22 }, 1000), { first: 0, end: 18 });
    assert.deepEqual(rowWindow({ scrollTop: 11_000, height: 220, rowHeight: 22 }, 1000), { first: 492, end: 518 });
    assert.deepEqual(rowWindow({ scrollTop: 22_000, height: 220, rowHeight: 22 }, 1000), { first: 992, end: 1000 });
    assert.deepEqual(rowWindow({ scrollTop: 0, height: 220, rowHeight: 22 }, 3), { first: 0, end: 3 });
  });

  test("scrolling goes no further than needed", () => {
    const view = { scrollTop: 220, height: 220, rowHeight: 22 };
    assert.equal(scrollTopFor(15, view), 220);
    assert.equal(scrollTopFor(3, view), 66);
    assert.equal(scrollTopFor(20, view), 242);
  });

  test("rows that come above do not move what is read, and the newest stay in sight for who reads them", () => {
    assert.equal(scrollTopAfter(3, { scrollTop: 0, height: 220, rowHeight: 22 }), 0);
    assert.equal(scrollTopAfter(3, { scrollTop: 500, height: 220, rowHeight: 22 }), 566);
  });

  test("keys move within the list", () => {
    assert.equal(movedIndex("ArrowDown", 0, 3, 10), 1);
    assert.equal(movedIndex("ArrowUp", 0, 3, 10), 0);
    assert.equal(movedIndex("PageDown", 0, 100, 10), 9);
    assert.equal(movedIndex("PageUp", 50, 100, 10), 41);
    assert.equal(movedIndex("End", 0, 100, 10), 99);
    assert.equal(movedIndex("Home", 50, 100, 10), 0);
    assert.equal(movedIndex("ArrowDown", -1, 100, 10), 0);
    assert.equal(movedIndex("x", 0, 100, 10), undefined);
    assert.equal(movedIndex("End", 0, 0, 10), undefined);
  });
});
