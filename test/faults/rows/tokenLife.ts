import assert from "node:assert/strict";
import { vi } from "vitest";
import { createSystemClock } from "../../../src/base/clock.ts";
import { refreshDelayMs } from "../../../src/session/auth.ts";
import { watch } from "../../core/session/world.ts";
import { countOf, grantFrame, withOrders } from "../orders.ts";
import type { FaultRow } from "../stage.ts";

const ended: FaultRow = {
  id: "F88",
  title: "the token ends while reads are under way, again and again",
  on: "both",
  async run(stage) {
    await stage.ready();
    stage.wire.connection.tokens.clear();
    const reads = Array.from({ length: 5 }, () => watch(stage.session.caller.call("private/get_open_orders", "{}")));
    await stage.until(() => reads.every((read) => read.isSettled), "all are answered");
    const found = reads.map((read) => read.value?.error);
    assert.deepEqual(found, [undefined, undefined, undefined, undefined, undefined]);
    assert.equal(countOf(stage, "public/auth"), 2, "one new sign-in for all of them");
    for (let second = 0; second < 29; second++) {
      stage.wire.connection.tokens.clear();
      watch(stage.session.caller.call("private/get_open_orders", "{}"));
      await stage.advance(1000);
    }
    assert.equal(countOf(stage, "public/auth"), 2, "not again within 30 s");
  },
  expected: { status: "ready", dials: 1 },
};

const cancelUnauthorized: FaultRow = {
  id: "F89",
  title: "a cancel is answered with 13009",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    const { gate } = stage.live();
    orders.onCancel = () => ({ error: { code: 13009, message: "unauthorized" } });
    const cancel = orders.cancel("O1");
    await stage.until(() => cancel.isSettled, "it is refused");
    assert.equal(cancel.value?.kind, "rejected");
    await stage.advance(4000);
    await stage.until(() => gate.activity[0]?.phase === "done", "the order is looked at once");
    await stage.advance(60_000);
    assert.equal(orders.cancels, 1, "it is never sent again by itself");
  },
  expected: { status: "ready", dials: 1 },
};

const refreshLost: FaultRow = {
  id: "F90",
  title: "the response to the refresh is lost, while a cancel is wanted",
  on: "both",
  async run(stage) {
    stage.server.expiresIn = 100;
    const orders = await withOrders(stage, "O1");
    let refreshes = 0;
    stage.server.on("public/auth", (request) => {
      if (request.params["grant_type"] !== "refresh_token")
        return { frame: grantFrame(request, "canary-access-token-8") };
      refreshes++;
      return "silence";
    });
    await stage.advance(80_000);
    assert.equal(refreshes, 1);
    const cancel = orders.cancel("O1");
    await stage.advance(7999);
    assert.equal(orders.cancels, 0, "no change is sent with a token about to end");
    await stage.advance(1);
    await stage.until(() => cancel.isSettled, "a change waits some seconds at most");
    assert.equal(cancel.value?.kind, "notSent");
    await stage.advance(2000);
    await stage.until(() => countOf(stage, "public/auth") === 3, "the key signs in anew");
    assert.equal(refreshes, 1, "the refresh token is used once");
    const again = orders.cancel("O1");
    await stage.until(() => again.isSettled, "with the new token");
    assert.equal(again.value?.kind, "confirmed");
    assert.equal(
      stage.server.requests.findLast(({ method }) => method === "private/cancel")?.params["access_token"],
      "canary-access-token-8",
    );
  },
  expected: { status: "ready", dials: 1 },
};

const skewed = [300_000, -300_000].map((skewMs): FaultRow => ({
  id: `F91 ${String(skewMs / 60_000)} min`,
  title: "the clock of this computer is wrong",
  on: "both",
  async run(stage) {
    stage.live();
    stage.server.skewMs = skewMs;
    await stage.ready();
    const side = skewMs > 0 ? "slow" : "fast";
    assert.ok(
      stage.shown().facts.includes(`clock: The clock of this computer is 5 min ${side} compared with the exchange.`),
      stage.shown().facts.join("\n"),
    );
    assert.ok(!stage.server.requests.some(({ text }) => text.includes("canary-client-secret")));
  },
  expected: { status: "ready", dials: 1 },
}));

const skewedUnknown: FaultRow = {
  id: "F91 no get_time",
  title: "the clock is wrong and the server does not tell the time",
  on: "both",
  async run(stage) {
    stage.server.skewMs = 300_000;
    stage.server.on("public/get_time", () => ({ error: { code: -32601, message: "Method not found" } }));
    stage.session.connect();
    await stage.until(() => stage.session.state.status === "locked", "the signature is refused");
    assert.ok(
      !stage.server.requests.some(({ text }) => text.includes("canary-client-secret")),
      "the secret is not sent in its place",
    );
  },
  expected: { status: "locked", dials: 1, sentences: /check that the clock of this computer is right/ },
};

const wallMoved = [3_600_000, -3_600_000].map((byMs): FaultRow => ({
  id: `F92 ${byMs > 0 ? "forward" : "back"}`,
  title: "the wall clock is moved by an hour",
  on: "both",
  async run(stage) {
    stage.server.expiresIn = 900;
    await stage.ready();
    const read = watch(stage.session.caller.call("private/get_open_orders", "{}"));
    stage.server.on("public/get_time", () => "silence");
    const waiting = watch(stage.session.caller.call("public/get_time", "{}"));
    await stage.settle();
    stage.clock.shiftWall(byMs);
    await stage.advance(5000);
    assert.equal(waiting.isSettled, false, "its 10 s are those of the monotonic clock");
    assert.equal(read.value?.error, undefined);
    assert.equal(stage.session.state.status === "ready" && stage.session.state.isSuspect, false);
    assert.equal(countOf(stage, "public/auth"), byMs > 0 ? 2 : 1, "a token that ended by the wall clock is renewed");
    assert.doesNotMatch(stage.shown().facts.join(" "), /-\d/);
    await stage.advance(5000);
    assert.equal(waiting.failure?.kind, "timeout");
    await stage.advance(720_000);
    assert.ok(countOf(stage, "public/auth") >= 2, "and at its time by the monotonic one");
  },
  expected: { status: "ready", dials: 1 },
}));

/**
 * What a timer of Node can hold; a mocked one is moved by whole pieces, because it sets the next one from where it
 * stands.
 */
const LONGEST_MS = 2 ** 31 - 1;

const longLives = [31_536_000, 2_147_484, 2_147_483].map((expiresIn): FaultRow => ({
  id: `F93 ${String(expiresIn)}`,
  title: "a timer longer than Node can wait",
  on: { only: "memory", why: "nothing of it goes over a socket: it is the timer of the machine's own clock" },
  async run() {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      const delayMs = refreshDelayMs(expiresIn);
      let fired = 0;
      createSystemClock().after(delayMs, () => {
        fired++;
      });
      let leftMs = delayMs;
      for (; leftMs > LONGEST_MS; leftMs -= LONGEST_MS) vi.advanceTimersByTime(LONGEST_MS);
      vi.advanceTimersByTime(leftMs - 1);
      assert.equal(fired, 0, "not before its time");
      vi.advanceTimersByTime(1);
      assert.equal(fired, 1);
    } finally {
      vi.useRealTimers();
    }
    await Promise.resolve();
  },
}));

const heldOpen: FaultRow = {
  id: "F90 refresh at four fifths",
  title: "a refresh with a cancel beside it",
  on: "both",
  async run(stage) {
    stage.server.expiresIn = 100;
    const orders = await withOrders(stage, "O1");
    let respond = (): void => undefined;
    stage.server.on("public/auth", (request) => {
      respond = () => request.connection.send(grantFrame(request, "canary-access-token-7"));
      return "silence";
    });
    await stage.advance(80_000);
    const cancel = orders.cancel("O1");
    await stage.advance(3000);
    assert.equal(orders.cancels, 0);
    respond();
    await stage.until(() => cancel.isSettled, "it goes with the new token");
    assert.equal(cancel.value?.kind, "confirmed");
    assert.equal(
      stage.server.requests.findLast(({ method }) => method === "private/cancel")?.params["access_token"],
      "canary-access-token-7",
    );
  },
  expected: { status: "ready", dials: 1 },
};

export const TOKEN_LIFE_ROWS: readonly FaultRow[] = [
  ended,
  cancelUnauthorized,
  refreshLost,
  heldOpen,
  ...skewed,
  skewedUnknown,
  ...wallMoved,
  ...longLives,
];
