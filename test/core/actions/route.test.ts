import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Intent } from "../../../src/actions/intent.ts";
import { createRoutes } from "../../../src/actions/route.ts";
import { createEmitter } from "../../../src/base/emitter.ts";
import { toFailure } from "../../../src/base/failure.ts";
import type { Answer } from "../../../src/rpc/answer.ts";
import type { CallOptions, Identity, Session, SessionState } from "../../../src/session/session.ts";

/* Which session a request travels over. Sessions are made by hand; what each was given is kept. */

const IDENTITY: Identity = { authentication: "key", clientId: "k", scope: "trade:read_write", testnet: true, serverVersion: undefined, userId: 7 };

interface Fake {
  readonly session: Session;
  readonly calls: string[];
  move(state: SessionState): void;
}

function createFake(identity: Partial<Identity> = {}, onConnect: (move: (state: SessionState) => void) => void = (move) => move(readyAs(identity))): Fake {
  const states = createEmitter<SessionState>();
  const late = createEmitter<Answer>();
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
    connect: () => { if (state.status === "off") onConnect(move); },
    disconnect: () => move({ status: "off" }),
    dispose: () => { calls.push("disposed"); },
    caller: {
      get generation() {
        return state.status === "ready" ? state.generation : undefined;
      },
      call: async (method: string, _params: string, options: CallOptions) => {
        options.onSend?.(1);
        calls.push([method, options.httpForm].filter((part) => part !== undefined).join(" "));
        return await Promise.resolve({ method } as Answer);
      },
      onLateAnswer: late.event,
    },
  } as unknown as Session;
  return { session, calls, move };
}

function readyAs(identity: Partial<Identity>, generation = 1): SessionState {
  return { status: "ready", generation, isSuspect: false, identity: { ...IDENTITY, ...identity }, sinceMs: 0 };
}

function intent(transport?: Intent["transport"]): Intent {
  return { method: "private/cancel", paramsText: "{}", words: { action: "", target: "", detail: [], keep: "" }, origin: "requestFile", ...(transport === undefined ? {} : { transport }) };
}

function createLab(other: Fake, isHttpOnly = false): { readonly own: Fake; readonly send: (transport?: Intent["transport"], options?: CallOptions) => Promise<string>; readonly dispose: () => void } {
  const own = createFake();
  own.session.connect();
  const routes = createRoutes({ session: own.session, isHttpOnly, createHttpSession: () => other.session });
  return {
    own,
    dispose: () => routes.dispose(),
    async send(transport, options = {}) {
      try {
        await routes.call(intent(transport), options);
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
    for (const transport of [undefined, "webSocket", "http", "query", "body", "post"] as const) assert.equal(await send(transport), "sent");
    assert.deepEqual([own.calls, other.calls], [["private/cancel", "private/cancel"], ["private/cancel", "private/cancel query", "private/cancel body", "private/cancel post"]]);
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
    assert.deepEqual([await send("post", { generation: 1 }), await send("post", { generation: 2 })], ["situationChanged", "sent"]);
  });

  test("a sign-in that fails is said, and nothing goes out", async () => {
    const other = createFake({}, (move) => {
      move({ status: "connecting", generation: 5 });
      queueMicrotask(() => move({ status: "locked", failure: { kind: "exchange", code: 13004, message: "invalid_credentials" } }));
    });
    const { send } = createLab(other);
    assert.deepEqual([await send("http"), other.calls], ["exchange", []]);
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
