import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { dryRunLines, dryRunOf } from "../../../../src/actions/gate/consent.ts";
import { effectOfCall } from "../../../../src/actions/judge/check.ts";
import type { Intent } from "../../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../../src/actions/judge/outcome.ts";
import type { Question } from "../../../../src/actions/intent/question.ts";
import { plain } from "../../../../src/base/plain.ts";
import { pluck } from "../../../pluck.ts";
import { aResponse, exchangeFailure, type UnmaskedResponse } from "../fakeSession.ts";
import { createGateWorld, type GateWorld } from "../gateWorld.ts";

/* What a change of the margin model would do is asked of the exchange first, and stands in the confirmation. */

const METHOD = "private/change_margin_model";

function change(paramsText: string): Intent {
  return {
    method: METHOD,
    paramsText,
    origin: "requestFile",
    words: {
      action: plain`Send change_margin_model`,
      target: plain`${METHOD}`,
      detail: [plain`From a.rpc.json.`],
      keep: plain`Don't Send`,
    },
  };
}

const BTC = {
  currency: "BTC",
  old_state: { initial_margin_rate: 0.25, maintenance_margin_rate: 0.2, available_balance: 1e-8 },
  new_state: { initial_margin_rate: 0.5, maintenance_margin_rate: 0.4, available_balance: 0 },
};
const BTC_LINE =
  "BTC: initial margin rate 0.25 → 0.5, maintenance margin rate 0.2 → 0.4, available balance 0.00000001 → 0";
const HEADING = "Dry run by the exchange, before → after:";
const NOTHING = "The exchange returned no usable dry run. Margins before and after are unknown.";

/** Responds to dry runs, and to the change itself with its figures. */
function worldWith(dryRun: (response: UnmaskedResponse) => void): GateWorld {
  const world = createGateWorld({ scope: "account:read_write" });
  world.fake.onFrame = ({ paramsText }, response) => {
    if (effectOfCall({ method: METHOD, paramsText }) === "read") dryRun(response);
    else response.result([BTC]);
  };
  return world;
}

function detailOf(question: Question | undefined): readonly string[] {
  return question?.kind === "modal" ? question.detail.split("\n") : assert.fail("no dialog");
}

describe("a change of the margin model", () => {
  test("is a dry run first; then the figures are confirmed, and the change is sent once, as it was written", async () => {
    const world = worldWith((response) => response.result([BTC]));
    const framesWhenAsked: number[] = [];
    world.answer = () => framesWhenAsked.push(world.fake.frames.length) > 0;
    const paramsText = '{"user_id":1.2E1,"margin_model":"cross_pm"}';
    const outcome = await world.gate.submit(change(paramsText));
    assert.equal(outcome.kind, "confirmed");
    assert.deepEqual(
      world.fake.frames.map(({ paramsText: sent, options }) => [sent, options.lane, options.generation]),
      [
        ['{"dry_run":true,"user_id":1.2E1,"margin_model":"cross_pm"}', "userRead", 1],
        [paramsText, "userWrite", 1],
      ],
    );
    assert.deepEqual(framesWhenAsked, [1], "the dry run comes before the only confirmation");
    assert.deepEqual(detailOf(world.questions[0]), [HEADING, BTC_LINE, "From a.rpc.json."]);
    assert.deepEqual(pluck(world.gate.activity, "phase"), ["done"], "a dry run is no change");
    assert.deepEqual(
      world.journal.records.map(({ event, paramsText: kept }) => [event, kept]),
      ["intent", "sent", "outcome"].map((event) => [event, paramsText]),
    );
  });

  test("that is declined leaves the dry run alone behind", async () => {
    const world = worldWith((response) => response.result([BTC]));
    world.answer = () => false;
    const outcome = await world.gate.submit(change('{"margin_model":"cross_pm"}'));
    assert.equal(outcome.kind === "notSent" && outcome.failure.kind, "declined");
    assert.deepEqual(pluck(world.fake.frames, "paramsText"), ['{"dry_run":true,"margin_model":"cross_pm"}']);
  });

  const withoutFigures: readonly (readonly [string, (response: UnmaskedResponse) => void, string])[] = [
    [
      "is refused",
      (response) => response.error(-32601, "Method not found"),
      "The exchange refused the dry run with error -32601 (Method not found). Margins before and after are unknown.",
    ],
    ["has no response", () => undefined, NOTHING],
    ["returns ok", (response) => response.result("ok"), NOTHING],
    ["returns no currency", (response) => response.result([]), NOTHING],
    ["returns null", (response) => response.result(null), NOTHING],
    [
      "needs a 2FA code",
      (response) => response.result({ security_key_authorization_required: true, challenge: "c" }),
      NOTHING,
    ],
    [
      "returns other members",
      (response) => response.result([{ currency: "BTC", old_state: "x", new_state: { initial_margin_rate: "0.5" } }]),
      NOTHING,
    ],
  ];
  for (const [name, dryRun, line] of withoutFigures)
    test(`whose dry run ${name} is confirmed without figures, and the dialog says so`, async () => {
      const world = worldWith(dryRun);
      const started = world.start(change('{"margin_model":"cross_pm"}'));
      await world.clock.advance(10_000);
      await started.promise;
      assert.deepEqual(detailOf(world.questions[0]), [line, "From a.rpc.json."]);
      assert.deepEqual([world.questions.length, world.fake.frames.length], [1, 2]);
      assert.deepEqual(world.codeQuestions, []);
    });

  test("is refused on read-only production before anything is sent", async () => {
    const world = worldWith((response) => response.result([BTC]));
    world.environment = "production";
    const outcome = await world.gate.submit(change('{"margin_model":"cross_pm"}'));
    assert.equal(outcome.kind === "notSent" && outcome.failure.kind, "refused");
    assert.deepEqual([world.questions.length, world.fake.frames.length], [0, 0]);
  });

  test("shows no confirmation when it was stopped during the dry run", async () => {
    const world = worldWith(() => undefined);
    const stop = new AbortController();
    const submitted = world.gate.submit(change('{"margin_model":"cross_pm"}'), { stop: stop.signal });
    await world.clock.settle();
    assert.equal(world.fake.frames[0]?.options.signal?.aborted, false);
    stop.abort();
    assert.equal(world.fake.frames[0].options.signal.aborted, true, "the dry run is given up");
    await world.clock.advance(10_000);
    const outcome = await submitted;
    assert.deepEqual(outcome, { kind: "notSent", failure: { kind: "stopped", wasSent: false } });
    assert.deepEqual([world.questions.length, world.fake.frames.length], [0, 1]);
  });

  const changes: readonly (readonly [string, (world: GateWorld) => void])[] = [
    ["the link", (world) => world.fake.becomeReady({ scope: "account:read_write" })],
    [
      "the account",
      (world) => world.fake.becomeReady({ subject: { id: 9, name: "desk" }, scope: "account:read_write" }),
    ],
    ["the environment", (world) => void (world.environment = "production")],
    ["the connection's name", (world) => void (world.connectionName = "other")],
  ];
  for (const [name, happen] of changes)
    test(`shows no confirmation with figures from before a change of ${name}`, async () => {
      const world = worldWith((response) => {
        happen(world);
        response.result([BTC]);
      });
      const outcome = await world.gate.submit(change('{"margin_model":"cross_pm"}'));
      assert.equal(outcome.kind === "notSent" && outcome.failure.kind, "situationChanged");
      assert.deepEqual([world.questions.length, world.fake.frames.length], [0, 1]);
    });
});

describe("a request that is a dry run itself", () => {
  test("is a read: sent as it stands without a confirmation, on read-only production too", async () => {
    const world = worldWith((response) => response.result([BTC]));
    world.environment = "production";
    const outcome = await world.gate.submit(change('{"margin_model":"cross_pm","dry_run":true}'));
    assert.equal(outcome.kind, "confirmed");
    assert.deepEqual(pluck(world.fake.frames, "paramsText"), ['{"margin_model":"cross_pm","dry_run":true}']);
    assert.deepEqual([world.questions.length, world.gate.activity.length, world.journal.records.length], [0, 0, 0]);
  });

  const writes: readonly string[] = [
    '{"margin_model":"cross_pm"}',
    '{"margin_model":"cross_pm","dry_run":false}',
    '{"margin_model":"cross_pm","dry_run":"true"}',
    '{"margin_model":"cross_pm","dry_run":1}',
    '{"margin_model":"cross_pm","dry_run":null}',
    '{"margin_model":"cross_pm","dry_run":true,"dry_run":false}',
    '{"margin_model":"cross_pm","dry_run":false,"dry_run":true}',
    String.raw`{"margin_model":"cross_pm","dry_run":false,"dry\u005frun":true}`,
    '{"margin_model":"cross_pm","Dry_Run":true}',
    '{"margin_model":"cross_pm","x":{"dry_run":true}}',
    '[{"dry_run":true}]',
    '{"dry_run":true',
  ];
  for (const paramsText of writes)
    test(`${paramsText} is none: nothing but a dry run is sent without a confirmation`, async () => {
      const world = worldWith((response) => response.result([BTC]));
      world.answer = () => false;
      assert.equal(effectOfCall({ method: METHOD, paramsText }), "write");
      const outcome = await world.gate.submit(change(paramsText));
      assert.equal(outcome.kind, "notSent");
      const sent = world.fake.frames.map((frame) => effectOfCall(frame));
      assert.deepEqual(
        sent,
        sent.map(() => "read"),
      );
    });

  test("no other method has a dry run, whatever its parameters say", () => {
    const paramsText = '{"dry_run":true}';
    assert.deepEqual(
      ["private/withdraw", "private/new_one", "private/get_positions"].map((method) => [
        effectOfCall({ method, paramsText }),
        dryRunOf({ ...change(paramsText), method }),
      ]),
      [
        ["money", undefined],
        ["write", undefined],
        ["read", undefined],
      ],
    );
  });
});

describe("the request of a dry run", () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["{}", '{"dry_run":true}'],
    ['{"a":1E400,"b":0.10}', '{"dry_run":true,"a":1E400,"b":0.10}'],
    ['{"a":1,"dry_run":false,"b":2}', '{"a":1,"dry_run":true,"b":2}'],
    ['{ "dry_run" : null }', '{ "dry_run" : true }'],
    ['{"dry_run":{"x":[1]},"b":"}"}', '{"dry_run":true,"b":"}"}'],
    ['{"dry_run":false,"dry_run":false}', undefined],
    [String.raw`{"dry\u005frun":false}`, String.raw`{"dry\u005frun":true}`],
  ];
  for (const [paramsText, expected] of rows)
    test(`of ${paramsText} is ${expected ?? "not made"}`, () =>
      assert.equal(dryRunOf(change(paramsText))?.paramsText, expected));
});

describe("the figures of a dry run", () => {
  const linesOf = (result: unknown): readonly string[] =>
    dryRunLines({ kind: "confirmed", response: aResponse(METHOD, 1, { result }) });

  test("are those that are there; one that is missing is a question mark", () => {
    assert.deepEqual(
      linesOf([BTC, { currency: 5, new_state: { available_balance: 2 } }, null, [], { currency: "ETH" }]),
      [HEADING, BTC_LINE, "?: initial margin rate ? → ?, maintenance margin rate ? → ?, available balance ? → 2"],
    );
    assert.deepEqual(linesOf(BTC), [HEADING, BTC_LINE], "a single row without a list");
  });

  test("of many currencies are cut, and the rest is counted", () => {
    const lines = linesOf(Array.from({ length: 23 }, () => BTC));
    assert.deepEqual([lines.length, lines.at(-1)], [22, "and 3 more"]);
  });

  test("hold nothing that passes for something else", () => {
    assert.match(linesOf([{ ...BTC, currency: "B\nTC\u202E" }])[1] ?? "", /^B\\u000ATC\\u202E: /);
    const refused: Outcome = {
      kind: "rejected",
      response: aResponse(METHOD, 1, {}),
      failure: exchangeFailure(1, "a\n$(check) ok"),
    };
    assert.match(
      dryRunLines(refused)[0] ?? "",
      /^The exchange refused the dry run with error 1 \(a\\u000A\$ \(check\) ok\)/,
    );
  });
});
