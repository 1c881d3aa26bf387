import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import { plain } from "../../../src/base/plain.ts";
import { intentSentences, intentState } from "../../../src/present/activity/activityWords.ts";
import { outcomeText, verdictText, type OutcomeContext } from "../../../src/present/outcomes/outcomeText.ts";
import type { SessionState } from "../../../src/session/session.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import { CONTRACT_PARAMS } from "../../contract.ts";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import { VIEW_NAMES } from "../../../src/base/viewNames.ts";
import {
  draw,
  flat,
  lookAtAll,
  messagesOf,
  messagesOfBareServer,
  RESOURCES,
  shownOf,
  viewsOf,
} from "../../everyView.ts";
import { createWorld, type World } from "../../world.ts";
import { testInFull } from "../../sizes.ts";

/*
 * A server that knows the ten methods of the core specification and public/auth: no hello, no clock, no heartbeat, no
 * channels, no order by its id.
 */

const times = createTimes(0);

async function open(): Promise<World> {
  const world = createWorld({ methods: "contract" });
  addBlockTrades(world.exchange.control);
  world.live.orders.watch();
  await world.connect();
  await lookAtAll(world);
  await world.clock.advance(10_000);
  return world;
}

/** Which link is ready: a number that another dial would have changed. */
function linkOf(state: SessionState): number {
  if (state.status !== "ready") throw new Error(state.status);
  return state.generation;
}

/** The kinds of rows of each view that has any. */
function kinds(world: World): Readonly<Record<string, readonly string[]>> {
  const trees = viewsOf([shownOf(world)]);
  const found = VIEW_NAMES.map((view) => {
    const all = new Set(flat(draw(trees[view])).map(({ row }) => row.contextValue));
    return [view, [...all].filter((kind) => kind !== "field").sort()] as const;
  });
  return Object.fromEntries(found.filter(([, all]) => all.length > 0));
}

describe("a server with the ten methods alone", () => {
  test("signs us in, and every view works or says in a sentence why not", async () => {
    const world = await open();
    assert.equal(world.live.state.status, "ready");
    assert.deepEqual(
      messagesOf(shownOf(world)),
      messagesOfBareServer("SIMULATOR lab", "The exchange returned error -32601: Method not found."),
    );
    assert.deepEqual(kinds(world), {
      connections: ["connection.fact", "connection.ready.simulator.builtIn.active"],
      orders: ["fields", "order.open.cancellable", "orders.group"],
      blockTrades: ["blockTrade", "blockTrade.allocation", "blockTrade.leg", "blockTrades.more", "fields"],
      mmp: ["fields", "mmp.group", "mmp.index"],
      apiKeys: ["apiKey.session"],
    });
    world.live.dispose();
  });

  test("what it does not know is asked for once a connection; only what it knows is asked again", async () => {
    const world = await open();
    await world.clock.advance(60_000);
    const known = new Set([...Object.keys(CONTRACT_PARAMS), "public/auth"]);
    const asked = new Map<string, number>();
    for (const { method = "" } of world.exchange.control.ledger()) asked.set(method, (asked.get(method) ?? 0) + 1);
    const unknown = new Set([...asked.keys()].filter((method) => !known.has(method) && !method.endsWith("/subscribe")));
    const ofViews = Object.values(RESOURCES).flatMap(({ calls }) => calls.map(([method]) => method));
    const wanted = [
      ...ofViews.filter((method) => !known.has(method)),
      // Beside the lists: what views read besides, and what a session begins with.
      "private/get_account_summary",
      "private/get_cancel_on_disconnect",
      "private/get_mmp_status",
      "public/get_time",
      "public/hello",
      "public/set_heartbeat",
    ];
    assert.deepEqual([...unknown].sort(), wanted.sort());
    for (const method of [
      "public/hello",
      "public/get_time",
      "public/set_heartbeat",
      "private/get_positions",
      "private/list_api_keys",
      "private/get_block_rfq_quotes",
      "private/get_cancel_on_disconnect",
    ])
      assert.equal(asked.get(method), 1, method);
    assert.equal(asked.get("private/get_account_summaries"), 2, "by the session, and by the view that shows it");
    world.live.dispose();
  });

  testInFull(
    "the link is kept alive and the sign-in renewed over an hour, and what happens meanwhile is shown",
    async () => {
      const world = await open();
      const { state } = world.live;
      for (let minute = 0; minute < 60; minute++) {
        if (minute === 30) world.exchange.control.expireTokens({ keepRefreshTokens: true });
        await world.clock.advance(60_000);
      }
      assert.deepEqual(linkOf(world.live.state), linkOf(state));
      assert.equal(world.frames("public/auth").length, 2);
      const placed = world.exchange.control.place({
        instrument_name: "ETH-PERPETUAL",
        direction: "buy",
        amount: 40,
        price: 1900,
        label: "late",
      });
      await world.clock.advance(10_000);
      assert.ok(world.live.orders.snapshot.items.has(placed.order_id));
      world.live.dispose();
    },
  );

  test("nothing to look at: an idle link outlives its silence", async () => {
    const world = createWorld({ methods: "contract" });
    await world.connect();
    const { state } = world.live;
    for (let minute = 0; minute < 10; minute++) await world.clock.advance(60_000);
    assert.deepEqual(linkOf(world.live.state), linkOf(state));
    assert.ok(world.frames("public/test").length > 0);
    world.live.dispose();
  });

  const lost: readonly (readonly [name: string, effect: "applied" | "skipped", kind: string, sentence: RegExp])[] = [
    [
      "was carried out",
      "applied",
      "gone",
      /outcome unknown.* no longer open as of .* It may have been cancelled or filled\. Check the trade history\.$/,
    ],
    ["was not carried out", "skipped", "notApplied", /outcome unknown.* still open as of .*, not cancelled\./],
  ];
  for (const [name, effect, kind, sentence] of lost) {
    test(`a cancel whose response is lost and that ${name}: unknown, then what the list of open orders proves`, async () => {
      const world = await open();
      const order = [...world.live.orders.snapshot.items.values()][0]!.order;
      world.exchange.control.setFault({ method: "private/cancel", times: 1, effect, response: "none" });
      const submitted = world.live.gate.submit(
        cancelOrder(order, {
          origin: "view",
          nowMs: world.clock.now(),
          ...orderLookups(world.live.orders),
        }),
      );
      await world.clock.advance(15_000);
      assert.equal((await submitted).kind, "unknown");
      await world.clock.advance(60_000);
      const [entry] = world.live.gate.activity;
      assert.deepEqual(
        entry?.verdicts.map((verdict) => verdict.kind),
        [kind],
      );
      const context: OutcomeContext = { intent: entry.intent, place: plain`SIMULATOR lab`, times };
      assert.match(`${outcomeText(entry.outcome!, context)} ${verdictText(entry.verdicts[0]!, context)}`, sentence);
      assert.equal(
        world.live.orders.snapshot.items.get(order.order_id)?.endedAtMs === undefined &&
          world.live.orders.snapshot.items.has(order.order_id),
        kind === "notApplied",
      );
      const [intent] = shownOf(world).intents;
      assert.doesNotMatch([intentState(intent!), ...intentSentences(intent!, times)].join(" "), /verified cancelled/);
      assert.equal(world.frames("private/cancel").length, 1);
      world.live.dispose();
    });
  }
});
