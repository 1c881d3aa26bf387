import assert from "node:assert/strict";
import { watch } from "../../core/session/world.ts";
import { openMutation } from "../mutation.ts";
import { countOf, withOrders } from "../orders.ts";
import type { FaultRow, Stage } from "../stage.ts";

const HOURS_8 = 8 * 3_600_000;

const isSuspect = (stage: Stage): boolean => stage.session.state.status === "ready" && stage.session.state.isSuspect;

const longSleep = (["stops", "runs"] as const).map((monotonic): FaultRow => ({
  id: `F99 monotonic clock ${monotonic}`,
  title: "eight hours of sleep; the link is dead, and a cancel is pressed at once",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    stage.wire.halfOpen();
    const before = stage.server.requests.length;
    stage.clock.sleep(HOURS_8, monotonic);
    const cancel = orders.cancel("O1");
    const read = watch(stage.session.caller.call("private/get_open_orders", "{}"));
    await stage.advance(1000);
    assert.ok(isSuspect(stage), "noticed within a second");
    await stage.advance(5000);
    await stage.until(() => stage.session.state.status !== "ready" || !isSuspect(stage), "lost within six seconds");
    await stage.until(() => cancel.isSettled && read.isSettled, "nothing waits any longer");
    assert.equal(cancel.value?.kind, "notSent");
    assert.deepEqual(read.failure, { kind: "notConnected" });
    assert.ok(
      !stage.server.requests
        .slice(before)
        .some(({ method, connection }) => method !== "public/test" && connection.number === 1),
    );
    await stage.advance(1000);
    await stage.until(() => stage.session.state.status === "ready", "the next generation");
    assert.equal(orders.cancels, 0);
  },
  expected: { status: "ready", dials: 2 },
}));

const shortSleep: FaultRow = {
  id: "F100",
  title: "twenty seconds of sleep; the link lives, and texts from before lie waiting",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    let respond = (): void => undefined;
    stage.server.on("public/test", (request) => {
      respond = () => request.connection.respond(request, { result: { version: "1" } });
      return "silence";
    });
    stage.clock.sleep(20_000);
    await stage.advance(1000);
    assert.ok(isSuspect(stage));
    const cancel = orders.cancel("O1");
    stage.wire.text('{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}');
    await stage.settle();
    assert.ok(isSuspect(stage), "what lay waiting proves nothing");
    assert.equal(orders.cancels, 0, "the probe goes first");
    respond();
    await stage.until(() => cancel.isSettled, "then the cancel");
    assert.equal(cancel.value?.kind, "confirmed");
    assert.equal(isSuspect(stage), false);
  },
  expected: { status: "ready", dials: 1, statuses: ["connecting", "authenticating", "ready"] },
};

const tokenOverSlept: FaultRow = {
  id: "F100 the token ended meanwhile",
  title: "an hour of sleep with a token of a quarter of an hour",
  on: "both",
  async run(stage) {
    stage.server.expiresIn = 900;
    const orders = await withOrders(stage, "O1");
    stage.wire.connection.tokens.clear();
    stage.clock.sleep(3_600_000);
    const cancel = orders.cancel("O1");
    await stage.until(() => cancel.isSettled, "probe, sign-in, cancel");
    assert.equal(cancel.value?.kind, "confirmed");
    const order = stage.server
      .methods()
      .filter((method) => ["public/test", "public/auth", "private/cancel"].includes(method));
    assert.deepEqual(order, ["public/auth", "public/test", "public/auth", "private/cancel"]);
  },
  expected: { status: "ready", dials: 1 },
};

const otherNetwork: FaultRow = {
  id: "F101",
  title: "another network: the old socket is half open, a new one works",
  on: "both",
  async run(stage) {
    const orders = await withOrders(stage, "O1");
    const { orders: store } = stage.live();
    stage.wire.halfOpen();
    await stage.advance(35_000);
    await stage.until(() => stage.session.state.status === "waiting", "at the first probe that fails");
    assert.equal(store.snapshot.status, "stale");
    await stage.advance(1000);
    await stage.until(() => store.snapshot.status === "live", "over the new route");
    assert.equal(countOf(stage, "private/subscribe"), 2, "subscribed once more, not twice");
    assert.equal(orders.cancels, 0);
  },
  expected: { status: "ready", dials: 2 },
};

const forgottenElsewhere: FaultRow = {
  id: "F106",
  title: "the connection is closed because its secret was removed in another window, with a cancel under way",
  on: "both",
  async run(stage) {
    const { watched, orders } = await openMutation(stage);
    orders.onCancel = () => "silence";
    const pressed = orders.cancel("O1");
    await stage.until(() => orders.cancels === 1, "the cancel is sent");
    stage.live().disconnect();
    await stage.until(() => pressed.isSettled, "it is given up");
    await stage.advance(1000);
    assert.deepEqual(watched.came, ["unknown connectionLost", "unverified: The connection was closed."]);
    assert.ok(
      stage.wires.every((wire) => wire.isOver),
      "within a second",
    );
    assert.equal(countOf(stage, "private/logout"), 0, "a logout would end other programs' sessions too");
  },
  expected: { status: "off", dials: 1 },
};

const NO_SETTING =
  "no setting, workspace or link changes an address or a class; the person who edits a connection is asked anew";

const classWhileAsked: FaultRow = {
  id: "F107 environment, while asked",
  title: "the environment of the connection is edited while a cancel waits for confirmation",
  design: NO_SETTING,
  on: "both",
  async run(stage) {
    const { watched, orders } = await openMutation(stage);
    stage.onQuestion = async () => {
      stage.declare("production");
      return await Promise.resolve(true);
    };
    const pressed = orders.cancel("O1");
    await stage.until(() => pressed.isSettled, "the consent is void");
    assert.deepEqual(watched.came, ["notSent situationChanged"]);
    assert.equal(orders.cancels, 0);
    stage.onQuestion = async () => await Promise.resolve(false);
    const again = orders.cancel("O1");
    await stage.until(() => again.isSettled, "the confirmation has the new environment");
    assert.match(stage.questions.at(-1)?.message ?? "", / on PRODUCTION main/);
  },
  expected: { status: "ready", dials: 1 },
};

const classWhileSent: FaultRow = {
  id: "F107 environment, under way",
  title: "the class of the connection is edited while a cancel is under way",
  design: NO_SETTING,
  on: "both",
  async run(stage) {
    const { watched, orders } = await openMutation(stage);
    let respond = (): void => undefined;
    const carriedOut = orders.onCancel;
    orders.onCancel = (request) => {
      respond = () => {
        request.connection.respond(request, carriedOut(request));
      };
      return "silence";
    };
    const pressed = orders.cancel("O1");
    await stage.until(() => orders.cancels === 1, "the cancel is sent");
    stage.declare("production");
    respond();
    await stage.until(() => pressed.isSettled, "the response counts");
    assert.deepEqual(watched.came, ["confirmed"]);
    assert.deepEqual(watched.told(), ["Cancelled on PRODUCTION main: ETH-PERPETUAL buy 40 @ 2100."]);
    assert.equal(orders.cancels, 1);
  },
  expected: { status: "ready", dials: 1 },
};

let isTracing = false;

const logLevel: FaultRow = {
  id: "F107 log level",
  title: "everything is logged from now on: the link stays, and no secret is in a line",
  design: "the log level is the editor's own, and a session that goes on tells nothing more by ending",
  on: "both",
  ports: { isTracing: () => isTracing },
  async run(stage) {
    isTracing = false;
    stage.server.expiresIn = 100;
    await withOrders(stage, "O1");
    const before = stage.lines.length;
    isTracing = true;
    await stage.advance(90_000);
    await stage.until(() => countOf(stage, "public/auth") === 2, "the token is renewed while everything is logged");
    await stage.settle();
    assert.ok(
      stage.lines.slice(before).some((line) => line.includes("public/auth")),
      "it is logged",
    );
    isTracing = false;
  },
  expected: { status: "ready", dials: 1 },
};

export const HOST_LIFE_ROWS: readonly FaultRow[] = [
  ...longSleep,
  shortSleep,
  tokenOverSlept,
  otherNetwork,
  forgottenElsewhere,
  classWhileAsked,
  classWhileSent,
  logLevel,
];
