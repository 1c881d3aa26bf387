import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { silentLog } from "../../../src/base/log.ts";
import type { Failure } from "../../../src/base/failure.ts";
import { receivedOf } from "../../../src/catalogue/reading.ts";
import { createAccountStore, type AccountStore } from "../../../src/state/account.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { createFakeStoreSession, ready, type FakeStoreSession } from "./fakeStoreSession.ts";

/* The account of a connection: read whole with two calls, then followed by what the exchange pushes. */

interface Lab {
  readonly clock: FakeClock;
  readonly fake: FakeStoreSession;
  readonly store: AccountStore;
  respond(result: unknown): Promise<void>;
  fail(failure: Failure): Promise<void>;
  text(): string;
}

const summary = (currency: string, equity: number): object => ({ currency, equity });
const OWNED = [{ id: 1, type: "main" }, { id: 2 }];

function createLab(): Lab {
  const clock = createFakeClock();
  const fake = createFakeStoreSession();
  const store = createAccountStore({ session: fake.session, clock, log: silentLog });
  return {
    clock,
    fake,
    store,
    async respond(result) {
      fake.reads.at(-1)?.respond(result, clock.now());
      await clock.settle();
    },
    async fail(failure) {
      fake.reads.at(-1)?.fail(failure);
      await clock.settle();
    },
    text: () => [...store.snapshot.items.values()].map((each) => `${each.currency} ${String(each.equity)}`).join(", "),
  };
}

async function open(lab: Lab, result: unknown, owned: unknown = OWNED): Promise<void> {
  lab.fake.setState(ready(1));
  lab.store.setVisible(true);
  lab.fake.setChannel({ kind: "accepted", generation: 1 });
  await lab.respond(result);
  await lab.respond(owned);
}

describe("the account of a connection", () => {
  test("is read with one call, its owner's accounts with one more, and then only followed", async () => {
    const lab = createLab();
    await open(lab, { id: 7, username: "ann", summaries: [summary("BTC", 1), summary("ETH", 2)] });
    assert.deepEqual(lab.fake.calls, [
      "subscribe user.portfolio.any",
      "read private/get_account_summaries 1",
      "read private/get_subaccounts 1",
    ]);
    assert.deepEqual([lab.text(), lab.store.profile], ["BTC 1, ETH 2", { id: 7, username: "ann" }]);
    assert.deepEqual(
      lab.store.owned.accounts.map(({ id }) => id),
      [1, 2],
    );
    await lab.clock.advance(600_000);
    assert.equal(lab.fake.reads.length, 2);
    assert.equal(lab.store.snapshot.status, "live");
    lab.store.dispose();
  });

  test("the owner's accounts are as old as the question for them, also after a sleep", async () => {
    const lab = createLab();
    lab.fake.setState(ready(1));
    lab.store.setVisible(true);
    await lab.respond({ summaries: [summary("BTC", 1)] });
    const askedAtMs = lab.clock.now();
    await lab.clock.advance(3000);
    // The call took 3 s, without the 2 s in which the clock stood still.
    lab.clock.sleep(2000, "stops");
    lab.fake.reads.at(-1)?.respond(OWNED, lab.clock.now(), 3000);
    await lab.clock.settle();
    assert.equal(lab.store.owned.readAtMs, askedAtMs);
    lab.store.dispose();
  });

  test("takes what is pushed, and keeps fees and limits, which are not", async () => {
    const lab = createLab();
    await open(lab, { summaries: [{ ...summary("BTC", 1), limits: { rate: 5 } }] });
    lab.fake.push(summary("BTC", 3));
    lab.fake.push([{ ...summary("USDT", 55), cross_collateral_enabled: true, total_equity_usd: 54.9 }]);
    assert.equal(lab.text(), "BTC 3, USDT 55");
    assert.deepEqual(receivedOf(lab.store.snapshot.items.get("BTC")!), { ...summary("BTC", 3), limits: { rate: 5 } });
    assert.equal(lab.store.newest?.total_equity_usd, 54.9, "totals are those of the newest event");
    assert.equal(lab.fake.reads.length, 2);
    for (const odd of [undefined, null, 7, {}, { equity: 5 }, []]) lab.fake.push(odd);
    assert.equal(lab.text(), "BTC 3, USDT 55");
    lab.store.dispose();
  });

  test("what is pushed during a reading is newer than its response, and leads to no other one", async () => {
    const lab = createLab();
    lab.fake.setState(ready(1));
    lab.store.setVisible(true);
    lab.fake.push(summary("BTC", 2));
    lab.fake.push(summary("ETH", 9));
    lab.fake.push({ ...summary("BTC", 3), total_equity_usd: 7 });
    await lab.respond({ summaries: [{ ...summary("BTC", 1), limits: { rate: 5 } }] });
    await lab.respond(OWNED);
    assert.deepEqual([lab.text(), lab.fake.reads.length], ["BTC 3, ETH 9", 2]);
    assert.deepEqual(lab.store.snapshot.items.get("BTC")?.limits, { rate: 5 });
    assert.equal(lab.store.newest?.total_equity_usd, 7);
    lab.store.dispose();
  });

  test("without events it is read every 10 s while it is shown", async () => {
    const lab = createLab();
    lab.fake.setState(ready(1));
    lab.store.setVisible(true);
    lab.fake.setChannel({ kind: "refused", failure: { kind: "exchange", code: 13778, message: "raw" } });
    await lab.respond({ summaries: [summary("BTC", 1)] });
    await lab.respond(OWNED);
    assert.equal(lab.store.snapshot.failure?.kind, "exchange");
    await lab.clock.advance(10_000);
    assert.equal(lab.fake.reads.length, 3);
    lab.store.dispose();
  });

  test("a server that does not list the owner's accounts says so, and the rest is there", async () => {
    const lab = createLab();
    lab.fake.setState(ready(1));
    lab.store.setVisible(true);
    await lab.respond({ summaries: [summary("BTC", 1)] });
    await lab.fail({ kind: "exchange", code: -32601, message: "Method not found" });
    assert.deepEqual([lab.text(), lab.store.owned.failure?.kind], ["BTC 1", "exchange"]);
    lab.store.dispose();
  });

  test("a momentary failure of that call is one of the whole reading, which is tried again", async () => {
    const lab = createLab();
    lab.fake.setState(ready(1));
    lab.store.setVisible(true);
    await lab.respond({ summaries: [summary("BTC", 1)] });
    await lab.fail({ kind: "exchange", code: 10028, message: "too_many_requests" });
    assert.equal(lab.store.snapshot.status, "failed");
    await lab.clock.advance(10_000);
    assert.equal(lab.fake.reads.length, 3);
    lab.store.dispose();
  });

  test("a response without summaries, and rows that name neither currency nor account", async () => {
    const lab = createLab();
    await open(lab, { summaries: [summary("BTC", 1), { equity: 4 }] }, [{ id: 1 }, { username: "x" }]);
    assert.deepEqual([lab.text(), lab.store.snapshot.unreadable], ["BTC 1", [{ equity: 4 }, { username: "x" }]]);
    void lab.store.refresh();
    await lab.respond([]);
    assert.deepEqual([lab.store.snapshot.status, lab.store.snapshot.failure?.kind], ["stale", "unreadableResult"]);
    lab.store.dispose();
  });

  test("nothing of one account is shown under another's name", async () => {
    const lab = createLab();
    await open(lab, { id: 7, summaries: [summary("BTC", 1)] });
    lab.fake.setState({ status: "authenticating", generation: 2, isOtherSubject: true });
    assert.deepEqual(
      [lab.text(), lab.store.profile, lab.store.newest, lab.store.owned.accounts],
      ["", {}, undefined, []],
    );
    lab.store.dispose();
  });
});
