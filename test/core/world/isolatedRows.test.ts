import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { editRefusal } from "../../../src/actions/changes/editOrders.ts";
import { CallError } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import { accountNodes } from "../../../src/present/account/account.ts";
import { alarmText } from "../../../src/present/alarms/alarmText.ts";
import { orderRow } from "../../../src/present/orders/orderRow.ts";
import { positionNodes } from "../../../src/present/positions/positions.ts";
import type { RowNode } from "../../../src/present/rows/nodes.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createAccountStore } from "../../../src/state/account.ts";
import { isolatedLiquidationOf } from "../../../src/state/alarmRules.ts";
import { readOrderHistory } from "../../../src/state/orderHistory.ts";
import { openOrders } from "../../../src/state/orders.ts";
import { flattenByHand } from "../../../src/ui/placing/flatten.ts";
import { createPlacingCommands } from "../../../src/ui/placing/placing.ts";
import { expectGolden } from "../../golden.ts";
import { createWorld, type World } from "../../world.ts";
import { scriptedDialogs } from "../ui/scriptedDialogs.ts";

/* Isolated orders and positions of the gateway beside cross ones in the same instrument. */

const SOL = "SOL_USDC-PERPETUAL";
const ORDER = { instrument_name: SOL, amount: 10, price: 100, type: "limit", direction: "buy" } as const;

async function aWorld(): Promise<World> {
  const world = createWorld({ gateway: {}, orders: 0 });
  const { control } = world.exchange;
  control.place(ORDER);
  control.placeIsolated(ORDER);
  control.placeIsolated({ instrument_name: SOL, amount: 30, type: "market", direction: "sell" });
  await world.connect();
  world.live.positions.setVisible(true);
  world.live.storeOf(createAccountStore).setVisible(true);
  await world.live.instruments.load();
  await world.clock.advance(2000);
  return world;
}

const linesOf = (nodes: readonly RowNode[], depth = 0): string[] =>
  nodes.flatMap(({ label, description, contextValue, below }) => {
    const line = `${"  ".repeat(depth)}${[label, description].join(" | ")} [${contextValue}]`;
    return [line, ...(depth === 0 ? linesOf(below?.() ?? [], 1) : [])];
  });

/** Returns why something was refused. */
async function refusalOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return "done";
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
    return thrown.failure.kind === "refused" ? thrown.failure.reason : thrown.failure.kind;
  }
}

describe("isolated margin at the gateway", () => {
  test("has rows of its own", async () => {
    const { live } = await aWorld();
    const orders = openOrders(live.orders.snapshot).map((order) => {
      const context = {
        connectionId: "c",
        pending: undefined,
        isStale: false,
        namesInstrument: false,
        hasOrdersBelow: false,
      };
      const { label, description, spoken } = orderRow({ order, endedAtMs: undefined }, context);
      return `${[label, description].join(" | ")} — ${spoken.replace(order.order_id, "ID")}`;
    });
    const look = { times: createTimes(0), sorting: "instrument", places: new Map(), hasUsd: false, nowMs: 0 } as const;
    const usdc = positionNodes(live.positions, look).filter(({ label }) => label === "USDC");
    const account = accountNodes(live.storeOf(createAccountStore), look.times).slice(-1);
    const text = ["Orders", ...orders, "", "Positions", ...linesOf(usdc), "", "Account", ...linesOf(account)].join(
      "\n",
    );
    await expectGolden("test/core/world/isolatedRows.golden.txt", `${text}\n`);
    const { isolatedMargin, orders: list, positions } = live;
    assert.deepEqual(
      [list, positions, live.storeOf(createAccountStore)].map((each) => isolatedMargin.isLeftOut(each)),
      [false, false, false],
    );
    live.dispose();
  });

  test("can't be edited, closed, reduced, protected, or flattened from here", async () => {
    const world = await aWorld();
    const { live } = world;
    const isolated = openOrders(live.orders.snapshot).find(
      (order) => order.order_id !== world.exchange.control.openOrders()[0]?.order_id,
    );
    const said = [editRefusal(isolated ?? assert.fail("no order")) ?? "edited"];
    const item = [...live.positions.snapshot.items].find(([key]) => key.startsWith(`${SOL} `))?.[1];
    const commands = createPlacingCommands({
      ...({ positions: { find: () => [{ live, item }] } } as never as Parameters<typeof createPlacingCommands>[0]),
    });
    for (const name of ["close", "reduce", "protect"] as const)
      said.push(await refusalOf(async () => await commands[`tradingRpc.position.${name}`]?.("row")));
    const { dialogs } = scriptedDialogs();
    const asked: string[] = [];
    const ask = async (steps: { readonly choices: readonly { readonly label: string }[] }): Promise<unknown> => {
      asked.push(...steps.choices.map(({ label }) => label));
      return await Promise.resolve({ kind: "left" });
    };
    const flattening = flattenByHand(live, "view", {
      ...{ dialogs: { ...dialogs, askSeveral: ask as never }, clock: world.clock, times: createTimes(0) },
      settings: { connection: () => ({ requestTimeoutMs: 5000 }) as never },
    });
    await world.clock.advance(5000);
    await flattening;
    said.push(`flatten offers: ${asked.filter((label) => label.includes("SOL")).join(", ")}`);
    await expectGolden("test/core/world/isolatedRefusals.golden.txt", `${said.join("\n")}\n`);
    live.dispose();
  });

  test("a liquidation in a slot is told once it begins", () => {
    const event = { state: "liquidation_started", user_id: 48_605, currency: "USDC", timestamp: 5 };
    const alarm = isolatedLiquidationOf(event) ?? assert.fail("no alarm");
    assert.equal(alarm.key, "liquidation:48605:5");
    assert.equal(
      alarmText(alarm, plain`X`, () => ""),
      "X: the exchange is liquidating an isolated position (USDC, subaccount 48605). Read positions and orders again.",
    );
    assert.equal(isolatedLiquidationOf({ ...event, state: "liquidation_ended" }), undefined);
    assert.equal(
      alarmText(isolatedLiquidationOf({}) ?? assert.fail("no alarm"), plain`X`, () => ""),
      "X: the exchange is liquidating an isolated position (subaccount not told). Read positions and orders again.",
    );
  });

  test("the history of an isolated order is read from its slot", async () => {
    const world = await aWorld();
    const { live, exchange } = world;
    const [slot] = exchange.control.slots();
    const sold = await new Promise<string>((resolve) => {
      void live.createStore(async ({ session }) => {
        const params = { currency: "USDC", subaccount_id: slot?.id };
        const response = await session.reader.readResponse("private/get_user_trades_by_currency", params);
        resolve(/"order_id":"([^"]+)"/.exec(response.bodyText)?.[1] ?? "");
      });
      void world.clock.advance(1000);
    });
    const reading = live.createStore(async (ports) => await readOrderHistory(sold, ports, slot?.id));
    await world.clock.advance(2000);
    const history = await reading;
    assert.deepEqual(history.failures, []);
    assert.match(history.order ?? "", /"order_state":"filled".*"isolated":true/);
    assert.equal(history.trades.length, 1);
    assert.equal(history.log.length, 1);
    live.dispose();
  });
});
