import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain, type Plain } from "../../../src/base/plain.ts";
import { ACTIVITY_FILTER } from "../../../src/present/activity/activity.ts";
import { BLOCK_TRADES_FILTER } from "../../../src/present/blockTrades/blockTradesFilter.ts";
import { MMP_FILTER } from "../../../src/present/mmp/mmpFilter.ts";
import { createNodeTree, type NodeBranch, type RowNode } from "../../../src/present/rows/nodes.ts";
import { createOrdersTree } from "../../../src/present/orders/orders.ts";
import { NO_FILTER, ORDERS_FILTER } from "../../../src/present/orders/ordersFilter.ts";
import { ORDER_SORTINGS, sortOrders, type OrderSorting } from "../../../src/present/orders/ordersSorting.ts";
import { createFilteredTree, filteredHeading, type FilteredTree } from "../../../src/present/rows/rowFilter.ts";
import { filterNote, TEXT_FILTER, type FilterRules, type ViewFilter } from "../../../src/present/rows/viewFilter.ts";
import { BERLIN, NOON_MS, order, snapshot } from "./samples.ts";

/* What a view shows of what it has, in which order, and what is kept of it. */

function node(
  key: Plain,
  {
    object = key,
    below,
    kind = "thing",
  }: { readonly object?: string | undefined; readonly below?: readonly RowNode[]; readonly kind?: string } = {},
): RowNode {
  return {
    key,
    objectId: object,
    label: key,
    description: "",
    icon: undefined,
    spoken: plain`spoken ${key}`,
    contextValue: kind,
    copyText: "",
    tooltip: [],
    ...(below === undefined ? {} : { below: () => below }),
  };
}

const part = (key: Plain, of: string, below?: readonly RowNode[]): RowNode =>
  node(key, { object: of, ...(below === undefined ? {} : { below }) });

/** Two groups of things with parts; the last row leads on. */
const THINGS: readonly RowNode[] = [
  node(plain`rfq 7`, {
    below: [
      node(plain`buy ten`, {
        below: [part(plain`leg ETH`, "buy ten", [part(plain`ratio 1`, "buy ten")]), part(plain`amount 10`, "buy ten")],
      }),
      node(plain`sell ten`, { below: [part(plain`leg BTC`, "sell ten")] }),
      part(plain`facts`, "rfq 7", [part(plain`maker zoe`, "rfq 7")]),
    ],
  }),
  node(plain`rfq 8`, { below: [node(plain`buy two`, { below: [part(plain`leg ETH`, "buy two")] })] }),
  node(plain`Load more`, { object: undefined, kind: "things.more" }),
];

function treeOf(
  text: string,
  branches: readonly NodeBranch[] = [{ connectionId: "main", label: plain`TESTNET main`, nodes: THINGS }],
): FilteredTree {
  return createFilteredTree(
    createNodeTree("things", () => branches),
    () => ({ text }),
  );
}

function outline(tree: FilteredTree, parentId?: string, depth = 0): string[] {
  return tree.children(parentId).flatMap((row) => {
    assert.equal(tree.parentOf(row.id), parentId);
    assert.deepEqual(tree.row(row.id), row);
    return [`${"  ".repeat(depth)}${row.label}`, ...outline(tree, row.id, depth + 1)];
  });
}

describe("rows with the words of a filter", () => {
  test("without words all of them, and nothing is counted", () => {
    assert.equal(outline(treeOf("  ")).length, 13);
    assert.deepEqual(treeOf(" ").present, { shown: 0, all: 0 });
    assert.deepEqual(treeOf("").counts({ text: "" }), { shown: 3, all: 3 });
  });

  test("a part that was never opened brings its whole thing, and what that stands in", () => {
    assert.deepEqual(outline(treeOf("BTC")), [
      "rfq 7",
      "  sell ten",
      "    leg BTC",
      "  facts",
      "    maker zoe",
      "Load more",
    ]);
    assert.deepEqual(treeOf("btc").present, { shown: 1, all: 3 });
  });

  test("words may stand in different rows of the same thing, and in what it stands in", () => {
    assert.deepEqual(outline(treeOf("eth 8")), ["rfq 8", "  buy two", "    leg ETH", "Load more"]);
    assert.deepEqual(treeOf("ETH ten buy ratio").present, { shown: 1, all: 3 });
    // Each word stands somewhere, but not in one thing.
    assert.deepEqual(outline(treeOf("btc two")), ["Load more"]);
  });

  test("what has all the words keeps everything below it", () => {
    assert.deepEqual(outline(treeOf("zoe")).slice(0, 5), [
      "rfq 7",
      "  buy ten",
      "    leg ETH",
      "      ratio 1",
      "    amount 10",
    ]);
  });

  test("what is kept of things stands with some of them, and not alone", () => {
    const branches = [
      {
        connectionId: "main",
        label: "" as const,
        nodes: [...THINGS.slice(0, 2), node(plain`Retention`, { object: undefined, kind: "things.kept" })],
      },
    ];
    assert.deepEqual(outline(treeOf("two", branches)), ["rfq 8", "  buy two", "    leg ETH", "Retention"]);
    assert.deepEqual(outline(treeOf("nothing", branches)), []);
  });

  test("of several connections only those that have something", () => {
    const branches = [
      { connectionId: "main", label: plain`TESTNET main`, nodes: THINGS.slice(0, 1) },
      { connectionId: "desk", label: plain`TESTNET desk`, nodes: THINGS.slice(1, 2) },
      { connectionId: "bare", label: plain`TESTNET bare`, nodes: [] },
    ];
    assert.deepEqual(outline(treeOf("two", branches)), ["TESTNET desk", "  rfq 8", "    buy two", "      leg ETH"]);
    assert.deepEqual(treeOf("two", branches).present, { shown: 1, all: 3 });
    assert.deepEqual(treeOf("desk", branches).present, { shown: 1, all: 3 });
    assert.deepEqual(outline(treeOf("nothing", branches)), []);
  });

  test("what is hidden is said; where that is all there is, the welcome text has the word", () => {
    const rows = { message: plain`Not up to date.`, content: "rows", isBare: true } as const;
    const asBefore = { message: plain`Not up to date.`, content: "rows" };
    assert.deepEqual(filteredHeading(rows, { shown: 0, all: 0 }), asBefore);
    assert.deepEqual(filteredHeading(rows, { shown: 3, all: 3 }), asBefore);
    assert.deepEqual(filteredHeading(rows, { shown: 1, all: 3 }), {
      message: "Not up to date. The filter shows 1 of 3.",
      content: "rows",
    });
    assert.deepEqual(filteredHeading({ ...rows, message: "" }, { shown: 0, all: 3 }), {
      message: "",
      content: "filtered",
    });
    // Beside a row that leads on the editor shows no welcome text.
    assert.deepEqual(filteredHeading({ ...rows, message: "", isBare: false }, { shown: 0, all: 3 }), {
      message: "The filter shows 0 of 3.",
      content: "filtered",
    });
    assert.deepEqual(filteredHeading(rows, { shown: 0, all: 3 }), {
      message: "Not up to date. The filter shows 0 of 3.",
      content: "filtered",
    });
  });
});

describe("filters that were kept", () => {
  const again = (kept: unknown): unknown => JSON.parse(JSON.stringify(kept));
  const rules = [ORDERS_FILTER, BLOCK_TRADES_FILTER, MMP_FILTER, ACTIVITY_FILTER, TEXT_FILTER];

  test("come back as they were, and say the same", () => {
    const orders = { kind: "option", type: "stop_all", text: " mm-1  eth" } as const;
    assert.deepEqual(ORDERS_FILTER.parse(again(orders)), orders);
    assert.deepEqual(ORDERS_FILTER.parse(again(NO_FILTER)), NO_FILTER);
    assert.equal(filterNote(ORDERS_FILTER.parts(orders)), "filter: option · stop_all · mm-1  eth");
    const trades = { text: "leg", asked: { currency: "BTC", count: 50 } } as const;
    assert.deepEqual(BLOCK_TRADES_FILTER.parse(again(trades)), trades);
    const mmp = { text: "", asked: { index_name: "btc_usd", mmp_group: "" } } as const;
    assert.deepEqual(MMP_FILTER.parse(again(mmp)), mmp);
    const activity = { text: "x", isUnresolvedOnly: true };
    assert.deepEqual(ACTIVITY_FILTER.parse(again(activity)), activity);
    assert.equal(filterNote(ACTIVITY_FILTER.parts(activity)), "filter: unknown outcomes · x");
    assert.deepEqual(TEXT_FILTER.parse({ text: "a", more: 1 }), { text: "a" });
  });

  test("that can't be read are ignored, and the empty filter hides nothing", () => {
    for (const { parse } of rules)
      for (const kept of [undefined, null, 7, "text", [], {}, { text: 7 }])
        assert.equal(parse(kept), undefined, JSON.stringify(kept));
    const hidesNothing = <F extends ViewFilter>({ none, parts }: FilterRules<F>): void =>
      assert.equal(filterNote(parts(none)), "");
    hidesNothing(ORDERS_FILTER);
    hidesNothing(BLOCK_TRADES_FILTER);
    hidesNothing(MMP_FILTER);
    hidesNothing(ACTIVITY_FILTER);
    hidesNothing(TEXT_FILTER);
    assert.equal(ORDERS_FILTER.parse({ text: "", type: "limit", kind: "perpetual" }), undefined);
    assert.equal(ORDERS_FILTER.parse({ text: "", type: "every" }), undefined);
    assert.equal(BLOCK_TRADES_FILTER.parse({ text: "", asked: { count: 102 } }), undefined);
    assert.equal(BLOCK_TRADES_FILTER.parse({ text: "", asked: { other: 1 } }), undefined);
    assert.equal(BLOCK_TRADES_FILTER.parse({ text: "", asked: null }), undefined);
    assert.equal(MMP_FILTER.parse({ text: "", asked: { mmp_group: "g1" } }), undefined);
    assert.equal(MMP_FILTER.parse({ text: "", asked: { frozen: true } }), undefined);
  });
});

describe("sorted orders", () => {
  const members = [
    order("a", { instrument_name: "SOL_USDC", price: 10, amount: 5, creation_timestamp: NOON_MS + 2 }),
    order("b", {
      instrument_name: "BTC-PERPETUAL",
      price: "market_price",
      trigger_price: 60_000,
      amount: 40,
      creation_timestamp: NOON_MS,
    }),
    order("c", { instrument_name: "ETH-PERPETUAL", price: 2000.5, amount: undefined, creation_timestamp: NOON_MS + 3 }),
    order("d", {
      instrument_name: "BTC-PERPETUAL",
      price: "market_price",
      amount: 40,
      creation_timestamp: NOON_MS + 1,
    }),
  ];
  const sorted = (sorting: OrderSorting): string => [...sortOrders(snapshot(members).items, sorting).keys()].join("");

  test("by each choice; equal ones stay as they came, and what has no number comes last", () => {
    assert.deepEqual(
      ORDER_SORTINGS.map((sorting) => `${sorting} ${sorted(sorting)}`),
      ["received abcd", "newest cadb", "oldest bdac", "instrument bdca", "price bcad", "amount bdac"],
    );
  });

  test("a tree stands in that order, groups by their first order; what comes later stands at the end until it is arranged again", () => {
    const held = { items: new Map(snapshot(members).items) };
    const tree = createOrdersTree(() => ({
      sources: [
        {
          connectionId: "main",
          connectionName: "main",
          environment: "test",
          pending: new Map(),
          snapshot: { ...snapshot([]), items: held.items },
        },
      ],
      groupBy: "none",
      sortBy: "price",
      filter: NO_FILTER,
      pageSize: 200,
      shownRows: new Map(),
      times: BERLIN,
    }));
    const ids = (): string =>
      tree
        .children(undefined)
        .map(({ objectId }) => objectId)
        .join("");
    assert.equal(ids(), "bcad");
    const late = order("e", { price: 99_999 });
    held.items.set("e", { order: late, endedAtMs: undefined });
    const dearer = order("a", { instrument_name: "SOL_USDC", price: 70_000 });
    held.items.set("a", { order: dearer, endedAtMs: undefined });
    tree.take("main", { changed: new Set(["e", "a"]), membership: "changed" });
    assert.equal(ids(), "bcade");
    tree.rearrange();
    assert.equal(ids(), "eabcd");
  });
});
