import { describe, expect, it } from "vitest";
import { checkConversation } from "../../../../src/recording/bots/checks.ts";
import { conversationOf } from "../../../../src/recording/bots/conversation.ts";
import { createBotRecording, type BotRecording } from "../../../../src/recording/bots/botRecording.ts";
import { recordedFrames } from "../../../../src/recording/bots/recordedFrames.ts";
import { readRecording } from "../../../../src/recording/read.ts";
import type { Recorder } from "../../../../src/recording/record.ts";
import type { Recording } from "../../../../src/recording/recording.ts";
import { createSecretValues } from "../../../../src/rpc/maskSecrets.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";
import { recordInMemory } from "../../../recordingInMemory.ts";

interface Recorded {
  readonly bot: BotRecording;
  readonly recorder: Recorder;
  readonly clock: FakeClock;
  /** Finishes the recording. Returns its lines after the head. */
  readonly lines: () => readonly string[];
  readonly recording: () => Recording;
}

function start(): Recorded {
  const clock = createFakeClock(1_700_000_000_000);
  const secrets = createSecretValues();
  const { recorder, file, finish } = recordInMemory(clock, { masked: (text) => secrets.hide(text) });
  const text = (): string => {
    if (finish().kind !== "finished") throw new Error("not finished");
    return file.text;
  };
  return {
    ...{ bot: createBotRecording(recorder, secrets), recorder, clock },
    lines: () => text().trimEnd().split("\n").slice(1),
    recording() {
      const reading = readRecording(text());
      if (reading.kind !== "read") throw new Error(reading.message);
      return reading.recording;
    },
  };
}

const call = (id: number | string, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const result = (id: number | string, value: unknown): string => JSON.stringify({ jsonrpc: "2.0", id, result: value });
const BUY = { instrument_name: "BTC-PERPETUAL", amount: 100, price: 60_000 };

describe("the recording of another program", () => {
  it("has its connections, its calls with their IDs, responses, and events, in their order", async () => {
    const { bot, clock, lines } = start();
    bot.opened(1);
    bot.sent(1, '{"jsonrpc":"2.0","id":"a","method":"/api/v2/public/ticker","params":{"amount":1.50}}');
    await clock.advance(5);
    bot.received(1, '{"jsonrpc":"2.0","id":"a","result":{"best_bid_price":1.10}}');
    bot.received(1, '{"jsonrpc":"2.0","method":"subscription","params":{"channel":"x","data":{"a":2.0}}}');
    bot.received(1, '{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"test_request"}}');
    bot.closed(1, "exchange");
    bot.opened(2);
    bot.closed(2, "bot");
    expect(lines()).toEqual([
      '{"ms":0,"connection":1,"is":"opened"}',
      '{"ms":0,"call":1,"on":1,"id":"a","method":"public/ticker","params":{"amount":1.50}}',
      '{"ms":5,"response":1,"result":{"best_bid_price":1.10}}',
      '{"ms":5,"event":"x","on":1,"data":{"a":2.0}}',
      '{"ms":5,"connection":1,"is":"asked"}',
      '{"ms":5,"connection":1,"is":"lost"}',
      '{"ms":5,"connection":2,"is":"opened"}',
      '{"ms":5,"connection":2,"is":"closed"}',
    ]);
  });

  it("has no secret of the program, also where it comes again under another name, and tells tokens apart", () => {
    const { bot, lines } = start();
    const key = { client_id: "key-of-bot", client_secret: "secret-of-the-bot" };
    bot.opened(1);
    bot.sent(1, call(1, "public/auth", { grant_type: "client_credentials", ...key }));
    bot.received(1, result(1, { access_token: "first-token-of-bot", refresh_token: "refresh-token-of-bot" }));
    bot.sent(1, call(2, "public/auth", { grant_type: "client_credentials", ...key }));
    bot.received(1, result(2, { access_token: "second-token-of-bot", refresh_token: "refresh-token-of-bot" }));
    bot.sent(1, call(3, "private/get_positions", { access_token: "first-token-of-bot", note: "secret-of-the-bot" }));
    bot.sent(1, call(4, "private/get_positions", { access_token: "second-token-of-bot" }));
    const written = lines();
    for (const secret of [key.client_secret, "first-token-of-bot", "second-token-of-bot", "refresh-token-of-bot"])
      expect(written.join("\n")).not.toContain(secret);
    const tokens = written.slice(5).map((line) => /"access_token":"([^"]+)"/.exec(line)?.[1]);
    expect(new Set(tokens).size).toBe(2);
  });

  it("says that something is missing where a text could not be taken in", () => {
    for (const spoil of [
      (bot: BotRecording) => bot.sent(1, "no JSON"),
      (bot: BotRecording) => bot.received(1, "<html>"),
      // A second response to a call.
      (bot: BotRecording) => bot.received(1, result(1, 5)),
    ]) {
      const { bot, recorder, lines } = start();
      bot.opened(1);
      bot.sent(1, call(1, "public/get_time", {}));
      bot.received(1, result(1, 5));
      expect(recorder.isIncomplete).toBe(false);
      spoil(bot);
      expect(recorder.isIncomplete).toBe(true);
      expect(lines().length).toBe(3);
    }
  });
});

describe("the checks over a recording", () => {
  const findingsOf = (recording: Recording): readonly string[] =>
    [...checkConversation(conversationOf(recordedFrames(recording)))].flatMap(([name, { findings }]) =>
      findings.map(() => name),
    );

  it("find an order that was sent again after its connection was lost, before anything was read", async () => {
    const { bot, clock, recording } = start();
    bot.opened(1);
    bot.sent(1, call(1, "private/buy", BUY));
    bot.closed(1, "exchange");
    await clock.advance(2000);
    bot.opened(2);
    bot.sent(2, call(1, "private/buy", BUY));
    expect(findingsOf(recording())).toEqual(["repeated-write", "reconnect-without-reading"]);
  });

  it("find nothing where orders and positions were read between the two", async () => {
    const { bot, clock, recording } = start();
    bot.opened(1);
    bot.sent(1, call(1, "private/buy", BUY));
    bot.closed(1, "exchange");
    await clock.advance(2000);
    bot.opened(2);
    bot.sent(2, call(1, "private/get_open_orders", {}));
    bot.received(2, result(1, []));
    bot.sent(2, call(2, "private/get_positions", {}));
    bot.received(2, result(2, []));
    bot.sent(2, call(3, "private/buy", BUY));
    expect(findingsOf(recording())).toEqual([]);
  });

  it("find two requests in flight with one ID, as the program numbered them", async () => {
    const { bot, clock, recording } = start();
    bot.opened(1);
    bot.sent(1, call(7, "private/buy", BUY));
    bot.sent(1, call(7, "private/sell", { ...BUY, price: 70_000 }));
    await clock.advance(10);
    bot.received(1, result(7, {}));
    expect(findingsOf(recording())).toEqual(["same-id"]);
  });

  it("find a heartbeat that was not answered", async () => {
    const { bot, clock, recording } = start();
    bot.opened(1);
    bot.sent(1, call(1, "public/set_heartbeat", { interval: 10 }));
    bot.received(1, '{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"test_request"}}');
    await clock.advance(10_000);
    bot.closed(1, "exchange");
    expect(findingsOf(recording())).toEqual(["silent-heartbeat"]);
  });
});
