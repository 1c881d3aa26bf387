import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { recordedRequests } from "../../../../src/present/requests/recordedRequests.ts";
import { readRecording } from "../../../../src/recording/read.ts";
import type { Recording } from "../../../../src/recording/recording.ts";
import { checkRequest } from "../../../../src/requests/checking/check.ts";
import { checkExpectations, type ExpectFailure } from "../../../../src/requests/expectations/expect.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { runRequest } from "../../../../src/requests/running/run.ts";
import { OPEN_REPLAY } from "../../../openReplay.ts";
import { createReplayExchange } from "../../../../src/simulator/wire/replayExchange.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { connectTo, createWorld, type ConnectedWorld } from "../../../world.ts";
import { recordInMemory } from "../../../recordingInMemory.ts";

const HEAD = '{"tradingRpcRecording":1,"environment":"prod","startedAtMs":1700000000000}';

function recordingOf(...lines: readonly string[]): Recording {
  const reading = readRecording([HEAD, ...lines].join("\n"));
  assert.ok(reading.kind === "read", JSON.stringify(reading));
  return reading.recording;
}

function textOf(recording: Recording): string {
  const made = recordedRequests(recording);
  assert.ok(made.kind === "file", JSON.stringify(made));
  return made.text;
}

describe("a request file made of a recording", () => {
  test("has the requests with their digits, what they got, and simulator and testnet as its only environments", () => {
    const made = recordedRequests(
      recordingOf(
        '{"ms":0,"call":1,"by":"program","method":"private/get_positions","params":{}}',
        '{"ms":1,"response":1,"result":[]}',
        '{"ms":2,"call":2,"method":"public/auth","params":{"client_id":"client-1"}}',
        '{"ms":2,"response":2,"result":{"access_token":"secret-1"}}',
        '{"ms":2,"call":3,"method":"private/subscribe","params":{"channels":["a"]}}',
        '{"ms":2,"response":3,"result":["a"]}',
        '{"ms":3,"call":4,"method":"private/buy","params":{"instrument_name":"A","amount":10.0,"valid_until":5,"label":"{{x}}"}}',
        '{"ms":4,"response":4,"result":{"$gt":1,"list":[{"price":1.50,"client_secret":"secret-1"},[]],"label":"{{x}}"}}',
        '{"ms":5,"call":5,"method":"private/cancel","params":{"order_id":"1"}}',
        '{"ms":6,"response":5,"error":{"code":10004,"message":"order_not_found"}}',
        '{"ms":7,"call":6,"method":"private/cancel_all","params":{}}',
      ),
    );
    assert.ok(made.kind === "file");
    assert.equal(made.told, "Requests in the file: 2. Not in it: 4.");
    assert.equal(
      made.text.replaceAll(/\s+/g, " ").trim(),
      [
        '[ { "$file": { "env": [ "sim", "test" ] }, "jsonrpc": "2.0", "id": 1, "method": "private/buy",',
        String.raw`"params": { "instrument_name": "A", "amount": 10.0, "label": "\\{{x}}" },`,
        '"$run": { "expect": { "result": { "list": [ { "price": 1.50 }, [] ],',
        String.raw`"label": "\\{{x}}" } } } },`,
        '{ "jsonrpc": "2.0", "id": 2, "method": "private/cancel", "params": { "order_id": "1" },',
        '"$run": { "expect": { "error": { "code": 10004 } } } } ]',
      ].join(" "),
    );
    const file = scanRequests(made.text);
    assert.deepEqual(
      file.requests.flatMap((each) => checkRequest(file, each).filter(({ severity }) => severity === "error")),
      [],
    );
    assert.deepEqual(file.pin, { kind: "only", environments: ["simulator", "test"] });
  });

  test("expects a very long result by its type, and what is nested deepest too", () => {
    const deep = `${"[".repeat(60)}${"]".repeat(60)}`;
    const text = textOf(
      recordingOf(
        '{"ms":0,"call":1,"method":"public/a","params":{}}',
        `{"ms":1,"response":1,"result":[${'"0123456789",'.repeat(10_000)}1]}`,
        '{"ms":2,"call":2,"method":"public/a","params":{}}',
        `{"ms":2,"response":2,"result":${deep}}`,
      ),
    );
    assert.match(text, /"result": \{\s+"\$type": "array"\s+\}/);
    const file = scanRequests(text);
    assert.deepEqual(
      file.requests.flatMap(({ problems }) => problems),
      [],
    );
  });

  test("of a recording without requests is not made, with the reason", () => {
    assert.deepEqual(recordedRequests(recordingOf('{"ms":0,"event":"a","data":1}')), {
      kind: "none",
      reason: "The recording has no responses to requests of files or commands.",
    });
  });
});

const REQUESTS = [
  '{ "method": "private/get_open_orders", "params": { "kind": "future" } }',
  '{ "method": "private/buy", "params": { "instrument_name": "ETH-PERPETUAL", "amount": 10, "price": 900.5, "label": "mine-1" } }',
  '{ "method": "private/get_order_state_by_label", "params": { "currency": "ETH", "label": "mine-1" } }',
  '{ "method": "private/cancel", "params": { "order_id": "ETH-0" } }',
  '{ "method": "private/list_api_keys" }',
  '{ "method": "public/ticker", "params": { "instrument_name": "BTC-PERPETUAL" } }',
];

/** Sends the requests of a file one after the other. Returns where their expectations are not met. */
async function send(world: ConnectedWorld, text: string): Promise<readonly (readonly ExpectFailure[])[]> {
  await world.connect();
  const file = scanRequests(text);
  const failures: (readonly ExpectFailure[])[] = [];
  for (const request of file.requests) {
    const running = runRequest(file, request, {
      gate: world.live.gate,
      environment: world.live.environment,
      fileName: "a.rpc.json",
    });
    await world.clock.advance(20_000);
    const result = await running;
    const { expect } = request.run;
    failures.push(expect === undefined ? [] : checkExpectations(expect, result));
  }
  return failures;
}

describe("a request file made of a recording, on the replay of that recording", () => {
  const replayed = async (text: string, recordingText: string): Promise<readonly (readonly ExpectFailure[])[]> => {
    const reading = readRecording(recordingText);
    assert.ok(reading.kind === "read", JSON.stringify(reading));
    const clock = createFakeClock();
    const server = createReplayExchange({
      recording: reading.recording,
      clock,
      speed: Infinity,
      access: OPEN_REPLAY,
    });
    const world = connectTo({ clock, server, key: { kind: "client_signature", clientId: "any", clientSecret: "any" } });
    const failures = await send(world, text);
    world.live.dispose();
    server.dispose();
    return failures;
  };

  test("meets all its expectations; with one response changed, it fails there, and nowhere else", async () => {
    const world = createWorld({ orders: 3 });
    const { recorder, file, finish } = recordInMemory(world.clock, { environment: "sim" });
    world.live.traffic.watch(recorder);
    await send(world, `[${REQUESTS.join(",")}]`);
    assert.equal(finish().kind, "finished");
    const recording = file.text;
    world.live.dispose();
    world.exchange.dispose();
    const reading = readRecording(recording);
    assert.ok(reading.kind === "read");
    const text = textOf(reading.recording);
    assert.equal(scanRequests(text).count, REQUESTS.length);
    assert.deepEqual(
      await replayed(text, recording),
      REQUESTS.map(() => []),
    );

    for (const [pattern, changed, index, place] of [
      [/("response":12,[^\n]*"price":)900\.5/, "$1900.51", 2, ["result", 0, "price"]],
      [/"best_bid_price":[\d.]+/, '"best_bid_price":7', 5, ["result", "best_bid_price"]],
      [/("max_scope":")/, "$1x ", 4, ["result", 0, "max_scope"]],
      [/("error":\{"code":)10004/, "$110005", 3, ["error", "code"]],
    ] as const) {
      assert.match(recording, pattern);
      const failures = await replayed(text, recording.replace(pattern, changed));
      assert.deepEqual(
        failures.map((each) => each.map(({ path }) => path)),
        REQUESTS.map((_, at) => (at === index ? [place] : [])),
        String(pattern),
      );
    }
  });
});
