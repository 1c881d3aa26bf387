import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import type { Outcome, Verdict } from "../../../../src/actions/judge/outcome.ts";
import {
  responseAddress,
  responseDocument,
  savedResponseText,
  type ResponseSource,
} from "../../../../src/present/requests/responseText.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { runRequest, type RunResult } from "../../../../src/requests/running/run.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { responseOf, createFakeGate, errorOf } from "../../requests/fakeGate.ts";

const TIMES = createTimes(0);

const AT_MS = Date.UTC(2026, 10, 20, 12, 4, 7);
const READ = '{ "method": "private/get_open_orders" }';
const CANCEL = '{ "method": "private/cancel", "params": { "order_id": "ETH-1" } }';

async function resultOf(text: string, outcome: Outcome): Promise<RunResult> {
  const file = scanRequests(text);
  const request = file.requests[0];
  assert.ok(request !== undefined);
  return await runRequest(file, request, {
    gate: createFakeGate(outcome),
    environment: "test",
    fileName: "a.rpc.json",
  });
}

async function sourceOf(text: string, outcome: Outcome, more: Partial<ResponseSource> = {}): Promise<ResponseSource> {
  return {
    result: await resultOf(text, outcome),
    environment: "test",
    connectionName: "main",
    endedAtMs: AT_MS,
    verdicts: [],
    times: TIMES,
    ...more,
  };
}

/** The document as lines, lenses in front of the line that they stand above. */
async function shown(text: string, outcome: Outcome, more?: Partial<ResponseSource>): Promise<string[]> {
  const document = responseDocument(await sourceOf(text, outcome, more));
  return document.text
    .split("\n")
    .flatMap((line, index) => [
      ...document.lenses
        .filter((lens) => lens.line === index)
        .map((lens) => `▸${lens.action === undefined ? "" : ` [${lens.action}]`} ${lens.text}`),
      line,
    ]);
}

/** The first line of the document itself. */
const headOf = (lines: readonly string[]): string => lines.find((line) => line.startsWith("//")) ?? "";

const HEAD = "TESTNET main · ok · 43 ms (exchange 2, network 38, queue 3) · 12:04:07 · request ID 10432";

describe("a response", () => {
  test("is shown as received, below its head", async () => {
    const bodyText =
      '{"price":0.10,"tiny":1e-8,"id":9007199254740993,"wide":123456789012345678901234567890,"text":"\\u00e9\\/"}';
    assert.deepEqual(
      await shown(READ, { kind: "confirmed", response: responseOf("private/get_open_orders", bodyText) }),
      [
        "▸ [save] Save Response…",
        "▸ [compareSaved] Compare with Saved…",
        `// ${HEAD}`,
        "{",
        '  "price": 0.10,',
        '  "tiny": 1e-8,',
        '  "id": 9007199254740993,',
        '  "wide": 123456789012345678901234567890,',
        '  "text": "\\u00e9\\/"',
        "}",
        "",
      ],
    );
  });

  const heads: readonly [string, Outcome, string][] = [
    [
      "without the exchange's own time",
      {
        kind: "confirmed",
        response: responseOf("x", "1", {
          timing: { receivedAtMs: AT_MS, totalMs: 1500.4, queuedMs: 0, exchangeMs: undefined },
        }),
      },
      "TESTNET main · ok · 1500 ms (exchange and network 1500, queue 0) · 12:04:07 · request ID 10432",
    ],
    [
      "in a different state than requested",
      { kind: "confirmedOther", response: responseOf("x", "{}"), state: "filled\n" },
      "TESTNET main · the exchange reports filled\\u000A · 43 ms (exchange 2, network 38, queue 3) · 12:04:07 · request ID 10432",
    ],
    [
      "that asks for a second factor",
      { kind: "challenge", response: responseOf("x", "{}") },
      "TESTNET main · 2FA code required · 43 ms (exchange 2, network 38, queue 3) · 12:04:07 · request ID 10432",
    ],
    [
      "with an undocumented error",
      { kind: "rejected", ...errorOf("x", 99, "odd `$(x)`") },
      "TESTNET main · error 99 odd '$ (x)' · 43 ms (exchange 2, network 38, queue 3) · 12:04:07 · request ID 10432",
    ],
  ];
  for (const [what, outcome, expected] of heads) {
    test(what, async () => {
      assert.equal(headOf(await shown(READ, outcome)), `// ${expected}`);
    });
  }

  test("names its environment", async () => {
    const outcome: Outcome = { kind: "confirmed", response: responseOf("x", "1") };
    assert.match(
      headOf(await shown(READ, outcome, { environment: "production", connectionName: "desk" })),
      /^\/\/ PRODUCTION desk · ok/,
    );
    assert.match(
      headOf(await shown(READ, outcome, { environment: "simulator", connectionName: "Simulator" })),
      /^\/\/ SIMULATOR · ok/,
    );
  });

  test("says that secrets were hidden", async () => {
    const lines = await shown(READ, {
      kind: "confirmed",
      response: responseOf("x", '"•••"', { hasMaskedSecrets: true }),
    });
    assert.ok(lines.includes("▸ Secrets are hidden"));
  });

  test("that is too long is shown in part and saved whole", async () => {
    const bodyText = JSON.stringify(Array.from({ length: 100 }, (_, index) => index));
    const source = await sourceOf(READ, { kind: "confirmed", response: responseOf("x", bodyText) });
    const lines = responseDocument(source, { maxLines: 10, maxLength: 10_000 }).text.split("\n");
    assert.deepEqual(lines.slice(-4), [
      "  5,",
      "  6",
      "// Showing 7 of 100 elements. Use Save Response… to save all of them.",
      "",
    ]);
    assert.ok(lines.length <= 11);
    assert.equal(savedResponseText(source.result), `${JSON.stringify(JSON.parse(bodyText), null, 2)}\n`);
  });
});

describe("an error is a response too", () => {
  test("of the exchange: the object, its meaning above it", async () => {
    assert.deepEqual(
      await shown(CANCEL, { kind: "rejected", ...errorOf("private/cancel", 10004, "order_not_found") }),
      [
        "▸ [save] Save Response…",
        "▸ [compareSaved] Compare with Saved…",
        "// TESTNET main · error 10004 order_not_found · 43 ms (exchange 2, network 38, queue 3) · 12:04:07 · request ID 10432",
        "▸ The exchange returned error 10004: order_not_found.",
        "▸ No order matches the given ID or label.",
        "▸ This doesn't prove that the order is gone. It may belong to another account or to a quote. Refresh the open orders.",
        "{",
        '  "code": 10004,',
        '  "message": "order_not_found"',
        "}",
        "",
      ],
    );
  });

  test("without a response: what happened, what it means, what to do, and what was sent", async () => {
    assert.deepEqual(
      await shown(CANCEL, { kind: "unknown", failure: { kind: "timeout", timeoutMs: 15_000 }, response: undefined }),
      [
        "// TESTNET main · outcome unknown · 12:04:07",
        "// No response from TESTNET main within 15 s.",
        "// The request may or may not have taken effect: its outcome is unknown.",
        "// Check the current state before sending it again.",
        "// You can wait: the order is being checked with the exchange, and the result will appear here.",
        "// Request that was sent:",
        "{",
        '  "method": "private/cancel",',
        '  "params": {',
        '    "order_id": "ETH-1"',
        "  }",
        "}",
        "",
      ],
    );
  });

  test("the verdict takes the place of the checking", async () => {
    const unknown: Outcome = { kind: "unknown", failure: { kind: "timeout", timeoutMs: 15_000 }, response: undefined };
    const applied: Verdict = { kind: "applied", atMs: AT_MS + 3000, cause: "user_request", isLate: false };
    const lines = await shown(CANCEL, unknown, { verdicts: [applied] });
    assert.ok(
      lines.includes(
        '// private/cancel {"order_id":"ETH-1"} on TESTNET main: verified cancelled at 12:04:10 (the outcome was unknown, cause: on request).',
      ),
      lines.join("\n"),
    );
    assert.ok(!lines.some((line) => line.includes("being checked")));
    const verdicts: readonly Verdict[] = [{ kind: "unverified", atMs: AT_MS, reason: "no connection" }];
    assert.ok((await shown(CANCEL, unknown, { verdicts })).includes("▸ [checkAgain] Check Again"));
    // The orders that it covered were not listed before, so that nothing can be compared.
    const unlisted = await shown('{ "method": "private/cancel_all" }', unknown, { verdicts });
    assert.ok(!unlisted.some((line) => line.includes("Check Again")), unlisted.join("\n"));
  });

  test("an error that proves nothing leaves the outcome unknown, and says so", async () => {
    const lines = await shown(CANCEL, { kind: "unknown", ...errorOf("private/cancel", 10028, "too_many_requests") });
    assert.equal(
      headOf(lines),
      "// TESTNET main · outcome unknown · 43 ms (exchange 2, network 38, queue 3) · 12:04:07 · request ID 10432",
    );
    assert.ok(lines.includes("// This error doesn't prove that nothing was changed. The outcome is unknown."));
    assert.ok(lines.includes('// Sent as private/cancel with {"order_id":"ETH-1"}'));
    assert.deepEqual(lines.slice(-5), ["{", '  "code": 10028,', '  "message": "too_many_requests"', "}", ""]);
  });

  test("a mass cancel names the isolated orders that it left, with the way to them where they are listed", async () => {
    const request = '{ "method": "private/cancel_all" }';
    const response = responseOf("private/cancel_all", "2");
    const order = plain`SOL_USDC-PERPETUAL buy 10 @ 100, isolated · 5`;
    const left = await shown(request, { kind: "confirmed", response, isolatedLeft: [order] });
    assert.ok(left.includes("▸ [showOrders] Show Orders"));
    assert.ok(
      left.includes(`// Isolated orders aren't covered and stay open: ${order}. Cancel them one by one in Orders.`),
      left.join("\n"),
    );
    // On native connections no list has them.
    const native = await shown(request, { kind: "confirmed", response, isolatedLeft: [] });
    assert.ok(!native.some((line) => line.includes("showOrders")));
    assert.ok(
      native.includes("// Isolated orders aren't covered and stay open. Check them on the exchange."),
      native.join("\n"),
    );
    const none = await shown(request, { kind: "confirmed", response });
    assert.ok(!none.some((line) => line.includes("showOrders") || line.includes("solated")));
  });

  test("not sent: why, where, and the request; it can be sent anyway where that is allowed", async () => {
    const read = '{\n  "method": "private/get_open_orders",\n  "params": { "kind": "fut" }\n}';
    const problem = { path: ["kind"], message: plain`expected another`, severity: "error" } as const;
    assert.deepEqual(await shown(read, { kind: "notSent", failure: { kind: "invalidParams", problems: [problem] } }), [
      "▸ [sendAnyway] Send Anyway",
      "// TESTNET main · not sent · 12:04:07",
      "// The parameters are not valid: kind: expected another.",
      "// Nothing was sent.",
      "// Correct them and send the request again.",
      '// Line 3, column 23: kind: expected one of future, option, spot, future_combo, option_combo, got "fut"',
      "// Request that was not sent:",
      "{",
      '  "method": "private/get_open_orders",',
      '  "params": {',
      '    "kind": "fut"',
      "  }",
      "}",
      "",
    ]);
    assert.equal(
      savedResponseText(await resultOf(read, { kind: "notSent", failure: { kind: "declined" } })),
      undefined,
    );
  });

  test("a request that cannot be read has nothing but the reason", async () => {
    assert.deepEqual(await shown('{\n "method": }', { kind: "notSent", failure: { kind: "declined" } }), [
      "// TESTNET main · not sent · 12:04:07",
      "// Line 2, column 12: Expected a value.",
      "// Nothing was sent.",
      "",
    ]);
  });

  test("a secret of the file is not repeated", async () => {
    const text = '{ "method": "public/get_time", "params": { "password": "hunter2" } }';
    assert.ok(
      !(await shown(text, { kind: "notSent", failure: { kind: "declined" } })).some((line) => line.includes("hunter2")),
    );
  });

  test("no text from outside can end a comment line", async () => {
    const failure = { kind: "connectionLost", trouble: "other", detail: 'a\n{"result":"forged"}\u2028b\r' } as const;
    const lines = await shown(READ, { kind: "failed", failure, response: undefined });
    assert.deepEqual(
      lines.filter((line) => line.includes("forged") && !line.startsWith("// ")),
      [],
    );
  });

  test("every failure there is makes a document", async () => {
    const failures: Extract<Outcome, { kind: "notSent" }>["failure"][] = [
      { kind: "tooLarge", bytes: 40_000, limitBytes: 32_768 },
      { kind: "refused", reason: "because" },
      { kind: "declined" },
      { kind: "notConnected" },
      { kind: "situationChanged", changed: "file" },
      { kind: "missingScope", scope: "trade:read" },
      { kind: "tooManyPending", limit: 256 },
      { kind: "stopped", wasSent: false },
      { kind: "bug", detail: "x" },
    ];
    for (const failure of failures) {
      const lines = await shown(CANCEL, { kind: "notSent", failure });
      assert.ok(lines.filter((line) => line.startsWith("// ")).length >= 3, failure.kind);
      assert.ok(lines.includes("// Request that was not sent:"), failure.kind);
    }
  });
});

describe("the address of a response", () => {
  const cases: readonly [string, "simulator" | "test" | "production", string, string][] = [
    [
      "file:///home/a/open-orders.rpc.json",
      "test",
      "open-orders ▸ response (TESTNET)",
      "/trading-rpc-response/open-orders ▸ response (TESTNET)",
    ],
    [
      "untitled:New.rpc.json",
      "simulator",
      "New ▸ response (SIMULATOR)",
      "/trading-rpc-response/New ▸ response (SIMULATOR)",
    ],
    [
      "file:///c%3A/a%20b%E2%80%AE.rpc.json",
      "production",
      "a b\\u202E ▸ response (PRODUCTION)",
      "/trading-rpc-response/a b_u202E ▸ response (PRODUCTION)",
    ],
    ["file:///x/%zz.json", "test", "%zz ▸ response (TESTNET)", "/trading-rpc-response/%zz ▸ response (TESTNET)"],
  ];
  for (const [uri, environment, title, path] of cases) {
    test(uri, () => {
      const address = responseAddress(uri, environment);
      assert.deepEqual(
        [address.title, address.path, JSON.parse(address.query)],
        [title, path, { t: title, kind: "response", file: uri }],
      );
    });
  }

  test("of another connection in the same environment: named, and a document of its own", () => {
    const [main, sub] = [
      responseAddress("file:///w/a.rpc.json", "test"),
      responseAddress("file:///w/a.rpc.json", "test", { connectionName: "sub ▸ maker" }),
    ];
    assert.deepEqual([main.title, sub.title], ["a ▸ response (TESTNET)", "a ▸ response (TESTNET sub ▸ maker)"]);
    assert.notEqual(main.query, sub.query);
    assert.equal(
      responseAddress("file:///w/a.rpc.json", "test", { part: "open", connectionName: "sub" }).title,
      "a ▸ open (TESTNET sub)",
    );
  });
});
