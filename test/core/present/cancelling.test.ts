import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { cancelReason } from "../../../src/present/outcomes/cancelReasons.ts";
import { createOrdersTree, type OrdersView } from "../../../src/present/orders/orders.ts";
import { orderRow, orderTooltip } from "../../../src/present/orders/orderRow.ts";
import { NO_FILTER } from "../../../src/present/orders/ordersFilter.ts";
import { groupCancel } from "../../../src/present/orders/groupCancel.ts";
import type { OrderGrouping } from "../../../src/present/orders/ordersGrouping.ts";
import { ordersHeading } from "../../../src/present/orders/ordersHeading.ts";
import type { Order } from "../../../src/state/orders.ts";
import { BERLIN, item, NOON_MS, order, snapshot } from "./samples.ts";
import { testInFull } from "../../sizes.ts";

/** `cancel_reason` as the exchange documents it, the next version of its documentation included. */
const REASONS = [
  ...[
    "user_request",
    "autoliquidation",
    "cancel_on_disconnect",
    "risk_mitigation",
    "pme_risk_reduction",
    "pme_account_locked",
    "position_locked",
  ],
  ...[
    "mmp_trigger",
    "mmp_config_curtailment",
    "edit_post_only_reject",
    "oco_other_closed",
    "oto_primary_closed",
    "settlement",
  ],
  ...["order_overlap", "order_overlap_another_sub"],
];

describe("why an order was cancelled", () => {
  for (const value of REASONS) {
    test(value, () => {
      const { brief, sentence } = cancelReason(value) ?? { brief: "", sentence: "" };
      assert.match(brief, /^[A-Za-z -]{3,16}$/);
      assert.match(sentence, /^[A-Z].*\.$/);
      assert.doesNotMatch(`${brief} ${sentence}`, /_/, "in words, not as the exchange spells it");
    });
  }

  test("an unknown one is shown as it came, made harmless; an absent one says nothing", () => {
    assert.deepEqual(cancelReason("new_thing"), {
      brief: "new_thing",
      sentence: "Reason given by the exchange: new_thing.",
    });
    assert.ok(!(cancelReason("evil\u202e\nline")?.sentence ?? "").includes("\n"));
    assert.equal(cancelReason("constructor")?.brief, "constructor");
    assert.deepEqual([cancelReason(undefined), cancelReason("")], [undefined, undefined]);
  });

  test("stands in the row, in the spoken sentence and in the tooltip", () => {
    const ended = item(order("A", { order_state: "cancelled", cancel_reason: "mmp_trigger" }), NOON_MS);
    const context = {
      connectionId: "c",
      pending: undefined,
      isStale: false,
      namesInstrument: false,
      hasOrdersBelow: false,
    };
    const row = orderRow(ended, context);
    assert.match(row.description, /^cancelled: MMP/);
    assert.match(row.spoken, /cancelled: MMP/);
    assert.deepEqual(
      orderTooltip(ended, context, BERLIN)
        .slice(1, 3)
        .map((line) => line.value),
      [
        "cancelled: MMP, seen at 13:00:00",
        "Market maker protection (MMP) was triggered and cancelled the protected orders.",
      ],
    );
  });
});

describe("how a group is cancelled", () => {
  const on = (name: string, more: Partial<Order> = {}): Order =>
    order(`${name} ${JSON.stringify(more)}`, { instrument_name: name, ...more });
  const perpetual = on("BTC-PERPETUAL");
  const linear = on("BTC_USDC-PERPETUAL");
  const odd = on("some odd name");
  const oneByOne = "one by one";
  const cases: readonly (readonly [string, OrderGrouping, readonly Order[], readonly Order[], unknown])[] = [
    [
      "an instrument",
      "instrument",
      [perpetual],
      [perpetual, linear],
      { kind: "instrument", instrumentName: "BTC-PERPETUAL" },
    ],
    ["a currency", "currency", [perpetual], [perpetual, on("ETH-PERPETUAL")], { kind: "currency", currency: "BTC" }],
    ["a currency with orders in one of its pairs", "currency", [perpetual], [perpetual, linear], oneByOne],
    ["a pair", "currency", [linear], [perpetual, linear], { kind: "currencyPair", currencyPair: "BTC_USDC" }],
    ["a kind", "kind", [perpetual, linear], [perpetual, linear], { kind: "instrumentKind", instrumentKind: "future" }],
    ["a kind beside a name that tells none", "kind", [perpetual], [perpetual, odd], oneByOne],
    ["names that tell no kind", "kind", [odd], [odd], oneByOne],
    ["limit orders", "type", [perpetual], [perpetual], { kind: "orderType", orderType: "limit" }],
    [
      "stop orders, of which there are two sorts",
      "type",
      [on("BTC-PERPETUAL", { order_type: "stop_limit" })],
      [],
      oneByOne,
    ],
    ["a label", "label", [on("BTC-PERPETUAL", { label: "mm-1" })], [], { kind: "label", label: "mm-1" }],
    ["no label", "label", [perpetual], [perpetual], oneByOne],
  ];
  for (const [name, grouping, members, all, expected] of cases) {
    test(name, () => {
      const how = groupCancel(grouping, members, all.length === 0 ? members : all);
      assert.deepEqual(how.kind === "oneCall" ? how.scope : oneByOne, expected);
      if (how.kind === "oneByOne") assert.match(how.reason, /\.$/);
    });
  }

  test("a group of which the filter hides a part is cancelled one by one, by what is seen", () => {
    const hidden = on("BTC-PERPETUAL", { label: "hidden" });
    assert.deepEqual(groupCancel("instrument", [perpetual], [perpetual, hidden]), {
      kind: "oneByOne",
      reason: "The filter hides orders of this group (1). A single call would cancel them too.",
    });
  });
});

describe("ten thousand orders in one group", () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    order(`O${String(index)}`, { label: index === 9999 ? "last" : "many" }),
  );
  const view: { shownRows: Map<string | undefined, number>; text: string } = { shownRows: new Map(), text: "" };
  const sources: OrdersView["sources"] = [
    { connectionId: "c", connectionName: "main", environment: "test", snapshot: snapshot(many), pending: new Map() },
  ];
  const shown = (): OrdersView => ({
    sources,
    groupBy: "instrument",
    filter: { ...NO_FILTER, text: view.text },
    pageSize: 200,
    shownRows: view.shownRows,
    times: BERLIN,
  });

  testInFull("are shown page by page to the last one, and all of them belong to the group", () => {
    const tree = createOrdersTree(shown);
    const [group] = tree.groups;
    assert.ok(group);
    assert.equal(tree.membersOf(group.id)?.length, 10_000);
    assert.equal(tree.membersOf("c/orders/order/O1"), undefined);
    for (const pages of [1, 2, 49]) {
      view.shownRows.set(group.id, pages * 200);
      const rows = tree.children(group.id);
      const more = rows.at(-1);
      assert.ok(more);
      assert.equal(rows.length, pages * 200 + 1);
      assert.equal(tree.row(more.id)?.label, "Show 200 more of 10\u202F000");
      assert.equal(more.showsMoreOf?.parentId, group.id);
    }
    view.shownRows.set(group.id, 10_000);
    const last = tree.children(group.id).at(-1);
    assert.deepEqual([last?.objectId, last?.showsMoreOf], ["O9999", undefined]);
  });

  test("the filter finds one that no page has shown, and one that is there by its id", () => {
    for (const text of ["last", "o9999"]) {
      view.shownRows.clear();
      view.text = text;
      const tree = createOrdersTree(shown);
      const found = tree.groups.flatMap((group) => tree.children(group.id)).map((row) => row.objectId);
      assert.deepEqual(found, ["O9999"]);
      assert.equal(ordersHeading(shown(), tree.counts, undefined).description, `TESTNET main · live · filter: ${text}`);
    }
  });
});

describe("orders that are polled", () => {
  const heading = (orders: readonly Order[], pollPauseMs: number | undefined): ReturnType<typeof ordersHeading> => {
    const failure = { kind: "refused", reason: "No raw channels for this key." } as const;
    const view: OrdersView = {
      sources: [
        {
          connectionId: "c",
          connectionName: "main",
          environment: "test",
          snapshot: snapshot(orders, { failure, pollPauseMs }),
          pending: new Map(),
        },
      ],
      groupBy: "instrument",
      filter: NO_FILTER,
      pageSize: 200,
      shownRows: new Map(),
      times: BERLIN,
    };
    return ordersHeading(view, createOrdersTree(() => view).counts, undefined);
  };

  test("the view says how often, why, and as of when", () => {
    const { description, message } = heading([order("A")], 5000);
    assert.equal(description, "TESTNET main · as of 13:00:00");
    assert.equal(
      message,
      "Polling every 5 s: live updates were refused for this connection. No raw channels for this key.",
    );
    assert.match(
      heading([order("A")], undefined).message ?? "",
      /^Live updates were refused for this connection\. Use Refresh to read the list again\./,
    );
  });

  test("an empty list says it too", () => {
    assert.equal(
      heading([], 5000).message,
      "No open orders on TESTNET main. Polling every 5 s: live updates were refused for this connection. No raw channels for this key.",
    );
  });
});
