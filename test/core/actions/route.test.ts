import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { createRoutes } from "../../../src/actions/gate/route.ts";
import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError, toFailure } from "../../../src/base/failure.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";
import { SESSION_REFRESH_TOKEN } from "../../../src/catalogue/values.ts";
import type { CallOptions, Identity, Session, SessionState } from "../../../src/session/session.ts";

/* Which session a request travels over. Sessions are made by hand; what each was given is kept. */

const IDENTITY: Identity = {
  authentication: "key",
  clientId: "k",
  scope: "trade:read_write",
  testnet: true,
  serverVersion: undefined,
  userId: 7,
};

interface Fake {
  readonly session: Session;
  readonly calls: string[];
  move(state: SessionState): void;
}

function createFake(
  identity: Partial<Identity> = {},
  onConnect: (move: (state: SessionState) => void) => void = (move) => move(readyAs(identity)),
): Fake {
  const states = createEmitter<SessionState>();
  const late = createEmitter<MaskedResponse>();
  const calls: string[] = [];
  let state: SessionState = { status: "off" };
  const move = (next: SessionState): void => {
    state = next;
    states.fire(next);
  };
  const session = {
    get state() {
      return state;
    },
    onDidChangeState: states.event,
    connect: () => {
      if (state.status === "off") onConnect(move);
    },
    disconnect: () => move({ status: "off" }),
    dispose: () => {
      calls.push("disposed");
    },
    caller: {
      get generation() {
        return state.status === "ready" ? state.generation : undefined;
      },
      call: async (method: string, _params: string, options: CallOptions) => {
        options.onSend?.(1);
        calls.push([method, options.httpForm].filter((part) => part !== undefined).join(" "));
        return await Promise.resolve({ method } as MaskedResponse);
      },
      onLateResponse: late.event,
    },
  } as unknown as Session;
  return { session, calls, move };
}

function readyAs(identity: Partial<Identity>, generation = 1): SessionState {
  return { status: "ready", generation, isSuspect: false, identity: { ...IDENTITY, ...identity }, sinceMs: 0 };
}

/** The account that a connection was switched to. */
const AS_SUB: Partial<Identity> = { userId: 9, subject: { id: 9, name: "desk" } };

/** A session that exchanges its token as it is asked to, or answers so. */
function createExchanging(response?: Partial<MaskedResponse> | CallError): Fake {
  const fake = createFake();
  const { caller } = fake.session;
  const call: Session["caller"]["call"] = async (method, paramsText, options) => {
    if (method !== "public/exchange_token") return await caller.call(method, paramsText, options);
    fake.calls.push(`${method} ${paramsText}`);
    if (response instanceof CallError) throw response;
    await Promise.resolve();
    if (response === undefined) fake.move(readyAs(AS_SUB, 4));
    return (response ?? {}) as MaskedResponse;
  };
  const session: Session = Object.create(fake.session, {
    caller: { get: () => ({ generation: caller.generation, call, onLateResponse: caller.onLateResponse }) },
  }) as Session;
  return { ...fake, session };
}

function intent(transport?: Intent["transport"], method = "private/cancel"): Intent {
  return {
    method,
    paramsText: "{}",
    words: { action: "", target: "", detail: [], keep: "" },
    origin: "requestFile",
    ...(transport === undefined ? {} : { transport }),
  };
}

function createLab(
  other: Fake,
  isHttpOnly = false,
): {
  readonly own: Fake;
  readonly send: (transport?: Intent["transport"], options?: CallOptions, method?: string) => Promise<string>;
  readonly dispose: () => void;
} {
  const own = createFake();
  own.session.connect();
  const routes = createRoutes({ session: own.session, isHttpOnly, createHttpSession: () => other.session });
  return {
    own,
    dispose: () => routes.dispose(),
    async send(transport, options = {}, method = "private/cancel") {
      try {
        await routes.call(intent(transport, method), options);
        return "sent";
      } catch (thrown) {
        return toFailure(thrown).kind;
      }
    },
  };
}

describe("the way of a request", () => {
  test("the connection's own link, or the session beside it, in the form that was asked for", async () => {
    const other = createFake();
    const { own, send } = createLab(other);
    for (const transport of [undefined, "webSocket", "http", "query", "body", "post"] as const)
      assert.equal(await send(transport), "sent");
    assert.deepEqual(
      [own.calls, other.calls],
      [
        ["private/cancel", "private/cancel"],
        ["private/cancel", "private/cancel query", "private/cancel body", "private/cancel post"],
      ],
    );
  });

  test("a connection over HTTP alone has no other way", async () => {
    const other = createFake();
    const { own, send } = createLab(other, true);
    assert.deepEqual([await send(), await send("post"), await send("webSocket")], ["sent", "sent", "refused"]);
    assert.deepEqual([own.calls, other.calls], [["private/cancel", "private/cancel post"], []]);
  });

  test("who is another server or another account over HTTP gets nothing", async () => {
    for (const identity of [{ testnet: false }, { userId: 8 }]) {
      const other = createFake(identity);
      const { send } = createLab(other);
      assert.deepEqual([await send("post"), other.calls], ["refused", []]);
    }
    const silent = createFake({ testnet: undefined, userId: undefined });
    assert.equal(await createLab(silent).send("post"), "sent", "saying nothing is no contradiction");
  });

  test("what was consented to on another generation is not sent", async () => {
    const other = createFake();
    const { own, send } = createLab(other);
    own.move(readyAs({}, 2));
    assert.deepEqual(
      [await send("post", { generation: 1 }), await send("post", { generation: 2 })],
      ["situationChanged", "sent"],
    );
  });

  test("a sign-in that fails is said, and nothing goes out", async () => {
    const other = createFake({}, (move) => {
      move({ status: "connecting", generation: 5 });
      queueMicrotask(() =>
        move({ status: "locked", failure: { kind: "exchange", code: 13004, message: "invalid_credentials" } }),
      );
    });
    const { send } = createLab(other);
    assert.deepEqual([await send("http"), other.calls], ["exchange", []]);
  });

  test("beside a subaccount it speaks for the same one: its own token is exchanged once", async () => {
    const other = createExchanging();
    const { own, send } = createLab(other);
    own.move(readyAs(AS_SUB, 2));
    assert.deepEqual(await Promise.all([send("post"), send("post")]), ["sent", "sent"]);
    assert.equal(await send("query"), "sent");
    assert.deepEqual(other.calls, [
      `public/exchange_token {"refresh_token":"${SESSION_REFRESH_TOKEN}","subject_id":9}`,
      "private/cancel post",
      "private/cancel post",
      "private/cancel query",
    ]);
  });

  test("one that has become the key's own account again is switched again before anything goes out", async () => {
    const other = createExchanging();
    const { own, send } = createLab(other);
    own.move(readyAs(AS_SUB, 2));
    await send("post");
    other.move({
      status: "waiting",
      retryAtMs: 0,
      failure: { kind: "exchange", code: 13009, message: "unauthorized" },
    });
    other.move(readyAs({}, 5));
    assert.equal(await send("post"), "sent");
    const found = other.calls.map((call) => call.split(" ")[0]);
    assert.deepEqual(found, ["public/exchange_token", "private/cancel", "public/exchange_token", "private/cancel"]);
  });

  for (const [name, response] of [
    ["refuses", { error: { kind: "exchange", code: -32602, message: "Invalid params" } }],
    ["fails", new CallError({ kind: "timeout", timeoutMs: 15_000 })],
  ] as const) {
    test(`where the exchange of its token ${name} nothing is sent, and it says so`, async () => {
      const other = createExchanging(response);
      const { own, send } = createLab(other);
      own.move(readyAs(AS_SUB, 2));
      assert.equal(await send("post"), "refused");
      const found = other.calls.map((call) => call.split(" ")[0]);
      assert.deepEqual(found, ["public/exchange_token"]);
    });
  }

  test("one that does not speak for the account after its exchange gets nothing", async () => {
    const other = createExchanging({});
    const { own, send } = createLab(other);
    own.move(readyAs(AS_SUB, 2));
    assert.deepEqual([await send("post"), other.calls.length], ["situationChanged", 1]);
  });

  test("when the account changes it is ended at once, and made anew at the next use", async () => {
    const sessions = [createFake(), createExchanging(), createFake()];
    const own = createFake();
    own.session.connect();
    let made = 0;
    const routes = createRoutes({
      session: own.session,
      isHttpOnly: false,
      createHttpSession: () => sessions[made++]!.session,
    });
    const seen: unknown[] = [];
    const step = async (...states: readonly SessionState[]): Promise<void> => {
      for (const state of states) own.move(state);
      seen.push(routes.httpState?.status, sessions.filter(({ calls }) => calls.includes("disposed")).length);
      await routes.call(intent("post"), {});
    };
    await step();
    await step({ status: "authenticating", generation: 2, isOtherSubject: true }, readyAs(AS_SUB, 2));
    await step(readyAs({ ...AS_SUB, scope: "trade:read" }, 2));
    await step(
      { status: "connecting", generation: 3, isOtherSubject: true },
      { status: "authenticating", generation: 3, isOtherSubject: true },
      readyAs({}, 3),
    );
    assert.deepEqual([seen, made], [[undefined, 0, undefined, 1, "ready", 1, undefined, 2], 3]);
    routes.dispose();
    assert.ok(sessions.every(({ calls }) => calls.filter((call) => call === "disposed").length === 1));
  });

  test("the exchange of a token itself goes over the connection's own link alone", async () => {
    const other = createFake();
    const lab = createLab(other);
    const method = "public/exchange_token";
    for (const transport of ["http", "query", "body", "post"] as const)
      assert.equal(await lab.send(transport, {}, method), "refused");
    assert.deepEqual(
      [
        await lab.send("webSocket", {}, method),
        await lab.send(undefined, {}, method),
        lab.own.calls.length,
        other.calls.length,
      ],
      ["sent", "sent", 2, 0],
    );
    const alone = createLab(createFake(), true);
    for (const transport of ["http", "query", "body", "post"] as const)
      assert.equal(await alone.send(transport, {}, method), "sent");
  });

  test("with the connection its session over HTTP ends", async () => {
    const other = createFake();
    const { own, send, dispose } = createLab(other);
    await send("http");
    own.move({ status: "off" });
    assert.equal(other.session.state.status, "off");
    dispose();
    assert.equal(other.calls.at(-1), "disposed");
  });
});
