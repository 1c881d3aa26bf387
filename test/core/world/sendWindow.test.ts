import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "vitest";
import { cancelOneByOne } from "../../../src/actions/changes/cancelMany.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { switchSubject } from "../../../src/actions/connection/subaccounts.ts";
import { plain } from "../../../src/base/plain.ts";
import type { HttpForm } from "../../../src/rpc/httpRequest.ts";
import { outcomeText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { openOrders, orderLookups } from "../../../src/state/orders.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/*
 * From the confirmation to the send: one bound over whatever a change waits for. What the exchange received stands in
 * its ledger.
 */

const BOUND_MS = 8_000;
const MINUTES_MS = 600_000;
const SUB = 48_602;

/** A change of each kind; `nth` makes it differ from others of its kind. */
const KINDS: Readonly<Record<string, (nth: number) => Pick<Intent, "method" | "paramsText">>> = {
  cancel: (nth) => ({ method: "private/cancel", paramsText: `{"order_id":"ETH-${String(nth)}"}` }),
  order: (nth) => ({
    method: "private/buy",
    paramsText: `{"instrument_name":"ETH-PERPETUAL","amount":${String(nth)},"type":"market"}`,
  }),
  mass: (nth) => ({ method: "private/cancel_by_label", paramsText: `{"label":"l${String(nth)}"}` }),
  key: (nth) => ({ method: "private/disable_api_key", paramsText: `{"id":${String(nth)}}` }),
  money: (nth) => ({
    method: "private/withdraw",
    paramsText: `{"currency":"BTC","address":"a","amount":${String(nth)}}`,
  }),
  account: (nth) => switchSubject({ subjectId: nth }, { origin: "palette", unresolved: 0 }),
};
/** How long a cancel waits for its record. */
const CANCEL_JOURNAL_MS = 50;

interface Stage {
  readonly world: World;
  /** Lets the journal's first record be taken. */
  readonly write: () => void;
  /** Submits a change, and tells how long after the confirmation it was sent, and what came of it. */
  submit(intent: Pick<Intent, "method" | "paramsText">, transport?: HttpForm): Submitted;
}

interface Submitted {
  readonly method: string;
  readonly promise: Promise<Outcome>;
  outcome: Outcome | undefined;
  endedAfterMs: number | undefined;
  /** Ms from the confirmation to each frame of it that the exchange received. */
  sentAfterMs(): readonly number[];
  text(): string;
}

async function aStage(options: WorldOptions = {}, journal: "writes" | "hangs" = "writes"): Promise<Stage> {
  let write: () => void = () => undefined;
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  let confirmedAtMs = 0;
  const world = createWorld({
    declared: "test",
    onAppend: async ({ event }) => {
      if (event === "intent" && journal === "hangs") await written;
    },
    answer: () => {
      confirmedAtMs = world.clock.now();
      return true;
    },
    ...options,
  });
  await world.connect();
  return {
    world,
    write: () => write(),
    submit({ method, paramsText }, transport) {
      const intent: Intent = {
        method,
        paramsText,
        origin: "requestFile",
        words: { action: plain`Send`, target: plain`it`, detail: [], keep: plain`Keep` },
        ...(transport === undefined ? {} : { transport }),
      };
      const promise = world.live.gate.submit(intent);
      const submitted: Submitted = {
        method,
        promise,
        outcome: undefined,
        endedAfterMs: undefined,
        sentAfterMs: () =>
          world.exchange.control
            .ledger()
            .filter((each) => each.method === method && normal(each.paramsText) === normal(paramsText))
            .map(({ atMs }) => atMs - confirmedAtMs),
        text: () =>
          submitted.outcome === undefined
            ? ""
            : outcomeText(submitted.outcome, { intent, place: world.live.place, times: createTimes(0) }),
      };
      void promise.then((outcome) => {
        submitted.outcome = outcome;
        submitted.endedAfterMs = world.clock.now() - confirmedAtMs;
      });
      return submitted;
    },
  };
}

/** Parameters without the tokens that the session puts in. */
function normal(paramsText = "{}"): string {
  return JSON.stringify(JSON.parse(paramsText), (name, value: unknown) =>
    name === "access_token" || name === "refresh_token" ? undefined : value,
  );
}

/** Two calls at once and one a second after them, of every class of calls. */
const NARROW = {
  non_matching_engine: { burst: 2, rate: 1 },
  matching_engine: { trading: { total: { burst: 2, rate: 1 } } },
};

async function aNarrowStage(): Promise<Stage> {
  const stage = await aStage({ clientLimits: "exchange" });
  stage.world.exchange.control.setFault({
    method: "private/get_account_summaries",
    mutate: { how: "set", member: "limits", value: NARROW },
  });
  stage.world.live.disconnect();
  await stage.world.connect();
  await stage.world.clock.advance(10_000);
  return stage;
}

async function assertNeverSent(stage: Stage, submitted: Submitted, sentence: string): Promise<void> {
  assert.equal(submitted.endedAfterMs, BOUND_MS);
  assert.equal(submitted.text(), `Not sent to TESTNET lab, so nothing was changed: ${sentence}`);
  stage.write();
  await stage.world.clock.advance(MINUTES_MS);
  assert.deepEqual(submitted.sentAfterMs(), []);
  assert.deepEqual(
    stage.world.journal.records
      .filter(({ method, event }) => method === submitted.method && event !== "intent")
      .map(({ event, result }) => [event, result]),
    [["outcome", "notSent"]],
  );
  stage.world.live.dispose();
}

for (const [kind, make] of Object.entries(KINDS)) {
  const wish = make(SUB);

  describe(`from the confirmation to the send: ${kind}`, () => {
    test("nothing to wait for: at once", async () => {
      const stage = await aStage();
      const submitted = stage.submit(wish);
      await stage.world.clock.settle();
      assert.deepEqual(submitted.sentAfterMs(), [0]);
      stage.world.live.dispose();
    });

    test("the journal takes 5 s", async () => {
      const stage = await aStage({}, "hangs");
      const submitted = stage.submit(wish);
      await stage.world.clock.advance(5000);
      stage.write();
      await stage.world.clock.settle();
      assert.deepEqual(submitted.sentAfterMs(), [kind === "cancel" ? CANCEL_JOURNAL_MS : 5000]);
      stage.world.live.dispose();
    });

    test("the journal takes minutes", async () => {
      const stage = await aStage({}, "hangs");
      const submitted = stage.submit(wish);
      await stage.world.clock.advance(BOUND_MS);
      if (kind === "cancel") assert.deepEqual(submitted.sentAfterMs(), [CANCEL_JOURNAL_MS]);
      else
        await assertNeverSent(
          stage,
          submitted,
          "The change couldn't be recorded on the disk within 8 s. Check the disk, then try again.",
        );
      stage.world.live.dispose();
    });

    test("the session is in doubt for 4 s", async () => {
      const stage = await aStage();
      stage.world.exchange.control.setFault({ method: "public/test", holdMs: 4000 });
      stage.world.clock.sleep(60_000);
      const submitted = stage.submit(wish);
      await stage.world.clock.advance(BOUND_MS);
      assert.deepEqual(submitted.sentAfterMs(), [4000]);
      stage.world.live.dispose();
    });

    test("the session is held for longer", async () => {
      const stage = await aStage();
      stage.world.exchange.control.setFault({ method: "public/exchange_token", effect: "skipped", response: "none" });
      const holding = stage.submit(switchSubject({ subjectId: 1 }, { origin: "palette", unresolved: 0 }));
      await stage.world.clock.settle();
      assert.equal(holding.sentAfterMs().length, 1);
      const submitted = stage.submit({
        ...wish,
        paramsText: wish.paramsText.replace("}", ',"x":1}').replace(kind === "account" ? "" : ',"x":1', ""),
      });
      await stage.world.clock.advance(BOUND_MS);
      // While the account is being switched nothing else is switched.
      if (kind === "account") assert.equal(submitted.outcome?.kind, "notSent");
      else
        await assertNeverSent(
          stage,
          submitted,
          "The connection couldn't send the request within 8 s. Try again when the connection responds.",
        );
      stage.world.live.dispose();
    });

    if (kind === "account") return;

    test("the rate limit: some seconds, and longer", async () => {
      const stage = await aNarrowStage();
      const all = Array.from({ length: 14 }, (_, index) => stage.submit(make(index + 1)));
      await stage.world.clock.advance(BOUND_MS);
      const sent = all.filter((each) => each.sentAfterMs().length > 0);
      assert.ok(sent.length > 5 && sent.length < 12, String(sent.length));
      for (const each of sent) assert.ok(each.sentAfterMs().every((ms) => ms <= BOUND_MS));
      const refused = all.slice(sent.length);
      assert.equal(
        sent.length + refused.filter((each) => each.sentAfterMs().length === 0).length,
        all.length,
        "in their order",
      );
      for (const each of refused) {
        assert.equal(each.endedAfterMs, BOUND_MS);
        assert.equal(
          each.text(),
          "Not sent to TESTNET lab, so nothing was changed: The exchange's rate limit didn't allow the request within 8 s. Try again in a moment.",
        );
      }
      await stage.world.clock.advance(MINUTES_MS);
      assert.ok(refused.every((each) => each.sentAfterMs().length === 0));
      stage.world.live.dispose();
    });

    for (const [holdMs, isSent] of [
      [4000, true],
      [9500, false],
    ] as const) {
      test(`the sign-in over HTTP takes ${String(holdMs)} ms`, async () => {
        const stage = await aStage();
        stage.world.exchange.control.setFault({ method: "public/auth", holdMs });
        const submitted = stage.submit(wish, "post");
        await stage.world.clock.advance(BOUND_MS);
        if (isSent) assert.deepEqual(submitted.sentAfterMs(), [holdMs]);
        else
          await assertNeverSent(
            stage,
            submitted,
            "The request couldn't be sent over HTTP within 8 s. Try again when the server responds.",
          );
        stage.world.live.dispose();
      });
    }
  });
}

describe("from the confirmation to the send", () => {
  test("the waits share one bound: a journal of 5 s leaves 3 s for the sign-in", async () => {
    const stage = await aStage({}, "hangs");
    stage.world.exchange.control.setFault({ method: "public/auth", holdMs: 4000 });
    const submitted = stage.submit(KINDS["order"]!(1), "post");
    await stage.world.clock.advance(5000);
    stage.write();
    await stage.world.clock.advance(3000);
    await assertNeverSent(
      stage,
      submitted,
      "The request couldn't be sent over HTTP within 8 s. Try again when the server responds.",
    );
  });

  test("a disconnect ends the wait for the journal at once", async () => {
    const stage = await aStage({}, "hangs");
    const submitted = stage.submit(KINDS["order"]!(1));
    await stage.world.clock.advance(1000);
    stage.world.live.disconnect();
    await stage.world.clock.settle();
    assert.equal(
      submitted.text(),
      "Not sent to TESTNET lab, so nothing was changed: Not connected. Connect, then try again.",
    );
    assert.equal(submitted.endedAfterMs, 1000);
    stage.world.live.dispose();
  });

  test("what the computer slept through counts", async () => {
    const stage = await aStage({}, "hangs");
    const submitted = stage.submit(KINDS["order"]!(1));
    await stage.world.clock.advance(1000);
    stage.world.clock.sleep(60_000);
    stage.write();
    await stage.world.clock.advance(MINUTES_MS);
    assert.deepEqual([submitted.outcome?.kind, submitted.sentAfterMs()], ["notSent", []]);
    stage.world.live.dispose();
  });

  test("the signals of a run are left as they were, however many requests it has", async () => {
    const { world } = await aStage();
    const [signal, stop] = [new AbortController().signal, new AbortController().signal];
    const words = { action: plain`Buy`, target: "", detail: [], keep: "" } as const;
    for (let nth = 1; nth <= 3; nth++) {
      const submitted = world.live.gate.submit(
        { ...KINDS["order"]!(nth), words, origin: "requestFile" },
        { signal, stop },
      );
      await world.clock.advance(1000);
      assert.equal((await submitted).kind, "confirmed");
    }
    for (const each of [signal, stop]) assert.equal(getEventListeners(each, "abort").length, 0);
    world.live.dispose();
  });

  test("a code that is typed for a minute begins a bound of its own", async () => {
    const clock = { sleep: async (): Promise<void> => await Promise.resolve() };
    const stage = await aStage({
      askCode: async () => {
        await clock.sleep();
        return "123456";
      },
    });
    stage.world.exchange.control.setFault({
      method: "private/disable_api_key",
      mutate: {
        how: "result",
        value: {
          security_key_authorization_required: true,
          challenge: "c",
          security_keys: [{ type: "tfa", name: "" }],
        },
      },
    });
    clock.sleep = async () => await new Promise((resolve) => void stage.world.clock.after(50_000, resolve));
    stage.submit(KINDS["key"]!(1));
    await stage.world.clock.advance(55_000);
    assert.equal(stage.world.frames("private/disable_api_key").length, 2);
    stage.world.live.dispose();
  });
});

describe("a batch under the exchange's limits", () => {
  async function aBatch(
    count: number,
    options: WorldOptions = {},
  ): Promise<{
    readonly world: World;
    readonly stop: AbortController;
    readonly outcomes: Promise<Outcome[]>;
    readonly ids: readonly string[];
  }> {
    const world = createWorld({ declared: "test", orders: 0, clientLimits: "exchange", limits: true, ...options });
    for (let index = 0; index < count; index++)
      world.exchange.control.place({
        instrument_name: "BTC-PERPETUAL",
        direction: "buy",
        amount: 10,
        price: 1000 + index,
        label: "many",
      });
    await world.connect();
    const orders = openOrders(world.live.orders.snapshot);
    const { intents, describe: words } = cancelOneByOne(
      orders,
      { origin: "view", nowMs: world.clock.now(), ...orderLookups(world.live.orders) },
      undefined,
    );
    const stop = new AbortController();
    return {
      world,
      stop,
      outcomes: world.live.gate.submitAll(intents, words, { stop: stop.signal }),
      ids: orders.map(({ order_id: id }) => id),
    };
  }
  const kinds = (outcomes: readonly Outcome[]): string[] =>
    outcomes.map((each) => (each.kind === "notSent" ? each.failure.kind : each.kind));

  test("300 cancels with one confirmation: all are sent, in their order, within the limits", async () => {
    const { world, outcomes, ids } = await aBatch(300);
    await world.clock.advance(65_000);
    assert.deepEqual(new Set(kinds(await outcomes)), new Set(["confirmed"]));
    assert.equal(world.questions.length, 1);
    assert.deepEqual(
      world
        .frames("private/cancel")
        .map((text) => (JSON.parse(text) as { params: { order_id: string } }).params.order_id),
      ids,
    );
    assert.equal(world.live.state.status, "ready");
    world.live.dispose();
  });

  const ends: readonly (readonly [string, RegExp, (world: World, stop: AbortController) => void])[] = [
    ["Stop", /^stopped$/, (_world, stop) => stop.abort()],
    ["a disconnect", /^notConnected$/, (world) => world.live.disconnect()],
    ["Disallow Changes", /^situationChanged$/, (world) => world.live.gate.makeReadOnly()],
    [
      "a switch of the account",
      /^(?:notConnected|situationChanged)$/,
      (world) => void world.live.gate.submit(switchSubject({ subjectId: SUB }, { origin: "palette", unresolved: 0 })),
    ],
  ];
  for (const [name, failure, end] of ends) {
    test(`${name} ends the wait in line at once, and each that was not sent says so`, async () => {
      const { world, stop, outcomes } = await aBatch(
        300,
        name === "Disallow Changes" ? { declared: "production" } : {},
      );
      await world.clock.advance(10_000);
      end(world, stop);
      await world.clock.advance(100);
      const sent = world.frames("private/cancel").length;
      const found = kinds(await outcomes);
      assert.ok(sent > 20 && sent < 300, String(sent));
      assert.deepEqual(
        found.slice(sent).filter((kind) => !failure.test(kind)),
        [],
      );
      assert.equal(found.filter((kind) => kind === "confirmed").length, sent);
      await world.clock.advance(MINUTES_MS);
      assert.equal(world.frames("private/cancel").length, sent);
      world.live.dispose();
    });
  }
});
