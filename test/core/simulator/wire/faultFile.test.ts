import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "vitest";
import { toFailure } from "../../../../src/base/failure.ts";
import { FAULT_KINDS, readFaultFile } from "../../../../src/simulator/wire/faultFile.ts";
import { createSituation, type Conversation, type Situation } from "../conversation.ts";

const BUY = { instrument_name: "BTC-PERPETUAL", amount: 100, type: "limit", price: 20_000 };

interface Run extends Situation {
  readonly client: Conversation;
  /** Sends a request without waiting for its response; hands out what came. */
  readonly send: (method: string, params?: object) => Promise<readonly Frame[]>;
}

interface Frame {
  readonly id?: number;
  readonly result?: { readonly order?: { readonly order_id: string; readonly order_state: string } };
  readonly error?: { readonly code: number };
  readonly params?: { readonly channel: string; readonly data: Readonly<Record<string, unknown>> };
}

/** A signed-in client of an exchange with these faults. */
async function runWith(...faults: readonly object[]): Promise<Run> {
  const situation = createSituation({ orders: 3 });
  const client = situation.connect();
  await client.signIn();
  situation.exchange.control.addFaults({ faults });
  let id = 500;
  return {
    ...situation,
    client,
    async send(method, params = {}) {
      const start = client.received.length;
      await client.send(JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }));
      return client.received.slice(start).map((text) => JSON.parse(text) as Frame);
    },
  };
}

const codes = (frames: readonly Frame[]): readonly (number | string)[] =>
  frames.map(({ error, params }) => error?.code ?? params?.channel ?? "result");

/** What each kind of fault does, by its word. */
const KINDS: Readonly<Record<string, () => Promise<void>>> = {
  async drop() {
    const { send, exchange } = await runWith({ do: "drop" }, { do: "drop", done: false });
    assert.deepEqual(await send("private/buy", BUY), []);
    assert.equal(exchange.control.openOrders().length, 4);
    assert.deepEqual(await send("private/buy", BUY), []);
    assert.equal(exchange.control.openOrders().length, 4);
    assert.deepEqual(codes(await send("private/buy", BUY)), ["result"]);
  },
  async delay() {
    const { send, client, clock } = await runWith({ do: "delay", ms: 2000 });
    assert.deepEqual(await send("public/get_time"), []);
    const before = client.received.length;
    await clock.advance(1999);
    assert.equal(client.received.length, before);
    await clock.advance(1);
    assert.equal(client.received.length, before + 1);
  },
  async latency() {
    const { send, client, clock } = await runWith({ do: "latency", ms: [10, 20] }, { do: "error", code: 10001 });
    for (const expected of [10_001, "result"]) {
      const before = client.received.length;
      assert.deepEqual(await send("public/get_time"), []);
      await clock.advance(9);
      assert.equal(client.received.length, before);
      await clock.advance(11);
      assert.deepEqual(codes(client.received.slice(before).map((text) => JSON.parse(text) as Frame)), [expected]);
    }
  },
  async duplicate() {
    const { send } = await runWith({ do: "duplicate" });
    assert.deepEqual(codes(await send("public/get_time")), ["result", "result"]);
  },
  async reorder() {
    const { send } = await runWith({ do: "reorder" });
    assert.deepEqual(await send("public/get_time"), []);
    assert.deepEqual(
      (await send("public/get_time")).map(({ id }) => id),
      [502, 501],
    );
  },
  async error() {
    const { send, exchange } = await runWith({ do: "error", code: 13_888 }, { do: "error", code: 13_888, done: true });
    assert.deepEqual(codes(await send("private/buy", BUY)), [13_888]);
    assert.equal(exchange.control.openOrders().length, 3);
    assert.deepEqual(codes(await send("private/buy", BUY)), [13_888]);
    assert.equal(exchange.control.openOrders().length, 4);
  },
  async cut() {
    const { send, client, exchange } = await runWith({ do: "cut" });
    assert.deepEqual(await send("private/buy", BUY), []);
    assert.equal(client.isOpen, false);
    assert.equal(exchange.control.openOrders().length, 4);
  },
  async deadToken() {
    const { send, client } = await runWith({ do: "deadToken", from: 2 });
    assert.deepEqual(codes(await send("private/get_positions", { currency: "BTC" })), ["result"]);
    assert.deepEqual(codes(await send("private/get_positions", { currency: "BTC" })), [13_009]);
    assert.equal(client.isOpen, true);
    await client.signIn();
    assert.deepEqual(codes(await send("private/get_positions", { currency: "BTC" })), ["result"]);
  },
  async tooManyRequests() {
    const { send, client, exchange } = await runWith({ do: "tooManyRequests" });
    assert.deepEqual(codes(await send("private/buy", BUY)), [10_028]);
    assert.equal(exchange.control.openOrders().length, 3);
    assert.equal(client.isOpen, false);
  },
  async fillBeforeCancel() {
    const { send, exchange } = await runWith({ do: "fillBeforeCancel" });
    const [, placed] = [await send("private/buy", BUY), exchange.control.openOrders().at(-1)];
    assert.deepEqual(codes(await send("private/cancel", { order_id: placed?.order_id })), [10_010]);
    assert.equal(exchange.control.order(placed?.order_id ?? "")?.order_state, "filled");
  },
  async partialFillThenCancel() {
    const { send, exchange } = await runWith({ do: "partialFillThenCancel" });
    const [, placed] = [await send("private/buy", BUY), exchange.control.openOrders().at(-1)];
    assert.deepEqual(codes(await send("private/cancel", { order_id: placed?.order_id })), ["result"]);
    const { order_state: state, filled_amount: filled } = exchange.control.order(placed?.order_id ?? "") ?? {};
    assert.deepEqual([state, filled], ["cancelled", 50]);
  },
  async selfMatchCancel() {
    const { send, exchange } = await runWith({ do: "selfMatchCancel" });
    const [frame] = await send("private/buy", BUY);
    const ended = exchange.control.order(frame?.result?.order?.order_id ?? "");
    assert.deepEqual([ended?.order_state, ended?.cancel_reason], ["cancelled", "order_overlap"]);
  },
  async freeze() {
    const { send } = await runWith({ do: "freeze", calls: 2 }, { do: "freeze", state: "halted", calls: 1 });
    assert.deepEqual(codes(await send("private/buy", BUY)), [10_019]);
    assert.deepEqual(codes(await send("private/buy", BUY)), [10_012]);
    assert.deepEqual(codes(await send("private/buy", BUY)), ["result"]);
  },
  async settlement() {
    const { send, clock } = await runWith({ do: "settlement", calls: 2 });
    assert.deepEqual(codes(await send("private/buy", BUY)), [10_041]);
    await clock.advance(60_000);
    assert.deepEqual(codes(await send("private/buy", BUY)), [10_041]);
    assert.deepEqual(codes(await send("private/buy", BUY)), ["result"]);
  },
  async maintenance() {
    const answered = await runWith({ do: "maintenance", calls: 1 });
    assert.deepEqual(
      (await answered.send("public/get_time")).map(({ id, error }) => [id, error?.code]),
      [[501, 11_051]],
    );
    assert.equal(answered.client.isOpen, false);
    assert.equal((await answered.connect().call("public/get_time")).error, undefined);
    const told = await runWith({ do: "maintenance", id: false, calls: 2 });
    assert.deepEqual(
      (await told.send("public/get_time")).map(({ id, error }) => [id, error?.code]),
      [[undefined, 11_051]],
    );
    assert.equal(told.client.isOpen, false);
    assert.deepEqual(await told.connect().refusal("public/get_time"), [11_051]);
    assert.equal((await told.connect().call("public/get_time")).error, undefined);
  },
  async skipChangeId() {
    const { send, client } = await runWith({ do: "skipChangeId", method: "private/buy", from: 2 });
    const channel = "book.BTC-PERPETUAL.raw";
    await client.result("public/subscribe", { channels: [channel] });
    const better = { ...BUY, post_only: true };
    for (const price of [20_000, 20_001, 20_002]) await send("private/buy", { ...better, price });
    const events = client.events(channel) as { readonly change_id: number; readonly prev_change_id?: number }[];
    const gaps = events.slice(1).filter(({ prev_change_id: before }, index) => before !== events[index]?.change_id);
    assert.equal(gaps.length, 1);
  },
  async tradeTwice() {
    const { send, client } = await runWith({ do: "tradeTwice", method: "private/buy" });
    await client.result("private/subscribe", { channels: ["user.trades.BTC-PERPETUAL.raw"] });
    for (let count = 0; count < 2; count++) await send("private/buy", { ...BUY, type: "market", price: undefined });
    const events = client.events("user.trades.BTC-PERPETUAL.raw") as readonly (readonly {
      readonly trade_id: string;
    }[])[];
    const ids = events.flat().map(({ trade_id: id }) => id);
    assert.equal(ids.length - new Set(ids).size, events[0]?.length);
  },
  async eventBeforeReply() {
    const { send, client } = await runWith({ do: "eventBeforeReply", times: "always" });
    const channel = "user.orders.BTC-PERPETUAL.raw";
    await client.result("private/subscribe", { channels: [channel] });
    for (let count = 0; count < 8; count++)
      assert.deepEqual(codes(await send("private/buy", BUY)), [channel, "result"]);
  },
  async badGateway() {
    const { exchange, clock, client } = await runWith({ do: "badGateway", method: "private/buy" });
    const { access_token: token } = await client.signIn("session:bot");
    const pages: (readonly [number, string])[] = [];
    exchange.respondOverHttp(
      { text: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "private/buy", params: BUY }), bearer: token },
      {
        send: () => assert.fail("a response was sent"),
        fail: (status, html) => void pages.push([status, html]),
        close: () => undefined,
        terminate: () => undefined,
      },
    );
    await clock.settle();
    assert.deepEqual(pages, [[502, pages[0]?.[1] ?? ""]]);
    assert.match(pages[0]?.[1] ?? "", /^<html>.*502 Bad Gateway/);
    assert.equal(exchange.control.openOrders().length, 4);
  },
  async priceMove() {
    const { client, exchange } = await runWith({
      do: "priceMove",
      currency: "BTC",
      percent: -20,
      method: "public/test",
    });
    const read = async (name: string): Promise<readonly number[]> => {
      const ticker = await client.result<Readonly<Record<string, number>>>("public/ticker", { instrument_name: name });
      return ["index_price", "mark_price", "best_bid_price"].map((member) => ticker[member] ?? NaN);
    };
    const [before, other] = [await read("BTC-PERPETUAL"), await read("ETH-PERPETUAL")];
    await client.call("public/test");
    const after = await read("BTC-PERPETUAL");
    after.forEach((price, index) => assert.ok(Math.abs(price / (before[index] ?? NaN) - 0.8) < 0.001, String(after)));
    assert.deepEqual(await read("ETH-PERPETUAL"), other);
    assert.equal(exchange.control.faultLog().length, 1);
  },
};

describe("faults of a file", () => {
  test("each kind is shown here", () => assert.deepEqual(Object.keys(KINDS).sort(), [...FAULT_KINDS].sort()));

  for (const [kind, check] of Object.entries(KINDS)) test(kind, async () => await assert.doesNotReject(check));

  test("the example of the documentation is a file with faults", () => {
    const page = fs.readFileSync("docs/simulator.md", "utf8");
    const [, section = ""] = /^## Simulate faults from a file\n(.*?)^## /ms.exec(page) ?? [];
    const [, example = ""] = /^```json\n(.*?)^```$/ms.exec(section) ?? [];
    const found = readFaultFile(example);
    assert.ok(typeof found !== "string", JSON.stringify(found));
    assert.equal(found.faults.length, 4);
    const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, word]) => word);
    assert.deepEqual(listed.filter((word) => FAULT_KINDS.includes(word ?? "")).sort(), [...FAULT_KINDS].sort());
  });

  test("an order of another participant rests, meets one of the account, and can be cancelled", async () => {
    const { client, exchange, send } = await runWith();
    const { control } = exchange;
    const other = { instrument_name: "BTC-PERPETUAL", direction: "buy", amount: 50, price: 21_000 } as const;
    const placed = control.placeOther(other);
    assert.deepEqual([placed.order_state, placed.filled_amount], ["open", 0]);
    const book = await client.result<{ readonly bids: readonly (readonly number[])[] }>("public/get_order_book", {
      ...{ instrument_name: "BTC-PERPETUAL", depth: 1000 },
    });
    assert.deepEqual(
      book.bids.find(([price]) => price === 21_000),
      [21_000, 50],
    );
    assert.equal(control.cancelOther("BTC-PERPETUAL", placed.order_id).order_state, "cancelled");
    const ticker = await client.result<Readonly<Record<string, number>>>("public/ticker", {
      instrument_name: "BTC-PERPETUAL",
    });
    const price = (ticker["best_bid_price"] ?? NaN) + 0.5;
    const [own] = await send("private/buy", { ...BUY, price });
    const taker = control.placeOther({ ...other, direction: "sell", amount: 40, price });
    assert.deepEqual([taker.order_state, taker.filled_amount], ["filled", 40]);
    assert.equal(control.order(own?.result?.order?.order_id ?? "")?.filled_amount, 40);
    assert.throws(() => control.placeOther({ ...other, instrument_name: "BTC-NOTHING" }));
  });

  test("calls that fit are counted from one on, each second, and as often as it says", async () => {
    const { send, exchange } = await runWith({
      ...{
        do: "error",
        code: 77_777,
        name: "odd",
        method: ["public/test", "public/hello"],
        from: 2,
        every: 2,
        times: 2,
      },
    });
    const found: (number | string)[] = [];
    for (let count = 0; count < 8; count++) {
      await send("public/get_time");
      found.push(...codes(await send("public/test")));
    }
    assert.deepEqual(found, ["result", 77_777, "result", 77_777, ..."1234".split("").map(() => "result")]);
    assert.deepEqual(exchange.control.faultLog(), [
      { call: 5, method: "public/test", fault: "odd" },
      { call: 9, method: "public/test", fault: "odd" },
    ]);
  });

  test("chances follow from the seed, and not from the time", async () => {
    const logOf = async (seed: number, stepMs: number): Promise<readonly number[]> => {
      const { send, exchange, clock } = await runWith();
      exchange.control.addFaults({ seed, faults: [{ do: "error", code: 1, chance: 0.3 }] });
      for (let count = 0; count < 40; count++) {
        await send("public/test");
        await clock.advance(stepMs);
      }
      return exchange.control.faultLog().map(({ call }) => call);
    };
    const first = await logOf(7, 0);
    assert.ok(first.length > 4 && first.length < 24, String(first));
    assert.deepEqual(await logOf(7, 13), first);
    assert.notDeepEqual(await logOf(8, 0), first);
  });

  test("the first of several that fit is used, and the others wait", async () => {
    const { send } = await runWith({ do: "error", code: 1 }, { do: "error", code: 2, effect: "write" });
    assert.deepEqual(codes(await send("private/buy", BUY)), [1]);
    assert.deepEqual(codes(await send("public/get_time")), ["result"]);
    assert.deepEqual(codes(await send("private/buy", BUY)), [2]);
  });

  test("faults that are cleared end with what they began", async () => {
    const { send, exchange } = await runWith({ do: "freeze", calls: 100 });
    assert.deepEqual(codes(await send("private/buy", BUY)), [10_019]);
    exchange.control.clearFaults();
    assert.deepEqual(codes(await send("private/buy", BUY)), ["result"]);
  });

  for (const [text, sentence] of [
    ["", "Line 1: the file is not JSON: expected a value, not the end."],
    [
      '{\n "faults": [\n  { "do": "drop" }\n  { "do": "cut" }\n ]\n}',
      'Line 4: the file is not JSON: expected ], not "{".',
    ],
    ['{\n "seed": 1,\n "seed": 2\n}', 'Line 3: the file is not JSON: "seed" is there twice.'],
    ["[]", "Line 1: the file must be an object."],
    ['{\n "fault": []\n}', "Line 2: fault is not known here, only seed, faults."],
    ['{\n "faults": {}\n}', "Line 2: faults must be an array, not {}."],
    ['{\n "faults": [\n  7\n ]\n}', "Line 3: faults[0] must be an object."],
    ['{ "faults": [\n { "method": "public/test" }] }', "Line 2: faults[0] needs do."],
    [
      '{ "faults": [\n { "do": "explode" }] }',
      /^Line 2: faults\[0\]\.do must be one of drop, delay, .*, not "explode"\.$/,
    ],
    [
      '{ "faults": [\n { "do": "drop",\n "method": "private/bye" }] }',
      'Line 3: faults[0].method must be the name of a method, or an array of them, not "private/bye".',
    ],
    ['{ "faults": [\n { "do": "delay" }] }', "Line 2: faults[0] needs ms."],
    [
      '{ "faults": [\n { "do": "drop" },\n { "do": "drop", "chance": 2 }] }',
      "Line 3: faults[1].chance must be a number from 0 to 1, not 2.",
    ],
    [
      '{ "faults": [\n { "do": "drop", "times": 0 }] }',
      /^Line 2: faults\[0\]\.times must be a whole number from 1 to .*"always", not 0\.$/,
    ],
    [
      '{ "faults": [\n { "do": "latency", "ms": [9, 3] }] }',
      /^Line 2: faults\[0\]\.ms must be milliseconds, .*not \[9,3\]\.$/,
    ],
    [
      '{ "faults": [\n { "do": "drop",\n "ms": 5 }] }',
      /^Line 3: faults\[0\]\.ms is not known here, only do, name, method, .*, done\.$/,
    ],
    [
      '{ "faults": [\n { "do": "priceMove", "currency": "DOGE", "percent": 1 }] }',
      /^Line 2: faults\[0\]\.currency must be one of BTC, /,
    ],
  ] as const)
    test(`a file that is wrong is told with its line and member: ${text.replaceAll("\n", "⏎")}`, () => {
      const found = readFaultFile(text);
      assert.ok(typeof found === "string");
      if (typeof sentence === "string") assert.equal(found, sentence);
      else assert.match(found, sentence);
    });

  test("a wrong description of a test is refused by the same rules", async () => {
    const { exchange } = await runWith();
    assert.throws(
      () => exchange.control.addFaults({ faults: [{ do: "drop", times: "often" }] }),
      (error) => {
        const failure = toFailure(error);
        return failure.kind === "refused" && failure.reason.startsWith("faults[0].times must be");
      },
    );
    assert.deepEqual(exchange.control.faults(), []);
  });
});
