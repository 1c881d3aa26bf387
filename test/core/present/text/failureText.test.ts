import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Failure, LinkTrouble } from "../../../../src/base/failure.ts";
import { plain } from "../../../../src/base/plain.ts";
import type { Effect } from "../../../../src/catalogue/index.ts";
import { failureSentences, failureText } from "../../../../src/present/text/failureText.ts";

const UNMADE: Readonly<Record<LinkTrouble, string>> = {
  address:
    "The address host:1 can't be used: why. Enter it as wss://host/ws/api/v2. Unencrypted connections are only possible to this computer.",
  dns: "The host name of host:1 was not found (why). Check the address for typos. If it is correct, check your network, VPN, and DNS server.",
  refused: "Connection refused by host:1 (why). Check the port in the address, and that the server is running.",
  unreachable: "This computer can't reach host:1 (why). Check your network connection, VPN, and firewall.",
  tls: "The certificate of host:1 was not accepted: why. Your credentials were not sent. Check the host name in the address and this computer's clock. If your company inspects traffic, install its certificate in the system. The certificate check can't be skipped.",
  wrongHost:
    "The certificate is for a different host than host:1: why. Your credentials were not sent. A network login page (hotel, company) can also cause this: open a browser and sign in to the network first. Otherwise, check the host name in the address. The certificate check can't be skipped.",
  redirect:
    "The redirect from host:1 to another address wasn't followed, because your credentials would be sent there too (why). Enter the final address of the exchange. A network login page (hotel, company) can also cause this: open a browser first.",
  portal:
    "Received a web page instead of an API response from host:1 (why). Your credentials were not sent. This is probably your network's login page (hotel, company): open a browser and sign in to the network first. Otherwise, check the host and path. The path of this API is /ws/api/v2.",
  forbidden:
    "The connection was refused by host:1 before sign-in (why). The server may not accept connections from your address or country, or from outside a VPN. A proxy or a firewall can also cause this.",
  unavailable:
    "The connection failed because host:1 is currently unavailable (why). Wait, and check the exchange's status page. If it continues, check the host and path. A server in front of the exchange can also cause this.",
  proxy:
    "The proxy couldn't connect to host:1 (why). For HTTP 407, the proxy requires a user name and password: ask your network administrator, or exclude this host with http.noProxy. Otherwise, check VS Code's proxy settings.",
  notWebSocket:
    "The response from host:1 did not come from an exchange's WebSocket server (why). Check the host and path. The path of this API is /ws/api/v2. A proxy may also have responded instead.",
  tooManyConnections:
    "No more connections from this computer are accepted by host:1 right now (why). Close connections in other windows and programs, then try again later.",
  connectTimeout:
    "The connection to host:1 timed out (why). Check the host and port, your network, and whether a firewall or a proxy blocks the connection.",
  silent:
    "The connection was closed because host:1 stopped responding (why). This happens after sleep or a network change. The connection reopens automatically when the network is available.",
  protocol:
    "The connection failed because messages from host:1 are not valid for JSON-RPC API v2 (why). Check that the address points to the exchange's JSON-RPC API v2 and not to another service.",
  tooSlow:
    "The connection was closed by host:1 because its messages were not read fast enough (why). Subscribe to fewer channels at a time, or to channels with an interval.",
  rateLimit:
    "The connection was closed by host:1 because too many requests were sent (why). Send requests less often. Other programs that use the same account count too.",
  maintenance:
    "Maintenance or a restart is in progress at host:1 (why). Wait until it is over. See the exchange's status page for details.",
  closedByServer:
    "The connection was closed immediately by host:1 (why). The connection reopens automatically. If it keeps happening, check the exchange's status page and the log (Show Log).",
  closedByUs: "The attempt to connect to host:1 was cancelled. Connect again when you need it.",
  other:
    "Couldn't connect to host:1: why. If it continues, use Save Support File… and attach the file when you report the problem.",
};
const TROUBLES = Object.keys(UNMADE) as LinkTrouble[];

const HARMLESS = "The request was read-only, so nothing was changed.";
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
      assert.match(write, /Check the current state before sending it again\.$/);
    });
  }

  test("without a name of the server and without details", () => {
    assert.equal(
      failureSentences({ kind: "connectionLost", trouble: "closedByServer", detail: "" }, "read"),
      `The connection was closed by the server (no details). ${HARMLESS} The connection reopens automatically. If it keeps happening, check the exchange's status page and the log (Show Log).`,
    );
  });
});

describe("other failures", () => {
  const cases: readonly [Failure, Effect, string][] = [
    [
      {
        kind: "invalidParams",
        problems: [
          { path: ["a", 0], message: plain`must not be empty`, severity: "error" },
          { path: [], message: plain`order_id is missing`, severity: "error" },
        ],
      },
      "read",
      "The parameters are not valid: a.0: must not be empty; order_id is missing. Nothing was sent. Correct them and send the request again.",
    ],
    [
      {
        kind: "invalidParams",
        problems: Array.from({ length: 7 }, () => ({
          path: ["x"],
          message: plain`is odd`,
          severity: "error" as const,
        })),
      },
      "read",
      "The parameters are not valid: x: is odd; x: is odd; x: is odd; x: is odd; x: is odd, and 2 more. Nothing was sent. Correct them and send the request again.",
    ],
    [
      { kind: "tooLarge", bytes: 40_000, limitBytes: 32_768 },
      "read",
      "The request has 40\u202F000 bytes. The exchange accepts up to 32\u202F768 bytes and closes the connection for larger requests. Nothing was sent. Split it into smaller requests.",
    ],
    [
      { kind: "refused", reason: "PRODUCTION desk is read-only." },
      "write",
      "PRODUCTION desk is read-only. Nothing was sent.",
    ],
    [{ kind: "declined" }, "write", "You chose not to send it. Nothing was sent."],
    [{ kind: "notConnected" }, "write", "Not connected. Nothing was sent. Connect, then try again."],
    [
      { kind: "notConnected", detail: "still signing in" },
      "write",
      "Not connected: still signing in. Nothing was sent. Connect, then try again.",
    ],
    [
      { kind: "situationChanged", changed: "connection" },
      "write",
      "The connection was interrupted before the request was sent. Nothing was sent. Check that the connection is open, then try again.",
    ],
    [
      { kind: "situationChanged", changed: "account" },
      "write",
      "The connection switched to a different account before the request was sent. Nothing was sent. Check which account the connection shows, then try again.",
    ],
    [
      { kind: "situationChanged", changed: "permission" },
      "write",
      "Changes are no longer allowed on this connection. Nothing was sent. Use Allow Changes…, then try again.",
    ],
    [
      { kind: "situationChanged", changed: "file" },
      "write",
      "The file was edited after the confirmation was shown. Nothing was sent. Review the request, then send it again.",
    ],
    [JSON.parse('{"kind":"situationChanged"}') as Failure, "write", "Nothing was sent."],
    [
      { kind: "missingScope", scope: "trade:read_write" },
      "write",
      "The API key doesn't have the required scope trade:read_write. Nothing was sent. Use an API key with this scope, or change the scope of this one on the exchange.",
    ],
    [
      { kind: "noKey" },
      "read",
      "This connection has no API key: it can only call public methods. Nothing was sent. Sign in with an API key, or use a connection that has one.",
    ],
    [
      { kind: "tooManyPending", limit: 256 },
      "read",
      "256 requests are already pending. Nothing was sent. Wait for some responses, then try again.",
    ],
    [{ kind: "stopped", wasSent: false }, "write", "You stopped the request before it was sent. Nothing was sent."],
    [{ kind: "stopped", wasSent: false, reason: "Margin rose." }, "write", "Margin rose. Nothing was sent."],
    [{ kind: "stopped", wasSent: true }, "read", `You stopped waiting for the response. ${HARMLESS}`],
    [
      { kind: "stopped", wasSent: true },
      "mass",
      `You stopped waiting for the response. ${OPEN} Check the current state before sending it again.`,
    ],
    [
      { kind: "timeout", timeoutMs: 15_000 },
      "read",
      `No response from TESTNET main within 15 s. ${HARMLESS} Try again. If it keeps happening, check the network or increase the timeout in Settings.`,
    ],
    [
      { kind: "timeout", timeoutMs: 15_000 },
      "reduce",
      `No response from TESTNET main within 15 s. ${OPEN} Check the current state before sending it again.`,
    ],
    [
      { kind: "unreadableResult", detail: "order_id is missing" },
      "read",
      `Couldn't parse the response from TESTNET main: order_id is missing. ${HARMLESS} Try again. If it continues, use Save Support File… and attach the file when you report the problem.`,
    ],
    [
      { kind: "unreadableResult", detail: "order_id is missing" },
      "key",
      `Couldn't parse the response from TESTNET main: order_id is missing. ${OPEN} If it continues, use Save Support File… and attach the file when you report the problem. Check the current state before sending it again.`,
    ],
    [
      { kind: "bug", detail: "TypeError: x" },
      "read",
      `Internal error in Trading RPC: TypeError: x. ${HARMLESS} Please file an issue and attach the log (Show Log).`,
    ],
  ];
  for (const [failure, effect, expected] of cases) {
    test(`${failure.kind}, ${effect}`, () => {
      assert.equal(failureSentences(failure, effect, "TESTNET main"), expected);
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
      /^The exchange returned error 13004: invalid_credentials\. .*Check the client ID and client secret/,
    );
    assert.match(texts[1] ?? "", /error -32602: Invalid params\. .* Parameter count: must be positive\. /);
    assert.match(texts[2] ?? "", /The exchange asks you to wait 8 s\./);
    assert.match(texts[3] ?? "", /error 10005 \(price_too_low\): price_too_low 12\.5\./);
    assert.equal(
      texts[4],
      "The exchange returned error 99999: brand_new\\u000A[x] (command:y). The exchange doesn't document this error. See the exchange's documentation of the method.",
    );
    assert.match(texts[5] ?? "", /error -32602 \(Invalid params\): no details\. .*Affected parameter: count\./);
    assert.match(texts[6] ?? "", /Reason: odd\./);
  });
});

test("that a change may have been made is said of changes alone", () => {
  for (const code of [11_094, -32_603]) {
    const failure = { kind: "exchange", code, message: "internal_server_error" } as const;
    assert.match(failureText(failure, "reduce").advice, /Before you repeat a change, check whether it was made\.$/);
    assert.doesNotMatch(failureText(failure, "read").advice, /change/);
  }
});

describe("a second factor that was refused", () => {
  const sentences = (code: number, more: object): string =>
    failureSentences(
      { kind: "exchange", code, message: "security_key_authorization_error", ...more },
      "key",
      "TESTNET main",
    );
  const reasons: readonly (readonly [string, RegExp])[] = [
    ["tfa_code_not_matched", /The 2FA code was wrong/],
    ["used_tfa_code", /This 2FA code was already used\. .*A code works once/],
    ["challenge_timeout", /The 2FA code came too late: it is valid for one minute/],
    ["tfa_code_is_required", /The exchange found no 2FA code in the request/],
  ];
  for (const [reason, text] of reasons) {
    test(`${reason}: why, that nothing was changed, and what to do`, () => {
      const said = sentences(13668, { reason });
      assert.match(said, text);
      assert.match(
        said,
        reason === "used_tfa_code"
          ? /Nothing was changed\. Wait until the authenticator shows the next code\. Start again and enter a new 2FA code/
          : /Nothing was changed\. Start again and enter a new 2FA code/,
      );
      assert.equal(said.includes(reason), false);
    });
  }

  test("an undocumented reason is shown as received", () => {
    assert.match(sentences(13668, { reason: "moon_phase" }), /Reason: moon_phase\./);
  });

  test("too many wrong codes, with the time to wait; and no second factor at all", () => {
    assert.match(
      sentences(12998, { message: "security_key_authorization_over_limit", waitSeconds: 300 }),
      /asks you to wait 5 min\. Nothing was changed\./,
    );
    assert.match(
      sentences(13904, { message: "security_key_setup_required" }),
      /Set up two-factor authentication \(2FA\) in the exchange's web interface first\./,
    );
  });
});
