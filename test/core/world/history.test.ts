import assert from "node:assert/strict";
import { afterEach, describe, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import { orderHistoryText } from "../../../src/present/history/orderHistoryText.ts";
import { historyDetails } from "../../../src/present/history/historyRows.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { AlarmWatch } from "../../../src/state/alarms.ts";
import { CURRENCIES } from "../../../src/catalogue/values.ts";
import {
  createHistoryReader,
  HISTORY_LISTS,
  HISTORY_PAGE_SIZE,
  type HistoryCursor,
  type HistoryQuery,
} from "../../../src/state/history.ts";
import { readOrderHistory } from "../../../src/state/orderHistory.ts";
import { effectOf } from "../../../src/catalogue/index.ts";
import { HISTORY_FIELDS } from "../../historyFields.ts";
import { createWorld, type World } from "../../world.ts";
import { createMmpStore } from "../../../src/state/mmp.ts";
import { createQuotesStore } from "../../../src/state/quotes.ts";
import { createBlockTradesStore } from "../../../src/state/blockTrades.ts";
import { createAccountStore } from "../../../src/state/account.ts";

/* History and alarms in a conversation with the simulator. */

const times = createTimes(0);
const MINUTE_MS = 60_000;

let world: World;

describe("history, alarms, and credits", () => {
  afterEach(() => {
    world.live.dispose();
    world.exchange.dispose();
  });

  async function connect(options: Parameters<typeof createWorld>[0] = {}): Promise<void> {
    world = createWorld(options);
    await world.connect();
  }

  describe("history", () => {
    const query = (list: HistoryQuery["list"]): HistoryQuery => ({
      ...{ list, currency: "BTC", isOld: false },
      ...{ instrument: undefined, kind: undefined, fromMs: undefined, toMs: undefined },
    });

    test("every list that the simulator has can be read, and every member of a row is shown", async () => {
      await connect();
      const reader = world.live.createStore(createHistoryReader);
      for (const list of HISTORY_LISTS) {
        const reading = reader.read(query(list), undefined);
        await world.clock.advance(100);
        const { rows } = await reading;
        for (const row of rows) {
          assert.equal(historyDetails(row, times).length, Object.keys(row.value).length, list);
          assert.deepEqual(
            Object.keys(row.value).filter((name) => !(name in HISTORY_FIELDS[list])),
            [],
            list,
          );
        }
      }
    });

    test("all currencies at once are the rows of each one, the newest first, each once", async () => {
      await connect();
      for (const order of world.exchange.control.openOrders().slice(0, 6))
        world.exchange.control.cancel(order.order_id);
      for (const order of world.exchange.control.openOrders())
        if (/^(?:BTC|ETH)-PERPETUAL$/.test(order.instrument_name ?? "") && order.order_state === "open")
          world.exchange.control.fill(order.order_id);
      await world.clock.advance(40 * MINUTE_MS);
      const reader = world.live.createStore(createHistoryReader);
      const readTo = async (wanted: HistoryQuery): Promise<{ readonly texts: string[]; readonly pages: number[] }> => {
        const texts: string[] = [];
        const pages: number[] = [];
        let cursor: HistoryCursor | undefined;
        do {
          const reading = reader.read(wanted, cursor);
          await world.clock.advance(100);
          const page = await reading;
          texts.push(...page.rows.map(({ text }) => text));
          pages.push(page.rows.length);
          cursor = page.next;
        } while (cursor !== undefined);
        return { texts, pages };
      };
      for (const list of ["orders", "trades", "transactions"] as const) {
        const isOld = list === "orders";
        const all = await readTo({ ...query(list), isOld, currency: undefined });
        const each: string[] = [];
        for (const currency of CURRENCIES) each.push(...(await readTo({ ...query(list), isOld, currency })).texts);
        assert.deepEqual(all.texts.toSorted(), each.toSorted(), list);
        assert.ok(all.texts.length > 0, list);
        const member = list === "orders" ? "last_update_timestamp" : "timestamp";
        const times = all.texts.map((text) => (JSON.parse(text) as Record<string, number>)[member] ?? 0);
        if (list !== "orders")
          assert.deepEqual(
            times,
            times.toSorted((one, other) => other - one),
            list,
          );
        for (const length of all.pages) assert.ok(length <= HISTORY_PAGE_SIZE, list);
      }
    });

    test("only reads are sent", async () => {
      await connect();
      const before = world.exchange.control.ledger().length;
      const reader = world.live.createStore(createHistoryReader);
      for (const list of HISTORY_LISTS) void reader.read(query(list), undefined).catch(() => undefined);
      await world.clock.advance(100);
      const sent = world.exchange.control.ledger().slice(before);
      // And the exchange's time, up to which the transaction log is read.
      assert.equal(new Set(sent.map(({ method }) => method)).size, HISTORY_LISTS.length + 1);
      for (const { method } of sent) assert.equal(effectOf(method ?? ""), "read");
    });

    test("the document about an order has the order as the exchange writes it", async () => {
      await connect();
      const [order] = world.exchange.control.openOrders();
      const orderId = order?.order_id ?? assert.fail("no order");
      const reading = world.live.createStore(async (ports) => await readOrderHistory(orderId, ports));
      await world.clock.advance(100);
      const text = orderHistoryText(await reading, [], {
        ...{ orderId, place: world.live.place, connectionId: world.live.record.id },
        ...{ nowMs: world.clock.now(), times },
      });
      assert.match(text, new RegExp(`^${orderId} on SIMULATOR .*, as of `));
      const fields = text.slice(text.indexOf("All fields of the order"));
      for (const name of Object.keys(order ?? {})) assert.match(fields, new RegExp(`^ {2}${name} `, "m"));
      assert.match(fields, new RegExp(`^ {2}order_id +${orderId}$`, "m"));
    });
  });

  describe("alarms", () => {
    test("a fill on the exchange is an alarm with its size in USD; after a reconnect there is nothing else", async () => {
      await connect();
      const told: string[] = [];
      const watch = world.live.createStore(
        (ports) =>
          new AlarmWatch({
            ...ports,
            limits: () => ({ marginShare: 0.8, fillUsd: 1 }),
            instrumentOf: async (name) =>
              (await world.live.instruments.load()).items.find((each) => each.name === name),
          }),
      );
      watch.onDidRaise((alarm) => told.push(alarm.kind === "fill" ? `fill ${alarm.usd}` : alarm.kind));
      watch.onDidMiss(({ families }) => told.push(`missed ${families.join(" ")}`));
      await world.clock.advance(1000);
      const order = world.exchange.control.openOrders().find((each) => each.instrument_name === "ETH-PERPETUAL");
      world.exchange.control.fill(order?.order_id ?? assert.fail("no order"), 7);
      await world.clock.advance(1000);
      assert.deepEqual(told, ["fill 7"]);
      world.exchange.control.disconnectAll("reset");
      await world.clock.advance(MINUTE_MS);
      // Trades of the outage were read: the same fill again, with the key by which windows know it.
      assert.deepEqual([...new Set(told)], ["fill 7"]);
      watch.dispose();
    });
  });

  describe("rate credits", () => {
    /** Calls in ten minutes, by method. */
    async function callsAtRest(): Promise<ReadonlyMap<string, number>> {
      const before = world.exchange.control.ledger().length;
      await world.clock.advance(10 * MINUTE_MS);
      const calls = new Map<string, number>();
      for (const { method = "" } of world.exchange.control.ledger().slice(before))
        calls.set(method, (calls.get(method) ?? 0) + 1);
      return calls;
    }

    test("an idle connection with alarms sends signs of life and what is not pushed, far below 5 % of the credits", async () => {
      await connect({ clientLimits: "exchange" });
      const watch = world.live.createStore(
        (ports) =>
          new AlarmWatch({
            ...ports,
            log: silentLog,
            limits: () => ({ marginShare: 0.8, fillUsd: undefined }),
            instrumentOf: async () => await Promise.resolve(undefined),
          }),
      );
      await world.clock.advance(MINUTE_MS);
      const calls = await callsAtRest();
      watch.dispose();
      assertCheap("at rest", calls);
    });

    test("with all views open and nothing happening it stays below 5 %, and lists no instruments again within an hour", async () => {
      await connect({ clientLimits: "exchange" });
      const { live } = world;
      live.orders.watch();
      for (const store of [
        live.positions,
        live.storeOf(createAccountStore),
        live.storeOf(createBlockTradesStore),
        live.storeOf(createMmpStore),
        live.storeOf(createQuotesStore),
        live.apiKeys,
      ])
        store.setVisible(true);
      void live.instruments.load();
      await world.clock.advance(MINUTE_MS);
      for (let count = 0; count < 5; count++) void live.instruments.load();
      const calls = await callsAtRest();
      assertCheap("with all views open", calls);
      assert.equal(world.frames("public/get_instruments").length, 1);
    });

    /** A budget of 50,000 credits refills by 10,000 a second, and a read costs 500 (catalogue/rates.ts). */
    function assertCheap(when: string, calls: ReadonlyMap<string, number>): void {
      const count = [...calls.values()].reduce((sum, each) => sum + each, 0);
      const share = (count * 500) / (10_000 * 600);
      assert.ok(share <= 0.05, `${when}: ${(share * 100).toFixed(2)} %: ${JSON.stringify([...calls])}`);
      assert.equal(calls.get("public/get_instruments") ?? 0, 0);
    }
  });
});
