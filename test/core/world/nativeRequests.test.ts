import assert from "node:assert/strict";
import { test } from "vitest";
import { cancelMatching, cancelOneByOne } from "../../../src/actions/changes/cancelMany.ts";
import { readHeldPositions } from "../../../src/actions/changes/instrumentFigures.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import { createAccountStore } from "../../../src/state/account.ts";
import { createFillsStore } from "../../../src/state/fills.ts";
import { readOrderHistory } from "../../../src/state/orderHistory.ts";
import { openOrders, orderLookups, type Order } from "../../../src/state/orders.ts";
import { runCancelEverything } from "../../../src/ui/orders/cancelEverything.ts";
import { figuresOf } from "../../../src/ui/editor/marketReads.ts";
import { expectGolden } from "../../golden.ts";
import { createWorld } from "../../world.ts";
import { scriptedDialogs } from "../ui/scriptedDialogs.ts";

/*
 * The requests of a native connection, byte for byte. Isolated margin is read and cancelled at the gateway alone: no
 * parameter, channel, or request of it is sent anywhere else. The golden text is older than that support.
 */

test("a native connection sends what it always sent", async () => {
  const world = createWorld({ orders: 24 });
  const { live, clock, exchange } = world;
  await world.connect();
  const open = (): readonly Order[] => openOrders(live.orders.snapshot);
  const [first, second, third, ...others] = open();
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  const context = { origin: "view", nowMs: clock.now(), ...orderLookups(live.orders) } as const;
  const submit = async (intent: ReturnType<typeof cancelOrder>, ms = 1000): Promise<void> => {
    const done = live.gate.submit(intent);
    await clock.advance(ms);
    await done;
  };
  const counted = (orders: readonly Order[]): Parameters<typeof cancelMatching>[1] => ({
    ...{ orders, isCounted: true, hiddenCount: 0 },
  });

  live.positions.setVisible(true);
  live.storeOf(createAccountStore).setVisible(true);
  live.storeOf(createFillsStore).setVisible(true);
  await clock.advance(11_000);
  await live.orders.refresh();
  await submit(cancelOrder(first, context));
  exchange.control.setFault({ method: "private/cancel", response: "none" });
  await submit(cancelOrder(second, context), 30_000);
  exchange.control.setFault({ method: "private/cancel", effect: "skipped", response: { code: 10_004 } });
  await submit(cancelOrder(third, context), 30_000);
  const several = cancelOneByOne(others.slice(0, 2), context, undefined);
  const done = live.gate.submitAll(several.intents, several.describe);
  await clock.advance(1000);
  await done;
  const name = others[3]?.instrument_name ?? "";
  exchange.control.setFault({ method: "private/cancel_all_by_instrument", response: "none" });
  const ofInstrument = open().filter((order) => order.instrument_name === name);
  await submit(cancelMatching({ kind: "instrument", instrumentName: name }, counted(ofInstrument), "view"), 30_000);
  await submit(cancelMatching({ kind: "currency", currency: "BTC" }, counted([]), "view"));
  await submit(cancelMatching({ kind: "label", label: "demo" }, counted([]), "view"));
  await submit(cancelMatching({ kind: "instrumentKind", instrumentKind: "future" }, counted([]), "view"));
  await submit(cancelMatching({ kind: "all" }, counted(open()), "view"));
  const reading = readHeldPositions(figuresOf(live));
  await clock.advance(1000);
  await reading;
  const { dialogs } = scriptedDialogs();
  const running = runCancelEverything({
    dialogs: { ...dialogs, tell: (level, text) => dialogs.tell(level, text) },
    run: () => undefined,
    liveConnections: { all: [live] },
    settings: { connection: () => ({ requestTimeoutMs: 5000 }) as never },
    ask: async () => await Promise.resolve(true),
    clock,
  });
  await clock.advance(5000);
  await running;
  const history = live.createStore(async (ports) => await readOrderHistory(first.order_id, ports));
  await clock.advance(1000);
  await history;
  const sent = exchange.control.ledger().map(({ text }) => text);
  assert.deepEqual(
    sent.filter((text) => text.includes("isolated") || text.includes("subaccount_id")),
    [],
  );
  await expectGolden("test/core/world/nativeRequests.golden.txt", `${sent.join("\n")}\n`);
  live.dispose();
});
