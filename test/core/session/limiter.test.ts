import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { RateClass } from "../../../src/catalogue/index.ts";
import { createLimiter, type Limiter } from "../../../src/session/limiter.ts";
import type { Lane } from "../../../src/session/session.ts";
import { createFakeClock, createFakeRandom, type FakeClock } from "../../fakeClock.ts";
import { createWorld, watch } from "./world.ts";

/** Asks for a turn and notes when it came. */
function take(
  limiter: Limiter,
  clock: FakeClock,
  turn: { readonly rate?: RateClass; readonly lane?: Lane; readonly name: string; readonly log: string[] },
): void {
  const note = (): void => {
    turn.log.push(`${String(Math.round(clock.monotonicMs()))} ${turn.name}`);
  };
  const waiting = limiter.acquire(turn.rate ?? "default", turn.lane ?? "userRead");
  if (waiting === undefined) note();
  else void waiting.then(note);
}

describe("limiter", () => {
  test("a burst goes at once, the rest at the exchange's pace", async () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock, "exchange");
    const log: string[] = [];
    for (let each = 0; each < 120; each++) take(limiter, clock, { name: "read", log });
    assert.equal(log.length, 80);
    assert.equal(limiter.queuedCount, 40);
    await clock.advance(1000);
    assert.equal(log.length, 100);
    await clock.advance(1000);
    assert.equal(log.length, 120);
    assert.equal(clock.pendingTimers, 0);
  });

  test("a change does not wait behind reads, and the user's read not behind a view's", async () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock, "exchange");
    const log: string[] = [];
    for (let each = 0; each < 80; each++) take(limiter, clock, { name: "burst", log: [] });
    take(limiter, clock, { lane: "view", name: "view", log });
    take(limiter, clock, { lane: "userRead", name: "read", log });
    take(limiter, clock, { lane: "userWrite", name: "write", log });
    await clock.advance(1000);
    assert.deepEqual(log, ["0 write", "100 read", "650 view"]);
  });

  test("each class has its own budget", () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock, "exchange");
    const count = (rate: RateClass, lane: Lane): number => {
      let granted = 0;
      while (granted < 1000 && limiter.acquire(rate, lane) === undefined) granted++;
      return granted;
    };
    assert.deepEqual(
      [
        count("matching", "userWrite"),
        count("subscribe", "view"),
        count("instruments", "userRead"),
        count("default", "userWrite"),
      ],
      [18, 7, 40, 90],
    );
  });

  test("what is left is told by budget and lane, in calls", async () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock, "exchange");
    const lanesOf = (rate: RateClass): string => {
      const { lanes } = limiter.budgets.find((each) => each.rate === rate) ?? assert.fail(`no budget of ${rate}`);
      return Object.entries(lanes)
        .map(
          ([lane, { leftCalls, sizeCalls, waitingCalls }]) =>
            `${lane} ${String(leftCalls)}/${String(sizeCalls)} ${String(waitingCalls)}`,
        )
        .join(", ");
    };
    assert.equal(lanesOf("default"), "userWrite 90/90 0, userRead 80/80 0, view 70/70 0");
    assert.equal(lanesOf("matching"), "userWrite 18/18 0, userRead 16/16 0, view 14/14 0");
    for (let each = 0; each < 85; each++) take(limiter, clock, { name: "read", log: [] });
    assert.equal(lanesOf("default"), "userWrite 10/90 0, userRead 0/80 5, view 0/70 0");
    for (let each = 0; each < 40; each++) limiter.draw("default");
    assert.equal(
      lanesOf("default"),
      "userWrite 0/90 0, userRead 0/80 5, view 0/70 0",
      "what was overdrawn is none, not less",
    );
    await clock.advance(4000);
    assert.equal(lanesOf("default"), "userWrite 45/90 0, userRead 35/80 0, view 25/70 0");
    limiter.adjust({ matching: { size: 100, refillPerMs: 0.03, cost: 1 } });
    assert.equal(lanesOf("matching"), "userWrite 90/90 0, userRead 80/80 0, view 70/70 0", "the account's own budget");
    assert.deepEqual(createLimiter(clock, "off").budgets, [], "without limits there is nothing to be left");
  });

  test("what cannot wait pays all the same, and a limit that was hit empties the bucket", async () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock, "exchange");
    for (let each = 0; each < 100; each++) limiter.draw("default");
    const log: string[] = [];
    take(limiter, clock, { lane: "userWrite", name: "write", log });
    await clock.advance(600);
    assert.deepEqual(log, ["550 write"]);
    limiter.exhaust("matching");
    assert.notEqual(limiter.acquire("matching", "userWrite"), undefined);
  });

  test("a server that allows one call at once gets one at a time, whatever lane it is of", async () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock, "exchange");
    limiter.adjust({
      default: { size: 500, refillPerMs: 0.5, cost: 500 },
      matching: { size: 1.5, refillPerMs: 0.001, cost: 1 },
    });
    const log: string[] = [];
    for (const lane of ["view", "userRead", "userWrite"] as const) take(limiter, clock, { lane, name: lane, log });
    await clock.advance(2000);
    assert.deepEqual(log, ["0 view", "1000 userWrite", "2000 userRead"]);
    assert.equal(limiter.acquire("matching", "view"), undefined);
    const { lanes } = limiter.budgets[0] ?? assert.fail();
    assert.deepEqual(
      Object.values(lanes).map(({ sizeCalls }) => sizeCalls),
      [1, 1, 1],
    );
  });

  test("a call with a limit does not wait for its turn longer than that", async () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock, "exchange");
    limiter.holdBack(new Set(["userRead"]));
    const waiting = watch(Promise.resolve(limiter.acquire("default", "userRead", undefined, 3000)));
    await clock.advance(2999);
    assert.equal(waiting.isSettled, false);
    await clock.advance(1);
    assert.deepEqual(waiting.failure, { kind: "timeout", timeoutMs: 3000, wasSent: false });
    assert.deepEqual([limiter.queuedCount, clock.pendingTimers], [0, 0]);
  });

  test("stopping leaves the queue; losing the link settles it", async () => {
    const clock = createFakeClock();
    const limiter = createLimiter(clock, "exchange");
    limiter.exhaust("default");
    const controller = new AbortController();
    const stopped = watch(Promise.resolve(limiter.acquire("default", "userRead", controller.signal)));
    const lost = watch(Promise.resolve(limiter.acquire("default", "view")));
    controller.abort();
    await clock.settle();
    assert.deepEqual(stopped.failure, { kind: "stopped", wasSent: false });
    limiter.rejectAll({ kind: "notConnected" });
    await clock.settle();
    assert.deepEqual(lost.failure, { kind: "notConnected" });
    assert.equal(limiter.queuedCount, 0);
    assert.equal(clock.pendingTimers, 0);
  });

  test("a newcomer does not overtake those who wait, although its price is there and their timer has not come", async () => {
    const clock = createFakeClock();
    let lateMs = 0;
    const limiter = createLimiter({ ...clock, monotonicMs: () => clock.monotonicMs() + lateMs }, "exchange");
    limiter.exhaust("default");
    const log: string[] = [];
    take(limiter, clock, { name: "first", log });
    lateMs = 10_000;
    take(limiter, clock, { name: "second", log });
    await clock.advance(2000);
    const found = log.map((line) => line.split(" ")[1]);
    assert.deepEqual(found, ["first", "second"]);
  });

  test("limits that are lifted let everything go", () => {
    const limiter = createLimiter(createFakeClock(), "off");
    for (let each = 0; each < 100_000; each++) assert.equal(limiter.acquire("matching", "view"), undefined);
  });

  test("never more than the exchange allows, with up to 300 ms of jitter on the way", async () => {
    const clock = createFakeClock();
    const random = createFakeRandom(3);
    const limiter = createLimiter(clock, "exchange");
    const arrivals: number[] = [];
    for (let each = 0; each < 1000; each++) {
      void Promise.resolve(limiter.acquire("default", each % 7 === 0 ? "userWrite" : "userRead")).then(() =>
        arrivals.push(clock.monotonicMs() + random() * 300),
      );
    }
    await clock.advance(60_000);
    assert.equal(arrivals.length, 1000);
    let credits = 50_000;
    let atMs = 0;
    for (const arrivalMs of arrivals.sort((a, b) => a - b)) {
      credits = Math.min(50_000, credits + (arrivalMs - atMs) * 10) - 500;
      atMs = arrivalMs;
      assert.ok(credits >= 0, `${String(credits)} at ${String(arrivalMs)}`);
    }
  });
});

describe("a session under limits", () => {
  test("a thousand reads go out at the exchange's pace, a cancel in between at once", async () => {
    const { session, server, clock } = await createWorld().ready();
    server.on("private/cancel", () => ({ result: {} }));
    const reads = Array.from({ length: 1000 }, () => watch(session.caller.call("private/get_open_orders", "{}")));
    await clock.advance(5000);
    const cancel = watch(session.caller.call("private/cancel", '{"order_id":"1"}'));
    await clock.settle();
    assert.equal(cancel.isSettled, true);
    assert.ok(reads.filter((read) => read.isSettled).length < 200);
    await clock.advance(45_000);
    assert.equal(
      reads.every((read) => read.value?.error === undefined && read.isSettled),
      true,
    );
    assert.ok((reads.at(-1)?.value?.timing.queuedMs ?? 0) > 40_000);
  });

  test("what is not known to read only counts as a change, and goes before the reads that wait", async () => {
    const { session, server, clock } = await createWorld().ready();
    for (let each = 0; each < 200; each++) watch(session.caller.call("private/get_open_orders", "{}"));
    await clock.settle();
    watch(session.caller.call("private/unheard_of", "{}"));
    await clock.settle();
    assert.equal(server.methods().at(-1), "private/unheard_of");
  });

  test("after the server's own 10028 the session holds back although it had thought to have enough", async () => {
    const { session, server, clock } = await createWorld().ready();
    server.on("private/get_open_orders", () => ({ error: { code: 10028, message: "too_many_requests" } }));
    await session.caller.call("private/get_open_orders", "{}");
    const next = watch(session.caller.call("private/get_open_orders", "{}"));
    assert.deepEqual(session.state.status === "ready" && session.state.pause, {
      reason: "rateLimit",
      untilMs: clock.now() + 10_000,
    });
    await clock.advance(9999);
    assert.equal(next.isSettled, false);
    await clock.advance(1);
    assert.equal(next.isSettled, true);
  });

  test("256 calls wait for a response at most; what changes something goes out all the same", async () => {
    const { session, server, clock } = await createWorld({ limits: "off" }).ready();
    server.on("private/get_open_orders", () => "silence");
    server.on("private/cancel", () => ({ result: {} }));
    const reads = Array.from({ length: 257 }, () => watch(session.caller.call("private/get_open_orders", "{}")));
    await clock.settle();
    assert.deepEqual(reads[256]?.failure, { kind: "tooManyPending", limit: 256 });
    assert.equal(reads[255]?.isSettled, false);
    assert.equal((await session.caller.call("private/cancel", "{}")).bodyText, "{}");
  });
});
