import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import type { Outcome } from "../../../../src/actions/judge/outcome.ts";
import {
  createHistory,
  historyText,
  MAX_HISTORY_RESPONSE,
  MAX_HISTORY_ENTRIES,
  readHistory,
  writeHistory,
  type HistoryEntry,
  type SentRequest,
} from "../../../../src/requests/running/history.ts";
import { responseOf, errorOf } from "../fakeGate.ts";

interface Sending {
  readonly method?: string;
  readonly paramsText?: string;
  readonly outcome?: Outcome;
  readonly id?: number | string;
}

function sending(
  {
    method = "public/get_time",
    paramsText = "{}",
    outcome = { kind: "confirmed", response: responseOf("x", "1e1") },
    id,
  }: Sending = {},
  more: Partial<SentRequest> = {},
): SentRequest {
  const intent = {
    method,
    paramsText,
    origin: "requestFile",
    words: { action: "", target: "", detail: [], keep: "" },
  } as const;
  const result = {
    intent,
    effect: "read",
    id,
    outcome,
    problems: [],
    canSendAnyway: false,
    activityId: undefined,
  } as const;
  return {
    result,
    endedAtMs: 5,
    environment: "test",
    connectionId: "c1",
    connectionName: "main",
    fileUri: "file:///w/a.rpc.json",
    name: undefined,
    ...more,
  };
}

function entryOf(wish?: Sending, more?: Partial<SentRequest>): HistoryEntry {
  const entry = createHistory({ isOn: () => true }).record(sending(wish, more));
  assert.ok(entry !== undefined);
  return entry;
}

describe("what is kept", () => {
  test("what was sent and what came back, literal for literal", () => {
    assert.deepEqual(entryOf({ method: "private/edit", paramsText: '{"price":0.10}', id: 7 }, { name: "edit" }), {
      ...{
        id: 1,
        atMs: 5,
        environment: "test",
        connectionId: "c1",
        connectionName: "main",
        fileUri: "file:///w/a.rpc.json",
        name: "edit",
        requestId: 7,
      },
      ...{
        method: "private/edit",
        paramsText: '{"price":0.10}',
        isMasked: false,
        outcome: "confirmed",
        responseText: "1e1",
        isResponseCut: false,
      },
      timing: { receivedAtMs: Date.UTC(2026, 10, 20, 12, 4, 7), totalMs: 43.2, queuedMs: 2.6, exchangeMs: 1.9 },
    });
  });

  test("errors and missing responses; nothing of what was not sent", () => {
    const { response, failure } = errorOf("x", 10004, "order_not_found");
    const rejected = entryOf({ outcome: { kind: "rejected", response, failure } });
    assert.deepEqual(
      [rejected.outcome, rejected.failure, rejected.errorCode, rejected.responseText],
      ["rejected", "exchange", 10004, '{"code":10004,"message":"order_not_found"}'],
    );
    const unknown = entryOf({
      outcome: { kind: "unknown", failure: { kind: "timeout", timeoutMs: 1 }, response: undefined },
    });
    assert.deepEqual(
      [unknown.outcome, unknown.failure, unknown.timing, unknown.responseText],
      ["unknown", "timeout", undefined, undefined],
    );
    assert.equal(
      createHistory({ isOn: () => true }).record(
        sending({ outcome: { kind: "notSent", failure: { kind: "declined" } } }),
      ),
      undefined,
    );
  });

  test("the newest of them, under ids of their own, also after a restart; none while it is switched off", () => {
    let isOn = true;
    let changes = 0;
    const history = createHistory({ isOn: () => isOn });
    history.onDidChange(() => {
      changes++;
    });
    for (let count = 0; count < MAX_HISTORY_ENTRIES + 5; count++) history.record(sending({}, { endedAtMs: count }));
    assert.deepEqual(
      [history.entries.length, history.entries[0]?.id, history.entries.at(-1)?.atMs, changes],
      [MAX_HISTORY_ENTRIES, MAX_HISTORY_ENTRIES + 5, 5, MAX_HISTORY_ENTRIES + 5],
    );
    isOn = false;
    assert.equal(history.record(sending()), undefined);
    assert.equal(history.entries.length, MAX_HISTORY_ENTRIES);
    const later = createHistory({ isOn: () => true, kept: history.entries });
    assert.equal(later.record(sending())?.id, MAX_HISTORY_ENTRIES + 6);
    history.clear();
    assert.deepEqual([history.entries, later.entries.length], [[], MAX_HISTORY_ENTRIES]);
  });

  test("the beginning of a long response", () => {
    const entry = entryOf({ outcome: { kind: "confirmed", response: responseOf("x", `[${"1,".repeat(50_000)}1]`) } });
    assert.deepEqual([entry.responseText?.length, entry.isResponseCut], [MAX_HISTORY_RESPONSE, true]);
    assert.match(historyText(entry), /\/\/ The history keeps the first 20000 characters of a response\.\n$/);
  });
});

test("as a text to read and to compare: without times", () => {
  const wish = {
    method: "private/edit",
    paramsText: '{"price":0.10}',
    outcome: { kind: "confirmed", response: responseOf("x", '{"a":1e-8}') },
  } as const;
  const text =
    '// TESTNET main\n{\n  "method": "private/edit",\n  "params": {\n    "price": 0.10\n  }\n}\n\n// Response\n{\n  "a": 1e-8\n}\n';
  assert.equal(historyText(entryOf(wish)), text);
  assert.equal(historyText(entryOf(wish, { endedAtMs: 99 })), text);
  assert.match(
    historyText(
      entryOf({ outcome: { kind: "failed", failure: { kind: "timeout", timeoutMs: 1 }, response: undefined } }),
    ),
    /\/\/ No response was received in time\.\n$/,
  );
});

describe("secrets", () => {
  const canary = "Zk3Qv9Xw2Lp7Rt5Yb8Nc4Mf6Hd1Gs0Ja";
  const plainSecret = "open sesame";

  test("in any field, by its look, by its name in the parameters, or because the program knows it: none is kept", () => {
    const text = fc
      .tuple(
        fc.string({ maxLength: 8 }),
        fc.constantFrom("", " ", "=", '"'),
        fc.constantFrom(canary, plainSecret, "known-to-us"),
        fc.string({ maxLength: 4 }),
      )
      .map(([before, gap, secret, after]) => `${before}${gap}${secret}${gap}${after}`);
    const field = fc.oneof(text, fc.constant("harmless"));
    fc.assert(
      fc.property(
        fc.record({
          method: field,
          id: field,
          name: field,
          connectionId: field,
          connectionName: field,
          fileUri: field,
          label: field,
          response: field,
          filler: fc.constantFrom(0, MAX_HISTORY_RESPONSE - 20, MAX_HISTORY_RESPONSE + 8180),
        }),
        (given) => {
          const { method, id, name, connectionId, connectionName, fileUri, label, response, filler } = given;
          const paramsText = JSON.stringify({ label, password: plainSecret, nested: { client_secret: canary } });
          const bodyText = JSON.stringify({ filler: ",".repeat(filler), response, more: label });
          const history = createHistory({
            isOn: () => true,
            hide: (each) => each.replaceAll("known-to-us", "‹hidden›"),
          });
          const entry = history.record(
            sending(
              { method, paramsText, id, outcome: { kind: "confirmed", response: responseOf(method, bodyText) } },
              { name, connectionId, connectionName, fileUri },
            ),
          );
          const kept = writeHistory(history.entries);
          for (const secret of [canary, plainSecret, "known-to-us"]) {
            assert.equal(kept.includes(secret), false, kept);
            assert.equal(historyText(entry!).includes(secret), false);
          }
          assert.equal(kept.includes(canary.slice(0, 16)), false);
          assert.equal(entry?.isMasked, true);
        },
      ),
    );
  });

  test("nor the half of one at the place where a response is cut", () => {
    const paramsText = JSON.stringify({ client_secret: canary });
    const entry = entryOf({
      paramsText,
      outcome: { kind: "confirmed", response: responseOf("x", `${canary},`.repeat(2000)) },
    });
    assert.equal(entry.isResponseCut, true);
    assert.match(entry.responseText ?? "", /^(‹hidden›,)*[‹hiden›]*$/);
  });

  test("the name of the session's token is none", () => {
    const entry = entryOf({
      method: "public/exchange_token",
      paramsText: '{"refresh_token":"{{$session.refreshToken}}","subject_id":10}',
    });
    assert.deepEqual(
      [entry.paramsText, entry.isMasked],
      ['{"refresh_token":"{{$session.refreshToken}}","subject_id":10}', false],
    );
  });
});

describe("kept beyond a run", () => {
  test("comes back as it was", () => {
    const { response, failure } = errorOf("x", 10004, "order_not_found");
    const entries = [
      entryOf({ id: "a" }, { name: "n" }),
      entryOf({ outcome: { kind: "rejected", response, failure } }),
      entryOf({ outcome: { kind: "failed", failure: { kind: "stopped", wasSent: true }, response: undefined } }),
    ];
    assert.deepEqual(readHistory(writeHistory(entries)), { kind: "read", entries });
  });

  test("what cannot be understood is passed over, what a later version wrote is left to it", () => {
    const good = entryOf();
    const bad = [
      null,
      5,
      {},
      { ...good, id: "1" },
      { ...good, environment: "staging" },
      { ...good, outcome: "perhaps" },
      { ...good, timing: {} },
      { ...good, responseText: 5 },
      { ...good, failure: "toString" },
      { ...good, isMasked: undefined },
    ];
    assert.deepEqual(readHistory(JSON.stringify({ schema: 1, entries: [...bad, good] })), {
      kind: "read",
      entries: [good],
    });
    assert.deepEqual(readHistory(JSON.stringify({ schema: 2, entries: [good] })), { kind: "later" });
    for (const text of ["", "[]", "{}", "null", '{"schema":"1"}', '{"schema":1,"entries":{}}'])
      assert.deepEqual(readHistory(text), { kind: "read", entries: [] });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        readHistory(text);
      }),
    );
  });
});
