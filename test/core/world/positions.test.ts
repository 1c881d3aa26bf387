import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { plain } from "../../../src/base/plain.ts";
import { receivedOf } from "../../../src/catalogue/reading.ts";
import { draw, headingsOf, lookAtAll, shownOf, viewsOf } from "../../everyView.ts";
import { describeAccount } from "../../../src/simulator/wire/accountFile.ts";
import { createWorld, type World } from "../../world.ts";
import { asPlain } from "../../asPlain.ts";
import { createAccountStore } from "../../../src/state/account.ts";

/* Positions and the account against the simulator: what the views show is what a fresh reading says. */

async function open(): Promise<World> {
  const world = createWorld({ account: describeAccount({ balances: { BTC: 12.5, ETH: 150 } }) });
  await world.connect();
  await lookAtAll(world);
  return world;
}

/** Sends a request as a file would, and returns its result. */
async function send(world: World, method: string, params: object): Promise<unknown> {
  const intent: Intent = {
    method,
    paramsText: JSON.stringify(params),
    words: { action: plain`Send`, target: asPlain(method), detail: [], keep: plain`Cancel` },
    origin: "requestFile",
  };
  const submitted = world.live.gate.submit(intent);
  await world.clock.advance(500);
  const outcome = await submitted;
  if (outcome.kind !== "confirmed") throw new Error(JSON.stringify(outcome));
  return outcome.response.result;
}

const byName = (rows: readonly object[]): readonly object[] =>
  rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

function listed({ live }: World): readonly object[] {
  return byName([...live.positions.snapshot.items.values()].map((each) => ({ ...receivedOf(each) })));
}

function roots(world: World, view: "account" | "positions"): readonly string[] {
  return draw(viewsOf([shownOf(world)])[view]).map(({ row }) => `${row.label} | ${row.description}`);
}

describe("positions of the simulator", () => {
  test("a trade is in the view at once, without a reading, and a fresh reading says the same", async () => {
    const world = await open();
    const before = world.frames("private/get_positions").length;
    assert.equal(world.live.positions.snapshot.items.has("ETH-PERPETUAL"), false);
    await send(world, "private/buy", { instrument_name: "ETH-PERPETUAL", amount: 50, type: "market" });
    assert.equal(world.live.positions.snapshot.items.get("ETH-PERPETUAL")?.size, 50);
    assert.equal(world.frames("private/get_positions").length, before);
    assert.ok(roots(world, "positions").some((row) => /^ETH \| .*1 position$/.test(row)));

    await send(world, "private/sell", { instrument_name: "ETH-PERPETUAL", amount: 80, type: "market" });
    const { size, direction } = world.live.positions.snapshot.items.get("ETH-PERPETUAL") ?? {};
    assert.deepEqual([size, direction], [-30, "sell"]);
    await send(world, "private/buy", { instrument_name: "ETH-PERPETUAL", amount: 30, type: "market" });
    assert.ok(roots(world, "positions").some((row) => /^ETH \| 0 positions · 1 closed$/.test(row)));

    await world.clock.advance(5000);
    assert.ok(world.frames("private/get_positions").length > before);
    const fresh = (await send(world, "private/get_positions", { currency: "any" })) as readonly object[];
    await world.live.positions.refresh();
    assert.deepEqual(listed(world), byName(fresh));
    world.live.dispose();
  });

  test("no figure is older than the time beside the title", async () => {
    const world = await open();
    const shownAt = (): string => headingsOf([shownOf(world)]).positions.description;
    const first = shownAt();
    assert.match(first, /^SIMULATOR lab · as of 12:00:0\d$/);
    await world.clock.advance(5000);
    assert.notEqual(shownAt(), first);
    world.live.positions.setVisible(false);
    const hidden = shownAt();
    await world.clock.advance(60_000);
    assert.equal(shownAt(), hidden, "what is not read does not become younger");
    world.live.dispose();
  });

  test("after an outage they are marked, and read again with the next link", async () => {
    const world = await open();
    const before = listed(world);
    world.exchange.control.disconnectAll("reset");
    await world.clock.advance(0);
    assert.equal(world.live.positions.snapshot.status, "stale");
    assert.ok(roots(world, "positions").every((row) => row.endsWith("stale")));
    await world.clock.advance(20_000);
    assert.equal(world.live.positions.snapshot.status, "live");
    assert.equal(listed(world).length, before.length);
    world.live.dispose();
  });

  test("the instruments are asked for once, and say in what currency a position is settled", async () => {
    const world = await open();
    for (const instrument_name of ["ETH-PERPETUAL", "BTC-PERPETUAL"])
      await send(world, "private/buy", { instrument_name, amount: 10, type: "market" });
    await world.clock.advance(30_000);
    assert.equal(world.frames("public/get_instruments").length, 1);
    assert.ok(roots(world, "positions").every((row) => !row.startsWith("Settlement currency unknown")));
    world.live.dispose();
  });
});

describe("the account of the simulator", () => {
  test("a trade changes it at once, and a fresh reading says the same", async () => {
    const world = await open();
    const before = world.live.storeOf(createAccountStore).snapshot.items.get("ETH")?.initial_margin;
    await send(world, "private/buy", { instrument_name: "ETH-PERPETUAL", amount: 5000, type: "market" });
    assert.notEqual(world.live.storeOf(createAccountStore).snapshot.items.get("ETH")?.initial_margin, before);
    const { summaries } = (await send(world, "private/get_account_summaries", { extended: true })) as {
      readonly summaries: readonly { readonly currency: string }[];
    };
    const shown = receivedOf(world.live.storeOf(createAccountStore).snapshot.items.get("ETH")!);
    const fresh = summaries.find(({ currency }) => currency === "ETH");
    assert.deepEqual({ ...shown }, { ...fresh });
    world.live.dispose();
  });

  test("its owner's accounts are one reading", async () => {
    const world = await open();
    await world.clock.advance(60_000);
    assert.equal(world.frames("private/get_subaccounts").length, 1);
    assert.ok(roots(world, "account").some((row) => row.startsWith("Main account and subaccounts | 3 · as of")));
    world.live.dispose();
  });
});
