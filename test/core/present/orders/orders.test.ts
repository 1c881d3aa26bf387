import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  createOrdersTree,
  type OrdersSource,
  type OrdersTree,
  type OrdersView,
} from "../../../../src/present/orders/orders.ts";
import type { OrderGrouping } from "../../../../src/present/orders/ordersGrouping.ts";
import { instrumentKindOf } from "../../../../src/present/orders/instrumentKind.ts";
import { ordersHeading } from "../../../../src/present/orders/ordersHeading.ts";
import {
  compileFilter,
  NO_FILTER,
  ORDERS_FILTER,
  type OrdersFilter,
} from "../../../../src/present/orders/ordersFilter.ts";
import { filterNote } from "../../../../src/present/rows/viewFilter.ts";
import type { Order, OrderItem, OrdersChange } from "../../../../src/state/orders.ts";
import type { Snapshot } from "../../../../src/state/snapshot.ts";
import { pluck } from "../../../pluck.ts";
import { BERLIN, item, lineOf, NOON_MS, order, snapshot, textOf } from "../samples.ts";

function source(of: Snapshot<OrderItem>, members: Partial<OrdersSource> = {}): OrdersSource {
  return {
    connectionId: "main",
    connectionName: "main",
    environment: "test",
    snapshot: of,
    pending: new Map(),
    ...members,
  };
}

function view(sources: readonly OrdersSource[], members: Partial<OrdersView> = {}): OrdersView {
  return {
    sources,
    groupBy: "instrument",
    filter: NO_FILTER,
    pageSize: 200,
    shownRows: new Map(),
    times: BERLIN,
    ...members,
  };
}

/** The whole tree as it is drawn with everything open, two spaces a level; fields and the row of all of them left out. */
function draw(tree: OrdersTree, parentId?: string, depth = 0): string[] {
  return tree
    .children(parentId)
    .filter((row) => !["field", "fields"].includes(row.contextValue))
    .flatMap((row) => [`${"  ".repeat(depth)}${lineOf(row)}`, ...draw(tree, row.id, depth + 1)]);
}

const ORDERS = snapshot([
  order("1"),
  order("2", { instrument_name: "BTC-PERPETUAL" }),
  order("3", { direction: "sell" }),
]);

describe("the tree of orders", () => {
  test("grouped by instrument", () => {
    assert.deepEqual(draw(createOrdersTree(() => view([source(ORDERS)]))), [
      "ETH-PERPETUAL | 2 | orders.group ▾",
      "  [arrow-up charts.green] buy 40 @ 2100 |  | order.open.cancellable ▸",
      "  [arrow-down charts.red] sell 40 @ 2100 |  | order.open.cancellable ▸",
      "[arrow-up charts.green] BTC-PERP buy 40 @ 2100 |  | order.open.cancellable ▸",
    ]);
  });

  test("flat", () => {
    assert.deepEqual(draw(createOrdersTree(() => view([source(ORDERS)], { groupBy: "none" }))), [
      "[arrow-up charts.green] ETH-PERP buy 40 @ 2100 |  | order.open.cancellable ▸",
      "[arrow-up charts.green] BTC-PERP buy 40 @ 2100 |  | order.open.cancellable ▸",
      "[arrow-down charts.red] ETH-PERP sell 40 @ 2100 |  | order.open.cancellable ▸",
    ]);
  });

  test("a row that was drawn before follows what changes beside its order", () => {
    const parent = order("1", { oto_order_ids: ["2"] });
    const items = new Map([["1", item(parent)]]);
    let shown = view([source({ ...ORDERS, items })]);
    const tree = createOrdersTree(() => shown);
    const rowOfParent = (): string => lineOf(tree.row("main/orders/order/1"));
    const rows = [rowOfParent()];
    items.set("2", item(order("2")));
    tree.take("main", { changed: new Set(["2"]), membership: "changed" });
    rows.push(rowOfParent());
    // One thing after the other, so that each has to be seen by itself.
    const stale = { ...ORDERS, items, status: "stale" } as const;
    const pending = new Map([["1", "sending"]] as const);
    for (const next of [
      view([source(stale)]),
      view([source(stale, { pending })]),
      view([source(stale, { pending })], { groupBy: "none" }),
    ]) {
      shown = next;
      tree.rearrange();
      rows.push(rowOfParent());
    }
    assert.deepEqual(rows, [
      "[arrow-up charts.green] ETH-PERP buy 40 @ 2100 |  | order.open.cancellable ▸",
      "[arrow-up charts.green] buy 40 @ 2100 |  | order.open.cancellable ▾",
      "[arrow-up disabledForeground] buy 40 @ 2100 | stale | order.open.cancellable.stale ▾",
      "[loading~spin] buy 40 @ 2100 | cancelling… · stale | order.pending.stale ▾",
      "[loading~spin] buy 40 @ 2100 | cancelling… · ETH-PERP · stale | order.pending.stale ▾",
    ]);
  });

  test("several connections: rows stand under their connection, and equal orders have different ids", () => {
    const desk = source(snapshot([order("1")]), {
      connectionId: "desk",
      connectionName: "desk",
      environment: "production",
    });
    const tree = createOrdersTree(() => view([source(snapshot([order("1")])), desk]));
    assert.deepEqual(draw(tree), [
      "[plug] TESTNET main | 1 | orders.connection ▾",
      "  [arrow-up charts.green] ETH-PERP buy 40 @ 2100 |  | order.open.cancellable ▸",
      "[plug] PRODUCTION desk | 1 | orders.connection ▾",
      "  [arrow-up charts.green] ETH-PERP buy 40 @ 2100 |  | order.open.cancellable ▸",
    ]);
    const ids = (parentId?: string): string[] => tree.children(parentId).flatMap((row) => [row.id, ...ids(row.id)]);
    assert.equal(new Set(ids()).size, ids().length);
  });

  test("every row is found again by its id, under its parent", () => {
    for (const members of [{}, { groupBy: "none" as const }]) {
      const odd = { order_id: "bad/1", amount: "x" };
      const desk = source(snapshot([order("9")]), { connectionId: "desk/1" });
      for (const sources of [
        [source({ ...ORDERS, unreadable: [odd] })],
        [source({ ...ORDERS, unreadable: [odd] }), desk],
      ]) {
        const tree = createOrdersTree(() =>
          view(sources, {
            ...members,
            shownRows: new Map([
              [undefined, 1],
              ["main/orders/group/ETH-PERPETUAL", 1],
            ]),
          }),
        );
        const visit = (parentId?: string): number =>
          tree.children(parentId).reduce((count, row) => {
            assert.deepEqual(tree.row(row.id), row);
            assert.equal(tree.parentOf(row.id), parentId, row.id);
            return count + 1 + visit(row.id);
          }, 0);
        assert.ok(visit() > 15);
      }
    }
  });

  const groupings: readonly [OrderGrouping, readonly string[]][] = [
    ["currency", ["ETH-PERP buy 40 @ 2100 mm-1", "BTC_USDC buy 40 @ 2100 ", "BTC 2"]],
    [
      "kind",
      [
        "ETH-PERP buy 40 @ 2100 mm-1",
        "BTC_USDC buy 40 @ 2100 ",
        "BTC-26MAR27-96000-C buy 40 @ 2100 mm-1 · stop market",
        "BTC-NEW@THING buy 40 @ 2100 ",
      ],
    ],
    ["type", ["limit 3", "BTC-26MAR27-96000-C buy 40 @ 2100 mm-1 · stop market"]],
    ["label", ["mm-1 2", "no label 2"]],
  ];
  for (const [groupBy, expected] of groupings) {
    test(`grouped by ${groupBy} rows name their instrument`, () => {
      const orders = [
        order("1", { instrument_name: "ETH-PERPETUAL", label: "mm-1" }),
        order("2", { instrument_name: "BTC_USDC", label: "" }),
        order("3", { instrument_name: "BTC-26MAR27-96000-C", label: "mm-1", order_type: "stop_market" }),
        order("4", { instrument_name: "BTC-NEW@THING" }),
      ];
      const tree = createOrdersTree(() => view([source(snapshot(orders))], { groupBy }));
      const groups = tree.children(undefined);
      const found = groups.map((row) => `${row.label} ${row.description}`);
      assert.deepEqual(found, expected);
      const rows = groups.flatMap((row) => (row.contextValue === "orders.group" ? tree.children(row.id) : [row]));
      for (const row of rows)
        assert.ok(
          orders.some((each) => row.label.startsWith((each.instrument_name ?? "?").replace("PERPETUAL", "PERP"))),
          row.label,
        );
    });
  }

  test("an order opens into its fields", () => {
    const tree = createOrdersTree(() =>
      view([
        source(
          snapshot([
            order("1", {
              label: "mm-1",
              oto_order_ids: ["OTO-1"],
              starbase_order_id: 2 ** 60,
              post_only: false,
              newcomer: null,
            }),
          ]),
        ),
      ]),
    );
    const rows = tree.children("main/orders/order/1");
    assert.deepEqual(
      rows.map((row) => `${row.label} | ${row.description}`),
      [
        "price | 2100",
        "amount | 40",
        "filled_amount | 0",
        "label | mm-1",
        "order_type | limit",
        "time_in_force | good_til_cancelled",
        "order_state | open",
        "creation_timestamp | 2026-11-20 13:00:00.000 GMT+1",
        "last_update_timestamp | 2026-11-20 13:00:00.000 GMT+1",
        "instrument_name | ETH-PERPETUAL",
        "order_id | 1",
        "All Fields | ",
      ],
    );
    // The first level has what matters; all that was received is one level below, with null and false.
    assert.deepEqual(
      tree.children("main/orders/order/1/fields").map((row) => `${row.label} | ${row.description}`),
      [
        "order_id | 1",
        "instrument_name | ETH-PERPETUAL",
        "order_state | open",
        "direction | buy",
        "amount | 40",
        "filled_amount | 0",
        "price | 2100",
        "order_type | limit",
        "time_in_force | good_til_cancelled",
        "label | mm-1",
        "creation_timestamp | 2026-11-20 13:00:00.000 GMT+1",
        "last_update_timestamp | 2026-11-20 13:00:00.000 GMT+1",
        'oto_order_ids | ["OTO-1"]',
        "starbase_order_id | ≈1152921504606847000",
        "post_only | false",
        "newcomer | null",
      ],
    );
    assert.deepEqual(textOf(tree.tooltip("main/orders/order/1/field/creation_timestamp")), [
      "creation_timestamp = 2026-11-20 13:00:00.000 GMT+1 (2026-11-20 12:00:00.000 UTC)",
      `creation_timestamp = ${String(NOON_MS)}`,
    ]);
    assert.match(
      textOf(tree.tooltip("main/orders/order/1/field/starbase_order_id"))[1] ?? "",
      /last digits may differ/,
    );
    assert.equal(rows[3]?.copyText, "mm-1");
    assert.equal(rows[4]?.spoken, "order_type: limit");
    assert.equal(tree.row("main/orders/order/1/field/__proto__"), undefined);
  });

  test("rows that cannot be read are shown raw and marked", () => {
    const tree = createOrdersTree(() =>
      view([source(snapshot([order("1")], { unreadable: [{ order_id: 2, amount: "forty" }] }))]),
    );
    assert.deepEqual(
      draw(tree).at(-1),
      "[warning problemsWarningIcon.foreground] Unreadable | item 1, shown raw | order.unreadable ▸",
    );
    const [, bad] = tree.children(undefined);
    const found = tree.children(bad!.id).map((row) => `${row.label} | ${row.description}`);
    assert.deepEqual(found, ["order_id | 2", "amount | forty"]);
    assert.deepEqual(textOf(tree.tooltip(bad!.id)).slice(1), ["order_id = 2", "amount = forty"]);
    assert.equal(bad!.copyText, '{"order_id":2,"amount":"forty"}');
  });

  test("a long level is shown page by page", () => {
    const many = snapshot(Array.from({ length: 1234 }, (_, index) => order(String(index))));
    const group = "main/orders/group/ETH-PERPETUAL";
    const shownRows = new Map<string | undefined, number>();
    const tree = createOrdersTree(() => view([source(many)], { shownRows }));
    const last = (): string => lineOf(tree.children(group).at(-1));
    assert.equal(tree.children(group).length, 201);
    assert.equal(last(), "[ellipsis] Show 200 more of 1234 |  | orders.more");
    assert.deepEqual(tree.children(group).at(-1)?.showsMoreOf, { parentId: group });
    assert.equal(lineOf(tree.children(undefined)[0]), "ETH-PERPETUAL | 1234 | orders.group ▾");
    shownRows.set(group, 1200);
    assert.equal(last(), "[ellipsis] Show 34 more of 1234 |  | orders.more");
    shownRows.set(group, 1400);
    assert.equal(tree.children(group).length, 1234);
    const flat = createOrdersTree(() => view([source(many)], { groupBy: "none" }));
    assert.deepEqual(flat.children(undefined).at(-1)?.showsMoreOf, { parentId: undefined });
  });

  test("many groups start closed", () => {
    const tree = createOrdersTree(() =>
      view([
        source(
          snapshot(
            Array.from({ length: 21 }, (_, index) => order(String(index), { instrument_name: `I${String(index)}` })),
          ),
        ),
      ]),
    );
    assert.equal(
      lineOf(tree.children(undefined)[0]),
      "[arrow-up charts.green] I0 buy 40 @ 2100 |  | order.open.cancellable ▸",
    );
  });

  test("what was there and is gone has no row, and nothing throws", () => {
    const tree = createOrdersTree(() => view([source(ORDERS)]));
    for (const id of [
      "main/orders/order/9",
      "main/orders/order/9/field/price",
      "main/orders/group/X",
      "unknown/orders",
      "main/orders/unreadable/9",
      "main/orders/more/",
      "main/orders/strange/1",
      "",
      "%",
    ]) {
      assert.equal(tree.row(id), undefined, id);
      assert.deepEqual(tree.children(id), [], id);
      assert.equal(tree.parentOf(id), undefined, id);
    }
  });
});

describe("changes in the tree of orders", () => {
  function createLive(members: Partial<OrdersView> = {}): {
    items: Map<string, OrderItem>;
    tree: OrdersTree;
    take: (...changed: string[]) => unknown[];
  } {
    const items = new Map(ORDERS.items);
    const tree = createOrdersTree(() => view([source({ ...ORDERS, items })], members));
    tree.children(undefined);
    const take = (...changed: string[]): unknown[] => [
      ...tree.take("main", { changed: new Set(changed), membership: "changed" } satisfies OrdersChange),
    ];
    return { items, tree, take };
  }

  test("another content concerns no level", () => {
    const { items, take } = createLive();
    items.set("1", item(order("1", { filled_amount: 1 })));
    assert.deepEqual(take("1"), []);
  });

  test("an order that comes or goes concerns its group", () => {
    const { items, tree, take } = createLive();
    items.set("4", item(order("4")));
    assert.deepEqual(take("4"), ["main/orders/group/ETH-PERPETUAL"]);
    items.delete("1");
    // A group of two may have had no row before, or have none from now on.
    assert.deepEqual(take("1"), ["main/orders/group/ETH-PERPETUAL", undefined]);
    assert.deepEqual(pluck(tree.children("main/orders/group/ETH-PERPETUAL"), "objectId"), ["3", "4"]);
    assert.deepEqual(tree.counts, { shown: 3, all: 3 });
  });

  test("a group that comes or goes concerns the level of groups too", () => {
    const { items, tree, take } = createLive();
    items.set("4", item(order("4", { instrument_name: "SOL" })));
    assert.deepEqual(take("4"), [undefined, "main/orders/group/SOL"]);
    items.delete("2");
    assert.deepEqual(take("2"), [undefined, "main/orders/group/BTC-PERPETUAL"]);
    assert.deepEqual(pluck(tree.children(undefined), "objectId"), ["ETH-PERPETUAL", "4"]);
  });

  test("flat, all of it concerns the one level", () => {
    const { items, take } = createLive({ groupBy: "none" });
    items.set("4", item(order("4", { instrument_name: "SOL" })));
    assert.deepEqual(take("4"), [undefined]);
  });

  test("an order that the filter hides changes no row", () => {
    const { items, take } = createLive({ filter: { ...NO_FILTER, text: "mm-1" } });
    items.set("4", item(order("4")));
    assert.deepEqual(take("4"), []);
  });

  test("a list that was read again updates every row; changes before the first display update none", () => {
    const { items, tree } = createLive();
    items.clear();
    assert.deepEqual([...tree.take("main", { changed: new Set(), membership: "reset" })], [undefined]);
    assert.deepEqual([...tree.take("main", { changed: new Set(["1"]), membership: "same" })], []);
    assert.deepEqual(tree.children(undefined), []);
  });
});

describe("linked orders", () => {
  const GROUP = "main/orders/group/ETH-PERPETUAL";
  const primary = order("P", { is_primary_otoco: true, oto_order_ids: ["S1", "S2"] });
  const second = { direction: "sell", order_state: "untriggered", is_secondary_oto: true, oco_ref: "OCO-1" } as const;
  const stop = {
    order_type: "stop_market",
    price: "market_price",
    trigger: "mark_price",
    trigger_price: 1900,
  } as const;
  const take = order("S1", { ...second, price: 2200 });
  const loss = order("S2", { ...second, ...stop });
  const other = order("X", { label: "mm-1" });
  const treeOf = (orders: readonly (Order | OrderItem)[], members: Partial<OrdersView> = {}): OrdersTree =>
    createOrdersTree(() => view([source(snapshot(orders))], members));
  /** The orders by ID, two spaces a level, without fields. */
  const shape = (tree: OrdersTree, parentId?: string, depth = 0): string[] =>
    tree
      .children(parentId)
      .filter((row) => !["field", "fields"].includes(row.contextValue))
      .flatMap((row) => [
        `${"  ".repeat(depth)}${row.contextValue.startsWith("order.") ? (row.objectId ?? "") : row.label}`,
        ...shape(tree, row.id, depth + 1),
      ]);

  test("stand below the order that triggers them, before its fields", () => {
    const tree = treeOf([loss, other, primary, take]);
    assert.deepEqual(draw(tree), [
      "ETH-PERPETUAL | 4 | orders.group ▾",
      "  [arrow-up charts.green] buy 40 @ 2100 | mm-1 | order.open.cancellable ▸",
      "  [arrow-up charts.green] buy 40 @ 2100 |  | order.open.cancellable ▾",
      "    [arrow-down charts.red] sell 40 @ market | SL 1900 · OCO | order.open.cancellable ▸",
      "    [arrow-down charts.red] sell 40 @ 2200 | OCO | order.open.cancellable ▸",
    ]);
    assert.deepEqual(tree.counts, { shown: 4, all: 4 });
    assert.deepEqual(pluck(tree.membersOf(GROUP) ?? [], "order_id"), ["S2", "X", "P", "S1"]);
    assert.equal(
      tree.row("main/orders/order/S2")?.spoken,
      "ETH-PERPETUAL: sell 40 @ market, stop market, triggers at 1900 (mark price), OTO, OCO, S2",
    );
    const fields = tree.children("main/orders/order/P/fields");
    assert.equal(fields.at(0)?.label, "order_id");
    assert.equal(fields.length, Object.keys(primary).length);
    assert.equal(textOf(tree.tooltip("main/orders/order/P/fields/field/price"))[0], "price = 2100");
  });

  test("every row of theirs is found again by its id, under its parent", () => {
    for (const groupBy of ["instrument", "none"] as const) {
      const shownRows = new Map([["main/orders/order/P", 1]]);
      const tree = treeOf([primary, take, loss, other], { groupBy, shownRows });
      const ids = new Set<string>();
      const visit = (parentId?: string): void => {
        for (const row of tree.children(parentId)) {
          assert.deepEqual(tree.row(row.id), row);
          assert.equal(tree.parentOf(row.id), parentId, row.id);
          assert.ok(!ids.has(row.id), row.id);
          ids.add(row.id);
          visit(row.id);
        }
      };
      visit();
      assert.ok(ids.has("main/orders/more/main%2Forders%2Forder%2FP"));
    }
  });

  test("stand at the top, those that end each other together, where their parent is hidden, elsewhere or gone", () => {
    const apart = [take, other, loss];
    assert.deepEqual(shape(treeOf(apart)), ["ETH-PERPETUAL", "  S1", "  S2", "  X"]);
    const filter = { ...NO_FILTER, type: "stop_all" } as const;
    assert.deepEqual(shape(treeOf([primary, take, loss], { filter })), ["S2"]);
    assert.deepEqual(shape(treeOf([primary, take, loss], { groupBy: "type" })), ["limit", "  P", "    S1", "S2"]);
    const stops = [primary, take, loss, { ...loss, order_id: "S3" }];
    assert.ok(shape(treeOf(stops, { groupBy: "type" })).includes("  S2"), "below the group of its own");
  });

  test("keep the sorting below their parent", () => {
    const sorted = shape(treeOf([primary, loss, take, other], { sortBy: "price" }));
    assert.deepEqual(sorted, ["ETH-PERPETUAL", "  P", "    S1", "    S2", "  X"]);
  });

  const links: readonly [string, readonly (readonly [string, readonly string[]])[], readonly string[]][] = [
    ["an order names itself", [["A", ["A"]]], ["A"]],
    [
      "two name each other",
      [
        ["A", ["B"]],
        ["B", ["A"]],
      ],
      ["A", "B"],
    ],
    [
      "three in a circle",
      [
        ["A", ["B"]],
        ["B", ["C"]],
        ["C", ["A"]],
      ],
      ["A", "B", "C"],
    ],
    [
      "a chain has one level",
      [
        ["A", ["B"]],
        ["B", ["C"]],
        ["C", []],
      ],
      ["A", "  B", "C"],
    ],
    [
      "unknown IDs, and repeated ones",
      [
        ["A", ["Z", "", "__proto__", "B", "B"]],
        ["B", []],
      ],
      ["A", "  B"],
    ],
    [
      "two name the same one",
      [
        ["A", ["C"]],
        ["B", ["C"]],
        ["C", []],
      ],
      ["A", "  C", "B"],
    ],
  ];
  for (const [name, orders, expected] of links) {
    test(`harmless: ${name}`, () => {
      const tree = treeOf(
        orders.map(([id, oto_order_ids]) => order(id, { oto_order_ids: [...oto_order_ids] })),
        { groupBy: "none" },
      );
      assert.deepEqual(shape(tree), expected);
    });
  }

  test("change in their own rows alone, until a link comes or goes", () => {
    const items = new Map([primary, take, other].map((each) => [each.order_id, item(each)]));
    const tree = createOrdersTree(() => view([source({ ...snapshot([]), items })]));
    tree.children(undefined);
    const took = (id: string, next: OrderItem | undefined): unknown[] => {
      if (next === undefined) items.delete(id);
      else items.set(id, next);
      return [...tree.take("main", { changed: new Set([id]), membership: "changed" })];
    };
    assert.deepEqual(took("S1", item({ ...take, price: 2201 })), []);
    assert.deepEqual(took("P", item({ ...primary, filled_amount: 1 })), []);
    assert.deepEqual(took("S2", item(loss)), [GROUP]);
    assert.deepEqual(shape(tree), ["ETH-PERPETUAL", "  P", "    S1", "    S2", "  X"]);
    assert.deepEqual(took("P", item({ ...primary, oto_order_ids: ["S2"] })), [GROUP]);
    assert.deepEqual(shape(tree), ["ETH-PERPETUAL", "  P", "    S2", "  S1", "  X"]);
    // What has ended stands where it stood, until its row leaves.
    assert.deepEqual(took("P", item({ ...primary, oto_order_ids: ["S2"], order_state: "filled" }, NOON_MS)), []);
    assert.deepEqual(took("P", undefined), [GROUP]);
    assert.deepEqual(shape(tree), ["ETH-PERPETUAL", "  S1", "  S2", "  X"]);
    assert.equal(tree.parentOf("main/orders/order/S2"), GROUP);
    assert.equal(tree.row("main/orders/order/P/fields"), undefined);
  });
});

describe("the filter of orders", () => {
  const passes = (filter: Partial<OrdersFilter>, members: Parameters<typeof order>[1]): boolean =>
    compileFilter({ ...NO_FILTER, ...filter })(order("ETH-349280", members));

  test("kind, read from the instrument's name", () => {
    const kinds: readonly [string, string | undefined][] = [
      ["BTC-PERPETUAL", "future"],
      ["SOL_USDC-PERPETUAL", "future"],
      ["BTC-27DEC24", "future"],
      ["BTC-7DEC24", "future"],
      ["BTC-27DEC24-70000-C", "option"],
      ["XRP_USDC-30JUN23-0d625-C", "option"],
      ["BTC_USDC", "spot"],
      ["BTC-FS-25DEC26_PERP", "future_combo"],
      ["ETH_USDC-FS-25DEC26_PERP", "future_combo"],
      ["BTC-STRG-26MAR27-72000_80000", "option_combo"],
      ["BTC-CS-26MAR27-72000_80000", "option_combo"],
      ["BTC-15FEB19-3250-P", "option"],
      ["WHAT-IS-THIS", undefined],
      ["btc_usdc", undefined],
    ];
    for (const [name, kind] of kinds) assert.equal(instrumentKindOf(name), kind, name);
  });

  test("an instrument of no known form is shown under every kind", () => {
    assert.equal(passes({ kind: "option" }, { instrument_name: "BTC-27DEC24-70000-C" }), true);
    assert.equal(passes({ kind: "option" }, { instrument_name: "BTC-PERPETUAL" }), false);
    assert.equal(passes({ kind: "option" }, { instrument_name: "WHAT-IS-THIS" }), true);
  });

  test("type, each value of the contract", () => {
    const orderTypes = ["limit", "stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"];
    const types = [
      "all",
      "limit",
      "trigger_all",
      "stop_all",
      "stop_limit",
      "stop_market",
      "take_all",
      "take_limit",
      "take_market",
      "trailing_all",
      "trailing_stop",
    ] as const;
    assert.deepEqual(
      types.map((type) => `${type}: ${orderTypes.filter((order_type) => passes({ type }, { order_type })).join(" ")}`),
      [
        "all: limit stop_limit stop_market take_limit take_market trailing_stop",
        "limit: limit",
        "trigger_all: stop_limit stop_market take_limit take_market trailing_stop",
        "stop_all: stop_limit stop_market",
        "stop_limit: stop_limit",
        "stop_market: stop_market",
        "take_all: take_limit take_market",
        "take_limit: take_limit",
        "take_market: take_market",
        "trailing_all: trailing_stop",
        "trailing_stop: trailing_stop",
      ],
    );
  });

  test("words, all of them, in instrument, label or id", () => {
    const members = { label: "mm-1" };
    for (const [text, expected] of [
      ["", true],
      ["MM-1", true],
      ["perp 3492", true],
      ["perp mm", true],
      ["perp nothing", false],
      ["  ", true],
    ] as const) {
      assert.equal(passes({ text }, members), expected, text);
    }
  });

  test("in words", () => {
    assert.equal(filterNote(ORDERS_FILTER.parts(NO_FILTER)), "");
    assert.equal(
      filterNote(ORDERS_FILTER.parts({ kind: "option", type: "stop_all", text: " mm-1 " })),
      "filter: option · stop_all · mm-1",
    );
  });
});

describe("what stands around the orders", () => {
  const heading = (
    sources: readonly OrdersSource[],
    members: Partial<OrdersView> = {},
    pausedAtMs?: number,
  ): string[] => {
    const shown = view(sources, members);
    const {
      description,
      message = "-",
      content,
      isWelcomed,
    } = ordersHeading(shown, createOrdersTree(() => shown).counts, pausedAtMs);
    assert.equal(isWelcomed, message === "-" || content === "missingScope");
    return [description, message, content];
  };
  const lost = { kind: "connectionLost", trouble: "silent", detail: "30 s" } as const;
  const desk = source(ORDERS, { connectionId: "desk", connectionName: "desk", environment: "production" });

  const cases: readonly [string, Parameters<typeof heading>, readonly string[]][] = [
    ["no connection", [[]], ["", "-", "notConnected"]],
    [
      "loading",
      [[source(snapshot([], { status: "loading", readAtMs: undefined }))]],
      ["TESTNET main · loading…", "-", "loading"],
    ],
    ["live", [[source(ORDERS)]], ["TESTNET main · live", "-", "rows"]],
    ["live and empty", [[source(snapshot([]))]], ["TESTNET main · live", "-", "noOrders"]],
    [
      "on the simulator",
      [[source(ORDERS, { environment: "simulator", connectionName: "Simulator" })]],
      ["SIMULATOR · live", "-", "rows"],
    ],
    ["paused", [[source(ORDERS)], {}, NOON_MS + 131_000], ["TESTNET main · paused at 13:02:11", "-", "rows"]],
    [
      "stale",
      [[source({ ...ORDERS, status: "stale", failure: lost })]],
      [
        "TESTNET main · as of 13:00:00",
        "Not up to date since 13:00:00. The connection was closed because TESTNET main stopped responding (30 s).",
        "rows",
      ],
    ],
    [
      "stale and empty",
      [[source(snapshot([], { status: "stale", failure: lost }))]],
      [
        "TESTNET main · as of 13:00:00",
        "No orders were open on TESTNET main at 13:00:00. Later changes are unknown. The connection was closed because TESTNET main stopped responding (30 s). This happens after sleep or a network change. The connection reopens automatically when the network is available.",
        "failed",
      ],
    ],
    [
      "not pushed",
      [[source({ ...ORDERS, failure: { kind: "missingScope", scope: "trade:read" } })]],
      [
        "TESTNET main · as of 13:00:00",
        "Live updates were refused for this connection. Use Refresh to read the list again. The API key doesn't have the required scope trade:read.",
        "rows",
      ],
    ],
    [
      "failed",
      [
        [
          source(
            snapshot([], {
              status: "failed",
              readAtMs: undefined,
              failure: { kind: "missingScope", scope: "trade:read" },
            }),
          ),
        ],
      ],
      [
        "TESTNET main · not read",
        "Couldn't read the open orders of TESTNET main. The API key doesn't have the required scope trade:read. Use an API key with this scope, or change the scope of this one on the exchange.",
        "missingScope",
      ],
    ],
    [
      "filtered",
      [[source(ORDERS)], { filter: { ...NO_FILTER, text: "btc" } }],
      ["TESTNET main · live · filter: btc", "The filter shows 1 of 3 orders.", "rows"],
    ],
    [
      "all hidden",
      [[source(ORDERS)], { filter: { ...NO_FILTER, text: "xyz" } }],
      ["TESTNET main · live · filter: xyz", "-", "allHidden"],
    ],
    [
      "unreadable rows",
      [[source(snapshot([], { unreadable: [{ order_id: "1" }, { order_id: "2" }] }))]],
      ["TESTNET main · live", "Response items that are not valid orders, shown as received: 2.", "rows"],
    ],
    ["two connections", [[source(ORDERS), desk]], ["2 connections · live", "-", "rows"]],
    [
      "two connections, one in trouble",
      [[source(ORDERS), { ...desk, snapshot: { ...ORDERS, status: "stale", failure: lost } }]],
      [
        "2 connections · as of 13:00:00",
        "PRODUCTION desk: Not up to date since 13:00:00. The connection was closed because PRODUCTION desk stopped responding (30 s).",
        "rows",
      ],
    ],
  ];
  for (const [name, parameters, expected] of cases) {
    test(name, () => {
      assert.deepEqual(heading(...parameters), expected);
    });
  }
});
