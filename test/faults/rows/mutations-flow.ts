import assert from "node:assert/strict";
import { cancelMatching } from "../../../src/actions/changes/cancelMany.ts";
import type { LiveConnection } from "../../../src/actions/connection/liveConnection.ts";
import { cancelOrder, cancelOrders, type OrderContext } from "../../../src/actions/changes/orders.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { plain } from "../../../src/base/plain.ts";
import { RATE_BUDGETS } from "../../../src/catalogue/rates.ts";
import {
  foundOutcomeLines,
  foundSummary,
  outcomesSummary,
  type FoundOutcome,
} from "../../../src/present/outcomes/severalOutcomes.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { runRequest } from "../../../src/requests/running/run.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { orderLookups, type Order } from "../../../src/state/orders.ts";
import { followUnknownOutcomes } from "../../../src/ui/editor/notices.ts";
import { watch, type Watched } from "../../core/session/world.ts";
import { createFakeRandom } from "../../fakeClock.ts";
import { pluck } from "../../pluck.ts";
import { openMutation, recover, watchConnection, type Mutation } from "../mutation.ts";
import { countOf, grantFrame } from "../orders.ts";
import type { FaultRow, Stage } from "../stage.ts";

/* Reliability §4.7, F57 and F64 to F73: what happens around the one frame, before it and after it. */

const NAME = "ETH-PERPETUAL buy 40 @ 2100";
const TARGET = `${NAME} on TESTNET main`;
const UNKNOWN = `Cancel ${TARGET}: outcome unknown, checking…`;
const LINK_LOST = `${UNKNOWN} The connection was closed by TESTNET main (close code 1006).`;
const TIMED_OUT = `${UNKNOWN} The exchange returned error 13888: timed_out.`;
const verified = (at: string): string =>
  `${TARGET}: verified cancelled at ${at} (the outcome was unknown, cause: on request).`;
const stillOpen = (at: string): string =>
  `${TARGET}: still open as of ${at}, not cancelled. A late cancel is still possible. Watching for 60 s.`;
const times = createTimes(0);

function contextOf(live: LiveConnection, stage: Stage, origin: OrderContext["origin"] = "view"): OrderContext {
  return { origin, nowMs: stage.clock.now(), ...orderLookups(live.orders) };
}

/** Presses Cancel on an order as it is in the view now. */
function pressOn(live: LiveConnection, stage: Stage, orderId = "O1"): Watched<Outcome> {
  const { order } = live.orders.snapshot.items.get(orderId)!;
  return watch(live.gate.submit(cancelOrder(order, contextOf(live, stage))));
}

/** The wish to cancel everything with one call. */
function pressAll(live: LiveConnection): Watched<Outcome> {
  const orders = [...live.orders.snapshot.items.values()].map(({ order }) => order);
  return watch(live.gate.submit(cancelMatching({ kind: "all" }, { orders, isCounted: true, hiddenCount: 0 }, "view")));
}

const NOT_CONNECTED = "Not sent to TESTNET main, so nothing was changed: Not connected. Connect, then try again.";

const lostBeforeSend: readonly FaultRow[] = [
  {
    id: "F57 held for a new token",
    title: "the link dies while a cancel with consent waits for the token that is renewed",
    on: "both",
    async run(stage) {
      stage.server.expiresIn = 100;
      const { watched, orders } = await openMutation(stage);
      stage.server.on("public/auth", (request) =>
        request.params["grant_type"] === "refresh_token"
          ? "silence"
          : { frame: grantFrame(request, "canary-access-token-8") },
      );
      await stage.advance(80_000);
      const pressed = orders.cancel("O1");
      await stage.advance(1000);
      assert.equal(stage.questions.length, 1);
      stage.wire.rst();
      await stage.until(() => pressed.isSettled, "it is given up");
      await recover({ stage });
      await stage.advance(60_000);
      assert.deepEqual(watched.told(), [NOT_CONNECTED]);
      assert.deepEqual(watched.came, ["notSent notConnected"]);
      assert.equal(orders.cancels, 0, "nothing is sent afterwards");
      assert.deepEqual(watched.rows(), ["ETH-PERP buy 40 @ 2100 | mm-1"]);
    },
    expected: { status: "ready", dials: 2 },
  },
  {
    id: "F57 being written down",
    title: "the link dies while a cancel with consent is written into the journal",
    on: "both",
    async run(stage) {
      const { watched, orders } = await openMutation(stage);
      let before = Promise.resolve();
      stage.onRecord = async ({ event }) => {
        if (event === "intent") {
          stage.wire.rst();
          before = stage.until(() => stage.session.state.status === "waiting", "the loss is noticed");
        }
        // As in the file: one record after the other.
        await before;
      };
      const pressed = orders.cancel("O1");
      await stage.until(() => pressed.isSettled, "it is given up");
      await recover({ stage });
      await stage.advance(60_000);
      assert.deepEqual(watched.told(), [NOT_CONNECTED]);
      assert.equal(orders.cancels, 0, "nothing is sent afterwards");
      assert.deepEqual(pluck(stage.journal.records, "event", "result"), [
        ["intent", undefined],
        ["outcome", "notSent"],
      ]);
    },
    expected: { status: "ready", dials: 2 },
  },
  {
    id: "F57 back before the send",
    title: "the link dies and is back while a call that cancels everything is written into the journal",
    on: "both",
    async run(stage) {
      const { watched } = await openMutation(stage, "O1", "O2");
      stage.onRecord = async ({ event }) => {
        if (event !== "intent") return;
        stage.wire.rst();
        await recover({ stage });
      };
      const pressed = pressAll(stage.live());
      await stage.until(() => pressed.isSettled, "it is given up");
      await stage.advance(60_000);
      assert.deepEqual(watched.told(), [NOT_CONNECTED]);
      assert.equal(countOf(stage, "private/cancel_all"), 0, "a consent does not outlive its link");
    },
    expected: { status: "ready", dials: 2 },
  },
];

const ALL = "Cancel all 2 open orders (all instruments) on TESTNET main";

const emptySet = [10_004, 10_010, 10_011, 11_044].map((code): FaultRow => ({
  id: `F64 (b) ${String(code)}`,
  title:
    "a code that refuses a cancel of one order says nothing about a call that cancels all: one of two is cancelled",
  design:
    "the set of a method cannot be emptied, so that the case is played with a method whose set has none of these codes",
  on: "both",
  async run(stage) {
    const mutation = await openMutation(stage, "O1", "O2");
    stage.server.on("private/cancel_all", () => {
      mutation.become("cancelled", "user_request");
      return { error: { code, message: "refused" } };
    });
    pressAll(stage.live());
    await stage.settle();
    await stage.advance(120_000);
    const [unknown, ...verdicts] = mutation.watched.told();
    assert.match(
      unknown ?? "",
      new RegExp(`outcome unknown, checking… The exchange returned error ${String(code)} \\(\\w+\\): refused\\.$`),
    );
    assert.deepEqual(verdicts, [
      `${ALL}, checked at 12:00:06: 1 verified cancelled. 1 still open and not cancelled, but a late cancel is still possible.`,
    ]);
    assert.deepEqual(mutation.watched.came, [
      `unknown exchange ${String(code)}`,
      "several: O1 applied, user_request; O2 notApplied open",
    ]);
    assert.equal(countOf(stage, "private/cancel_all"), 1, "one frame");
  },
  expected: { status: "ready", dials: 1 },
}));

const unreadable: FaultRow = {
  id: "F68",
  title: "carried out, the link lost; two reads lose the link again, the others fail until the minute is over",
  on: "both",
  async run(stage) {
    const mutation = await openMutation(stage);
    const { orders, watched } = mutation;
    const usual = (): { result: Order | undefined } => ({ result: orders.byId.get("O1") });
    let reads = 0;
    stage.server.on("private/get_order_state", () => {
      if (++reads > 2) return { error: { code: 13_028, message: "temporarily_unavailable" } };
      stage.wire.rst();
      return "silence";
    });
    orders.onCancel = () => {
      mutation.become("cancelled", "user_request");
      stage.wire.rst();
      return "silence";
    };
    mutation.press();
    const { gate } = stage.live();
    for (const loss of [1, 2, 3]) {
      await recover({ stage });
      assert.equal(gate.activity[0]?.phase, "verifying", "it goes on");
      if (loss < 3) await stage.advance(loss === 1 ? 2000 : 3000);
    }
    await stage.advance(30_000);
    assert.deepEqual(watched.told(), [LINK_LOST], "no verdict before the time is over");
    await stage.advance(60_000);
    assert.equal(gate.activity[0]?.phase, "done");
    assert.ok(reads >= 5 && reads <= 40, `${String(reads)} reads`);
    stage.server.on("private/get_order_state", usual);
    const again = watch(gate.checkAgain(gate.activity[0].id));
    await stage.until(() => again.isSettled, "Check Again finds it out");
    assert.deepEqual(watched.came, [
      "unknown connectionLost",
      "unverified: No response proved the outcome within 60 seconds.",
      "applied, user_request",
    ]);
    const [lost, unverified, found] = watched.told();
    assert.equal(lost, LINK_LOST);
    assert.match(
      unverified ?? "",
      /^Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: outcome still unknown at 12:01:\d\d: No response proved the outcome within 60 seconds\. Check on the exchange, or use Check Again\.$/,
    );
    assert.match(
      found ?? "",
      /^ETH-PERPETUAL buy 40 @ 2100 on TESTNET main: verified cancelled at 12:01:\d\d \(the outcome was unknown, cause: on request\)\.$/,
    );
    assert.deepEqual(pluck(stage.journal.records, "event", "result"), [
      ["intent", undefined],
      ["sent", undefined],
      ["outcome", "unknown"],
      ["verdict", "unverified"],
      ["verdict", "applied"],
    ]);
    assert.equal(orders.cancels, 1, "one frame");
  },
  expected: { status: "ready", dials: 4 },
};

const contradictions = (
  [
    ["the list has it, it is cancelled", "cancelled", true, "cancelled", "applied, user_request", verified("12:00:06")],
    ["the list has it, it is open at last", "cancelled", true, "open", "notApplied open", stillOpen("12:00:06")],
    ["the list lacks it, it is open", "open", false, "open", "notApplied open", stillOpen("12:00:09")],
    [
      "the list lacks it, it is cancelled at last",
      "open",
      false,
      "cancelled",
      "applied, user_request",
      verified("12:00:09"),
    ],
  ] as const
).map(([name, first, isListed, last, verdict, told]): FaultRow => ({
  id: `F69 ${name}`,
  title: "the order and the list contradict each other: the order is read a third time and decides",
  on: "both",
  async run(stage) {
    const mutation = await openMutation(stage);
    const { orders, watched } = mutation;
    let reads = 0;
    const before = countOf(stage, "private/get_open_orders");
    const order = orders.byId.get("O1")!;
    stage.server.on("private/get_order_state", () => ({
      result: { ...order, order_state: reads++ === 0 ? first : last, cancel_reason: "user_request" },
    }));
    stage.server.on("private/get_open_orders", () => ({ result: isListed ? [order] : [] }));
    orders.onCancel = () => ({ error: { code: 13_888, message: "timed_out" } });
    mutation.press();
    await stage.settle();
    await stage.advance(10_000);
    assert.deepEqual(watched.told(), [TIMED_OUT, told]);
    assert.deepEqual(watched.came, ["unknown exchange 13888", verdict]);
    assert.deepEqual([reads, countOf(stage, "private/get_open_orders") - before, orders.cancels], [2, 1, 1]);
  },
  expected: {
    status: "ready",
    dials: 1,
    logged: /warn order O1: its own state and the open orders contradict each other/,
  },
}));

const onlyTheList = [-32_601, 13_021].map((code): FaultRow => ({
  id: `F70 ${String(code)}`,
  title: "single orders cannot be read, and the list has it not, twice",
  on: "both",
  async run(stage) {
    const mutation = await openMutation(stage);
    const { orders, watched } = mutation;
    stage.server.on("private/get_order_state", () => ({ error: { code, message: "no" } }));
    orders.onCancel = () => {
      mutation.become("cancelled", "user_request");
      stage.wire.rst();
      return "silence";
    };
    mutation.press();
    await recover({ stage });
    const listed = countOf(stage, "private/get_open_orders");
    await stage.advance(60_000);
    assert.deepEqual(watched.told(), [
      LINK_LOST,
      `${TARGET}: no longer open as of 12:00:06. It may have been cancelled or filled. Check the trade history.`,
    ]);
    assert.deepEqual(watched.came, ["unknown connectionLost", "gone"]);
    assert.deepEqual(
      [countOf(stage, "private/get_order_state"), countOf(stage, "private/get_open_orders") - listed, orders.cancels],
      [1, 2, 1],
    );
  },
  expected: { status: "ready", dials: 2 },
}));

const pressedTwice: readonly FaultRow[] = (["a double click", "a button and a request file"] as const).map(
  (how): FaultRow => ({
    id: `F71 ${how}`,
    title: "the same cancel is wanted twice within 50 ms in one window",
    on: "both",
    async run(stage) {
      const mutation = await openMutation(stage);
      const { orders, watched } = mutation;
      const { gate } = stage.live();
      stage.wire.latency(100, 100);
      const first = mutation.press();
      await stage.advance(25);
      const file = scanRequests('{ "method": "private/cancel", "params": { "order_id": "O1" } }');
      const second =
        how === "a double click"
          ? mutation.press()
          : watch(
              runRequest(file, file.requests[0]!, { gate, environment: "test", fileName: "a.rpc.json" }).then(
                ({ outcome }) => outcome,
              ),
            );
      await stage.advance(25);
      assert.deepEqual([first.isSettled, second.isSettled], [false, false]);
      await stage.advance(200);
      assert.equal(first.value, second.value, "one outcome");
      assert.deepEqual(watched.told(), [`Cancelled on TESTNET main: ${NAME}.`]);
      assert.deepEqual([orders.cancels, gate.activity.length, stage.questions.length], [1, 1, 1]);
    },
    expected: { status: "ready", dials: 1 },
  }),
);

const twoWindows: FaultRow = {
  id: "F71 two windows",
  title: "two windows cancel the same order within 50 ms: two intents, each with its own outcome",
  on: "both",
  async run(stage) {
    const mutation = await openMutation(stage);
    const { orders, watched } = mutation;
    const other = stage.openWindow();
    other.connect();
    await stage.until(() => other.orders.snapshot.status === "live", "the other window shows the order too");
    const otherWatched = watchConnection(other, stage);
    for (const wire of stage.wires) wire.latency(100, 100);
    orders.onCancel = () => {
      if (orders.byId.get("O1")?.order_state !== "open") return { error: { code: 11_044, message: "not_open_order" } };
      mutation.become("cancelled", "user_request");
      return { result: orders.byId.get("O1") };
    };
    const first = pressOn(stage.live(), stage);
    await stage.advance(25);
    const second = pressOn(other, stage);
    await stage.advance(1000);
    assert.deepEqual([first.value?.kind, second.value?.kind], ["confirmed", "rejected"]);
    assert.deepEqual(watched.told(), [`Cancelled on TESTNET main: ${NAME}.`]);
    assert.deepEqual(otherWatched.told(), [
      `Cancel ${TARGET}: refused by the exchange. The exchange returned error 11044: not_open_order. Operation needs an open order, but the order is not open. The order was already filled, triggered, or cancelled. Refresh the open orders.`,
      `${TARGET}: verified as cancelled at 12:00:00, but not because of this cancel.`,
    ]);
    assert.deepEqual(
      stage.server.requests
        .filter(({ method }) => method === "private/cancel")
        .map(({ connection }) => connection.number),
      [1, 2],
      "one frame of each",
    );
  },
  expected: { status: "ready", dials: 2 },
};

const FIFTY = Array.from({ length: 50 }, (_, index) => `O${String(index + 1)}`);

const fiftyPending: FaultRow = {
  id: "F72",
  title: "fifty cancels pending, a random half of them carried out, and the link lost",
  on: "both",
  async run(stage) {
    const mutation = await openMutation(stage, ...FIFTY);
    const { orders, watched } = mutation;
    const { gate, orders: store } = stage.live();
    const [shown, told, readAtMs]: [number[], (readonly FoundOutcome[])[], number[]] = [[], [], []];
    const following = followUnknownOutcomes(gate, stage.clock, {
      checking(entries) {
        shown.push(entries.length);
        return () => undefined;
      },
      found: (found) => {
        told.push(found);
      },
    });
    const random = createFakeRandom(72);
    const applied = new Set(FIFTY.filter(() => random() < 0.5));
    orders.onCancel = ({ params }) => {
      const id = String(params["order_id"]);
      if (applied.has(id)) mutation.become("cancelled", "user_request", id);
      if (orders.cancels === FIFTY.length) stage.wire.rst();
      return "silence";
    };
    stage.server.on("private/get_order_state", ({ params }) => {
      readAtMs.push(stage.clock.monotonicMs());
      return { result: orders.byId.get(String(params["order_id"])) };
    });
    const { intents, describe } = cancelOrders(
      FIFTY.map((id) => store.snapshot.items.get(id)!.order),
      contextOf(stage.live(), stage),
    );
    const pressed = watch(gate.submitAll(intents, describe));
    // At the pace at which the exchange takes cancels.
    await stage.advance(10_000);
    await stage.until(() => pressed.isSettled, "the loss settles all of them");
    assert.equal(
      outcomesSummary(pressed.value ?? [], plain`TESTNET main`),
      "0 of 50 cancelled on TESTNET main. 50 with unknown outcome, being checked.",
    );
    await stage.until(() => stage.session.state.status === "ready", "the next generation");
    await stage.advance(60_000);
    following.dispose();
    assert.deepEqual(pluck(stage.questions, "message"), ["Cancel 50 orders on TESTNET main?"]);
    assert.deepEqual(shown, [50], "one notice while they are checked");
    assert.equal(told.length, 1, "and one when they are");
    const [found = []] = told;
    const done = String(applied.size);
    assert.equal(
      foundSummary(found, plain`TESTNET main`),
      `Checked 50 unknown outcomes on TESTNET main. ${done} verified cancelled. ${String(50 - applied.size)} still open and not cancelled, but a late cancel is still possible.`,
    );
    const lines = foundOutcomeLines(found, times);
    assert.equal(lines.length, 50);
    const verdicts = new Map(found.map(({ entry, verdict }) => [entry.targetId ?? "", verdict?.kind]));
    assert.deepEqual(
      FIFTY.map((id) => [id, verdicts.get(id)]),
      FIFTY.map((id) => [id, applied.has(id) ? "applied" : "notApplied"]),
      "the ledger says the same",
    );
    assert.ok(
      lines.every(
        ({ target, text }) =>
          target === NAME &&
          /^(?:verified cancelled at 12:00:\d\d \(cause: on request\)|still open as of 12:00:\d\d, not cancelled)$/.test(
            text,
          ),
      ),
      lines.map(({ text }) => text).join("\n"),
    );
    assert.equal(watched.came.length, 100);
    assert.equal(orders.cancels, 50, "one frame for each");
    assertWithinBudget(readAtMs);
  },
  expected: { status: "ready", dials: 2 },
};

/** The documented budget of reads is never overdrawn. */
function assertWithinBudget(atMs: readonly number[]): void {
  const { size, refillPerMs, cost } = RATE_BUDGETS.default;
  let [level, before] = [size, atMs[0] ?? 0];
  for (const each of atMs) {
    level = Math.min(size, level + (each - before) * refillPerMs) - cost;
    before = each;
    assert.ok(level >= 0, `${String(atMs.length)} reads`);
  }
}

const MEANWHILE: readonly (readonly [
  name: string,
  happens: (mutation: Mutation) => Promise<void>,
  askedAgain: string,
  told: string,
  dials: number,
])[] = [
  [
    "a reconnect",
    async ({ stage }) => {
      stage.wire.rst();
      await recover({ stage });
    },
    `Cancel ${TARGET}?`,
    "The connection was interrupted before the request was sent. Check that the connection is open, then try again.",
    2,
  ],
  [
    "another environment",
    async ({ stage }) => {
      stage.declare("production");
      await Promise.resolve();
    },
    `Cancel ${NAME} on PRODUCTION main?`,
    "The environment of the connection was changed before the request was sent. Check the environment of the connection, then try again.",
    1,
  ],
  [
    "the order is amended",
    async ({ stage, orders }) => {
      const amended: Order = { ...orders.byId.get("O1")!, price: 2099.5, last_update_timestamp: stage.clock.now() + 1 };
      orders.byId.set("O1", amended);
      stage.wire.connection.event("user.orders.any.any.raw", JSON.stringify(amended));
      await stage.settle();
    },
    "Cancel ETH-PERPETUAL buy 40 @ 2099.5 on TESTNET main?",
    "The order was changed after the confirmation was shown. Check the order in Open Orders, then try again.",
    1,
  ],
];

const consentOutdated = MEANWHILE.map(([name, happens, askedAgain, told, dials]): FaultRow => ({
  id: `F73 ${name}`,
  title: "the situation changes while a cancel waits for confirmation; then it is confirmed",
  on: "both",
  async run(stage) {
    const mutation = await openMutation(stage);
    const { orders, watched } = mutation;
    const { gate } = stage.live();
    stage.onQuestion = async () => {
      await happens(mutation);
      return true;
    };
    const pressed = pressOn(stage.live(), stage);
    await stage.until(() => pressed.isSettled, "it is given up");
    await stage.advance(60_000);
    assert.deepEqual(watched.came, ["notSent situationChanged"]);
    assert.equal(
      (watched.told()[0] ?? "").replace(/^Not sent to (?:TESTNET|PRODUCTION) main, so nothing was changed: /, ""),
      told,
    );
    assert.equal(orders.cancels, 0, "nothing is sent under an old consent");
    stage.onQuestion = async () => await Promise.resolve(false);
    const again = pressOn(stage.live(), stage);
    await stage.until(() => again.isSettled, "it is asked anew");
    assert.equal(gate.activity.length, 2);
    assert.deepEqual(pluck(stage.questions, "message"), [`Cancel ${TARGET}?`, askedAgain]);
    assert.equal(orders.cancels, 0);
  },
  expected: { status: "ready", dials },
}));

export const MUTATION_FLOW_ROWS: readonly FaultRow[] = [
  ...lostBeforeSend,
  ...emptySet,
  unreadable,
  ...contradictions,
  ...onlyTheList,
  ...pressedTwice,
  twoWindows,
  fiftyPending,
  ...consentOutdated,
];
