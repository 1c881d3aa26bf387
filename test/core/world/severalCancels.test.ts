import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { cancelMatching, cancelOneByOne, type CancelScope } from "../../../src/actions/changes/cancelMany.ts";
import type { OrderContext } from "../../../src/actions/changes/orders.ts";
import type { Outcome, Verdict } from "../../../src/actions/judge/outcome.ts";
import { plain } from "../../../src/base/plain.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { pendingOrders } from "../../../src/present/outcomes/pendingChanges.ts";
import {
  foundOutcomeLines,
  foundSummary,
  outcomesSummary,
  type FoundOutcome,
} from "../../../src/present/outcomes/severalOutcomes.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { openOrders, orderLookups, type Order } from "../../../src/state/orders.ts";
import { followUnknownOutcomes } from "../../../src/ui/editor/notices.ts";
import { pluck } from "../../pluck.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { createListing } from "../../../src/simulator/market/listing.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { testInFull } from "../../sizes.ts";

/* Cancelling several orders, by both routes: what the exchange did stands in its own book and ledger. */

const times = createTimes(0);
const PLACE = "SIMULATOR lab";
const INSTRUMENT = "BTC-PERPETUAL";
const { instruments } = createListing(createFakeClock().now());

async function aWorld(options: WorldOptions = {}, count = 0): Promise<World> {
  const world = createWorld({ orders: 24, ...options });
  for (let index = 0; index < count; index++)
    world.exchange.control.place({
      instrument_name: INSTRUMENT,
      direction: "buy",
      amount: 10,
      price: 1000 + index,
      label: "many",
    });
  await world.connect();
  return world;
}

function shown(world: World, fits: (order: Order) => boolean = () => true): Order[] {
  return openOrders(world.live.orders.snapshot).filter(fits);
}

async function submitOneCall(world: World, scope: CancelScope, orders: readonly Order[], runMs = 0): Promise<Outcome> {
  const submitted = world.live.gate.submit(cancelMatching(scope, { orders, isCounted: true, hiddenCount: 0 }, "view"));
  await world.clock.advance(runMs);
  return await submitted;
}

function contextOf(world: World): OrderContext {
  return { origin: "view", nowMs: world.clock.now(), ...orderLookups(world.live.orders) };
}

function countBy<T>(values: Iterable<T>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

function kindsOf(verdict: Verdict | undefined): Record<string, number> {
  return verdict?.kind === "several"
    ? countBy(verdict.orders.map((each) => each.verdict.kind))
    : { [verdict?.kind ?? "nothing"]: 1 };
}

const SCOPES: readonly {
  readonly scope: CancelScope;
  readonly method: string;
  readonly fits: (order: Order) => boolean;
}[] = [
  { scope: { kind: "all" }, method: "private/cancel_all", fits: () => true },
  {
    scope: { kind: "instrument", instrumentName: INSTRUMENT },
    method: "private/cancel_all_by_instrument",
    fits: (order) => order.instrument_name === INSTRUMENT,
  },
  {
    scope: { kind: "currency", currency: "ETH" },
    method: "private/cancel_all_by_currency",
    fits: (order) => instruments.get(order.instrument_name ?? "")?.currencies.includes("ETH") === true,
  },
  {
    scope: { kind: "currencyPair", currencyPair: "BTC_USDC" },
    method: "private/cancel_all_by_currency_pair",
    fits: (order) => order.instrument_name?.split("-")[0] === "BTC_USDC",
  },
  {
    scope: { kind: "instrumentKind", instrumentKind: "option" },
    method: "private/cancel_all_by_kind_or_type",
    fits: (order) => /-[CP]$/.test(order.instrument_name ?? ""),
  },
  {
    scope: { kind: "orderType", orderType: "trailing_stop" },
    method: "private/cancel_all_by_kind_or_type",
    fits: (order) => order.order_type === "trailing_stop",
  },
  {
    scope: { kind: "label", label: "many" },
    method: "private/cancel_by_label",
    fits: (order) => order.label === "many",
  },
];

describe("one call that cancels all that fit", () => {
  for (const { scope, method, fits } of SCOPES) {
    test(`${scope.kind}: one frame, those and no others end, each with its event`, async () => {
      const world = await aWorld({}, 3);
      const orders = shown(world, fits);
      const others = shown(world).length - orders.length;
      const linked = orders.some((order) => order.oto_order_ids !== undefined || order.oco_ref !== undefined);
      const outcome = await submitOneCall(world, scope, orders, 100);
      assert.equal(outcome.kind, "confirmed");
      assert.equal(world.frames(method).length, 1);
      for (const order of orders)
        assert.equal(world.exchange.control.order(order.order_id)?.order_state, "cancelled", order.order_id);
      if (!linked) assert.equal(world.exchange.control.openOrders().length, others);
      await world.clock.advance(100);
      const found = shown(world)
        .map((order) => order.order_id)
        .sort();
      assert.deepEqual(
        found,
        world.exchange.control
          .openOrders()
          .map((order) => order.order_id)
          .sort(),
      );
      world.live.dispose();
    });
  }

  test("the words: one question that says by which call, and what else it cancels; the number of the exchange", async () => {
    const world = await aWorld({}, 3);
    const orders = shown(world, (order) => order.label === "many");
    const intent = cancelMatching(
      { kind: "label", label: "many" },
      { orders, isCounted: true, hiddenCount: 0 },
      "view",
    );
    const outcome = await world.live.gate.submit(intent);
    assert.deepEqual(world.questions, [
      {
        kind: "modal",
        message: "Cancel all 3 open orders (label many) on SIMULATOR lab?",
        detail: [
          "A single private/cancel_by_label call cancels all matching orders of the account. This includes orders placed elsewhere or in the meantime.",
          ...orders.map((order, index) => `BTC-PERPETUAL buy 10 @ ${String(1000 + index)} · ${order.order_id}`),
        ].join("\n"),
        confirm: "Cancel 3 Orders",
        keep: "Keep Orders",
        show: "Show Orders",
        isForCancels: true,
      },
    ]);
    assert.equal(
      outcomeText(outcome, { intent, place: plain`${PLACE}`, times }),
      "Cancel all 3 open orders (label many) on SIMULATOR lab: the exchange reports 3 cancelled.",
    );
    assert.deepEqual(pluck(world.journal.records, "event"), ["intent", "sent", "outcome"]);
    world.live.dispose();
  });

  test("an order that appeared meanwhile goes too: the other number is not taken for the orders, each is read", async () => {
    const world = await aWorld({}, 3);
    const orders = shown(world, (order) => order.label === "many");
    const intent = cancelMatching(
      { kind: "label", label: "many" },
      { orders: orders.slice(0, 2), isCounted: true, hiddenCount: 0 },
      "view",
    );
    const outcome = await world.live.gate.submit(intent);
    assert.equal(
      outcomeText(outcome, { intent, place: plain`${PLACE}`, times }),
      "Cancel all 2 open orders (label many) on SIMULATOR lab: the exchange reports 3 cancelled, but 2 were shown. Checking the outcome of each…",
    );
    await world.clock.advance(10_000);
    assert.deepEqual(kindsOf(world.live.gate.activity[0]?.verdicts[0]), { applied: 2 });
    assert.equal(world.frames("private/cancel_by_label").length, 1);
    world.live.dispose();
  });

  test("on production the number is typed, in a sentence that says what else it cancels", async () => {
    const world = await aWorld({ declared: "production" }, 3);
    const orders = shown(world, (order) => order.label === "many");
    await world.live.gate.allowChanges();
    await submitOneCall(world, { kind: "label", label: "many" }, orders);
    assert.deepEqual(world.questions.at(-1), {
      kind: "typed",
      message:
        "Type 3 (the count) to confirm: Cancel all 3 open orders (label many) on PRODUCTION lab. A single private/cancel_by_label call cancels all matching orders of the account. This includes orders placed elsewhere or in the meantime.",
      expected: "3",
      isForCancels: true,
    });
    const unknown = cancelMatching({ kind: "all" }, { orders, isCounted: false, hiddenCount: 2 }, "view");
    await world.live.gate.submit(unknown);
    const question = world.questions.at(-1);
    assert.equal(question?.kind === "typed" ? question.expected : undefined, "lab");
    assert.match(
      question?.message ?? "",
      /their number is unknown\. The filter hides 2 of them\. Hidden orders are cancelled too\./,
    );
    world.live.dispose();
  });

  test("answered with -32601, which only a server without the method says: rejected, and nothing else is tried", async () => {
    const world = await aWorld({}, 3);
    world.exchange.control.setFault({
      method: "private/cancel_all",
      effect: "skipped",
      response: { code: -32601 },
    });
    const before = world.exchange.control.openOrders().length;
    const outcome = await submitOneCall(world, { kind: "all" }, shown(world), 60_000);
    assert.deepEqual([outcome.kind, world.exchange.control.openOrders().length], ["rejected", before]);
    assert.equal(world.exchange.control.ledger().filter(({ method }) => /\/cancel/.test(method ?? "")).length, 1);
    world.live.dispose();
  });

  for (const link of ["keep", "reset"] as const) {
    test(`no response, carried out in part, link ${link}: unknown, then a verdict for each order; one frame, and a later order lives`, async () => {
      const world = await aWorld({}, 6);
      const orders = shown(world, (order) => order.label === "many");
      world.exchange.control.setFault({
        method: "private/cancel_by_label",
        effect: "skipped",
        response: "none",
        link,
      });
      const submitted = world.live.gate.submit(
        cancelMatching({ kind: "label", label: "many" }, { orders, isCounted: true, hiddenCount: 0 }, "view"),
      );
      await world.clock.settle();
      for (const order of orders.slice(0, 3)) world.exchange.control.cancel(order.order_id);
      const later = world.exchange.control.place({
        instrument_name: INSTRUMENT,
        direction: "buy",
        amount: 10,
        price: 900,
        label: "many",
      });
      await world.clock.advance(16_000);
      assert.equal((await submitted).kind, "unknown");
      await world.clock.advance(60_000);
      const [entry] = world.live.gate.activity;
      assert.deepEqual(kindsOf(entry?.verdicts[0]), { applied: 3, notApplied: 3 });
      assert.equal(world.frames("private/cancel_by_label").length, 1);
      assert.equal(world.exchange.control.order(later.order_id)?.order_state, "open");
      // What stays open is watched for a minute, and is unknown then.
      const events = pluck(world.journal.records, "event").filter((event, index, all) => event !== all[index - 1]);
      assert.deepEqual(events, ["intent", "sent", "outcome", "verdict"]);
      world.live.dispose();
    });
  }

  test("some ended and some still open: the time that is named is the one at which the open ones were asked for", async () => {
    const world = await aWorld({}, 2);
    const orders = shown(world, (order) => order.label === "many");
    world.exchange.control.setFault({ method: "private/cancel_by_label", effect: "skipped", response: "none" });
    void world.live.gate.submit(
      cancelMatching({ kind: "label", label: "many" }, { orders, isCounted: true, hiddenCount: 0 }, "view"),
    );
    await world.clock.settle();
    world.exchange.control.cancel(orders[0]?.order_id ?? "");
    await world.clock.advance(80_000);
    const verdict = world.live.gate.activity[0]?.verdicts[0];
    assert.ok(verdict?.kind === "several");
    const [ended, open] = verdict.orders.map((each) => each.verdict);
    assert.deepEqual([ended?.kind, open?.kind], ["applied", "notApplied"]);
    assert.ok(Number(ended?.atMs) < Number(open?.atMs));
    assert.equal(verdict.atMs, open?.atMs);
    world.live.dispose();
  });

  test("while it is unknown the rows say so, the same call is refused, and an order that ends late is told", async () => {
    const world = await aWorld({}, 2);
    const orders = shown(world, (order) => order.label === "many");
    world.exchange.control.setFault({ method: "private/cancel_by_label", applyAfterMs: 40_000 });
    const wish = cancelMatching({ kind: "label", label: "many" }, { orders, isCounted: true, hiddenCount: 0 }, "view");
    const submitted = world.live.gate.submit(wish);
    await world.clock.advance(16_000);
    assert.equal((await submitted).kind, "unknown");
    assert.deepEqual(
      [...pendingOrders(world.live.gate.activity, world.live.record.id)],
      orders.map((order) => [order.order_id, "verifying"]),
    );
    const again = await world.live.gate.submit(wish);
    assert.equal(again.kind, "notSent");
    await world.clock.advance(60_000);
    const entry = world.live.gate.activity.at(-1);
    assert.ok(entry);
    const found = entry.verdicts.map((verdict) => [kindsOf(verdict), verdict.kind === "several" && verdict.isLate]);
    assert.deepEqual(found, [
      [{ notApplied: 2 }, false],
      [{ applied: 2 }, true],
    ]);
    const [first] = entry.verdicts;
    assert.ok(first);
    assert.match(
      verdictText(first, { intent: wish, place: plain`${PLACE}`, times }),
      /^Cancel all 2 open orders \(label many\) on SIMULATOR lab, checked at \d\d:\d\d:\d\d: 2 still open and not cancelled, but a late cancel is still possible\.$/,
    );
    world.live.dispose();
  });

  test("only the list can be read: no longer open, and not called cancelled", async () => {
    const world = await aWorld({}, 3);
    const orders = shown(world, (order) => order.label === "many");
    world.exchange.control.setFault({ method: "private/cancel_by_label", response: "none" });
    world.exchange.control.setFault({
      method: "private/get_order_state",
      times: 99,
      effect: "skipped",
      response: { code: -32601 },
    });
    await submitOneCall(world, { kind: "label", label: "many" }, orders, 30_000);
    assert.deepEqual(kindsOf(world.live.gate.activity[0]?.verdicts[0]), { gone: 3 });
    world.live.dispose();
  });

  const odd: readonly (readonly [string, unknown])[] = [
    ["negative", -1],
    ["a fraction", 2.5],
    ["an unrequested list", []],
    ["a string", "3"],
  ];
  for (const [name, result] of odd) {
    test(`a response that is ${name} proves nothing`, async () => {
      const world = await aWorld({}, 2);
      world.exchange.control.setFault({ method: "private/cancel_all", response: "none" });
      const submitted = world.live.gate.submit(
        cancelMatching({ kind: "all" }, { orders: shown(world), isCounted: true, hiddenCount: 0 }, "view"),
      );
      await world.clock.settle();
      const [frame] = world.frames("private/cancel_all");
      const { id } = JSON.parse(frame ?? "{}") as { readonly id: number };
      world.exchange.control.sendText(JSON.stringify({ jsonrpc: "2.0", id, result }));
      await world.clock.settle();
      assert.equal((await submitted).kind, "unknown");
      world.live.dispose();
    });
  }

  test("a detailed response counts its orders; one with a part that failed leaves the outcome open", async () => {
    const world = await aWorld({}, 2);
    const intent = {
      ...cancelMatching({ kind: "all" }, { orders: shown(world), isCounted: true, hiddenCount: 0 }, "view"),
      paramsText: '{"detailed":true}',
    };
    assert.equal((await world.live.gate.submit(intent)).kind, "confirmed");
    world.exchange.control.setFault({ method: "private/cancel_all", response: "none" });
    const submitted = world.live.gate.submit({ ...intent, covers: [] });
    await world.clock.settle();
    const frame = world.frames("private/cancel_all").at(-1) ?? "{}";
    const { id } = JSON.parse(frame) as { readonly id: number };
    world.exchange.control.sendText(
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        result: [{ currency: "ETH", type: "limit", error: { code: 10047, message: "matching_engine_queue_full" } }],
      }),
    );
    await world.clock.settle();
    assert.equal((await submitted).kind, "unknown");
    world.live.dispose();
  });
});

describe("one by one", () => {
  const submitAll = async (
    world: World,
    orders: readonly Order[],
    options: Parameters<World["live"]["gate"]["submitAll"]>[2] = {},
  ): Promise<Outcome[]> => {
    const { intents, describe: words } = cancelOneByOne(
      orders,
      contextOf(world),
      plain`No single call cancels only the orders of this type.`,
    );
    return await world.live.gate.submitAll(intents, words, options);
  };

  test("one question that says how and how long; each order is one frame with one outcome", async () => {
    const world = await aWorld({}, 120);
    const orders = shown(world, (order) => order.label === "many");
    const progress: string[] = [];
    const outcomes = submitAll(world, orders, {
      onProgress: (done, all) => void progress.push(`${String(done)}/${String(all)}`),
    });
    await world.clock.advance(1000);
    assert.deepEqual(countBy((await outcomes).map((each) => each.kind)), { confirmed: 120 });
    assert.equal(world.frames("private/cancel").length, 120);
    assert.equal(world.questions.length, 1);
    const [question] = world.questions;
    assert.ok(question);
    assert.equal(question.message, "Cancel 120 orders on SIMULATOR lab?");
    assert.match(
      question.kind === "modal" ? question.detail : "",
      /^No single call cancels only the orders of this type\. Each order is cancelled with a separate call\. With the exchange's rate limits, this takes about 20 s\. Use Stop Cancelling to stop it\.\n/,
    );
    assert.deepEqual([progress[0], progress.at(-1), progress.length], ["0/120", "120/120", 121]);
    assert.equal(outcomesSummary(await outcomes, plain`${PLACE}`), "120 of 120 cancelled on SIMULATOR lab.");
    world.live.dispose();
  });

  test("stopped: nothing more is sent, what was sent keeps its own outcome", async () => {
    const world = await aWorld({}, 120);
    const orders = shown(world, (order) => order.label === "many");
    world.exchange.control.setFault({ method: "private/cancel", times: 200, holdMs: 2000 });
    const stopping = new AbortController();
    const outcomes = submitAll(world, orders, { stop: stopping.signal });
    await world.clock.advance(1000);
    const sent = world.frames("private/cancel").length;
    assert.ok(sent > 0 && sent < 120, String(sent));
    stopping.abort();
    await world.clock.advance(10_000);
    assert.equal(world.frames("private/cancel").length, sent);
    assert.deepEqual(countBy((await outcomes).map((each) => each.kind)), { confirmed: sent, notSent: 120 - sent });
    assert.equal(
      outcomesSummary(await outcomes, plain`${PLACE}`),
      `${String(sent)} of 120 cancelled on SIMULATOR lab. ${String(120 - sent)} not sent, because you stopped.`,
    );
    assert.equal(world.exchange.control.openOrders().filter((order) => order.label === "many").length, 120 - sent);
    world.live.dispose();
  });

  test("refused ones are told apart from those that went through", async () => {
    const world = await aWorld({}, 4);
    // The best price first: each of the orders that are overtaken is filled alone.
    const orders = shown(world, (order) => order.label === "many").toReversed();
    world.exchange.control.setFault({ method: "private/cancel", times: 2, effect: "overtaken" });
    const outcomes = submitAll(world, orders);
    await world.clock.advance(1000);
    assert.equal(
      outcomesSummary(await outcomes, plain`${PLACE}`),
      "2 of 4 cancelled on SIMULATOR lab. 2 refused by the exchange.",
    );
    world.live.dispose();
  });

  testInFull("two thousand: one question, one outcome each", async () => {
    const world = await aWorld({ orders: 0 }, 2000);
    const outcomes = submitAll(world, shown(world));
    await world.clock.advance(60_000);
    assert.deepEqual(countBy((await outcomes).map((each) => each.kind)), { confirmed: 2000 });
    assert.equal(world.exchange.control.openOrders().length, 0);
    world.live.dispose();
  });

  test("F72: fifty on their way, half carried out, the link dies: one message while it is checked, one with fifty verdicts", async () => {
    const world = await aWorld({}, 50);
    const orders = shown(world, (order) => order.label === "many");
    const told: string[] = [];
    const found: FoundOutcome[] = [];
    const listener = followUnknownOutcomes(world.live.gate, world.clock, {
      checking(entries) {
        told.push(`checking ${String(entries.length)}`);
        return () => void told.push("checked");
      },
      found(each) {
        found.push(...each);
        told.push(foundSummary(each, plain`${PLACE}`));
      },
    });
    for (let index = 0; index < 50; index++)
      world.exchange.control.setFault({
        method: "private/cancel",
        effect: index % 2 === 0 ? "applied" : "skipped",
        response: "none",
        ...(index === 49 ? { link: "reset" as const } : {}),
      });
    const outcomes = submitAll(world, orders);
    await world.clock.advance(2000);
    assert.deepEqual(countBy((await outcomes).map((each) => each.kind)), { unknown: 50 });
    await world.clock.advance(70_000);
    assert.deepEqual(told, [
      "checking 50",
      "checked",
      "Checked 50 unknown outcomes on SIMULATOR lab. 25 verified cancelled. 25 still open and not cancelled, but a late cancel is still possible.",
      "Checked 25 unknown outcomes on SIMULATOR lab. 25 still unknown. Check on the exchange, or use Check Again.",
    ]);
    const lines = foundOutcomeLines(found, times);
    assert.equal(lines.length, 75);
    for (const [index, order] of orders.entries()) {
      const state = world.exchange.control.order(order.order_id)?.order_state;
      const entry = found.findIndex((each) => each.entry.targetId === order.order_id);
      assert.match(
        lines[entry]?.text ?? "",
        state === "cancelled"
          ? /^verified cancelled at .* \(cause: on request\)$/
          : /^still open as of .*, not cancelled$/,
        `${String(index)} ${String(state)}`,
      );
    }
    assert.equal(world.frames("private/cancel").length, 50);
    listener.dispose();
    world.live.dispose();
  });

  test("a single unknown outcome is told for itself; a late response ends the message", async () => {
    const world = await aWorld({}, 1);
    const told: string[] = [];
    const listener = followUnknownOutcomes(world.live.gate, world.clock, {
      checking(entries) {
        told.push(`checking ${String(entries.length)}`);
        return () => void told.push("checked");
      },
      found: (each) => void told.push(each.map(({ verdict }) => verdict?.kind ?? "answered").join()),
    });
    world.exchange.control.setFault({ method: "private/cancel", holdMs: 15_500 });
    world.exchange.control.setFault({
      method: "private/get_order_state",
      times: 9,
      effect: "skipped",
      response: { code: 13028 },
    });
    world.exchange.control.setFault({
      method: "private/get_open_orders",
      times: 9,
      effect: "skipped",
      response: { code: 13028 },
    });
    const outcomes = submitAll(
      world,
      shown(world, (order) => order.label === "many"),
    );
    await world.clock.advance(30_000);
    assert.deepEqual(pluck(await outcomes, "kind"), ["unknown"]);
    assert.deepEqual(told, ["checking 1", "checked", "answered"]);
    listener.dispose();
    world.live.dispose();
  });

  test("within the exchange's limits: never sent away, and as fast as they allow", async () => {
    const world = await aWorld({ limits: true, clientLimits: "exchange" }, 60);
    const outcomes = submitAll(
      world,
      shown(world, (order) => order.label === "many"),
    );
    await world.clock.advance(3000);
    const early = world.frames("private/cancel").length;
    assert.ok(early < 60, String(early));
    await world.clock.advance(20_000);
    assert.deepEqual(countBy((await outcomes).map((each) => each.kind)), { confirmed: 60 });
    world.live.dispose();
  });
});
