import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { quoteNodes, quotesRemark, QUOTES_WORDS } from "../../../src/present/quotes/quotes.ts";
import { resourceHeading } from "../../../src/present/rows/resourceHeading.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { createQuotesStore } from "../../../src/state/quotes.ts";

/* The Block RFQ Quotes view over a connection to the simulator: what it shows against what is true. */

const times = createTimes(0);

async function openView(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  world.live.storeOf(createQuotesStore).setVisible(true);
  await world.clock.advance(1000);
  return world;
}

function rows(world: World): string[] {
  const nodes = quoteNodes(world.live.storeOf(createQuotesStore), { times, nowMs: world.clock.now() });
  return nodes.flatMap((node) => [
    `${node.label} | ${node.description}`,
    ...(node.below?.() ?? [])
      .filter(({ contextValue }) => contextValue === "quotes.quote")
      .map((below) => `  ${below.label} | ${below.description}`),
  ]);
}

function heading(world: World): string {
  const { environment, record } = world.live;
  const quotes = world.live.storeOf(createQuotesStore);
  const source = { connectionId: record.id, connectionName: record.name, environment, snapshot: quotes.snapshot };
  const { message = "", content } = resourceHeading(
    [source],
    { ...QUOTES_WORDS, remark: () => quotesRemark(quotes) },
    { times, note: "" },
  );
  return `${content}: ${message}`;
}

function shownIds(world: World): string[] {
  return [...world.live.storeOf(createQuotesStore).snapshot.items.keys()].sort();
}

function trueIds(world: World): string[] {
  return world.exchange.control
    .blockRfqQuotes()
    .filter((quote) => quote["quote_state"] === "open")
    .map((quote) => String(quote["block_rfq_quote_id"]))
    .sort();
}

describe("Block RFQ quotes of the simulator", () => {
  test("while the view is hidden nothing is read; then each quote is shown under its Block RFQ, with its end", async () => {
    const world = createWorld();
    await world.connect();
    assert.equal(world.frames("private/get_block_rfq_quotes").length, 0);
    world.live.storeOf(createQuotesStore).setVisible(true);
    await world.clock.advance(1000);
    assert.deepEqual(rows(world), [
      "RFQ 722 · BTC | 2 quotes · 48 min left",
      "  buy 25 @ 0.0205 | 48 min left",
      "  sell 25 @ 0.0235 | 48 min left",
      "RFQ 724 · ETH | 2 quotes · 56 min left",
      "  buy 400 @ 0.1315 | 56 min left",
      "  sell 200 @ 0.1405 | 56 min left",
    ]);
    assert.equal(heading(world), "rows: ");
    assert.deepEqual(shownIds(world), trueIds(world));
    world.live.dispose();
  });

  test("quotes come, are filled and end with their Block RFQ by what the exchange announces, without another reading", async () => {
    const world = await openView();
    const { control } = world.exchange;
    const { block_rfq_quote_id: id } = control.placeBlockRfqQuote({
      block_rfq_id: 722,
      direction: "sell",
      price: 0.024,
      amount: 5,
    });
    await world.clock.advance(1000);
    assert.ok(shownIds(world).includes(String(id)));
    control.fillBlockRfqQuote(Number(id));
    await world.clock.advance(1000);
    assert.ok(!shownIds(world).includes(String(id)));
    control.expireBlockRfq(724);
    await world.clock.advance(1000);
    assert.deepEqual(shownIds(world), trueIds(world));
    assert.equal(rows(world).length, 3);
    assert.equal(world.frames("private/get_block_rfq_quotes").length, 1);
    world.live.dispose();
  });

  test("follows a world that moves, also over a lost link", async () => {
    const world = await openView({ still: false, seed: 3 });
    const before = shownIds(world);
    await world.clock.advance(300_000);
    assert.deepEqual(shownIds(world), trueIds(world));
    assert.notDeepEqual(shownIds(world), before);
    world.exchange.control.disconnectAll("reset");
    await world.clock.advance(60_000);
    assert.deepEqual(shownIds(world), trueIds(world));
    world.live.dispose();
  });

  test("the last one gone: a sentence; without the scope, and where the server lists none: others", async () => {
    const world = await openView();
    for (const id of trueIds(world)) world.exchange.control.cancelBlockRfqQuote(Number(id));
    await world.clock.advance(1000);
    assert.equal(heading(world), "none: No open Block RFQ quotes on SIMULATOR lab.");
    world.live.dispose();
    const poor = await openView({ maxScope: "trade:read_write" });
    assert.match(heading(poor), /^missingScope: .*block_rfq:read/);
    assert.equal(poor.frames("private/get_block_rfq_quotes").length, 0);
    poor.live.dispose();
    const bare = await openView({ methods: "contract" });
    assert.match(
      heading(bare),
      /^notOffered: SIMULATOR lab doesn't support private\/get_block_rfq_quotes, so open quotes can't be listed.*still cancel all of them with private\/cancel_all_block_rfq_quotes in a request file\.$/,
    );
    bare.live.dispose();
  });
});
