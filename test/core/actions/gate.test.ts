import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import type { Changed } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import { pluck } from "../../pluck.ts";
import { exchangeFailure, type UnmaskedResponse } from "./fakeSession.ts";
import { createGateWorld, type GateWorld } from "./gateWorld.ts";
import { asPlain } from "../../asPlain.ts";

function request(method: string, params: unknown): Intent {
  return {
    method,
    paramsText: JSON.stringify(params),
    origin: "requestFile",
    words: { action: plain`Send Request`, target: asPlain(method), detail: [], keep: plain`Don't Send` },
  };
}

function failureOf(outcome: Outcome | undefined): unknown {
  return outcome !== undefined && "failure" in outcome ? outcome.failure : undefined;
}

/** Holds responses back. Returns those that were held so far, to be given when a test wants. */
function holdResponses({ fake }: GateWorld): (() => void)[] {
  const { onFrame } = fake;
  const responses: (() => void)[] = [];
  fake.onFrame = (frame, response) => {
    responses.push(() => onFrame(frame, response));
  };
  return responses;
}

describe("a cancel from question to outcome", () => {
  test("is not sent, and asks nothing, where what tells its outcome cannot be loaded", async () => {
    const missing = async (): Promise<never> => await Promise.reject(new Error("no such file"));
    const world = createGateWorld({}, { loadOutcomes: missing });
    const outcome = await world.gate.submit(world.cancel());
    assert.equal(outcome.kind, "notSent");
    assert.match(JSON.stringify(failureOf(outcome)), /no such file/);
    assert.deepEqual([world.questions, world.fake.frames], [[], []]);
  });

  test("needs confirmation, is written to the journal, sent once and confirmed by the exchange", async () => {
    const world = createGateWorld();
    const outcome = await world.gate.submit(world.cancel());
    assert.equal(outcome.kind, "confirmed");
    assert.deepEqual(pluck(world.questions, "message"), ["Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main?"]);
    assert.deepEqual(pluck(world.fake.frames, "method", "paramsText"), [["private/cancel", `{"order_id":"O1"}`]]);
    assert.deepEqual(pluck(world.journal.records, "event", "result"), [
      ["intent", undefined],
      ["sent", undefined],
      ["outcome", "confirmed"],
    ]);
    const { targetId, phase, connectionId } = world.entry();
    assert.deepEqual({ targetId, phase, connectionId }, { targetId: "O1", phase: "done", connectionId: "c1" });
    assert.equal(world.clock.pendingTimers, 0);
  });

  test("is sent as a write of the user, with the generation that was confirmed", async () => {
    const world = createGateWorld();
    await world.gate.submit(world.cancel());
    const { onSend, signal, ...options } = world.fake.frames[0]!.options;
    assert.deepEqual(options, { lane: "userWrite", asker: "command", generation: 1, timeoutMs: 15_000 });
    assert.ok(onSend);
    assert.equal(signal?.aborted, false);
  });

  test("can be given up, also after it was sent", async () => {
    const world = createGateWorld();
    const controller = new AbortController();
    const responses = holdResponses(world);
    const submitted = world.gate.submit(world.cancel(), { signal: controller.signal, timeoutMs: 700 });
    await world.clock.advance(100);
    const { signal, timeoutMs } = world.fake.frames[0]!.options;
    assert.deepEqual([signal?.aborted, timeoutMs], [false, 700]);
    controller.abort();
    assert.equal(signal?.aborted, true);
    for (const respond of responses) respond();
    await submitted;
  });

  const endings: readonly (readonly [string, (response: UnmaskedResponse) => void, string])[] = [
    ["refused", (response) => response.error(10010), "private/cancel rejected exchange 10010"],
    ["without a response", () => undefined, "private/cancel unknown timeout"],
    [
      "with a response that proves nothing",
      (response) => response.result("ok"),
      "private/cancel unknown unreadableResult",
    ],
  ];
  for (const [name, react, line] of endings) {
    test(`${name}: the log says how it ended`, async () => {
      const world = createGateWorld();
      world.fake.onFrame = (_frame, response) => react(response);
      world.start();
      await world.clock.advance(15_000);
      assert.ok(world.logged.includes(`intent ${world.entry().id}: ${line}`), world.logged.join("\n"));
    });
  }

  test("a code of the second factor is asked for in between, and the phases tell it", async () => {
    const world = createGateWorld({ scope: "account:read_write mainaccount" });
    world.fake.onFrame = (_frame, response) => {
      if (world.fake.frames.length === 1)
        response.result({
          security_key_authorization_required: true,
          security_keys: [{ type: "tfa", name: "phone" }],
          rp_id: "exchange.example",
          challenge: "challenge-7",
        });
      else response.result("ok");
    };
    world.code = async () => await Promise.resolve("123456");
    const phases: string[] = [];
    world.gate.onDidChangeActivity(({ phase }) => {
      phases.push(phase);
    });
    // A cancel is never asked for a code.
    const intent = { ...world.cancel(), method: "private/remove_subaccount", paramsText: '{"subaccount_id":5}' };
    assert.equal((await world.gate.submit(intent)).kind, "confirmed");
    assert.deepEqual(phases, ["asking", "sending", "asking", "sending", "done"]);
    assert.deepEqual(world.codeQuestions, [{ sentence: "Cancel ETH-PERPETUAL buy 40 @ 2100", place: "TESTNET main" }]);
  });

  test("what was never handed to the link was not sent, whatever kept it back", async () => {
    const world = createGateWorld();
    world.fake.sendFault = () => ({ kind: "timeout", timeoutMs: 10_000 });
    assert.deepEqual(await world.gate.submit(world.cancel()), {
      kind: "notSent",
      failure: { kind: "timeout", timeoutMs: 10_000 },
    });
    assert.equal(world.fake.reads.length, 0);
  });

  test("shows its phases", async () => {
    const world = createGateWorld();
    const phases: string[] = [];
    world.gate.onDidChangeActivity((entry) => {
      phases.push(`${entry.phase} ${entry.outcome?.kind ?? "-"}`);
    });
    await world.gate.submit(world.cancel());
    assert.deepEqual(phases, ["asking -", "sending -", "done confirmed"]);
  });

  test("a listener that throws does not change the outcome", async () => {
    const world = createGateWorld();
    world.gate.onDidChangeActivity(() => {
      throw new Error("view is broken");
    });
    assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
    assert.ok(world.logged.some((line) => line.includes("view is broken")));
  });

  test("a no is not sent", async () => {
    const world = createGateWorld();
    world.answer = () => false;
    assert.deepEqual(await world.gate.submit(world.cancel()), { kind: "notSent", failure: { kind: "declined" } });
    assert.equal(world.fake.frames.length, 0);
    assert.equal(world.journal.records.length, 0);
    assert.deepEqual([world.entry().phase, failureOf(world.entry().outcome)], ["done", { kind: "declined" }]);
  });

  test("a question that cannot be put is not a yes", async () => {
    const world = createGateWorld();
    world.answer = async () => await Promise.reject(new Error("no window"));
    assert.equal((await world.gate.submit(world.cancel())).kind, "notSent");
    assert.equal(world.fake.frames.length, 0);
  });

  test("given up while asked is not sent", async () => {
    const world = createGateWorld();
    const controller = new AbortController();
    world.answer = () => {
      controller.abort();
      return true;
    };
    const outcome = await world.gate.submit(world.cancel(), { signal: controller.signal });
    assert.deepEqual(failureOf(outcome), { kind: "stopped", wasSent: false });
    assert.deepEqual([world.fake.frames.length, world.journal.records.length], [0, 0]);
  });
});

describe("what is refused without asking", () => {
  const cases: readonly (readonly [string, (world: GateWorld) => Intent, unknown])[] = [
    [
      "text that is not JSON",
      () => ({ ...request("private/cancel", {}), paramsText: "{" }),
      {
        kind: "invalidParams",
        problems: [{ path: [], message: "the parameters are not a JSON object that can be sent", severity: "error" }],
      },
    ],
    [
      "an array",
      () => request("private/invented", []),
      {
        kind: "invalidParams",
        problems: [{ path: [], message: "the parameters are not a JSON object that can be sent", severity: "error" }],
      },
    ],
    [
      "a missing parameter",
      () => request("private/cancel", {}),
      { kind: "invalidParams", problems: [{ path: [], message: "order_id is missing", severity: "error" }] },
    ],
    [
      "a parameter of the wrong type",
      () => request("private/cancel", { order_id: 7 }),
      {
        kind: "invalidParams",
        problems: [{ path: ["order_id"], message: "expected a string, got 7", severity: "error" }],
      },
    ],
    [
      "a text too deep to be read",
      () => ({ ...request("private/invented", {}), paramsText: `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}` }),
      {
        kind: "invalidParams",
        problems: [{ path: [], message: "the parameters are not a JSON object that can be sent", severity: "error" }],
      },
    ],
    [
      "a name that stands twice",
      () => ({ ...request("private/cancel", {}), paramsText: `{"order_id":"O1","order_id":"O2"}` }),
      { kind: "invalidParams", problems: [{ path: [], message: "duplicate key", severity: "error" }] },
    ],
    [
      "a session request",
      () => request("private/logout", {}),
      {
        kind: "refused",
        reason: "private/logout can't be sent because it would end the shared connection. Use Disconnect.",
      },
    ],
    [
      "a write on read-only production",
      (world) => {
        world.environment = "production";
        world.connectionName = "desk";
        return request("private/buy", { instrument_name: "ETH-PERPETUAL" });
      },
      { kind: "refused", reason: "PRODUCTION desk is read-only. Use Allow Changes… to allow changes for 30 minutes." },
    ],
  ];
  for (const [name, make, expected] of cases) {
    test(name, async () => {
      const world = createGateWorld();
      const outcome = await world.gate.submit(make(world));
      assert.deepEqual(outcome, { kind: "notSent", failure: expected });
      assert.equal(world.questions.length, 0);
      assert.equal(world.fake.frames.length, 0);
    });
  }

  const identities: readonly (readonly [string, Parameters<typeof createGateWorld>[0], Outcome["kind"], unknown])[] = [
    [
      "a key without the scope",
      { scope: "account:read trade:read connection" },
      "notSent",
      { kind: "missingScope", scope: "trade:read_write" },
    ],
    [
      "a key whose area is none",
      { scope: "trade:none" },
      "notSent",
      { kind: "missingScope", scope: "trade:read_write" },
    ],
    ["a gateway with scope words of its own", { scope: "orders connection" }, "confirmed", undefined],
    ["a gateway that grants nothing in words", { scope: "" }, "confirmed", undefined],
    [
      "a connection without a key",
      { authentication: "none", clientId: undefined, scope: "" },
      "notSent",
      { kind: "noKey" },
    ],
  ];
  for (const [name, identity, kind, failure] of identities) {
    test(name, async () => {
      const world = createGateWorld(identity);
      const outcome = await world.gate.submit(world.cancel());
      assert.equal(outcome.kind, kind);
      assert.deepEqual(failureOf(outcome), failure);
      assert.equal(world.questions.length, kind === "notSent" ? 0 : 1);
    });
  }

  test("anything that changes something while there is no session", async () => {
    const world = createGateWorld();
    world.fake.lose();
    assert.deepEqual(failureOf(await world.gate.submit(world.cancel())), { kind: "notConnected" });
    assert.equal(world.questions.length, 0);
  });

  test("except a request with an unknown parameter, which is sent", async () => {
    const world = createGateWorld();
    const outcome = await world.gate.submit(request("private/cancel", { order_id: "O1", colour: "red" }));
    assert.equal(outcome.kind, "confirmed");
    assert.equal(world.fake.frames[0]?.paramsText, `{"order_id":"O1","colour":"red"}`);
  });
});

describe("reads", () => {
  const read = (params: unknown): Intent => request("private/get_open_orders", params);
  test("are sent without a question, and neither listed nor journalled", async () => {
    const world = createGateWorld();
    world.environment = "production";
    world.fake.onFrame = (_frame, response) => response.result([]);
    assert.equal((await world.gate.submit(read({}))).kind, "confirmed");
    assert.deepEqual(
      [world.questions.length, world.gate.activity.length, world.journal.records.length, world.fake.frames.length],
      [0, 0, 0, 1],
    );
    assert.deepEqual(world.fake.frames[0]?.options, { lane: "userRead", asker: "requestFile", timeoutMs: 10_000 });
  });
  test("can be given up, and wait as long as is wanted", async () => {
    const world = createGateWorld();
    world.fake.onFrame = (_frame, response) => response.result([]);
    const controller = new AbortController();
    await world.gate.submit(read({}), { signal: controller.signal, timeoutMs: 700 });
    assert.deepEqual(world.fake.frames[0]?.options, {
      lane: "userRead",
      asker: "requestFile",
      timeoutMs: 700,
      signal: controller.signal,
    });
  });
  test("that need a 2FA code ask for it with their name and place; those of a language model do not", async () => {
    const challenge = {
      security_key_authorization_required: true,
      security_keys: [{ type: "tfa", name: "phone" }],
      rp_id: "exchange.example",
      challenge: "challenge-7",
    };
    const world = createGateWorld();
    world.fake.onFrame = (_frame, response) => response.result(world.fake.frames.length === 1 ? challenge : []);
    world.code = async () => await Promise.resolve("123456");
    assert.equal((await world.gate.submit(read({}))).kind, "confirmed");
    assert.deepEqual(world.codeQuestions, [
      { sentence: "Send Request: private/get_open_orders", place: "TESTNET main" },
    ]);
    const { length } = world.fake.frames;
    world.fake.onFrame = (_frame, response) => response.result(challenge);
    assert.equal((await world.gate.submit({ ...read({}), origin: "chat" })).kind, "challenge");
    assert.deepEqual([world.fake.frames.length - length, world.codeQuestions.length], [1, 1]);
  });
  test("with a broken rule of a method that no view sends are refused too", async () => {
    const world = createGateWorld();
    const outcome = await world.gate.submit(request("public/ticker", { instrument_name: 5 }));
    assert.deepEqual([outcome.kind, world.fake.frames.length], ["notSent", 0]);
  });
  test("with a broken rule are refused with the place, and sent when wanted anyway", async () => {
    const world = createGateWorld();
    world.fake.onFrame = (_frame, response) => response.error(-32602, "Invalid params");
    const refused = await world.gate.submit(read({ kind: "futures" }));
    assert.equal(refused.kind, "notSent");
    const failure = failureOf(refused) as { problems: { path: unknown }[] };
    assert.deepEqual(failure.problems[0]?.path, ["kind"]);
    assert.equal(world.fake.frames.length, 0);
    assert.equal((await world.gate.submit(read({ kind: "futures" }), { sendAnyway: true })).kind, "rejected");
    assert.equal(world.fake.frames.length, 1);
  });
  test("writes are not sent anyway", async () => {
    const world = createGateWorld();
    assert.equal(
      (await world.gate.submit(request("private/cancel", { order_id: 7 }), { sendAnyway: true })).kind,
      "notSent",
    );
    assert.equal(world.fake.frames.length, 0);
  });
  test("without a response have failed, not changed anything", async () => {
    const world = createGateWorld();
    world.fake.onFrame = () => undefined;
    const started = world.start(read({}));
    await world.clock.advance(10_000);
    assert.deepEqual(started.outcome, {
      kind: "failed",
      failure: { kind: "timeout", timeoutMs: 10_000 },
      response: undefined,
    });
  });
  test("while there is no session are not sent", async () => {
    const world = createGateWorld();
    world.fake.lose();
    assert.deepEqual(failureOf(await world.gate.submit(read({}))), { kind: "notConnected" });
  });
});

describe("what changed while the question was open (F73)", () => {
  const changes: readonly (readonly [string, Changed, (world: GateWorld) => void])[] = [
    [
      "the link was made anew",
      "connection",
      (world) => {
        world.fake.lose();
        world.fake.becomeReady();
      },
    ],
    ["the link was lost", "connection", (world) => world.fake.lose()],
    ["another account signed in", "account", (world) => world.fake.becomeReady({ clientId: "key-2" })],
    [
      "the environment is another one",
      "environment",
      (world) => {
        world.environment = "production";
      },
    ],
    [
      "the connection has another name",
      "name",
      (world) => {
        world.connectionName = "backup";
      },
    ],
    ["the order was amended", "order", (world) => world.fake.put("O1", "open", { price: 2200 })],
    ["the order was made larger", "order", (world) => world.fake.put("O1", "open", { amount: 80 })],
  ];
  for (const [name, changed, change] of changes) {
    test(`${name}: not sent, also after a yes`, async () => {
      const world = createGateWorld();
      world.answer = () => {
        change(world);
        return true;
      };
      assert.deepEqual(await world.gate.submit(world.cancel()), {
        kind: "notSent",
        failure: { kind: "situationChanged", changed },
      });
      assert.equal(world.fake.frames.length, 0);
      assert.equal(world.journal.records.length, 0);
    });
  }
  test("changes were no longer allowed", async () => {
    const world = createGateWorld();
    world.environment = "production";
    await world.gate.allowChanges();
    world.answer = () => {
      world.gate.makeReadOnly();
      return true;
    };
    assert.deepEqual(failureOf(await world.gate.submit(world.cancel())), {
      kind: "situationChanged",
      changed: "permission",
    });
  });
  const harmless: readonly (readonly [string, (world: GateWorld) => void])[] = [
    ["a part was filled", (world) => world.fake.put("O1", "open", { filled_amount: 12 })],
    [
      "the order is not known any more",
      (world) => {
        world.fake.orders.delete("O1");
      },
    ],
  ];
  for (const [name, change] of harmless) {
    test(`${name}: sent`, async () => {
      const world = createGateWorld();
      world.answer = () => {
        change(world);
        return true;
      };
      await world.gate.submit(world.cancel());
      assert.equal(world.fake.frames.length, 1);
    });
  }
  test("whether it is as it was shown cannot be found out: not sent", async () => {
    const world = createGateWorld();
    const changedObject = (): never => {
      throw new Error("gone");
    };
    assert.equal((await world.gate.submit({ ...world.cancel(), changedObject })).kind, "notSent");
    assert.equal(world.fake.frames.length, 0);
  });
  test("a cancel without a confirmation is sent, although its order has changed", async () => {
    const world = createGateWorld();
    world.settings = { confirmCancel: "productionOnly", allowChangesMinutes: 30 };
    assert.equal((await world.gate.submit({ ...world.cancel(), changedObject: () => "order" })).kind, "confirmed");
    assert.equal(world.questions.length, 0);
  });
  test("made read-only while the journal took its time: not sent", async () => {
    const world = createGateWorld();
    world.environment = "production";
    world.connectionName = "desk";
    await world.gate.allowChanges();
    world.onAppend = async ({ event }) => {
      if (event === "intent") world.gate.makeReadOnly();
      await Promise.resolve();
    };
    assert.deepEqual(await world.gate.submit(world.cancel()), {
      kind: "notSent",
      failure: { kind: "situationChanged", changed: "permission" },
    });
    assert.equal(world.fake.frames.length, 0);
  });
  test("the words cannot be exchanged for other parameters afterwards", async () => {
    const world = createGateWorld();
    world.fake.put("O2", "open");
    const intent = { ...world.cancel("O1") };
    world.answer = () => {
      intent.paramsText = `{"order_id":"O2"}`;
      return true;
    };
    await world.gate.submit(intent);
    assert.equal(world.fake.frames[0]?.orderId, "O1");
  });
});

describe("the journal", () => {
  test("has the intent before the frame leaves", async () => {
    const world = createGateWorld();
    const order: string[] = [];
    world.onAppend = async ({ event }) => {
      order.push(event);
      await Promise.resolve();
    };
    const { onFrame } = world.fake;
    world.fake.onFrame = (frame, response) => {
      order.push("frame");
      onFrame(frame, response);
    };
    await world.gate.submit(world.cancel());
    assert.deepEqual(order, ["intent", "sent", "frame", "outcome"]);
  });
  test("holds a cancel up for 50 ms at most", async () => {
    const world = createGateWorld();
    world.onAppend = async ({ event }) => (event === "intent" ? await new Promise<void>(() => undefined) : undefined);
    const started = world.start();
    await world.clock.advance(49);
    assert.equal(world.fake.frames.length, 0);
    await world.clock.advance(1);
    assert.equal(world.fake.frames.length, 1);
    assert.equal(started.outcome?.kind, "confirmed");
  });
  test("that fails does not keep a cancel back", async () => {
    const world = createGateWorld();
    world.onAppend = async () => await Promise.reject(new Error("disk full"));
    assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
  });
  test("is waited for by any other write, which does not go out without it", async () => {
    const world = createGateWorld();
    let write = (): void => undefined;
    world.onAppend = async ({ event }) =>
      event === "intent"
        ? await new Promise<void>((resolve) => {
            write = resolve;
          })
        : undefined;
    world.fake.onFrame = (_frame, response) => response.result({ order: { order_id: "E1", order_state: "open" } });
    const started = world.start(request("private/buy", { instrument_name: "ETH-PERPETUAL", amount: 1 }));
    await world.clock.advance(5000);
    assert.equal(world.fake.frames.length, 0);
    write();
    await world.clock.settle();
    assert.equal(started.outcome?.kind, "confirmed");
    world.onAppend = async () => await Promise.reject(new Error("disk full"));
    const refused = await world.gate.submit(request("private/buy", { instrument_name: "ETH-PERPETUAL", amount: 2 }));
    const failure = {
      kind: "refused",
      reason:
        "The change couldn't be recorded in Activity: writing to the disk failed. Check the disk, then try again.",
    };
    assert.deepEqual(refused, { kind: "notSent", failure });
    assert.equal(world.fake.frames.length, 1);
    const last = world.journal.records.at(-1);
    assert.deepEqual(
      [last?.event, last?.intentId, last?.result, last?.failure],
      ["outcome", world.entry().id, "notSent", failure],
    );
  });
  test("gets no secret", async () => {
    const world = createGateWorld();
    world.fake.onFrame = (_frame, response) => response.result({});
    await world.gate.submit(request("private/invented", { api: { client_secret: "s3cret" }, amount: 1 }));
    assert.ok(world.journal.records.length > 0);
    for (const { paramsText } of world.journal.records)
      assert.equal(paramsText, `{"api":{"client_secret":"‹hidden›"},"amount":1}`);
    assert.equal(world.fake.frames[0]?.paramsText, `{"api":{"client_secret":"s3cret"},"amount":1}`);
  });
});

describe("the same write twice (F71)", () => {
  test("a second submit joins the first, with one question and one frame", async () => {
    const world = createGateWorld();
    const outcomes = await Promise.all([
      world.gate.submit(world.cancel()),
      world.gate.submit(world.cancel()),
      world.gate.submit(request("private/cancel", { order_id: "O1", note: "x" })),
    ]);
    assert.deepEqual(pluck(outcomes, "kind"), ["confirmed", "confirmed", "confirmed"]);
    assert.deepEqual([world.questions.length, world.fake.frames.length, world.gate.activity.length], [1, 1, 1]);
  });
  test("joins also while the response is awaited", async () => {
    const world = createGateWorld();
    world.fake.onFrame = () => undefined;
    const first = world.start();
    await world.clock.advance(100);
    const second = world.start();
    await world.clock.advance(15_000);
    assert.equal(world.fake.frames.length, 1);
    assert.equal(first.outcome?.kind, "unknown");
    assert.equal(second.outcome, first.outcome);
  });
  test("other orders, and other amounts, are other writes", async () => {
    const world = createGateWorld();
    world.fake.put("O2", "open");
    world.fake.onFrame = (frame, response) =>
      response.result(
        frame.method === "private/cancel" ? { ...world.fake.orders.get(frame.orderId), order_state: "cancelled" } : {},
      );
    await Promise.all([world.gate.submit(world.cancel("O1")), world.gate.submit(world.cancel("O2"))]);
    await Promise.all([
      world.gate.submit(request("private/buy", { instrument_name: "ETH-PERPETUAL", amount: 1 })),
      world.gate.submit(request("private/buy", { instrument_name: "ETH-PERPETUAL", amount: 2 })),
    ]);
    assert.equal(world.fake.frames.length, 4);
  });
  test("after the outcome a new submit is a new intent", async () => {
    const world = createGateWorld();
    await world.gate.submit(world.cancel());
    world.fake.onFrame = (_frame, response) => response.error(10010, "already_closed");
    assert.equal((await world.gate.submit(world.cancel())).kind, "rejected");
    assert.equal(world.fake.frames.length, 2);
  });
});

/** The result of an edit of an order to the amount 1. */
function editedOrder(id: string): object {
  return { order: { order_id: id, order_state: "open", amount: 1 }, trades: [] };
}

describe("while an outcome is unknown (reliability 2.3 b)", () => {
  /** A cancel without a response, timed out; reads of the order fail until the world says otherwise. */
  async function unknownCancel(): Promise<GateWorld> {
    const world = createGateWorld();
    const { onFrame } = world.fake;
    world.fake.onFrame = () => undefined;
    world.fake.readFault = () => exchangeFailure(13028);
    world.start();
    await world.clock.advance(15_000);
    world.fake.onFrame = onFrame;
    world.questions.length = 0;
    return world;
  }
  test("another cancel is refused at first", async () => {
    const world = await unknownCancel();
    const failure = failureOf(await world.gate.submit(world.cancel()));
    assert.deepEqual(failure, {
      kind: "refused",
      reason:
        "The outcome of an earlier change is unknown and is being checked: Cancel ETH-PERPETUAL buy 40 @ 2100. Wait for the result.",
    });
    assert.equal(world.fake.frames.length, 1);
  });
  test("and needs confirmation, with a warning, after 10 s", async () => {
    const world = await unknownCancel();
    world.settings = { confirmCancel: "productionOnly", allowChangesMinutes: 30 };
    await world.clock.advance(9_999);
    assert.equal((await world.gate.submit(world.cancel())).kind, "notSent");
    await world.clock.advance(1);
    assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
    assert.equal(world.questions.length, 1);
    const [question] = world.questions;
    assert.ok(question?.kind === "modal" && question.detail.startsWith("The outcome of an earlier attempt is unknown"));
    assert.equal(world.fake.frames.length, 2);
  });
  test("or after the first read that was answered", async () => {
    const world = await unknownCancel();
    await world.clock.advance(1_000);
    assert.equal((await world.gate.submit(world.cancel())).kind, "notSent");
    world.fake.readFault = () => undefined;
    await world.clock.advance(2_000);
    assert.deepEqual(world.verdicts(0), []);
    assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
  });
  test("one of several with such an outcome: the question for all has the warning", async () => {
    const world = await unknownCancel();
    world.fake.put("O2", "open");
    await world.clock.advance(10_000);
    const { intents, describe: words } = world.cancelAll(["O2", "O1"]);
    await world.gate.submitAll(intents, words);
    const [question] = world.questions;
    assert.ok(question?.kind === "modal" && question.detail.startsWith("The outcome of an earlier attempt is unknown"));
  });
  test("other changes of the order are refused as long as it is checked", async () => {
    const world = await unknownCancel();
    await world.clock.advance(30_000);
    assert.equal((await world.gate.submit(request("private/edit", { order_id: "O1", amount: 1 }))).kind, "notSent");
    world.fake.onFrame = (_frame, response) => response.result(editedOrder("O2"));
    assert.equal((await world.gate.submit(request("private/edit", { order_id: "O2", amount: 1 }))).kind, "confirmed");
  });
  test("once the outcome stays unproved, they need confirmation with the warning", async () => {
    const world = await unknownCancel();
    await world.clock.advance(60_000);
    assert.deepEqual(world.verdicts(), [
      { kind: "unverified", reason: "No response proved the outcome within 60 seconds." },
    ]);
    world.fake.onFrame = (_frame, response) => response.result(editedOrder("O1"));
    assert.equal((await world.gate.submit(request("private/edit", { order_id: "O1", amount: 1 }))).kind, "confirmed");
    const [question] = world.questions;
    assert.ok(question?.kind === "modal" && question.detail.startsWith("The outcome of an earlier attempt is unknown"));
  });
  test("looked at again on demand it can be found out after all", async () => {
    const world = await unknownCancel();
    await world.clock.advance(60_000);
    world.fake.readFault = () => undefined;
    let isOver = false;
    void world.gate.checkAgain(world.entry().id).then(() => {
      isOver = true;
    });
    await world.clock.settle();
    assert.deepEqual([isOver, world.verdicts().length], [false, 1]);
    await world.clock.advance(10_000);
    assert.deepEqual([isOver, world.verdicts().slice(1)], [true, [{ kind: "notApplied", state: "open" }]]);
  });
  test("that it is still open does not end it: a late cancel is still possible", async () => {
    const world = await unknownCancel();
    world.fake.readFault = () => undefined;
    await world.clock.advance(10_000);
    assert.deepEqual(world.verdicts(), [{ kind: "notApplied", state: "open" }]);
    assert.equal(world.entry().phase, "verifying");
    await world.gate.submit(world.cancel());
    const [question] = world.questions;
    assert.ok(question?.kind === "modal" && question.detail.startsWith("The outcome of an earlier attempt is unknown"));
  });
  test("a verdict ends it", async () => {
    const world = await unknownCancel();
    world.fake.readFault = () => undefined;
    world.fake.put("O1", "filled");
    await world.clock.advance(10_000);
    assert.deepEqual(pluck(world.entry().verdicts, "kind"), ["other"]);
    await world.gate.submit(world.cancel());
    const [question] = world.questions;
    assert.ok(question?.kind === "modal" && question.detail.startsWith("ID O1"));
  });
  test("the same order request, if its outcome can't be read, needs confirmation with the warning at once", async () => {
    const world = createGateWorld();
    world.fake.onFrame = () => undefined;
    const close = (price: number): Intent =>
      request("private/close_position", { instrument_name: "ETH-PERPETUAL", type: "limit", price });
    world.start(close(1));
    await world.clock.advance(15_000);
    assert.deepEqual(world.verdicts(), [{ kind: "unverified", reason: "No request can check this outcome." }]);
    world.answer = () => false;
    await world.gate.submit(close(1));
    const question = world.questions.at(-1);
    assert.ok(question?.kind === "modal" && question.detail.startsWith("The outcome of an earlier attempt is unknown"));
    await world.gate.submit(close(2));
    assert.deepEqual(world.questions.at(-1), {
      kind: "modal",
      message: "Send Request: private/close_position on TESTNET main?",
      detail: "",
      confirm: "Send Request",
      keep: "Don't Send",
    });
  });
});

describe("several at once", () => {
  const submitAll = async (world: GateWorld, ids: readonly string[]): Promise<Outcome[]> => {
    const { intents, describe: words } = world.cancelAll(ids);
    return await world.gate.submitAll(intents, words);
  };
  const withOrders = (count: number): { readonly world: GateWorld; readonly ids: readonly string[] } => {
    const world = createGateWorld();
    const ids = Array.from({ length: count }, (_, index) => `O${String(index + 1)}`);
    for (const id of ids) world.fake.put(id, "open");
    return { world, ids };
  };
  test("are one question, one frame each, outcomes in their order", async () => {
    const { world, ids } = withOrders(12);
    const { onFrame } = world.fake;
    world.fake.onFrame = (frame, response) =>
      frame.orderId === "O3" ? response.error(11044) : onFrame(frame, response);
    const outcomes = await submitAll(world, ids);
    assert.deepEqual(
      pluck(outcomes, "kind"),
      ids.map((id) => (id === "O3" ? "rejected" : "confirmed")),
    );
    assert.deepEqual(pluck(world.fake.frames, "orderId"), ids);
    assert.equal(world.questions.length, 1);
    const [question] = world.questions;
    assert.ok(question?.kind === "modal");
    assert.deepEqual(
      [question.message, question.show, question.confirm, question.keep],
      ["Cancel 12 orders on TESTNET main?", "Show Orders", "Cancel 12 Orders", "Keep Orders"],
    );
    const lines = question.detail.split("\n");
    assert.deepEqual([lines.length, lines[0], lines[10]], [11, "ETH-PERPETUAL buy 40 @ 2100 · ID O1", "and 2 more"]);
  });
  test("the count is typed on production", async () => {
    const { world, ids } = withOrders(3);
    world.environment = "production";
    world.connectionName = "desk";
    await world.gate.allowChanges();
    await submitAll(world, ids);
    assert.deepEqual(world.questions.at(-1), {
      kind: "typed",
      message: "Type 3 (the count) to confirm: Cancel 3 orders on PRODUCTION desk.",
      expected: "3",
      isForCancels: true,
    });
    assert.equal(world.fake.frames.length, 3);
  });
  test("on read-only production one step allows cancels and sends them", async () => {
    const { world, ids } = withOrders(3);
    world.environment = "production";
    assert.deepEqual(new Set((await submitAll(world, ids)).map((outcome) => outcome.kind)), new Set(["confirmed"]));
    assert.deepEqual(
      world.questions.map((question) => (question.kind === "modal" ? question.confirm : question.kind)),
      ["Allow Cancels and Cancel"],
    );
    assert.deepEqual([world.fake.frames.length, world.gate.changesAllowedUntilMs], [3, undefined]);
  });
  test("a no sends none", async () => {
    const { world, ids } = withOrders(3);
    world.answer = () => false;
    assert.deepEqual(
      (await submitAll(world, ids)).map(failureOf),
      ids.map(() => ({ kind: "declined" })),
    );
    assert.equal(world.fake.frames.length, 0);
  });
  test("a single order has the confirmation of a single cancel", async () => {
    const { world } = withOrders(1);
    await submitAll(world, ["O1"]);
    assert.equal(world.questions[0]?.message, "Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main?");
  });
  test("none is no question", async () => {
    const { world } = withOrders(1);
    assert.deepEqual(await submitAll(world, []), []);
    assert.deepEqual([world.questions, world.logged], [[], []]);
  });
  test("go out fifty at a time; stopped, what was sent is waited for and nothing more is sent", async () => {
    const { world, ids } = withOrders(60);
    const responses = holdResponses(world);
    const stop = new AbortController();
    const progress: string[] = [];
    const { intents, describe: words } = world.cancelAll(ids);
    const all = world.gate.submitAll(intents, words, {
      stop: stop.signal,
      onProgress: (done, of) => {
        progress.push(`${String(done)}/${String(of)}`);
      },
    });
    await world.clock.advance(100);
    assert.equal(world.fake.frames.length, 50);
    for (const respond of responses.splice(0, 3)) respond();
    await world.clock.advance(100);
    assert.equal(world.fake.frames.length, 53);
    stop.abort();
    assert.ok(world.fake.frames.every((frame) => frame.options.signal?.aborted === false));
    for (const respond of responses) respond();
    const outcomes = await all;
    const found = outcomes.map((outcome) => (outcome.kind === "notSent" ? failureOf(outcome) : outcome.kind));
    assert.deepEqual(
      found,
      ids.map((_, index) => (index < 53 ? "confirmed" : { kind: "stopped", wasSent: false })),
    );
    assert.equal(world.fake.frames.length, 53);
    assert.equal(world.journal.records.filter(({ event }) => event === "intent").length, 53);
    assert.deepEqual(
      progress,
      Array.from({ length: 61 }, (_, done) => `${String(done)}/60`),
    );
  });
  test("given up, none that was sent is waited for", async () => {
    const { world, ids } = withOrders(3);
    const responses = holdResponses(world);
    const giveUp = new AbortController();
    const { intents, describe: words } = world.cancelAll(ids);
    const all = world.gate.submitAll(intents, words, { signal: giveUp.signal });
    await world.clock.advance(100);
    giveUp.abort();
    assert.deepEqual(
      world.fake.frames.map((frame) => frame.options.signal?.aborted),
      [true, true, true],
    );
    for (const respond of responses) respond();
    await all;
  });
  for (const [name, when] of [
    ["while it is written down", "intent"],
    ["right before it would be sent", "sending"],
  ] as const) {
    for (const by of ["stop", "signal"] as const) {
      test(`are not sent when the ${by} fires ${name}`, async () => {
        const { world, ids } = withOrders(2);
        const ends = { stop: new AbortController(), signal: new AbortController() };
        world.onAppend = async ({ event }) => {
          if (event === when) ends[by].abort();
          await Promise.resolve();
        };
        world.gate.onDidChangeActivity(({ phase }) => {
          if (phase === when) queueMicrotask(() => ends[by].abort());
        });
        const { intents, describe: words } = world.cancelAll(ids);
        const outcomes = await world.gate.submitAll(intents, words, {
          stop: ends.stop.signal,
          ...(by === "signal" ? { signal: ends.signal.signal } : {}),
        });
        assert.deepEqual(
          outcomes.map(failureOf),
          ids.map(() => ({ kind: "stopped", wasSent: false })),
        );
        assert.equal(world.fake.frames.length, 0);
      });
    }
  }
  test("declined are counted as done, and none as begun", async () => {
    const { world, ids } = withOrders(2);
    world.answer = () => false;
    const progress: number[] = [];
    const { intents, describe: words } = world.cancelAll(ids);
    await world.gate.submitAll(intents, words, {
      onProgress: (done) => {
        progress.push(done);
      },
    });
    assert.deepEqual(progress, [1, 2]);
  });
  test("the same order twice, and one that is under way, are not sent again", async () => {
    const { world } = withOrders(3);
    const first = world.gate.submit(world.cancel("O1"));
    const outcomes = await submitAll(world, ["O1", "O2", "O3", "O2"]);
    assert.deepEqual(pluck(outcomes, "kind"), ["confirmed", "confirmed", "confirmed", "confirmed"]);
    assert.equal((await first).kind, "confirmed");
    assert.equal(world.questions.at(-1)?.message, "Cancel 2 orders on TESTNET main?");
    assert.deepEqual(world.fake.frames.map((frame) => frame.orderId).sort(), ["O1", "O2", "O3"]);
  });
  test("an order that was amended meanwhile is left, the others go", async () => {
    const { world, ids } = withOrders(3);
    world.answer = () => {
      world.fake.put("O2", "open", { price: 1 });
      return true;
    };
    const outcomes = await submitAll(world, ids);
    assert.deepEqual(pluck(outcomes, "kind"), ["confirmed", "notSent", "confirmed"]);
    assert.deepEqual(failureOf(outcomes[1]), { kind: "situationChanged", changed: "order" });
  });
  test("reads among them are just sent", async () => {
    const { world } = withOrders(1);
    const { onFrame } = world.fake;
    world.fake.onFrame = (frame, response) =>
      frame.method === "private/cancel" ? onFrame(frame, response) : response.result([]);
    const outcomes = await world.gate.submitAll(
      [request("private/get_open_orders", {}), world.cancel("O1"), request("private/get_open_orders", {})],
      () => world.cancel().words,
    );
    assert.deepEqual(pluck(outcomes, "kind"), ["confirmed", "confirmed", "confirmed"]);
    const found = outcomes.map((outcome) => (outcome.kind === "confirmed" ? outcome.response.method : ""));
    assert.deepEqual(found, ["private/get_open_orders", "private/cancel", "private/get_open_orders"]);
  });
});

describe("what others left", () => {
  const intents = [
    {
      ...{ id: "c1/x", connectionId: "c1", method: "private/cancel", paramsText: '{"order_id":"O1"}', verdicts: [] },
    },
  ] as unknown as Parameters<GateWorld["gate"]["resume"]>[0];

  test("is not looked up, with a line in the log, where what tells of it cannot be loaded; for nothing it is not loaded", async () => {
    let loadCount = 0;
    const world = createGateWorld(
      {},
      {
        loadOutcomes: async () => {
          loadCount++;
          return await Promise.reject(new Error("no such file"));
        },
      },
    );
    await world.gate.resume([]);
    assert.deepEqual([loadCount, world.logged], [0, []]);
    await world.gate.resume(intents);
    assert.equal(loadCount, 1);
    assert.match(world.logged.join("\n"), /^Unknown outcomes can't be looked up: .*no such file/);
  });
});

describe("disposal", () => {
  test("of a gate that has sent nothing leaves nothing", () => {
    const world = createGateWorld();
    world.gate.dispose();
    assert.equal(world.clock.pendingTimers, 0);
  });

  for (const [name, isDisposed, outcome] of [
    ["of a gate that is still being loaded ends what is heard of late responses", true, "unknown"],
    ["left out, a late response is heard", false, "confirmed"],
  ] as const)
    test(name, async () => {
      const world = createGateWorld();
      const responses = holdResponses(world);
      world.fake.readFault = () => exchangeFailure(10028);
      world.start();
      if (isDisposed) world.gate.dispose();
      await world.clock.advance(20_000);
      assert.equal(world.entry().outcome?.kind, "unknown");
      for (const respond of responses) respond();
      await world.clock.settle();
      assert.equal(world.entry().outcome?.kind, outcome);
      assert.deepEqual(
        world.journal.records.filter(({ event }) => event === "outcome").map(({ result }) => result),
        isDisposed ? ["unknown"] : ["unknown", "confirmed"],
      );
      world.gate.dispose();
    });

  test("leaves no timer", async () => {
    const world = createGateWorld();
    world.environment = "production";
    await world.gate.allowChanges();
    world.fake.onFrame = () => undefined;
    world.start();
    await world.clock.advance(20_000);
    world.gate.dispose();
    await world.clock.settle();
    assert.equal(world.clock.pendingTimers, 0);
  });
});
