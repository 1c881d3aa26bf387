import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  channelText,
  createEventRing,
  type ChannelSource,
  type Following,
} from "../../../../src/present/observing/channelDocument.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { pluck } from "../../../pluck.ts";

const TIMES = createTimes(0);

const AT = Date.UTC(2026, 10, 20, 12, 4, 7);
const CHANNEL = "trades.BTC-PERPETUAL.100ms";

function source(payloads: readonly string[], more: Partial<ChannelSource> = {}): ChannelSource {
  const ring = createEventRing();
  for (const [index, payloadText] of payloads.entries())
    ring.add({ channel: CHANNEL, atMs: AT + index * 1000, payloadText });
  return {
    place: "TESTNET main",
    channels: new Map<string, Following>([[CHANNEL, { kind: "live" }]]),
    ring,
    filter: "",
    pausedSinceTotal: undefined,
    end: undefined,
    times: TIMES,
    ...more,
  };
}

const lines = (given: ChannelSource): string[] => channelText(given).split("\n");

describe("a live channel document", () => {
  test("events as received, the newest last, each with its time", () => {
    assert.deepEqual(lines(source(['{"price":0.10}', '{"price":1e-8}'])), [
      `// TESTNET main · ${CHANNEL} · live · 2 events`,
      "[",
      '  {"price":0.10}, // 12:04:07',
      '  {"price":1e-8} // 12:04:08',
      "]",
      "",
    ]);
  });

  test("without an event it is an empty list that says what is waited for", () => {
    const waiting = new Map<string, Following>([[CHANNEL, { kind: "waiting" }]]);
    assert.deepEqual(lines(source([], { channels: waiting })), [
      `// TESTNET main · ${CHANNEL} · waiting for the exchange · 0 events`,
      "[",
      "]",
      "",
    ]);
    assert.match(
      channelText(source([], { channels: new Map([[CHANNEL, { kind: "lost" }]]) })),
      /not connected, resumes automatically/,
    );
  });

  test("the filter leaves out what has not its text, whatever the case; the head says so", () => {
    const given = source(['{"direction":"buy"}', '{"direction":"sell"}', '{"direction":"BUY"}'], { filter: "Buy" });
    assert.deepEqual(lines(given).slice(0, 5), [
      `// TESTNET main · ${CHANNEL} · live · 3 events · 2 shown · with "Buy"`,
      "[",
      '  {"direction":"buy"}, // 12:04:07',
      '  {"direction":"BUY"} // 12:04:09',
      "]",
    ]);
  });

  test("paused, ended and refused are said", () => {
    assert.match(channelText(source(["1"], { pausedSinceTotal: 4 })), /· paused · 1 event · 4 new since paused\n/);
    assert.match(
      channelText(source(["1"], { end: "Stopped. Send the request again to resume." })),
      /· ended · .*\n\/\/ Stopped\. Send the request again to resume\.\n/,
    );
    assert.match(
      channelText(source([], { channels: new Map([[CHANNEL, { kind: "refused", reason: undefined }]]) })),
      /· refused · .*\n\/\/ Not subscribed to trades\.BTC-PERPETUAL\.100ms: the exchange didn't list it as an accepted channel/,
    );
  });

  test("several channels: each event says whose it is", () => {
    const channels = new Map<string, Following>([
      [CHANNEL, { kind: "live" }],
      ["user.trades.any.any.raw", { kind: "live" }],
    ]);
    assert.deepEqual(lines(source(["1"], { channels })).slice(0, 3), [
      `// TESTNET main · ${CHANNEL} and 1 more · live · 1 event`,
      "[",
      `  1 // 12:04:07 ${CHANNEL}`,
    ]);
  });

  test("no event makes a line of its own: text of the exchange cannot pose as a comment or as another event", () => {
    assert.equal(lines(source(['{"a":\n1}\u2028'])).length, 5);
  });
});

describe("the ring of events", () => {
  const event = (payloadText: string): { channel: string; atMs: number; payloadText: string } => ({
    channel: CHANNEL,
    atMs: AT,
    payloadText,
  });

  test("keeps the newest, by number and by length, and counts them all", () => {
    const ring = createEventRing({ events: 3, length: 10 });
    for (const text of ["a", "b", "c", "d"]) ring.add(event(text));
    assert.deepEqual(pluck(ring.events, "payloadText"), ["b", "c", "d"]);
    ring.add(event("123456789"));
    assert.deepEqual(pluck(ring.events, "payloadText"), ["d", "123456789"]);
    ring.add(event("longer than all of it"));
    assert.deepEqual(pluck(ring.events, "payloadText"), ["longer than all of it"]);
    assert.equal(ring.total, 6);
    ring.clear();
    assert.deepEqual([ring.events.length, ring.total], [0, 0]);
  });
});
