import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import type { Instrument, InstrumentsSnapshot } from "../../../src/state/instruments.ts";
import { createPositionsStore, isHeld, type PositionsStore } from "../../../src/state/positions.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { createFakeStoreSession, IDENTITY, ready, type FakeStoreSession } from "./fakeStoreSession.ts";

/* Positions: who changed is pushed, what they are worth is read every few seconds while they are shown. */

interface Lab {
  readonly clock: FakeClock;
  readonly fake: FakeStoreSession;
  readonly store: PositionsStore;
  /** How often the instruments were wanted. */
  readonly loads: number;
  pauseMs: number;
  /** The names, sizes, and profits of the snapshot. */
  text(): string;
  respond(...rows: readonly unknown[]): Promise<void>;
}

const KNOWN: Instrument = {
  name: "A",
  id: undefined,
  kind: "future",
  isActive: true,
  expiresAtMs: undefined,
  steps: { tickSize: undefined, tickSizes: [], minAmount: undefined, contractSize: undefined },
  currencies: { base: "BTC", quote: "USD", settlement: "BTC" },
};

function createLab(): Lab {
  const clock = createFakeClock();
  const fake = createFakeStoreSession();
  const snapshot: InstrumentsSnapshot = { items: [KNOWN, LINEAR], readAtMs: 0, failure: undefined };
  const counts = { loads: 0 };
  const instruments = {
    snapshot,
    load: async (): Promise<InstrumentsSnapshot> => {
      counts.loads++;
      return await Promise.resolve(snapshot);
    },
  };
  const lab: Lab = {
    clock,
    fake,
    pauseMs: 5000,
    store: createPositionsStore({
      session: fake.session,
      clock,
      log: silentLog,
      instruments,
      pauseMs: () => lab.pauseMs,
    }),
    get loads() {
      return counts.loads;
    },
    text: () =>
      [...lab.store.snapshot.items.values()]
        .map((each) => `${each.instrument_name} ${String(each.size)} ${String(each.total_profit_loss)}`)
        .join(", "),
    async respond(...rows) {
      fake.reads.at(-1)?.respond(rows, clock.now());
      await clock.settle();
    },
  };
  return lab;
}

const LINEAR: Instrument = { ...KNOWN, name: "L", currencies: { base: "SOL", quote: "USDC", settlement: "USDC" } };

const position = (instrument_name: string, size: number, total_profit_loss = 0): object => ({
  instrument_name,
  size,
  total_profit_loss,
});

const changes = (...positions: readonly object[]): object => ({ trades: [], orders: [], positions });

async function open(lab: Lab, ...rows: readonly unknown[]): Promise<void> {
  lab.fake.setState(ready(1));
  lab.store.setVisible(true);
  lab.fake.setChannel({ kind: "accepted", generation: 1 });
  await lab.respond(...rows);
}

describe("positions that are shown", () => {
  test("are read with one call for all currencies, and again 5 s after each response", async () => {
    const lab = createLab();
    await open(lab, position("A", 10));
    assert.deepEqual(lab.fake.calls, ["subscribe user.changes.any.any.raw", "read private/get_positions 1"]);
    assert.deepEqual([lab.text(), lab.store.snapshot.pollPauseMs], ["A 10 0", 5000]);
    await lab.clock.advance(4999);
    assert.equal(lab.fake.reads.length, 1);
    await lab.clock.advance(1);
    assert.equal(lab.fake.reads.length, 2);
    await lab.clock.advance(8000);
    assert.equal(lab.fake.reads.length, 2, "not while one is under way");
    await lab.respond(position("A", 10, 3));
    assert.equal(lab.text(), "A 10 3");
    lab.pauseMs = 60_000;
    await lab.clock.advance(5000);
    await lab.respond(position("A", 10, 4));
    await lab.clock.advance(59_999);
    assert.equal(lab.fake.reads.length, 3, "the setting counts from the next reading on");
    await lab.clock.advance(1);
    assert.equal(lab.fake.reads.length, 4);
    lab.store.dispose();
  });

  test("are not read while they are hidden, and at once when they are shown again", async () => {
    const lab = createLab();
    await open(lab, position("A", 10));
    await lab.clock.advance(2000);
    lab.store.setVisible(false);
    await lab.clock.advance(600_000);
    assert.equal(lab.fake.reads.length, 1);
    lab.store.setVisible(true);
    await lab.clock.advance(0);
    assert.equal(lab.fake.reads.length, 2);
    await lab.respond(position("A", 11));
    lab.store.setVisible(false);
    await lab.clock.advance(1000);
    lab.store.setVisible(true);
    await lab.clock.advance(3999);
    assert.equal(lab.fake.reads.length, 2, "a reading of a second ago is new enough");
    await lab.clock.advance(1);
    assert.equal(lab.fake.reads.length, 3);
    lab.store.dispose();
  });

  test("keep their places, and new ones come at the end", async () => {
    const lab = createLab();
    await open(lab, position("A", 1), position("B", 2));
    await lab.clock.advance(5000);
    await lab.respond(position("C", 3), position("B", 2), position("A", 1));
    assert.equal(lab.text(), "A 1 0, B 2 0, C 3 0");
    await lab.clock.advance(5000);
    await lab.respond(position("C", 3), position("A", 1));
    assert.equal(lab.text(), "A 1 0, C 3 0");
    lab.store.dispose();
  });
});

describe("positions that an event has changed", () => {
  test("are taken from it, and no event leads to a reading", async () => {
    const lab = createLab();
    await open(lab, { ...position("A", 10, 1), gamma: 7 });
    let fired = 0;
    lab.store.onDidChange(() => {
      fired++;
    });
    for (let size = 11; size <= 500; size++) lab.fake.push(changes(position("A", size, 2)));
    lab.fake.push(changes(position("B", 5)));
    assert.equal(lab.text(), "A 500 2, B 5 0");
    assert.equal(lab.store.snapshot.items.get("A")?.gamma, 7, "what an event leaves out stays");
    assert.deepEqual([fired, lab.fake.reads.length], [491, 1]);
    lab.store.dispose();
  });

  test("stay changed when the response was written before the event", async () => {
    const lab = createLab();
    await open(lab, position("A", 10));
    await lab.clock.advance(5000);
    lab.fake.push(changes(position("A", 20)));
    assert.equal(lab.text(), "A 20 0", "at once, not after the response");
    await lab.respond(position("A", 10));
    assert.equal(lab.text(), "A 20 0");
    await lab.clock.advance(5000);
    await lab.respond(position("A", 21));
    assert.equal(lab.text(), "A 21 0", "and the next list counts");
    lab.store.dispose();
  });

  test("have the figures of the list where that has the size of the event, which may have been on its way for long", async () => {
    const lab = createLab();
    await open(lab, position("A", 10, 1));
    await lab.clock.advance(5000);
    lab.fake.push(changes(position("A", 20, 2)));
    assert.equal(lab.text(), "A 20 2");
    await lab.respond(position("A", 20, 3));
    assert.equal(lab.text(), "A 20 3");
    lab.store.dispose();
  });

  test("of a linear future have the figures of the list where that has the coins of the event: the value is that of a mark", async () => {
    const of = (size: number, size_currency: number, profit: number): object => ({
      ...position("L", size, profit),
      ...{ kind: "future", direction: "buy", size_currency },
    });
    const lab = createLab();
    await open(lab, of(150, 1, 0));
    await lab.clock.advance(5000);
    lab.fake.push(changes(of(300, 2, 4)));
    await lab.respond(of(301.5, 2, 5.5));
    assert.equal(lab.text(), "L 301.5 5.5", "twenty ticks later it is the same position");
    await lab.clock.advance(5000);
    lab.fake.push(changes(of(451, 3, 6)));
    await lab.respond(of(451, 2, 7));
    assert.equal(lab.text(), "L 451 6", "the value is alike by chance, the coins are not");
    lab.store.dispose();
  });

  test("are as old as the question of the latest list, and no older", async () => {
    const lab = createLab();
    await open(lab, position("A", 10, 1));
    await lab.clock.advance(5000);
    const askedAtMs = lab.clock.now();
    await lab.clock.advance(4000);
    assert.equal(lab.store.snapshot.readAtMs, askedAtMs - 5000);
    await lab.respond(position("A", 10, 2));
    assert.equal(lab.store.snapshot.readAtMs, askedAtMs);
    lab.store.dispose();
  });

  test("are not lost when the first list is still on its way", async () => {
    const lab = createLab();
    lab.fake.setState(ready(1));
    lab.store.setVisible(true);
    lab.fake.push(changes(position("A", 20)));
    assert.equal(lab.text(), "");
    await lab.respond(position("A", 10));
    assert.deepEqual([lab.text(), lab.fake.reads.length], ["A 20 0", 1]);
    lab.store.dispose();
  });

  test("are read from one object, too; what is no event changes nothing", async () => {
    const lab = createLab();
    await open(lab, position("A", 10));
    lab.fake.push({ positions: position("A", 12) });
    for (const odd of [undefined, null, 7, "x", [], {}, { positions: null }, { positions: [null, { size: 1 }] }])
      lab.fake.push(odd);
    assert.equal(lab.text(), "A 12 0");
    lab.store.dispose();
  });
});

describe("positions that cannot be had", () => {
  test("events do not make a failed reading come sooner", async () => {
    const lab = createLab();
    await open(lab, position("A", 10));
    await lab.clock.advance(5000);
    lab.fake.reads.at(-1)?.fail({ kind: "exchange", code: 10028, message: "too_many_requests" });
    await lab.clock.settle();
    assert.equal(lab.store.snapshot.status, "stale");
    for (let size = 0; size < 100; size++) lab.fake.push(changes(position("A", size)));
    await lab.clock.advance(9999);
    assert.deepEqual([lab.fake.reads.length, lab.text()], [2, "A 10 0"]);
    await lab.clock.advance(1);
    await lab.respond(position("A", 99));
    assert.deepEqual([lab.store.snapshot.status, lab.text()], ["live", "A 99 0"]);
    lab.store.dispose();
  });

  test("where changes are not pushed, they are read all the same, and the snapshot says why", async () => {
    const lab = createLab();
    lab.fake.setState(ready(1));
    lab.store.setVisible(true);
    lab.fake.setChannel({ kind: "refused", failure: { kind: "exchange", code: 13778, message: "raw" } });
    await lab.respond(position("A", 10));
    assert.deepEqual([lab.store.snapshot.status, lab.store.snapshot.failure?.kind], ["live", "exchange"]);
    await lab.clock.advance(5000);
    assert.equal(lab.fake.reads.length, 2);
    lab.store.dispose();
  });

  test("nothing is asked without the scope, and nothing of one account is shown under another's name", async () => {
    const lab = createLab();
    lab.fake.setState(ready(1, { ...IDENTITY, scope: "account:read" }));
    lab.store.setVisible(true);
    await lab.clock.settle();
    assert.deepEqual([lab.fake.reads.length, lab.store.snapshot.failure?.kind], [0, "missingScope"]);
    lab.fake.setState(ready(2));
    await lab.clock.settle();
    await lab.respond(position("A", 10));
    assert.equal(lab.text(), "A 10 0");
    lab.fake.setState({ status: "authenticating", generation: 3, isOtherSubject: true });
    assert.equal(lab.text(), "");
    lab.store.dispose();
  });

  test("a response that is no list, and rows that name no instrument", async () => {
    const lab = createLab();
    await open(lab, position("A", 1), { size: 5 }, 7);
    assert.deepEqual(lab.store.snapshot.unreadable, [{ size: 5 }, 7]);
    await lab.clock.advance(5000);
    lab.fake.reads.at(-1)?.respond({});
    await lab.clock.settle();
    assert.deepEqual([lab.store.snapshot.failure?.kind, lab.text()], ["unreadableResult", "A 1 0"]);
    lab.store.dispose();
  });
});

describe("the instruments of positions", () => {
  test("are wanted only where there is a position whose instrument is unknown", async () => {
    const lab = createLab();
    await open(lab);
    await lab.clock.advance(5000);
    await lab.respond(position("A", 1));
    assert.equal(lab.loads, 0);
    assert.equal(lab.store.instrumentOf({ instrument_name: "A" })?.currencies.settlement, "BTC");
    await lab.clock.advance(5000);
    await lab.respond(position("A", 1), position("NEW", 1));
    assert.equal(lab.loads, 1);
    assert.equal(lab.store.instrumentOf({ instrument_name: "NEW" }), undefined);
    lab.store.dispose();
  });

  test("a position without a size is held unless its direction is zero", () => {
    assert.deepEqual(
      [{ size: 0 }, { size: -1 }, {}, { direction: "zero" }, { size: 2, direction: "zero" }].map((members) =>
        isHeld({ instrument_name: "A", ...members }),
      ),
      [false, true, true, false, true],
    );
  });
});
