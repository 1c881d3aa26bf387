import assert from "node:assert/strict";
import v8 from "node:v8";
import vm from "node:vm";
import { test } from "vitest";
import { size } from "../../../rounds.mjs";
import { createFakeClock, createFakeRandom } from "../../../fakeClock.ts";
import { createExchange } from "../../../../src/simulator/wire/exchange.ts";

/*
 * A month of the default world. The market moves, and whoever is there may trade, every 30 seconds; the demo does
 * something with its orders every 30 to 90 seconds. That is a thirtieth of the usual pace. `test:long` plays it.
 */

const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
const DAYS = 30;

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;

test.runIf(size === "long")(
  `${DAYS} days: the books stay sound, the demo stays small, and the memory does not grow`,
  { timeout: 3_600_000 },
  async ({ annotate }) => {
    const clock = createFakeClock();
    const defects: string[] = [];
    const ignore = (): void => undefined;
    const log = {
      trace: ignore,
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (text: string) => void defects.push(text),
    };
    const exchange = createExchange({ clock, random: createFakeRandom(7), seed: 1, stepMs: STEP_MS, log });
    const { control } = exchange;
    const heapMb: number[] = [];
    const cpu = process.cpuUsage();
    for (let day = 1; day <= DAYS; day++) {
      await clock.advance(DAY_MS);
      const orders = control.openOrders();
      assert.ok(orders.length >= 10 && orders.length <= 60, `${orders.length} orders on day ${day}`);
      for (const order of orders) assert.equal(order.label, "demo");
      assert.deepEqual(defects, []);
      collectGarbage();
      heapMb.push(process.memoryUsage().heapUsed / 2 ** 20);
    }
    const { user, system } = process.cpuUsage(cpu);
    await annotate(
      `CPU ${Math.round((user + system) / 1e6)} s; heap in MB at the end of each day: ${heapMb.map(Math.round).join(" ")}`,
    );
    exchange.dispose();
    assert.equal(clock.pendingTimers, 0);
    assert.ok((heapMb[29] ?? 0) <= 1.1 * (heapMb[2] ?? 0), `${heapMb[2]} MB on day 3, ${heapMb[29]} MB on day 30`);
  },
);
