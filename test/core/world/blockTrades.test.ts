import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { outcomeText } from "../../../src/present/outcomes/outcomeText.ts";
import { blockTradeNodes, blockTradesWords } from "../../../src/present/blockTrades/blockTrades.ts";
import { resourceHeading } from "../../../src/present/rows/resourceHeading.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createBlockTradesStore, type BlockTradesFilter } from "../../../src/state/blockTrades.ts";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/* The Block Trades view over a connection to the simulator: what it shows against what is true. */

const times = createTimes(0);

async function openView(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  addBlockTrades(world.exchange.control);
  await world.connect();
  world.live.storeOf(createBlockTradesStore).setVisible(true);
  await world.clock.advance(1000);
  return world;
}

function shown(world: World): string[] {
  return [...world.live.storeOf(createBlockTradesStore).snapshot.items.keys()];
}

function trueIds(world: World): string[] {
  return world.exchange.control.blockTrades().map((each) => String(each["id"]));
}

async function listed(world: World, filter: BlockTradesFilter): Promise<string[]> {
  world.live.storeOf(createBlockTradesStore).setFilter(filter);
  await world.clock.advance(1000);
  return shown(world);
}

function heading(world: World): string {
  const { environment, record } = world.live;
  const blockTrades = world.live.storeOf(createBlockTradesStore);
  const source = { connectionId: record.id, connectionName: record.name, environment, snapshot: blockTrades.snapshot };
  const { message = "", content } = resourceHeading(
    [source],
    blockTradesWords(() => blockTrades.filter),
    { times, note: "" },
  );
  return `${content}: ${message}`;
}

const LEG = { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 100_000 } as const;

describe("block trades of the simulator", () => {
  test("while the view is hidden nothing is read; then page by page to the very first one", async () => {
    const world = createWorld();
    addBlockTrades(world.exchange.control);
    await world.connect();
    assert.equal(world.frames("private/get_block_trades").length, 0);
    world.live.storeOf(createBlockTradesStore).setVisible(true);
    await world.clock.advance(1000);
    assert.deepEqual(shown(world), trueIds(world).slice(0, 50));
    while (world.live.storeOf(createBlockTradesStore).hasMore) {
      void world.live.storeOf(createBlockTradesStore).loadMore();
      await world.clock.advance(1000);
    }
    assert.deepEqual(shown(world), trueIds(world));
    assert.ok(shown(world).length > 101);
    world.live.dispose();
  });

  test("one that is executed while the view is open comes to the top and is marked, until the list is refreshed", async () => {
    const world = await openView();
    const { id } = world.exchange.control.addBlockTrade({ legs: [LEG] });
    await world.clock.advance(1000);
    assert.equal(shown(world)[0], id);
    assert.deepEqual([...world.live.storeOf(createBlockTradesStore).arrivals.keys()], [id]);
    void world.live.storeOf(createBlockTradesStore).refresh();
    await world.clock.advance(1000);
    assert.deepEqual([...world.live.storeOf(createBlockTradesStore).arrivals.keys()], []);
    assert.equal(world.live.storeOf(createBlockTradesStore).snapshot.failure, undefined);
    world.live.dispose();
  });

  test("one that is executed while the link is down is there after it came back", async () => {
    const world = await openView();
    world.exchange.control.disconnectAll("reset");
    await world.clock.settle();
    assert.match(heading(world), /^rows: Not up to date since/);
    const { id } = world.exchange.control.addBlockTrade({ legs: [LEG] });
    await world.clock.advance(40_000);
    assert.deepEqual(shown(world), trueIds(world).slice(0, 50));
    assert.ok(world.live.storeOf(createBlockTradesStore).arrivals.has(String(id)));
    world.live.dispose();
  });

  test("where nothing can be subscribed the list is read every few seconds, and says so", async () => {
    const world = await openView({ methods: "contract" });
    assert.match(
      heading(world),
      /^rows: Live updates aren't available for this connection\. The list is refreshed every few seconds\./,
    );
    const { id } = world.exchange.control.addBlockTrade({ legs: [LEG] });
    await world.clock.advance(12_000);
    assert.equal(shown(world)[0], id);
    world.live.dispose();
  });

  test("the exchange filters: currency, Block RFQ, broker, from and to", async () => {
    const world = await openView();
    const all = world.exchange.control.blockTrades();
    const idsWhere = (fits: (text: string) => boolean): string[] =>
      all.filter((each) => fits(JSON.stringify(each))).map((each) => String(each["id"]));
    assert.deepEqual(
      await listed(world, { block_rfq_id: 50_510 }),
      idsWhere((text) => text.includes('"block_rfq_id":50510')),
    );
    assert.deepEqual(
      await listed(world, { broker_code: "broker_7" }),
      idsWhere((text) => text.includes('"broker_code":"broker_7"')),
    );
    assert.deepEqual(
      await listed(world, { broker_code: "any" }),
      idsWhere((text) => text.includes("broker_code")),
    );
    const ids = trueIds(world);
    assert.deepEqual(await listed(world, { start_id: ids[2]!, end_id: ids[9]! }), ids.slice(3, 10));
    assert.deepEqual(await listed(world, { start_id: ids[2]!, end_id: ids[9]!, count: 4 }), ids.slice(3, 7));
    assert.ok((await listed(world, { currency: "ETH" })).length > 0);
    for (const trade of world.live.storeOf(createBlockTradesStore).snapshot.items.values())
      assert.ok(trade.trades?.some((leg) => leg.instrument_name?.startsWith("ETH") === true) === true);
    assert.deepEqual(await listed(world, { broker_code: "absent" }), []);
    assert.equal(
      heading(world),
      "none: No block trades on SIMULATOR lab match the filter “broker absent”. Use Clear Block Trade Filter to show all of them.",
    );
    assert.deepEqual(await listed(world, {}), ids.slice(0, 50));
    world.live.dispose();
  });

  test("a refused filter is told in words, and clearing it reads the list", async () => {
    const world = await openView();
    await listed(world, { start_id: "BLOCK-1" });
    assert.match(heading(world), /^failed: .*13020/);
    assert.equal((await listed(world, {})).length, 50);
    world.live.dispose();
  });

  test("without the scope nothing is asked, and the view names it", async () => {
    const world = createWorld();
    addBlockTrades(world.exchange.control, 1);
    world.exchange.control.editApiKey(1, { max_scope: "trade:read account:read" });
    await world.connect();
    world.live.storeOf(createBlockTradesStore).setVisible(true);
    await world.clock.advance(1000);
    assert.match(heading(world), /^missingScope: .*block_trade:read/);
    assert.equal(world.frames("private/get_block_trades").length, 0);
    world.live.dispose();
  });

  test("a restricted key sees its own block trades, and the connection knows that it is one", async () => {
    const world = createWorld();
    addBlockTrades(world.exchange.control);
    world.exchange.control.editApiKey(1, { enabled_features: ["restricted_block_trades"] });
    await world.connect();
    const { state } = world.live;
    assert.ok(state.status === "ready");
    assert.deepEqual(state.identity.keyFeatures, ["restricted_block_trades"]);
    world.live.storeOf(createBlockTradesStore).setVisible(true);
    await world.clock.advance(1000);
    assert.ok(shown(world).length < 50);
    world.live.dispose();
  });

  test("an unknown ID is an error of the exchange, with its code", async () => {
    const world = await openView();
    const intent = {
      method: "private/get_block_trade",
      paramsText: '{"id":"BLOCK-1"}',
      words: { action: plain`Read Block Trade`, target: plain`BLOCK-1`, detail: [], keep: plain`Cancel` },
      origin: "view",
    } as const;
    const outcome = await world.live.gate.submit(intent);
    assert.equal(outcome.kind, "rejected");
    assert.match(outcomeText(outcome, { intent, place: plain`SIMULATOR lab`, times }), /13020/);
    assert.deepEqual(world.questions, [], "a read needs no confirmation");
    world.live.dispose();
  });

  test("block trades open into legs, allocations of users and of a broker's clients", async () => {
    const world = await openView();
    const rows = blockTradeNodes(world.live.storeOf(createBlockTradesStore), { times, nowMs: world.clock.now() });
    const below = rows.flatMap((row) => row.below?.() ?? []).flatMap((row) => row.below?.() ?? []);
    const lines = below.map((row) => `${row.label} | ${row.description}`);
    for (const line of ["Ann Example | 30 · fee 0.009 BTC", "Fund Ltd | 20 · fee 0.006 BTC"])
      assert.ok(lines.includes(line), line);
    assert.ok(
      below.some((row) => row.contextValue === "blockTrade.leg"),
      "a combo's legs",
    );
    assert.ok(below.some((row) => row.contextValue === "blockTrade.allocation" && row.label.startsWith("user ")));
    world.live.dispose();
  });
});
