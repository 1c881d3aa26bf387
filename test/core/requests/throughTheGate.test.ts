import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { responseDocument } from "../../../src/present/requests/responseText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { runRequest, type RunPorts, type RunResult } from "../../../src/requests/running/run.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { pluck } from "../../pluck.ts";
import { createGateWorld, type GateWorld } from "../actions/gateWorld.ts";

const TIMES = createTimes(0);

/** Sends the first request of a text through the world's gate, letting the time pass that it needs. */
async function send(world: GateWorld, text: string, more: Partial<RunPorts> = {}): Promise<RunResult> {
  const file = scanRequests(text);
  const request = file.requests[0];
  assert.ok(request !== undefined);
  const running = runRequest(file, request, {
    gate: world.gate,
    environment: world.environment,
    fileName: "a.rpc.json",
    ...more,
  });
  await world.clock.advance(20_000);
  return await running;
}

function documentOf(world: GateWorld, result: RunResult): string[] {
  const verdicts = world.gate.activity.find((entry) => entry.id === result.activityId)?.verdicts ?? [];
  return responseDocument({
    result,
    environment: world.environment,
    connectionName: world.connectionName,
    endedAtMs: world.clock.now(),
    verdicts,
    times: TIMES,
  }).text.split("\n");
}

describe("a request file and the real gate", () => {
  test("every literal reaches the link as written, and the question shows it", async () => {
    const world = createGateWorld();
    world.fake.onFrame = (_, response) => response.result("ok");
    const result = await send(
      world,
      '{ "method": "private/new_one", "params": { "a": 1e-8, /* c */ "b": 0.10, "c": 9007199254740993, "d": -0.0, "e": [1E400, 123456789012345678901234567890,], } }',
    );
    const params = '{"a":1e-8,"b":0.10,"c":9007199254740993,"d":-0.0,"e":[1E400,123456789012345678901234567890]}';
    assert.deepEqual(pluck(world.fake.frames, "paramsText"), [params]);
    assert.deepEqual(world.questions, [
      {
        kind: "modal",
        message: `Send private/new_one ${params} on TESTNET main?`,
        detail: "From a.rpc.json.",
        confirm: "Send new_one",
        keep: "Don't Send",
      },
      {
        kind: "typed",
        message: `Type main (the connection name) to confirm: Send private/new_one ${params} on TESTNET main. From a.rpc.json.`,
        expected: "main",
        unsized: "method",
      },
    ]);
    assert.equal(result.outcome.kind, "confirmed");
  });

  test("a method that is written as a path is confirmed and sent by its name", async () => {
    const world = createGateWorld();
    world.fake.onFrame = (_, response) => response.result(null);
    const result = await send(world, '{ "method": "/api/v2/private/cancel", "params": { "order_id": "O1" } }');
    assert.equal(result.effect, "reduce");
    assert.deepEqual(pluck(world.fake.frames, "method")[0], "private/cancel");
    assert.match(world.questions[0]?.message ?? "", /^Send private\/cancel /);
  });

  test("a no leaves nothing sent, and the document says so", async () => {
    const world = createGateWorld();
    world.answer = () => false;
    const result = await send(world, '{ "method": "private/cancel", "params": { "order_id": "O1" } }');
    assert.equal(world.fake.frames.length, 0);
    assert.deepEqual(documentOf(world, result).slice(1, 4), [
      "// You chose not to send it.",
      "// Nothing was sent.",
      "// Request that was not sent:",
    ]);
  });

  test("a read with a wrong parameter is held back, and sent when that is wanted", async () => {
    const world = createGateWorld();
    world.fake.onFrame = (_, response) => response.error(-32602, "Invalid params");
    const text = '{ "method": "private/get_open_orders", "params": { "kind": "fut" } }';
    const held = await send(world, text);
    assert.equal(held.canSendAnyway, true);
    assert.equal(world.fake.frames.length, 0);
    const sent = await send(world, text, { sendAnyway: true });
    assert.equal(sent.outcome.kind, "rejected");
    assert.equal(sent.canSendAnyway, false);
    assert.equal(world.fake.frames.length, 1);
  });

  test("a write with a wrong parameter shows no confirmation", async () => {
    const world = createGateWorld();
    const result = await send(world, '{ "method": "private/cancel", "params": { "order_id": 5 } }', {
      sendAnyway: true,
    });
    assert.equal(result.outcome.kind, "notSent");
    assert.equal(result.canSendAnyway, false);
    assert.deepEqual(world.questions, []);
    assert.ok(documentOf(world, result).includes("// Line 1, column 55: order_id: expected a string, got 5"));
  });

  test("a lost response to a cancel: unknown first, then what reading found, in the same document", async () => {
    const world = createGateWorld();
    world.fake.onFrame = (frame) => world.fake.put(frame.orderId, "cancelled", { cancel_reason: "user_request" });
    const file = scanRequests('{ "method": "private/cancel", "params": { "order_id": "O1" } }');
    const request = file.requests[0];
    assert.ok(request !== undefined);
    let result: RunResult | undefined;
    void runRequest(file, request, { gate: world.gate, environment: "test", fileName: "a.rpc.json" }).then((value) => {
      result = value;
    });
    for (let second = 0; second < 60 && result === undefined; second++) await world.clock.advance(1000);
    assert.equal(result?.outcome.kind, "unknown");
    assert.match(documentOf(world, result).join("\n"), /outcome unknown/);
    await world.clock.advance(60_000);
    assert.match(
      documentOf(world, result).join("\n"),
      /private\/cancel \{"order_id":"O1"\} on TESTNET main: verified cancelled at/,
    );
    assert.equal(world.fake.frames.length, 1);
  });

  test("read-only production refuses a write of a file", async () => {
    const world = createGateWorld({ testnet: false });
    world.environment = "production";
    const result = await send(world, '{ "method": "private/new_one" }');
    assert.equal(world.fake.frames.length, 0);
    assert.match(documentOf(world, result)[1] ?? "", /^\/\/ PRODUCTION main is read-only\. Use Allow Changes…/);
  });
});
