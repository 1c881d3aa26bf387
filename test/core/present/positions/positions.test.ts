import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readRow } from "../../../../src/catalogue/index.ts";
import {
  positionNodes,
  positionText,
  type MadePositionNodes,
  type PositionsLook,
} from "../../../../src/present/positions/positions.ts";
import { placesOf } from "../../../../src/present/positions/positionsSorting.ts";
import type { RowNode } from "../../../../src/present/rows/nodes.ts";
import {
  numberText,
  signedText,
  shortMoneyText,
  shortPriceText,
  sumText,
} from "../../../../src/present/text/numbers.ts";
import type { Instrument } from "../../../../src/state/instruments.ts";
import type { ListedPosition } from "../../../../src/state/positions.ts";
import type { Snapshot } from "../../../../src/state/snapshot.ts";
import { POSITION_FIELDS } from "../../../accountFields.ts";
import { BERLIN, NOON_MS } from "../samples.ts";

/* The rows of positions. The first position is the documented one, at the documented prices. */

const PERPETUAL: ListedPosition = {
  instrument_name: "BTC-PERPETUAL",
  kind: "future",
  direction: "buy",
  size: 185160,
  size_currency: 10.646886321,
  average_price: 15000,
  mark_price: 17391,
  index_price: 17501.88,
  total_profit_loss: 1.69711368,
  realized_funding: 0.01235663,
  estimated_liquidation_price: 7200,
};
const SHORT: ListedPosition = {
  instrument_name: "BTC-25DEC26",
  kind: "future",
  direction: "sell",
  size: -20,
  average_price: 17000.5,
  mark_price: 17391.27,
  total_profit_loss: -0.00002297,
};
const LINEAR: ListedPosition = {
  instrument_name: "SOL_USDC-PERPETUAL",
  kind: "future",
  direction: "sell",
  size: -1748.75,
  size_currency: -12.5,
  average_price: 140.123456,
  mark_price: 139.9,
  index_price: 139.95,
  total_profit_loss: 2.7932,
  estimated_liquidation_price: 210.55,
};
const OPTION: ListedPosition = {
  instrument_name: "ETH-25DEC26-3000-C",
  kind: "option",
  direction: "buy",
  size: 5,
  average_price: 0.0315,
  mark_price: 0.0315,
  total_profit_loss: 0,
  gamma: 0.0001,
};
const CLOSED: ListedPosition = { instrument_name: "BTC-27MAR27", direction: "zero", size: 0, total_profit_loss: 0.5 };

function instrument(name: string, kind: string, [base, quote, settlement]: readonly string[]): Instrument {
  const steps = { tickSize: undefined, tickSizes: [], minAmount: undefined, contractSize: undefined };
  const currencies = { base, quote, settlement };
  return { name, kind, currencies, steps, id: undefined, isActive: true, expiresAtMs: undefined };
}

const INSTRUMENTS = new Map(
  [
    instrument("BTC-PERPETUAL", "future", ["BTC", "USD", "BTC"]),
    instrument("BTC-25DEC26", "future", ["BTC", "USD", "BTC"]),
    instrument("BTC-27MAR27", "future", ["BTC", "USD", "BTC"]),
    instrument("SOL_USDC-PERPETUAL", "future", ["SOL", "USDC", "USDC"]),
    instrument("ETH-25DEC26-3000-C", "option", ["ETH", "ETH", "ETH"]),
  ].map((each) => [each.name, each]),
);

const LOOK: PositionsLook = { times: BERLIN, sorting: "instrument", places: new Map(), hasUsd: false, nowMs: NOON_MS };

function nodesOf(
  positions: readonly ListedPosition[],
  look: Partial<PositionsLook> = {},
  members: Partial<Snapshot<ListedPosition>> = {},
  {
    made,
    instruments = INSTRUMENTS,
  }: { readonly made?: MadePositionNodes; readonly instruments?: typeof INSTRUMENTS } = {},
): RowNode[] {
  const items = new Map(positions.map((each) => [each.instrument_name, each]));
  return positionNodes(
    {
      snapshot: { status: "live", items, readAtMs: NOON_MS, failure: undefined, unreadable: [], ...members },
      instrumentOf: ({ instrument_name: name }) => instruments.get(name),
    },
    { ...LOOK, ...look },
    made,
  );
}

/** The rows of groups and positions, without their members. */
function outline(nodes: readonly RowNode[]): string[] {
  const line = (node: RowNode): string =>
    `${node.icon === undefined ? "" : `[${node.icon.name}] `}${node.label} | ${node.description}`;
  return nodes.flatMap((node) => [
    line(node),
    ...(node.contextValue === "positions.group" ? (node.below?.() ?? []).map((each) => `  ${line(each)}`) : []),
  ]);
}

const positionsIn = (nodes: readonly RowNode[]): RowNode[] => nodes.flatMap((node) => node.below?.() ?? []);

describe("the rows of positions", () => {
  test("groups are settlement currencies, and only profits are added up", () => {
    assert.deepEqual(outline(nodesOf([PERPETUAL, OPTION, LINEAR, CLOSED, SHORT])), [
      "BTC | +1.6971 · 2 positions · 1 closed",
      "  [triangle-down] BTC-25DEC26 short 20 | −0.00002297",
      "  [triangle-up] BTC-PERP long 185.2k | +1.6971 · liq 7200 (−59 %)",
      "ETH | 0 · 1 position",
      "  [circle-outline] 25DEC26-3000-C long 5 | 0",
      "USDC | +2.7932 · 1 position",
      "  [triangle-up] SOL_USDC-PERP short 12.5 | +2.7932 · liq 210.55 (+51 %)",
    ]);
  });

  test("a position is drawn anew when it, its instrument, its age, or the look has changed, and not before", () => {
    const made: MadePositionNodes = new WeakMap();
    const draw = (
      ...[look, members, instruments]: [
        Partial<PositionsLook>?,
        Partial<Snapshot<ListedPosition>>?,
        typeof INSTRUMENTS?,
      ]
    ) =>
      positionsIn(
        nodesOf([PERPETUAL], look, members, { made, ...(instruments === undefined ? {} : { instruments }) }),
      )[0];
    const first = draw();
    assert.equal(draw(), first);
    assert.equal(draw({}, {}, new Map())?.label, "BTC-PERP long 185\u202F160 in the quote currency");
    assert.match(draw({ hasUsd: true })?.description ?? "", /≈/);
    assert.match(draw({}, { status: "stale" })?.description ?? "", /stale$/);
    assert.deepEqual(
      outline(nodesOf([{ ...PERPETUAL, size: 10 }], {}, {}, { made }))[1]?.split(" |")[0],
      "  [triangle-up] BTC-PERP long 10",
    );
    assert.equal(draw()?.label, first?.label);
  });

  test("the sum of a group is exact, and Copy takes all of its digits", () => {
    const [group] = nodesOf([PERPETUAL, SHORT]);
    assert.equal(group?.copyText, "1.69709071");
    assert.equal(group.spoken, "BTC: profit 1.69709071 BTC, 2 positions");
  });

  test("without the profit of one position there is no sum", () => {
    const unknown = { ...SHORT, total_profit_loss: undefined };
    assert.deepEqual(
      outline(nodesOf([PERPETUAL, unknown])).filter((line) => !line.startsWith("  ")),
      ["BTC | 2 positions"],
    );
  });

  test("positions of size zero are hidden, counted, and named in the tooltip", () => {
    const [group, ...others] = nodesOf([CLOSED]);
    assert.deepEqual(
      [others.length, group?.description, group?.below, group?.contextValue],
      [0, "0 positions · 1 closed", undefined, "positions.kept"],
    );
    assert.deepEqual(group?.tooltip, [
      { name: undefined, value: "BTC: 0 positions" },
      { name: undefined, value: "closed, not listed: BTC-27MAR27" },
    ]);
  });

  test("the currency is never taken from the name: without the instrument it is unknown, and so is the unit", () => {
    const unlisted: ListedPosition = { ...PERPETUAL, instrument_name: "BTC-26JUN27" };
    assert.deepEqual(outline(nodesOf([unlisted, OPTION])), [
      "ETH | 0 · 1 position",
      "  [circle-outline] 25DEC26-3000-C long 5 | 0",
      "Settlement currency unknown | 1 position",
      "  [triangle-up] BTC-26JUN27 long 185\u202F160 in the quote currency | +1.6971 · liq 7200 (−59 %)",
    ]);
  });

  test("a position with nothing but its name is a row, too", () => {
    assert.deepEqual(outline(nodesOf([{ instrument_name: "BTC-PERPETUAL" }])), [
      "BTC | 1 position",
      "  [circle-outline] BTC-PERP side and size unknown | ",
    ]);
  });

  test("USD is optional, approximate, and only of what the index price converts", () => {
    assert.deepEqual(
      positionsIn(nodesOf([PERPETUAL, LINEAR, OPTION], { hasUsd: true })).map(({ description }) => description),
      ["+1.6971 · ≈ +29\u202F703 USD · liq 7200 (−59 %)", "0", "+2.7932 · liq 210.55 (+51 %)"],
    );
  });

  test("is spoken in words, with all digits", () => {
    assert.deepEqual(
      positionsIn(nodesOf([PERPETUAL, SHORT])).map(({ spoken }) => spoken),
      [
        "BTC-25DEC26 short 20 USD: loss 0.00002297 BTC, average price 17\u202F000.5, mark price 17\u202F391.27",
        "BTC-PERPETUAL long 185\u202F160 USD: profit 1.69711368 BTC, estimated liquidation price 7200, 59% below the mark price, average price 15\u202F000, mark price 17\u202F391",
      ],
    );
  });

  test("every member is a row below, as it was received, and the tooltip has all of them", () => {
    const received = { ...PERPETUAL, leverage: "33", new_member: [1], realized_profit_loss: null };
    const position = readRow("position", received)!;
    const [node] = positionsIn(nodesOf([position]));
    const below = node?.below?.() ?? [];
    assert.deepEqual(
      below.map(({ label }) => label),
      [
        ...["total_profit_loss", "direction", "size", "size_currency", "average_price", "mark_price", "index_price"],
        ...["estimated_liquidation_price", "leverage", "realized_funding", "All Fields"],
      ],
    );
    const all = below.at(-1)?.below?.() ?? [];
    const fields = all.map(({ label, description }) => `${label} | ${description}`);
    assert.equal(fields.length, Object.keys(received).length);
    assert.ok(fields.includes("leverage | 33 (not as documented)"));
    assert.ok(fields.includes("new_member | [1]"));
    assert.deepEqual(
      node?.tooltip.flatMap(({ name }) => name ?? []),
      Object.keys(received),
    );
  });

  test("a list that is not up to date says so in every row, and has no color of profit", () => {
    const nodes = nodesOf([PERPETUAL], {}, { status: "stale" });
    for (const node of [...nodes, ...positionsIn(nodes)]) assert.match(node.description, /stale/);
    assert.deepEqual(positionsIn(nodes)[0]?.icon, { name: "triangle-up", color: "disabledForeground" });
  });

  test("a row without an instrument name is shown raw", () => {
    const [node] = nodesOf([], {}, { unreadable: [{ size: 5 }] });
    assert.deepEqual([node?.label, node?.contextValue], ["Unreadable", "positions.unreadable"]);
  });

  test("a linear future is held in coins, and its size, which is a value, is in the tooltip", () => {
    const long: ListedPosition = {
      ...{ instrument_name: "ADA_USDC-PERPETUAL", kind: "future", direction: "buy", size: 61.98, size_currency: 77 },
      ...{ average_price: 0.8011, mark_price: 0.80493506, total_profit_loss: 0.2953 },
    };
    const instruments = new Map([[long.instrument_name, instrument("ADA", "future", ["ADA", "USDC", "USDC"])]]);
    const [node] = positionsIn(nodesOf([long], {}, {}, { instruments }));
    assert.deepEqual([node?.label, node?.contextValue], ["ADA_USDC-PERP long 77", "position"]);
    assert.match(node?.spoken ?? "", /: profit 0\.2953 USDC, value 61\.98 USDC, average price /);
    assert.equal(node?.tooltip.filter(({ value }) => value === "value 61.98 USDC").length, 1);
    // The mark alone has moved.
    const [later] = positionsIn(nodesOf([{ ...long, size: 63.14, mark_price: 0.82 }], {}, {}, { instruments }));
    assert.equal(later?.label, node.label);
  });

  test("where a linear future has no size in coins, the row says so, and nothing is divided by a price", () => {
    const { size_currency: _, ...unsized } = LINEAR;
    const [node] = positionsIn(nodesOf([unsized]));
    assert.deepEqual(
      [node?.label, node?.contextValue],
      ["SOL_USDC-PERP short, size in SOL unknown", "position.unsized"],
    );
    assert.match(
      node?.spoken ?? "",
      /The exchange reports no size in SOL, so it can't be closed or reduced from here\.$/,
    );
  });

  test("without the instrument, what the orders of a future count is unknown, and an option counts coins", () => {
    const [future, option] = positionsIn(
      nodesOf([LINEAR, OPTION], { sorting: "received" }, {}, { instruments: new Map() }),
    );
    assert.deepEqual(
      [future?.label, future?.contextValue],
      ["SOL_USDC-PERP short 1748.75 in the quote currency", "position.unsized"],
    );
    assert.match(future?.spoken ?? "", /The currency that its orders count is unknown/);
    assert.deepEqual([option?.label, option?.contextValue], ["ETH-25DEC26-3000-C long 5", "position"]);
  });

  test("an estimated liquidation price of 0 or -1 is none", () => {
    for (const none of [0, -1]) {
      const [node] = positionsIn(nodesOf([{ ...PERPETUAL, estimated_liquidation_price: none }]));
      assert.equal(node?.description, "+1.6971");
      assert.doesNotMatch(node.spoken, /liquidation/);
    }
  });

  test("a choice says side, size, and unit", () => {
    assert.equal(positionText(LINEAR, INSTRUMENTS.get(LINEAR.instrument_name)), "SOL_USDC-PERPETUAL short 12.5 SOL");
  });
});

/** An object with a value of the documented type in every field. */
function fullOf(fields: Readonly<Record<string, string>>): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = { integer: 7, number: 0.5, text: "buy", flag: true, list: [] };
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, values[type] ?? { some: 1 }]));
}

describe("every documented field of a position", () => {
  test("is known to the catalogue, and is a row", () => {
    const full = { ...fullOf(POSITION_FIELDS), instrument_name: "BTC-PERPETUAL" };
    const [node] = positionsIn(nodesOf([readRow("position", full)!]));
    const all = node?.below?.().at(-1)?.below?.() ?? [];
    const below = all.map(({ label, description }) => `${label} | ${description}`);
    assert.deepEqual(
      below,
      Object.entries(full).map(([name, value]) => `${name} | ${value}`),
    );
    for (const name of Object.keys(POSITION_FIELDS)) {
      if (name === "instrument_name") continue;
      const odd = readRow("position", { ...full, [name]: ["odd"] });
      assert.equal(odd?.[name], undefined, name);
    }
  });
});

describe("the order of positions", () => {
  const names = (look: Partial<PositionsLook>, positions: readonly ListedPosition[]): string[] =>
    positionsIn(nodesOf(positions, look)).map(({ objectId }) => objectId ?? "");
  const rich: ListedPosition = {
    ...PERPETUAL,
    instrument_name: "BTC-27MAR27",
    total_profit_loss: 9,
    initial_margin: 1,
  };
  const all = [SHORT, { ...PERPETUAL, initial_margin: 2 }, rich];

  test("by name, as received, and by figures", () => {
    assert.deepEqual(names({ sorting: "instrument" }, all), ["BTC-25DEC26", "BTC-27MAR27", "BTC-PERPETUAL"]);
    assert.deepEqual(names({ sorting: "received" }, all), ["BTC-25DEC26", "BTC-PERPETUAL", "BTC-27MAR27"]);
    assert.deepEqual(names({ sorting: "profit", places: placesOf(all, "profit") }, all), [
      "BTC-27MAR27",
      "BTC-PERPETUAL",
      "BTC-25DEC26",
    ]);
    assert.deepEqual(names({ sorting: "margin", places: placesOf(all, "margin") }, all), [
      "BTC-PERPETUAL",
      "BTC-27MAR27",
      "BTC-25DEC26",
    ]);
  });

  test("by a figure, no row moves when figures change, and new positions come last", () => {
    const places = placesOf([SHORT, PERPETUAL], "profit");
    const changed = [{ ...SHORT, total_profit_loss: 100 }, PERPETUAL, rich];
    assert.deepEqual(names({ sorting: "profit", places }, changed), ["BTC-PERPETUAL", "BTC-25DEC26", "BTC-27MAR27"]);
  });
});

describe("figures in rows", () => {
  test("money and prices are shortened, and keep what tells them from others", () => {
    assert.deepEqual([1.69711368, 302.6188592, 0.00001234567, -0.5, 1234567.891, 0, 1].map(shortMoneyText), [
      "1.6971",
      "302.6189",
      "0.00001235",
      "-0.5",
      "1\u202F234\u202F567.891",
      "0",
      "1",
    ]);
    assert.deepEqual([17391.27, 15000, 2406.153, 0.0315, 0.00012345678, 123456.7].map(shortPriceText), [
      "17\u202F391",
      "15\u202F000",
      "2406.2",
      "0.0315",
      "0.00012346",
      "123\u202F457",
    ]);
  });

  test("a sign is always there, except for zero", () => {
    assert.deepEqual(
      [2, -2, 0].map((value) => signedText(value, numberText)),
      ["+2", "−2", "0"],
    );
  });

  test("sums are exact where those of JavaScript are not", () => {
    assert.equal(sumText([0.1, 0.2]), "0.3");
    assert.equal(sumText([1.69711368, -0.00002297, 1e-9]), "1.697090711");
    assert.equal(sumText([-0.25, 0.2]), "-0.05");
    assert.equal(sumText([5, -5]), "0");
    assert.equal(sumText([100, 20]), "120");
    assert.equal(sumText([]), "0");
  });
});

describe("the label of a position", () => {
  const cases: readonly [number, string][] = [
    [9999, "9999"],
    [10_000, "10k"],
    [45_000, "45k"],
    [185_160, "185.2k"],
    [999_949, "999.9k"],
    [999_960, "1M"],
    [1_234_567, "1.235M"],
    [12.5, "12.5"],
  ];
  for (const [size, expected] of cases)
    test(`a size of ${String(size)}`, () => {
      const [node] = positionsIn(nodesOf([{ ...PERPETUAL, size }]));
      assert.equal(node?.label, `BTC-PERP long ${expected}`);
      assert.match(node.spoken, /^BTC-PERPETUAL long [\d\u202F.]+ USD: /);
    });
});

describe("a position that expires", () => {
  const expiring = (inMs: number): string => {
    const known = [...INSTRUMENTS].map(([name, each]) => [name, { ...each, expiresAtMs: NOON_MS + inMs }] as const);
    return positionsIn(nodesOf([PERPETUAL], {}, {}, { instruments: new Map(known) }))[0]?.description ?? "";
  };

  test("within a day says when; later, or in the past, nothing", () => {
    const hourMs = 3_600_000;
    assert.match(expiring(20 * hourMs), / · expires 09:00$/);
    assert.match(expiring(24 * hourMs), / · expires 13:00$/);
    assert.doesNotMatch(expiring(24 * hourMs + 1), /expires/);
    assert.doesNotMatch(expiring(0), /expires/);
  });
});
