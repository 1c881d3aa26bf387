import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { LiveConnection } from "../../src/actions/connection/liveConnection.ts";
import { createMemoryJournal, type MemoryJournal } from "../../src/actions/journal/journal.ts";
import type { Outcome } from "../../src/actions/judge/outcome.ts";
import { cancelOrder } from "../../src/actions/changes/orders.ts";
import type { Event } from "../../src/base/emitter.ts";
import { silentLog } from "../../src/base/log.ts";
import { createExchange, type Exchange } from "../../src/simulator/wire/exchange.ts";
import { startServer, type SimulatorServer } from "../../src/simulator/wire/server.ts";
import { orderLookups } from "../../src/state/orders.ts";
import { messagesOf, messagesOfBareServer, shownOf } from "../everyView.ts";
import { addBlockTrades } from "../blockTradeSpecs.ts";
import { createFakeRandom } from "../fakeClock.ts";
import { connectionTo, createQuickClock, ready } from "./liveOverSockets.ts";
import { createFillsStore } from "../../src/state/fills.ts";
import { createMmpStore } from "../../src/state/mmp.ts";
import { createQuotesStore } from "../../src/state/quotes.ts";
import { createBlockTradesStore } from "../../src/state/blockTrades.ts";
import { createAccountStore } from "../../src/state/account.ts";

/*
 * A server that knows the ten methods of the core specification and public/auth, over real sockets: a WebSocket, and
 * HTTP alone.
 */

const clock = createQuickClock();
let exchange: Exchange;
let server: SimulatorServer;

beforeAll(async () => {
  exchange = createExchange({ clock, random: createFakeRandom(7), still: true, limits: false, methods: "contract" });
  addBlockTrades(exchange.control, 3);
  server = await startServer({ exchange, port: 0, controlToken: "t", limits: false, log: silentLog });
});
afterAll(async () => {
  await server.close();
});

async function until(change: Event<unknown>, isSo: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (isSo()) resolve();
    };
    change(look);
    look();
  });
}

/** Connects, looks at everything, and waits until each view has said what it has to say. */
async function open(url: string): Promise<{ readonly live: LiveConnection; readonly journal: MemoryJournal }> {
  const journal = createMemoryJournal();
  const live = connectionTo(exchange, url, journal, clock);
  live.orders.watch();
  await ready(live);
  const lists = [
    live.storeOf(createAccountStore),
    live.positions,
    live.storeOf(createBlockTradesStore),
    live.storeOf(createFillsStore),
    live.storeOf(createMmpStore),
    live.storeOf(createQuotesStore),
    live.apiKeys,
  ] as const;
  for (const list of lists) list.setVisible(true);
  for (const list of [live.orders, ...lists])
    await until(list.onDidChange, () => list.snapshot.failure !== undefined && list.snapshot.status !== "loading");
  await until(live.storeOf(createMmpStore).onDidChange, () =>
    live.storeOf(createMmpStore).parts.every(({ snapshot }) => snapshot.failure !== undefined),
  );
  return { live, journal };
}

const WAYS = [
  ["a WebSocket", () => server.addresses.webSocket, "The exchange returned error -32601: Method not found."],
  ["HTTP alone", () => server.addresses.http, "Subscriptions are not available over HTTP."],
] as const;

for (const [way, url, push] of WAYS) {
  describe(`a server with the ten methods alone, over ${way}`, () => {
    test("every view works or says in a sentence why not", async () => {
      const { live, journal } = await open(url());
      try {
        assert.deepEqual(messagesOf(shownOf({ live, journal, clock })), messagesOfBareServer("TESTNET lab", push));
        assert.deepEqual(
          [...live.orders.snapshot.items.keys()].sort(),
          exchange.control
            .openOrders()
            .map(({ order_id: id }) => id)
            .sort(),
        );
        assert.ok(
          live.storeOf(createBlockTradesStore).snapshot.items.size > 0 &&
            live.storeOf(createMmpStore).snapshot.items.size > 0,
        );
      } finally {
        live.dispose();
      }
    });

    test("a cancel is confirmed; one whose response is lost ends as no longer open and is not called cancelled", async () => {
      const { live } = await open(url());
      try {
        const [first, second] = [...live.orders.snapshot.items.values()].map(({ order }) => order);
        const cancel = async (order: typeof first): Promise<Outcome> =>
          await live.gate.submit(
            cancelOrder(order!, {
              origin: "view",
              nowMs: clock.now(),
              ...orderLookups(live.orders),
            }),
          );
        assert.equal((await cancel(first)).kind, "confirmed");
        exchange.control.setFault({
          method: "private/cancel",
          times: 1,
          effect: "applied",
          response: "none",
          link: "reset",
        });
        assert.equal((await cancel(second)).kind, "unknown");
        await until(live.gate.onDidChangeActivity, () => live.gate.activity[0]?.verdicts.length === 1);
        assert.equal(live.gate.activity[0]?.verdicts[0]?.kind, "gone");
        assert.equal(exchange.control.order(second!.order_id)?.order_state, "cancelled");
        assert.equal(
          exchange.control
            .ledger()
            .filter(({ method, text }) => method === "private/cancel" && text.includes(second!.order_id)).length,
          1,
        );
      } finally {
        live.dispose();
      }
    });
  });
}
