import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "vitest";
import { toFailure } from "../../../../src/base/failure.ts";
import { carriesToken, curlText } from "../../../../src/requests/writing/exportCode.ts";

const SERVER = { origin: "https://test.example", basePath: "/api/v2" };

test("a request as a command line, the token as a variable", () => {
  const cases = [
    curlText(SERVER, { method: "private/cancel", paramsText: '{"order_id":"ETH-1"}' }),
    curlText(SERVER, {
      method: "public/get_last_trades_by_instrument",
      paramsText: '{"instrument_name":"BTC-PERPETUAL","count":1e1}',
      form: "query",
    }),
    curlText(SERVER, { method: "private/get_mmp_config", paramsText: '{"index_name":"btc_usd"}', form: "body" }),
  ];
  assert.equal(
    cases.join("\n\n"),
    `curl -X POST 'https://test.example/api/v2' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"jsonrpc":"2.0","id":1,"method":"private/cancel","params":{"order_id":"ETH-1"}}'

curl -X GET 'https://test.example/api/v2/public/get_last_trades_by_instrument?instrument_name=BTC-PERPETUAL&count=1e1'

curl -X GET 'https://test.example/api/v2/private/get_mmp_config' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"jsonrpc":"2.0","id":1,"method":"private/get_mmp_config","params":{"index_name":"btc_usd"}}'`,
  );
});

test("only a command line of a private method has the variable of the token, of which the message tells", () => {
  for (const [method, expected] of [
    ["private/cancel", true],
    ["public/get_time", false],
    ["public/auth", false],
  ] as const) {
    assert.equal(curlText(SERVER, { method, paramsText: "{}" }).includes("$TOKEN"), expected, method);
    assert.equal(carriesToken(method), expected, method);
  }
});

test("nothing in a text gets out of its quotes", ({ skip }) => {
  skip(process.platform === "win32", "there is no POSIX shell");
  const label = "it's $(touch pwned) `id` \" \\ \n!";
  const text = curlText(SERVER, { method: "private/cancel_by_label", paramsText: JSON.stringify({ label }) });
  const words = execFileSync("sh", [
    "-c",
    `TOKEN=secret; curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }; ${text}`,
  ])
    .toString()
    .split("\0");
  assert.deepEqual(words.slice(0, 5), [
    "-X",
    "POST",
    "https://test.example/api/v2",
    "-H",
    "Authorization: Bearer secret",
  ]);
  assert.deepEqual((JSON.parse(words[8]!) as { params: unknown }).params, { label });
});

test("what a form cannot carry is said, not written", () => {
  let failure;
  try {
    curlText(SERVER, { method: "private/edit_api_key", paramsText: '{"id":1,"ip_whitelist":[]}', form: "query" });
  } catch (thrown) {
    failure = toFailure(thrown);
  }
  assert.equal(failure?.kind, "invalidParams");
});
