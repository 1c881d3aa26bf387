import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { atOnce, createRecorder, type Recorder } from "../../../src/recording/record.ts";
import { MAX_RECORDING } from "../../../src/recording/recording.ts";
import type { RecordedCall } from "../../../src/rpc/traffic.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";

function callOf(method: string, wireId?: number): RecordedCall {
  return { method, asker: "requestFile", way: "webSocket", sentLength: 2, wireId, end: undefined };
}

function start(): { readonly recorder: Recorder; readonly clock: FakeClock } {
  const clock = createFakeClock(1_700_000_000_000);
  return { clock, recorder: createRecorder({ clock, environment: "test", clientId: "Client_77" }) };
}

/** What is written, without the head; nothing where there is nothing to write. */
function linesOf(recorder: Recorder): readonly string[] {
  const finished = atOnce(recorder.finish((text) => text));
  return finished.kind === "text" ? finished.text.trimEnd().split("\n").slice(1) : [];
}
const frame = (data: string): string =>
  `{"jsonrpc":"2.0","method":"subscription","params":{"channel":"x","data":${data}}}`;

describe("what is recorded of the traffic", () => {
  test("calls, responses, and events in the order of their times, and what is written can be read", async () => {
    const { recorder, clock } = start();
    const call = callOf("private/get_positions", 1);
    recorder.onBegin(call, '{"currency":"BTC"}');
    await clock.advance(7);
    recorder.onEvent("x", 10, () => frame('{"a":1.50,"by":"key Client_77"}'));
    await clock.advance(5);
    recorder.onEnd(call, "[]");
    assert.deepEqual(linesOf(recorder), [
      '{"ms":0,"call":1,"method":"private/get_positions","params":{"currency":"BTC"}}',
      '{"ms":7,"event":"x","data":{"a":1.50,"by":"key client-1"}}',
      '{"ms":12,"response":1,"result":[]}',
    ]);
    assert.deepEqual([recorder.calls, recorder.events, recorder.isIncomplete], [1, 1, false]);
  });

  test("what was never sent is not in it; a late response is", () => {
    const { recorder } = start();
    const [unsent, late] = [callOf("private/buy"), callOf("private/sell", 2)];
    recorder.onBegin(unsent, "{}");
    recorder.onBegin(late, "{}");
    recorder.onEnd(unsent, undefined);
    recorder.onEnd(late, undefined);
    recorder.onEnd(late, "{}");
    assert.deepEqual(linesOf(recorder), [
      '{"ms":0,"call":2,"method":"private/sell","params":{}}',
      '{"ms":0,"response":2,"result":{}}',
    ]);
    assert.deepEqual([recorder.calls, recorder.isIncomplete], [1, false]);
  });

  test("what had to be hidden whole, and what has no room, is left out, and that is said", () => {
    for (const spoil of [
      (recorder: Recorder) => recorder.onBegin(callOf("public/test", 1), '"‹hidden› nested deeper than 64"'),
      (recorder: Recorder) => recorder.onEvent("x", 10, () => '"‹hidden›"'),
      (recorder: Recorder) => recorder.onEvent("x", 10, () => frame('"‹hidden›"')),
      (recorder: Recorder) =>
        recorder.onEvent("x", MAX_RECORDING, () => {
          throw new Error("a text without room is not made");
        }),
    ]) {
      const { recorder } = start();
      spoil(recorder);
      assert.deepEqual([linesOf(recorder), recorder.isIncomplete], [[], true]);
    }
    const { recorder } = start();
    const call = callOf("public/test", 1);
    recorder.onBegin(call, "{}");
    recorder.onEnd(call, '"‹hidden›"');
    assert.deepEqual([linesOf(recorder).length, recorder.isIncomplete], [1, true]);
  });
});
