import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { TreeSchedule } from "../../../../src/ui/tree/treeSchedule.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";
import { pluck } from "../../../pluck.ts";

interface Tried {
  readonly clock: FakeClock;
  readonly schedule: TreeSchedule;
  /** What was fired, with the time since the start in ms. */
  readonly fired: { readonly atMs: number; readonly what: "root" | readonly string[] }[];
  /** Rows that the editor shows and that read differently now. */
  readonly outdated: Set<string>;
  /** Groups that are closed. */
  readonly closed: Set<string>;
  /** Whether nothing may be drawn. */
  readonly hold: { isOn: boolean };
}

/** Rows are called `group/row`; whatever has no slash stands at the top. */
function tryIt(): Tried {
  const clock = createFakeClock();
  const fired: Tried["fired"] = [];
  const outdated = new Set<string>();
  const closed = new Set<string>();
  const hold = { isOn: false };
  const schedule = new TreeSchedule({
    clock,
    isHeld: () => hold.isOn,
    isOutdated: (id) => outdated.has(id),
    isOpen: (id) => !closed.has(id),
    rowsBelow: (id) => (id === "MANY" ? 2000 : 10),
    parentOf: (id) => (id.includes("/") ? id.slice(0, id.lastIndexOf("/")) : undefined),
    fire: (what) => void fired.push({ atMs: clock.monotonicMs(), what }),
  });
  return { clock, schedule, fired, outdated, closed, hold };
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `ETH/${String(index)}`);
}

describe("tree schedule", () => {
  test("changes of one moment are one fire, with the rows alone", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    for (const id of ["ETH/1", "ETH/2", "BTC/1"]) {
      outdated.add(id);
      schedule.changeRow(id);
    }
    await clock.advance(0);
    assert.deepEqual(fired, [{ atMs: 0, what: ["ETH/1", "ETH/2", "BTC/1"] }]);
    assert.equal(clock.pendingTimers, 0);
  });

  test("other figures wait while the user is active, a minute at most; anything else is drawn with them or before", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    for (const id of ["ETH/1", "ETH/2", "ETH/3"]) outdated.add(id);
    schedule.noticeHand();
    for (const id of ["ETH/1", "ETH/2", "SAME"]) schedule.changeFigures(id);
    schedule.changeRow("ETH/2");
    await clock.advance(4000);
    assert.deepEqual(fired, [{ atMs: 0, what: ["ETH/2"] }]);
    await clock.advance(2000);
    assert.deepEqual(fired.slice(1), [{ atMs: 5000, what: ["ETH/1"] }]);
    assert.equal(clock.pendingTimers, 0);
    // The user is active again and again.
    schedule.changeFigures("ETH/3");
    for (let second = 0; second < 62; second += 2) {
      schedule.noticeHand();
      await clock.advance(2000);
    }
    assert.deepEqual(pluck(fired.slice(2), "what"), [["ETH/3"]]);
    assert.ok((fired[2]?.atMs ?? 0) >= 66_000);
  });

  test("nothing is drawn while it is held, and all of it soon after", async () => {
    const { clock, schedule, fired, outdated, hold } = tryIt();
    const change = (id: string): void => {
      outdated.add(id);
      schedule.changeRow(id);
    };
    hold.isOn = true;
    change("ETH/1");
    await clock.advance(5000);
    assert.deepEqual(fired, []);
    hold.isOn = false;
    await clock.advance(250);
    assert.deepEqual(pluck(fired, "what"), [["ETH/1"]]);
    // It is held after a change has come.
    change("ETH/2");
    hold.isOn = true;
    await clock.advance(1000);
    change("ETH/3");
    assert.equal(fired.length, 1);
    hold.isOn = false;
    await clock.advance(250);
    assert.deepEqual(pluck(fired.slice(1), "what"), [["ETH/2", "ETH/3"]]);
    assert.equal(clock.pendingTimers, 0);
  });

  test("fires keep 250 ms apart however fast changes come", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    for (let tenth = 0; tenth < 30; tenth++) {
      const id = `ETH/${String(tenth)}`;
      outdated.add(id);
      schedule.changeRow(id);
      await clock.advance(100);
    }
    const gaps = fired.slice(1).map((each, index) => each.atMs - (fired[index]?.atMs ?? 0));
    assert.ok(fired.length >= 10, "the last state is shown while changes go on");
    assert.ok(
      gaps.every((gap) => gap >= 250),
      gaps.join(" "),
    );
  });

  test("a row that reads as before, or that the editor never asked for, is not fired", async () => {
    const { clock, schedule, fired } = tryIt();
    schedule.changeRow("ETH/1");
    await clock.advance(1000);
    assert.deepEqual(fired, []);
    assert.equal(clock.pendingTimers, 0);
  });

  test("a group with thousands of rows is drawn at the pace of groups, and not while the user is active", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    for (const id of ["MANY", "ETH"]) outdated.add(id);
    for (let quarter = 0; quarter < 40; quarter++) {
      for (const id of outdated) schedule.changeRow(id);
      if (quarter >= 24) schedule.noticeHand();
      await clock.advance(250);
    }
    const timesOf = (id: string): number[] => fired.filter(({ what }) => what.includes(id)).map(({ atMs }) => atMs);
    assert.equal(timesOf("ETH").length, 40);
    assert.deepEqual(timesOf("MANY"), [250, 1250, 3250]);
  });

  test("more than 200 rows take turns, oldest first", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    const ids = names(450);
    for (const id of ids) {
      outdated.add(id);
      schedule.changeRow(id);
    }
    await clock.advance(600);
    const found = fired.map((each) => [each.atMs, each.what.length]);
    assert.deepEqual(found, [
      [0, 200],
      [250, 200],
      [500, 50],
    ]);
    assert.deepEqual(
      fired.flatMap((each) => each.what),
      ids,
    );
  });

  test("a row that changes all the time is drawn with each tick, and then with its last state", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    outdated.add("ETH/1");
    for (let step = 0; step < 10; step++) {
      schedule.changeRow("ETH/1");
      await clock.advance(100);
    }
    await clock.advance(1000);
    assert.deepEqual(pluck(fired, "atMs"), [0, 250, 500, 750, 1000]);
  });

  test("a group is drawn at once after a calm, then with growing pauses while more comes, and brings its rows", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    outdated.add("ETH/1").add("BTC/1");
    schedule.changeRow("ETH/1");
    schedule.changeRow("BTC/1");
    for (let step = 0; step < 160; step++) {
      schedule.changeGroup("ETH");
      await clock.advance(110);
    }
    assert.deepEqual(fired[0], { atMs: 0, what: ["ETH", "BTC/1"] });
    const pauses = fired.slice(1).map((each, index) => each.atMs - (fired[index]?.atMs ?? 0));
    assert.deepEqual(pauses, [1000, 2000, 4000, 5000, 5000]);
    await clock.advance(20_000);
    const before = fired.length;
    schedule.changeGroup("ETH");
    await clock.advance(0);
    assert.equal(fired.length, before + 1, "a calm makes it prompt again");
  });

  test("a closed group is a row like others", async () => {
    const { clock, schedule, fired, closed } = tryIt();
    closed.add("ETH");
    for (let step = 0; step < 4; step++) {
      schedule.changeGroup("ETH");
      schedule.noticeHand();
      await clock.advance(250);
    }
    assert.deepEqual(pluck(fired, "atMs"), [0, 250, 500, 750]);
  });

  test("rows keep their places for five seconds after a sign of a hand, at most a minute after they changed", async () => {
    const { clock, schedule, fired } = tryIt();
    schedule.noticeHand();
    schedule.changeGroup("ETH");
    schedule.changeGroup(undefined);
    await clock.advance(4900);
    assert.equal(fired.length, 0);
    await clock.advance(400);
    assert.deepEqual(pluck(fired, "what"), ["root"]);
    await clock.advance(20_000);
    const sinceMs = clock.monotonicMs();
    schedule.changeGroup("ETH");
    schedule.noticeHand();
    for (let second = 0; second < 70; second++) {
      schedule.noticeHand();
      await clock.advance(1000);
    }
    const waits = fired.slice(1).map((each) => each.atMs - sinceMs);
    assert.equal(waits.length, 1);
    assert.ok((waits[0] ?? 0) >= 60_000 && (waits[0] ?? 0) < 61_000, String(waits[0]));
  });

  test("what the user asks to see is drawn although the hand is there", async () => {
    const { clock, schedule, fired } = tryIt();
    schedule.noticeHand("ETH/more");
    schedule.showGroup("ETH");
    await clock.advance(0);
    assert.deepEqual(fired, [{ atMs: 0, what: ["ETH"] }]);
  });

  test("the row under the hand keeps still for two seconds, the others change; its own response shows at once", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    outdated.add("ETH/1").add("ETH/2");
    schedule.noticeHand("ETH/1");
    schedule.changeRow("ETH/1");
    schedule.changeRow("ETH/2");
    await clock.advance(1900);
    assert.deepEqual(fired, [{ atMs: 0, what: ["ETH/2"] }]);
    await clock.advance(400);
    const found = fired.slice(1).flatMap((each) => each.what);
    assert.deepEqual(found, ["ETH/1"]);
    schedule.noticeHand("ETH/1");
    schedule.changeRow("ETH/1");
    schedule.releaseRow("ETH/1");
    await clock.advance(250);
    assert.equal(fired.length, 3);
  });

  test("a group that stands in another fired one comes with it", async () => {
    const { clock, schedule, fired } = tryIt();
    schedule.changeGroup("main/ETH");
    schedule.changeGroup("main");
    await clock.advance(0);
    assert.deepEqual(fired, [{ atMs: 0, what: ["main"] }]);
  });

  test("the root replaces everything that was waiting", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    outdated.add("ETH/1");
    schedule.changeRow("ETH/1");
    schedule.changeGroup("ETH");
    schedule.changeRoot();
    await clock.advance(2000);
    assert.deepEqual(fired, [{ atMs: 0, what: "root" }]);
  });

  test("rows that come on the first level draw everything, with growing pauses", async () => {
    const { clock, schedule, fired } = tryIt();
    for (let step = 0; step < 20; step++) {
      schedule.changeGroup(undefined);
      await clock.advance(250);
    }
    assert.deepEqual(pluck(fired, "atMs", "what"), [
      [0, "root"],
      [1000, "root"],
      [3000, "root"],
    ]);
    await clock.advance(10_000);
    assert.equal(fired.length, 4);
    assert.equal(clock.pendingTimers, 0);
  });

  test("nothing is fired while paused; resuming draws everything once", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    outdated.add("ETH/1");
    schedule.changeRow("ETH/1");
    schedule.pause();
    await clock.advance(1000);
    schedule.changeGroup("ETH");
    await clock.advance(1000);
    assert.deepEqual(fired, []);
    schedule.resume();
    await clock.advance(1000);
    assert.deepEqual(fired, [{ atMs: 2000, what: "root" }]);
    assert.equal(schedule.isPaused, false);
  });

  test("tells what was drawn a moment ago, alone or with its group", async () => {
    const { clock, schedule, outdated } = tryIt();
    outdated.add("ETH/1");
    schedule.changeRow("ETH/1");
    schedule.changeGroup("BTC");
    await clock.advance(900);
    assert.equal(schedule.wasFired("ETH/1", 1000), true);
    assert.equal(schedule.wasFired("ETH/2", 1000), false);
    assert.equal(schedule.wasFired("BTC/7", 1000), true, "rows of a group that was drawn may have moved");
    await clock.advance(200);
    assert.equal(schedule.wasFired("ETH/1", 1000), false);
    assert.equal(schedule.wasFired("BTC/7", 1000), false);
  });

  test("disposing leaves no timer and fires nothing", async () => {
    const { clock, schedule, fired, outdated } = tryIt();
    outdated.add("ETH/1");
    schedule.changeRow("ETH/1");
    schedule.dispose();
    await clock.advance(1000);
    assert.deepEqual(fired, []);
    assert.equal(clock.pendingTimers, 0);
  });
});
