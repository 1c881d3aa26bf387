import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { resetMmp, limitsIn, limitsOf, setMmpLimits, type MmpLimits } from "../../../src/actions/changes/mmpLimits.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { recordedIntents } from "../../../src/actions/journal/recordedIntents.ts";
import { toFailure } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import { intentState } from "../../../src/present/activity/activityWords.ts";
import { mmpNodes } from "../../../src/present/mmp/mmp.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { Json } from "../../../src/simulator/text/json.ts";
import { groupKey, type MmpGroup, type MmpGroupName } from "../../../src/state/mmpGroups.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { createMmpStore } from "../../../src/state/mmp.ts";

/* Setting the limits of market maker protection: what is in force stands in the simulator's own table. */

const times = createTimes(0);
const PLACE = "SIMULATOR lab";
const SET = "private/set_mmp_config";
const G1: MmpGroupName = { index_name: "btc_usd", mmp_group: "g1", block_rfq: false };
const RFQ: MmpGroupName = { index_name: "btc_usd", mmp_group: "", block_rfq: true };
const NEW: MmpGroupName = { index_name: "sol_usdc", mmp_group: "fast", block_rfq: false };
const ASKED: MmpLimits = { interval: "30", frozen_time: "5", max_quote_quantity: "2.50", delta_limit: "0.4" };

async function aWorld(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  world.live.storeOf(createMmpStore).setVisible(true);
  await world.clock.advance(1000);
  return world;
}

function listed(world: World, group: MmpGroupName): MmpGroup | undefined {
  return world.live.storeOf(createMmpStore).snapshot.items.get(groupKey(group));
}

/** The limits in force, without the number that the exchange gives them. */
function inForce(world: World, { index_name: index, mmp_group: group, block_rfq: isRfq }: MmpGroupName): unknown {
  const [config] = world.exchange.control.mmpConfigs({ index_name: index, mmp_group: group, block_rfq: isRfq });
  if (config === undefined) return undefined;
  return Object.fromEntries(Object.entries(config).filter(([name]) => name !== "id"));
}

function wish(world: World, group: MmpGroupName, limits: MmpLimits): Intent {
  const present = limitsOf(listed(world, group)?.config);
  return setMmpLimits(group, limits, {
    origin: "view",
    present,
    current: () => limitsOf(listed(world, group)?.config),
  });
}

async function submit(world: World, intent: Intent, runMs = 1000): Promise<Outcome> {
  const submitted = world.live.gate.submit(intent);
  await world.clock.advance(runMs);
  const outcome = await submitted;
  void world.live.storeOf(createMmpStore).refresh();
  await world.clock.advance(1000);
  return outcome;
}

function said(intent: Intent, outcome: Outcome): string {
  return outcomeText(outcome, { intent, place: plain`${PLACE}`, times });
}

function verdicts(world: World, intent: Intent): string[] {
  return (world.live.gate.activity[0]?.verdicts ?? []).map((verdict) =>
    verdictText(verdict, { intent, place: plain`${PLACE}`, times }),
  );
}

function activityState(world: World): string {
  const [newest] = recordedIntents(
    world.journal.records.map((record) => ({ record, holder: "here" as const, isKept: true })),
  );
  return newest === undefined ? "nothing" : intentState(newest);
}

function rowOf(world: World, group: MmpGroupName): string {
  const nodes = mmpNodes(world.live.storeOf(createMmpStore), { times, nowMs: world.clock.now() }).flatMap(
    (node) => node.below?.() ?? [],
  );
  const found = nodes.find(({ key }) => key === groupKey(group));
  return found === undefined ? "none" : `${found.label} | ${found.description}`;
}

describe("setting limits", () => {
  test("one question with the difference, the digits as typed, and the row says what is in force", async () => {
    const world = await aWorld();
    const intent = wish(world, G1, ASKED);
    const outcome = await submit(world, intent);
    assert.deepEqual(world.questions, [
      {
        kind: "modal",
        message: "Set the MMP limits for btc_usd group g1 on SIMULATOR lab?",
        detail: [
          "interval: 60 → 30",
          "frozen_time: 0 → 5",
          "quantity_limit: 3 → none (omitted, which removes the limit)",
          "delta_limit: none → 0.4",
          "unchanged: max_quote_quantity 2.50",
        ].join("\n"),
        confirm: "Set Limits",
        keep: "Keep Limits",
      },
    ]);
    assert.match(
      world.frames(SET)[0] ?? "",
      /"index_name":"btc_usd","mmp_group":"g1","interval":30,"frozen_time":5,"max_quote_quantity":2\.50,"delta_limit":0\.4/,
    );
    assert.equal(
      said(intent, outcome),
      "Set the MMP limits for btc_usd group g1 on SIMULATOR lab: confirmed by the exchange.",
    );
    assert.deepEqual(inForce(world, G1), {
      index_name: "btc_usd",
      mmp_group: "g1",
      interval: 30,
      frozen_time: 5,
      max_quote_quantity: 2.5,
      delta_limit: 0.4,
    });
    assert.equal(rowOf(world, G1), "group g1 | delta 0.4 / 30 s");
    assert.equal(world.frames(SET).length, 1);
    world.live.dispose();
  });

  test("a new group, and the limits of Block RFQ quotes with a number of trades", async () => {
    const world = await aWorld();
    assert.equal((await submit(world, wish(world, NEW, ASKED))).kind, "confirmed");
    assert.equal(rowOf(world, NEW), "group fast | delta 0.4 / 30 s");
    const rfq = await submit(
      world,
      wish(world, RFQ, { interval: "300", frozen_time: "0", max_quote_quantity: "25", trade_count_limit: "7" }),
    );
    assert.equal(rfq.kind, "confirmed");
    assert.deepEqual(inForce(world, RFQ), {
      index_name: "btc_usd",
      block_rfq: true,
      interval: 300,
      frozen_time: 0,
      max_quote_quantity: 25,
      trade_count_limit: 7,
    });
    assert.equal(rowOf(world, RFQ), "Block RFQ | trades 7 / 300 s");
    world.live.dispose();
  });

  test("an interval of 0 removes them, and the row goes", async () => {
    const world = await aWorld();
    const intent = wish(world, G1, { interval: "0" });
    const outcome = await submit(world, intent);
    const [question] = world.questions;
    assert.equal(question?.message, "Remove the MMP limits for btc_usd group g1 on SIMULATOR lab?");
    assert.match(
      JSON.stringify(question),
      /"detail":"An interval of 0 removes all limits\. .* no longer protected\.\\ninterval: 60 → none/,
    );
    assert.equal(
      said(intent, outcome),
      "Remove the MMP limits for btc_usd group g1 on SIMULATOR lab: confirmed by the exchange.",
    );
    assert.equal(inForce(world, G1), undefined);
    assert.equal(rowOf(world, G1), "none");
    world.live.dispose();
  });

  test("no difference is refused here: nothing is asked or sent", async () => {
    const world = await aWorld();
    assert.throws(
      () => wish(world, G1, limitsOf(listed(world, G1)?.config)),
      (thrown) => toFailure(thrown).kind === "refused",
    );
    assert.throws(
      () => wish(world, NEW, { interval: "0" }),
      (thrown) => toFailure(thrown).kind === "refused",
    );
    assert.deepEqual([world.questions.length, world.frames(SET).length], [0, 0]);
    world.live.dispose();
  });

  test("changed, or frozen, by another while the person is asked", async () => {
    const events: ((world: World) => void)[] = [
      (world) =>
        void world.exchange.control.configureMmp({
          ...G1,
          interval: 59,
          frozen_time: 0,
          max_quote_quantity: 2.5,
          quantity_limit: 3,
        }),
      (world) => void world.exchange.control.freezeMmp(G1),
    ];
    const kinds: string[] = [];
    for (const happen of events) {
      const world: World = await aWorld({
        answer: async () => {
          happen(world);
          void world.live.storeOf(createMmpStore).refresh();
          await world.clock.settle();
          return true;
        },
      });
      const outcome = await submit(world, wish(world, G1, ASKED));
      kinds.push(outcome.kind === "notSent" ? outcome.failure.kind : outcome.kind);
      assert.equal(world.frames(SET).length, outcome.kind === "notSent" ? 0 : 1);
      world.live.dispose();
    }
    // A freeze changes no limit: they are set all the same.
    assert.deepEqual(kinds, ["situationChanged", "confirmed"]);
  });

  test("without the scope, and on production that is read-only", async () => {
    const poor = await aWorld({ maxScope: "trade:read block_rfq:read_write" });
    const intent = wish(poor, G1, ASKED);
    assert.match(
      said(intent, await submit(poor, intent)),
      /^Not sent to SIMULATOR lab, so nothing was changed: .*trade:read_write/,
    );
    assert.equal((await submit(poor, wish(poor, RFQ, ASKED))).kind, "confirmed");
    assert.equal(poor.frames(SET).length, 1);
    poor.live.dispose();
    const production = await aWorld({ declared: "production" });
    const refused = await submit(production, wish(production, G1, ASKED));
    assert.equal(refused.kind === "notSent" ? refused.failure.kind : refused.kind, "refused");
    assert.equal(production.questions.length, 0);
    await production.live.gate.allowChanges();
    assert.equal((await submit(production, wish(production, G1, ASKED))).kind, "confirmed");
    assert.equal(production.questions.at(-1)?.kind, "modal");
    assert.equal(production.frames(SET).length, 1);
    production.live.dispose();
  });

  test("the exchange refuses: its reason is told, and nothing has changed", async () => {
    const world = await aWorld();
    const before = inForce(world, G1);
    const intent = {
      ...wish(world, G1, ASKED),
      paramsText:
        '{"index_name":"btc_usd","mmp_group":"g1","interval":30,"frozen_time":5,"max_quote_quantity":2.5,"vega_limit":0.12345}',
    };
    const outcome = await submit(world, intent);
    assert.equal(outcome.kind, "rejected");
    assert.match(said(intent, outcome), /refused by the exchange\. .*vega_limit/);
    assert.deepEqual(inForce(world, G1), before);
    world.live.dispose();
  });
});

describe("what the exchange answers", () => {
  const row = {
    index_name: "btc_usd",
    mmp_group: "g1",
    interval: 30,
    frozen_time: 5,
    max_quote_quantity: 2.5,
    delta_limit: 0.4,
  };
  const responses: readonly (readonly [string, Json, string])[] = [
    ["an array", [row], "confirmed by the exchange."],
    ["a single object", row, "confirmed by the exchange."],
    ["several groups", [{ ...row, mmp_group: "g2", interval: 1 }, row], "confirmed by the exchange."],
    [
      "another interval",
      [{ ...row, interval: 29 }],
      "the exchange returned a different result than requested: interval is 29 (requested: 30).",
    ],
    [
      "a limit that was left out",
      [{ ...row, quantity_limit: 3 }],
      "the exchange returned a different result than requested: quantity_limit is 3 (requested: none).",
    ],
    ["another group", [{ ...row, mmp_group: "g2" }], "outcome unknown, checking… "],
    ["nothing", [], "outcome unknown, checking… "],
    ["null", null, "outcome unknown, checking… "],
    ["a string", "ok", "outcome unknown, checking… "],
  ];
  for (const [name, value, words] of responses) {
    test(name, async () => {
      const world = await aWorld();
      world.exchange.control.setFault({ method: SET, mutate: { how: "result", value } });
      const intent = wish(world, G1, ASKED);
      const outcome = await submit(world, intent);
      assert.ok(
        said(intent, outcome).startsWith(`Set the MMP limits for btc_usd group g1 on SIMULATOR lab: ${words}`),
        said(intent, outcome),
      );
      // What is in force is read, whatever the response was.
      assert.equal(rowOf(world, G1), "group g1 | delta 0.4 / 30 s");
      if (outcome.kind === "unknown") {
        await world.clock.advance(10_000);
        assert.match(verdicts(world, intent)[0] ?? "", /verified at \d\d:\d\d:\d\d that it took effect/);
      }
      world.live.dispose();
    });
  }

  test("limits are read from either form", async () => {
    const world = await aWorld();
    const submitted = world.live.gate.submit({
      method: "private/get_mmp_config",
      paramsText: '{"index_name":"btc_usd","mmp_group":"g1"}',
      words: { action: plain`Read`, target: plain`limits`, detail: [], keep: plain`Cancel` },
      origin: "view",
    });
    await world.clock.advance(1000);
    const outcome = await submitted;
    assert.ok(outcome.kind === "confirmed");
    assert.deepEqual(limitsIn(outcome.response.result, G1), {
      interval: "60",
      frozen_time: "0",
      max_quote_quantity: "2.5",
      quantity_limit: "3",
    });
    world.live.dispose();
  });
});

describe("the response is lost", () => {
  const cases: readonly (readonly [string, MmpGroupName, MmpLimits, "applied" | "skipped", RegExp, string])[] = [
    ["a new group, not applied", NEW, ASKED, "skipped", /no effect yet at .* \(no limits\)/, "outcome unknown"],
    [
      "removed, applied",
      G1,
      { interval: "0" },
      "applied",
      /checked at \d\d:\d\d:\d\d: no limits\.$/,
      "verified: no limits",
    ],
    [
      "removed, not applied",
      G1,
      { interval: "0" },
      "skipped",
      /no effect yet at .* \(interval 60\)/,
      "outcome unknown",
    ],
  ];
  for (const [name, group, limits, effect, words, state] of cases) {
    test(`${name}: unknown, then what reading proves; one frame`, async () => {
      const world = await aWorld();
      world.exchange.control.setFault({ method: SET, effect, response: "none" });
      const intent = wish(world, group, limits);
      const outcome = await submit(world, intent, 16_000);
      assert.match(said(intent, outcome), /: outcome unknown, checking… /);
      await world.clock.advance(15_000);
      assert.match(verdicts(world, intent)[0] ?? "", words);
      assert.equal(activityState(world), state);
      assert.equal(world.frames(SET).length, 1);
      world.live.dispose();
    });
  }

  test("not applied, and changed or removed elsewhere meanwhile: neither as requested nor as before", async () => {
    for (const [interval, words] of [
      [59, /not as requested at .*: interval is 59 \(requested: 30\)/],
      [0, /not as requested at .*: no limits/],
    ] as const) {
      const world = await aWorld();
      world.exchange.control.setFault({ method: SET, effect: "skipped", response: "none" });
      const intent = wish(world, G1, ASKED);
      const submitted = world.live.gate.submit(intent);
      await world.clock.settle();
      world.exchange.control.configureMmp({ ...G1, interval, frozen_time: 0, max_quote_quantity: 2.5 });
      await world.clock.advance(30_000);
      assert.equal((await submitted).kind, "unknown");
      assert.match(verdicts(world, intent)[0] ?? "", words);
      world.live.dispose();
    }
  });
});

describe("resetting", () => {
  test("every index at once is for Block RFQ quotes only", async () => {
    const world = await aWorld();
    world.exchange.control.freezeMmp({ block_rfq: true });
    world.exchange.control.freezeMmp(G1);
    await world.clock.advance(1000);
    const all = { index_name: "all", mmp_group: "", config: undefined, freeze: undefined };
    const reset = (isRfq: boolean): Intent =>
      resetMmp(
        { ...all, block_rfq: isRfq },
        { origin: "view", nowMs: () => world.clock.now(), current: () => undefined, detail: [] },
      );
    const refused = reset(false);
    assert.match(said(refused, await submit(world, refused)), /refused by the exchange\. .*index_name/);
    assert.equal(world.exchange.control.frozen({ block_rfq: true }).length, 2);
    assert.equal((await submit(world, reset(true))).kind, "confirmed");
    assert.deepEqual(
      [world.exchange.control.frozen({ block_rfq: true }).length, world.exchange.control.frozen().length],
      [0, 1],
    );
    world.live.dispose();
  });
});
