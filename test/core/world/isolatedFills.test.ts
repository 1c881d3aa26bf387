import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { dayText, fillNodes, fillsRemark } from "../../../src/present/fills/fills.ts";
import type { RowNode } from "../../../src/present/rows/nodes.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createFillsStore } from "../../../src/state/fills.ts";
import { isIsolated } from "../../../src/state/isolated.ts";
import { expectGolden } from "../../golden.ts";
import { createWorld, type World } from "../../world.ts";

/* Trades in isolated margin beside those of the account: in Fills, and in the result of the day. */

const SOL = "SOL_USDC-PERPETUAL";
const XRP = "XRP_USDC-PERPETUAL";
const times = createTimes(0);

/** A world with a cross trade, a slot that was freed and serves another instrument now, and one that is in use. */
function aTrader(): World {
  const world = createWorld({ gateway: {}, orders: 0 });
  const { control } = world.exchange;
  control.place({ instrument_name: SOL, amount: 10, type: "market", direction: "buy" });
  control.placeIsolated({ instrument_name: SOL, amount: 30, type: "market", direction: "sell" });
  control.placeIsolated({ instrument_name: SOL, amount: 30, type: "market", direction: "buy" });
  control.placeIsolated({ instrument_name: XRP, amount: 100, type: "market", direction: "buy" });
  control.placeIsolated({ instrument_name: SOL, amount: 20, type: "market", direction: "buy" });
  return world;
}

async function shown(world: World): Promise<ReturnType<typeof createFillsStore>> {
  await world.connect();
  const fills = world.live.storeOf(createFillsStore);
  fills.setVisible(true);
  await world.clock.advance(3000);
  return fills;
}

async function refreshed({ clock }: World, fills: ReturnType<typeof createFillsStore>): Promise<void> {
  const reading = fills.refresh();
  await clock.advance(120_000);
  await reading;
}

const lineOf = ({ label, description, spoken }: RowNode): string => `${label} | ${description} — ${spoken}`;

function textOf({ live, exchange }: World, fills: ReturnType<typeof createFillsStore>): string {
  const lines = fillNodes(fills, times).map(lineOf);
  const remark = fillsRemark(fills, live.isolatedMargin.isLeftOut(fills));
  let text = [...lines, `description: ${dayText(fills, times)}`, `remark: ${remark}`].join("\n");
  for (const [index, { id }] of exchange.control.slots().entries())
    text = text.replaceAll(String(id), `SLOT${index + 1}`);
  return text.replaceAll(/order [A-Z_]*USDC-\d+|order \d+/g, "order ID");
}

describe("trades in isolated margin", () => {
  test("are listed with their slots, also those of a slot that serves another instrument now", async () => {
    const world = aTrader();
    const fills = await shown(world);
    const before = textOf(world, fills);
    await refreshed(world, fills);
    const after = textOf(world, fills);
    await expectGolden(
      "test/core/world/isolatedFills.golden.txt",
      `${["== first", before, "", "== with the day", after].join("\n")}\n`,
    );
    assert.equal(fills.areSlotsRead, true);
    world.live.dispose();
  });

  test("come by a channel of their own", async () => {
    const world = createWorld({ gateway: {}, orders: 0 });
    const fills = await shown(world);
    assert.equal(fills.snapshot.items.size, 0);
    world.exchange.control.placeIsolated({ instrument_name: SOL, amount: 20, type: "market", direction: "buy" });
    await world.clock.advance(100);
    assert.match(
      fillNodes(fills, times).map(lineOf).at(-1) ?? "",
      /buy 20 .* isolated — .*isolated margin, subaccount/,
    );
    // The same trade comes from the slot's own list, once.
    await refreshed(world, fills);
    assert.equal(fills.snapshot.items.size, 1);
    world.live.dispose();
  });

  test("are said to be missing where the subaccounts can't be listed; those that were known stay", async () => {
    const world = aTrader();
    const fills = await shown(world);
    const known = fills.snapshot.items.size;
    world.exchange.control.setFault({
      ...{ method: "private/get_subaccounts", effect: "skipped", times: 100, response: { code: 13_021 } },
    });
    await refreshed(world, fills);
    assert.equal(fills.snapshot.items.size, known);
    assert.equal(
      fillsRemark(fills, world.live.isolatedMargin.isLeftOut(fills)),
      "Trades in isolated margin may be missing here. The result of the day may not cover isolated margin: its subaccounts couldn't be listed.",
    );
    world.live.dispose();
  });

  test("the result of the day is the sum of the logs of the slots, and of the account apart", async () => {
    const world = aTrader();
    const fills = await shown(world);
    await refreshed(world, fills);
    const days = fills.day?.currencies ?? [];
    const fees = (isOfSlots: boolean): number =>
      [...fills.snapshot.items.values()]
        .filter((trade) => isIsolated(trade) === isOfSlots)
        .reduce((sum, { fee = 0 }) => sum + fee, 0);
    assert.deepEqual(
      days.map(({ currency, isIsolated = false }) => [currency, isIsolated]),
      [
        ["USDC", false],
        ["USDC", true],
      ],
    );
    for (const { isIsolated: isOfSlots = false, fees: sum } of days) {
      assert.ok(fees(isOfSlots) > 0);
      assert.ok(Math.abs(Number(sum) - fees(isOfSlots)) < 1e-9);
    }
    world.live.dispose();
  });
});
