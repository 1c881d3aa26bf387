import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { alarmGapText, alarmText } from "../../../src/present/alarms/alarmText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { AlarmWatch } from "../../../src/state/alarms.ts";
import { createInstrumentFinder } from "../../../src/state/instruments.ts";
import { createWorld, type World } from "../../world.ts";

/* Alarms about the slots of isolated margin: what they use of their margin, and large fills. */

const SOL = "SOL_USDC-PERPETUAL";
const times = createTimes(0);

interface Watched extends World {
  /** What was told, in order. */
  readonly told: string[];
}

/** A world whose alarms are watched. `marginShare`: the limit, between 0 and 1. */
async function watched({ marginShare, prepare }: Prepared): Promise<Watched> {
  const world = createWorld({ gateway: {}, orders: 0 });
  prepare?.(world);
  const told: string[] = [];
  const { live } = world;
  const findInstrument = createInstrumentFinder();
  const watch = live.createStore(
    (ports) =>
      new AlarmWatch({
        ...ports,
        limits: () => ({ marginShare, fillUsd: 2000 }),
        instrumentOf: async (name) => findInstrument(await live.instruments.load(), name),
      }),
  );
  const slotsOf = (text: string): string =>
    world.exchange.control.slots().reduce((all, { id }, index) => all.replaceAll(String(id), `SLOT${index + 1}`), text);
  watch.onDidRaise((alarm) => told.push(slotsOf(alarmText(alarm, plain`X`, () => plain`frozen`))));
  watch.onDidMiss((gap) => told.push(alarmGapText(gap, plain`X`, times)));
  await world.connect();
  await world.clock.advance(3000);
  return { ...world, told };
}

interface Prepared {
  readonly marginShare: number;
  readonly prepare?: (world: World) => void;
}

const sell = ({ exchange }: World, amount: number, margin?: number): void =>
  void exchange.control.placeIsolated({
    ...{ instrument_name: SOL, amount, type: "market", direction: "sell" },
    ...(margin === undefined ? {} : { allocated_margin: margin }),
  });

const MARGIN =
  /^X: maintenance margin is [\d.]+\s% of the margin balance in USDC\. The limit is [\d.]+\s%\. This is isolated margin, subaccount SLOT1\.$/;

const aboutMargin = ({ told }: Watched): readonly string[] =>
  told.filter((text) => text.includes("maintenance margin"));

/** Keeps a server from pushing anything: what is told was read. */
const withoutEvents = ({ exchange: { control } }: World): void =>
  control.setFault({
    ...{ method: "private/subscribe", effect: "skipped", times: 1000, response: { code: 13_021 } },
  });

describe("alarms about isolated margin", () => {
  test("a large fill in a slot is told with its slot, a small one is not", async () => {
    const world = await watched({ marginShare: 1 });
    sell(world, 1);
    sell(world, 30);
    await world.clock.advance(1000);
    assert.deepEqual(world.told, [
      "X: filled sell 30 SOL_USDC-PERPETUAL @ 141.19, about 4236 USD (isolated margin, subaccount SLOT1).",
    ]);
    world.live.dispose();
  });

  test("a fill in a slot during an outage is told afterwards, once", async () => {
    const world = await watched({ marginShare: 1, prepare: (each) => sell(each, 1) });
    const { control } = world.exchange;
    control.refuseConnections(true);
    control.disconnectAll("reset");
    await world.clock.advance(5000);
    sell(world, 30);
    assert.deepEqual(world.told, []);
    control.refuseConnections(false);
    await world.clock.advance(40_000);
    assert.deepEqual(world.told, [
      "X: filled sell 30 SOL_USDC-PERPETUAL @ 141.19, about 4236 USD (isolated margin, subaccount SLOT1).",
    ]);
    world.live.dispose();
  });

  test("trades of an outage that can't be read are a gap about isolated margin", async () => {
    const world = await watched({ marginShare: 1, prepare: (each) => sell(each, 1) });
    const { control } = world.exchange;
    control.setFault({
      ...{ method: "private/get_subaccounts", effect: "skipped", times: 1000, response: { code: 13_021 } },
    });
    control.disconnectAll("reset");
    await world.clock.advance(60_000);
    assert.equal(world.told.length, 1);
    assert.match(
      world.told[0] ?? "",
      /^X: alarms have a gap from [\d:]+ to [\d:]+ \(in isolated margin: liquidation, large fills\), because the trades of that time can't be read\. .*The server doesn't list the subaccounts of isolated margin\./,
    );
    world.live.dispose();
  });

  test("a slot that uses much of its margin is told, however healthy the account is", async () => {
    const world = await watched({ marginShare: 0.2 });
    sell(world, 30);
    await world.clock.advance(5000);
    assert.equal(aboutMargin(world).length, 1);
    assert.match(aboutMargin(world)[0] ?? "", MARGIN);
    // The account itself has far more than the same position needs.
    const same = await watched({ marginShare: 0.2 });
    same.exchange.control.place({ instrument_name: SOL, amount: 30, type: "market", direction: "sell" });
    await same.clock.advance(5000);
    assert.deepEqual(aboutMargin(same), []);
    for (const { live } of [world, same]) live.dispose();
  });

  test("margin is read where no event tells of it", async () => {
    const world = await watched({
      marginShare: 0.2,
      prepare(each) {
        sell(each, 30);
        withoutEvents(each);
      },
    });
    assert.equal(aboutMargin(world).length, 1);
    assert.match(aboutMargin(world)[0] ?? "", MARGIN);
    world.live.dispose();
  });

  test("a slot that was seen is read by its ID where the list leaves it out", async () => {
    const world = await watched({
      marginShare: 0.6,
      prepare(each) {
        sell(each, 30);
        withoutEvents(each);
      },
    });
    assert.deepEqual(aboutMargin(world), []);
    const { control, gateway } = world.exchange;
    (gateway ?? assert.fail("no gateway")).omittedSlots = control.slots().map(({ id }) => id);
    control.movePrice("SOL", 0.9);
    await world.clock.advance(60_000);
    assert.equal(aboutMargin(world).length, 1);
    assert.match(aboutMargin(world)[0] ?? "", MARGIN);
    world.live.dispose();
  });

  test("a slot that was freed and uses much of its margin again is told again", async () => {
    const world = await watched({ marginShare: 0.2 });
    for (const direction of ["sell", "buy", "sell"] as const) {
      world.exchange.control.placeIsolated({ instrument_name: SOL, amount: 10, type: "market", direction });
      await world.clock.advance(5000);
    }
    assert.equal(aboutMargin(world).length, 2);
    world.live.dispose();
  });
});
