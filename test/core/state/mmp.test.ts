import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  combineSnapshots,
  freezesOf,
  groupOf,
  isFrozen,
  isMeant,
  type MmpGroup,
} from "../../../src/state/mmpGroups.ts";
import { silentLog } from "../../../src/base/log.ts";
import { MmpStore } from "../../../src/state/mmp.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { createAlarmSession } from "./alarmSession.ts";
import type { Snapshot } from "../../../src/state/snapshot.ts";

function reading(members: Partial<Snapshot<MmpGroup>>): Snapshot<MmpGroup> {
  return { status: "live", items: new Map(), readAtMs: 5, failure: undefined, unreadable: [], ...members };
}

describe("groups of market maker protection", () => {
  test("two readings as one: as fresh as the worse of those that are there, failed where both are", () => {
    const live = reading({});
    const older = reading({ readAtMs: 2 });
    const stale = reading({ status: "stale", failure: { kind: "notConnected" }, readAtMs: 3 });
    const loading = reading({ status: "loading", readAtMs: undefined });
    const noTrade = reading({
      status: "failed",
      readAtMs: undefined,
      failure: { kind: "missingScope", scope: "trade:read" },
    });
    const noRfq = reading({
      status: "failed",
      readAtMs: undefined,
      failure: { kind: "missingScope", scope: "block_rfq:read" },
    });
    const polled = reading({ failure: { kind: "refused", reason: "" } });
    const text = (...all: readonly Snapshot<MmpGroup>[]): string => {
      const { status, readAtMs, failure } = combineSnapshots(all);
      return [
        status,
        readAtMs ?? "-",
        failure === undefined ? "-" : failure.kind === "missingScope" ? failure.scope : failure.kind,
      ].join(" ");
    };
    assert.equal(text(live, older), "live 2 -");
    assert.equal(text(live, stale), "stale 3 notConnected");
    assert.equal(text(loading, live), "loading 5 -");
    assert.equal(text(noTrade, live), "live 5 -");
    assert.equal(text(live, polled), "live 5 refused");
    assert.equal(text(noTrade, noRfq), "failed - trade:read / block_rfq:read");
    assert.equal(text(noTrade), "failed - trade:read");
  });

  test("an event tells of a group, or of several; without an index of none", () => {
    const names = (data: unknown): string[] =>
      freezesOf(data, 1).map(
        (freeze) =>
          `${freeze.index_name} "${freeze.mmp_group}" ${String(freeze.block_rfq)} ${String(freeze.frozen_until)}`,
      );
    assert.deepEqual(names({ index_name: "btc_usd", frozen_until: 0 }), ['btc_usd "" false 0']);
    assert.deepEqual(
      names([
        { index_name: "btc_usd", frozen_until: 9, mmp_group: "g1" },
        { index_name: "eth_usd", frozen_until: 9, block_rfq: true },
      ]),
      ['btc_usd "g1" false 9', 'eth_usd "" true 9'],
    );
    assert.deepEqual(names({ frozen_until: 0 }), []);
    assert.deepEqual(names("frozen"), []);
  });

  test("a freeze ends at its time; one of 0 does not end by itself", () => {
    const [timed] = freezesOf({ index_name: "btc_usd", frozen_until: 9 }, 1);
    const [lasting] = freezesOf({ index_name: "btc_usd", frozen_until: 0 }, 1);
    assert.deepEqual(
      [8, 9].map((nowMs) => isFrozen(timed, nowMs)),
      [true, false],
    );
    assert.equal(isFrozen(lasting, Number.MAX_SAFE_INTEGER), true);
    assert.equal(isFrozen(undefined, 0), false);
  });

  test("which groups are meant", () => {
    const regular = groupOf({ index_name: "btc_usd", mmp_group: "", block_rfq: false }, false);
    const g1 = groupOf({ index_name: "btc_usd", mmp_group: "g1", block_rfq: false }, false);
    assert.deepEqual(
      [
        {},
        { index_name: "all" },
        { index_name: "eth_usd" },
        { index_name: "btc_usd", mmp_group: "" },
        { index_name: "btc_usd", mmp_group: "g1" },
      ].map((filter) => [isMeant(regular, filter), isMeant(g1, filter)]),
      [
        [true, true],
        [true, true],
        [false, false],
        [true, false],
        [false, true],
      ],
    );
  });

  test("a list that names another end of a freeze that was announced is about the same freeze", async () => {
    const clock = createFakeClock();
    const fake = createAlarmSession();
    const untilMs = clock.now() + 60_000;
    const frozen = { index_name: "btc_usd", mmp_group: "g1", block_rfq: false };
    fake.results.set("private/get_mmp_config", []);
    fake.results.set("private/get_mmp_status", ({ block_rfq: isRfq }: { readonly block_rfq?: boolean }) =>
      isRfq === true ? [] : [{ ...frozen, frozen_until: untilMs + 3 }],
    );
    const store = new MmpStore({ session: fake.session, clock, log: silentLog });
    const told: unknown[] = [];
    store.onDidFreeze(({ frozen_until: until }) => told.push(until));
    store.follow();
    fake.open(1);
    fake.push("user.mmp_trigger.any", { ...frozen, frozen_until: untilMs });
    await clock.settle();
    await store.refresh();
    assert.deepEqual(told, [untilMs]);
    fake.push("user.mmp_trigger.any", { ...frozen, frozen_until: untilMs + 30_000 });
    assert.deepEqual(told, [untilMs, untilMs + 30_000], "another announcement is another freeze");
    store.dispose();
  });
});
