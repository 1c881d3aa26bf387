import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { checkParams } from "../../../../src/catalogue/params.ts";
import { instrumentChoices, MAX_CHOICES } from "../../../../src/present/trades/instrumentChoices.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import {
  boundProblem,
  countProblem,
  createTypedMoments,
  endProblem,
  readBound,
  tradesQueryText,
  withCount,
  withRange,
  withSorting,
  writeBound,
} from "../../../../src/present/trades/tradesQuery.ts";

/* What Last Trades asks the user for, and how what is asked for reads. */

const berlin = createTypedMoments("Europe/Berlin");
/** 2026-11-20 13:04:07.123 UTC */
const NOW = 1_795_179_847_123;

describe("typed moments", () => {
  const rows: readonly [string, number | undefined][] = [
    ["2026-11-20 14:04:07.123", NOW],
    ["2026-11-20 14:04:07", NOW - 123],
    ["2026-11-20T14:04", NOW - 7123],
    ["2026-11-20", Date.UTC(2026, 10, 19, 23)],
    ["2026-07-01 12:00", Date.UTC(2026, 6, 1, 10)],
    [" 1795179847123 ", NOW],
    ["2026-02-29 12:00", undefined],
    ["2026-13-01", undefined],
    ["2026-11-20 24:00", undefined],
    ["2026-11-20 12:60", undefined],
    ["2026-03-29 02:30", undefined],
    ["20.11.2026 13:04", undefined],
    ["1795179847123.5", undefined],
    ["9999999999999999", undefined],
    ["tomorrow", undefined],
  ];
  for (const [text, expected] of rows)
    test(`${text} → ${String(expected)}`, () => assert.equal(berlin.read(text), expected));

  test("what is written can be read again", () => {
    for (const atMs of [NOW, NOW - 123, 0, 951_782_400_000]) assert.equal(berlin.read(berlin.write(atMs)), atMs);
    assert.equal(berlin.write(NOW), "2026-11-20 14:04:07.123");
    assert.equal(berlin.write(NOW - 123), "2026-11-20 14:04:07");
  });
});

describe("bounds of a range", () => {
  test("an empty bound leaves its side open; what is no bound is said", () => {
    assert.equal(boundProblem("", "time", berlin), undefined);
    assert.equal(readBound("  ", "sequence", berlin), undefined);
    assert.equal(readBound("218003", "sequence", berlin), 218_003);
    assert.equal(writeBound(218_003, "sequence", berlin), "218003");
    assert.match(boundProblem("12x", "sequence", berlin) ?? "", /whole number/);
    assert.match(boundProblem("yesterday", "time", berlin) ?? "", /2026-11-20 13:04/);
  });

  test("an end before the start, and a range without a bound, are said", () => {
    assert.match(endProblem("5", 10, "sequence", berlin) ?? "", /before the start \(10\)/);
    assert.equal(endProblem("10", 10, "sequence", berlin), undefined);
    assert.match(endProblem("", undefined, "time", berlin) ?? "", /needs a start or an end/);
    assert.equal(endProblem("", NOW, "time", berlin), undefined);
    assert.match(
      endProblem("2026-11-20 14:04", NOW, "time", berlin) ?? "",
      /before the start \(2026-11-20 14:04:07\.123\)/,
    );
  });

  test("the count is that of the method", () => {
    assert.equal(countProblem(""), undefined);
    assert.equal(countProblem("1"), undefined);
    assert.equal(countProblem("1000"), undefined);
    for (const text of ["0", "1001", "1.5", "-1", "many"]) assert.match(countProblem(text) ?? "", /\d/, text);
  });
});

describe("what is asked for", () => {
  const name = { instrument_name: "BTC-PERPETUAL" };
  const times = createTimes(60);

  test("every parameter of the method can be set, and taken away again", () => {
    const full = withSorting(withCount(withRange(name, "sequence", { start: 1, end: 2 }), "25"), "asc");
    assert.deepEqual(full, { ...name, start_seq: 1, end_seq: 2, count: 25, sorting: "asc" });
    const timed = withRange(full, "time", { start: NOW, end: undefined });
    assert.deepEqual(timed, { ...name, start_timestamp: NOW, count: 25, sorting: "asc" });
    assert.deepEqual(withSorting(withCount(withRange(timed, "none", { start: 1, end: 2 }), ""), undefined), name);
    for (const query of [full, timed, name])
      assert.deepEqual(checkParams("public/get_last_trades_by_instrument", query), []);
  });

  const rows: readonly [Parameters<typeof tradesQueryText>[0], string][] = [
    [name, "the newest trades · 1000 at a time"],
    [
      { ...name, start_seq: 1000, count: 25, sorting: "asc" },
      "trades from sequence number 1000 on · 25 at a time · sorting asc",
    ],
    [{ ...name, end_seq: 7 }, "trades up to sequence number 7 · 1000 at a time"],
    [
      { ...name, start_timestamp: NOW, end_timestamp: NOW + 1000 },
      "trades from 2026-11-20 14:04:07.123 GMT+1 to 2026-11-20 14:04:08.123 GMT+1 · 1000 at a time",
    ],
  ];
  for (const [query, expected] of rows) test(expected, () => assert.equal(tradesQueryText(query, times), expected));
});

describe("instruments to choose from", () => {
  const instrument = (
    name: string,
    isActive = true,
  ): { name: string; kind: string; isActive: boolean; expiresAtMs: undefined } => ({
    name,
    kind: "future",
    isActive,
    expiresAtMs: undefined,
  });
  const instruments = [
    instrument("BTC-PERPETUAL"),
    instrument("ETH-PERPETUAL"),
    instrument("BTC-26MAR27"),
    instrument("BTC-27MAR26", false),
  ];
  const names = (typed: string, recent: readonly string[] = []): readonly string[] =>
    instrumentChoices({ typed, recent, instruments }).flatMap((each) => each.name ?? []);

  test("those chosen before come first and once, then what can be traded, then the rest", () => {
    assert.deepEqual(names("", ["ETH-PERPETUAL", "OLD-1JAN20"]), [
      "ETH-PERPETUAL",
      "OLD-1JAN20",
      "BTC-PERPETUAL",
      "BTC-26MAR27",
      "BTC-27MAR26",
    ]);
  });

  test("what was typed narrows the list, in whatever case", () => {
    assert.deepEqual(names("btc-perpetual"), ["BTC-PERPETUAL", "btc-perpetual"]);
    assert.deepEqual(names("BTC-PERPETUAL"), ["BTC-PERPETUAL"]);
  });

  test("a name that is not in the list is offered as it is, last", () => {
    assert.deepEqual(names("BTC-2"), ["BTC-26MAR27", "BTC-27MAR26", "BTC-2"]);
    assert.deepEqual(names(" DOGE-PERPETUAL "), ["DOGE-PERPETUAL"]);
  });

  test("of thousands the first are offered, with how many more there are", () => {
    const many = Array.from({ length: MAX_CHOICES + 50 }, (_, index) => instrument(`BTC-${String(index)}-C`));
    const choices = instrumentChoices({ typed: "", recent: [], instruments: many });
    assert.equal(choices.filter(({ name }) => name !== undefined).length, MAX_CHOICES);
    assert.match(choices.at(-1)?.label ?? "", /50 more/);
  });

  test("what the exchange writes in a name is shown harmless and sent as it is", () => {
    const [choice] = instrumentChoices({ typed: "", recent: [], instruments: [instrument("$(flame)\u202EX")] }).filter(
      ({ name }) => name !== undefined,
    );
    assert.equal(choice?.name, "$(flame)\u202EX");
    assert.equal(choice.label, "$ (flame)\\u202EX");
  });
});
