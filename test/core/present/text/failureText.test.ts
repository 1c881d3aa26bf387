import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Failure, LinkTrouble } from "../../../../src/base/failure.ts";
import type { Effect } from "../../../../src/catalogue/index.ts";
import { failureSentences, failureText } from "../../../../src/present/text/failureText.ts";

const UNMADE: Readonly<Record<LinkTrouble, string>> = {
  address:
    "The address host:1 cannot be used: why. Write it as wss://host/ws/api/v2. Without encryption only this computer can be reached.",
  dns: "The host name of host:1 was not found (why). Look for a typing mistake in the address; if it is right, check your network, your VPN and its name server.",
  refused: "Nobody is listening at host:1 (why). Check the port in the address, and that the server is running.",
  unreachable: "This computer cannot reach host:1 (why). Check your network connection, your VPN and your firewall.",
  tls: "The certificate of host:1 was not accepted: why. Your credentials were not sent. Check the host name in the address and the clock of this computer. If your company inspects traffic, its certificate has to be installed in the system; the check cannot be skipped.",
  wrongHost:
    "Another host answered in the place of host:1: why. Your credentials were not sent. A login page of the network (hotel, company) also answers like this: open a browser and sign in to the network first. Otherwise check the host name in the address; the check cannot be skipped.",
  redirect:
    "A redirect to another address came from host:1; it is not followed, because your credentials would go there too (why). Enter the final address of the exchange. A login page of the network (hotel, company) also answers like this: open a browser first.",
  portal:
    "A web page came in the place of host:1 (why). Your credentials were not sent. It probably is the login page of your network (hotel, company): open a browser and sign in to the network first. Otherwise check host and path; the path of this API is /ws/api/v2.",
  forbidden:
    "The connection was refused by host:1 (why), before anybody had signed in. The server may not take connections from your address or country, or from outside a VPN. A proxy or a firewall can answer like this too.",
  unavailable:
    "The server at host:1 does not work at the moment (why). Wait; the exchange's status page says more. If it lasts, check host and path: a server that stands before the exchange's answers like this too.",
  proxy:
    "A proxy on the way did not make the connection to host:1 (why). HTTP 407 means that the proxy wants a user name and a password, HTTP 502 to 504 that it cannot reach the server. Check the proxy settings of the editor (http.proxy, http.noProxy) and of the system.",
  notWebSocket:
    "A response came from host:1, but not that of a WebSocket server of an exchange (why). Check host and path; the path of this API is /ws/api/v2. A proxy on the way may also have answered in its place.",
  tooManyConnections:
    "No more connections from here are taken by host:1 at the moment (why). Close connections in other windows and programs, then try again later.",
  connectTimeout:
    "No response came from host:1 in time (why). Check host and port, your network, and whether a firewall or a proxy swallows the connection.",
  silent:
    "No sign of life came from host:1 any more, so the connection was given up (why). This happens after sleep or a change of network; check that the network is there.",
  protocol:
    "Messages came from host:1 that an exchange with this API does not send (why). Check that the address leads to a JSON-RPC API v2 of the exchange and not to another service.",
  tooSlow:
    "The connection was closed by host:1 because its messages were not read fast enough (why). Subscribe to less at a time, or to channels with an interval.",
  rateLimit:
    "The connection was closed by host:1 because too many requests were sent (why). Send less often; other programs with the same account count too.",
  maintenance:
    "Maintenance or a restart is under way at host:1 (why). Wait until it is over; the exchange's status page says more.",
  closedByServer:
    "The connection was closed by host:1 at once (why). If it keeps happening, look at the exchange's status page and into the log (Show Log).",
  closedByUs: "The attempt to connect to host:1 was given up. Connect again when you need it.",
  other: "The connection to host:1 could not be made: why. Show Log has the details.",
};
const TROUBLES = Object.keys(UNMADE) as LinkTrouble[];

const HARMLESS = "Nothing was changed, since it was only a reading.";
const OPEN = "The request may or may not have taken effect: its outcome is unknown.";

describe("a link that could not be made", () => {
  for (const trouble of TROUBLES) {
    test(trouble, () => {
      assert.equal(
        failureSentences({ kind: "cannotConnect", trouble, detail: "why." }, "read", "host:1"),
        UNMADE[trouble],
      );
    });
  }

  test("no two troubles read the same", () => {
    assert.equal(new Set(Object.values(UNMADE)).size, TROUBLES.length);
  });
});

describe("a link that was lost", () => {
  for (const trouble of TROUBLES) {
    test(`${trouble}: a reading is harmless, the outcome of a write is unknown, and nothing says that it is repeated`, () => {
      const failure: Failure = { kind: "connectionLost", trouble, detail: "why" };
      assert.ok(failureSentences(failure, "read", "host:1").includes(HARMLESS));
      const write = failureSentences(failure, "reduce", "host:1");
      assert.ok(write.includes(OPEN));
      assert.doesNotMatch(write, /tried again|Nothing was sent|no effect/);
      assert.match(write, /Look at the present state before you send it again\.$/);
    });
  }

  test("without a name of the server and without details", () => {
    assert.equal(
      failureSentences({ kind: "connectionLost", trouble: "closedByServer", detail: "" }, "read"),
      `The connection was closed by the server (no details). ${HARMLESS} If it keeps happening, look at the exchange's status page and into the log (Show Log).`,
    );
  });
});

describe("other failures", () => {
  const cases: readonly [Failure, Effect, string][] = [
    [
      {
        kind: "invalidParams",
        problems: [
          { path: ["a", 0], message: "must not be empty", severity: "error" },
          { path: [], message: "order_id is missing", severity: "error" },
        ],
      },
      "read",
      "The parameters are not valid: a.0: must not be empty; order_id is missing. Nothing was sent. Correct them and send again.",
    ],
    [
      {
        kind: "invalidParams",
        problems: Array.from({ length: 7 }, () => ({ path: ["x"], message: "is odd", severity: "error" as const })),
      },
      "read",
      "The parameters are not valid: x: is odd; x: is odd; x: is odd; x: is odd; x: is odd; and 2 more. Nothing was sent. Correct them and send again.",
    ],
    [
      { kind: "tooLarge", bytes: 40_000, limitBytes: 32_768 },
      "read",
      "The request has 40,000 bytes; the exchange accepts at most 32,768 and closes the connection above that. Nothing was sent. Split it into smaller requests.",
    ],
    [
      { kind: "refused", reason: "PRODUCTION desk is read-only." },
      "write",
      "PRODUCTION desk is read-only. Nothing was sent.",
    ],
    [{ kind: "declined" }, "write", "You chose not to send it. Nothing was sent."],
    [{ kind: "notConnected" }, "write", "There is no connection. Nothing was sent. Connect, then try again."],
    [
      { kind: "notConnected", detail: "still signing in" },
      "write",
      "There is no connection: still signing in. Nothing was sent. Connect, then try again.",
    ],
    [
      { kind: "situationChanged" },
      "write",
      "The connection, the account, the target or the file changed while you were asked. Nothing was sent. Look at it as it is now and decide again.",
    ],
    [
      { kind: "missingScope", scope: "trade:read_write" },
      "write",
      "The API key does not have the scope trade:read_write that this needs. Nothing was sent. Use a key with this scope, or change the scope of this one at the exchange.",
    ],
    [
      { kind: "noKey" },
      "read",
      "This connection has no API key: it can only call public methods. Nothing was sent. Sign in with a key, or use a connection that has one.",
    ],
    [
      { kind: "tooManyPending", limit: 256 },
      "read",
      "256 requests are already waiting for a response. Nothing was sent. Wait until some are answered, then try again.",
    ],
    [{ kind: "stopped", wasSent: false }, "write", "You stopped it before it was sent. Nothing was sent."],
    [{ kind: "stopped", wasSent: true }, "read", `You stopped waiting for the response. ${HARMLESS}`],
    [
      { kind: "stopped", wasSent: true },
      "mass",
      `You stopped waiting for the response. ${OPEN} Look at the present state before you send it again.`,
    ],
    [
      { kind: "timeout", timeoutMs: 15_000 },
      "read",
      `No response came from TEST main within 15 s. ${HARMLESS} Try again; if it keeps happening, check the network or allow more time in the settings.`,
    ],
    [
      { kind: "timeout", timeoutMs: 15_000 },
      "reduce",
      `No response came from TEST main within 15 s. ${OPEN} Look at the present state before you send it again.`,
    ],
    [
      { kind: "unreadableResult", detail: "order_id is missing" },
      "read",
      `The response of TEST main could not be understood: order_id is missing. ${HARMLESS} Show Log has the details.`,
    ],
    [
      { kind: "unreadableResult", detail: "order_id is missing" },
      "key",
      `The response of TEST main could not be understood: order_id is missing. ${OPEN} Show Log has the details. Look at the present state before you send it again.`,
    ],
    [
      { kind: "bug", detail: "TypeError: x" },
      "read",
      `Something went wrong inside this extension: TypeError: x. ${HARMLESS} Please report it with the log (Show Log).`,
    ],
  ];
  for (const [failure, effect, expected] of cases) {
    test(`${failure.kind}, ${effect}`, () => {
      assert.equal(failureSentences(failure, effect, "TEST main"), expected);
    });
  }

  test("errors of the exchange: code, name, meaning, the parameter, the wait, what to do", () => {
    const texts = (
      [
        { kind: "exchange", code: 13004, message: "invalid_credentials" },
        { kind: "exchange", code: -32602, message: "Invalid params", param: "count", reason: "must be positive" },
        { kind: "exchange", code: 10028, message: "too_many_requests", waitSeconds: 8 },
        { kind: "exchange", code: 10005, message: "price_too_low 12.5" },
        { kind: "exchange", code: 99_999, message: "brand_new\n[x](command:y)" },
        { kind: "exchange", code: -32602, message: "", param: "count" },
        { kind: "exchange", code: -32602, message: "Invalid params", reason: "odd" },
      ] satisfies Failure[]
    ).map((failure) => failureSentences(failure, "reduce"));
    assert.match(
      texts[0] ?? "",
      /^The exchange answered with error 13004: invalid_credentials\. .*Check the client id and the secret/,
    );
    assert.match(texts[1] ?? "", /error -32602: Invalid params\. .* Parameter count: must be positive\. /);
    assert.match(texts[2] ?? "", /The exchange asks to wait for 8 s\./);
    assert.match(texts[3] ?? "", /error 10005 \(price_too_low\): price_too_low 12\.5\./);
    assert.equal(
      texts[4],
      "The exchange answered with error 99999: brand_new\\u000A[x] (command:y). This error is not among those that the exchange documents. Look at the exchange's documentation of the method.",
    );
    assert.match(texts[5] ?? "", /error -32602 \(Invalid params\): no details\. .*It is about the parameter count\./);
    assert.match(texts[6] ?? "", /Reason: odd\./);
  });
});

test("that a change may have been made is said of changes alone", () => {
  for (const code of [11_094, -32_603]) {
    const failure = { kind: "exchange", code, message: "internal_server_error" } as const;
    assert.match(failureText(failure, "reduce").advice, /Before repeating a change, look whether it was made\.$/);
    assert.doesNotMatch(failureText(failure, "read").advice, /change/);
  }
});

describe("a second factor that was refused", () => {
  const sentences = (code: number, more: object): string =>
    failureSentences(
      { kind: "exchange", code, message: "security_key_authorization_error", ...more },
      "key",
      "TEST main",
    );
  const reasons: readonly (readonly [string, RegExp])[] = [
    ["tfa_code_not_matched", /The code was not the right one/],
    ["used_tfa_code", /This code was used before, and each works once/],
    ["challenge_timeout", /The code came too late: it is valid for one minute/],
    ["tfa_code_is_required", /The exchange found no code in the request/],
  ];
  for (const [reason, text] of reasons) {
    test(`${reason}: why, that nothing was changed, and what to do`, () => {
      const said = sentences(13668, { reason });
      assert.match(said, text);
      assert.match(said, /Nothing was changed\. Start again and enter a new code/);
      assert.equal(said.includes(reason), false);
    });
  }

  test("a reason that nobody documented is shown as it came", () => {
    assert.match(sentences(13668, { reason: "moon_phase" }), /Reason: moon_phase\./);
  });

  test("too many wrong codes, with the time to wait; and no second factor at all", () => {
    assert.match(
      sentences(12998, { message: "security_key_authorization_over_limit", waitSeconds: 300 }),
      /asks to wait for 5 min\. Nothing was changed\./,
    );
    assert.match(
      sentences(13904, { message: "security_key_setup_required" }),
      /Set up a second factor in the exchange's web interface first\./,
    );
  });
});
