import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createAllowance } from "../../../src/actions/gate/allowance.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { tradingOffText } from "../../../src/actions/gate/tradingPermission.ts";
import { silentLog } from "../../../src/base/log.ts";
import { plain } from "../../../src/base/plain.ts";
import type { TradingLimits } from "../../../src/state/records.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { createFakeSession, exchangeFailure, type FakeSession } from "./fakeSession.ts";
import { createGateWorld, type GateWorld } from "./gateWorld.ts";

function production(scope?: string): GateWorld {
  const world = createGateWorld(scope === undefined ? {} : { scope });
  world.environment = "production";
  world.connectionName = "desk";
  return world;
}

describe("Allow Changes", () => {
  test("asks, and lasts for the time of the settings", async () => {
    const world = production();
    world.settings = { confirmCancel: "always", allowChangesMinutes: 5 };
    const changes: (number | undefined)[] = [];
    world.gate.onDidChangeAllowance(() => {
      changes.push(world.gate.changesAllowedUntilMs);
    });
    const startMs = world.clock.now();
    assert.equal(await world.gate.allowChanges(), true);
    assert.equal(world.questions[0]?.message, "Allow changes on PRODUCTION desk for 5 minutes?");
    assert.equal(world.gate.changesAllowedUntilMs, startMs + 300_000);
    await world.clock.advance(299_999);
    assert.equal(world.gate.changesAllowedUntilMs, startMs + 300_000);
    await world.clock.advance(1);
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
    assert.deepEqual(changes, [startMs + 300_000, undefined]);
  });

  test("a no leaves it read-only", async () => {
    const world = production();
    world.answer = () => false;
    assert.equal(await world.gate.allowChanges(), false);
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
  });

  test("a question that cannot be put leaves it read-only", async () => {
    const world = production();
    world.answer = async () => await Promise.reject(new Error("no window"));
    assert.equal(await world.gate.allowChanges(), false);
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
  });

  test("is not asked where nothing is locked, nor without a session", async () => {
    const world = production();
    world.environment = "test";
    assert.equal(await world.gate.allowChanges(), true);
    world.environment = "production";
    world.fake.lose();
    assert.equal(await world.gate.allowChanges(), false);
    assert.equal(world.questions.length, 0);
  });

  test("does not hold for a session that changed meanwhile", async () => {
    const world = production();
    world.answer = () => {
      world.fake.lose();
      world.fake.becomeReady();
      return true;
    };
    assert.equal(await world.gate.allowChanges(), false);
  });

  test("lets a cancel through with its own question", async () => {
    const world = production();
    await world.gate.allowChanges();
    assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
    const found = world.questions.map((question) => (question.kind === "modal" ? question.confirm : ""));
    assert.deepEqual(found, ["Allow Changes", "Cancel Order"]);
  });

  test("comes with the cancel on read-only production, for cancels alone", async () => {
    const world = production();
    assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
    assert.equal(world.questions.length, 1);
    assert.deepEqual(
      [world.gate.changesAllowedUntilMs, world.gate.cancelsAllowedUntilMs],
      [undefined, world.clock.now() + 30 * 60_000],
    );
  });

  test("but not when that was declined", async () => {
    const world = production();
    world.answer = () => false;
    await world.gate.submit(world.cancel());
    assert.deepEqual([world.gate.changesAllowedUntilMs, world.gate.cancelsAllowedUntilMs], [undefined, undefined]);
  });

  const endings: readonly (readonly [string, (fake: FakeSession) => void, boolean])[] = [
    ["disconnecting", (fake) => fake.session.disconnect(), true],
    [
      "a session that waits for the user",
      (fake) => fake.setState({ status: "locked", failure: exchangeFailure(13004) }),
      true,
    ],
    ["another account", (fake) => fake.becomeReady({ clientId: "key-2" }), true],
    ["a link that was lost", (fake) => fake.lose(), false],
    [
      "the same account on a new link",
      (fake) => {
        fake.lose();
        fake.becomeReady();
      },
      false,
    ],
    ["the scope in another order", (fake) => fake.becomeReady({ scope: "trade:read_write account:read" }), false],
  ];
  for (const [name, happen, isEnded] of endings) {
    test(`${isEnded ? "ends with" : "survives"} ${name}`, async () => {
      const world = production();
      await world.gate.allowChanges();
      happen(world.fake);
      assert.equal(world.gate.changesAllowedUntilMs === undefined, isEnded);
    });
  }

  test("ends with Make Read-Only", async () => {
    const world = production();
    await world.gate.allowChanges();
    world.gate.makeReadOnly();
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
    assert.equal(world.clock.pendingTimers, 0);
  });

  test("is over after a sleep in which no timer ran", () => {
    const clock = createFakeClock();
    const fake = createFakeSession(clock);
    fake.becomeReady();
    let sleptMs = 0;
    const allowance = createAllowance({
      clock: { ...clock, now: () => clock.now() + sleptMs },
      settings: () => ({ confirmCancel: "always", allowChangesMinutes: 30 }),
      environment: () => "production",
      session: fake.session,
      log: silentLog,
    });
    allowance.allow("changes");
    assert.notEqual(allowance.untilMs, undefined);
    sleptMs = 30 * 60_000;
    assert.equal(allowance.untilMs, undefined);
  });

  test("asked for again it starts anew", async () => {
    const world = production();
    await world.gate.allowChanges();
    await world.clock.advance(20 * 60_000);
    await world.gate.allowChanges();
    await world.clock.advance(20 * 60_000);
    assert.notEqual(world.gate.changesAllowedUntilMs, undefined);
    await world.clock.advance(10 * 60_000);
    assert.equal(world.gate.changesAllowedUntilMs, undefined);
  });
});

describe("Allow Trading", () => {
  const LIMITS = { largestOrderUsd: 50, totalUsd: 500 };

  /** A world whose user answers with limits. */
  function asking(asked: string[], answer: (world: GateWorld) => AskedLimits | Promise<AskedLimits>): GateWorld {
    let kept: TradingLimits | undefined;
    const world: GateWorld = createGateWorld(
      {},
      {
        trading: {
          limits: () => kept,
          keep: async (limits) => {
            kept = limits;
            await Promise.resolve();
          },
        },
        askLimit: async ({ place }) => {
          asked.push(place);
          return await answer(world);
        },
      },
    );
    return world;
  }
  type AskedLimits = typeof LIMITS | undefined;

  test("is not asked for on the simulator, nor without a session", async () => {
    const asked: string[] = [];
    const simulator = asking(asked, () => LIMITS);
    simulator.environment = "simulator";
    const waiting = asking(asked, () => LIMITS);
    waiting.fake.lose();
    const allowed = [await simulator.gate.allowTrading(), await waiting.gate.allowTrading()];
    assert.deepEqual([allowed, asked], [[true, false], []]);
  });

  test("is refused where the setting turns it off", async () => {
    const asked: string[] = [];
    const world = asking(asked, () => LIMITS);
    world.settings = { ...world.settings, allowTrading: "never" };
    await assert.rejects(world.gate.allowTrading(), { failure: { kind: "refused", reason: tradingOffText() } });
    assert.deepEqual(asked, []);
  });

  const notGiven: readonly (readonly [string, (world: GateWorld) => AskedLimits | Promise<AskedLimits>])[] = [
    ["is declined", () => undefined],
    ["cannot be asked for", async () => await Promise.reject(new Error("no window"))],
    [
      "was asked for another account",
      (world) => {
        world.fake.becomeReady({ clientId: "key-2" });
        return LIMITS;
      },
    ],
  ];
  for (const [name, answer] of notGiven)
    test(`that ${name} is none`, async () => {
      const asked: string[] = [];
      const world = asking(asked, answer);
      assert.deepEqual([await world.gate.allowTrading(), world.gate.trading, asked.length], [false, undefined, 1]);
    });

  test("that is declined the second time stays as it was", async () => {
    const asked: string[] = [];
    const world = asking(asked, () => (asked.length === 1 ? LIMITS : undefined));
    assert.deepEqual([await world.gate.allowTrading(), await world.gate.allowTrading()], [true, true]);
    assert.equal(asked.length, 2);
  });

  test("where it cannot be asked for is what it is", async () => {
    const limits = { ...LIMITS, usedUsd: 0 };
    const allowed = await Promise.all(
      [limits, undefined].map(async (each) => {
        const keep = async (): Promise<never> => await Promise.resolve(assert.fail("nothing is kept"));
        return await createGateWorld({}, { trading: { limits: () => each, keep } }).gate.allowTrading();
      }),
    );
    assert.deepEqual(allowed, [true, false]);
  });

  test("asks for the limits and keeps them until it is taken back; the setting can turn it off", async () => {
    const asked: string[] = [];
    const world = asking(asked, () => LIMITS);
    assert.equal(world.gate.trading, undefined);
    assert.equal(await world.gate.allowTrading(), true);
    assert.deepEqual([world.gate.trading, asked], [{ ...LIMITS, usedUsd: 0 }, ["TESTNET main"]]);
    world.settings = { ...world.settings, allowTrading: "never" };
    assert.equal(world.gate.trading, undefined);
    world.settings = { ...world.settings, allowTrading: "ask" };
    await world.gate.disallowTrading();
    assert.equal(world.gate.trading, undefined);
  });

  test("without a place to keep it there is none but on the simulator", () => {
    const world = createGateWorld({}, { trading: undefined });
    const largest = (["test", "simulator"] as const).map((environment) => {
      world.environment = environment;
      return world.gate.trading?.largestOrderUsd;
    });
    assert.deepEqual(largest, [undefined, Infinity]);
  });
});

describe("Allow Cancels and Cancel", () => {
  const wish = (method: string, paramsText = "{}"): Intent => ({
    method,
    paramsText,
    words: { action: plain`Do It`, target: plain`it`, detail: [], keep: plain`Keep` },
    origin: "requestFile",
    typed: "it",
  });
  const buy = wish("private/buy", '{"instrument_name":"ETH-PERPETUAL","amount":40}');
  async function cancelsAllowed(): Promise<GateWorld> {
    const world = production("account:read_write trade:read_write wallet:read_write");
    world.fake.put("O2", "open");
    world.fake.put("O3", "open");
    assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
    world.fake.onFrame = (_frame, response) => response.result(1);
    world.fake.frames.length = 0;
    world.questions.length = 0;
    return world;
  }
  const kinds = (world: GateWorld): readonly string[] =>
    world.questions.map((question) => (question.kind === "modal" ? question.confirm : `typed ${question.expected}`));

  const others: readonly Intent[] = [
    buy,
    wish("private/edit", '{"order_id":"O2","amount":10}'),
    wish("private/close_position", '{"instrument_name":"ETH-PERPETUAL","type":"market"}'),
    wish("private/mass_quote", '{"quote_id":"1","mmp_group":"default","quotes":[]}'),
    wish("private/withdraw", '{"currency":"BTC","address":"a","amount":1}'),
    wish("private/disable_api_key", '{"id":3}'),
    wish("private/reset_mmp", '{"index_name":"btc_usd"}'),
    wish("private/cancel_withdrawal", '{"currency":"BTC","id":1}'),
  ];
  for (const other of others) {
    test(`sends no ${other.method} of a request file afterwards`, async () => {
      const world = await cancelsAllowed();
      assert.deepEqual(await world.gate.submit(other), {
        kind: "notSent",
        failure: {
          kind: "refused",
          reason:
            "PRODUCTION desk currently allows only cancels. Use Allow Changes… to allow other changes for 30 minutes.",
        },
      });
      assert.deepEqual([world.fake.frames.length, world.questions.length], [0, 0]);
    });
  }

  const cancels: readonly (readonly [string, (world: GateWorld) => Promise<unknown>, readonly string[], number])[] = [
    ["another order", async (world) => await world.gate.submit(world.cancel("O2")), ["Cancel Order"], 1],
    [
      "several orders",
      async (world) => {
        const { intents, describe: words } = world.cancelAll(["O2", "O3"]);
        return await world.gate.submitAll(intents, words);
      },
      ["Cancel 2 Orders"],
      2,
    ],
    ["all that fit", async (world) => await world.gate.submit(wish("private/cancel_all")), ["Do It"], 1],
  ];
  for (const [name, submit, questions, frames] of cancels) {
    test(`lets a cancel of ${name} through with its own question, and lasts no longer for it`, async () => {
      const world = await cancelsAllowed();
      const untilMs = world.gate.cancelsAllowedUntilMs;
      await world.clock.advance(60_000);
      const submitted = submit(world);
      await world.clock.advance(1000);
      await submitted;
      assert.deepEqual(
        [kinds(world), world.fake.frames.length, world.gate.cancelsAllowedUntilMs],
        [questions, frames, untilMs],
      );
    });
  }

  test("several changes of which one is no cancel are refused together", async () => {
    const world = await cancelsAllowed();
    const outcomes = await world.gate.submitAll([world.cancel("O2"), buy], () => ({
      action: plain`Do`,
      target: plain`two`,
      detail: [],
      keep: plain`Keep`,
    }));
    assert.deepEqual([outcomes.map(({ kind }) => kind), world.fake.frames.length], [["notSent", "notSent"], 0]);
  });

  const endings: readonly (readonly [string, (world: GateWorld) => Promise<void> | void])[] = [
    ["the time of the settings", async (world) => await world.clock.advance(30 * 60_000)],
    ["Disallow Changes", (world) => world.gate.makeReadOnly()],
    [
      "Disconnect",
      (world) => {
        world.fake.session.disconnect();
        world.fake.becomeReady();
      },
    ],
  ];
  for (const [name, end] of endings) {
    test(`ends with ${name}; then the next cancel asks for it again`, async () => {
      const world = await cancelsAllowed();
      await end(world);
      assert.equal(world.gate.cancelsAllowedUntilMs, undefined);
      await world.gate.submit(world.cancel("O2"));
      assert.deepEqual(kinds(world), ["Allow Cancels and Cancel"]);
    });
  }

  test("gives way to Allow Changes", async () => {
    const world = await cancelsAllowed();
    assert.equal(await world.gate.allowChanges(), true);
    assert.deepEqual(
      [world.gate.changesAllowedUntilMs, world.gate.cancelsAllowedUntilMs],
      [world.clock.now() + 30 * 60_000, undefined],
    );
    await world.gate.submit(buy);
    assert.equal(world.fake.frames.length, 1);
  });

  test("opens nothing for a language model", async () => {
    const world = production();
    assert.equal((await world.gate.submit({ ...world.cancel(), origin: "chat" })).kind, "notSent");
    assert.deepEqual([world.questions.length, world.gate.cancelsAllowedUntilMs], [0, undefined]);
  });
});
