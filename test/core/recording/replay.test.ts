import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { toFailure } from "../../../src/base/failure.ts";
import { readRecording } from "../../../src/recording/read.ts";
import type { Recording } from "../../../src/recording/recording.ts";
import { createReplayAccess, type ReplayAccess } from "../../../src/simulator/access/replayAccess.ts";
import { createReplayExchange, type ReplayExchange } from "../../../src/simulator/wire/replayExchange.ts";
import { OPEN_REPLAY } from "../../openReplay.ts";
import { createSession } from "../../../src/session/createSession.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import { sessionPorts } from "../../sessionPorts.ts";

const HEAD = '{"tradingRpcRecording":1,"environment":"prod","startedAtMs":1700000000000}';

function recordingOf(...lines: readonly string[]): Recording {
  const reading = readRecording([HEAD, ...lines].join("\n"));
  assert.ok(reading.kind === "read", JSON.stringify(reading));
  return reading.recording;
}

/** A call with its response 10 ms later. */
function call(ms: number, id: number, [method, params, result]: readonly [string, string, string]): readonly string[] {
  return [
    `{"ms":${ms},"call":${id},"method":"${method}","params":${params}}`,
    `{"ms":${ms + 10},"response":${id},${result.startsWith('{"code"') ? '"error"' : '"result"'}:${result}}`,
  ];
}

interface Client {
  /** Sends a request and returns what came by now, as texts without their times. */
  send(method: string, params?: unknown, id?: number | string): Promise<readonly string[]>;
  /** Moves the time and returns what came meanwhile. */
  wait(ms: number): Promise<readonly string[]>;
  readonly all: readonly string[];
}

/** A replay, and clients that connect to it. */
function start(
  recording: Recording,
  speed = Infinity,
  access: ReplayAccess = OPEN_REPLAY,
): {
  readonly connect: () => Client;
  readonly end: () => number;
  readonly control: ReplayExchange["control"];
  /** How many connections were cut off. */
  readonly cuts: () => number;
} {
  let cuts = 0;
  const clock = createFakeClock();
  const exchange = createReplayExchange({ recording, clock, speed, access });
  const connect = (): Client => {
    const [ours, theirs] = createLinkedPair();
    const all: string[] = [];
    ours.onText((text) => void all.push(text));
    ours.onClose(() => void cuts++);
    exchange.accept(theirs);
    const since = async (act: () => void, ms: number): Promise<readonly string[]> => {
      const before = all.length;
      act();
      await clock.advance(ms);
      return all.slice(before).map((text) => text.replace('"jsonrpc":"2.0",', "").replace(/,"usIn".*$/, "}"));
    };
    return {
      send: async (method, params = {}, id = 1) =>
        await since(() => ours.send(JSON.stringify({ jsonrpc: "2.0", id, method, params })), 0),
      wait: async (ms) => await since(() => undefined, ms),
      all,
    };
  };
  return {
    connect,
    control: exchange.control,
    cuts: () => cuts,
    end() {
      exchange.dispose();
      return clock.pendingTimers;
    },
  };
}

const reason = ([text = ""]: readonly string[]): unknown =>
  (JSON.parse(text) as { readonly error: { readonly code: number; readonly message: string; readonly data: unknown } })
    .error;

const CALLS = recordingOf(
  ...call(0, 1, ["public/ticker", '{"instrument_name":"A","depth":1}', '{"n":1.0}']),
  ...call(20, 2, ["public/ticker", '{"instrument_name":"B"}', '{"n":2}']),
  ...call(40, 3, ["public/ticker", '{"depth":1,"instrument_name":"A"}', '{"n":3}']),
  ...call(60, 4, ["private/buy", '{"amount":10,"label":"label-1","valid_until":5}', '{"label":"label-1"}']),
  ...call(80, 5, ["private/buy", '{"amount":10,"label":"label-2"}', '{"code":10009,"message":"not_enough_funds"}']),
  ...call(100, 6, ["private/get_order_state_by_label", '{"label":"label-1"}', '"of 1"']),
  ...call(120, 7, ["private/get_order_state_by_label", '{"label":"label-2"}', '"of 2"']),
  ...call(140, 8, [
    "public/auth",
    '{"grant_type":"client_signature","client_id":"client-1","nonce":"x"}',
    '{"scope":"a"}',
  ]),
  '{"ms":160,"call":9,"method":"private/cancel_all","params":{}}',
);

describe("a replayed recording", () => {
  test("the nth call gets the nth response, with the ID of its caller, whatever comes in between", async () => {
    const { connect } = start(CALLS);
    const client = connect();
    assert.deepEqual(await client.send("public/ticker", { instrument_name: "B" }, "own"), [
      '{"id":"own","result":{"n":2}}',
    ]);
    assert.deepEqual(await client.send("public/ticker", { depth: 1, instrument_name: "A" }, 7), [
      '{"id":7,"result":{"n":1.0}}',
    ]);
    assert.deepEqual(await client.send("public/ticker", { instrument_name: "A", depth: 1 }, 8), [
      '{"id":8,"result":{"n":3}}',
    ]);
  });

  test("two clients that call in different orders get the same responses", async () => {
    const questions: readonly (readonly [string, object])[] = [
      ["public/ticker", { instrument_name: "A", depth: 1 }],
      ["public/ticker", { instrument_name: "B" }],
      ["private/buy", { amount: 10, label: "mine" }],
      ["private/get_order_state_by_label", { label: "label-1" }],
      ["private/get_order_state_by_label", { label: "label-2" }],
    ];
    const play = async (order: typeof questions): Promise<ReadonlyMap<string, readonly string[]>> => {
      const client = start(CALLS).connect();
      const heard = new Map<string, readonly string[]>();
      for (const [method, params] of order)
        heard.set(method + JSON.stringify(params), await client.send(method, params));
      return new Map([...heard].sort(([a], [b]) => (a < b ? -1 : 1)));
    };
    assert.deepEqual(await play(questions), await play(questions.toReversed()));
  });

  test("nonce, timestamp, signature, valid_until, secrets, and labels of new orders don't count", async () => {
    const client = start(CALLS).connect();
    assert.deepEqual(await client.send("private/buy", { amount: 10, label: "mine-7", valid_until: 99 }), [
      '{"id":1,"result":{"label":"label-1"}}',
    ]);
    assert.deepEqual(await client.send("private/buy", { amount: 10 }), [
      '{"id":1,"error":{"code":10009,"message":"not_enough_funds"}}',
    ]);
    const auth = { grant_type: "client_credentials", client_id: "other", client_secret: "s", timestamp: 1 };
    for (let time = 0; time < 3; time++)
      assert.deepEqual(await client.send("public/auth", auth), ['{"id":1,"result":{"scope":"a"}}']);
    assert.deepEqual(await client.send("private/get_order_state_by_label", { label: "mine-7" }), [
      '{"id":1,"result":"of 1"}',
    ]);
    assert.equal(
      (reason(await client.send("private/get_order_state_by_label", { label: "mine-7" })) as { message: string })
        .message,
      "not_in_recording",
    );
  });

  test("equal calls and calls that are equal but for whom they are about: each gets its nth response", async () => {
    const lines: string[] = [];
    const expected: [string, object, string][] = [];
    const [first, second] = [900_000_001, 900_000_002];
    const add = (method: string, params: object, own: object): void => {
      const id = expected.length + 1;
      lines.push(...call(id * 10, id, [method, JSON.stringify(params), String(id)]));
      expected.push([method, own, `{"id":1,"result":${id}}`]);
    };
    for (let time = 0; time < 40; time++) {
      add("public/ticker", { instrument_name: "A" }, { instrument_name: "A" });
      const recorded = time % 3 === 0 ? second : first;
      // The caller's own IDs, which belong to those of the recording from their first use on.
      add("private/get_positions", { subaccount_id: recorded }, { subaccount_id: recorded - 900_000_000 + 48_600 });
      add("private/get_order_state_by_label", { label: `label-${time}` }, { label: `own ${time}` });
      add("private/buy", { amount: 10, label: `label-x${time}` }, { amount: 10, label: `mine ${time}` });
    }
    const client = start(recordingOf(...lines)).connect();
    for (const [method, params, response] of expected)
      assert.deepEqual(await client.send(method, params), [response], method);
    // The own replacements of the recording, the last one first, after the calls of other accounts.
    const again = start(recordingOf(...lines)).connect();
    for (const id of [second, first]) {
      const own = expected.filter(
        ([, params]) => "subaccount_id" in params && params.subaccount_id === id - 900_000_000 + 48_600,
      );
      for (const [method, , response] of own)
        assert.deepEqual(await again.send(method, { subaccount_id: id }), [response], String(id));
      assert.match((await again.send("private/get_positions", { subaccount_id: id })).join(), /not called that often/);
    }
  });

  test("what is not in the recording is an error that says so; what was not answered is not answered", async () => {
    const client = start(CALLS).connect();
    assert.deepEqual(reason(await client.send("public/ticker", { instrument_name: "C" })), {
      code: -32_001,
      message: "not_in_recording",
      data: { reason: "public/ticker with these parameters is not in the recording" },
    });
    await client.send("public/ticker", { instrument_name: "B" });
    assert.deepEqual(reason(await client.send("public/ticker", { instrument_name: "B" })), {
      code: -32_001,
      message: "not_in_recording",
      data: { reason: "public/ticker was not called that often with these parameters; start the replay again" },
    });
    assert.deepEqual(await client.send("private/cancel_all"), []);
    assert.match(client.all[0] ?? "", /"testnet":true\}$/);
  });

  test("faults lie on top: a response is lost, late, or an error, and its connection is cut", async () => {
    const { connect, control, cuts } = start(CALLS);
    const client = connect();
    const [ticker, buy] = [
      { instrument_name: "A", depth: 1 },
      { amount: 10, label: "mine" },
    ];
    control.setFault({ isChange: true, response: "none" });
    assert.deepEqual(await client.send("public/ticker", ticker), ['{"id":1,"result":{"n":1.0}}']);
    assert.deepEqual(await client.send("private/buy", buy), []);
    control.setFault({ isChange: true, response: { code: 10_047 } });
    assert.match(
      (await client.send("private/buy", buy)).join(),
      /"error":\{"code":10047,"message":"matching_engine_queue_full"/,
    );
    control.setFault({ isChange: true, holdMs: 20_000 });
    assert.deepEqual(await client.send("private/buy", buy), []);
    assert.deepEqual(await client.wait(19_999), []);
    assert.deepEqual(await client.wait(1), ['{"id":1,"error":{"code":10009,"message":"not_enough_funds"}}']);
    control.setFault({ response: "none", link: "reset" });
    assert.deepEqual([await client.send("public/ticker", { instrument_name: "B" }), cuts()], [[], 1]);
    connect();
    control.disconnectAll("reset");
    await client.wait(0);
    assert.equal(cuts(), 2);
    control.setFault({});
    control.clearFaults();
    assert.deepEqual(control.faults(), []);
  });

  test("what is of the account goes to a caller who knows the secret of this start, and to no other", async () => {
    const recording = recordingOf(
      ...call(0, 1, [
        "public/auth",
        '{"grant_type":"client_credentials"}',
        '{"access_token":"secret-1","refresh_token":"secret-1","expires_in":9}',
      ]),
      ...call(10, 2, ["private/get_positions", '{"currency":"BTC"}', '[{"size":1.50}]']),
      ...call(20, 3, ["public/subscribe", '{"channels":["user.portfolio.btc"]}', '["user.portfolio.btc"]']),
      ...call(30, 4, ["public/ticker", "{}", '{"last_price":2}']),
    );
    const access = createReplayAccess();
    const { clientId: client_id, clientSecret: client_secret } = access;
    const { connect } = start(recording, Infinity, access);
    const refusal = '"error":{"code":13009,"message":"unauthorized"}';
    const stranger = connect();
    const asked: readonly [string, object][] = [
      ["private/get_positions", { currency: "BTC" }],
      ["private/get_positions", { currency: "BTC", access_token: "secret-1" }],
      ["public/subscribe", { channels: ["user.portfolio.btc"] }],
      ["public/exchange_token", { refresh_token: "secret-1", subject_id: 1 }],
    ];
    for (const [method, params] of asked)
      assert.deepEqual(await stranger.send(method, params), [`{"id":1,${refusal}}`], method);
    const wrong = [
      ...[{}, { grant_type: "client_credentials", client_id, client_secret: "any" }],
      ...[{ grant_type: "refresh_token", refresh_token: "secret-1" }, { grant_type: "password" }],
      { grant_type: "client_signature", client_id, timestamp: 1, nonce: "n", data: "", signature: "0".repeat(64) },
      { grant_type: "client_credentials", client_id: "other", client_secret },
    ];
    for (const params of wrong) assert.match((await stranger.send("public/auth", params)).join(), /"code":13004/);
    assert.match((await stranger.send("public/ticker")).join(), /"result":\{"last_price":2\}/);

    const owner = connect();
    const [signedIn = ""] = await owner.send("public/auth", {
      grant_type: "client_credentials",
      client_id,
      client_secret,
    });
    const [, token = ""] = /"access_token":"([^"]+)"/.exec(signedIn) ?? [];
    assert.ok(token.length >= 32 && !signedIn.includes("secret-1"), signedIn);
    assert.match((await owner.send("private/get_positions", { currency: "BTC" })).join(), /"size":1\.50/);
    assert.match(
      (await stranger.send("public/subscribe", { channels: ["user.portfolio.btc"], access_token: token })).join(),
      /"result"/,
    );
    assert.notEqual(createReplayAccess().clientSecret, client_secret);
  });

  test("a session signs in to a recording that began after the sign-in, and what is not in it stays an error", async () => {
    const recording = recordingOf(...call(0, 1, ["private/get_positions", '{"currency":"BTC"}', '[{"size":1.50}]']));
    const clock = createFakeClock();
    const access = createReplayAccess();
    const exchange = createReplayExchange({ recording, clock, speed: Infinity, access });
    const session = createSession({
      ...sessionPorts(clock)(),
      dial: async () => {
        const [ours, theirs] = createLinkedPair();
        exchange.accept(theirs);
        return await Promise.resolve(ours);
      },
      credentials: async () =>
        await Promise.resolve({
          kind: "client_signature",
          clientId: access.clientId,
          clientSecret: access.clientSecret,
        }),
    });
    session.connect();
    await clock.advance(1000);
    assert.ok(session.state.status === "ready", JSON.stringify(session.state));
    assert.match(session.state.identity.scope, /trade:read_write/);
    const read = async (currency: "BTC" | "ETH"): Promise<string> => {
      const reading = session.reader.readResponse("private/get_positions", { currency }).catch(toFailure);
      await clock.advance(10);
      return JSON.stringify(await reading);
    };
    assert.match(await read("BTC"), /\[{\\"size\\":1\.50}\]/);
    assert.match(await read("ETH"), /-32001/);
    assert.match(await read("ETH"), /not_in_recording/);
    session.dispose();
    exchange.dispose();
  });

  const EVENTS = recordingOf(
    '{"ms":0,"event":"a","data":0}',
    ...call(100, 1, ["public/subscribe", '{"channels":["a","b"]}', '["a","b"]']),
    '{"ms":110,"event":"a","data":1.0}',
    '{"ms":160,"event":"b","data":2}',
    '{"ms":300,"event":"a","data":3}',
    ...call(400, 2, ["public/unsubscribe", '{"channels":["a"]}', '["a"]']),
    ...call(500, 3, ["public/subscribe", '{"channels":["a"]}', '["a"]']),
    '{"ms":600,"event":"a","data":4}',
  );
  const event = (channel: string, data: string): string =>
    `{"method":"subscription","params":{"channel":"${channel}","data":${data}}}`;

  test("events come after the subscription that asked for them, with their times, faster, and at once", async () => {
    const { connect, end } = start(EVENTS, 2);
    const client = connect();
    assert.deepEqual(await client.send("public/subscribe", { channels: ["a", "b"] }), []);
    assert.deepEqual(await client.wait(5), ['{"id":1,"result":["a","b"]}', event("a", "1.0")]);
    assert.deepEqual(await client.wait(24), []);
    assert.deepEqual(await client.wait(1), [event("b", "2")]);
    assert.deepEqual(await client.wait(70), [event("a", "3")]);
    assert.deepEqual(await client.wait(10_000), []);
    const atOnce = start(EVENTS).connect();
    assert.deepEqual(await atOnce.send("public/subscribe", { channels: ["a", "b"] }), [
      '{"id":1,"result":["a","b"]}',
      event("a", "1.0"),
      event("b", "2"),
      event("a", "3"),
    ]);
    assert.deepEqual(await atOnce.send("public/unsubscribe", { channels: ["a"] }), ['{"id":1,"result":["a"]}']);
    assert.deepEqual(await atOnce.send("public/subscribe", { channels: ["a"] }), [
      '{"id":1,"result":["a"]}',
      event("a", "4"),
    ]);
    end();
  });

  test("channels can be followed in other groups; an ended one brings nothing more; a link that ends leaves no timer", async () => {
    const { connect, end } = start(EVENTS, 1);
    const client = connect();
    assert.deepEqual(await client.send("public/subscribe", { channels: ["b"] }), ['{"id":1,"result":["b"]}']);
    assert.deepEqual(await client.wait(60), [event("b", "2")]);
    await client.send("public/subscribe", { channels: ["a", "b"] });
    assert.deepEqual(await client.wait(20), ['{"id":1,"result":["a","b"]}', event("a", "1.0")]);
    assert.deepEqual(await client.send("public/unsubscribe", { channels: ["a"] }), []);
    assert.deepEqual(await client.wait(500), ['{"id":1,"result":["a"]}']);
    assert.equal(
      (reason(await client.send("public/subscribe", { channels: ["a", "c"] })) as { message: string }).message,
      "not_in_recording",
    );
    assert.equal(end(), 1, "the idle watch of the link, which ends with it");
  });

  test("two replays are the same bytes", async () => {
    const play = async (): Promise<readonly string[]> => {
      const client = start(EVENTS, 3).connect();
      await client.send("public/subscribe", { channels: ["a", "b"] }, "x");
      await client.wait(30);
      await client.send("public/nothing");
      await client.send("public/unsubscribe", { channels: ["a"] });
      await client.wait(1000);
      return client.all;
    };
    const bytes = await play();
    assert.equal(bytes.length, 5);
    assert.deepEqual(await play(), bytes);
  });
});
