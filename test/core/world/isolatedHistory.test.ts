import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { DisposableList } from "../../../src/base/emitter.ts";
import { parseObject } from "../../../src/base/json.ts";
import { plain } from "../../../src/base/plain.ts";
import { historyModel } from "../../../src/present/history/historyModel.ts";
import { createHistoryCells, historyCsv, historyJson } from "../../../src/present/history/historyRows.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createTypedMoments } from "../../../src/present/trades/tradesQuery.ts";
import { createHistoryReader, HISTORY_PAGE_SIZE, type HistoryQuery } from "../../../src/state/history.ts";
import { SLOT_MEMBER } from "../../../src/state/isolated.ts";
import { createHistoryPages, type HistoryPages } from "../../../src/state/historyPages.ts";
import { createAccountHistoryCommands } from "../../../src/ui/history/commands.ts";
import { expectGolden } from "../../golden.ts";
import { createWorld, type World } from "../../world.ts";

/* Account History at the gateway: what the account did, and what its slots of isolated margin did. */

const SOL = "SOL_USDC-PERPETUAL";
const XRP = "XRP_USDC-PERPETUAL";
const times = createTimes(0);

/** A world whose first slot was freed and serves another instrument now. */
async function aTrader(): Promise<World> {
  const world = createWorld({ gateway: {}, orders: 0 });
  const { control } = world.exchange;
  const isolated = async (name: string, amount: number, direction: "buy" | "sell"): Promise<void> => {
    control.placeIsolated({ instrument_name: name, amount, type: "market", direction });
    await world.clock.advance(1000);
  };
  await isolated(SOL, 30, "sell");
  control.place({ instrument_name: SOL, amount: 10, type: "market", direction: "buy" });
  await world.clock.advance(1000);
  await isolated(SOL, 30, "buy");
  await isolated(XRP, 100, "buy");
  await isolated(SOL, 20, "buy");
  await world.connect();
  return world;
}

const NOTHING = { dispose: () => undefined };

const QUERY: HistoryQuery = {
  ...{ list: "trades", currency: "USDC", isOld: false },
  ...{ instrument: undefined, kind: undefined, fromMs: undefined, toMs: undefined },
};

async function pagesOf(world: World, query: HistoryQuery): Promise<HistoryPages> {
  const pages = world.live.createStore((ports) =>
    createHistoryPages(query, { ...ports, reader: createHistoryReader(ports) }),
  );
  const reading = pages.reload();
  await world.clock.advance(60_000);
  await reading;
  return pages;
}

/** Returns a text with names for the slots. */
function named({ exchange }: World, text: string): string {
  return exchange.control
    .slots()
    .reduce((all, { id }, index) => all.replaceAll(String(id), `SLOT${index + 1}`), text)
    .replaceAll(/\b[A-Z]+_USDC-\d+\b/g, "ORDER");
}

function textOf(world: World, { known }: HistoryPages): string {
  const model = historyModel(known, {
    ...{ place: plain`X`, currencies: [], times, cellsOf: createHistoryCells(times), moments: createTypedMoments() },
    hide: (text) => text,
  });
  const lines = [model.status, model.cost, model.columns.map(({ title }) => title).join(" | ")];
  return named(world, [...lines, ...model.rows.map((cells) => cells.join(" | ")), model.problem].join("\n"));
}

/** Returns the requests of a history, in order. */
function requests(world: World): readonly string[] {
  return world.exchange.control
    .ledger()
    .filter(({ method = "" }) => /history|log|user_trades/.test(method))
    .map(({ method = "", paramsText = "{}" }) => {
      const { instrument_name: name, currency, query, subaccount_id: slot } = parseObject(paramsText) ?? {};
      const about = [currency, name, query, slot]
        .filter((each) => typeof each === "string" || typeof each === "number")
        .join(" ");
      return `sent: ${method.replace("private/", "")} ${about}`;
    });
}

const SCENES: readonly (readonly [name: string, query: Partial<HistoryQuery>])[] = [
  ["orders", { list: "orders" }],
  ["orders of an instrument", { list: "orders", instrument: SOL, currency: undefined }],
  ["trades", {}],
  ["trades of an instrument", { instrument: XRP, currency: undefined }],
  ["trades of all currencies", { currency: undefined }],
  ["transactions", { list: "transactions" }],
  ["settlements", { list: "settlements" }],
  ["settlements of an instrument", { list: "settlements", instrument: SOL }],
  ["triggers", { list: "triggers" }],
];

describe("account history with isolated margin", () => {
  test("has the rows of each slot, with its ID, and says what has no way", async () => {
    const texts: string[] = [];
    for (const [name, query] of SCENES) {
      const world = await aTrader();
      world.exchange.control.clearRecords();
      const pages = await pagesOf(world, { ...QUERY, ...query });
      texts.push([`== ${name}`, ...requests(world).map((each) => named(world, each)), textOf(world, pages)].join("\n"));
      world.live.dispose();
    }
    await expectGolden("test/core/world/isolatedHistory.golden.txt", `${texts.join("\n\n")}\n`);
  });

  test("pages go on in all accounts, newest first, each row once", async () => {
    const world = createWorld({ gateway: {}, orders: 0 });
    const { control } = world.exchange;
    const count = HISTORY_PAGE_SIZE + 20;
    for (let index = 0; index < count; index++) {
      const direction = index % 2 === 0 ? "buy" : "sell";
      control.place({ instrument_name: SOL, amount: 1, type: "market", direction });
      await world.clock.advance(10);
      control.placeIsolated({ instrument_name: SOL, amount: 1, type: "market", direction });
      await world.clock.advance(10);
    }
    await world.connect();
    const pages = await pagesOf(world, QUERY);
    for (let turn = 0; turn < 10 && pages.known.hasMore; turn++) {
      const reading = pages.loadMore();
      await world.clock.advance(60_000);
      await reading;
    }
    const { rows, hasMore, failure } = pages.known;
    assert.deepEqual([hasMore, failure], [false, undefined]);
    const at = rows.map(({ value }) => Number(value["timestamp"]));
    assert.deepEqual(
      at,
      [...at].sort((one, other) => other - one),
    );
    assert.equal(new Set(rows.map(({ text }) => text)).size, rows.length);
    assert.equal(rows.filter(({ value }) => SLOT_MEMBER in value).length, count);
    assert.equal(rows.length, 2 * count);
    world.live.dispose();
  });

  test("exports tell which rows are isolated", async () => {
    const world = await aTrader();
    const { known } = await pagesOf(world, QUERY);
    const slots = (JSON.parse(historyJson(known.rows)) as Readonly<Record<string, unknown>>[]).map(
      (row) => row[SLOT_MEMBER],
    );
    const [first, second] = world.exchange.control.slots().map(({ id }) => id);
    assert.deepEqual(slots, [second, first, first, undefined, first]);
    assert.equal(historyCsv(known.rows).split("\r\n")[0]?.split(",").at(-1), SLOT_MEMBER);
    world.live.dispose();
  });

  test("entries may be missing where the subaccounts can't be listed, or one can't be read", async () => {
    const world = await aTrader();
    world.exchange.control.setFault({
      ...{ method: "private/get_subaccounts", effect: "skipped", times: 100, response: { code: 13_021 } },
    });
    const pages = await pagesOf(world, QUERY);
    assert.match(textOf(world, pages), /Entries of isolated margin may be missing/);
    assert.equal(pages.known.rows.length, 1);
    world.live.dispose();
  });

  test("the page of an order that was never open here is read from its slot", async () => {
    const world = await aTrader();
    const { live, clock } = world;
    const { known } = await pagesOf(world, QUERY);
    const { order_id: order, [SLOT_MEMBER]: slot } = known.rows[0]?.value ?? {};
    const commands = createAccountHistoryCommands(
      {
        ...({ clock, times } as never as Parameters<typeof createAccountHistoryCommands>[0]),
        liveConnections: {
          find: () => live,
          onDidOpen: () => NOTHING,
          onDidClose: () => NOTHING,
        } as never,
        journals: { refresh: async () => await Promise.resolve(), intents: [] } as never,
      },
      new DisposableList(),
    );
    const read = async (parts: object): Promise<string> => {
      const reading = commands.orderText({ connection: live.record.id, order, ...parts });
      await clock.advance(5000);
      return await reading;
    };
    assert.match(await read({ slot }), /filled/);
    // Without its slot, the exchange finds no such order.
    assert.match(await read({}), /10004/);
    live.dispose();
  });

  test("native connections send what they sent before", async () => {
    const world = createWorld();
    await world.connect();
    for (const list of ["orders", "trades", "transactions", "settlements", "triggers"] as const) {
      const pages = await pagesOf(world, { ...QUERY, list });
      assert.equal(pages.known.slots, undefined);
    }
    assert.deepEqual([world.frames("isolated").length, world.frames("private/get_subaccounts").length], [0, 0]);
    world.live.dispose();
  });
});
