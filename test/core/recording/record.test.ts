import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readRecording } from "../../../src/recording/read.ts";
import type { Recorder } from "../../../src/recording/record.ts";
import { MAX_LINE, MAX_RECORDED_BYTES, type Recording } from "../../../src/recording/recording.ts";
import { createReplay } from "../../../src/recording/replay.ts";
import type { RecordedCall } from "../../../src/rpc/traffic.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import { recordInMemory, type RecordingInMemory } from "../../recordingInMemory.ts";

function callOf(method: string, wireId?: number): RecordedCall {
  return { method, asker: "requestFile", way: "webSocket", sentLength: 2, wireId, end: undefined };
}

function start(append?: (text: string) => void): RecordingInMemory & { readonly clock: FakeClock } {
  const clock = createFakeClock(1_700_000_000_000);
  return { clock, ...recordInMemory(clock, { clientId: "Client_77" }, append) };
}

/** What is in the file once it is finished, without the head; nothing where there is nothing to write. */
function linesOf({ file, finish }: RecordingInMemory): readonly string[] {
  return finish().kind === "finished" ? file.text.trimEnd().split("\n").slice(1) : [];
}

function readingOf(text: string): Recording {
  const reading = readRecording(text);
  assert.ok(reading.kind === "read", JSON.stringify(reading));
  return reading.recording;
}

const frame = (data: string): string =>
  `{"jsonrpc":"2.0","method":"subscription","params":{"channel":"x","data":${data}}}`;

describe("what is recorded of the traffic", () => {
  test("calls, responses, and events in the order of their times, and what is written can be read", async () => {
    const recording = start();
    const { recorder, clock, file } = recording;
    const call = callOf("private/get_positions", 1);
    recorder.onBegin(call, '{"currency":"BTC"}');
    await clock.advance(7);
    recorder.onEvent("x", 10, () => frame('{"a":1.50,"by":"key Client_77"}'));
    await clock.advance(5);
    recorder.onEnd(call, "[]");
    assert.deepEqual(linesOf(recording), [
      '{"ms":0,"call":1,"method":"private/get_positions","params":{"currency":"BTC"}}',
      '{"ms":7,"event":"x","data":{"a":1.50,"by":"key client-1"}}',
      '{"ms":12,"response":1,"result":[]}',
    ]);
    assert.deepEqual([recorder.calls, recorder.events, recorder.isIncomplete], [1, 1, false]);
    assert.equal(
      file.text.split("\n")[0],
      '{"tradingRpcRecording":1,"environment":"test","startedAtMs":1700000000000}',
    );
    assert.equal(readingOf(file.text).entries.length, 3);
  });

  test("a value that is used before it is told is not in the finished file, whatever was replaced in it before", async () => {
    const recording = start();
    const { recorder, clock, file } = recording;
    recorder.onEvent("x", 10, () => frame('{"text":"for Jo Client_77, Sue Roe-42"}'));
    await clock.advance(1000);
    assert.match(file.text, /Sue Roe-42/);
    const call = callOf("private/get_subaccounts", 1);
    recorder.onBegin(call, "{}");
    recorder.onEnd(call, '[{"username":"Sue Roe-42"},{"username":"Jo Client_77"}]');
    recorder.onEvent("x", 10, () => frame('{"text":"for Sue Roe-42"}'));
    assert.deepEqual(linesOf(recording), [
      '{"ms":0,"event":"x","data":{"text":"for name-2, name-1"}}',
      '{"ms":1000,"call":1,"method":"private/get_subaccounts","params":{}}',
      '{"ms":1000,"response":1,"result":[{"username":"name-1"},{"username":"name-2"}]}',
      '{"ms":1000,"event":"x","data":{"text":"for name-1"}}',
    ]);
  });

  test("a secret that is known elsewhere only later is not in the finished file", () => {
    const clock = createFakeClock(0);
    let secret = "?";
    const recording = recordInMemory(clock, { masked: (text) => text.replaceAll(secret, "hidden") });
    recording.recorder.onEvent("x", 10, () => frame('{"text":"canary"}'));
    secret = "canary";
    assert.deepEqual(linesOf(recording), ['{"ms":0,"event":"x","data":{"text":"hidden"}}']);
  });

  test("a program that dies leaves all but the last moments: it can be read and replayed, and says that it was not finished", async () => {
    const { recorder, clock, file } = start();
    for (let count = 0; count < 1000; count++) recorder.onEvent("x", 10, () => frame(`{"count":${count}}`));
    assert.equal(readingOf(file.text).entries.length, 0, "few wait to be written together");
    const [call, open] = [callOf("public/test", 1), callOf("public/ticker", 2)];
    recorder.onBegin(call, "{}");
    recorder.onEnd(call, '{"version":"1"}');
    recorder.onBegin(open, '{"instrument_name":"Ä"}');
    await clock.advance(1000);
    const recording = readingOf(file.text);
    assert.deepEqual([recording.isFinished, recording.entries.length], [false, 1003]);
    const lastLine = file.text.slice(0, -1).lastIndexOf("\n") + 1;
    for (let end = lastLine; end < file.text.length - 1; end++) {
      const cut = readingOf(file.text.slice(0, end));
      assert.equal(cut.entries.length, 1002);
      assert.equal(createReplay(cut).call("public/test", {}).kind, "recorded");
    }
    const broken = `${file.text.slice(0, lastLine)}{"ms"\n`;
    assert.deepEqual(readRecording(broken), { kind: "wrong", message: "Line 1004: Expected a JSON object." });
  });

  test("what the disk does not take ends the recording, which is told once; what is there is finished if it can be", async () => {
    for (const isFullForGood of [false, true]) {
      let isFull = false;
      const recording = start(() => {
        if (isFull) throw new Error("ENOSPC: no space left on device");
      });
      const { recorder, clock, file, stops } = recording;
      recorder.onEvent("x", 10, () => frame("1"));
      await clock.advance(1000);
      isFull = true;
      for (let time = 0; time < 3; time++) {
        recorder.onEvent("x", 10, () => frame("2"));
        await clock.advance(1000);
      }
      assert.deepEqual(
        [stops, recorder.isIncomplete],
        [["The recording was stopped, because its file can't be written: ENOSPC: no space left on device"], true],
      );
      isFull = isFullForGood;
      const before = file.text;
      assert.deepEqual(
        recording.finish(),
        isFullForGood ? { kind: "unfinished", reason: "ENOSPC: no space left on device" } : { kind: "finished" },
      );
      assert.deepEqual([readingOf(file.text).isFinished, readingOf(file.text).entries.length], [!isFullForGood, 1]);
      assert.equal(file.text === before, isFullForGood);
    }
  });

  test("one with nothing in it leaves no file", () => {
    const { file, finish } = start();
    assert.deepEqual([finish().kind, file.isThere], ["none", false]);
  });

  test("what was never sent is not in it; a late response is", () => {
    const recording = start();
    const { recorder } = recording;
    const [unsent, late] = [callOf("private/buy"), callOf("private/sell", 2)];
    recorder.onBegin(unsent, "{}");
    recorder.onBegin(late, "{}");
    recorder.onEnd(unsent, undefined);
    recorder.onEnd(late, undefined);
    recorder.onEnd(late, "{}");
    assert.deepEqual(linesOf(recording), [
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
        recorder.onEvent("x", MAX_RECORDED_BYTES, () => {
          throw new Error("a text without room is not made");
        }),
    ]) {
      const recording = start();
      spoil(recording.recorder);
      assert.deepEqual([linesOf(recording), recording.recorder.isIncomplete], [[], true]);
    }
    const recording = start();
    const { recorder } = recording;
    const call = callOf("public/test", 1);
    recorder.onBegin(call, "{}");
    recorder.onEnd(call, '"‹hidden›"');
    // What a replay would refuse.
    recorder.onBegin(callOf("no method", 2), "{}");
    recorder.onEvent("x", 10, () => frame('{"a":1,"a":2}'));
    recorder.onEvent("x", 10, () => frame(`"${"a".repeat(MAX_LINE)}"`));
    assert.deepEqual([linesOf(recording).length, recorder.isIncomplete], [1, true]);
  });
});
