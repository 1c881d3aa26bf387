import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cancelOrder } from "../../../src/actions/orders.ts";
import type { Row, RowTree } from "../../../src/present/row.ts";
import type { SessionState } from "../../../src/session/session.ts";
import type { Failure } from "../../../src/base/failure.ts";
import { draw, flat, lookAtAll, shownOf, VIEWS, viewsOf, type Shown, type ViewName } from "../../everyView.ts";
import { createWorld, type World } from "../../world.ts";

const REFUSED: Failure = { kind: "cannotConnect", trouble: "refused", detail: "" };

/** A world in which something of every kind is to be seen. */
async function open(): Promise<World> {
  const world = createWorld({ orders: 8 });
  await world.connect();
  world.exchange.control.freezeMmp({ index_name: "btc_usd", mmp_group: "g1" }, world.clock.now() + 3_600_000);
  await lookAtAll(world);
  await world.live.apiKeys.addId(77);
  const [one, other, third] = [...world.live.orders.snapshot.items.values()].map(({ order }) => order);
  for (const [order, reply] of [[one, "answer"], [other, "none"]] as const) {
    world.exchange.control.setFault({ method: "private/cancel", times: 1, effect: reply === "none" ? "skipped" : "applied", reply, });
    if (reply === "none") world.exchange.control.setFault({ method: "private/get_order_state", times: 1000, reply: { code: 11_094 } });
    void world.live.gate.submit(cancelOrder(order!, { origin: "view", nowMs: world.clock.now(), current: (id) => world.live.orders.snapshot.items.get(id)?.order }));
    await world.clock.advance(2000);
  }
  void third;
  return world;
}

/** Every state that rows can be in. */
async function everyState(): Promise<readonly Shown[]> {
  const world = await open();
  const first = shownOf(world);
  await world.clock.advance(120_000);
  const shown = shownOf(world);
  const odd = { what: "else" };
  const orders = [...shown.orders.snapshot.items.keys()];
  const states: readonly SessionState[] = [
    { status: "off" },
    { status: "connecting", generation: 2 },
    { status: "authenticating", generation: 2 },
    { status: "waiting", retryAtMs: shown.nowMs + 8000, failure: REFUSED },
    { status: "locked", failure: REFUSED },
  ];
  const bare = createWorld({ methods: "contract" });
  await bare.connect();
  await lookAtAll(bare);
  const all: Shown[] = [
    first,
    shown,
    { ...shown, firstRows: 1 },
    {
      ...shown,
      orders: { ...shown.orders, snapshot: { ...shown.orders.snapshot, unreadable: [{ order_id: "ODD-1", ...odd }] }, pending: new Map([[orders[0]!, "sending"], [orders[1]!, "verifying"], [orders[2]!, "unknown"]]) },
      blockTrades: { ...shown.blockTrades, snapshot: { ...shown.blockTrades.snapshot, unreadable: [odd] }, hasMore: true, isLoadingMore: true, arrivals: new Map() },
      mmp: { snapshot: { ...shown.mmp.snapshot, unreadable: [odd] }, parts: shown.mmp.parts.map((part) => ({ name: part.name, statusFailure: undefined, snapshot: part.name === "orders" ? part.snapshot : { ...part.snapshot, status: "failed", failure: { kind: "missingScope", scope: "block_rfq:read" } } })) },
      quotes: { ...shown.quotes, rfqs: shown.quotes.rfqs, rfqFailure: undefined, snapshot: { ...shown.quotes.snapshot, unreadable: [odd] } },
      apiKeys: { ...shown.apiKeys, snapshot: { ...shown.apiKeys.snapshot, unreadable: [odd] } },
    },
    shownOf(bare),
    ...states.map((state) => ({ ...shown, connection: { ...shown.connection, state } })),
  ];
  world.live.dispose();
  bare.live.dispose();
  return all;
}

test("dump", async () => {
  const seen = new Map<string, Row>();
  for (const shown of await everyState()) {
    for (const of of [[shown], [shown, { ...shown, connectionId: "desk", connectionName: "desk" }]]) {
      const trees = viewsOf(of);
      for (const view of VIEWS) for (const { row } of flat(draw(trees[view]))) if (!seen.has(`${view} ${row.contextValue}`)) seen.set(`${view} ${row.contextValue}`, row);
    }
  }
  for (const [k, r] of [...seen].sort()) console.log(`  [${JSON.stringify(k)}, ${JSON.stringify(r.spoken)}],   // ${r.label} | ${r.description}`);
});
