import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { isResult } from "../../../../src/catalogue/index.ts";
import { createNodeTree, type RowNode } from "../../../../src/present/rows/nodes.ts";
import {
  blockTradeNodes,
  blockTradesRemark,
  blockTradesWords,
  type BlockTradesShown,
} from "../../../../src/present/blockTrades/blockTrades.ts";
import { meaningOf, unknownBlockTradeText, whenText } from "../../../../src/present/blockTrades/blockTradeWords.ts";
import { filterNote } from "../../../../src/present/rows/viewFilter.ts";
import {
  BLOCK_TRADES_FILTER,
  FILTER_NAMES,
  filterProblem,
  filterWords,
  isFilteringTrades,
  withTyped,
  type FilterName,
} from "../../../../src/present/blockTrades/blockTradesFilter.ts";
import { resourceHeading, type ResourceSource } from "../../../../src/present/rows/resourceHeading.ts";
import type { Snapshot } from "../../../../src/state/snapshot.ts";
import type { BlockTrade, BlockTradesFilter } from "../../../../src/state/blockTrades.ts";
import { CONTRACT_FIELDS } from "../../../contract.ts";
import { addBlockTrades } from "../../../blockTradeSpecs.ts";
import { createWorld } from "../../../world.ts";
import { BERLIN, NOON_MS, textOf } from "../samples.ts";

type Leg = NonNullable<BlockTrade["trades"]>[number];

function leg(members: Partial<Leg> = {}): Leg {
  return {
    trade_id: "1",
    instrument_name: "BTC-26MAR27-96000-C",
    timestamp: NOON_MS,
    direction: "buy",
    price: 0.0781,
    amount: 25,
    fee: 0.0075,
    fee_currency: "BTC",
    iv: 51.2,
    ...members,
  };
}

function trade(members: Partial<BlockTrade> = {}): BlockTrade {
  return {
    id: "BLOCK-282155",
    timestamp: NOON_MS,
    trades: [
      leg(),
      leg({ trade_id: "2", instrument_name: "BTC-PERPETUAL", direction: "sell", amount: 200_000, price: 92_418.5 }),
    ],
    ...members,
  };
}

function snapshot(items: readonly BlockTrade[], members: Partial<Snapshot<BlockTrade>> = {}): Snapshot<BlockTrade> {
  return {
    status: "live",
    items: new Map(items.map((each) => [each.id, each])),
    readAtMs: NOON_MS,
    failure: undefined,
    unreadable: [],
    ...members,
  };
}

function nodes(items: readonly BlockTrade[], members: Partial<BlockTradesShown> = {}, nowMs = NOON_MS): RowNode[] {
  return blockTradeNodes(
    { snapshot: snapshot(items), hasMore: false, isLoadingMore: false, arrivals: new Map(), ...members },
    { times: BERLIN, nowMs },
  );
}

/** Rows as they are seen, down to a depth. */
function outline(all: readonly RowNode[], depth: number, indent = ""): string[] {
  return all.flatMap((node) => [
    `${indent}${node.label} | ${node.description}`,
    ...(depth > 0 && node.below !== undefined ? outline(node.below(), depth - 1, `${indent}  `) : []),
  ]);
}

function everyNode(all: readonly RowNode[]): RowNode[] {
  return all.flatMap((node) => [node, ...everyNode(node.below?.() ?? [])]);
}

describe("the rows of block trades", () => {
  test("a block trade, its trades, what stands below them", () => {
    const allocated = trade({
      broker_code: "broker_7",
      broker_name: "Example Brokers",
      trades: [
        leg({
          trade_allocations: [
            { amount: 30, fee: 0.009, client_info: { client_id: 11, client_link_id: 4, name: "Ann Example" } },
            { user_id: 79001, amount: 20 },
          ],
          liquidity: "M",
          tick_direction: 3,
        }),
      ],
    });
    assert.deepEqual(outline(nodes([allocated]), 3), [
      "BLOCK-282155 | 1 trade · BTC · 13:00",
      "  BTC-26MAR27-96000-C | buy 25",
      "    Ann Example | 30 · fee 0.009 BTC",
      "      client_id | 11",
      "      client_link_id | 4",
      "      name | Ann Example",
      "      amount | 30",
      "      fee | 0.009 BTC",
      "    user 79001 | 20",
      "      user_id | 79001",
      "      amount | 20",
      "    trade_id | 1",
      "    instrument_name | BTC-26MAR27-96000-C",
      "    timestamp | 2026-11-20 13:00:00.000 GMT+1",
      "    direction | buy",
      "    price | 0.0781",
      "    amount | 25",
      "    fee | 0.0075 BTC",
      "    fee_currency | BTC",
      "    iv | 51.2",
      "    liquidity | M (maker)",
      "    tick_direction | 3 (zero-minus tick)",
      "  id | BLOCK-282155",
      "  timestamp | 2026-11-20 13:00:00.000 GMT+1",
      "  broker_code | broker_7",
      "  broker_name | Example Brokers",
    ]);
  });

  test("the trade of a combo opens into its legs, which open like trades", () => {
    const combo = trade({
      trades: [
        leg({
          instrument_name: "BTC-CS-25JUN27-100000_120000",
          amount: 10,
          legs: [leg({ trade_id: "7", instrument_name: "BTC-25JUN27-100000-C", amount: 10 })],
        }),
      ],
    });
    const [row] = nodes([combo]);
    const [first] = row!.below!();
    assert.deepEqual(outline(first!.below!(), 0).slice(0, 2), ["BTC-25JUN27-100000-C | buy 10", "trade_id | 1"]);
    assert.equal(first!.below!()[0]!.copyText, "7");
  });

  test("times of today, days of this year, dates of others", () => {
    const at = (text: string): string => whenText(Date.parse(text), NOON_MS, BERLIN);
    assert.deepEqual(
      [at("2026-11-20T00:30:00Z"), at("2026-11-19T22:30:00Z"), at("2026-11-19T23:30:00Z"), at("2025-11-20T12:00:00Z")],
      ["01:30", "11-19", "00:30", "2025-11-20"],
    );
    assert.deepEqual(outline(nodes([trade({ timestamp: Date.parse("2025-01-02T03:04:05Z") })]), 0), [
      "BLOCK-282155 | 2 trades · BTC · 2025-01-02",
    ]);
  });

  test("a trade's side, amount and price, as much as a narrow row shows whole", () => {
    const line = (members: Partial<Leg>): string => outline(nodes([trade({ trades: [leg(members)] })]), 1)[1]!.trim();
    assert.equal(
      line({ instrument_name: "BTC-PERPETUAL", amount: 1000, price: 92_465.5 }),
      "BTC-PERPETUAL | buy 1000 @ 92\u202F465.5",
    );
    assert.equal(
      line({ instrument_name: "BTC-PERPETUAL", amount: 100_000, price: 92_465.5 }),
      "BTC-PERPETUAL | buy 100\u202F000",
    );
    assert.equal(
      line({ instrument_name: "XRP_USDC-26MAR27-2d25-C", amount: 40_000 }),
      "XRP_USDC-26MAR27-2d25-C | 40\u202F000",
    );
    // Its name alone fills 300 px, where the icon tells the side: what comes after it is for a wider sidebar.
    assert.equal(
      line({ instrument_name: "BTC-CS-25JUN27-100000_120000", amount: 10 }),
      "BTC-CS-25JUN27-100000_120000 | buy 10 @ 0.0781",
    );
  });

  test("several currencies, a long id, many trades: what has to be whole is whole at 300 px", () => {
    const wide = [
      trade({
        id: "BLOCK-99282155",
        trades: Array.from({ length: 12 }, (_, index) =>
          leg({ instrument_name: index % 2 === 0 ? "BTC_USDC-PERPETUAL" : "ETH-PERPETUAL" }),
        ),
      }),
      trade({ id: "66" }),
      trade(),
    ];
    for (const node of nodes(wide, { arrivals: new Map([["66", 1]]) }))
      assert.ok(`${node.label} ${node.description}`.length <= 40, `${node.label} ${node.description}`);
    assert.deepEqual(outline(nodes(wide, { arrivals: new Map([["66", 1]]) }), 0), [
      "BLOCK-99282155 | BTC_USDC +1 · 13:00",
      "66 | new · 2 trades · BTC · 13:00",
      "BLOCK-282155 | 2 trades · BTC · 13:00",
    ]);
  });

  test("a new one, a stale one, the row that reads on", () => {
    const shown = nodes([trade()], {
      arrivals: new Map([["BLOCK-282155", NOON_MS]]),
      snapshot: snapshot([trade()], { status: "stale" }),
      hasMore: true,
    });
    assert.deepEqual(outline(shown, 0), ["BLOCK-282155 | stale · new · BTC · 13:00", "Load more… | "]);
    assert.ok(textOf(shown[0]!.tooltip).includes("new: it arrived at 13:00:00, while this list was open"));
    assert.equal(nodes([trade()], { hasMore: true, isLoadingMore: true })[1]!.label, "Loading more…");
    assert.equal(shown[1]!.contextValue, "blockTrades.more");
  });

  test("spoken as whole sentences, with everything that a narrow row leaves out", () => {
    const [row] = nodes([trade({ broker_name: "Example Brokers", app_name: "desk" })]);
    assert.equal(
      row!.spoken,
      "Block trade BLOCK-282155: 2 trades, BTC, 2026-11-20 13:00:00.000 GMT+1, broker Example Brokers, executed by desk, buy 25 BTC-26MAR27-96000-C @ 0.0781, sell 200\u202F000 BTC-PERPETUAL @ 92\u202F418.5",
    );
    assert.equal(
      row!.below!()[0]!.spoken,
      "Trade: buy 25 BTC-26MAR27-96000-C @ 0.0781, fee 0.0075 BTC, implied volatility 51.2%",
    );
    for (const node of everyNode(
      nodes([trade()], { hasMore: true, snapshot: snapshot([trade()], { unreadable: [{ id: 1 }] }) }),
    ))
      assert.match(node.spoken, /\S/);
  });

  test("broker and application are found on a trade too", () => {
    const [row] = nodes([trade({ trades: [leg(), leg({ broker_code: "broker_9", app_name: "terminal" })] })]);
    assert.match(row!.spoken, /broker broker_9, executed by terminal/);
  });

  test("no number has an exponent", () => {
    const all = everyNode(
      nodes([trade({ trades: [leg({ price: 1e-8, amount: 1e21, fee: 2.5e-9, profit_loss: -1e-7 })] })]),
    );
    const texts = all.flatMap((node) => [node.label, node.description, node.spoken, ...textOf(node.tooltip)]);
    for (const text of texts) assert.doesNotMatch(text, /\d[eE][+-]?\d/);
    assert.ok(texts.includes("0.0000000025 BTC"));
  });

  test("text from outside cannot draw anything", () => {
    const evil = "$(check) [x](command:y)\u202E";
    const all = everyNode(
      nodes([
        trade({
          id: evil,
          broker_name: evil,
          trades: [
            leg({ instrument_name: evil, label: evil, allocations: [{ amount: 1, client_info: { name: evil } }] }),
          ],
        }),
      ]),
    );
    for (const text of all.flatMap((node) => [node.label, node.description, node.spoken, ...textOf(node.tooltip)]))
      assert.doesNotMatch(text, /\$\(|\]\(|\u202E/u);
  });

  test("rows of another shape are shown raw", () => {
    const [row] = nodes([], { snapshot: snapshot([], { unreadable: [{ id: 7, what: "else" }] }) });
    assert.deepEqual(outline([row!], 1), ["Unreadable | item 1, shown raw", "  id | 7", "  what | else"]);
  });
});

describe("nothing is lost", () => {
  /** Every name that stands on a row, and every text in a tooltip. */
  const placesOf = (
    all: readonly RowNode[],
  ): { readonly labels: ReadonlySet<string>; readonly tooltips: ReadonlySet<string> } => ({
    labels: new Set(everyNode(all).map((node) => node.label)),
    tooltips: new Set(everyNode(all).flatMap((node) => node.tooltip.map((line) => line.name ?? ""))),
  });
  const value = (type: string, name: string): unknown => {
    switch (type) {
      case "integer":
        return name.length;
      case "number":
        return name.length + 0.25;
      case "flag":
        return true;
      case "null":
        return null;
      default:
        return `${name} text`;
    }
  };
  const objectOf = (fields: Readonly<Record<string, string>>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, value(type, name)]));
  const clientInfo = { ...objectOf(CONTRACT_FIELDS.client_info), of_tomorrow: 3 };
  const allocations = [{ ...objectOf(CONTRACT_FIELDS.allocation), client_info: clientInfo, of_tomorrow: 2 }];
  const innerLeg = { ...objectOf(CONTRACT_FIELDS.trade), legs: undefined, allocations, trade_allocations: undefined };
  const whole = {
    ...objectOf(CONTRACT_FIELDS.blockTrade),
    of_tomorrow: { deep: 1 },
    trades: [
      {
        ...objectOf(CONTRACT_FIELDS.trade),
        allocations,
        trade_allocations: allocations,
        legs: [JSON.parse(JSON.stringify(innerLeg)) as unknown],
        of_tomorrow: "x",
      },
    ],
  } as unknown as BlockTrade;
  /** These members are rows of their own: what is in them is what counts. */
  const OPENED = new Set(["trades", "legs", "allocations", "trade_allocations", "client_info"]);

  test("the example has the shape of a block trade", () => assert.ok(isResult("private/get_block_trade", whole)));

  for (const section of ["blockTrade", "trade", "allocation", "client_info"] as const) {
    for (const name of Object.keys(CONTRACT_FIELDS[section])) {
      test(`${section}.${name} has a row, and a line in a tooltip`, () => {
        if (OPENED.has(name)) {
          const without = JSON.parse(
            JSON.stringify(whole, (key, each: unknown) => (key === name ? undefined : each)),
          ) as BlockTrade;
          if (name === "trades") Object.assign(without, { trades: [] });
          assert.ok(everyNode(nodes([without])).length < everyNode(nodes([whole])).length, "its members are rows");
          return;
        }
        const { labels, tooltips } = placesOf(nodes([whole]));
        assert.ok(labels.has(name));
        assert.ok(tooltips.has(name));
      });
    }
  }

  test("unknown members are rows too, on every level", () => {
    const found = everyNode(nodes([whole]))
      .filter((node) => node.label === "of_tomorrow")
      .map((node) => node.description);
    // The block trade's, the trade's, those of three lists of allocations with one client each.
    assert.deepEqual(found.sort(), ["2", "2", "2", "3", "3", "3", "x", "x", '{"deep":1}']);
  });

  test("every member that a block trade of the simulator has is on a row", () => {
    const world = createWorld();
    addBlockTrades(world.exchange.control);
    const all = world.exchange.control.blockTrades() as unknown as BlockTrade[];
    const { labels } = placesOf(nodes(all));
    const names = new Set<string>();
    JSON.stringify(all, (key, each: unknown) => {
      if (
        key !== "" &&
        !/^\d+$/.test(key) &&
        !(OPENED.has(key) && Array.isArray(each) && each.length > 0) &&
        key !== "client_info"
      )
        names.add(key);
      return each;
    });
    assert.ok(names.size > 35, String(names.size));
    assert.deepEqual(
      [...names].filter((name) => !labels.has(name)),
      [],
    );
    world.live.dispose();
  });

  test("each row is found again under its id", () => {
    const tree = createNodeTree("blockTrades", () => [
      { connectionId: "main", label: plain`TESTNET main`, nodes: nodes([whole, trade()]) },
    ]);
    const count = (parent?: string): number =>
      tree.children(parent).reduce((sum, row) => sum + 1 + (tree.row(row.id) === undefined ? NaN : count(row.id)), 0);
    assert.equal(count(), everyNode(nodes([whole, trade()])).length);
  });
});

describe("what stands around the block trades", () => {
  const source = (members: Partial<Snapshot<BlockTrade>>): ResourceSource<BlockTrade> => ({
    connectionId: "main",
    connectionName: "main",
    environment: "test",
    snapshot: snapshot([], members),
  });
  const heading = (members: Partial<Snapshot<BlockTrade>>, filter: BlockTradesFilter = {}): string => {
    const {
      description,
      message = "",
      content,
    } = resourceHeading(
      [source(members)],
      blockTradesWords(() => filter),
      { times: BERLIN, note: filterNote(BLOCK_TRADES_FILTER.parts({ text: "", asked: filter })) },
    );
    return `${content} | ${description} | ${message}`;
  };

  test("empty, filtered empty, loading, scope missing, not offered, refused", () => {
    assert.equal(heading({}), "none | TESTNET main · live | No block trades on TESTNET main.");
    assert.equal(
      heading({}, { currency: "ETH", block_rfq_id: 3, broker_code: "any" }),
      "filtered | TESTNET main · live · filter: ETH · Block RFQ 3 · any broker | No block trades on TESTNET main match the filter “ETH · Block RFQ 3 · any broker”. Use Clear Block Trade Filter to show all of them.",
    );
    assert.equal(
      heading({ status: "loading", readAtMs: undefined }),
      "loading | TESTNET main · loading… | Reading the block trades of TESTNET main…",
    );
    assert.match(
      heading({ status: "failed", readAtMs: undefined, failure: { kind: "missingScope", scope: "block_trade:read" } }),
      /^missingScope .*doesn't have the required scope block_trade:read/,
    );
    assert.match(
      heading({
        status: "failed",
        readAtMs: undefined,
        failure: { kind: "exchange", code: -32601, message: "Method not found" },
      }),
      /^notOffered .*TESTNET main doesn't support private\/get_block_trades, so block trades can't be listed\. If you know an ID/,
    );
    assert.match(
      heading({ failure: { kind: "refused", reason: "no" } }),
      /Live updates aren't available for this connection\. The list is refreshed every few seconds\./,
    );
    assert.match(heading({ status: "stale", failure: { kind: "notConnected" } }), /Not up to date since 13:00:00\./);
  });

  test("what a filter leaves out, what a restricted key does not see, and what has come", () => {
    const at = (
      members: Partial<Parameters<typeof blockTradesRemark>[0]> = {},
    ): Parameters<typeof blockTradesRemark>[0] => ({
      arrivals: new Map(),
      filter: {},
      snapshot: snapshot([trade()]),
      ...members,
    });
    assert.equal(
      blockTradesRemark(at({ filter: { broker_code: "any" } }), undefined),
      "Only block trades that match the filter “any broker” are listed.",
    );
    assert.equal(blockTradesRemark(at({ filter: { broker_code: "any" }, snapshot: snapshot([]) }), undefined), "");
    assert.equal(blockTradesRemark(at(), undefined), "");
    assert.equal(blockTradesRemark(at(), ["block_trade_approval"]), "");
    assert.equal(
      blockTradesRemark(at({ arrivals: new Map([["BLOCK-9", 1]]) }), ["restricted_block_trades"]),
      "This API key can read only block trades made with it. Other block trades of the account are not listed. New since you opened or refreshed this list: BLOCK-9.",
    );
    assert.equal(
      blockTradesRemark(
        at({
          arrivals: new Map([
            ["BLOCK-9", 1],
            ["BLOCK-8", 1],
          ]),
        }),
        undefined,
      ),
      "New since you opened or refreshed this list: 2 block trades.",
    );
  });

  test("an id that the exchange does not know", () => {
    assert.equal(
      unknownBlockTradeText("BLOCK-1", { code: 13020, message: "not_found" }, plain`TESTNET main`),
      "Block trade BLOCK-1 was not found on TESTNET main, or this API key can't read it (error 13020 not_found). Correct the ID or press Escape.",
    );
    assert.match(
      unknownBlockTradeText("B", { code: -32602, message: "Invalid params" }, plain`TESTNET main`) ?? "",
      /^TESTNET main doesn't accept B as the ID of a block trade/,
    );
    assert.equal(
      unknownBlockTradeText("BLOCK-1", { code: 10028, message: "too_many_requests" }, plain`TESTNET main`),
      undefined,
    );
  });
});

describe("the filter of block trades", () => {
  const typed = (given: Partial<Record<FilterName, string>>): BlockTradesFilter =>
    Object.entries(given).reduce<BlockTradesFilter>(
      (filter, [name, text]) => withTyped(filter, name as FilterName, text),
      {},
    );

  test("what is typed becomes parameters, numbers where numbers are wanted", () => {
    assert.deepEqual(
      typed({
        currency: " ETH ",
        block_rfq_id: "50510",
        broker_code: "any",
        start_id: "BLOCK-9",
        end_id: "BLOCK-3",
        count: "20",
      }),
      {
        ...{
          currency: "ETH",
          block_rfq_id: 50_510,
          broker_code: "any",
          start_id: "BLOCK-9",
          end_id: "BLOCK-3",
          count: 20,
        },
      },
    );
    assert.deepEqual(withTyped({ currency: "ETH", count: 3 }, "currency", ""), { count: 3 });
  });

  for (const [given, sentence] of [
    [{ end_id: "BLOCK-3" }, "end_id requires start_id. First specify the block trade that the list starts after."],
    [{ count: "0" }, /^count: .*\b1\b.*\.$/],
    [{ count: "102" }, /^count: .*\b101\b.*\.$/],
    [{ count: "many" }, /^count: .*\.$/],
    [{ block_rfq_id: "x" }, /^block_rfq_id: .*\.$/],
    [{ block_rfq_id: "1.5" }, /^block_rfq_id: .*\.$/],
  ] as const) {
    test(`${JSON.stringify(given)} is refused in a sentence`, () => {
      const problem = filterProblem(typed(given)) ?? "";
      if (typeof sentence === "string") assert.equal(problem, sentence);
      else assert.match(problem, sentence);
    });
  }

  test("the limits themselves, and a range with both ends, are fine", () => {
    for (const given of [{ count: "1" }, { count: "101" }, { start_id: "BLOCK-9", end_id: "BLOCK-3" }, {}])
      assert.equal(filterProblem(typed(given)), undefined);
  });

  test("the number on a page leaves nothing out; everything else does, and is named", () => {
    assert.equal(isFilteringTrades({ count: 5 }), false);
    assert.equal(filterWords({ count: 5 }), "");
    assert.equal(
      filterWords(typed({ currency: "BTC", broker_code: "b7", start_id: "BLOCK-9", end_id: "BLOCK-3" })),
      "BTC · broker b7 · older than BLOCK-9 · back to BLOCK-3",
    );
    assert.deepEqual(BLOCK_TRADES_FILTER.parts({ text: " eth  leg ", asked: typed({ currency: "BTC" }) }), [
      "BTC",
      "eth  leg",
    ]);
    for (const name of FILTER_NAMES.filter((each) => each !== "count"))
      assert.equal(isFilteringTrades(typed({ [name]: "7" })), true);
  });
});

test("a member that is called like something every object has means nothing beyond itself", () => {
  for (const name of ["constructor", "toString", "__proto__"])
    for (const value of ["name", "length", "M"]) assert.equal(meaningOf(name, value), undefined);
});
