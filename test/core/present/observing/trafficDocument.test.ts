import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createTimes } from "../../../../src/present/text/times.ts";
import {
  exchangeOutcome,
  shownItems,
  trafficEntryText,
  trafficLabel,
  trafficText,
  type ExchangeOutcome,
  type TrafficSource,
} from "../../../../src/present/observing/trafficDocument.ts";
import { createTrafficList, type TrafficList } from "../../../../src/present/observing/trafficList.ts";
import type { RecordedCall, ExchangeEnd } from "../../../../src/rpc/traffic.ts";

const AT = Date.UTC(2026, 10, 20, 12, 4, 7, 123);
const times = createTimes(0);

function ended(more: Partial<ExchangeEnd> = {}): ExchangeEnd {
  const timing = { receivedAtMs: AT, totalMs: 43, queuedMs: 3, exchangeMs: 2 };
  return {
    atMs: AT,
    totalMs: timing.totalMs,
    timing,
    receivedLength: 3402,
    failure: undefined,
    isExpectedShape: true,
    isLate: false,
    ...more,
  };
}

const exchange = (more: Partial<RecordedCall> = {}): RecordedCall => ({
  method: "private/get_open_orders",
  asker: "view",
  way: "webSocket",
  sentLength: 98,
  wireId: 10_432,
  end: ended(),
  ...more,
});
const lost: Partial<ExchangeEnd> = { timing: undefined, receivedLength: 0 };

function list(...exchanges: readonly RecordedCall[]): TrafficList {
  const made = createTrafficList();
  for (const each of exchanges) {
    made.begin(each, AT, '{"kind":"future"}');
    if (each.end !== undefined)
      made.end(each, AT, each.end.timing === undefined ? undefined : '[{"price":0.10,"amount":9007199254740993}]');
  }
  return made;
}

const source = (made: TrafficList, more: Partial<TrafficSource> = {}): TrafficSource => ({
  place: "TESTNET main",
  state: "live",
  list: made,
  filter: "",
  isFailedOnly: false,
  areEventsListed: false,
  sincePause: 0,
  budgets: [],
  times,
  ...more,
});

describe("what became of a request on the wire", () => {
  const change = { method: "private/cancel" };
  const error = (code: number): Partial<ExchangeEnd> => ({ failure: { kind: "exchange", code, message: "x" } });
  const cases: readonly [string, RecordedCall, ExchangeOutcome][] = [
    ["waits", exchange({ end: undefined }), "waiting"],
    ["a read is answered", exchange(), "answered"],
    ["a change is answered", exchange(change), "answered"],
    ["a read, another shape", exchange({ end: ended({ isExpectedShape: false }) }), "odd"],
    ["a change, another shape", exchange({ ...change, end: ended({ isExpectedShape: false }) }), "unknown"],
    ["a read, an error", exchange({ end: ended(error(13888)) }), "error"],
    ["a change, a definitive refusal", exchange({ ...change, end: ended(error(11044)) }), "error"],
    ["a change, any other error", exchange({ ...change, end: ended(error(13888)) }), "unknown"],
    [
      "an unknown method counts as a change",
      exchange({ method: "private/no_such", end: ended({ ...lost, failure: { kind: "timeout", timeoutMs: 15_000 } }) }),
      "unknown",
    ],
    [
      "a read without a response",
      exchange({ end: ended({ ...lost, failure: { kind: "timeout", timeoutMs: 10_000 } }) }),
      "noResponse",
    ],
    [
      "a change, the link was lost",
      exchange({
        ...change,
        end: ended({ ...lost, failure: { kind: "connectionLost", trouble: "silent", detail: "" } }),
      }),
      "unknown",
    ],
    [
      "a change that was never sent",
      exchange({ ...change, wireId: undefined, end: ended({ ...lost, failure: { kind: "notConnected" } }) }),
      "notSent",
    ],
  ];
  for (const [name, given, outcome] of cases)
    test(`${name}: ${outcome}`, () => assert.equal(exchangeOutcome(given), outcome));
});

describe("a traffic document", () => {
  test("one line for each exchange, in columns, the newest first; times are split as in the head of a response", () => {
    const made = list(
      exchange(),
      exchange({
        method: "private/cancel",
        asker: "requestFile",
        wireId: 10_433,
        sentLength: 1200,
        way: "http",
        end: ended({ ...lost, totalMs: 15_000, failure: { kind: "timeout", timeoutMs: 15_000 } }),
      }),
    );
    assert.deepEqual(trafficText(source(made)).text.split("\n"), [
      "TESTNET main · traffic · live · 2 requests · 1 failed · 1 with unknown outcome",
      "",
      "time          method                   origin        id                sent  received  outcome",
      "12:04:07.123  private/cancel           request file  HTTP 10433        1200            outcome unknown · 15 s",
      "12:04:07.123  private/get_open_orders  view          request ID 10432    98      3402  response received · 43 ms (exchange 2, network 38, queue 3)",
      "",
    ]);
  });

  test("each line leads to its entry, whatever the filters leave out", () => {
    const made = list(
      exchange(),
      exchange({
        method: "public/test",
        end: ended({ failure: { kind: "exchange", code: 10028, message: "too_many_requests" } }),
      }),
    );
    for (const more of [{}, { isFailedOnly: true }, { filter: "TESTNET" }, { budgets: BUDGETS }]) {
      const { text, items } = trafficText(source(made, more));
      for (const [line, item] of items)
        assert.match(text.split("\n")[line] ?? "", new RegExp(item.exchange?.method ?? "?"), JSON.stringify(more));
      assert.equal(items.size, shownItems(source(made, more)).length);
    }
  });

  test("the filter looks into lines and texts, whatever the case; failed only leaves out what went well and what waits", () => {
    const made = list(
      exchange(),
      exchange({ method: "public/test", end: undefined }),
      exchange({ method: "private/cancel", end: ended({ ...lost, failure: { kind: "timeout", timeoutMs: 1 } }) }),
    );
    const shown = (more: Partial<TrafficSource>): string[] =>
      shownItems(source(made, more)).flatMap(({ exchange: each }) => each?.method ?? []);
    assert.deepEqual(shown({ filter: "Public/" }), ["public/test"]);
    assert.deepEqual(shown({ filter: "9007199254740993" }), ["private/get_open_orders"]);
    assert.deepEqual(shown({ filter: "request ID 10432" }).length, 3);
    assert.deepEqual(shown({ isFailedOnly: true }), ["private/cancel"]);
    assert.match(
      trafficText(source(made, { filter: "nothing has this" })).text,
      /^TESTNET main · traffic · live · 3 requests · 0 shown · 1 failed · 1 with unknown outcome · with "nothing has this"\n\n$/,
    );
  });

  test("events are counted by channel, and listed on request", () => {
    const made = list(exchange());
    for (const [index, channel] of ["a", "b", "a", "c", "d", "e"].entries()) {
      made.countEvent(channel);
      made.addEvent({ channel, atMs: AT + index, length: 12, text: "{}" });
    }
    assert.match(
      trafficText(source(made)).text,
      /\nEvents \(counted only\): 6 \(a: 2, b: 1, c: 1, d: 1, and 1 more\)\n/,
    );
    assert.equal(trafficText(source(made)).items.size, 1);
    const listed = trafficText(source(made, { areEventsListed: true }));
    assert.match(listed.text, /\nEvents: 6 \(/);
    assert.match(listed.text, /\n12:04:07\.123 {2}a +event +12\n/);
    assert.equal(listed.items.size, 7);
  });

  test("limits of the exchange stand in the head, lane by lane", () => {
    assert.match(
      trafficText(source(list(), { budgets: BUDGETS })).text,
      /\nRate limits: calls: changes 90 of 100 left · calls: requests 80 of 90 left · calls: views 0 of 90 left, 7 waiting\n/,
    );
  });

  test("paused, stopped and not connected are said", () => {
    assert.match(
      trafficText(source(list(), { state: "paused", sincePause: 4 })).text,
      /· paused · 0 requests · 4 new since paused\n/,
    );
    assert.match(trafficText(source(list(), { state: "stopped" })).text, /· stopped · /);
    assert.match(
      trafficText(source(list(), { state: "notConnected" })).text,
      /· not connected, resumes automatically · /,
    );
  });
});

describe("the document of an entry", () => {
  test("both texts with every literal, below its line", () => {
    const [item] = list(exchange()).items;
    assert.ok(item);
    assert.equal(
      trafficEntryText(item, { place: "TESTNET main", times }),
      `// TESTNET main · private/get_open_orders · view · request ID 10432 · response received · 43 ms (exchange 2, network 38, queue 3) · 12:04:07.123
{
  "sent": {
    "method": "private/get_open_orders",
    "params": {
      "kind": "future"
    }
  },
  "received": {
    "result": [
      {
        "price": 0.10,
        "amount": 9007199254740993
      }
    ]
  }
}
`,
    );
  });

  test("without a response it says what that means", () => {
    const [item] = list(
      exchange({
        method: "private/cancel",
        end: ended({ ...lost, totalMs: 15_000, failure: { kind: "timeout", timeoutMs: 15_000 } }),
      }),
    ).items;
    assert.ok(item);
    const text = trafficEntryText(item, { place: "TESTNET main", times });
    assert.match(text, /^\/\/ TESTNET main · private\/cancel · view · request ID 10432 · outcome unknown · 15 s · /);
    assert.match(text, /\/\/ The request may or may not have taken effect: its outcome is unknown\.\n/);
    assert.match(text, /"sent"/);
    assert.doesNotMatch(text, /"received"|were not kept/);
  });

  test("where the texts are gone it says so", () => {
    const made = createTrafficList();
    made.end(exchange(), AT, undefined);
    const [item] = made.items;
    assert.ok(item);
    assert.match(
      trafficEntryText(item, { place: "TESTNET main", times }),
      /^\/\/ .*\n\/\/ The request and response texts were not kept\. [^\n]*\n$/,
    );
    assert.deepEqual(trafficLabel(item, times), {
      label: "private/get_open_orders",
      description:
        "12:04:07.123 · view · request ID 10432 · 98 · 3402 · response received · 43 ms (exchange 2, network 38, queue 3)",
    });
  });
});

describe("what is kept", () => {
  const text = (length: number): string => `"${"x".repeat(length - 2)}"`;

  test("the newest items, and all are counted", () => {
    const made = createTrafficList({ items: 3, length: 1000 });
    for (let wireId = 1; wireId <= 5; wireId++) made.begin(exchange({ wireId, end: undefined }), AT, "{}");
    const found = made.items.map((item) => item.exchange?.wireId);
    assert.deepEqual(found, [3, 4, 5]);
    assert.equal(made.total, 5);
    made.clear();
    assert.deepEqual([made.items.length, made.total, made.events.size], [0, 0, 0]);
  });

  test("texts go before their lines, the oldest first; the newest stays however long it is", () => {
    const made = createTrafficList({ items: 10, length: 100 });
    const [first, second, third] = [exchange({ wireId: 1 }), exchange({ wireId: 2 }), exchange({ wireId: 3 })];
    made.begin(first, AT, text(40));
    made.end(first, AT, text(10));
    made.begin(second, AT, text(40));
    made.end(second, AT, text(20));
    const found = made.items.map(({ sentText, receivedText }) => [sentText?.length, receivedText?.length]);
    assert.deepEqual(found, [
      [undefined, undefined],
      [40, 20],
    ]);
    made.begin(third, AT, text(40));
    made.end(third, AT, text(500));
    assert.deepEqual(
      made.items.map(({ sentText, receivedText }) => [sentText?.length, receivedText?.length]),
      [
        [undefined, undefined],
        [undefined, undefined],
        [40, 500],
      ],
    );
    assert.equal(made.items.length, 3);
  });

  test("an end joins its beginning, also a second time; one without a beginning is an entry of its own", () => {
    const made = createTrafficList();
    const [joined, alone] = [exchange({ wireId: 1 }), exchange({ wireId: 2 })];
    made.begin(joined, AT - 5, "{}");
    assert.equal(made.end(joined, AT, undefined), made.end(joined, AT + 5, '"late"'));
    made.end(alone, AT, '"x"');
    const found = made.items.map(({ atMs, receivedText }) => [atMs - AT, receivedText]);
    assert.deepEqual(found, [
      [-5, '"late"'],
      [0, '"x"'],
    ]);
    assert.equal(made.total, 2);
  });
});

const lane = (
  leftCalls: number,
  sizeCalls: number,
  waitingCalls = 0,
): TrafficSource["budgets"][number]["lanes"]["view"] => ({ leftCalls, sizeCalls, waitingCalls });
const BUDGETS: TrafficSource["budgets"] = [
  { rate: "default", lanes: { userWrite: lane(90, 100), userRead: lane(80, 90), view: lane(0, 90, 7) } },
];
