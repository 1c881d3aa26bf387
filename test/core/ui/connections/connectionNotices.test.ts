import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { LiveConnection } from "../../../../src/actions/connection/liveConnection.ts";
import { createEmitter, type Disposable, type Emitter } from "../../../../src/base/emitter.ts";
import { plain } from "../../../../src/base/plain.ts";
import { gatewayWarnings } from "../../../../src/present/connections/gatewayFacts.ts";
import { createConnectionNotices } from "../../../../src/ui/connections/connectionNotices.ts";
import { createFillBadge, type FillBadgePorts } from "../../../../src/ui/orders/fillBadge.ts";
import { createWorld } from "../../../world.ts";
import { BERLIN } from "../../present/samples.ts";

/** A connection whose trades a test tells of. */
interface Traded {
  readonly live: LiveConnection;
  trade(...trades: readonly Readonly<Record<string, unknown>>[]): void;
  /** Whether its trades are followed. */
  readonly isFollowed: boolean;
}

function aConnection(place: string): Traded {
  const listeners = new Set<(data: unknown, text: string) => void>();
  const live = {
    place,
    followChannel(channel: string, listener: (data: unknown, text: string) => void) {
      assert.equal(channel, "user.trades.any.any.raw");
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  } as unknown as LiveConnection;
  return {
    live,
    trade: (...trades) => {
      for (const listener of listeners) listener(trades.length === 1 ? trades[0] : trades, "");
    },
    get isFollowed() {
      return listeners.size > 0;
    },
  };
}

interface BadgeLab {
  readonly view: {
    visible: boolean;
    badge: FillBadgePorts["view"]["badge"];
    onDidChangeVisibility: Emitter<{ visible: boolean }>["event"];
  };
  readonly main: Traded;
  readonly desk: Traded;
  readonly dispose: () => void;
  readonly show: (isVisible: boolean) => void;
  readonly focus: (isFocused: boolean) => void;
  readonly set: (isOn: boolean) => void;
  readonly close: (traded: Traded) => void;
}

function valueOf({ badge }: BadgeLab["view"]): number | undefined {
  return badge?.value;
}

function createBadgeLab(isOn = true): BadgeLab {
  const [seen, focused] = [
    createEmitter<{ visible: boolean }>(),
    createEmitter<{ focused: boolean; active: boolean }>(),
  ];
  const changed: Emitter<void> = createEmitter();
  const [opened, closed] = [createEmitter<LiveConnection>(), createEmitter<LiveConnection>()];
  const [main, desk] = [aConnection("TESTNET main"), aConnection("PRODUCTION desk")];
  const all = [main.live, desk.live];
  const state = { focused: true, active: true };
  let isWanted = isOn;
  const view: BadgeLab["view"] = { visible: false, badge: undefined, onDidChangeVisibility: seen.event };
  const badge = createFillBadge({
    view,
    window: { state, onDidChangeWindowState: focused.event },
    liveConnections: { all, onDidOpen: opened.event, onDidClose: closed.event },
    settings: { isBadgingFills: () => isWanted, onDidChange: changed.event },
  });
  return {
    ...{ view, main, desk },
    dispose: () => badge.dispose(),
    show(isVisible) {
      view.visible = isVisible;
      seen.fire({ visible: isVisible });
    },
    focus(isFocused) {
      state.focused = isFocused;
      focused.fire(state);
    },
    set(isOnNow) {
      isWanted = isOnNow;
      changed.fire();
    },
    close(traded) {
      all.splice(all.indexOf(traded.live), 1);
      closed.fire(traded.live);
    },
  };
}

describe("the badge of filled orders", () => {
  test("each order counts once, on whichever connection; the tooltip is a sentence", () => {
    const { view, main, desk } = createBadgeLab();
    main.trade({ order_id: "O1" });
    assert.deepEqual(view.badge, {
      value: 1,
      tooltip: "1 of your orders was filled on TESTNET main since you last looked.",
    });
    main.trade({ order_id: "O1" }, { order_id: "O2" });
    assert.deepEqual(view.badge, {
      value: 2,
      tooltip: "2 of your orders were filled on TESTNET main since you last looked.",
    });
    desk.trade({ order_id: "O1" });
    assert.deepEqual(view.badge, {
      value: 3,
      tooltip: "3 of your orders were filled since you last looked: 2 on TESTNET main, 1 on PRODUCTION desk.",
    });
  });

  test("showing the view clears it in a focused window", () => {
    const { view, main, show, focus } = createBadgeLab();
    main.trade({ order_id: "O1" });
    focus(false);
    show(true);
    assert.equal(valueOf(view), 1, "another window is in front");
    focus(true);
    assert.equal(valueOf(view), undefined);
    main.trade({ order_id: "O2" });
    assert.equal(valueOf(view), undefined, "it was seen as it happened");
    show(false);
    main.trade({ order_id: "O2" });
    assert.equal(valueOf(view), 1, "filled further since then");
  });

  test("block trades and rows without an order are none", () => {
    const { view, main } = createBadgeLab();
    main.trade({ order_id: "O1", block_trade_id: "BLOCK-1" }, { trade_id: "T1" }, { order_id: 7 });
    for (const odd of [null, "x", 7]) main.trade(odd as never);
    assert.equal(valueOf(view), undefined);
    main.trade({ order_id: "O2", block_trade_id: null });
    assert.equal(valueOf(view), 1, "a server that writes out what is not there");
  });

  test("off by default: nothing is followed; switched off, it is gone; a closed connection leaves", () => {
    const off = createBadgeLab(false);
    assert.deepEqual([off.main.isFollowed, off.desk.isFollowed], [false, false]);
    off.set(true);
    assert.deepEqual([off.main.isFollowed, off.desk.isFollowed], [true, true]);
    off.main.trade({ order_id: "O1" });
    off.desk.trade({ order_id: "O2" });
    off.close(off.main);
    assert.deepEqual([valueOf(off.view), off.main.isFollowed], [1, false]);
    off.set(false);
    assert.deepEqual([off.view.badge, off.desk.isFollowed], [undefined, false]);
    off.set(true);
    off.dispose();
    assert.equal(off.desk.isFollowed, false);
  });

  test("from a real fill on the simulator", async () => {
    const world = createWorld({ orders: 0 });
    const placed = world.exchange.control.place({
      instrument_name: "ETH-PERPETUAL",
      direction: "buy",
      amount: 40,
      price: 1900,
      label: "mine",
    });
    await world.connect();
    const lab = createBadgeLab(false);
    const view: BadgeLab["view"] = { ...lab.view, badge: undefined };
    const never: Emitter<void> = createEmitter();
    const badge = createFillBadge({
      view,
      window: {
        state: { focused: true, active: true },
        onDidChangeWindowState: createEmitter<{ focused: boolean; active: boolean }>().event,
      },
      liveConnections: {
        all: [world.live],
        onDidOpen: createEmitter<LiveConnection>().event,
        onDidClose: createEmitter<LiveConnection>().event,
      },
      settings: { isBadgingFills: () => true, onDidChange: never.event },
    });
    await world.clock.advance(1000);
    world.exchange.control.fill(placed.order_id);
    await world.clock.advance(1000);
    assert.deepEqual(view.badge, {
      value: 1,
      tooltip: "1 of your orders was filled on SIMULATOR lab since you last looked.",
    });
    badge.dispose();
    world.live.dispose();
  });
});

describe("the end of the time for changes", () => {
  async function allowed(): Promise<{ readonly told: string[]; readonly world: ReturnType<typeof createWorld> }> {
    const world = createWorld({ declared: "production" });
    const told: string[] = [];
    await world.connect();
    const tell = (text: string): Disposable => {
      told.push(text);
      return { dispose: () => told.pop() };
    };
    createConnectionNotices(world.live, { clock: world.clock, times: BERLIN, tell, warn: (text) => told.push(text) });
    await world.live.gate.allowChanges();
    assert.deepEqual(told, []);
    return { told, world };
  }

  test("is told when it comes", async () => {
    const { told, world } = await allowed();
    await world.clock.advance(30 * 60_000 - 2000);
    assert.deepEqual(told, []);
    await world.clock.advance(4000);
    assert.deepEqual(told, ["PRODUCTION lab is read-only again because the time for changes has expired."]);
    world.live.dispose();
  });

  test("and when something else ends it", async () => {
    const byHand = await allowed();
    byHand.world.live.gate.makeReadOnly();
    assert.deepEqual(byHand.told, ["PRODUCTION lab is read-only again."]);
    await byHand.world.live.gate.allowChanges();
    assert.deepEqual(byHand.told, [], "once changes are allowed again that is not true any more");
    byHand.world.live.dispose();
    const byDisconnect = await allowed();
    byDisconnect.world.live.disconnect();
    assert.deepEqual(byDisconnect.told, ["PRODUCTION lab is read-only again."]);
    byDisconnect.world.live.dispose();
  });
});

describe("orders that end with the link", () => {
  test("are told once each time the user connects, with what ends them", () => {
    const [changes, never]: Emitter<void>[] = [createEmitter(), createEmitter()];
    assert.ok(changes !== undefined && never !== undefined);
    const told: string[] = [];
    const known = { isOn: false, placedOrders: 1, onDidChange: changes.event };
    const gate = {
      changesAllowedUntilMs: undefined,
      onDidChangeAllowance: never.event,
    } as unknown as LiveConnection["gate"];
    const following = createConnectionNotices(
      {
        place: plain`TESTNET main`,
        gate,
        cancelOnDisconnect: known,
        state: { status: "off" },
        onDidChangeState: never.event as never,
      },
      {
        clock: createWorld().clock,
        times: BERLIN,
        tell: (): never => assert.fail("nothing was allowed"),
        warn: (text) => told.push(text),
      },
    );
    changes.fire();
    assert.deepEqual(told, [], "they stay");
    known.isOn = true;
    changes.fire();
    known.placedOrders = 2;
    changes.fire();
    assert.deepEqual(told, [
      "Cancel-on-disconnect (COD) is on for TESTNET main. When its connection ends, the exchange cancels 1 order placed from this window. The connection ends on Disconnect, when this window is reloaded or closed, and when the network fails.",
    ]);
    following.dispose();
  });
});

describe("what is wrong at the gateway", () => {
  const MINUTE_MS = 60_000;

  /** Returns a connection to a played gateway, and what is told of it. */
  function atGateway(options: Parameters<typeof createWorld>[0] = {}) {
    const world = createWorld({ gateway: {}, ...options });
    const told: string[] = [];
    createConnectionNotices(world.live, {
      clock: world.clock,
      times: BERLIN,
      tell: (): never => assert.fail("nothing was allowed"),
      warn: (text, view) => told.push(`${view}: ${text}`),
    });
    const facts = (): readonly string[] =>
      world.live.state.status === "ready"
        ? gatewayWarnings(world.live.state, { nowMs: world.clock.now(), times: BERLIN }).map(({ label }) => label)
        : [];
    return { world, told, facts };
  }

  test("a renewal that fails is told once, until one succeeds", async () => {
    let isDown = false;
    const { world, told, facts } = atGateway({
      alter: (text) => (isDown ? text.replace(/"result":\{[^}]*"token_type"[^}]*\}/, '"result":"no grant"') : text),
    });
    await world.connect();
    assert.deepEqual([told, facts()], [[], []]);
    isDown = true;
    await world.clock.advance(41 * MINUTE_MS);
    await world.clock.advance(3 * MINUTE_MS);
    assert.equal(told.length, 1, told.join("\n"));
    assert.match(told[0] ?? "", /^connections: SIMULATOR lab: The sign-in couldn't be renewed and ends in \d+ min/);
    assert.deepEqual(facts(), ["sign-in ends"]);
    isDown = false;
    await world.clock.advance(2 * MINUTE_MS);
    assert.deepEqual(facts(), []);
    assert.equal(told.length, 1);
  });

  test("a channel that is left out is told once, and stays in Connections", async () => {
    const { world, told, facts } = atGateway({
      alter: (text) => text.replace('"user.changes.any.any.raw"', '"user.lock"'),
    });
    world.live.followChannel(
      "user.changes.any.any.raw",
      () => undefined,
      () => undefined,
    );
    for (const channel of ["user.mmp_trigger.any", "user.liquidation"])
      world.live.followChannel(
        channel,
        () => undefined,
        () => undefined,
      );
    await world.connect();
    assert.deepEqual(told, [
      "connections: SIMULATOR lab: The server doesn't send user.changes.any.any.raw. What depends on it is read from time to time instead.",
    ]);
    assert.deepEqual(facts(), ["no live updates"]);
    world.exchange.control.disconnectAll("reset");
    await world.clock.advance(MINUTE_MS);
    assert.deepEqual([world.live.state.status, told.length, facts()], ["ready", 1, ["no live updates"]]);
  });
});
