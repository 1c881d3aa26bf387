import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { isAnsweredByCode, readChallenge, withSecondFactor } from "../../../src/actions/judge/secondFactor.ts";
import { plain } from "../../../src/base/plain.ts";
import { pluck } from "../../pluck.ts";
import { aResponse, exchangeFailure, type Frame, type UnmaskedResponse } from "./fakeSession.ts";
import { createGateWorld, type GateWorld } from "./gateWorld.ts";

const CHALLENGE = {
  security_key_authorization_required: true,
  security_keys: [{ type: "tfa", name: "phone" }],
  rp_id: "exchange.example",
  challenge: "challenge-7",
};
const KEY = {
  id: 4,
  client_id: "abc",
  name: "bot",
  enabled: true,
  max_scope: "trade:read",
  timestamp: 1,
  enabled_features: [],
  ip_whitelist: [],
};
const PARAMS = '{"id":4,"max_scope":"trade:read","price":1.50e1}';

const edit = (more: Partial<Intent> = {}): Intent => ({
  method: "private/change_scope_in_api_key",
  paramsText: '{"id":4,"max_scope":"trade:read"}',
  words: {
    action: plain`Change Scope`,
    target: plain`bot`,
    sentence: plain`Change the scope of bot`,
    detail: [],
    keep: plain`Keep Scope`,
  },
  origin: "palette",
  typed: "bot",
  ...more,
});

describe("a challenge and its code", () => {
  const challenged: Outcome = {
    kind: "challenge",
    response: aResponse("private/edit_api_key", 1, { result: CHALLENGE }),
  };
  const confirmed: Outcome = { kind: "confirmed", response: aResponse("private/edit_api_key", 2, { result: KEY }) };
  const intent = edit({ paramsText: PARAMS });

  async function play(
    first: Outcome,
    code: string | undefined,
    wish = intent,
  ): Promise<{ readonly outcome: Outcome; readonly sent: readonly string[]; readonly asked: readonly string[] }> {
    const sent: string[] = [];
    const asked: string[] = [];
    const outcome = await withSecondFactor(
      wish,
      async ({ paramsText }) => {
        sent.push(paramsText);
        return await Promise.resolve(sent.length === 1 ? first : confirmed);
      },
      async (sentence) => {
        asked.push(sentence);
        return await Promise.resolve(code);
      },
    );
    return { outcome, sent, asked };
  }

  test("the code goes into the same call, whose literals stay as they are", async () => {
    const { outcome, sent, asked } = await play(challenged, "123456");
    assert.equal(outcome, confirmed);
    assert.deepEqual(asked, ["Change the scope of bot"]);
    assert.deepEqual(sent, [
      PARAMS,
      '{"authorization_data":"123456","challenge":"challenge-7","id":4,"max_scope":"trade:read","price":1.50e1}',
    ]);
  });

  test("parameters may be empty", async () => {
    const { sent } = await play(challenged, "123456", edit({ paramsText: "{ }" }));
    assert.deepEqual(JSON.parse(sent[1] ?? ""), { authorization_data: "123456", challenge: "challenge-7" });
  });

  test("without a code it stays a challenge, and nothing more is sent", async () => {
    const { outcome, sent } = await play(challenged, undefined);
    assert.equal(outcome, challenged);
    assert.equal(sent.length, 1);
  });

  test("a second challenge is returned: only one code is requested", async () => {
    let asked = 0;
    let sent = 0;
    const send = async (): Promise<Outcome> => await Promise.resolve(++sent === 3 ? confirmed : challenged);
    const outcome = await withSecondFactor(intent, send, async () => await Promise.resolve(String(++asked)));
    assert.deepEqual([outcome, asked, sent], [challenged, 1, 2]);
  });

  test("a request with its own code asks for none", async () => {
    const { outcome, asked } = await play(
      challenged,
      "123456",
      edit({ paramsText: '{"id":4,"authorization_data":"111111"}' }),
    );
    assert.equal(outcome, challenged);
    assert.deepEqual(asked, []);
  });

  test("other outcomes ask for nothing", async () => {
    assert.deepEqual((await play(confirmed, "123456")).asked, []);
  });

  const results: readonly [string, unknown, boolean | undefined][] = [
    ["codes", CHALLENGE, true],
    ["codes and a stick", { ...CHALLENGE, security_keys: [{ type: "webauthn" }, { type: "tfa" }] }, true],
    ["a stick only", { ...CHALLENGE, security_keys: [{ type: "webauthn", name: "stick" }] }, false],
    ["no factors named", { ...CHALLENGE, security_keys: [] }, true],
    ["factors of another form", { ...CHALLENGE, security_keys: "tfa" }, true],
    ["no challenge", { security_key_authorization_required: true }, undefined],
    ["a challenge that is no text", { ...CHALLENGE, challenge: 7 }, undefined],
    ["nothing", null, undefined],
  ];
  for (const [name, result, expected] of results) {
    test(`${name}: ${String(expected)}`, () => {
      const challenge = readChallenge(result);
      assert.equal(challenge === undefined ? undefined : isAnsweredByCode(challenge), expected);
    });
  }
});

describe("a second factor at the gate", () => {
  /** The first frame is answered with a challenge, the next as told. */
  function challenging(world: GateWorld, second: (frame: Frame, response: UnmaskedResponse) => void): void {
    world.fake.onFrame = (frame, response) => {
      if (world.fake.frames.length === 1) response.result(CHALLENGE);
      else second(frame, response);
    };
  }

  test("one question, then the code, then the change; the code stands in no record", async () => {
    const world = createGateWorld({ scope: "account:read_write trade:read_write connection" });
    world.code = async () => await Promise.resolve("123456");
    challenging(world, (_frame, response) => response.result(KEY));
    const started = world.start(edit());
    await world.clock.settle();
    assert.equal(started.outcome?.kind, "confirmed");
    assert.equal(world.questions.length, 1);
    assert.deepEqual(world.codeQuestions, [{ sentence: "Change the scope of bot", place: "TESTNET main" }]);
    assert.equal(world.fake.frames.length, 2);
    assert.deepEqual(pluck(world.journal.records, "event"), ["intent", "sent", "sent", "outcome"]);
    const kept = JSON.stringify([world.journal.records, world.logged, world.gate.activity]);
    assert.ok(!kept.includes("123456"), "the code is kept nowhere");
  });

  test("while the code is asked for the entry is asking, and a second submit of it joins", async () => {
    const world = createGateWorld({ scope: "account:read_write trade:read_write connection" });
    let give: (code: string | undefined) => void = () => undefined;
    world.code = async () => await new Promise((resolve) => (give = resolve));
    challenging(world, (_frame, response) => response.result(KEY));
    const first = world.start(edit());
    await world.clock.settle();
    assert.equal(world.entry().phase, "asking");
    const second = world.start(edit());
    await world.clock.settle();
    give("123456");
    await world.clock.settle();
    assert.equal(first.outcome?.kind, "confirmed");
    assert.equal(second.outcome, first.outcome);
    assert.equal(world.fake.frames.length, 2);
  });

  test("the box is closed: nothing has been changed", async () => {
    const world = createGateWorld({ scope: "account:read_write trade:read_write connection" });
    challenging(world, () => assert.fail("no second frame"));
    const started = world.start(edit());
    await world.clock.settle();
    assert.equal(started.outcome?.kind, "challenge");
    assert.equal(world.entry().phase, "done");
  });

  test("the link is lost while the code is typed: it is not sent", async () => {
    const world = createGateWorld({ scope: "account:read_write trade:read_write connection" });
    world.code = async () => {
      world.fake.lose();
      world.fake.becomeReady();
      return await Promise.resolve("123456");
    };
    challenging(world, () => assert.fail("no second frame"));
    const started = world.start(edit());
    await world.clock.settle();
    assert.deepEqual(started.outcome, {
      kind: "notSent",
      failure: { kind: "situationChanged", changed: "connection" },
    });
  });

  test("a wrong code is a refusal that proves that nothing was done", async () => {
    const world = createGateWorld({ scope: "account:read_write trade:read_write connection" });
    world.code = async () => await Promise.resolve("999999");
    challenging(world, (_frame, response) => response.error(13668, "security_key_authorization_error"));
    const started = world.start(edit());
    await world.clock.settle();
    assert.equal(started.outcome?.kind, "rejected");
    assert.equal("failure" in started.outcome ? started.outcome.failure.kind : "", exchangeFailure(13668).kind);
    assert.equal(world.fake.frames.length, 2, "an old code is not sent again");
  });

  test("the response to the call with the code is lost: unknown, and not sent again", async () => {
    const world = createGateWorld({ scope: "account:read_write trade:read_write connection" });
    world.code = async () => await Promise.resolve("123456");
    challenging(world, () => undefined);
    const started = world.start(edit());
    await world.clock.settle();
    await world.clock.advance(15_000);
    assert.equal(started.outcome?.kind, "unknown");
    await world.clock.advance(120_000);
    assert.equal(world.fake.frames.length, 2);
  });
});
