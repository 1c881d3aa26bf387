import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Outcome } from "../../../../src/actions/judge/outcome.ts";
import { plain } from "../../../../src/base/plain.ts";
import { runRequest, type RunPorts, type RunResult } from "../../../../src/requests/running/run.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { findPlaceholders } from "../../../../src/requests/values/placeholders.ts";
import type { FoundValue } from "../../../../src/requests/values/variables.ts";
import { wholeRequestLines } from "../../../../src/requests/writing/wholeRequest.ts";
import { responseOf, createFakeGate, type FakeGate } from "../fakeGate.ts";

const OK: Outcome = { kind: "confirmed", response: responseOf("x", "{}") };

async function run(
  text: string,
  more: Partial<RunPorts> & { readonly index?: number; readonly outcome?: Outcome } = {},
): Promise<{ result: RunResult; gate: FakeGate }> {
  const { index = 0, outcome = OK, ...ports } = more;
  const gate = createFakeGate(outcome);
  const file = scanRequests(text);
  const request = file.requests[index];
  assert.ok(request !== undefined);
  return {
    gate,
    result: await runRequest(file, request, { gate, environment: "test", fileName: "orders.rpc.json", ...ports }),
  };
}

/** Why it was not sent; fails when it was. */
async function refusal(text: string, more: Partial<RunPorts> & { readonly index?: number } = {}): Promise<string> {
  const { result, gate } = await run(text, more);
  assert.equal(gate.intents.length, 0);
  assert.ok(result.outcome.kind === "notSent" && result.outcome.failure.kind === "refused");
  return result.outcome.failure.reason;
}

describe("a request goes to the gate", () => {
  test("literal for literal, with the words of the question", async () => {
    const { result, gate } = await run(
      '// c\n{ "method": "private/edit", "params": { "price": 0.10, /* x */ "amount": 1e-8, "label": "a\u202Eb", } }',
    );
    assert.deepEqual(gate.intents, [
      {
        method: "private/edit",
        paramsText: '{"price":0.10,"amount":1e-8,"label":"a\u202Eb"}',
        origin: "requestFile",
        words: {
          action: "Send edit",
          target: 'private/edit {"price":0.10,"amount":1e-8,"label":"a\\u202Eb"}',
          sentence: 'Send private/edit {"price":0.10,"amount":1e-8,"label":"a\\u202Eb"}',
          detail: ["Changes the price, the amount, or other parameters of an open order.", "From orders.rpc.json."],
          keep: "Don't Send",
        },
      },
    ]);
    assert.equal(result.effect, "write");
    assert.equal(result.outcome, OK);
    assert.equal(result.activityId, "c/1");
  });

  test("long parameters stand below the question, whole", async () => {
    const channels = Array.from({ length: 20 }, (_, index) => `name-${String(index).padStart(8, "0")}`);
    const { gate } = await run(JSON.stringify({ method: "private/new_one", params: { names: channels } }));
    const { target, detail } = gate.intents[0]?.words ?? { target: "", detail: [] };
    assert.equal(target, "private/new_one");
    assert.deepEqual(detail.slice(0, 3), ["{", '  "names": [', '    "name-00000000",']);
    assert.equal(detail.at(-1), "From orders.rpc.json.");
    assert.equal(gate.intents[0]?.words.isCut, undefined);
  });

  /** A buy with forty parameters, the linked orders written last. */
  const LONG_BUY = {
    ...Object.fromEntries(Array.from({ length: 34 }, (_, index) => [`note_${String(index)}`, index])),
    ...{ instrument_name: "BTC-PERPETUAL", type: "limit", price: 61_000.5, amount: 10, label: "mm-1" },
    otoco_config: [{ reduce_only: false, amount: 5_000_000, direction: "sell", price: 1 }],
  };

  test("where the parameters do not fit, what weighs most comes first, linked orders too, and it is said that there is more", async () => {
    const { gate } = await run(JSON.stringify({ method: "private/buy", params: LONG_BUY }));
    const { detail, isCut, sentence } = gate.intents[0]?.words ?? assert.fail();
    assert.equal(isCut, true);
    assert.deepEqual(detail.slice(0, 13), [
      "Not all parameters fit here. Review the whole request before you send it.",
      "Request: private/buy",
      "{",
      '  "instrument_name": "BTC-PERPETUAL",',
      '  "type": "limit",',
      '  "price": 61000.5,',
      '  "amount": 10,',
      '  "otoco_config": [',
      "    {",
      '      "amount": 5000000,',
      '      "direction": "sell",',
      '      "price": 1,',
      '      "reduce_only": false',
    ]);
    assert.deepEqual(detail.slice(32), ["From orders.rpc.json."]);
    assert.equal(sentence, "Buy 10 BTC-PERPETUAL @ 61\u202F000.5, with linked orders");
  });

  test("a value whose end does not match the pattern counts as one that is not shown", async () => {
    const { gate } = await run(
      JSON.stringify({
        method: "private/withdraw",
        params: { memo: "x".repeat(300), amount: 1, address: "bc1qexample7x9k2z", currency: "BTC" },
      }),
    );
    const { detail, isCut } = gate.intents[0]?.words ?? assert.fail();
    assert.equal(isCut, true);
    assert.deepEqual(detail.slice(1, 5), [
      "{",
      '  "amount": 1,',
      '  "address": "bc1qexample7x9k2z",',
      '  "currency": "BTC",',
    ]);
    assert.match(detail[5] ?? "", /^ {2}"memo": "x+…$/);
  });

  test("the whole request can be read, without its secrets and with nothing invisible", () => {
    const lines = wholeRequestLines({
      method: "private/buy",
      paramsText: JSON.stringify({ ...LONG_BUY, label: "a\u202Eb", client_secret: "abcdefgh" }),
    });
    assert.equal(lines.length, 53);
    assert.ok(lines.includes(plain`    "label": "a\\u202Eb",`), lines.join("\n"));
    assert.ok(lines.some((line) => line.includes("5000000")));
    assert.ok(!lines.join("\n").includes("abcdefgh"));
  });

  test("on production a file that does not say where it may be sent says so", async () => {
    const { gate } = await run('{ "method": "private/new_one" }', { environment: "production" });
    assert.deepEqual(gate.intents[0]?.words.detail, [
      "From orders.rpc.json.",
      "The file doesn't restrict where it can be sent ($file.env).",
    ]);
  });

  test("an order without a label says what that means; with one there is nothing to say", async () => {
    const noteOf = async (label: unknown): Promise<string | undefined> =>
      (await run(JSON.stringify({ method: "private/sell", params: { instrument_name: "BTC-PERPETUAL", label } }))).gate
        .intents[0]?.words.note;
    const expected = "The order has no label. If no response arrives, its outcome may stay unknown.";
    assert.deepEqual(await Promise.all([undefined, "", "mm-1"].map(noteOf)), [expected, expected, undefined]);
  });

  test("where many values were filled in, the confirmation names ten and counts the others", async () => {
    const params = JSON.stringify(Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`m${index}`, `{{v}}`])));
    const found: FoundValue = { valueText: "1", source: { kind: "given" }, shadowed: [] };
    const used = findPlaceholders(params).map((placeholder) => ({ placeholder, found, madeOf: [] }));
    const { gate } = await run(`{ "method": "private/new_one", "params": ${params} }`, {
      resolved: params.replaceAll('"{{v}}"', "1"),
      used,
    });
    const { detail } = gate.intents[0]?.words ?? assert.fail();
    assert.deepEqual(
      [detail.length, detail[0], detail[9], detail[10]],
      [
        12,
        "m0 (1) is set for this run.",
        "m9 (1) is set for this run.",
        "More values that are filled in by placeholders: 4.",
      ],
    );
  });

  test("time limit, signal and Send Anyway are handed on", async () => {
    const { signal } = new AbortController();
    const { gate } = await run('{ "method": "public/get_time" }', { timeoutMs: 5, signal, sendAnyway: true });
    assert.deepEqual(gate.options, [{ timeoutMs: 5, signal, sendAnyway: true }]);
    assert.deepEqual((await run('{ "method": "public/get_time" }')).gate.options, [{ sendAnyway: false }]);
  });

  test("only a read that was held back for its parameters can be sent anyway", async () => {
    const heldBack: Outcome = { kind: "notSent", failure: { kind: "invalidParams", problems: [] } };
    const read = '{ "method": "private/get_open_orders", "params": { "kind": "fut" } }';
    const canSendAnyway = async (text: string, more: Parameters<typeof run>[1]): Promise<boolean> =>
      (await run(text, more)).result.canSendAnyway;
    assert.equal(await canSendAnyway(read, { outcome: heldBack }), true);
    assert.equal(await canSendAnyway(read, { outcome: heldBack, sendAnyway: true }), false);
    assert.equal(await canSendAnyway(read, { outcome: { kind: "notSent", failure: { kind: "declined" } } }), false);
    assert.equal(await canSendAnyway('{ "method": "private/cancel" }', { outcome: heldBack }), false);
  });
});

describe("a request is not sent", () => {
  const cases: readonly [string, string, string][] = [
    ["with a syntax error", '{\n "method": }', "Line 2, column 12: Expected a value."],
    ["without a method", "{}", 'Line 1, column 1: Missing property "method": "public/…" or "private/…".'],
    [
      "that logs in by itself",
      '{ "method": "public/auth", "params": { "grant_type": "client_credentials" } }',
      "Line 1, column 13: public/auth can't be sent because it would replace the sign-in of the shared connection. The connection signs in automatically.",
    ],
    [
      "with a secret",
      '{ "method": "public/get_time", "params": { "password": "p" } }',
      "Line 1, column 56: password is a secret. Don't put secrets in files, because files get shared and committed. The connection signs in automatically.",
    ],
    [
      "with several mistakes",
      '{ "method": "public/get_time", "id": null, "params": [] }',
      "Line 1, column 38: With the id null, the request is a notification, and the exchange sends no response. Remove the id or set it to a number. More errors: 1.",
    ],
    [
      "where the file does not want to go",
      '{ "$file": { "env": ["sim", "prod"] }, "method": "public/get_time" }',
      "This file can only be sent to sim, prod ($file.env), but this connection is test.",
    ],
  ];
  for (const [what, text, expected] of cases) {
    test(what, async () => {
      assert.equal(await refusal(text), expected);
    });
  }

  test("while the first request, which may say where, cannot be read", async () => {
    const text = '[{ "$file": { "env": ["sim"] }, "method": }, { "method": "public/get_time" }]';
    assert.match(await refusal(text, { index: 1 }), /^The first request of the file can't be read/);
  });

  test("a mistake in another request does not hold it up", async () => {
    assert.equal((await run('[{ "method": }, { "method": "public/get_time" }]', { index: 1 })).gate.intents.length, 1);
    assert.equal(
      (await run('[{ "$file": { "env": ["test"] }, "method": "x" }, { "method": "public/get_time" }]', { index: 1 }))
        .gate.intents.length,
      1,
    );
  });
});
